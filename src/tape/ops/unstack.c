/* SPDX-License-Identifier: MIT
 * unstack.c - stacked blocks of rows side by side: y = [X_0 | .. | X_{B-1}] for x = [X_0; ..;
 * X_{B-1}].  x: [B r, c], X_b: [r, c], y: [r, B c].
 *
 * The stacked weights of several supports are then multiplied with their common input in one
 * product. */
#include <string.h>

#include "tape/op.h"

typedef struct {
    gnd_real *stacked, *beside;
    int64_t r, c, blocks;
} job;

static void apart_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t b = 0; b < j->blocks; b++)
            memcpy(j->beside + (i * j->blocks + b) * j->c, j->stacked + (b * j->r + i) * j->c,
                   (size_t)j->c * sizeof *j->beside);
}

static void back_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t b = 0; b < j->blocks; b++) {
            gnd_real *restrict to = j->stacked + (b * j->r + i) * j->c;
            const gnd_real *restrict from = j->beside + (i * j->blocks + b) * j->c;

            for (int64_t k = 0; k < j->c; k++)
                to[k] += from[k];
        }
}

static void run(gnd_tape *t, const gnd_node *y, gnd_real *stacked, gnd_real *beside,
                void (*fn)(int64_t begin, int64_t end, void *arg))
{
    const int64_t c = gnd_tape_node(t, y->in[0])->cols;
    job j = {.stacked = stacked, .beside = beside, .r = y->rows, .c = c, .blocks = y->cols / c};

    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, gnd_node_size(y)), gnd_node_size(y),
                     fn, &j);
}

static void unstack_forward(gnd_tape *t, gnd_node *y)
{
    run(t, y, gnd_tape_node(t, y->in[0])->v, y->v, apart_rows);
}

static void unstack_backward(gnd_tape *t, gnd_node *y)
{
    run(t, y, gnd_tape_node(t, y->in[0])->g, y->g, back_rows);
}

const gnd_op gnd_op_unstack = {
    .name = "unstack",
    .forward = unstack_forward,
    .backward = unstack_backward,
};

gnd_var gnd_unstack(gnd_tape *t, gnd_var x, int64_t blocks)
{
    const gnd_node *xn;

    if (!gnd_check_dense(t, "unstack", x))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (blocks < 1 || xn->rows % blocks != 0)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "unstack: %lld rows in %lld blocks",
                             (long long)xn->rows, (long long)blocks);
    return gnd_tape_record(t, &gnd_op_unstack, 1, &x,
                           (gnd_shape){xn->rows / blocks, xn->cols * blocks}, NULL);
}
