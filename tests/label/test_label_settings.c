/* SPDX-License-Identifier: MIT
 * test_label_settings.c - settings of method auto: what they choose, and which are refused. */
#include "planted.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

/* Does fits=shaped label as another of the fits does? */
static bool shaped_is(const char *other, plan made)
{
    gnd_graph *g = planted_graph(made);
    gnd_split *s = planted_split(g, 2, 1);
    const char *const fits[] = {"shaped", other};
    gnd_prediction *p[2] = {NULL, NULL};
    gnd_error err = {0};
    bool same;

    for (int k = 0; k < 2; k++) {
        gnd_config *c = planted_config("auto");

        CHECK_OK(gnd_config_set(c, "fits", fits[k], &err));
        CHECK_OK(gnd_label(&p[k], NULL, NULL, g, s, c, &serial, &err));
        gnd_config_free(c);
    }
    same = memcmp(gnd_prediction_prob(p[0], 0), gnd_prediction_prob(p[1], 0),
                  (size_t)(g->n_node * g->n_class) * sizeof(float)) == 0;
    gnd_prediction_free(p[0]);
    gnd_prediction_free(p[1]);
    gnd_split_free(s);
    gnd_graph_free(g);
    return same;
}

/* Small directions count more where few hold most, else less. */
static void shape_follows_the_directions(void **state)
{
    const plan few = {.n = 400, .n_class = 4, .inside = 20, .across = 2, .words = 6, .lean = 0.9};
    const plan many = {.n = 400, .n_class = 4, .inside = 2, .across = 1, .words = 6, .lean = 0.4};

    (void)state;
    assert_true(shaped_is("flat", few) && !shaped_is("steep", few));
    assert_true(shaped_is("steep", many) && !shaped_is("flat", many));
}

static double accuracy_with(const gnd_graph *g, const char *name, const char *value)
{
    gnd_split *s = planted_split(g, 2, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_result res;
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, name, value, &err));
    CHECK_OK(gnd_label(&p, NULL, &res, g, s, c, &serial, &err));
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    return res.acc_test;
}

/* Words that say little, most links between like vertices: neighbours mend what words spoilt. */
static void refining_by_neighbours_pays(void **state)
{
    gnd_graph *g = planted_graph(
        (plan){.n = 1800, .n_class = 6, .inside = 2, .across = 1, .words = 8, .lean = 0.3});
    (void)state;

    assert_true(accuracy_with(g, "refine", "on") > accuracy_with(g, "refine", "off") + 0.01);
    gnd_graph_free(g);
}

/* Citations, whose own words tell most of the classes found and more: without them nothing is won,
 * and with too much of them all is lost. */
static void refining_by_own_features_pays(void **state)
{
    gnd_graph *g = NULL;
    const gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SHARED_DIR "/data"};
    gnd_error err = {0};
    (void)state;

    NEEDS_SHARED(GND_SHARED_DIR "/data/planetoid/ind.citeseer.graph");
    CHECK_OK(gnd_load(&g, "citeseer", &o, &err));
    assert_true(accuracy_with(g, "refine", "on") > accuracy_with(g, "refine", "off") + 0.001);
    gnd_graph_free(g);
}

/* Amounts instead of words, links that say little: by rank they tell classes apart; as they are,
 * one that has the largest unit and no class is all there is to see. */
static void numeric_features_by_rank(void **state)
{
    enum { D = 6 };
    gnd_graph *g = planted_graph(
        (plan){.n = 600, .n_class = 3, .inside = 2, .across = 2, .words = 1, .lean = 0.5});
    gnd_csr x;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, 600, D, 600 * D, true, &err));
    for (int64_t i = 0; i < 600; i++)
        for (int64_t j = 0; j < D; j++) {
            const int64_t e = i * D + j;
            const double own = j > 0 && g->label[i] == j % 3 ? 1.5 : 0;

            x.ptr[i + 1] = e + 1;
            x.col[e] = (int32_t)j;
            x.val[e] = (gnd_real)((j ? 1 : 5000) * (planted_at(9, e) + own) + 20);
        }
    gnd_csr_fini(&g->feat);
    g->feat = x;
    g->n_feat = D;
    assert_true(accuracy_with(g, "numeric_by_rank", "on") > 0.95);
    assert_true(accuracy_with(g, "numeric_by_rank", "off") < 0.8);
    gnd_graph_free(g);
}

static void check_refused(const char *name, const char *value, const char *why)
{
    gnd_graph *g = planted_clear(60, 3);
    gnd_split *s = planted_split(g, 2, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, name, value, &err));
    CHECK_FAILS(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err), GND_ERR_ARG, why);
    assert_null(p);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void a_walk_without_end_is_refused(void **state)
{
    (void)state;
    check_refused("teleport", "0.001", "teleport is 0.001; expected 0 or 0.01 to 1");
}

static void no_fit_is_refused(void **state)
{
    (void)state;
    check_refused("fits", "none", "fits is none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_follows_the_directions),
        cmocka_unit_test(refining_by_neighbours_pays),
        cmocka_unit_test(refining_by_own_features_pays),
        cmocka_unit_test(numeric_features_by_rank),
        cmocka_unit_test(a_walk_without_end_is_refused),
        cmocka_unit_test(no_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
