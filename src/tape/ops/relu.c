/* SPDX-License-Identifier: MIT
 * relu.c - y = max(x, 0), element by element; the derivative at 0 is 0. */
#include "tape/op.h"

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->out[i] = j->x[i] > 0 || j->x[i] != j->x[i] ? j->x[i] : 0; /* NaN passes */
}

static void relu_forward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_forward(t, y, 1, value_piece);
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real dy = j->dy[i];

        j->out[i] += j->x[i] > 0 ? dy : 0;
    }
}

static void relu_backward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_backward(t, y, grad_piece);
}

const gnd_op gnd_op_relu = {.name = "relu", .forward = relu_forward, .backward = relu_backward};

gnd_var gnd_relu(gnd_tape *t, gnd_var x)
{
    return gnd_elements_record(t, &gnd_op_relu, x);
}
