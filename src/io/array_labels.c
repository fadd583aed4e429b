/* SPDX-License-Identifier: MIT
 * array_labels.c - labels, ids and the name of a graph from arrays in memory, and the arrays of a
 * graph for the caller. */
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "io.h"
#include "scalars.h"

/* More classes than this and than vertices: the array is not one of labels. */
enum { CLASS_MAX = 65536 };

/* A table of n distinct names. "" and "-1" mean a missing value in text files. what: "class name",
 * "id". */
static gnd_status names_take(gnd_names **out, const char *const *name, int64_t n, const char *what,
                             gnd_error *err)
{
    gnd_names *names = gnd_names_new();
    gnd_status st = GND_OK;

    if (!names)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld names", (long long)n));
    for (int64_t i = 0; i < n; i++) {
        int64_t k;

        if (!name[i])
            GND_TRY(gnd_fail(err, GND_ERR_ARG, "%s %lld is NULL", what, (long long)i));
        if (name[i][0] == '\0' || strcmp(name[i], "-1") == 0)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s %lld is '%s', which means a missing value in text files", what,
                             (long long)i, name[i]));
        k = gnd_names_add(names, name[i], strlen(name[i]));
        if (k < 0)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld names", (long long)n));
        if (k < i)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s %lld is '%.60s', as is %s %lld", what,
                             (long long)i, name[i], what, (long long)k));
    }
    *out = names;
    names = NULL;
out:
    gnd_names_free(names);
    return st;
}

/* "0", "1", .. */
static gnd_status numbers_take(gnd_names **out, int32_t n, gnd_error *err)
{
    gnd_names *names = gnd_names_new();

    for (int32_t c = 0; names && c < n; c++) {
        char buf[16];

        if (gnd_names_add(names, buf, (size_t)snprintf(buf, sizeof buf, "%d", c)) < 0) {
            gnd_names_free(names);
            names = NULL;
        }
    }
    *out = names;
    return names ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for %d names", n);
}

gnd_status gnd_graph_set_labels(gnd_graph *g, const int32_t *label, const char *const *class_names,
                                int32_t n_class, gnd_error *err)
{
    const int64_t most = g->n_node > CLASS_MAX ? g->n_node : CLASS_MAX;
    gnd_names *names = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (!label)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "the array of labels is NULL"));
    if (n_class < 0 || n_class > most)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "n_class is %d; expected 0 to %lld", n_class,
                         (long long)most));
    for (int64_t i = 0; i < g->n_node; i++)
        if (label[i] >= n_class)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "the label of vertex %lld is %d; expected less than %d, or negative "
                             "for none",
                             (long long)i, label[i], n_class));
    GND_TRY(class_names ? names_take(&names, class_names, n_class, "class name", err)
                        : numbers_take(&names, n_class, err));
    for (int64_t i = 0; i < g->n_node; i++)
        g->label[i] = label[i] < 0 ? -1 : label[i];
    gnd_names_free(g->cls);
    g->cls = names;
    g->n_class = n_class;
    gnd_free(g->in_train_file);
    g->in_train_file = NULL;
out:
    return st;
}

gnd_status gnd_graph_set_ids(gnd_graph *g, const char *const *ids, gnd_error *err)
{
    gnd_names *names = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (ids)
        GND_TRY(names_take(&names, ids, g->n_node, "id", err));
    gnd_names_free(g->ids);
    g->ids = names;
    gnd_free(g->old);
    g->old = NULL;
out:
    return st;
}

gnd_status gnd_graph_set_name(gnd_graph *g, const char *name, gnd_error *err)
{
    char *copy = NULL;
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_require(name, "the name of the graph", err));
    copy = gnd_strdup(name);
    if (!copy)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the name of the graph"));
    gnd_free(g->name);
    g->name = copy;
out:
    return st;
}

static gnd_status view_put(gnd_csr_view *out, const gnd_csr *a, gnd_error *err)
{
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_check(out, sizeof *out, "gnd_csr_view", err));
    gnd_opts_put(out,
                 &(gnd_csr_view){.size = sizeof *out,
                                 .ptr_type = GND_I64,
                                 .col_type = GND_I32,
                                 .val_type = gnd_scalar_real(),
                                 .n_row = a->n_row,
                                 .n_col = a->n_col,
                                 .ptr = a->ptr,
                                 .col = a->col,
                                 .val = a->val},
                 sizeof *out);
out:
    return st;
}

gnd_status gnd_graph_adjacency(gnd_csr_view *out, const gnd_graph *g, gnd_error *err)
{
    return view_put(out, &g->adj, err);
}

gnd_status gnd_graph_features(gnd_csr_view *out, const gnd_graph *g, gnd_error *err)
{
    return view_put(out, &g->feat, err);
}
