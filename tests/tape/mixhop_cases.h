/* SPDX-License-Identifier: MIT
 * mixhop_cases.h - ops of MixHop and N-GCN, in plain loops and as recorded: a part of
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
    return gnd_batch_norm(t, in[0], in[1]);
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

#endif
