/* SPDX-License-Identifier: MIT
 * relation_conv_mean.c - several operators with separate weights on one dense matrix, averaged.
 *
 *     y_v = 1/K sum_k (sum_u A_k[v,u] x_u) W_k for the listed rows v
 *     dW_k = (A_k x)^T dy / K     dx_u = 1/K sum_k sum_v A_k[v,u] dy_v W_k^T
 *     A_k: [n, n]   x: rows of [n, d]   w: [K d, f], block k is W_k   y: [rows, f]
 *
 * The sums over u are computed first. W_k is then multiplied only by listed rows with an entry
 * in A_k, never more than the rows that they read. With gradients all sums are stored; without,
 * only those of the current operator. */
#include <string.h>

#include "relations.h"

enum { COLUMNS = 16 }; /* columns of dx per piece */

typedef struct {
    gnd_operators a;
    gnd_row_list to;
    const int32_t *place;  /* [n] index in x of each row */
    const int32_t *target; /* [n_sum] row of y of each sum, by operator */
    const int64_t *start;  /* [K + 1] first sum of each operator */
    int64_t most;          /* maximum number of sums of an operator */
} mean_arg;

typedef struct {
    const mean_arg *r;
    const gnd_kern *kern;
    const gnd_real *x, *w;
    gnd_real *y, *sum, *part; /* sum: [sums of k, d], part: [sums of k, f] */
    int64_t d, f, k;
} job;

/* Sets begin and end to the entries of the i-th sum of operator k. */
static void messages(const mean_arg *r, int64_t k, int64_t i, int64_t *begin, int64_t *end)
{
    const int64_t v = gnd_row_at(&r->to, r->target[r->start[k] + i]);

    *begin = r->a.op[k]->ptr[v];
    *end = r->a.op[k]->ptr[v + 1];
}

static void forward_sums(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const mean_arg *r = j->r;
    const gnd_csr *a = r->a.op[j->k];
    const gnd_real mean = (gnd_real)1 / (gnd_real)r->a.n;
    int64_t p, stop;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *sum = j->sum + i * j->d;

        memset(sum, 0, (size_t)j->d * sizeof *sum);
        for (messages(r, j->k, i, &p, &stop); p < stop; p++)
            j->kern->axpy(sum, gnd_csr_val(a, p), j->x + r->place[a->col[p]] * j->d, j->d);
    }
    j->kern->gemm(j->part, j->sum, j->w + j->k * j->d * j->f, j->d, j->f, begin, end);
    for (int64_t i = begin; i < end; i++)
        j->kern->axpy(j->y + r->target[r->start[j->k] + i] * j->f, mean, j->part + i * j->f, j->f);
}

static void relation_conv_mean_forward(gnd_tape *t, gnd_node *y)
{
    const mean_arg *r = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    const int64_t d = x->cols, f = w->cols, kept = y->g ? r->start[r->a.n] : r->most;
    gnd_real *sum = gnd_tape_alloc(t, kept * d, sizeof *sum);
    gnd_real *part = gnd_tape_alloc(t, r->most * f, sizeof *part);

    if (!sum || !part)
        return;
    y->save = sum;
    memset(y->v, 0, (size_t)gnd_node_size(y) * sizeof *y->v);
    for (int64_t k = 0; k < r->a.n; k++) {
        const int64_t n = r->start[k + 1] - r->start[k], cost = n * d * (f + 4);

        gnd_parallel_for(t->pool, n, gnd_row_grain(n, cost), cost, forward_sums,
                         &(job){.r = r,
                                .kern = t->kern,
                                .x = x->v,
                                .w = w->v,
                                .y = y->v,
                                .sum = y->g ? sum + r->start[k] * d : sum,
                                .part = part,
                                .d = d,
                                .f = f,
                                .k = k});
    }
}

/* dw += sum^T part over the sums begin..end-1. */
static void dw_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;

    j->kern->gemm_t(dw, j->sum, j->part, j->d, j->f, begin, end);
}

typedef struct {
    const job *j;
    const gnd_real *wt; /* [f, d] W_k^T */
    gnd_real *dsum;     /* [sums of k, d] */
    gnd_real *dx;
} dx_job;

static void dsum_rows(int64_t begin, int64_t end, void *arg)
{
    const dx_job *b = arg;

    b->j->kern->gemm(b->dsum, b->j->part, b->wt, b->j->f, b->j->d, begin, end);
}

/* Many rows of y read the same row of x, so pieces are ranges of columns. */
static void dx_columns(int64_t begin, int64_t end, void *arg)
{
    const dx_job *b = arg;
    const job *j = b->j;
    const gnd_csr *a = j->r->a.op[j->k];
    const int64_t n = j->r->start[j->k + 1] - j->r->start[j->k];
    int64_t p, stop;

    for (int64_t i = 0; i < n; i++)
        for (messages(j->r, j->k, i, &p, &stop); p < stop; p++)
            j->kern->axpy(b->dx + j->r->place[a->col[p]] * j->d + begin, gnd_csr_val(a, p),
                          b->dsum + i * j->d + begin, end - begin);
}

static void dx_add(gnd_tape *t, const job *j, dx_job *b, gnd_real *wt)
{
    const int64_t n = j->r->start[j->k + 1] - j->r->start[j->k], cost = n * j->d * j->f;
    const gnd_real *w = j->w + j->k * j->d * j->f;

    for (int64_t i = 0; i < j->d; i++)
        for (int64_t c = 0; c < j->f; c++)
            wt[c * j->d + i] = w[i * j->f + c];
    b->j = j;
    b->wt = wt;
    gnd_parallel_for(t->pool, n, gnd_row_grain(n, cost), cost, dsum_rows, b);
    gnd_parallel_for(t->pool, j->d, COLUMNS, 4 * n * j->d, dx_columns, b);
}

static void relation_conv_mean_backward(gnd_tape *t, gnd_node *y)
{
    const mean_arg *r = y->arg;
    gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    const int64_t d = x->cols, f = w->cols;
    gnd_real *part = gnd_tape_alloc(t, r->most * f, sizeof *part), *wt = NULL;
    dx_job b = {.dx = x->g};

    if (x->g) {
        wt = gnd_tape_alloc(t, d * f, sizeof *wt);
        b.dsum = gnd_tape_alloc(t, r->most * d, sizeof *b.dsum);
    }
    if (!gnd_tape_ok(t))
        return;
    for (int64_t k = 0; k < r->a.n; k++) {
        const int64_t n = r->start[k + 1] - r->start[k];
        job j = {.r = r, .kern = t->kern, .w = w->v, .part = part, .d = d, .f = f, .k = k};

        j.sum = (gnd_real *)y->save + r->start[k] * d;
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < f; c++)
                part[i * f + c] = y->g[r->target[r->start[k] + i] * f + c] / (gnd_real)r->a.n;
        if (w->g)
            gnd_sum_rows(t, w->g + k * d * f, &(gnd_row_sum){dw_rows, &j, n, d * f, n * d * f});
        if (x->g)
            dx_add(t, &j, &b, wt);
    }
}

const gnd_op gnd_op_relation_conv_mean = {
    .name = "relation_conv_mean",
    .forward = relation_conv_mean_forward,
    .backward = relation_conv_mean_backward,
};

/* Lists the pairs of a listed row and an operator with entries in it; all rows read must be in
 * x. */
static void sums_make(gnd_tape *t, mean_arg *r)
{
    int32_t *target = gnd_tape_alloc(t, r->a.n * r->to.n, sizeof *target);
    int64_t *start = gnd_tape_alloc(t, r->a.n + 1, sizeof *start);

    if (!target || !start)
        return;
    start[0] = 0;
    for (int64_t k = 0; k < r->a.n; k++) {
        const gnd_csr *a = r->a.op[k];
        int64_t n = start[k];

        for (int32_t i = 0; i < r->to.n; i++) {
            const int64_t v = gnd_row_at(&r->to, i);

            for (int64_t p = a->ptr[v]; p < a->ptr[v + 1]; p++)
                if (r->place[a->col[p]] < 0)
                    gnd_relations_missing(t, "relation_conv_mean", a->col[p]);
            if (a->ptr[v + 1] > a->ptr[v])
                target[n++] = i;
        }
        start[k + 1] = n;
        r->most = n - start[k] > r->most ? n - start[k] : r->most;
    }
    r->target = target;
    r->start = start;
}

gnd_var gnd_relation_conv_mean(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x,
                               gnd_var w)
{
    mean_arg *r;
    int64_t f;
    gnd_var y;

    if (!gnd_check_dense(t, "relation_conv_mean", x) ||
        !gnd_relations_check(t, "relation_conv_mean", a, &to, x, w))
        return GND_NONE;
    f = gnd_tape_node(t, w)->cols;
    r = gnd_tape_alloc(t, 1, sizeof *r);
    if (!r)
        return GND_NONE;
    *r = (mean_arg){.a = *a, .to = to};
    r->place = gnd_relations_places(t, a->op[0]->n_row, gnd_tape_node(t, x));
    if (r->place)
        sums_make(t, r);
    y = gnd_tape_record(t, &gnd_op_relation_conv_mean, 2, (gnd_var[]){x, w}, (gnd_shape){to.n, f},
                        r);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = to.row;
    return y;
}
