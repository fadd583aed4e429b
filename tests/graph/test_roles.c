/* SPDX-License-Identifier: MIT
 * test_roles.c - core numbers of known graphs and by repeated removal; the columns against formulas
 * over a dense matrix. */
#include "graph/roles.h"

#include "embed/links.h"

enum { OWN = 4, ROLE_MAX = 4, CLUSTERING_PAIRS = 64 }; /* as roles.h says */

static gnd_csr both_ways(const link_list *l, int64_t n)
{
    gnd_csr once = make_links(n, l), both = {0}, out = {0};
    gnd_error err;

    CHECK_OK(gnd_csr_symmetrise(&both, &once, &err));
    CHECK_OK(gnd_csr_drop_loops(&out, &both, NULL, &err));
    gnd_csr_fini(&both);
    gnd_csr_fini(&once);
    return out;
}

static bool linked(const gnd_csr *a, int64_t i, int64_t j)
{
    return gnd_csr_find(a, i, (int32_t)j) >= 0;
}

static double degree(const gnd_csr *a, int64_t i)
{
    return (double)(a->ptr[i + 1] - a->ptr[i]);
}

/* ---- core numbers ---- */

/* core[i] = first .. first + count - 1 are `want`. */
static void check_core(const int32_t *core, int64_t first, int64_t count, int32_t want)
{
    for (int64_t i = first; i < first + count; i++)
        assert_int_equal(core[i], want);
}

/* A clique of 5, a star of 6, a path of 4, a clique of 4 with a tail of 3, two lone vertices. */
static void known_cores(void **state)
{
    enum { N = 24 };
    link_list l = {.n = 0};
    int32_t core[N];
    gnd_csr a;
    gnd_error err;

    (void)state;
    add_clique(&l, 0, 5);
    for (int64_t i = 6; i < 11; i++)
        add_link(&l, 5, i);
    add_path(&l, 11, 4);
    add_clique(&l, 15, 4);
    add_path(&l, 18, 4);
    a = both_ways(&l, N);
    CHECK_OK(gnd_core_numbers(core, &a, &err));
    check_core(core, 0, 5, 4);
    check_core(core, 5, 6, 1);
    check_core(core, 11, 4, 1);
    check_core(core, 15, 4, 3);
    check_core(core, 19, 3, 1);
    check_core(core, 22, 2, 0);
    gnd_csr_fini(&a);
}

static void cores_without_links(void **state)
{
    int32_t core[3] = {-1, -1, -1};
    gnd_csr a = make_empty(3), none = make_empty(0);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_core_numbers(core, &a, &err));
    check_core(core, 0, 3, 0);
    CHECK_OK(gnd_core_numbers(core, &none, &err));
    gnd_csr_fini(&none);
    gnd_csr_fini(&a);
}

/* Vertices that stay when all of degree below k are removed, again and again. */
static void cores_by_removal(int32_t *core, const gnd_csr *a)
{
    const int64_t n = a->n_row;
    bool *in = calloc((size_t)n, sizeof *in);

    assert_non_null(in);
    for (int32_t k = 0; k < n; k++) {
        for (int64_t i = 0; i < n; i++)
            in[i] = true;
        for (bool removed = true; removed;) {
            removed = false;
            for (int64_t i = 0; i < n; i++) {
                int64_t stay = 0;

                for (int64_t j = 0; j < n; j++)
                    stay += in[j] && linked(a, i, j);
                if (in[i] && stay < k) {
                    in[i] = false;
                    removed = true;
                }
            }
        }
        for (int64_t i = 0; i < n; i++)
            if (in[i])
                core[i] = k;
    }
    free(in);
}

/* m random links of n vertices. */
static gnd_csr random_links(int64_t n, int64_t m, uint32_t stream)
{
    link_list l = {.n = 0};

    for (int64_t k = 0; k < m; k++)
        add_link(&l, (int64_t)(gnd_rng_uniform(9, stream, (uint64_t)(2 * k)) * (double)n),
                 (int64_t)(pow(gnd_rng_uniform(9, stream, (uint64_t)(2 * k + 1)), 2) * (double)n));
    return both_ways(&l, n);
}

static void cores_of_random_graphs(void **state)
{
    enum { N = 40 };
    gnd_error err;

    (void)state;
    for (uint32_t k = 0; k < 12; k++) {
        gnd_csr a = random_links(N, 20 * k, k);
        int32_t core[N], want[N];

        CHECK_OK(gnd_core_numbers(core, &a, &err));
        cores_by_removal(want, &a);
        for (int64_t i = 0; i < N; i++)
            assert_int_equal(core[i], want[i]);
        gnd_csr_fini(&a);
    }
}

/* ---- columns ---- */

static double clustering(const gnd_csr *a, int64_t i)
{
    const double pairs = degree(a, i) * (degree(a, i) - 1);
    double closed = 0;

    for (int64_t j = 0; j < a->n_row; j++)
        for (int64_t k = 0; k < a->n_row; k++)
            closed += linked(a, i, j) && linked(a, i, k) && linked(a, j, k);
    return pairs > 0 ? closed / pairs : 0;
}

/* Mean over the neighbours of column k of roles; 0 for a lone vertex. */
static double neighbour_mean(const double *roles, const gnd_csr *a, int64_t i, int64_t k)
{
    double sum = 0;

    for (int64_t j = 0; j < a->n_row; j++)
        sum += linked(a, i, j) ? roles[j * GND_ROLES + k] : 0;
    return degree(a, i) > 0 ? sum / degree(a, i) : 0;
}

/* Before columns are standardised. */
static void plain_roles(double *roles, const gnd_csr *a)
{
    const int64_t n = a->n_row;
    int32_t *core = calloc((size_t)n, sizeof *core);

    assert_non_null(core);
    cores_by_removal(core, a);
    for (int64_t i = 0; i < n; i++) {
        double near = 0;

        for (int64_t j = 0; j < n; j++)
            near += linked(a, i, j) ? degree(a, j) : 0;
        roles[i * GND_ROLES] = log(1 + degree(a, i));
        roles[i * GND_ROLES + 1] = log(1 + (double)core[i]);
        roles[i * GND_ROLES + 2] = clustering(a, i);
        roles[i * GND_ROLES + 3] = log(1 + (degree(a, i) > 0 ? near / degree(a, i) : 0));
    }
    for (int64_t k = OWN; k < GND_ROLES; k++)
        for (int64_t i = 0; i < n; i++)
            roles[i * GND_ROLES + k] = neighbour_mean(roles, a, i, k - OWN);
    free(core);
}

/* Mean 0 and variance 1, limited, divided by the root of the number of columns. */
static void standardise(double *roles, int64_t n)
{
    for (int64_t k = 0; k < GND_ROLES; k++) {
        double mean = 0, square = 0;

        for (int64_t i = 0; i < n; i++)
            mean += roles[i * GND_ROLES + k] / (double)n;
        for (int64_t i = 0; i < n; i++)
            square += pow(roles[i * GND_ROLES + k] - mean, 2) / (double)n;
        for (int64_t i = 0; i < n; i++) {
            double *x = &roles[i * GND_ROLES + k];

            *x = square > 1e-12 ? (*x - mean) / sqrt(square) : 0;
            *x = fmax(fmin(*x, ROLE_MAX), -ROLE_MAX) / sqrt(GND_ROLES);
        }
    }
}

static gnd_real *roles_of(const gnd_csr *a, gnd_pool *pool)
{
    gnd_real *roles = calloc((size_t)(a->n_row * GND_ROLES), sizeof *roles);
    gnd_error err;

    assert_non_null(roles);
    CHECK_OK(gnd_roles(roles, a, pool, &err));
    return roles;
}

static void check_roles(const gnd_csr *a)
{
    const int64_t n = a->n_row;
    double *want = calloc((size_t)(n * GND_ROLES), sizeof *want);
    gnd_real *got = roles_of(a, NULL);

    assert_non_null(want);
    plain_roles(want, a);
    standardise(want, n);
    for (int64_t e = 0; e < n * GND_ROLES; e++)
        CHECK_CLOSE(got[e], want[e], 2e-5); /* means of floats */
    free(got);
    free(want);
}

/* A triangle, a square, a clique of 6, a path, lone vertices. */
static void roles_of_known_graphs(void **state)
{
    enum { N = 20 };
    link_list l = {.n = 0};
    gnd_csr a;

    (void)state;
    add_clique(&l, 0, 3);
    add_path(&l, 3, 4);
    add_link(&l, 3, 6);
    add_clique(&l, 7, 6);
    add_path(&l, 13, 4);
    a = both_ways(&l, N);
    CHECK_CLOSE(clustering(&a, 0), 1, 1e-15);
    CHECK_CLOSE(clustering(&a, 3), 0, 0);
    CHECK_CLOSE(clustering(&a, 7), 1, 1e-15);
    CHECK_CLOSE(clustering(&a, 14), 0, 0);
    check_roles(&a);
    gnd_csr_fini(&a);
}

/* Degrees for which all pairs of neighbours are counted. */
static void roles_of_random_graphs(void **state)
{
    (void)state;
    for (uint32_t k = 1; k < 5; k++) {
        gnd_csr a = random_links(60, 20 * k, 20 + k);

        for (int64_t i = 0; i < 60; i++)
            assert_true(degree(&a, i) * (degree(&a, i) - 1) / 2 <= CLUSTERING_PAIRS);
        check_roles(&a);
        gnd_csr_fini(&a);
    }
}

/* Vertices of more pairs: estimates of 0 and 1 are exact, whichever pairs are drawn. The centre of
 * the star is limited to ROLE_MAX. */
static void roles_of_hubs(void **state)
{
    enum { CLIQUE = 20, LEAVES = 100 };
    link_list l = {.n = 0};
    gnd_csr a;
    gnd_real *roles;

    (void)state;
    add_clique(&l, 0, CLIQUE);
    for (int64_t i = 1; i <= LEAVES; i++)
        add_link(&l, CLIQUE, CLIQUE + i);
    a = both_ways(&l, CLIQUE + 1 + LEAVES);
    check_roles(&a);
    gnd_csr_fini(&a);
    l.n = 0;
    for (int64_t i = 1; i <= LEAVES; i++)
        add_link(&l, 0, i);
    a = both_ways(&l, 1 + LEAVES);
    roles = roles_of(&a, NULL);
    CHECK_CLOSE(roles[0], ROLE_MAX / sqrt(GND_ROLES), 1e-6);
    free(roles);
    gnd_csr_fini(&a);
}

/* Five graphs of 24 vertices, four of them cliques; of the first a third of the links is missing.
 * The column is linear in the clustering, 1 in cliques; the mean of the estimates is accurate, so
 * that it gives the scale. */
static void estimated_clustering(void **state)
{
    enum { SIZE = 24, ALL = 5 * SIZE };
    link_list l = {.n = 0};
    double mean = 0, truth = 0, one;
    gnd_csr a;
    gnd_real *roles;

    (void)state;
    for (int64_t i = 0; i < ALL; i++)
        for (int64_t j = i / SIZE * SIZE; j < i; j++)
            if (i >= SIZE || gnd_rng_uniform(4, 1, (uint64_t)(i * SIZE + j)) < 0.7)
                add_link(&l, i, j);
    a = both_ways(&l, ALL);
    roles = roles_of(&a, NULL);
    one = (double)roles[SIZE * GND_ROLES + 2];
    for (int64_t i = 0; i < SIZE; i++) {
        mean += (double)roles[i * GND_ROLES + 2] / SIZE;
        truth += clustering(&a, i) / SIZE;
    }
    for (int64_t i = SIZE; i < ALL; i++)
        CHECK_CLOSE(roles[i * GND_ROLES + 2], one, 1e-6);
    for (int64_t i = 0; i < SIZE; i++) {
        const double by = (one - (double)roles[i * GND_ROLES + 2]) / (one - mean);

        CHECK_CLOSE(1 - (1 - truth) * by, clustering(&a, i), 4 * sqrt(0.25 / CLUSTERING_PAIRS));
    }
    free(roles);
    gnd_csr_fini(&a);
}

static void means_are_0(void **state)
{
    enum { N = 300 };
    gnd_csr a = random_links(N, 900, 3);
    gnd_real *roles = roles_of(&a, NULL);

    (void)state;
    for (int64_t k = 0; k < GND_ROLES; k++) {
        double mean = 0, most = 0;

        for (int64_t i = 0; i < N; i++) {
            mean += (double)roles[i * GND_ROLES + k] / N;
            most = fmax(most, fabs((double)roles[i * GND_ROLES + k]));
        }
        if (most < ROLE_MAX / sqrt(GND_ROLES) - 1e-6)
            CHECK_CLOSE(mean, 0, 1e-6);
    }
    free(roles);
    gnd_csr_fini(&a);
}

/* All equal, so that there is nothing to go by. */
static void roles_of_equal_vertices(void **state)
{
    static gnd_csr (*const make[])(int64_t) = {make_empty, make_cycle, make_clique};

    (void)state;
    for (int64_t k = 0; k < LENGTH(make); k++) {
        gnd_csr once = make[k](9), a = {0};
        gnd_real *roles;
        gnd_error err;

        CHECK_OK(gnd_csr_symmetrise(&a, &once, &err));
        roles = roles_of(&a, NULL);
        for (int64_t e = 0; e < 9 * GND_ROLES; e++)
            CHECK_CLOSE(roles[e], 0, 1e-6);
        free(roles);
        gnd_csr_fini(&a);
        gnd_csr_fini(&once);
    }
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};
    gnd_csr a = random_links(500, 3000, 7);
    gnd_real *want = roles_of(&a, NULL);

    (void)state;
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);
        gnd_real *got = roles_of(&a, pool);

        assert_memory_equal(got, want, 500 * GND_ROLES * sizeof *got);
        free(got);
        gnd_pool_free(pool);
    }
    free(want);
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cores),
        cmocka_unit_test(cores_without_links),
        cmocka_unit_test(cores_of_random_graphs),
        cmocka_unit_test(roles_of_known_graphs),
        cmocka_unit_test(roles_of_random_graphs),
        cmocka_unit_test(roles_of_hubs),
        cmocka_unit_test(estimated_clustering),
        cmocka_unit_test(means_are_0),
        cmocka_unit_test(roles_of_equal_vertices),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
