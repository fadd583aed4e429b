/* SPDX-License-Identifier: MIT
 * test_train_nomem.c - trainings with every allocation failing in turn, and none at all after the
 * first epoch. */
#include "fixture.h"
#include "io/temp.h"
#include "mallocfail.h"
#include "model/model.h"

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

static gnd_config *config(const char *method, const char *epochs)
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, method, &err));
    if (c->method->recipe) /* else it is solved at once */
        CHECK_OK(gnd_config_set(c, "epochs", epochs, &err));
    return c;
}

/* Serial: the counter is not for threads. */
static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static gnd_split *cut(const gnd_graph *g, int64_t n_val)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = 3, .n_val = n_val, .seed = 1};
    gnd_split *s = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    return s;
}

static void every_allocation_fails(void **state)
{
    gnd_graph *g = fixture_two_rings(14, 2);
    gnd_split *s = cut(g, 6);
    gnd_method_info method = {.size = sizeof method};
    gnd_error err = {0};

    (void)state;
    for (int i = 0; gnd_method_get(&method, i); i++) {
        /* nothing is allocated later, see below */
        gnd_config *c = config(method.name, "2");
        gnd_model *m = NULL;
        gnd_result res = {.size = sizeof res};

        NOMEM_WALK(gnd_train(&m, &res, g, s, c, &serial, &err), assert_null(m));
        if (gnd_config_has_hop_weights(c)) {
            gnd_hop_weights *w = NULL;

            NOMEM_WALK(gnd_model_hop_weights(&w, m, g, &serial, &err), assert_null(w));
            gnd_hop_weights_free(w);
        }
        if (gnd_config_has_hop_attention(c)) {
            gnd_hop_weights *w = NULL;

            NOMEM_WALK(gnd_model_hop_attention(&w, m, g, &serial, &err), assert_null(w));
            NOMEM_WALK(gnd_hop_attention_save(w, g, temp_path("a.npz"), &err), (void)0);
            gnd_hop_weights_free(w);
        }
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void none_after_the_first_epoch(void **state)
{
    gnd_graph *g = fixture_two_rings(400, 2);
    gnd_split *s = cut(g, 100);
    gnd_method_info method = {.size = sizeof method};
    gnd_error err = {0};

    (void)state;
    for (int i = 0; gnd_method_get(&method, i); i++) {
        gnd_config *c = config(method.name, "6");
        counts k = {0};
        gnd_train_opts counted = serial;
        gnd_model *m = NULL;

        counted.on_epoch = count;
        counted.user = &k;
        mallocfail_allow(-1);
        CHECK_OK(gnd_train(&m, NULL, g, s, c, &counted, &err));
        assert_true(!c->method->recipe || k.after_first > 0);
        if (k.at_end != k.after_first)
            fail_msg("%s: %lld allocations after the first epoch", method.name,
                     (long long)(k.at_end - k.after_first));
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails),
                                       cmocka_unit_test(none_after_the_first_epoch)};

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
