/* SPDX-License-Identifier: MIT
 * elu.c - y = x for x > 0, else exp(x) - 1, element by element; the derivative is 1 or y + 1. */
#include <tgmath.h>

#include "tape/op.h"

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real x = j->x[i],
                       below = exp(x > 0 ? 0 : x) - 1; /* branch-free: x > 0 is unpredictable */

        j->out[i] = x > 0 ? x : below;
    }
}

static void elu_forward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_forward(t, y, 8, value_piece);
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real dy = j->dy[i], below = dy * (j->y[i] + 1);

        j->out[i] += j->x[i] > 0 ? dy : below;
    }
}

static void elu_backward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_backward(t, y, grad_piece);
}

const gnd_op gnd_op_elu = {.name = "elu", .forward = elu_forward, .backward = elu_backward};

gnd_var gnd_elu(gnd_tape *t, gnd_var x)
{
    return gnd_elements_record(t, &gnd_op_elu, x);
}
