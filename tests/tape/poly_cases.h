/* SPDX-License-Identifier: MIT
 * poly_cases.h - the ops that are polynomials of an operator: plain loops and cases for
 * test_ops_double.c, which includes this once its helpers stand. */

/* T_k(A) z by its three terms, [N, f] with f <= F. */
static void times_cheby(double *y, const double *z, int64_t k, int64_t f)
{
    double before[N * F], now[N * F];

    memcpy(y, z, (size_t)(N * f) * sizeof *y);
    memcpy(now, z, (size_t)(N * f) * sizeof *y);
    for (int64_t i = 0; i < k; i++) {
        memcpy(before, now, sizeof now);
        memcpy(now, y, (size_t)(N * f) * sizeof *y);
        times(y, &op_a, now, f);
        for (int64_t e = 0; i > 0 && e < N * f; e++)
            y[e] = 2 * y[e] - before[e];
    }
}

static void plain_power(double *y, const double *const *in, const op_case *c)
{
    times_power(y, in[0], c->k);
}

static gnd_var run_power(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_power(t, &op_a, &op_at, in[0], c->k);
}

static const double poly_c[] = {0.7, -0.3, 0.2, 0.45, -0.15, 0.1, 0.05};

/* k terms; first says which basis. */
static void plain_propagate(double *y, const double *const *in, const op_case *c)
{
    double term[N * F];

    memset(y, 0, sizeof term);
    for (int64_t k = 0; k < c->k; k++) {
        if (c->first == GND_BASIS_POWER)
            times_power(term, in[0], k);
        else
            times_cheby(term, in[0], k, F);
        for (int64_t i = 0; i < N * F; i++)
            y[i] += poly_c[k] * term[i];
    }
}

static gnd_var run_propagate(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_propagate(
        t, &op_a, &op_at,
        &(gnd_series){.basis = (gnd_basis)c->first, .n = c->k, .c = (double *)poly_c}, in[0]);
}

static void plain_cheby_sum(double *y, const double *const *in, const op_case *c)
{
    const int64_t cols = c->shape[0][1], f = cols / (c->k + 1);
    double block[N * F] = {0}, term[N * F];

    memset(y, 0, (size_t)(N * f) * sizeof *y);
    for (int64_t k = 0; k <= c->k; k++) {
        for (int64_t i = 0; i < N * f; i++)
            block[i] = in[0][i / f * cols + k * f + i % f];
        times_cheby(term, block, k, f);
        for (int64_t i = 0; i < N * f; i++)
            y[i] += term[i];
    }
}

static gnd_var run_cheby_sum(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_cheby_sum(t, &op_a, &op_at, in[0], c->k);
}

/* f columns for each term; x: [N, 7] */
static void plain_cheby_layer(double *y, const double *const *in, const op_case *c)
{
    enum { D = 7 };
    const int64_t f = c->shape[0][1];
    double block[N * F] = {0}, term[N * F];

    for (int64_t at = 0; at < f; at += F)
        for (int64_t k = 0; k <= c->k; k++) {
            const int64_t w = f - at < F ? f - at : F;

            memset(block, 0, sizeof block);
            for (int64_t i = 0; i < N; i++)
                for (int64_t p = sparse_x.ptr[i]; p < sparse_x.ptr[i + 1]; p++)
                    for (int64_t e = 0; e < w; e++)
                        block[i * w + e] += (double)gnd_csr_val(&sparse_x, p) *
                                            in[0][(k * D + sparse_x.col[p]) * f + at + e];
            times_cheby(term, block, k, w);
            for (int64_t i = 0; i < N; i++)
                for (int64_t e = 0; e < w; e++)
                    y[i * f + at + e] = (k ? y[i * f + at + e] : 0) + term[i * w + e];
        }
}

static gnd_var run_cheby_layer(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_cheby_layer(t, &op_a, &op_at, &(gnd_dropped){gnd_sparse(t, &sparse_x), 0, "X"},
                           in[0], c->k);
}

/* R: [k, N] in blocks of `first` rows. */
static double block_entry(int64_t row, int64_t j)
{
    return gnd_rng_uniform(3, 9, (uint64_t)(row * N + j)) - 0.5;
}

static void plain_block_rows(double *y, const double *const *in, const op_case *c)
{
    memset(y, 0, (size_t)(c->k * F) * sizeof *y);
    for (int64_t r = 0; r < c->k; r++)
        for (int64_t j = 0; j < N; j++)
            for (int64_t f = 0; f < F; f++)
                y[r * F + f] += block_entry(r, j) * in[0][j * F + f];
}

static gnd_var run_block_rows(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    gnd_real *v = gnd_tape_alloc(t, c->k * N, sizeof *v);

    for (int64_t r = 0; v && r < c->k; r++) {
        const int64_t first = r / c->first * c->first;
        const int64_t w = c->k - first < c->first ? c->k - first : c->first;

        for (int64_t j = 0; j < N; j++)
            v[first * N + j * w + r - first] = (gnd_real)block_entry(r, j);
    }
    return gnd_block_rows(t, &(gnd_row_blocks){v, c->k, N, c->first}, in[0]);
}

#define BLOCK_ROWS(rows_, width)                                                                   \
    {                                                                                              \
        .op = "block_rows", .what = #rows_ " in blocks of " #width, .n_in = 1,                     \
        .run = run_block_rows, .plain = plain_block_rows, .shape = {{N, F}}, .k = rows_,           \
        .first = width                                                                             \
    }
#define POWER(times_)                                                                              \
    {                                                                                              \
        .op = "power", .what = #times_, .n_in = 1, .run = run_power, .plain = plain_power,         \
        .shape = {{N, F}}, .k = times_                                                             \
    }
#define COLUMNS(at, n)                                                                             \
    {                                                                                              \
        .op = "columns", .what = #n " from " #at, .n_in = 1, .run = run_columns,                   \
        .plain = plain_columns, .shape = {{N, F}}, .first = at, .k = n                             \
    }
#define PROPAGATE(terms, basis)                                                                    \
    {                                                                                              \
        .op = "propagate", .what = #terms " terms of " #basis, .n_in = 1, .run = run_propagate,    \
        .plain = plain_propagate, .shape = {{N, F}}, .k = terms, .first = basis                    \
    }
#define CHEBY_SUM(order, f)                                                                        \
    {                                                                                              \
        .op = "cheby_sum", .what = #order, .n_in = 1, .run = run_cheby_sum,                        \
        .plain = plain_cheby_sum, .shape = {{N, (order + 1) * f}}, .k = order                      \
    }
#define CHEBY_LAYER(order, f)                                                                      \
    {                                                                                              \
        .op = "cheby_layer", .what = #order, .n_in = 1, .run = run_cheby_layer,                    \
        .plain = plain_cheby_layer, .shape = {{((order) + 1) * 7, f}}, .k = order                  \
    }
#define POLY_CASES                                                                                 \
    BLOCK_ROWS(1, 4), BLOCK_ROWS(4, 4), BLOCK_ROWS(9, 4), BLOCK_ROWS(3, 8),                        \
        PROPAGATE(1, GND_BASIS_POWER), PROPAGATE(2, GND_BASIS_POWER),                              \
        PROPAGATE(3, GND_BASIS_POWER), PROPAGATE(7, GND_BASIS_POWER),                              \
        PROPAGATE(1, GND_BASIS_CHEBYSHEV), PROPAGATE(2, GND_BASIS_CHEBYSHEV),                      \
        PROPAGATE(3, GND_BASIS_CHEBYSHEV), PROPAGATE(7, GND_BASIS_CHEBYSHEV), CHEBY_SUM(0, 3),     \
        CHEBY_SUM(1, 3), CHEBY_SUM(2, 3), CHEBY_SUM(3, 5), CHEBY_SUM(4, 1), CHEBY_SUM(6, 2),       \
        CHEBY_LAYER(0, 3), CHEBY_LAYER(1, 16), CHEBY_LAYER(2, 2), CHEBY_LAYER(3, 16),              \
        CHEBY_LAYER(4, 5)
