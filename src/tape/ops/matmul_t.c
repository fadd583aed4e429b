/* SPDX-License-Identifier: MIT
 * matmul_t.c - y = x^T z for a tall x with few columns.  x: [n, k], z: [n, f], y: [k, f].
 *
 *     dz = x dy     dx = z dy^T
 *
 * Reads z once; a product with a transposed copy of x would read it k times. */
#include "tape/op.h"

typedef struct {
    const gnd_kern *kern;
    const gnd_real *x, *z;
    int64_t k, f;
} sum_job;

static void sum_rows(gnd_real *y, int64_t begin, int64_t end, const void *arg)
{
    const sum_job *j = arg;

    j->kern->gemm_t(y, j->x, j->z, j->k, j->f, begin, end);
}

static void matmul_t_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);

    for (int64_t i = 0; i < gnd_node_size(y); i++)
        y->v[i] = 0;
    gnd_sum_rows(t, y->v,
                 &(gnd_row_sum){
                     .fn = sum_rows,
                     .arg = &(sum_job){t->kern, x->v, z->v, x->cols, z->cols},
                     .rows = x->rows,
                     .size = gnd_node_size(y),
                     .cost = gnd_node_size(x) * z->cols,
                 });
}

/* out += a b;  a: [n, k], b: [k, f] */
typedef struct {
    const gnd_kern *kern;
    gnd_real *out, *part; /* [n, f] */
    const gnd_real *a, *b;
    int64_t k, f;
} add_job;

static void add_piece(int64_t begin, int64_t end, void *arg)
{
    const add_job *j = arg;

    j->kern->gemm(j->part, j->a, j->b, j->k, j->f, begin, end);
    j->kern->axpy(j->out + begin * j->f, 1, j->part + begin * j->f, (end - begin) * j->f);
}

static void add_product(gnd_tape *t, gnd_node *out, const gnd_node *a, const gnd_real *b)
{
    const int64_t cost = gnd_node_size(a) * out->cols;
    gnd_real *part = gnd_tape_alloc(t, gnd_node_size(out), sizeof *part);

    if (part)
        gnd_parallel_for(t->pool, out->rows, gnd_row_grain(out->rows, cost), cost, add_piece,
                         &(add_job){t->kern, out->g, part, a->v, b, a->cols, out->cols});
}

static void matmul_t_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const int64_t k = y->rows, f = y->cols;
    gnd_real *turned;

    if (z->g)
        add_product(t, z, x, y->g);
    if (!x->g)
        return;
    turned = gnd_tape_alloc(t, k * f, sizeof *turned); /* [f, k] */
    if (!turned)
        return;
    for (int64_t i = 0; i < k; i++)
        for (int64_t c = 0; c < f; c++)
            turned[c * k + i] = y->g[i * f + c];
    add_product(t, x, z, turned);
}

const gnd_op gnd_op_matmul_t = {
    .name = "matmul_t",
    .forward = matmul_t_forward,
    .backward = matmul_t_backward,
};

gnd_var gnd_matmul_t(gnd_tape *t, gnd_var x, gnd_var z)
{
    const gnd_node *xn, *zn;

    if (!gnd_check_dense(t, "matmul_t", x) || !gnd_check_dense(t, "matmul_t", z))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    zn = gnd_tape_node(t, z);
    if (xn->rows != zn->rows)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "matmul_t: [%lld,%lld]^T x [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)zn->rows,
                             (long long)zn->cols);
    return gnd_tape_record(t, &gnd_op_matmul_t, 2, (gnd_var[]){x, z},
                           (gnd_shape){xn->cols, zn->cols}, NULL);
}
