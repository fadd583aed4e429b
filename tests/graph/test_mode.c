/* SPDX-License-Identifier: MIT
 * test_mode.c - raw, und and std by hand: links, vertices, and the words said about them. */
#include "make.h"

/* 0 <-> 1 -> 2, 2 -> 2, 3 <- 4, 5 alone; 0 -> 1 and 1 -> 0 have two weights. */
static const arc arcs[] = {{0, 1, 2}, {1, 0, 3}, {1, 2, 4}, {2, 2, 9}, {4, 3, 1}};
static const int32_t labels[] = {0, 1, -1, 1, 0, 1};

static gnd_graph *sample(bool weighted)
{
    gnd_graph *g = make_graph(6, arcs, LENGTH(arcs), weighted, 2, labels);
    const arc x[] = {{0, 0, 1}, {1, 1, 2}, {2, 0, 3}, {4, 1, 4}};

    g->n_feat = 2;
    g->feat = make_csr(6, 2, x, LENGTH(x), true);
    return g;
}

static void check_notes(const gnd_graph *g, const char *const *want)
{
    int64_t n = 0;

    for (; want[n]; n++) {
        assert_true(n < gnd_graph_n_note(g));
        assert_string_equal(gnd_graph_note(g, n)->text, want[n]);
    }
    if (gnd_graph_n_note(g) != n)
        fail_msg("a note too many: %s", gnd_graph_note(g, n)->text);
}
#define NOTES(...) ((const char *const[]){__VA_ARGS__, NULL})

static gnd_graph *converted(const gnd_graph *g, gnd_graph_mode mode)
{
    gnd_graph *c = NULL;
    gnd_error err;

    CHECK_OK(gnd_graph_convert(&c, g, mode, &err));
    CHECK_OK(gnd_graph_check(c, NULL, &err));
    assert_int_equal(gnd_graph_mode_get(c), mode);
    return c;
}

static void raw_is_the_same(void **state)
{
    gnd_graph *g = sample(true), *c = converted(g, GND_GRAPH_RAW);

    (void)state;
    assert_ptr_equal(c->adj.col, g->adj.col);
    gnd_graph_free(g); /* the matrices live as long as a graph uses them */
    assert_int_equal(gnd_csr_nnz(&c->adj), LENGTH(arcs));
    for (int64_t p = 0; p < LENGTH(arcs); p++)
        CHECK_CLOSE(entry(&c->adj, arcs[p].i, arcs[p].j), arcs[p].w, 0);
    check_notes(
        c, NOTES("1 of 6 vertices has no link to another vertex", "1 of 6 vertices has no label"));
    gnd_graph_free(c);
}

/* Features are shared by all graphs with the same vertices, until one of them gets others. */
static void features_are_shared(void **state)
{
    gnd_graph *g = sample(true), *u = converted(g, GND_GRAPH_UND), *r = converted(u, GND_GRAPH_UND),
              *s = converted(g, GND_GRAPH_STD);
    gnd_csr other = make_csr(6, 3, (const arc[]){{3, 2, 7}}, 1, true);
    gnd_error err = {0};

    (void)state;
    assert_ptr_equal(u->feat.col, g->feat.col);
    assert_ptr_equal(r->feat.val, g->feat.val);
    assert_ptr_not_equal(s->feat.col, g->feat.col); /* of fewer vertices */
    CHECK_OK(gnd_graph_replace_features(u, &other, &err));
    assert_null(other.ptr);
    assert_int_equal(u->n_feat, 3);
    assert_int_equal(g->n_feat, 2);
    gnd_graph_free(u);
    gnd_graph_free(g);
    CHECK_CLOSE(entry(&r->feat, 4, 1), 4, 0);
    gnd_graph_free(r);
    gnd_graph_free(s);
}

static void und_keeps_weights_and_vertices(void **state)
{
    gnd_graph *g = sample(true), *c = converted(g, GND_GRAPH_UND);

    (void)state;
    assert_int_equal(c->n_node, 6);
    assert_int_equal(gnd_csr_nnz(&c->adj), 6);
    for (int64_t i = 0; i < 6; i++)
        for (int64_t j = 0; j < 6; j++)
            CHECK_CLOSE(entry(&c->adj, i, j),
                        i == j ? 0 : fmax(entry(&g->adj, i, j), entry(&g->adj, j, i)), 0);
    assert_null(c->old);
    assert_memory_equal(c->label, labels, sizeof labels);
    check_notes(c, NOTES("merged 4 arcs into 3 undirected edges",
                         "took the larger weight of 1 edge whose two directions differ",
                         "dropped 1 self-loop", "1 of 6 vertices has no link to another vertex",
                         "1 of 6 vertices has no label"));
    gnd_graph_free(c);
    gnd_graph_free(g);
}

static void std_keeps_the_largest_component(void **state)
{
    gnd_graph *g = sample(true), *c = converted(g, GND_GRAPH_STD);
    char buf[32];

    (void)state;
    assert_int_equal(c->n_node, 3);
    assert_null(c->adj.val);
    assert_int_equal(gnd_csr_nnz(&c->adj), 4);
    assert_int_equal(c->feat.n_row, 3);
    CHECK_CLOSE(entry(&c->feat, 2, 0), 3, 0);
    assert_int_equal(c->label[1], 1);
    assert_int_equal(c->label[2], -1);
    assert_string_equal(gnd_graph_id(c, 2, buf), "2");
    check_notes(c, NOTES("merged 4 arcs into 3 undirected edges", "dropped 1 self-loop",
                         "set the weight of every edge to 1",
                         "kept the largest component: 3 of 6 vertices",
                         "1 of 3 vertices has no label"));
    gnd_graph_free(c);
    gnd_graph_free(g);
}

/* The larger component stands last, so vertices are renumbered; ids follow, twice. */
static void ids_follow_vertices(void **state)
{
    static const char *const names[] = {"zero", "one", "two", "three", "four", "five"};
    const arc a[] = {{0, 1, 1}, {1, 0, 1}, {3, 4, 1}, {4, 3, 1}, {5, 3, 1}, {3, 5, 1}};
    gnd_graph *g = make_graph(6, a, LENGTH(a), false, 2, labels), *und, *c, *plain;
    char buf[32];

    (void)state;
    plain = converted(g, GND_GRAPH_STD);
    assert_string_equal(gnd_graph_id(plain, 0, buf), "3");
    assert_string_equal(gnd_graph_id(plain, 2, buf), "5");
    g->ids = gnd_names_new();
    for (int i = 0; i < 6; i++)
        assert_int_equal(gnd_names_add(g->ids, names[i], strlen(names[i])), i);
    und = converted(g, GND_GRAPH_UND);
    c = converted(und, GND_GRAPH_STD);
    assert_string_equal(gnd_graph_id(und, 2, buf), "two");
    assert_int_equal(c->n_node, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(gnd_graph_id(c, i, buf), names[i + 3]);
        assert_int_equal(c->old[i], i + 3);
        assert_int_equal(c->label[i], labels[i + 3]);
    }
    check_notes(und, NOTES("1 of 6 vertices has no link to another vertex",
                           "1 of 6 vertices has no label"));
    check_notes(c, NOTES("1 of 6 vertices has no link to another vertex",
                         "1 of 6 vertices has no label",
                         "kept the largest component: 3 of 6 vertices"));
    gnd_graph_free(plain);
    gnd_graph_free(c);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

/* Planetoid sets keep every vertex and their fixed split. */
static void planetoid_drops_nothing(void **state)
{
    const int32_t test[] = {5, 3};
    gnd_graph *g = sample(false), *c;

    (void)state;
    g->keep_all = true;
    g->n_fixed_train = 2;
    g->fixed_test = malloc(sizeof test);
    memcpy(g->fixed_test, test, sizeof test);
    g->n_fixed_test = 2;
    c = converted(g, GND_GRAPH_STD);
    assert_int_equal(c->n_node, 6);
    assert_null(c->old);
    assert_true(c->keep_all);
    assert_int_equal(c->n_fixed_train, 2);
    assert_int_equal(c->n_fixed_test, 2);
    assert_memory_equal(c->fixed_test, test, sizeof test);
    gnd_graph_free(c);
    gnd_graph_free(g);
}

/* {0, 3} and {1, 2} are equal: the one with vertex 0 stays. */
static void tie_between_components(void **state)
{
    const arc a[] = {{1, 2, 1}, {3, 0, 1}};
    gnd_graph *g = make_graph(4, a, 2, false, 0, NULL), *c = converted(g, GND_GRAPH_STD);

    (void)state;
    assert_int_equal(c->n_node, 2);
    assert_int_equal(c->old[0], 0);
    assert_int_equal(c->old[1], 3);
    check_notes(
        c, NOTES("took 2 arcs as undirected edges", "kept the largest component: 2 of 4 vertices"));
    gnd_graph_free(c);
    gnd_graph_free(g);
}

static void nothing_done_nothing_said(void **state)
{
    const arc a[] = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}};
    const int32_t y[] = {0, 1, 0};
    gnd_graph *g = make_graph(3, a, LENGTH(a), true, 2, y), *c;
    gnd_error err;

    (void)state;
    for (int m = GND_GRAPH_RAW; m <= GND_GRAPH_STD; m++) {
        c = converted(g, (gnd_graph_mode)m);
        assert_int_equal(gnd_graph_n_note(c), 0);
        gnd_graph_free(c);
    }
    CHECK_OK(gnd_notes_add(&g->notes, GND_NOTE, "files_read", &err, "read %d files", 3));
    c = converted(g, GND_GRAPH_UND);
    check_notes(c, NOTES("read 3 files"));
    assert_null(c->adj.val); /* weights that are all 1 are not stored */
    gnd_graph_free(c);
    gnd_graph_free(g);
}

static void one_arc_one_edge(void **state)
{
    const int32_t y[] = {0, 0};
    gnd_graph *g = make_graph(2, (const arc[]){{1, 0, 1}}, 1, false, 1, y);
    gnd_graph *c = converted(g, GND_GRAPH_UND);

    (void)state;
    check_notes(c, NOTES("took 1 arc as undirected edge"));
    gnd_graph_free(c);
    gnd_graph_free(g);
}

static void no_way_back(void **state)
{
    gnd_graph *g = sample(false), *c = converted(g, GND_GRAPH_STD), *back = g;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_graph_convert(&back, c, GND_GRAPH_UND, &err), GND_ERR_ARG,
                "a graph of mode std cannot become und");
    assert_null(back);
    CHECK_FAILS(gnd_graph_convert(&back, g, (gnd_graph_mode)7, &err), GND_ERR_ARG, "unknown mode");
    gnd_graph_free(c);
    gnd_graph_free(g);
}

static void mode_names(void **state)
{
    gnd_graph_mode m = GND_GRAPH_RAW;
    gnd_error err;

    (void)state;
    for (int k = GND_GRAPH_RAW; k <= GND_GRAPH_STD; k++) {
        CHECK_OK(gnd_graph_mode_parse(&m, gnd_graph_mode_name((gnd_graph_mode)k), &err));
        assert_int_equal(m, k);
    }
    assert_null(gnd_graph_mode_name((gnd_graph_mode)3));
    CHECK_FAILS(gnd_graph_mode_parse(&m, "standard", &err), GND_ERR_ARG,
                "unknown graph mode 'standard'; expected raw, und or std");
}

static void info_counts(void **state)
{
    gnd_graph *g = sample(true), *c = converted(g, GND_GRAPH_UND);
    gnd_graph_info o = {.size = sizeof o};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_info_get(&o, g, &err));
    assert_int_equal(o.n_node, 6);
    assert_int_equal(o.n_feat, 2);
    assert_int_equal(o.n_class, 2);
    assert_int_equal(o.n_arc, 5);
    assert_int_equal(o.n_edge, 3);
    assert_int_equal(o.n_loop, 1);
    assert_int_equal(o.n_feat_entry, 4);
    assert_int_equal(o.n_labelled, 5);
    assert_int_equal(o.n_isolated, 1);
    assert_int_equal(o.n_component, 3);
    assert_int_equal(o.n_largest, 3);
    assert_int_equal(o.n_empty_feat, 2);
    assert_true(o.directed && o.weighted);
    CHECK_OK(gnd_graph_info_get(&o, c, &err));
    assert_int_equal(o.n_arc, 6);
    assert_int_equal(o.n_edge, 3);
    assert_int_equal(o.n_loop, 0);
    assert_false(o.directed);
    assert_true(o.weighted);
    gnd_graph_free(c);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_is_the_same),
        cmocka_unit_test(features_are_shared),
        cmocka_unit_test(und_keeps_weights_and_vertices),
        cmocka_unit_test(std_keeps_the_largest_component),
        cmocka_unit_test(ids_follow_vertices),
        cmocka_unit_test(planetoid_drops_nothing),
        cmocka_unit_test(tie_between_components),
        cmocka_unit_test(nothing_done_nothing_said),
        cmocka_unit_test(one_arc_one_edge),
        cmocka_unit_test(no_way_back),
        cmocka_unit_test(mode_names),
        cmocka_unit_test(info_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
