/* SPDX-License-Identifier: MIT
 * canonical.c - sort vertices by id, renumber links and labels, and put rows back. */
#include "canonical.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { N_GROUP = 9 }; /* groups of vertices by degree; the last: without links */

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

gnd_status gnd_canonical_numbers(int32_t **number, const gnd_graph *g, gnd_error *err)
{
    int32_t *vertex = NULL;
    gnd_status st;

    *number = NULL;
    GND_TRY(gnd_canonical_order(&vertex, g, err));
    if (!vertex && (g->ids || !g->original))
        return GND_OK;
    *number = gnd_alloc(g->n_node, sizeof **number);
    if (!*number)
        GND_TRY(no_memory(g->n_node, err));
    for (int64_t k = 0; k < g->n_node; k++)
        if (vertex)
            (*number)[vertex[k]] = (int32_t)k;
        else
            (*number)[k] = g->original[k];
out:
    gnd_free(vertex);
    return st;
}

/* The group of a vertex: 0 from 32 times the mean degree on, 1 from 16 times, ... */
static int group_of(int64_t degree, double mean)
{
    int group = degree == 0 ? N_GROUP - 1 : 0;

    for (double least = 32 * mean; group < N_GROUP - 2 && (double)degree < least; least /= 2)
        group++;
    return group;
}

gnd_status gnd_canonical_hubs_first(int32_t **vertex, int32_t **number, const gnd_csr *adj,
                                    gnd_error *err)
{
    const int64_t n = adj->n_row;
    const double mean = 2 * (double)gnd_csr_nnz(adj) / (double)(n > 0 ? n : 1);
    int64_t *degree = gnd_alloc(n, sizeof *degree), to[N_GROUP + 1] = {0};
    int32_t *out = gnd_alloc(n, sizeof *out);

    *number = gnd_alloc(n, sizeof **number);
    if (!degree || !out || !*number) {
        gnd_free(*number);
        *number = NULL;
        gnd_free(out);
        gnd_free(degree);
        return no_memory(n, err);
    }
    for (int64_t i = 0; i < n; i++) {
        degree[i] += adj->ptr[i + 1] - adj->ptr[i];
        for (int64_t p = adj->ptr[i]; p < adj->ptr[i + 1]; p++)
            degree[adj->col[p]]++;
    }
    for (int64_t i = 0; i < n; i++)
        to[group_of(degree[i], mean) + 1]++;
    for (int k = 0; k < N_GROUP; k++)
        to[k + 1] += to[k];
    for (int64_t i = 0; i < n; i++) {
        const int32_t v = *vertex ? (*vertex)[i] : (int32_t)i;

        const int64_t k = to[group_of(degree[v], mean)]++;

        out[k] = v;
        (*number)[k] = (int32_t)i;
    }
    gnd_free(degree);
    gnd_free(*vertex);
    *vertex = out;
    return GND_OK;
}

/* The same of a symmetric matrix and all of its rows: in the transpose, which is the same, entries
 * of each row come in order. */
static gnd_status symmetric_links(gnd_csr *out, const gnd_csr *a, gnd_row_list order,
                                  gnd_error *err)
{
    const int64_t n = order.n;
    int64_t *next = gnd_alloc_raw(n, sizeof *next);
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    if (!next)
        GND_TRY(no_memory(n, err));
    GND_TRY(gnd_csr_init(out, n, n, gnd_csr_nnz(a), a->val != NULL, err));
    for (int64_t k = 0; k < n; k++) {
        const int32_t v = order.row[k];

        next[v] = out->ptr[k];
        out->ptr[k + 1] = out->ptr[k] + a->ptr[v + 1] - a->ptr[v];
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t p = a->ptr[order.row[k]]; p < a->ptr[order.row[k] + 1]; p++) {
            const int64_t q = next[a->col[p]]++;

            out->col[q] = (int32_t)k;
            if (a->val)
                out->val[q] = a->val[p];
        }
    out->symmetric = true;
out:
    gnd_free(next);
    return st;
}

gnd_status gnd_canonical_links(gnd_csr *out, const gnd_csr *a, gnd_row_list order, gnd_error *err)
{
    gnd_csr rows = {0}, turned = {0};
    gnd_status st;

    if (a->symmetric && order.n == a->n_row)
        return symmetric_links(out, a, order, err);
    GND_TRY(gnd_csr_select(&rows, a, order, NULL, a->n_col, err));
    GND_TRY(gnd_csr_transpose(&turned, &rows, err));
    gnd_csr_fini(&rows);
    GND_TRY(gnd_csr_select(out, &turned, order, NULL, a->n_row, err));
    out->symmetric = a->symmetric;
out:
    gnd_csr_fini(&rows);
    gnd_csr_fini(&turned);
    return st;
}

typedef struct {
    int64_t number;
    int32_t point, cls;
} numbered_label;

static int by_number(const void *a, const void *b)
{
    const numbered_label *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

gnd_status gnd_canonical_labels(int32_t **own, const int32_t **point, const int32_t **cls,
                                int64_t n_label, gnd_row_list order, const gnd_numbers *at,
                                gnd_error *err)
{
    int32_t *mark, *to;
    numbered_label *label;
    int64_t k = 0;

    *own = NULL;
    if (!order.row && !at->number)
        return GND_OK;
    mark = gnd_alloc(order.n, sizeof *mark); /* class + 1 of a vertex of the graph; 0: no label */
    to = gnd_alloc(2 * n_label, sizeof *to);
    label = gnd_alloc(n_label, sizeof *label);
    if (!mark || !to || !label) {
        gnd_free(label);
        gnd_free(to);
        gnd_free(mark);
        return no_memory(order.n, err);
    }
    for (int64_t i = 0; i < n_label; i++)
        mark[(*point)[i]] = (*cls)[i] + 1;
    for (int64_t i = 0; i < order.n; i++) {
        const int32_t found = mark[order.row ? order.row[i] : i];

        if (found > 0)
            label[k++] = (numbered_label){gnd_number_of(at, i), (int32_t)i, found - 1};
    }
    qsort(label, (size_t)k, sizeof *label, by_number);
    for (int64_t i = 0; i < k; i++) {
        to[i] = label[i].point;
        to[n_label + i] = label[i].cls;
    }
    gnd_free(label);
    gnd_free(mark);
    *point = *own = to;
    *cls = to + n_label;
    return GND_OK;
}

gnd_status gnd_canonical_restore(gnd_real *rows, int64_t n_col, gnd_row_list order, gnd_error *err)
{
    const size_t bytes = (size_t)n_col * sizeof *rows;
    gnd_real *from;

    if (!order.row)
        return GND_OK;
    from = gnd_alloc_raw(order.n * n_col, sizeof *from);
    if (!from)
        return no_memory(order.n, err);
    memcpy(from, rows, (size_t)order.n * bytes);
    for (int64_t i = 0; i < order.n; i++)
        memcpy(rows + order.row[i] * n_col, from + i * n_col, bytes);
    gnd_free(from);
    return GND_OK;
}
