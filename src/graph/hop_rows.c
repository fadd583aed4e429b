/* SPDX-License-Identifier: MIT
 * hop_rows.c - P^k X, kept or made row by row. */
#include "hop_rows.h"

#include <string.h>

#include "base/alloc.h"
#include "kern/kern.h"

enum { ROWS_A_PIECE = 64 };

typedef struct {
    gnd_real *y;
    const gnd_csr *p;
    const gnd_real *x;
    int64_t d;
} job;

static void hop_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    gnd_kern_get()->spmm(j->y, j->p, j->x, j->d, 0, NULL, begin, end);
}

static void row_scatter(gnd_real *out, const gnd_csr *x, int64_t i)
{
    memset(out, 0, (size_t)x->n_col * sizeof *out);
    for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
        out[x->col[p]] = gnd_csr_val(x, p);
}

static int64_t filled(const gnd_real *v, int64_t n)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        count += v[i] != 0;
    return count;
}

/* Row i of out, its entries from *q on, of out->n_col values. */
static void row_pack(gnd_csr *out, int64_t i, const gnd_real *v, int64_t *q)
{
    for (int64_t c = 0; c < out->n_col; c++)
        if (v[c] != 0) {
            out->col[*q] = (int32_t)c;
            out->val[(*q)++] = v[c];
        }
    out->ptr[i + 1] = *q;
}

/* v: [n, d] with nnz entries that are not 0 */
static gnd_status pack(gnd_csr *out, const gnd_real *v, int64_t n, int64_t d, int64_t nnz,
                       gnd_error *err)
{
    const gnd_status st = gnd_csr_init(out, n, d, nnz, true, err);

    for (int64_t i = 0, q = 0; st == GND_OK && i < n; i++)
        row_pack(out, i, v + i * d, &q);
    return st;
}

/* Hop k has served the next one: keep it as it is, or sparse, or not at all if it is x. */
static gnd_status settle(gnd_hop_rows *r, int64_t k, gnd_error *err)
{
    const int64_t n = r->x.n_row, d = r->x.n_col, nnz = k > 0 ? filled(r->all[k], n * d) : 0;
    gnd_status st = GND_OK;

    if (k > 0 && nnz >= n * d / 2)
        return GND_OK;
    if (k > 0)
        st = pack(&r->sp[k], r->all[k], n, d, nnz, err);
    gnd_free(r->all[k]);
    r->all[k] = NULL;
    return st;
}

static gnd_status keep_hops(gnd_hop_rows *r, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = r->x.n_row, d = r->x.n_col, cost = (gnd_csr_nnz(&r->p) + n) * d;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < r->n_hop; k++) {
        r->all[k] = gnd_alloc(n * d, sizeof **r->all);
        if (!r->all[k])
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features on %lld vertices",
                             (long long)d, (long long)n));
        if (k == 0) {
            for (int64_t i = 0; i < n; i++)
                row_scatter(r->all[0] + i * d, &r->x, i);
            continue;
        }
        gnd_parallel_for(pool, n, ROWS_A_PIECE, cost, hop_piece,
                         &(job){r->all[k], &r->p, r->all[k - 1], d});
        GND_TRY(settle(r, k - 1, err));
    }
    GND_TRY(settle(r, r->n_hop - 1, err));
out:
    return st;
}

gnd_status gnd_hop_rows_init(gnd_hop_rows *r, const gnd_csr *p, const gnd_csr *x, int64_t h,
                             int64_t max_values, gnd_pool *pool, gnd_error *err)
{
    int64_t values;
    gnd_status st = GND_OK;

    *r = (gnd_hop_rows){.p = *p, .x = *x, .n_hop = h + 1};
    r->kept = !__builtin_mul_overflow(x->n_row, x->n_col, &values) &&
              !__builtin_mul_overflow(values, r->n_hop, &values) && values <= max_values;
    if (!r->kept)
        return GND_OK;
    r->sp = gnd_alloc(r->n_hop, sizeof *r->sp);
    r->all = gnd_alloc(r->n_hop, sizeof *r->all);
    if (!r->sp || !r->all)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld hops", (long long)h));
    GND_TRY(keep_hops(r, pool, err));
out:
    if (st != GND_OK)
        gnd_hop_rows_fini(r);
    return st;
}

void gnd_hop_rows_fini(gnd_hop_rows *r)
{
    for (int64_t k = 0; k < r->n_hop; k++) {
        if (r->sp)
            gnd_csr_fini(&r->sp[k]);
        if (r->all)
            gnd_free(r->all[k]);
    }
    gnd_free(r->sp);
    gnd_free(r->all);
    *r = (gnd_hop_rows){0};
}

int64_t gnd_hop_rows_scratch(const gnd_hop_rows *r)
{
    return r->kept ? 0 : 2 * r->p.n_row;
}

/* out = v a for a row v of a->n_row values, most of them 0. */
static void row_times(gnd_real *out, const gnd_real *v, const gnd_csr *a)
{
    memset(out, 0, (size_t)a->n_col * sizeof *out);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t q = a->ptr[i]; v[i] != 0 && q < a->ptr[i + 1]; q++)
            out[a->col[q]] += v[i] * gnd_csr_val(a, q);
}

/* e_i P^k X for each k: the walk starts at i and the features are looked up where it ends. */
static void walk(gnd_real *out, const gnd_hop_rows *r, int64_t i, gnd_real *scratch)
{
    const int64_t n = r->p.n_row;
    gnd_real *now = scratch, *next = scratch + n;

    memset(now, 0, (size_t)n * sizeof *now);
    now[i] = 1;
    for (int64_t k = 0; k < r->n_hop; k++) {
        gnd_real *was = now;

        row_times(out + k * r->x.n_col, now, &r->x);
        if (k + 1 == r->n_hop)
            break;
        row_times(next, now, &r->p);
        now = next;
        next = was;
    }
}

void gnd_hop_rows_make(gnd_real *out, const gnd_hop_rows *r, int64_t i, gnd_real *scratch)
{
    const int64_t d = r->x.n_col;

    if (!r->kept) {
        walk(out, r, i, scratch);
        return;
    }
    row_scatter(out, &r->x, i);
    for (int64_t k = 1; k < r->n_hop; k++)
        if (r->all[k])
            memcpy(out + k * d, r->all[k] + i * d, (size_t)d * sizeof *out);
        else
            row_scatter(out + k * d, &r->sp[k], i);
}

/* Rows are made twice, to be counted and to be kept: together they might not fit in memory. */
gnd_status gnd_hop_rows_pack(gnd_csr *out, const gnd_hop_rows *r, const int32_t *rows, int64_t n,
                             gnd_error *err)
{
    const int64_t k = r->n_hop * r->x.n_col;
    gnd_real *one = gnd_alloc(k, sizeof *one);
    gnd_real *scratch = gnd_alloc(gnd_hop_rows_scratch(r), sizeof *scratch);
    int64_t nnz = 0;
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    if (!one || !scratch)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for hops of %lld rows", (long long)n));
    for (int64_t i = 0; i < n; i++) {
        gnd_hop_rows_make(one, r, rows[i], scratch);
        nnz += filled(one, k);
    }
    GND_TRY(gnd_csr_init(out, n, k, nnz, true, err));
    for (int64_t i = 0, q = 0; i < n; i++) {
        gnd_hop_rows_make(one, r, rows[i], scratch);
        row_pack(out, i, one, &q);
    }
out:
    gnd_free(scratch);
    gnd_free(one);
    return st;
}
