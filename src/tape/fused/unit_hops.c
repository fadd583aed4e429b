/* SPDX-License-Identifier: MIT
 * unit_hops.c - y = [ U w_0 | S U w_1 | .. | S^m U w_m ], U the sparse constant x with rows scaled
 * to Euclidean length 1.  S: [n, n], x: [n, d], w_k: [d, f_k], y: [n, f], f the sum of the f_k.
 *
 *     [ dw_0 | .. | dw_m ] = U^T [ dy_0 | S^T dy_1 | .. | (S^T)^m dy_m ]     dy_k: block k of dy
 *
 * The blocks of higher powers are apart while they are multiplied by S, since they take less of the
 * cache than columns of y. The last product of a block writes to its columns of y. Rows of U w go
 * from a panel in the cache to the blocks, and back. x without values has only entries 1: rows of a
 * product are divided by the square root of the number of entries, and U is not stored.
 *
 * An entry of x reads or changes a row of w = [ w_0 | .. | w_m ], in which the weights are copied
 * beside each other. Rows of several cache lines start at a line: an entry then takes 0.65 to 0.8
 * of the time with 60 columns, and 0.55 to 0.65 in the transposed product. The copy of a validation
 * pass serves the training pass after it, with the same weights. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tape/drop_ahead.h"
#include "tape/narrow.h"

enum { ROWS = 64, PANEL = 16384 }; /* most rows and values of a panel */
enum { SHORT = 256 };              /* rows of fewer entries find their scale in a table */
enum {
    LINE = 64 / sizeof(gnd_real),
    LINES_FROM = 3
}; /* values of a line; lines of a row to copy */

/* w for two passes. */
typedef struct {
    gnd_real *v;   /* NULL: no memory in the budget */
    int64_t epoch; /* of the training pass that may read it; -1: none */
} kept_weights;

typedef struct {
    const gnd_csr *s, *st, *x; /* x after dropout */
    const gnd_var *w;          /* [n_block] */
    const int64_t *width;      /* [n_block] columns of each block, may be 0 */
    int n_block;
    int64_t d, f, padded; /* rows and columns of w, and columns with which rows are whole lines */
    kept_weights *kept;   /* w is there, or is copied there for the next pass; NULL: neither */
    gnd_ahead *ahead; /* sums of kept rows of the weights are there, or are made for the next pass;
                         NULL: neither */
    gnd_csr pattern;  /* x if the sums are there */
    const gnd_real *unit; /* [SHORT] scale of a row of ones by the number of its entries */
} hops_arg;

/* ---- U w and U^T g -------------------------------------------------------------------------- */

/* Where a block is: rows of `stride` values. */
typedef struct {
    gnd_real *v;
    int64_t stride;
} place;

typedef struct {
    const gnd_kern *kern;
    const hops_arg *o;
    const gnd_real *w;  /* forward only: [d, f] */
    const place *block; /* [n_block] */
    int64_t f;          /* columns of a panel */
} unit_job;

static int64_t panel_rows(const unit_job *j, int64_t left)
{
    const int64_t most = PANEL / j->f < ROWS ? PANEL / j->f : ROWS;

    return left < most ? left : most;
}

/* What scales a row of n ones to length 1. */
static gnd_real scale_of(int64_t n)
{
    return (gnd_real)(n ? 1 / sqrt((double)n) : 1);
}

/* The same for the rows of x, written to s. NULL: they have length 1, with values. */
static const gnd_real *scales(gnd_real *s, const hops_arg *o, const gnd_csr *x)
{
    for (int64_t i = 0; i < x->n_row && !x->val; i++) {
        const int64_t n = x->ptr[i + 1] - x->ptr[i];

        s[i] = n < SHORT ? o->unit[n] : scale_of(n);
    }
    return x->val ? NULL : s;
}

/* Copies the rows of the panel, which are those of x, to the blocks, or from them, and scales them
 * to the length that they have in U. */
static void panel_copy(gnd_real *panel, const unit_job *j, int64_t row, const gnd_csr *x, bool back)
{
    gnd_real s[ROWS];
    const gnd_real *scale = scales(s, j->o, x);

    for (int k = 0; k < j->o->n_block; k++) {
        const place b = j->block[k];
        const int64_t w = j->o->width[k];

        if (w > 0 && back)
            j->kern->put(panel, j->f, b.v + row * b.stride, b.stride, w, scale, x->n_row);
        else if (w > 0)
            j->kern->put(b.v + row * b.stride, b.stride, panel, j->f, w, scale, x->n_row);
        panel += w;
    }
}

static void unit_rows(int64_t begin, int64_t end, void *arg)
{
    const unit_job *j = arg;
    gnd_real panel[PANEL];

    for (int64_t i = begin, n; i < end; i += n) {
        gnd_csr rows;

        n = panel_rows(j, end - i);
        rows = gnd_csr_slice(j->o->x, i, n);
        j->kern->spmm(panel, &rows, j->w, j->f, 0, NULL, 0, n);
        panel_copy(panel, j, i, &rows, false);
    }
}

/* The same with the kept and the dropped entries, all of them 1, apart. */
static void unit_rows_ahead(int64_t begin, int64_t end, void *arg)
{
    const unit_job *j = arg;
    const gnd_ahead *a = j->o->ahead;
    const int64_t f = j->f;
    gnd_real panel[PANEL];
    gnd_rest r;

    r.row = begin;
    r.x.n_row = 0;
    while (gnd_rest_next(&r, j->kern, a, end)) {
        const int64_t n = r.x.n_row;
        const gnd_csr rows = gnd_csr_slice(a->all, r.row, n);
        gnd_real *kept = a->y + r.row * f;

        r.x.val = r.kept.val = r.kept.row_val = NULL;
        j->kern->spmm(kept, &r.kept, j->w, f, 0, NULL, 0, n);
        j->kern->spmm(panel, &r.x, j->w, f, 0, NULL, 0, n);
        if (!r.whole)
            j->kern->axpy(panel, 1, kept, n * f);
        panel_copy(panel, j, r.row, &rows, false);
    }
}

/* The same from the sums that the validation pass has made. */
static void unit_rows_made(int64_t begin, int64_t end, void *arg)
{
    const unit_job *j = arg;

    for (int64_t i = begin, n; i < end; i += n) {
        gnd_real *kept = j->o->ahead->y + i * j->f;
        gnd_csr rows;

        n = panel_rows(j, end - i);
        rows = gnd_csr_slice(j->o->x, i, n);
        panel_copy(kept, j, i, &rows, false);
    }
}

static void dw_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const unit_job *j = arg;
    gnd_real panel[PANEL];

    for (int64_t i = 0; i < ROWS && j->f > j->o->f && (i + 1) * j->f <= PANEL; i++)
        memset(panel + i * j->f + j->o->f, 0, (size_t)(j->f - j->o->f) * sizeof *panel);
    for (int64_t i = begin, n; i < end; i += n) {
        gnd_csr rows;

        n = panel_rows(j, end - i);
        rows = gnd_csr_slice(j->o->x, i, n);
        panel_copy(panel, j, i, &rows, true);
        j->kern->spmm_t(dw, &rows, panel, j->f, 0, n);
    }
}

/* ---- hops ----------------------------------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    place to, from;
    int64_t f;
} copy_job;

static void copy_rows(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;

    j->kern->put(j->to.v + begin * j->to.stride, j->to.stride, j->from.v + begin * j->from.stride,
                 j->from.stride, j->f, NULL, end - begin);
}

static void copy(gnd_tape *t, int64_t n, place to, place from, int64_t f)
{
    gnd_parallel_for(t->pool, n, gnd_row_grain(n, n * f), n * f, copy_rows,
                     &(copy_job){t->kern, to, from, f});
}

/* Rows of a block start every half cache line, or rows of products would be in one more line. */
static int64_t stride_of(const hops_arg *o)
{
    enum { HALF_LINE = 32 / sizeof(gnd_real) };
    int64_t f = 0;

    for (int k = 1; k < o->n_block; k++)
        f = o->width[k] > f ? o->width[k] : f;
    return (f + HALF_LINE - 1) / HALF_LINE * HALF_LINE;
}

/* Memory for the blocks from 1 on, and for one more, with which they exchange it. */
static place *blocks_new(gnd_tape *t, const hops_arg *o, int64_t n, place *spare)
{
    const int64_t stride = stride_of(o);
    place *block = gnd_tape_alloc(t, o->n_block, sizeof *block);

    for (int k = 1; block && k < o->n_block; k++)
        block[k] = (place){gnd_tape_alloc(t, n * stride, sizeof(gnd_real)), stride};
    *spare = (place){gnd_tape_alloc(t, n * stride, sizeof(gnd_real)), stride};
    return gnd_tape_ok(t) ? block : NULL;
}

/* to = a from for a block of f columns. Products of large operators in panels of columns take
 * contiguous blocks. */
static void hop(gnd_tape *t, const gnd_csr *a, place to, place from, int64_t f)
{
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const int64_t n = a->n_row;
    const gnd_product_sizes sizes = gnd_product_sizes_of(a, f);
    gnd_real *x, *y;

    if (!gnd_panels_pay(a, f) && !gnd_product_by_ranges(&sizes)) {
        gnd_spmm_operator(
            t, to.v,
            &(gnd_product){.a = a, .x = from.v, .f = f, .xs = from.stride, .ys = to.stride});
        return;
    }
    x = gnd_tape_alloc(t, n * f, sizeof *x);
    y = gnd_tape_alloc(t, n * f, sizeof *y);
    if (!gnd_tape_ok(t))
        return;
    copy(t, n, (place){x, f}, from, f);
    if (gnd_panels_pay(a, f))
        gnd_panels_power(t, y, &(gnd_product){.a = a, .x = x, .f = f}, 1, false);
    else
        gnd_spmm_operator(t, y, &(gnd_product){.a = a, .x = x, .f = f});
    copy(t, n, to, (place){y, f}, f);
    gnd_arena_release(&t->arena, mark);
}

/* block = a^k block, with the memory of the spare one. last: where the result is written instead; v
 * NULL: nowhere. */
static void hops(gnd_tape *t, const gnd_csr *a, int k, place *block, place *spare, place last,
                 int64_t f)
{
    for (; k > 0 && gnd_tape_ok(t); k--) {
        const place old = *block;

        hop(t, a, k == 1 && last.v ? last : *spare, old, f);
        *block = *spare;
        *spare = old;
    }
}

/* ---- the weights ---------------------------------------------------------------------------- */

static const char kind = 0; /* its address is a part of the key */

/* The weights if they need not be copied: there is one matrix, with rows of whole lines or few
 * columns. */
static gnd_node *weights_alone(gnd_tape *t, const hops_arg *o)
{
    for (int k = 0; k < o->n_block && o->padded == o->f; k++)
        if (o->width[k] == o->f)
            return gnd_tape_node(t, o->w[k]);
    return NULL;
}

/* Where a validation pass leaves w, and where the next training pass finds it; NULL: nowhere. */
static kept_weights *kept_get(gnd_tape *t, const hops_arg *o, const gnd_dropped *x)
{
    const gnd_kept_key key = {.kind = &kind,
                              .of = gnd_tape_node(t, x->x)->sp,
                              .n = o->padded,
                              .depth = (int64_t)gnd_hash_name(x->place)};
    const int64_t size = o->d * o->padded;
    kept_weights *kept;

    if (o->ahead || weights_alone(t, o) || (!t->training && t->next < 0))
        return NULL;
    kept = gnd_tape_kept(t, &key);
    if (t->training)
        return kept && kept->v && kept->epoch == t->epoch ? kept : NULL;
    if (!kept) {
        kept = gnd_tape_store(t, 1, sizeof *kept);
        if (!kept)
            return NULL;
        *kept = (kept_weights){.epoch = -1};
        if (gnd_budget_take(&t->budget, size * (int64_t)sizeof *kept->v))
            kept->v = gnd_tape_store(t, size, sizeof *kept->v);
        gnd_tape_keep(t, &key, kept);
    }
    return kept->v && gnd_tape_ok(t) ? kept : NULL;
}

typedef struct {
    gnd_tape *t;
    const hops_arg *o;
    gnd_real *w; /* [d, padded] */
} weights_job;

static void join_rows(int64_t begin, int64_t end, void *arg)
{
    const weights_job *j = arg;
    const hops_arg *o = j->o;
    gnd_real *w = j->w + begin * o->padded;

    for (int k = 0; k < o->n_block; w += o->width[k++])
        if (o->width[k] > 0)
            j->t->kern->put(w, o->padded, gnd_tape_node(j->t, o->w[k])->v + begin * o->width[k],
                            o->width[k], o->width[k], NULL, end - begin);
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = o->f; c < o->padded; c++)
            j->w[i * o->padded + c] = 0;
}

/* w; NULL after an error. */
static const gnd_real *weights_get(gnd_tape *t, const hops_arg *o)
{
    const gnd_node *alone = weights_alone(t, o);
    const int64_t cost = o->d * o->padded;
    gnd_real *w;

    if (alone)
        return alone->v;
    if (o->kept && t->training) {
        o->kept->epoch = -1; /* it serves one pass */
        return o->kept->v;
    }
    w = o->kept ? o->kept->v : gnd_tape_alloc(t, cost, sizeof *w);
    if (!w)
        return NULL;
    gnd_parallel_for(t->pool, o->d, gnd_row_grain(o->d, cost), cost, join_rows,
                     &(weights_job){t, o, w});
    if (o->kept)
        o->kept->epoch = t->next;
    return w;
}

/* Adds dw to the gradients of the weights. */
static void part_rows(int64_t begin, int64_t end, void *arg)
{
    const weights_job *j = arg;
    const hops_arg *o = j->o;
    const gnd_real *dw = j->w;

    for (int k = 0; k < o->n_block; dw += o->width[k++]) {
        gnd_real *g = o->width[k] > 0 ? gnd_tape_node(j->t, o->w[k])->g : NULL;

        if (g)
            j->t->kern->put_add(g + begin * o->width[k], o->width[k], dw + begin * o->padded,
                                o->padded, o->width[k], end - begin);
    }
}

/* ---- the op --------------------------------------------------------------------------------- */

static void unit_hops_forward(gnd_tape *t, gnd_node *y)
{
    const hops_arg *o = y->arg;
    const int64_t n = y->rows, f = y->cols, cost = gnd_csr_nnz(o->x) * f;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    place spare, *block = blocks_new(t, o, n, &spare);
    const bool made = o->ahead && t->training;
    const gnd_real *w = made ? NULL : weights_get(t, o);
    int64_t at = o->width[0];

    if (!block || (!w && !made))
        return;
    block[0] = (place){y->v, f};
    gnd_parallel_for(t->pool, n, gnd_row_grain(n, cost), cost,
                     made       ? unit_rows_made
                     : o->ahead ? unit_rows_ahead
                                : unit_rows,
                     &(unit_job){t->kern, o, w, block, o->padded});
    if (made)
        o->ahead->epoch = -1; /* its sums serve one pass */
    for (int k = 1; k < o->n_block && gnd_tape_ok(t); at += o->width[k++])
        if (o->width[k] > 0)
            hops(t, o->s, k, &block[k], &spare, (place){y->v + at, f}, o->width[k]);
    gnd_arena_release(&t->arena, mark);
}

/* [ dw_0 | .. ] += U^T [ block_0 | block_1 | .. ] */
static void weights_back(gnd_tape *t, const hops_arg *o, const place *block, int64_t n)
{
    const gnd_node *alone = weights_alone(t, o);
    const int64_t size = o->d * o->padded;
    gnd_real *sum = alone ? alone->g : gnd_tape_alloc(t, size, sizeof *sum);

    if (!sum)
        return;
    if (!alone)
        memset(sum, 0, (size_t)size * sizeof *sum);
    gnd_sum_rows(t, sum,
                 &(gnd_row_sum){.fn = dw_rows,
                                .arg = &(unit_job){t->kern, o, NULL, block, o->padded},
                                .rows = n,
                                .size = size,
                                .cost = gnd_csr_nnz(o->x) * o->f});
    if (!alone)
        gnd_parallel_for(t->pool, o->d, gnd_row_grain(o->d, size), size, part_rows,
                         &(weights_job){t, o, sum});
}

static void unit_hops_backward(gnd_tape *t, gnd_node *y)
{
    const hops_arg *o = y->arg;
    const int64_t n = y->rows, f = y->cols;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    place spare, *block = blocks_new(t, o, n, &spare);
    int64_t at = o->width[0];

    if (!block)
        return;
    block[0] = (place){y->g, f};
    for (int k = 1; k < o->n_block && gnd_tape_ok(t); at += o->width[k++])
        if (o->width[k] > 0) {
            copy(t, n, block[k], (place){y->g + at, f}, o->width[k]);
            hops(t, o->st, k, &block[k], &spare, (place){NULL, 0}, o->width[k]);
        }
    if (gnd_tape_ok(t))
        weights_back(t, o, block, n);
    gnd_arena_release(&t->arena, mark);
}

const gnd_op gnd_op_unit_hops = {
    .name = "unit_hops",
    .forward = unit_hops_forward,
    .backward = unit_hops_backward,
};

/* x after dropout, a pattern or rows of length 1; ahead: x. */
static bool input_set(gnd_tape *t, hops_arg *o, const gnd_dropped *x)
{
    const gnd_node *xn = gnd_tape_node(t, x->x);
    gnd_var kept;

    if (!xn->sp->val && o->padded * GND_REST_ROWS <= PANEL)
        o->ahead = gnd_ahead_get(t, x->x, x->p, x->place, o->padded);
    if (o->ahead && t->training) {
        o->pattern = o->ahead->x;
        o->pattern.val = o->pattern.row_val = NULL; /* all values are equal */
        o->x = &o->pattern;
        return true;
    }
    kept = o->ahead      ? x->x
           : xn->sp->val ? gnd_drop_units(t, x->x, x->p, x->place)
                         : gnd_drop_units(t, gnd_narrow(t, x->x, o->f), x->p, x->place);
    if (gnd_tape_ok(t))
        o->x = gnd_tape_node(t, kept)->sp;
    return gnd_tape_ok(t);
}

gnd_var gnd_unit_hops(gnd_tape *t, const gnd_csr *s, const gnd_csr *st, const gnd_dropped *x,
                      const gnd_var *w, const int64_t *width, int n_block)
{
    const gnd_node *xn = gnd_tape_ok(t) ? gnd_tape_node(t, x->x) : NULL;
    int64_t *widths, rows, sum = 0;
    gnd_var *weights, lead = GND_NONE, y;
    gnd_real *unit;
    hops_arg *o;

    if (!xn)
        return GND_NONE;
    o = gnd_tape_alloc(t, 1, sizeof *o);
    widths = gnd_tape_alloc(t, n_block, sizeof *widths);
    weights = gnd_tape_alloc(t, n_block, sizeof *weights);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    memcpy(widths, width, (size_t)n_block * sizeof *widths);
    memcpy(weights, w, (size_t)n_block * sizeof *weights);
    for (int k = 0; k < n_block; k++) {
        const gnd_node *wn;

        if (width[k] == 0)
            continue;
        if (!gnd_check_dense(t, "unit_hops", w[k]))
            return GND_NONE;
        wn = gnd_tape_node(t, w[k]);
        if (wn->rows != xn->cols || wn->cols != width[k])
            return gnd_tape_fail(t, GND_ERR_SHAPE, "unit_hops: [%lld,%lld] x [%lld,%lld]",
                                 (long long)xn->rows, (long long)xn->cols, (long long)wn->rows,
                                 (long long)wn->cols);
        sum += width[k];
        if (lead.i < 0 || gnd_wants_grad(wn))
            lead = w[k];
    }
    if (!xn->sp || xn->row || s->n_row != xn->rows || s->n_col != xn->rows || sum < 1 ||
        sum > PANEL)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "unit_hops: [%lld,%lld] x [%lld,%lld], %lld columns",
                             (long long)s->n_row, (long long)s->n_col, (long long)xn->rows,
                             (long long)xn->cols, (long long)sum);
    rows = xn->rows;
    *o = (hops_arg){.s = s,
                    .st = st,
                    .w = weights,
                    .width = widths,
                    .n_block = n_block,
                    .d = xn->cols,
                    .f = sum,
                    .padded = (sum + LINE - 1) / LINE * LINE};
    if (o->padded < LINES_FROM * LINE || o->padded > PANEL)
        o->padded = sum;
    if (!input_set(t, o, x))
        return GND_NONE;
    unit = gnd_tape_alloc(t, SHORT, sizeof *unit);
    for (int64_t i = 0; unit && i < SHORT; i++)
        unit[i] = scale_of(i);
    o->unit = unit;
    o->kept = kept_get(t, o, x);
    y = gnd_tape_record(t, &gnd_op_unit_hops, 1, &lead, (gnd_shape){rows, sum}, o);
    if (gnd_tape_ok(t)) /* y has rows of x, not of w */
        gnd_tape_node(t, y)->row = NULL;
    return y;
}
