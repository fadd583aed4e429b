/* SPDX-License-Identifier: MIT
 * random_graph.h - a directed, weighted graph with features and classes, a function of its
 * sizes. */
#ifndef GND_TESTS_RANDOM_GRAPH_H
#define GND_TESTS_RANDOM_GRAPH_H

#include "check.h"

#include "base/rng.h"
#include "graph/graph.h"

/* Number `index` of the stream `what`, in [0, 1). */
static inline double random_at(uint32_t what, int64_t index)
{
    return gnd_rng_uniform(20, what, (uint64_t)index);
}

static inline void random_matrix(gnd_csr *out, int64_t n, int64_t m, int64_t per_row, uint32_t what)
{
    const int64_t nnz = n * per_row;
    int32_t *row = calloc((size_t)nnz, sizeof *row), *col = calloc((size_t)nnz, sizeof *col);
    gnd_real *val = calloc((size_t)nnz, sizeof *val);
    gnd_error err = {0};

    assert_true(row && col && val);
    for (int64_t p = 0; p < nnz; p++) {
        row[p] = (int32_t)(p / per_row);
        col[p] = (int32_t)(random_at(what, p) * (double)m);
        val[p] = (gnd_real)(0.25 + random_at(what + 1, p));
    }
    CHECK_OK(gnd_csr_from_triplets(out, &(gnd_triplets){n, m, nnz, row, col, val}, GND_DUP_SUM,
                                   NULL, &err));
    free(row);
    free(col);
    free(val);
}

/* Vertex i is of class i % n_class, except that every 13th has no label. Links prefer nothing; the
 * first n_class features of a vertex lean to its class, so that there is something to learn. */
static inline gnd_graph *random_graph(int64_t n, int64_t n_feat, int32_t n_class)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_graph_new(&g, "random", n, &err));
    for (int32_t c = 0; c < n_class; c++) {
        char name[16];
        int32_t number;
        const int len = snprintf(name, sizeof name, "c%d", c);

        CHECK_OK(gnd_graph_class_of(&number, g, name, (size_t)len, &err));
    }
    gnd_csr_fini(&g->adj);
    gnd_csr_fini(&g->feat);
    g->n_class = n_class;
    g->n_feat = n_feat;
    random_matrix(&g->adj, n, n, 3, 1);
    random_matrix(&g->feat, n, n_feat, 4, 3);
    for (int64_t i = 0; i < n; i++) {
        const int64_t p = gnd_csr_find(&g->feat, i, (int32_t)(i % n_class));

        g->label[i] = i % 13 == 12 ? -1 : (int32_t)(i % n_class);
        if (p >= 0)
            g->feat.val[p] += 2;
    }
    CHECK_OK(gnd_graph_check(g, "random", &err));
    return g;
}

#endif
