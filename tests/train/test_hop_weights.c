/* SPDX-License-Identifier: MIT
 * test_hop_weights.c - the hop weights of trained models, and the file they are written to. */
#include "fixture.h"
#include "io/temp.h"
#include "model/model.h"

enum { HOPS = 4 };

/* settings: "name=value name=value" */
static gnd_model *train(const gnd_graph *g, const char *method, const char *settings)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = 2, .seed = 3};
    gnd_error err = {0};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    char name[32], value[32];
    int used;

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    CHECK_OK(gnd_config_new(&c, method, &err));
    for (; sscanf(settings, " %31[^=]=%31s%n", name, value, &used) == 2; settings += used)
        CHECK_OK(gnd_config_set(c, name, value, &err));
    if (gnd_config_has_hop_weights(c))
        CHECK_OK(gnd_config_set(c, "hops", "4", &err));
    CHECK_OK(gnd_config_set(c, "epochs_alone", "20", &err));
    CHECK_OK(gnd_train(&m, NULL, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

/* Fixed weights are those of personalised PageRank, for every vertex. Learned ones that start there
 * stay there if their step size is 0. */
static void fixed_weights(void **state)
{
    static const char *const fixed[] = {"alpha=ppr", "alpha_start=ppr alpha_lr=0"};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};

    (void)state;
    for (size_t s = 0; s < LENGTH(fixed); s++) {
        gnd_model *m = train(g, "gnd-slp", fixed[s]);
        gnd_hop_weights *w = NULL;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        assert_int_equal(gnd_hop_weights_n(w), 17);
        assert_int_equal(gnd_hop_weights_n_hop(w), HOPS);
        assert_int_equal(gnd_hop_weights_first(w), 1);
        assert_true(gnd_hop_weights_shared(w));
        for (int64_t i = 0; i < 17; i++)
            for (int k = 0; k < HOPS; k++)
                CHECK_CLOSE(gnd_hop_weights_get(w, i)[k], 0.1 * pow(0.9, k + 1), 1e-7);
        assert_null(gnd_hop_weights_get(w, 17));
        assert_null(gnd_hop_weights_get(w, -1));
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

/* The distance of learned weights from their initial values grows with their step size. */
static void step_size_of_weights(void **state)
{
    static const char *const settings[] = {"alpha_start=uniform alpha_lr=0.01",
                                           "alpha_start=uniform alpha_lr=0.1",
                                           "alpha_start=uniform"};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};
    double moved = 0;

    (void)state;
    for (size_t s = 0; s < LENGTH(settings); s++) {
        gnd_model *m = train(g, "gnd-slp", settings[s]);
        gnd_hop_weights *w = NULL;
        double sum = 0;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        for (int k = 0; k < HOPS; k++)
            sum += fabs((double)gnd_hop_weights_get(w, 0)[k] - 0.25);
        assert_true(sum > 3 * moved);
        moved = sum;
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    assert_true(moved > 0.01);
    gnd_graph_free(g);
}

/* Learned weights are the parameter of the model. */
static void learned_weights(void **state)
{
    static const struct {
        const char *method, *param;
        int64_t n, first;
    } learned[] = {{"gnd-slp", "alpha", HOPS, 1}, {"gprgnn", "gam", HOPS + 1, 0}};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};

    (void)state;
    for (size_t i = 0; i < LENGTH(learned); i++) {
        gnd_model *m = train(g, learned[i].method, "lr=0.01");
        const gnd_param *p = &m->params.p[gnd_params_find(&m->params, learned[i].param)];
        gnd_hop_weights *w = NULL;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        assert_int_equal(gnd_hop_weights_n_hop(w), learned[i].n);
        assert_int_equal(gnd_hop_weights_first(w), learned[i].first);
        for (int64_t k = 0; k < learned[i].n; k++)
            CHECK_CLOSE(gnd_hop_weights_get(w, 3)[k], m->params.v[p->at + k], 0);
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

/* Attention weights are of each vertex, positive and of sum 1. */
static void weights_of_vertices(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_model *m = train(g, "gnd-attn", "lr=0.01");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};
    bool differ = false;

    (void)state;
    CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
    assert_int_equal(gnd_hop_weights_n(w), 17);
    assert_int_equal(gnd_hop_weights_n_hop(w), HOPS);
    assert_int_equal(gnd_hop_weights_first(w), 1);
    assert_false(gnd_hop_weights_shared(w));
    for (int64_t i = 0; i < 17; i++) {
        const float *a = gnd_hop_weights_get(w, i);

        CHECK_CLOSE(a[0] + a[1] + a[2] + a[3], 1, 1e-6);
        for (int k = 0; k < HOPS; k++)
            assert_true(a[k] > 0);
        differ |= a[0] != gnd_hop_weights_get(w, 0)[0];
    }
    assert_true(differ);
    gnd_hop_weights_free(w);
    gnd_model_free(m);
    gnd_graph_free(g);
}

static void refused(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1), *other = fixture_two_rings(8, 2), *std = NULL;
    gnd_model *gcn = train(g, "gcn", "lr=0.01"), *slp = train(g, "gnd-slp", "lr=0.01");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_FAILS(gnd_model_hop_weights(&w, gcn, g, NULL, &err), GND_ERR_ARG, "gcn does not weigh");
    assert_null(w);
    CHECK_OK(gnd_graph_convert(&std, g, GND_GRAPH_STD, &err));
    CHECK_FAILS(gnd_model_hop_weights(&w, slp, std, NULL, &err), GND_ERR_ARG, "mode raw");
    assert_null(w);
    CHECK_OK(gnd_model_hop_weights(&w, slp, g, NULL, &err));
    CHECK_FAILS(gnd_hop_weights_save(w, other, temp_path("w.csv"), &err), GND_ERR_SHAPE,
                "17 vertices");
    CHECK_FAILS(gnd_hop_weights_save(w, g, NULL, &err), GND_ERR_ARG, "is NULL");
    gnd_hop_weights_free(w);
    gnd_model_free(slp);
    gnd_model_free(gcn);
    gnd_graph_free(std);
    gnd_graph_free(other);
    gnd_graph_free(g);
}

static void saved(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_model *m = train(g, "gnd-slp", "alpha=uniform");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};
    char line[128];
    FILE *f;

    (void)state;
    CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
    CHECK_OK(gnd_hop_weights_save(w, g, temp_path("w.csv"), &err));
    f = fopen(temp_path("w.csv"), "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "id,hop_1,hop_2,hop_3,hop_4\n");
    for (int i = 0; i < 17; i++) {
        char expected[128];

        snprintf(expected, sizeof expected, "%d,0.25,0.25,0.25,0.25\n", i);
        assert_non_null(fgets(line, sizeof line, f));
        assert_string_equal(line, expected);
    }
    assert_null(fgets(line, sizeof line, f));
    fclose(f);
    gnd_hop_weights_free(w);
    gnd_model_free(m);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_weights),   cmocka_unit_test(step_size_of_weights),
        cmocka_unit_test(learned_weights), cmocka_unit_test(weights_of_vertices),
        cmocka_unit_test(refused),         cmocka_unit_test(saved),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
