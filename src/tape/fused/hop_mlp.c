/* SPDX-License-Identifier: MIT
 * hop_mlp.c - a small network over the hops, shared by all entries e of z.
 *
 *     h_k = (A^{first+k} z)_e,  s_m = sum_k u1_km h_k,  y_e = sum_m u2_m relu(s_m)
 *     A: [n, n]  u1: [K, inner]  u2: [inner, 1]  z, y: [n, f]
 *
 * Entries are processed in chunks as [K, chunk] and [inner, chunk], so that both layers are
 * dense products. The columns of A z are independent. If K matrices [n, f] are too large to
 * store, the columns are processed in panels, and the hops of a panel are computed again in the
 * backward pass: memory is then K n PANEL values for any f. */
#include <string.h>

#include "tape/op.h"

enum {
    CHUNK = 64,             /* entries per chunk */
    PANEL = 16,             /* columns per panel: one cache line of floats */
    HOLD_MAX = 4 * 1048576, /* values that are stored as a single panel */
    PIECES_MAX = 64,
    PIECE_COST = 500000
};

/* One panel in one direction. */
typedef struct {
    const gnd_kern *kern;
    int64_t K, inner, size;   /* size: number of entries in the panel */
    const gnd_real *u1, *u1t; /* [K, inner], [inner, K] */
    const gnd_real *u2;       /* [inner] */
    gnd_real *hop;            /* [K, size]; backward overwrites it with its gradient */
    gnd_real *y;              /* [size] value, forward */
    const gnd_real *dy;       /* [size] gradient, backward */
    gnd_real *scratch;        /* [n_piece, n_scratch] */
    int64_t n_piece, n_scratch;
    double *part; /* [n_piece, inner (K + 1)] sums for u1^T and u2 */
} panel_job;

/* The columns of a panel, and its buffers. */
typedef struct {
    int64_t first, n, f, c0, w;
    gnd_real *hop, *spare[2]; /* [K, n, w], [n, w] */
} panel;

static int64_t panel_width(int64_t K, int64_t n, int64_t f)
{
    return f <= PANEL || (double)K * (double)n * (double)f <= HOLD_MAX ? f : PANEL;
}

static void panel_get(gnd_real *to, const gnd_real *from, const panel *p)
{
    for (int64_t i = 0; i < p->n; i++)
        memcpy(to + i * p->w, from + i * p->f + p->c0, (size_t)p->w * sizeof *to);
}

static void panel_put(gnd_real *to, const gnd_real *from, const panel *p)
{
    for (int64_t i = 0; i < p->n; i++)
        memcpy(to + i * p->f + p->c0, from + i * p->w, (size_t)p->w * sizeof *to);
}

static void panel_add(const gnd_kern *kern, gnd_real *to, const gnd_real *from, const panel *p)
{
    for (int64_t i = 0; i < p->n; i++)
        kern->axpy(to + i * p->f + p->c0, 1, from + i * p->w, p->w);
}

/* ---- entries -------------------------------------------------------------------------------- */

/* The hops of entries e..e+m-1 as [K, m], and s = u1^T h as [inner, m]. */
static void chunk_forward(const panel_job *j, int64_t e, int64_t m, gnd_real *h, gnd_real *s)
{
    for (int64_t k = 0; k < j->K; k++)
        memcpy(h + k * m, j->hop + k * j->size + e, (size_t)m * sizeof *h);
    j->kern->gemm(s, j->u1t, h, j->K, m, 0, j->inner);
}

/* y_c = sum_i u2_i relu(s_ic) */
static void add_relu(gnd_real *restrict y, const gnd_real *restrict s, const gnd_real *restrict u2,
                     int64_t inner, int64_t m)
{
    memset(y, 0, (size_t)m * sizeof *y);
    for (int64_t i = 0; i < inner; i++, s += m)
        for (int64_t c = 0; c < m; c++) {
            const gnd_real v = u2[i] * s[c];

            y[c] += s[c] > 0 ? v : 0;
        }
}

static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const panel_job *j = arg;

    for (int64_t b = begin; b < end; b++) {
        const int64_t last = j->size * (b + 1) / j->n_piece;
        gnd_real *h = j->scratch + b * j->n_scratch, *s = h + j->K * CHUNK;

        for (int64_t e = j->size * b / j->n_piece, m; e < last; e += m) {
            gnd_real *y = j->y + e;

            m = last - e < CHUNK ? last - e : CHUNK;
            chunk_forward(j, e, m, h, s);
            add_relu(y, s, j->u2, j->inner, m);
        }
    }
}

static bool all_zero(const gnd_real *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* s becomes relu(s) and ds its gradient, both [inner, m]. Adds to the sums for u2. */
static void chunk_relu(const panel_job *j, const gnd_real *dy, int64_t m, gnd_real *s, gnd_real *ds,
                       double *sum_u2)
{
    for (int64_t i = 0; i < j->inner; i++) {
        gnd_real *restrict si = s + i * m, *restrict di = ds + i * m;
        const gnd_real u2 = j->u2[i];

        for (int64_t c = 0; c < m; c++) {
            const gnd_real v = u2 * dy[c];

            di[c] = si[c] > 0 ? v : 0;
            si[c] = si[c] > 0 ? si[c] : 0;
        }
        sum_u2[i] += j->kern->dot(si, dy, m);
    }
}

/* sum_u1[i,k] += sum_c ds[i,c] h[k,c];  ht: [m, K] and out: [inner, K] are scratch. */
static void chunk_u1(const panel_job *j, int64_t m, const gnd_real *h, const gnd_real *ds,
                     gnd_real *ht, gnd_real *out, double *sum_u1)
{
    for (int64_t k = 0; k < j->K; k++)
        for (int64_t c = 0; c < m; c++)
            ht[c * j->K + k] = h[k * m + c];
    j->kern->gemm(out, ds, ht, m, j->K, 0, j->inner);
    for (int64_t i = 0; i < j->inner * j->K; i++)
        sum_u1[i] += (double)out[i];
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const panel_job *j = arg;
    const int64_t K = j->K, inner = j->inner;

    for (int64_t b = begin; b < end; b++) {
        const int64_t last = j->size * (b + 1) / j->n_piece;
        gnd_real *h = j->scratch + b * j->n_scratch, *s = h + K * CHUNK;
        gnd_real *ds = s + inner * CHUNK, *ht = ds + inner * CHUNK, *out = ht + K * CHUNK;
        double *part = j->part + b * inner * (K + 1);

        for (int64_t e = j->size * b / j->n_piece, m; e < last; e += m) {
            const gnd_real *dy = j->dy + e;

            m = last - e < CHUNK ? last - e : CHUNK;
            if (all_zero(dy, m)) { /* frequent: only labelled rows have a loss */
                for (int64_t k = 0; k < K; k++)
                    memset(j->hop + k * j->size + e, 0, (size_t)m * sizeof *j->hop);
                continue;
            }
            chunk_forward(j, e, m, h, s);
            chunk_relu(j, dy, m, s, ds, part + inner * K);
            chunk_u1(j, m, h, ds, ht, out, part);
            j->kern->gemm(h, j->u1, ds, inner, m, 0, K);
            for (int64_t k = 0; k < K; k++)
                memcpy(j->hop + k * j->size + e, h + k * m, (size_t)m * sizeof *h);
        }
    }
}

/* ---- hops ----------------------------------------------------------------------------------- */

/* op^times from, alternating between the two spares; `from` itself if times is 0. */
static const gnd_real *repeat(gnd_tape *t, const gnd_csr *op, const gnd_real *from, int64_t times,
                              const panel *p)
{
    for (int64_t i = 0; i < times; i++) {
        gnd_real *to = from == p->spare[0] ? p->spare[1] : p->spare[0];

        gnd_spmm_all(t, to, &(gnd_product){.a = op, .x = from, .f = p->w});
        from = to;
    }
    return from;
}

static void hops_forward(gnd_tape *t, const gnd_csr *a, const gnd_real *z, int64_t K,
                         const panel *p)
{
    const int64_t size = p->n * p->w;
    const gnd_real *from;

    panel_get(p->spare[0], z, p);
    from = repeat(t, a, p->spare[0], p->first, p);
    memcpy(p->hop, from, (size_t)size * sizeof *from);
    for (int64_t k = 1; k < K; k++)
        gnd_spmm_all(t, p->hop + k * size,
                     &(gnd_product){.a = a, .x = p->hop + (k - 1) * size, .f = p->w});
}

/* dz += sum_k (A^T)^{first+k} dh_k by Horner; overwrites the dh_k. */
static void hops_backward(gnd_tape *t, const gnd_csr *at, gnd_real *dz, int64_t K, const panel *p)
{
    const int64_t size = p->n * p->w;

    for (int64_t k = K - 2; k >= 0; k--)
        gnd_spmm_all(
            t, p->hop + k * size,
            &(gnd_product){
                .a = at, .x = p->hop + (k + 1) * size, .f = p->w, .c = 1, .z = p->hop + k * size});
    panel_add(t->kern, dz, repeat(t, at, p->hop, p->first, p), p);
}

/* ---- op ------------------------------------------------------------------------------------- */

/* Allocates the buffers for both directions; false if memory is short. */
static bool job_init(panel_job *j, panel *p, gnd_tape *t, const gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    const gnd_node *u1 = gnd_tape_node(t, y->in[0]), *u2 = gnd_tape_node(t, y->in[1]);
    const int64_t K = u1->rows, inner = u1->cols;
    const int64_t w = panel_width(K, y->rows, y->cols);
    const int64_t pieces = y->rows * w / (PIECE_COST / (K * inner) + 1);
    gnd_real *u1t = gnd_tape_alloc(t, K * inner, sizeof *u1t);

    *p = (panel){.first = o->k, .n = y->rows, .f = y->cols, .w = w, .hop = y->save};
    *j = (panel_job){.kern = t->kern, .K = K, .inner = inner, .u1 = u1->v, .u1t = u1t, .u2 = u2->v};
    j->n_piece = pieces < 1 ? 1 : pieces > PIECES_MAX ? PIECES_MAX : pieces;
    j->n_scratch = 2 * CHUNK * (K + inner) + K * inner;
    j->scratch = gnd_tape_alloc(t, j->n_piece * j->n_scratch, sizeof *j->scratch);
    if (!p->hop)
        p->hop = gnd_tape_alloc(t, K * y->rows * w, sizeof *p->hop);
    for (int i = 0; i < 2; i++)
        p->spare[i] = gnd_tape_alloc(t, y->rows * w, sizeof *p->spare[i]);
    if (!gnd_tape_ok(t))
        return false;
    for (int64_t k = 0; k < K; k++)
        for (int64_t i = 0; i < inner; i++)
            u1t[i * K + k] = u1->v[k * inner + i];
    return true;
}

/* Sets the columns from c0 on: their number and the number of entries. */
static void panel_at(panel_job *j, panel *p, int64_t c0)
{
    p->c0 = c0;
    p->w = p->f - c0 < p->w ? p->f - c0 : p->w;
    j->size = p->n * p->w;
    j->hop = p->hop;
}

static void run(gnd_tape *t, panel_job *j, void (*fn)(int64_t, int64_t, void *))
{
    gnd_parallel_for(t->pool, j->n_piece, 1, j->size * j->K * j->inner, fn, j);
}

static void hop_mlp_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    const gnd_real *z = gnd_tape_node(t, y->in[2])->v;
    panel_job j;
    panel p;

    if (!job_init(&j, &p, t, y))
        return;
    y->save = p.hop;
    for (int64_t c0 = 0; c0 < p.f; c0 += p.w) {
        panel_at(&j, &p, c0);
        hops_forward(t, o->a, z, j.K, &p);
        j.y = p.spare[0];
        run(t, &j, value_piece);
        panel_put(y->v, j.y, &p);
    }
}

/* Adds the sums of the pieces, in order, to the gradients of u1 and u2. */
static void join(const panel_job *j, gnd_real *du1, gnd_real *du2)
{
    const int64_t K = j->K, inner = j->inner, size = inner * (K + 1);

    for (int64_t i = 0; i < size; i++) {
        double sum = 0;

        for (int64_t b = 0; b < j->n_piece; b++)
            sum += j->part[b * size + i];
        if (i >= inner * K && du2)
            du2[i - inner * K] += (gnd_real)sum;
        if (i < inner * K && du1)
            du1[i % K * inner + i / K] += (gnd_real)sum;
    }
}

static void hop_mlp_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    gnd_node *u1 = gnd_tape_node(t, y->in[0]), *u2 = gnd_tape_node(t, y->in[1]);
    gnd_node *z = gnd_tape_node(t, y->in[2]);
    int64_t n_part;
    panel_job j;
    panel p;

    if (!job_init(&j, &p, t, y))
        return;
    n_part = j.n_piece * j.inner * (j.K + 1);
    j.part = gnd_tape_alloc(t, n_part, sizeof *j.part);
    if (!j.part)
        return;
    memset(j.part, 0, (size_t)n_part * sizeof *j.part);
    for (int64_t c0 = 0; c0 < p.f; c0 += p.w) {
        const bool held = c0 == 0 && p.w == p.f;

        panel_at(&j, &p, c0);
        if (!held)
            hops_forward(t, o->a, z->v, j.K, &p);
        panel_get(p.spare[0], y->g, &p);
        j.dy = p.spare[0];
        run(t, &j, grad_piece);
        if (z->g)
            hops_backward(t, o->at, z->g, j.K, &p);
    }
    join(&j, u1->g, u2->g);
}

const gnd_op gnd_op_hop_mlp = {
    .name = "hop_mlp",
    .forward = hop_mlp_forward,
    .backward = hop_mlp_backward,
};

gnd_var gnd_hop_mlp(gnd_tape *t, const gnd_hops *h, gnd_var u1, gnd_var u2, gnd_var z)
{
    const gnd_operator_arg *o = gnd_operator_arg_new(t, "hop_mlp", h->a, h->at, z, h->first);
    const gnd_node *n1, *n2;

    if (!o || !gnd_check_dense(t, "hop_mlp", u1) || !gnd_check_dense(t, "hop_mlp", u2))
        return GND_NONE;
    n1 = gnd_tape_node(t, u1);
    n2 = gnd_tape_node(t, u2);
    if (n1->rows < 1 || n1->cols < 1 || n2->rows != n1->cols || n2->cols != 1)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "hop_mlp: [%lld,%lld] and [%lld,%lld]",
                             (long long)n1->rows, (long long)n1->cols, (long long)n2->rows,
                             (long long)n2->cols);
    return gnd_tape_record(t, &gnd_op_hop_mlp, 3, (gnd_var[]){u1, u2, z},
                           (gnd_shape){h->a->n_row, gnd_tape_node(t, z)->cols}, o);
}
