/* SPDX-License-Identifier: MIT
 * op_tanh.c - y = tanh(x), element by element; the derivative is 1 - y^2. */
#include <tgmath.h>

#include "op.h"

typedef struct {
    const gnd_real *x, *y, *dy;
    gnd_real *out;
} job;

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->out[i] = tanh(j->x[i]);
}

static void tanh_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), 16, value_piece, &(job){.x = x->v, .out = y->v});
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->out[i] += j->dy[i] * (1 - j->y[i] * j->y[i]);
}

static void tanh_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), 1, grad_piece,
                     &(job){.x = x->v, .y = y->v, .dy = y->g, .out = x->g});
}

const gnd_op gnd_op_tanh = {.name = "tanh", .forward = tanh_forward, .backward = tanh_backward};

gnd_var gnd_tanh(gnd_tape *t, gnd_var x)
{
    if (!gnd_check_dense(t, "tanh", x))
        return GND_NONE;
    return gnd_tape_record(t, &gnd_op_tanh, 1, &x, gnd_tape_node(t, x)->rows,
                           gnd_tape_node(t, x)->cols, NULL);
}
