/* SPDX-License-Identifier: MIT
 * diffuse_rows.c - rows S of the powers of an operator.  A: [n, n], z: [n, f].
 *
 *     hop_rows      y_k = (A^{first+k} z)_S,              y: [K, |S| f], row k holds hop k
 *     diffuse_rows  y = sum_k alpha_k (A^{first+k} z)_S,  y: [|S|, f]
 *
 * Forward: z, A z, A^2 z, .. alternate between two buffers; only the rows S of each hop are stored.
 * Backward by Horner; G_i, the gradient of hop i, has non-zero rows only in S:
 *
 *     U_top = scatter(G_top),  U_i = A^T U_{i+1} + scatter(G_i),  dz = U_0
 *
 * Hop i needs only the rows within top - i steps of S, and U_i is 0 in all others. With short rows
 * only these are computed (row_groups.h), else the last product forward and the first product
 * backward use the rows S only. If z may be
 * overwritten (spend), its value and gradient are the two buffers, and no other array has n
 * rows. In one of several processes every product is of all rows, since a row of S may be a copy.
 */
#include <string.h>

#include "tape/list_order.h"
#include "tape/row_groups.h"

typedef struct {
    const gnd_csr *a, *at;
    const int32_t *row; /* [n_row] S */
    int64_t n_row, first, K;
    bool spend; /* z may be overwritten: no later op reads it */
} rows_arg;

static void rows_take(gnd_real *to, const gnd_real *from, const rows_arg *o, int64_t f)
{
    for (int64_t i = 0; i < o->n_row; i++)
        memcpy(to + i * f, from + o->row[i] * f, (size_t)f * sizeof *to);
}

/* The matrix that takes the rows S of another: [|S|, n] with values to be set. false after an
 * error. */
static bool pick_make(gnd_tape *t, gnd_csr *pick, const rows_arg *o)
{
    *pick = (gnd_csr){.n_row = o->n_row, .n_col = o->a->n_col};
    pick->ptr = gnd_tape_alloc(t, o->n_row + 1, sizeof *pick->ptr);
    pick->col = gnd_tape_alloc(t, o->n_row, sizeof *pick->col);
    pick->val = gnd_tape_alloc(t, o->n_row, sizeof *pick->val);
    if (!gnd_tape_ok(t))
        return false;
    pick->ptr[0] = 0;
    for (int64_t i = 0; i < o->n_row; i++) {
        pick->ptr[i + 1] = i + 1;
        pick->col[i] = o->row[i];
    }
    return true;
}

/* y += c times the rows S of `from`. */
static void rows_sum(const gnd_kern *kern, gnd_real *y, const gnd_csr *pick, gnd_real c,
                     const gnd_real *from, int64_t f)
{
    for (int64_t i = 0; i < pick->n_row; i++)
        pick->val[i] = c;
    kern->spmm(y, pick, from, f, 1, y, 0, pick->n_row);
}

static void rows_add(const gnd_kern *kern, gnd_real *to, gnd_real c, const gnd_real *from,
                     const rows_arg *o, int64_t f)
{
    for (int64_t i = 0; i < o->n_row; i++)
        kern->axpy(to + o->row[i] * f, c, from + i * f, f);
}

/* m, which is A or its transpose, with its rows in the order of their steps from S; NULL: not
 * faster. */
static const gnd_row_groups *by_steps(gnd_tape *t, const rows_arg *o, const gnd_csr *m,
                                      int64_t last)
{
    if (!o->row || o->row != t->lasting || o->a->part)
        return NULL;
    return gnd_row_groups_get(t, m, o->a, (gnd_row_list){o->row, o->n_row}, last);
}

/* A buffer of the size of z: `own` if z may be overwritten. */
static gnd_real *buffer(gnd_tape *t, const gnd_node *z, const rows_arg *o, gnd_real *own)
{
    return o->spend && own ? own : gnd_tape_alloc(t, gnd_node_size(z), sizeof *own);
}

/* Writes the rows S of hop first + k to kept + k stride for k < K (kept NULL: nowhere), and adds
 * alpha_k times them to y (alpha NULL: no sum). */
static void hops_there(gnd_tape *t, const rows_arg *o, const gnd_node *z, gnd_real *kept,
                       int64_t stride, const gnd_real *alpha, gnd_real *y)
{
    const int64_t f = z->cols, last = o->first + o->K - 1;
    const gnd_row_groups *near = last > 0 ? by_steps(t, o, o->a, last) : NULL;
    const gnd_real *from = z->v;
    gnd_real *turn[2] = {NULL, NULL};
    gnd_csr pick = {0};

    turn[0] = last > 0 ? buffer(t, z, o, z->g) : NULL;
    turn[1] = last > 1 ? buffer(t, z, o, z->v) : NULL;
    if (!gnd_tape_ok(t) || (!kept && !pick_make(t, &pick, o)))
        return;
    for (int64_t i = 0; i <= last; i++) {
        gnd_real *to = i > 0 ? turn[(i - 1) % 2] : NULL, *hop;

        if (to && near)
            gnd_row_groups_spmm(t, to, near, &(gnd_product){.x = from, .f = f}, last - i);
        else if (to && (i < last || o->a->part))
            gnd_spmm_operator(t, to, &(gnd_product){.a = o->a, .x = from, .f = f});
        for (int64_t s = 0; to && !near && !o->a->part && i == last && s < o->n_row; s++)
            t->kern->spmm(to, o->a, from, f, 0, NULL, o->row[s], o->row[s] + 1);
        from = to ? to : from;
        if (i < o->first)
            continue;
        if (!kept) {
            rows_sum(t->kern, y, &pick, alpha[i - o->first], from, f);
            continue;
        }
        hop = kept + (i - o->first) * stride;
        rows_take(hop, from, o, f);
        if (alpha)
            t->kern->axpy(y, alpha[i - o->first], hop, o->n_row * f);
    }
    if (turn[0] && turn[0] == z->g)
        memset(z->g, 0, (size_t)gnd_node_size(z) * sizeof *z->g);
}

/* dz += sum_k c_k (A^T)^{first+k} scatter(G_k);  G_k = g + k stride, c NULL: 1. */
static void hops_back(gnd_tape *t, const rows_arg *o, gnd_node *z, const gnd_real *g,
                      int64_t stride, const gnd_real *c)
{
    const int64_t f = z->cols, last = o->first + o->K - 1;
    const size_t bytes = (size_t)gnd_node_size(z) * sizeof *z->g;
    /* U_i is in turn[i % 2]; U_0 is dz itself only if z is spent, since dz may hold other terms */
    gnd_real *turn[2] = {o->spend ? z->g : NULL, NULL};
    const gnd_row_groups *near = last > 1 ? by_steps(t, o, o->at, last) : NULL;
    const gnd_list_order *order =
        o->row == t->request ? gnd_list_order_get(t, o->a, o->at, 0) : NULL;

    if (last == 0) {
        rows_add(t->kern, z->g, c ? c[0] : 1, g, o, f);
        return;
    }
    turn[1] = buffer(t, z, o, z->v);
    if (!turn[0] && last > 1)
        turn[0] = gnd_tape_alloc(t, gnd_node_size(z), sizeof *z->g);
    if (!gnd_tape_ok(t))
        return;
    memset(turn[last % 2], 0, bytes);
    rows_add(t->kern, turn[last % 2], c ? c[o->K - 1] : 1, g + (o->K - 1) * stride, o, f);
    for (int64_t i = last - 1; i >= 0; i--) {
        gnd_real *to = i == 0 ? z->g : turn[i % 2], *from = turn[(i + 1) % 2];
        const gnd_product p = {.a = order && i == last - 1 ? &order->at : o->at,
                               .x = from,
                               .f = f,
                               .c = 1,
                               .z = i == 0 && !o->spend ? to : NULL};
        const int64_t k = i - o->first;

        if (i == last - 1 && !o->a->part) { /* `from` is zero outside the rows S */
            if (i > 0)
                memset(to, 0, bytes);
            for (int64_t s = 0; s < o->n_row; s++) {
                t->kern->spmm_t(to, o->a, from, f, o->row[s], o->row[s] + 1);
                memset(from + o->row[s] * f, 0,
                       (size_t)f * sizeof *from); /* S may contain a row twice */
            }
        } else if (near)
            gnd_row_groups_spmm(t, to, near, &p, last - i);
        else
            gnd_spmm_operator(t, to, &p);
        if (k >= 0)
            rows_add(t->kern, to, c ? c[k] : 1, g + k * stride, o, f);
    }
}

/* ---- hop_rows ------------------------------------------------------------------------------- */

static void hop_rows_forward(gnd_tape *t, gnd_node *y)
{
    hops_there(t, y->arg, gnd_tape_node(t, y->in[0]), y->v, y->cols, NULL, NULL);
}

static void hop_rows_backward(gnd_tape *t, gnd_node *y)
{
    hops_back(t, y->arg, gnd_tape_node(t, y->in[0]), y->g, y->cols, NULL);
}

const gnd_op gnd_op_hop_rows = {
    .name = "hop_rows",
    .forward = hop_rows_forward,
    .backward = hop_rows_backward,
};

/* ---- diffuse_rows --------------------------------------------------------------------------- */

static void diffuse_rows_forward(gnd_tape *t, gnd_node *y)
{
    const rows_arg *o = y->arg;
    const gnd_node *alpha = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const int64_t size = gnd_node_size(y);
    const bool keep = t->training && alpha->g; /* dalpha_k = <dy, hop k> */

    y->save = keep ? gnd_tape_alloc(t, o->K * size, sizeof *y->v) : NULL;
    memset(y->v, 0, (size_t)size * sizeof *y->v);
    if (gnd_tape_ok(t))
        hops_there(t, o, z, y->save, size, alpha->v, y->v);
}

static void diffuse_rows_backward(gnd_tape *t, gnd_node *y)
{
    const rows_arg *o = y->arg;
    gnd_node *alpha = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const int64_t size = gnd_node_size(y);
    const gnd_real *kept = y->save;

    for (int64_t k = 0; alpha->g && k < o->K; k++)
        alpha->g[k] += (gnd_real)t->kern->dot(kept + k * size, y->g, size);
    if (z->g)
        hops_back(t, o, z, y->g, 0, alpha->v);
}

const gnd_op gnd_op_diffuse_rows = {
    .name = "diffuse_rows",
    .forward = diffuse_rows_forward,
    .backward = diffuse_rows_backward,
};

/* ---- constructors --------------------------------------------------------------------------- */

static const rows_arg *arg_new(gnd_tape *t, const char *op, const gnd_row_hops *h, gnd_var z,
                               int64_t K)
{
    const gnd_operator_arg *check = gnd_operator_arg_new(t, op, h->a, h->at, z, h->first);
    rows_arg *o = check ? gnd_tape_alloc(t, 1, sizeof *o) : NULL;

    if (!o)
        return NULL;
    if (K < 1) {
        gnd_tape_fail(t, GND_ERR_SHAPE, "%s: %lld hops; expected at least 1", op, (long long)K);
        return NULL;
    }
    for (int64_t i = 0; i < h->n_row; i++)
        if (h->row[i] < 0 || h->row[i] >= h->a->n_row) {
            gnd_tape_fail(t, GND_ERR_SHAPE, "%s: row %d of %lld", op, h->row[i],
                          (long long)h->a->n_row);
            return NULL;
        }
    *o = (rows_arg){h->a, h->at, h->row, h->n_row, h->first, K, h->spend};
    return o;
}

gnd_var gnd_hop_rows(gnd_tape *t, const gnd_row_hops *h, gnd_var z, int64_t K)
{
    const rows_arg *o = arg_new(t, "hop_rows", h, z, K);

    if (!o)
        return GND_NONE;
    return gnd_tape_record(t, &gnd_op_hop_rows, 1, &z,
                           (gnd_shape){K, h->n_row * gnd_tape_node(t, z)->cols}, o);
}

gnd_var gnd_diffuse_rows(gnd_tape *t, const gnd_row_hops *h, gnd_var alpha, gnd_var z)
{
    const rows_arg *o;
    gnd_var y;

    if (!gnd_check_dense(t, "diffuse_rows", alpha))
        return GND_NONE;
    o = arg_new(t, "diffuse_rows", h, z, gnd_tape_node(t, alpha)->cols);
    if (!o)
        return GND_NONE;
    if (gnd_tape_node(t, alpha)->rows != 1)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "diffuse_rows: hop weights of %lld rows; expected 1",
                             (long long)gnd_tape_node(t, alpha)->rows);
    y = gnd_tape_record(t, &gnd_op_diffuse_rows, 2, (gnd_var[]){alpha, z},
                        (gnd_shape){h->n_row, gnd_tape_node(t, z)->cols}, o);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = h->row;
    return y;
}
