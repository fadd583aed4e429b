/* SPDX-License-Identifier: MIT
 * test_coordinates_features.c - what features count: amounts, words that were weighed before, few
 * features beside links, and a vertex's own. */
#include "base/alloc.h"
#include "label/coordinates.h"
#include "planted.h"
#include "linalg/point_checks.h"
#include "prepared.h"
#include "random_graph.h"

static const gnd_coordinates_opts opts = {.teleport = 0.1, .n_class = 3};

static gnd_coordinates coordinates_of(const gnd_csr *x, const gnd_csr *adj)
{
    const gnd_coordinates v = coordinates_with(x, adj, &opts);

    check_sane(&v.diffused);
    return v;
}

static gnd_graph *graph_of(double lean)
{
    return planted_graph(
        (plan){.n = 300, .n_class = 3, .inside = 6, .across = 2, .words = 6, .lean = lean});
}

/* An embedding of the words in amounts: whatever unit and middle each of its columns has, the
 * points are the same; and amounts alone tell classes apart, with directions of both signs. */
static void units_of_numeric_features(void **state)
{
    enum { D = 5 };
    gnd_graph *g = graph_of(0.6);
    const int64_t n = g->n_node;
    gnd_csr x[2];
    gnd_coordinates v[2];
    gnd_error err;
    (void)state;

    for (int k = 0; k < 2; k++) {
        CHECK_OK(gnd_csr_init(&x[k], n, D, n * D, true, &err));
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < D; j++) {
                const int64_t e = i * D + j;
                const double u = gnd_rng_uniform(7, 1, (uint64_t)e);
                const double z = floor(256 * (u + (g->label[i] == j % 3 ? 0.7 : 0))) / 256;

                x[k].ptr[i + 1] = e + 1;
                x[k].col[e] = (int32_t)j;
                x[k].val[e] = (gnd_real)(k ? 1000 + pow(16, (double)j) * z : z - 0.501953125);
            }
        v[k] = coordinates_of(&x[k], &g->adj);
    }
    assert_int_equal(v[0].diffused.r, 30); /* links beside them */
    assert_true(same_points(&v[0].diffused, &v[1].diffused));
    for (int k = 0; k < 2; k++) {
        gnd_coordinates_fini(&v[k]);
        gnd_csr_fini(&x[k]);
    }
    gnd_graph_free(g);
}

static double cosine_of(const gnd_points *p, int64_t i, int64_t j)
{
    double sum = 0;

    for (int64_t k = 0; k < p->r; k++)
        sum += (double)p->z[i * p->r + k] * (double)p->z[j * p->r + k];
    return sum;
}

/* Words whose values are log(n / df) to a power: they get what they lack of half a power, so that
 * the points are the same; a whole power stays, and gives others. */
static void values_that_were_weighed(void **state)
{
    const double power[] = {0, 0.25, 0.5, 1};
    gnd_graph *g = graph_of(0.6);
    gnd_coordinates first = {0};
    gnd_csr xt;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_transpose(&xt, &g->feat, &err));
    g->feat.val = gnd_alloc(gnd_csr_nnz(&g->feat), sizeof *g->feat.val);
    assert_non_null(g->feat.val);
    for (int k = 0; k < 4; k++) {
        double most = 0;
        gnd_coordinates v;

        for (int64_t q = 0; q < gnd_csr_nnz(&g->feat); q++) {
            const int64_t j = g->feat.col[q];
            const double df = (double)(xt.ptr[j + 1] - xt.ptr[j]);

            g->feat.val[q] = (gnd_real)(7 * pow(log(300 / df), power[k]));
        }
        v = coordinates_of(&g->feat, &g->adj);
        if (k == 0) {
            first = v;
            continue;
        }
        for (int64_t e = 0; e < 300 * 300; e++)
            most = fmax(most, fabs(cosine_of(&v.diffused, e / 300, e % 300) -
                                   cosine_of(&first.diffused, e / 300, e % 300)));
        if (k < 3)
            assert_true(most < 1e-3);
        else
            assert_true(most > 1e-2);
        gnd_coordinates_fini(&v);
    }
    gnd_coordinates_fini(&first);
    gnd_csr_fini(&xt);
    gnd_graph_free(g);
}

/* The unit of weights of links does not matter; 2^-20 of it leaves even the bits. */
static void unit_of_weights(void **state)
{
    gnd_graph *g = random_graph(120, 40, 3);
    gnd_coordinates v, small;

    (void)state;
    assert_non_null(g->adj.val);
    v = coordinates_of(&g->feat, &g->adj);
    for (int64_t q = 0; q < gnd_csr_nnz(&g->adj); q++)
        g->adj.val[q] *= (gnd_real)0x1p-20;
    small = coordinates_of(&g->feat, &g->adj);
    assert_true(same_points(&v.diffused, &small.diffused));
    gnd_coordinates_fini(&small);
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

/* Features that nobody has, or that all have as much, say nothing: then each vertex is its own. */
static void features_that_say_nothing(void **state)
{
    gnd_csr links = make_cycle(30), none = {0}, same = {0};
    const gnd_csr *const silent[] = {&none, &same};
    gnd_coordinates own, v;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&none, 30, 5, 0, false, &err));
    CHECK_OK(gnd_csr_init(&same, 30, 5, 60, true, &err));
    for (int64_t i = 0; i < 30; i++) {
        same.ptr[i + 1] = 2 * (i + 1);
        same.col[2 * i] = 1;
        same.col[2 * i + 1] = 4;
        same.val[2 * i] = (gnd_real)0.3;
        same.val[2 * i + 1] = (gnd_real)-0.7;
    }
    own = coordinates_of(NULL, &links);
    assert_int_equal(own.own.n, 0);
    for (int k = 0; k < 2; k++) {
        v = coordinates_of(silent[k], &links);
        assert_true(same_points(&v.diffused, &own.diffused));
        gnd_coordinates_fini(&v);
    }
    gnd_coordinates_fini(&own);
    gnd_csr_fini(&same);
    gnd_csr_fini(&none);
    gnd_csr_fini(&links);
}

enum { V = 240, C = 4 };

/* Of pairs whose classes, i % C, differ by `by`. */
static double mean_cosine(const gnd_points *p, int64_t by)
{
    double sum = 0;
    int64_t m = 0;

    for (int64_t i = 0; i < V; i++)
        for (int64_t j = 0; j < V; j++)
            if (i != j && (i + by) % C == j % C) {
                for (int64_t k = 0; k < p->r; k++)
                    sum += (double)p->z[i * p->r + k] * (double)p->z[j * p->r + k];
                m++;
            }
    return sum / (double)m;
}

/* One column says nothing of four classes, and links tell them: beside it they are seen too. */
static void few_features_beside_links(void **state)
{
    gnd_csr x, adj = {0};
    gnd_coordinates v;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, V, 1, V / 4, false, &err));
    for (int64_t i = 0; i < V; i++)
        x.ptr[i + 1] = (i + 4) / 4;
    planted_links(&adj, &(plan){.n = V, .n_class = C, .inside = 6, .across = 1});
    v = coordinates_of(&x, &adj);
    for (int64_t by = 1; by < C; by++)
        assert_true(mean_cosine(&v.diffused, 0) > 0.3 + mean_cosine(&v.diffused, by));
    assert_true(v.own.r <= 1); /* features alone stay alone */
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&adj);
    gnd_csr_fini(&x);
}

/* Vertices with the same words are at the same point by themselves, whoever their neighbours are;
 * one without words is in the middle. Many words, of which directions are chosen, and few. */
static void own_features(void **state)
{
    enum { LAST = 299 };
    (void)state;

    for (int few = 0; few < 2; few++) {
        const int32_t columns = few ? 12 : 96;
        gnd_graph *g = graph_of(0.6);
        gnd_csr x = {0};
        gnd_coordinates v;
        gnd_error err;

        CHECK_OK(gnd_csr_init(&x, 300, columns, 300 * 2, false, &err));
        for (int64_t i = 0; i < 300; i++) { /* the same words as 150 before */
            x.ptr[i + 1] = i < LAST ? 2 * (i + 1) : x.ptr[i];
            for (int64_t k = 0; k < 2 && i < LAST; k++)
                x.col[2 * i + k] = (int32_t)((i % 150 * 5 % (columns / 2)) + k * columns / 2);
        }
        v = coordinates_of(&x, &g->adj);
        assert_int_equal(v.own.n, 300);
        for (int64_t i = 0; i < LAST - 150; i++)
            CHECK_CLOSE(cosine_of(&v.own, i, i + 150), 1, 1e-5);
        assert_true(cosine_of(&v.own, LAST, LAST) == 0);
        assert_true(cosine_of(&v.own, 0, 1) < 0.9);
        assert_true(cosine_of(&v.diffused, 0, 150) < 0.99);
        gnd_coordinates_fini(&v);
        gnd_csr_fini(&x);
        gnd_graph_free(g);
    }
}

/* Without links nothing is diffused, and without features nothing is its own. */
static void nothing_of_its_own(void **state)
{
    gnd_graph *g = graph_of(0.6);
    gnd_csr none = {0};
    gnd_coordinates v;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&none, 300, 300, 0, false, &err));
    v = coordinates_of(&g->feat, &none);
    assert_int_equal(v.own.n, 0);
    gnd_coordinates_fini(&v);
    v = coordinates_of(NULL, &g->adj);
    assert_int_equal(v.own.n, 0);
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&none);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_of_numeric_features), cmocka_unit_test(values_that_were_weighed),
        cmocka_unit_test(unit_of_weights),           cmocka_unit_test(features_that_say_nothing),
        cmocka_unit_test(few_features_beside_links), cmocka_unit_test(own_features),
        cmocka_unit_test(nothing_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
