/* SPDX-License-Identifier: MIT
 * canonical.c - sort vertices by id, permute what the labeller reads, and put its results back. */
#include "canonical.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

typedef struct {
    const char *id;
    size_t digits; /* of a whole number; SIZE_MAX: it is none */
    int32_t vertex;
} id_key;

static int by_id(const void *a, const void *b)
{
    const id_key *x = a, *y = b;

    return x->digits != y->digits ? (x->digits > y->digits) - (x->digits < y->digits)
                                  : strcmp(x->id, y->id);
}

static gnd_status no_memory(int64_t n, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory to sort %lld vertices", (long long)n);
}

gnd_status gnd_canonical_order(int32_t **vertex, const gnd_graph *g, gnd_error *err)
{
    const int64_t n = g->ids ? g->n_node : 0; /* without ids, vertices are in ascending order */
    id_key *key = gnd_alloc(n, sizeof *key);
    bool sorted = true;
    gnd_status st = GND_OK;

    *vertex = NULL;
    if (!key)
        return no_memory(n, err);
    for (int64_t i = 0; i < n; i++) {
        const char *id = gnd_names_get(g->ids, i);
        const size_t digits = strspn(id, "0123456789");

        key[i] = (id_key){id, id[digits] ? SIZE_MAX : digits, (int32_t)i};
        sorted = sorted && (i == 0 || by_id(&key[i - 1], &key[i]) < 0);
    }
    if (!sorted) {
        qsort(key, (size_t)n, sizeof *key, by_id);
        *vertex = gnd_alloc(n, sizeof **vertex);
        if (!*vertex)
            st = no_memory(n, err);
        for (int64_t i = 0; *vertex && i < n; i++)
            (*vertex)[i] = key[i].vertex;
    }
    gnd_free(key);
    return st;
}

/* out = (P A P^T)^T, where P puts rows in the order of the list. Links may be in any direction. */
static gnd_status permute_links(gnd_csr *out, const gnd_csr *a, gnd_row_list order, gnd_error *err)
{
    gnd_csr rows = {0}, turned = {0};
    gnd_status st;

    GND_TRY(gnd_csr_select(&rows, a, order, NULL, a->n_col, err));
    GND_TRY(gnd_csr_transpose(&turned, &rows, err));
    gnd_csr_fini(&rows);
    GND_TRY(gnd_csr_select(out, &turned, order, NULL, a->n_row, err));
out:
    gnd_csr_fini(&rows);
    gnd_csr_fini(&turned);
    return st;
}

gnd_status gnd_canonical_prepare(gnd_prepared *out, const gnd_graph *g, const gnd_csr *x,
                                 const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    gnd_csr features = {0}, links = {0};
    int32_t *vertex;
    gnd_status st;

    *out = (gnd_prepared){0};
    GND_TRY(gnd_canonical_order(&vertex, g, err));
    if (vertex && x)
        GND_TRY(
            gnd_csr_select(&features, x, (gnd_row_list){vertex, g->n_node}, NULL, x->n_col, err));
    if (vertex)
        GND_TRY(permute_links(&links, &g->adj, (gnd_row_list){vertex, g->n_node}, err));
    GND_TRY(gnd_prepare(out, vertex && x ? &features : x, vertex ? &links : &g->adj, o, pool, err));
    out->vertex = vertex;
    vertex = NULL;
out:
    gnd_csr_fini(&features);
    gnd_csr_fini(&links);
    gnd_free(vertex);
    return st;
}

gnd_status gnd_canonical_labels(int32_t **own, gnd_labelled *s, const gnd_prepared *g,
                                gnd_error *err)
{
    int32_t *mark, *point, *cls;
    int64_t k = 0;

    *own = NULL;
    if (!g->vertex)
        return GND_OK;
    mark = gnd_alloc(g->n, sizeof *mark); /* class + 1 of a vertex of the graph; 0: no label */
    point = gnd_alloc(2 * s->n, sizeof *point);
    if (!mark || !point) {
        gnd_free(point);
        gnd_free(mark);
        return no_memory(g->n, err);
    }
    cls = point + s->n;
    for (int64_t i = 0; i < s->n; i++)
        mark[s->point[i]] = s->cls[i] + 1;
    for (int64_t i = 0; i < g->n; i++)
        if (mark[g->vertex[i]] > 0) {
            point[k] = (int32_t)i;
            cls[k++] = mark[g->vertex[i]] - 1;
        }
    gnd_free(mark);
    s->point = *own = point;
    s->cls = cls;
    return GND_OK;
}

gnd_status gnd_canonical_restore(gnd_real *rows, int64_t n_col, const gnd_prepared *g,
                                 gnd_error *err)
{
    const size_t bytes = (size_t)n_col * sizeof *rows;
    gnd_real *from;

    if (!g->vertex)
        return GND_OK;
    from = gnd_alloc_raw(g->n * n_col, sizeof *from);
    if (!from)
        return no_memory(g->n, err);
    memcpy(from, rows, (size_t)g->n * bytes);
    for (int64_t i = 0; i < g->n; i++)
        memcpy(rows + g->vertex[i] * n_col, from + i * n_col, bytes);
    gnd_free(from);
    return GND_OK;
}
