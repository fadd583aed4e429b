/* SPDX-License-Identifier: MIT
 * test_signal_test.c - signal is found and noise is not, on graphs whose features and links are
 * uncorrelated. */
#include "label/signal_test.h"

#include "graph/graph.h"
#include "planted.h"

static const gnd_coordinates_opts opts = {.weighting = {true, true},
                                          .raw = true,
                                          .heterophily = true,
                                          .teleport = 0.1,
                                          .teleport_near = 0.25,
                                          .n_class = 3};

/* One label per class. */
static gnd_signal signal_of(plan made)
{
    gnd_graph *g = planted_graph(made);
    unsigned char *skip = calloc((size_t)g->n_node, 1);
    gnd_real *prob = calloc((size_t)(g->n_node * made.n_class), sizeof *prob);
    int32_t point[8], cls[8];
    gnd_coordinates_opts o = opts;
    gnd_coordinates v;
    gnd_signal b;
    gnd_error err;

    assert_true(skip && prob);
    for (int32_t c = 0; c < made.n_class; c++) {
        int32_t i = 0;

        while (g->label[i] != c)
            i++;
        point[c] = i;
        cls[c] = c;
    }
    o.n_class = made.n_class;
    CHECK_OK(gnd_coordinates_init(&v, &g->feat, &g->adj, &o, NULL, &err));
    assert_true(v.heterophily > 0);
    CHECK_OK(gnd_signal_test(&b, prob,
                             &(gnd_signal_opts){&v, 32,
                                                &(gnd_labelled){.point = point,
                                                                .cls = cls,
                                                                .n = made.n_class,
                                                                .n_class = made.n_class,
                                                                .sharpness = 1,
                                                                .shrink = 0.5,
                                                                .label_weight = 0.1},
                                                skip},
                             NULL, &err));
    gnd_coordinates_fini(&v);
    free(prob);
    free(skip);
    gnd_graph_free(g);
    return b;
}

static void links_that_say_all(void **state)
{
    const gnd_signal b =
        signal_of((plan){.n = 600, .n_class = 3, .inside = 6, .across = 1, .words = 8});

    (void)state;
    CHECK_CLOSE(b.features, 0, 1e-9);
    CHECK_CLOSE(b.link_prediction, 1, 1e-9);
    CHECK_CLOSE(b.links, 1, 1e-9);
}

/* So few links that halves of them fall to pieces; but most of them still predict the others. */
static void few_links(void **state)
{
    const gnd_signal b =
        signal_of((plan){.n = 2400, .n_class = 3, .inside = 2, .across = 1, .words = 8});

    (void)state;
    CHECK_CLOSE(b.features, 0, 1e-9);
    assert_true(b.links < 0.5);
    CHECK_CLOSE(b.link_prediction, 1, 1e-9);
    assert_int_equal(b.paths, GND_PATHS_ALL);
}

static void links_to_the_other(void **state)
{
    const gnd_signal b =
        signal_of((plan){.n = 600, .n_class = 2, .inside = 5, .across = 1, .shift = 1, .words = 8});

    (void)state;
    CHECK_CLOSE(b.features, 0, 1e-9);
    CHECK_CLOSE(b.link_prediction, 1, 1e-9);
    assert_int_equal(b.paths, GND_PATHS_EVEN);
}

static void words_that_say_all(void **state)
{
    const gnd_signal b =
        signal_of((plan){.n = 600, .n_class = 3, .across = 5, .words = 12, .lean = 0.8});

    (void)state;
    CHECK_CLOSE(b.features, 1, 1e-9);
    CHECK_CLOSE(b.links, 0, 1e-9);
    CHECK_CLOSE(b.link_prediction, 0, 1e-9);
}

/* Small graphs, where chance is large: among many, none predicts links, and hardly any half agrees
 * with the other. */
static void nobody_says_anything(void **state)
{
    int64_t halves = 0, link_prediction = 0;

    (void)state;
    for (int32_t n = 100; n < 160; n += 2) {
        const gnd_signal b = signal_of((plan){.n = n, .n_class = 3, .across = 3, .words = 8});

        halves += (b.features > 0) + (b.links > 0);
        link_prediction += b.link_prediction > 0;
    }
    assert_int_equal(link_prediction, 0);
    assert_in_range(halves, 0, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_that_say_all),   cmocka_unit_test(few_links),
        cmocka_unit_test(links_to_the_other),   cmocka_unit_test(words_that_say_all),
        cmocka_unit_test(nobody_says_anything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
