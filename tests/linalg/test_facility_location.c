/* SPDX-License-Identifier: MIT
 * test_facility_location.c - points that represent others, against a greedy choice by brute force.
 * */
#include "linalg/facility_location.h"

#include "blobs.h"

enum { N = 150, R = 5 };

/* Every step-th point. Returns how many. */
static int64_t every(int32_t *out, int64_t n, int64_t step)
{
    int64_t m = 0;

    for (int64_t i = 0; i < n; i += step)
        out[m++] = (int32_t)i;
    return m;
}

static double cosine(const gnd_points *z, int64_t i, int64_t j)
{
    double s = 0;

    for (int64_t k = 0; k < z->r; k++)
        s += (double)z->z[i * z->r + k] * (double)z->z[j * z->r + k];
    return s;
}

/* max over s of sum_i w_i max(c_i, z_i . z_s), each time over all points afresh. */
static void by_force(int32_t *chosen, double *coverage, const gnd_points *z,
                     const gnd_facility_opts *o)
{
    double best[N] = {0};
    int64_t owner[N];

    for (int64_t i = 0; i < N; i++) {
        owner[i] = -1;
        for (int64_t t = 0; t < o->n_existing; t++)
            best[i] = fmax(best[i], cosine(z, i, o->existing[t]));
    }
    for (int64_t k = 0; k < o->k; k++) {
        double most = -1;

        coverage[k] = 0;
        for (int64_t e = 0; e < o->n_candidate; e++) {
            const int32_t s = o->candidate[e];
            double sum = 0;
            bool may = true;

            for (int64_t j = 0; j < k; j++)
                may = may && chosen[j] != s;
            for (int64_t i = 0; i < N; i++)
                sum += fmax(best[i], cosine(z, i, s));
            if (may && sum > most) {
                most = sum;
                chosen[k] = s;
            }
        }
        for (int64_t i = 0; i < N; i++)
            if (cosine(z, i, chosen[k]) > best[i]) {
                best[i] = cosine(z, i, chosen[k]);
                owner[i] = k;
            }
    }
    for (int64_t i = 0; i < N; i++)
        if (owner[i] >= 0)
            coverage[owner[i]] += 1.0 / N;
}

/* Share of the points with a cosine of at least o->similar to one that exists or is chosen. */
static double share_similar(const gnd_points *z, const gnd_facility_opts *o, const int32_t *chosen)
{
    double share = 0;

    for (int64_t i = 0; i < N; i++) {
        bool near = false;

        for (int64_t t = 0; t < o->n_existing; t++)
            near = near || cosine(z, i, o->existing[t]) >= o->similar;
        for (int64_t k = 0; k < o->k; k++)
            near = near || cosine(z, i, chosen[k]) >= o->similar;
        share += near ? 1.0 / N : 0;
    }
    return share;
}

static void as_by_force(void **state)
{
    static const int32_t existing[] = {3, 77, 140};
    gnd_points z = blobs_new(N, R, 7, 0.7);
    double coverage[12], want_coverage[12];
    int32_t chosen[12], want[12], candidate[N];
    gnd_facilities found = {chosen, coverage, 0, 0};
    gnd_error err;

    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const gnd_facility_opts o = {.k = 12,
                                     .existing = kind & 1 ? existing : NULL,
                                     .n_existing = kind & 1 ? 3 : 0,
                                     .candidate = candidate,
                                     .n_candidate = every(candidate, N, kind & 2 ? 2 : 1),
                                     .similar = 0.8};
        double sum = 0;

        CHECK_OK(gnd_facility_location(&found, &z, &o, NULL, &err));
        by_force(want, want_coverage, &z, &o);
        assert_int_equal(found.n, 12);
        for (int64_t k = 0; k < 12; k++) {
            assert_int_equal(chosen[k], want[k]);
            CHECK_CLOSE(coverage[k], want_coverage[k], 1e-12);
            sum += coverage[k];
        }
        CHECK_CLOSE(found.similar, share_similar(&z, &o, want), 1e-12);
        assert_true(sum <= 1 + 1e-12 && sum > 0.3);
        if (!(kind & 1)) /* seven middles, twelve that stand: all are close to one */
            CHECK_CLOSE(sum, 1, 1e-12);
    }
    free(z.z);
}

/* One of each blob comes first, the middle ones of them, and represents it. */
static void one_of_each(void **state)
{
    gnd_points z = blobs_new(N, R, 5, 0.15);
    int32_t chosen[5], candidate[N];
    double coverage[5];
    bool met[5] = {false};
    gnd_facilities found = {chosen, coverage, 0, 0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_facility_location(
        &found, &z,
        &(gnd_facility_opts){.k = 5, .candidate = candidate, .n_candidate = every(candidate, N, 1)},
        NULL, &err));
    for (int k = 0; k < 5; k++) {
        assert_false(met[chosen[k] % 5]);
        met[chosen[k] % 5] = true;
        CHECK_CLOSE(coverage[k], 0.2, 1e-12);
    }
    free(z.z);
}

static void candidates_run_out(void **state)
{
    static const int32_t two[] = {8, 100};
    gnd_points z = blobs_new(N, R, 5, 0.5);
    int32_t chosen[N + 10], candidate[N];
    double coverage[N + 10];
    bool met[N] = {false};
    gnd_facilities found = {chosen, coverage, 0, 0};
    gnd_facility_opts o = {.k = 4, .candidate = two};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_facility_location(&found, &z, &o, NULL, &err));
    assert_int_equal(found.n, 0);
    o.n_candidate = 2;
    CHECK_OK(gnd_facility_location(&found, &z, &o, NULL, &err));
    assert_int_equal(found.n, 2);
    assert_int_equal(chosen[0] + chosen[1], 108);
    o = (gnd_facility_opts){
        .k = N + 10, .candidate = candidate, .n_candidate = every(candidate, N, 1)};
    CHECK_OK(gnd_facility_location(&found, &z, &o, NULL, &err));
    assert_int_equal(found.n, N);
    for (int64_t k = 0; k < found.n; k++) { /* each once, also those that bring nothing */
        assert_false(met[chosen[k]]);
        met[chosen[k]] = true;
    }
    free(z.z);
}

/* Whatever the threads, the same choice among the candidates. */
static void same_by_any_threads(void **state)
{
    enum { LARGE = 5000, K = 20 };
    static const int threads[] = {1, 2, 7};
    gnd_points z = blobs_new(LARGE, R, 9, 0.4);
    int32_t candidate[LARGE], first[K], chosen[K];
    double coverage[K], coverage_first[K];
    const gnd_facility_opts o = {
        .k = K, .candidate = candidate, .n_candidate = every(candidate, LARGE, 2)};
    gnd_error err;

    (void)state;
    for (int t = 0; t < 3; t++) {
        gnd_pool *pool = eager_pool(threads[t]);
        gnd_facilities found = {t ? chosen : first, t ? coverage : coverage_first, 0, 0};

        CHECK_OK(gnd_facility_location(&found, &z, &o, pool, &err));
        assert_int_equal(found.n, K);
        if (t) {
            assert_memory_equal(chosen, first, sizeof first);
            assert_memory_equal(coverage, coverage_first, sizeof coverage);
        }
        gnd_pool_free(pool);
    }
    for (int64_t k = 0; k < K; k++)
        assert_true(first[k] % 2 == 0 && first[k] < LARGE);
    free(z.z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_by_force),
        cmocka_unit_test(one_of_each),
        cmocka_unit_test(candidates_run_out),
        cmocka_unit_test(same_by_any_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
