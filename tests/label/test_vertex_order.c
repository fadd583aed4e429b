/* SPDX-License-Identifier: MIT
 * test_vertex_order.c - the same graph, its vertices numbered in two ways, gives the same bits. */
#include "base/alloc.h"
#include "planted.h"
#include "prepared.h"

enum { N = 90, LONE = 7, ALL = N + LONE, C = 3, STEP = 13 };

static gnd_graph *unsorted(int64_t words)
{
    gnd_graph *g = planted_graph((plan){.n = N,
                                        .n_class = C,
                                        .inside = 4,
                                        .across = 1,
                                        .words = words,
                                        .lean = 0.6,
                                        .lone = LONE,
                                        .weighted = true,
                                        .directed = true});

    planted_ids(g, STEP);
    return g;
}

static int32_t place(int64_t vertex)
{
    return (int32_t)(STEP * vertex % ALL);
}

/* a with row i at place(i) and, with both, column j at place(j). */
static gnd_csr moved(const gnd_csr *a, bool both)
{
    const int64_t nnz = gnd_csr_nnz(a);
    int32_t *row = calloc((size_t)nnz + 1, sizeof *row),
            *col = calloc((size_t)nnz + 1, sizeof *col);
    gnd_csr out;
    gnd_error err;

    assert_true(row && col);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++) {
            row[q] = place(i);
            col[q] = both ? place(a->col[q]) : a->col[q];
        }
    CHECK_OK(gnd_csr_from_triplets(&out, &(gnd_triplets){a->n_row, a->n_col, nnz, row, col, a->val},
                                   GND_DUP_SUM, NULL, &err));
    free(row);
    free(col);
    return out;
}

/* The same graph, its vertices in canonical order. */
static gnd_graph *sorted_of(const gnd_graph *g)
{
    gnd_graph *s = unsorted(g->n_feat > 0 ? 1 : 0);
    char buf[32];

    gnd_csr_fini(&s->adj);
    gnd_csr_fini(&s->feat);
    s->adj = moved(&g->adj, true);
    if (g->n_feat > 0)
        s->feat = moved(&g->feat, false);
    gnd_names_free(s->ids);
    s->ids = NULL;
    planted_ids(s, 1);
    for (int64_t i = 0; i < ALL; i++) {
        s->label[place(i)] = g->label[i];
        assert_string_equal(gnd_graph_id(g, i, buf), gnd_graph_id(s, place(i), buf));
    }
    return s;
}

static void check_same(const gnd_csr *a, const gnd_csr *b)
{
    const size_t nnz = (size_t)gnd_csr_nnz(a);

    assert_int_equal(a->n_row, b->n_row);
    assert_int_equal(nnz, gnd_csr_nnz(b));
    assert_true((a->val != NULL) == (b->val != NULL));
    if (nnz == 0)
        return;
    assert_memory_equal(a->ptr, b->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr);
    assert_memory_equal(a->col, b->col, nnz * sizeof *a->col);
    if (a->val)
        assert_memory_equal(a->val, b->val, nnz * sizeof *a->val);
}

static void prepared_are_the_same(void **state)
{
    const gnd_coordinates_opts o = usual_coordinates(C);

    (void)state;
    for (int64_t words = 0; words <= 6; words += 6) {
        gnd_graph *g = unsorted(words), *s = sorted_of(g);
        gnd_prepared a, b;
        gnd_error err;

        CHECK_OK(gnd_prepare_graph(&a, g, words ? &g->feat : NULL, &o, NULL, &err));
        CHECK_OK(gnd_prepare_graph(&b, s, words ? &s->feat : NULL, &o, NULL, &err));
        assert_null(b.vertex);
        for (int64_t i = 0; i < ALL; i++) {
            assert_int_equal(gnd_prepared_vertex(&a, place(i)), i);
            assert_int_equal(gnd_prepared_vertex(&b, i), i);
        }
        check_same(&a.links, &b.links);
        check_same(&a.x, &b.x);
        assert_memory_equal(a.component, b.component, ALL * sizeof *a.component);
        assert_memory_equal(a.z.diffused.z, b.z.diffused.z,
                            (size_t)(ALL * a.z.diffused.r) * sizeof(gnd_real));
        gnd_prepared_fini(&a);
        gnd_prepared_fini(&b);
        gnd_graph_free(s);
        gnd_graph_free(g);
    }
}

/* Keep the labels of the first vertices in canonical order. */
static void keep_labels(gnd_graph *g, bool sorted, int64_t n)
{
    for (int64_t i = 0; i < ALL; i++)
        if ((sorted ? i : place(i)) >= n)
            g->label[i] = -1;
}

static gnd_prediction *labels_of(const gnd_graph *g)
{
    const gnd_split_opts o = {.size = sizeof o, .kind = GND_SPLIT_ALL};
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_split *s = NULL;
    gnd_error err;

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, NULL, &err));
    gnd_split_free(s);
    gnd_config_free(c);
    return p;
}

static void results_are_the_same(void **state)
{
    const gnd_suggest_opts o = {.size = sizeof o, .n = 8};

    (void)state;
    for (int64_t words = 0; words <= 6; words += 6)
        for (int64_t n = 0; n <= 20; n += 20) {
            gnd_graph *g = unsorted(words), *s = sorted_of(g);
            gnd_suggestions *a = NULL, *b = NULL;
            gnd_error err;

            keep_labels(g, false, n);
            keep_labels(s, true, n);
            CHECK_OK(gnd_suggest(&a, g, &o, &err));
            CHECK_OK(gnd_suggest(&b, s, &o, &err));
            assert_int_equal(gnd_suggestions_n(a), 8);
            for (int64_t i = 0; i < 8; i++) {
                assert_int_equal(place(gnd_suggestions_get(a, i)->vertex),
                                 gnd_suggestions_get(b, i)->vertex);
                assert_string_equal(gnd_suggestions_why(a, i), gnd_suggestions_why(b, i));
            }
            if (n > 0) {
                gnd_prediction *p = labels_of(g), *q = labels_of(s);

                for (int64_t i = 0; i < ALL; i++)
                    assert_memory_equal(gnd_prediction_prob(p, i), gnd_prediction_prob(q, place(i)),
                                        C * sizeof(float));
                gnd_prediction_free(p);
                gnd_prediction_free(q);
            }
            gnd_suggestions_free(a);
            gnd_suggestions_free(b);
            gnd_graph_free(s);
            gnd_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prepared_are_the_same),
        cmocka_unit_test(results_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
