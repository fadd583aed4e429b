/* SPDX-License-Identifier: MIT
 * test_features.c - idf weights against their formula, and where they are equal. */
#include "label/features.h"

#include "check.h"
#include "label/constants.h"

enum { N = 64, D = 6 };

static const int64_t df_of[D] = {5, 8, 16, 0, 32, 20};

/* Column j: the first df_of[j] vertices have it, of value log(n / df)^power. */
static gnd_csr words(double power)
{
    gnd_csr x = {0};
    int64_t nnz = 0;
    gnd_error err;

    for (int64_t j = 0; j < D; j++)
        nnz += df_of[j];
    CHECK_OK(gnd_csr_init(&x, N, D, nnz, true, &err));
    nnz = 0;
    for (int64_t i = 0; i < N; i++) {
        for (int32_t j = 0; j < D; j++)
            if (i < df_of[j]) {
                x.col[nnz] = j;
                x.val[nnz++] = (gnd_real)pow(log((double)N / (double)df_of[j]), power);
            }
        x.ptr[i + 1] = nnz;
    }
    return x;
}

/* f->x may point into f, so f must not be copied. */
static void features_make(gnd_features *f, const gnd_csr *x, bool numeric_raw)
{
    gnd_error err;

    *f = (gnd_features){0};
    CHECK_OK(gnd_features_init(f, x, N, numeric_raw, &(gnd_numbers){0}, NULL, &err));
}

/* Values of the power p get what they lack of IDF_POWER: never less than nothing, nor more than
 * IDF_POWER. */
static void idf_weights(void **state)
{
    const struct {
        double power, missing;
    } cases[] = {{0, IDF_POWER}, {0.25, IDF_POWER - 0.25}, {IDF_POWER, 0},
                 {1, 0},         {-0.5, IDF_POWER},        {0.4, IDF_POWER - 0.4}};

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_csr x = words(cases[k].power);
        gnd_features f;

        features_make(&f, &x, true);
        assert_ptr_equal(f.x, &x);
        assert_false(f.is_identity);
        assert_true(f.xt.n_row == D && f.xt.n_col == N);
        for (int64_t j = 0; j < D; j++) {
            const double df = (double)df_of[j];

            CHECK_CLOSE(f.weight[j], df > 0 ? pow(log(N / df), cases[k].missing) : 0, 1e-5);
        }
        gnd_features_fini(&f);
        assert_true(!f.x && !f.weight && !f.xt.ptr);
        gnd_csr_fini(&x);
    }
}

/* Each feature is had by as many: there is nothing to weigh. */
static void features_as_rare(void **state)
{
    gnd_csr x = {0};
    gnd_features f;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, N, N, N, false, &err));
    for (int64_t i = 0; i < N; i++) {
        x.ptr[i + 1] = i + 1;
        x.col[i] = (int32_t)i;
    }
    features_make(&f, &x, false);
    for (int64_t j = 1; j < N; j++)
        assert_true(f.weight[j] == f.weight[0] && f.weight[j] > 0);
    assert_false(f.is_identity);
    gnd_features_fini(&f);
    gnd_csr_fini(&x);
}

/* Numbers in each of D columns, one of which is 0 at one vertex. */
static gnd_csr numbers(void)
{
    gnd_csr x = {0};
    int64_t q = 0;
    gnd_error err;

    CHECK_OK(gnd_csr_init(&x, N, D, N * D - 1, true, &err));
    for (int64_t i = 0; i < N; i++) {
        for (int32_t j = 0; j < D; j++)
            if (i != 7 || j != 2) {
                x.col[q] = j;
                x.val[q++] = (gnd_real)sin((double)(1 + i * D + j));
            }
        x.ptr[i + 1] = q;
    }
    return x;
}

/* Numeric features have the same weight: one that is 0 somewhere is not rare. */
static void numeric_features(void **state)
{
    gnd_csr x = numbers();
    gnd_features f;

    (void)state;
    features_make(&f, &x, false);
    for (int64_t j = 1; j < f.xt.n_row; j++)
        assert_true(f.weight[j] == f.weight[0] && f.weight[j] > 0);
    assert_ptr_equal(f.x, &f.made); /* scores of ranks */
    gnd_features_fini(&f);
    features_make(&f, &x, true);
    assert_ptr_equal(f.x, &x);
    gnd_features_fini(&f);
    gnd_csr_fini(&x);
}

/* No features, none that any vertex has, or the same for all: each vertex is its own feature. */
static void identity(void **state)
{
    gnd_csr none = {0}, same = {0};
    const gnd_csr *const silent[] = {NULL, &none, &same};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&none, N, 2, 0, false, &err));
    CHECK_OK(gnd_csr_init(&same, N, 2, N, false, &err));
    for (int64_t i = 0; i < N; i++)
        same.ptr[i + 1] = i + 1;
    for (int64_t k = 0; k < LENGTH(silent); k++) {
        gnd_features f;

        features_make(&f, silent[k], false);
        assert_true(f.is_identity && !f.weight);
        assert_true(f.x->n_row == N && f.x->n_col == N && gnd_csr_nnz(f.x) == N);
        for (int64_t i = 0; i < N; i++)
            assert_true(gnd_csr_find(f.x, i, (int32_t)i) >= 0 &&
                        gnd_csr_find(&f.xt, i, (int32_t)i) >= 0);
        gnd_features_fini(&f);
    }
    gnd_csr_fini(&same);
    gnd_csr_fini(&none);
}

static void identity_of_some(void **state)
{
    const unsigned char seen[] = {1, 0, 0, 1, 1};
    gnd_csr x = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_identity_features(&x, 5, seen, &err));
    assert_int_equal(gnd_csr_nnz(&x), 3);
    for (int32_t i = 0; i < 5; i++)
        for (int32_t j = 0; j < 5; j++)
            assert_int_equal(gnd_csr_find(&x, i, j) >= 0, i == j && seen[i]);
    gnd_csr_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idf_weights),      cmocka_unit_test(features_as_rare),
        cmocka_unit_test(numeric_features), cmocka_unit_test(identity),
        cmocka_unit_test(identity_of_some),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
