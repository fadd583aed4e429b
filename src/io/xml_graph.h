/* SPDX-License-Identifier: MIT
 * xml_graph.h - what the readers of graphs in XML share: which element is inside of which, declared
 * attributes with their types and defaults, vertices, edges, notes. A reader adds the elements and
 * rules of its format. */
#ifndef GND_IO_XML_GRAPH_H
#define GND_IO_XML_GRAPH_H

#include "attributes.h"
#include "xml.h"

/* An attribute of vertices or edges as the file declares it. */
typedef struct {
    char *fallback; /* text of <default>; NULL: none */
    int64_t column; /* attribute of vertices; -1: none */
    bool is_bool;
    bool is_weight;  /* of edges */
    bool is_ignored; /* its values are not read */
} gnd_xml_attr;

/* Zero is valid and empty. */
typedef struct {
    gnd_names *ids;
    gnd_xml_attr *of; /* [cap] by number in ids */
    int64_t cap;
} gnd_xml_attrs;

/* Elements of a format that matter. Numbers below are common, a format adds its own from
 * GND_XML_OWN. */
enum {
    GND_XML_NONE,  /* outside of the root */
    GND_XML_OTHER, /* an element whose content does not matter */
    GND_XML_GRAPH,
    GND_XML_NODE,
    GND_XML_EDGE,
    GND_XML_ATTR, /* declares an attribute */
    GND_XML_OWN
};

/* Element `name` directly inside of element `outer` is element `in`. */
typedef struct {
    int outer;
    const char *name;
    int in;
} gnd_xml_place;

enum { GND_XML_NEST_MAX = 16 };

typedef struct gnd_xml_format gnd_xml_format;

typedef struct {
    gnd_attr_graph a;
    const gnd_xml_format *f;
    void *own;                /* state of the reader */
    gnd_xml_attrs attr[2];    /* [1]: of edges, if the format numbers these separately */
    gnd_xml_attr *open;       /* attribute that the open element declares or has a value of */
    int in[GND_XML_NEST_MAX]; /* elements that are open */
    int depth;
    bool seen_graph, directed;
    int32_t v;             /* vertex that is open */
    char *source, *target; /* ends of the edge that is open */
    gnd_attr_link e;       /* its other properties */
    int64_t n_edge_data;   /* values of attributes of edges that are not used */
    int64_t n_ignored;     /* elements and values that are not part of the format itself */
} gnd_xml_graph;

struct gnd_xml_format {
    const char *name, *root; /* "GEXF", "gexf" */
    const char *declares;    /* the element that declares an attribute: "attribute" */
    const char *ignored;     /* what n_ignored counts, for the note */
    const gnd_xml_place *places;
    size_t n_place;
    /* An element was opened; in: which one, as it now is the last of x->in. */
    gnd_status (*open)(gnd_xml_graph *x, int in, const char **attr, gnd_error *err);
    /* An element other than <default> was closed, and is no longer in x->in. May be NULL. */
    gnd_status (*close)(gnd_xml_graph *x, int in, const char *text, size_t len, gnd_error *err);
    /* An error if an element of GND_XML_OTHER is a part that a graph of gnd does not have. */
    gnd_status (*refuse)(const gnd_xml_graph *x, int outer, const char *name, gnd_error *err);
    gnd_status (*notes)(gnd_xml_graph *x, gnd_error *err); /* more notes; may be NULL */
};

/* What an element that declares an attribute says of it. */
typedef struct {
    const char *id;
    const char *title, *type; /* NULL or empty: the id; a text */
    bool of_node, of_edge;
    bool is_ignored;
} gnd_xml_declared;

/* Add an attribute, which becomes x->open. */
gnd_status gnd_xml_declare(gnd_xml_graph *x, gnd_xml_attrs *list, const gnd_xml_declared *d,
                           gnd_error *err);
/* Find the attribute of an id, which becomes x->open; an error if it was not declared. */
gnd_status gnd_xml_attr_find(gnd_xml_graph *x, const gnd_xml_attrs *list, const char *id,
                             gnd_error *err);
/* Use a value of x->open for the vertex or edge that is open; of: GND_XML_NODE or GND_XML_EDGE. */
gnd_status gnd_xml_value(gnd_xml_graph *x, int of, const char *text, size_t len, gnd_error *err);
/* Start the one graph of the file, a vertex with its id, an edge with its ends. */
gnd_status gnd_xml_open_graph(gnd_xml_graph *x, gnd_error *err);
gnd_status gnd_xml_open_node(gnd_xml_graph *x, const char **attr, gnd_error *err);
gnd_status gnd_xml_open_edge(gnd_xml_graph *x, const char **attr, bool directed, gnd_error *err);

/* Read a graph. own: state of the reader, for the functions of f. */
gnd_status gnd_xml_graph_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                              const gnd_xml_format *f, void *own, gnd_error *err);
/* Is this the first part of a file of the format, by its root or else by its name? */
bool gnd_xml_graph_sniff(const gnd_xml_format *f, const char *path, const char *head,
                         size_t n_head);

#endif
