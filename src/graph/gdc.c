/* SPDX-License-Identifier: MIT
 * gdc.c - sparsified diffusion, computed in blocks of columns.
 *
 * The series is applied to a block of unit vectors. The rows of the result are read in order, and
 * one heap per column keeps the largest entries; on ties the entry with the smaller row number is
 * kept, because it comes first. */
#include "gdc.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { BLOCK = 32 };

/* The kept entries of one block of columns, as rows of G^T. */
typedef struct {
    int64_t ptr[BLOCK + 1];
    int32_t *row;
    gnd_real *val;
} block;

/* Work space of one thread. */
typedef struct {
    gnd_real *y, *spare;   /* [n, BLOCK] */
    gnd_real *heap;        /* [BLOCK, top]: a heap per column with the smallest kept value first */
    int32_t *heap_row;     /* [BLOCK, top]: row numbers */
    gnd_real least[BLOCK]; /* an entry is kept if above this, or equal to it with row <= last */
    int64_t last[BLOCK], size[BLOCK];
} lane;

typedef struct {
    const gnd_csr *a;
    gnd_csr twice; /* 2 a */
    const gnd_series *s;
    const gnd_kern *kern;
    gnd_gdc_keep keep;
    gnd_real floor;
    lane *lanes;
    int64_t n_lane, n_block;
    block *blocks;
} gdc_job;

/* Is entry p of a heap removed before entry q? */
static bool removed_first(const gnd_real *v, const int32_t *row, int64_t p, int64_t q)
{
    return v[p] < v[q] || (v[p] == v[q] && row[p] > row[q]);
}

static void heap_swap(gnd_real *v, int32_t *row, int64_t p, int64_t q)
{
    const gnd_real value = v[p];
    const int32_t r = row[p];

    v[p] = v[q];
    row[p] = row[q];
    v[q] = value;
    row[q] = r;
}

/* Insert (value, r) into the heap of column c; a full heap loses its smallest entry. */
static void heap_put(lane *w, int64_t c, int64_t top, gnd_real value, int32_t r)
{
    gnd_real *v = w->heap + c * top;
    int32_t *row = w->heap_row + c * top;

    if (w->size[c] < top) {
        int64_t at = w->size[c]++;

        v[at] = value;
        row[at] = r;
        for (; at > 0 && removed_first(v, row, at, (at - 1) / 2); at = (at - 1) / 2)
            heap_swap(v, row, at, (at - 1) / 2);
    } else {
        int64_t at = 0, child;

        v[0] = value;
        row[0] = r;
        for (; (child = 2 * at + 1) < top; at = child) {
            if (child + 1 < top && removed_first(v, row, child + 1, child))
                child++;
            if (!removed_first(v, row, child, at))
                break;
            heap_swap(v, row, at, child);
        }
    }
    if (w->size[c] == top)
        w->least[c] = v[0];
}

/* Compute `least` and `last` of each of the f columns of w->y. */
static void find_limits(const gdc_job *j, lane *w, int64_t f)
{
    const int64_t n = j->a->n_row, top = j->keep.top;

    for (int64_t c = 0; c < f; c++) {
        w->least[c] = top ? j->floor : (gnd_real)j->keep.eps;
        w->last[c] = top ? -1 : n;
        w->size[c] = 0;
    }
    if (!top)
        return;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++)
            if (w->y[i * f + c] > w->least[c])
                heap_put(w, c, top, w->y[i * f + c], (int32_t)i);
    for (int64_t c = 0; c < f; c++)
        if (w->size[c] == top) /* entries equal to the smallest kept one are kept up to its row */
            w->last[c] = w->heap_row[c * top];
}

static bool is_kept(const lane *w, int64_t i, int64_t c, gnd_real v)
{
    return v > w->least[c] || (v == w->least[c] && i <= w->last[c]);
}

/* Store the kept entries, divided by their column sums. If memory is missing, b->row or b->val is
 * NULL. */
static void store(const gdc_job *j, const lane *w, block *b, int64_t f)
{
    const int64_t n = j->a->n_row;
    int64_t at[BLOCK] = {0};
    double sum[BLOCK] = {0};

    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++)
            at[c] += is_kept(w, i, c, w->y[i * f + c]);
    for (int64_t c = 0; c < f; c++) {
        b->ptr[c + 1] = b->ptr[c] + at[c];
        at[c] = b->ptr[c];
    }
    b->row = gnd_alloc(b->ptr[f], sizeof *b->row);
    b->val = gnd_alloc(b->ptr[f], sizeof *b->val);
    if (!b->row || !b->val)
        return;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++)
            if (is_kept(w, i, c, w->y[i * f + c])) {
                b->row[at[c]] = (int32_t)i;
                b->val[at[c]++] = w->y[i * f + c];
                sum[c] += (double)w->y[i * f + c];
            }
    for (int64_t c = 0; c < f; c++)
        for (int64_t p = b->ptr[c]; p < b->ptr[c + 1]; p++)
            b->val[p] = (gnd_real)((double)b->val[p] / sum[c]);
}

/* Lane l computes every n_lane-th block; the result of a block does not depend on its lane. */
static void run_lanes(int64_t begin, int64_t end, void *arg)
{
    const gdc_job *j = arg;
    const int64_t n = j->a->n_row;

    for (int64_t l = begin; l < end; l++)
        for (int64_t k = l; k < j->n_block; k += j->n_lane) {
            const int64_t first = k * BLOCK, f = n - first < BLOCK ? n - first : BLOCK;
            lane *w = &j->lanes[l];
            int32_t unit[BLOCK];

            for (int32_t c = 0; c < f; c++)
                unit[c] = (int32_t)first + c;
            gnd_poly_columns(
                w->y, w->spare,
                &(gnd_poly_units){j->a, &j->twice, j->s->basis, j->s->c, j->s->n, unit, f}, j->kern,
                NULL);
            find_limits(j, w, f);
            store(j, w, &j->blocks[k], f);
        }
}

static gnd_status lanes_new(gdc_job *j, gnd_error *err)
{
    const int64_t size = j->a->n_row * BLOCK;
    bool ok;

    j->blocks = gnd_alloc(j->n_block, sizeof *j->blocks);
    j->lanes = gnd_alloc(j->n_lane, sizeof *j->lanes);
    ok = j->blocks && j->lanes;
    for (int64_t l = 0; ok && l < j->n_lane; l++) {
        lane *w = &j->lanes[l];

        w->y = gnd_alloc(size, sizeof *w->y);
        w->spare = gnd_alloc(size, sizeof *w->spare);
        w->heap = gnd_alloc(j->keep.top * BLOCK, sizeof *w->heap);
        w->heap_row = gnd_alloc(j->keep.top * BLOCK, sizeof *w->heap_row);
        ok = w->y && w->spare && w->heap && w->heap_row;
    }
    return ok ? GND_OK
              : gnd_fail(err, GND_ERR_NOMEM, "no memory for the diffusion of %lld vertices",
                         (long long)j->a->n_row);
}

static void lanes_free(gdc_job *j)
{
    for (int64_t l = 0; j->lanes && l < j->n_lane; l++) {
        gnd_free(j->lanes[l].y);
        gnd_free(j->lanes[l].spare);
        gnd_free(j->lanes[l].heap);
        gnd_free(j->lanes[l].heap_row);
    }
    for (int64_t k = 0; j->blocks && k < j->n_block; k++) {
        gnd_free(j->blocks[k].row);
        gnd_free(j->blocks[k].val);
    }
    gnd_free(j->lanes);
    gnd_free(j->blocks);
}

/* G^T: the rows of all blocks. */
static gnd_status join(gnd_csr *gt, const gdc_job *j, gnd_error *err)
{
    const int64_t n = j->a->n_row;
    int64_t nnz = 0, q = 0;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < j->n_block; k++) {
        if (!j->blocks[k].row || !j->blocks[k].val)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for the links of a diffusion");
        nnz += j->blocks[k].ptr[n - k * BLOCK < BLOCK ? n - k * BLOCK : BLOCK];
    }
    GND_TRY(gnd_csr_init(gt, n, n, nnz, true, err));
    for (int64_t i = 0; i < n; i++) {
        const block *b = &j->blocks[i / BLOCK];
        const int64_t p = b->ptr[i % BLOCK], count = b->ptr[i % BLOCK + 1] - p;

        memcpy(gt->col + q, b->row + p, (size_t)count * sizeof *gt->col);
        memcpy(gt->val + q, b->val + p, (size_t)count * sizeof *gt->val);
        gt->ptr[i + 1] = q += count;
    }
out:
    return st;
}

static gnd_status check_args(const gnd_csr *a, gnd_gdc_keep keep, gnd_error *err)
{
    if (a->n_row != a->n_col)
        return gnd_fail(err, GND_ERR_SHAPE, "diffusion on a matrix %lld x %lld; expected square",
                        (long long)a->n_row, (long long)a->n_col);
    if (keep.top < 0)
        return gnd_fail(err, GND_ERR_ARG, "%lld links per vertex; expected 1 or more, or 0 and eps",
                        (long long)keep.top);
    if (keep.top == 0 && !(keep.eps > 0))
        return gnd_fail(err, GND_ERR_ARG, "links of at least %g; expected more than 0", keep.eps);
    return GND_OK;
}

gnd_status gnd_gdc(gnd_csr *g, const gnd_csr *a, const gnd_series *s, gnd_gdc_keep keep,
                   gnd_pool *pool, gnd_error *err)
{
    gdc_job j = {.a = a, .s = s, .kern = gnd_kern_get(), .keep = keep};
    gnd_csr gt = {0};
    gnd_status st;

    *g = (gnd_csr){0};
    GND_TRY(check_args(a, keep, err));
    if (keep.top > a->n_row)
        j.keep.top = a->n_row > 0 ? a->n_row : 1;
    j.floor = (gnd_real)gnd_series_precision();
    j.n_block = (a->n_row + BLOCK - 1) / BLOCK;
    j.n_lane = pool ? gnd_pool_threads(pool) : 1;
    GND_TRY(gnd_series_twice(&j.twice, a, s, err));
    GND_TRY(lanes_new(&j, err));
    gnd_parallel_for(pool, j.n_lane, 1, INT64_MAX, run_lanes, &j);
    GND_TRY(join(&gt, &j, err));
    GND_TRY(gnd_csr_transpose(g, &gt, err));
out:
    lanes_free(&j);
    gnd_csr_fini(&j.twice);
    gnd_csr_fini(&gt);
    return st;
}

/* g with a loop of weight 1 added at each vertex without a loop. */
static gnd_status with_loops(gnd_csr *out, const gnd_csr *g, gnd_error *err)
{
    const int64_t n = g->n_row;
    const gnd_status st = gnd_csr_init(out, n, n, gnd_csr_nnz(g) + n, true, err);
    int64_t q = 0;

    for (int64_t i = 0; st == GND_OK && i < n; i++) {
        bool met = gnd_csr_find(g, i, (int32_t)i) >= 0;

        for (int64_t p = g->ptr[i]; p < g->ptr[i + 1] || !met; q++) {
            const bool loop = !met && (p == g->ptr[i + 1] || g->col[p] > i);

            out->col[q] = loop ? (int32_t)i : g->col[p];
            out->val[q] = loop ? 1 : gnd_csr_val(g, p);
            met |= loop;
            p += !loop;
        }
        out->ptr[i + 1] = q;
    }
    return st;
}

gnd_status gnd_gdc_operator(gnd_operator *op, const gnd_csr *g, gnd_error *err)
{
    const int64_t n = g->n_row;
    double *scale = NULL;
    gnd_csr m = {0};
    gnd_status st;

    *op = (gnd_operator){0};
    if (n != g->n_col)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "a graph of %lld x %lld; expected square",
                         (long long)n, (long long)g->n_col));
    GND_TRY(with_loops(&m, g, err));
    scale = gnd_alloc(n, sizeof *scale);
    if (!scale)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the degrees of %lld vertices",
                         (long long)n));
    for (int64_t i = 0; i < n; i++) {
        double d = 0;

        for (int64_t p = m.ptr[i]; p < m.ptr[i + 1]; p++)
            d += (double)m.val[p];
        scale[i] = d > 0 ? 1 / sqrt(d) : 0;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = m.ptr[i]; p < m.ptr[i + 1]; p++)
            m.val[p] = (gnd_real)((double)m.val[p] * (scale[i] * scale[m.col[p]]));
    GND_TRY(gnd_csr_transpose(&op->a, &m, err));
    op->at = m;
    m = (gnd_csr){0};
out:
    gnd_csr_fini(&m);
    gnd_free(scale);
    return st;
}
