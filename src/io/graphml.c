/* SPDX-License-Identifier: MIT
 * graphml.c - read GraphML as networkx, igraph, Gephi and yEd write it: vertices, edges, their
 * <data> by <key>, defaults of keys, direction by edgedefault and per edge. yEd's drawing is in
 * elements of another namespace, which are skipped. Hyperedges, ports and nested graphs are
 * refused. */
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "attributes.h"
#include "text.h"
#include "xml.h"

typedef enum { FOR_NODE = 1, FOR_EDGE = 2 } key_for;

typedef struct {
    char *fallback; /* text of <default>; NULL: none */
    int64_t column; /* attribute of vertices; -1: none */
    unsigned to;    /* key_for */
    bool is_bool;
    bool is_weight;  /* of edges */
    bool is_drawing; /* yEd's graphics: no name, only a type of yfiles */
} key;

/* Elements that may contain others. */
typedef enum { IN_NONE, IN_FILE, IN_KEY, IN_GRAPH, IN_NODE, IN_EDGE, IN_DATA, IN_OTHER } place;

enum { NEST_MAX = 16 };

typedef struct {
    gnd_attr_graph a;
    gnd_names *key_ids;
    key *keys; /* [cap] by number in key_ids */
    int64_t cap;
    place in[NEST_MAX]; /* elements that are open */
    int depth;
    bool seen_graph, directed;
    int32_t v;    /* vertex that is open */
    char *source; /* ends of the edge that is open */
    char *target;
    gnd_attr_link e;  /* its other properties */
    int64_t data_key; /* of the <data> or <key> that is open */
    int64_t n_drawing, n_edge_data, n_foreign;
} graphml;

static gnd_status no_memory(const graphml *x, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", x->a.path);
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

/* ---- keys ---- */

static unsigned key_target(const char *s)
{
    return !s || strcmp(s, "all") == 0 ? FOR_NODE | FOR_EDGE
           : strcmp(s, "node") == 0    ? FOR_NODE
           : strcmp(s, "edge") == 0    ? FOR_EDGE
                                       : 0;
}

static bool is_number_type(const char *type)
{
    static const char *const list[] = {"int", "integer", "long", "float", "double", "boolean"};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strcasecmp(type, list[i]) == 0)
            return true;
    return false;
}

static gnd_status open_key(graphml *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "id"), *name = gnd_xml_get(attr, "attr.name");
    const char *type = or_empty(gnd_xml_get(attr, "attr.type"));
    const bool is_drawing = !name && gnd_xml_get(attr, "yfiles.type");
    int64_t i;
    key *k;
    gnd_status st = GND_OK;

    if (!id || !*id)
        return gnd_attr_fail(&x->a, err, "a <key> has no id");
    i = gnd_names_count(x->key_ids);
    if (i == x->cap) {
        const int64_t cap = 2 * x->cap + 16;
        key *keys = gnd_realloc(x->keys, cap, sizeof *keys);

        if (!keys)
            return no_memory(x, err);
        x->keys = keys;
        x->cap = cap;
    }
    x->data_key = gnd_names_add(x->key_ids, id, strlen(id));
    if (x->data_key < 0)
        return no_memory(x, err);
    if (x->data_key < i)
        return gnd_attr_fail(&x->a, err, "the key '%.40s' is declared twice", id);
    k = &x->keys[i];
    *k = (key){.column = -1,
               .to = key_target(gnd_xml_get(attr, "for")),
               .is_bool = strcasecmp(type, "boolean") == 0,
               .is_drawing = is_drawing};
    name = name && *name ? name : id;
    k->is_weight = (k->to & FOR_EDGE) && !is_drawing && strcasecmp(name, "weight") == 0;
    /* A key for edges and vertices that is named weight is that of the edges; its values at
     * vertices are an attribute like others. */
    if ((k->to & FOR_NODE) && !is_drawing)
        GND_TRY(gnd_attr_column(&k->column, &x->a, name,
                                is_number_type(type) ? GND_ATTR_NUMBER : GND_ATTR_TEXT, err));
out:
    return st;
}

static gnd_status close_default(graphml *x, const char *text, size_t len, gnd_error *err)
{
    key *k = &x->keys[x->data_key];

    if (k->fallback || len == 0)
        return GND_OK;
    k->fallback = gnd_strndup(text, len);
    return k->fallback ? GND_OK : no_memory(x, err);
}

/* ---- data of vertices and edges ---- */

static gnd_status open_data(graphml *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "key");
    char show[GND_SHOWN];

    if (!id)
        return gnd_attr_fail(&x->a, err, "a <data> has no key");
    x->data_key = gnd_names_find(x->key_ids, id, strlen(id));
    if (x->data_key < 0)
        return gnd_attr_fail(&x->a, err, "the key '%s' is not declared by a <key> before it",
                             gnd_field_show(show, (gnd_csv_field){.s = id, .len = strlen(id)}));
    return GND_OK;
}

static gnd_status close_data(graphml *x, const char *text, size_t len, gnd_error *err)
{
    const key *k = &x->keys[x->data_key];
    const place of = x->in[x->depth - 1];

    if (k->is_drawing) {
        x->n_drawing++;
        return GND_OK;
    }
    if (of == IN_NODE && k->column >= 0)
        return gnd_attr_parse(&x->a, k->column, x->v, k->is_bool, text, len, err);
    if (of == IN_EDGE && k->is_weight)
        return gnd_attr_weight(&x->e, &x->a, text, len, err);
    x->n_edge_data += of == IN_EDGE;
    return GND_OK;
}

/* ---- elements ---- */

static gnd_status open_graph(graphml *x, const char **attr, gnd_error *err)
{
    const char *direction = gnd_xml_get(attr, "edgedefault");

    if (x->seen_graph)
        return gnd_attr_fail(&x->a, err,
                             "the file has more than one <graph>; gnd reads files with one");
    x->seen_graph = true;
    if (!direction || (strcmp(direction, "directed") != 0 && strcmp(direction, "undirected") != 0))
        return gnd_attr_fail(&x->a, err,
                             "expected edgedefault=\"directed\" or \"undirected\" of the <graph>; "
                             "got '%.40s'",
                             or_empty(direction));
    x->directed = strcmp(direction, "directed") == 0;
    return GND_OK;
}

static gnd_status open_node(graphml *x, const char **attr, gnd_error *err)
{
    const char *id = gnd_xml_get(attr, "id");

    if (!id)
        return gnd_attr_fail(&x->a, err, "a <node> has no id");
    return gnd_attr_vertex(&x->v, &x->a, id, err);
}

static gnd_status open_edge(graphml *x, const char **attr, gnd_error *err)
{
    const char *directed = gnd_xml_get(attr, "directed");
    const char *source = gnd_xml_get(attr, "source"), *target = gnd_xml_get(attr, "target");
    const bool yes = directed && (strcmp(directed, "true") == 0 || strcmp(directed, "1") == 0);

    if (directed && !yes && strcmp(directed, "false") != 0 && strcmp(directed, "0") != 0)
        return gnd_attr_fail(&x->a, err, "expected directed=\"true\" or \"false\"; got '%.40s'",
                             directed);
    if (!source || !target)
        return gnd_attr_fail(&x->a, err, "an <edge> has no %s", source ? "target" : "source");
    gnd_free(x->source);
    gnd_free(x->target);
    x->source = gnd_strdup(source);
    x->target = gnd_strdup(target);
    if (!x->source || !x->target)
        return no_memory(x, err);
    x->e = (gnd_attr_link){
        .source = x->source, .target = x->target, .directed = directed ? yes : x->directed};
    return GND_OK;
}

static gnd_status close_edge(graphml *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; !x->e.has_weight && k < gnd_names_count(x->key_ids); k++)
        if (x->keys[k].is_weight && x->keys[k].fallback)
            GND_TRY(gnd_attr_weight(&x->e, &x->a, x->keys[k].fallback, strlen(x->keys[k].fallback),
                                    err));
    GND_TRY(gnd_attr_edge(&x->a, &x->e, err));
out:
    return st;
}

/* Which element is opened inside of which; IN_OTHER: its content does not matter. */
static place place_of(place outer, const char *name)
{
    static const struct {
        place outer;
        const char *name;
        place in;
    } known[] = {{IN_NONE, "graphml", IN_FILE}, {IN_FILE, "key", IN_KEY},
                 {IN_FILE, "graph", IN_GRAPH},  {IN_GRAPH, "node", IN_NODE},
                 {IN_GRAPH, "edge", IN_EDGE},   {IN_NODE, "data", IN_DATA},
                 {IN_EDGE, "data", IN_DATA}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].outer == outer && strcmp(known[i].name, name) == 0)
            return known[i].in;
    return IN_OTHER;
}

/* Parts of GraphML that a graph of gnd does not have. */
static gnd_status refuse(const graphml *x, place outer, const char *name, gnd_error *err)
{
    if (outer == IN_NONE)
        return gnd_attr_fail(&x->a, err, "expected <graphml>; got <%.40s>", name);
    if (strcmp(name, "hyperedge") == 0)
        return gnd_attr_fail(&x->a, err, "the graph has hyperedges; gnd reads edges of two ends");
    if (strcmp(name, "port") == 0 && outer == IN_NODE)
        return gnd_attr_fail(&x->a, err, "a vertex has ports; gnd reads graphs without ports");
    if (strcmp(name, "graph") == 0 && (outer == IN_NODE || outer == IN_EDGE))
        return gnd_attr_fail(&x->a, err,
                             "a graph is nested in a %s (a group in yEd); remove the nesting",
                             outer == IN_NODE ? "vertex" : "edge");
    return GND_OK;
}

static gnd_status on_start(void *user, gnd_xml *xml, const char *name, const char **attr,
                           gnd_error *err)
{
    graphml *x = user;
    const place outer = x->depth > 0 ? x->in[x->depth - 1] : IN_NONE;
    const place in = place_of(outer, name);
    gnd_status st = GND_OK;

    x->a.at = gnd_xml_line(xml);
    if (x->depth == NEST_MAX)
        return gnd_attr_fail(&x->a, err, "more than %d elements of GraphML are nested", NEST_MAX);
    if (in == IN_OTHER)
        GND_TRY(refuse(x, outer, name, err));
    x->in[x->depth++] = in;
    if (in == IN_KEY)
        GND_TRY(open_key(x, attr, err));
    else if (in == IN_GRAPH)
        GND_TRY(open_graph(x, attr, err));
    else if (in == IN_NODE)
        GND_TRY(open_node(x, attr, err));
    else if (in == IN_EDGE)
        GND_TRY(open_edge(x, attr, err));
    else if (in == IN_DATA)
        GND_TRY(open_data(x, attr, err));
out:
    return st;
}

static gnd_status on_end(void *user, gnd_xml *xml, const char *name, const char *text, size_t len,
                         gnd_error *err)
{
    graphml *x = user;
    const place in = x->in[--x->depth], outer = x->depth > 0 ? x->in[x->depth - 1] : IN_NONE;

    x->a.at = gnd_xml_line(xml);
    x->n_foreign = gnd_xml_n_foreign(xml);
    if (in == IN_DATA)
        return close_data(x, text, len, err);
    if (in == IN_EDGE)
        return close_edge(x, err);
    if (outer == IN_KEY && strcmp(name, "default") == 0)
        return close_default(x, text, len, err);
    return GND_OK;
}

static gnd_status add_defaults(graphml *x, int64_t max_input, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < gnd_names_count(x->key_ids); k++)
        if (x->keys[k].fallback && x->keys[k].column >= 0)
            GND_TRY(gnd_attr_default(&x->a, x->keys[k].column, x->keys[k].is_bool,
                                     x->keys[k].fallback, strlen(x->keys[k].fallback), max_input,
                                     err));
out:
    return st;
}

static gnd_status add_notes(graphml *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (x->n_drawing > 0 || x->n_foreign > 0)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_NOTE, "foreign_data_ignored", err,
                              "%s: drawing and other data that is not part of GraphML itself was "
                              "ignored",
                              x->a.path));
    if (x->n_edge_data > 0)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_NOTE, "edge_attributes_ignored", err,
                              "%s: of the attributes of edges only 'weight' is used", x->a.path));
out:
    return st;
}

static gnd_status graphml_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                               gnd_error *err)
{
    graphml x = {.a = {.path = path}, .key_ids = gnd_names_new()};
    const gnd_xml_reader r = {.start = on_start, .end = on_end, .user = &x};
    gnd_status st = GND_OK;

    *out = NULL;
    if (!x.key_ids)
        GND_TRY(no_memory(&x, err));
    GND_TRY(gnd_xml_read(path, o, &r, err));
    if (!x.seen_graph)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no <graph>", path));
    GND_TRY(add_defaults(&x, o ? o->max_input : 0, err));
    GND_TRY(add_notes(&x, err));
    GND_TRY(gnd_attr_graph_build(out, &x.a, o, err));
out:
    for (int64_t k = 0; k < gnd_names_count(x.key_ids) && k < x.cap; k++)
        gnd_free(x.keys[k].fallback);
    gnd_free(x.keys);
    gnd_names_free(x.key_ids);
    gnd_free(x.source);
    gnd_free(x.target);
    gnd_attr_graph_fini(&x.a);
    return st;
}

static bool graphml_sniff(const char *path, const char *head, size_t n_head)
{
    char root[32];

    return (gnd_xml_sniff(root, sizeof root, head, n_head) && strcmp(root, "graphml") == 0) ||
           (!*root && (gnd_path_ends(path, ".graphml") || gnd_path_ends(path, ".graphml.gz")));
}

const gnd_format gnd_format_graphml = {
    .name = "graphml",
    .about =
        "GraphML of networkx, igraph, Gephi, yEd: attributes of vertices are features or labels",
    .sniff = graphml_sniff,
    .read = graphml_read,
    .has_attributes = true,
};
