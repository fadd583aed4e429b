/* SPDX-License-Identifier: MIT
 * mul.c - z = x (.) y, element by element.  x, y, z: [n, f]. */
#include "tape/op.h"

typedef struct {
    const gnd_real *x, *y;
    gnd_real *z;        /* forward */
    const gnd_real *dz; /* backward */
    gnd_real *dx, *dy;  /* NULL: not needed */
} job;

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->z[i] = j->x[i] * j->y[i];
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; j->dx && i < end; i++)
        j->dx[i] += j->y[i] * j->dz[i];
    for (int64_t i = begin; j->dy && i < end; i++)
        j->dy[i] += j->x[i] * j->dz[i];
}

static void mul_forward(gnd_tape *t, gnd_node *z)
{
    const gnd_node *x = gnd_tape_node(t, z->in[0]), *y = gnd_tape_node(t, z->in[1]);

    gnd_for_elements(t, gnd_node_size(z), 1, value_piece, &(job){.x = x->v, .y = y->v, .z = z->v});
}

static void mul_backward(gnd_tape *t, gnd_node *z)
{
    gnd_node *x = gnd_tape_node(t, z->in[0]), *y = gnd_tape_node(t, z->in[1]);

    gnd_for_elements(t, gnd_node_size(z), 2, grad_piece,
                     &(job){.x = x->v, .y = y->v, .dz = z->g, .dx = x->g, .dy = y->g});
}

const gnd_op gnd_op_mul = {.name = "mul", .forward = mul_forward, .backward = mul_backward};

gnd_var gnd_mul(gnd_tape *t, gnd_var x, gnd_var y)
{
    const gnd_node *xn, *yn;

    if (!gnd_check_dense(t, "mul", x) || !gnd_check_dense(t, "mul", y))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    yn = gnd_tape_node(t, y);
    if (xn->rows != yn->rows || xn->cols != yn->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "mul: [%lld,%lld] and [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)yn->rows,
                             (long long)yn->cols);
    return gnd_tape_record(t, &gnd_op_mul, 2, (gnd_var[]){x, y}, (gnd_shape){xn->rows, xn->cols},
                           NULL);
}
