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

#include "kern/hubs.h"
#include "tape/list_order.h"
#include "tape/row_groups.h"

typedef struct {
    const gnd_csr *a, *at;
    const int32_t *row; /* [n_row] S */
    int64_t n_row, first, K;
    bool spend;   /* z may be overwritten: no later op reads it */
    gnd_csr pick; /* [n_row, n] takes the rows S of another matrix, values to be set; or empty */
} rows_arg;

static void rows_take(gnd_real *to, const gnd_real *from, const rows_arg *o, int64_t f)
{
    for (int64_t i = 0; i < o->n_row; i++)
        memcpy(to + i * f, from + o->row[i] * f, (size_t)f * sizeof *to);
}

/* Makes o->pick; false after an error. */
static bool pick_make(gnd_tape *t, rows_arg *o)
{
    gnd_csr *pick = &o->pick;

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
static void rows_sum(const gnd_kern *kern, gnd_real *y, const rows_arg *o, gnd_real c,
                     const gnd_real *from, int64_t f)
{
    for (int64_t i = 0; i < o->n_row; i++)
        o->pick.val[i] = c;
    kern->spmm(y, &o->pick, from, f, 1, y, 0, o->n_row);
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

/* ---- in order of degree ---------------------------------------------------------------------- */

/* The operator in order of degree; NULL: there is none, or too few products for it. */
static const gnd_hubs *hubs_of(const rows_arg *o)
{
    return o->first + o->K - 1 > 2 ? o->a->hubs : NULL;
}

/* o with the places of its rows. NULL after an error. */
static const rows_arg *at_places(gnd_tape *t, const rows_arg *o, const gnd_hubs *h)
{
    rows_arg *p = gnd_tape_alloc(t, 1, sizeof *p);
    int32_t *row = gnd_tape_alloc(t, o->n_row, sizeof *row);

    if (!p || !row)
        return NULL;
    for (int64_t i = 0; i < o->n_row; i++)
        row[i] = h->place[o->row[i]];
    *p = *o;
    p->row = row;
    return !o->pick.val || pick_make(t, p) ? p : NULL;
}

/* Where the rows of a hop go; see hops_there. */
typedef struct {
    const rows_arg *o;
    gnd_real *kept;
    int64_t stride;
    const gnd_real *alpha;
    gnd_real *y;
    int64_t f;
} hop_sink;

/* The rows `of` S of hop i, if they are requested. */
static void hop_take(gnd_tape *t, const hop_sink *s, const rows_arg *of, int64_t i,
                     const gnd_real *from)
{
    const int64_t k = i - of->first;
    gnd_real *hop;

    if (k < 0)
        return;
    if (!s->kept) {
        rows_sum(t->kern, s->y, of, s->alpha[k], from, s->f);
        return;
    }
    hop = s->kept + k * s->stride;
    rows_take(hop, from, of, s->f);
    if (s->alpha)
        t->kern->axpy(s->y, s->alpha[k], hop, of->n_row * s->f);
}

/* The hops in order of degree, but for the first and the last, of which only the rows S are
 * computed. */
static void hub_hops_there(gnd_tape *t, const gnd_hubs *h, const hop_sink *s, gnd_real *z,
                           gnd_real *turn[2])
{
    const rows_arg *o = s->o, *placed = at_places(t, o, h);
    const int64_t last = o->first + o->K - 1, f = s->f;
    gnd_real *now = turn[0], *next = turn[1];

    if (!placed)
        return;
    hop_take(t, s, o, 0, z);
    gnd_hubs_enter(now, h, GND_HUBS_THERE, z, f, t->pool);
    for (int64_t i = 1; i < last; i++) {
        gnd_real *was = now;

        gnd_hubs_times(next, h, GND_HUBS_THERE, &(gnd_hubs_product){.x = now, .f = f}, t->pool);
        now = next;
        next = was;
        hop_take(t, s, placed, i, now);
    }
    gnd_hubs_leave(next, h, GND_HUBS_THERE, now, f, false, t->pool);
    for (int64_t i = 0; i < o->n_row; i++)
        t->kern->spmm(now, o->a, next, f, 0, NULL, o->row[i], o->row[i] + 1);
    hop_take(t, s, o, last, now);
}

/* ---- hops ----------------------------------------------------------------------------------- */

/* Writes the rows S of hop first + k to kept + k stride for k < K (kept NULL: nowhere), and adds
 * alpha_k times them to y (alpha NULL: no sum). */
static void hops_there(gnd_tape *t, const hop_sink *s, const gnd_node *z)
{
    const rows_arg *o = s->o;
    const int64_t f = s->f, last = o->first + o->K - 1;
    const gnd_hubs *hubs = hubs_of(o);
    const gnd_row_groups *near = last > 0 && !hubs ? by_steps(t, o, o->a, last) : NULL;
    const gnd_real *from = z->v;
    gnd_real *turn[2] = {NULL, NULL};

    turn[0] = last > 0 ? buffer(t, z, o, z->g) : NULL;
    turn[1] = last > 1 ? buffer(t, z, o, z->v) : NULL;
    if (!gnd_tape_ok(t))
        return;
    if (hubs)
        hub_hops_there(t, hubs, s, z->v, turn);
    for (int64_t i = 0; i <= last && !hubs; i++) {
        gnd_real *to = i > 0 ? turn[(i - 1) % 2] : NULL;

        if (to && near)
            gnd_row_groups_spmm(t, to, near, &(gnd_product){.x = from, .f = f}, last - i);
        else if (to && (i < last || o->a->part))
            gnd_spmm_operator(t, to, &(gnd_product){.a = o->a, .x = from, .f = f});
        for (int64_t r = 0; to && !near && !o->a->part && i == last && r < o->n_row; r++)
            t->kern->spmm(to, o->a, from, f, 0, NULL, o->row[r], o->row[r] + 1);
        from = to ? to : from;
        hop_take(t, s, o, i, from);
    }
    if (turn[0] && turn[0] == z->g)
        memset(z->g, 0, (size_t)gnd_node_size(z) * sizeof *z->g);
}

/* The gradients of the rows S of each hop: G_k = g + k stride, times c_k; c NULL: 1. */
typedef struct {
    const rows_arg *o;
    const gnd_real *g;
    int64_t stride;
    const gnd_real *c;
    int64_t f;
} hop_source;

/* to += the gradient of hop i, if it is requested. */
static void source_add(gnd_tape *t, gnd_real *to, const hop_source *s, int64_t i)
{
    const int64_t k = i - s->o->first;

    if (k >= 0)
        rows_add(t->kern, to, s->c ? s->c[k] : 1, s->g + k * s->stride, s->o, s->f);
}

/* to = A^T from, which is zero outside the rows S, and becomes zero. */
static void scatter_rows(gnd_tape *t, gnd_real *to, gnd_real *from, const rows_arg *o, int64_t f)
{
    for (int64_t s = 0; s < o->n_row; s++) {
        t->kern->spmm_t(to, o->a, from, f, o->row[s], o->row[s] + 1);
        memset(from + o->row[s] * f, 0, (size_t)f * sizeof *from); /* S may contain a row twice */
    }
}

/* U_{last-1} in turn[(last - 1) % 2] -> dz, in order of degree. */
static void hub_hops_back(gnd_tape *t, const gnd_hubs *h, const hop_source *s, gnd_node *z,
                          gnd_real *turn[2])
{
    const rows_arg *o = s->o;
    const int64_t last = o->first + o->K - 1, f = s->f;

    gnd_hubs_enter(turn[last % 2], h, GND_HUBS_BACK, turn[(last - 1) % 2], f, t->pool);
    for (int64_t i = last - 2; i >= 0; i--) { /* U_i is in turn[(i + 1) % 2] */
        const int64_t k = i - o->first;
        gnd_real *to = turn[(i + 1) % 2];

        gnd_hubs_times(to, h, GND_HUBS_BACK, &(gnd_hubs_product){.x = turn[i % 2], .f = f},
                       t->pool);
        for (int64_t r = 0; k >= 0 && r < o->n_row; r++) {
            const int64_t place = h->place[o->row[r]];

            t->kern->axpy(to + place * f,
                          (s->c ? s->c[k] : 1) * gnd_hubs_scale(h, GND_HUBS_BACK, place),
                          s->g + k * s->stride + r * f, f);
        }
    }
    gnd_hubs_leave(z->g, h, GND_HUBS_BACK, turn[1], f, !o->spend, t->pool);
}

/* dz += sum_k c_k (A^T)^{first+k} scatter(G_k) */
static void hops_back(gnd_tape *t, const hop_source *s, gnd_node *z)
{
    const rows_arg *o = s->o;
    const int64_t f = s->f, last = o->first + o->K - 1;
    const size_t bytes = (size_t)gnd_node_size(z) * sizeof *z->g;
    const gnd_hubs *hubs = hubs_of(o);
    /* U_i is in turn[i % 2]; U_0 is dz itself only if z is spent, since dz may hold other terms */
    gnd_real *turn[2] = {o->spend ? z->g : NULL, NULL};
    const gnd_row_groups *near = last > 1 && !hubs ? by_steps(t, o, o->at, last) : NULL;
    const gnd_list_order *order =
        o->row == t->request ? gnd_list_order_get(t, o->a, o->at, 0) : NULL;

    if (last == 0) {
        source_add(t, z->g, s, 0);
        return;
    }
    turn[1] = buffer(t, z, o, z->v);
    if (!turn[0] && last > 1)
        turn[0] = gnd_tape_alloc(t, gnd_node_size(z), sizeof *z->g);
    if (!gnd_tape_ok(t))
        return;
    memset(turn[last % 2], 0, bytes);
    source_add(t, turn[last % 2], s, last);
    for (int64_t i = last - 1; i >= (hubs ? last - 1 : 0); i--) {
        gnd_real *to = i == 0 ? z->g : turn[i % 2], *from = turn[(i + 1) % 2];
        const gnd_product p = {.a = order && i == last - 1 ? &order->at : o->at,
                               .x = from,
                               .f = f,
                               .c = 1,
                               .z = i == 0 && !o->spend ? to : NULL};

        if (i == last - 1 && !o->a->part) {
            if (i > 0)
                memset(to, 0, bytes);
            scatter_rows(t, to, from, o, f);
        } else if (near)
            gnd_row_groups_spmm(t, to, near, &p, last - i);
        else
            gnd_spmm_operator(t, to, &p);
        source_add(t, to, s, i);
    }
    if (hubs)
        hub_hops_back(t, hubs, s, z, turn);
}

/* ---- hop_rows ------------------------------------------------------------------------------- */

static void hop_rows_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *z = gnd_tape_node(t, y->in[0]);

    hops_there(t, &(hop_sink){.o = y->arg, .kept = y->v, .stride = y->cols, .f = z->cols}, z);
}

static void hop_rows_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *z = gnd_tape_node(t, y->in[0]);

    hops_back(t, &(hop_source){.o = y->arg, .g = y->g, .stride = y->cols, .f = z->cols}, z);
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
    rows_arg of = *o;

    y->save = keep ? gnd_tape_alloc(t, o->K * size, sizeof *y->v) : NULL;
    memset(y->v, 0, (size_t)size * sizeof *y->v);
    if (!gnd_tape_ok(t) || (!keep && !pick_make(t, &of)))
        return;
    hops_there(
        t,
        &(hop_sink){
            .o = &of, .kept = y->save, .stride = size, .alpha = alpha->v, .y = y->v, .f = z->cols},
        z);
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
        hops_back(t, &(hop_source){.o = y->arg, .g = y->g, .c = alpha->v, .f = z->cols}, z);
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
    *o = (rows_arg){.a = h->a,
                    .at = h->at,
                    .row = h->row,
                    .n_row = h->n_row,
                    .first = h->first,
                    .K = K,
                    .spend = h->spend};
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
