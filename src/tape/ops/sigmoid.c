/* SPDX-License-Identifier: MIT
 * sigmoid.c - y = 1 / (1 + exp(-x)), element by element; the derivative is y (1 - y).
 *
 * Computed as (1 + tanh(x / 2)) / 2, which does not overflow. */
#include "tape/op.h"

enum { PART = 64 }; /* elements that are halved at a time */

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;
    const gnd_real half = (gnd_real)0.5;
    gnd_real x[PART], y[PART];

    for (int64_t e = begin; e < end; e += PART) {
        const int64_t n = end - e < PART ? end - e : PART;

        for (int64_t i = 0; i < n; i++)
            x[i] = half * j->x[e + i];
        j->kern->tanh(y, x, NULL, n);
        for (int64_t i = 0; i < n; i++)
            j->out[e + i] = half + half * y[i];
    }
}

static void sigmoid_forward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_forward(t, y, 4, value_piece);
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const gnd_elements *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->out[i] += j->dy[i] * j->y[i] * (1 - j->y[i]);
}

static void sigmoid_backward(gnd_tape *t, gnd_node *y)
{
    gnd_elements_backward(t, y, grad_piece);
}

const gnd_op gnd_op_sigmoid = {
    .name = "sigmoid",
    .forward = sigmoid_forward,
    .backward = sigmoid_backward,
};

gnd_var gnd_sigmoid(gnd_tape *t, gnd_var x)
{
    return gnd_elements_record(t, &gnd_op_sigmoid, x);
}
