/* SPDX-License-Identifier: MIT
 * graph.c - creation, validity check and accessors of a graph. */
#include "graph.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "roles.h"

struct gnd_users {
    atomic_int n;
    gnd_mapping *source; /* the file that the matrix borrows arrays from, or NULL */
};

static gnd_users *users_new(void)
{
    gnd_users *u = gnd_alloc(1, sizeof *u);

    if (u)
        atomic_init(&u->n, 1);
    return u;
}

/* One graph less uses the matrix; the last one frees it. */
static void matrix_leave(gnd_csr *m, gnd_users *u)
{
    if (!u || atomic_fetch_sub(&u->n, 1) == 1) {
        gnd_csr_fini(m);
        if (u)
            gnd_mapping_release(u->source);
        gnd_free(u);
    }
    *m = (gnd_csr){0};
}

static void matrix_share(gnd_csr *m, gnd_users **u, const gnd_csr *of, gnd_users *of_users)
{
    matrix_leave(m, *u);
    *m = *of;
    *u = of_users;
    atomic_fetch_add(&of_users->n, 1);
}

gnd_status gnd_graph_new(gnd_graph **out, const char *name, int64_t n_node, gnd_error *err)
{
    gnd_graph *g = gnd_alloc(1, sizeof *g);

    *out = NULL;
    if (g) {
        g->name = gnd_strdup(name);
        g->n_node = n_node;
        g->label = gnd_alloc(n_node, sizeof *g->label);
        g->cls = gnd_names_new();
        g->adj_users = users_new();
        g->feat_users = users_new();
    }
    if (!g || !g->name || !g->label || !g->cls || !g->adj_users || !g->feat_users) {
        gnd_graph_free(g);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a graph of %lld vertices",
                        (long long)n_node);
    }
    for (int64_t i = 0; i < n_node; i++)
        g->label[i] = -1;
    *out = g;
    return GND_OK;
}

void gnd_graph_drop_roles(gnd_graph *g)
{
    if (g->roles_source)
        gnd_mapping_release(g->roles_source);
    else
        gnd_free((void *)g->roles);
    g->roles = NULL;
    g->roles_source = NULL;
}

void gnd_graph_free(gnd_graph *g)
{
    if (!g)
        return;
    gnd_free(g->name);
    matrix_leave(&g->adj, g->adj_users);
    matrix_leave(&g->feat, g->feat_users);
    gnd_free(g->label);
    gnd_names_free(g->cls);
    gnd_names_free(g->ids);
    gnd_free(g->old);
    gnd_free(g->fixed_test);
    gnd_free(g->in_train_file);
    gnd_free(g->original);
    gnd_free(g->part_start);
    gnd_graph_drop_roles(g);
    gnd_free(g->number);
    gnd_notes_fini(&g->notes);
    gnd_part_free(g->part);
    gnd_free(g);
}

void gnd_graph_share_links(gnd_graph *c, const gnd_graph *g)
{
    matrix_share(&c->adj, &c->adj_users, &g->adj, g->adj_users);
}

void gnd_graph_share_features(gnd_graph *c, const gnd_graph *g)
{
    matrix_share(&c->feat, &c->feat_users, &g->feat, g->feat_users);
    c->n_feat = g->n_feat;
}

void gnd_graph_share_roles(gnd_graph *c, const gnd_graph *g)
{
    const size_t bytes = (size_t)(g->n_node * GND_ROLES) * sizeof *g->roles;

    gnd_graph_drop_roles(c);
    c->roles = g->roles;
    c->roles_source = g->roles_source;
    if (c->roles_source)
        gnd_mapping_hold(c->roles_source);
    if (c->roles_source || !g->roles)
        return;
    c->roles = gnd_alloc_raw(g->n_node * GND_ROLES, sizeof *c->roles);
    if (c->roles) /* without memory they are computed again */
        memcpy((gnd_real *)c->roles, g->roles, bytes);
}

void gnd_graph_hold(gnd_graph *g, gnd_mapping *source)
{
    gnd_users *const users[] = {g->adj_users, g->feat_users};

    for (int k = 0; k < 2; k++) {
        gnd_mapping_hold(source);
        gnd_mapping_release(users[k]->source);
        users[k]->source = source;
    }
}

gnd_status gnd_graph_replace_features(gnd_graph *g, gnd_csr *feat, gnd_error *err)
{
    gnd_users *u = users_new();

    if (!u)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for features");
    matrix_leave(&g->feat, g->feat_users);
    g->feat = *feat;
    g->feat_users = u;
    g->n_feat = feat->n_col;
    *feat = (gnd_csr){0};
    return GND_OK;
}

gnd_status gnd_graph_class_of(int32_t *out, gnd_graph *g, const char *name, size_t len,
                              gnd_error *err)
{
    const int64_t c = gnd_names_add(g->cls, name, len);

    if (c < 0)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a class name");
    *out = (int32_t)c;
    g->n_class = (int32_t)gnd_names_count(g->cls);
    return GND_OK;
}

typedef struct {
    const char *name;
    int64_t number; /* the name as a number; used if all names are numbers */
    int32_t old;
} class_key;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const class_key *)a)->name, ((const class_key *)b)->name);
}

/* 1 and 01 are one number and two classes. */
static int by_number(const void *a, const void *b)
{
    const class_key *x = a, *y = b;

    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : by_name(a, b);
}

gnd_status gnd_graph_sort_classes(gnd_graph *g, gnd_error *err)
{
    const int32_t n = g->n_class;
    class_key *key = gnd_alloc(n, sizeof *key);
    int32_t *new_of = gnd_alloc(n, sizeof *new_of);
    gnd_names *sorted = gnd_names_new();
    bool numbers = true;
    gnd_status st = GND_OK;

    if (!key || !new_of || !sorted)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to sort %d classes", n));
    for (int32_t c = 0; c < n; c++) {
        key[c] = (class_key){.name = gnd_names_get(g->cls, c), .old = c};
        numbers &= gnd_parse_int(&key[c].number, key[c].name, strlen(key[c].name));
    }
    qsort(key, (size_t)n, sizeof *key, numbers ? by_number : by_name);
    for (int32_t c = 0; c < n; c++) {
        new_of[key[c].old] = c;
        if (gnd_names_add(sorted, key[c].name, strlen(key[c].name)) < 0)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to sort %d classes", n));
    }
    for (int64_t i = 0; i < g->n_node; i++)
        if (g->label[i] >= 0)
            g->label[i] = new_of[g->label[i]];
    gnd_names_free(g->cls);
    g->cls = sorted;
    sorted = NULL;
out:
    gnd_names_free(sorted);
    gnd_free(new_of);
    gnd_free(key);
    return st;
}

static bool has_negative(const gnd_csr *a)
{
    const int64_t nnz = a->val ? gnd_csr_nnz(a) : 0;
    unsigned any = 0;

    for (int64_t p = 0; p < nnz; p++)
        any |= a->val[p] < 0;
    return any;
}

static gnd_status negative_fail(const gnd_csr *a, gnd_error *err)
{
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            if (a->val[p] < 0)
                return gnd_fail(err, GND_ERR_FORMAT,
                                "the link from vertex %lld to %d has the negative weight %g",
                                (long long)i, a->col[p], (double)a->val[p]);
    return GND_OK;
}

gnd_status gnd_graph_check(const gnd_graph *g, const char *path, gnd_error *err)
{
    const gnd_csr *a = &g->adj;
    gnd_status st = GND_OK;

    if (g->n_node < 1)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "the graph has no vertices"));
    if (a->n_row != g->n_node || a->n_col != g->n_node)
        GND_TRY(gnd_fail(
            err, GND_ERR_SHAPE, "the adjacency matrix is %lld x %lld; expected %lld x %lld",
            (long long)a->n_row, (long long)a->n_col, (long long)g->n_node, (long long)g->n_node));
    if (g->n_feat > 0 && (g->feat.n_row != g->n_node || g->feat.n_col != g->n_feat))
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "the feature matrix is %lld x %lld; expected %lld x %lld",
                         (long long)g->feat.n_row, (long long)g->feat.n_col, (long long)g->n_node,
                         (long long)g->n_feat));
    GND_TRY(gnd_csr_check(a, "adjacency", err));
    GND_TRY(gnd_csr_check(&g->feat, "feature", err));
    if (has_negative(a))
        GND_TRY(negative_fail(a, err));
    for (int64_t i = 0; i < g->n_node; i++)
        if (g->label[i] < -1 || g->label[i] >= g->n_class)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "vertex %lld has class %d; expected -1 (none) to %d", (long long)i,
                             g->label[i], g->n_class - 1));
    if (gnd_names_count(g->cls) != g->n_class)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%lld class names are given for %d classes",
                         (long long)gnd_names_count(g->cls), g->n_class));
    if (g->ids && gnd_names_count(g->ids) != g->n_node)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%lld distinct vertex ids are given for %lld vertices",
                         (long long)gnd_names_count(g->ids), (long long)g->n_node));
out:
    if (st != GND_OK && path)
        gnd_error_prefix(err, "%s", path);
    return st;
}

const char *gnd_graph_name(const gnd_graph *g)
{
    return g->name;
}

gnd_graph_mode gnd_graph_mode_get(const gnd_graph *g)
{
    return g->mode;
}

int64_t gnd_graph_n_node(const gnd_graph *g)
{
    return gnd_part_total(g->part, g->n_node);
}

int32_t gnd_graph_n_class(const gnd_graph *g)
{
    return g->n_class;
}

const char *gnd_graph_id(const gnd_graph *g, int64_t vertex, char buf[32])
{
    if (vertex < 0 || vertex >= g->n_node)
        return NULL;
    if (g->ids)
        return gnd_names_get(g->ids, vertex);
    snprintf(buf, 32, "%lld", (long long)(g->old ? g->old[vertex] : vertex));
    return buf;
}

const char *gnd_graph_class_name(const gnd_graph *g, int32_t cls)
{
    return cls >= 0 && cls < g->n_class ? gnd_names_get(g->cls, cls) : NULL;
}

int32_t gnd_graph_label(const gnd_graph *g, int64_t vertex)
{
    return vertex >= 0 && vertex < g->n_node ? g->label[vertex] : -1;
}

const int32_t *gnd_graph_labels(const gnd_graph *g)
{
    return g->label;
}

void gnd_graph_class_sizes(int64_t *out, const gnd_graph *g)
{
    const gnd_row_range own = gnd_part_own(g->part, g->n_node);

    memset(out, 0, (size_t)g->n_class * sizeof *out);
    for (int64_t i = own.begin; i < own.end; i++)
        if (g->label[i] >= 0)
            out[g->label[i]]++;
    gnd_part_counts(g->part, out, g->n_class);
}

int64_t gnd_graph_n_note(const gnd_graph *g)
{
    return g->notes.n;
}

const gnd_note *gnd_graph_note(const gnd_graph *g, int64_t i)
{
    return gnd_notes_at(&g->notes, i);
}
