/* SPDX-License-Identifier: MIT
 * powers.c - A^k X, kept sparse, dense or not at all.
 *
 * A power is computed from the one before it: sparse as long as it is sparse enough, then dense.
 * Most operators contain self-loops, so that a power has at least as many entries as the one
 * before.
 */
#include "powers.h"

#include <string.h>

#include "base/alloc.h"
#include "kern/csr_product.h"
#include "kern/hubs.h"
#include "kern/kern.h"
#include "plan/keep.h"

enum { GRAIN = 64, PANEL = 32 }; /* rows per task; columns of X per panel */

static void power_fini(gnd_kept_power *h)
{
    gnd_csr_fini(&h->sp);
    gnd_free(h->dense);
    *h = (gnd_kept_power){0};
}

static bool is_kept(const gnd_kept_power *h)
{
    return h->dense || h->sp.ptr;
}

/* ---- one power from the one before ---- */

typedef struct {
    gnd_real *y;
    const gnd_csr *a, *b;
} sparse_job;

static void from_sparse(int64_t begin, int64_t end, void *arg)
{
    const sparse_job *j = arg;

    gnd_csr_product_dense(j->y, j->a, j->b, begin, end);
}

static gnd_status dense_power(gnd_real **out, const gnd_csr *a, const gnd_kept_power *from,
                              int64_t d, gnd_pool *pool, gnd_error *err)
{
    gnd_real *y = *out = gnd_alloc(a->n_row * d, sizeof *y);

    if (!y)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features on %lld vertices",
                        (long long)d, (long long)a->n_row);
    if (from->dense)
        gnd_csr_times(y, a, from->dense, d, pool);
    else
        gnd_rows_product(pool,
                         &(gnd_rows_of){.part = a->part,
                                        .y = y,
                                        .bytes = d * (int64_t)sizeof *y,
                                        .n = a->n_row,
                                        .grain = GRAIN,
                                        .cost = gnd_csr_nnz(a) * d},
                         from_sparse, &(sparse_job){y, a, &from->sp});
    return GND_OK;
}

/* Count the entries of the sparse product a from: of this process and, in s, of all. */
static gnd_status entries(gnd_keep_sizes *s, int64_t *here, int64_t **mark, const gnd_csr *a,
                          const gnd_kept_power *from, gnd_pool *pool, gnd_error *err)
{
    *mark = gnd_alloc(s->cols, sizeof **mark);
    if (!*mark)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)s->cols);
    *here = s->nnz = gnd_csr_product_count(NULL, a, &from->sp, *mark, pool);
    gnd_part_counts(a->part, &s->nnz, 1);
    return GND_OK;
}

/* y = a b with nnz entries here. */
static gnd_status sparse_power(gnd_csr *y, const gnd_csr *a, const gnd_csr *b, int64_t nnz,
                               int64_t *mark, gnd_pool *pool, gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_csr_product_init(y, a, b, nnz, mark, pool, err));
    GND_TRY(gnd_csr_complete(y, a->part, err));
out:
    return st;
}

/* Entries of own rows. */
static int64_t own_entries(const gnd_csr *x, const gnd_part *part)
{
    const gnd_row_range own = gnd_part_own(part, x->n_row);

    return x->ptr ? x->ptr[own.end] - x->ptr[own.begin] : 0;
}

/* *out = a from if the budget allows it; its bytes are then spent. Otherwise *out stays empty. The
 * sizes are those of the whole graph, so that all processes choose the same. */
static gnd_status next_power(gnd_kept_power *out, const gnd_csr *a, const gnd_kept_power *from,
                             int64_t d, gnd_budget *b, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = gnd_part_total(a->part, a->n_row);
    const int64_t full = d > 0 && n > INT64_MAX / d ? INT64_MAX : n * d;
    gnd_keep_sizes s = {.rows = n, .cols = d, .nnz_b = full, .nnz = full};
    int64_t *mark = NULL, here = 0;
    gnd_keep how;
    gnd_status st = GND_OK;

    if (!from->dense) {
        s.nnz_b = own_entries(&from->sp, a->part);
        s.work = gnd_csr_product_work(a, &from->sp);
        gnd_part_counts(a->part, &s.nnz_b, 1);
        gnd_part_counts(a->part, &s.work, 1);
    }
    how = gnd_keep_power_guess(&s, b);
    if (how == GND_KEEP_NONE)
        return GND_OK;
    if (how == GND_KEEP_SPARSE)
        GND_TRY(entries(&s, &here, &mark, a, from, pool, err));
    how = gnd_keep_power_choose(&s, b);
    if (how == GND_KEEP_SPARSE)
        GND_TRY(sparse_power(&out->sp, a, &from->sp, here, mark, pool, err));
    else if (how == GND_KEEP_DENSE)
        GND_TRY(dense_power(&out->dense, a, from, d, pool, err));
    gnd_budget_spend(b, gnd_keep_bytes(how, &s));
out:
    gnd_free(mark);
    return st;
}

/* ---- all of them ---- */

/* Of all processes. */
static int64_t power_bytes(const gnd_kept_power *h, const gnd_csr *a, int64_t d)
{
    gnd_keep_sizes s = {.rows = gnd_part_total(a->part, a->n_row), .cols = d};

    if (!h->dense) {
        s.nnz = own_entries(&h->sp, a->part);
        gnd_part_counts(a->part, &s.nnz, 1);
    }
    return gnd_keep_bytes(h->dense ? GND_KEEP_DENSE : GND_KEEP_SPARSE, &s);
}

static void powers_drop(gnd_powers *p)
{
    for (int64_t k = p->first; p->power && k <= p->last; k++)
        power_fini(&p->power[k - p->first]);
    p->last = p->first - 1;
}

gnd_status gnd_powers_init(gnd_powers *p, const gnd_powers_of *of, gnd_budget *b, gnd_pool *pool,
                           gnd_error *err)
{
    const int64_t first = of->first, n = of->last >= first ? of->last - first + 1 : 0;
    const gnd_kept_power x = {.sp = *of->x}, *from = &x;
    const gnd_budget before = *b;
    gnd_kept_power spare[2] = {0}; /* powers below the first, alternating */
    gnd_status st = GND_OK;

    *p = (gnd_powers){.a = *of->a, .x = *of->x, .first = first, .last = first - 1, .top = of->last};
    p->power = gnd_alloc(n, sizeof *p->power);
    if (!p->power)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld powers", (long long)of->last));
    for (int64_t k = 1; k <= of->last; k++) {
        gnd_kept_power *to = k < first ? &spare[k % 2] : &p->power[k - first];
        gnd_budget now = k < first ? before : *b; /* powers below the first are temporary */
        int64_t spent;

        power_fini(to);
        if (k >= first)
            p->last = k; /* so that a failure frees it */
        if (k > 1 && k <= first)
            gnd_budget_spend(&now, power_bytes(from, of->a, of->x->n_col));
        spent = now.spent;
        GND_TRY(next_power(to, of->a, from, of->x->n_col, &now, pool, err));
        if (k >= first)
            b->spent += now.spent - spent;
        if (!is_kept(to)) {
            p->last = k >= first ? k - 1 : p->last;
            break;
        }
        from = to;
    }
    if (of->all_or_none && p->last < of->last) {
        powers_drop(p);
        *b = before;
    }
out:
    power_fini(&spare[0]);
    power_fini(&spare[1]);
    if (st != GND_OK)
        gnd_powers_fini(p);
    return st;
}

void gnd_powers_fini(gnd_powers *p)
{
    powers_drop(p);
    gnd_free(p->power);
    *p = (gnd_powers){.last = -1};
}

const gnd_kept_power *gnd_powers_get(const gnd_powers *p, int64_t k)
{
    return k >= p->first && k <= p->last ? &p->power[k - p->first] : NULL;
}

/* ---- rows ---- */

static void row_scatter(gnd_real *out, const gnd_csr *x, int64_t i)
{
    memset(out, 0, (size_t)x->n_col * sizeof *out);
    for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++)
        out[x->col[q]] = gnd_csr_val(x, q);
}

/* out = v a for a row vector v of a->n_row values, most of them 0. */
static void row_times(gnd_real *out, const gnd_real *v, const gnd_csr *a)
{
    memset(out, 0, (size_t)a->n_col * sizeof *out);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t q = a->ptr[i]; v[i] != 0 && q < a->ptr[i + 1]; q++)
            out[a->col[q]] += v[i] * gnd_csr_val(a, q);
}

/* Row i of A^k X for the powers that are not kept: (e_i A^k) X. */
static void row_walk(gnd_real *out, const gnd_powers *p, int64_t i, gnd_real *scratch)
{
    const int64_t n = p->a.n_row, d = p->x.n_col;
    gnd_real *now = scratch, *next = scratch + n;

    memset(now, 0, (size_t)n * sizeof *now);
    now[i] = 1;
    for (int64_t k = 1; k <= p->top; k++) {
        gnd_real *was = now;

        row_times(next, now, &p->a);
        now = next;
        next = was;
        if (!gnd_powers_get(p, k))
            row_times(out + k * d, now, &p->x);
    }
}

static bool all_kept(const gnd_powers *p)
{
    return p->top < 1 || (p->first == 1 && p->last == p->top);
}

int64_t gnd_powers_scratch(const gnd_powers *p)
{
    return all_kept(p) ? 0 : 2 * p->a.n_row;
}

void gnd_powers_row(gnd_real *out, const gnd_powers *p, int64_t i, gnd_real *scratch)
{
    const int64_t d = p->x.n_col;

    row_scatter(out, &p->x, i);
    for (int64_t k = p->first; k <= p->last; k++) {
        const gnd_kept_power *h = gnd_powers_get(p, k);

        if (h->dense)
            memcpy(out + k * d, h->dense + i * d, (size_t)d * sizeof *out);
        else
            row_scatter(out + k * d, &h->sp, i);
    }
    if (!all_kept(p))
        row_walk(out, p, i, scratch);
}

static int64_t filled(const gnd_real *v, int64_t n)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        count += v[i] != 0;
    return count;
}

/* Write row i of out, its entries from position *q on. */
static void row_pack(gnd_csr *out, int64_t i, const gnd_real *v, int64_t *q)
{
    for (int64_t c = 0; c < out->n_col; c++)
        if (v[c] != 0) {
            out->col[*q] = (int32_t)c;
            out->val[(*q)++] = v[c];
        }
    out->ptr[i + 1] = *q;
}

/* Each row is computed twice, once to count its entries and once to store them: dense rows might
 * not fit in memory. */
gnd_status gnd_powers_pack(gnd_csr *out, const gnd_powers *p, const int32_t *rows, int64_t n,
                           gnd_error *err)
{
    const int64_t width = (p->top + 1) * p->x.n_col;
    gnd_real *one = gnd_alloc(width, sizeof *one);
    gnd_real *scratch = gnd_alloc(gnd_powers_scratch(p), sizeof *scratch);
    int64_t nnz = 0;
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    if (!one || !scratch)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for powers of %lld rows", (long long)n));
    for (int64_t i = 0; i < n; i++) {
        gnd_powers_row(one, p, rows[i], scratch);
        nnz += filled(one, width);
    }
    GND_TRY(gnd_csr_init(out, n, width, nnz, true, err));
    for (int64_t i = 0, q = 0; i < n; i++) {
        gnd_powers_row(one, p, rows[i], scratch);
        row_pack(out, i, one, &q);
    }
out:
    gnd_free(scratch);
    gnd_free(one);
    return st;
}

/* ---- dense rows ---- */

typedef struct {
    gnd_take_row *take;
    void *to;
    const gnd_powers_of *of;
    gnd_row_list rows;
    const int32_t *place; /* [n] of the rows in an operator in order of degree, or NULL */
    gnd_real *turn[2];    /* [of->x->n_row, PANEL], as the steps alternate */
} rows_job;

static void rows_take(const rows_job *j, int64_t k, const gnd_real *from, const int32_t *at,
                      int64_t c0, int64_t w)
{
    for (int64_t i = 0; k >= j->of->first && i < j->rows.n; i++)
        j->take(j->to, k - j->of->first, i, c0, from + at[i] * w, w);
}

/* The hops of columns c0 .. c0 + w - 1 of X, which are in turn[0]. Of the last hop, only the listed
 * rows are computed. */
static void rows_panel(const rows_job *j, int64_t c0, int64_t w, gnd_pool *pool)
{
    const gnd_csr *a = j->of->a;
    const int64_t last = j->of->last;
    const gnd_hubs *h = j->place ? a->hubs : NULL;
    gnd_real *now = j->turn[0], *next = j->turn[1];

    rows_take(j, 0, now, j->rows.row, c0, w);
    for (int64_t k = 1; k <= last; k++) {
        gnd_real *was = now;

        if (h && (k == 1 || k == last)) { /* before the first hop and the last */
            if (k == 1)
                gnd_hubs_enter(next, h, GND_HUBS_THERE, now, w, pool);
            else
                gnd_hubs_leave(next, h, GND_HUBS_THERE, now, w, false, pool);
            now = next;
            next = was;
            was = now;
        }
        if (k == last && !a->part)
            for (int64_t i = 0; i < j->rows.n; i++)
                gnd_kern_get()->spmm(next, a, now, w, 0, NULL, j->rows.row[i], j->rows.row[i] + 1);
        else if (h)
            gnd_hubs_times(next, h, GND_HUBS_THERE, &(gnd_hubs_product){.x = now, .f = w}, pool);
        else
            gnd_csr_times(next, a, now, w, pool);
        now = next;
        next = was;
        rows_take(j, k, now, h && k < last ? j->place : j->rows.row, c0, w);
    }
}

/* The places of the rows, if the operator is in order of degree and this is worth it. */
static gnd_status places_find(int32_t **out, const gnd_powers_of *of, gnd_row_list rows,
                              gnd_error *err)
{
    const gnd_hubs *h = of->last > 2 ? of->a->hubs : NULL;

    *out = h ? gnd_alloc(rows.n, sizeof **out) : NULL;
    if (h && !*out)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows", (long long)rows.n);
    for (int64_t i = 0; h && i < rows.n; i++)
        (*out)[i] = h->place[rows.row[i]];
    return GND_OK;
}

/* Computed in panels of columns of X that are narrow enough to stay in cache. */
gnd_status gnd_powers_dense_rows(gnd_take_row *take, void *to, const gnd_powers_of *of,
                                 gnd_row_list rows, gnd_pool *pool, gnd_error *err)
{
    const gnd_csr *x = of->x;
    const int64_t d = x->n_col;
    rows_job j = {.take = take, .to = to, .of = of, .rows = rows};
    int64_t *at = gnd_alloc(x->n_row, sizeof *at);
    int32_t *place = NULL;
    gnd_status st = GND_OK;

    for (int i = 0; i < 2; i++)
        j.turn[i] = gnd_alloc(x->n_row * PANEL, sizeof *j.turn[i]);
    if (!at || !j.turn[0] || !j.turn[1])
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the powers of %lld rows",
                         (long long)rows.n));
    GND_TRY(places_find(&place, of, rows, err));
    j.place = place;
    memcpy(at, x->ptr, (size_t)x->n_row * sizeof *at);
    for (int64_t c0 = 0; c0 < d; c0 += PANEL) {
        const int64_t w = d - c0 < PANEL ? d - c0 : PANEL;

        gnd_csr_panel(j.turn[0], x, at, c0, w);
        rows_panel(&j, c0, w, pool);
        gnd_pool_done(pool, (double)(c0 + w) / (double)d);
        if (!of->a->part) /* another process would wait for this one */
            GND_TRY(gnd_pool_check(pool, err));
    }
out:
    gnd_free(at);
    gnd_free(place);
    gnd_free(j.turn[0]);
    gnd_free(j.turn[1]);
    return st;
}
