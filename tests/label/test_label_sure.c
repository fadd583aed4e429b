/* SPDX-License-Identifier: MIT
 * test_label_sure.c - how sure method auto is, and of what: labels drawn anew tell whether those at
 * hand can be believed. */
#include "planted.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

typedef struct {
    double right, sure; /* means over vertices without a label */
    int32_t *says;      /* [n] */
} outcome;

/* fallback: NULL: as it is, and neighbours are heard after all; else not. */
static outcome outcome_of(const gnd_graph *g, const gnd_split *s, const char *preset,
                          const char *fallback)
{
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err = {0};
    outcome o = {.says = calloc((size_t)g->n_node, sizeof *o.says)};
    const double n = (double)(g->n_node - gnd_split_n_train(s));

    assert_non_null(o.says);
    if (preset)
        CHECK_OK(gnd_config_preset(c, preset, &err));
    if (fallback)
        CHECK_OK(gnd_config_set(c, "fallback_weight", fallback, &err));
    if (fallback)
        CHECK_OK(gnd_config_set(c, "refine", "off", &err));
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err));
    for (int64_t v = 0; v < g->n_node; v++)
        o.says[v] = gnd_prediction_argmax(p, v);
    for (int64_t v = 0; v < g->n_node; v++) {
        o.right += (o.says[v] == g->label[v]) / n;
        o.sure += (double)gnd_prediction_prob(p, v)[o.says[v]] / n;
    }
    o.right -= (double)gnd_split_n_train(s) / n; /* known, and certain */
    o.sure -= (double)gnd_split_n_train(s) / n;
    gnd_prediction_free(p);
    gnd_config_free(c);
    return o;
}

/* One label a class is enough where any other would have told the same: also of two classes, of
 * which one in two is right by chance. */
static void clear_classes_are_sure(void **state)
{
    for (int32_t C = 2; C <= 5; C++) {
        gnd_graph *g = planted_graph(
            (plan){.n = 600, .n_class = C, .inside = 8, .across = 1, .words = 8, .lean = 0.8});

        for (int32_t q = 1; q <= 3; q += 2) {
            gnd_split *s = planted_split(g, q, 1);
            outcome o = outcome_of(g, s, NULL, NULL);

            assert_true(o.right > 0.97);
            assert_true(o.sure > 0.8);
            free(o.says);
            gnd_split_free(s);
        }
        gnd_graph_free(g);
    }
    (void)state;
}

/* Nothing to see: no surer than chance allows. */
static void noise_is_not_sure(void **state)
{
    gnd_graph *g =
        planted_graph((plan){.n = 600, .n_class = 3, .inside = 0, .across = 6, .words = 8});

    for (int32_t q = 1; q <= 3; q += 2) {
        gnd_split *s = planted_split(g, q, 1);
        outcome o = outcome_of(g, s, NULL, NULL);

        assert_true(o.right < 0.45);
        assert_true(o.sure < 0.65);
        free(o.says);
        gnd_split_free(s);
    }
    gnd_graph_free(g);
    (void)state;
}

/* Two dozen groups, of which each class has six: a label or two show some of them, and what grows
 * from those is not the class. Prototypes, which do not grow, are then heard. */
static void what_grows_in_vain_is_not_heard(void **state)
{
    enum { GROUPS = 24, CLASSES = 4 };
    gnd_graph *g = planted_graph(
        (plan){.n = 2400, .n_class = GROUPS, .inside = 6, .across = 3, .words = 8, .lean = 0.5});
    (void)state;

    g->n_class = CLASSES;
    for (int64_t v = 0; v < g->n_node; v++)
        g->label[v] %= CLASSES;
    for (uint32_t seed = 1; seed <= 8; seed++) {
        gnd_split *s = planted_split(g, 1, seed);
        outcome o = outcome_of(g, s, NULL, "0.4"), plain = outcome_of(g, s, "prototype", NULL);
        outcome bold = outcome_of(g, s, NULL, "0"), usual = outcome_of(g, s, NULL, NULL);
        int64_t same = 0, same_bold = 0, same_usual = 0;

        for (int64_t v = 0; v < g->n_node; v++) {
            same += o.says[v] == plain.says[v];
            same_bold += bold.says[v] == plain.says[v];
            same_usual += usual.says[v] == plain.says[v];
        }
        assert_true((double)same > 0.95 * (double)g->n_node);
        assert_true((double)same_bold < 0.9 * (double)g->n_node);
        assert_true((double)same_usual >
                    0.9 * (double)g->n_node); /* neighbours are heard, no more */
        assert_true(o.sure < 0.6);
        free(bold.says);
        free(usual.says);
        free(o.says);
        free(plain.says);
        gnd_split_free(s);
    }
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_classes_are_sure),
        cmocka_unit_test(noise_is_not_sure),
        cmocka_unit_test(what_grows_in_vain_is_not_heard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
