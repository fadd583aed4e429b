/* SPDX-License-Identifier: MIT
 * cheby_sum.c - out = sum_{k=0}^K T_k(L) Y_k for Chebyshev polynomials T_k, for all rows or the
 * requested ones.  L: [n, n], y = [Y_0 | .. | Y_K]: [level 0, (K+1) f], out: [level K, f].
 *
 * Forward by Clenshaw:  b_k = Y_k + 2 L b_{k+1} - b_{k+2},   out = Y_0 + L b_1 - b_2
 * Backward:             t_0 = dout,  t_1 = L^T t_0,  t_k = 2 L^T t_{k-1} - t_{k-2},  dY_k = t_k
 *
 * K products of width f in each direction. The blocks of y are side by side because they come from
 * one product with concatenated weights. Only b and t, which are contiguous, are multiplied by L.
 * b_k and t_k have the rows of level K - k of a receptive field of depth K (receptive_field.h).
 *
 * Defferrard et al., NIPS 2016, arXiv:1606.09375, eq. 4. */
#include "tape/op.h"

#include <string.h>

#include "tape/receptive_field.h"

typedef struct {
    const gnd_csr *l, *lt;
    int64_t K;
    const gnd_receptive_field *field; /* NULL: every level has all rows */
} cheby_arg;

/* Rows of b_k and t_k. */
static gnd_row_list rows_of(const cheby_arg *o, int64_t k)
{
    return o->field ? o->field->level[o->K - k] : (gnd_row_list){NULL, o->l->n_row};
}

/* L from the rows of k + 1 to those of k; NULL: all of them. */
static const gnd_csr *operator_of(const cheby_arg *o, int64_t k)
{
    return o->field ? o->field->op[o->K - k - 1] : NULL;
}

/* Where the rows of k are in those of a higher k; NULL: they are the first. */
static const int32_t *place_of(const cheby_arg *o, int64_t k, int64_t higher)
{
    const gnd_row_list rows = rows_of(o, k);

    if (k == higher || !rows.row)
        return NULL;
    return rows_of(o, higher).row ? (k == 0 ? o->field->at_request : NULL) : rows.row;
}

static int64_t at(const int32_t *place, int64_t i)
{
    return place ? place[i] : i;
}

/* Row i after the product: to[i,:] = s to[i,:] + y[i',:] - old[i'',:] */
typedef struct {
    gnd_real *to;
    const gnd_real *y, *old; /* old may be NULL */
    const int32_t *place_y, *place_old;
    gnd_real s;
    int64_t f, stride;
} step_job;

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;

    const int64_t f = j->f;
    const gnd_real s = j->s;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *restrict to = j->to + i * f;
        const gnd_real *restrict y = j->y + at(j->place_y, i) * j->stride;
        const gnd_real *restrict old = j->old ? j->old + at(j->place_old, i) * f : NULL;

        if (old)
            for (int64_t c = 0; c < f; c++)
                to[c] = (s * to[c] + y[c]) - old[c];
        else
            for (int64_t c = 0; c < f; c++)
                to[c] = s * to[c] + y[c];
    }
}

static void cheby_forward(gnd_tape *t, gnd_node *out)
{
    const cheby_arg *o = out->arg;
    const gnd_node *y = gnd_tape_node(t, out->in[0]);
    const int64_t f = out->cols, K = o->K, size = rows_of(o, K).n * f;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    gnd_real *b[3]; /* b_k is in b[k % 3], but b_0 in out */

    for (int k = 0; k < 3; k++)
        b[k] = gnd_tape_alloc(t, size, sizeof **b);
    if (!gnd_tape_ok(t))
        return;
    for (int64_t k = K; k >= 0; k--) {
        const gnd_csr *op = k < K ? operator_of(o, k) : NULL;
        step_job j = {.to = k ? b[k % 3] : out->v,
                      .y = y->v + k * f,
                      .old = k < K - 1 ? b[(k + 2) % 3] : NULL,
                      .place_y = place_of(o, k, K),
                      .place_old = k < K - 1 ? place_of(o, k, k + 2) : NULL,
                      .s = k > 0 ? 2 : 1,
                      .f = f,
                      .stride = y->cols};
        const gnd_product p = {
            .a = op ? op : o->l, .x = b[(k + 1) % 3], .f = f, .then = step_rows, .arg = &j};

        if (k == K) {
            memset(j.to, 0, (size_t)(rows_of(o, K).n * f) * sizeof *j.to);
            step_rows(0, rows_of(o, K).n, &j);
        } else if (op)
            gnd_spmm_all(t, j.to, &p);
        else
            gnd_spmm_operator(t, j.to, &p);
    }
    gnd_arena_release(&t->arena, mark);
}

/* to += a^T from for rows of an operator between levels. */
typedef struct {
    const gnd_kern *kern;
    const gnd_csr *a;
    const gnd_real *from;
    int64_t f;
} scatter_job;

static void scatter_rows(gnd_real *to, int64_t begin, int64_t end, const void *arg)
{
    const scatter_job *j = arg;

    j->kern->spmm_t(to, j->a, j->from, j->f, begin, end);
}

/* to = L^T from, from the rows of k - 1 to those of k. */
static void product_back(gnd_tape *t, const cheby_arg *o, int64_t k, gnd_real *to,
                         const gnd_real *from, int64_t f)
{
    const gnd_csr *op = operator_of(o, k - 1);
    const int64_t size = rows_of(o, k).n * f;

    if (!op) {
        gnd_spmm_operator(t, to, &(gnd_product){.a = o->lt, .x = from, .f = f});
        return;
    }
    memset(to, 0, (size_t)size * sizeof *to);
    gnd_sum_rows(t, to,
                 &(gnd_row_sum){.fn = scatter_rows,
                                .arg = &(scatter_job){t->kern, op, from, f},
                                .rows = op->n_row,
                                .size = size,
                                .cost = gnd_csr_nnz(op) * f});
}

/* Rows of f values, written one by one: calls of a kernel would take longer than the rows. */
static void rows_add(gnd_real *restrict to, const int32_t *place, int64_t stride,
                     const gnd_real *restrict from, int64_t n, int64_t f)
{
    for (int64_t i = 0; i < n; i++) {
        gnd_real *restrict y = to + at(place, i) * stride;

        for (int64_t c = 0; c < f; c++)
            y[c] += from[i * f + c];
    }
}

static void rows_subtract(gnd_real *restrict to, const int32_t *place,
                          const gnd_real *restrict from, int64_t n, int64_t f)
{
    if (!place) {
        for (int64_t e = 0; e < n * f; e++)
            to[e] -= from[e];
        return;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++)
            to[place[i] * f + c] -= from[i * f + c];
}

static void cheby_backward(gnd_tape *t, gnd_node *out)
{
    const cheby_arg *o = out->arg;
    gnd_node *y = gnd_tape_node(t, out->in[0]);
    const int64_t f = out->cols, K = o->K, size = rows_of(o, K).n * f;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    gnd_real *all[3] = {NULL}; /* t_k is in all[k % 3], but t_0 in out */

    for (int k = 0; k < 3 && K > 0; k++)
        all[k] = gnd_tape_alloc(t, size, sizeof **all);
    for (int64_t k = 0; k <= K && gnd_tape_ok(t); k++) {
        gnd_real *to = k ? all[k % 3] : out->g;
        const gnd_real *old = k == 2 ? out->g : all[(k + 1) % 3]; /* k - 2 */

        if (k > 0)
            product_back(t, o, k, to, k == 1 ? out->g : all[(k - 1) % 3], f);
        for (int64_t i = 0; k > 1 && i < rows_of(o, k).n * f; i++)
            to[i] *= 2;
        if (k > 1)
            rows_subtract(to, place_of(o, k - 2, k), old, rows_of(o, k - 2).n, f);
        rows_add(y->g + k * f, place_of(o, k, K), y->cols, to, rows_of(o, k).n, f);
    }
    gnd_arena_release(&t->arena, mark);
}

const gnd_op gnd_op_cheby_sum = {
    .name = "cheby_sum",
    .forward = cheby_forward,
    .backward = cheby_backward,
};

/* rows: of y; field: NULL: all rows */
static gnd_var sum_record(gnd_tape *t, const cheby_arg *arg, gnd_var y, int64_t rows)
{
    const int64_t K = arg->K;
    const gnd_node *yn = gnd_tape_node(t, y);
    cheby_arg *o;
    gnd_var out;

    if (yn->cols % (K + 1) != 0)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "cheby_sum: %lld columns in %lld blocks",
                             (long long)yn->cols, (long long)(K + 1));
    if (yn->rows != rows)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "cheby_sum: %lld rows; expected %lld",
                             (long long)yn->rows, (long long)rows);
    o = gnd_tape_alloc(t, 1, sizeof *o);
    if (!o)
        return GND_NONE;
    *o = *arg;
    out = gnd_tape_record(t, &gnd_op_cheby_sum, 1, &y,
                          (gnd_shape){rows_of(o, 0).n, yn->cols / (K + 1)}, o);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, out)->row = rows_of(o, 0).row;
    return out;
}

gnd_var gnd_cheby_sum(gnd_tape *t, const gnd_csr *l, const gnd_csr *lt, gnd_var y, int64_t K)
{
    if (!gnd_operator_arg_new(t, "cheby_sum", l, lt, y, K))
        return GND_NONE;
    return sum_record(t, &(cheby_arg){l, lt, K, NULL}, y, l->n_row);
}

gnd_var gnd_receptive_cheby(gnd_tape *t, const gnd_receptive_field *f, gnd_var y)
{
    gnd_receptive_field *field;

    if (!gnd_check_dense(t, "cheby_sum", y))
        return GND_NONE;
    field = gnd_tape_alloc(t, 1, sizeof *field);
    if (!field)
        return GND_NONE;
    *field = *f;
    return sum_record(t, &(cheby_arg){f->a, f->at, f->depth, field}, y, f->level[0].n);
}
