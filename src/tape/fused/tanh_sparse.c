/* SPDX-License-Identifier: MIT
 * tanh_sparse.c - z = tanh(w (.) y) u for a sparse constant y.  y: [n, k], w: k values of any
 * shape, u: [k, f], z: [n, f].
 *
 *     du = tanh(.)^T dz     dw = sum_i (dz_i u^T) (.) (1 - tanh^2) (.) y_i
 *
 * tanh(0) = 0, so entries that are not stored need no computation in either direction. */
#include "tape/op.h"

typedef struct {
    const gnd_kern *kern;
    const gnd_csr *y;
    gnd_csr squashed; /* y with the values tanh(w (.) y) */
    const gnd_real *w, *u, *dz;
    gnd_real *z;
    int64_t f;
} job;

enum { CHUNK = 256 };

static void forward_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_csr *y = j->y;
    gnd_real w[CHUNK];

    for (int64_t p = y->ptr[begin]; p < y->ptr[end]; p += CHUNK) {
        const int64_t n = y->ptr[end] - p < CHUNK ? y->ptr[end] - p : CHUNK;

        for (int64_t i = 0; i < n; i++)
            w[i] = j->w[y->col[p + i]];
        if (y->val)
            j->kern->tanh(j->squashed.val + p, y->val + p, w, n);
        else
            j->kern->tanh(j->squashed.val + p, w, NULL, n);
    }
    j->kern->spmm(j->z, &j->squashed, j->u, j->f, 0, NULL, begin, end);
}

static job job_of(gnd_tape *t, const gnd_node *z)
{
    job j = {.kern = t->kern,
             .y = gnd_tape_node(t, z->in[2])->sp,
             .w = gnd_tape_node(t, z->in[0])->v,
             .u = gnd_tape_node(t, z->in[1])->v,
             .dz = z->g,
             .z = z->v,
             .f = z->cols};

    j.squashed = *j.y;
    j.squashed.val = z->save;
    return j;
}

static void tanh_sparse_forward(gnd_tape *t, gnd_node *z)
{
    const gnd_node *y = gnd_tape_node(t, z->in[2]);
    const int64_t nnz = gnd_csr_nnz(y->sp), cost = nnz * (z->cols + 16);
    job j;

    z->save = gnd_tape_alloc(t, y->room > 0 ? y->room : nnz, sizeof(gnd_real));
    if (!gnd_tape_ok(t))
        return;
    j = job_of(t, z);
    gnd_parallel_for(t->pool, z->rows, gnd_row_grain(z->rows, cost), cost, forward_rows, &j);
}

static void du_rows(gnd_real *du, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;

    j->kern->spmm_t(du, &j->squashed, j->dz, j->f, begin, end);
}

static void dw_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t p = j->y->ptr[i]; p < j->y->ptr[i + 1]; p++) {
            const gnd_real *u = j->u + j->y->col[p] * j->f, tanh = j->squashed.val[p];
            gnd_real dy = 0;

            for (int64_t c = 0; c < j->f; c++)
                dy += j->dz[i * j->f + c] * u[c];
            dw[j->y->col[p]] += dy * (1 - tanh * tanh) * gnd_csr_val(j->y, p);
        }
}

static void tanh_sparse_backward(gnd_tape *t, gnd_node *z)
{
    gnd_node *w = gnd_tape_node(t, z->in[0]), *u = gnd_tape_node(t, z->in[1]);
    const job j = job_of(t, z);
    const int64_t k = u->rows, cost = gnd_csr_nnz(j.y) * z->cols;

    if (u->g)
        gnd_sum_rows(t, u->g, &(gnd_row_sum){du_rows, &j, z->rows, k * z->cols, cost});
    if (w->g)
        gnd_sum_rows(t, w->g, &(gnd_row_sum){dw_rows, &j, z->rows, k, cost});
}

const gnd_op gnd_op_tanh_sparse = {
    .name = "tanh_sparse",
    .forward = tanh_sparse_forward,
    .backward = tanh_sparse_backward,
};

gnd_var gnd_tanh_sparse(gnd_tape *t, gnd_var y, gnd_var w, gnd_var u)
{
    const gnd_node *yn, *wn, *un;
    gnd_var z;

    if (!gnd_check_dense(t, "tanh_sparse", w) || !gnd_check_dense(t, "tanh_sparse", u))
        return GND_NONE;
    yn = gnd_tape_node(t, y);
    wn = gnd_tape_node(t, w);
    un = gnd_tape_node(t, u);
    if (!yn->sp || gnd_node_size(wn) != yn->cols || un->rows != yn->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE,
                             "tanh_sparse: rows of %lld, w [%lld,%lld], u [%lld,%lld]",
                             (long long)yn->cols, (long long)wn->rows, (long long)wn->cols,
                             (long long)un->rows, (long long)un->cols);
    z = gnd_tape_record(t, &gnd_op_tanh_sparse, 3, (gnd_var[]){w, u, y},
                        (gnd_shape){yn->rows, un->cols}, NULL);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, z)->row = gnd_tape_node(t, y)->row;
    return z;
}
