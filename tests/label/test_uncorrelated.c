/* SPDX-License-Identifier: MIT
 * test_uncorrelated.c - method auto where links do not join vertices whose features are alike:
 * labels come from whichever says something, and the user is told. */
#include "planted.h"

static gnd_prediction *label_with(const gnd_graph *g, const gnd_split *s, const char *heterophily,
                                  gnd_result *res)
{
    const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, "heterophily", heterophily, &err));
    CHECK_OK(gnd_label(&p, NULL, res, g, s, c, &serial, &err));
    gnd_config_free(c);
    return p;
}

static gnd_prediction *label(const gnd_graph *g, const gnd_split *s, gnd_result *res)
{
    return label_with(g, s, "on", res);
}

static void who_says_something_is_heard(void **state)
{
    static const struct {
        plan p;
        int32_t per_class;
        double least; /* accuracy on the others */
    } t[] = {
        /* words are noise, links say all */
        {{.n = 600, .n_class = 5, .inside = 6, .across = 1, .words = 8}, 1, 0.95},
        {{.n = 600, .n_class = 5, .inside = 6, .across = 1, .words = 8}, 3, 0.95},
        /* so few that halves of them fall to pieces */
        {{.n = 2400, .n_class = 3, .inside = 2, .across = 1, .words = 8}, 1, 0.7},
        /* links are noise, words say all */
        {{.n = 600, .n_class = 3, .across = 5, .words = 12, .lean = 0.8}, 1, 0.9},
        {{.n = 600, .n_class = 3, .across = 5, .words = 12, .lean = 0.8}, 3, 0.9},
        /* links that cannot tell a class from the one after the next, words that can */
        {{.n = 600, .n_class = 4, .inside = 5, .across = 1, .shift = 1, .words = 8, .lean = 0.5},
         1,
         0.9},
        /* links join a class to the other: with words, with words that are noise, without */
        {{.n = 600, .n_class = 2, .inside = 5, .shift = 1, .words = 8, .lean = 0.5}, 2, 0.95},
        {{.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1, .words = 8}, 2, 0.95},
        {{.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1}, 1, 0.95},
        {{.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1}, 3, 0.95},
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++) {
        gnd_graph *g = planted_graph(t[k].p);
        gnd_split *s = planted_split(g, t[k].per_class, 1);
        gnd_result res;

        gnd_prediction_free(label(g, s, &res));
        if (!(res.acc_test >= t[k].least))
            fail_msg("graph %d: accuracy %g", (int)k, res.acc_test);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

/* Links that say all, beside words that are noise: what the fits for strangers are for. */
static void without_them_links_are_lost(void **state)
{
    gnd_graph *g =
        planted_graph((plan){.n = 600, .n_class = 5, .inside = 6, .across = 1, .words = 8});
    gnd_split *s = planted_split(g, 1, 1);
    gnd_result on, off;

    (void)state;
    gnd_prediction_free(label_with(g, s, "on", &on));
    gnd_prediction_free(label_with(g, s, "off", &off));
    assert_true(on.acc_test > off.acc_test + 0.1);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Where features and links have nothing to do with each other, neither mends the other. */
static void uncorrelated_graphs_are_not_refined(void **state)
{
    gnd_graph *g =
        planted_graph((plan){.n = 600, .n_class = 5, .inside = 6, .across = 1, .words = 8});
    gnd_split *s = planted_split(g, 3, 1);
    gnd_prediction *p[2] = {NULL, NULL};
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};
        gnd_config *c = planted_config("auto");

        CHECK_OK(gnd_config_set(c, "refine", k ? "on" : "off", &err));
        CHECK_OK(gnd_config_set(c, "heterophily", "off", &err));
        CHECK_OK(gnd_label(&p[k], NULL, NULL, g, s, c, &serial, &err));
        gnd_config_free(c);
    }
    assert_memory_equal(gnd_prediction_prob(p[0], 0), gnd_prediction_prob(p[1], 0),
                        (size_t)(g->n_node * g->n_class) * sizeof(float));
    gnd_prediction_free(p[0]);
    gnd_prediction_free(p[1]);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* What it says of a graph, and what not. */
static void check_says(plan made, int32_t per_class, const char *yes, const char *no)
{
    gnd_graph *g = planted_graph(made);
    gnd_split *s = planted_split(g, per_class, 1);
    gnd_prediction *p = label(g, s, NULL);
    int64_t times = 0;

    for (int64_t i = 0; i < gnd_prediction_n_note(p); i++)
        times += strstr(gnd_prediction_note(p, i)->text, yes) != NULL;
    assert_int_equal(times, 1);
    assert_false(planted_says(p, no));
    assert_false(planted_says(p, "of the vertices have the class of the labels nearest"));
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Links drawn at random beside words that tell; words drawn at random beside links that tell; and
 * both tell, but links join unlike vertices. */
static void the_user_is_told(void **state)
{
    const plan words = {.n = 300, .n_class = 3, .across = 4, .words = 8, .lean = 0.9};
    const plan links = {.n = 600, .n_class = 3, .inside = 6, .across = 1, .words = 8};
    const plan both = {
        .n = 600, .n_class = 2, .inside = 6, .across = 1, .shift = 1, .words = 20, .lean = 0.6};

    (void)state;
    check_says(words, 5, "so features count more than links", "so links count more");
    check_says(links, 2, "so links count more than features", "no more often than chance");
    check_says(both, 1, "features and links show different groups of vertices",
               "so links count more");
}

/* Where both tell, in a small graph that cannot be sure of it, neither is blamed. */
static void a_small_graph_is_not_blamed(void **state)
{
    const plan small = {.n = 40, .n_class = 2, .inside = 4, .across = 1, .words = 16, .lean = 0.8};

    (void)state;
    for (int32_t q = 1; q <= 3; q++) {
        gnd_graph *g = planted_graph(small);
        gnd_split *s = planted_split(g, q, 1);
        gnd_result res;
        gnd_prediction *p = label(g, s, &res);

        assert_false(planted_says(p, "so links count more"));
        assert_false(planted_says(p, "so features count more"));
        assert_true(res.acc_test >= 0.9);
        gnd_prediction_free(p);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_says_something_is_heard),
        cmocka_unit_test(without_them_links_are_lost),
        cmocka_unit_test(uncorrelated_graphs_are_not_refined),
        cmocka_unit_test(the_user_is_told),
        cmocka_unit_test(a_small_graph_is_not_blamed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
