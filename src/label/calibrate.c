/* SPDX-License-Identifier: MIT
 * calibrate.c - one exponent for all rows, by bisection: the mean confidence grows with it.
 *
 *     p_ic <- p_ic^b / sum_k p_ik^b,   mean_i max_c p_ic = target,   p: [n, C] */
#include "calibrate.h"

#include <math.h>

#include "base/alloc.h"

enum {
    ROWS = 1024,
    SAMPLE = 4096,   /* rows that the mean confidence is measured on, at least; limits the cost */
    STEPS = 24,      /* of the bisection: log b to 4e-7 */
    POWER_COST = 40, /* of a power, in multiplications */
};

typedef struct {
    gnd_real *p;
    int64_t C;
    double b;
} powers;

/* to: [C] row^b, of sum 1; NULL: not wanted. Returns the largest of these. */
static double power_row(gnd_real *to, const gnd_real *row, int64_t C, double b)
{
    double top = 0, sum = 0;

    for (int64_t c = 0; c < C; c++)
        top = fmax(top, (double)row[c]);
    for (int64_t c = 0; c < C; c++) { /* relative to the largest: powers must not underflow */
        const double x = row[c] > 0 ? pow((double)row[c] / top, b) : 0;

        sum += x;
        if (to)
            to[c] = (gnd_real)x;
    }
    for (int64_t c = 0; c < C && to && sum > 0; c++)
        to[c] = (gnd_real)((double)to[c] / sum);
    return sum > 0 ? 1 / sum : 0;
}

static void power_rows(int64_t begin, int64_t end, void *arg)
{
    const powers *w = arg;

    for (int64_t i = begin; i < end; i++)
        power_row(w->p + i * w->C, w->p + i * w->C, w->C, w->b);
}

/* Mean confidence of the m rows of p, to the power b. */
static double confidence(const gnd_real *p, int64_t m, int64_t C, double b)
{
    double sum = 0;

    for (int64_t i = 0; i < m; i++)
        sum += power_row(NULL, p + i * C, C, b);
    return sum / (double)m;
}

/* *out: [*m, C] every stride-th of the rows that are not skipped; a pattern in skip cannot empty
 * this sample. *m = 0: all are skipped. */
static gnd_status sample(gnd_real **out, int64_t *m, const gnd_real *p, const gnd_calibrate_rows *o,
                         gnd_error *err)
{
    unsigned char *mark = gnd_alloc(o->n, 1);
    int32_t *list = NULL;
    gnd_vertex_bits counting = {0};
    int64_t n, stride;
    gnd_status st = GND_OK;

    *out = NULL;
    if (!mark)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)o->n));
    for (int64_t i = 0; i < o->n; i++)
        mark[i] = !o->skip || !o->skip[i];
    GND_TRY(gnd_numbers_marked(&counting, &n, &o->at, mark, o->n, err));
    stride = n > SAMPLE ? n / SAMPLE : 1;
    *m = (n + stride - 1) / stride;
    list = gnd_alloc(*m, sizeof *list);
    *out = gnd_alloc_raw(*m * o->n_class, sizeof **out);
    if (!list || !*out)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)*m));
    for (int64_t k = 0; k < *m; k++)
        list[k] = (int32_t)gnd_vertex_bits_at(&counting, k * stride);
    GND_TRY(
        gnd_numbers_rows(*out, &o->at, list, *m, p, o->n, o->n_class * (int64_t)sizeof *p, err));
out:
    gnd_vertex_bits_fini(&counting);
    gnd_free(list);
    gnd_free(mark);
    return st;
}

gnd_status gnd_calibrate_to(double *power, gnd_real *p, double target, const gnd_calibrate_rows *o,
                            gnd_pool *pool, gnd_error *err)
{
    double low = -log(GND_CALIBRATE_POWER_MAX), high = -low;
    powers w = {p, o->n_class, 1};
    gnd_real *some;
    int64_t m = 0;
    gnd_status st;

    *power = 1;
    GND_TRY(sample(&some, &m, p, o, err));
    if (m == 0)
        goto out;
    for (int k = 0; k < STEPS; k++) {
        const double at = (low + high) / 2;

        w.b = exp(at);
        if (confidence(some, m, o->n_class, w.b) < target)
            low = at;
        else
            high = at;
    }
    gnd_parallel_for(pool, o->n, ROWS, o->n * o->n_class * POWER_COST, power_rows, &w);
    *power = w.b;
out:
    gnd_free(some);
    return st;
}
