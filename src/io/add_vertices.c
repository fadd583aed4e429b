/* SPDX-License-Identifier: MIT
 * add_vertices.c - add vertices that occur only in the files of features or labels. They have no
 * edges; all arrays of the graph grow, and existing vertices keep their order. */
#include "add_vertices.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "io.h"

int64_t gnd_id_find(const gnd_graph *g, gnd_csv_field id)
{
    int32_t number;

    if (g->ids)
        return gnd_names_find(g->ids, id.s, id.len);
    return gnd_field_vertex(&number, id) && number < g->n_node ? number : -1;
}

gnd_status gnd_id_map_init(gnd_id_map *m, const gnd_graph *g, gnd_error *err)
{
    *m = (gnd_id_map){.g = g, .fresh = gnd_names_new()};
    return m->fresh ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for vertex ids");
}

void gnd_id_map_fini(gnd_id_map *m)
{
    gnd_names_free(m->fresh);
    *m = (gnd_id_map){0};
}

int64_t gnd_id_map_count(const gnd_id_map *m)
{
    return m->g->n_node + gnd_names_count(m->fresh);
}

gnd_status gnd_id_map_find(int32_t *out, gnd_id_map *m, gnd_csv_field id, gnd_error *err)
{
    int64_t i = gnd_id_find(m->g, id);

    if (i < 0) {
        i = gnd_names_add(m->fresh, id.s, id.len);
        if (i < 0 || m->g->n_node + i > GND_MAX_NODE)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for more vertex ids");
        i += m->g->n_node;
    }
    *out = (int32_t)i;
    return GND_OK;
}

static gnd_csv_field name_field(const gnd_names *t, int64_t i)
{
    const char *s = gnd_names_get(t, i);

    return (gnd_csv_field){.s = s, .len = strlen(s)};
}

/* Are the names the numbers from, from + 1, ... in some order? They are distinct, so checking the
 * range is enough. */
static bool are_range(const gnd_names *t, int64_t from)
{
    const int64_t n = gnd_names_count(t);
    int32_t v;

    for (int64_t i = 0; i < n; i++)
        if (!gnd_field_vertex(&v, name_field(t, i)) || v < from || v >= from + n)
            return false;
    return true;
}

/* Ids of the graph, then the new ones. */
static gnd_status join_ids(gnd_names **out, const gnd_id_map *m, gnd_error *err)
{
    gnd_names *t = gnd_names_new();
    bool ok = t != NULL;
    char buf[32];

    for (int64_t i = 0; ok && i < m->g->n_node; i++) {
        const char *id = gnd_graph_id(m->g, i, buf);

        ok = gnd_names_add(t, id, strlen(id)) >= 0;
    }
    for (int64_t i = 0; ok && i < gnd_names_count(m->fresh); i++) {
        const gnd_csv_field f = name_field(m->fresh, i);

        ok = gnd_names_add(t, f.s, f.len) >= 0;
    }
    if (!ok) {
        gnd_names_free(t);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for vertex ids");
    }
    *out = t;
    return GND_OK;
}

/* Row pointers for n rows; rows after the last are empty. */
static int64_t *longer_ptr(const gnd_csr *a, int64_t n)
{
    int64_t *ptr = gnd_alloc(n + 1, sizeof *ptr);

    if (ptr && a->ptr) {
        memcpy(ptr, a->ptr, (size_t)(a->n_row + 1) * sizeof *ptr);
        for (int64_t i = a->n_row; i < n; i++)
            ptr[i + 1] = ptr[i];
    }
    return ptr;
}

gnd_status gnd_addition_init(gnd_addition *w, const gnd_id_map *m, gnd_error *err)
{
    const gnd_graph *g = m->g;
    const int64_t n = gnd_id_map_count(m), n_old = g->n_node;
    const bool go_on = !g->ids && are_range(m->fresh, n_old);
    gnd_status st = GND_OK;

    *w = (gnd_addition){.n_node = n};
    if (g->original && n > n_old)
        return gnd_fail(err, GND_ERR_ARG,
                        "vertex '%s' is not in %s, and cannot be added to a graph that was "
                        "converted with --parts; convert it again with this file",
                        gnd_names_get(m->fresh, 0), g->name);
    w->place = gnd_alloc(n, sizeof *w->place);
    w->label = gnd_alloc(n, sizeof *w->label);
    w->adj_ptr = longer_ptr(&g->adj, n);
    w->feat_ptr = longer_ptr(&g->feat, n);
    if (!w->place || !w->label || !w->adj_ptr || !w->feat_ptr)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for a graph of %lld vertices", (long long)n));
    memcpy(w->label, g->label, (size_t)n_old * sizeof *w->label);
    for (int64_t i = 0; i < n; i++)
        w->place[i] = (int32_t)i;
    for (int64_t i = n_old; i < n; i++) {
        w->label[i] = -1;
        if (go_on)
            gnd_field_vertex(&w->place[i], name_field(m->fresh, i - n_old));
    }
    if (n > n_old && !go_on)
        GND_TRY(join_ids(&w->ids, m, err));
out:
    if (st != GND_OK)
        gnd_addition_fini(w);
    return st;
}

void gnd_addition_fini(gnd_addition *w)
{
    gnd_free(w->place);
    gnd_free(w->adj_ptr);
    gnd_free(w->feat_ptr);
    gnd_free(w->label);
    gnd_names_free(w->ids);
    *w = (gnd_addition){0};
}

void gnd_graph_add_vertices(gnd_graph *g, gnd_addition *w)
{
    int64_t *const adj_ptr = g->adj.ptr, *const feat_ptr = g->feat.ptr;
    int32_t *const label = g->label;

    g->adj.ptr = w->adj_ptr;
    w->adj_ptr = g->adj.borrowed & GND_CSR_PTR ? NULL : adj_ptr;
    g->adj.borrowed &= ~(unsigned)GND_CSR_PTR;
    g->adj.n_row = g->adj.n_col = w->n_node;
    if (feat_ptr && g->feat.n_row < w->n_node) {
        g->feat.ptr = w->feat_ptr;
        w->feat_ptr = g->feat.borrowed & GND_CSR_PTR ? NULL : feat_ptr;
        g->feat.borrowed &= ~(unsigned)GND_CSR_PTR;
        g->feat.n_row = w->n_node;
    }
    g->label = w->label;
    w->label = label;
    if (w->n_node > g->n_node)
        gnd_graph_drop_roles(g);
    g->n_node = w->n_node;
    if (w->ids) {
        gnd_names *const ids = g->ids;

        g->ids = w->ids;
        w->ids = ids;
    }
    gnd_addition_fini(w);
}

void gnd_ids_settle(gnd_names **ids, int32_t *place)
{
    const int64_t n = gnd_names_count(*ids);

    for (int64_t i = 0; i < n; i++)
        place[i] = (int32_t)i;
    if (!are_range(*ids, 0))
        return;
    for (int64_t i = 0; i < n; i++)
        gnd_field_vertex(&place[i], name_field(*ids, i));
    gnd_names_free(*ids);
    *ids = NULL;
}
