/* SPDX-License-Identifier: MIT
 * Every method of the registry learns: the labels it was given, and more than they say. */
#include "check.h"

/* These see features alone, of which the club has none. */
static bool sees_links(const char *method)
{
    return strcmp(method, "lr") != 0 && strcmp(method, "mlp") != 0;
}

static void test_karate(void **state)
{
    const gnd_load_opts where = {.size = sizeof where, .data_dir = GND_SOURCE_DIR "/data"};
    const gnd_split_opts few = {.size = sizeof few, .per_class = 2, .n_val = 0, .seed = 6};
    gnd_method_info method;
    gnd_graph *g = NULL;
    gnd_split *s = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_load(&g, "karate", &where, &err));
    CHECK_OK(gnd_split_new(&s, g, &few, &err));
    assert_int_equal(gnd_split_n_train(s), 2 * gnd_graph_n_class(g));
    assert_int_equal(gnd_split_n_val(s), 0);
    for (int i = 0; gnd_method_get(&method, i); i++) {
        gnd_config *c = NULL;
        gnd_model *m = NULL;
        gnd_result res = {0};
        const gnd_train_opts o = {.size = sizeof o, .seed = 1, .threads = 1};

        CHECK_OK(gnd_config_new(&c, method.name, &err));
        CHECK_OK(gnd_train(&m, &res, g, s, c, &o, &err));
        if (res.acc_train < 1)
            fail_msg("%s: train accuracy %g", method.name, res.acc_train);
        if (sees_links(method.name) && !(res.acc_test > 1.0 / gnd_graph_n_class(g)))
            fail_msg("%s: test accuracy %g is no better than chance", method.name, res.acc_test);
        assert_true(isnan(res.acc_val) && isnan(res.loss_val));
        if (res.epochs > 0) /* else it is solved at once */
            assert_int_equal(res.best_epoch, res.epochs - 1);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_karate)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
