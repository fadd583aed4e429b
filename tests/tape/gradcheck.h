/* SPDX-License-Identifier: MIT
 * gradcheck.h - gradients of a formula against signed central differences, in double.
 *
 * A formula of any shape is reduced to a number by fixed random weights; the derivative along
 * random directions of its inputs is compared with that of (f(x + h d) - f(x - h d)) / 2h. */
#ifndef GND_TESTS_GRADCHECK_H
#define GND_TESTS_GRADCHECK_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "tape/ops.h"

enum { GRAD_MAX_IN = 4, GRAD_DIRECTIONS = 5 };

typedef struct {
    int64_t rows, cols;
    gnd_real *v, *g; /* g NULL: a constant in this run */
} grad_input;

typedef gnd_var (*grad_formula)(gnd_tape *t, const gnd_var *in, const void *arg);

/* Numbers of a stream in (-1, 1), none closer to 0 than `gap`. */
static inline void grad_fill(gnd_real *v, int64_t n, uint32_t stream, double gap)
{
    for (int64_t i = 0; i < n; i++) {
        const double u = gnd_rng_uniform(11, stream, (uint64_t)i) * 2 - 1;

        v[i] = (gnd_real)((u < 0 ? -gap : gap) + (1 - gap) * u);
    }
}

/* sum_ij l_i y_ij r_j as a formula. */
static inline gnd_var grad_reduce(gnd_tape *t, gnd_var y)
{
    gnd_real *l, *r;
    int64_t rows, cols;

    if (!gnd_tape_ok(t))
        return y;
    rows = gnd_tape_node(t, y)->rows;
    cols = gnd_tape_node(t, y)->cols;
    l = gnd_tape_alloc(t, rows, sizeof *l);
    r = gnd_tape_alloc(t, cols, sizeof *r);
    grad_fill(l, rows, 501, 0.2);
    grad_fill(r, cols, 502, 0.2);
    return gnd_matmul(t, gnd_constant(t, l, 1, rows),
                      gnd_matmul(t, y, gnd_constant(t, r, cols, 1)));
}

/* Value of the reduced formula; gradients are added to in[].g if backward. */
static inline double grad_value(gnd_tape *t, grad_formula f, const void *arg, const grad_input *in,
                                int n_in, bool backward)
{
    gnd_var x[GRAD_MAX_IN], y;

    gnd_tape_reset(t, true, 3);
    for (int i = 0; i < n_in; i++)
        x[i] = gnd_parameter(t, in[i].v, in[i].g, in[i].rows, in[i].cols);
    y = grad_reduce(t, f(t, x, arg));
    if (backward)
        gnd_tape_backward(t, y);
    if (!gnd_tape_ok(t))
        fail_msg("%s", t->err.msg);
    return (double)gnd_tape_node(t, y)->v[0];
}

/* x += c d for every input that wants a gradient; d is number `dir` of the directions. */
static inline void grad_move(const grad_input *in, int n_in, int dir, double c)
{
    for (int i = 0; i < n_in; i++)
        for (int64_t k = 0; in[i].g && k < in[i].rows * in[i].cols; k++)
            in[i].v[k] +=
                (gnd_real)(c *
                           (gnd_rng_uniform((uint64_t)(77 + dir), (uint32_t)i, (uint64_t)k) * 2 -
                            1));
}

/* Largest relative difference over the directions, sign included: opposite signs give 2. */
static inline double grad_error(gnd_tape *t, grad_formula f, const void *arg, const grad_input *in,
                                int n_in, const char *what)
{
    const double h = 1e-5;
    double worst = 0;

    for (int i = 0; i < n_in; i++)
        if (in[i].g)
            memset(in[i].g, 0, (size_t)(in[i].rows * in[i].cols) * sizeof *in[i].g);
    grad_value(t, f, arg, in, n_in, true);
    for (int dir = 0; dir < GRAD_DIRECTIONS; dir++) {
        double slope = 0, diff, size, error;

        for (int i = 0; i < n_in; i++)
            for (int64_t k = 0; in[i].g && k < in[i].rows * in[i].cols; k++)
                slope += (double)in[i].g[k] *
                         (gnd_rng_uniform((uint64_t)(77 + dir), (uint32_t)i, (uint64_t)k) * 2 - 1);
        grad_move(in, n_in, dir, h);
        diff = grad_value(t, f, arg, in, n_in, false);
        grad_move(in, n_in, dir, -2 * h);
        diff = (diff - grad_value(t, f, arg, in, n_in, false)) / (2 * h);
        grad_move(in, n_in, dir, h);
        size = fmax(fabs(slope), fabs(diff));
        error = size > 0 ? fabs(slope - diff) / fmax(size, 1e-3) : 0;
        if (!(error < 1e-6))
            print_message("%s, direction %d: gradient %+.12g, difference %+.12g%s\n", what, dir,
                          slope, diff, slope * diff < 0 ? " (wrong sign)" : "");
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

#endif
