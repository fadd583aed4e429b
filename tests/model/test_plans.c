/* SPDX-License-Identifier: MIT
 * test_plans.c - all plans agree, in float; and which one is chosen. */
#define PLAN_NEAR 5e-6
#include "plan_cases.h"

/* Sizes like those of Cora and Pubmed, 7 and 500 vertices. */
static const gnd_plan_sizes few = {.n_node = 2708,
                                   .nnz = 13264,
                                   .n_row = 7,
                                   .n_reach = 2500,
                                   .hops = 20,
                                   .first = 1,
                                   .width = 16,
                                   .n_feat = 1433,
                                   .nnz_feat = 49216,
                                   .back = true,
                                   .weighted = true,
                                   .epochs = 200},
                            many = {.n_node = 19717,
                                    .nnz = 108365,
                                    .n_row = 500,
                                    .n_reach = 19717,
                                    .hops = 20,
                                    .first = 1,
                                    .width = 16,
                                    .n_feat = 500,
                                    .nnz_feat = 988031,
                                    .weighted = true,
                                    .linear = true,
                                    .epochs = 200};

static gnd_plan_kind chosen(const gnd_plan_sizes *s, int64_t memory)
{
    gnd_plan p;

    gnd_plan_choose(&p, s, &(gnd_budget){.total = memory}, GND_PLANS);
    return p.kind;
}

static void cheapest_that_fits(void **state)
{
    gnd_plan_sizes s;
    gnd_plan p;

    (void)state;
    assert_int_equal(chosen(&few, 1 << 29), GND_PLAN_STORED);
    assert_int_equal(chosen(&few, 1 << 20), GND_PLAN_POWERS); /* stored rows take more */
    assert_int_equal(chosen(&few, 0), GND_PLAN_POWERS);
    assert_int_equal(chosen(&many, 1 << 29), GND_PLAN_FEATURES);
    assert_int_equal(chosen(&many, 1 << 22), GND_PLAN_POWERS);
    s = many;
    s.linear = false;
    assert_int_equal(chosen(&s, 1 << 29), GND_PLAN_POWERS);
    s = many;
    s.epochs = 1; /* what is made once is not worth it */
    assert_int_equal(chosen(&s, 1 << 29), GND_PLAN_POWERS);
    assert_int_equal(gnd_plan_epochs(1000000, 1), gnd_plan_epochs(1000000, 1000)); /* small */
    assert_int_equal(gnd_plan_epochs(5000000, 1), 1);
    assert_int_equal(gnd_plan_epochs(5000000, 1000), gnd_plan_epochs(1000000, 1));
    s = few;
    s.n_row = 1000; /* many hops of many rows: all rows take less */
    assert_int_equal(chosen(&s, 0), GND_PLAN_WHOLE);
    s = few;
    s.weighted = false;
    assert_int_equal(chosen(&s, 1 << 29), GND_PLAN_POWERS);
    assert_int_equal(chosen(&s, 0), GND_PLAN_POWERS);
    s.keeps = true; /* four buffers, as many as all rows take, and the rows */
    assert_int_equal(chosen(&s, 0), GND_PLAN_WHOLE);
    s = few;
    s.batches = true;
    assert_int_equal(chosen(&s, 1 << 29), GND_PLAN_POWERS);
    gnd_plan_choose(&p, &few, &(gnd_budget){.total = 1 << 29}, GND_PLAN_WHOLE);
    assert_int_equal(p.kind, GND_PLAN_WHOLE);
    gnd_plan_choose(&p, &few, &(gnd_budget){.total = 1 << 29},
                    GND_PLAN_FEATURES); /* not possible: the cheapest */
    assert_int_equal(p.kind, GND_PLAN_STORED);
}

/* Values that the passes of a training hold, in matrices of n rows and the hidden width. */
static double matrices_held(const char *hops, bool training)
{
    enum { MANY = 8000, WIDTH = 64, WORDS = 200 };
    gnd_graph *g = random_graph(MANY, WORDS, C);
    const gnd_target y = {g->label, plan_train, LENGTH(plan_train)};
    gnd_config *config = NULL;
    gnd_model *m = NULL;
    gnd_tape *t = NULL;
    gnd_inputs in;
    gnd_error err = {0};
    double bytes;

    gnd_csr_fini(&g->feat); /* for so many that a copy of them would show */
    random_matrix(&g->feat, MANY, WORDS, 150, 3);
    CHECK_OK(gnd_config_new(&config, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(config, "filters", "64", &err));
    CHECK_OK(gnd_config_set(config, "hops", hops, &err));
    CHECK_OK(gnd_model_new(&m, g, config, 1, &err));
    CHECK_OK(gnd_inputs_prepare(&in, m, g, &(gnd_inputs_opts){.memory = -1}, &err));
    CHECK_OK(gnd_inputs_add_rows(&in, m, GND_TRAIN_ROWS,
                                 (gnd_row_list){plan_train, LENGTH(plan_train)}, NULL, &err));
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, training, 0);
    gnd_tape_request(t, plan_train, LENGTH(plan_train));
    gnd_tape_backward(t, gnd_objective(m, &in, t, &y, NULL));
    CHECK_OK(gnd_tape_check(t, &err));
    bytes = (double)gnd_arena_used(&t->arena);
    gnd_tape_free(t);
    gnd_inputs_fini(&in);
    gnd_model_free(m);
    gnd_config_free(config);
    gnd_graph_free(g);
    return bytes / (MANY * WIDTH * sizeof(gnd_real));
}

/* Two matrices, the mask of one as bits, the labelled rows, and eight gradients of Theta, .2
 * matrices, that are then added. */
static void least_memory(void **state)
{
    (void)state;
    assert_true(matrices_held("20", true) < 2.4);
    assert_true(matrices_held("60", true) < 2.5);
    assert_true(matrices_held("20", false) < 2.4);
}

static void names(void **state)
{
    (void)state;
    for (int k = 0; k < GND_PLANS; k++)
        assert_int_equal(gnd_plan_find(gnd_plan_name((gnd_plan_kind)k)), k);
    assert_int_equal(gnd_plan_find("Whole"), GND_PLANS);
    assert_int_equal(gnd_plan_find(""), GND_PLANS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_agree),
        cmocka_unit_test(cheapest_that_fits),
        cmocka_unit_test(least_memory),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
