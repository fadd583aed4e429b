/* SPDX-License-Identifier: MIT
 * test_numeric_features.c - which features are numeric, and their scores against ranks counted one
 * by one. */
#include "graph/numeric_features.h"

#include "base/rng.h"
#include "check.h"
#include "pools.h"

enum { FEW = 64 };

/* Features by vertices, [d, n], from the other way round; zeros are not stored. */
static gnd_csr features(int64_t n, int64_t d, const double *x)
{
    gnd_csr xt;
    gnd_error err;

    CHECK_OK(gnd_csr_init(&xt, d, n, n * d, true, &err));
    for (int64_t j = 0; j < d; j++) {
        xt.ptr[j + 1] = xt.ptr[j];
        for (int64_t i = 0; i < n; i++)
            if (x[i * d + j] != 0) {
                xt.col[xt.ptr[j + 1]] = (int32_t)i;
                xt.val[xt.ptr[j + 1]++] = (gnd_real)x[i * d + j];
            }
    }
    return xt;
}

static double normal(uint32_t stream, int64_t i)
{
    double sum = -6;

    for (int64_t k = 0; k < 12; k++)
        sum += gnd_rng_uniform(17, stream, (uint64_t)(12 * i + k));
    return sum;
}

static gnd_csr scores_of(unsigned char *is, const gnd_csr *xt, int64_t few, gnd_pool *pool)
{
    gnd_csr out;
    gnd_error err;

    CHECK_OK(gnd_numeric_by_rank(&out, is, xt, few, &(gnd_numbers){0}, pool, &err));
    if (out.n_row > 0)
        CHECK_OK(gnd_csr_check(&out, "scores", &err));
    return out;
}

static void same_csr(const gnd_csr *a, const gnd_csr *b)
{
    assert_int_equal(a->n_row, b->n_row);
    assert_int_equal(gnd_csr_nnz(a), gnd_csr_nnz(b));
    assert_memory_equal(a->ptr, b->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr);
    assert_memory_equal(a->col, b->col, (size_t)gnd_csr_nnz(a) * sizeof *a->col);
    assert_memory_equal(a->val, b->val, (size_t)gnd_csr_nnz(a) * sizeof *a->val);
}

/* ---- scores ---- */

/* Phi^-1 by halving. */
static double quantile(double p)
{
    double low = -9, high = 9;

    for (int k = 0; k < 60; k++) {
        const double middle = (low + high) / 2;

        if (0.5 * erfc(-middle / sqrt(2)) < p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* To mean 0 and deviation `unit`, or less if it was below 1. */
static void standard(double *v, int64_t n, double unit)
{
    double mean = 0, square = 0;

    for (int64_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += (v[i] - mean) * (v[i] - mean) / (double)n;
    for (int64_t i = 0; i < n; i++)
        v[i] = (v[i] - mean) / fmax(1, sqrt(square)) * unit;
}

static void scores_are_those_of_ranks(void **state)
{
    enum { N = 300, D = 3 };
    static double x[N * D], want[N];
    unsigned char is[2 * D];
    gnd_csr xt, out;
    (void)state;

    for (int64_t i = 0; i < N; i++) { /* a long tail, ties, and a third of zeros */
        x[i * D] = exp(3 * normal(0, i));
        x[i * D + 1] = floor(4 * normal(1, i)) - 100;
        x[i * D + 2] = i % 3 == 0 ? 0 : normal(2, i);
    }
    xt = features(N, D, x);
    out = scores_of(is, &xt, FEW, NULL);
    assert_int_equal(out.n_row, 2 * D);
    for (int64_t j = 0; j < D; j++) {
        for (int64_t i = 0; i < N; i++) {
            double rank = 0;

            for (int64_t k = 0; k < N; k++)
                rank += (x[k * D + j] < x[i * D + j]) + 0.5 * (x[k * D + j] == x[i * D + j]);
            want[i] = quantile(rank / N);
        }
        standard(want, N, 1);
        for (int64_t i = 0; i < N; i++)
            CHECK_CLOSE(out.val[out.ptr[j] + i], want[i], 1e-5);
        for (int64_t i = 0; i < N; i++)
            want[i] *= want[i];
        standard(want, N, 0.5);
        for (int64_t i = 0; i < N; i++)
            CHECK_CLOSE(out.val[out.ptr[D + j] + i], want[i], 1e-5);
        assert_true(is[j] && is[D + j]);
    }
    gnd_csr_fini(&out);
    gnd_csr_fini(&xt);
}

/* Whatever unit, middle and tail. Powers of two, so that floats keep their order and ties. */
static void units_do_not_count(void **state)
{
    enum { N = 5000, D = 70 };
    double *x = calloc(N * D, sizeof *x), *y = calloc(N * D, sizeof *y);
    unsigned char is[2 * D];
    gnd_csr xt, yt, a, b;
    (void)state;

    assert_true(x && y);
    for (int64_t e = 0; e < N * D; e++) {
        x[e] = e % D == 0 ? (double)(e / D + 1) / 1024 : floor(64 * normal(3, e)) / 64 + 0.001;
        y[e] = exp(x[e]) * pow(2, (double)(e % D - 40));
    }
    xt = features(N, D, x);
    yt = features(N, D, y);
    a = scores_of(is, &xt, FEW, NULL);
    b = scores_of(is, &yt, FEW, NULL);
    assert_int_equal(a.n_row, D); /* not few */
    same_csr(&a, &b);
    gnd_csr_fini(&b);
    for (int threads = 2; threads <= 5; threads += 3) {
        gnd_pool *pool = eager_pool(threads);

        b = scores_of(is, &yt, FEW, pool);
        same_csr(&a, &b);
        gnd_csr_fini(&b);
        gnd_pool_free(pool);
    }
    /* more vertices than knots: the ranks among some are those among all, nearly */
    for (int64_t i = 0; i < N; i += 97) {
        double rank = 0;

        for (int64_t k = 0; k < N; k++)
            rank += (x[k * D] < x[i * D]) + 0.5 * (x[k * D] == x[i * D]);
        if (rank > 0.05 * N && rank < 0.95 * N)
            CHECK_CLOSE(a.val[i], quantile(rank / N), 0.1);
    }
    gnd_csr_fini(&a);
    gnd_csr_fini(&yt);
    gnd_csr_fini(&xt);
    free(y);
    free(x);
}

/* ---- what is one ---- */

static void words_stay(void **state)
{
    enum { N = 40, D = 5 };
    double x[N * D] = {0};
    unsigned char is[2 * D];
    gnd_csr xt, out;
    (void)state;

    for (int64_t i = 0; i < N; i++) {
        x[i * D] = 1;                               /* all have it, and as much */
        x[i * D + 1 + i % 3] = 1 + (double)(i % 7); /* few have it, some more than others */
    }
    xt = features(N, D, x);
    out = scores_of(is, &xt, FEW, NULL);
    assert_int_equal(out.n_row, 0);
    gnd_csr_fini(&xt);
    for (int64_t i = 0; i < N; i++) /* the first two answers of all, some more than others */
        x[i * D] = x[i * D + 4] = (double)(1 + i);
    for (int64_t i = 0; i < N; i++) /* most entries are there: the column without amounts too */
        x[i * D + 1] = x[i * D + 2] = 1 + (double)(i % 2);
    xt = features(N, D, x);
    out = scores_of(is, &xt, FEW, NULL);
    for (int64_t j = 0; j < 2 * D; j++)
        assert_true(is[j]);
    gnd_csr_fini(&out);
    gnd_csr_fini(&xt);
}

/* Rows of out that are scores: of d columns, each held by so many of 40 vertices, by amounts that
 * differ. Zeros are stored, which is the same as not. */
static int64_t n_scores(int64_t d, const int64_t *held, int64_t *rows)
{
    enum { N = 40 };
    unsigned char *is = calloc((size_t)(2 * d), 1);
    gnd_csr xt, out;
    gnd_error err;
    int64_t n = 0;

    assert_non_null(is);
    CHECK_OK(gnd_csr_init(&xt, d, N, d * N, true, &err));
    for (int64_t e = 0; e < d * N; e++) {
        xt.ptr[e / N + 1] = e + 1;
        xt.col[e] = (int32_t)(e % N);
        xt.val[e] = e % N < held[e / N] ? (gnd_real)(e % N + 1) : 0;
    }
    out = scores_of(is, &xt, FEW, NULL);
    for (int64_t j = 0; j < d; j++)
        n += is[j];
    *rows = out.n_row;
    gnd_csr_fini(&out);
    gnd_csr_fini(&xt);
    free(is);
    return n;
}

static void how_many_are_most(void **state)
{
    int64_t many[FEW], rows;

    (void)state;
    assert_int_equal(n_scores(4, (int64_t[]){20, 5, 5, 5}, &rows), 0);
    assert_int_equal(rows, 0);
    assert_int_equal(n_scores(4, (int64_t[]){21, 5, 5, 5}, &rows), 1);
    assert_int_equal(rows, 5);
    assert_int_equal(n_scores(4, (int64_t[]){40, 30, 5, 5}, &rows), 2);    /* 80 of 160 entries */
    assert_int_equal(n_scores(4, (int64_t[]){40, 30, 6, 5}, &rows), 4);    /* most are there */
    assert_int_equal(n_scores(5, (int64_t[]){40, 30, 6, 5, 0}, &rows), 4); /* one is nobody's */
    for (int64_t j = 0; j < FEW; j++)
        many[j] = 40;
    assert_int_equal(n_scores(FEW - 1, many, &rows), FEW - 1);
    assert_int_equal(rows, 2 * (FEW - 1));
    assert_int_equal(n_scores(FEW, many, &rows), FEW);
    assert_int_equal(rows, FEW);
}

/* One numeric feature beside words has the scale of a typical word; a vertex without any features
 * has no score; one that lacks only the numeric feature has the score of 0. */
static void numeric_features_among_words(void **state)
{
    enum { N = 60, D = 13, WORD = 1 };
    double x[N * D] = {0}, squares = 0;
    unsigned char is[2 * D];
    gnd_csr xt, out;
    double sum = 0;
    (void)state;

    for (int64_t i = 0; i < N - 1; i++) {
        x[i * D] = i % 10 == 0 ? 0 : 1000 + (double)(i * i);
        x[i * D + WORD + i % 11] = 3;
        squares += 9;
    }
    xt = features(N, D, x); /* the last word is nobody's, and does not count */
    out = scores_of(is, &xt, FEW, NULL);
    assert_int_equal(out.n_row, D + 1);
    assert_true(is[0] && is[D]);
    for (int64_t j = WORD; j < D; j++)
        assert_false(is[j]);
    assert_int_equal(out.ptr[1], N - 1);
    for (int64_t i = 0; i < N - 1; i++)
        sum += (double)out.val[i] * (double)out.val[i] / (N - 1);
    assert_true(sum <= squares / (11 * (N - 1)) && sum > 0.9 * squares / (11 * (N - 1)));
    for (int64_t i = 0; i < N - 1; i += 10)
        CHECK_CLOSE(out.val[i], out.val[0], 1e-9);
    assert_true(out.val[0] < out.val[1]);
    for (int64_t j = WORD; j < D; j++) /* words as they were */
        for (int64_t q = xt.ptr[j], p = out.ptr[j]; q < xt.ptr[j + 1]; q++, p++)
            assert_true(out.col[p] == xt.col[q] && out.val[p] == xt.val[q]);
    gnd_csr_fini(&out);
    gnd_csr_fini(&xt);
}

static void a_measure_that_is_the_same_everywhere(void **state)
{
    enum { N = 12, D = 2 };
    double x[N * D];
    unsigned char is[2 * D];
    gnd_csr xt, out;
    (void)state;

    for (int64_t i = 0; i < N; i++) {
        x[i * D] = 7;
        x[i * D + 1] = (double)i - 5.5;
    }
    xt = features(N, D, x);
    out = scores_of(is, &xt, FEW, NULL);
    for (int64_t i = 0; i < N; i++) {
        assert_true(out.val[i] == 0);
        assert_true(out.val[out.ptr[2] + i] == 0); /* nor is it far from its middle */
        assert_true(out.val[N + i] != 0);
    }
    gnd_csr_fini(&out);
    gnd_csr_fini(&xt);
}

/* A word that most have, and the others nothing at all: it is seen by who has it. */
static void having_is_no_amount(void **state)
{
    enum { N = 30, D = 2 };
    double x[N * D] = {0};
    unsigned char is[2 * D];
    gnd_csr xt, out;
    (void)state;

    for (int64_t i = 0; i < 20; i++)
        x[i * D] = x[i * D + 1] = 2;
    xt = features(N, D, x);
    out = scores_of(is, &xt, FEW, NULL);
    assert_int_equal(out.n_row, 0);
    assert_true(!is[0] && !is[1]);
    gnd_csr_fini(&xt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_ranks),
        cmocka_unit_test(units_do_not_count),
        cmocka_unit_test(words_stay),
        cmocka_unit_test(how_many_are_most),
        cmocka_unit_test(numeric_features_among_words),
        cmocka_unit_test(having_is_no_amount),
        cmocka_unit_test(a_measure_that_is_the_same_everywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
