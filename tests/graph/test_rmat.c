/* SPDX-License-Identifier: MIT
 * test_rmat.c - graphs that are made: valid, the same everywhere, with something to learn. */
#include "check.h"
#include "graph/graph.h"

static const gnd_make_opts small = {.size = sizeof small,
                                    .n_node = 3000,
                                    .n_edge = 30000,
                                    .n_feat = 64,
                                    .n_class = 6,
                                    .n_word = 8,
                                    .inside = 70,
                                    .seed = 1};

static gnd_graph *made(gnd_make_opts o)
{
    gnd_graph *g;
    gnd_error err;

    CHECK_OK(gnd_graph_make(&g, &o, &err));
    return g;
}

/* FNV-1a over whole numbers, low byte first whatever the machine's order. */
static uint64_t mixed(uint64_t h, int64_t v)
{
    for (int k = 0; k < 8; k++)
        h = (h ^ ((uint64_t)v >> 8 * k & 255)) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t fingerprint(const gnd_graph *g)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (int64_t i = 0; i < g->n_node; i++) {
        h = mixed(mixed(h, g->adj.ptr[i + 1]), g->label[i]);
        if (g->n_feat > 0)
            h = mixed(h, g->feat.ptr[i + 1]);
    }
    for (int64_t p = 0; p < gnd_csr_nnz(&g->adj); p++)
        h = mixed(h, g->adj.col[p]);
    for (int64_t p = 0; p < gnd_csr_nnz(&g->feat); p++)
        h = mixed(h, g->feat.col[p]);
    return h;
}

/* The number is that of an independent program in unbounded whole numbers. */
static void same_on_every_machine(void **state)
{
    gnd_graph *a = made(small), *b = made(small), *c;
    gnd_make_opts o = small;

    (void)state;
    assert_true(fingerprint(a) == fingerprint(b));
    assert_true(fingerprint(a) == UINT64_C(0x63b5c638c585d42));
    o.seed = 2;
    c = made(o);
    assert_true(fingerprint(a) != fingerprint(c));
    gnd_graph_free(a);
    gnd_graph_free(b);
    gnd_graph_free(c);
}

/* Links both ways, no loops, each row ascending (gnd_graph_check saw to that), every vertex in a
 * class, few vertices with many links. */
static void shape(void **state)
{
    gnd_graph *g = made(small);
    gnd_csr t;
    gnd_error err;
    int64_t size[6] = {0}, most = 0;

    (void)state;
    assert_int_equal(g->n_class, 6);
    assert_null(g->adj.val);
    CHECK_OK(gnd_csr_transpose_or_borrow(&t, &g->adj, &err));
    assert_true(t.borrowed);
    for (int64_t i = 0; i < g->n_node; i++) {
        const int64_t degree = g->adj.ptr[i + 1] - g->adj.ptr[i];

        assert_true(gnd_csr_find(&g->adj, i, (int32_t)i) < 0);
        most = degree > most ? degree : most;
        size[g->label[i]]++;
    }
    for (int c = 0; c < 6; c++)
        assert_int_equal(size[c], 500); /* ids are a permutation, classes are dealt out evenly */
    assert_in_range(gnd_csr_nnz(&g->adj), 40000, 60000);
    assert_true(most > 10 * gnd_csr_nnz(&g->adj) / g->n_node);
    gnd_csr_fini(&t);
    gnd_graph_free(g);
}

/* Share of entries that join equal labels. */
static double inside_share(int inside)
{
    gnd_make_opts o = small;
    gnd_graph *g;
    int64_t same = 0;
    double share;

    o.inside = inside;
    g = made(o);
    for (int64_t i = 0; i < g->n_node; i++)
        for (int64_t p = g->adj.ptr[i]; p < g->adj.ptr[i + 1]; p++)
            same += g->label[i] == g->label[g->adj.col[p]];
    share = (double)same / (double)gnd_csr_nnz(&g->adj);
    gnd_graph_free(g);
    return share;
}

static void classes_are_planted(void **state)
{
    (void)state;
    CHECK_CLOSE(inside_share(0), 1.0 / 6, .03);
    CHECK_CLOSE(inside_share(70), .7 + .3 / 6, .05); /* repetitions go, more of them inside */
    CHECK_CLOSE(inside_share(100), 1, 0);
}

static bool few_links(const gnd_graph *g, int32_t v)
{
    return g->adj.ptr[v + 1] - g->adj.ptr[v] <= 10;
}

/* Of the pairs of neighbours of a vertex that have few links, how many are linked. Hubs are left
 * out because they are linked with each other in any R-MAT graph. */
static double closed_share(int communities)
{
    gnd_make_opts o = small;
    gnd_graph *g;
    int64_t closed = 0, all = 0;

    o.n_community = communities;
    o.inside = 90;
    g = made(o);
    for (int64_t i = 0; i < g->n_node; i++)
        for (int64_t p = g->adj.ptr[i]; p < g->adj.ptr[i + 1]; p++)
            for (int64_t q = g->adj.ptr[i]; q < p && few_links(g, g->adj.col[p]); q++) {
                if (!few_links(g, g->adj.col[q]))
                    continue;
                closed += gnd_csr_find(&g->adj, g->adj.col[p], g->adj.col[q]) >= 0;
                all++;
            }
    gnd_graph_free(g);
    return (double)closed / (double)all;
}

static void communities_are_planted(void **state)
{
    gnd_make_opts o = small;
    gnd_graph *a = made(o), *b;

    (void)state;
    o.n_community = 6; /* one per class, as by default */
    b = made(o);
    assert_true(fingerprint(a) == fingerprint(b));
    gnd_graph_free(a);
    gnd_graph_free(b);
    assert_true(closed_share(60) > 3 * closed_share(6));
}

static void words_tell_the_class(void **state)
{
    gnd_graph *g = made(small);
    int64_t own = 0;

    (void)state;
    assert_int_equal(g->n_feat, 64);
    for (int64_t i = 0; i < g->n_node; i++) {
        assert_in_range(g->feat.ptr[i + 1] - g->feat.ptr[i], 1, 8);
        for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++)
            own += g->feat.col[p] % 6 == g->label[i];
    }
    CHECK_CLOSE((double)own / (double)gnd_csr_nnz(&g->feat), .25 + .75 / 6, .03);
    gnd_graph_free(g);
}

/* The smallest graphs, sizes about powers of two, more classes than fill a block, no features. */
static void odd_sizes(void **state)
{
    static const int64_t n[] = {2, 3, 4, 5, 31, 32, 33, 1000, 1025};

    (void)state;
    for (int64_t k = 0; k < LENGTH(n); k++)
        for (int c = 1; c <= 3 && c <= n[k]; c++) {
            gnd_make_opts o = {.size = sizeof o,
                               .n_node = n[k],
                               .n_edge = 4 * n[k],
                               .n_class = c == 3 ? (int32_t)n[k] : c,
                               .n_feat = c == 2 ? 2 : 0,
                               .n_word = 1024,
                               .inside = 50 * (c - 1),
                               .seed = (uint64_t)k};
            gnd_graph *g = made(o);

            assert_int_equal(g->n_node, n[k]);
            for (int64_t i = 0; i < n[k]; i++)
                assert_in_range(g->label[i], 0, o.n_class - 1);
            gnd_graph_free(g);
        }
}

static void bad_options(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;
    gnd_make_opts o;

    (void)state;
#define REFUSED(field, value, text)                                                                \
    o = small;                                                                                     \
    o.field = value;                                                                               \
    CHECK_FAILS(gnd_graph_make(&g, &o, &err), GND_ERR_ARG, text);                                  \
    assert_null(g)
    REFUSED(size, 1, "gnd_make_opts");
    REFUSED(n_node, 1, "vertices");
    REFUSED(n_node, INT32_MAX, "vertices");
    REFUSED(n_edge, 0, "edges");
    REFUSED(n_edge, INT64_MAX, "edges");
    REFUSED(n_class, 0, "classes");
    REFUSED(n_class, 3001, "classes");
    REFUSED(n_class, 70000, "classes");
    REFUSED(n_feat, 5, "features");
    REFUSED(n_feat, -1, "features");
    REFUSED(n_feat, INT32_MAX, "features");
    REFUSED(n_word, 0, "words");
    REFUSED(n_word, 1025, "words");
    REFUSED(inside, -1, "percent");
    REFUSED(inside, 101, "percent");
    REFUSED(n_community, -1, "communities");
    REFUSED(n_community, 5, "communities");
    REFUSED(n_community, 3001, "communities");
#undef REFUSED
    CHECK_FAILS(gnd_graph_make(&g, NULL, &err), GND_ERR_ARG, "vertices");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_on_every_machine), cmocka_unit_test(shape),
        cmocka_unit_test(classes_are_planted),   cmocka_unit_test(communities_are_planted),
        cmocka_unit_test(words_tell_the_class),  cmocka_unit_test(odd_sizes),
        cmocka_unit_test(bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
