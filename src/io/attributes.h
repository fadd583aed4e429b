/* SPDX-License-Identifier: MIT
 * attributes.h - a graph whose vertices have named attributes, as GraphML, GEXF and JSON files have
 * them. A reader adds vertices, edges and values; gnd_attr_graph_build decides which attributes
 * are ids, labels and features, and makes the graph. */
#ifndef GND_IO_ATTRIBUTES_H
#define GND_IO_ATTRIBUTES_H

#include "io.h"
#include "coo.h"
#include "text.h"

typedef enum { GND_ATTR_NUMBER, GND_ATTR_TEXT } gnd_attr_type;

typedef struct {
    char *name;
    char shown[GND_SHOWN]; /* the name for messages */
    gnd_attr_type type;
    bool is_name;      /* the display name of a vertex: never a label or feature by itself */
    const char *other; /* not NULL: the attribute has other values, such as "lists", not stored */
    int32_t *vertex;   /* [n] vertices with a value, in the order of the file */
    double *number;    /* [n] values of an attribute of numbers; NAN: missing */
    int32_t *text;     /* [n] values of an attribute of texts, as numbers in texts */
    gnd_names *texts;
    int64_t n, cap;
} gnd_attr;

/* Zero, with path and list set, is valid and empty. */
typedef struct {
    const char *path;
    /* Where the reader is, for messages: line `at` of the file if list is NULL, else item `at` of
     * the list of this name. */
    const char *list;
    int64_t at;
    gnd_names *ids;    /* of vertices, in the order in which they or their edges occur */
    int64_t *declared; /* [cap] by number in ids: 1 + `at` of the vertex; while only edges name it,
                          -1 - `at` of the first of them; 0: none */
    int64_t cap;
    gnd_coo arc;          /* directed arcs */
    gnd_coo edge;         /* undirected edges, the smaller number first */
    gnd_attr *attr;       /* [n_attr] */
    gnd_names *names;     /* of attributes, numbered as in attr */
    int64_t n_attr, room; /* room: length of attr */
    int64_t n_weighted;   /* edges with a weight */
    int64_t n_default;    /* values that are defaults */
    gnd_notes notes;      /* of the reader */
} gnd_attr_graph;

void gnd_attr_graph_fini(gnd_attr_graph *a);
/* "path:line: " or "path: list[item]: ", and the message. */
gnd_status gnd_attr_fail(const gnd_attr_graph *a, gnd_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Add the note that attributes of edges are not used. */
gnd_status gnd_attr_note_edge_data(gnd_attr_graph *a, gnd_error *err);

/* Add a vertex; one of the same id that was added before is an error. */
gnd_status gnd_attr_vertex(int32_t *v, gnd_attr_graph *a, const char *id, gnd_error *err);

typedef struct {
    const char *source, *target; /* ids; their vertices may follow later */
    bool directed;
    bool has_weight;
    double weight;
} gnd_attr_link;

gnd_status gnd_attr_edge(gnd_attr_graph *a, const gnd_attr_link *e, gnd_error *err);
/* Parse the text of a weight into e: a finite number that is not negative. */
gnd_status gnd_attr_weight(gnd_attr_link *e, gnd_attr_graph *a, const char *text, size_t len,
                           gnd_error *err);

/* The attribute of a name, added if it is new. If it exists with another type, it becomes one of
 * texts. *k: its number. */
gnd_status gnd_attr_column(int64_t *k, gnd_attr_graph *a, const char *name, gnd_attr_type type,
                           gnd_error *err);
/* Set the value of a vertex; one that has a value already is an error. A value of another type than
 * the attribute's makes that one of texts. */
gnd_status gnd_attr_set_number(gnd_attr_graph *a, int64_t k, int32_t v, double value,
                               gnd_error *err);
gnd_status gnd_attr_set_text(gnd_attr_graph *a, int64_t k, int32_t v, const char *text, size_t len,
                             gnd_error *err);
/* Set a value that a file gives as text: parsed if the attribute is one of numbers. is_bool: true
 * and false are 1 and 0. */
gnd_status gnd_attr_parse(gnd_attr_graph *a, int64_t k, int32_t v, bool is_bool, const char *text,
                          size_t len, gnd_error *err);
/* Set this value for every vertex that was added and has none. A short file can state many defaults
 * and many vertices: an error if all defaults take more than max_input bytes (0: the default, see
 * limit.h). */
gnd_status gnd_attr_default(gnd_attr_graph *a, int64_t k, bool is_bool, const char *text,
                            size_t len, int64_t max_input, gnd_error *err);
/* Shortest text that gives the same number again. */
const char *gnd_attr_number_text(char buf[GND_REAL_TEXT], double v);

/* Make the graph: ids, labels and features by the options of o (which may be NULL) or by the rules
 * of docs/formats.md, with notes on each decision. */
gnd_status gnd_attr_graph_build(gnd_graph **out, gnd_attr_graph *a, const gnd_load_opts *o,
                                gnd_error *err);

#endif
