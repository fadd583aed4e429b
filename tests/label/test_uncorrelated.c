/* SPDX-License-Identifier: MIT
 * test_uncorrelated.c - method auto where features and links are uncorrelated: whichever has signal
 * decides, and notes say so. */
#include "planted.h"

static gnd_prediction *label(const gnd_graph *g, const gnd_split *s, gnd_result *res)
{
    const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_label(&p, NULL, res, g, s, c, &serial, &err));
    gnd_config_free(c);
    return p;
}

static void what_tells_classes_has_weight(void **state)
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
        {{.n = 2400, .n_class = 3, .inside = 2, .across = 1, .words = 8}, 1, 0.6},
        /* links are noise, words say all */
        {{.n = 600, .n_class = 3, .across = 5, .words = 12, .lean = 0.8}, 1, 0.9},
        {{.n = 600, .n_class = 3, .across = 5, .words = 12, .lean = 0.8}, 3, 0.9},
        /* links that cannot separate a class from the one after the next, words that can */
        {{.n = 600, .n_class = 4, .inside = 5, .across = 1, .shift = 1, .words = 8, .lean = 0.5},
         1,
         0.75},
        /* links join a class to the other: with words, with words that are noise, without */
        {{.n = 600, .n_class = 2, .inside = 5, .shift = 1, .words = 8, .lean = 0.5}, 2, 0.95},
        {{.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1, .words = 8}, 2, 0.95},
        {{.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1}, 1, 0.85},
        {{.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1}, 3, 0.95},
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++) {
        gnd_graph *g = planted_graph(t[k].p);
        gnd_split *s = planted_split(g, t[k].per_class, 1);
        gnd_result res = {.size = sizeof res};

        gnd_prediction_free(label(g, s, &res));
        if (!(res.acc_test >= t[k].least))
            fail_msg("graph %d: accuracy %g", (int)k, res.acc_test);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

/* The notes on a graph: one with this text, none with that. */
static void check_notes(plan made, int32_t per_class, const char *yes, const char *no)
{
    gnd_graph *g = planted_graph(made);
    gnd_split *s = planted_split(g, per_class, 1);
    gnd_prediction *p = label(g, s, NULL);
    int64_t times = 0;

    for (int64_t i = 0; i < gnd_prediction_n_note(p); i++)
        times += strstr(gnd_prediction_note(p, i)->text, yes) != NULL;
    assert_int_equal(times, 1);
    assert_false(planted_notes(p, no));
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Links drawn at random beside words that tell; words drawn at random beside links that tell. */
static void notes_for_the_user(void **state)
{
    const plan words = {.n = 300, .n_class = 3, .across = 4, .words = 8, .lean = 0.9};
    const plan links = {.n = 600, .n_class = 3, .inside = 6, .across = 1, .words = 8};

    (void)state;
    check_notes(words, 5, "links say little about the classes, so features decide",
                "so links decide");
    check_notes(links, 5, "features say little about the classes, so links decide",
                "so features decide");
}

/* In a small graph nothing shows that features and links are correlated, though both tell: features
 * decide, and links are not said to. */
static void features_decide_in_a_small_graph(void **state)
{
    const plan small = {.n = 40, .n_class = 2, .inside = 4, .across = 1, .words = 16, .lean = 0.8};

    (void)state;
    for (int32_t q = 2; q <= 4; q++) {
        gnd_graph *g = planted_graph(small);
        gnd_split *s = planted_split(g, q, 1);
        gnd_result res = {.size = sizeof res};
        gnd_prediction *p = label(g, s, &res);

        assert_false(planted_notes(p, "so links decide"));
        assert_true(res.acc_test >= 0.9);
        gnd_prediction_free(p);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_tells_classes_has_weight),
        cmocka_unit_test(notes_for_the_user),
        cmocka_unit_test(features_decide_in_a_small_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
