/* SPDX-License-Identifier: MIT
 * walk_cases.h - walks with restarts, maxima and weights side by side: plain loops and cases for
 * test_ops_double.c, which includes this once its helpers stand. */

static const double restart_rate = 0.2;

static gnd_var run_restart(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_restart(t, &op_a, &op_at, in[0], &(gnd_restart_walk){c->k, restart_rate, 0.4, "S"});
}

/* k: with memory for the hidden layer. */
static gnd_var run_hidden_layer(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    t->budget = (gnd_budget){.total = c->k ? 1 << 20 : 0};
    return gnd_hidden_layer(t, gnd_sparse(t, &sparse_x), in[0], 0.4, "H", in[1]);
}

/* relu(x + b), with dropout from k = 1 on, in place of a product from k = 2 on. */
static gnd_var run_activate(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_var x = c->k > 1 ? gnd_spmm(t, &op_a, &op_at, in[0]) : in[0];

    return gnd_activate(t, x, c->n_in > 1 ? in[1] : (gnd_var){-1}, c->k ? 0.4 : 0, "H");
}

static void plain_activate(double *y, const double *const *in, const op_case *c)
{
    const int64_t f = c->shape[0][1];

    for (int64_t i = 0; i < c->shape[0][0] * f; i++)
        y[i] = fmax(in[0][i] + (c->n_in > 1 ? in[1][i % f] : 0), 0);
}

static void plain_max(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = fmax(in[0][i], in[1][i]);
}

static gnd_var run_max(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_max(t, in[0], in[1]);
}

static void plain_unstack(double *y, const double *const *in, const op_case *c)
{
    const int64_t cols = c->shape[0][1], r = c->shape[0][0] / c->k;

    for (int64_t b = 0; b < c->k; b++)
        for (int64_t i = 0; i < r * cols; i++)
            y[i / cols * cols * c->k + b * cols + i % cols] = in[0][b * r * cols + i];
}

static gnd_var run_unstack(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_unstack(t, in[0], c->k);
}

#define ACTIVATE(rows, n, kind, check)                                                             \
    {                                                                                              \
        .op = "activate", .what = #kind, .n_in = n, .run = run_activate, .plain = check,           \
        .shape = {{rows, F}, {1, F}}, .k = kind                                                    \
    }
#define HIDDEN_LAYER(stored)                                                                       \
    {                                                                                              \
        .op = "hidden_layer", .what = #stored, .n_in = 2, .run = run_hidden_layer,                 \
        .shape = {{7, 5}, {5, 3}}, .k = stored                                                     \
    }
#define RESTART(steps)                                                                             \
    {                                                                                              \
        .op = "restart", .what = #steps, .n_in = 1, .run = run_restart, .shape = {{N, F}},         \
        .k = steps                                                                                 \
    }
#define UNSTACK(r, c, blocks)                                                                      \
    {                                                                                              \
        .op = "unstack", .what = #blocks, .n_in = 1, .run = run_unstack, .plain = plain_unstack,   \
        .shape = {{r * blocks, c}}, .k = blocks                                                    \
    }
#define WALK_CASES                                                                                 \
    HIDDEN_LAYER(0), HIDDEN_LAYER(1), ACTIVATE(N, 1, 0, plain_activate),                           \
        ACTIVATE(N, 2, 0, plain_activate), ACTIVATE(2500, 2, 1, NULL), ACTIVATE(N, 1, 2, NULL),    \
        ACTIVATE(N, 2, 2, NULL), RESTART(1), RESTART(2), RESTART(3), RESTART(10),                  \
        UNSTACK(5, 3, 1), UNSTACK(5, 3, 4), UNSTACK(1, 7, 3),                                      \
        CASE("max", "", 2, run_max, plain_max, {N, F}, {N, F})

/* Without dropout it is the walk, with dropout each step drops other links, the mean over many
 * masks is the walk, and dropping is as rare as asked for. */
static void restart_walks(void **state)
{
    enum { STEPS = 3, EPOCHS = 20000 };
    gnd_real z[N * F], plain[N * F], hop[N * F], mean[N * F] = {0};
    gnd_error err = {0};
    gnd_tape *t;
    gnd_var y;

    (void)state;
    grad_fill(z, N * F, 1, 0);
    memcpy(plain, z, sizeof plain);
    for (int k = 0; k < STEPS; k++) {
        times(hop, &op_a, plain, F);
        for (int i = 0; i < N * F; i++)
            plain[i] = (1 - restart_rate) * hop[i] + restart_rate * z[i];
    }
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    for (int64_t e = 0; e < EPOCHS; e++) {
        gnd_tape_reset(t, e > 0, e);
        y = gnd_restart(t, &op_a, &op_at, gnd_constant(t, z, N, F),
                        &(gnd_restart_walk){STEPS, restart_rate, e % 2 ? 0.4 : 0.5, "S"});
        CHECK_OK(gnd_tape_check(t, &err));
        for (int i = 0; i < N * F; i++) {
            if (e == 0)
                CHECK_CLOSE(gnd_tape_node(t, y)->v[i], plain[i], 1e-12);
            else
                mean[i] += gnd_tape_node(t, y)->v[i] / (EPOCHS - 1);
        }
    }
    for (int i = 0; i < N * F; i++)
        CHECK_CLOSE(mean[i], plain[i], 0.05 * (1 + fabs(plain[i])));
    gnd_tape_free(t);
}

/* Equal entries give their gradient to the first. */
static void ties_go_left(void **state)
{
    gnd_real x[3] = {1, 2, 0}, y[3] = {1, 1, 3}, w[3] = {5, 6, 7}, dx[3] = {0}, dy[3] = {0};
    gnd_error err = {0};
    gnd_tape *t;

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, true, 0);
    gnd_tape_backward(
        t, gnd_matmul(t, gnd_max(t, gnd_parameter(t, x, dx, 1, 3), gnd_parameter(t, y, dy, 1, 3)),
                      gnd_constant(t, w, 3, 1)));
    CHECK_OK(gnd_tape_check(t, &err));
    for (int i = 0; i < 3; i++) {
        CHECK_CLOSE(dx[i], (i < 2 ? w[i] : 0), 0);
        CHECK_CLOSE(dy[i], (i < 2 ? 0 : w[i]), 0);
    }
    gnd_tape_free(t);
}
