/* SPDX-License-Identifier: MIT
 * op_elu.c - y = x for x > 0, else exp(x) - 1; the derivative is 1 or y + 1. */
#include <tgmath.h>

#include "op.h"

typedef struct {
    const gnd_real *x, *y, *dy;
    gnd_real *out;
} job;

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real x = j->x[i], below = exp(x > 0 ? 0 : x) - 1; /* no branch to mispredict */

        j->out[i] = x > 0 ? x : below;
    }
}

static void elu_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), 8, value_piece, &(job){.x = x->v, .out = y->v});
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real dy = j->dy[i], below = dy * (j->y[i] + 1);

        j->out[i] += j->x[i] > 0 ? dy : below;
    }
}

static void elu_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), 1, grad_piece,
                     &(job){.x = x->v, .y = y->v, .dy = y->g, .out = x->g});
}

const gnd_op gnd_op_elu = {.name = "elu", .forward = elu_forward, .backward = elu_backward};

gnd_var gnd_elu(gnd_tape *t, gnd_var x)
{
    if (!gnd_check_dense(t, "elu", x))
        return GND_NONE;
    return gnd_tape_record(t, &gnd_op_elu, 1, &x, gnd_tape_node(t, x)->rows,
                           gnd_tape_node(t, x)->cols, NULL);
}
