/* SPDX-License-Identifier: MIT
 * gexf.c - read GEXF 1.1 to 1.3, the format of Gephi: vertices, edges and their attributes. A
 * vertex's own `label` is its display name, not its class. Of a dynamic graph, vertices and edges
 * of all times are read; attributes that change with time are not. Nested vertices are refused. */
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "attributes.h"
#include "text.h"
#include "xml.h"

typedef struct {
    char *fallback; /* text of <default>; NULL: none */
    int64_t column; /* of vertices; -1: of edges, or not used */
    bool is_bool;
    bool is_weight;  /* of edges */
    bool is_dynamic; /* values change with time */
} attribute;

/* Attributes of one class; vertices and edges number theirs separately. */
typedef struct {
    gnd_names *ids;
    attribute *of; /* [cap] by number in ids */
    int64_t cap;
} declared;

typedef enum {
    IN_NONE,
    IN_FILE,
    IN_GRAPH,
    IN_ATTRIBUTES,
    IN_ATTRIBUTE,
    IN_NODES,
    IN_NODE,
    IN_EDGES,
    IN_EDGE,
    IN_VALUES,
    IN_OTHER
} place;

enum { NEST_MAX = 16, OF_NODE = 0, OF_EDGE = 1 };

typedef struct {
    gnd_attr_graph a;
    declared attr[2]; /* OF_NODE, OF_EDGE */
    place in[NEST_MAX];
    int depth;
    int of;         /* class of the <attributes> that is open */
    bool dynamic;   /* of the <attributes> that is open */
    int64_t number; /* of the <attribute> that is open */
    int64_t name;   /* column of display names; -1: none yet */
    bool seen_graph, graph_dynamic, directed;
    int32_t v;
    char *source, *target;
    gnd_attr_link e;
    int64_t n_foreign, n_edge_data, n_dynamic;
} gexf;

static gnd_status no_memory(const gexf *x, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", x->a.path);
}

/* ---- attributes ---- */

static bool is_number_type(const char *type)
{
    static const char *const list[] = {"integer", "long",  "double",     "float",      "boolean",
                                       "byte",    "short", "bigdecimal", "biginteger", "int"};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strcasecmp(type, list[i]) == 0)
            return true;
    return false;
}

static gnd_status open_attributes(gexf *x, const char **attr, gnd_error *err)
{
    const char *cls = gnd_xml_get(attr, "class"), *mode = gnd_xml_get(attr, "mode");

    if (!cls || (strcmp(cls, "node") != 0 && strcmp(cls, "edge") != 0))
        return gnd_attr_fail(&x->a, err,
                             "expected class=\"node\" or \"edge\" of <attributes>; got '%.40s'",
                             cls ? cls : "");
    x->of = strcmp(cls, "edge") == 0 ? OF_EDGE : OF_NODE;
    x->dynamic = mode && strcmp(mode, "dynamic") == 0;
    return GND_OK;
}

static gnd_status open_attribute(gexf *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "id"), *title = gnd_xml_get(attr, "title");
    const char *type = gnd_xml_get(attr, "type");
    declared *d = &x->attr[x->of];
    attribute *t;
    int64_t i = gnd_names_count(d->ids);
    gnd_status st = GND_OK;

    if (!id || !*id)
        return gnd_attr_fail(&x->a, err, "an <attribute> has no id");
    if (i == d->cap) {
        const int64_t cap = 2 * d->cap + 16;
        attribute *of = gnd_realloc(d->of, cap, sizeof *of);

        if (!of)
            return no_memory(x, err);
        d->of = of;
        d->cap = cap;
    }
    x->number = gnd_names_add(d->ids, id, strlen(id));
    if (x->number < 0)
        return no_memory(x, err);
    if (x->number < i)
        return gnd_attr_fail(&x->a, err, "the attribute '%.40s' is declared twice", id);
    t = &d->of[i];
    title = title && *title ? title : id;
    *t = (attribute){.column = -1, .is_dynamic = x->dynamic};
    type = type ? type : "string";
    t->is_bool = strcasecmp(type, "boolean") == 0;
    t->is_weight = x->of == OF_EDGE && strcasecmp(title, "weight") == 0;
    x->n_dynamic += x->dynamic;
    if (x->of == OF_NODE && !x->dynamic)
        GND_TRY(gnd_attr_column(&t->column, &x->a, title,
                                is_number_type(type) ? GND_ATTR_NUMBER : GND_ATTR_TEXT, err));
out:
    return st;
}

static gnd_status close_default(gexf *x, const char *text, size_t len, gnd_error *err)
{
    attribute *t = &x->attr[x->of].of[x->number];

    if (t->fallback || len == 0)
        return GND_OK;
    t->fallback = gnd_strndup(text, len);
    return t->fallback ? GND_OK : no_memory(x, err);
}

/* A value of the vertex or edge that is open; owner: which of them. */
static gnd_status open_value(gexf *x, place owner, const char **attr, gnd_error *err)
{
    const declared *d = &x->attr[owner == IN_EDGE ? OF_EDGE : OF_NODE];
    const char *id = gnd_xml_get(attr, "for"), *value = gnd_xml_get(attr, "value");
    const attribute *t;
    char show[GND_SHOWN];
    int64_t i;

    id = id ? id : gnd_xml_get(attr, "id"); /* as GEXF 1.1 has it */
    if (!id || !value)
        return gnd_attr_fail(&x->a, err, "an <attvalue> has no %s", id ? "value" : "for");
    i = gnd_names_find(d->ids, id, strlen(id));
    if (i < 0)
        return gnd_attr_fail(&x->a, err, "the attribute '%s' is not declared",
                             gnd_field_show(show, (gnd_csv_field){.s = id, .len = strlen(id)}));
    t = &d->of[i];
    if (t->is_dynamic)
        return GND_OK;
    if (t->column >= 0)
        return gnd_attr_parse(&x->a, t->column, x->v, t->is_bool, value, strlen(value), err);
    if (t->is_weight && !x->e.has_weight)
        return gnd_attr_weight(&x->e, &x->a, value, strlen(value), err);
    x->n_edge_data++;
    return GND_OK;
}

/* ---- elements ---- */

static gnd_status direction(bool *out, const gexf *x, const char *type, gnd_error *err)
{
    /* A mutual edge leads both ways, as an undirected one does. */
    if (strcmp(type, "directed") != 0 && strcmp(type, "undirected") != 0 &&
        strcmp(type, "mutual") != 0)
        return gnd_attr_fail(
            &x->a, err, "expected an edge type directed, undirected or mutual; got '%.40s'", type);
    *out = strcmp(type, "directed") == 0;
    return GND_OK;
}

static gnd_status open_graph(gexf *x, const char **attr, gnd_error *err)
{
    const char *type = gnd_xml_get(attr, "defaultedgetype"), *mode = gnd_xml_get(attr, "mode");

    if (x->seen_graph)
        return gnd_attr_fail(&x->a, err,
                             "the file has more than one <graph>; gnd reads files with one");
    x->seen_graph = true;
    x->graph_dynamic = mode && strcmp(mode, "dynamic") == 0;
    return direction(&x->directed, x, type ? type : "undirected", err);
}

static gnd_status open_node(gexf *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "id"), *label = gnd_xml_get(attr, "label");
    gnd_status st = GND_OK;

    if (!id)
        return gnd_attr_fail(&x->a, err, "a <node> has no id");
    if (gnd_xml_get(attr, "pid"))
        return gnd_attr_fail(&x->a, err, "a vertex has a parent (pid); gnd reads flat graphs");
    GND_TRY(gnd_attr_vertex(&x->v, &x->a, id, err));
    if (label && *label) {
        /* An attribute may be titled "label" too; the display name is then called "Label". */
        if (x->name < 0) {
            const bool taken = gnd_names_find(x->a.names, "label", 5) >= 0;

            GND_TRY(gnd_attr_column(&x->name, &x->a, taken ? "display label" : "label",
                                    GND_ATTR_TEXT, err));
            x->a.attr[x->name].is_name = true;
        }
        GND_TRY(gnd_attr_set_text(&x->a, x->name, x->v, label, strlen(label), err));
    }
out:
    return st;
}

static gnd_status open_edge(gexf *x, const char **attr, gnd_error *err)
{
    const char *type = gnd_xml_get(attr, "type"), *weight = gnd_xml_get(attr, "weight");
    const char *source = gnd_xml_get(attr, "source"), *target = gnd_xml_get(attr, "target");
    bool directed = x->directed;
    gnd_status st = GND_OK;

    if (!source || !target)
        return gnd_attr_fail(&x->a, err, "an <edge> has no %s", source ? "target" : "source");
    if (type)
        GND_TRY(direction(&directed, x, type, err));
    gnd_free(x->source);
    gnd_free(x->target);
    x->source = gnd_strdup(source);
    x->target = gnd_strdup(target);
    if (!x->source || !x->target)
        return no_memory(x, err);
    x->e = (gnd_attr_link){.source = x->source, .target = x->target, .directed = directed};
    if (weight)
        GND_TRY(gnd_attr_weight(&x->e, &x->a, weight, strlen(weight), err));
out:
    return st;
}

static gnd_status close_edge(gexf *x, gnd_error *err)
{
    const declared *d = &x->attr[OF_EDGE];
    gnd_status st = GND_OK;

    for (int64_t k = 0; !x->e.has_weight && k < gnd_names_count(d->ids); k++)
        if (d->of[k].is_weight && d->of[k].fallback)
            GND_TRY(
                gnd_attr_weight(&x->e, &x->a, d->of[k].fallback, strlen(d->of[k].fallback), err));
    GND_TRY(gnd_attr_edge(&x->a, &x->e, err));
out:
    return st;
}

static place place_of(place outer, const char *name)
{
    static const struct {
        place outer;
        const char *name;
        place in;
    } known[] = {
        {IN_NONE, "gexf", IN_FILE},
        {IN_FILE, "graph", IN_GRAPH},
        {IN_GRAPH, "attributes", IN_ATTRIBUTES},
        {IN_ATTRIBUTES, "attribute", IN_ATTRIBUTE},
        {IN_GRAPH, "nodes", IN_NODES},
        {IN_NODES, "node", IN_NODE},
        {IN_GRAPH, "edges", IN_EDGES},
        {IN_EDGES, "edge", IN_EDGE},
        {IN_NODE, "attvalues", IN_VALUES},
        {IN_EDGE, "attvalues", IN_VALUES},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].outer == outer && strcmp(known[i].name, name) == 0)
            return known[i].in;
    return IN_OTHER;
}

static gnd_status refuse(const gexf *x, place outer, const char *name, gnd_error *err)
{
    if (outer == IN_NONE)
        return gnd_attr_fail(&x->a, err, "expected <gexf>; got <%.40s>", name);
    if (outer == IN_NODE &&
        (strcmp(name, "nodes") == 0 || strcmp(name, "edges") == 0 || strcmp(name, "parents") == 0))
        return gnd_attr_fail(&x->a, err,
                             "vertices are nested (<%s> in a <node>); gnd reads flat "
                             "graphs",
                             name);
    return GND_OK;
}

static gnd_status on_start(void *user, gnd_xml *xml, const char *name, const char **attr,
                           gnd_error *err)
{
    gexf *x = user;
    const place outer = x->depth > 0 ? x->in[x->depth - 1] : IN_NONE;
    const place in = place_of(outer, name);
    gnd_status st = GND_OK;

    x->a.at = gnd_xml_line(xml);
    if (x->depth == NEST_MAX)
        return gnd_attr_fail(&x->a, err, "more than %d elements of GEXF are nested", NEST_MAX);
    if (in == IN_OTHER)
        GND_TRY(refuse(x, outer, name, err));
    x->in[x->depth++] = in;
    if (in == IN_GRAPH)
        GND_TRY(open_graph(x, attr, err));
    else if (in == IN_ATTRIBUTES)
        GND_TRY(open_attributes(x, attr, err));
    else if (in == IN_ATTRIBUTE)
        GND_TRY(open_attribute(x, attr, err));
    else if (in == IN_NODE)
        GND_TRY(open_node(x, attr, err));
    else if (in == IN_EDGE)
        GND_TRY(open_edge(x, attr, err));
    else if (outer == IN_VALUES && strcmp(name, "attvalue") == 0)
        GND_TRY(open_value(x, x->in[x->depth - 3], attr, err));
out:
    return st;
}

static gnd_status on_end(void *user, gnd_xml *xml, const char *name, const char *text, size_t len,
                         gnd_error *err)
{
    gexf *x = user;
    const place in = x->in[--x->depth], outer = x->depth > 0 ? x->in[x->depth - 1] : IN_NONE;

    x->a.at = gnd_xml_line(xml);
    x->n_foreign = gnd_xml_n_foreign(xml);
    if (in == IN_EDGE)
        return close_edge(x, err);
    if (outer == IN_ATTRIBUTE && strcmp(name, "default") == 0)
        return close_default(x, text, len, err);
    return GND_OK;
}

static gnd_status add_defaults(gexf *x, int64_t max_input, gnd_error *err)
{
    const declared *d = &x->attr[OF_NODE];
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < gnd_names_count(d->ids); k++)
        if (d->of[k].fallback && d->of[k].column >= 0)
            GND_TRY(gnd_attr_default(&x->a, d->of[k].column, d->of[k].is_bool, d->of[k].fallback,
                                     strlen(d->of[k].fallback), max_input, err));
out:
    return st;
}

static gnd_status add_notes(gexf *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (x->graph_dynamic || x->n_dynamic > 0)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_WARNING, "dynamic_graph", err,
                              "%s: the graph changes with time; vertices and edges of all times "
                              "were read, attributes that change were not",
                              x->a.path));
    if (x->n_edge_data > 0)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_NOTE, "edge_attributes_ignored", err,
                              "%s: of the attributes of edges only 'weight' is used", x->a.path));
    if (x->n_foreign > 0)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_NOTE, "foreign_data_ignored", err,
                              "%s: colours, positions and other data that is not part of GEXF "
                              "itself was ignored",
                              x->a.path));
out:
    return st;
}

static void fini(gexf *x)
{
    for (int c = 0; c < 2; c++) {
        for (int64_t k = 0; k < gnd_names_count(x->attr[c].ids) && k < x->attr[c].cap; k++)
            gnd_free(x->attr[c].of[k].fallback);
        gnd_free(x->attr[c].of);
        gnd_names_free(x->attr[c].ids);
    }
    gnd_free(x->source);
    gnd_free(x->target);
    gnd_attr_graph_fini(&x->a);
}

static gnd_status gexf_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                            gnd_error *err)
{
    gexf x = {.a = {.path = path},
              .attr = {{.ids = gnd_names_new()}, {.ids = gnd_names_new()}},
              .name = -1};
    const gnd_xml_reader r = {.start = on_start, .end = on_end, .user = &x};
    gnd_status st = GND_OK;

    *out = NULL;
    if (!x.attr[0].ids || !x.attr[1].ids)
        GND_TRY(no_memory(&x, err));
    GND_TRY(gnd_xml_read(path, o, &r, err));
    if (!x.seen_graph)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no <graph>", path));
    GND_TRY(add_defaults(&x, o ? o->max_input : 0, err));
    GND_TRY(add_notes(&x, err));
    GND_TRY(gnd_attr_graph_build(out, &x.a, o, err));
out:
    fini(&x);
    return st;
}

static bool gexf_sniff(const char *path, const char *head, size_t n_head)
{
    char root[32];

    return (gnd_xml_sniff(root, sizeof root, head, n_head) && strcmp(root, "gexf") == 0) ||
           (!*root && (gnd_path_ends(path, ".gexf") || gnd_path_ends(path, ".gexf.gz")));
}

const gnd_format gnd_format_gexf = {
    .name = "gexf",
    .about = "GEXF of Gephi and networkx: attributes of vertices are features or labels",
    .sniff = gexf_sniff,
    .read = gexf_read,
    .has_attributes = true,
};
