/* SPDX-License-Identifier: MIT
 * test_isomap.c - shapes whose embedding is known, and the dense matrix where none is. */
#include "embed/isomap.h"

#include "base/alloc.h"
#include "embed/hop_distances.h"
#include "links.h"

static void path_is_a_line(void **state)
{
    enum { N = 101 };
    gnd_csr a = make_path(N);
    double z[2 * N], value[2], want = 0;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_isomap(z, value, &a, NULL, &err));
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(z[2 * i], 50 - i, 1e-9);
        CHECK_CLOSE(z[2 * i + 1], 0, 0); /* there is no second direction, not even a little */
        want += (50 - i) * (50 - i);
    }
    CHECK_CLOSE(value[0], want, 1e-7);
    CHECK_CLOSE(value[1], 0, 1e-7);
    gnd_csr_fini(&a);
}

/* Its eigenvalues come in equal pairs: a single Krylov space has but one vector of each. */
static void cycle_is_a_circle(void **state)
{
    enum { N = 60 };
    gnd_csr a = make_cycle(N);
    double z[2 * N], value[2];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_isomap(z, value, &a, NULL, &err));
    CHECK_CLOSE(value[0], value[1], 1e-9 * value[0]);
    for (int i = 0; i < N; i++) {
        const double radius = hypot(z[2 * i], z[2 * i + 1]);

        CHECK_CLOSE(radius, hypot(z[0], z[1]), 1e-8 * radius);
        CHECK_CLOSE(z[2 * i], -z[2 * ((i + N / 2) % N)], 1e-8 * radius);
    }
    gnd_csr_fini(&a);
}

/* A grid of 9 x 4: the long way first, rows apart in the second coordinate. */
static void grid_lies_flat(void **state)
{
    enum { W = 9, H = 4 };
    link_list l = {.n = 0};
    double z[2 * W * H];
    gnd_csr a;
    gnd_error err;

    (void)state;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (x + 1 < W)
                add_link(&l, y * W + x, y * W + x + 1);
            if (y + 1 < H)
                add_link(&l, y * W + x + W, y * W + x);
        }
    a = make_links(W * H, &l);
    CHECK_OK(gnd_isomap(z, NULL, &a, NULL, &err));
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W; x++) {
            const double *p = z + 2 * (y * W + x), *origin = z;

            assert_true((p[0] > p[-2]) == (z[2] > z[0])); /* x grows along every row */
            if (y > 0)
                assert_true((p[1] > (p - 2 * W)[1]) == (z[2 * W + 1] > origin[1]));
        }
    gnd_csr_fini(&a);
}

/* B as a dense matrix, from the hop distances. */
static double *dense_b(const gnd_csr *adj)
{
    const int64_t n = adj->n_row;
    double *b = calloc((size_t)(n * n), sizeof *b), *mean = calloc((size_t)n, sizeof *mean);
    double far, all = 0;
    uint8_t *hops;
    gnd_csr links;
    gnd_error err;

    CHECK_OK(gnd_links_init(&links, adj, &err));
    CHECK_OK(gnd_hop_distances(&hops, &far, &links, NULL, &err));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double d = hops[i * n + j] == GND_HOP_NONE ? far : hops[i * n + j];

            b[i * n + j] = d * d;
            mean[i] += d * d / (double)n;
            all += d * d / (double)(n * n);
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            b[i * n + j] = -0.5 * (b[i * n + j] - mean[i] - mean[j] + all);
    gnd_free(hops);
    gnd_csr_fini(&links);
    free(mean);
    return b;
}

/* Number of eigenvalues above x: of positive pivots of B - x I (Sylvester). b is overwritten. */
static int64_t count_above(double *b, int64_t n, double x)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        b[i * n + i] -= x;
    for (int64_t k = 0; k < n; k++) {
        count += b[k * n + k] > 0;
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = k + 1; j < n; j++)
                b[i * n + j] -= b[i * n + k] * b[k * n + j] / b[k * n + k];
    }
    return count;
}

static void leading_pairs_of_the_dense_matrix(void **state)
{
    enum { N = 90 };
    double z[2 * N], value[2];
    gnd_error err;

    (void)state;
    for (uint32_t s = 0; s < 4; s++) {
        gnd_csr a = make_chance(N, 70 + 40 * s, s);
        double *b = dense_b(&a);

        CHECK_OK(gnd_isomap(z, value, &a, NULL, &err));
        for (int c = 0; c < 2; c++) {
            double norm2 = 0;

            for (int i = 0; i < N; i++) {
                double bz = 0;

                for (int j = 0; j < N; j++)
                    bz += b[i * N + j] * z[2 * j + c];
                CHECK_CLOSE(bz, value[c] * z[2 * i + c], 1e-9 * value[0] * sqrt(value[0]));
                norm2 += z[2 * i + c] * z[2 * i + c];
            }
            CHECK_CLOSE(norm2, value[c], 1e-9 * value[0]);
        }
        /* Nothing is larger than the first, and one thing, the first, larger than the second. */
        free(b);
        b = dense_b(&a);
        assert_int_equal(count_above(b, N, value[0] * (1 + 1e-9)), 0);
        free(b);
        b = dense_b(&a);
        assert_true(count_above(b, N, value[1] * (1 + 1e-9)) <= 1);
        free(b);
        gnd_csr_fini(&a);
    }
}

static void threads_agree(void **state)
{
    enum { N = 333 };
    double z[3][2 * N];
    const int threads[] = {1, 2, 7};
    gnd_csr a = make_chance(N, 900, 5);
    gnd_error err;

    (void)state;
    for (int k = 0; k < 3; k++) {
        gnd_pool *pool = eager_pool(threads[k]);

        CHECK_OK(gnd_isomap(z[k], NULL, &a, pool, &err));
        gnd_pool_free(pool);
    }
    assert_memory_equal(z[0], z[1], sizeof z[0]);
    assert_memory_equal(z[0], z[2], sizeof z[0]);
    for (int c = 0; c < 2; c++) { /* and the sign is settled */
        double low = 0, high = 0;

        for (int i = 0; i < N; i++) {
            low = fmin(low, z[0][2 * i + c]);
            high = fmax(high, z[0][2 * i + c]);
        }
        assert_true(high >= -low * (1 - 1e-8));
    }
    gnd_csr_fini(&a);
}

static void small_ones(void **state)
{
    double z[10], value[2];
    gnd_csr a;
    gnd_error err;

    (void)state;
    for (int64_t n = 0; n <= 5; n++) { /* without links all stand in one place */
        a = make_empty(n);
        for (int i = 0; i < 10; i++)
            z[i] = NAN;
        CHECK_OK(gnd_isomap(z, value, &a, NULL, &err));
        for (int64_t i = 0; i < 2 * n; i++)
            CHECK_CLOSE(z[i], 0, 0);
        CHECK_CLOSE(value[0], 0, 0);
        gnd_csr_fini(&a);
    }
    a = make_path(2);
    CHECK_OK(gnd_isomap(z, value, &a, NULL, &err));
    CHECK_CLOSE(z[0], 0.5, 1e-15);
    CHECK_CLOSE(z[2], -0.5, 1e-15);
    CHECK_CLOSE(z[1], 0, 0);
    gnd_csr_fini(&a);
    a = make_clique(5); /* all eigenvalues equal: any two axes will do */
    CHECK_OK(gnd_isomap(z, value, &a, NULL, &err));
    CHECK_CLOSE(value[0], 0.5, 1e-14);
    CHECK_CLOSE(value[1], 0.5, 1e-14);
    gnd_csr_fini(&a);
}

static void too_many(void **state)
{
    gnd_csr a = make_empty(GND_ISOMAP_MAX + 1);
    double *z = calloc((size_t)a.n_row, 2 * sizeof *z);
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_isomap(z, NULL, &a, NULL, &err), GND_ERR_ARG, "65537");
    gnd_csr_fini(&a);
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_is_a_line), cmocka_unit_test(cycle_is_a_circle),
        cmocka_unit_test(grid_lies_flat), cmocka_unit_test(leading_pairs_of_the_dense_matrix),
        cmocka_unit_test(threads_agree),  cmocka_unit_test(small_ones),
        cmocka_unit_test(too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
