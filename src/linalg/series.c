/* SPDX-License-Identifier: MIT
 * series.c - personalised PageRank and the heat kernel as polynomials of an operator.
 *
 *     PageRank, symmetric:  a / (1 - b x) = c_0 + sum_k 2 c_0 q^k T_k(x),   b = 1 - a,
 *                           q = (1 - sqrt(1 - b^2)) / b,   c_0 = a / sqrt(1 - b^2)
 *     PageRank, otherwise:  sum_{k<K} a b^k x^k + b^K x^K, that is y <- b A y + a x from y = x
 *     heat kernel:          sum_k e^-t t^k / k! x^k
 *
 * The last coefficient of the second form replaces all higher powers, so that the coefficients
 * sum to 1. */
#include "series.h"

#include <math.h>

#include "base/alloc.h"
#include "kern/components.h"

/* Unit vectors that are processed side by side. */
enum { BLOCK = GND_SERIES_BLOCK };
/* A longer series means a teleport probability so small that a linear solver would be faster. */
enum { TERMS_MAX = 100000 };

double gnd_series_precision(void)
{
    return sizeof(gnd_real) == sizeof(double) ? 1e-15 : 6e-8;
}

static gnd_status series_new(gnd_series *s, gnd_basis basis, double n, gnd_error *err)
{
    if (!(n <= TERMS_MAX))
        return gnd_fail(err, GND_ERR_ARG, "a series of %.3g terms; expected at most %d", n,
                        TERMS_MAX);
    s->basis = basis;
    s->n = n < 1 ? 1 : (int64_t)n;
    s->c = gnd_alloc(s->n, sizeof *s->c);
    if (s->c)
        return GND_OK;
    *s = (gnd_series){0};
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the coefficients of a series");
}

gnd_status gnd_series_pagerank(gnd_series *s, double a, bool symmetric, double tol, gnd_error *err)
{
    const double b = 1 - a;
    gnd_status st;

    *s = (gnd_series){0};
    if (!(a > 0 && a <= 1))
        return gnd_fail(err, GND_ERR_ARG, "a teleport probability of %g; expected 0 < a <= 1", a);
    if (!(tol > 0))
        tol = gnd_series_precision();
    if (b == 0) {
        st = series_new(s, GND_BASIS_POWER, 1, err);
        if (st == GND_OK)
            s->c[0] = 1;
    } else if (symmetric) {
        const double root = sqrt((1 - b) * (1 + b)), q = (1 - root) / b;

        /* |T_k| <= 1, so the terms from n on sum to at most 2 c_0 q^n / (1 - q). */
        st = series_new(s, GND_BASIS_CHEBYSHEV, ceil(log(tol * (1 - q) * root / (2 * a)) / log(q)),
                        err);
        for (int64_t k = 0; k < s->n; k++)
            s->c[k] = (k ? 2 : 1) * a / root * pow(q, (double)k);
    } else {
        st = series_new(s, GND_BASIS_POWER, 1 + ceil(log(tol) / log(b)), err);
        for (int64_t k = 0; k < s->n; k++)
            s->c[k] = (k < s->n - 1 ? a : 1) * pow(b, (double)k);
    }
    return st;
}

gnd_status gnd_series_heat(gnd_series *s, double t, double tol, gnd_error *err)
{
    double p = exp(-t), n = 1;
    gnd_status st;

    *s = (gnd_series){0};
    if (!(t >= 0 && t <= 500))
        return gnd_fail(err, GND_ERR_ARG, "a diffusion time of %g; expected 0 to 500", t);
    if (!(tol > 0))
        tol = gnd_series_precision();
    /* For k > t each term is at most t / (n + 1) times the previous one: a geometric tail. */
    for (p *= t; n <= t || p / (1 - t / (n + 1)) > tol; n++)
        p *= t / (n + 1);
    st = series_new(s, GND_BASIS_POWER, n, err);
    for (int64_t k = 0; k < s->n; k++)
        s->c[k] = k ? s->c[k - 1] * t / (double)k : exp(-t);
    return st;
}

void gnd_series_fini(gnd_series *s)
{
    gnd_free(s->c);
    *s = (gnd_series){0};
}

/* Both bases, A^k and T_k(A), are even in A for even k and odd for odd k. */
void gnd_series_odd(gnd_series *s, double odd)
{
    for (int64_t k = 1; k < s->n; k += 2)
        s->c[k] *= odd;
}

void gnd_series_even(gnd_series *s)
{
    gnd_series_odd(s, 0);
    s->n -= s->n > 1 && s->n % 2 == 0; /* the last term is 0 */
}

static gnd_status check_square(const gnd_csr *a, gnd_error *err)
{
    if (a->n_row == a->n_col)
        return GND_OK;
    return gnd_fail(err, GND_ERR_SHAPE, "a series of a matrix %lld x %lld; expected square",
                    (long long)a->n_row, (long long)a->n_col);
}

/* The same with the vertices in order of degree. spare: [n, f] */
static gnd_status apply_placed(gnd_real *y, gnd_real *spare, const gnd_series_product *p,
                               gnd_pool *pool, gnd_error *err)
{
    const gnd_series *s = p->s;
    const gnd_hubs *h = p->a->hubs;
    gnd_real *x = gnd_alloc_raw(p->a->n_row * p->f, sizeof *x);

    if (!x)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a series on %lld vertices",
                        (long long)p->a->n_row);
    gnd_hubs_enter(x, h, GND_HUBS_THERE, p->x, p->f, pool);
    gnd_poly_apply(spare, y, &(gnd_poly_product){p->a, h, s->basis, s->c, s->n, x, p->f},
                   gnd_kern_get(), pool);
    gnd_hubs_leave(y, h, GND_HUBS_THERE, spare, p->f, false, pool);
    gnd_free(x);
    return GND_OK;
}

gnd_status gnd_series_apply(gnd_real *y, const gnd_series_product *p, gnd_pool *pool,
                            gnd_error *err)
{
    const gnd_csr *a = p->a;
    const gnd_series *s = p->s;
    gnd_real *spare = NULL;
    gnd_status st;

    GND_TRY(check_square(a, err));
    spare = gnd_alloc(a->n_row * p->f, sizeof *spare);
    if (!spare)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a series on %lld vertices",
                         (long long)a->n_row));
    if (a->hubs) {
        GND_TRY(apply_placed(y, spare, p, pool, err));
        goto out;
    }
    gnd_poly_apply(y, spare, &(gnd_poly_product){a, NULL, s->basis, s->c, s->n, p->x, p->f},
                   gnd_kern_get(), pool);
out:
    gnd_free(spare);
    return st;
}

gnd_status gnd_series_twice(gnd_csr *out, const gnd_csr *a, const gnd_series *s, gnd_error *err)
{
    const int64_t nnz = gnd_csr_nnz(a);
    gnd_status st;

    *out = (gnd_csr){0};
    if (s->basis != GND_BASIS_CHEBYSHEV)
        return GND_OK;
    GND_TRY(gnd_csr_init(out, a->n_row, a->n_col, nnz, true, err));
    for (int64_t i = 0; i <= a->n_row && nnz > 0; i++)
        out->ptr[i] = a->ptr[i];
    for (int64_t p = 0; p < nnz; p++) {
        out->col[p] = a->col[p];
        out->val[p] = 2 * gnd_csr_val(a, p);
    }
out:
    return st;
}

/* Allocates the rows. A row has entries only in its component. */
static gnd_status rows_room(gnd_csr *out, const gnd_csr *at, gnd_row_list rows, gnd_error *err)
{
    const int64_t n = at->n_row;
    int32_t *comp = gnd_alloc(n, sizeof *comp);
    int64_t *size = gnd_alloc(n, sizeof *size), nnz = 0;
    gnd_status st;

    if (!comp || !size || gnd_components(comp, at) < 0)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for rows of a series"));
    for (int64_t i = 0; i < n; i++)
        size[comp[i]]++;
    for (int64_t i = 0; i < rows.n; i++)
        nnz += size[comp[rows.row[i]]];
    GND_TRY(gnd_csr_init(out, rows.n, n, nnz, true, err));
out:
    gnd_free(size);
    gnd_free(comp);
    return st;
}

/* Stores columns 0 .. f - 1 of y: [n, f] as rows first, first + 1, ... of out. */
static void rows_store(gnd_csr *out, const gnd_real *y, int64_t f, int64_t first)
{
    for (int64_t c = 0; c < f; c++) {
        int64_t p = out->ptr[first + c];

        for (int64_t i = 0; i < out->n_col; i++)
            if (y[i * f + c] != 0) {
                out->col[p] = (int32_t)i;
                out->val[p++] = y[i * f + c];
            }
        out->ptr[first + c + 1] = p;
    }
}

static gnd_status check_rows(const gnd_csr *at, gnd_row_list rows, gnd_error *err)
{
    for (int64_t i = 0; i < rows.n; i++)
        if (rows.row[i] < 0 || rows.row[i] >= at->n_row)
            return gnd_fail(err, GND_ERR_ARG, "row %d of a matrix of %lld rows", rows.row[i],
                            (long long)at->n_row);
    return check_square(at, err);
}

gnd_status gnd_series_rows(gnd_csr *out, const gnd_csr *at, const gnd_series *s, gnd_row_list rows,
                           gnd_pool *pool, gnd_error *err)
{
    const int64_t n = at->n_row;
    gnd_real *y = NULL, *spare = NULL;
    gnd_csr twice = {0};
    gnd_status st;

    *out = (gnd_csr){0};
    GND_TRY(check_rows(at, rows, err));
    GND_TRY(rows_room(out, at, rows, err));
    GND_TRY(gnd_series_twice(&twice, at, s, err));
    y = gnd_alloc(n * BLOCK, sizeof *y);
    spare = gnd_alloc(n * BLOCK, sizeof *spare);
    if (!y || !spare)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for rows of a series"));
    for (int64_t first = 0; first < rows.n; first += BLOCK) {
        const int64_t f = rows.n - first < BLOCK ? rows.n - first : BLOCK;

        gnd_poly_columns(y, spare,
                         &(gnd_poly_units){at, &twice, s->basis, s->c, s->n, rows.row + first, f},
                         gnd_kern_get(), pool);
        rows_store(out, y, f, first);
    }
out:
    gnd_free(spare);
    gnd_free(y);
    gnd_csr_fini(&twice);
    if (st != GND_OK)
        gnd_csr_fini(out);
    return st;
}

gnd_status gnd_series_blocks(gnd_real *out, const gnd_csr *at, const gnd_series *s,
                             gnd_row_list rows, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = at->n_row;
    gnd_real *spare = NULL;
    gnd_csr twice = {0};
    gnd_status st;

    GND_TRY(check_rows(at, rows, err));
    GND_TRY(gnd_series_twice(&twice, at, s, err));
    spare = gnd_alloc(n * BLOCK, sizeof *spare);
    if (!spare)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for rows of a series"));
    for (int64_t first = 0; first < rows.n; first += BLOCK) {
        const int64_t f = rows.n - first < BLOCK ? rows.n - first : BLOCK;

        gnd_poly_columns(out + first * n, spare,
                         &(gnd_poly_units){at, &twice, s->basis, s->c, s->n, rows.row + first, f},
                         gnd_kern_get(), pool);
    }
out:
    gnd_free(spare);
    gnd_csr_fini(&twice);
    return st;
}
