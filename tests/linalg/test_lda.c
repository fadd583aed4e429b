/* SPDX-License-Identifier: MIT
 * test_lda.c - discriminants in float: threads, and points in many blocks. */
#include "linalg/lda.h"

#include "blobs.h"

static void threads_do_not_matter(void **state)
{
    enum { N = 9000, R = 12, C = 5 };
    static const int threads[] = {1, 2, 7};
    gnd_points z = blobs_new(N, R, C, 0.8);
    gnd_real *w = calloc(N * C, sizeof *w), *one = calloc(N * C, sizeof *one),
             *many = calloc(N * C, sizeof *many);
    gnd_error err;

    (void)state;
    for (int64_t e = 0; e < N * C; e++)
        w[e] = e / C % 3 ? (gnd_real)gnd_rng_uniform(5, 6, (uint64_t)e) : 0;
    for (int t = 0; t < 3; t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_lda(t ? many : one, &z, w, &(gnd_lda_opts){C, 0.5, 1, NULL}, pool, &err));
        if (t)
            assert_memory_equal(one, many, N * C * sizeof *one);
        gnd_pool_free(pool);
    }
    check_shares(one, N, C, 1e-5);
    free(w);
    free(one);
    free(many);
    free(z.z);
}

/* Points without weight do not pull: others among them change nothing but by rounding. */
static void only_weighted_points_pull(void **state)
{
    enum { N = 700, R = 4, C = 3 };
    gnd_points z = blobs_new(N, R, C, 0.6);
    gnd_real w[N * C], first[N * C], second[N * C];
    gnd_error err;

    (void)state;
    for (int64_t e = 0; e < N * C; e++)
        w[e] = e / C % 2 == 0 && e / C % C == e % C;
    CHECK_OK(gnd_lda(first, &z, w, &(gnd_lda_opts){C, 0.5, 1, NULL}, NULL, &err));
    for (int64_t i = 1; i < N; i += 2)
        for (int64_t k = 0; k < R; k++)
            z.z[i * R + k] = (gnd_real)(k == 0);
    CHECK_OK(gnd_lda(second, &z, w, &(gnd_lda_opts){C, 0.5, 1, NULL}, NULL, &err));
    for (int64_t e = 0; e < N * C; e++)
        if (e / C % 2 == 0)
            assert_true(first[e] == second[e]);
    free(z.z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(only_weighted_points_pull),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
