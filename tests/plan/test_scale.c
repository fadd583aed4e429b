/* SPDX-License-Identifier: MIT
 * test_scale.c - the cost model of several processes: laws and limits that it must keep. */
#include "check.h"

#include "plan/scale.h"

static const gnd_scale_sizes graph = {.n_node = 1e6,
                                      .n_entry = 18e6,
                                      .n_process = 1,
                                      .n_thread = 1,
                                      .latency = 1e-5,
                                      .bandwidth = 1e9};
static const gnd_scale_work work = {
    .product = {{100, 16}}, .sums = 10, .sum_values = 1000, .row_bytes = 200, .entry_bytes = 12};

static gnd_scale_cost cost_of(double processes, double copies)
{
    gnd_scale_sizes s = graph;
    gnd_scale_cost c;

    s.n_process = processes;
    s.copies = copies;
    gnd_scale_estimate(&c, &s, &work);
    return c;
}

/* As bench/scale.py halo measured them for 18 entries per vertex. */
static void copies(void **state)
{
    (void)state;
    assert_true(gnd_scale_copies(GND_ORDER_RANDOM, 1, 18) == 0);
    CHECK_CLOSE(gnd_scale_copies(GND_ORDER_RANDOM, 4, 18.4), 1.28, 0.2);
    CHECK_CLOSE(gnd_scale_copies(GND_ORDER_RANDOM, 64, 18.4), 7.19, 1);
    CHECK_CLOSE(gnd_scale_copies(GND_ORDER_METIS, 64, 18.4), 4.61, 1);
    CHECK_CLOSE(gnd_scale_copies(GND_ORDER_COMMUNITIES, 64, 13), 1.35, 0.1);
    /* A vertex cannot be copied to more processes than it has neighbours, or than there are. */
    assert_true(gnd_scale_copies(GND_ORDER_RANDOM, 1 << 20, 18) <= 18);
    assert_true(gnd_scale_copies(GND_ORDER_RANDOM, 2, 1e6) <= 1);
}

static void one_process(void **state)
{
    const gnd_scale_cost c = cost_of(1, 0);

    (void)state;
    assert_true(c.exchange == 0 && c.sums == 0);
    assert_true(c.compute > 0 && c.load > 0 && c.write > 0);
    assert_true(c.bytes > 12 * graph.n_entry + 200 * graph.n_node);
}

static void more_processes(void **state)
{
    const gnd_scale_cost one = cost_of(1, 0), four = cost_of(4, 1), many = cost_of(1024, 8);

    (void)state;
    CHECK_CLOSE(one.compute / four.compute, 4, 0.3);      /* copies take memory and time, too */
    assert_true(one.compute / many.compute > 1.1 * 1024); /* its rows are in the cache */
    assert_true(four.exchange > 0 && four.bytes < one.bytes);
    /* Each process adds a share of the values. */
    assert_true(many.sums > four.sums && many.sums < 10 * four.sums);
    /* The results of all vertices pass process 0. */
    assert_true(many.write > one.write / 10);
    CHECK_CLOSE(many.bytes_first, four.bytes_first, 1);
}

static void network(void **state)
{
    gnd_scale_sizes s = graph;
    gnd_scale_cost slow, fast;

    (void)state;
    s.n_process = 16;
    s.copies = 2;
    gnd_scale_estimate(&slow, &s, &work);
    s.bandwidth *= 10;
    s.latency = 0;
    gnd_scale_estimate(&fast, &s, &work);
    assert_true(fast.exchange < slow.exchange && fast.sums < slow.sums);
    assert_true(fast.compute == slow.compute && fast.bytes == slow.bytes);
    s.n_thread = 4;
    gnd_scale_estimate(&slow, &s, &work);
    CHECK_CLOSE(fast.compute / slow.compute, 4, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(one_process),
                                       cmocka_unit_test(more_processes), cmocka_unit_test(network)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
