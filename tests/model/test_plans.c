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

    gnd_plan_choose(&p, s, memory, GND_PLANS);
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
    s = few;
    s.n_row = 1000; /* many hops of many rows: all rows take less */
    assert_int_equal(chosen(&s, 0), GND_PLAN_WHOLE);
    s = few;
    s.weighted = false;
    assert_int_equal(chosen(&s, 1 << 29), GND_PLAN_POWERS);
    gnd_plan_choose(&p, &few, 1 << 29, GND_PLAN_WHOLE);
    assert_int_equal(p.kind, GND_PLAN_WHOLE);
    gnd_plan_choose(&p, &few, 1 << 29, GND_PLAN_FEATURES); /* not possible: the cheapest */
    assert_int_equal(p.kind, GND_PLAN_STORED);
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
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
