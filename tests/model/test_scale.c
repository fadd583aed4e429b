/* SPDX-License-Identifier: MIT
 * test_scale.c - estimates of several processes: every method that runs in them has one, and the
 * limits of the code are named. */
#include <string.h>

#include "check.h"
#include "model/model.h"

static const gnd_cluster_plan plan = {.size = sizeof plan,
                                      .n_node = 100000000,
                                      .n_edge = 1000000000,
                                      .n_feat = 100,
                                      .n_feat_entry = 800000000,
                                      .n_class = 8,
                                      .processes = 64,
                                      .order = GND_ORDER_RANDOM,
                                      .latency = 10,
                                      .gbit = 10};

static gnd_cluster_cost cost_of(const char *method, const gnd_cluster_plan *p)
{
    gnd_cluster_cost e = {.size = sizeof e};
    gnd_config *c = NULL;
    gnd_error err = {0};

    assert_int_equal(gnd_config_new(&c, method, &err), GND_OK);
    CHECK_OK(gnd_cluster_estimate(&e, p, c, &err));
    gnd_config_free(c);
    return e;
}

static void every_method(void **state)
{
    static const char *const more[] = {"auto", "gcn", "appnp", "gnd-slp"};

    (void)state;
    for (int i = 0; gnd_method_at(i); i++)
        if (gnd_method_at(i)->on_parts) {
            const gnd_cluster_cost e = cost_of(gnd_method_at(i)->name, &plan);

            assert_true(e.compute_seconds > 0 && e.copy_seconds > 0 && e.bytes > 1e8);
            assert_true(e.seconds > e.compute_seconds + e.copy_seconds);
            assert_string_equal(e.limit, "");
        }
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        assert_true(cost_of(more[k], &plan).compute_seconds > 0);
}

static void one_only(void **state)
{
    gnd_cluster_cost e = {.size = sizeof e};
    gnd_config *c = NULL;
    gnd_error err = {0};

    (void)state;
    assert_int_equal(gnd_config_new(&c, "geomgcn", &err), GND_OK);
    CHECK_FAILS(gnd_cluster_estimate(&e, &plan, c, &err), GND_ERR_ARG, "has no estimate");
    gnd_config_free(c);
}

/* More epochs and hops take longer; more classes take more memory. */
static void settings(void **state)
{
    gnd_cluster_plan p = plan;
    gnd_cluster_cost e = {.size = sizeof e};
    gnd_config *c = NULL;
    gnd_error err = {0};

    (void)state;
    assert_int_equal(gnd_config_new(&c, "sgc", &err), GND_OK);
    assert_int_equal(gnd_config_set(c, "hops", "4", &err), GND_OK);
    CHECK_OK(gnd_cluster_estimate(&e, &p, c, &err));
    CHECK_CLOSE(e.copy_seconds / cost_of("sgc", &p).copy_seconds, 2, 1e-6);
    gnd_config_free(c);
    p.n_class = 100;
    assert_true(cost_of("ls", &p).bytes > 2 * cost_of("ls", &plan).bytes);
    p = plan;
    p.copies = 200000000;
    CHECK_CLOSE(cost_of("ls", &p).copies, 2, 1e-9);
}

static void limits(void **state)
{
    gnd_cluster_plan p = plan;
    gnd_error err;
    gnd_cluster_cost e = {.size = sizeof e};
    gnd_config *c = NULL;

    (void)state;
    p.n_node = INT64_C(3000000000);
    assert_non_null(strstr(cost_of("ls", &p).limit, "32 bits"));
    p = plan;
    p.n_edge = INT64_C(100000000000);
    assert_non_null(strstr(cost_of("ls", &p).limit, "at least 94 processes"));
    p = plan;
    p.n_edge = INT64_C(1100000000);
    p.order = GND_ORDER_METIS;
    assert_non_null(strstr(cost_of("ls", &p).limit, "METIS"));
    p = plan;
    p.n_feat = p.n_feat_entry = 0;
    assert_non_null(strstr(cost_of("sgc", &p).limit, "needs features"));
    assert_int_equal(gnd_config_new(&c, "ls", &err), GND_OK);
    CHECK_FAILS(gnd_cluster_estimate(&e, NULL, c, &err), GND_ERR_ARG, "expected 1 or more");
    p = plan;
    p.gbit = 0;
    CHECK_FAILS(gnd_cluster_estimate(&e, &p, c, &err), GND_ERR_ARG, "Gbit/s");
    p = plan;
    p.copies = -1;
    CHECK_FAILS(gnd_cluster_estimate(&e, &p, c, &err), GND_ERR_ARG, "out of range");
    gnd_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method), cmocka_unit_test(one_only),
                                       cmocka_unit_test(settings), cmocka_unit_test(limits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
