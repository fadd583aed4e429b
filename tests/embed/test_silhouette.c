/* SPDX-License-Identifier: MIT
 * test_silhouette.c - silhouettes by hand and against scikit-learn. */
#include "cloud.h"

static double silhouette(const float *x, int64_t n, int64_t d, const int32_t *label)
{
    double one, s;
    gnd_error err;

    CHECK_OK(gnd_silhouette(&one, &(gnd_point_rows){x, n, d}, label, 1, &err));
    setenv("GND_PARALLEL_MIN", "0", 1);
    for (int32_t threads = 2; threads <= 7; threads += 5) {
        CHECK_OK(gnd_silhouette(&s, &(gnd_point_rows){x, n, d}, label, threads, &err));
        assert_memory_equal(&s, &one, sizeof s);
    }
    unsetenv("GND_PARALLEL_MIN");
    return one;
}

/* Two pairs on a line, at 0, 1 and 10, 11: a = 1, b = 10.5 for 0 and 11, b = 9.5 for 1 and 10. */
static void by_hand(void **state)
{
    const float x[] = {0, 1, 10, 11, 100};
    const int32_t pairs[] = {0, 0, 4, 4, -1}, lone[] = {0, 0, 1, -1, -5}, one[] = {2, 2, 2, 2, -1};
    const int32_t crossed[] = {0, 1, 0, 1, -1}, none[] = {-1, -1, -1, -1, -1};

    (void)state;
    CHECK_CLOSE(silhouette(x, 5, 1, pairs), ((10.5 - 1) / 10.5 + (9.5 - 1) / 9.5) / 2, 1e-6);
    /* 0 and 1 against 10, which is alone and counts 0. */
    CHECK_CLOSE(silhouette(x, 5, 1, lone), ((10. - 1) / 10 + (9. - 1) / 9 + 0) / 3, 1e-6);
    /* 0: a = 10, b = (1 + 11) / 2; 1: a = 10, b = (1 + 9) / 2; the others by symmetry. */
    CHECK_CLOSE(silhouette(x, 5, 1, crossed), ((6. - 10) / 10 + (5. - 10) / 10) / 2, 1e-6);
    assert_true(isnan(silhouette(x, 5, 1, one)));
    assert_true(isnan(silhouette(x, 5, 1, none)));
}

/* Points that all coincide: 0. */
static void coinciding(void **state)
{
    const float x[6] = {3, 3, 3, 3, 3, 3};
    const int32_t label[] = {0, 1, 0, 1, 0, 1};

    (void)state;
    CHECK_CLOSE(silhouette(x, 6, 1, label), 0, 0);
}

/* sklearn.metrics.silhouette_score (scikit-learn) of the same points in double:
 *     i = np.arange(90); y = i % 3
 *     x = np.stack([(i*37%61)/61 + .5*y, (i*53%59)/59 - .25*y*y, (i*29%31)/31], 1)
 * for all three columns, for the first two, and for the first two with y[0] = 3. */
static void as_sklearn(void **state)
{
    enum { N = 90 };
    float three[3 * N], two[2 * N];
    int32_t label[N];

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        label[i] = (int32_t)(i % 3);
        three[3 * i] = (float)(i * 37 % 61) / 61 + 0.5f * (float)label[i];
        three[3 * i + 1] = (float)(i * 53 % 59) / 59 - 0.25f * (float)(label[i] * label[i]);
        three[3 * i + 2] = (float)(i * 29 % 31) / 31;
        two[2 * i] = three[3 * i];
        two[2 * i + 1] = three[3 * i + 1];
    }
    CHECK_CLOSE(silhouette(three, N, 3, label), 0.1950816478997829, 1e-6);
    CHECK_CLOSE(silhouette(two, N, 2, label), 0.2487269921702457, 1e-6);
    label[0] = 3;
    CHECK_CLOSE(silhouette(two, N, 2, label), 0.188547733318915, 1e-6);
}

/* More points than a block has, against the definition. */
static void blocks(void **state)
{
    enum { N = 1100, C = 4 };
    float *x = cloud(N, 2, C);
    int32_t label[N];
    double mean = 0;

    (void)state;
    for (int64_t i = 0; i < N; i++)
        label[i] = (int32_t)(i * i % 7 % C);
    for (int64_t i = 0; i < N; i++) {
        double sum[C] = {0}, count[C] = {0}, a, b = INFINITY;

        for (int64_t j = 0; j < N; j++) {
            sum[label[j]] +=
                hypot((double)(x[2 * i] - x[2 * j]), (double)(x[2 * i + 1] - x[2 * j + 1]));
            count[label[j]] += j != i;
        }
        a = sum[label[i]] / count[label[i]];
        for (int c = 0; c < C; c++)
            b = c != label[i] && count[c] > 0 ? fmin(b, sum[c] / count[c]) : b;
        mean += (b - a) / fmax(a, b) / N;
    }
    CHECK_CLOSE(silhouette(x, N, 2, label), mean, 1e-6);
    gnd_free(x);
}

static void refused(void **state)
{
    const float x[] = {1, NAN};
    const int32_t label[] = {0, 1};
    gnd_error err;
    double s;

    (void)state;
    CHECK_FAILS(gnd_silhouette(&s, &(gnd_point_rows){x, 2, 1}, label, 1, &err), GND_ERR_ARG,
                "number 0 of point 1");
    CHECK_FAILS(gnd_silhouette(&s, &(gnd_point_rows){x, 0, 1}, label, 1, &err), GND_ERR_ARG,
                "0 points");
    assert_true(isnan(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand), cmocka_unit_test(coinciding), cmocka_unit_test(as_sklearn),
        cmocka_unit_test(blocks),  cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
