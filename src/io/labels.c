/* SPDX-License-Identifier: MIT
 * labels.c - read labels for the vertices of a graph: a line `id,label` per vertex. Classes are
 * strings; an empty label and -1 mean no class, and so does `unknown` without a probability in a
 * file of predictions, as gnd wrote it before version 0.2. */
#include <string.h>

#include "base/alloc.h"
#include "io.h"
#include "add_vertices.h"
#include "csv_table.h"

typedef struct {
    int32_t cls;  /* -1: none */
    int64_t line; /* line of the label; 0: the file has none for this vertex */
} said;

typedef struct {
    gnd_text text;
    gnd_id_map map;
    gnd_graph *made; /* holds the new classes and labels until the file is read without error */
    said *of;        /* [cap], by number of the id map */
    int64_t cap, n_line, n_same;
    int64_t n_unknown; /* lines with `unknown` that give no class */
    gnd_csv_table table;
    int32_t first;       /* class of the first row */
    int64_t n_first_cls; /* rows with that class */
} labels;

static gnd_status reserve(labels *l, gnd_error *err)
{
    const int64_t n = gnd_id_map_count(&l->map);
    said *of;

    if (n <= l->cap)
        return GND_OK;
    of = gnd_realloc(l->of, n + n / 2, sizeof *of);
    if (!of)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for labels", l->text.path);
    memset(of + l->cap, 0, (size_t)(n + n / 2 - l->cap) * sizeof *of);
    l->of = of;
    l->cap = n + n / 2;
    return GND_OK;
}

static gnd_status other_class(const labels *l, gnd_csv_field id, const said *have,
                              gnd_csv_field name, gnd_error *err)
{
    char show_id[GND_SHOWN], show_name[GND_SHOWN], show_have[GND_SHOWN];
    const char *s = have->cls >= 0 ? gnd_names_get(l->made->cls, have->cls) : "";

    return gnd_text_fail(&l->text, err, "vertex '%s' has label '%s'; in line %lld it has '%s'",
                         gnd_field_show(show_id, id), gnd_field_show(show_name, name),
                         (long long)have->line,
                         gnd_field_show(show_have, (gnd_csv_field){.s = s, .len = strlen(s)}));
}

/* A prediction without a class as gnd wrote it before version 0.2. A predicted class always has a
 * probability, also one named "unknown". */
static bool is_old_unknown(const labels *l, gnd_csv_field name)
{
    return l->table.at[GND_ROLE_PROBABILITY] >= 0 && gnd_field_equals(name, "unknown") &&
           gnd_csv_table_get(&l->table, GND_ROLE_PROBABILITY).len == 0;
}

static gnd_status add_label(labels *l, gnd_error *err)
{
    const gnd_csv_field id = gnd_csv_table_get(&l->table, GND_ROLE_ID);
    const gnd_csv_field name = gnd_csv_table_get(&l->table, GND_ROLE_LABEL);
    int32_t v, cls = -1;
    gnd_status st = GND_OK;

    if (id.len == 0)
        return gnd_text_fail(&l->text, err, "the id of the vertex is empty");
    GND_TRY(gnd_id_map_find(&v, &l->map, id, err));
    GND_TRY(reserve(l, err));
    if (is_old_unknown(l, name))
        l->n_unknown++;
    else if (name.len > 0 && !gnd_field_equals(name, "-1"))
        GND_TRY(gnd_graph_class_of(&cls, l->made, name.s, name.len, err));
    if (l->n_line++ == 0)
        l->first = cls;
    l->n_first_cls += cls == l->first;
    if (l->of[v].line == 0) {
        l->of[v] = (said){.cls = cls, .line = l->text.line};
    } else {
        if (l->of[v].cls != cls)
            return other_class(l, id, &l->of[v], name, err);
        l->n_same++;
    }
out:
    return st;
}

static bool has_vertex(const void *g, gnd_csv_field id)
{
    return gnd_id_find(g, id) >= 0;
}

static gnd_status read_rows(labels *l, const gnd_load_opts *o, gnd_error *err)
{
    const gnd_csv_ids ids = {has_vertex, l->map.g};
    bool more = true;
    gnd_status st = GND_OK;

    GND_TRY(gnd_csv_table_start(&l->table, &l->text, GND_CSV_LABELS, o, &ids, err));
    while (l->table.width > 0) {
        GND_TRY(gnd_csv_table_next(&l->table, &more, err));
        if (!more)
            break;
        GND_TRY(add_label(l, err));
    }
    if (l->n_line == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no labels", l->text.path));
    if (l->table.doubtful && l->first >= 0 && l->n_first_cls == 1)
        GND_TRY(gnd_csv_table_doubt(
            &l->table, "the graph has no such vertex and no other line has the label", err));
out:
    return st;
}

static gnd_status add_notes(gnd_graph *g, const labels *l, gnd_error *err)
{
    const long long n_new = (long long)gnd_names_count(l->map.fresh), n_same = (long long)l->n_same;
    const char *fresh = n_new > 0 ? gnd_names_get(l->map.fresh, 0) : "";
    char shown[GND_SHOWN];
    gnd_status st = GND_OK;

    GND_TRY(gnd_csv_table_notes(&l->table, g, err));
    if (n_new > 0)
        GND_TRY(gnd_notes_add(
            &g->notes, GND_NOTE, "vertices_added", err,
            "%s: %lld vert%s no edges; added as isolated vert%s: '%s'%s", l->text.path, n_new,
            n_new == 1 ? "ex has" : "ices have", n_new == 1 ? "ex" : "ices",
            gnd_field_show(shown, (gnd_csv_field){.s = fresh, .len = strlen(fresh)}),
            n_new == 1 ? "" : " ..."));
    if (n_same > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_labels", err,
                              "%s: %lld line%s a label; merged", l->text.path, n_same,
                              n_same == 1 ? " repeats" : "s repeat"));
    if (l->n_unknown > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "unknown_without_probability", err,
                              "%s: %lld line%s 'unknown' without a probability; this is read as no "
                              "label, and as a class if it has a probability",
                              l->text.path, (long long)l->n_unknown,
                              l->n_unknown == 1 ? " has" : "s have"));
out:
    return st;
}

/* Class of vertex i of the larger graph in l->made: from the file or, if other labels are kept,
 * from g. */
static gnd_status class_get(int32_t *out, labels *l, const gnd_graph *g, int64_t i, bool others,
                            gnd_error *err)
{
    const char *name;

    *out = i < l->cap && l->of[i].line > 0 ? l->of[i].cls : -1;
    if (*out >= 0 || !others || i >= g->n_node || g->label[i] < 0)
        return GND_OK;
    name = gnd_names_get(g->cls, g->label[i]);
    return gnd_graph_class_of(out, l->made, name, strlen(name), err);
}

/* Set the labels and, if other labels are kept, in_train_file of the larger graph in l->made. */
static gnd_status labels_place(labels *l, const gnd_graph *g, const gnd_addition *grown,
                               bool others, gnd_error *err)
{
    gnd_graph *made = l->made;
    gnd_status st = GND_OK;

    made->n_node = grown->n_node;
    gnd_free(made->label);
    made->label = gnd_alloc(grown->n_node, sizeof *made->label);
    made->in_train_file = others ? gnd_alloc(grown->n_node, 1) : NULL;
    if (!made->label || (others && !made->in_train_file))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for labels", l->text.path));
    for (int64_t i = 0; i < grown->n_node; i++) {
        GND_TRY(class_get(&made->label[grown->place[i]], l, g, i, others, err));
        if (others)
            made->in_train_file[grown->place[i]] =
                i < l->cap && l->of[i].line > 0 && l->of[i].cls >= 0;
    }
    GND_TRY(gnd_graph_sort_classes(made, err));
out:
    return st;
}

static gnd_status load(gnd_graph *g, const char *path, const gnd_load_opts *o, bool others,
                       gnd_error *err)
{
    labels l = {0};
    gnd_addition grown = {0};
    const int64_t n_note = g->notes.n;
    gnd_names *cls;
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open_watched(&l.text, path, o, err));
    GND_TRY(gnd_id_map_init(&l.map, g, err));
    GND_TRY(gnd_graph_new(&l.made, "", 0, err));
    GND_TRY(read_rows(&l, o, err));
    GND_TRY(gnd_addition_init(&grown, &l.map, err));
    GND_TRY(labels_place(&l, g, &grown, others, err));
    GND_TRY(add_notes(g, &l, err));
    gnd_graph_add_vertices(g, &grown);
    memcpy(g->label, l.made->label, (size_t)g->n_node * sizeof *g->label);
    cls = g->cls; /* freed with l->made */
    g->cls = l.made->cls;
    l.made->cls = cls;
    g->n_class = l.made->n_class;
    gnd_free(g->in_train_file);
    g->in_train_file = l.made->in_train_file;
    l.made->in_train_file = NULL;
    GND_TRY(gnd_graph_check(g, path, err));
out:
    if (st != GND_OK)
        gnd_notes_cut(&g->notes, n_note);
    gnd_addition_fini(&grown);
    gnd_free(l.of);
    gnd_graph_free(l.made);
    gnd_id_map_fini(&l.map);
    gnd_csv_table_fini(&l.table);
    gnd_text_close(&l.text);
    return st;
}

gnd_status gnd_labels_load(gnd_graph *g, const char *path, const gnd_load_opts *o, gnd_error *err)
{
    return load(g, path, o, false, err);
}

gnd_status gnd_train_labels_load(gnd_graph *g, const char *path, const gnd_load_opts *o,
                                 gnd_error *err)
{
    return load(g, path, o, true, err);
}
