/* SPDX-License-Identifier: MIT
 * test_train_label_nomem.c - labelling and suggesting with every allocation failing in turn. */
#include "mallocfail.h"
#include "planted.h"

/* Serial: the counter is not for threads. */
static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static gnd_graph *small(int64_t words, int64_t lone)
{
    return planted_graph((plan){.n = 36,
                                .n_class = 3,
                                .inside = 3,
                                .across = 1,
                                .words = words,
                                .lean = 0.7,
                                .lone = lone});
}

/* A label that is wrong and a class without one: notes are made, too. */
static void label(void **state)
{
    (void)state;
    for (int64_t words = 0; words <= 4; words += 4)
        for (int32_t per_class = 1; per_class <= 3; per_class += 2) {
            gnd_graph *g = small(words, 2);
            gnd_split *s = planted_split(g, per_class, 1);
            gnd_config *c = planted_config("auto");
            gnd_prediction *p = NULL;
            gnd_model *m = NULL;
            gnd_result res = {.size = sizeof res};
            int32_t number;
            gnd_error err = {0};

            CHECK_OK(gnd_graph_class_of(&number, g, "nobody", 6, &err));
            NOMEM_WALK(gnd_label(&p, &m, &res, g, s, c, &serial, &err),
                       (assert_null(p), assert_null(m)));
            assert_true(planted_notes(p, "class 'nobody' has no known label"));
            gnd_prediction_free(p);
            NOMEM_WALK(gnd_predict(&p, m, g, &serial, &err), assert_null(p));
            NOMEM_WALK(gnd_prediction_abstain_unchecked(p, 0.1, NULL, &err),
                       assert_true(gnd_prediction_label(p, 5) >= 0));
            gnd_prediction_free(p);
            CHECK_OK(gnd_predict(&p, m, g, &serial, &err));
            if (per_class > 1) /* else no label was held out */
                NOMEM_WALK(gnd_prediction_abstain(p, 0.2, NULL, &err),
                           assert_true(gnd_prediction_label(p, 5) >= 0));
            gnd_prediction_free(p);
            gnd_model_free(m);
            gnd_config_free(c);
            gnd_split_free(s);
            gnd_graph_free(g);
        }
}

static void suggest(void **state)
{
    const gnd_suggest_opts o = {.size = sizeof o, .n = 4, .threads = 1};

    (void)state;
    for (int64_t words = 0; words <= 4; words += 4)
        for (int64_t labelled = 0; labelled <= 6; labelled += 6) {
            gnd_graph *g = small(words, 0);
            gnd_suggestions *s = NULL;
            gnd_error err = {0};

            for (int64_t v = labelled; v < g->n_node; v++)
                g->label[v] = -1;
            planted_ids(g, g->n_node - 1);
            NOMEM_WALK(gnd_suggest(&s, g, &o, &err), assert_null(s));
            assert_int_equal(gnd_suggestions_n(s), 4);
            gnd_suggestions_free(s);
            gnd_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label),
        cmocka_unit_test(suggest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
