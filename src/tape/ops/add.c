/* SPDX-License-Identifier: MIT
 * add.c - z = x + y and z = x - y, same shape [n, f]. */
#include "tape/op.h"

typedef struct {
    const gnd_real *x, *y;
    gnd_real *z;
} job;

static void add_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->z[i] = j->x[i] + j->y[i];
}

static void sub_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->z[i] = j->x[i] - j->y[i];
}

static void add_forward(gnd_tape *t, gnd_node *z)
{
    gnd_for_elements(t, gnd_node_size(z), 1, add_piece,
                     &(job){gnd_tape_node(t, z->in[0])->v, gnd_tape_node(t, z->in[1])->v, z->v});
}

static void sub_forward(gnd_tape *t, gnd_node *z)
{
    gnd_for_elements(t, gnd_node_size(z), 1, sub_piece,
                     &(job){gnd_tape_node(t, z->in[0])->v, gnd_tape_node(t, z->in[1])->v, z->v});
}

/* dx = dz, dy = sign dz */
static void backward(gnd_tape *t, gnd_node *z, gnd_real sign)
{
    gnd_node *x = gnd_tape_node(t, z->in[0]), *y = gnd_tape_node(t, z->in[1]);

    if (x->g)
        gnd_add_scaled(t, x->g, 1, z->g, gnd_node_size(z));
    if (y->g)
        gnd_add_scaled(t, y->g, sign, z->g, gnd_node_size(z));
}

static void add_backward(gnd_tape *t, gnd_node *z)
{
    backward(t, z, 1);
}

static void sub_backward(gnd_tape *t, gnd_node *z)
{
    backward(t, z, -1);
}

const gnd_op gnd_op_add = {.name = "add", .forward = add_forward, .backward = add_backward};
const gnd_op gnd_op_sub = {.name = "sub", .forward = sub_forward, .backward = sub_backward};

static gnd_var record(gnd_tape *t, const gnd_op *op, gnd_var x, gnd_var y)
{
    const gnd_node *xn, *yn;

    if (!gnd_check_dense(t, op->name, x) || !gnd_check_dense(t, op->name, y))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    yn = gnd_tape_node(t, y);
    if (xn->rows != yn->rows || xn->cols != yn->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "%s: [%lld,%lld] and [%lld,%lld]", op->name,
                             (long long)xn->rows, (long long)xn->cols, (long long)yn->rows,
                             (long long)yn->cols);
    return gnd_tape_record(t, op, 2, (gnd_var[]){x, y}, (gnd_shape){xn->rows, xn->cols}, NULL);
}

gnd_var gnd_add(gnd_tape *t, gnd_var x, gnd_var y)
{
    return record(t, &gnd_op_add, x, y);
}

gnd_var gnd_sub(gnd_tape *t, gnd_var x, gnd_var y)
{
    return record(t, &gnd_op_sub, x, y);
}
