/* SPDX-License-Identifier: MIT
 * same_graph.h - compare two graphs bit by bit. */
#ifndef GND_TESTS_SAME_GRAPH_H
#define GND_TESTS_SAME_GRAPH_H

#include "check.h"
#include "graph/graph.h"

static inline void same_matrix(const gnd_csr *a, const gnd_csr *b)
{
    const size_t nnz = (size_t)gnd_csr_nnz(a);

    assert_int_equal(a->n_row, b->n_row);
    assert_int_equal(a->n_col, b->n_col);
    assert_int_equal(nnz, gnd_csr_nnz(b));
    if (!a->ptr)
        return;
    assert_memory_equal(a->ptr, b->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr);
    assert_memory_equal(a->col, b->col, nnz * sizeof *a->col);
    assert_int_equal(a->val == NULL, b->val == NULL);
    if (a->val)
        assert_memory_equal(a->val, b->val, nnz * sizeof *a->val);
}

static inline void same_graph(const gnd_graph *g, const gnd_graph *h)
{
    char a[32], b[32];

    assert_int_equal(g->n_node, h->n_node);
    assert_int_equal(g->n_feat, h->n_feat);
    assert_int_equal(g->n_class, h->n_class);
    same_matrix(&g->adj, &h->adj);
    same_matrix(&g->feat, &h->feat);
    assert_memory_equal(g->label, h->label, (size_t)g->n_node * sizeof *g->label);
    for (int32_t c = 0; c < g->n_class; c++)
        assert_string_equal(gnd_graph_class_name(g, c), gnd_graph_class_name(h, c));
    for (int64_t i = 0; i < g->n_node; i++)
        assert_string_equal(gnd_graph_id(g, i, a), gnd_graph_id(h, i, b));
    assert_int_equal(g->ids == NULL, h->ids == NULL);
    assert_int_equal(g->keep_all, h->keep_all);
    assert_int_equal(g->n_fixed_train, h->n_fixed_train);
    assert_int_equal(g->n_fixed_test, h->n_fixed_test);
    if (g->n_fixed_test > 0)
        assert_memory_equal(g->fixed_test, h->fixed_test, (size_t)g->n_fixed_test * 4);
    assert_int_equal(g->in_train_file == NULL, h->in_train_file == NULL);
    if (g->in_train_file)
        assert_memory_equal(g->in_train_file, h->in_train_file, (size_t)g->n_node);
}

#endif
