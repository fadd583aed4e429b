/* SPDX-License-Identifier: MIT
 * test_ops_double.c - every op: its value against plain loops, its gradients against
 * differences. */
#include "gradcheck.h"
#include "tape/tape.h"

enum { N = 9, F = 5 };

/* A directed graph without symmetry, with an empty row, an empty column and a loop; and a sparse
 * [N, 7]; op_none has no entry. */
static gnd_csr op_a, op_at, op_none, sparse_x;

typedef struct op_case op_case;
struct op_case {
    const char *op, *what;
    int n_in;
    int64_t shape[GRAD_MAX_IN][2];
    gnd_var (*run)(gnd_tape *t, const gnd_var *in, const op_case *c);
    void (*plain)(double *y, const double *const *in, const op_case *c);
    int64_t k, first;
};

static gnd_csr matrix(int64_t n, int64_t m, double density, bool with_val)
{
    gnd_csr a;
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(&a, n, m, n * m, with_val, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++)
            if (i != 4 && j != 2 && gnd_rng_uniform(5, 6, (uint64_t)(i * m + j)) < density) {
                a.col[p] = (int32_t)j;
                if (with_val)
                    a.val[p] = (gnd_real)(gnd_rng_uniform(5, 7, (uint64_t)p) + 0.05);
                p++;
            }
        a.ptr[i + 1] = p;
    }
    return a;
}

static void rows_setup(void);
static void rows_teardown(void);

static int setup(void **state)
{
    gnd_error err = {0};

    (void)state;
    op_a = matrix(N, N, 0.35, true);
    CHECK_OK(gnd_csr_transpose_or_borrow(&op_at, &op_a, &err));
    assert_false(op_at.borrowed);
    sparse_x = matrix(N, 7, 0.4, false);
    op_none = matrix(N, N, 0, true);
    rows_setup();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    rows_teardown();
    gnd_csr_fini(&op_a);
    gnd_csr_fini(&op_at);
    gnd_csr_fini(&op_none);
    gnd_csr_fini(&sparse_x);
    return 0;
}

/* ---- the same in plain loops --------------------------------------------------------------- */

static void times(double *y, const gnd_csr *a, const double *x, int64_t f)
{
    memset(y, 0, (size_t)(a->n_row * f) * sizeof *y);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            for (int64_t c = 0; c < f; c++)
                y[i * f + c] += (double)gnd_csr_val(a, p) * x[a->col[p] * f + c];
}

/* A^k z, [N, F] */
static void times_power(double *y, const double *z, int64_t k)
{
    double from[N * F];

    memcpy(y, z, sizeof from);
    for (int64_t i = 0; i < k; i++) {
        memcpy(from, y, sizeof from);
        times(y, &op_a, from, F);
    }
}

static void plain_matmul(double *y, const double *const *in, const op_case *c)
{
    const int64_t n = c->shape[0][0], k = c->shape[0][1], f = c->shape[1][1];

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < f; j++) {
            y[i * f + j] = 0;
            for (int64_t m = 0; m < k; m++)
                y[i * f + j] += in[0][i * k + m] * in[1][m * f + j];
        }
}

static void plain_sparse(double *y, const double *const *in, const op_case *c)
{
    times(y, &sparse_x, in[0], c->shape[0][1]);
}

static void plain_add(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = in[0][i] + in[1][i];
}

static void plain_twice(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = in[0][i] + in[0][i];
}

static void plain_sub(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = in[0][i] - in[1][i];
}

static void plain_add_bias(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = in[0][i] + in[1][i % c->shape[0][1]];
}

static void plain_relu(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = fmax(in[0][i], 0);
}

static void plain_elu(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = in[0][i] > 0 ? in[0][i] : expm1(in[0][i]);
}

static void plain_tanh(double *y, const double *const *in, const op_case *c)
{
    for (int64_t i = 0; i < c->shape[0][0] * c->shape[0][1]; i++)
        y[i] = tanh(in[0][i]);
}

static void plain_softmax(double *y, const double *const *in, const op_case *c)
{
    const int64_t f = c->shape[0][1];

    for (int64_t i = 0; i < c->shape[0][0]; i++) {
        double sum = 0;

        for (int64_t k = 0; k < f; k++)
            sum += exp(in[0][i * f + k]);
        for (int64_t k = 0; k < f; k++)
            y[i * f + k] = exp(in[0][i * f + k]) / sum;
    }
}

static void plain_spmm(double *y, const double *const *in, const op_case *c)
{
    (void)c;
    times_power(y, in[0], 1);
}

static void plain_diffuse(double *y, const double *const *in, const op_case *c)
{
    double hop[N * F];

    memset(y, 0, sizeof hop);
    for (int64_t k = 0; k < c->shape[0][1]; k++) {
        times_power(hop, in[1], c->first + k);
        for (int64_t i = 0; i < N * F; i++)
            y[i] += in[0][k] * hop[i];
    }
}

static void plain_hop_mlp(double *y, const double *const *in, const op_case *c)
{
    const int64_t K = c->shape[0][0], inner = c->shape[0][1];
    double *hop = gnd_alloc(K * N * F, sizeof *hop);

    for (int64_t k = 0; k < K; k++)
        times_power(hop + k * N * F, in[2], c->first + k);
    for (int64_t e = 0; e < N * F; e++) {
        y[e] = 0;
        for (int64_t m = 0; m < inner; m++) {
            double s = 0;

            for (int64_t k = 0; k < K; k++)
                s += hop[k * N * F + e] * in[0][k * inner + m];
            y[e] += in[1][m] * fmax(s, 0);
        }
    }
    gnd_free(hop);
}

static const int32_t label[N] = {0, 3, -1, 2, 1, 1, 4, 0, 2}, rows[] = {1, 2, 8, 5, 1, 0};

static void plain_cross_entropy(double *y, const double *const *in, const op_case *c)
{
    (void)c;
    *y = 0;
    for (int64_t r = 0; r < LENGTH(rows); r++) {
        double sum = 0;

        for (int64_t k = 0; k < F; k++)
            sum += exp(in[0][rows[r] * F + k]);
        if (label[rows[r]] >= 0)
            *y += (log(sum) - in[0][rows[r] * F + label[rows[r]]]) / (double)LENGTH(rows);
    }
}

static void plain_requested(double *y, const double *const *in, const op_case *c)
{
    (void)c;
    for (int64_t r = 0; r < LENGTH(rows); r++)
        memcpy(y + r * F, in[0] + rows[r] * F, F * sizeof *y);
}

/* ---- as recorded on the tape --------------------------------------------------------------- */

static gnd_var run_matmul(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_matmul(t, in[0], in[1]);
}

static gnd_var run_sparse(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_matmul(t, gnd_sparse(t, &sparse_x), in[0]);
}

static gnd_var run_add(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_add(t, in[0], in[1]);
}

static gnd_var run_twice(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_add(t, in[0], in[0]);
}

static gnd_var run_sub(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_sub(t, in[0], in[1]);
}

static gnd_var run_add_bias(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_add_bias(t, in[0], in[1]);
}

static gnd_var run_relu(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_relu(t, in[0]);
}

static gnd_var run_elu(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_elu(t, in[0]);
}

static gnd_var run_tanh(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_tanh(t, in[0]);
}

static gnd_var run_softmax(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_softmax(t, in[0]);
}

static gnd_var run_dropout(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_dropout(t, in[0], 0.4, "H");
}

static gnd_var run_drop_matmul(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_drop_matmul(t, gnd_sparse(t, &sparse_x), 0.4, "X", in[0]);
}

/* Sparse dropout has no gradient of its own; the product with what it keeps has. */
static gnd_var run_dropout_sparse(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_matmul(t, gnd_dropout(t, gnd_sparse(t, &sparse_x), 0.4, "X"), in[0]);
}

static gnd_var run_spmm(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_spmm(t, &op_a, &op_at, in[0]);
}

static gnd_var run_diffuse(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_diffuse(t, &op_a, &op_at, in[0], in[1], c->first);
}

static gnd_var run_hop_mlp(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_hop_mlp(t, &(gnd_hops){&op_a, &op_at, c->first}, in[0], in[1], in[2]);
}

static gnd_var run_cross_entropy(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    return gnd_cross_entropy(t, in[0], label, rows, LENGTH(rows));
}

static gnd_var run_requested(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    (void)c;
    gnd_tape_request(t, rows, LENGTH(rows));
    return gnd_requested(t, in[0]);
}

static gnd_var run_packed_entropy(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_cross_entropy(t, run_requested(t, in, c), label, rows, LENGTH(rows));
}

#include "mixhop_cases.h"
#include "poly_cases.h"
#include "relation_conv_cases.h"
#include "ritz_cases.h"
#include "walk_cases.h"

/* name, what, inputs, how it runs, its plain loops, shapes of the inputs */
#define CASE(op_, what_, n_in_, run_, plain_, ...)                                                 \
    {                                                                                              \
        .op = op_, .what = what_, .n_in = n_in_, .run = run_, .plain = plain_, .shape = {          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define DIFFUSE(K, at)                                                                             \
    {                                                                                              \
        .op = "diffuse", .what = #K " hops from " #at, .n_in = 2, .run = run_diffuse,              \
        .plain = plain_diffuse, .shape = {{1, K}, {N, F}}, .first = at                             \
    }
#include "rows_cases.h"
#include "sequence_cases.h"

#define HOP_MLP(K, inner, at)                                                                      \
    {                                                                                              \
        .op = "hop_mlp", .what = #K " hops from " #at, .n_in = 3, .run = run_hop_mlp,              \
        .plain = plain_hop_mlp, .shape = {{K, inner}, {inner, 1}, {N, F}}, .first = at             \
    }

static const op_case cases[] = {
    CASE("matmul", "dense", 2, run_matmul, plain_matmul, {N, 7}, {7, 3}),
    CASE("matmul", "in blocks", 2, run_matmul, plain_matmul, {1500, 64}, {64, 100}),
    RITZ_CASES,
    CASE("matmul", "sparse", 1, run_sparse, plain_sparse, {7, 3}),
    CASE("add", "", 2, run_add, plain_add, {N, F}, {N, F}),
    CASE("add", "x + x", 1, run_twice, plain_twice, {N, F}),
    CASE("sub", "", 2, run_sub, plain_sub, {N, F}, {N, F}),
    CASE("add_bias", "", 2, run_add_bias, plain_add_bias, {N, F}, {1, F}),
    CASE("add_bias", "in blocks", 2, run_add_bias, plain_add_bias, {2500, 3}, {1, 3}),
    CASE("relu", "", 1, run_relu, plain_relu, {N, F}),
    CASE("elu", "", 1, run_elu, plain_elu, {N, F}),
    CASE("tanh", "", 1, run_tanh, plain_tanh, {N, F}),
    CASE("softmax", "", 1, run_softmax, plain_softmax, {N, F}),
    CASE("dropout", "dense", 1, run_dropout, NULL, {N, F}),
    CASE("dropout", "sparse", 1, run_dropout_sparse, NULL, {7, 3}),
    CASE("drop_matmul", "", 1, run_drop_matmul, NULL, {7, 3}),
    CASE("spmm", "", 1, run_spmm, plain_spmm, {N, F}),
    POWER(0),
    POWER(1),
    POWER(2),
    POWER(3),
    POWER(6),
    DIFFUSE(1, 0),
    DIFFUSE(1, 1),
    DIFFUSE(1, 2),
    DIFFUSE(2, 0),
    DIFFUSE(2, 1),
    DIFFUSE(5, 0),
    DIFFUSE(5, 1),
    DIFFUSE(5, 3),
    DIFFUSE(20, 0),
    DIFFUSE(20, 1),
    ROWS_CASES,
    POLY_CASES,
    RELATION_CONV_CASES,
    WALK_CASES,
    SEQUENCE_CASES,
    HOP_MLP(1, 1, 0),
    HOP_MLP(4, 3, 0),
    HOP_MLP(4, 3, 1),
    HOP_MLP(3, 9, 2),
    HOP_MLP(5, 2, 3),
    CASE("cross_entropy", "", 1, run_cross_entropy, plain_cross_entropy, {N, F}),
    CASE("cross_entropy", "of the rows asked for", 1, run_packed_entropy, plain_cross_entropy,
         {N, F}),
    CASE("requested", "", 1, run_requested, plain_requested, {N, F}),
    MIXHOP_CASES};

static gnd_var run_case(gnd_tape *t, const gnd_var *in, const void *arg)
{
    const op_case *c = arg;

    return c->run(t, in, c);
}

static void inputs_make(grad_input *in, const op_case *c)
{
    for (int i = 0; i < c->n_in; i++) {
        const int64_t n = c->shape[i][0] * c->shape[i][1];

        in[i] = (grad_input){.rows = c->shape[i][0], .cols = c->shape[i][1]};
        in[i].v = gnd_alloc(n, sizeof *in[i].v);
        in[i].g = gnd_alloc(n, sizeof *in[i].g);
        grad_fill(in[i].v, n, (uint32_t)i, 0.05);
    }
}

static void inputs_free(grad_input *in, const op_case *c)
{
    for (int i = 0; i < c->n_in; i++) {
        gnd_free(in[i].v);
        gnd_free(in[i].g);
    }
}

static void values_agree(void **state)
{
    gnd_error err = {0};
    gnd_tape *t;

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    for (int64_t k = 0; k < LENGTH(cases); k++)
        for (int training = 0; cases[k].plain && training < 2; training++) {
            const op_case *c = &cases[k];
            const double *v[GRAD_MAX_IN] = {0};
            grad_input in[GRAD_MAX_IN];
            gnd_var x[GRAD_MAX_IN];
            gnd_node *y;
            double *plain;

            inputs_make(in, c);
            gnd_tape_reset(t, training, 0);
            for (int i = 0; i < c->n_in; i++) {
                x[i] = gnd_parameter(t, in[i].v, in[i].g, in[i].rows, in[i].cols);
                v[i] = in[i].v;
            }
            y = gnd_tape_node(t, c->run(t, x, c));
            CHECK_OK(gnd_tape_check(t, &err));
            assert_string_equal(y->op->name, c->op);
            assert_int_equal(y->g != NULL, training);
            plain = gnd_alloc(y->rows * y->cols, sizeof *plain);
            c->plain(plain, v, c);
            for (int64_t i = 0; i < y->rows * y->cols; i++)
                CHECK_CLOSE(y->v[i], plain[i], 1e-12 * (1 + fabs(plain[i])));
            gnd_free(plain);
            inputs_free(in, c);
        }
    gnd_tape_free(t);
}

/* All inputs at once, then each alone while the others are constants. */
static void gradients_agree(void **state)
{
    gnd_error err = {0};
    gnd_tape *t;

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->seed = 4;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        const op_case *c = &cases[k];
        grad_input in[GRAD_MAX_IN], some[GRAD_MAX_IN];
        char what[80];

        inputs_make(in, c);
        for (int only = -1; only < c->n_in; only++) {
            memcpy(some, in, sizeof some);
            for (int i = 0; only >= 0 && i < c->n_in; i++)
                if (i != only)
                    some[i].g = NULL;
            snprintf(what, sizeof what, "%s %s (input %d)", c->op, c->what, only);
            CHECK_CLOSE(grad_error(t, run_case, c, some, c->n_in, what), 0, 1e-6);
        }
        inputs_free(in, c);
    }
    gnd_tape_free(t);
}

static void no_op_is_left_out(void **state)
{
    (void)state;
    assert_non_null(gnd_op_at(0));
    assert_null(gnd_op_at(-1));
    for (int i = 0; gnd_op_at(i); i++) {
        bool found = false;

        for (int64_t k = 0; k < LENGTH(cases); k++)
            found |= strcmp(cases[k].op, gnd_op_at(i)->name) == 0;
        if (!found)
            fail_msg("op %s has no gradient case", gnd_op_at(i)->name);
    }
}

/* Too many values to hold: hop_mlp goes by panels of columns, and must give what it gives column by
 * column. */
static void panels_agree(void **state)
{
    enum { n = 1500, f = 21, K = 140, inner = 2 };
    gnd_csr a = matrix(n, n, 0.003, true), at;
    gnd_real *z = gnd_alloc(n * f, sizeof *z), *dz = gnd_alloc(n * f, sizeof *dz);
    gnd_real *col = gnd_alloc(n, sizeof *col), *dcol = gnd_alloc(n, sizeof *dcol);
    gnd_real u1[K * inner], u2[inner], du1[K * inner] = {0}, du2[inner] = {0};
    gnd_real dv1[K * inner] = {0}, dv2[inner] = {0}, r[f], l[n];
    gnd_error err = {0};
    gnd_tape *t, *s;

    (void)state;
    for (int64_t p = 0; p < gnd_csr_nnz(&a); p++)
        a.val[p] *= (gnd_real)0.3; /* keep 140 hops finite */
    CHECK_OK(gnd_csr_transpose(&at, &a, &err));
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    CHECK_OK(gnd_tape_new(&s, NULL, &err));
    grad_fill(z, n * f, 1, 0);
    grad_fill(u1, K * inner, 2, 0);
    grad_fill(u2, inner, 3, 0);
    grad_fill(r, f, 4, 0);
    grad_fill(l, n, 5, 0);
    gnd_tape_reset(t, true, 0);
    gnd_var y = gnd_hop_mlp(t, &(gnd_hops){&a, &at, 1}, gnd_parameter(t, u1, du1, K, inner),
                            gnd_parameter(t, u2, du2, inner, 1), gnd_parameter(t, z, dz, n, f));
    gnd_tape_backward(
        t, gnd_matmul(t, gnd_constant(t, l, 1, n), gnd_matmul(t, y, gnd_constant(t, r, f, 1))));
    CHECK_OK(gnd_tape_check(t, &err));
    for (int64_t c = 0; c < f; c++) {
        gnd_tape_reset(s, true, 0);
        for (int64_t i = 0; i < n; i++)
            col[i] = z[i * f + c];
        memset(dcol, 0, n * sizeof *dcol);
        gnd_var one =
            gnd_hop_mlp(s, &(gnd_hops){&a, &at, 1}, gnd_parameter(s, u1, dv1, K, inner),
                        gnd_parameter(s, u2, dv2, inner, 1), gnd_parameter(s, col, dcol, n, 1));
        gnd_tape_backward(s, gnd_matmul(s, gnd_constant(s, l, 1, n),
                                        gnd_matmul(s, one, gnd_constant(s, r + c, 1, 1))));
        CHECK_OK(gnd_tape_check(s, &err));
        for (int64_t i = 0; i < n; i++) {
            CHECK_CLOSE(gnd_tape_node(t, y)->v[i * f + c], gnd_tape_node(s, one)->v[i], 1e-12);
            CHECK_CLOSE(dz[i * f + c], dcol[i], 1e-12);
        }
    }
    for (int i = 0; i < K * inner; i++)
        CHECK_CLOSE(du1[i], dv1[i], 1e-9);
    for (int i = 0; i < inner; i++)
        CHECK_CLOSE(du2[i], dv2[i], 1e-9);
    gnd_tape_free(t);
    gnd_tape_free(s);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_free(z);
    gnd_free(dz);
    gnd_free(col);
    gnd_free(dcol);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree),      cmocka_unit_test(gradients_agree),
        cmocka_unit_test(no_op_is_left_out), cmocka_unit_test(panels_agree),
        cmocka_unit_test(restart_walks),     cmocka_unit_test(ties_go_left),
        cmocka_unit_test(relate_refuses),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
