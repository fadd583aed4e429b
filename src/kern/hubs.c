/* SPDX-License-Identifier: MIT
 * hubs.c - an operator in order of degree, in ranges of columns; see the header. */
#include "hubs.h"

#include <string.h>

#include "base/alloc.h"
#include "kern.h"

enum { PIECE_COST = 32768, PIECES_MIN = 8 }; /* multiply-adds per piece; minimum number of pieces */

static bool same_pattern(const gnd_csr *a, const gnd_csr *at)
{
    return a->ptr == at->ptr && a->col == at->col;
}

/* ---- order ---------------------------------------------------------------------------------- */

static int64_t degree(const gnd_csr *a, const gnd_csr *at, int64_t i)
{
    const int64_t d = a->ptr[i + 1] - a->ptr[i];

    return same_pattern(a, at) ? d : d + at->ptr[i + 1] - at->ptr[i];
}

/* Counting sort, descending; equal degrees by index. */
static gnd_status order_find(gnd_hubs *h, const gnd_csr *a, const gnd_csr *at, gnd_error *err)
{
    const int64_t n = h->n;
    int64_t most = 0, *start;

    for (int64_t i = 0; i < n; i++)
        most = degree(a, at, i) > most ? degree(a, at, i) : most;
    start = gnd_alloc(most + 2, sizeof *start);
    if (!start)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for an order of %lld vertices",
                        (long long)n);
    for (int64_t i = 0; i < n; i++)
        start[most - degree(a, at, i) + 1]++;
    for (int64_t d = 0; d <= most; d++)
        start[d + 1] += start[d];
    for (int64_t i = 0; i < n; i++) {
        const int64_t at_place = start[most - degree(a, at, i)]++;

        h->order[at_place] = (int32_t)i;
        h->place[i] = (int32_t)at_place;
    }
    gnd_free(start);
    return GND_OK;
}

/* Is each row of a constant, and at = D a D^-1 with D = diag(1 / a_i)? So are the random walk of an
 * unweighted graph and its adjoint. */
static bool rows_balance(const gnd_csr *a, const gnd_csr *at)
{
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int64_t j = a->col[p];

            if (a->val[p] != a->val[a->ptr[i]] || a->ptr[j] == a->ptr[j + 1] ||
                at->val[p] != a->val[a->ptr[j]])
                return false;
        }
    return true;
}

/* ---- ranges --------------------------------------------------------------------------------- */

typedef struct {
    const gnd_hubs *h;
    const gnd_csr *mt;  /* the transpose of the matrix that is copied */
    int64_t *next;      /* [n] scratch: entries of each row, then where its next one goes */
    int64_t first, end; /* places of the columns */
} range_job;

/* Counts the entries of each row in next, and the rows and entries in *n_row and *nnz. */
static void range_count(const range_job *j, int64_t *n_row, int64_t *nnz)
{
    *n_row = *nnz = 0;
    memset(j->next, 0, (size_t)j->h->n * sizeof *j->next);
    for (int64_t c = j->first; c < j->end; c++) {
        const int64_t i = j->h->order[c];

        for (int64_t p = j->mt->ptr[i]; p < j->mt->ptr[i + 1]; p++)
            j->next[j->h->place[j->mt->col[p]]]++;
        *nnz += j->mt->ptr[i + 1] - j->mt->ptr[i];
    }
    for (int64_t r = 0; r < j->h->n; r++)
        *n_row += j->first == 0 || j->next[r] > 0;
}

/* Lists the rows that were counted, and copies their entries. */
static void range_fill(gnd_hub_range *to, const range_job *j)
{
    int64_t row = 0;

    for (int64_t r = 0; r < j->h->n; r++) {
        const int64_t entries = j->next[r];

        if (j->first > 0 && entries == 0)
            continue;
        if (to->row)
            to->row[row] = (int32_t)r;
        j->next[r] = to->a.ptr[row];
        to->a.ptr[row + 1] = to->a.ptr[row] + entries;
        row++;
    }
    for (int64_t c = j->first; c < j->end; c++) {
        const int64_t i = j->h->order[c];

        for (int64_t p = j->mt->ptr[i]; p < j->mt->ptr[i + 1]; p++) {
            const int64_t q = j->next[j->h->place[j->mt->col[p]]]++;

            to->a.col[q] = (int32_t)c;
            to->a.val[q] = j->mt->val[p];
        }
    }
}

static void ranges_free(gnd_hub_range *r, int64_t n)
{
    for (int64_t k = 0; r && k < n; k++) {
        gnd_csr_fini(&r[k].a);
        gnd_free(r[k].row);
    }
    gnd_free(r);
}

/* The matrix whose transpose is mt. *fits is false, and the ranges are not complete, if h->bytes
 * would exceed most. */
static gnd_status ranges_new(gnd_hub_range **out, bool *fits, gnd_hubs *h, const gnd_csr *mt,
                             int64_t most, gnd_pool *pool, gnd_error *err)
{
    range_job j = {.h = h, .mt = mt, .next = gnd_alloc_raw(h->n, sizeof *j.next)};
    gnd_status st = GND_OK;

    *out = gnd_alloc(h->n_range, sizeof **out);
    if (!*out || !j.next)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for an operator on %lld vertices",
                         (long long)h->n));
    for (int64_t k = 0; *fits && k < h->n_range; k++) {
        gnd_hub_range *to = &(*out)[k];
        int64_t n_row, nnz;

        j.first = h->n * k / h->n_range;
        j.end = h->n * (k + 1) / h->n_range;
        range_count(&j, &n_row, &nnz);
        h->bytes += (n_row + 1) * (int64_t)sizeof *to->a.ptr +
                    nnz * (int64_t)(sizeof *to->a.col + sizeof *to->a.val) +
                    (k > 0 ? n_row : 0) * (int64_t)sizeof *to->row;
        *fits = h->bytes <= most;
        if (!*fits)
            continue;
        GND_TRY(gnd_csr_init(&to->a, n_row, h->n, nnz, true, err));
        to->row = k > 0 ? gnd_alloc_raw(n_row, sizeof *to->row) : NULL;
        if (k > 0 && !to->row)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows", (long long)n_row));
        range_fill(to, &j);
        GND_TRY(gnd_pool_check(pool, err));
    }
out:
    gnd_free(j.next);
    return st;
}

/* D^-1, by places. */
static gnd_status inverse_find(gnd_hubs *h, const gnd_csr *a, gnd_error *err)
{
    h->inverse = gnd_alloc(h->n, sizeof *h->inverse);
    if (!h->inverse)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)h->n);
    for (int64_t r = 0; r < h->n; r++) {
        const int64_t i = h->order[r];

        h->inverse[r] = a->ptr[i] < a->ptr[i + 1] ? a->val[a->ptr[i]] : 1;
    }
    return GND_OK;
}

gnd_status gnd_hubs_new(gnd_hubs **out, const gnd_csr *a, const gnd_csr *at,
                        const gnd_hubs_limits *l, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = a->n_row, fixed = n * (int64_t)(2 * sizeof(int32_t) + sizeof(gnd_real));
    const bool shared = same_pattern(a, at) && a->val == at->val;
    const bool balanced = shared || (same_pattern(a, at) && rows_balance(a, at));
    gnd_hubs *h = NULL;
    bool fits = true;
    gnd_status st = GND_OK;

    *out = NULL;
    if (n == 0 || fixed + gnd_csr_nnz(a) * (int64_t)(sizeof *a->col + sizeof *a->val) > l->bytes)
        return GND_OK;
    h = gnd_alloc(1, sizeof *h);
    if (h) {
        *h = (gnd_hubs){.n = n, .n_range = (n + l->range - 1) / l->range, .bytes = fixed};
        h->order = gnd_alloc_raw(n, sizeof *h->order);
        h->place = gnd_alloc_raw(n, sizeof *h->place);
    }
    if (!h || !h->order || !h->place)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for an order of %lld vertices", (long long)n));
    GND_TRY(order_find(h, a, at, err));
    GND_TRY(ranges_new(&h->a, &fits, h, at, l->bytes, pool, err));
    if (balanced && !shared)
        GND_TRY(inverse_find(h, a, err));
    if (!balanced)
        GND_TRY(ranges_new(&h->at, &fits, h, a, l->bytes, pool, err));
    if (fits) {
        *out = h;
        h = NULL;
    }
out:
    gnd_hubs_free(h);
    return st;
}

void gnd_hubs_free(gnd_hubs *h)
{
    if (!h)
        return;
    ranges_free(h->a, h->n_range);
    ranges_free(h->at, h->n_range);
    gnd_free(h->inverse);
    gnd_free(h->order);
    gnd_free(h->place);
    gnd_free(h);
}

/* ---- vectors and products ------------------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    const gnd_hubs *h;
    const gnd_hub_range *of;
    gnd_real *to;
    gnd_hubs_way way;
    const gnd_real *from, *z;
    gnd_real c;
    int64_t f;
    bool add;
} job;

static int64_t grain(int64_t n, int64_t cost)
{
    int64_t g = cost > 0 ? (int64_t)((double)PIECE_COST * (double)n / (double)cost) : 1;

    g = g > n / PIECES_MIN ? n / PIECES_MIN : g;
    return g < 1 ? 1 : g;
}

static void enter_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t r = begin; r < end; r++) {
        const gnd_real s = gnd_hubs_scale(j->h, j->way, r);
        const gnd_real *from = j->from + j->h->order[r] * j->f;

        for (int64_t c = 0; c < j->f; c++)
            j->to[r * j->f + c] = s * from[c];
    }
}

static void leave_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real s = 1 / gnd_hubs_scale(j->h, j->way, j->h->place[i]);
        const gnd_real *from = j->from + j->h->place[i] * j->f;
        gnd_real *to = j->to + i * j->f;

        for (int64_t c = 0; c < j->f; c++)
            to[c] = (j->add ? to[c] : 0) + s * from[c];
    }
}

void gnd_hubs_enter(gnd_real *y, const gnd_hubs *h, gnd_hubs_way way, const gnd_real *x, int64_t f,
                    gnd_pool *pool)
{
    gnd_parallel_for(pool, h->n, grain(h->n, h->n * f), h->n * f, enter_rows,
                     &(job){.h = h, .to = y, .way = way, .from = x, .f = f});
}

void gnd_hubs_leave(gnd_real *x, const gnd_hubs *h, gnd_hubs_way way, const gnd_real *y, int64_t f,
                    bool add, gnd_pool *pool)
{
    gnd_parallel_for(pool, h->n, grain(h->n, h->n * f), h->n * f, leave_rows,
                     &(job){.h = h, .to = x, .way = way, .from = y, .f = f, .add = add});
}

static void first_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    j->kern->spmm(j->to, &j->of->a, j->from, j->f, j->c, j->z, begin, end);
}

static void more_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    j->kern->spmm_some(j->to, j->of->row, &j->of->a, j->from, j->f, begin, end);
}

void gnd_hubs_times(gnd_real *y, const gnd_hubs *h, gnd_hubs_way way, const gnd_hubs_product *p,
                    gnd_pool *pool)
{
    const gnd_hub_range *range = way == GND_HUBS_BACK && h->at ? h->at : h->a;
    job j = {
        .kern = gnd_kern_get(), .h = h, .to = y, .from = p->x, .z = p->z, .c = p->c, .f = p->f};

    for (int64_t k = 0; k < h->n_range; k++) {
        const int64_t n = range[k].a.n_row, cost = (gnd_csr_nnz(&range[k].a) + n) * p->f;

        j.of = &range[k];
        gnd_parallel_for(pool, n, grain(n, cost), cost, k == 0 ? first_rows : more_rows, &j);
    }
}
