/* SPDX-License-Identifier: MIT
 * linqs.c - read the LINQS citation sets: NAME.content has `id feature ... class` per line,
 * NAME.cites has `cited citing` per line. A citation is stored as an arc from the citing to the
 * cited paper. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_graph.h"
#include "base/alloc.h"
#include "add_vertices.h"
#include "text.h"

typedef struct {
    gnd_graph *g;   /* classes are added here; vertices when all are known */
    gnd_names *ids; /* in the order of .content */
    int32_t *label; /* [cap], by order */
    int64_t *line;  /* [cap]: line of the id */
    int64_t cap, n_feat, n_unknown;
    gnd_coo feat, arc;
} linqs;

/* The id of a line must be new; *v: its index in the order of the file. */
static gnd_status new_id(int32_t *v, linqs *x, const gnd_text *t, gnd_csv_field id, gnd_error *err)
{
    const int64_t n = gnd_names_count(x->ids);
    char show[GND_SHOWN];
    int64_t i;

    if (id.len == 0)
        return gnd_text_fail(t, err, "the id of the vertex is empty");
    if (n == x->cap) {
        const int64_t cap = 2 * x->cap + 256;
        int32_t *label = gnd_realloc(x->label, cap, sizeof *label);
        int64_t *line = gnd_realloc(x->line, cap, sizeof *line);

        x->label = label ? label : x->label;
        x->line = line ? line : x->line;
        if (!label || !line)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld vertices", t->path,
                            (long long)cap);
        x->cap = cap;
    }
    i = gnd_names_add(x->ids, id.s, id.len);
    if (i < 0 || i > GND_MAX_NODE)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertex ids", t->path);
    if (i < n)
        return gnd_text_fail(t, err, "vertex '%s' is already in line %lld",
                             gnd_field_show(show, id), (long long)x->line[i]);
    x->line[i] = t->line;
    *v = (int32_t)i;
    return GND_OK;
}

/* The fields between id and class, which is put into *cls; *n counts the values. */
static gnd_status feature_fields(int64_t *n, gnd_csv_field *cls, linqs *x, const gnd_text *t,
                                 gnd_fields *c, int32_t v, gnd_error *err)
{
    char why[GND_NOT_REAL];
    gnd_csv_field next;
    double value;
    gnd_status st = GND_OK;

    *n = 0;
    if (!gnd_fields_next(c, cls))
        return gnd_text_fail(t, err, "%s",
                             c->bad ? c->bad : "expected id, features and class; got 1 field");
    for (; gnd_fields_next(c, &next); ++*n, *cls = next) {
        if (!gnd_field_real(&value, *cls))
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s:%lld:%lld: %s", t->path, (long long)t->line,
                             (long long)*n + 2, gnd_field_not_real(why, *cls)));
        if (value != 0)
            GND_TRY(gnd_coo_add(&x->feat, v, (int32_t)*n, value, err));
        if (*n >= GND_MAX_FEAT)
            GND_TRY(gnd_text_fail(t, err, "has too many fields"));
    }
    if (c->bad)
        GND_TRY(gnd_fields_fail(c, err));
out:
    return st;
}

static gnd_status content_line(linqs *x, gnd_text *t, gnd_fields c, gnd_error *err)
{
    gnd_csv_field id = {0}, cls = {0};
    int64_t n;
    int32_t v = 0;
    gnd_status st = GND_OK;

    gnd_fields_next(&c, &id);
    if (c.bad)
        return gnd_fields_fail(&c, err);
    GND_TRY(new_id(&v, x, t, id, err));
    GND_TRY(feature_fields(&n, &cls, x, t, &c, v, err));
    if (v == 0)
        x->n_feat = n;
    if (n != x->n_feat)
        return gnd_text_fail(t, err, "expected %lld features as in line %lld; got %lld",
                             (long long)x->n_feat, (long long)x->line[0], (long long)n);
    x->label[v] = -1;
    if (cls.len > 0 && !gnd_field_equals(cls, "-1"))
        GND_TRY(gnd_graph_class_of(&x->label[v], x->g, cls.s, cls.len, err));
out:
    return st;
}

static gnd_status read_content(linqs *x, const char *path, int64_t max_input, gnd_error *err)
{
    gnd_text t = {0};
    const char *s;
    size_t len;
    char sep = 0;
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open_lines(&t, path, max_input, err));
    while (gnd_text_data_line(&t, &s, &len)) {
        if (!sep)
            sep = gnd_text_separator(&t, s, len);
        GND_TRY(content_line(x, &t, gnd_text_fields(&t, s, len, sep), err));
    }
    if (gnd_names_count(x->ids) == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no vertices", path));
out:
    gnd_text_close(&t);
    return st;
}

static gnd_status read_cites(linqs *x, const char *path, int64_t max_input, gnd_error *err)
{
    gnd_text t = {0};
    gnd_csv_field f[2];
    const char *s;
    size_t len;
    char sep = 0;
    int64_t n, n_line = 0;
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open_lines(&t, path, max_input, err));
    for (; gnd_text_data_line(&t, &s, &len); n_line++) {
        int64_t cited, citing;

        if (!sep)
            sep = gnd_text_separator(&t, s, len);
        GND_TRY(gnd_fields_split(gnd_text_fields(&t, s, len, sep), f, 2, &n, err));
        if (n != 2)
            GND_TRY(gnd_text_fail(&t, err,
                                  "expected cited and citing id separated by %s; got %lld "
                                  "field%s",
                                  gnd_separator_name(sep), (long long)n, n == 1 ? "" : "s"));
        cited = gnd_names_find(x->ids, f[0].s, f[0].len);
        citing = gnd_names_find(x->ids, f[1].s, f[1].len);
        if (cited < 0 || citing < 0)
            x->n_unknown++;
        else
            GND_TRY(gnd_coo_add(&x->arc, (int32_t)citing, (int32_t)cited, 1, err));
    }
    if (n_line == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no edges", path));
out:
    gnd_text_close(&t);
    return st;
}

/* Make the graph from what was read. */
static gnd_status assemble(linqs *x, const char *cites, gnd_error *err)
{
    const gnd_graph_parts met = {&x->ids, x->label, &x->arc, &x->feat, x->n_feat};
    int64_t n_dup = 0;
    gnd_status st = GND_OK;

    GND_TRY(gnd_graph_build(x->g, &met, &n_dup, err));
    if (x->n_unknown > 0)
        GND_TRY(gnd_notes_add(&x->g->notes, GND_WARNING, "unknown_ids_skipped", err,
                              "%s: %lld citation%s an id that .content does not have; skipped",
                              cites, (long long)x->n_unknown,
                              x->n_unknown == 1 ? " names" : "s name"));
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&x->g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate citation%s merged", cites, (long long)n_dup,
                              n_dup == 1 ? " was" : "s were"));
out:
    return st;
}

/* The part of a path before .content or .cites, plus tail; NULL: no memory. */
static char *sibling(const char *path, const char *tail)
{
    size_t n = strlen(path);
    char *s;

    n -= gnd_path_ends(path, ".content") ? 8 : gnd_path_ends(path, ".cites") ? 6 : 0;
    s = gnd_alloc((int64_t)(n + strlen(tail) + 1), 1);
    if (s)
        sprintf(s, "%.*s%s", (int)n, path, tail);
    return s;
}

static gnd_status linqs_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                             gnd_error *err)
{
    char *content = sibling(path, ".content"), *cites = sibling(path, ".cites");
    const int64_t max_input = o ? o->max_input : 0;
    linqs x = {.ids = gnd_names_new()};
    char name[256];
    gnd_status st = GND_OK;

    *out = NULL;
    if (!content || !cites || !x.ids)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    gnd_path_stem(name, sizeof name, content);
    GND_TRY(gnd_graph_new(&x.g, name, 0, err));
    GND_TRY(read_content(&x, content, max_input, err));
    GND_TRY(read_cites(&x, cites, max_input, err));
    GND_TRY(assemble(&x, cites, err));
    GND_TRY(gnd_graph_check(x.g, content, err));
    *out = x.g;
    x.g = NULL;
out:
    gnd_graph_free(x.g);
    gnd_names_free(x.ids);
    gnd_free(x.label);
    gnd_free(x.line);
    gnd_coo_fini(&x.feat);
    gnd_coo_fini(&x.arc);
    gnd_free(content);
    gnd_free(cites);
    return st;
}

static bool linqs_sniff(const char *path, const char *head, size_t n_head)
{
    char *content;
    bool yes;

    (void)head;
    if (gnd_path_ends(path, ".content") || gnd_path_ends(path, ".cites"))
        return true;
    if (n_head > 0)
        return false;
    content = sibling(path, ".content");
    yes = content && access(content, F_OK) == 0;
    gnd_free(content);
    return yes;
}

static bool linqs_part(char *buf, size_t size, const char *path, int i)
{
    static const char *const tail[] = {".content", ".cites"};
    char *file = i < 2 ? sibling(path, tail[i]) : NULL;
    const bool fits = file && strlen(file) < size;

    if (fits)
        strcpy(buf, file);
    gnd_free(file);
    return fits;
}

const gnd_format gnd_format_linqs = {
    .name = "linqs",
    .about = "LINQS citation sets: NAME.content and NAME.cites",
    .sniff = linqs_sniff,
    .read = linqs_read,
    .part = linqs_part,
};
