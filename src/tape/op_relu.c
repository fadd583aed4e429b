/* SPDX-License-Identifier: MIT
 * op_relu.c - y = max(x, 0), element by element; the derivative at 0 is 0. */
#include "op.h"

typedef struct {
    const gnd_real *x, *y, *dy;
    gnd_real *out;
} job;

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->out[i] = j->x[i] > 0 || j->x[i] != j->x[i] ? j->x[i] : 0; /* a NaN stays one */
}

static void relu_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), 1, value_piece, &(job){.x = x->v, .out = y->v});
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real dy = j->dy[i];

        j->out[i] += j->x[i] > 0 ? dy : 0;
    }
}

static void relu_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), 1, grad_piece,
                     &(job){.x = x->v, .y = y->v, .dy = y->g, .out = x->g});
}

const gnd_op gnd_op_relu = {.name = "relu", .forward = relu_forward, .backward = relu_backward};

gnd_var gnd_relu(gnd_tape *t, gnd_var x)
{
    if (!gnd_check_dense(t, "relu", x))
        return GND_NONE;
    return gnd_tape_record(t, &gnd_op_relu, 1, &x, gnd_tape_node(t, x)->rows,
                           gnd_tape_node(t, x)->cols, NULL);
}
