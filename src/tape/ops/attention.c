/* SPDX-License-Identifier: MIT
 * attention.c - scaled dot-product attention in sequences of T consecutive rows, by heads.
 *
 *     A = softmax(Q K^T / sqrt(w)) along rows,  Y = A V      for each sequence and head
 *     q, k, v, y: [n T, f];  head h owns columns h w .. (h + 1) w - 1, w = f / heads;
 *     Q, K, V, Y: [T, w]   A: [T, T]
 *
 *     dV = A^T dY,  dA = dY V^T,  dS = A (.) (dA - rowsum(dA (.) A)) / sqrt(w)
 *     dQ = dS K,  dK = dS^T Q
 *
 * and the mean of A over the heads, y: [n T, T], for which dA = dY / heads.
 *
 * Vaswani et al., arXiv:1706.03762, eq. 1. Each sequence is independent, so the work is split by
 * sequences. A is stored for the backward pass only. */
#include <math.h>
#include <string.h>

#include "kern/exp.h"
#include "tape/op.h"

enum { GRAIN = 8 }; /* sequences per piece */

typedef struct {
    int64_t T, heads;
} attention_arg;

typedef struct {
    const gnd_kern *kern;
    const gnd_real *q, *k, *v; /* v: NULL for the mean of A */
    gnd_real *y;
    gnd_real *a;            /* [n, heads, T, T]; NULL: not stored */
    const gnd_real *dy;     /* this and the next: backward only */
    gnd_real *dq, *dk, *dv; /* each may be NULL */
    gnd_real *scratch;      /* [n_piece, n_scratch] */
    int64_t T, f, w, heads, n_scratch;
} job;

/* The columns of a head: to: [T, w], or [w, T] if turned. */
static void head_get(gnd_real *to, const gnd_real *from, const job *j, bool turned)
{
    for (int64_t i = 0; i < j->T; i++)
        for (int64_t c = 0; c < j->w; c++)
            to[turned ? c * j->T + i : i * j->w + c] = from[i * j->f + c];
}

static void head_add(gnd_real *to, const gnd_real *from, const job *j)
{
    for (int64_t i = 0; i < j->T; i++)
        for (int64_t c = 0; c < j->w; c++)
            to[i * j->f + c] += from[i * j->w + c];
}

/* s becomes softmax(s / sqrt(w)), row by row. */
static void softmax_rows(gnd_real *s, const job *j)
{
    const gnd_real scale = (gnd_real)(1 / sqrt((double)j->w));

    for (int64_t i = 0; i < j->T; i++, s += j->T) {
        gnd_real max = s[0];
        double sum = 0;

        for (int64_t c = 1; c < j->T; c++)
            max = s[c] > max ? s[c] : max;
        for (int64_t c = 0; c < j->T; c++)
            s[c] = gnd_exp_of((s[c] - max) * scale);
        for (int64_t c = 0; c < j->T; c++)
            sum += (double)s[c];
        for (int64_t c = 0; c < j->T; c++)
            s[c] = (gnd_real)((double)s[c] / sum);
    }
}

/* Head b % heads of sequence b / heads: where its first row begins in q, k, v. */
static int64_t head_at(const job *j, int64_t b)
{
    return b / j->heads * j->T * j->f + b % j->heads * j->w;
}

/* A of a head. in: [2, T, w] scratch. */
static void weights_of(gnd_real *A, const job *j, int64_t at, gnd_real *in)
{
    gnd_real *Q = in, *K = in + j->T * j->w;

    head_get(Q, j->q + at, j, false);
    head_get(K, j->k + at, j, true);
    j->kern->gemm(A, Q, K, j->w, j->T, 0, j->T);
    softmax_rows(A, j);
}

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t T = j->T, tile = T * j->w;
    gnd_real *in = j->scratch + begin / GRAIN * j->n_scratch, *V = in + 2 * tile;
    gnd_real *Y = V + tile, *own = Y + tile;

    for (int64_t b = begin * j->heads; b < end * j->heads; b++) {
        const int64_t at = head_at(j, b);
        gnd_real *A = j->a ? j->a + b * T * T : own;

        weights_of(A, j, at, in);
        head_get(V, j->v + at, j, false);
        j->kern->gemm(Y, A, V, T, j->w, 0, T);
        for (int64_t i = 0; i < T; i++)
            memcpy(j->y + at + i * j->f, Y + i * j->w, (size_t)j->w * sizeof *Y);
    }
}

static void mean_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t T = j->T, tile = T * j->w;
    gnd_real *in = j->scratch + begin / GRAIN * j->n_scratch, *own = in + 4 * tile;
    const gnd_real share = 1 / (gnd_real)j->heads;

    memset(j->y + begin * T * T, 0, (size_t)((end - begin) * T * T) * sizeof *j->y);
    for (int64_t b = begin * j->heads; b < end * j->heads; b++) {
        gnd_real *A = j->a ? j->a + b * T * T : own;

        weights_of(A, j, head_at(j, b), in);
        j->kern->axpy(j->y + b / j->heads * T * T, share, A, T * T);
    }
}

/* dS from dA, in place. */
static void softmax_back(gnd_real *s, const gnd_real *a, const job *j)
{
    const double scale = 1 / sqrt((double)j->w);

    for (int64_t i = 0; i < j->T; i++, s += j->T, a += j->T) {
        double mean = 0;

        for (int64_t c = 0; c < j->T; c++)
            mean += (double)s[c] * (double)a[c];
        for (int64_t c = 0; c < j->T; c++)
            s[c] = (gnd_real)((double)a[c] * ((double)s[c] - mean) * scale);
    }
}

/* to += x^T y of a head, by way of sum: [T, w]. */
static void add_turned(const job *j, gnd_real *to, const gnd_real *x, const gnd_real *y,
                       gnd_real *sum)
{
    memset(sum, 0, (size_t)(j->T * j->w) * sizeof *sum);
    j->kern->gemm_t(sum, x, y, j->T, j->w, 0, j->T);
    head_add(to, sum, j);
}

/* Adds dQ and dK of a head. in, out: [T, w] scratch. */
static void scores_back(const job *j, int64_t at, const gnd_real *dS, gnd_real *in, gnd_real *out)
{
    if (j->dk) {
        head_get(in, j->q + at, j, false);
        add_turned(j, j->dk + at, dS, in, out);
    }
    if (j->dq) {
        head_get(in, j->k + at, j, false);
        j->kern->gemm(out, dS, in, j->T, j->w, 0, j->T);
        head_add(j->dq + at, out, j);
    }
}

static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t T = j->T, tile = T * j->w;
    gnd_real *in = j->scratch + begin / GRAIN * j->n_scratch, *dY = in + tile, *out = dY + tile;
    gnd_real *dS = out + 2 * tile;

    for (int64_t b = begin * j->heads; b < end * j->heads; b++) {
        const int64_t at = head_at(j, b);
        const gnd_real *A = j->a + b * T * T;

        head_get(dY, j->dy + at, j, false);
        if (j->dv)
            add_turned(j, j->dv + at, A, dY, out);
        head_get(in, j->v + at, j, true);
        j->kern->gemm(dS, dY, in, j->w, T, 0, T);
        softmax_back(dS, A, j);
        scores_back(j, at, dS, in, out);
    }
}

static void mean_grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t T = j->T, tile = T * j->w;
    gnd_real *in = j->scratch + begin / GRAIN * j->n_scratch, *out = in + tile;
    gnd_real *dS = in + 4 * tile;

    for (int64_t b = begin * j->heads; b < end * j->heads; b++) {
        const gnd_real *dy = j->dy + b / j->heads * T * T;

        for (int64_t i = 0; i < T * T; i++)
            dS[i] = dy[i] / (gnd_real)j->heads;
        softmax_back(dS, j->a + b * T * T, j);
        scores_back(j, head_at(j, b), dS, in, out);
    }
}

/* Runs fn over all sequences with scratch for each piece. */
static void run(gnd_tape *t, const gnd_node *y, job *j, void (*fn)(int64_t, int64_t, void *))
{
    const attention_arg *o = y->arg;
    const int64_t n = y->rows / o->T;

    j->kern = t->kern;
    j->T = o->T;
    j->f = gnd_tape_node(t, y->in[0])->cols;
    j->heads = o->heads;
    j->w = j->f / o->heads;
    j->n_scratch = 4 * o->T * j->w + o->T * o->T;
    j->scratch = gnd_tape_alloc(t, (n + GRAIN - 1) / GRAIN * j->n_scratch, sizeof *j->scratch);
    if (j->scratch)
        gnd_parallel_for(t->pool, n, GRAIN, n * o->T * o->T * (2 * j->f + 8), fn, j);
}

/* Of both ops: the mean of A has no third input. */
static void attention_forward(gnd_tape *t, gnd_node *y)
{
    const attention_arg *o = y->arg;
    job j = {.q = gnd_tape_node(t, y->in[0])->v,
             .k = gnd_tape_node(t, y->in[1])->v,
             .v = y->n_in == 3 ? gnd_tape_node(t, y->in[2])->v : NULL,
             .y = y->v};

    if (y->g) {
        y->save = j.a = gnd_tape_alloc(t, y->rows * o->heads * o->T, sizeof *j.a);
        if (!j.a)
            return;
    }
    run(t, y, &j, j.v ? value_rows : mean_rows);
}

static void attention_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *q = gnd_tape_node(t, y->in[0]), *k = gnd_tape_node(t, y->in[1]);
    const gnd_node *v = y->n_in == 3 ? gnd_tape_node(t, y->in[2]) : NULL;
    job j = {.q = q->v,
             .k = k->v,
             .v = v ? v->v : NULL,
             .a = y->save,
             .dy = y->g,
             .dq = q->g,
             .dk = k->g,
             .dv = v ? v->g : NULL};

    run(t, y, &j, v ? grad_rows : mean_grad_rows);
}

const gnd_op gnd_op_attention = {
    .name = "attention",
    .forward = attention_forward,
    .backward = attention_backward,
};

const gnd_op gnd_op_attention_mean = {
    .name = "attention_mean",
    .forward = attention_forward,
    .backward = attention_backward,
};

static bool same_shape(gnd_tape *t, gnd_var x, gnd_var y)
{
    const gnd_node *xn, *yn;

    if (!gnd_check_dense(t, "attention", x) || !gnd_check_dense(t, "attention", y))
        return false;
    xn = gnd_tape_node(t, x);
    yn = gnd_tape_node(t, y);
    if (xn->rows == yn->rows && xn->cols == yn->cols)
        return true;
    gnd_tape_fail(t, GND_ERR_SHAPE, "attention: [%lld,%lld] and [%lld,%lld]", (long long)xn->rows,
                  (long long)xn->cols, (long long)yn->rows, (long long)yn->cols);
    return false;
}

/* The constants of an op on queries q; NULL after an error. */
static const attention_arg *arg_make(gnd_tape *t, gnd_var q, int64_t T, int64_t heads)
{
    const gnd_node *qn = gnd_tape_node(t, q);
    attention_arg *o;

    if (T < 1 || heads < 1 || qn->rows % T != 0 || qn->cols % heads != 0) {
        gnd_tape_fail(t, GND_ERR_SHAPE,
                      "attention: [%lld,%lld] in sequences of %lld and %lld heads",
                      (long long)qn->rows, (long long)qn->cols, (long long)T, (long long)heads);
        return NULL;
    }
    o = gnd_tape_alloc(t, 1, sizeof *o);
    if (o)
        *o = (attention_arg){T, heads};
    return o;
}

gnd_var gnd_attention(gnd_tape *t, gnd_var q, gnd_var k, gnd_var v, int64_t T, int64_t heads)
{
    const attention_arg *o;

    if (!same_shape(t, q, k) || !same_shape(t, q, v))
        return GND_NONE;
    o = arg_make(t, q, T, heads);
    return o ? gnd_tape_record(t, &gnd_op_attention, 3, (gnd_var[]){q, k, v},
                               (gnd_shape){gnd_tape_node(t, q)->rows, gnd_tape_node(t, q)->cols}, o)
             : GND_NONE;
}

gnd_var gnd_attention_mean(gnd_tape *t, gnd_var q, gnd_var k, int64_t T, int64_t heads)
{
    const attention_arg *o = same_shape(t, q, k) ? arg_make(t, q, T, heads) : NULL;

    return o ? gnd_tape_record(t, &gnd_op_attention_mean, 2, (gnd_var[]){q, k},
                               (gnd_shape){gnd_tape_node(t, q)->rows, T}, o)
             : GND_NONE;
}
