/* SPDX-License-Identifier: MIT
 * mixhop_cases.h - ops of MixHop, N-GCN and DCNN, in plain loops and as recorded: a part of
 * test_ops_double.c. */
#ifndef GND_TESTS_MIXHOP_CASES_H
#define GND_TESTS_MIXHOP_CASES_H

static void plain_concat(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0, k = 0; i < c->shape[0][0]; i++)
        for (int b = 0; b < 5; b++) /* each twice but the last */
            for (int64_t j = 0; j < c->shape[b / 2][1]; j++)
                y[k++] = in[b / 2][i * c->shape[b / 2][1] + j];
}

static void plain_columns(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < c->k; j++)
            y[i * c->k + j] = in[0][i * F + c->first + j];
}

static void plain_batch_norm(double *y, const double *const *in, const op_case *c)
{
    const int64_t n = c->shape[0][0], f = c->shape[0][1];

    for (int64_t j = 0; j < f; j++) {
        double mean = 0, var = 0;

        for (int64_t i = 0; i < n; i++)
            mean += in[0][i * f + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            var += pow(in[0][i * f + j] - mean, 2) / (double)n;
        for (int64_t i = 0; i < n; i++)
            y[i * f + j] = (in[0][i * f + j] - mean) / sqrt(var + 1e-3) + in[1][j];
    }
}

static void plain_block_sum(double *y, const double *const *in, const op_case *c)
{
    const int64_t n_block = c->shape[1][1], f = c->shape[0][1] / n_block;

    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < f; j++) {
            y[i * f + j] = 0;
            for (int64_t g = 0; g < n_block; g++)
                y[i * f + j] += in[1][g] * in[0][(i * n_block + g) * f + j];
        }
}

static void plain_group_lasso(double *y, const double *const *in, const op_case *c)
{
    (void)c;
    *y = 0;
    for (int64_t j = 0; j < F; j++) {
        double sum = 0;

        for (int64_t i = 0; i < N; i++)
            sum += in[0][i * F + j] * in[0][i * F + j];
        *y += 0.3 * sqrt(sum);
    }
}

static void plain_mean_square(double *y, const double *const *in, const op_case *c)
{
    (void)c;
    *y = 0;
    for (int64_t i = 0; i < N * F; i++)
        *y += 0.3 * in[0][i] * in[0][i] / (N * F);
}

/* Dropped entries removed, then rows of length 1. */
static void plain_row_l2(double *y, const double *const *in, const op_case *c)
{
    const int64_t f = c->shape[0][1];

    times(y, &sparse_x, in[0], f);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < f && sparse_x.ptr[i + 1] > sparse_x.ptr[i]; j++)
            y[i * f + j] /= sqrt((double)(sparse_x.ptr[i + 1] - sparse_x.ptr[i]));
}

/* More matrices than a node has places for inputs, some of them the same. */
static gnd_var run_concat(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_concat(t, (gnd_var[]){in[0], in[0], in[1], in[1], in[2]}, 5);
}

static gnd_var run_columns(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_columns(t, in[0], c->first, c->k);
}

static gnd_var run_batch_norm(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_batch_norm(t, in[0], in[1], (gnd_row_list){0});
}

static gnd_var run_block_sum(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_block_sum(t, in[0], in[1]);
}

static gnd_var run_group_lasso(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_group_lasso(t, in[0], 0.3);
}

static gnd_var run_mean_square(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_mean_square(t, in[0], 0.3);
}

static gnd_var run_row_l2(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_matmul(t, gnd_row_l2(t, gnd_sparse(t, &sparse_x)), in[0]);
}

static void plain_hinge(double *y, const double *const *in, const op_case *c)
{
    (void)c;
    *y = 0;
    for (int64_t r = 0; r < LENGTH(rows); r++) {
        const double *x = in[0] + rows[r] * F;
        double rival = -INFINITY;

        for (int32_t k = 0; k < F; k++)
            if (k != label[rows[r]])
                rival = fmax(rival, x[k]);
        if (label[rows[r]] >= 0)
            *y += fmax(0, 1 + rival - x[label[rows[r]]]) / (double)LENGTH(rows);
    }
}

static gnd_var run_hinge(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_hinge(t, in[0], label, rows, LENGTH(rows));
}

static gnd_var run_packed_hinge(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    gnd_tape_request(t, rows, LENGTH(rows));
    return gnd_hinge(t, gnd_requested(t, in[0]), label, rows, LENGTH(rows));
}

/* Rows of 6 values, some of them 0; scratch must be each thread's own. */
static void odd_row(gnd_real *out, int64_t i, gnd_real *scratch, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < 6; j++)
        scratch[j] = (gnd_real)((i * 5 + j * 3) % 4) * (gnd_real)0.4;
    memcpy(out, scratch, 6 * sizeof *out);
}

static void plain_tanh_rows(double *y, const double *const *in, const op_case *c)
{
    const int64_t n = c->k ? LENGTH(rows) : N, f = c->shape[1][1];
    gnd_real row[6], scratch[6];

    for (int64_t i = 0; i < n; i++) {
        odd_row(row, c->k ? rows[i] : i, scratch, NULL);
        for (int64_t k = 0; k < f; k++) {
            y[i * f + k] = 0;
            for (int64_t j = 0; j < 6; j++)
                y[i * f + k] += tanh(in[0][j] * row[j]) * in[1][j * f + k];
        }
    }
}

static gnd_var run_tanh_rows(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    static const gnd_row_maker maker = {.rows = N, .cols = 6, .make = odd_row, .n_scratch = 6};

    if (c->k)
        gnd_tape_request(t, rows, LENGTH(rows));
    return gnd_tanh_rows(t, &maker, in[0], in[1]);
}

static void plain_tanh_sparse(double *y, const double *const *in, const op_case *c)
{
    const gnd_csr *a = c->k ? &op_a : &sparse_x;
    const int64_t f = c->shape[1][1];

    memset(y, 0, (size_t)(N * f) * sizeof *y);
    for (int64_t i = 0; i < N; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            for (int64_t j = 0; j < f; j++)
                y[i * f + j] +=
                    tanh(in[0][a->col[p]] * (double)gnd_csr_val(a, p)) * in[1][a->col[p] * f + j];
}

static gnd_var run_tanh_sparse(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_tanh_sparse(t, gnd_sparse(t, c->k ? &op_a : &sparse_x), in[0], in[1]);
}

/* Rows listed, one of them twice. */
static const int32_t norm_rows[] = {7, 2, 2, 0};

static void plain_batch_norm_rows(double *y, const double *const *in, const op_case *c)
{
    double all[N * F];

    plain_batch_norm(all, in, c);
    for (int64_t i = 0; i < LENGTH(norm_rows); i++)
        memcpy(y + i * F, all + norm_rows[i] * F, F * sizeof *y);
}

static gnd_var run_batch_norm_rows(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_batch_norm(t, in[0], in[1], (gnd_row_list){norm_rows, LENGTH(norm_rows)});
}

/* Three products: the first two share a matrix, the third has values whose rows are of length 1. */
static void plain_unit_products(double *y, const double *const *in, const op_case *c)
{
    const int64_t f = c->shape[0][1] + c->shape[1][1] + c->shape[2][1];
    int64_t at = 0;

    for (int b = 0; b < 3; b++) {
        const gnd_csr *a = b < 2 ? &sparse_x : &op_a;
        const int64_t w = c->shape[b][1];

        for (int64_t i = 0; i < N; i++) {
            double square = 0;

            for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
                square += pow((double)gnd_csr_val(a, p), 2);
            for (int64_t j = 0; j < w; j++) {
                double sum = 0;

                for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
                    sum += (double)gnd_csr_val(a, p) * in[b][a->col[p] * w + j];
                y[i * f + at + j] = square > 0 ? sum / sqrt(square) : 0;
            }
        }
        at += w;
    }
}

static gnd_var run_unit_products(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_var x = gnd_drop_units(t, gnd_sparse(t, &sparse_x), 0, "none");
    const gnd_var a = gnd_drop_units(t, gnd_sparse(t, &op_a), 0, "none");

    (void)c;
    return gnd_unit_products(t, (gnd_var[]){x, x, a}, in, 3);
}

/* in: [w_0 | .. ], c->k + 1 blocks of c->first columns, but the second has none if c->k > 2. */
static int64_t hop_width(const op_case *c, int64_t k)
{
    return k == 1 && c->k > 2 ? 0 : c->first;
}

static void plain_unit_hops(double *y, const double *const *in, const op_case *c)
{
    const int64_t f = c->shape[0][1];
    int64_t at = 0;

    for (int64_t k = 0; k <= c->k; k++) {
        const int64_t w = hop_width(c, k);
        double block[N * F] = {0}, end[N * F];

        for (int64_t i = 0; i < N; i++)
            for (int64_t p = sparse_x.ptr[i]; p < sparse_x.ptr[i + 1]; p++)
                for (int64_t e = 0; e < w; e++)
                    block[i * w + e] += in[0][sparse_x.col[p] * f + at + e] /
                                        sqrt((double)(sparse_x.ptr[i + 1] - sparse_x.ptr[i]));
        for (int64_t hop = 0; hop < k; hop++) {
            times(end, &op_a, block, w);
            memcpy(block, end, (size_t)(N * w) * sizeof *end);
        }
        for (int64_t i = 0; i < N; i++)
            for (int64_t e = 0; e < w; e++)
                y[i * f + at + e] = block[i * w + e];
        at += w;
    }
}

static gnd_var run_unit_hops(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    int64_t width[8], at = 0;
    gnd_var w[8] = {{0}};

    for (int64_t k = 0; k <= c->k; k++) {
        width[k] = hop_width(c, k);
        if (width[k] > 0)
            w[k] = gnd_columns(t, in[0], at, width[k]);
        at += width[k];
    }
    return gnd_unit_hops(t, &op_a, &op_at, &(gnd_dropped){gnd_sparse(t, &sparse_x), 0, "none"}, w,
                         width, (int)c->k + 1);
}

static void plain_norm_relu(double *y, const double *const *in, const op_case *c)
{
    plain_batch_norm_rows(y, in, c);
    for (int64_t i = 0; i < LENGTH(norm_rows) * c->shape[0][1]; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
}

static gnd_var run_norm_relu(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_norm_relu(t, in[0], in[1], (gnd_row_list){norm_rows, LENGTH(norm_rows)});
}

#define UNIT_HOPS(power, each, sum)                                                                \
    {                                                                                              \
        .op = "unit_hops", .what = #power, .n_in = 1, .run = run_unit_hops,                        \
        .plain = plain_unit_hops, .shape = {{7, sum}}, .first = each, .k = power                   \
    }

/* Rows of the table of cases. */
#define MIXHOP_CASES                                                                               \
    CASE("concat", "", 3, run_concat, plain_concat, {N, 2}, {N, 1}, {N, 4}),                       \
        CASE("concat", "in pieces", 3, run_concat, plain_concat, {900, 30}, {900, 1}, {900, 4}),   \
        {.op = "columns",                                                                          \
         .what = "2 from 0",                                                                       \
         .n_in = 1,                                                                                \
         .run = run_columns,                                                                       \
         .plain = plain_columns,                                                                   \
         .shape = {{N, F}},                                                                        \
         .first = 0,                                                                               \
         .k = 2},                                                                                  \
        {.op = "columns",                                                                          \
         .what = "3 from 2",                                                                       \
         .n_in = 1,                                                                                \
         .run = run_columns,                                                                       \
         .plain = plain_columns,                                                                   \
         .shape = {{N, F}},                                                                        \
         .first = 2,                                                                               \
         .k = 3},                                                                                  \
        {.op = "columns",                                                                          \
         .what = "1 from 1",                                                                       \
         .n_in = 1,                                                                                \
         .run = run_columns,                                                                       \
         .plain = plain_columns,                                                                   \
         .shape = {{N, F}},                                                                        \
         .first = 1,                                                                               \
         .k = 1},                                                                                  \
        CASE("batch_norm", "", 2, run_batch_norm, plain_batch_norm, {N, F}, {1, F}),               \
        CASE("batch_norm", "in blocks", 2, run_batch_norm, plain_batch_norm, {600, 3}, {1, 3}),    \
        CASE("batch_norm", "of some rows", 2, run_batch_norm_rows, plain_batch_norm_rows, {N, F},  \
             {1, F}),                                                                              \
        CASE("norm_relu", "of some rows", 2, run_norm_relu, plain_norm_relu, {N, F}, {1, F}),      \
        UNIT_HOPS(0, 3, 3), UNIT_HOPS(1, 4, 8), UNIT_HOPS(2, 2, 6), UNIT_HOPS(3, 2, 6),            \
        UNIT_HOPS(4, 5, 20), /* rows of the weights are copied to whole cache lines */             \
        CASE("unit_products", "", 3, run_unit_products, plain_unit_products, {7, 3}, {7, 2},       \
             {N, 4}),                                                                              \
        CASE("tanh_sparse", "ones", 2, run_tanh_sparse, plain_tanh_sparse, {1, 7}, {7, 3}),        \
        {.op = "tanh_sparse",                                                                      \
         .what = "values",                                                                         \
         .n_in = 2,                                                                                \
         .run = run_tanh_sparse,                                                                   \
         .plain = plain_tanh_sparse,                                                               \
         .shape = {{3, 3}, {N, 2}},                                                                \
         .k = 1},                                                                                  \
        CASE("block_sum", "", 2, run_block_sum, plain_block_sum, {N, 12}, {1, 3}),                 \
        CASE("group_lasso", "", 1, run_group_lasso, plain_group_lasso, {N, F}),                    \
        CASE("mean_square", "", 1, run_mean_square, plain_mean_square, {N, F}),                    \
        CASE("hinge", "", 1, run_hinge, plain_hinge, {N, F}),                                      \
        CASE("hinge", "of the requested rows", 1, run_packed_hinge, plain_hinge, {N, F}),          \
        CASE("tanh_rows", "", 2, run_tanh_rows, plain_tanh_rows, {2, 3}, {6, 3}),                  \
        {.op = "tanh_rows",                                                                        \
         .what = "asked for",                                                                      \
         .n_in = 2,                                                                                \
         .run = run_tanh_rows,                                                                     \
         .plain = plain_tanh_rows,                                                                 \
         .shape = {{2, 3}, {6, 3}},                                                                \
         .k = 1},                                                                                  \
        CASE("matmul", "rows of length 1", 1, run_row_l2, plain_row_l2, {7, 3}),

#endif
