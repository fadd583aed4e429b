/* SPDX-License-Identifier: MIT
 * test_self_train.c - fits from a few known points: what is known stays, and clear blobs are
 * found. */
#include "label/self_train.h"

#include "linalg/blobs.h"
#include "label/class_priors.h"
#include "label/constants.h"

enum { SEEDS = 64 };

/* Points that are said to fill so many directions that the temperature of prototypes is this. */
static gnd_points points_of(int64_t n, int64_t r, int64_t n_class, double noise, double temperature)
{
    gnd_points z = blobs_new(n, r, n_class, noise);

    z.spread = SPREAD_USUAL * TEMPERATURE_USUAL / temperature;
    return z;
}

/* The first per_class points of each class but `without` are known. */
static gnd_labelled seeds_of(int32_t *point, int32_t *cls, int64_t n_class, int64_t per_class,
                             int64_t without)
{
    gnd_labelled s = {.point = point, .cls = cls, .n_class = n_class, .sharpness = 1};

    for (int64_t i = 0; i < n_class * per_class; i++)
        if (i % n_class != without) {
            point[s.n] = (int32_t)i;
            cls[s.n++] = (int32_t)(i % n_class);
        }
    return s;
}

static void clear_blobs(void **state)
{
    enum { N = 600, R = 8, C = 6 };
    int32_t point[SEEDS], cls[SEEDS];
    const gnd_labelled s = seeds_of(point, cls, C, 1, -1);
    gnd_points z = points_of(N, R, C, 0.35, 0.1);
    gnd_real prob[N * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_fit_soft(prob, &z, &s, NULL, &err));
    check_shares(prob, N, C, 1e-5);
    for (int64_t i = 0; i < N; i++)
        assert_int_equal(gnd_argmax(prob + i * C, C), i % C);
    for (int64_t e = 0; e < C * C; e++) /* for certain */
        assert_true(prob[e] == (e / C == e % C));
    free(z.z);
}

/* Where every point is as sure as can be, rounding must not leave the mean above all of them: then
 * none would count but the known. */
static void all_are_sure(void **state)
{
    enum { C = 5, R = 24 };

    (void)state;
    for (int64_t n = 590; n < 620; n++) {
        int32_t point[SEEDS], cls[SEEDS];
        const gnd_labelled s = seeds_of(point, cls, C, 1, -1);
        gnd_points z = points_of(n, R, C, 0.4, 0.005);
        gnd_real *prob = calloc((size_t)(n * C), sizeof *prob);
        gnd_error err = {0};

        assert_non_null(prob);
        CHECK_OK(gnd_fit_soft(prob, &z, &s, NULL, &err));
        for (int64_t i = 0; i < n; i++)
            assert_int_equal(gnd_argmax(prob + i * C, C), i % C);
        free(prob);
        free(z.z);
    }
}

/* A labelled point keeps its class, however wrong; a class without a label is given to no point. */
static void known_points(void **state)
{
    enum { N = 200, R = 4, C = 4 };
    int32_t point[SEEDS], cls[SEEDS];
    const gnd_labelled s = seeds_of(point, cls, C, 5, 2);
    gnd_points z = points_of(N, R, C, 0.4, 0.1);
    gnd_real prob[N * C];
    gnd_error err;

    (void)state;
    cls[0] = 3;
    CHECK_OK(gnd_fit_soft(prob, &z, &s, NULL, &err));
    check_shares(prob, N, C, 1e-5);
    for (int64_t k = 0; k < s.n; k++)
        for (int64_t c = 0; c < C; c++)
            assert_true(prob[point[k] * C + c] == (c == cls[k]));
    for (int64_t i = 0; i < N; i++)
        assert_true(prob[i * C + 2] == 0);
    free(z.z);
}

/* Sharpness is a power of the result: the order stays, probabilities come closer. */
static void sharpness(void **state)
{
    enum { N = 120, R = 4, C = 3 };
    int32_t point[SEEDS], cls[SEEDS];
    gnd_labelled s = seeds_of(point, cls, C, 2, -1);
    gnd_points z = points_of(N, R, C, 0.8, 0.1);
    gnd_real quarter[N * C], half[N * C];
    gnd_error err;

    (void)state;
    s.sharpness = 0.5;
    CHECK_OK(gnd_fit_soft(half, &z, &s, NULL, &err));
    s.sharpness = 0.25;
    CHECK_OK(gnd_fit_soft(quarter, &z, &s, NULL, &err));
    for (int64_t i = 2 * C; i < N; i++) {
        double sum = 0;

        for (int64_t c = 0; c < C; c++)
            sum += sqrt((double)half[i * C + c]);
        for (int64_t c = 0; c < C; c++)
            CHECK_CLOSE(quarter[i * C + c], sqrt((double)half[i * C + c]) / sum, 2e-4);
    }
    free(z.z);
}

static void threads_do_not_matter(void **state)
{
    enum { N = 5000, R = 8, C = 6 };
    static const int threads[] = {1, 2, 7};
    int32_t point[SEEDS], cls[SEEDS];
    const gnd_labelled s = seeds_of(point, cls, C, 3, -1);
    gnd_points z = points_of(N, R, C, 0.7, 0.1);
    gnd_real *one = calloc(N * C, sizeof *one), *many = calloc(N * C, sizeof *many);
    gnd_error err;

    (void)state;
    for (int t = 0; t < 3; t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_fit_soft(t ? many : one, &z, &s, pool, &err));
        if (t)
            assert_memory_equal(one, many, N * C * sizeof *one);
        gnd_pool_free(pool);
    }
    free(one);
    free(many);
    free(z.z);
}

static void points_that_are_set_apart(void **state)
{
    gnd_real z[] = {1, 0, 0, 0, 0, 1, 0, -1};
    const gnd_points p = {.n = 4, .r = 2, .z = z};
    const int32_t point[] = {2}, cls[] = {0};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 1, .n_class = 2};
    unsigned char excluded[4] = {7, 7, 7, 7};

    (void)state;
    gnd_exclude(excluded, &p, &s);
    assert_int_equal(excluded[0], 0);
    assert_int_equal(excluded[1], 1); /* in the middle */
    assert_int_equal(excluded[2], 1); /* known */
    assert_int_equal(excluded[3], 0);
}

/* More points than a fit uses: discriminants of a sample label all of them, whatever the number of
 * threads, and what is known stays. */
static void more_points_than_are_fitted(void **state)
{
    enum { N = FIT_POINTS + 5001, R = 4, C = 3 };
    const int32_t point[] = {7, N - 1, 5}, cls[] = {1, (N - 1) % C, 2};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 3, .n_class = C, .sharpness = 1};
    gnd_points z = blobs_new(N, R, C, 0.15);
    double value[R] = {4, 3, 2, 1};
    gnd_real *prob = calloc(N * C, sizeof *prob), *other = calloc(N * C, sizeof *other);
    gnd_pool *pool = eager_pool(3);
    gnd_error err;

    (void)state;
    assert_true(prob && other);
    z.value = value;
    CHECK_OK(gnd_fit_shaped(prob, &(gnd_fit_shape){&z, R, 1}, &s, NULL, &err));
    check_shares(prob, N, C, 1e-5);
    for (int64_t i = 0; i < N; i++)
        assert_int_equal(gnd_argmax(prob + i * C, C), i % C);
    for (int64_t k = 0; k < s.n; k++)
        assert_true(prob[point[k] * C + cls[k]] == 1);
    CHECK_OK(gnd_fit_shaped(other, &(gnd_fit_shape){&z, R, 1}, &s, pool, &err));
    assert_memory_equal(prob, other, N * C * sizeof *prob);
    gnd_pool_free(pool);
    free(other);
    free(prob);
    free(z.z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_sure),
        cmocka_unit_test(clear_blobs),
        cmocka_unit_test(known_points),
        cmocka_unit_test(sharpness),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(points_that_are_set_apart),
        cmocka_unit_test(more_points_than_are_fitted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
