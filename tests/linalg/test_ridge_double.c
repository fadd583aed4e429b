/* SPDX-License-Identifier: MIT
 * test_ridge_double.c - scores against dense ridge regression, for few and for many labels. */
#include "linalg/ridge.h"

#include "factors.h"

enum { C = 3, N = 40, MANY = 1500, LABELS_MAX = 1200 };

/* n labels from the last of `all` vertices on, of classes 0 .. of - 1. */
static gnd_labelled labels_of(int64_t n, int64_t all, int32_t of)
{
    static int32_t point[LABELS_MAX], cls[LABELS_MAX];

    assert_true(n <= LABELS_MAX);
    for (int64_t k = 0; k < n; k++) {
        point[k] = (int32_t)(all - 1 - k);
        cls[k] = (int32_t)(gnd_rng_uniform(12, 1, (uint64_t)k) * of);
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = n, .n_class = C};
}

static void solve(gnd_real *score, const gnd_design *z, const gnd_labelled *s, double tol)
{
    const gnd_ridge_opts o = {
        .row = s->point, .cls = s->cls, .n = s->n, .n_class = s->n_class, .penalty = 1, .tol = tol};
    gnd_error err;

    CHECK_OK(gnd_ridge(score, z, &o, NULL, &err));
}

/* More columns than labels, and fewer; without a label of the last class. */
static void few_labels(void **state)
{
    static const int64_t size[] = {N, 30, 25, 20}, labels[] = {1, 2, 12, N};

    (void)state;
    for (int64_t k = 0; k < LENGTH(labels); k++)
        for (int32_t of = C - 1; of <= C; of++) {
            const gnd_labelled s = labels_of(labels[k], N, of);
            double *want;
            gnd_real score[N * C];
            factors f;

            factors_init(&f, GND_FACTORS, size, true);
            want = dense_ridge(f.dense, N, 20, &s);
            solve(score, &f.z, &s, 1e-13);
            for (int64_t e = 0; e < N * C; e++)
                if (isfinite(want[e])) /* a class without labels is masked there */
                    CHECK_CLOSE(score[e], want[e], 1e-10);
            free(want);
            factors_fini(&f);
        }
}

/* From the products of rows, for labels that are some of them. */
static void by_kernel(void **state)
{
    enum { KNOWN = 20 };
    static const int64_t size[] = {N, 30, 25, 20}, labels[] = {1, 2, 12, KNOWN};
    int32_t row[KNOWN], at[KNOWN];
    gnd_error err;
    factors f;

    (void)state;
    factors_init(&f, GND_FACTORS, size, true);
    for (int32_t i = 0; i < KNOWN; i++) {
        row[i] = (7 * i + 3) % N;
        at[i] = KNOWN - 1 - i;
    }
    for (int64_t k = 0; k < LENGTH(labels); k++) {
        int32_t point[KNOWN];
        gnd_labelled s = labels_of(labels[k], N, C);
        gnd_real kernel[KNOWN * KNOWN], want[N * C], score[N * C], known[KNOWN * C];
        gnd_ridge_opts o = {.row = point,
                            .cls = s.cls,
                            .n = s.n,
                            .n_class = C,
                            .penalty = 1,
                            .tol = 1e-13,
                            .kernel = kernel,
                            .at = at,
                            .n_kernel = KNOWN};

        for (int64_t i = 0; i < s.n; i++)
            point[i] = row[at[i]];
        s.point = point;
        solve(want, &f.z, &s, 1e-13);
        CHECK_OK(gnd_ridge_kernel(kernel, &f.z, row, KNOWN, NULL, &err));
        CHECK_OK(gnd_ridge(score, &f.z, &o, NULL, &err));
        CHECK_OK(gnd_ridge_known(known, &o, NULL, &err));
        for (int64_t e = 0; e < N * C; e++)
            CHECK_CLOSE(score[e], want[e], 1e-10);
        for (int64_t e = 0; e < KNOWN * C; e++)
            CHECK_CLOSE(known[e], want[row[e / C] * C + e % C], 1e-10);
    }
    factors_fini(&f);
}

/* More than a thousand labels on eight columns: w = (Z_T^T Z_T + I)^-1 Z_T^T (Y - 1 / C). */
static void many_labels(void **state)
{
    enum { D = 8 };
    static const int64_t size[] = {MANY, D};
    const gnd_labelled s = labels_of(LABELS_MAX, MANY, C);
    double gram[D * D] = {0}, w[D * C] = {0}, *want;
    static gnd_real score[MANY * C];
    factors f;

    (void)state;
    factors_init(&f, 1, size, true);
    for (int64_t a = 0; a < s.n; a++) {
        const double *z = f.dense + s.point[a] * D;

        for (int64_t k = 0; k < D; k++) {
            for (int64_t j = 0; j < D; j++)
                gram[k * D + j] += z[k] * z[j];
            for (int64_t c = 0; c < C; c++)
                w[k * C + c] += z[k] * ((s.cls[a] == c) - 1.0 / C);
        }
    }
    for (int64_t k = 0; k < D; k++)
        gram[k * D + k] += 1;
    dense_solve(gram, w, D, C);
    want = dense_product(f.dense, w, MANY, D, C);
    solve(score, &f.z, &s, 1e-13);
    check_scores(score, want, MANY * C, 1e-10);
    free(want);
    factors_fini(&f);
}

/* The error of all scores is at most that of the residual: |Z_T A^-1 residual| <= |residual|. */
static void tolerance(void **state)
{
    static const int64_t size[] = {N, 30, 25, 20};
    static const double tol[] = {1e-1, 1e-3, 1e-5};
    const gnd_labelled s = labels_of(N, N, C);
    double *want, before = INFINITY;
    gnd_real score[N * C];
    factors f;

    (void)state;
    factors_init(&f, GND_FACTORS, size, true);
    want = dense_ridge(f.dense, N, 20, &s);
    for (int64_t k = 0; k < LENGTH(tol); k++) {
        double square = 0;

        solve(score, &f.z, &s, tol[k]);
        for (int64_t e = 0; e < N * C; e++)
            square += pow(score[e] - want[e], 2);
        assert_true(square <= tol[k] * tol[k] * N * (1 - 1.0 / C) && square < before);
        before = square;
    }
    free(want);
    factors_fini(&f);
}

/* Rows of zeros say nothing; with one class there is nothing to say. */
static void nothing_to_go_by(void **state)
{
    gnd_csr empty = {0};
    const gnd_design z = {.factor = {&empty}};
    gnd_labelled s = labels_of(4, N, 2);
    gnd_real score[N * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&empty, N, 5, 0, true, &err));
    solve(score, &z, &s, 1e-3);
    for (int64_t e = 0; e < N * C; e++)
        assert_true(score[e] == 0);
    s = labels_of(4, N, 1);
    s.n_class = 1;
    solve(score, &z, &s, 1e-3);
    for (int64_t e = 0; e < N; e++)
        assert_true(score[e] == 0);
    gnd_csr_fini(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_labels),       cmocka_unit_test(by_kernel),
        cmocka_unit_test(many_labels),      cmocka_unit_test(tolerance),
        cmocka_unit_test(nothing_to_go_by),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
