/* SPDX-License-Identifier: MIT
 * poly.c - polynomials of a sparse operator by Horner (powers) and Clenshaw (Chebyshev).  A: [m,
 * m], x, y: [m, f].
 *
 *     powers:     u_{n-1} = c_{n-1} x,  u_k = c_k x + A u_{k+1},  y = u_0
 *     Chebyshev:  b_k = c_k x + 2 A b_{k+1} - b_{k+2},  y = c_0 x + A b_1 - b_2
 *
 * Both use two buffers for any n: each step overwrites the older one, and the last is y. */
#include "poly.h"

#include <math.h>
#include <string.h>

enum { PIECE_COST = 32768, PIECES_MIN = 8, PIECES_LARGE = 1024 };

/* Rows per piece, from sizes alone: about PIECE_COST multiply-adds, and at least PIECES_MIN pieces.
 * A large operator has PIECES_LARGE: the first rows of a piece are not in the cache. */
static int64_t row_grain(const gnd_csr *a, int64_t f)
{
    const double cost = (double)(gnd_csr_nnz(a) + a->n_row) * (double)f;
    const double pieces = fmin(cost / PIECE_COST, PIECES_LARGE);
    const int64_t grain =
        pieces > PIECES_MIN ? (int64_t)((double)a->n_row / pieces) : a->n_row / PIECES_MIN;

    return grain < 1 ? 1 : grain;
}

/* Compute the rows of y: [m, f] by fn, which multiplies by a. */
static void product(gnd_pool *pool, const gnd_csr *a, gnd_real *y, int64_t f,
                    void (*fn)(int64_t begin, int64_t end, void *arg), void *arg)
{
    gnd_rows_product(pool,
                     &(gnd_rows_of){.part = a->part,
                                    .y = y,
                                    .bytes = f * (int64_t)sizeof *y,
                                    .n = a->n_row,
                                    .grain = row_grain(a, f),
                                    .cost = (gnd_csr_nnz(a) + a->n_row) * f},
                     fn, arg);
}

typedef struct {
    const gnd_clenshaw *w;
    gnd_real *b;
    const gnd_real *next, *y, *older;
    gnd_real s, c;
    int64_t stride;
} step_job;

/* b = s b + c y */
static void finish_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;
    const int64_t f = j->w->f;
    /* Without gaps the rows of y are one long row. */
    const int64_t rows = j->stride == f ? 1 : end - begin;
    const int64_t length = j->stride == f ? (end - begin) * f : f;

    for (int64_t i = 0; i < rows; i++) {
        gnd_real *restrict b = j->b + begin * f + i * f;
        const gnd_real *restrict y = j->y + (begin + i) * j->stride;

        for (int64_t k = 0; k < length; k++)
            b[k] = j->s * b[k] + j->c * y[k];
    }
}

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;

    j->w->kern->spmm(j->b, j->w->a, j->next, j->w->f, -1 / j->s, j->older, begin, end);
    finish_rows(begin, end, arg); /* these rows are still in cache */
}

void gnd_clenshaw_step(const gnd_clenshaw *w, gnd_real *b, const gnd_real *next,
                       const gnd_clenshaw_term *term)
{
    step_job j = {.w = w, .b = b, .next = next, .y = term->y, .older = term->first ? NULL : b};

    j.s = (gnd_real)term->s;
    j.c = (gnd_real)term->c;
    j.stride = term->stride;
    if (!w->hubs) {
        product(w->pool, w->a, b, w->f, step_rows, &j);
        return;
    }
    gnd_hubs_times(
        b, w->hubs, GND_HUBS_THERE,
        &(gnd_hubs_product){.x = next, .f = w->f, .c = -1 / j.s, .z = term->first ? NULL : b},
        w->pool);
    gnd_parallel_for(w->pool, w->a->n_row, row_grain(w->a, w->f), w->a->n_row * w->f, finish_rows,
                     &j);
}

typedef struct {
    const gnd_kern *kern;
    const gnd_csr *a;
    gnd_real *y;
    const gnd_real *u, *x;
    gnd_real c;
    int64_t f;
} horner_job;

static void horner_rows(int64_t begin, int64_t end, void *arg)
{
    const horner_job *j = arg;

    j->kern->spmm(j->y, j->a, j->u, j->f, j->c, j->x, begin, end);
}

static void scale_rows(int64_t begin, int64_t end, void *arg)
{
    const horner_job *j = arg;

    for (int64_t i = begin * j->f; i < end * j->f; i++)
        j->y[i] = j->c * j->x[i];
}

void gnd_poly_apply(gnd_real *y, gnd_real *spare, const gnd_poly_product *p, const gnd_kern *kern,
                    gnd_pool *pool)
{
    const gnd_csr *a = p->a;
    const int64_t n = p->n, f = p->f, m = a->n_row;
    const gnd_clenshaw w = {.kern = kern, .pool = pool, .a = a, .hubs = p->hubs, .f = f};
    gnd_real *const turn[2] = {y, spare}; /* u_k and b_k are in turn[k % 2] */
    horner_job j = {.kern = kern, .a = a, .x = p->x, .f = f};

    j.y = turn[(n - 1) % 2];
    j.c = (gnd_real)p->c[n - 1];
    gnd_parallel_for(pool, m, row_grain(a, f), m * f, scale_rows, &j);
    for (int64_t k = n - 2; k >= 0; k--) {
        j.u = turn[(k + 1) % 2];
        j.y = turn[k % 2];
        j.c = (gnd_real)p->c[k];
        if (p->basis == GND_BASIS_POWER && p->hubs)
            gnd_hubs_times(j.y, p->hubs, GND_HUBS_THERE,
                           &(gnd_hubs_product){.x = j.u, .f = f, .c = j.c, .z = p->x}, pool);
        else if (p->basis == GND_BASIS_POWER)
            product(pool, a, j.y, f, horner_rows, &j);
        else
            gnd_clenshaw_step(&w, j.y, j.u,
                              &(gnd_clenshaw_term){k == n - 2, k > 0 ? 2 : 1, p->c[k], p->x, f});
    }
}

void gnd_poly_columns(gnd_real *y, gnd_real *spare, const gnd_poly_units *p, const gnd_kern *kern,
                      gnd_pool *pool)
{
    const bool chebyshev = p->basis == GND_BASIS_CHEBYSHEV;
    const gnd_csr *a = p->a;
    const int64_t n = p->n, f = p->f, m = a->n_row;
    gnd_real *const turn[2] = {y, spare};
    horner_job j = {.kern = kern, .f = f};

    memset(turn[(n - 1) % 2], 0, (size_t)(m * f) * sizeof *y);
    for (int64_t k = n - 1; k >= 0; k--) {
        j.y = turn[k % 2];
        if (k <
            n - 1) { /* u_k = A u_{k+1}, or b_k = 2 A b_{k+1} - b_{k+2}, which overwrites b_{k+2} */
            j.a = chebyshev && k > 0 ? p->twice : a;
            j.u = turn[(k + 1) % 2];
            j.x = chebyshev && k < n - 2 ? j.y : NULL;
            j.c = -1;
            product(pool, a, j.y, f, horner_rows, &j);
        }
        for (int64_t i = 0; i < f; i++)
            j.y[p->unit[i] * f + i] += (gnd_real)p->c[k];
    }
}
