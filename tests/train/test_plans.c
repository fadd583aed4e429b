/* SPDX-License-Identifier: MIT
 * test_plans.c - a training by each plan ends alike; each plan gives the same bits on any number of
 * threads; the plan is told and recorded. */
#include <stdlib.h>

#include "random_graph.h"

#include "graph/split.h"
#include "train/train.h"

enum { N_NODE = 900, N_FEAT = 60, N_CLASS = 3, MAX_TOLD = 16 };

static const char *const plans[] = {NULL, "whole", "powers", "stored", "features"};

static gnd_graph *g;
static gnd_split *split;

static int setup(void **state)
{
    const gnd_split_opts few = {
        .size = sizeof few, .per_class = 4, .n_val = 60, .seed = 1, .score_unlabelled = true};
    gnd_error err = {0};

    (void)state;
    setenv("GND_PARALLEL_MIN", "1", 1); /* threads share even small work */
    g = random_graph(N_NODE, N_FEAT, N_CLASS);
    return gnd_split_new(&split, g, &few, &err) == GND_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    gnd_split_free(split);
    gnd_graph_free(g);
    return 0;
}

static gnd_model *fit_set(gnd_result *res, gnd_train_opts o, const char *name, const char *value)
{
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    o.size = sizeof o;
    o.seed = 5;
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(c, "epochs", "40", &err));
    CHECK_OK(gnd_config_set(c, "stop", "none", &err));
    CHECK_OK(gnd_config_set(c, name, value, &err));
    CHECK_OK(gnd_train(&m, res, g, split, c, &o, &err));
    gnd_config_free(c);
    return m;
}

static gnd_model *fit(gnd_result *res, gnd_train_opts o)
{
    return fit_set(res, o, "batch", "0");
}

static void same_end(void **state)
{
    gnd_result first = {.size = sizeof first};

    (void)state;
    for (int64_t k = 0; k < LENGTH(plans); k++) {
        gnd_result r = {.size = sizeof r};

        gnd_model_free(fit(&r, (gnd_train_opts){.threads = 1, .plan = plans[k]}));
        if (k == 0)
            first = r;
        CHECK_CLOSE(r.loss_val, first.loss_val, 1e-4);
        CHECK_CLOSE(r.acc_train, first.acc_train, 0);
        CHECK_CLOSE(r.acc_val, first.acc_val, 0.02);
        CHECK_CLOSE(r.acc_test, first.acc_test, 0.005);
    }
}

static void same_bits(void **state)
{
    (void)state;
    for (int64_t k = 0; k < LENGTH(plans); k++) {
        gnd_model *one = fit(NULL, (gnd_train_opts){.threads = 1, .plan = plans[k]});

        for (int threads = 2; threads <= 3; threads++) {
            gnd_model *m = fit(NULL, (gnd_train_opts){.threads = threads, .plan = plans[k]});

            assert_memory_equal(m->params.v, one->params.v,
                                (size_t)one->params.size * sizeof *one->params.v);
            gnd_model_free(m);
        }
        gnd_model_free(one);
    }
}

typedef struct {
    gnd_plan_info plan[MAX_TOLD];
    int n;
} told;

static void on_plan(const gnd_plan_info *p, void *user)
{
    told *t = user;

    assert_true(t->n < MAX_TOLD);
    t->plan[t->n++] = *p;
}

static void told_and_recorded(void **state)
{
    told t = {0};
    gnd_result r = {.size = sizeof r};

    (void)state;
    gnd_model_free(fit(&r, (gnd_train_opts){.plan = "powers", .on_plan = on_plan, .user = &t}));
    assert_string_equal(r.plan, "powers, powers");
    assert_int_equal(t.n, 8); /* two kinds of pass, four ways */
    for (int i = 0; i < t.n; i++) {
        assert_string_equal(t.plan[i].pass, i < 4 ? "training" : "validation");
        assert_int_equal(t.plan[i].chosen, strcmp(t.plan[i].plan, "powers") == 0);
        assert_int_equal(t.plan[i].n_row, i < 4 ? split->n_train : split->n_val);
        assert_true(!t.plan[i].possible || (t.plan[i].ms > 0 && t.plan[i].bytes > 0));
    }
    gnd_model_free(fit(&r, (gnd_train_opts){.plan = "features"}));
    assert_non_null(strstr(r.plan, ", features"));
    gnd_model_free(fit(&r, (gnd_train_opts){.memory = -1}));
    assert_string_equal(r.plan, "powers, powers");
}

/* Batches are of other rows in every pass: nothing is stored for them, and all go the same way. */
static void batches(void **state)
{
    gnd_result r = {.size = sizeof r}, whole = {.size = sizeof whole};

    (void)state;
    gnd_model_free(fit_set(&whole, (gnd_train_opts){.plan = "whole"}, "batch", "5"));
    assert_string_equal(whole.plan, "whole, whole");
    gnd_model_free(fit_set(&r, (gnd_train_opts){.plan = "powers"}, "batch", "5"));
    assert_string_equal(r.plan, "powers, powers");
    assert_true(r.loss_train != whole.loss_train); /* sums in another order */
    CHECK_CLOSE(r.loss_train, whole.loss_train, 1e-4);
    gnd_model_free(fit_set(&r, (gnd_train_opts){.plan = "stored"}, "batch", "5"));
    assert_null(strstr(r.plan, "stored, "));
    assert_non_null(strstr(r.plan, ", stored"));
    CHECK_CLOSE(r.loss_train, whole.loss_train, 1e-4);
}

/* The validation loss of sgc, which depends on whether S^2 X was made once: (S^2 X) W and
 * S (S (X W)) differ in the last bits. */
static double sgc_loss(int64_t memory, const char *smooth)
{
    const gnd_train_opts o = {.size = sizeof o, .seed = 5, .threads = 1, .memory = memory};
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_result r = {.size = sizeof r};
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, "sgc", &err));
    CHECK_OK(gnd_config_set(c, "smooth", smooth, &err));
    CHECK_OK(gnd_train(&m, &r, g, split, c, &o, &err));
    gnd_model_free(m);
    gnd_config_free(c);
    return r.loss_val;
}

/* A budget of nothing holds for what is prepared before the rows are known, too. */
static void memory_binds_powers(void **state)
{
    const double once = sgc_loss(0, "once"), each_pass = sgc_loss(0, "each_pass"),
                 least = sgc_loss(-1, "once");

    (void)state;
    assert_true(once != each_pass); /* the case can tell */
    CHECK_CLOSE(once, each_pass, 1e-4);
    assert_memory_equal(&least, &each_pass, sizeof least);
}

static void no_such_plan(void **state)
{
    const gnd_train_opts o = {.size = sizeof o, .plan = "best"};
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    assert_int_equal(gnd_train(&m, NULL, g, split, c, &o, &err), GND_ERR_ARG);
    assert_null(m);
    assert_non_null(strstr(err.msg, "best"));
    gnd_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_end),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(told_and_recorded),
        cmocka_unit_test(batches),
        cmocka_unit_test(memory_binds_powers),
        cmocka_unit_test(no_such_plan),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
