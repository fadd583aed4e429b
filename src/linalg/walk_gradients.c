/* SPDX-License-Identifier: MIT
 * walk_gradients.c - conjugate gradients for (I - a P) x = R, P = D^-1 A, on the kept vertices k;
 * o: the others, which have no links with each other.
 *
 *     (I - a P_kk - a^2 P_ko P_ok) x_k = R_k + a P_ko R_o,   x_o = R_o + a P_ok x_k
 *
 * The matrix is symmetric in the product <x, y> = sum_i d_i x_i y_i, and positive. All columns are
 * solved side by side, each with its own step and direction. On a bipartite graph this takes half
 * as many products as with all vertices, on other graphs between half as many and as many. */
#include "walk_gradients.h"

#include <string.h>

#include "base/alloc.h"
#include "four.h"

/* ---- rows ---- */

void gnd_walk_exchange(const gnd_walk_work *s)
{
    const gnd_walk *w = s->w;
    const size_t row = (size_t)s->width * sizeof *s->x;

    if (!w->part)
        return;
    for (int64_t k = 0; k < w->n; k++)
        memcpy(s->stage + w->order[k] * s->width, s->x + k * s->f, row);
    gnd_part_fill(w->part, s->stage, (int64_t)row);
    for (int64_t k = 0; k < w->n; k++)
        memcpy(s->x + k * s->f, s->stage + w->order[k] * s->width, row);
}

int64_t gnd_walk_cost(const gnd_walk_work *s, int64_t begin, int64_t end)
{
    return (s->w->a.ptr[end] - s->w->a.ptr[begin] + end - begin) * s->f;
}

typedef struct {
    const gnd_walk_work *s;
    int64_t from; /* the first row */
    bool rest;    /* add R */
} others_job;

/* x = a P x, or a P x + R, of vertices that are not kept. */
static void others_rows(int64_t begin, int64_t end, void *arg)
{
    const others_job *j = arg;
    const gnd_walk_work *s = j->s;
    const gnd_walk *w = s->w;
    const int64_t first = begin + j->from, next = end + j->from;
    gnd_real *x = s->x + (w->other - w->kept) * s->f;

    s->kern->spmm(x, &w->a, s->x, s->f, 0, NULL, first, next);
    for (int64_t i = first; i < next; i++) {
        const four c = all_of(s->a / w->degree[i]);

        for (int64_t k = i * s->f; k < (i + 1) * s->f; k += LANES) {
            *(four *)(x + k) *= c;
            if (j->rest)
                *(four *)(x + k) += *(four *)(s->R + k);
        }
    }
}

static void others(const gnd_walk_work *s, bool rest)
{
    const int64_t kept = s->w->kept, n = s->w->a.n_row - kept;

    gnd_walk_exchange(s);
    gnd_parallel_for(s->pool, n, s->grain, gnd_walk_cost(s, kept, kept + n), others_rows,
                     &(others_job){s, kept, rest});
    gnd_walk_exchange(s);
}

/* The kept rows of a block of vertices that begins with this one. */
static gnd_row_range kept_rows(const gnd_walk_work *s, int64_t vertex, int64_t *block)
{
    const int64_t b = (vertex - gnd_part_own(s->w->part, s->w->n).begin) / s->w->block;

    if (block)
        *block = b;
    return (gnd_row_range){s->w->first[b], s->w->first[b + 1]};
}

/* Sums over kept vertices, in s->sum. */
static gnd_status kept_sums(const gnd_walk_work *s, void (*fn)(double *, int64_t, int64_t, void *),
                            gnd_error *err)
{
    gnd_status st = gnd_vertex_sum(
        s->sum, &(gnd_vertex_terms){s->w->part, s->w->n, s->f, fn, (void *)(uintptr_t)s}, s->pool,
        err);

    if (st == GND_OK)
        st = gnd_pool_check(s->pool, err);
    return st;
}

/* ---- conjugate gradients ---- */

/* y = (I - a P) x */
static void product_rows(int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;
    const gnd_walk *w = s->w;

    s->kern->spmm(s->y, &w->a, s->x, s->f, 0, NULL, begin, end);
    for (int64_t i = begin; i < end; i++) {
        const four step = all_of(s->a / w->degree[i]);
        const gnd_real *x = s->x + (w->at + i) * s->f;
        gnd_real *y = s->y + i * s->f;

        for (int64_t c = 0; c < s->f; c += LANES)
            *(four *)(y + c) = *(four *)(x + c) - step * *(four *)(y + c);
    }
}

/* <x, y> */
static void product_sums(double *sum, int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;
    const gnd_walk *w = s->w;
    const gnd_row_range k = kept_rows(s, begin, NULL);

    (void)end;
    for (int64_t c = 0; c < s->f; c += LANES) {
        four_double total = {0};

        for (int64_t i = k.begin; i < k.end; i++) {
            const int64_t at = i * s->f + c;

            total += w->degree[i] *
                     (wide(*(four *)(s->x + w->at * s->f + at)) * wide(*(four *)(s->y + at)));
        }
        add_to(sum + c, total);
    }
}

/* h += step x, r -= step y, the square of r and its largest |value| */
static void step_rows(double *sum, int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;
    const gnd_walk *w = s->w;
    int64_t block;
    const gnd_row_range k = kept_rows(s, begin, &block);
    four most = {0};

    (void)end;
    for (int64_t c = 0; c < s->f; c += LANES) {
        const four step = __builtin_convertvector(*(four_double *)(s->step + c), four);
        four_double total = {0};

        for (int64_t i = k.begin; i < k.end; i++) {
            const int64_t at = i * s->f + c;
            const four r = *(four *)(s->r + at) - step * *(four *)(s->y + at);

            *(four *)(s->h + at) += step * *(four *)(s->x + w->at * s->f + at);
            *(four *)(s->r + at) = r;
            total += w->degree[i] * (wide(r) * wide(r));
            most = size_most(most, r);
        }
        add_to(sum + c, total);
    }
    s->most[block] = largest_of(most);
}

/* The first residual r = R_k + a P x, of which x has R in the other rows and 0 in the kept ones. */
static void first_rows(int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;
    const gnd_walk *w = s->w;

    s->kern->spmm(s->r, &w->a, s->x, s->f, 0, NULL, begin, end);
    for (int64_t i = begin; i < end; i++) {
        const four step = all_of(s->a / w->degree[i]);
        gnd_real *r = s->r + i * s->f;

        for (int64_t c = 0; c < s->f; c += LANES)
            *(four *)(r + c) = *(four *)(s->R + i * s->f + c) + step * *(four *)(r + c);
    }
}

/* The square of r and its largest |value|. */
static void first_sums(double *sum, int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;
    int64_t block;
    const gnd_row_range k = kept_rows(s, begin, &block);
    four most = {0};

    (void)end;
    for (int64_t c = 0; c < s->f; c += LANES)
        for (int64_t i = k.begin; i < k.end; i++) {
            const four r = *(four *)(s->r + i * s->f + c);

            add_to(sum + c, s->w->degree[i] * (wide(r) * wide(r)));
            most = size_most(most, r);
        }
    s->most[block] = largest_of(most);
}

/* x = r + turn x */
static void turn_rows(int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;

    for (int64_t c = 0; c < s->f; c += LANES) {
        const four turn = __builtin_convertvector(*(four_double *)(s->turn + c), four);

        for (int64_t i = begin; i < end; i++) {
            four *x = (four *)(s->x + (s->w->at + i) * s->f + c);

            *x = *(four *)(s->r + i * s->f + c) + turn * *x;
        }
    }
}

static void turn(const gnd_walk_work *s)
{
    gnd_parallel_for(s->pool, s->w->kept, s->grain, s->w->kept * s->f, turn_rows,
                     (void *)(uintptr_t)s);
}

double gnd_walk_largest(const gnd_walk_work *s, const double *of, int64_t n)
{
    double most = 0;

    for (int64_t k = 0; k < n; k++)
        most = fmax(most, of[k]);
    return gnd_part_max(s->w->part, most);
}

/* R in the rows of x of own vertices that are not kept, 0 in the kept ones. */
static void start_rows(int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *x = s->x + gnd_walk_place(s->w, i) * s->f;

        for (int64_t l = 0; l < s->f; l++)
            x[l] = i < s->w->kept ? 0 : s->R[i * s->f + l];
    }
}

/* The result in the kept rows of x. */
static void place_rows(int64_t begin, int64_t end, void *arg)
{
    const gnd_walk_work *s = arg;

    memcpy(s->x + (s->w->at + begin) * s->f, s->h + begin * s->f,
           (size_t)((end - begin) * s->f) * sizeof *s->x);
}

/* Iterations after which Chebyshev polynomials would have divided the residual by 1 / drop, twice:
 * rounding may cost some. */
static int64_t iterations(double a, double drop)
{
    const double q = a / (1 + sqrt(1 - a * a));

    return 8 + 2 * (int64_t)ceil(log(2 / drop) / -log(q));
}

gnd_status gnd_walk_correct(double *most, const gnd_walk_work *s, double aim, double drop,
                            gnd_error *err)
{
    const gnd_walk *w = s->w;
    const int64_t limit = iterations(s->a, drop), f = s->f;
    double *square = gnd_alloc(2 * f, sizeof *square), *least = square + f;
    gnd_status st = GND_OK;

    if (!square)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld columns", (long long)f));
    gnd_parallel_for(s->pool, w->a.n_row, s->grain, w->a.n_row * f, start_rows,
                     (void *)(uintptr_t)s);
    gnd_walk_exchange(s);
    gnd_parallel_for(s->pool, w->kept, s->grain, gnd_walk_cost(s, 0, w->kept), first_rows,
                     (void *)(uintptr_t)s);
    GND_TRY(kept_sums(s, first_sums, err));
    *most = gnd_walk_largest(s, s->most, w->n_block);
    aim = fmax(aim, drop * *most);
    memset(s->h, 0, (size_t)(w->kept * f) * sizeof *s->h);
    memset(s->turn, 0, (size_t)f * sizeof *s->turn);
    for (int64_t l = 0; l < f; l++) {
        square[l] = s->sum[l];
        least[l] =
            square[l] * GND_WALK_EPSILON * GND_WALK_EPSILON * GND_WALK_EPSILON * GND_WALK_EPSILON;
    }
    for (int64_t k = 0; k < limit && aim < *most; k++) {
        turn(s);
        others(s, false);
        gnd_parallel_for(s->pool, w->kept, s->grain, gnd_walk_cost(s, 0, w->kept), product_rows,
                         (void *)(uintptr_t)s);
        GND_TRY(kept_sums(s, product_sums, err));
        for (int64_t l = 0; l < f; l++)
            s->step[l] = square[l] > 0 && s->sum[l] > 0 ? square[l] / s->sum[l] : 0;
        GND_TRY(kept_sums(s, step_rows, err));
        *most = gnd_walk_largest(s, s->most, w->n_block);
        for (int64_t l = 0; l < f; l++) { /* a column that is done does not change */
            const double now = s->step[l] > 0 && s->sum[l] > least[l] ? s->sum[l] : 0;

            s->turn[l] = now > 0 ? now / square[l] : 0;
            square[l] = now;
        }
    }
    gnd_parallel_for(s->pool, w->kept, s->grain, w->kept * f, place_rows, (void *)(uintptr_t)s);
    others(s, true);
out:
    gnd_free(square);
    return st;
}
