/* SPDX-License-Identifier: MIT
 * pass.h - one pass through every op, large enough that sums go in blocks and sparse dropout in
 * pieces. */
#ifndef GND_TESTS_PASS_H
#define GND_TESTS_PASS_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "tape/ops.h"
#include "tape/params.h"

enum { P_N = 1500, P_D = 300, P_R = 96, P_C = 7, P_ROWS = 40 };

typedef struct {
    gnd_csr a, at, x;
    int32_t label[P_N], rows[P_ROWS];
    gnd_params ps;
    double p; /* drop rate */
} pass;

/* [n, m] with `each` entries a row, one in each stretch of m / each columns; every fifth row is
 * empty. */
static inline void pass_matrix(gnd_csr *a, int64_t n, int64_t m, int64_t each, uint64_t key)
{
    const int64_t stretch = m / each;
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(a, n, m, n * each, true, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t e = 0; i % 5 && e < each; e++) {
            const uint64_t h = gnd_hash_at(key, (uint64_t)(i * each + e));

            a->col[p] = (int32_t)(e * stretch + (int64_t)(h % (uint64_t)stretch));
            a->val[p++] = (gnd_real)((double)(h >> 40) * 0x1p-24 / (double)each);
        }
        a->ptr[i + 1] = p;
    }
}

static inline void pass_init(pass *s)
{
    gnd_error err = {0};

    memset(s, 0, sizeof *s);
    pass_matrix(&s->a, P_N, P_N, 4, 1);
    pass_matrix(&s->x, P_N, P_D, 150, 2);
    CHECK_OK(gnd_csr_transpose(&s->at, &s->a, &err));
    for (int i = 0; i < P_N; i++)
        s->label[i] = i % (P_C + 1) - 1;
    for (int i = 0; i < P_ROWS; i++)
        s->rows[i] = i * 35 + 3;
    s->p = 0.5;
    CHECK_OK(gnd_param_add(&s->ps, "Theta", P_D, P_R, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "alpha", 1, 6, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "b", 1, P_R, GND_INIT_LINEAR | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "U1", 4, 8, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "U2", 8, 1, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "Phi", 2 * P_R, P_C, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "V", P_R, P_R, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "C", P_R, 4 * P_C, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&s->ps, "U", P_C * P_R, 1, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_params_alloc(&s->ps, &err));
    gnd_params_draw(&s->ps, 5);
}

static inline void pass_fini(pass *s)
{
    gnd_csr_fini(&s->a);
    gnd_csr_fini(&s->at);
    gnd_csr_fini(&s->x);
    gnd_params_fini(&s->ps);
}

/* The logits, through every op there is. */
static inline gnd_var pass_logits(gnd_tape *t, const pass *s)
{
    static const double series[] = {0.5, 0.25, 0.125};
    const gnd_params *ps = &s->ps;
    gnd_var x = gnd_dropout(t, gnd_sparse(t, &s->x), s->p, "X");
    gnd_var z = gnd_dropout(t, gnd_matmul(t, x, gnd_param_var(t, ps, 0)), s->p, "Z");
    gnd_var h = gnd_diffuse(t, &s->a, &s->at, gnd_softmax(t, gnd_param_var(t, ps, 1)), z, 1);
    gnd_var m = gnd_hop_mlp(t, &(gnd_hops){&s->a, &s->at, 1}, gnd_param_var(t, ps, 3),
                            gnd_param_var(t, ps, 4), z);
    gnd_var q = gnd_relu(t, gnd_matmul(t, gnd_spmm(t, &s->a, &s->at, z), gnd_param_var(t, ps, 6)));

    h = gnd_sub(t, gnd_add(t, h, gnd_tanh(t, m)), gnd_power(t, &s->a, &s->at, q, 3));
    h = gnd_dropout(t, gnd_elu(t, gnd_add_bias(t, h, gnd_param_var(t, ps, 2))), s->p, "R");
    m = gnd_cheby_sum(t, &s->a, &s->at, gnd_matmul(t, h, gnd_param_var(t, ps, 7)), 3);
    m = gnd_add(t, m,
                gnd_propagate(
                    t, &s->a, &s->at,
                    &(gnd_series){.basis = GND_BASIS_CHEBYSHEV, .n = 3, .c = (double *)series}, m));
    m = gnd_restart(t, &s->a, &s->at, m, &(gnd_restart_walk){3, 0.1, s->p, "S"});
    m = gnd_max(t, m, gnd_matmul(t, h, gnd_unstack(t, gnd_param_var(t, ps, 8), P_C)));
    h = gnd_concat(t, (gnd_var[]){h, gnd_relu(t, h)}, 2);
    return gnd_add(t, m, gnd_matmul(t, h, gnd_param_var(t, ps, 5)));
}

/* Gradients are set, not added. Returns the loss. */
static inline gnd_var pass_run(gnd_tape *t, pass *s, bool training, int64_t epoch)
{
    gnd_var loss;

    memset(s->ps.g, 0, (size_t)s->ps.size * sizeof *s->ps.g);
    gnd_tape_reset(t, training, epoch);
    loss = gnd_cross_entropy(t, pass_logits(t, s), s->label, s->rows, P_ROWS);
    if (training)
        gnd_tape_backward(t, loss);
    return loss;
}

static inline gnd_real pass_loss(gnd_tape *t, pass *s, bool training, int64_t epoch)
{
    const gnd_var loss = pass_run(t, s, training, epoch);

    if (!gnd_tape_ok(t))
        fail_msg("%s", t->err.msg);
    return gnd_tape_node(t, loss)->v[0];
}

#endif
