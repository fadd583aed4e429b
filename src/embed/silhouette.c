/* SPDX-License-Identifier: MIT
 * silhouette.c - how well classes of points are separated.
 *
 *     mean over i of (b_i - a_i) / max(a_i, b_i)
 *     a_i: mean distance to the other points of the own class;  b_i: the smallest mean distance to
 *     the points of another class
 *
 * Rousseeuw, J. Comp. Appl. Math. 20 (1987). Points are sorted by class, so that the distances of a
 * row to a class are contiguous. */
#include <math.h>

#include "base/alloc.h"
#include "base/parallel.h"
#include "kern/kern.h"
#include "normalise.h"

enum { ROWS = 32, COLS = 512, LANES = 8 };

typedef struct {
    int64_t n, d, n_class; /* labelled points, classes that have some */
    int64_t *start;        /* [n_class + 1] range of each class in the order of classes */
    int32_t *order;        /* [n] labelled points, by class */
    gnd_real *rows;        /* [n, d] in that order */
    gnd_real *columns;     /* the same as blocks [d, COLS], the last padded with zeros */
    gnd_real *block;       /* [pieces, ROWS, COLS] */
    double *sum;           /* [pieces, ROWS, n_class] */
    double *value;         /* [n] silhouette of each point */
    int64_t first;         /* row of the first piece of this batch */
} classes;

static void classes_fini(classes *c)
{
    gnd_free(c->start);
    gnd_free(c->order);
    gnd_free(c->rows);
    gnd_free(c->columns);
    gnd_free(c->block);
    gnd_free(c->sum);
    gnd_free(c->value);
}

/* Sum of the roots of n squares; element j is added to lane j mod LANES. */
static double root_sum(const gnd_real *square, int64_t n)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t j = 0;

    for (; j + LANES <= n; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)sqrtf((float)square[j + l]);
    for (; j < n; j++)
        lane[j % LANES] += (double)sqrtf((float)square[j]);
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static double silhouette_of(const classes *c, const double *sum, int64_t own)
{
    const int64_t size = c->start[own + 1] - c->start[own];
    double b = INFINITY, a;

    if (size == 1)
        return 0;
    a = sum[own] / (double)(size - 1);
    for (int64_t k = 0; k < c->n_class; k++)
        if (k != own)
            b = fmin(b, sum[k] / (double)(c->start[k + 1] - c->start[k]));
    return fmax(a, b) > 0 ? (b - a) / fmax(a, b) : 0;
}

/* Add the distances of a row to the points from .. from + COLS - 1 to the sums of their classes. */
static void add_row(double *sum, const classes *c, const gnd_real *square, int64_t from)
{
    const int64_t to = from + COLS < c->n ? from + COLS : c->n;

    for (int64_t k = 0; k < c->n_class; k++) {
        const int64_t low = c->start[k] > from ? c->start[k] : from;
        const int64_t high = c->start[k + 1] < to ? c->start[k + 1] : to;

        if (low < high)
            sum[k] += root_sum(square + (low - from), high - low);
    }
}

static void value_pieces(int64_t begin, int64_t end, void *arg)
{
    const classes *c = arg;

    for (int64_t piece = begin; piece < end; piece++) {
        const int64_t row = c->first + piece * ROWS;
        const int64_t n = c->n - row < ROWS ? c->n - row : ROWS;
        gnd_real *block = c->block + piece * ROWS * COLS;
        double *sum = c->sum + piece * ROWS * c->n_class;
        int64_t own = 0;

        for (int64_t i = 0; i < n * c->n_class; i++)
            sum[i] = 0;
        for (int64_t from = 0; from < c->n; from += COLS) {
            gnd_kern_get()->distances(block, c->rows + row * c->d, c->columns + from * c->d, c->d,
                                      COLS, 0, n);
            for (int64_t r = 0; r < n; r++)
                add_row(sum + r * c->n_class, c, block + r * COLS, from);
        }
        for (int64_t r = 0; r < n; r++) {
            while (c->start[own + 1] <= row + r)
                own++;
            c->value[row + r] = silhouette_of(c, sum + r * c->n_class, own);
        }
    }
}

/* Sort the labelled points by class; classes without points are left out. */
static gnd_status classes_sort(classes *c, const int32_t *label, int64_t n, gnd_error *err)
{
    int32_t largest = -1;

    for (int64_t i = 0; i < n; i++)
        largest = label[i] > largest ? label[i] : largest;
    c->start = gnd_alloc((int64_t)largest + 2, sizeof *c->start);
    c->order = gnd_alloc(n, sizeof *c->order);
    if (!c->start || !c->order)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %d classes", largest + 1);
    for (int64_t i = 0; i < n; i++)
        if (label[i] >= 0)
            c->start[label[i] + 1]++;
    for (int64_t k = 0; k <= largest; k++)
        c->start[k + 1] += c->start[k];
    c->n = c->start[largest + 1];
    for (int64_t i = 0; i < n; i++)
        if (label[i] >= 0)
            c->order[c->start[label[i]]++] = (int32_t)i;
    for (int64_t k = 0; k <= largest; k++) /* start[k] is now the end of class k */
        if (c->start[k] > (c->n_class > 0 ? c->start[c->n_class - 1] : 0))
            c->start[c->n_class++] = c->start[k];
    for (int64_t k = c->n_class; k > 0; k--)
        c->start[k] = c->start[k - 1];
    c->start[0] = 0;
    return GND_OK;
}

static gnd_status classes_place(classes *c, const gnd_point_rows *x, int64_t batch, gnd_error *err)
{
    const int64_t d = x->d;
    gnd_real *v = NULL;
    gnd_status st;

    c->d = d;
    GND_TRY(gnd_points_normalise(&v, x, err));
    c->rows = gnd_alloc(c->n * d, sizeof *c->rows);
    c->columns = gnd_alloc((c->n + COLS - 1) / COLS * COLS, sizeof *c->columns * (size_t)d);
    c->block = gnd_alloc_raw(batch * ROWS * COLS, sizeof *c->block);
    c->sum = gnd_alloc_raw(batch * ROWS * c->n_class, sizeof *c->sum);
    c->value = gnd_alloc(c->n, sizeof *c->value);
    if (!c->rows || !c->columns || !c->block || !c->sum || !c->value)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the silhouettes of %lld points",
                         (long long)c->n));
    for (int64_t i = 0; i < c->n; i++)
        for (int64_t j = 0; j < d; j++)
            c->rows[i * d + j] = c->columns[i / COLS * COLS * d + j * COLS + i % COLS] =
                v[c->order[i] * d + j];
out:
    gnd_free(v);
    return st;
}

gnd_status gnd_silhouette(double *out, const gnd_point_rows *points, const int32_t *label,
                          int32_t threads, gnd_error *err)
{
    classes c = {0};
    gnd_pool *pool = NULL;
    int64_t batch;
    double sum = 0;
    gnd_status st;

    *out = NAN;
    gnd_error_clear(err);
    GND_TRY(gnd_points_check(points, "silhouette", err));
    GND_TRY(classes_sort(&c, label, points->n, err));
    if (c.n_class < 2)
        goto out;
    pool = gnd_pool_new(threads);
    if (!pool)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    batch = 2 * gnd_pool_threads(pool); /* pieces at a time; sets only the memory */
    GND_TRY(classes_place(&c, points, batch, err));
    for (; c.first < c.n; c.first += batch * ROWS) {
        const int64_t left = (c.n - c.first + ROWS - 1) / ROWS;
        const int64_t pieces = left < batch ? left : batch;

        gnd_parallel_for(pool, pieces, 1, pieces * ROWS * c.n * (c.d + 4), value_pieces, &c);
    }
    for (int64_t i = 0; i < c.n; i++)
        sum += c.value[i];
    *out = sum / (double)c.n;
out:
    classes_fini(&c);
    gnd_pool_free(pool);
    return st;
}
