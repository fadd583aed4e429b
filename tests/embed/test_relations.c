/* SPDX-License-Identifier: MIT
 * test_relations.c - which vertices send to which, in which division, with which weight. */
#include "embed/isomap.h"
#include "embed/poincare.h"
#include "embed/relations.h"
#include "embed/struc2vec.h"

#include "graph/graph.h"
#include "links.h"

static double entry(const gnd_csr *a, int64_t i, int32_t j)
{
    const int64_t p = gnd_csr_find(a, i, j);

    return p < 0 ? 0 : (double)gnd_csr_val(a, p);
}

/* Division of the message u -> v, -1 if there is none; a message has at most one. */
static int division_of(const gnd_relations *r, int32_t u, int32_t v)
{
    int found = -1;

    for (int k = 0; k < GND_DIVISIONS; k++)
        if (gnd_csr_find(&r->op[k].a, v, u) >= 0) {
            assert_int_equal(found, -1);
            found = k;
        }
    return found;
}

/* 0 at the origin, linked to 1 up right and 2 far down left; 3 close to 0, and not linked to it;
 * a loop. */
static void quadrants(void **state)
{
    const double z[8] = {0, 0, 1, 2, -9, -8, -0.25, 0.125};
    link_list l = {.n = 0};
    gnd_relations r;
    gnd_csr a;
    gnd_error err;

    (void)state;
    add_link(&l, 0, 1);
    add_link(&l, 2, 0);
    add_link(&l, 3, 3);
    a = make_links(4, &l);
    CHECK_OK(gnd_relations_from_coordinates(&r, &a, z, GND_METRIC_EUCLID, NULL, &err));
    assert_int_equal(r.n, 4);
    assert_int_equal(r.n_latent, 4); /* 0 - 3 and 0 - 1, which is a link too */
    CHECK_CLOSE(r.rho, (hypot(1, 2) + hypot(1.25, 1.875)) / 2, 1e-15);
    assert_int_equal(division_of(&r, 2, 0), 3); /* 0 is above and right of 2 */
    assert_int_equal(division_of(&r, 0, 2), 0);
    assert_int_equal(division_of(&r, 3, 0), 4 + 2);
    assert_int_equal(division_of(&r, 0, 3), 4 + 1);
    for (int32_t v = 0; v < 4; v++)
        assert_int_equal(division_of(&r, v, v), 8);
    assert_int_equal(division_of(&r, 1, 2), -1);
    gnd_relations_fini(&r);
    assert_null(r.nu);
    gnd_csr_fini(&a);
}

/* What holds for any graph and coordinates. */
static void check_relations(const gnd_relations *r, int64_t n)
{
    double *count = calloc((size_t)n + 1, sizeof *count);

    assert_int_equal(r->n, n);
    for (int k = 0; k < GND_DIVISIONS; k++) {
        const gnd_csr *a = &r->op[k].a;

        assert_int_equal(a->n_row, n);
        assert_int_equal(gnd_csr_nnz(a), gnd_csr_nnz(&r->op[k].at));
        for (int64_t v = 0; v < n; v++) {
            count[v] += (double)(a->ptr[v + 1] - a->ptr[v]);
            for (int64_t p = a->ptr[v]; p < a->ptr[v + 1]; p++) {
                const int32_t u = a->col[p];

                CHECK_CLOSE(gnd_csr_val(a, p), r->nu[u] * r->nu[v], 1e-7);
                CHECK_CLOSE(entry(&r->op[k].at, u, (int32_t)v), gnd_csr_val(a, p), 0);
                assert_true((k == 8) == (u == v));
                assert_true(division_of(r, (int32_t)v, u) >= 0); /* relations are symmetric */
            }
        }
    }
    for (int64_t v = 0; v < n; v++) {
        assert_true(count[v] >= 1);
        CHECK_CLOSE(r->nu[v], 1 / sqrt(count[v]), 1e-15);
    }
    free(count);
}

static bool same_csr(const gnd_csr *a, const gnd_csr *b)
{
    const size_t nnz = (size_t)gnd_csr_nnz(a);

    return gnd_csr_nnz(a) == gnd_csr_nnz(b) &&
           memcmp(a->ptr, b->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr) == 0 &&
           memcmp(a->col, b->col, nnz * sizeof *a->col) == 0 &&
           memcmp(a->val, b->val, nnz * sizeof *a->val) == 0;
}

static void every_embedding(void **state)
{
    enum { N = 80 };
    gnd_csr a = make_chance(N, 150, 2);
    gnd_error err;

    (void)state;
    for (int kind = GND_EMBED_ISOMAP; kind <= GND_EMBED_STRUC2VEC; kind++) {
        gnd_relations r[3];
        const int threads[] = {1, 2, 7};

        for (int t = 0; t < 3; t++) {
            gnd_pool *pool = eager_pool(threads[t]);

            CHECK_OK(gnd_relations_init(&r[t], &a, (gnd_embedding)kind, 5, pool, &err));
            gnd_pool_free(pool);
        }
        check_relations(&r[0], N);
        assert_true(r[0].n_latent > 0 && r[0].rho > 0);
        for (int k = 0; k < GND_DIVISIONS; k++)
            for (int t = 1; t < 3; t++)
                assert_true(same_csr(&r[0].op[k].a, &r[t].op[k].a));
        for (int t = 0; t < 3; t++)
            gnd_relations_fini(&r[t]);
    }
    gnd_csr_fini(&a);
}

/* Each embedding is what its name says, with the distance of its own space. */
static void embedded_as_asked(void **state)
{
    enum { N = 80 };
    static const gnd_metric metric[] = {GND_METRIC_EUCLID, GND_METRIC_HYPERBOLIC,
                                        GND_METRIC_EUCLID};
    gnd_csr a = make_chance(N, 150, 2);
    gnd_error err;

    (void)state;
    for (int kind = GND_EMBED_ISOMAP; kind <= GND_EMBED_STRUC2VEC; kind++) {
        gnd_relations r, s;
        double z[2 * N];

        CHECK_OK(kind == GND_EMBED_ISOMAP     ? gnd_isomap(z, NULL, &a, NULL, &err)
                 : kind == GND_EMBED_POINCARE ? gnd_poincare(z, &a, 5, &err)
                                              : gnd_struc2vec(z, &a, 5, NULL, &err));
        CHECK_OK(gnd_relations_init(&r, &a, (gnd_embedding)kind, 5, NULL, &err));
        CHECK_OK(gnd_relations_from_coordinates(&s, &a, z, metric[kind], NULL, &err));
        CHECK_CLOSE(r.rho, s.rho, 0);
        for (int k = 0; k < GND_DIVISIONS; k++)
            assert_true(same_csr(&r.op[k].a, &s.op[k].a));
        gnd_relations_fini(&s);
        gnd_relations_fini(&r);
    }
    gnd_csr_fini(&a);
}

static void small_ones(void **state)
{
    gnd_csr made[] = {make_empty(0), make_empty(1), make_empty(6),
                      make_path(2),  make_path(3),  make_clique(4)};
    gnd_relations r;
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < LENGTH(made); k++)
        for (int kind = GND_EMBED_ISOMAP; kind <= GND_EMBED_STRUC2VEC; kind++) {
            CHECK_OK(gnd_relations_init(&r, &made[k], (gnd_embedding)kind, 1, NULL, &err));
            check_relations(&r, made[k].n_row);
            gnd_relations_fini(&r);
        }
    for (size_t k = 0; k < LENGTH(made); k++)
        gnd_csr_fini(&made[k]);
}

static void refuses(void **state)
{
    const int32_t u[] = {0, 1}, v[] = {1, 2}, division[] = {3, 9}, low[] = {3, 8};
    const double outside[] = {0, 0, 2, 0};
    gnd_csr a = make_path(2);
    gnd_relations r;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_relations_from_triplets(&r, 3, &(gnd_messages){2, u, v, division}, &err),
                GND_ERR_ARG, "message 1 goes from 1 to 2 in division 9");
    CHECK_FAILS(gnd_relations_from_triplets(&r, 2, &(gnd_messages){2, u, v, low}, &err),
                GND_ERR_ARG, "below 2");
    assert_null(r.nu);
    CHECK_FAILS(gnd_relations_from_coordinates(&r, &a, outside, GND_METRIC_HYPERBOLIC, NULL, &err),
                GND_ERR_ARG, "point 1 is outside");
    assert_null(r.nu);
    a.n_col = 3;
    for (int kind = GND_EMBED_ISOMAP; kind <= GND_EMBED_STRUC2VEC; kind++)
        CHECK_FAILS(gnd_relations_init(&r, &a, (gnd_embedding)kind, 1, NULL, &err), GND_ERR_SHAPE,
                    "2 x 3");
    gnd_csr_fini(&a);
}

/* On real data both neighbourhoods are of one size. */
static void cora(void **state)
{
    const char *dir = GND_SHARED_DIR "/data";
    const gnd_load_opts o = {.size = sizeof o, .data_dir = dir};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_relations r;
    gnd_error err;

    (void)state;
    NEEDS_SHARED(GND_SHARED_DIR "/data/planetoid");
    CHECK_OK(gnd_load(&raw, "cora", &o, &err));
    CHECK_OK(gnd_graph_convert(&g, raw, GND_GRAPH_STD, &err));
    CHECK_OK(gnd_relations_init(&r, &g->adj, GND_EMBED_ISOMAP, 1, NULL, &err));
    assert_int_equal(r.n, 2708);
    assert_int_equal(r.n_latent, 10556);
    assert_int_equal(gnd_csr_nnz(&r.op[8].a), 2708);
    check_relations(&r, 2708);
    gnd_relations_fini(&r);
    gnd_graph_free(g);
    gnd_graph_free(raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadrants),         cmocka_unit_test(every_embedding),
        cmocka_unit_test(embedded_as_asked), cmocka_unit_test(small_ones),
        cmocka_unit_test(refuses),           cmocka_unit_test(cora),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
