/* SPDX-License-Identifier: MIT
 * mode.c - copies of a graph: in a graph mode, with notes on what was changed, or with its vertices
 * in another order.
 *
 *     raw  as stored
 *     und  max(A, A^T), loops dropped, weights kept, every vertex kept
 *     std  und with weights 1 and the largest component only; Planetoid sets keep every vertex */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/tick.h"

static const char *const names[] = {
    [GND_GRAPH_RAW] = "raw", [GND_GRAPH_UND] = "und", [GND_GRAPH_STD] = "std"};

enum { N_MODE = sizeof names / sizeof names[0] };

const char *gnd_graph_mode_name(gnd_graph_mode mode)
{
    return (unsigned)mode < N_MODE ? names[mode] : NULL;
}

gnd_status gnd_graph_mode_parse(gnd_graph_mode *out, const char *name, gnd_error *err)
{
    gnd_error_clear(err);
    if (gnd_require(name, "the name of the graph mode", err) != GND_OK)
        return GND_ERR_ARG;
    for (int m = 0; m < N_MODE; m++) {
        if (strcmp(name, names[m]) == 0) {
            *out = (gnd_graph_mode)m;
            return GND_OK;
        }
    }
    return gnd_fail(err, GND_ERR_ARG, "unknown graph mode '%.40s'; expected raw, und or std", name);
}

/* A new table with the names t[rows[i]], or t[i] if rows is NULL. */
static gnd_status names_copy(gnd_names **out, const gnd_names *t, const int32_t *rows, int64_t n,
                             gnd_error *err)
{
    *out = gnd_names_new();
    for (int64_t i = 0; *out && i < n; i++) {
        const char *s = gnd_names_get(t, rows ? rows[i] : i);

        if (gnd_names_add_sorted(*out, s, strlen(s)) < 0) {
            gnd_names_free(*out);
            *out = NULL;
        }
    }
    return *out ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld names", (long long)n);
}

static gnd_status int32_copy(int32_t **out, const int32_t *from, int64_t n, gnd_error *err)
{
    *out = gnd_alloc(n, sizeof **out);
    if (!*out)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n);
    if (n > 0)
        memcpy(*out, from, (size_t)n * sizeof **out);
    return GND_OK;
}

/* The original order of g and its parts; of the vertices keep[0..n-1] (NULL: all), which are
 * numbered anew in that order and are one part. */
static gnd_status copy_order(gnd_graph *c, const gnd_graph *g, const int32_t *keep, int64_t n,
                             gnd_error *err)
{
    int32_t *rank = gnd_alloc(g->n_node + 1, sizeof *rank);

    c->original = gnd_alloc(n, sizeof *c->original);
    c->n_part = keep ? 1 : g->n_part;
    c->part_start = gnd_alloc(c->n_part + 1, sizeof *c->part_start);
    if (!rank || !c->original || !c->part_start) {
        gnd_free(rank);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n);
    }
    for (int64_t i = 0; i < n; i++)
        rank[g->original[keep ? keep[i] : i] + 1] = 1;
    for (int64_t i = 0; i < g->n_node; i++)
        rank[i + 1] += rank[i];
    for (int64_t i = 0; i < n; i++)
        c->original[i] = rank[g->original[keep ? keep[i] : i]];
    if (keep)
        c->part_start[1] = n;
    else
        memcpy(c->part_start, g->part_start, (size_t)(g->n_part + 1) * sizeof *g->part_start);
    gnd_free(rank);
    return GND_OK;
}

/* A copy of g without its links, of the vertices keep[0..n-1] (NULL: all). */
static gnd_status copy_vertices(gnd_graph **out, const gnd_graph *g, const int32_t *keep, int64_t n,
                                gnd_error *err)
{
    gnd_graph *c = NULL;
    gnd_status st;

    *out = NULL;
    GND_TRY(gnd_graph_new(&c, g->name, n, err));
    c->mode = g->mode;
    c->keep_all = g->keep_all;
    c->n_feat = g->n_feat;
    for (int64_t i = 0; i < n; i++)
        c->label[i] = g->label[keep ? keep[i] : i];
    gnd_names_free(c->cls);
    c->cls = NULL;
    GND_TRY(names_copy(&c->cls, g->cls, NULL, gnd_names_count(g->cls), err));
    c->n_class = g->n_class;
    if (g->ids)
        GND_TRY(names_copy(&c->ids, g->ids, keep, n, err));
    if (g->n_feat > 0 && keep)
        GND_TRY(gnd_csr_select(&c->feat, &g->feat, (gnd_row_list){keep, n}, NULL, g->n_feat, err));
    else
        gnd_graph_share_features(c, g);
    if (g->in_train_file && !(c->in_train_file = gnd_alloc(n, 1)))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    for (int64_t i = 0; g->in_train_file && i < n; i++)
        c->in_train_file[i] = g->in_train_file[keep ? keep[i] : i];
    if (keep || g->old)
        GND_TRY(int32_copy(&c->old, keep ? keep : g->old, n, err));
    for (int64_t i = 0; keep && g->old && i < n; i++)
        c->old[i] = g->old[keep[i]];
    if (g->original)
        GND_TRY(copy_order(c, g, keep, n, err));
    if (!keep)
        gnd_graph_share_roles(c, g);
    if (!keep &&
        g->n_fixed_train > 0) { /* the fixed split is not valid if vertices are renumbered */
        GND_TRY(int32_copy(&c->fixed_test, g->fixed_test, g->n_fixed_test, err));
        c->n_fixed_test = g->n_fixed_test;
        c->n_fixed_train = g->n_fixed_train;
    }
    GND_TRY(gnd_notes_copy(&c->notes, &g->notes, err));
    *out = c;
    c = NULL;
out:
    gnd_graph_free(c);
    return st;
}

gnd_status gnd_graph_reorder(gnd_graph **out, const gnd_graph *g, const int32_t *order,
                             gnd_error *err)
{
    gnd_graph *c = NULL;
    gnd_status st;

    *out = NULL;
    GND_TRY(copy_vertices(&c, g, order, g->n_node, err));
    if (!c->original)
        GND_TRY(int32_copy(&c->original, order, g->n_node, err));
    if (g->n_fixed_train > 0) { /* in original numbers */
        GND_TRY(int32_copy(&c->fixed_test, g->fixed_test, g->n_fixed_test, err));
        c->n_fixed_test = g->n_fixed_test;
        c->n_fixed_train = g->n_fixed_train;
    }
    *out = c;
    c = NULL;
out:
    gnd_graph_free(c);
    return st;
}

typedef struct {
    int32_t original, vertex;
} numbered;

static int by_original(const void *x, const void *y)
{
    const numbered *a = x, *b = y;

    return (a->original > b->original) - (a->original < b->original);
}

gnd_status gnd_graph_original_order(int32_t **vertex, const gnd_graph *g, gnd_error *err)
{
    const int64_t n = g->n_node;
    numbered *list = NULL;

    *vertex = NULL;
    if (!g->original)
        return GND_OK;
    list = gnd_alloc(n, sizeof *list);
    *vertex = gnd_alloc(n, sizeof **vertex);
    if (!list || !*vertex) {
        gnd_free(list);
        gnd_free(*vertex);
        *vertex = NULL;
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n);
    }
    for (int64_t i = 0; i < n; i++)
        list[i] = (numbered){g->original[i], (int32_t)i};
    qsort(list, (size_t)n, sizeof *list, by_original);
    for (int64_t i = 0; i < n; i++)
        (*vertex)[i] = list[i].vertex;
    gnd_free(list);
    return GND_OK;
}

/* Reduce adj to the links between the vertices keep[0..n_keep-1], renumbered. */
static gnd_status restrict_links(gnd_csr *adj, const int32_t *keep, int64_t n_keep, gnd_error *err)
{
    const int64_t n = adj->n_row;
    int32_t *new_of = gnd_alloc(n, sizeof *new_of);
    gnd_csr part = {0};
    gnd_status st;

    if (!new_of)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    for (int64_t i = 0; i < n; i++)
        new_of[i] = -1;
    for (int64_t i = 0; i < n_keep; i++)
        new_of[keep[i]] = (int32_t)i;
    GND_TRY(gnd_csr_select(&part, adj, (gnd_row_list){keep, n_keep}, new_of, n_keep, err));
    gnd_csr_fini(adj);
    *adj = part;
out:
    gnd_free(new_of);
    return st;
}

/* A step is done, and `share` of the conversion. */
static gnd_status step(gnd_ticker *t, double share, gnd_error *err)
{
    gnd_tick_done(t, share);
    return gnd_tick_call(t) ? gnd_fail(err, GND_ERR_STOPPED, "stopped while converting") : GND_OK;
}

/* The links in mode und or std, before the reduction to a component. Where nothing changes, adj
 * borrows the arrays of g. */
static gnd_status convert_links(gnd_csr *adj, const gnd_graph *g, gnd_graph_mode mode,
                                gnd_ticker *t, gnd_error *err)
{
    gnd_csr from = g->adj, both = {0};
    gnd_status st;

    if (mode == GND_GRAPH_STD)
        from.val = NULL;
    GND_TRY(gnd_csr_symmetrise(&both, &from, err));
    GND_TRY(step(t, 0.4, err));
    if (both.borrowed && !g->adj.val && !gnd_csr_has_loops(&both))
        *adj = both;
    else
        GND_TRY(gnd_csr_drop_loops(adj, &both, NULL, err));
    GND_TRY(step(t, 0.5, err));
out:
    gnd_csr_fini(&both);
    return st;
}

/* Pairs of vertices whose two arcs have different weights. */
static int64_t count_uneven(const gnd_csr *a)
{
    int64_t uneven = 0;

    for (int64_t i = 0; a->val && i < a->n_row; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int64_t back = a->col[p] > i ? gnd_csr_find(a, a->col[p], (int32_t)i) : -1;

            uneven += back >= 0 && a->val[back] != a->val[p];
        }
    }
    return uneven;
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* Notes on the changes from a graph with counts b, of whose edges `uneven` had two weights. */
static gnd_status note_changes(gnd_graph *c, const gnd_graph_info *b, int64_t uneven,
                               gnd_error *err)
{
    const long long arcs = (long long)(b->n_arc - b->n_loop), edges = (long long)b->n_edge;
    const int64_t n_node = gnd_part_total(c->part, c->n_node);
    gnd_status st = GND_OK;

    if (b->directed && arcs != edges)
        GND_TRY(gnd_notes_add(&c->notes, GND_NOTE, "arcs_merged", err,
                              "merged %lld arcs into %lld undirected edge%s", arcs, edges,
                              plural(edges)));
    else if (b->directed)
        GND_TRY(gnd_notes_add(&c->notes, GND_NOTE, "arcs_undirected", err,
                              "took %lld arc%s as undirected edge%s", arcs, plural(arcs),
                              plural(edges)));
    if (uneven > 0)
        GND_TRY(gnd_notes_add(&c->notes, GND_NOTE, "weights_differ", err,
                              "took the larger weight of %lld edge%s whose two directions differ",
                              (long long)uneven, plural(uneven)));
    if (b->n_loop > 0)
        GND_TRY(gnd_notes_add(&c->notes, GND_NOTE, "self_loops_dropped", err,
                              "dropped %lld self-loop%s", (long long)b->n_loop, plural(b->n_loop)));
    if (c->mode == GND_GRAPH_STD && b->weighted)
        GND_TRY(gnd_notes_add(&c->notes, GND_NOTE, "weights_set_to_1", err,
                              "set the weight of every edge to 1"));
    if (n_node < b->n_node)
        GND_TRY(gnd_notes_add(&c->notes, GND_NOTE, "largest_component", err,
                              "kept the largest component: %lld of %lld vertices",
                              (long long)n_node, (long long)b->n_node));
out:
    return st;
}

/* Add a note with a count, unless an earlier conversion added it. */
static gnd_status note_count(gnd_graph *c, const char *code, int64_t n, const char *one,
                             const char *many, gnd_error *err)
{
    if (n == 0)
        return GND_OK;
    for (int64_t i = 0; i < c->notes.n; i++)
        if (strcmp(c->notes.list[i].code, code) == 0)
            return GND_OK;
    return gnd_notes_add(&c->notes, GND_NOTE, code, err, "%lld of %lld vertices %s", (long long)n,
                         (long long)gnd_part_total(c->part, c->n_node), n == 1 ? one : many);
}

/* a: the counts of c. */
static gnd_status note_vertices(gnd_graph *c, const gnd_graph_info *a, gnd_error *err)
{
    gnd_status st;

    GND_TRY(note_count(c, "isolated_vertices", a->n_isolated, "has no link to another vertex",
                       "have no link to another vertex", err));
    /* If most vertices have no label, this is the normal task and needs no note. */
    if (2 * a->n_labelled > a->n_node)
        GND_TRY(note_count(c, "unlabelled_vertices", a->n_node - a->n_labelled, "has no label",
                           "have no label", err));
out:
    return st;
}

gnd_status gnd_graph_note_parts(gnd_graph *c, const gnd_graph_info *before, int64_t uneven,
                                gnd_error *err)
{
    gnd_graph_info after;
    gnd_status st;

    GND_TRY(gnd_graph_count(&after, c, err));
    GND_TRY(note_changes(c, before, uneven, err));
    GND_TRY(note_vertices(c, &after, err));
out:
    return st;
}

static gnd_status convert(gnd_graph **out, const gnd_graph *g, gnd_graph_mode mode, gnd_ticker *t,
                          gnd_error *err)
{
    gnd_csr adj = {0};
    int32_t *keep = NULL;
    int64_t n_keep = g->n_node;
    gnd_graph *c = NULL;
    gnd_graph_info before, after;
    gnd_status st;

    if ((unsigned)mode >= N_MODE || mode < g->mode)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "a graph of mode %s cannot become %s; convert the graph as it was loaded",
                         names[g->mode],
                         (unsigned)mode < N_MODE ? names[mode] : "one of an unknown mode"));
    GND_TRY(step(t, 0, err));
    if (mode != GND_GRAPH_RAW)
        GND_TRY(convert_links(&adj, g, mode, t, err));
    if (mode == GND_GRAPH_STD && !g->keep_all) {
        keep = gnd_alloc(g->n_node, sizeof *keep);
        if (!keep)
            GND_TRY(
                gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
        GND_TRY(gnd_largest_component(keep, &n_keep, &adj, err));
        if (n_keep < g->n_node)
            GND_TRY(restrict_links(&adj, keep, n_keep, err));
    }
    GND_TRY(step(t, 0.6, err));
    GND_TRY(copy_vertices(&c, g, n_keep < g->n_node ? keep : NULL, n_keep, err));
    GND_TRY(step(t, 0.7, err));
    c->mode = mode;
    if (mode == GND_GRAPH_RAW || adj.borrowed) {
        gnd_graph_share_links(c, g);
        c->adj.symmetric |= adj.symmetric; /* what was found need not be found again */
        GND_TRY(gnd_graph_count(&before, c, err));
        after = before;
    } else {
        GND_TRY(gnd_graph_count(&before, g, err));
        GND_TRY(step(t, 0.8, err));
        c->adj = adj;
        adj = (gnd_csr){0}; /* moved */
        gnd_csr_drop_ones(&c->adj);
        GND_TRY(gnd_graph_count(&after, c, err));
    }
    if (mode != GND_GRAPH_RAW)
        GND_TRY(note_changes(c, &before, mode == GND_GRAPH_UND ? count_uneven(&g->adj) : 0, err));
    GND_TRY(step(t, 0.9, err));
    GND_TRY(note_vertices(c, &after, err));
    GND_TRY(step(t, 1, err));
    *out = c;
    c = NULL;
out:
    gnd_graph_free(c);
    gnd_free(keep);
    gnd_csr_fini(&adj);
    return st;
}

gnd_status gnd_graph_convert_with(gnd_graph **out, const gnd_graph *g, const gnd_convert_opts *o,
                                  gnd_error *err)
{
    gnd_convert_opts opts;
    gnd_ticker t;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_convert_opts", err));
    gnd_tick_init(&t, opts.on_tick, opts.tick_user, "converting");
    GND_TRY(convert(out, g, opts.mode, &t, err));
out:
    return st;
}

gnd_status gnd_graph_convert(gnd_graph **out, const gnd_graph *g, gnd_graph_mode mode,
                             gnd_error *err)
{
    return gnd_graph_convert_with(
        out, g, &(gnd_convert_opts){.size = sizeof(gnd_convert_opts), .mode = mode}, err);
}
