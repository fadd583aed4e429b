/* SPDX-License-Identifier: MIT
 * sequence_cases.h - the ops of networks over sequences: gates, normalisation, attention, pooling.
 * Part of test_ops_double.c. */
#ifndef GND_TESTS_SEQUENCE_CASES_H
#define GND_TESTS_SEQUENCE_CASES_H

static void plain_mul(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = in[0][i] * in[1][i];
}

static gnd_var run_mul(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_mul(t, in[0], in[1]);
}

static void plain_sigmoid(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = 1 / (1 + exp(-in[0][i]));
}

static gnd_var run_sigmoid(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_sigmoid(t, in[0]);
}

static void plain_layer_norm(double *y, const double *const *in, const op_case *c)
{
    const int64_t f = c->shape[0][1];

    for (int64_t i = 0; i < c->shape[0][0]; i++) {
        const double *x = in[0] + i * f;
        double mean = 0, var = 0;

        for (int64_t k = 0; k < f; k++)
            mean += x[k] / (double)f;
        for (int64_t k = 0; k < f; k++)
            var += (x[k] - mean) * (x[k] - mean) / (double)f;
        for (int64_t k = 0; k < f; k++)
            y[i * f + k] = (x[k] - mean) / sqrt(var + 1e-5) * in[1][k] + in[2][k];
    }
}

static gnd_var run_layer_norm(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_layer_norm(t, in[0], in[1], in[2]);
}

/* Here k is the length of a sequence and first the number of heads. */
static void plain_attention(double *y, const double *const *in, const op_case *c)
{
    const int64_t T = c->k, f = c->shape[0][1], w = f / c->first;

    for (int64_t i = 0; i < c->shape[0][0]; i++)
        for (int64_t h = 0; h < c->first; h++) {
            const int64_t begin = i / T * T;
            double sum = 0;

            for (int64_t e = h * w; e < (h + 1) * w; e++)
                y[i * f + e] = 0;
            for (int64_t j = begin; j < begin + T; j++) {
                double s = 0;

                for (int64_t e = h * w; e < (h + 1) * w; e++)
                    s += in[0][i * f + e] * in[1][j * f + e];
                s = exp(s / sqrt((double)w));
                sum += s;
                for (int64_t e = h * w; e < (h + 1) * w; e++)
                    y[i * f + e] += s * in[2][j * f + e];
            }
            for (int64_t e = h * w; e < (h + 1) * w; e++)
                y[i * f + e] /= sum;
        }
}

static gnd_var run_attention(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_attention(t, in[0], in[1], in[2], c->k, c->first);
}

/* The mean over the heads of the weights by which row i of a sequence sums the rows j. */
static void plain_attention_mean(double *y, const double *const *in, const op_case *c)
{
    const int64_t T = c->k, f = c->shape[0][1], w = f / c->first;

    memset(y, 0, (size_t)(c->shape[0][0] * T) * sizeof *y);
    for (int64_t i = 0; i < c->shape[0][0]; i++)
        for (int64_t h = 0; h < c->first; h++) {
            double s[8], sum = 0;

            for (int64_t j = 0; j < T; j++) {
                s[j] = 0;
                for (int64_t e = h * w; e < (h + 1) * w; e++)
                    s[j] += in[0][i * f + e] * in[1][(i / T * T + j) * f + e];
                s[j] = exp(s[j] / sqrt((double)w));
                sum += s[j];
            }
            for (int64_t j = 0; j < T; j++)
                y[i * T + j] += s[j] / sum / (double)c->first;
        }
}

static gnd_var run_attention_mean(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_attention_mean(t, in[0], in[1], c->k, c->first);
}

static void plain_sequence_sum(double *y, const double *const *in, const op_case *c)
{
    const int64_t T = c->shape[0][1], f = c->shape[1][1];

    memset(y, 0, (size_t)(c->shape[0][0] * f) * sizeof *y);
    for (int64_t s = 0; s < c->shape[1][0]; s++)
        for (int64_t e = 0; e < f; e++)
            y[s / T * f + e] += in[0][s] * in[1][s * f + e];
}

static gnd_var run_sequence_sum(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_sequence_sum(t, in[0], in[1]);
}

#define ATTENTION(n_, T_, f_, heads_)                                                              \
    {                                                                                              \
        .op = "attention", .what = #T_ " long, heads " #heads_, .n_in = 3, .run = run_attention,   \
        .plain = plain_attention, .k = T_, .first = heads_, .shape = {                             \
            {(n_) * (T_), f_},                                                                     \
            {(n_) * (T_), f_},                                                                     \
            {(n_) * (T_), f_}                                                                      \
        }                                                                                          \
    }

#define ATTENTION_MEAN(n_, T_, f_, heads_)                                                         \
    {                                                                                              \
        .op = "attention_mean", .what = #T_ " long, heads " #heads_, .n_in = 2,                    \
        .run = run_attention_mean, .plain = plain_attention_mean, .k = T_, .first = heads_,        \
        .shape = {                                                                                 \
            {(n_) * (T_), f_},                                                                     \
            {(n_) * (T_), f_}                                                                      \
        }                                                                                          \
    }

#define SEQUENCE_CASES                                                                             \
    CASE("mul", "", 2, run_mul, plain_mul, {N, F}, {N, F}),                                        \
        CASE("sigmoid", "", 1, run_sigmoid, plain_sigmoid, {N, F}),                                \
        CASE("sigmoid", "several parts", 1, run_sigmoid, plain_sigmoid, {30, 7}),                  \
        CASE("layer_norm", "", 3, run_layer_norm, plain_layer_norm, {N, F}, {1, F}, {1, F}),       \
        CASE("layer_norm", "in blocks", 3, run_layer_norm, plain_layer_norm, {700, 3}, {1, 3},     \
             {1, 3}),                                                                              \
        ATTENTION(3, 4, 6, 1), ATTENTION(3, 4, 6, 2), ATTENTION(2, 1, 4, 2),                       \
        ATTENTION(20, 3, 3, 3), ATTENTION_MEAN(3, 4, 6, 1), ATTENTION_MEAN(3, 4, 6, 2),            \
        ATTENTION_MEAN(2, 1, 4, 2), ATTENTION_MEAN(20, 3, 3, 3),                                   \
        CASE("sequence_sum", "", 2, run_sequence_sum, plain_sequence_sum, {4, 3}, {12, F}),        \
        CASE("sequence_sum", "many", 2, run_sequence_sum, plain_sequence_sum, {90, 2}, {180, 3})

#endif
