/* SPDX-License-Identifier: MIT
 * tape.c - records the ops of a pass and runs their backward functions in reverse order. */
#include "tape.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "op.h"

gnd_status gnd_tape_new(gnd_tape **out, gnd_pool *pool, gnd_error *err)
{
    gnd_tape *t = gnd_alloc(1, sizeof *t);

    *out = t;
    if (!t)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a tape");
    t->pool = pool;
    t->kern = gnd_kern_get();
    return GND_OK;
}

void gnd_tape_free(gnd_tape *t)
{
    if (!t)
        return;
    gnd_arena_fini(&t->arena);
    gnd_arena_fini(&t->store);
    gnd_free(t->node);
    gnd_free(t);
}

void gnd_tape_reset(gnd_tape *t, bool training, int64_t epoch)
{
    gnd_arena_reset(&t->arena);
    t->n_node = 0;
    t->training = training;
    t->epoch = epoch;
    t->next = -1;
    gnd_tape_request(t, NULL, 0);
    t->status = GND_OK;
    gnd_error_clear(&t->err);
}

void gnd_tape_request(gnd_tape *t, const int32_t *rows, int64_t n)
{
    t->request = rows;
    t->n_request = n;
    t->lasting = NULL;
}

void gnd_tape_request_again(gnd_tape *t, const int32_t *rows, int64_t n)
{
    gnd_tape_request(t, rows, n);
    t->lasting = rows;
}

gnd_status gnd_tape_check(const gnd_tape *t, gnd_error *err)
{
    return t->status == GND_OK ? GND_OK : gnd_fail(err, t->status, "%s", t->err.msg);
}

gnd_var gnd_tape_fail(gnd_tape *t, gnd_status code, const char *fmt, ...)
{
    va_list ap;

    if (t->status == GND_OK) {
        t->status = t->err.code = code;
        va_start(ap, fmt);
        vsnprintf(t->err.msg, sizeof t->err.msg, fmt, ap);
        va_end(ap);
    }
    return GND_NONE;
}

void *gnd_tape_alloc(gnd_tape *t, int64_t n, size_t size)
{
    void *p = gnd_tape_ok(t) ? gnd_arena_alloc(&t->arena, n, size) : NULL;

    if (!p)
        gnd_tape_fail(t, GND_ERR_NOMEM, "no memory for %lld values of a pass", (long long)n);
    return p;
}

gnd_tape_mark gnd_tape_mark_get(const gnd_tape *t)
{
    return (gnd_tape_mark){gnd_arena_mark_get(&t->arena), t->n_node};
}

void gnd_tape_release(gnd_tape *t, gnd_tape_mark mark)
{
    assert(!t->training);
    gnd_arena_release(&t->arena, mark.arena);
    t->n_node = mark.n_node;
}

void *gnd_tape_store(gnd_tape *t, int64_t n, size_t size)
{
    void *p = gnd_tape_ok(t) ? gnd_arena_alloc(&t->store, n, size) : NULL;

    if (!p)
        gnd_tape_fail(t, GND_ERR_NOMEM, "no memory for %lld values between passes", (long long)n);
    return p;
}

struct gnd_kept {
    gnd_kept *next;
    gnd_kept_key key;
    void *made;
};

static bool key_equal(const gnd_kept_key *a, const gnd_kept_key *b)
{
    return a->kind == b->kind && a->of == b->of && a->rows == b->rows && a->n == b->n &&
           a->depth == b->depth;
}

void *gnd_tape_kept(const gnd_tape *t, const gnd_kept_key *key)
{
    for (const gnd_kept *k = t->kept; k; k = k->next)
        if (key_equal(&k->key, key))
            return k->made;
    return NULL;
}

void gnd_tape_keep(gnd_tape *t, const gnd_kept_key *key, void *made)
{
    gnd_kept *k = gnd_tape_store(t, 1, sizeof *k);

    if (!k)
        return;
    *k = (gnd_kept){t->kept, *key, made};
    t->kept = k;
}

/* Appends a zeroed node. Invalidates pointers to nodes. */
static gnd_node *node_add(gnd_tape *t)
{
    enum { FIRST = 64 };

    if (t->n_node == t->cap_node) {
        const int32_t cap = t->cap_node ? 2 * t->cap_node : FIRST;
        gnd_node *grown =
            t->cap_node <= INT32_MAX / 2 ? gnd_realloc(t->node, cap, sizeof *grown) : NULL;

        if (!grown) {
            gnd_tape_fail(t, GND_ERR_NOMEM, "no memory for %d nodes of a pass", cap);
            return NULL;
        }
        t->node = grown;
        t->cap_node = cap;
    }
    return memset(&t->node[t->n_node++], 0, sizeof *t->node);
}

static gnd_var leaf(gnd_tape *t, const gnd_node *like)
{
    gnd_node *x = gnd_tape_ok(t) ? node_add(t) : NULL;

    if (!x)
        return GND_NONE;
    *x = *like;
    return (gnd_var){t->n_node - 1};
}

gnd_var gnd_constant(gnd_tape *t, const gnd_real *v, int64_t rows, int64_t cols)
{
    return leaf(t, &(gnd_node){.rows = rows, .cols = cols, .v = (gnd_real *)v});
}

gnd_var gnd_sparse(gnd_tape *t, const gnd_csr *x)
{
    return leaf(t, &(gnd_node){.rows = x->n_row, .cols = x->n_col, .sp = x});
}

gnd_var gnd_input(gnd_tape *t, const gnd_csr *x)
{
    return leaf(t, &(gnd_node){.rows = x->n_row, .cols = x->n_col, .sp = x, .lasts = true});
}

gnd_var gnd_parameter(gnd_tape *t, gnd_real *v, gnd_real *g, int64_t rows, int64_t cols)
{
    return leaf(t, &(gnd_node){.rows = rows, .cols = cols, .v = v, .g = g});
}

gnd_var gnd_detach(gnd_tape *t, gnd_var x)
{
    gnd_node like;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    if (t->open)
        return x;
    like = *gnd_tape_node(t, x);
    return leaf(t, &(gnd_node){.rows = like.rows,
                               .cols = like.cols,
                               .v = like.v,
                               .sp = like.sp,
                               .row = like.row,
                               .whole = like.whole});
}

gnd_var gnd_reshape(gnd_tape *t, gnd_var x, int64_t rows, int64_t cols)
{
    gnd_node like;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    like = *gnd_tape_node(t, x);
    if (like.sp || rows * cols != like.rows * like.cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "reshape: [%lld,%lld] to [%lld,%lld]",
                             (long long)like.rows, (long long)like.cols, (long long)rows,
                             (long long)cols);
    return leaf(t, &(gnd_node){.rows = rows, .cols = cols, .v = like.v, .g = like.g});
}

/* Is there no error, and has the caller not asked to stop? */
static bool goes_on(gnd_tape *t)
{
    if (gnd_pool_stopped(t->pool))
        gnd_tape_fail(t, GND_ERR_STOPPED, "stopped in a pass");
    return gnd_tape_ok(t);
}

/* A node with its inputs; *needs_grad: at least one of them needs a gradient. NULL after an error.
 */
static gnd_node *node_new(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in,
                          gnd_shape shape, const void *arg, bool *needs_grad)
{
    gnd_node *y = goes_on(t) ? node_add(t) : NULL;

    if (!y)
        return NULL;
    y->op = op;
    y->rows = shape.rows;
    y->cols = shape.cols;
    y->arg = arg;
    y->n_in = n_in;
    *needs_grad = false;
    for (int i = 0; i < n_in; i++) {
        y->in[i] = in[i];
        *needs_grad |= t->training && gnd_wants_grad(gnd_tape_node(t, in[i]));
    }
    if (n_in > 0 && gnd_tape_node(t, in[0])->rows == shape.rows)
        y->row =
            gnd_tape_node(t, in[0])->row; /* element-wise ops and products keep the order of rows */
    return y;
}

gnd_var gnd_tape_record(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in, gnd_shape shape,
                        const void *arg)
{
    const int64_t size = shape.rows * shape.cols;
    bool needs_grad;
    gnd_node *y = node_new(t, op, n_in, in, shape, arg, &needs_grad);

    if (!y)
        return GND_NONE;
    y->v = gnd_tape_alloc(t, size, sizeof *y->v);
    if (needs_grad && gnd_tape_ok(t))
        y->g = gnd_tape_alloc(t, size, sizeof *y->g);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    if (y->g)
        memset(y->g, 0, (size_t)size * sizeof *y->g);
    op->forward(t, y);
    return gnd_tape_ok(t) ? (gnd_var){t->n_node - 1} : GND_NONE;
}

gnd_var gnd_tape_record_over(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in,
                             const void *arg)
{
    const gnd_node *x = gnd_tape_ok(t) ? gnd_tape_node(t, in[0]) : NULL;
    bool needs_grad;
    gnd_node *y =
        x ? node_new(t, op, n_in, in, (gnd_shape){x->rows, x->cols}, arg, &needs_grad) : NULL;

    if (!y)
        return GND_NONE;
    x = gnd_tape_node(t, in[0]); /* node_new may move the nodes */
    y->v = x->v;
    y->g = x->g;
    op->forward(t, y);
    return gnd_tape_ok(t) ? (gnd_var){t->n_node - 1} : GND_NONE;
}

void gnd_tape_backward(gnd_tape *t, gnd_var root)
{
    gnd_node *y;

    if (!gnd_tape_ok(t))
        return;
    y = gnd_tape_node(t, root);
    if (y->rows != 1 || y->cols != 1) {
        gnd_tape_fail(t, GND_ERR_SHAPE, "backward: [%lld,%lld]; expected [1,1]", (long long)y->rows,
                      (long long)y->cols);
        return;
    }
    if (!y->g)
        return; /* root does not depend on a parameter */
    y->g[0] += 1;
    for (int32_t i = root.i; i >= 0 && goes_on(t); i--)
        if (t->node[i].op && t->node[i].g)
            t->node[i].op->backward(t, &t->node[i]);
}
