/* SPDX-License-Identifier: MIT
 * power_rows.c - sums over hops with precomputed rows (kern/power_rows.h).
 *
 *     diffuse_power_rows  y = P(alpha) z,  P(alpha) = sum_k alpha_k P_k;  z: [m, f], y: [|S|, f]
 *                         dz = P(alpha)^T dy,  dalpha_k = <P_k, dy z^T>
 *     mix                 y = sum_k alpha_k Q_k;  Q_k, y: [n, d];  dalpha_k = <Q_k, dy>
 *
 * Each direction reads the tiles of a block once, in order, while their sum stays in cache. */
#include <string.h>

#include "tape/op.h"

typedef struct {
    const gnd_kern *kern;
    const gnd_power_rows *s;
    const gnd_real *a, *z; /* a: weights of the basis */
    gnd_real *sum;         /* [m, |S|] P(alpha) transposed, stored for the backward pass */
    const gnd_real *dy;    /* [|S|, f]; this and the fields below: backward only */
    const gnd_real *dyt;
    gnd_real *dz;    /* or NULL */
    double *part;    /* [blocks, rank], or NULL */
    gnd_real *spare; /* [blocks, columns per block times max(|S|, f)] */
    int64_t f, n_spare;
} stored_job;

/* y += the columns of blocks begin..end-1 times the matching rows of z. */
static void value_blocks(gnd_real *y, int64_t begin, int64_t end, const void *arg)
{
    const stored_job *j = arg;
    const gnd_power_rows *s = j->s;

    for (int64_t b = begin; b < end; b++) {
        const int64_t w = gnd_power_rows_width(s, b), c0 = b * s->block, at = c0 * s->n_row;
        gnd_real *sum = j->sum + at;

        gnd_hop_tiles_mix(sum, &s->hops, j->a, at, at + w * s->n_row);
        j->kern->gemm_t(y, sum, j->z + c0 * j->f, s->n_row, j->f, 0, w);
    }
}

static void grad_blocks(int64_t begin, int64_t end, void *arg)
{
    const stored_job *j = arg;
    const gnd_power_rows *s = j->s;

    for (int64_t b = begin; b < end; b++) {
        const int64_t w = gnd_power_rows_width(s, b), c0 = b * s->block, at = c0 * s->n_row;
        gnd_real *spare = j->spare + b * j->n_spare;

        if (j->dz) {
            j->kern->gemm(spare, j->sum + at, j->dy, s->n_row, j->f, 0, w);
            j->kern->axpy(j->dz + c0 * j->f, 1, spare, w * j->f);
        }
        if (!j->part)
            continue;
        j->kern->gemm(spare, j->z + c0 * j->f, j->dyt, j->f, s->n_row, 0, w); /* z dy^T */
        gnd_hop_tiles_dots(j->part + b * gnd_hop_tiles_rank(&s->hops), &s->hops, spare, at,
                           at + w * s->n_row);
    }
}

static int64_t cost_of(const gnd_power_rows *s, int64_t f)
{
    return s->n_row * s->n_col * (gnd_hop_tiles_rank(&s->hops) + f);
}

/* The weights of B for the weights alpha of the hops; NULL if memory is short. */
static const gnd_real *weights_of_basis(gnd_tape *t, const gnd_hop_tiles *hops,
                                        const gnd_node *alpha)
{
    gnd_real *a = gnd_tape_alloc(t, gnd_hop_tiles_rank(hops), sizeof *a);

    if (a)
        gnd_hop_tiles_weights(a, hops, alpha->v);
    return a;
}

/* Adds the gradient of alpha from dot products with B, summed over n parts: [n, rank]; the sums
 * go to the first part. */
static void add_dalpha(gnd_node *alpha, const gnd_hop_tiles *hops, double *part, int64_t n)
{
    const int64_t R = gnd_hop_tiles_rank(hops);

    for (int64_t b = 1; b < n; b++)
        for (int64_t r = 0; r < R; r++)
            part[r] += part[b * R + r];
    if (n > 0)
        gnd_hop_tiles_unweigh(alpha->g, hops, part);
}

static void diffuse_stored_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_power_rows *s = y->arg;
    stored_job j = {.kern = t->kern, .s = s, .f = y->cols};

    j.a = weights_of_basis(t, &s->hops, gnd_tape_node(t, y->in[0]));
    j.z = gnd_tape_node(t, y->in[1])->v;
    j.sum = y->save = gnd_tape_alloc(t, s->n_col * s->n_row, sizeof *j.sum);
    if (!gnd_tape_ok(t))
        return;
    memset(y->v, 0, (size_t)gnd_node_size(y) * sizeof *y->v);
    gnd_sum_rows(t, y->v,
                 &(gnd_row_sum){.fn = value_blocks,
                                .arg = &j,
                                .rows = gnd_power_rows_blocks(s),
                                .size = gnd_node_size(y),
                                .cost = cost_of(s, j.f)});
}

/* dy transposed, [f, |S|]; NULL if memory is short. */
static gnd_real *turned(gnd_tape *t, const gnd_node *y)
{
    gnd_real *out = gnd_tape_alloc(t, gnd_node_size(y), sizeof *out);

    for (int64_t i = 0; out && i < y->rows; i++)
        for (int64_t c = 0; c < y->cols; c++)
            out[c * y->rows + i] = y->g[i * y->cols + c];
    return out;
}

static void diffuse_stored_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_power_rows *s = y->arg;
    gnd_node *alpha = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const int64_t n_block = gnd_power_rows_blocks(s);
    stored_job j = {.kern = t->kern, .s = s, .z = z->v, .dy = y->g, .dz = z->g, .f = y->cols};

    j.sum = y->save;
    j.n_spare = s->block * (s->n_row > j.f ? s->n_row : j.f);
    j.dyt = turned(t, y);
    j.part =
        alpha->g ? gnd_tape_alloc(t, n_block * gnd_hop_tiles_rank(&s->hops), sizeof *j.part) : NULL;
    j.spare = gnd_tape_alloc(t, n_block * j.n_spare, sizeof *j.spare);
    if (!gnd_tape_ok(t))
        return;
    gnd_parallel_for(t->pool, n_block, gnd_row_grain(n_block, cost_of(s, j.f)), cost_of(s, j.f),
                     grad_blocks, &j);
    if (alpha->g)
        add_dalpha(alpha, &s->hops, j.part, n_block);
}

const gnd_op gnd_op_diffuse_power_rows = {
    .name = "diffuse_power_rows",
    .forward = diffuse_stored_forward,
    .backward = diffuse_stored_backward,
};

static bool weights_check(gnd_tape *t, const char *op, gnd_var alpha, int64_t K)
{
    const gnd_node *a;

    if (!gnd_check_dense(t, op, alpha))
        return false;
    a = gnd_tape_node(t, alpha);
    if (a->rows == 1 && a->cols == K)
        return true;
    gnd_tape_fail(t, GND_ERR_SHAPE, "%s: hop weights [%lld,%lld] for %lld hops", op,
                  (long long)a->rows, (long long)a->cols, (long long)K);
    return false;
}

gnd_var gnd_diffuse_power_rows(gnd_tape *t, const gnd_power_rows *s, gnd_var alpha, gnd_var z)
{
    const gnd_node *zn;

    if (!weights_check(t, "diffuse_power_rows", alpha, s->hops.K) ||
        !gnd_check_dense(t, "diffuse_power_rows", z))
        return GND_NONE;
    zn = gnd_tape_node(t, z);
    if (zn->rows != s->n_col)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "diffuse_power_rows: %lld columns x [%lld,%lld]",
                             (long long)s->n_col, (long long)zn->rows, (long long)zn->cols);
    return gnd_tape_record(t, &gnd_op_diffuse_power_rows, 2, (gnd_var[]){alpha, z},
                           (gnd_shape){s->n_row, zn->cols}, s);
}

/* ---- mix ------------------------------------------------------------------------------------ */

enum { CHUNK = 4096 }; /* cells, whole tiles */

typedef struct {
    const gnd_hop_tiles *q;
    const gnd_real *a, *dy;
    gnd_real *y;
    double *part; /* [chunks, rank] */
} mix_job;

static int64_t chunk_end(const mix_job *j, int64_t c)
{
    return j->q->n_cell - c * CHUNK < CHUNK ? j->q->n_cell : (c + 1) * CHUNK;
}

static void mix_chunks(int64_t begin, int64_t end, void *arg)
{
    const mix_job *j = arg;

    for (int64_t c = begin; c < end; c++)
        gnd_hop_tiles_mix(j->y + c * CHUNK, j->q, j->a, c * CHUNK, chunk_end(j, c));
}

static void dalpha_chunks(int64_t begin, int64_t end, void *arg)
{
    const mix_job *j = arg;

    for (int64_t c = begin; c < end; c++)
        gnd_hop_tiles_dots(j->part + c * gnd_hop_tiles_rank(j->q), j->q, j->dy + c * CHUNK,
                           c * CHUNK, chunk_end(j, c));
}

static int64_t chunks(const gnd_hop_tiles *q)
{
    return (q->n_cell + CHUNK - 1) / CHUNK;
}

static void mix_run(gnd_tape *t, mix_job *j, void (*fn)(int64_t, int64_t, void *))
{
    gnd_parallel_for(t->pool, chunks(j->q), 1, gnd_hop_tiles_rank(j->q) * j->q->n_cell, fn, j);
}

static void mix_forward(gnd_tape *t, gnd_node *y)
{
    mix_job j = {.q = y->arg, .y = y->v};

    j.a = weights_of_basis(t, j.q, gnd_tape_node(t, y->in[0]));
    if (j.a)
        mix_run(t, &j, mix_chunks);
}

static void mix_backward(gnd_tape *t, gnd_node *y)
{
    mix_job j = {.q = y->arg, .dy = y->g};

    j.part = gnd_tape_alloc(t, chunks(j.q) * gnd_hop_tiles_rank(j.q), sizeof *j.part);
    if (!j.part)
        return;
    mix_run(t, &j, dalpha_chunks);
    add_dalpha(gnd_tape_node(t, y->in[0]), j.q, j.part, chunks(j.q));
}

const gnd_op gnd_op_mix = {.name = "mix", .forward = mix_forward, .backward = mix_backward};

gnd_var gnd_mix(gnd_tape *t, const gnd_hop_tiles *q, gnd_var alpha, int64_t rows, int64_t cols)
{
    if (!weights_check(t, "mix", alpha, q->K))
        return GND_NONE;
    if (rows * cols != q->n_cell)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "mix: [%lld,%lld] of %lld cells", (long long)rows,
                             (long long)cols, (long long)q->n_cell);
    return gnd_tape_record(t, &gnd_op_mix, 1, &alpha, (gnd_shape){rows, cols}, q);
}
