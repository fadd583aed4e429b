/* SPDX-License-Identifier: MIT
 * unit_products.c - y = [ U_1 w_1 | .. | U_n w_n ], U_k the sparse constant x_k with rows scaled to
 * Euclidean length 1.  x_k: [m, d], w_k: [d, f_k], y: [m, sum f_k].
 *
 *     dw_k = U_k^T dy_k
 *
 * An x_k without values has only entries 1. The length of a row is then the square root of their
 * number, the rows of the product are divided by it, and U_k is not stored. Consecutive products
 * with the same x are computed as one. A run of rows is copied to its columns of y while it is
 * in cache. */
#include <math.h>
#include <string.h>

#include "tape/op.h"

enum { ROWS = 64 }; /* rows per run */

/* Products first .. first + n - 1 share x. */
typedef struct {
    const gnd_csr *x;
    int first, n;
    int64_t f, at;  /* number of columns, and the first of them in y */
    gnd_real *w;    /* [d, f] concatenated weights; if n is 1, the weights themselves */
    gnd_real *part; /* [ROWS, f] */
} group;

typedef struct {
    const gnd_var *x, *w;
    int n;
} products_arg;

typedef struct {
    const gnd_kern *kern;
    const group *g;
    gnd_real *y;
    int64_t stride;
} job;

/* Groups the products of y and allocates scratch. Returns the number of groups, 0 after an
 * error. */
static int64_t groups_make(gnd_tape *t, const gnd_node *y, group **out)
{
    const products_arg *a = y->arg;
    group *g = gnd_tape_alloc(t, a->n, sizeof *g);
    int64_t n = 0, at = 0;

    for (int k = 0; g && k < a->n; k++) {
        const int64_t f = gnd_tape_node(t, a->w[k])->cols;

        if (k == 0 || a->x[k].i != a->x[k - 1].i)
            g[n++] = (group){.x = gnd_tape_node(t, a->x[k])->sp, .first = k, .at = at};
        g[n - 1].n++;
        g[n - 1].f += f;
        at += f;
    }
    for (int64_t i = 0; i < n; i++) {
        if (g[i].n > 1)
            g[i].w = gnd_tape_alloc(t, g[i].x->n_col * g[i].f, sizeof *g[i].w);
        g[i].part = gnd_tape_alloc(t, ROWS * g[i].f, sizeof *g[i].part);
    }
    *out = g;
    return gnd_tape_ok(t) ? n : 0;
}

/* Copies the weights of a group to g->w. */
static void weights_join(gnd_tape *t, const products_arg *a, const group *g)
{
    int64_t at = 0;

    for (int k = g->first; k < g->first + g->n; k++) {
        const gnd_node *w = gnd_tape_node(t, a->w[k]);

        for (int64_t i = 0; i < w->rows; i++)
            memcpy(g->w + i * g->f + at, w->v + i * w->cols, (size_t)w->cols * sizeof *w->v);
        at += w->cols;
    }
}

static void weights_part(gnd_tape *t, const products_arg *a, const group *g)
{
    int64_t at = 0;

    for (int k = g->first; k < g->first + g->n; k++) {
        const gnd_node *w = gnd_tape_node(t, a->w[k]);

        for (int64_t i = 0; w->g && i < w->rows; i++)
            t->kern->axpy(w->g + i * w->cols, 1, g->w + i * g->f + at, w->cols);
        at += w->cols;
    }
}

/* to = s from. s scales a row of n ones to length 1; rows with values already have length 1. */
static void row_scaled(gnd_real *restrict to, const gnd_real *restrict from, int64_t f,
                       const gnd_csr *x, int64_t i)
{
    const int64_t n = x->ptr[i + 1] - x->ptr[i];
    const gnd_real s = (gnd_real)(x->val || n == 0 ? 1 : 1 / sqrt((double)n));

    for (int64_t c = 0; c < f; c++)
        to[c] = s * from[c];
}

static void forward_group(const job *j, const group *g)
{
    for (int64_t i = 0; i < g->x->n_row; i += ROWS) {
        const int64_t n = g->x->n_row - i < ROWS ? g->x->n_row - i : ROWS;
        const gnd_csr rows = gnd_csr_slice(g->x, i, n);

        j->kern->spmm(g->part, &rows, g->w, g->f, 0, NULL, 0, n);
        for (int64_t r = 0; r < n; r++)
            row_scaled(j->y + (i + r) * j->stride + g->at, g->part + r * g->f, g->f, g->x, i + r);
    }
}

/* w += U^T dy */
static void backward_group(const job *j, const group *g)
{
    for (int64_t i = 0; i < g->x->n_row; i += ROWS) {
        const int64_t n = g->x->n_row - i < ROWS ? g->x->n_row - i : ROWS;
        const gnd_csr rows = gnd_csr_slice(g->x, i, n);

        for (int64_t r = 0; r < n; r++)
            row_scaled(g->part + r * g->f, j->y + (i + r) * j->stride + g->at, g->f, g->x, i + r);
        j->kern->spmm_t(g->w, &rows, g->part, g->f, 0, n);
    }
}

static void forward_groups(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        forward_group(j, &j->g[i]);
}

static void backward_groups(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        backward_group(j, &j->g[i]);
}

static void unit_products_forward(gnd_tape *t, gnd_node *y)
{
    const products_arg *a = y->arg;
    int64_t cost = 0;
    group *g;
    const int64_t n = groups_make(t, y, &g);

    for (int64_t i = 0; i < n; i++) {
        if (g[i].n > 1)
            weights_join(t, a, &g[i]);
        else
            g[i].w = gnd_tape_node(t, a->w[g[i].first])->v;
        cost += gnd_csr_nnz(g[i].x) * g[i].f;
    }
    y->save = g;
    gnd_parallel_for(t->pool, n, 1, cost, forward_groups, &(job){t->kern, g, y->v, y->cols});
}

static void unit_products_backward(gnd_tape *t, gnd_node *y)
{
    const products_arg *a = y->arg;
    int64_t cost = 0, n = 0;
    group *g = y->save;

    for (int k = 0; k < a->n; k += g[n++].n) {
        const gnd_node *w = gnd_tape_node(t, a->w[k]);

        if (g[n].n > 1)
            memset(g[n].w, 0, (size_t)(g[n].x->n_col * g[n].f) * sizeof *g[n].w);
        else if (w->g)
            g[n].w = w->g;
        else /* scratch: this gradient is not used */
            g[n].w = gnd_tape_alloc(t, g[n].x->n_col * g[n].f, sizeof *g[n].w);
        cost += gnd_csr_nnz(g[n].x) * g[n].f;
    }
    if (!gnd_tape_ok(t))
        return;
    gnd_parallel_for(t->pool, n, 1, cost, backward_groups, &(job){t->kern, g, y->g, y->cols});
    for (int64_t i = 0; i < n; i++)
        if (g[i].n > 1)
            weights_part(t, a, &g[i]);
}

const gnd_op gnd_op_unit_products = {
    .name = "unit_products",
    .forward = unit_products_forward,
    .backward = unit_products_backward,
};

/* The number of columns of all products; -1 after an error. *lead: a product that needs a
 * gradient, if any does. */
static int64_t products_check(gnd_tape *t, const gnd_var *x, const gnd_var *w, int n, int *lead)
{
    int64_t cols = 0;

    *lead = 0;
    for (int k = 0; k < n; k++) {
        const gnd_node *xn, *wn;

        if (!gnd_check_dense(t, "unit_products", w[k]))
            return -1;
        xn = gnd_tape_node(t, x[k]);
        wn = gnd_tape_node(t, w[k]);
        if (!xn->sp || xn->cols != wn->rows || xn->rows != gnd_tape_node(t, x[0])->rows) {
            gnd_tape_fail(t, GND_ERR_SHAPE, "unit_products: %s [%lld,%lld] x [%lld,%lld]",
                          xn->sp ? "sparse" : "dense", (long long)xn->rows, (long long)xn->cols,
                          (long long)wn->rows, (long long)wn->cols);
            return -1;
        }
        cols += wn->cols;
        if (gnd_wants_grad(wn))
            *lead = k;
    }
    return cols;
}

gnd_var gnd_unit_products(gnd_tape *t, const gnd_var *x, const gnd_var *w, int n)
{
    gnd_var *xs, *ws;
    products_arg *a;
    int64_t cols;
    int lead;
    gnd_var y;

    if (n < 1)
        return gnd_tape_fail(t, GND_ERR_ARG, "unit_products: no matrices");
    cols = products_check(t, x, w, n, &lead);
    xs = gnd_tape_alloc(t, n, sizeof *xs);
    ws = gnd_tape_alloc(t, n, sizeof *ws);
    a = gnd_tape_alloc(t, 1, sizeof *a);
    if (cols < 0 || !gnd_tape_ok(t))
        return GND_NONE;
    memcpy(xs, x, (size_t)n * sizeof *xs);
    memcpy(ws, w, (size_t)n * sizeof *ws);
    *a = (products_arg){xs, ws, n};
    y = gnd_tape_record(t, &gnd_op_unit_products, 1, &w[lead],
                        (gnd_shape){gnd_tape_node(t, x[0])->rows, cols}, a);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = gnd_tape_node(t, x[0])->row;
    return y;
}

gnd_var gnd_drop_units(gnd_tape *t, gnd_var x, double p, const char *place)
{
    const gnd_var kept = gnd_dropout(t, x, p, place);
    const gnd_node *from;
    gnd_csr *pattern;
    gnd_var y;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    from = gnd_tape_node(t, x);
    if (!from->sp)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "drop_units: takes a sparse matrix");
    if (from->sp->val)
        return gnd_row_l2(t, kept);
    if (kept.i == x.i)
        return x;
    from = gnd_tape_node(t, kept);
    pattern = gnd_tape_alloc(t, 1, sizeof *pattern);
    if (!pattern)
        return GND_NONE;
    *pattern = *from->sp;
    pattern->val = pattern->row_val = NULL; /* all values are equal */
    y = gnd_sparse(t, pattern);
    if (gnd_tape_ok(t)) {
        from = gnd_tape_node(t, kept); /* gnd_sparse may move the nodes */
        gnd_tape_node(t, y)->row = from->row;
        gnd_tape_node(t, y)->room = from->room;
    }
    return y;
}
