/* SPDX-License-Identifier: MIT
 * test_label_confidence.c - confidence of method auto: resampled labels show whether the labels at
 * hand can be trusted. */
#include "planted.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

typedef struct {
    double right, sure; /* means over vertices without a label */
    int32_t *says;      /* [n] */
} outcome;

/* predictors: NULL: the default. */
static outcome outcome_of(const gnd_graph *g, const gnd_split *s, const char *predictors)
{
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err = {0};
    outcome o = {.says = calloc((size_t)g->n_node, sizeof *o.says)};
    const double n = (double)(g->n_node - gnd_split_n_train(s));

    assert_non_null(o.says);
    if (predictors)
        CHECK_OK(gnd_config_set(c, "predictors", predictors, &err));
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

/* One label per class is enough where any other would give the same classes: also with two classes,
 * of which one in two is right by chance. */
static void clear_classes_are_confident(void **state)
{
    for (int32_t C = 2; C <= 5; C++) {
        gnd_graph *g = planted_graph(
            (plan){.n = 600, .n_class = C, .inside = 8, .across = 1, .words = 8, .lean = 0.8});

        for (int32_t q = 1; q <= 3; q += 2) {
            gnd_split *s = planted_split(g, q, 1);
            outcome o = outcome_of(g, s, NULL);

            assert_true(o.right > 0.97);
            assert_true(o.sure > (q > 1 ? 0.8 : 0.75)); /* one label: by stability alone */
            free(o.says);
            gnd_split_free(s);
        }
        gnd_graph_free(g);
    }
    (void)state;
}

/* No information: no more confident than chance allows. */
static void noise_is_not_sure(void **state)
{
    gnd_graph *g =
        planted_graph((plan){.n = 600, .n_class = 3, .inside = 0, .across = 6, .words = 8});

    for (int32_t q = 1; q <= 3; q += 2) {
        gnd_split *s = planted_split(g, q, 1);
        outcome o = outcome_of(g, s, NULL);

        assert_true(o.right < 0.45);
        assert_true(o.sure < 0.65);
        free(o.says);
        gnd_split_free(s);
    }
    gnd_graph_free(g);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_classes_are_confident),
        cmocka_unit_test(noise_is_not_sure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
