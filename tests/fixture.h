/* SPDX-License-Identifier: MIT
 * fixture.h - small graphs for tests, made by hand. */
#ifndef GND_TESTS_FIXTURE_H
#define GND_TESTS_FIXTURE_H

#include "base/alloc.h"
#include "check.h"
#include "graph/graph.h"

/* A graph from links i -> j, features (vertex, column) and labels; any list may be empty. */
static inline gnd_graph *fixture_graph(int64_t n, const int32_t (*link)[2], int64_t n_link,
                                       const int32_t (*feat)[2], int64_t n_entry, int64_t n_feat,
                                       const int32_t *label, int32_t n_class)
{
    gnd_error err = {0};
    gnd_graph *g = NULL;
    int32_t *i = gnd_alloc(n_link + n_entry, sizeof *i),
            *j = gnd_alloc(n_link + n_entry, sizeof *j);

    CHECK_OK(gnd_graph_new(&g, "fixture", n, &err));
    for (int64_t p = 0; p < n_link; p++) {
        i[p] = link[p][0];
        j[p] = link[p][1];
    }
    CHECK_OK(gnd_csr_from_triplets(&g->adj, &(gnd_triplets){n, n, n_link, i, j, NULL}, GND_DUP_MAX,
                                   NULL, &err));
    for (int64_t p = 0; p < n_entry; p++) {
        i[p] = feat[p][0];
        j[p] = feat[p][1];
    }
    g->n_feat = n_feat;
    if (n_feat)
        CHECK_OK(gnd_csr_from_triplets(&g->feat, &(gnd_triplets){n, n_feat, n_entry, i, j, NULL},
                                       GND_DUP_MAX, NULL, &err));
    for (int64_t v = 0; v < n; v++)
        g->label[v] = label[v];
    for (int32_t c = 0; c < n_class; c++) {
        char name[32];
        int32_t k;

        snprintf(name, sizeof name, "class %d", c);
        CHECK_OK(gnd_graph_class_of(&k, g, name, strlen(name), &err));
    }
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    gnd_free(i);
    gnd_free(j);
    return g;
}

/* Two rings of m vertices joined by one edge, both directions stored; vertex v has the features of
 * its ring and one of its own; class = ring. Then `lone` vertices without links, features or
 * label. */
static inline gnd_graph *fixture_two_rings(int32_t m, int32_t lone)
{
    const int32_t n = 2 * m + lone;
    int32_t(*link)[2] = gnd_alloc(4 * m + 2, sizeof *link);
    int32_t(*feat)[2] = gnd_alloc(4 * m, sizeof *feat);
    int32_t *label = gnd_alloc(n, sizeof *label);
    int64_t k = 0, p = 0;
    gnd_graph *g;

    for (int32_t v = 0; v < n; v++)
        label[v] = v < 2 * m ? v / m : -1;
    for (int32_t v = 0; v < 2 * m; v++) {
        const int32_t next = v % m == m - 1 ? v - m + 1 : v + 1;

        link[k][0] = v, link[k++][1] = next;
        link[k][0] = next, link[k++][1] = v;
        feat[p][0] = v, feat[p++][1] = v / m;
        feat[p][0] = v, feat[p++][1] = 2 + v;
    }
    link[k][0] = 0, link[k++][1] = m;
    link[k][0] = m, link[k++][1] = 0;
    g = fixture_graph(n, (const int32_t(*)[2])link, k, (const int32_t(*)[2])feat, p, 2 + 2 * m,
                      label, 2);
    gnd_free(link);
    gnd_free(feat);
    gnd_free(label);
    return g;
}

#endif
