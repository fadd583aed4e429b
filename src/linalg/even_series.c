/* SPDX-License-Identifier: MIT
 * even_series.c - Clenshaw's recurrence on panels of columns, for u = D^-1/2 b, so that the values
 * of S are not stored:
 *
 *     u_k = c_k D^-1/2 b + 2 D^-1 A u_{k+1} - u_{k+2},   s(S) b = D^1/2 u_0,  with 1 for the last 2
 *
 * A row of a panel is a cache line of numbers of 16 bits: a product reads one line per entry for
 * GND_PAIR_COLUMNS columns. What rounding adds, 2^-8 of each number, is far below the error of the
 * series that are used with it. */
#include "even_series.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { ROWS = 256, PIECES = 1024 }; /* PIECES: at most; a piece reads its first rows unasked */

gnd_status gnd_even_series_init(gnd_even_series *s, const double *degree, gnd_error *err)
{
    s->root = gnd_alloc_raw(s->n, sizeof *s->root);
    for (int i = 0; i < 2; i++)
        s->room[i] = gnd_alloc_raw(s->n * GND_PAIR_WORDS, sizeof *s->room[i]);
    if (!s->root || !s->room[0] || !s->room[1]) {
        gnd_even_series_fini(s);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the coordinates of %lld vertices",
                        (long long)s->n);
    }
    for (int64_t i = 0; i < s->n; i++)
        s->root[i] = degree[i] > 0 ? (gnd_real)(1 / sqrt(degree[i])) : 0;
    return GND_OK;
}

void gnd_even_series_fini(gnd_even_series *s)
{
    gnd_free(s->root);
    for (int i = 0; i < 2; i++) {
        gnd_free(s->room[i]);
        s->room[i] = NULL;
    }
    s->root = NULL;
}

typedef struct {
    const gnd_even_series *s;
    gnd_pairs_step step;
} step_job;

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;

    gnd_kern_get()->pairs_step(&j->step, j->s->a, begin, end);
}

static void step(const gnd_even_series *s, const gnd_pairs_step *step)
{
    const int64_t rows = s->n / PIECES;

    gnd_rows_product(s->pool,
                     &(gnd_rows_of){.part = s->a->part,
                                    .y = step->y,
                                    .bytes = GND_PAIR_WORDS * (int64_t)sizeof *step->y,
                                    .n = s->n,
                                    .grain = rows < ROWS ? ROWS : rows,
                                    .cost = (gnd_csr_nnz(s->a) + s->n) * GND_PAIR_COLUMNS},
                     step_rows, &(step_job){s, *step});
}

/* Rows of u from a panel of b, or a panel of y from u. */
typedef struct {
    const gnd_even_series *s;
    gnd_pairs_step put;
    const gnd_real *u;
    gnd_real *y;
} copy_job;

static void put_rows(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;

    gnd_kern_get()->pairs_step(&j->put, j->s->a, begin, end);
}

static void get_rows(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real root = j->s->root[i], by = root > 0 ? 1 / root : 0;

        gnd_pair_row(j->y + i * j->s->p, j->u + i * GND_PAIR_WORDS, by);
    }
}

static void copy(const gnd_even_series *s, void (*fn)(int64_t begin, int64_t end, void *arg),
                 const copy_job *j)
{
    copy_job mine = *j;

    mine.s = s;
    gnd_parallel_for(s->pool, s->n, ROWS, s->n * GND_PAIR_COLUMNS, fn, &mine);
}

void gnd_even_series_apply(const gnd_even_series *s, gnd_real *b, gnd_real *whole, double odd,
                           const gnd_series *by)
{
    const int64_t n = by->n, p = s->p;
    gnd_real *const *turn = s->room; /* u_k is in turn[k % 2] */

    assert(by->basis == GND_BASIS_CHEBYSHEV || n == 1);
    for (int64_t first = 0; first < p; first += GND_PAIR_COLUMNS) {
        gnd_pairs_step next = {.y = turn[(n - 1) % 2], .z = b + first, .zs = p, .root = s->root};

        next.c = (gnd_real)by->c[n - 1];
        copy(s, put_rows, &(copy_job){.put = next});
        for (int64_t k = n - 2; k >= 0; k--) {
            next.y = turn[k % 2];
            next.x = turn[(k + 1) % 2];
            next.s = k > 0 ? 2 : 1;
            next.older = k == n - 2 ? 0 : -1;
            next.c = (gnd_real)by->c[k];
            next.z = k % 2 == 0 ? b + first : NULL;
            step(s, &next);
        }
        copy(s, get_rows, &(copy_job){.u = turn[0], .y = b + first});
        if (!whole)
            continue;
        memcpy(turn[1], turn[0], (size_t)(s->n * GND_PAIR_WORDS) * sizeof *turn[1]);
        step(s, &(gnd_pairs_step){
                    .y = turn[1], .x = turn[0], .root = s->root, .s = (gnd_real)odd, .older = 1});
        copy(s, get_rows, &(copy_job){.u = turn[1], .y = whole + first});
    }
}
