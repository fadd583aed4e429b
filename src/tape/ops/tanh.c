/* SPDX-License-Identifier: MIT
 * tanh.c - y = tanh(x), element by element; the derivative is 1 - y^2. */
#include "tape/op.h"

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    j->kern->tanh(j->out + begin, j->x + begin, NULL, end - begin);
}

static void tanh_forward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_forward(t, y, 4, value_piece);
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->out[i] += j->dy[i] * (1 - j->y[i] * j->y[i]);
}

static void tanh_backward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_backward(t, y, grad_piece);
}

const gnd_op gnd_op_tanh = {.name = "tanh", .forward = tanh_forward, .backward = tanh_backward};

gnd_var gnd_tanh(gnd_tape *t, gnd_var x)
{
    return gnd_elements_record(t, &gnd_op_tanh, x);
}
