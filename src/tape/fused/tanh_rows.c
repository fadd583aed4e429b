/* SPDX-License-Identifier: MIT
 * tanh_rows.c - z_i = tanh(w (.) y_i) u for the requested rows, with each y_i computed on demand.
 * y_i: [1, k], w: k values of any shape, u: [k, f], z: [n_request, f].
 *
 *     du = tanh(.)^T dz     dw = sum_i (dz_i u^T) (.) (1 - tanh^2) (.) y_i
 *
 * With gradients, y and its tanh are stored for all requested rows, so request few. Without
 * gradients, only one chunk at a time is stored, so that all rows may be requested even if y
 * does not fit in memory. Many rows without gradients are computed by tanh_panels.c. */
#include "tape/op.h"

enum { CHUNK = 8, BLOCKS = 16 };

typedef struct {
    gnd_real *y, *tanh; /* [rows, k]; NULL: not stored */
} kept;

typedef struct {
    const gnd_kern *kern;
    const gnd_row_maker *from;
    const int32_t *request;
    const gnd_real *w, *u;
    gnd_real *z;
    gnd_real *chunk;   /* [BLOCKS, CHUNK + 1, k] if y and tanh are not stored */
    gnd_real *scratch; /* [BLOCKS, from->n_scratch] */
    kept keep;
    int64_t rows, f;
} forward_job;

static void forward_block(const forward_job *j, int64_t b)
{
    const int64_t k = j->from->cols, end = j->rows * (b + 1) / BLOCKS;
    gnd_real *scratch = j->scratch + b * j->from->n_scratch;
    gnd_real *one = j->chunk ? j->chunk + b * (CHUNK + 1) * k : NULL, *some = one ? one + k : NULL;

    for (int64_t i = j->rows * b / BLOCKS; i < end; i += CHUNK) {
        const int64_t n = end - i < CHUNK ? end - i : CHUNK;

        if (j->keep.tanh)
            some = j->keep.tanh + i * k;
        for (int64_t r = 0; r < n; r++) {
            if (j->keep.y)
                one = j->keep.y + (i + r) * k;
            j->from->make(one, j->request ? j->request[i + r] : i + r, scratch, j->from->arg);
            j->kern->tanh(some + r * k, one, j->w, k);
        }
        j->kern->gemm(j->z + i * j->f, some, j->u, k, j->f, 0, n);
    }
}

static void forward_piece(int64_t begin, int64_t end, void *arg)
{
    for (int64_t b = begin; b < end; b++)
        forward_block(arg, b);
}

static void tanh_rows_forward(gnd_tape *t, gnd_node *z)
{
    const gnd_row_maker *from = z->arg;
    const gnd_node *w = gnd_tape_node(t, z->in[0]), *u = gnd_tape_node(t, z->in[1]);
    const int64_t cost = z->rows * from->cols * (z->cols + 16);
    kept *keep = gnd_tape_alloc(t, 1, sizeof *keep);
    forward_job j = {.kern = t->kern,
                     .from = from,
                     .request = t->request,
                     .w = w->v,
                     .u = u->v,
                     .z = z->v,
                     .rows = z->rows,
                     .f = z->cols};

    if (!keep)
        return;
    *keep = (kept){0};
    if (!z->g && from->a &&
        z->rows > from->x->n_col) { /* a product per column costs less than per row */
        gnd_tanh_panels(t, z->v, from, w->v, u->v, z->cols);
        return;
    }
    if (z->g) {
        keep->y = gnd_tape_alloc(t, z->rows * from->cols, sizeof *keep->y);
        keep->tanh = gnd_tape_alloc(t, z->rows * from->cols, sizeof *keep->tanh);
    } else
        j.chunk = gnd_tape_alloc(t, BLOCKS * (CHUNK + 1) * from->cols, sizeof *j.chunk);
    j.scratch = gnd_tape_alloc(t, BLOCKS * from->n_scratch, sizeof *j.scratch);
    if (!gnd_tape_ok(t))
        return;
    z->save = keep;
    j.keep = *keep;
    gnd_parallel_for(t->pool, BLOCKS, 1, cost, forward_piece, &j);
}

typedef struct {
    const gnd_kern *kern;
    const gnd_real *y, *tanh, *dz;
    gnd_real *dy; /* [rows, k] dz u^T */
    gnd_real *dw;
    int64_t rows, k, f;
} backward_job;

static void du_rows(gnd_real *du, int64_t begin, int64_t end, const void *arg)
{
    const backward_job *j = arg;

    j->kern->gemm_t(du, j->tanh, j->dz, j->k, j->f, begin, end);
}

/* Row by row, so that the order of each sum is fixed. */
static void dw_piece(int64_t begin, int64_t end, void *arg)
{
    const backward_job *j = arg;

    for (int64_t i = 0; i < j->rows; i++)
        for (int64_t c = begin; c < end; c++) {
            const int64_t e = i * j->k + c;

            j->dw[c] += j->dy[e] * (1 - j->tanh[e] * j->tanh[e]) * j->y[e];
        }
}

static void tanh_rows_backward(gnd_tape *t, gnd_node *z)
{
    const gnd_row_maker *from = z->arg;
    const kept *keep = z->save;
    gnd_node *w = gnd_tape_node(t, z->in[0]), *u = gnd_tape_node(t, z->in[1]);
    const int64_t k = from->cols, f = z->cols;
    backward_job j = {t->kern, keep->y, keep->tanh, z->g, NULL, w->g, z->rows, k, f};
    gnd_real *ut;

    if (u->g)
        gnd_sum_rows(t, u->g, &(gnd_row_sum){du_rows, &j, z->rows, k * f, z->rows * k * f});
    if (!w->g)
        return;
    j.dy = gnd_tape_alloc(t, z->rows * k, sizeof *j.dy);
    ut = gnd_tape_alloc(t, k * f, sizeof *ut); /* [f, k] */
    if (!j.dy || !ut)
        return;
    for (int64_t i = 0; i < k; i++)
        for (int64_t c = 0; c < f; c++)
            ut[c * k + i] = u->v[i * f + c];
    t->kern->gemm(j.dy, z->g, ut, f, k, 0, z->rows);
    gnd_for_elements(t, k, z->rows, dw_piece, &j);
}

const gnd_op gnd_op_tanh_rows = {
    .name = "tanh_rows",
    .forward = tanh_rows_forward,
    .backward = tanh_rows_backward,
};

gnd_var gnd_tanh_rows(gnd_tape *t, const gnd_row_maker *y, gnd_var w, gnd_var u)
{
    const gnd_node *wn, *un;
    gnd_row_maker *arg;
    gnd_var z;

    if (!gnd_check_dense(t, "tanh_rows", w) || !gnd_check_dense(t, "tanh_rows", u))
        return GND_NONE;
    wn = gnd_tape_node(t, w);
    un = gnd_tape_node(t, u);
    if (gnd_node_size(wn) != y->cols || un->rows != y->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE,
                             "tanh_rows: rows of %lld, w [%lld,%lld], u [%lld,%lld]",
                             (long long)y->cols, (long long)wn->rows, (long long)wn->cols,
                             (long long)un->rows, (long long)un->cols);
    for (int64_t i = 0; t->request && i < t->n_request; i++)
        if (t->request[i] < 0 || t->request[i] >= y->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "tanh_rows: row %d of %lld", t->request[i],
                                 (long long)y->rows);
    arg = gnd_tape_alloc(t, 1, sizeof *arg);
    if (!arg)
        return GND_NONE;
    *arg = *y;
    z = gnd_tape_record(t, &gnd_op_tanh_rows, 2, (gnd_var[]){w, u},
                        (gnd_shape){t->request ? t->n_request : y->rows, un->cols}, arg);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, z)->row = t->request;
    return z;
}
