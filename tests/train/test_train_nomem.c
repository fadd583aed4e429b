/* SPDX-License-Identifier: MIT
 * test_train_nomem.c - trainings with every allocation failing in turn, and none at all after the
 * first epoch. */
#include "fixture.h"
#include "mallocfail.h"

typedef struct {
    int64_t after_first, at_end;
} counts;

static int count(const gnd_epoch *e, void *user)
{
    counts *k = user;

    if (e->epoch == 0)
        k->after_first = mallocfail_count();
    k->at_end = mallocfail_count();
    return 0;
}

/* *epochs: false for a method that is solved at once. */
static gnd_config *config(const char *method, bool *epochs)
{
    gnd_setting_info info;
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, method, &err));
    *epochs = false;
    for (int i = 0; gnd_config_info(&info, c, i); i++)
        *epochs = *epochs || strcmp(info.name, "epochs") == 0;
    if (*epochs)
        CHECK_OK(gnd_config_set(c, "epochs", "6", &err));
    return c;
}

/* Serial: the counter is not for threads. */
static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static void every_method(void **state)
{
    gnd_graph *g = fixture_two_rings(400, 2), *small = fixture_two_rings(20, 2);
    const gnd_split_opts o = {.size = sizeof o, .per_class = 3, .n_val = 100, .seed = 1};
    const gnd_split_opts few = {.size = sizeof few, .per_class = 3, .n_val = 9, .seed = 1};
    gnd_method_info method;
    gnd_split *s = NULL, *cut = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    CHECK_OK(gnd_split_new(&cut, small, &few, &err));
    for (int i = 0; gnd_method_get(&method, i); i++) {
        bool epochs;
        gnd_config *c = config(method.name, &epochs);
        gnd_train_opts counted = serial;
        gnd_model *m = NULL;
        gnd_result res;
        counts k = {0};

        NOMEM_WALK(gnd_train(&m, &res, small, cut, c, &serial, &err), assert_null(m));
        gnd_model_free(m);
        counted.on_epoch = count;
        counted.user = &k;
        mallocfail_allow(-1);
        CHECK_OK(gnd_train(&m, NULL, g, s, c, &counted, &err));
        assert_int_equal(k.after_first > 0, epochs);
        if (k.at_end != k.after_first)
            fail_msg("%s: %lld allocations after the first epoch", method.name,
                     (long long)(k.at_end - k.after_first));
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_split_free(cut);
    gnd_split_free(s);
    gnd_graph_free(small);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
