/* SPDX-License-Identifier: MIT
 * rows_cases.h - cases of test_ops_double.c: some rows of a diffusion, computed or stored. */
#ifndef GND_TESTS_ROWS_CASES_H
#define GND_TESTS_ROWS_CASES_H

#include "graph/powers.h"

enum { ROWS_K = 6 };

/* Hops 1.. of `rows`: all columns, and those that one vertex reaches in few steps. */
static const int32_t near_row[] = {6, 3, 6};
static gnd_power_rows stored_all, stored_near;
static gnd_hop_tiles stored_q; /* |rows| x 7 cells of sparse_x, from hop 0 */
static int64_t n_near;

static void row_take(void *to, int64_t hop, int64_t i, int64_t c0, const gnd_real *v, int64_t w)
{
    gnd_hop_tiles_put(to, hop, i * 7 + c0, v, w);
}

static void rows_setup(void)
{
    unsigned char mark[N] = {0};
    gnd_error err = {0};

    CHECK_OK(gnd_power_rows_init(
        &stored_all,
        &(gnd_power_rows_of){
            .at = &op_at, .rows = {rows, LENGTH(rows)}, .first = 1, .K = ROWS_K, .mark = NULL},
        NULL, &err));
    n_near = gnd_reach(mark, &op_a, near_row, LENGTH(near_row), 1);
    CHECK_OK(gnd_power_rows_init(
        &stored_near,
        &(gnd_power_rows_of){
            .at = &op_at, .rows = {near_row, LENGTH(near_row)}, .first = 0, .K = 2, .mark = mark},
        NULL, &err));
    assert_int_equal(stored_near.n_col, n_near);
    CHECK_OK(gnd_hop_tiles_init(&stored_q, LENGTH(rows) * 7, ROWS_K, &err));
    CHECK_OK(gnd_powers_dense_rows(row_take, &stored_q,
                                   &(gnd_powers_of){&op_a, &sparse_x, 0, ROWS_K - 1, false},
                                   (gnd_row_list){rows, LENGTH(rows)}, NULL, &err));
}

static void rows_teardown(void)
{
    gnd_power_rows_fini(&stored_all);
    gnd_power_rows_fini(&stored_near);
    gnd_hop_tiles_fini(&stored_q);
}

static void plain_diffuse_rows(double *y, const double *const *in, const op_case *c)
{
    double all[N * F];

    plain_diffuse(all, in, c);
    for (int64_t r = 0; r < LENGTH(rows); r++)
        memcpy(y + r * F, all + rows[r] * F, F * sizeof *y);
}

static void plain_each_hop(double *y, const double *const *in, const op_case *c)
{
    double hop[N * F];

    for (int64_t k = 0; k < c->k; k++) {
        times_power(hop, in[0], c->first + k);
        for (int64_t r = 0; r < LENGTH(rows); r++)
            memcpy(y + (k * LENGTH(rows) + r) * F, hop + rows[r] * F, F * sizeof *y);
    }
}

/* Two hops of near_row; z holds the rows that these reach. */
static void plain_stored_near(double *y, const double *const *in, const op_case *c)
{
    double z[N * F] = {0}, hop[N * F];

    (void)c;
    for (int64_t i = 0; i < n_near; i++)
        memcpy(z + stored_near.col[i] * F, in[1] + i * F, F * sizeof *z);
    times_power(hop, z, 1);
    for (int64_t r = 0; r < LENGTH(near_row); r++)
        for (int64_t f = 0; f < F; f++)
            y[r * F + f] = in[0][0] * z[near_row[r] * F + f] + in[0][1] * hop[near_row[r] * F + f];
}

static void plain_mix(double *y, const double *const *in, const op_case *c)
{
    double x[N * 7], next[N * 7];

    (void)c;
    memset(x, 0, sizeof x);
    memset(y, 0, LENGTH(rows) * 7 * sizeof *y);
    for (int64_t i = 0; i < N; i++)
        for (int64_t p = sparse_x.ptr[i]; p < sparse_x.ptr[i + 1]; p++)
            x[i * 7 + sparse_x.col[p]] = 1;
    for (int64_t k = 0; k < ROWS_K; k++) {
        for (int64_t r = 0; r < LENGTH(rows); r++)
            for (int64_t f = 0; f < 7; f++)
                y[r * 7 + f] += in[0][k] * x[rows[r] * 7 + f];
        times(next, &op_a, x, 7);
        memcpy(x, next, sizeof x);
    }
}

static gnd_row_hops rows_hops(const op_case *c, bool spend)
{
    return (gnd_row_hops){&op_a, &op_at, rows, LENGTH(rows), c->first, spend};
}

/* x as an op's result whose way back does not read it. */
static gnd_var made(gnd_tape *t, gnd_var x)
{
    static const gnd_real zero[N * F];

    return gnd_add(t, x, gnd_constant(t, zero, N, F));
}

static gnd_var run_dropout_over(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_dropout_over(t, made(t, in[0]), 0.4, "H");
}

static gnd_var run_diffuse_rows(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_row_hops h = rows_hops(c, false);

    return gnd_diffuse_rows(t, &h, in[0], in[1]);
}

static gnd_var run_diffuse_spend(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_row_hops h = rows_hops(c, true);

    return gnd_diffuse_rows(t, &h, in[0], made(t, in[1]));
}

static gnd_var run_each_hop(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_row_hops h = rows_hops(c, false);

    return gnd_hop_rows(t, &h, in[0], c->k);
}

static gnd_var run_each_spend(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_row_hops h = rows_hops(c, true);

    return gnd_hop_rows(t, &h, made(t, in[0]), c->k);
}

static gnd_var run_stored(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_diffuse_power_rows(t, &stored_all, in[0], in[1]);
}

static gnd_var run_stored_near(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    static int32_t all[N];

    (void)c;
    for (int32_t i = 0; i < N; i++)
        all[i] = i;
    return gnd_diffuse_power_rows(t, &stored_near, in[0], gnd_rows(t, in[1], all, n_near));
}

static gnd_var run_mix(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_mix(t, &stored_q, in[0], LENGTH(rows), 7);
}

#define DIFFUSE_ROWS(K, at, run_, what_)                                                           \
    {                                                                                              \
        .op = "diffuse_rows", .what = #K " hops from " #at what_, .n_in = 2, .run = run_,          \
        .plain = plain_diffuse_rows, .shape = {{1, K}, {N, F}}, .first = at                        \
    }
#define EACH_HOP(K, at, run_, what_)                                                               \
    {                                                                                              \
        .op = "hop_rows", .what = #K " hops from " #at what_, .n_in = 1, .run = run_,              \
        .plain = plain_each_hop, .shape = {{N, F}}, .k = K, .first = at                            \
    }
#define BOTH_WAYS(X, K, at, kept, spent) X(K, at, kept, ""), X(K, at, spent, ", z used up")
#define ROWS_CASES                                                                                 \
    BOTH_WAYS(DIFFUSE_ROWS, 1, 0, run_diffuse_rows, run_diffuse_spend),                            \
        BOTH_WAYS(DIFFUSE_ROWS, 1, 1, run_diffuse_rows, run_diffuse_spend),                        \
        BOTH_WAYS(DIFFUSE_ROWS, 2, 0, run_diffuse_rows, run_diffuse_spend),                        \
        BOTH_WAYS(DIFFUSE_ROWS, 2, 1, run_diffuse_rows, run_diffuse_spend),                        \
        BOTH_WAYS(DIFFUSE_ROWS, 5, 0, run_diffuse_rows, run_diffuse_spend),                        \
        BOTH_WAYS(DIFFUSE_ROWS, 5, 3, run_diffuse_rows, run_diffuse_spend),                        \
        BOTH_WAYS(DIFFUSE_ROWS, 20, 1, run_diffuse_rows, run_diffuse_spend),                       \
        BOTH_WAYS(EACH_HOP, 1, 0, run_each_hop, run_each_spend),                                   \
        BOTH_WAYS(EACH_HOP, 1, 4, run_each_hop, run_each_spend),                                   \
        BOTH_WAYS(EACH_HOP, 3, 0, run_each_hop, run_each_spend),                                   \
        BOTH_WAYS(EACH_HOP, 6, 1, run_each_hop, run_each_spend),                                   \
        {.op = "diffuse_power_rows",                                                               \
         .what = "all columns",                                                                    \
         .n_in = 2,                                                                                \
         .run = run_stored,                                                                        \
         .plain = plain_diffuse_rows,                                                              \
         .shape = {{1, ROWS_K}, {N, F}},                                                           \
         .first = 1},                                                                              \
        CASE("diffuse_power_rows", "columns reached", 2, run_stored_near, plain_stored_near,       \
             {1, 2}, {N, F}),                                                                      \
        CASE("dropout_over", "", 1, run_dropout_over, NULL, {N, F}),                               \
        CASE("mix", "", 1, run_mix, plain_mix, {1, ROWS_K})

#endif
