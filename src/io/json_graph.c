/* SPDX-License-Identifier: MIT
 * json_graph.c - read graphs in the node-link form of JSON, as networkx (node_link_data) and d3
 * write them: an object with a list `nodes` and a list `links` or `edges`.
 *
 * Links name their ends by id, or, where nodes have no ids or texts as ids, by position in the list
 * of nodes. If both readings are possible and differ, the file is refused. */
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "attributes.h"
#include "foreign.h"
#include "text.h"

typedef struct {
    gnd_attr_graph a;
    json_t *root, *nodes, *links; /* nodes and links are borrowed from root */
    const char *links_name;       /* "links" or "edges" */
    const char *id_key;           /* "id", or "name"; NULL: nodes have no ids */
    bool directed, by_position;
    int64_t n_edge_data;
    const gnd_load_opts *o; /* may be NULL */
} reader;

/* ---- the parts of the file ---- */

/* Why a JSON file without nodes is not read: a form of another program, by its name. */
static const char *other_form(const json_t *root)
{
    const json_t *graph = json_object_get(root, "graph");

    if (json_is_object(json_object_get(root, "elements")))
        return "this is JSON of Cytoscape";
    if (json_object_get(root, "adjacency"))
        return "this is networkx's adjacency_data; write node_link_data instead";
    if (json_object_get(root, "graphs") ||
        (json_is_object(graph) && json_object_get(graph, "nodes")))
        return "this is the JSON Graph Format";
    return NULL;
}

static gnd_status list_get(json_t **out, const reader *x, const char *name, gnd_error *err)
{
    *out = json_object_get(x->root, name);
    if (*out && !json_is_array(*out))
        return gnd_fail(err, GND_ERR_FORMAT, "%s: '%s' is not a list", x->a.path, name);
    return GND_OK;
}

static gnd_status parts_get(reader *x, gnd_error *err)
{
    const json_t *directed = json_object_get(x->root, "directed");
    const char *other = json_is_object(x->root) ? other_form(x->root) : NULL;
    json_t *edges;
    gnd_status st = GND_OK;

    if (!json_is_object(x->root) || !json_object_get(x->root, "nodes"))
        return gnd_fail(
            err, GND_ERR_FORMAT,
            "%s: %s%sof JSON, gnd reads the node-link form of networkx and d3, an object "
            "with the lists 'nodes' and 'links' or 'edges'",
            x->a.path, other ? other : "", other ? "; " : "");
    GND_TRY(list_get(&x->nodes, x, "nodes", err));
    GND_TRY(list_get(&x->links, x, "links", err));
    GND_TRY(list_get(&edges, x, "edges", err));
    if (x->links && edges)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: has both 'links' and 'edges'; keep the list of edges only", x->a.path);
    x->links_name = x->links ? "links" : "edges";
    x->links = x->links ? x->links : edges;
    if (!x->links)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: has no list 'links' or 'edges'", x->a.path);
    if (directed && !json_is_boolean(directed))
        return gnd_fail(err, GND_ERR_FORMAT, "%s: expected true or false as 'directed'", x->a.path);
    x->directed = json_is_true(directed);
out:
    return st;
}

/* ---- ids ---- */

/* An id: a text, or a whole number, which is put into buf; NULL if it is something else. */
static const char *id_text(char buf[32], const json_t *v)
{
    if (json_is_string(v))
        return json_string_value(v);
    if (!json_is_integer(v))
        return NULL;
    snprintf(buf, 32, "%lld", (long long)json_integer_value(v));
    return buf;
}

/* How many items of a list have this key, with a text, with a whole number. */
typedef struct {
    int64_t n, n_has, n_text, n_number;
} tally;

static tally count_key(const json_t *list, const char *key)
{
    tally t = {.n = (int64_t)json_array_size(list)};

    for (int64_t i = 0; i < t.n; i++) {
        const json_t *v = json_object_get(json_array_get(list, (size_t)i), key);

        t.n_has += v != NULL;
        t.n_text += json_is_string(v);
        t.n_number += json_is_integer(v);
    }
    return t;
}

/* Ids are texts, but links have numbers. Is the i-th id always the text of i, so that both readings
 * agree? *numeric: some id is the text of a number. */
static bool ids_are_positions(bool *numeric, const reader *x)
{
    bool all = true;

    *numeric = false;
    for (size_t i = 0; i < json_array_size(x->nodes); i++) {
        const char *s = json_string_value(json_object_get(json_array_get(x->nodes, i), x->id_key));
        int64_t number;

        if (!s || !gnd_parse_int(&number, s, strlen(s))) {
            all = false;
            continue;
        }
        *numeric = true;
        all &= number == (int64_t)i;
    }
    return all;
}

/* Decide how links name their ends. */
static gnd_status choose_ids(reader *x, gnd_error *err)
{
    const tally id = count_key(x->nodes, "id"), name = count_key(x->nodes, "name");
    const tally source = count_key(x->links, "source"), target = count_key(x->links, "target");
    const int64_t n_number = source.n_number + target.n_number;
    bool numeric = false;

    if (id.n_has > 0 && id.n_has < id.n)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: %lld of %lld nodes have no id", x->a.path,
                        (long long)(id.n - id.n_has), (long long)id.n);
    if (id.n_has > 0)
        x->id_key = "id";
    else if (n_number == 0 && source.n > 0 && name.n_text == name.n)
        x->id_key = "name";
    if (!x->id_key) {
        if (n_number < 2 * source.n)
            return gnd_fail(err, GND_ERR_FORMAT,
                            "%s: nodes have no 'id', so the source and target of links must be "
                            "positions in the list of nodes",
                            x->a.path);
        x->by_position = true;
    } else if (id.n_text == id.n && n_number > 0) {
        if (n_number < 2 * source.n)
            return gnd_fail(err, GND_ERR_FORMAT,
                            "%s: some links name nodes by text, others by number; use ids only",
                            x->a.path);
        if (!ids_are_positions(&numeric, x) && numeric)
            return gnd_fail(err, GND_ERR_FORMAT,
                            "%s: links name nodes by number, and ids are numbers as text, so they "
                            "may be ids or positions; write source and target as the texts of ids",
                            x->a.path);
        x->by_position = true;
    }
    return GND_OK;
}

/* ---- nodes ---- */

static gnd_status add_attribute(reader *x, int32_t v, const char *name, const json_t *value,
                                gnd_error *err)
{
    const bool is_number = json_is_number(value) || json_is_boolean(value);
    int64_t k;
    gnd_status st = GND_OK;

    if (json_is_null(value))
        return GND_OK;
    GND_TRY(gnd_attr_column(&k, &x->a, name, is_number ? GND_ATTR_NUMBER : GND_ATTR_TEXT, err));
    if (json_is_boolean(value))
        GND_TRY(gnd_attr_set_number(&x->a, k, v, json_is_true(value), err));
    else if (is_number)
        GND_TRY(gnd_attr_set_number(&x->a, k, v, json_number_value(value), err));
    else if (json_is_string(value))
        GND_TRY(gnd_attr_set_text(&x->a, k, v, json_string_value(value), json_string_length(value),
                                  err));
    else
        x->a.attr[k].other = json_is_array(value) ? "lists" : "objects";
out:
    return st;
}

static gnd_status read_nodes(reader *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    x->a.list = "nodes";
    for (size_t i = 0; i < json_array_size(x->nodes); i++) {
        json_t *node = json_array_get(x->nodes, i), *value;
        const char *key, *id;
        char buf[32];
        int32_t v;

        x->a.at = (int64_t)i;
        GND_TRY(gnd_load_check(x->o, err));
        if (!json_is_object(node))
            GND_TRY(gnd_attr_fail(&x->a, err, "expected an object"));
        snprintf(buf, sizeof buf, "%zu", i);
        id = x->id_key ? id_text(buf, json_object_get(node, x->id_key)) : buf;
        if (!id)
            GND_TRY(gnd_attr_fail(&x->a, err, "the id must be a text or a whole number"));
        GND_TRY(gnd_attr_vertex(&v, &x->a, id, err));
        json_object_foreach(node, key, value)
        {
            if (!x->id_key || strcmp(key, x->id_key) != 0)
                GND_TRY(add_attribute(x, v, key, value, err));
        }
    }
out:
    return st;
}

/* ---- links ---- */

static gnd_status end_get(const char **out, char buf[32], const reader *x, const json_t *link,
                          const char *which, gnd_error *err)
{
    const json_t *v = json_object_get(link, which);
    const int64_t n = (int64_t)json_array_size(x->nodes);

    if (!v)
        return gnd_attr_fail(&x->a, err, "has no '%s'", which);
    if (x->by_position) {
        const int64_t i = (int64_t)json_integer_value(v);

        if (!json_is_integer(v) || i < 0 || i >= n)
            return gnd_attr_fail(&x->a, err,
                                 "expected as '%s' a position in the list of nodes, 0 to %lld",
                                 which, (long long)n - 1);
        *out = gnd_names_get(x->a.ids, i);
        return GND_OK;
    }
    *out = id_text(buf, v);
    if (!*out)
        return gnd_attr_fail(&x->a, err, "the '%s' must be the id of a node", which);
    if (gnd_names_find(x->a.ids, *out, strlen(*out)) < 0) {
        char show[GND_SHOWN];

        return gnd_attr_fail(&x->a, err, "no node has the id '%s'%s",
                             gnd_field_show(show, (gnd_csv_field){.s = *out, .len = strlen(*out)}),
                             json_is_integer(v)
                                 ? "; if links number the nodes from 0, remove the ids of nodes"
                                 : "");
    }
    return GND_OK;
}

static gnd_status weight_get(gnd_attr_link *e, reader *x, json_t *link, gnd_error *err)
{
    const char *key;
    json_t *v;

    json_object_foreach(link, key, v)
    {
        if (strcasecmp(key, "weight") == 0 && !json_is_null(v)) {
            if (!json_is_number(v) || e->has_weight)
                return gnd_attr_fail(&x->a, err, "expected one number as weight");
            e->weight = json_number_value(v);
            e->has_weight = true;
        } else if (strcmp(key, "source") != 0 && strcmp(key, "target") != 0 &&
                   strcmp(key, "key") != 0 && strcmp(key, "id") != 0) {
            x->n_edge_data++;
        }
    }
    return GND_OK;
}

static gnd_status read_links(reader *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    x->a.list = x->links_name;
    for (size_t i = 0; i < json_array_size(x->links); i++) {
        json_t *link = json_array_get(x->links, i);
        gnd_attr_link e = {.directed = x->directed};
        char source[32], target[32];

        x->a.at = (int64_t)i;
        GND_TRY(gnd_load_check(x->o, err));
        if (!json_is_object(link))
            GND_TRY(gnd_attr_fail(&x->a, err, "expected an object"));
        GND_TRY(end_get(&e.source, source, x, link, "source", err));
        GND_TRY(end_get(&e.target, target, x, link, "target", err));
        GND_TRY(weight_get(&e, x, link, err));
        GND_TRY(gnd_attr_edge(&x->a, &e, err));
    }
out:
    return st;
}

/* ---- the file ---- */

static gnd_status add_notes(reader *x, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (x->by_position && x->id_key)
        GND_TRY(gnd_notes_add(&x->a.notes, GND_NOTE, "links_by_position", err,
                              "%s: source and target of links are positions in the list of nodes",
                              x->a.path));
    if (x->n_edge_data > 0)
        GND_TRY(gnd_attr_note_edge_data(&x->a, err));
out:
    return st;
}

static gnd_status parse(json_t **out, const char *path, int64_t max_input, gnd_error *err)
{
    json_error_t why = {0};
    gnd_text t = {0};
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open(&t, path, max_input, err));
    /* jansson recurses at most JSON_PARSER_MAX_DEPTH times, and refuses integers over 64 bits. */
    *out = json_loadb(t.data ? t.data : "", t.size, JSON_REJECT_DUPLICATES, &why);
    if (!*out && json_error_code(&why) == json_error_out_of_memory)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    if (!*out) {
        gnd_text_mask(why.text);
        GND_TRY(
            gnd_fail(err, GND_ERR_FORMAT, "%s:%d: not valid JSON: %s", path, why.line, why.text));
    }
out:
    gnd_text_close(&t);
    return st;
}

static gnd_status json_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                            gnd_error *err)
{
    reader x = {.a = {.path = path, .list = "nodes"}, .o = o};
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(parse(&x.root, path, o ? o->max_input : 0, err));
    GND_TRY(parts_get(&x, err));
    GND_TRY(choose_ids(&x, err));
    GND_TRY(read_nodes(&x, err));
    GND_TRY(read_links(&x, err));
    GND_TRY(add_notes(&x, err));
    GND_TRY(gnd_attr_graph_build(out, &x.a, o, err));
out:
    json_decref(x.root);
    gnd_attr_graph_fini(&x.a);
    return st;
}

static bool json_sniff(const char *path, const char *head, size_t n_head)
{
    (void)path;
    return gnd_looks_like_json(head, n_head);
}

const gnd_format gnd_format_json = {
    .name = "json",
    .about = "node-link JSON of networkx and d3: attributes of nodes are features or labels",
    .sniff = json_sniff,
    .read = json_read,
    .has_attributes = true,
};
