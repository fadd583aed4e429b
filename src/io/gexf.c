/* SPDX-License-Identifier: MIT
 * gexf.c - read GEXF 1.1 to 1.3, the format of Gephi: vertices, edges and their attributes. A
 * vertex's own `label` is its display name, not its class. Of a dynamic graph, vertices and edges
 * of all times are read; attributes that change with time are not. Nested vertices are refused. */
#include <string.h>

#include "xml_graph.h"

enum { IN_FILE = GND_XML_OWN, IN_ATTRIBUTES, IN_NODES, IN_EDGES, IN_VALUES, IN_VALUE };

/* Vertices and edges number their attributes separately. */
enum { OF_NODE = 0, OF_EDGE = 1 };

typedef struct {
    int of;       /* OF_NODE or OF_EDGE of the <attributes> that is open */
    bool dynamic; /* its values change with time */
    int64_t name; /* attribute of display names; -1: none yet */
    bool any_dynamic;
} gexf;

/* ---- attributes ---- */

static bool is_dynamic(const char **attr)
{
    const char *mode = gnd_xml_get(attr, "mode");

    return mode && strcmp(mode, "dynamic") == 0;
}

static gnd_status open_attributes(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *cls = gnd_xml_get(attr, "class");
    gexf *own = x->own;

    if (!cls || (strcmp(cls, "node") != 0 && strcmp(cls, "edge") != 0))
        return gnd_attr_fail(&x->a, err,
                             "expected class=\"node\" or \"edge\" of <attributes>; got '%.40s'",
                             cls ? cls : "");
    own->of = strcmp(cls, "edge") == 0 ? OF_EDGE : OF_NODE;
    own->dynamic = is_dynamic(attr);
    return GND_OK;
}

static gnd_status open_attribute(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    gexf *own = x->own;
    const gnd_xml_declared d = {.id = gnd_xml_get(attr, "id"),
                                .title = gnd_xml_get(attr, "title"),
                                .type = gnd_xml_get(attr, "type"),
                                .of_node = own->of == OF_NODE,
                                .of_edge = own->of == OF_EDGE,
                                .is_ignored = own->dynamic};

    own->any_dynamic |= own->dynamic;
    return gnd_xml_declare(x, &x->attr[own->of], &d, err);
}

/* A value of the vertex or edge that is open. */
static gnd_status open_value(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const int of = x->in[x->depth - 3]; /* <node> or <edge>, <attvalues>, <attvalue> */
    const char *id = gnd_xml_get(attr, "for"), *value = gnd_xml_get(attr, "value");
    gnd_status st = GND_OK;

    id = id ? id : gnd_xml_get(attr, "id"); /* as GEXF 1.1 has it */
    if (!id || !value)
        return gnd_attr_fail(&x->a, err, "an <attvalue> has no %s", id ? "value" : "for");
    GND_TRY(gnd_xml_attr_find(x, &x->attr[of == GND_XML_EDGE ? OF_EDGE : OF_NODE], id, err));
    if (!x->open->is_ignored)
        GND_TRY(gnd_xml_value(x, of, value, strlen(value), err));
out:
    return st;
}

/* ---- graph, vertices, edges ---- */

static gnd_status direction(bool *out, const gnd_xml_graph *x, const char *type, gnd_error *err)
{
    /* A mutual edge leads both ways, as an undirected one does. */
    if (strcmp(type, "directed") != 0 && strcmp(type, "undirected") != 0 &&
        strcmp(type, "mutual") != 0)
        return gnd_attr_fail(
            &x->a, err, "expected an edge type directed, undirected or mutual; got '%.40s'", type);
    *out = strcmp(type, "directed") == 0;
    return GND_OK;
}

static gnd_status open_graph(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *type = gnd_xml_get(attr, "defaultedgetype");
    gexf *own = x->own;
    gnd_status st = GND_OK;

    GND_TRY(gnd_xml_open_graph(x, err));
    own->any_dynamic |= is_dynamic(attr);
    GND_TRY(direction(&x->directed, x, type ? type : "undirected", err));
out:
    return st;
}

static gnd_status open_node(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *label = gnd_xml_get(attr, "label");
    gexf *own = x->own;
    gnd_status st = GND_OK;

    if (gnd_xml_get(attr, "pid"))
        return gnd_attr_fail(&x->a, err, "a vertex has a parent (pid); gnd reads flat graphs");
    GND_TRY(gnd_xml_open_node(x, attr, err));
    if (label && *label) {
        if (own->name < 0) {
            /* An attribute may be titled "label" too. */
            const bool taken = gnd_names_find(x->a.names, "label", 5) >= 0;

            GND_TRY(gnd_attr_column(&own->name, &x->a, taken ? "display label" : "label",
                                    GND_ATTR_TEXT, err));
            x->a.attr[own->name].is_name = true;
        }
        GND_TRY(gnd_attr_set_text(&x->a, own->name, x->v, label, strlen(label), err));
    }
out:
    return st;
}

static gnd_status open_edge(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *type = gnd_xml_get(attr, "type"), *weight = gnd_xml_get(attr, "weight");
    bool directed = x->directed;
    gnd_status st = GND_OK;

    if (type)
        GND_TRY(direction(&directed, x, type, err));
    GND_TRY(gnd_xml_open_edge(x, attr, directed, err));
    if (weight)
        GND_TRY(gnd_attr_weight(&x->e, &x->a, weight, strlen(weight), err));
out:
    return st;
}

static gnd_status open_element(gnd_xml_graph *x, int in, const char **attr, gnd_error *err)
{
    switch (in) {
    case GND_XML_GRAPH:
        return open_graph(x, attr, err);
    case IN_ATTRIBUTES:
        return open_attributes(x, attr, err);
    case GND_XML_ATTR:
        return open_attribute(x, attr, err);
    case GND_XML_NODE:
        return open_node(x, attr, err);
    case GND_XML_EDGE:
        return open_edge(x, attr, err);
    case IN_VALUE:
        return open_value(x, attr, err);
    default:
        return GND_OK;
    }
}

static gnd_status refuse(const gnd_xml_graph *x, int outer, const char *name, gnd_error *err)
{
    if (outer == GND_XML_NODE &&
        (strcmp(name, "nodes") == 0 || strcmp(name, "edges") == 0 || strcmp(name, "parents") == 0))
        return gnd_attr_fail(&x->a, err,
                             "vertices are nested (<%s> in a <node>); gnd reads flat graphs", name);
    return GND_OK;
}

static gnd_status add_notes(gnd_xml_graph *x, gnd_error *err)
{
    const gexf *own = x->own;

    if (!own->any_dynamic)
        return GND_OK;
    return gnd_notes_add(&x->a.notes, GND_WARNING, "dynamic_graph", err,
                         "%s: the graph changes with time; vertices and edges of all times were "
                         "read, attributes that change were not",
                         x->a.path);
}

static const gnd_xml_place places[] = {
    {GND_XML_NONE, "gexf", IN_FILE},
    {IN_FILE, "graph", GND_XML_GRAPH},
    {GND_XML_GRAPH, "attributes", IN_ATTRIBUTES},
    {IN_ATTRIBUTES, "attribute", GND_XML_ATTR},
    {GND_XML_GRAPH, "nodes", IN_NODES},
    {IN_NODES, "node", GND_XML_NODE},
    {GND_XML_GRAPH, "edges", IN_EDGES},
    {IN_EDGES, "edge", GND_XML_EDGE},
    {GND_XML_NODE, "attvalues", IN_VALUES},
    {GND_XML_EDGE, "attvalues", IN_VALUES},
    {IN_VALUES, "attvalue", IN_VALUE},
};

static const gnd_xml_format format = {
    .name = "GEXF",
    .root = "gexf",
    .declares = "attribute",
    .ignored = "colours, positions",
    .places = places,
    .n_place = sizeof places / sizeof places[0],
    .open = open_element,
    .refuse = refuse,
    .notes = add_notes,
};

static gnd_status gexf_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                            gnd_error *err)
{
    gexf own = {.name = -1};

    return gnd_xml_graph_read(out, path, o, &format, &own, err);
}

static bool gexf_sniff(const char *path, const char *head, size_t n_head)
{
    return gnd_xml_graph_sniff(&format, path, head, n_head);
}

const gnd_format gnd_format_gexf = {
    .name = "gexf",
    .about = "GEXF of Gephi and networkx: attributes of vertices are features or labels",
    .sniff = gexf_sniff,
    .read = gexf_read,
    .has_attributes = true,
};
