/* SPDX-License-Identifier: MIT
 * test_counts.c - what the six real data sets hold in each mode, and splits of Cora that are
 * known. */
#include "check.h"
#include "graph/graph.h"
#include "graph/split.h"

#define DATA GND_SHARED_DIR "/data"

enum { SIZE = sizeof(gnd_graph_info) };

/* In the order of gnd_graph_info: vertices, features, classes, arcs, edges, loops, feature entries,
 * labelled, isolated, components, largest, featureless, directed, weighted. Counted with scipy. */
static const struct {
    const char *name;
    gnd_graph_mode mode;
    gnd_graph_info want;
} cases[] = {
    {"cora",
     GND_GRAPH_RAW,
     {SIZE, 2708, 1433, 7, 10556, 5278, 0, 49216, 2708, 0, 78, 2485, 0, false, false}},
    {"cora",
     GND_GRAPH_UND,
     {SIZE, 2708, 1433, 7, 10556, 5278, 0, 49216, 2708, 0, 78, 2485, 0, false, false}},
    {"cora",
     GND_GRAPH_STD,
     {SIZE, 2708, 1433, 7, 10556, 5278, 0, 49216, 2708, 0, 78, 2485, 0, false, false}},
    {"citeseer",
     GND_GRAPH_RAW,
     {SIZE, 3327, 3703, 6, 9228, 4552, 124, 105165, 3312, 48, 438, 2120, 15, false, false}},
    {"citeseer",
     GND_GRAPH_UND,
     {SIZE, 3327, 3703, 6, 9104, 4552, 0, 105165, 3312, 48, 438, 2120, 15, false, false}},
    {"citeseer",
     GND_GRAPH_STD,
     {SIZE, 3327, 3703, 6, 9104, 4552, 0, 105165, 3312, 48, 438, 2120, 15, false, false}},
    {"pubmed",
     GND_GRAPH_RAW,
     {SIZE, 19717, 500, 3, 88651, 44324, 3, 988031, 19717, 0, 1, 19717, 0, false, false}},
    {"pubmed",
     GND_GRAPH_UND,
     {SIZE, 19717, 500, 3, 88648, 44324, 0, 988031, 19717, 0, 1, 19717, 0, false, false}},
    {"pubmed",
     GND_GRAPH_STD,
     {SIZE, 19717, 500, 3, 88648, 44324, 0, 988031, 19717, 0, 1, 19717, 0, false, false}},
    {"cora_ml",
     GND_GRAPH_RAW,
     {SIZE, 2995, 2879, 7, 8416, 8158, 0, 151171, 2995, 0, 61, 2810, 0, true, false}},
    {"cora_ml",
     GND_GRAPH_UND,
     {SIZE, 2995, 2879, 7, 16316, 8158, 0, 151171, 2995, 0, 61, 2810, 0, false, false}},
    {"cora_ml",
     GND_GRAPH_STD,
     {SIZE, 2810, 2879, 7, 15962, 7981, 0, 142286, 2810, 0, 1, 2810, 0, false, false}},
    {"amazon_photo",
     GND_GRAPH_RAW,
     {SIZE, 7650, 745, 8, 143663, 119081, 1, 1979909, 7650, 115, 136, 7487, 0, true, false}},
    {"amazon_photo",
     GND_GRAPH_UND,
     {SIZE, 7650, 745, 8, 238162, 119081, 0, 1979909, 7650, 115, 136, 7487, 0, false, false}},
    {"amazon_photo",
     GND_GRAPH_STD,
     {SIZE, 7487, 745, 8, 238086, 119043, 0, 1950178, 7487, 0, 1, 7487, 0, false, false}},
    {"amazon_computers",
     GND_GRAPH_RAW,
     {SIZE, 13752, 767, 10, 287209, 245861, 0, 3675081, 13752, 281, 314, 13381, 0, true, false}},
    {"amazon_computers",
     GND_GRAPH_UND,
     {SIZE, 13752, 767, 10, 491722, 245861, 0, 3675081, 13752, 281, 314, 13381, 0, false, false}},
    {"amazon_computers",
     GND_GRAPH_STD,
     {SIZE, 13381, 767, 10, 491556, 245778, 0, 3607444, 13381, 0, 1, 13381, 0, false, false}},
};

static gnd_graph *load(const char *name)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = DATA};
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, name, &o, &err));
    return g;
}

static void check_info(const gnd_graph *g, const gnd_graph_info *want)
{
    gnd_graph_info got = {.size = sizeof got};
    gnd_error err;

    CHECK_OK(gnd_graph_info_get(&got, g, &err));
    assert_int_equal(got.n_node, want->n_node);
    assert_int_equal(got.n_feat, want->n_feat);
    assert_int_equal(got.n_class, want->n_class);
    assert_int_equal(got.n_arc, want->n_arc);
    assert_int_equal(got.n_edge, want->n_edge);
    assert_int_equal(got.n_loop, want->n_loop);
    assert_int_equal(got.n_feat_entry, want->n_feat_entry);
    assert_int_equal(got.n_labelled, want->n_labelled);
    assert_int_equal(got.n_isolated, want->n_isolated);
    assert_int_equal(got.n_component, want->n_component);
    assert_int_equal(got.n_largest, want->n_largest);
    assert_int_equal(got.n_empty_feat, want->n_empty_feat);
    assert_int_equal(got.directed, want->directed);
    assert_int_equal(got.weighted, want->weighted);
}

/* All modes of one data set. */
static void counts(void **state)
{
    const char *name = *state;
    gnd_graph *raw, *g;
    gnd_error err;

    NEEDS_SHARED(DATA);
    raw = load(name);
    assert_int_equal(gnd_graph_mode_get(raw), GND_GRAPH_RAW);
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        if (strcmp(cases[k].name, name) != 0)
            continue;
        CHECK_OK(gnd_graph_convert(&g, raw, cases[k].mode, &err));
        CHECK_OK(gnd_graph_check(g, name, &err));
        check_info(g, &cases[k].want);
        gnd_graph_free(g);
    }
    gnd_graph_free(raw);
}

static void class_sizes(const char *name, const int64_t *want)
{
    gnd_graph *g = load(name);

    for (int32_t c = 0; c < g->n_class; c++) {
        int64_t n = 0;

        for (int64_t i = 0; i < g->n_node; i++)
            n += g->label[i] == c;
        assert_int_equal(n, want[c]);
    }
    gnd_graph_free(g);
}

static void classes(void **state)
{
    (void)state;
    NEEDS_SHARED(DATA);
    class_sizes("cora", (const int64_t[]){351, 217, 418, 818, 426, 298, 180});
    class_sizes("citeseer", (const int64_t[]){249, 590, 668, 701, 596, 508});
    class_sizes("cora_ml", (const int64_t[]){354, 402, 452, 442, 857, 193, 295});
    class_sizes("amazon_photo", (const int64_t[]){369, 1686, 703, 915, 882, 823, 1941, 331});
    class_sizes("amazon_computers",
                (const int64_t[]){436, 2142, 1414, 542, 5158, 308, 487, 818, 2156, 291});
}

static bool has_note(const gnd_graph *g, const char *text)
{
    for (int64_t i = 0; i < gnd_graph_n_note(g); i++)
        if (strcmp(gnd_graph_note(g, i)->text, text) == 0)
            return true;
    return false;
}

static void notes(void **state)
{
    gnd_graph *g, *c;
    gnd_error err;

    (void)state;
    NEEDS_SHARED(DATA);
    g = load("cora_ml");
    CHECK_OK(gnd_graph_convert(&c, g, GND_GRAPH_STD, &err));
    assert_true(has_note(c, "merged 8416 arcs into 8158 undirected edges"));
    assert_true(has_note(c, "kept the largest component: 2810 of 2995 vertices"));
    gnd_graph_free(c);
    gnd_graph_free(g);
    g = load("citeseer");
    CHECK_OK(gnd_graph_convert(&c, g, GND_GRAPH_STD, &err));
    assert_true(has_note(c, "dropped 124 self-loops"));
    assert_true(has_note(c, "48 of 3327 vertices have no link to another vertex"));
    assert_true(has_note(c, "15 of 3327 vertices have no label"));
    gnd_graph_free(c);
    gnd_graph_free(g);
}

/* Draws recorded from the authors' code: how far the shuffle was consumed, and who trains. */
static void cora_splits(void **state)
{
    static const struct {
        int32_t per_class;
        uint32_t seed;
        int64_t next, n_test;
    } known[] = {{1, 1, 17, 2191},  {1, 2, 23, 2185},  {1, 3, 23, 2185},
                 {5, 1, 132, 2076}, {5, 2, 116, 2092}, {5, 3, 95, 2113}};
    static const int32_t first[] = {996, 1140, 1145, 2575, 291, 807, 2604};
    gnd_graph *g;
    gnd_error err;

    (void)state;
    NEEDS_SHARED(DATA);
    g = load("cora");
    for (int64_t k = 0; k < LENGTH(known); k++) {
        gnd_split *s = NULL;
        int64_t next = 0;

        CHECK_OK(gnd_split_shuffled(&s, &next, &(gnd_split_labels){g->label, g->n_node, g->n_class},
                                    &(gnd_split_opts){.size = sizeof(gnd_split_opts),
                                                      .per_class = known[k].per_class,
                                                      .n_val = 500,
                                                      .seed = known[k].seed,
                                                      .score_unlabelled = true},
                                    &err));
        assert_int_equal(next, known[k].next);
        assert_int_equal(s->n_train, 7 * known[k].per_class);
        assert_int_equal(s->n_val, 500);
        assert_int_equal(s->n_test, known[k].n_test);
        if (k == 0)
            assert_memory_equal(s->train, first, sizeof first);
        gnd_split_free(s);
    }
    gnd_graph_free(g);
}

static void fixed_splits(void **state)
{
    static const struct {
        const char *name;
        int64_t n_train;
    } sets[] = {{"cora", 140}, {"citeseer", 120}, {"pubmed", 60}};
    const gnd_split_opts o = {.size = sizeof o, .kind = GND_SPLIT_PLANETOID};
    gnd_error err;

    (void)state;
    NEEDS_SHARED(DATA);
    for (int64_t k = 0; k < LENGTH(sets); k++) {
        gnd_graph *g = load(sets[k].name), *c;
        gnd_split *s = NULL;

        CHECK_OK(gnd_graph_convert(&c, g, GND_GRAPH_STD, &err)); /* the split survives it */
        CHECK_OK(gnd_split_new(&s, c, &o, &err));
        assert_int_equal(gnd_split_n_train(s), sets[k].n_train);
        assert_int_equal(gnd_split_n_val(s), 500);
        assert_int_equal(gnd_split_n_test(s), 1000);
        gnd_split_free(s);
        gnd_graph_free(c);
        gnd_graph_free(g);
    }
}

int main(void)
{
    static char cora[] = "cora", citeseer[] = "citeseer", pubmed[] = "pubmed",
                cora_ml[] = "cora_ml", photo[] = "amazon_photo", computers[] = "amazon_computers";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(counts, cora),
        cmocka_unit_test_prestate(counts, citeseer),
        cmocka_unit_test_prestate(counts, pubmed),
        cmocka_unit_test_prestate(counts, cora_ml),
        cmocka_unit_test_prestate(counts, photo),
        cmocka_unit_test_prestate(counts, computers),
        cmocka_unit_test(classes),
        cmocka_unit_test(notes),
        cmocka_unit_test(cora_splits),
        cmocka_unit_test(fixed_splits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
