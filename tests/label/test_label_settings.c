/* SPDX-License-Identifier: MIT
 * test_label_settings.c - settings of method auto: what they choose, and which are refused. */
#include "planted.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static double accuracy_with(const gnd_graph *g, const char *name, const char *value)
{
    gnd_split *s = planted_split(g, 2, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_result res = {.size = sizeof res};
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, name, value, &err));
    CHECK_OK(gnd_label(&p, NULL, &res, g, s, c, &serial, &err));
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    return res.acc_test;
}

/* Numeric features instead of words, uninformative links: by rank they separate classes; by value,
 * the one with the largest unit, which has no class, decides. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numeric_features_by_rank),
        cmocka_unit_test(a_walk_without_end_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
