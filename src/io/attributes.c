/* SPDX-License-Identifier: MIT
 * attributes.c - collect the vertices, edges and attributes of a graph file. */
#include "attributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "limit.h"
#include "text.h"

enum { DEFAULT_BYTES = 16 }; /* memory that a value takes */

void gnd_attr_graph_fini(gnd_attr_graph *a)
{
    for (int64_t k = 0; k < a->n_attr; k++) {
        gnd_free(a->attr[k].name);
        gnd_free(a->attr[k].vertex);
        gnd_free(a->attr[k].number);
        gnd_free(a->attr[k].text);
        gnd_names_free(a->attr[k].texts);
    }
    gnd_free(a->attr);
    gnd_names_free(a->names);
    gnd_names_free(a->ids);
    gnd_free(a->declared);
    gnd_coo_fini(&a->arc);
    gnd_coo_fini(&a->edge);
    gnd_notes_fini(&a->notes);
    *a = (gnd_attr_graph){0};
}

gnd_status gnd_attr_fail(const gnd_attr_graph *a, gnd_error *err, const char *fmt, ...)
{
    va_list ap;
    gnd_status st;

    va_start(ap, fmt);
    st = gnd_text_vfail(a->path, a->list, a->at, err, fmt, ap);
    va_end(ap);
    return st;
}

gnd_status gnd_attr_note_edge_data(gnd_attr_graph *a, gnd_error *err)
{
    return gnd_notes_add(&a->notes, GND_NOTE, "edge_attributes_ignored", err,
                         "%s: of the attributes of edges only 'weight' is used", a->path);
}

static gnd_status no_memory(const gnd_attr_graph *a, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", a->path);
}

/* ---- vertices and edges ---- */

static gnd_status vertex_of(int32_t *v, gnd_attr_graph *a, const char *id, gnd_error *err)
{
    int64_t i;

    if (!*id)
        return gnd_attr_fail(a, err, "the id of the vertex is empty");
    if (!a->ids)
        a->ids = gnd_names_new();
    if (!a->ids)
        return no_memory(a, err);
    i = gnd_names_add(a->ids, id, strlen(id));
    if (i < 0 || i > GND_MAX_NODE)
        return no_memory(a, err);
    if (i >= a->cap) {
        const int64_t cap = 2 * a->cap + 256;
        int64_t *declared = gnd_realloc(a->declared, cap, sizeof *declared);

        if (!declared)
            return no_memory(a, err);
        memset(declared + a->cap, 0, (size_t)(cap - a->cap) * sizeof *declared);
        a->declared = declared;
        a->cap = cap;
    }
    *v = (int32_t)i;
    return GND_OK;
}

gnd_status gnd_attr_vertex(int32_t *v, gnd_attr_graph *a, const char *id, gnd_error *err)
{
    char show[GND_SHOWN];
    const gnd_status st = vertex_of(v, a, id, err);

    if (st != GND_OK)
        return st;
    if (a->declared[*v] > 0)
        return gnd_attr_fail(a, err, "vertex '%s' occurs twice; the first is %s %lld",
                             gnd_field_show(show, (gnd_csv_field){.s = id, .len = strlen(id)}),
                             a->list ? "item" : "in line", (long long)a->declared[*v] - 1);
    a->declared[*v] = a->at + 1;
    return GND_OK;
}

gnd_status gnd_attr_edge(gnd_attr_graph *a, const gnd_attr_link *e, gnd_error *err)
{
    const double w = e->has_weight ? e->weight : 1;
    int32_t u = 0, v = 0;
    gnd_status st = GND_OK;

    GND_TRY(vertex_of(&u, a, e->source, err));
    GND_TRY(vertex_of(&v, a, e->target, err));
    if (a->declared[u] == 0)
        a->declared[u] = -(a->at + 1);
    if (a->declared[v] == 0)
        a->declared[v] = -(a->at + 1);
    if (!isfinite((gnd_real)w) || w < 0)
        GND_TRY(gnd_attr_fail(a, err,
                              "the weight of an edge must be a finite number that is not "
                              "negative"));
    a->n_weighted += e->has_weight;
    if (e->directed)
        GND_TRY(gnd_coo_add(&a->arc, u, v, w, err));
    else
        GND_TRY(gnd_coo_add(&a->edge, u < v ? u : v, u < v ? v : u, w, err));
out:
    return st;
}

gnd_status gnd_attr_weight(gnd_attr_link *e, gnd_attr_graph *a, const char *text, size_t len,
                           gnd_error *err)
{
    const gnd_csv_field f = {.s = text, .len = len};
    char show[GND_SHOWN];

    if (len == 0)
        return GND_OK;
    if (!gnd_field_real(&e->weight, f) || e->weight < 0)
        return gnd_attr_fail(a, err,
                             "the weight of an edge must be a finite number that is not negative; "
                             "got '%s'",
                             gnd_field_show(show, f));
    e->has_weight = true;
    return GND_OK;
}

/* ---- attributes ---- */

const char *gnd_attr_number_text(char buf[GND_REAL_TEXT], double v)
{
    for (int digits = 15; digits <= 17; digits++) {
        double back;

        gnd_real_text(buf, v, digits);
        if (gnd_parse_real(&back, buf, strlen(buf)) && back == v)
            break;
    }
    return buf;
}

/* Replace the numbers of an attribute by texts. */
static gnd_status to_texts(gnd_attr_graph *a, gnd_attr *c, gnd_error *err)
{
    char buf[GND_REAL_TEXT];
    int64_t kept = 0;

    c->text = gnd_realloc(NULL, c->cap ? c->cap : 1, sizeof *c->text);
    if (!c->texts)
        c->texts = gnd_names_new();
    if (!c->text || !c->texts)
        return no_memory(a, err);
    for (int64_t p = 0; p < c->n; p++) {
        int64_t i;

        if (isnan(c->number[p]))
            continue;
        gnd_attr_number_text(buf, c->number[p]);
        i = gnd_names_add(c->texts, buf, strlen(buf));
        if (i < 0)
            return no_memory(a, err);
        c->vertex[kept] = c->vertex[p];
        c->text[kept++] = (int32_t)i;
    }
    c->n = kept;
    gnd_free(c->number);
    c->number = NULL;
    c->type = GND_ATTR_TEXT;
    return GND_OK;
}

gnd_status gnd_attr_column(int64_t *k, gnd_attr_graph *a, const char *name, gnd_attr_type type,
                           gnd_error *err)
{
    if (!a->names)
        a->names = gnd_names_new();
    if (!a->names)
        return no_memory(a, err);
    if (a->n_attr == a->room) {
        const int64_t room = 2 * a->room + 16;
        gnd_attr *attr = gnd_realloc(a->attr, room, sizeof *attr);

        if (!attr)
            return no_memory(a, err);
        a->attr = attr;
        a->room = room;
    }
    *k = gnd_names_add(a->names, name, strlen(name));
    if (*k < 0)
        return no_memory(a, err);
    if (*k == a->n_attr) {
        a->attr[a->n_attr] = (gnd_attr){.name = gnd_strdup(name), .type = type};
        gnd_field_show(a->attr[a->n_attr].shown, (gnd_csv_field){.s = name, .len = strlen(name)});
        if (!a->attr[a->n_attr++].name)
            return no_memory(a, err);
    }
    if (a->attr[*k].type != type && a->attr[*k].type == GND_ATTR_NUMBER)
        return to_texts(a, &a->attr[*k], err);
    return GND_OK;
}

/* Room for one more value of vertex v, whose number is *p. */
static gnd_status add_value(int64_t *p, gnd_attr_graph *a, gnd_attr *c, int32_t v, gnd_error *err)
{
    if (c->n == c->cap) {
        const int64_t cap = 2 * c->cap + 64;
        int32_t *vertex = gnd_realloc(c->vertex, cap, sizeof *vertex), *text;
        double *number;

        if (!vertex)
            return no_memory(a, err);
        c->vertex = vertex;
        if (c->type == GND_ATTR_NUMBER) {
            number = gnd_realloc(c->number, cap, sizeof *number);
            if (!number)
                return no_memory(a, err);
            c->number = number;
        } else {
            text = gnd_realloc(c->text, cap, sizeof *text);
            if (!text)
                return no_memory(a, err);
            c->text = text;
        }
        c->cap = cap;
    }
    /* The values of a vertex are together in the file. */
    if (c->n > 0 && c->vertex[c->n - 1] == v)
        return gnd_attr_fail(a, err, "the vertex has two values of attribute '%s'", c->shown);
    *p = c->n++;
    c->vertex[*p] = v;
    return GND_OK;
}

gnd_status gnd_attr_set_text(gnd_attr_graph *a, int64_t k, int32_t v, const char *text, size_t len,
                             gnd_error *err)
{
    gnd_attr *c = &a->attr[k];
    int64_t p = 0, i;
    gnd_status st = GND_OK;

    if (c->type == GND_ATTR_NUMBER)
        GND_TRY(to_texts(a, c, err));
    if (!c->texts)
        c->texts = gnd_names_new();
    i = c->texts ? gnd_names_add(c->texts, text, len) : -1;
    if (i < 0)
        GND_TRY(no_memory(a, err));
    GND_TRY(add_value(&p, a, c, v, err));
    c->text[p] = (int32_t)i;
out:
    return st;
}

gnd_status gnd_attr_set_number(gnd_attr_graph *a, int64_t k, int32_t v, double value,
                               gnd_error *err)
{
    gnd_attr *c = &a->attr[k];
    char buf[GND_REAL_TEXT];
    int64_t p = 0;
    gnd_status st = GND_OK;

    if (c->type == GND_ATTR_TEXT) {
        gnd_attr_number_text(buf, value);
        return gnd_attr_set_text(a, k, v, buf, strlen(buf), err);
    }
    GND_TRY(add_value(&p, a, c, v, err));
    c->number[p] = value;
out:
    return st;
}

gnd_status gnd_attr_parse(gnd_attr_graph *a, int64_t k, int32_t v, bool is_bool, const char *text,
                          size_t len, gnd_error *err)
{
    const gnd_csv_field f = {.s = text, .len = len};
    gnd_attr *c = &a->attr[k];
    char show[GND_SHOWN];
    double value;

    if (len == 0)
        return GND_OK; /* missing */
    if (c->type == GND_ATTR_TEXT)
        return gnd_attr_set_text(a, k, v, text, len, err);
    if (is_bool && ((len == 4 && strncasecmp(text, "true", 4) == 0) ||
                    (len == 5 && strncasecmp(text, "false", 5) == 0)))
        return gnd_attr_set_number(a, k, v, len == 4, err);
    /* Several programs write a missing number as "NaN". */
    if (len == 3 && strncasecmp(text, "nan", 3) == 0)
        return gnd_attr_set_number(a, k, v, NAN, err);
    if (!gnd_field_real(&value, f))
        return gnd_attr_fail(a, err, "attribute '%s' is one of numbers; got '%s'", c->shown,
                             gnd_field_show(show, f));
    return gnd_attr_set_number(a, k, v, value, err);
}

gnd_status gnd_attr_default(gnd_attr_graph *a, int64_t k, bool is_bool, const char *text,
                            size_t len, int64_t max_input, gnd_error *err)
{
    const int64_t n = gnd_names_count(a->ids), limit = gnd_limit_get(max_input);
    unsigned char *has;
    gnd_status st = GND_OK;

    a->n_default += n - a->attr[k].n;
    if (a->n_default > limit / DEFAULT_BYTES)
        return gnd_limit_fail(a->path, "has defaults that take", limit, err);
    has = gnd_alloc(n, 1);
    if (!has)
        return no_memory(a, err);
    for (int64_t p = 0; p < a->attr[k].n; p++)
        has[a->attr[k].vertex[p]] = 1;
    for (int64_t v = 0; v < n; v++)
        if (!has[v] && a->declared[v] > 0)
            GND_TRY(gnd_attr_parse(a, k, (int32_t)v, is_bool, text, len, err));
out:
    gnd_free(has);
    return st;
}
