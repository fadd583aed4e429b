/* SPDX-License-Identifier: MIT
 * test_hop_basis.c - sums over hops in the basis that is found, against the hops in double. */
#include "linalg/hop_basis.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"

enum { N = 700, S = 6, K = 20, TRIALS = 40 };

/* The errors allowed: of a row times a vector of signs, and of a dot product, as a share of
 * sum_k |alpha_k| |P_k|; of a cell, as a share of sum_k |alpha_k| times the largest value of its
 * row of P_k, which may be far smaller than those of other rows. */
#define NEAR      1e-6
#define NEAR_CELL 3e-6

/* Rows of the powers 1 .. K of a walk on a graph: [K, S N]. */
typedef struct {
    double *hop;
    int64_t n_cell;
} hops;

typedef bool linked(int64_t i, int64_t j);

static bool on_ring(int64_t i, int64_t j) /* its powers differ most: eigenvalues from -1 to 1 */
{
    return (i + 1) % N == j || (j + 1) % N == i;
}

static bool on_star(int64_t i, int64_t j)
{
    return (i == 0) != (j == 0);
}

/* Groups of 20 that are linked among themselves, with few links between them, as in real graphs. */
static bool in_groups(int64_t i, int64_t j)
{
    const int64_t a = i < j ? i : j, b = i < j ? j : i;

    return i != j &&
           gnd_rng_uniform(5, 1, (uint64_t)(a * N + b)) < (a / 20 == b / 20 ? 0.4 : 0.004);
}

static bool linked_all(int64_t i, int64_t j) /* all powers are the same */
{
    (void)i, (void)j;
    return true;
}

/* loops: every vertex is linked to itself. */
static hops walk(linked *is, bool loops)
{
    const int64_t size = S * N;
    hops h = {calloc(K * S * N, sizeof *h.hop), size};
    double *w = calloc(N * N, sizeof *w);

    assert_true(h.hop && w);
    for (int64_t i = 0; i < N; i++) {
        double degree = 0;

        for (int64_t j = 0; j < N; j++)
            degree += w[i * N + j] = is(i, j) || (loops && i == j);
        for (int64_t j = 0; j < N; j++)
            w[i * N + j] /= degree;
    }
    for (int64_t s = 0; s < S; s++)
        memcpy(h.hop + s * N, w + s * 97 * N, N * sizeof *w);
    for (int64_t k = 1; k < K; k++)
        for (int64_t s = 0; s < S; s++)
            for (int64_t j = 0; j < N; j++) {
                const double p = h.hop[(k - 1) * size + s * N + j];

                for (int64_t i = 0; p > 0 && i < N; i++)
                    h.hop[k * size + s * N + i] += p * w[j * N + i];
            }
    free(w);
    return h;
}

static void tiles_fill(gnd_hop_tiles *s, const hops *h, int64_t k_first, int64_t n)
{
    gnd_real *v = calloc((size_t)h->n_cell, sizeof *v);
    gnd_error err;

    CHECK_OK(gnd_hop_tiles_init(s, h->n_cell, n, &err));
    for (int64_t k = 0; k < n; k++) {
        for (int64_t i = 0; i < h->n_cell; i++)
            v[i] = (gnd_real)h->hop[(k_first + k) * h->n_cell + i];
        gnd_hop_tiles_put(s, k, 0, v, h->n_cell);
    }
    free(v);
}

/* Weights that a sum of alike hops is sensitive to: alternating signs, single hops, differences of
 * a high order, and random ones. */
static void weights(gnd_real *alpha, int trial)
{
    double c = 1;

    for (int k = 0; k < K; k++) {
        const double u = gnd_rng_uniform(9, (uint32_t)trial, (uint64_t)k);

        alpha[k] = (gnd_real)(trial == 0       ? (k % 2 ? -1 : 1)
                              : trial <= K     ? k == trial - 1
                              : trial == K + 1 ? (k % 2 ? -c : c)
                              : trial % 2      ? (u < 0.5 ? -1 : 1)
                                               : 2 * u - 1);
        c *= (double)(K - 1 - k) / (k + 1); /* binomial */
    }
}

/* Every cell, and every row, which has sum 1, times a vector of signs. */
static void check_sums(const gnd_hop_tiles *s, const hops *h)
{
    gnd_real alpha[K], a[K], *y = calloc((size_t)h->n_cell, sizeof *y);
    double worst = 0, worst_row = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        weights(alpha, trial);
        gnd_hop_tiles_weights(a, s, alpha);
        gnd_hop_tiles_mix(y, s, a, 0, h->n_cell);
        for (int64_t row = 0; row < S; row++) {
            double scale = 0, mass = 0, error = 0;

            for (int64_t k = 0; k < K; k++) {
                double top = 0;

                for (int64_t j = 0; j < N; j++)
                    top = fmax(top, fabs(h->hop[k * h->n_cell + row * N + j]));
                scale += fabs((double)alpha[k]) * top;
                mass += fabs((double)alpha[k]);
            }
            for (int64_t j = 0; j < N; j++) {
                const int64_t i = row * N + j;
                double sum = 0;

                for (int64_t k = 0; k < K; k++)
                    sum += (double)alpha[k] * h->hop[k * h->n_cell + i];
                worst = fmax(worst, fabs((double)y[i] - sum) / scale);
                error += ((double)y[i] - sum) * (gnd_hash_at(8, (uint64_t)j) % 2 ? 1 : -1);
            }
            worst_row = fmax(worst_row, fabs(error) / mass);
        }
    }
    CHECK_CLOSE(worst, 0, NEAR_CELL);
    CHECK_CLOSE(worst_row, 0, NEAR);
    free(y);
}

/* The dot products are of the same values as the sums. */
static void check_dots(const gnd_hop_tiles *s, const hops *h)
{
    gnd_real *x = calloc((size_t)h->n_cell, sizeof *x), got[K] = {0};
    double dot[K], top = 0, sum[K] = {0};

    for (int64_t i = 0; i < h->n_cell; i++)
        x[i] = (gnd_real)(gnd_rng_uniform(6, 2, (uint64_t)i) - 0.3);
    gnd_hop_tiles_dots(dot, s, x, 0, h->n_cell);
    gnd_hop_tiles_unweigh(got, s, dot);
    for (int64_t k = 0; k < K; k++) {
        for (int64_t i = 0; i < h->n_cell; i++)
            sum[k] += h->hop[k * h->n_cell + i] * (double)x[i];
        top = fmax(top, fabs(sum[k]));
    }
    for (int64_t k = 0; k < K; k++)
        CHECK_CLOSE(got[k], sum[k], NEAR * top);
    free(x);
}

static void as_the_hops(void **state)
{
    static linked *const is[] = {on_ring, on_star, in_groups, linked_all};

    (void)state;
    for (int64_t g = 0; g < LENGTH(is); g++)
        for (int loops = 0; loops < 2; loops++) {
            hops h = walk(is[g], loops);
            gnd_hop_tiles s;
            gnd_error err;

            tiles_fill(&s, &h, 0, K);
            CHECK_OK(gnd_hop_basis_find(&s, NULL, &err));
            assert_true(gnd_hop_tiles_rank(&s) >= 1);
            if (is[g] == in_groups)
                assert_true(s.n_full + s.n_pair < K * 2 / 3);
            if (is[g] == linked_all)
                assert_true(gnd_hop_tiles_rank(&s) <= 2);
            check_sums(&s, &h);
            check_dots(&s, &h);
            gnd_hop_tiles_fini(&s);
            free(h.hop);
        }
}

/* Hops of very different size keep their own accuracy; hops of zeros stay zero. */
static void sizes_differ(void **state)
{
    hops h = walk(in_groups, true);
    gnd_real alpha[K] = {0}, a[K], *y = calloc((size_t)h.n_cell, sizeof *y);
    gnd_hop_tiles s;
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < K; k++)
        for (int64_t i = 0; i < h.n_cell; i++)
            h.hop[k * h.n_cell + i] *= k == 3 ? 0 : pow(10, (double)(k % 7 - 3));
    tiles_fill(&s, &h, 0, K);
    CHECK_OK(gnd_hop_basis_find(&s, NULL, &err));
    assert_true(gnd_hop_tiles_rank(&s) < K);
    for (int64_t k = 0; k < K; k++) {
        double top = 0;

        memset(alpha, 0, sizeof alpha);
        alpha[k] = 1;
        gnd_hop_tiles_weights(a, &s, alpha);
        gnd_hop_tiles_mix(y, &s, a, 0, h.n_cell);
        for (int64_t i = 0; i < h.n_cell; i++)
            top = fmax(top, fabs(h.hop[k * h.n_cell + i]));
        for (int64_t i = 0; i < h.n_cell; i++)
            CHECK_CLOSE(y[i], h.hop[k * h.n_cell + i], NEAR_CELL * top);
    }
    gnd_hop_tiles_fini(&s);
    free(y);
    free(h.hop);
}

/* Nothing to gain, and nothing that can be used. */
static void stays_as_it_is(void **state)
{
    hops h = walk(in_groups, true);
    gnd_hop_tiles s;
    gnd_error err;

    (void)state;
    tiles_fill(&s, &h, 0, 1);
    CHECK_OK(gnd_hop_basis_find(&s, NULL, &err));
    assert_int_equal(s.n_full, 1);
    gnd_hop_tiles_fini(&s);
    CHECK_OK(gnd_hop_tiles_init(&s, 50, K, &err)); /* zeros */
    CHECK_OK(gnd_hop_basis_find(&s, NULL, &err));
    assert_int_equal(s.n_full, K);
    gnd_hop_tiles_put(&s, 2, 0, &(gnd_real){INFINITY}, 1);
    CHECK_OK(gnd_hop_basis_find(&s, NULL, &err));
    assert_int_equal(s.n_full, K);
    gnd_hop_tiles_fini(&s);
    free(h.hop);
}

static void any_threads(void **state)
{
    hops h = walk(in_groups, true);
    gnd_pool *pool = gnd_pool_new(3);
    gnd_hop_tiles a, b;
    gnd_error err;

    (void)state;
    assert_non_null(pool);
    tiles_fill(&a, &h, 0, K);
    tiles_fill(&b, &h, 0, K);
    CHECK_OK(gnd_hop_basis_find(&a, NULL, &err));
    CHECK_OK(gnd_hop_basis_find(&b, pool, &err));
    assert_int_equal(a.n_full, b.n_full);
    assert_int_equal(a.n_pair, b.n_pair);
    assert_memory_equal(a.c, b.c, (size_t)(K * gnd_hop_tiles_rank(&a)) * sizeof *a.c);
    assert_memory_equal(a.tile, b.tile,
                        (size_t)(gnd_hop_tiles_count(&a) * gnd_hop_tiles_size(&a)) *
                            sizeof *a.tile);
    gnd_hop_tiles_fini(&a);
    gnd_hop_tiles_fini(&b);
    gnd_pool_free(pool);
    free(h.hop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_hops),
        cmocka_unit_test(sizes_differ),
        cmocka_unit_test(stays_as_it_is),
        cmocka_unit_test(any_threads),
    };

    setenv("GND_PARALLEL_MIN", "1", 1); /* threads are used for small work, too */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
