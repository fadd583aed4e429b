/* SPDX-License-Identifier: MIT
 * block_rows.c - y = R z for a dense constant R: [m, n] with few, long rows.  z: [n, f], y: [m, f].
 *
 *     dz = R^T dy
 *
 * R is stored as blocks [n, width] of its transpose. Vector instructions then run over rows of R
 * for any f, which is a number of classes. The result is computed as blocks [f, width] and
 * transposed, at negligible cost. */
#include <string.h>

#include "tape/op.h"

/* Rows of a block that stay in cache while they are multiplied by all columns of z. */
enum { CHUNK = 128 };

typedef struct {
    const gnd_kern *kern;
    const gnd_row_blocks *r;
    const gnd_real *z, *dy;
    gnd_real *y, *part;
    int64_t f;
} job;

static int64_t block_width(const gnd_row_blocks *r, int64_t b)
{
    return r->rows - b * r->width < r->width ? r->rows - b * r->width : r->width;
}

static void forward_blocks(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_row_blocks *r = j->r;

    for (int64_t b = begin; b < end; b++) {
        const int64_t w = block_width(r, b);
        const gnd_real *block = r->v + b * r->width * r->n;
        gnd_real *part = j->part + b * r->width * j->f, *y = j->y + b * r->width * j->f;

        memset(part, 0, (size_t)(w * j->f) * sizeof *part);
        for (int64_t i = 0; i < r->n; i += CHUNK)
            j->kern->gemm_t(part, j->z, block, j->f, w, i, i + CHUNK < r->n ? i + CHUNK : r->n);
        for (int64_t k = 0; k < w; k++)
            for (int64_t c = 0; c < j->f; c++)
                y[k * j->f + c] = part[c * w + k];
    }
}

static int64_t n_blocks(const gnd_row_blocks *r)
{
    return (r->rows + r->width - 1) / r->width;
}

static void block_rows_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_row_blocks *r = y->arg;
    gnd_real *part = gnd_tape_alloc(t, gnd_node_size(y), sizeof *part);
    job j = {.kern = t->kern,
             .r = r,
             .z = gnd_tape_node(t, y->in[0])->v,
             .y = y->v,
             .part = part,
             .f = y->cols};

    if (part)
        gnd_parallel_for(t->pool, n_blocks(r), 1, gnd_node_size(y) * r->n, forward_blocks, &j);
}

static void backward_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_row_blocks *r = j->r;
    const int64_t f = j->f;

    for (int64_t b = 0; b < n_blocks(r); b++) {
        j->kern->gemm(j->part, r->v + b * r->width * r->n, j->dy + b * r->width * f,
                      block_width(r, b), f, begin, end);
        j->kern->axpy(j->y + begin * f, 1, j->part + begin * f, (end - begin) * f);
    }
}

static void block_rows_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_row_blocks *r = y->arg;
    const int64_t cost = gnd_node_size(y) * r->n;
    gnd_real *part = gnd_tape_alloc(t, r->n * y->cols, sizeof *part);
    job j = {.kern = t->kern,
             .r = r,
             .dy = y->g,
             .y = gnd_tape_node(t, y->in[0])->g, /* dz */
             .part = part,
             .f = y->cols};

    if (part)
        gnd_parallel_for(t->pool, r->n, gnd_row_grain(r->n, cost), cost, backward_rows, &j);
}

const gnd_op gnd_op_block_rows = {
    .name = "block_rows",
    .forward = block_rows_forward,
    .backward = block_rows_backward,
};

gnd_var gnd_block_rows(gnd_tape *t, const gnd_row_blocks *r, gnd_var z)
{
    gnd_row_blocks *arg;
    const gnd_node *zn;
    gnd_var y;

    if (!gnd_check_dense(t, "block_rows", z))
        return GND_NONE;
    zn = gnd_tape_node(t, z);
    if (r->n != zn->rows || r->width < 1)
        return gnd_tape_fail(t, GND_ERR_SHAPE,
                             "block_rows: [%lld,%lld] in blocks of %lld x [%lld,%lld]",
                             (long long)r->rows, (long long)r->n, (long long)r->width,
                             (long long)zn->rows, (long long)zn->cols);
    arg = gnd_tape_alloc(t, 1, sizeof *arg);
    if (!arg)
        return GND_NONE;
    *arg = *r;
    y = gnd_tape_record(t, &gnd_op_block_rows, 1, &z, (gnd_shape){r->rows, zn->cols}, arg);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = NULL; /* y has rows of R, not of z */
    return y;
}
