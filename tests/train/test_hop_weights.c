/* SPDX-License-Identifier: MIT
 * test_hop_weights.c - the hop weights of trained models, and the file they are written to. */
#include "fixture.h"
#include "io/temp.h"
#include "model/model.h"

enum { HOPS = 4 };

static gnd_model *train(const gnd_graph *g, const char *method, const char *name, const char *value)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = 2, .seed = 3};
    gnd_error err = {0};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    CHECK_OK(gnd_config_new(&c, method, &err));
    CHECK_OK(gnd_config_set(c, name, value, &err));
    if (gnd_config_has_hop_weights(c))
        CHECK_OK(gnd_config_set(c, "hops", "4", &err));
    CHECK_OK(gnd_config_set(c, "epochs_alone", "20", &err));
    CHECK_OK(gnd_train(&m, NULL, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

/* Fixed weights are those of personalised PageRank, for every vertex. */
static void fixed_weights(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_model *m = train(g, "gnd-slp", "alpha", "ppr");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};

    (void)state;
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
        gnd_model *m = train(g, learned[i].method, "lr", "0.01");
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

static void refused(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1), *other = fixture_two_rings(8, 2), *std = NULL;
    gnd_model *gcn = train(g, "gcn", "lr", "0.01"), *slp = train(g, "gnd-slp", "lr", "0.01");
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
    gnd_model *m = train(g, "gnd-slp", "alpha", "uniform");
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
        cmocka_unit_test(fixed_weights),
        cmocka_unit_test(learned_weights),
        cmocka_unit_test(refused),
        cmocka_unit_test(saved),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
