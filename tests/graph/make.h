/* SPDX-License-Identifier: MIT
 * make.h - small graphs by hand. */
#ifndef GND_TESTS_GRAPH_MAKE_H
#define GND_TESTS_GRAPH_MAKE_H

#include "check.h"
#include "graph/graph.h"

typedef struct {
    int32_t i, j;
    double w;
} arc;

/* A sparse matrix of these entries; without values if weighted is false. */
static inline gnd_csr make_csr(int64_t n_row, int64_t n_col, const arc *arcs, int64_t n_arc,
                               bool weighted)
{
    int32_t *row = calloc((size_t)n_arc + 1, sizeof *row);
    int32_t *col = calloc((size_t)n_arc + 1, sizeof *col);
    gnd_real *val = calloc((size_t)n_arc + 1, sizeof *val);
    gnd_csr a = {0};
    gnd_error err = {0};

    for (int64_t p = 0; p < n_arc; p++) {
        row[p] = arcs[p].i;
        col[p] = arcs[p].j;
        val[p] = (gnd_real)arcs[p].w;
    }
    CHECK_OK(gnd_csr_from_triplets(
        &a, &(gnd_triplets){n_row, n_col, n_arc, row, col, weighted ? val : NULL}, GND_DUP_MAX,
        NULL, &err));
    free(row);
    free(col);
    free(val);
    return a;
}

/* A raw graph of n vertices with classes "a", "b", ... and label[i] of vertex i (NULL: none has
 * one). */
static inline gnd_graph *make_graph(int64_t n, const arc *arcs, int64_t n_arc, bool weighted,
                                    int32_t n_class, const int32_t *label)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    int32_t c;

    CHECK_OK(gnd_graph_new(&g, "made", n, &err));
    g->adj = make_csr(n, n, arcs, n_arc, weighted);
    for (int32_t k = 0; k < n_class; k++) {
        const char name[2] = {(char)('a' + k), '\0'};

        CHECK_OK(gnd_graph_class_of(&c, g, name, 1, &err));
    }
    for (int64_t i = 0; label && i < n; i++)
        g->label[i] = label[i];
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    return g;
}

/* Entry (i, j), 0 if it is not stored. */
static inline double entry(const gnd_csr *a, int64_t i, int64_t j)
{
    const int64_t p = gnd_csr_find(a, i, (int32_t)j);

    return p < 0 ? 0 : (double)gnd_csr_val(a, p);
}

#endif
