/* SPDX-License-Identifier: MIT
 * test_design_matrix_double.c - products, means and lengths against the dense matrix. */
#include "factors.h"

enum { N = 9, C = 4 };

/* One to three factors; narrower and wider than the rows; centred or not. */
static const int64_t sizes[][GND_FACTORS + 1] = {{N, 5}, {N, 14, 6}, {N, 7, 3, 20}};

static double *random_dense(int64_t n, int64_t C_)
{
    double *w = dense_new(n, C_);

    for (int64_t e = 0; e < n * C_; e++)
        w[e] = gnd_rng_uniform(11, 1, (uint64_t)e) - 0.5;
    return w;
}

static double *dense_transpose(const double *a, int64_t n, int64_t d)
{
    double *t = dense_new(d, n);

    for (int64_t e = 0; e < n * d; e++)
        t[e % d * n + e / d] = a[e];
    return t;
}

static void products(void **state)
{
    (void)state;
    for (int k = 1; k <= GND_FACTORS; k++)
        for (int centred = 0; centred < 2; centred++) {
            const int64_t d = sizes[k - 1][k];
            double *w = random_dense(d, C), *y = random_dense(N, C), *t, *want;
            double *got = dense_new(d > N ? d : N, C), *room;
            factors f;

            factors_init(&f, k, sizes[k - 1], centred);
            room = dense_new(gnd_design_room(&f.z, C), 1);
            assert_int_equal(gnd_design_columns(&f.z), d);
            want = dense_product(f.dense, w, N, d, C);
            gnd_design_times(got, &f.z, w, C, room, NULL);
            check_scores(got, want, N * C, 1e-13);
            free(want);
            t = dense_transpose(f.dense, N, d);
            want = dense_product(t, y, d, N, C);
            gnd_design_times_t(got, &f.z, y, C, room, NULL);
            check_scores(got, want, d * C, 1e-13);
            free(want);
            free(t);
            free(room);
            free(got);
            free(y);
            free(w);
            factors_fini(&f);
        }
}

/* Rows 6 and 2: lengths are those of the vertices. */
static void some_rows(void **state)
{
    static const int32_t vertex[] = {6, 2};
    double *w = random_dense(20, C), *y = random_dense(2, C), got[20 * C], *room, *want;
    gnd_csr rows = {0}, rows_t = {0};
    gnd_design z;
    factors f;
    gnd_error err;

    (void)state;
    factors_init(&f, GND_FACTORS, sizes[GND_FACTORS - 1], true);
    CHECK_OK(gnd_csr_select(&rows, &f.factor[0], (gnd_row_list){vertex, 2}, NULL, 7, &err));
    CHECK_OK(gnd_csr_transpose(&rows_t, &rows, &err));
    z = f.z;
    z.factor[0] = &rows;
    z.transposed[0] = &rows_t;
    z.vertex = vertex;
    room = dense_new(gnd_design_room(&z, C), 1);
    want = dense_product(f.dense, w, N, 20, C);
    gnd_design_times(got, &z, w, C, room, NULL);
    for (int64_t e = 0; e < 2 * C; e++)
        CHECK_CLOSE(got[e], want[vertex[e / C] * C + e % C], 1e-13);
    gnd_design_times_t(got, &z, y, C, room, NULL);
    for (int64_t e = 0; e < 20 * C; e++)
        CHECK_CLOSE(got[e],
                    f.dense[vertex[0] * 20 + e / C] * y[e % C] +
                        f.dense[vertex[1] * 20 + e / C] * y[C + e % C],
                    1e-13);
    free(want);
    free(room);
    free(y);
    free(w);
    gnd_csr_fini(&rows_t);
    gnd_csr_fini(&rows);
    factors_fini(&f);
}

/* The mean is exact. The square of a length is the mean of 32 squares: a standard error of a
 * quarter. A row of zeros has a length too. */
static void means_and_lengths(void **state)
{
    enum { MANY = 200, D = 60 };
    static const int64_t size[] = {MANY, 40, D};

    (void)state;
    for (int centred = 0; centred < 2; centred++) {
        gnd_real mean[D] = {0}, length[MANY];
        double ratio = 0;
        factors f;
        gnd_error err;

        factors_init(&f, 2, size, false);
        CHECK_OK(gnd_design_measure(centred ? mean : NULL, length, &f.z, NULL, &err));
        for (int64_t k = 0; k < D && centred; k++) {
            double sum = 0;

            for (int64_t i = 0; i < MANY; i++)
                sum += f.dense[i * D + k] / MANY;
            CHECK_CLOSE(mean[k], sum, 1e-13);
        }
        for (int64_t i = 0; i < MANY; i++) {
            double square = 0;

            for (int64_t k = 0; k < D; k++)
                square += pow(f.dense[i * D + k] - mean[k], 2);
            assert_true(length[i] > 0);
            assert_true(pow(length[i], 2) >= 0.2 * square);
            assert_true(pow(length[i], 2) < 2.2 * square + 1e-12);
            ratio += square > 0 ? pow(length[i], 2) / square / MANY : 1.0 / MANY;
        }
        CHECK_CLOSE(ratio, 1, 0.1);
        factors_fini(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(some_rows),
        cmocka_unit_test(means_and_lengths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
