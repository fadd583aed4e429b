/* SPDX-License-Identifier: MIT
 * ritz_cases.h - a part of test_ops_double.c: ops between all vertices and a few rows. */
#ifndef GND_TESTS_RITZ_CASES_H
#define GND_TESTS_RITZ_CASES_H

static void plain_matmul_t(double *y, const double *const *in, const op_case *c)
{
    const int64_t n = c->shape[0][0], k = c->shape[0][1], f = c->shape[1][1];

    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < f; j++) {
            y[i * f + j] = 0;
            for (int64_t r = 0; r < n; r++)
                y[i * f + j] += in[0][r * k + i] * in[1][r * f + j];
        }
}

static void plain_scale_rows(double *y, const double *const *in, const op_case *c)
{
    const int64_t m = c->shape[0][1], w = c->shape[1][1];

    for (int64_t i = 0; i < c->shape[1][0]; i++)
        for (int64_t j = 0; j < w; j++)
            y[i * w + j] = in[0][i * m + c->k] * in[1][i * w + j];
}

static gnd_var run_matmul_t(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_matmul_t(t, in[0], in[1]);
}

static gnd_var run_scale_rows(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_scale_rows(t, in[0], c->k, in[1]);
}

#define SCALE_ROWS(m, col)                                                                         \
    {                                                                                              \
        .op = "scale_rows", .what = "column " #col " of " #m, .n_in = 2, .run = run_scale_rows,    \
        .plain = plain_scale_rows, .shape = {{N, m}, {N, F}}, .k = col                             \
    }
#define RITZ_CASES                                                                                 \
    CASE("matmul_t", "", 2, run_matmul_t, plain_matmul_t, {N, 7}, {N, 3}),                         \
        CASE("matmul_t", "in blocks", 2, run_matmul_t, plain_matmul_t, {5000, 20}, {5000, 90}),    \
        SCALE_ROWS(1, 0), SCALE_ROWS(3, 1)

#endif
