/* SPDX-License-Identifier: MIT
 * xml_graph.c - read a graph in XML by the rules of a format. */
#include "xml_graph.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"

static gnd_status no_memory(const gnd_xml_graph *x, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", x->a.path);
}

/* ---- attributes ---- */

/* Types of numbers in GraphML and GEXF. */
static bool is_number_type(const char *type)
{
    static const char *const list[] = {"int",     "integer", "long",  "float",      "double",
                                       "boolean", "byte",    "short", "bigdecimal", "biginteger"};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strcasecmp(type, list[i]) == 0)
            return true;
    return false;
}

gnd_status gnd_xml_declare(gnd_xml_graph *x, gnd_xml_attrs *list, const gnd_xml_declared *d,
                           gnd_error *err)
{
    const char *title = d->title && *d->title ? d->title : d->id, *type = d->type ? d->type : "";
    int64_t n, i;
    gnd_status st = GND_OK;

    if (!d->id || !*d->id)
        return gnd_attr_fail(&x->a, err, "an element <%s> has no id", x->f->declares);
    if (!list->ids)
        list->ids = gnd_names_new();
    if (!list->ids)
        return no_memory(x, err);
    n = gnd_names_count(list->ids);
    if (n == list->cap) {
        const int64_t cap = 2 * list->cap + 16;
        gnd_xml_attr *of = gnd_realloc(list->of, cap, sizeof *of);

        if (!of)
            return no_memory(x, err);
        list->of = of;
        list->cap = cap;
    }
    i = gnd_names_add(list->ids, d->id, strlen(d->id));
    if (i < 0)
        return no_memory(x, err);
    if (i < n)
        return gnd_attr_fail(&x->a, err, "the %s '%.40s' is declared twice", x->f->declares, d->id);
    x->open = &list->of[n];
    *x->open = (gnd_xml_attr){
        .column = -1, .is_bool = strcasecmp(type, "boolean") == 0, .is_ignored = d->is_ignored};
    /* An attribute of edges and vertices that is named weight is the weight of edges; its values at
     * vertices are an attribute like others. */
    x->open->is_weight = d->of_edge && !d->is_ignored && strcasecmp(title, "weight") == 0;
    if (d->of_node && !d->is_ignored)
        GND_TRY(gnd_attr_column(&x->open->column, &x->a, title,
                                is_number_type(type) ? GND_ATTR_NUMBER : GND_ATTR_TEXT, err));
out:
    return st;
}

gnd_status gnd_xml_attr_find(gnd_xml_graph *x, const gnd_xml_attrs *list, const char *id,
                             gnd_error *err)
{
    const int64_t i = gnd_names_find(list->ids, id, strlen(id));
    char show[GND_SHOWN];

    if (i < 0)
        return gnd_attr_fail(
            &x->a, err, "the %s '%s' is not declared by an element <%s> before it", x->f->declares,
            gnd_field_show(show, (gnd_csv_field){.s = id, .len = strlen(id)}), x->f->declares);
    x->open = &list->of[i];
    return GND_OK;
}

gnd_status gnd_xml_value(gnd_xml_graph *x, int of, const char *text, size_t len, gnd_error *err)
{
    const gnd_xml_attr *t = x->open;

    if (of == GND_XML_NODE && t->column >= 0)
        return gnd_attr_parse(&x->a, t->column, x->v, t->is_bool, text, len, err);
    if (of == GND_XML_EDGE && t->is_weight && !x->e.has_weight)
        return gnd_attr_weight(&x->e, &x->a, text, len, err);
    x->n_edge_data += of == GND_XML_EDGE;
    return GND_OK;
}

static gnd_status close_default(gnd_xml_graph *x, const char *text, size_t len, gnd_error *err)
{
    if (x->open->fallback || len == 0)
        return GND_OK;
    x->open->fallback = gnd_strndup(text, len);
    return x->open->fallback ? GND_OK : no_memory(x, err);
}

/* Defaults of attributes of vertices. */
static gnd_status add_defaults(gnd_xml_graph *x, int64_t max_input, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < gnd_names_count(x->attr[0].ids); k++) {
        const gnd_xml_attr *t = &x->attr[0].of[k];

        if (t->fallback && t->column >= 0)
            GND_TRY(gnd_attr_default(&x->a, t->column, t->is_bool, t->fallback, strlen(t->fallback),
                                     max_input, err));
    }
out:
    return st;
}

/* ---- graph, vertices, edges ---- */

gnd_status gnd_xml_open_graph(gnd_xml_graph *x, gnd_error *err)
{
    if (x->seen_graph)
        return gnd_attr_fail(&x->a, err,
                             "the file has more than one <graph>; gnd reads files with one");
    x->seen_graph = true;
    return GND_OK;
}

gnd_status gnd_xml_open_node(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "id");

    if (!id)
        return gnd_attr_fail(&x->a, err, "a <node> has no id");
    return gnd_attr_vertex(&x->v, &x->a, id, err);
}

gnd_status gnd_xml_open_edge(gnd_xml_graph *x, const char **attr, bool directed, gnd_error *err)
{
    const char *source = gnd_xml_get(attr, "source"), *target = gnd_xml_get(attr, "target");

    if (!source || !target)
        return gnd_attr_fail(&x->a, err, "an <edge> has no %s", source ? "target" : "source");
    gnd_free(x->source);
    gnd_free(x->target);
    x->source = gnd_strdup(source);
    x->target = gnd_strdup(target);
    if (!x->source || !x->target)
        return no_memory(x, err);
    x->e = (gnd_attr_link){.source = x->source, .target = x->target, .directed = directed};
    return GND_OK;
}

/* An edge without a weight takes the default of the attribute. */
static gnd_status close_edge(gnd_xml_graph *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int c = 0; c < 2; c++)
        for (int64_t k = 0; k < gnd_names_count(x->attr[c].ids); k++) {
            const gnd_xml_attr *t = &x->attr[c].of[k];

            if (t->is_weight && t->fallback && !x->e.has_weight)
                GND_TRY(gnd_attr_weight(&x->e, &x->a, t->fallback, strlen(t->fallback), err));
        }
    GND_TRY(gnd_attr_edge(&x->a, &x->e, err));
out:
    return st;
}

/* ---- elements ---- */

static int place_of(const gnd_xml_format *f, int outer, const char *name)
{
    for (size_t i = 0; i < f->n_place; i++)
        if (f->places[i].outer == outer && strcmp(f->places[i].name, name) == 0)
            return f->places[i].in;
    return GND_XML_OTHER;
}

static gnd_status on_start(void *user, gnd_xml *xml, const char *name, const char **attr,
                           gnd_error *err)
{
    gnd_xml_graph *x = user;
    const int outer = x->depth > 0 ? x->in[x->depth - 1] : GND_XML_NONE;
    const int in = place_of(x->f, outer, name);
    gnd_status st = GND_OK;

    x->a.at = gnd_xml_line(xml);
    if (x->depth == GND_XML_NEST_MAX)
        return gnd_attr_fail(&x->a, err, "more than %d elements of %s are nested", GND_XML_NEST_MAX,
                             x->f->name);
    if (in == GND_XML_OTHER && outer == GND_XML_NONE)
        return gnd_attr_fail(&x->a, err, "expected <%s>; got <%.40s>", x->f->root, name);
    if (in == GND_XML_OTHER)
        GND_TRY(x->f->refuse(x, outer, name, err));
    x->in[x->depth++] = in;
    GND_TRY(x->f->open(x, in, attr, err));
out:
    return st;
}

static gnd_status on_end(void *user, gnd_xml *xml, const char *name, const char *text, size_t len,
                         gnd_error *err)
{
    gnd_xml_graph *x = user;
    const int in = x->in[--x->depth], outer = x->depth > 0 ? x->in[x->depth - 1] : GND_XML_NONE;

    x->a.at = gnd_xml_line(xml);
    if (in == GND_XML_EDGE)
        return close_edge(x, err);
    if (outer == GND_XML_ATTR && strcmp(name, "default") == 0)
        return close_default(x, text, len, err);
    return x->f->close ? x->f->close(x, in, text, len, err) : GND_OK;
}

static gnd_status add_notes(gnd_xml_graph *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (x->f->notes)
        GND_TRY(x->f->notes(x, err));
    if (x->n_edge_data > 0)
        GND_TRY(gnd_attr_note_edge_data(&x->a, err));
    if (x->n_ignored > 0)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_NOTE, "foreign_data_ignored", err,
                              "%s: %s and other data that is not part of %s itself was ignored",
                              x->a.path, x->f->ignored, x->f->name));
out:
    return st;
}

static void fini(gnd_xml_graph *x)
{
    for (int c = 0; c < 2; c++) {
        gnd_xml_attrs *list = &x->attr[c];

        for (int64_t k = 0; k < gnd_names_count(list->ids) && k < list->cap; k++)
            gnd_free(list->of[k].fallback);
        gnd_free(list->of);
        gnd_names_free(list->ids);
    }
    gnd_free(x->source);
    gnd_free(x->target);
    gnd_attr_graph_fini(&x->a);
}

gnd_status gnd_xml_graph_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                              const gnd_xml_format *f, void *own, gnd_error *err)
{
    gnd_xml_graph x = {.a = {.path = path}, .f = f, .own = own};
    gnd_xml_reader r = {.start = on_start, .end = on_end, .user = &x};
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(gnd_xml_read(path, o, &r, err));
    x.n_ignored += r.n_foreign;
    if (!x.seen_graph)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no <graph>", path));
    GND_TRY(add_defaults(&x, o ? o->max_input : 0, err));
    GND_TRY(add_notes(&x, err));
    GND_TRY(gnd_attr_graph_build(out, &x.a, o, err));
out:
    fini(&x);
    return st;
}

bool gnd_xml_graph_sniff(const gnd_xml_format *f, const char *path, const char *head, size_t n_head)
{
    char root[32], plain[32], packed[32];

    if (gnd_xml_sniff(root, sizeof root, head, n_head) && strcmp(root, f->root) == 0)
        return true;
    snprintf(plain, sizeof plain, ".%s", f->root);
    snprintf(packed, sizeof packed, ".%s.gz", f->root);
    return !*root && (gnd_path_ends(path, plain) || gnd_path_ends(path, packed));
}
