/* SPDX-License-Identifier: MIT
 * hidden_layer.c - y = h w2 with h = M(relu(x w1)), M dropout.  x: sparse [n, d], w1: [d, k],
 * w2: [k, f], y: [n, f].
 *
 *     dw2 = h^T dy     dz = s dy w2^T where h > 0, else 0, s = 1 / (1 - p)     dw1 = x^T dz
 *
 * h > 0 exactly where the ReLU is active and the element is kept. The result has the same bits as
 * the separate ops, but neither dz nor, in evaluation, h is ever stored as a whole: a panel of rows
 * is used while it is in the cache, and overwritten by the next panel. A training pass stores h if
 * it fits t->budget; else the backward pass computes its panels again, which takes 1.5 times as
 * long. */
#include "tape/op.h"

enum { WORD = 64, PANEL = 8192 }; /* values of a panel of h */

typedef struct {
    const gnd_csr *x;
    int64_t k;
    bool drops;
    gnd_drop_law law;
    gnd_real scale;
    gnd_real *h;           /* [n, k] or NULL */
    const int32_t *global; /* number of a row in the whole graph; NULL: the same */
} hidden_arg;

typedef struct {
    const gnd_kern *kern;
    const hidden_arg *o;
    const gnd_real *w1, *w2; /* w2: its transpose in the backward pass */
    gnd_real *y;             /* backward: dy */
    int64_t f;
} job;

static int64_t panel_end(const job *j, int64_t row, int64_t end)
{
    const int64_t rows = PANEL / j->o->k;

    return end - row < rows ? end : row + rows;
}

/* Dropout of n values of h, of which the first has number `first` in the matrix of all vertices. */
static void drop(gnd_real *h, const job *j, int64_t first, int64_t n)
{
    for (int64_t e = 0; e < n; e += WORD) {
        const int64_t m = n - e < WORD ? n - e : WORD;
        const uint64_t keep = j->kern->kept(&j->o->law, first + e, m);

        j->kern->choose(h + e, h + e, j->o->scale, &keep, m);
    }
}

/* Rows begin..end-1 of h. */
static void panel_make(gnd_real *h, const job *j, int64_t begin, int64_t end)
{
    const hidden_arg *o = j->o;
    const gnd_csr x = gnd_csr_slice(o->x, begin, end - begin);
    const int64_t n = x.n_row * o->k;

    j->kern->spmm(h, &x, j->w1, o->k, 0, NULL, 0, x.n_row);
    for (int64_t e = 0; e < n; e++)
        h[e] = h[e] > 0 ? h[e] : 0;
    if (o->drops && !o->global)
        drop(h, j, begin * o->k, n);
    for (int64_t i = begin; o->drops && o->global && i < end; i++)
        drop(h + (i - begin) * o->k, j, o->global[i] * o->k, o->k);
}

/* The same in the backward pass: the stored rows, or those made again in `own`. */
static const gnd_real *panel_get(gnd_real *own, const job *j, int64_t begin, int64_t end)
{
    if (j->o->h)
        return j->o->h + begin * j->o->k;
    panel_make(own, j, begin, end);
    return own;
}

static void forward_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const hidden_arg *o = j->o;
    gnd_real own[PANEL];

    for (int64_t row = begin, last; row < end; row = last) {
        gnd_real *h = o->h ? o->h + row * o->k : own;

        last = panel_end(j, row, end);
        panel_make(h, j, row, last);
        j->kern->gemm(j->y + row * j->f, h, j->w2, o->k, j->f, 0, last - row);
    }
}

static void dw2_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;
    gnd_real own[PANEL];

    for (int64_t row = begin, last; row < end; row = last) {
        last = panel_end(j, row, end);
        j->kern->gemm_t(dw, panel_get(own, j, row, last), j->y + row * j->f, j->o->k, j->f, 0,
                        last - row);
    }
}

static void dw1_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;
    const int64_t k = j->o->k;
    gnd_real own[PANEL], dz[PANEL];

    for (int64_t row = begin, last; row < end; row = last) {
        const gnd_real *h;
        gnd_csr x;

        last = panel_end(j, row, end);
        x = gnd_csr_slice(j->o->x, row, last - row);
        h = panel_get(own, j, row, last);
        j->kern->gemm(dz, j->y + row * j->f, j->w2, j->f, k, 0, x.n_row);
        for (int64_t e = 0; e < x.n_row * k; e++) {
            const gnd_real g = dz[e] * j->o->scale;

            dz[e] = h[e] > 0 ? g : 0;
        }
        j->kern->spmm_t(dw, &x, dz, k, 0, x.n_row);
    }
}

static void hidden_layer_forward(gnd_tape *t, gnd_node *y)
{
    const hidden_arg *o = y->arg;
    const int64_t cost = (gnd_csr_nnz(o->x) + y->rows * y->cols) * o->k;

    /* whole panels, since the dense product takes many rows at once */
    gnd_parallel_for(t->pool, y->rows, gnd_grain_limit(PANEL / o->k, y->rows), cost, forward_rows,
                     &(job){t->kern, o, gnd_tape_node(t, y->in[0])->v,
                            gnd_tape_node(t, y->in[1])->v, y->v, y->cols});
}

static void hidden_layer_backward(gnd_tape *t, gnd_node *y)
{
    const hidden_arg *o = y->arg;
    gnd_node *w1 = gnd_tape_node(t, y->in[0]), *w2 = gnd_tape_node(t, y->in[1]);
    const int64_t k = o->k, f = y->cols;
    const gnd_row_range own = gnd_part_own(t->part, y->rows);
    const int64_t n_own = own.end - own.begin, entries = o->x->ptr[own.end] - o->x->ptr[own.begin];
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    gnd_real *turned = gnd_tape_alloc(t, k * f, sizeof *turned);
    const job j = {t->kern, o, w1->v, turned, y->g, f};

    if (!turned)
        return;
    for (int64_t i = 0; i < k; i++)
        for (int64_t c = 0; c < f; c++)
            turned[c * k + i] = w2->v[i * f + c];
    if (w2->g)
        gnd_sum_vertices(t, w2->g, &(gnd_row_sum){dw2_rows, &j, y->rows, k * f, n_own * k * f});
    if (w1->g)
        gnd_sum_vertices(t, w1->g,
                         &(gnd_row_sum){dw1_rows, &j, y->rows, gnd_node_size(w1), entries * k});
    gnd_arena_release(&t->arena, mark);
}

const gnd_op gnd_op_hidden_layer = {
    .name = "hidden_layer",
    .forward = hidden_layer_forward,
    .backward = hidden_layer_backward,
};

static hidden_arg *arg_new(gnd_tape *t, const gnd_csr *x, int64_t k, double p, const char *place)
{
    hidden_arg *o = gnd_tape_alloc(t, 1, sizeof *o);

    if (!o)
        return NULL;
    *o = (hidden_arg){.x = x, .k = k, .scale = 1, .global = t->part ? t->part->global : NULL};
    if (t->training && p > 0) {
        o->drops = true;
        o->law = gnd_mask_law(t, p, place);
        o->scale = (gnd_real)(1 / (1 - p));
    }
    if (t->training && x->n_row * k <= gnd_budget_left(&t->budget) / (int64_t)sizeof *o->h)
        o->h = gnd_tape_alloc(t, x->n_row * k, sizeof *o->h);
    return gnd_tape_ok(t) ? o : NULL;
}

gnd_var gnd_hidden_layer(gnd_tape *t, gnd_var x, gnd_var w1, double p, const char *place,
                         gnd_var w2)
{
    const gnd_node *xn = gnd_tape_ok(t) ? gnd_tape_node(t, x) : NULL, *w1n, *w2n;
    hidden_arg *o;
    gnd_var y;

    /* Use the separate ops if x is dense or a part of the rows, given masks are used, or a row is
     * longer than a panel. */
    if (!xn || !xn->sp || xn->row || t->mask || gnd_tape_node(t, w1)->cols > PANEL)
        return gnd_matmul(t, gnd_activate(t, gnd_matmul(t, x, w1), GND_NONE, p, place), w2);
    if (!gnd_check_dense(t, "hidden_layer", w1) || !gnd_check_dense(t, "hidden_layer", w2))
        return GND_NONE;
    if (!(p >= 0 && p < 1))
        return gnd_tape_fail(t, GND_ERR_ARG, "hidden_layer %s: a rate of %g; expected 0 <= p < 1",
                             place, p);
    w1n = gnd_tape_node(t, w1);
    w2n = gnd_tape_node(t, w2);
    if (xn->cols != w1n->rows || w1n->cols != w2n->rows || w1n->cols == 0)
        return gnd_tape_fail(t, GND_ERR_SHAPE,
                             "hidden_layer: [%lld,%lld] x [%lld,%lld] x [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)w1n->rows,
                             (long long)w1n->cols, (long long)w2n->rows, (long long)w2n->cols);
    o = arg_new(t, xn->sp, w1n->cols, p, place);
    if (!o)
        return GND_NONE;
    y = gnd_tape_record(t, &gnd_op_hidden_layer, 2, (gnd_var[]){w1, w2},
                        (gnd_shape){o->x->n_row, w2n->cols}, o);
    if (gnd_tape_ok(t)) /* y has rows of x, not of w1 */
        gnd_tape_node(t, y)->row = NULL;
    return y;
}
