/* SPDX-License-Identifier: MIT
 * test_spectrum.c - eigenvalues of the random walk against dense ones, and the limits of its
 * powers. */
#include "fixture.h"
#include "linalg/sym_eigen.h"

/* Components of 6, 5, 4, 2, 1 and 1 vertices with numbers that are not in order: K_{2,3} and the
 * star are bipartite. */
enum { N = 19 };
static const int32_t edges[][2] = {
    {0, 3},  {3, 7},  {7, 10}, {10, 14}, {14, 17}, {0, 10}, {0, 7}, /* 6 vertices */
    {1, 4},  {1, 6},  {1, 9},  {2, 4},   {2, 6},   {2, 9},          /* K_{2,3} */
    {5, 11}, {5, 12}, {5, 13},                                      /* star */
    {8, 15},                                                        /* pair */
};                                                                  /* 16 and 18 alone */
static const int32_t members[][7] = {{0, 3, 7, 10, 14, 17, -1},    {1, 2, 4, 6, 9, -1, -1},
                                     {5, 11, 12, 13, -1, -1, -1},  {8, 15, -1, -1, -1, -1, -1},
                                     {16, -1, -1, -1, -1, -1, -1}, {18, -1, -1, -1, -1, -1, -1}};

/* und: weights as given by `weight`, or 1. */
static gnd_graph *graph_of(int64_t n, const int32_t (*edge)[2], int64_t n_edge)
{
    int32_t(*both)[2] = gnd_alloc(2 * n_edge, sizeof *both);
    int32_t *label = gnd_alloc(n, sizeof *label);
    gnd_graph *g;

    for (int64_t p = 0; p < 2 * n_edge; p++)
        for (int k = 0; k < 2; k++)
            both[p][k] = edge[p / 2][(p + k) % 2];
    g = fixture_graph(n, (const int32_t(*)[2])both, 2 * n_edge, NULL, 0, 0, label, 1);
    gnd_free(both);
    gnd_free(label);
    return g;
}

/* Eigenvalues of D^-1/2 (A + I) D^-1/2 on the listed vertices, descending. */
static int64_t dense_values(double *value, const gnd_graph *g, const int32_t *member)
{
    double a[49], vector[49], d[7];
    int64_t n = 0;
    gnd_error err = {0};

    while (member[n] >= 0)
        n++;
    for (int64_t i = 0; i < n; i++)
        d[i] = 1 + (double)(g->adj.ptr[member[i] + 1] - g->adj.ptr[member[i]]);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] =
                (i == j || gnd_csr_find(&g->adj, member[i], member[j]) >= 0) / sqrt(d[i] * d[j]);
    CHECK_OK(gnd_small_eigen(value, vector, a, n, &err));
    return n;
}

static void eigenvalues(void **state)
{
    gnd_graph *g = graph_of(N, edges, LENGTH(edges));
    gnd_spectrum *s = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_spectrum_new(&s, g, NULL, &err));
    assert_int_equal(gnd_spectrum_n_component(s), LENGTH(members));
    for (int64_t c = 0; c < LENGTH(members); c++) {
        const gnd_spectrum_component *got = gnd_spectrum_component_get(s, c);
        double value[7];
        const int64_t n = dense_values(value, g, members[c]);

        assert_int_equal(got->n_node, n);
        CHECK_CLOSE(value[0], 1, 1e-12);
        if (n == 1) {
            assert_true(isnan(got->second) && isnan(got->smallest) && got->modulus == 0);
            continue;
        }
        CHECK_CLOSE(got->second, value[1], 1e-10);
        CHECK_CLOSE(got->smallest, value[n - 1], 1e-10);
        CHECK_CLOSE(got->modulus, fmax(fabs(value[1]), fabs(value[n - 1])), 1e-10);
        assert_true(got->smallest > -1 && got->modulus < 1);
    }
    assert_null(gnd_spectrum_component_get(s, LENGTH(members)));
    assert_null(gnd_spectrum_component_get(s, -1));
    assert_null(gnd_spectrum_power_get(s, 0));
    gnd_spectrum_free(s);
    gnd_graph_free(g);
}

/* The distance is below its bound, falls by |lambda_2| in the end, and there is no limit with one
 * value for all vertices. */
static void powers(void **state)
{
    static const int64_t power[] = {0, 1, 2, 3, 10, 60, 61, 2000};
    const gnd_spectrum_opts o = {
        .size = sizeof o, .power = power, .n_power = LENGTH(power), .seed = 3};
    gnd_graph *g = graph_of(N, edges, LENGTH(edges));
    const gnd_spectrum_power *p[LENGTH(power)];
    gnd_spectrum *s = NULL;
    gnd_error err = {0};
    double modulus = 0;

    (void)state;
    CHECK_OK(gnd_spectrum_new(&s, g, &o, &err));
    for (int64_t c = 0; c < LENGTH(members); c++)
        modulus = fmax(modulus, gnd_spectrum_component_get(s, c)->modulus);
    for (int64_t j = 0; j < LENGTH(power); j++) {
        p[j] = gnd_spectrum_power_get(s, j);
        assert_int_equal(p[j]->k, power[j]);
        CHECK_CLOSE(p[j]->bound, pow(modulus, (double)power[j]), 1e-12);
        assert_true(p[j]->distance <= p[j]->bound * (1 + 1e-9));
        assert_true(p[j]->distance_to_one > 0.05);
    }
    CHECK_CLOSE(p[0]->distance, 1, 1e-15);
    CHECK_CLOSE(p[0]->distance_to_one, 1, 1e-15);
    CHECK_CLOSE(p[6]->distance / p[5]->distance, modulus, 1e-6);
    assert_true(p[7]->distance > 0 && p[7]->distance < 1e-100);
    gnd_spectrum_free(s);
    gnd_graph_free(g);
}

/* Two vertices with an edge of weight w: eigenvalues 1 and (1 - w) / (1 + w), exactly. */
static void weighted_pair(void **state)
{
    static const int32_t edge[][2] = {{0, 1}};
    static const int64_t power[] = {5};
    const gnd_spectrum_opts o = {.size = sizeof o, .power = power, .n_power = 1, .seed = 1};
    gnd_graph *g = graph_of(2, edge, 1);
    gnd_spectrum *s = NULL;
    gnd_error err = {0};

    (void)state;
    g->adj.val = gnd_alloc(2, sizeof *g->adj.val);
    g->adj.val[0] = g->adj.val[1] = 4;
    CHECK_OK(gnd_spectrum_new(&s, g, &o, &err));
    CHECK_CLOSE(gnd_spectrum_component_get(s, 0)->second, -0.6, 1e-12);
    CHECK_CLOSE(gnd_spectrum_component_get(s, 0)->modulus, 0.6, 1e-12);
    CHECK_CLOSE(gnd_spectrum_power_get(s, 0)->distance, pow(0.6, 5), 1e-12);
    CHECK_CLOSE(gnd_spectrum_power_get(s, 0)->distance_to_one, pow(0.6, 5), 1e-12);
    gnd_spectrum_free(s);
    gnd_graph_free(g);
}

static void mistakes(void **state)
{
    static const int32_t arc[][2] = {{0, 1}, {1, 2}}, label[] = {0, 0, 0};
    static const int64_t power[] = {5, 5};
    const gnd_spectrum_opts o = {.size = sizeof o, .power = power, .n_power = 2};
    gnd_graph *g = fixture_graph(3, arc, 2, NULL, 0, 0, label, 1);
    gnd_spectrum *s = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_FAILS(gnd_spectrum_new(&s, g, NULL, &err), GND_ERR_ARG, "mode und or std");
    CHECK_FAILS(gnd_spectrum_new(&s, g, &o, &err), GND_ERR_ARG, "ascend");
    CHECK_FAILS(gnd_spectrum_new(&s, g, &(gnd_spectrum_opts){.size = 1}, &err), GND_ERR_ARG,
                "size");
    assert_null(s);
    gnd_spectrum_free(NULL);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues),
        cmocka_unit_test(powers),
        cmocka_unit_test(weighted_pair),
        cmocka_unit_test(mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
