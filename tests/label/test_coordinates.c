/* SPDX-License-Identifier: MIT
 * test_coordinates.c - which coordinates are made of a graph, and how far the diffusion goes. */
#include "label/coordinates.h"

#include "embed/links.h"
#include "linalg/point_checks.h"
#include "graph/graph.h"
#include "planted.h"
#include "prepared.h"

static const gnd_coordinates_opts opts = {.teleport = 0.1, .n_class = 3};

enum { ALL = 4 };

/* All coordinates; the last two are made where features and links are uncorrelated. */
static void points_of(const gnd_points *out[ALL], const gnd_coordinates *v)
{
    const gnd_points *const all[ALL] = {&v->diffused, &v->own, &v->features, &v->links};

    memcpy(out, all, sizeof all);
}

static bool is_empty(const gnd_points *p)
{
    return p->n == 0 && p->r == 0 && !p->z && !p->value;
}

static gnd_graph *graph_of(double lean)
{
    return planted_graph(
        (plan){.n = 300, .n_class = 3, .inside = 6, .across = 2, .words = 6, .lean = lean});
}

/* ---- what is made ---- */

/* One coordinate for ten vertices, but at least one per class, and at most GND_RANK_HIGH. */
static void words(void **state)
{
    static const struct {
        int64_t n, n_class, rank;
    } cases[] = {{300, 3, 30}, {120, 20, 20}, {900, 3, GND_RANK_HIGH}};

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_graph *graph = planted_graph((plan){
            .n = cases[k].n, .n_class = 3, .inside = 6, .across = 2, .words = 6, .lean = 0.6});
        gnd_prepared g = prepared_with(
            &graph->feat, &graph->adj,
            &(gnd_coordinates_opts){.teleport = 0.1, .n_class = cases[k].n_class}, NULL);

        check_sane(&g.z.diffused);
        check_sane(&g.z.own);
        assert_int_equal(g.z.diffused.n, cases[k].n);
        assert_int_equal(g.z.diffused.r, cases[k].rank);
        assert_int_equal(g.z.own.n, cases[k].n);
        assert_false(same_points(&g.z.diffused, &g.z.own));
        gnd_prepared_fini(&g);
        assert_true(is_empty(&g.z.diffused) && is_empty(&g.z.own));
        gnd_graph_free(graph);
    }
}

/* Without features each vertex is its own. */
static void links_alone(void **state)
{
    gnd_graph *graph = graph_of(0);
    gnd_prepared g = prepared_with(NULL, &graph->adj, &opts, NULL);

    (void)state;
    check_sane(&g.z.diffused);
    assert_int_equal(g.z.diffused.n, 300);
    assert_true(is_empty(&g.z.own));
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 7};

    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* uncorrelated, correlated, links alone */
        gnd_graph *graph = graph_of(kind == 1 ? 0.6 : 0);
        gnd_prepared g[3];
        const gnd_points *one[ALL], *many[ALL];

        for (int t = 0; t < 3; t++) {
            gnd_pool *pool = eager_pool(threads[t]);

            g[t] = prepared_with(kind < 2 ? &graph->feat : NULL, &graph->adj, &opts, pool);
            points_of(one, &g[0].z);
            points_of(many, &g[t].z);
            for (int k = 0; k < ALL; k++)
                assert_true(same_points(many[k], one[k]));
            gnd_pool_free(pool);
        }
        for (int t = 0; t < 3; t++)
            gnd_prepared_fini(&g[t]);
        gnd_graph_free(graph);
    }
}

/* ---- odd graphs ---- */

/* A column that every fourth vertex has. */
static gnd_csr one_column(int64_t n)
{
    gnd_csr x = {0};
    gnd_error err;

    CHECK_OK(gnd_csr_init(&x, n, 1, (n + 3) / 4, false, &err));
    for (int64_t i = 0; i < n; i++)
        x.ptr[i + 1] = (i + 4) / 4;
    return x;
}

static void no_links(void **state)
{
    gnd_graph *graph = graph_of(0.6);
    gnd_csr none = make_empty(300);
    gnd_prepared g = prepared_with(&graph->feat, &none, &opts, NULL);

    (void)state;
    check_sane(&g.z.diffused);
    assert_true(is_empty(&g.z.own)); /* the same as diffused */
    gnd_prepared_fini(&g);
    g = prepared_with(NULL, &none, &opts, NULL);
    assert_true(is_empty(&g.z.own));
    gnd_prepared_fini(&g);
    gnd_csr_fini(&none);
    gnd_graph_free(graph);
}

/* One column spans one direction; beside it each vertex is a feature. */
static void features_of_one_column(void **state)
{
    gnd_graph *graph = graph_of(0);
    gnd_csr x = one_column(300);
    gnd_prepared g = prepared_with(&x, &graph->adj, &opts, NULL);

    (void)state;
    assert_int_equal(g.z.diffused.r, 30);
    check_sane(&g.z.diffused);
    assert_true(g.z.own.r <= 1);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&x);
    gnd_graph_free(graph);
}

/* Two vertices and a few more: nothing fails. */
static void hardly_any_links(void **state)
{
    for (int64_t n = 2; n < 6; n++) {
        gnd_csr path = make_path(n), x = one_column(n);
        gnd_prepared g = prepared_with(NULL, &path, &opts, NULL);

        assert_int_equal(g.z.diffused.n, n);
        gnd_prepared_fini(&g);
        g = prepared_with(&x, &path, &opts, NULL);
        assert_int_equal(g.z.diffused.n, n);
        gnd_prepared_fini(&g);
        gnd_csr_fini(&x);
        gnd_csr_fini(&path);
    }
    (void)state;
}

/* ---- features alone, links alone ---- */

/* Made where features and links are uncorrelated, or one of them is missing. */
static void apart_where_uncorrelated(void **state)
{
    gnd_graph *noise = graph_of(0), *words = graph_of(0.6);
    gnd_csr none = make_empty(300);
    gnd_prepared g = prepared_with(&noise->feat, &noise->adj, &opts, NULL);

    (void)state;
    check_sane(&g.z.features);
    check_sane(&g.z.links);
    assert_true(g.z.features.n == 300 && g.z.features.r == 30);
    assert_true(g.z.links.n == 300 && g.z.links.r == 30);
    gnd_prepared_fini(&g);
    assert_true(is_empty(&g.z.features) && is_empty(&g.z.links));
    g = prepared_with(&words->feat, &words->adj, &opts, NULL);
    assert_true(is_empty(&g.z.features) && is_empty(&g.z.links));
    gnd_prepared_fini(&g);
    g = prepared_with(NULL, &noise->adj, &opts, NULL);
    assert_true(is_empty(&g.z.features) && g.z.links.n == 300);
    gnd_prepared_fini(&g);
    g = prepared_with(NULL, &none, &opts, NULL);
    assert_true(is_empty(&g.z.features) && is_empty(&g.z.links));
    gnd_prepared_fini(&g);
    gnd_csr_fini(&none);
    gnd_graph_free(words);
    gnd_graph_free(noise);
}

enum { V = 240, C = 4 };

/* Vertex i is of class i % C and has links with class (i % C) ^ 1 alone. */
static gnd_csr opposites(void)
{
    link_list l = {.n = 0};
    gnd_error err;
    gnd_csr once, both = {0};

    for (int64_t k = 0; k < 6 * V; k++) {
        const int64_t i = k % V, to = (i % C) ^ 1;
        const int64_t j = (int64_t)(gnd_rng_uniform(3, 1, (uint64_t)k) * (V / C));

        add_link(&l, i, j * C + to);
    }
    once = make_links(V, &l);
    CHECK_OK(gnd_csr_symmetrise(&both, &once, &err));
    gnd_csr_fini(&once);
    return both;
}

/* Mean cosine of the vertices of a class with those of a class that is `by` off. */
static double mean_cosine(const gnd_points *p, int64_t by)
{
    double sum = 0;
    int64_t m = 0;

    for (int64_t i = 0; i < V; i++)
        for (int64_t j = 0; j < i; j++)
            if (((i % C) ^ by) == j % C) {
                for (int64_t k = 0; k < p->r; k++)
                    sum += (double)p->z[i * p->r + k] * (double)p->z[j * p->r + k];
                m++;
            }
    return sum / (double)m;
}

/* Vertices of one class have no link with each other but common neighbours: links alone find them
 * close, and neighbours not. Diffusion with loops finds both close. */
static void links_sees_common_neighbours(void **state)
{
    gnd_csr links = opposites();
    gnd_prepared g = prepared_with(NULL, &links, &opts, NULL);
    const gnd_points *far = &g.z.diffused;
    const double own = mean_cosine(&g.z.links, 0);

    (void)state;
    assert_true(own > 0.3);
    for (int64_t by = 1; by < C; by++)
        assert_true(mean_cosine(&g.z.links, by) < own / 3);
    assert_true(mean_cosine(far, 1) > mean_cosine(far, 0) / 2);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&links);
}

/* Vertices without links are at 0 by links alone and take no direction from the others. */
static void links_leaves_lone_vertices(void **state)
{
    plan made = {.n = V, .n_class = C, .inside = 4, .across = 1};
    gnd_coordinates_opts o = opts;
    double own[2], other[2];

    (void)state;
    o.n_class = GND_RANK_HIGH; /* as many coordinates of either */
    for (int k = 0; k < 2; k++) {
        gnd_csr adj = {0};
        gnd_prepared g;

        made.lone = k ? 3 * V : 0;
        planted_links(&adj, &made);
        g = prepared_with(NULL, &adj, &o, NULL);
        assert_int_equal(g.z.links.n, V + made.lone);
        own[k] = mean_cosine(&g.z.links, 0);
        other[k] = mean_cosine(&g.z.links, 1);
        for (int64_t e = V * g.z.links.r; e < g.z.links.n * g.z.links.r; e++)
            assert_true(g.z.links.z[e] == 0);
        gnd_prepared_fini(&g);
        gnd_csr_fini(&adj);
    }
    CHECK_CLOSE(own[1], own[0], 1e-4);
    CHECK_CLOSE(other[1], other[0], 1e-4);
}

/* ---- small parts ---- */

/* A path and triangles, with features that say nothing. */
static gnd_prepared path_and_triangles(int64_t path, int64_t triangles)
{
    const int64_t n = path + 3 * triangles;
    link_list l = {.n = 0};
    gnd_csr links, x = one_column(n);
    gnd_prepared g;

    add_path(&l, 0, path);
    for (int64_t k = 0; k < triangles; k++)
        add_clique(&l, path + 3 * k, 3);
    links = make_links(n, &l);
    g = prepared_with(&x, &links, &opts, NULL);
    assert_true(g.uncorrelated);
    gnd_csr_fini(&x);
    gnd_csr_fini(&links);
    return g;
}

static int64_t seen_of(const gnd_points *p)
{
    int64_t n = 0;

    for (int64_t i = 0; i < p->n; i++) {
        double sum = 0;

        for (int64_t k = 0; k < p->r; k++)
            sum += fabs((double)p->z[i * p->r + k]);
        n += sum > 0;
    }
    return n;
}

/* Small parts do not take directions from a large one; but where there are no others, they are
 * seen. */
static void small_parts(void **state)
{
    gnd_prepared g = path_and_triangles(280, 20);

    (void)state;
    assert_int_equal(seen_of(&g.z.links), 280);
    gnd_prepared_fini(&g);
    g = path_and_triangles(40, 100);
    assert_int_equal(seen_of(&g.z.links), 340);
    gnd_prepared_fini(&g);
}

/* ---- how far ---- */

/* n vertices on a ring, and `lone` ones. */
static gnd_csr ring_of(int64_t n, int64_t lone)
{
    gnd_csr ring;
    gnd_error err;

    CHECK_OK(gnd_csr_init(&ring, n + lone, n + lone, 2 * n, false, &err));
    for (int64_t i = 0; i < n; i++) {
        const int64_t a = (i + n - 1) % n, b = (i + 1) % n;

        ring.ptr[i + 1] = 2 * (i + 1);
        ring.col[2 * i] = (int32_t)(a < b ? a : b);
        ring.col[2 * i + 1] = (int32_t)(a < b ? b : a);
    }
    for (int64_t i = n; i < n + lone; i++)
        ring.ptr[i + 1] = 2 * n;
    return ring;
}

/* Coordinates of n vertices on a ring, each its own feature, of which n_class classes are wanted.
 */
static gnd_points ring_points(int64_t n, int64_t lone, double teleport, int64_t n_class)
{
    gnd_csr ring = ring_of(n, lone);
    gnd_prepared g = prepared_with(
        NULL, &ring, &(gnd_coordinates_opts){.teleport = teleport, .n_class = n_class}, NULL);
    gnd_points p = g.z.diffused;

    g.z.diffused = (gnd_points){0};
    gnd_prepared_fini(&g);
    gnd_csr_fini(&ring);
    return p;
}

/* Does a ring get the same coordinates with teleport 0, chosen by class size, as with another? */
static bool chosen(double teleport, int64_t n, int64_t lone, int64_t n_class)
{
    gnd_points a = ring_points(n, lone, 0, n_class);
    gnd_points b = ring_points(n, lone, teleport, n_class);
    const bool same = same_points(&a, &b);

    gnd_points_fini(&a);
    gnd_points_fini(&b);
    return same;
}

static void larger_classes_reach_farther(void **state)
{
    (void)state;
    assert_true(chosen(0.1, 1400, 0, 1));
    assert_true(chosen(0.1, 12000, 0, 8));
    assert_true(chosen(0.025, 12000, 0, 1)); /* 8 times as many as usual, 1/4 of the teleport */
    assert_false(chosen(0.1, 12000, 0, 1));
    assert_true(chosen(0.1, 1400, 9000, 1)); /* lone vertices are no part of a class's size */
    assert_true(chosen(0.02, 40000, 0, 1));  /* but not without end */
}

/* Coordinates of the links of g as if there were n_link entries. */
static gnd_coordinates coordinates_of_size(const gnd_prepared *g, int64_t n_link)
{
    gnd_features f = {0};
    gnd_coordinates v;
    double looped[1000];
    gnd_error err;

    assert_true(g->n <= LENGTH(looped));
    for (int64_t i = 0; i < g->n; i++)
        looped[i] = g->degree[i] + 1;
    CHECK_OK(gnd_features_init(&f, NULL, g->n, false, &g->at, NULL, &err));
    CHECK_OK(gnd_coordinates_init(&v,
                                  &(gnd_coordinates_of){&f, &g->x, &g->links, &g->S.a, g->component,
                                                        g->degree, looped, g->at, n_link},
                                  true, &opts, NULL, &err));
    gnd_features_fini(&f);
    return v;
}

/* Mean cosine of vertices of the same class less that of others; class: number mod n_class. */
static double class_gap(const gnd_points *p, int64_t n_class)
{
    double sum[2] = {0}, count[2] = {0};

    for (int64_t i = 0; i < p->n; i++)
        for (int64_t k = 0; k < i; k++) {
            const int same = i % n_class == k % n_class;

            count[same]++;
            for (int64_t c = 0; c < p->r; c++)
                sum[same] += (double)p->z[i * p->r + c] * (double)p->z[k * p->r + c];
        }
    return sum[1] / count[1] - sum[0] / count[0];
}

/* From LARGE_LINKS entries on one search gives both kinds of coordinates by links, fewer of them,
 * that tell classes apart as well. */
static void large_graphs(void **state)
{
    gnd_graph *graph = planted_graph((plan){.n = 900, .n_class = 3, .inside = 9, .across = 1});
    gnd_prepared g = prepared_with(NULL, &graph->adj, &opts, NULL);
    gnd_coordinates small = coordinates_of_size(&g, LARGE_LINKS - 1);
    gnd_coordinates large = coordinates_of_size(&g, LARGE_LINKS);

    (void)state;
    assert_true(same_points(&small.diffused, &g.z.diffused));
    assert_true(same_points(&small.links, &g.z.links));
    assert_int_equal(small.diffused.r, GND_RANK_HIGH);
    assert_int_equal(large.diffused.r, GND_RANK_LOW);
    assert_int_equal(large.links.r, GND_RANK_LOW);
    check_sane(&large.diffused);
    check_sane(&large.links);
    assert_true(class_gap(&small.links, 3) > 0.3 && class_gap(&small.diffused, 3) > 0.3);
    assert_true(class_gap(&large.links, 3) > class_gap(&small.links, 3) - 0.01);
    assert_true(class_gap(&large.diffused, 3) > class_gap(&small.diffused, 3) - 0.01);
    gnd_coordinates_fini(&small);
    gnd_coordinates_fini(&large);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(links_alone),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(no_links),
        cmocka_unit_test(features_of_one_column),
        cmocka_unit_test(hardly_any_links),
        cmocka_unit_test(apart_where_uncorrelated),
        cmocka_unit_test(links_sees_common_neighbours),
        cmocka_unit_test(links_leaves_lone_vertices),
        cmocka_unit_test(small_parts),
        cmocka_unit_test(larger_classes_reach_farther),
        cmocka_unit_test(large_graphs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
