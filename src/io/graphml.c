/* SPDX-License-Identifier: MIT
 * graphml.c - read GraphML as networkx, igraph, Gephi and yEd write it: vertices, edges, their
 * <data> by <key>, defaults of keys, direction by edgedefault and per edge. yEd's drawing is in
 * elements of another namespace, which are skipped. Hyperedges, ports and nested graphs are
 * refused. */
#include <string.h>

#include "xml_graph.h"

enum { IN_FILE = GND_XML_OWN, IN_DATA };

static gnd_status open_key(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *to = gnd_xml_get(attr, "for"), *name = gnd_xml_get(attr, "attr.name");
    const bool all = !to || strcmp(to, "all") == 0;
    /* yEd's graphics have no name, only a type of yfiles. */
    const gnd_xml_declared d = {.id = gnd_xml_get(attr, "id"),
                                .title = name,
                                .type = gnd_xml_get(attr, "attr.type"),
                                .of_node = all || strcmp(to, "node") == 0,
                                .of_edge = all || strcmp(to, "edge") == 0,
                                .is_ignored = !name && gnd_xml_get(attr, "yfiles.type")};

    return gnd_xml_declare(x, &x->attr[0], &d, err);
}

static gnd_status open_data(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "key");

    if (!id)
        return gnd_attr_fail(&x->a, err, "a <data> has no key");
    return gnd_xml_attr_find(x, &x->attr[0], id, err);
}

static gnd_status close_data(gnd_xml_graph *x, int in, const char *text, size_t len, gnd_error *err)
{
    const int of = x->depth > 0 ? x->in[x->depth - 1] : GND_XML_NONE;

    if (in != IN_DATA)
        return GND_OK;
    if (x->open->is_ignored) {
        x->n_ignored++;
        return GND_OK;
    }
    if (of == GND_XML_EDGE && x->open->is_weight && x->e.has_weight)
        return gnd_attr_fail(&x->a, err, "the edge has two weights");
    return gnd_xml_value(x, of, text, len, err);
}

static gnd_status open_graph(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *direction = gnd_xml_get(attr, "edgedefault");

    if (!direction || (strcmp(direction, "directed") != 0 && strcmp(direction, "undirected") != 0))
        return gnd_attr_fail(&x->a, err,
                             "expected edgedefault=\"directed\" or \"undirected\" of the <graph>; "
                             "got '%.40s'",
                             direction ? direction : "");
    x->directed = strcmp(direction, "directed") == 0;
    return gnd_xml_open_graph(x, err);
}

static gnd_status open_edge(gnd_xml_graph *x, const char **attr, gnd_error *err)
{
    const char *directed = gnd_xml_get(attr, "directed");
    const bool yes = directed && (strcmp(directed, "true") == 0 || strcmp(directed, "1") == 0);

    if (directed && !yes && strcmp(directed, "false") != 0 && strcmp(directed, "0") != 0)
        return gnd_attr_fail(&x->a, err, "expected directed=\"true\" or \"false\"; got '%.40s'",
                             directed);
    return gnd_xml_open_edge(x, attr, directed ? yes : x->directed, err);
}

static gnd_status open_element(gnd_xml_graph *x, int in, const char **attr, gnd_error *err)
{
    switch (in) {
    case GND_XML_ATTR:
        return open_key(x, attr, err);
    case GND_XML_GRAPH:
        return open_graph(x, attr, err);
    case GND_XML_NODE:
        return gnd_xml_open_node(x, attr, err);
    case GND_XML_EDGE:
        return open_edge(x, attr, err);
    case IN_DATA:
        return open_data(x, attr, err);
    default:
        return GND_OK;
    }
}

/* Parts of GraphML that a graph of gnd does not have. */
static gnd_status refuse(const gnd_xml_graph *x, int outer, const char *name, gnd_error *err)
{
    if (strcmp(name, "hyperedge") == 0)
        return gnd_attr_fail(&x->a, err, "the graph has hyperedges; gnd reads edges of two ends");
    if (strcmp(name, "port") == 0 && outer == GND_XML_NODE)
        return gnd_attr_fail(&x->a, err, "a vertex has ports; gnd reads graphs without ports");
    if (strcmp(name, "graph") == 0 && (outer == GND_XML_NODE || outer == GND_XML_EDGE))
        return gnd_attr_fail(&x->a, err,
                             "a graph is nested in a %s (a group in yEd); remove the nesting",
                             outer == GND_XML_NODE ? "vertex" : "edge");
    return GND_OK;
}

static const gnd_xml_place places[] = {
    {GND_XML_NONE, "graphml", IN_FILE},    {IN_FILE, "key", GND_XML_ATTR},
    {IN_FILE, "graph", GND_XML_GRAPH},     {GND_XML_GRAPH, "node", GND_XML_NODE},
    {GND_XML_GRAPH, "edge", GND_XML_EDGE}, {GND_XML_NODE, "data", IN_DATA},
    {GND_XML_EDGE, "data", IN_DATA},
};

static const gnd_xml_format format = {
    .name = "GraphML",
    .root = "graphml",
    .declares = "key",
    .ignored = "drawing",
    .places = places,
    .n_place = sizeof places / sizeof places[0],
    .open = open_element,
    .close = close_data,
    .refuse = refuse,
};

static gnd_status graphml_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                               gnd_error *err)
{
    return gnd_xml_graph_read(out, path, o, &format, NULL, err);
}

static bool graphml_sniff(const char *path, const char *head, size_t n_head)
{
    return gnd_xml_graph_sniff(&format, path, head, n_head);
}

const gnd_format gnd_format_graphml = {
    .name = "graphml",
    .about =
        "GraphML of networkx, igraph, Gephi, yEd: attributes of vertices are features or labels",
    .sniff = graphml_sniff,
    .read = graphml_read,
    .has_attributes = true,
};
