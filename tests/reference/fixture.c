/* SPDX-License-Identifier: MIT
 * fixture.c - the graph that a reference file describes. */
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Entries (i, j) with values v (NULL: all 1) as a sparse [n, m]. */
static bool from_entries(verdict *r, gnd_csr *out, const char *name, int64_t n, int64_t m,
                         const int64_t *ij, const double *v, int64_t nnz)
{
    int32_t *row = room(nnz, sizeof *row), *col = room(nnz, sizeof *col);
    gnd_real *val = room(nnz, sizeof *val);
    gnd_error err = {0};
    bool ok = true;

    for (int64_t p = 0; ok && p < nnz; p++) {
        ok = ij[2 * p] >= 0 && ij[2 * p] < n && ij[2 * p + 1] >= 0 && ij[2 * p + 1] < m;
        row[p] = ok ? (int32_t)ij[2 * p] : 0;
        col[p] = ok ? (int32_t)ij[2 * p + 1] : 0;
        val[p] = v ? (gnd_real)v[p] : 1;
        if (!ok)
            ref_fail(r, "%s: (%" PRId64 ", %" PRId64 ") is outside %" PRId64 " x %" PRId64, name,
                     ij[2 * p], ij[2 * p + 1], n, m);
    }
    ok = ok &&
         ref_ok(r,
                gnd_csr_from_triplets(out, &(gnd_triplets){n, m, nnz, row, col, v ? val : NULL},
                                      GND_DUP_MAX, NULL, &err),
                &err);
    free(row);
    free(col);
    free(val);
    return ok;
}

static bool take_matrices(verdict *r, gnd_graph *g)
{
    int64_t n_arc = 0, n_entry = 0, two = 0;
    const int64_t *arc = golden_int(r->f, "A", &n_arc, &two);
    const int64_t *ij = golden_int(r->f, "X.ij", &n_entry, &two);
    const double *v = need_real(r, "X.v", n_entry, 1);

    if (!need_int(r, "A", -1, 2) || !need_int(r, "X.ij", -1, 2) || !v)
        return false;
    gnd_csr_fini(&g->adj);
    gnd_csr_fini(&g->feat);
    return from_entries(r, &g->adj, "A", g->n_node, g->n_node, arc, NULL, n_arc) &&
           from_entries(r, &g->feat, "X.ij", g->n_node, g->n_feat, ij, v, n_entry);
}

gnd_graph *ref_graph(verdict *r)
{
    int64_t n, d, n_class, n_label = 0;
    const char *name = need_text(r, "graph");
    gnd_graph *g = NULL;
    gnd_error err = {0};
    int32_t *label = NULL;
    bool ok = false;

    if (!name || !need_whole(r, "n", &n, 1000000) || !need_whole(r, "d", &d, 1000000) ||
        !need_whole(r, "C", &n_class, 1000))
        return NULL;
    if (!ref_ok(r, gnd_graph_new(&g, name, n, &err), &err))
        return NULL;
    for (int64_t c = 0; c < n_class; c++) { /* a class may have no vertex */
        char word[32];
        int32_t at;
        const int len = snprintf(word, sizeof word, "%" PRId64, c);

        if (!ref_ok(r, gnd_graph_class_of(&at, g, word, (size_t)len, &err), &err))
            goto out;
    }
    g->n_class = (int32_t)n_class;
    g->n_feat = d;
    label = need_list(r, "labels", &n_label, -1, n_class - 1);
    if (!label)
        goto out;
    if (n_label != n) {
        ref_fail(r, "labels: expected %" PRId64 " got %" PRId64, n, n_label);
        goto out;
    }
    for (int64_t i = 0; i < n; i++)
        g->label[i] = label[i];
    ok = take_matrices(r, g) && ref_ok(r, gnd_graph_check(g, name, &err), &err);
out:
    free(label);
    if (!ok) {
        gnd_graph_free(g);
        g = NULL;
    }
    return g;
}
