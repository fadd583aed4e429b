/* SPDX-License-Identifier: MIT
 * test_simple_graphs.c - method auto on graphs whose labelling is evident: paths, trees, grids,
 * cliques, components. No vertex may be wrong. */
#include "embed/links.h"
#include "graph/graph.h"

enum { RED, BLUE, UNKNOWN = -1 };

/* A few labels: vertex and class. */
typedef struct {
    int32_t vertex, cls;
} label_of;

static gnd_graph *graph_of(int64_t n, const link_list *l, const label_of *label, int64_t n_label)
{
    static const char *const name[] = {"red", "blue"};
    gnd_graph *g = NULL;
    int32_t number;
    gnd_error err;

    CHECK_OK(gnd_graph_new(&g, "simple", n, &err));
    gnd_csr_fini(&g->adj);
    g->adj = make_links(n, l);
    for (int k = 0; k < 2; k++)
        CHECK_OK(gnd_graph_class_of(&number, g, name[k], strlen(name[k]), &err));
    for (int64_t v = 0; v < n; v++)
        g->label[v] = -1;
    for (int64_t k = 0; k < n_label; k++)
        g->label[label[k].vertex] = label[k].cls;
    CHECK_OK(gnd_graph_check(g, "simple", &err));
    return g;
}

/* The prediction from these labels, which it keeps. */
static gnd_prediction *labelled(int64_t n, const link_list *l, const label_of *label,
                                int64_t n_label)
{
    const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};
    gnd_graph *g = graph_of(n, l, label, n_label);
    gnd_prediction *p = NULL;
    gnd_config *c = NULL;
    gnd_split *s = NULL;
    int32_t train[16];
    gnd_error err;

    for (int64_t k = 0; k < n_label; k++)
        train[k] = label[k].vertex;
    CHECK_OK(gnd_config_new(&c, "auto", &err));
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), train, n_label, NULL, 0, NULL, 0},
        &err));
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err));
    for (int64_t k = 0; k < n_label; k++)
        assert_int_equal(gnd_prediction_label(p, train[k]), label[k].cls);
    gnd_split_free(s);
    gnd_config_free(c);
    gnd_graph_free(g);
    return p;
}

/* Vertices first .. first + n - 1 have this class, or are unknown. */
static void check_range(const gnd_prediction *p, int64_t first, int64_t n, int32_t want)
{
    for (int64_t v = first; v < first + n; v++)
        if (gnd_prediction_label(p, v) != want)
            fail_msg("vertex %d has class %d, expected %d", (int)v, gnd_prediction_label(p, v),
                     want);
}

/* The same with certainty. */
static void check_certain(const gnd_prediction *p, int64_t first, int64_t n, int32_t want)
{
    check_range(p, first, n, want);
    for (int64_t v = first; v < first + n; v++)
        CHECK_CLOSE(gnd_prediction_prob(p, v)[want], 1, 1e-6);
}

/* ---- connected graphs ---- */

static void path_with_labelled_ends(void **state)
{
    enum { N = 100 };
    const label_of ends[] = {{0, RED}, {N - 1, BLUE}};
    link_list l = {.n = 0};
    gnd_prediction *p;

    (void)state;
    add_path(&l, 0, N);
    p = labelled(N, &l, ends, 2);
    check_range(p, 0, N / 2, RED);
    check_range(p, N / 2, N / 2, BLUE);
    gnd_prediction_free(p);
}

/* Vertex v has the children 2 v + 1 and 2 v + 2; those of the root are labelled. */
static void complete_binary_tree(void **state)
{
    enum { N = 255 };
    const label_of children[] = {{1, RED}, {2, BLUE}};
    link_list l = {.n = 0};
    gnd_prediction *p;

    (void)state;
    for (int64_t v = 1; v < N; v++)
        add_link(&l, (v - 1) / 2, v);
    p = labelled(N, &l, children, 2);
    for (int64_t v = 1; v < N; v++) {
        int64_t top = v;

        while (top > 2)
            top = (top - 1) / 2;
        check_range(p, v, 1, top == 1 ? RED : BLUE);
    }
    gnd_prediction_free(p);
}

/* Labels on the left and on the right side, at the same heights. */
static void grid(void **state)
{
    enum { SIDE = 20 };
    const label_of sides[] = {
        {3 * SIDE, RED},      {10 * SIDE, RED},      {16 * SIDE, RED},
        {4 * SIDE - 1, BLUE}, {11 * SIDE - 1, BLUE}, {17 * SIDE - 1, BLUE},
    };
    link_list l = {.n = 0};
    gnd_prediction *p;

    (void)state;
    for (int64_t y = 0; y < SIDE; y++) {
        add_path(&l, y * SIDE, SIDE);
        for (int64_t x = 0; x < SIDE && y > 0; x++)
            add_link(&l, (y - 1) * SIDE + x, y * SIDE + x);
    }
    p = labelled(SIDE * SIDE, &l, sides, LENGTH(sides));
    for (int64_t y = 0; y < SIDE; y++) {
        check_range(p, y * SIDE, SIDE / 2, RED);
        check_range(p, y * SIDE + SIDE / 2, SIDE / 2, BLUE);
    }
    gnd_prediction_free(p);
}

/* Labels at the ends of the link between them, or far from it. */
static void two_cliques(void **state)
{
    enum { SIZE = 10 };
    const label_of near[] = {{SIZE - 1, RED}, {SIZE, BLUE}};
    const label_of far[] = {{0, RED}, {2 * SIZE - 1, BLUE}};
    link_list l = {.n = 0};
    gnd_prediction *p;

    (void)state;
    add_clique(&l, 0, SIZE);
    add_clique(&l, SIZE, SIZE);
    add_link(&l, SIZE - 1, SIZE);
    for (int k = 0; k < 2; k++) {
        p = labelled(2 * SIZE, &l, k ? near : far, 2);
        check_range(p, 0, SIZE, RED);
        check_range(p, SIZE, SIZE, BLUE);
        gnd_prediction_free(p);
    }
}

/* ---- components ---- */

/* A path and a clique, one label each; then with further labels; and a ring without any label. */
static void each_component_its_class(void **state)
{
    enum { PATH = 30, CLIQUE = 8, RING = 12, N = PATH + CLIQUE + RING };
    const label_of label[] = {{3, RED},         {PATH + 2, BLUE}, {20, RED},
                              {PATH + 5, BLUE}, {9, RED},         {PATH + 7, BLUE}};
    link_list l = {.n = 0};

    (void)state;
    add_path(&l, 0, PATH);
    add_clique(&l, PATH, CLIQUE);
    add_path(&l, PATH + CLIQUE, RING);
    add_link(&l, PATH + CLIQUE, N - 1);
    for (int64_t n = 2; n <= LENGTH(label); n += 2) {
        gnd_prediction *p = labelled(N, &l, label, n);

        check_certain(p, 0, PATH, RED);
        check_certain(p, PATH, CLIQUE, BLUE);
        check_range(p, PATH + CLIQUE, RING, UNKNOWN);
        gnd_prediction_free(p);
    }
}

/* Labels of both classes in one component, of one class in the other: only that one there. */
static void a_class_stays_in_its_components(void **state)
{
    enum { PATH = 40, N = 2 * PATH + 1 };
    const label_of label[] = {{0, RED}, {PATH - 1, BLUE}, {PATH + 20, BLUE}};
    link_list l = {.n = 0};
    gnd_prediction *p;

    (void)state;
    add_path(&l, 0, PATH);
    add_path(&l, PATH, PATH);
    p = labelled(N, &l, label, LENGTH(label));
    check_range(p, 0, PATH / 2 - 2, RED); /* about the middle either class will do */
    check_range(p, PATH / 2 + 2, PATH / 2 - 2, BLUE);
    check_certain(p, PATH, PATH, BLUE);
    check_range(p, N - 1, 1, UNKNOWN); /* a lone vertex */
    gnd_prediction_free(p);
}

/* A star whose centre is red; blue is in another component, of two vertices. */
static void star_with_a_labelled_centre(void **state)
{
    enum { LEAVES = 25, STAR = LEAVES + 1, N = STAR + 2 };
    const label_of label[] = {{0, RED}, {STAR, BLUE}};
    link_list l = {.n = 0};
    gnd_prediction *p;

    (void)state;
    for (int64_t v = 1; v < STAR; v++)
        add_link(&l, 0, v);
    add_link(&l, STAR, STAR + 1);
    p = labelled(N, &l, label, 2);
    check_certain(p, 0, STAR, RED);
    check_certain(p, STAR, 2, BLUE);
    gnd_prediction_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_with_labelled_ends),
        cmocka_unit_test(complete_binary_tree),
        cmocka_unit_test(grid),
        cmocka_unit_test(two_cliques),
        cmocka_unit_test(each_component_its_class),
        cmocka_unit_test(a_class_stays_in_its_components),
        cmocka_unit_test(star_with_a_labelled_centre),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
