/* SPDX-License-Identifier: MIT
 * test_coordinates.c - views of graphs whose features and links have nothing to do with each other:
 * when they are made, of what, and what they see. */
#include "label/coordinates.h"

#include "graph/graph.h"
#include "embed/links.h"
#include "planted.h"
#include "embed/points.h"

static const gnd_coordinates_opts opts = {.weighting = {true, true},
                                          .raw = true,
                                          .near = true,
                                          .heterophily = true,
                                          .teleport = 0.1,
                                          .teleport_near = 0.25,
                                          .n_class = 3};

enum { OTHERS = 9, ALL = OTHERS + 2 * GND_WEIGHTINGS + 1 };

/* Those that strangers have, first those that may know nothing of a vertex; then the rest. */
static void points_of(const gnd_points *out[ALL], const gnd_coordinates *v)
{
    const gnd_points *const all[ALL] = {&v->feature_half[0], &v->feature_half[1],
                                        &v->links_most[0],   &v->links_most[1],
                                        &v->links_half[0],   &v->links_half[1],
                                        &v->alternating,     &v->links_only[0],
                                        &v->links_only[1],   &v->diffused[0],
                                        &v->diffused[1],     &v->near[0],
                                        &v->near[1],         &v->raw};

    memcpy(out, all, sizeof all);
}

static bool is_empty(const gnd_points *p)
{
    return p->n == 0 && p->r == 0 && !p->z && !p->value;
}

static gnd_coordinates coordinates_of(const gnd_csr *x, const gnd_csr *adj,
                                      const gnd_coordinates_opts *o, gnd_pool *pool)
{
    gnd_coordinates v;
    gnd_error err;

    CHECK_OK(gnd_coordinates_init(&v, x, adj, o, pool, &err));
    assert_int_equal(err.code, GND_OK); /* what there is nothing to see in leaves no message */
    return v;
}

static gnd_graph *graph_of(double lean)
{
    return planted_graph(
        (plan){.n = 300, .n_class = 3, .inside = 6, .across = 2, .words = 6, .lean = lean});
}

/* ---- what is made ---- */

static void friends_have_no_others(void **state)
{
    gnd_graph *g = graph_of(0.6);
    gnd_coordinates v = coordinates_of(&g->feat, &g->adj, &opts, NULL);
    const gnd_points *all[ALL];

    (void)state;
    points_of(all, &v);
    assert_true(v.heterophily <= 0);
    for (int k = 0; k < ALL; k++)
        if (k < OTHERS)
            assert_true(is_empty(all[k]));
        else
            check_sane(all[k]);
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

static void plain_kin_need_no_features_alone(void **state)
{
    gnd_graph *g = planted_graph(
        (plan){.n = 300, .n_class = 3, .inside = 6, .across = 2, .words = 24, .lean = 0.9});
    gnd_coordinates v = coordinates_of(&g->feat, &g->adj, &opts, NULL);

    (void)state;
    assert_true(v.heterophily <= 0);
    assert_true(is_empty(&v.raw));
    check_sane(&v.diffused[v.first]);
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

/* Rows are sane, but that one half may know nothing of a vertex; the other then does. */
static void check_halves(const gnd_points half[2])
{
    for (int64_t i = 0; i < half[0].n; i++) {
        double sum[2] = {0};

        for (int k = 0; k < 2; k++) {
            for (int64_t j = 0; j < half[k].r; j++)
                sum[k] += pow((double)half[k].z[i * half[k].r + j], 2);
            CHECK_CLOSE(sum[k], sum[k] > 0, 1e-5);
        }
        assert_true(sum[0] + sum[1] > 0);
    }
}

static void uncorrelated_features_have_all(void **state)
{
    gnd_graph *g = graph_of(0);
    gnd_coordinates_opts o = opts;
    gnd_coordinates v = coordinates_of(&g->feat, &g->adj, &o, NULL), without;
    const gnd_points *all[ALL], *less[ALL];

    (void)state;
    points_of(all, &v);
    assert_true(v.heterophily > 0);
    for (int k = 0; k < ALL; k++) {
        assert_int_equal(all[k]->n, 300);
        if (k >= 6)
            check_sane(all[k]);
    }
    check_halves(v.feature_half);
    assert_int_equal(v.links_only[0].r, 30); /* one for ten vertices */
    assert_true(v.alternating.r == 30 && v.feature_half[0].r == 30 && v.feature_half[1].r == 30);
    assert_false(same_points(&v.feature_half[0], &v.feature_half[1]));
    assert_false(same_points(&v.links_half[0], &v.links_half[1]));
    o.heterophily = false; /* nobody wants them: none, and the rest as it is */
    without = coordinates_of(&g->feat, &g->adj, &o, NULL);
    points_of(less, &without);
    assert_true(without.heterophily <= 0);
    for (int k = 0; k < ALL; k++)
        assert_true(k < OTHERS ? is_empty(less[k]) : same_points(less[k], all[k]));
    gnd_coordinates_fini(&without);
    gnd_coordinates_fini(&v);
    assert_true(is_empty(&v.links_only[0]) && !v.held_out.ptr && is_empty(&v.alternating) &&
                is_empty(&v.feature_half[1]));
    gnd_graph_free(g);
}

/* Without features there is nothing that links could be strangers to. */
static void links_alone(void **state)
{
    gnd_graph *g = graph_of(0);
    gnd_coordinates v = coordinates_of(NULL, &g->adj, &opts, NULL);

    (void)state;
    assert_true(v.heterophily <= 0);
    check_sane(&v.links_only[GND_PATHS_EVEN]);
    assert_int_equal(v.links_only[GND_PATHS_EVEN].n, 300);
    assert_true(is_empty(&v.links_only[GND_PATHS_ALL]) && is_empty(&v.links_most[0]));
    assert_true(is_empty(&v.feature_half[0]) && is_empty(&v.feature_half[1]) &&
                is_empty(&v.alternating));
    assert_true(is_empty(&v.links_half[0]) && is_empty(&v.links_half[1]) && is_empty(&v.raw));
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 7};

    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* strangers, friends, links alone */
        gnd_graph *g = graph_of(kind == 1 ? 0.6 : 0);
        gnd_coordinates v[3];
        const gnd_points *one[ALL], *many[ALL];

        for (int t = 0; t < 3; t++) {
            gnd_pool *pool = eager_pool(threads[t]);

            v[t] = coordinates_of(kind < 2 ? &g->feat : NULL, &g->adj, &opts, pool);
            assert_int_equal(v[t].heterophily > 0, kind == 0);
            points_of(one, &v[0]);
            points_of(many, &v[t]);
            for (int k = 0; k < ALL; k++)
                assert_true(same_points(many[k], one[k]));
            gnd_pool_free(pool);
        }
        for (int t = 0; t < 3; t++)
            gnd_coordinates_fini(&v[t]);
        gnd_graph_free(g);
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
    gnd_graph *g = graph_of(0.6);
    gnd_csr none = make_empty(300);
    gnd_coordinates v = coordinates_of(&g->feat, &none, &opts, NULL);

    (void)state;
    assert_true(v.heterophily <= 0);
    assert_true(is_empty(&v.links_only[0]));
    check_sane(&v.diffused[v.first]);
    gnd_coordinates_fini(&v);
    v = coordinates_of(NULL, &none, &opts, NULL);
    assert_true(is_empty(&v.links_only[0]));
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&none);
    gnd_graph_free(g);
}

/* One half of one column is empty, and all who have it look the same to the other; on a ring, also
 * to features alone. */
static void features_of_one_column(void **state)
{
    gnd_graph *g = graph_of(0);
    gnd_csr ring = make_cycle(300), x = one_column(300);
    gnd_coordinates v = coordinates_of(&x, &g->adj, &opts, NULL);

    (void)state;
    assert_true(v.heterophily > 0);
    assert_true(is_empty(&v.feature_half[0]) && is_empty(&v.feature_half[1]));
    assert_int_equal(v.diffused[v.first].r, 30); /* beside links */
    assert_int_equal(v.raw.r, 1);
    check_sane(&v.links_only[0]);
    gnd_coordinates_fini(&v);
    v = coordinates_of(&x, &ring, &opts, NULL);
    assert_true(is_empty(&v.raw));
    assert_true(v.heterophily > 0 && is_empty(&v.feature_half[0]) && is_empty(&v.feature_half[1]));
    assert_int_equal(v.alternating.r, 1);
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&x);
    gnd_csr_fini(&ring);
    gnd_graph_free(g);
}

/* A half of one link is empty, or both are short: nothing fails. */
static void hardly_any_links(void **state)
{
    for (int64_t n = 2; n < 6; n++) {
        gnd_csr path = make_path(n), x = one_column(n);
        gnd_coordinates v = coordinates_of(NULL, &path, &opts, NULL);

        assert_int_equal(v.links_only[0].n, n);
        gnd_coordinates_fini(&v);
        v = coordinates_of(&x, &path, &opts, NULL);
        assert_true(v.heterophily > 0);
        gnd_coordinates_fini(&v);
        gnd_csr_fini(&x);
        gnd_csr_fini(&path);
    }
    (void)state;
}

/* ---- halves ---- */

/* a without the entries of column j. */
static gnd_csr without_column(const gnd_csr *a, int32_t j)
{
    int64_t to = 0;
    gnd_csr out = {0};
    gnd_error err;

    CHECK_OK(gnd_csr_copy(&out, a, &err));
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++)
            if (a->col[q] != j)
                out.col[to++] = a->col[q];
        out.ptr[i + 1] = to;
    }
    return out;
}

/* Each feature is in one half, the other does not know of it; and so each link. Of either half
 * there are some. */
static void halves_share_nothing(void **state)
{
    enum { TRIES = 8 };
    gnd_graph *g = planted_graph(
        (plan){.n = 120, .n_class = 3, .inside = 4, .across = 2, .words = 6, .directed = true});
    gnd_coordinates v = coordinates_of(&g->feat, &g->adj, &opts, NULL), w;
    int64_t first = 0, first_link = 0;

    (void)state;
    assert_true(v.heterophily > 0 && !g->adj.val && !g->feat.val);
    for (int32_t j = 0; j < TRIES; j++) {
        gnd_csr x = without_column(&g->feat, 3 * j);
        const int64_t drop = gnd_csr_nnz(&g->adj) / TRIES * j;
        gnd_csr adj = {0};
        gnd_error err;

        w = coordinates_of(&x, &g->adj, &opts, NULL);
        assert_true(w.heterophily > 0);
        assert_true(same_points(&v.feature_half[0], &w.feature_half[0]) !=
                    same_points(&v.feature_half[1], &w.feature_half[1]));
        first += same_points(&v.feature_half[1], &w.feature_half[1]);
        gnd_coordinates_fini(&w);
        CHECK_OK(gnd_csr_copy(&adj, &g->adj, &err));
        memmove(adj.col + drop, adj.col + drop + 1,
                (size_t)(gnd_csr_nnz(&adj) - drop - 1) * sizeof *adj.col);
        for (int64_t i = 0; i <= adj.n_row; i++)
            adj.ptr[i] -= adj.ptr[i] > drop;
        w = coordinates_of(&g->feat, &adj, &opts, NULL);
        assert_true(w.heterophily > 0);
        if (gnd_csr_nnz(&w.links) < gnd_csr_nnz(&v.links)) { /* it was not stated the other way */
            assert_true(same_points(&v.links_half[0], &w.links_half[0]) !=
                        same_points(&v.links_half[1], &w.links_half[1]));
            first_link += same_points(&v.links_half[1], &w.links_half[1]);
        }
        gnd_coordinates_fini(&w);
        gnd_csr_fini(&adj);
        gnd_csr_fini(&x);
    }
    assert_in_range(first, 1, TRIES - 1);
    assert_in_range(first_link, 1, TRIES - 1);
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

/* ---- what they see ---- */

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

/* Vertices of one class have no link with each other, but neighbours in common: bare finds them
 * close, and neighbours apart. Diffusion with loops finds both close. */
static void bare_sees_common_neighbours(void **state)
{
    gnd_csr links = opposites();
    gnd_coordinates v = coordinates_of(NULL, &links, &opts, NULL);
    const gnd_points *far = &v.diffused[v.first];
    const double own = mean_cosine(&v.links_only[0], 0);

    (void)state;
    assert_true(own > 0.3);
    for (int64_t by = 1; by < C; by++)
        assert_true(mean_cosine(&v.links_only[0], by) < own / 3);
    assert_true(mean_cosine(far, 1) > mean_cosine(far, 0) / 2);
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&links);
}

/* Vertices without links lie in the middle of bare and take no direction from the others. */
static void bare_leaves_lone_vertices(void **state)
{
    plan made = {.n = V, .n_class = C, .inside = 4, .across = 1};
    gnd_coordinates_opts o = opts;
    double own[2], other[2];

    (void)state;
    o.n_class = GND_RANK_HIGH; /* as many coordinates of either */
    for (int k = 0; k < 2; k++) {
        gnd_csr adj = {0};
        gnd_coordinates v;

        made.lone = k ? 3 * V : 0;
        planted_links(&adj, &made);
        v = coordinates_of(NULL, &adj, &o, NULL);
        assert_int_equal(v.links_only[0].n, V + made.lone);
        own[k] = mean_cosine(&v.links_only[0], 0);
        other[k] = mean_cosine(&v.links_only[0], 1);
        for (int64_t e = V * v.links_only[0].r; e < v.links_only[0].n * v.links_only[0].r; e++)
            assert_true(v.links_only[0].z[e] == 0);
        gnd_coordinates_fini(&v);
        gnd_csr_fini(&adj);
    }
    CHECK_CLOSE(own[1], own[0], 1e-4);
    CHECK_CLOSE(other[1], other[0], 1e-4);
}

/* Words that lean to the class, links that join other classes: neighbours are opposites. */
static void unlike_sees_opposites(void **state)
{
    gnd_csr links = opposites(), x = {0};
    gnd_coordinates v;
    double own;

    (void)state;
    planted_words(&x, &(plan){.n = V, .n_class = C, .words = 12, .lean = 0.6});
    v = coordinates_of(&x, &links, &opts, NULL);
    assert_true(v.heterophily > 0);
    own = mean_cosine(&v.alternating, 0);
    assert_true(own > 1.5 * mean_cosine(&v.raw, 0)); /* many say more than one */
    assert_true(mean_cosine(&v.alternating, 1) < -0.5);
    for (int64_t by = 2; by < C; by++)
        CHECK_CLOSE(mean_cosine(&v.alternating, by), 0, 0.1);
    assert_true(mean_cosine(&v.diffused[v.first], 1) >
                0); /* where neighbours are taken to be alike */
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&x);
    gnd_csr_fini(&links);
}

/* ---- small parts ---- */

/* A path and triangles, with features that say nothing. */
static gnd_coordinates path_and_triangles(int64_t path, int64_t triangles)
{
    const int64_t n = path + 3 * triangles;
    link_list l = {.n = 0};
    gnd_csr links, x = one_column(n);
    gnd_coordinates v;

    add_path(&l, 0, path);
    for (int64_t k = 0; k < triangles; k++)
        add_clique(&l, path + 3 * k, 3);
    links = make_links(n, &l);
    v = coordinates_of(&x, &links, &opts, NULL);
    assert_true(v.heterophily > 0);
    gnd_csr_fini(&x);
    gnd_csr_fini(&links);
    return v;
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
    gnd_coordinates v = path_and_triangles(280, 20);

    (void)state;
    assert_int_equal(seen_of(&v.links_only[GND_PATHS_ALL]), 280);
    assert_int_equal(seen_of(&v.links_only[GND_PATHS_EVEN]), 280);
    gnd_coordinates_fini(&v);
    v = path_and_triangles(40, 100);
    assert_int_equal(seen_of(&v.links_only[GND_PATHS_ALL]), 340);
    gnd_coordinates_fini(&v);
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
    gnd_coordinates v = coordinates_of(
        NULL, &ring,
        &(gnd_coordinates_opts){
            .weighting = {[GND_WEIGHT_EQUAL] = true}, .teleport = teleport, .n_class = n_class},
        NULL);
    gnd_points p = v.diffused[GND_WEIGHT_EQUAL];

    v.diffused[GND_WEIGHT_EQUAL] = (gnd_points){0};
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&ring);
    return p;
}

/* Does a ring get the same coordinates with teleport 0, the choice of the views, as with another?
 */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friends_have_no_others),
        cmocka_unit_test(plain_kin_need_no_features_alone),
        cmocka_unit_test(uncorrelated_features_have_all),
        cmocka_unit_test(links_alone),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(no_links),
        cmocka_unit_test(features_of_one_column),
        cmocka_unit_test(hardly_any_links),
        cmocka_unit_test(halves_share_nothing),
        cmocka_unit_test(bare_sees_common_neighbours),
        cmocka_unit_test(bare_leaves_lone_vertices),
        cmocka_unit_test(unlike_sees_opposites),
        cmocka_unit_test(small_parts),
        cmocka_unit_test(larger_classes_reach_farther),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
