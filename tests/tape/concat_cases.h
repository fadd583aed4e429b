/* SPDX-License-Identifier: MIT
 * concat_cases.h - matrices side by side: plain loops and cases for test_ops_double.c, which
 * includes this once its helpers stand. */

/* k: how often all inputs stand there. */
static void plain_concat(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0]; i++)
        for (int64_t e = 0; e < c->k * c->n_in; e++) {
            const int64_t k = e % c->n_in, f = c->shape[k][1];

            memcpy(y, in[k] + i * f, (size_t)f * sizeof *y);
            y += f;
        }
}

static gnd_var run_concat(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    gnd_var x[2 * GRAD_MAX_IN];

    for (int64_t e = 0; e < c->k * c->n_in; e++)
        x[e] = in[e % c->n_in];
    return gnd_concat(t, x, (int)c->k * c->n_in);
}

#define CONCAT(what_, n_in_, times_, ...)                                                          \
    {                                                                                              \
        .op = "concat", .what = what_, .n_in = n_in_, .run = run_concat, .plain = plain_concat,    \
        .shape = {__VA_ARGS__}, .k = times_                                                        \
    }
#define CONCAT_CASES                                                                               \
    CONCAT("two", 2, 1, {N, 3}, {N, F}), CONCAT("four", 4, 1, {N, 3}, {N, F}, {N, 1}, {N, 2}),     \
        CONCAT("five", 1, 5, {N, F}),                                                              \
        CONCAT("more than a node takes", 4, 2, {N, 3}, {N, F}, {N, 1}, {N, 2}),                    \
        CONCAT("in pieces", 2, 1, {900, 60}, {900, 70})
