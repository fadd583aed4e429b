/* SPDX-License-Identifier: MIT
 * test_canonical.c - vertices in the order of their ids. */
#include "graph/canonical.h"

#include "base/alloc.h"
#include "planted.h"

static gnd_graph *graph_with_ids(const char *const *id, int64_t n)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_graph_new(&g, "ids", n, &err));
    g->ids = gnd_names_new();
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(gnd_names_add(g->ids, id[i], strlen(id[i])), i);
    return g;
}

static void order_is_that_of_ids(void **state)
{
    static const char *const id[] = {"b",  "10",         "9",        "a b", "B",
                                     "7x", "4000000000", "\xc3\xbc", "a"};
    static const int32_t expected[] = {2, 1, 6, 5, 4, 8, 3, 0, 7};
    gnd_graph *g = graph_with_ids(id, LENGTH(id));
    int32_t *vertex;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_canonical_order(&vertex, g, &err));
    assert_memory_equal(vertex, expected, sizeof expected);
    gnd_free(vertex);
    gnd_graph_free(g);
}

static void sorted_graphs_stay(void **state)
{
    static const char *const id[] = {"0", "9", "10", "123", "1a", "A", "a"};
    gnd_graph *g = graph_with_ids(id, LENGTH(id)), *numbers = planted_clear(20, 2);
    int32_t *vertex;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_canonical_order(&vertex, g, &err));
    assert_null(vertex);
    CHECK_OK(gnd_canonical_order(&vertex, numbers, &err));
    assert_null(vertex);
    gnd_graph_free(numbers);
    gnd_graph_free(g);
}

static void labels_and_rows(void **state)
{
    static const int32_t point[] = {0, 2, 4}, cls[] = {5, 6, 7};
    static const int32_t new_point[] = {1, 2, 4}, new_cls[] = {5, 7, 6};
    static const gnd_real expected[] = {1, 11, 3, 13, 4, 14, 0, 10, 2, 12};
    gnd_real rows[] = {0, 10, 1, 11, 2, 12, 3, 13, 4, 14};
    int32_t vertex[] = {3, 0, 4, 1, 2}, *own;
    const int32_t *at = point, *of = cls;
    gnd_row_list order = {.n = 5};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_canonical_labels(&own, &at, &of, 3, order, &(gnd_numbers){0}, &err));
    CHECK_OK(gnd_canonical_restore(rows, 2, order, &err));
    assert_true(!own && at == point && of == cls && rows[2] == 1);
    order.row = vertex;
    CHECK_OK(gnd_canonical_labels(&own, &at, &of, 3, order, &(gnd_numbers){0}, &err));
    assert_memory_equal(at, new_point, sizeof new_point);
    assert_memory_equal(of, new_cls, sizeof new_cls);
    gnd_free(own);
    CHECK_OK(gnd_canonical_restore(rows, 2, order, &err));
    assert_memory_equal(rows, expected, sizeof expected);
}

/* Entry (i, j) of a is entry (place of j, place of i) of the result. */
static void links_are_renumbered(void **state)
{
    static const int32_t from[] = {0, 1, 2, 2}, to[] = {1, 2, 0, 2}, vertex[] = {2, 0, 1};
    static const gnd_real value[] = {5, 6, 7, 8};
    static const double expected[] = {8, 0, 6, 7, 0, 0, 0, 5, 0};
    gnd_csr a, b;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){3, 3, 4, from, to, value}, GND_DUP_SUM, NULL,
                                   &err));
    CHECK_OK(gnd_canonical_links(&b, &a, (gnd_row_list){vertex, 3}, &err));
    for (int64_t e = 0; e < 9; e++) {
        const int64_t at = gnd_csr_find(&b, e / 3, (int32_t)(e % 3));

        assert_true((at < 0 ? 0 : (double)b.val[at]) == expected[e]);
    }
    gnd_csr_fini(&b);
    gnd_csr_fini(&a);
}

/* A matrix that is known to be symmetric is renumbered in one pass, to the same. */
static void symmetric_links_are_renumbered(void **state)
{
    static const int32_t from[] = {0, 1, 1, 2, 0, 3, 3}, to[] = {1, 0, 2, 1, 3, 0, 3};
    static const int32_t vertex[] = {3, 1, 0, 2};
    static const gnd_real value[] = {5, 5, 6, 6, 7, 7, 8};
    gnd_csr a, b[2];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){4, 4, 7, from, to, value}, GND_DUP_SUM, NULL,
                                   &err));
    for (int known = 0; known < 2; known++) {
        a.symmetric = known;
        CHECK_OK(gnd_canonical_links(&b[known], &a, (gnd_row_list){vertex, 4}, &err));
        assert_int_equal(b[known].symmetric, known);
    }
    assert_memory_equal(b[0].ptr, b[1].ptr, 5 * sizeof *b[0].ptr);
    assert_memory_equal(b[0].col, b[1].col, 7 * sizeof *b[0].col);
    assert_memory_equal(b[0].val, b[1].val, 7 * sizeof *b[0].val);
    gnd_csr_fini(&b[1]);
    gnd_csr_fini(&b[0]);
    gnd_csr_fini(&a);
}

/* A star with a tail: the centre comes first, others stay in order within groups of degree. An arc
 * counts at both of its ends. */
static void hubs_come_first(void **state)
{
    enum { N = 200, HUB = 150 };
    int32_t row[N + 1], col[N + 1];
    int64_t nnz = 0;
    gnd_csr a;
    gnd_error err;

    (void)state;
    for (int32_t i = 0; i < N - 1; i++)
        if (i != HUB) {
            row[nnz] = i;
            col[nnz++] = HUB;
        }
    row[nnz] = 5; /* to a vertex of no other link */
    col[nnz++] = N - 1;
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){N, N, nnz, row, col, NULL}, GND_DUP_MAX,
                                   NULL, &err));
    for (int turned = 0; turned < 2; turned++) {
        int32_t *vertex = turned ? gnd_alloc(N, sizeof *vertex) : NULL, *number;

        for (int32_t i = 0; i < N && turned; i++)
            vertex[i] = N - 1 - i;
        CHECK_OK(gnd_canonical_hubs_first(&vertex, &number, &a, &err));
        assert_int_equal(vertex[0], HUB);
        assert_int_equal(vertex[1], 5);
        for (int64_t i = 3; i < N; i++)
            assert_true(turned ? vertex[i] < vertex[i - 1] : vertex[i] > vertex[i - 1]);
        for (int64_t i = 0; i < N; i++) /* where each was before */
            assert_int_equal(number[i], turned ? N - 1 - vertex[i] : vertex[i]);
        gnd_free(number);
        gnd_free(vertex);
    }
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_that_of_ids),
        cmocka_unit_test(sorted_graphs_stay),
        cmocka_unit_test(labels_and_rows),
        cmocka_unit_test(links_are_renumbered),
        cmocka_unit_test(symmetric_links_are_renumbered),
        cmocka_unit_test(hubs_come_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
