/* SPDX-License-Identifier: MIT
 * test_hop_features.c - W^k X Theta against dense products in double, its limit, and wrong
 * arguments. */
#include "base/alloc.h"
#include "check.h"
#include "graph/graph.h"
#include "tape/params.h"

enum { R = 5 };

static gnd_graph *open_karate(gnd_graph_mode mode)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SOURCE_DIR "/data"};
    gnd_graph *raw, *g;
    gnd_error err;

    CHECK_OK(gnd_load(&raw, "karate", &o, &err));
    CHECK_OK(gnd_graph_convert(&g, raw, mode, &err));
    gnd_graph_free(raw);
    return g;
}

static gnd_hop_features *features(const gnd_graph *g, const int32_t *hops, int64_t n, int threads)
{
    const gnd_hop_features_opts o = {
        .size = sizeof o, .hops = hops, .n_hop = n, .filters = R, .seed = 3, .threads = threads};
    gnd_hop_features *h;
    gnd_error err;

    CHECK_OK(gnd_hop_features_new(&h, g, &o, &err));
    return h;
}

/* z = W z by its definition. */
static void walk(double *z, const gnd_graph *g)
{
    double *old = gnd_alloc(g->n_node * R, sizeof *old);

    memcpy(old, z, (size_t)(g->n_node * R) * sizeof *old);
    for (int64_t i = 0; i < g->n_node; i++)
        for (int64_t c = 0; c < R; c++) {
            double sum = old[i * R + c], degree = 1;

            for (int64_t j = 0; j < g->n_node; j++) {
                const int64_t e = gnd_csr_find(&g->adj, i, (int32_t)j);

                if (e >= 0) {
                    degree += (double)gnd_csr_val(&g->adj, e);
                    sum += (double)gnd_csr_val(&g->adj, e) * old[j * R + c];
                }
            }
            z[i * R + c] = sum / degree;
        }
    gnd_free(old);
}

/* Karate has no features: X is the identity, and hop 0 is Theta itself. */
static void by_definition(void **state)
{
    static const int32_t hops[] = {0, 1, 2, 7};
    gnd_graph *g = open_karate(GND_GRAPH_UND);
    const int64_t n = g->n_node;
    gnd_hop_features *h = features(g, hops, LENGTH(hops), 1), *again;
    double *z = gnd_alloc(n * R, sizeof *z);
    gnd_params theta = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_param_add(&theta, "Theta", n, R, GND_INIT_GLOROT, &err));
    CHECK_OK(gnd_params_alloc(&theta, &err));
    gnd_params_draw(&theta, 3);
    for (int64_t i = 0; i < n * R; i++)
        z[i] = (double)theta.v[i];
    for (int32_t k = 0, at = 0; k <= 7; k++) {
        if (k == hops[at]) {
            assert_int_equal(gnd_hop_features_hop(h, at), k);
            for (int64_t i = 0; i < n * R; i++)
                CHECK_CLOSE(gnd_hop_features_get(h, at)[i], z[i], 1e-7);
            at++;
        }
        walk(z, g);
    }
    setenv("GND_PARALLEL_MIN", "0", 1);
    again = features(g, hops, LENGTH(hops), 7);
    unsetenv("GND_PARALLEL_MIN");
    for (int64_t i = 0; i < LENGTH(hops); i++)
        assert_memory_equal(gnd_hop_features_get(h, i), gnd_hop_features_get(again, i),
                            (size_t)(n * R) * sizeof(float));
    gnd_hop_features_free(again);
    gnd_hop_features_free(h);
    gnd_params_fini(&theta);
    gnd_free(z);
    gnd_graph_free(g);
}

/* In the limit every vertex of a component has the mean weighted by degree, to the last bit of a
 * float. */
static void limit(void **state)
{
    static const int32_t hops[] = {0, 10000};
    gnd_graph *g = open_karate(GND_GRAPH_UND);
    gnd_hop_features *h = features(g, hops, 2, 1);
    const float *start = gnd_hop_features_get(h, 0), *end = gnd_hop_features_get(h, 1);

    (void)state;
    for (int64_t c = 0; c < R; c++) {
        double sum = 0, weight = 0;

        for (int64_t i = 0; i < g->n_node; i++) {
            double degree = 1;

            for (int64_t e = g->adj.ptr[i]; e < g->adj.ptr[i + 1]; e++)
                degree += (double)gnd_csr_val(&g->adj, e);
            sum += degree * (double)start[i * R + c];
            weight += degree;
        }
        for (int64_t i = 0; i < g->n_node; i++) {
            CHECK_CLOSE(end[i * R + c], sum / weight, 1e-7);
            assert_true(end[i * R + c] == end[c]);
        }
    }
    gnd_hop_features_free(h);
    gnd_graph_free(g);
}

/* With features, rows are divided by their sums before they are projected. */
static void projected(void **state)
{
    static const int32_t zero = 0;
    const gnd_make_opts mo = {.size = sizeof mo,
                              .n_node = 60,
                              .n_edge = 150,
                              .n_feat = 30,
                              .n_class = 3,
                              .n_word = 4,
                              .inside = 80,
                              .seed = 1};
    gnd_params theta = {0};
    gnd_graph *g;
    gnd_hop_features *h;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_make(&g, &mo, &err));
    h = features(g, &zero, 1, 1);
    CHECK_OK(gnd_param_add(&theta, "Theta", 30, R, GND_INIT_GLOROT, &err));
    CHECK_OK(gnd_params_alloc(&theta, &err));
    gnd_params_draw(&theta, 3);
    for (int64_t i = 0; i < g->n_node; i++)
        for (int64_t c = 0; c < R; c++) {
            double sum = 0;
            int64_t count = 0;

            for (int64_t e = g->feat.ptr[i]; e < g->feat.ptr[i + 1]; e++, count++)
                sum += (double)theta.v[g->feat.col[e] * R + c];
            CHECK_CLOSE(gnd_hop_features_get(h, 0)[i * R + c], count ? sum / (double)count : 0,
                        1e-6);
        }
    gnd_params_fini(&theta);
    gnd_hop_features_free(h);
    gnd_graph_free(g);
}

static int stop(int64_t done, int64_t total, void *user)
{
    (void)user;
    assert_int_equal(total, 19);
    return done >= 0;
}

static void refused(void **state)
{
    static const int32_t falling[] = {1, 0}, equal[] = {2, 2}, below[] = {-1, 3}, last[] = {19};
    gnd_graph *g = open_karate(GND_GRAPH_UND);
    gnd_hop_features_opts o = {.size = sizeof o};
    gnd_hop_features *h;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_hop_features_new(&h, g, NULL, &err), GND_ERR_ARG, "expected a list");
    o.hops = falling;
    o.n_hop = 2;
    CHECK_FAILS(gnd_hop_features_new(&h, g, &o, &err), GND_ERR_ARG, "0 of the random walk");
    o.hops = equal;
    CHECK_FAILS(gnd_hop_features_new(&h, g, &o, &err), GND_ERR_ARG, "ascending");
    o.hops = below;
    CHECK_FAILS(gnd_hop_features_new(&h, g, &o, &err), GND_ERR_ARG, "at least 0");
    o.hops = last;
    o.n_hop = 1;
    o.filters = -2;
    CHECK_FAILS(gnd_hop_features_new(&h, g, &o, &err), GND_ERR_ARG, "-2 filters");
    o.filters = 0;
    o.on_product = stop;
    CHECK_FAILS(gnd_hop_features_new(&h, g, &o, &err), GND_ERR_STOPPED, "stopped");
    assert_null(h);
    o.on_product = NULL;
    CHECK_OK(gnd_hop_features_new(&h, g, &o, &err));
    assert_int_equal(gnd_hop_features_filters(h), 16);
    assert_int_equal(gnd_hop_features_n_node(h), 34);
    assert_int_equal(gnd_hop_features_n(h), 1);
    assert_int_equal(gnd_hop_features_hop(h, 1), -1);
    assert_int_equal(gnd_hop_features_hop(h, -1), -1);
    assert_null(gnd_hop_features_get(h, 1));
    assert_null(gnd_hop_features_get(h, -1));
    gnd_hop_features_free(h);
    gnd_hop_features_free(NULL);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_definition),
        cmocka_unit_test(limit),
        cmocka_unit_test(projected),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
