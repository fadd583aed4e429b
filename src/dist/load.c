/* SPDX-License-Identifier: MIT
 * load.c - a graph file in several processes: each maps it and takes its own rows.
 *
 * Vertices are shared out in the order of the file, so that processes have about the same number of
 * entries. Process 0 reads the labels and draws the split, which needs all ids but no links. The
 * graph becomes undirected, as in mode und. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "comm.h"
#include "graph/canonical.h"
#include "graph/graph.h"
#include "graph/roles.h"
#include "graph/split.h"
#include "io/graph_file.h"
#include "io/io.h"
#include "kern/vertex_bits.h"
#include "mirror.h"
#include "own_rows.h"

typedef struct {
    const char *path;
    gnd_load_opts opts;
    const gnd_split_opts *split_opts;
    gnd_owners o;
    gnd_graph_rows rows;
    gnd_graph *all;   /* process 0: all vertices with their labels */
    gnd_split *whole; /* process 0 */
    gnd_names *cls;
    int32_t *train, *val; /* numbers of the whole graph, in all processes */
    int64_t n_train, n_val;
    int64_t n_test, n_unused, n_unlabelled, score_unlabelled;
    int32_t *label;      /* of own vertices */
    int32_t *number_all; /* process 0: canonical numbers (canonical.h); NULL: as stored */
    int32_t *number;     /* of own vertices; NULL: as stored */
    unsigned char *test; /* own vertices: 1: a test vertex */
    gnd_csr own;         /* own rows as stored */
    gnd_arcs arcs;
    gnd_vertex_bits here; /* own vertices and copies */
    int32_t *global;
    int64_t n_local;
    int64_t uneven; /* edges whose two arcs have different weights */
    gnd_graph *g;
    gnd_split *s;
} loading;

static void loading_fini(loading *l)
{
    gnd_split_free(l->s);
    gnd_graph_free(l->g);
    gnd_free(l->global);
    gnd_vertex_bits_fini(&l->here);
    gnd_arcs_fini(&l->arcs);
    gnd_csr_fini(&l->own);
    gnd_free(l->test);
    gnd_free(l->label);
    gnd_free(l->number);
    gnd_free(l->number_all);
    gnd_free(l->train);
    gnd_free(l->val);
    gnd_names_free(l->cls);
    gnd_split_free(l->whole);
    gnd_graph_free(l->all);
    gnd_graph_rows_fini(&l->rows);
    gnd_free(l->o.cut);
    if (l->o.comm != MPI_COMM_NULL)
        MPI_Comm_free(&l->o.comm);
}

static int64_t own_count(const loading *l)
{
    return l->o.cut[l->o.rank + 1] - l->o.cut[l->o.rank];
}

/* ---- own rows ---- */

static gnd_status file_open(loading *l, gnd_error *err)
{
    gnd_tensor entries;
    gnd_status st;

    GND_TRY(gnd_graph_rows_open(&l->rows, l->path, err));
    GND_TRY(gnd_safetensors_find(&entries, &l->rows.file, GND_ADJ_INDICES, "I32", 4, err));
    l->o.cut = gnd_alloc(l->o.size + 1, sizeof *l->o.cut);
    if (!l->o.cut)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %d processes", l->o.size));
    gnd_rows_cut(l->o.cut, l->o.size, &l->rows, entries.shape[0]);
    st = gnd_rows_take(&l->own, &l->rows.adj, entries.shape[0], &l->o, err);
    if (st != GND_OK)
        gnd_error_prefix(err, "%s", l->path);
out:
    return st;
}

/* ---- labels and split ---- */

/* Process 0: all vertices, their labels and the split. */
static gnd_status vertices_read(loading *l, gnd_error *err)
{
    const gnd_load_opts *o = &l->opts;
    const int64_t n = l->rows.adj.n_row;
    gnd_status st;

    GND_TRY(gnd_graph_rows_vertices(&l->all, &l->rows, err));
    if (o->labels)
        GND_TRY(gnd_labels_load(l->all, o->labels, o, err));
    if (o->train_labels)
        GND_TRY(gnd_train_labels_load(l->all, o->train_labels, o, err));
    if (l->all->n_node > n)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: vertex '%s' is not in %s, and several processes cannot add it; "
                         "convert the graph with its labels: gnd data convert --labels",
                         o->labels ? o->labels : o->train_labels,
                         l->all->ids ? gnd_names_get(l->all->ids, n) : "with a larger number",
                         l->path));
    if (l->split_opts) {
        GND_TRY(gnd_split_new(&l->whole, l->all, l->split_opts, err));
        l->n_train = l->whole->n_train;
        l->n_val = l->whole->n_val;
        l->n_test = l->whole->n_test;
        l->n_unused = gnd_split_n_unused(l->whole, l->all, &l->n_unlabelled);
        l->score_unlabelled = l->whole->score_unlabelled;
        l->train = l->whole->train;
        l->val = l->whole->val;
        l->whole->train = l->whole->val = NULL;
    }
    GND_TRY(gnd_canonical_numbers(&l->number_all, l->all, err));
    l->cls = l->all->cls;
    l->all->cls = NULL;
out:
    return st;
}

/* Process 0 gives labels, test vertices and canonical numbers to their owners. */
static gnd_status labels_deal(loading *l, gnd_error *err)
{
    unsigned char *test = NULL;
    int numbered = l->number_all != NULL;
    gnd_status st = GND_OK;

    MPI_Bcast(&numbered, 1, MPI_INT, 0, l->o.comm);

    l->label = gnd_alloc(own_count(l), sizeof *l->label);
    l->test = gnd_alloc(own_count(l), 1);
    if (l->o.rank == 0)
        test = gnd_alloc(l->all->n_node, 1);
    l->number = numbered ? gnd_alloc(own_count(l), sizeof *l->number) : NULL;
    if (!l->label || !l->test || (numbered && !l->number) || (l->o.rank == 0 && !test))
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for labels");
    GND_TRY(gnd_comm_agree(l->o.comm, st, err));
    for (int64_t k = 0; l->whole && k < l->whole->n_test; k++)
        test[l->whole->test[k]] = 1;
    gnd_comm_deal(l->o.comm, l->label, l->all ? l->all->label : NULL, l->o.cut, sizeof *l->label);
    gnd_comm_deal(l->o.comm, l->test, test, l->o.cut, 1);
    if (numbered)
        gnd_comm_deal(l->o.comm, l->number, l->number_all, l->o.cut, sizeof *l->number);
out:
    gnd_free(test);
    return st;
}

static gnd_status labels_share(loading *l, gnd_error *err)
{
    int64_t count[4];
    gnd_status st;

    GND_TRY(gnd_comm_give_names(l->o.comm, &l->cls, err));
    GND_TRY(gnd_comm_give(l->o.comm, (void **)&l->train, &l->n_train, sizeof *l->train, err));
    GND_TRY(gnd_comm_give(l->o.comm, (void **)&l->val, &l->n_val, sizeof *l->val, err));
    memcpy(count, (int64_t[4]){l->n_test, l->n_unused, l->n_unlabelled, l->score_unlabelled},
           sizeof count);
    MPI_Bcast(count, 4, MPI_INT64_T, 0, l->o.comm);
    l->n_test = count[0];
    l->n_unused = count[1];
    l->n_unlabelled = count[2];
    l->score_unlabelled = count[3];
    GND_TRY(labels_deal(l, err));
out:
    return st;
}

/* ---- the part ---- */

/* Own vertices, those that they are linked with, and the training and validation vertices. */
static gnd_status here_find(loading *l, gnd_error *err)
{
    int64_t v = -1;

    if (!gnd_vertex_bits_reserve(&l->here, l->rows.adj.n_row - 1))
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the vertices of a process");
    for (int64_t i = l->o.cut[l->o.rank]; i < l->o.cut[l->o.rank + 1]; i++)
        gnd_vertex_bits_add(&l->here, (int32_t)i);
    for (int64_t k = 0; k < l->arcs.n; k++)
        gnd_vertex_bits_add(&l->here, l->arcs.col[k]);
    for (int64_t k = 0; k < l->n_train; k++)
        gnd_vertex_bits_add(&l->here, l->train[k]);
    for (int64_t k = 0; k < l->n_val; k++)
        gnd_vertex_bits_add(&l->here, l->val[k]);
    l->n_local = gnd_vertex_bits_count(&l->here);
    l->global = l->n_local < 0 ? NULL : gnd_alloc(l->n_local, sizeof *l->global);
    if (!l->global)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the vertices of a process");
    for (int64_t i = 0; i < l->n_local; i++) {
        v = gnd_vertex_bits_next(&l->here, v + 1);
        l->global[i] = (int32_t)v;
    }
    return GND_OK;
}

/* l->uneven: edges of own vertices to later ones whose two arcs have different weights. t: the
 * arcs, whose values change their sign. */
static gnd_status uneven_count(loading *l, const gnd_triplets *t, gnd_error *err)
{
    const gnd_csr *most = &l->g->adj;
    gnd_csr least = {0}; /* minus the smaller weight of each edge */
    gnd_status st = GND_OK;

    for (int64_t k = 0; l->arcs.val && k < l->arcs.n; k++)
        l->arcs.val[k] = -l->arcs.val[k];
    if (l->arcs.val)
        GND_TRY(gnd_csr_from_triplets(&least, t, GND_DUP_MAX, NULL, err));
    for (int64_t i = 0; l->arcs.val && i < most->n_row; i++)
        for (int64_t p = most->ptr[i]; p < most->ptr[i + 1]; p++)
            l->uneven += most->col[p] > i && most->val[p] != -least.val[p];
out:
    gnd_csr_fini(&least);
    return st;
}

/* max(A, A^T) in the local numbering. */
static gnd_status links_make(loading *l, gnd_error *err)
{
    gnd_arcs *a = &l->arcs;
    gnd_triplets t = {l->n_local, l->n_local, a->n, a->row, a->col, a->val};
    gnd_status st;

    for (int64_t k = 0; k < a->n; k++) {
        a->row[k] = gnd_vertex_bits_rank(&l->here, a->row[k]);
        a->col[k] = gnd_vertex_bits_rank(&l->here, a->col[k]);
    }
    GND_TRY(gnd_csr_from_triplets(&l->g->adj, &t, GND_DUP_MAX, NULL, err));
    GND_TRY(uneven_count(l, &t, err));
out:
    return st;
}

/* The features of own vertices and copies. */
static gnd_status features_take(loading *l, gnd_error *err)
{
    const gnd_csr *from = &l->rows.feat;
    gnd_csr *x = &l->g->feat;
    gnd_tensor entries;
    int64_t nnz = 0;
    gnd_status st = GND_OK;

    l->g->n_feat = l->rows.n_feat;
    if (l->rows.n_feat == 0)
        return GND_OK;
    GND_TRY(gnd_safetensors_find(&entries, &l->rows.file, GND_FEAT_INDICES, "I32", 4, err));
    for (int64_t i = 0; i < l->n_local; i++) {
        const int64_t p = from->ptr[l->global[i]], end = from->ptr[l->global[i] + 1];

        if (p < 0 || end < p || end > entries.shape[0])
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the features of vertex %d are not in it",
                             l->path, l->global[i]));
        nnz += end - p;
    }
    GND_TRY(gnd_csr_init(x, l->n_local, from->n_col, nnz, from->val != NULL, err));
    for (int64_t i = 0; i < l->n_local; i++) {
        const int64_t p = from->ptr[l->global[i]], n = from->ptr[l->global[i] + 1] - p;

        memcpy(x->col + x->ptr[i], from->col + p, (size_t)n * sizeof *x->col);
        if (x->val)
            memcpy(x->val + x->ptr[i], from->val + p, (size_t)n * sizeof *x->val);
        x->ptr[i + 1] = x->ptr[i] + n;
    }
    st = gnd_csr_check(x, "feature", err);
    if (st != GND_OK)
        gnd_error_prefix(err, "%s", l->path);
out:
    return st;
}

static gnd_status ids_take(loading *l, gnd_error *err)
{
    const gnd_graph_rows *r = &l->rows;
    gnd_graph *g = l->g;

    if (!r->id) {
        g->old = gnd_alloc(l->n_local, sizeof *g->old);
        if (!g->old)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for ids");
        memcpy(g->old, l->global, (size_t)l->n_local * sizeof *g->old);
        return GND_OK;
    }
    g->ids = gnd_names_new();
    for (int64_t i = 0; g->ids && i < l->n_local; i++) {
        const int64_t at = r->id_at[l->global[i]], end = r->id_at[l->global[i] + 1];
        const bool fits = at >= 0 && end > at && end <= r->id_bytes;
        int64_t k;

        if (!fits || memchr(r->id + at, '\0', (size_t)(end - at)))
            return gnd_safetensors_bad(&r->file, err, "item %d of '%s' is not a name", l->global[i],
                                       GND_IDS);
        k = gnd_names_add(g->ids, r->id + at, (size_t)(end - at));
        if (k >= 0 && k != i)
            return gnd_safetensors_bad(&r->file, err, "items %d and %d of '%s' are the same",
                                       l->global[k], l->global[i], GND_IDS);
        if (k < 0)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for ids");
    }
    return g->ids ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for ids");
}

/* The original numbers, which process 0 has checked. */
static gnd_status original_take(loading *l, gnd_error *err)
{
    gnd_graph *g = l->g;

    if (!l->rows.original)
        return GND_OK;
    g->original = gnd_alloc(l->n_local, sizeof *g->original);
    if (!g->original)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)l->n_local);
    for (int64_t i = 0; i < l->n_local; i++)
        g->original[i] = l->rows.original[l->global[i]];
    return GND_OK;
}

/* The structural roles of own vertices and copies. */
static gnd_status roles_take(loading *l, gnd_error *err)
{
    const int64_t r = GND_ROLES;
    gnd_real *to;

    if (!l->rows.roles)
        return GND_OK;
    l->g->roles = to = gnd_alloc_raw(l->n_local * r, sizeof *to);
    if (!to)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)l->n_local);
    for (int64_t i = 0; i < l->n_local; i++) {
        memcpy(to + i * r, l->rows.roles + l->global[i] * r, (size_t)r * sizeof *to);
        for (int64_t k = 0; k < r; k++)
            if (!isfinite(to[i * r + k]))
                return gnd_safetensors_bad(&l->rows.file, err,
                                           "'%s' of vertex %d are not all finite", GND_ROLE_VALUES,
                                           l->global[i]);
    }
    return GND_OK;
}

/* The graph of this process, but its part. */
static gnd_status graph_make(loading *l, const char *name, gnd_error *err)
{
    gnd_status st;

    GND_TRY(here_find(l, err));
    GND_TRY(gnd_graph_new(&l->g, name, l->n_local, err));
    l->g->mode = GND_GRAPH_UND;
    gnd_names_free(l->g->cls);
    l->g->cls = l->cls;
    l->cls = NULL;
    l->g->n_class = (int32_t)gnd_names_count(l->g->cls);
    GND_TRY(links_make(l, err));
    GND_TRY(features_take(l, err));
    GND_TRY(ids_take(l, err));
    GND_TRY(original_take(l, err));
    GND_TRY(roles_take(l, err));
    if (l->number && !(l->g->number = gnd_alloc(l->n_local, sizeof *l->g->number)))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)l->n_local));
    if (l->all) {
        l->g->notes = l->all->notes;
        l->all->notes = (gnd_notes){0};
    }
out:
    return st;
}

/* Connect the graph with those of the others. */
static gnd_status part_make(loading *l, gnd_error *err)
{
    const gnd_csr *own = &l->own;
    const int64_t first = l->o.cut[l->o.rank];
    gnd_graph *g = l->g;
    gnd_graph_info before = {.n_node = l->rows.adj.n_row, .n_arc = gnd_csr_nnz(own)};
    int64_t all_one = 0;
    gnd_status st;

    for (int64_t i = 0; i < own->n_row; i++)
        before.n_loop += gnd_csr_find(own, i, (int32_t)(first + i)) >= 0;
    GND_TRY(gnd_part_new(&g->part, &l->o, l->global, l->n_local, err));
    l->global = NULL; /* moved, and so is l->o */
    g->adj.part = g->part;
    memcpy(g->label + g->part->begin, l->label, (size_t)own->n_row * sizeof *g->label);
    gnd_part_fill(g->part, g->label, sizeof *g->label);
    if (g->number) {
        memcpy(g->number + g->part->begin, l->number, (size_t)own->n_row * sizeof *g->number);
        gnd_part_fill(g->part, g->number, sizeof *g->number);
    }
    for (int64_t p = 0; g->adj.val && p < gnd_csr_nnz(&g->adj); p++)
        all_one += g->adj.val[p] != 1;
    gnd_part_counts(g->part, &all_one, 1);
    if (all_one == 0)
        gnd_csr_drop_ones(&g->adj);
    gnd_part_counts(g->part, &before.n_arc, 1);
    gnd_part_counts(g->part, &before.n_loop, 1);
    g->part->n_arc = gnd_csr_nnz_total(&g->adj);
    before.n_edge = g->part->n_arc / 2;
    before.directed = before.n_arc - before.n_loop != g->part->n_arc;
    gnd_part_counts(g->part, &l->uneven, 1);
    GND_TRY(gnd_graph_note_parts(g, &before, l->uneven, err));
out:
    return st;
}

/* Training and validation vertices of the whole graph, own test vertices. */
static gnd_status split_make(loading *l, gnd_error *err)
{
    const gnd_part *p = l->g->part;
    gnd_split *s = l->s = gnd_alloc(1, sizeof *s);
    int64_t n_test = 0;

    for (int64_t i = 0; i < p->end - p->begin; i++)
        n_test += l->test[i];
    if (s) {
        *s = (gnd_split){.train = l->train,
                         .val = l->val,
                         .n_train = l->n_train,
                         .n_val = l->n_val,
                         .score_unlabelled = l->score_unlabelled != 0,
                         .n_test_all = l->n_test,
                         .n_unused_all = l->n_unused,
                         .n_unlabelled_all = l->n_unlabelled};
        l->train = l->val = NULL;
        s->test = gnd_alloc(n_test, sizeof *s->test);
    }
    if (!s || !s->test)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a split");
    for (int64_t k = 0; k < s->n_train; k++)
        s->train[k] = gnd_vertex_bits_rank(&l->here, s->train[k]);
    for (int64_t k = 0; k < s->n_val; k++)
        s->val[k] = gnd_vertex_bits_rank(&l->here, s->val[k]);
    for (int64_t i = 0; i < p->end - p->begin; i++)
        if (l->test[i])
            s->test[s->n_test++] = (int32_t)(p->begin + i);
    return GND_OK;
}

static gnd_status load(loading *l, const char *name, gnd_error *err)
{
    gnd_status st = file_open(l, err);

    if (st == GND_OK && l->o.rank == 0)
        st = vertices_read(l, err);
    GND_TRY(gnd_comm_agree(l->o.comm, st, err));
    GND_TRY(labels_share(l, err));
    GND_TRY(gnd_mirror(&l->arcs, &l->own, &l->o, err));
    GND_TRY(gnd_comm_agree(l->o.comm, graph_make(l, name, err), err));
    GND_TRY(part_make(l, err));
    gnd_arcs_fini(&l->arcs);
    if (l->split_opts)
        st = split_make(l, err);
    GND_TRY(l->g->part->calls->agree(l->g->part, st, err));
out:
    return st;
}

static gnd_status opts_check(const loading *l, gnd_graph_mode mode, const char *name,
                             gnd_error *err)
{
    const size_t n = strlen(l->path);

    if (mode != GND_GRAPH_UND)
        return gnd_fail(err, GND_ERR_ARG,
                        "several processes work on an undirected graph: --graph und, not %s",
                        gnd_graph_mode_name(mode));
    if (l->opts.features)
        return gnd_fail(err, GND_ERR_ARG,
                        "several processes take features from the file of the graph: gnd data "
                        "convert %s --features %s -o graph.safetensors",
                        name, l->opts.features);
    if (n < 12 || strcmp(l->path + n - 12, ".safetensors") != 0)
        return gnd_fail(err, GND_ERR_ARG,
                        "several processes read a file that can be mapped: gnd data convert %s -o "
                        "graph.safetensors",
                        name);
    return GND_OK;
}

gnd_status gnd_cluster_load(gnd_graph **out, gnd_split **split, const char *name_or_path,
                            const gnd_cluster_load_opts *o, gnd_error *err)
{
    gnd_cluster_load_opts opts;
    char path[GND_PATH_SIZE], name[256];
    loading l = {.o = {.comm = MPI_COMM_NULL}};
    bool is_edges;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    *split = NULL;
    GND_TRY(gnd_require(name_or_path, "the name of the graph", err));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_cluster_load_opts", err));
    if (gnd_cluster_size() == 1)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "this process is not connected with others"));
    GND_TRY(gnd_load_find(path, name, &l.opts, &is_edges, name_or_path, opts.load, err));
    l.path = path;
    l.split_opts = opts.split;
    GND_TRY(opts_check(&l, opts.mode, name_or_path, err));
    MPI_Comm_dup(MPI_COMM_WORLD, &l.o.comm);
    l.o.rank = gnd_cluster_rank();
    l.o.size = gnd_cluster_size();
    GND_TRY(load(&l, name, err));
    *out = l.g;
    *split = l.s;
    l.g = NULL;
    l.s = NULL;
out:
    loading_fini(&l);
    return st;
}
