/* SPDX-License-Identifier: MIT
 * attributes_use.c - decide which attributes of a graph file are ids and labels, and make the
 * graph. Every decision becomes a note; in doubt an attribute is not used, and the note says which
 * option uses it. */
#include "attributes_priv.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "build_graph.h"
#include "sparse.h"
#include "text.h"

static gnd_status no_memory(const gnd_attr_build *b, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for attributes", b->a->path);
}

/* ---- values ---- */

bool gnd_attr_is_missing(const gnd_attr *c, int64_t p)
{
    const char *s;

    if (c->type == GND_ATTR_NUMBER)
        return isnan(c->number[p]);
    s = gnd_names_get(c->texts, c->text[p]);
    return !*s;
}

/* The p-th value as text: of an id or class. */
static gnd_status value_text(const char **out, char buf[GND_REAL_TEXT], const gnd_attr_build *b,
                             const gnd_attr *c, int64_t p, gnd_error *err)
{
    const double exact = 9007199254740992; /* 2^53: whole numbers up to it differ as double */

    if (c->type == GND_ATTR_TEXT) {
        *out = gnd_names_get(c->texts, c->text[p]);
        return GND_OK;
    }
    if (fabs(c->number[p]) > exact)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: attribute '%s' has numbers over 2^53, which are not exact; declare "
                        "it as text",
                        b->a->path, c->shown);
    *out = gnd_attr_number_text(buf, c->number[p]);
    return GND_OK;
}

gnd_status gnd_attr_count(int64_t *n_value, int64_t *n_distinct, const gnd_attr_build *b,
                          const gnd_attr *c, gnd_error *err)
{
    gnd_names *seen = gnd_names_new();
    char buf[GND_REAL_TEXT];
    const char *s = "";
    gnd_status st = GND_OK;

    *n_value = *n_distinct = 0;
    if (!seen)
        return no_memory(b, err);
    for (int64_t p = 0; p < c->n; p++) {
        if (gnd_attr_is_missing(c, p))
            continue;
        ++*n_value;
        if (c->type == GND_ATTR_NUMBER && floor(c->number[p]) != c->number[p])
            *n_distinct = -1;
        if (*n_distinct < 0)
            continue;
        GND_TRY(value_text(&s, buf, b, c, p, err));
        if (gnd_names_add(seen, s, strlen(s)) < 0)
            GND_TRY(no_memory(b, err));
    }
    if (*n_distinct == 0)
        *n_distinct = gnd_names_count(seen);
out:
    gnd_names_free(seen);
    return st;
}

/* ---- which attribute is what ---- */

/* Names that may be those of labels. */
static bool is_label_name(const char *name)
{
    static const char *const list[] = {"label",  "class",        "category",   "community", "group",
                                       "club",   "faction",      "topic",      "subject",   "y",
                                       "target", "ground_truth", "groundtruth"};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strcasecmp(name, list[i]) == 0)
            return true;
    return false;
}

/* The names of the attributes, for a message. */
static void list_names(gnd_buffer *to, const gnd_attr_graph *a)
{
    enum { MOST = 8 };

    for (int64_t k = 0; k < a->n_attr && k < MOST; k++)
        gnd_text_add(to, "%s%s", k ? ", " : "", a->attr[k].shown);
    if (a->n_attr > MOST)
        gnd_text_add(to, ", and %lld more", (long long)(a->n_attr - MOST));
    if (a->n_attr == 0)
        gnd_text_add(to, "none");
}

gnd_status gnd_attr_find(int64_t *k, const gnd_attr_build *b, const char *option, const char *name,
                         size_t len, gnd_error *err)
{
    gnd_buffer known = {0};

    *k = gnd_names_find(b->a->names, name, len);
    if (*k >= 0)
        return GND_OK;
    list_names(&known, b->a);
    gnd_fail(err, known.failed ? GND_ERR_NOMEM : GND_ERR_ARG,
             "%s: %s: vertices have no attribute '%.*s'; their attributes are: %s", b->a->path,
             option, (int)(len < 60 ? len : 60), name, known.text ? known.text : "");
    gnd_buffer_fini(&known);
    return err ? err->code : GND_ERR_ARG;
}

/* Replace the ids of the vertices by the values of attribute k. */
static gnd_status use_ids(gnd_attr_build *b, int64_t k, gnd_error *err)
{
    const gnd_attr *c = &b->a->attr[k];
    gnd_names *ids = gnd_names_new();
    int64_t *at = gnd_alloc(b->n, sizeof *at);
    char buf[GND_REAL_TEXT], show[GND_SHOWN];
    const char *s = "";
    gnd_status st = GND_OK;

    if (!ids || !at)
        GND_TRY(no_memory(b, err));
    for (int64_t p = 0; p < c->n; p++)
        at[c->vertex[p]] = gnd_attr_is_missing(c, p) ? 0 : p + 1;
    for (int64_t v = 0; v < b->n; v++) {
        const char *old = gnd_names_get(b->a->ids, v);

        gnd_field_show(show, (gnd_csv_field){.s = old, .len = strlen(old)});
        if (at[v] == 0)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: attribute '%s' cannot be the ids: vertex '%s' has no value",
                             b->a->path, c->shown, show));
        GND_TRY(value_text(&s, buf, b, c, at[v] - 1, err));
        if (gnd_names_add(ids, s, strlen(s)) < 0)
            GND_TRY(no_memory(b, err));
        if (gnd_names_count(ids) != v + 1)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: attribute '%s' cannot be the ids: vertex '%s' has the same "
                             "value as another one",
                             b->a->path, c->shown, show));
    }
    gnd_names_free(b->a->ids);
    b->a->ids = ids;
    ids = NULL;
    b->of[k] = GND_ATTR_ID;
out:
    gnd_names_free(ids);
    gnd_free(at);
    return st;
}

/* By its name and values, could attribute k be the labels? It must not be able to name vertices:
 * there are at least two vertices for each value on average. */
static gnd_status may_be_label(bool *yes, const gnd_attr_build *b, int64_t k, gnd_error *err)
{
    const gnd_attr *c = &b->a->attr[k];
    int64_t n_value, n_distinct;
    gnd_status st = GND_OK;

    *yes = false;
    if (b->of[k] != GND_ATTR_UNDECIDED || c->is_name || c->other || !is_label_name(c->name))
        return GND_OK;
    GND_TRY(gnd_attr_count(&n_value, &n_distinct, b, c, err));
    *yes = n_distinct >= 2 && 2 * n_distinct <= n_value;
out:
    return st;
}

static gnd_status use_labels(gnd_attr_build *b, int64_t k, gnd_error *err)
{
    const gnd_attr *c = &b->a->attr[k];
    char buf[GND_REAL_TEXT];
    const char *s = "";
    int64_t n = 0;
    gnd_status st = GND_OK;

    b->of[k] = GND_ATTR_LABEL;
    for (int64_t p = 0; p < c->n; p++) {
        if (gnd_attr_is_missing(c, p))
            continue;
        GND_TRY(value_text(&s, buf, b, c, p, err));
        if (strcmp(s, "-1") == 0)
            continue;
        GND_TRY(gnd_graph_class_of(&b->label[c->vertex[p]], b->g, s, strlen(s), err));
        n++;
    }
    if (n == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: no vertex has a value of attribute '%s'",
                         b->a->path, c->shown));
    GND_TRY(gnd_notes_add(&b->g->notes, GND_NOTE, "label_attribute", err,
                          "%s: attribute '%s' is the label: %lld of %lld vertices, %d classes",
                          b->a->path, c->shown, (long long)n, (long long)b->n, b->g->n_class));
out:
    return st;
}

/* Choose the labels: as the option says, or the only attribute that can be nothing else. */
static gnd_status choose_labels(gnd_attr_build *b, gnd_error *err)
{
    const char *name = b->o ? b->o->label_attribute : NULL;
    int64_t k = -1, n_found = 0;
    gnd_status st = GND_OK;

    if (name) {
        if (strcmp(name, "none") == 0 && gnd_names_find(b->a->names, "none", 4) < 0)
            return GND_OK;
        GND_TRY(gnd_attr_find(&k, b, "--label-attribute", name, strlen(name), err));
        if (b->a->attr[k].other)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: attribute '%s' cannot be the label: it "
                             "has %s",
                             b->a->path, b->a->attr[k].shown, b->a->attr[k].other));
        return use_labels(b, k, err);
    }
    for (int64_t i = 0; i < b->a->n_attr; i++) {
        bool yes;

        GND_TRY(may_be_label(&yes, b, i, err));
        if (!yes)
            continue;
        k = i;
        n_found++;
        b->of[i] = GND_ATTR_UNUSED;
        b->why[i] = "may be the label";
    }
    if (n_found == 1)
        GND_TRY(use_labels(b, k, err));
    else if (n_found > 1)
        GND_TRY(gnd_notes_add(&b->g->notes, GND_WARNING, "label_attribute_unclear", err,
                              "%s: %lld attributes may be the label, so none was taken; choose one "
                              "with --label-attribute, such as --label-attribute '%s'",
                              b->a->path, (long long)n_found, b->a->attr[k].shown));
out:
    return st;
}

/* ---- the graph ---- */

static gnd_status check_ends(const gnd_attr_graph *a, int64_t n, gnd_error *err)
{
    char show[GND_SHOWN];

    if (n == 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: the graph has no vertices", a->path);
    for (int64_t v = 0; v < n; v++)
        if (a->declared[v] <= 0) {
            const char *id = gnd_names_get(a->ids, v);

            gnd_field_show(show, (gnd_csv_field){.s = id, .len = strlen(id)});
            if (a->list)
                return gnd_fail(err, GND_ERR_FORMAT,
                                "%s: %s[%lld]: the edge names vertex '%s', which does not exist",
                                a->path, a->list, (long long)(-a->declared[v] - 1), show);
            return gnd_fail(err, GND_ERR_FORMAT,
                            "%s:%lld: the edge names vertex '%s', which does not exist", a->path,
                            (long long)(-a->declared[v] - 1), show);
        }
    return GND_OK;
}

/* Undirected edges become two arcs. *n_dup: number of edges merged into an equal one. */
static gnd_status join_edges(gnd_attr_graph *a, int64_t n, int64_t *n_dup, gnd_error *err)
{
    gnd_csr und = {0};
    gnd_status st = GND_OK;

    GND_TRY(gnd_coo_to_csr(&und, &a->edge, n, n, n_dup, err));
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = und.ptr[i]; p < und.ptr[i + 1]; p++) {
            const double w = (double)gnd_csr_val(&und, p);

            GND_TRY(gnd_coo_add(&a->arc, (int32_t)i, und.col[p], w, err));
            if (und.col[p] != i)
                GND_TRY(gnd_coo_add(&a->arc, und.col[p], (int32_t)i, w, err));
        }
out:
    gnd_csr_fini(&und);
    return st;
}

static gnd_status edge_notes(gnd_graph *g, const gnd_attr_graph *a, int64_t n_edge, int64_t n_dup,
                             gnd_error *err)
{
    const int64_t n_zero = gnd_sparse_drop_zeros(&g->adj), n_bare = n_edge - a->n_weighted;
    gnd_status st = GND_OK;

    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged (the largest weight stays)",
                              a->path, (long long)n_dup, n_dup == 1 ? " was" : "s were"));
    if (n_zero > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "zero_weights", err,
                              "%s: %lld arc%s of weight 0 %s left out", a->path, (long long)n_zero,
                              n_zero == 1 ? "" : "s", n_zero == 1 ? "was" : "were"));
    if (a->n_weighted > 0 && n_bare > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "weights_missing", err,
                              "%s: %lld edge%s no weight; it is 1 there", a->path,
                              (long long)n_bare, n_bare == 1 ? " has" : "s have"));
out:
    return st;
}

/* The vertices, edges, labels and features of b->g. */
static gnd_status assemble(gnd_attr_build *b, gnd_error *err)
{
    gnd_attr_graph *a = b->a;
    const int64_t n_edge = a->arc.n + a->edge.n;
    int64_t n_dup = 0, n_dup_arc = 0;
    gnd_status st = GND_OK;

    if (a->edge.n > 0)
        GND_TRY(join_edges(a, b->n, &n_dup, err));
    GND_TRY(gnd_graph_build(b->g,
                            &(gnd_graph_parts){&a->ids, b->label, &a->arc, &b->feat, b->n_feat},
                            &n_dup_arc, err));
    GND_TRY(edge_notes(b->g, a, n_edge, n_dup + n_dup_arc, err));
out:
    return st;
}

gnd_status gnd_attr_graph_build(gnd_graph **out, gnd_attr_graph *a, const gnd_load_opts *o,
                                gnd_error *err)
{
    gnd_attr_build b = {.a = a, .o = o, .n = a->ids ? gnd_names_count(a->ids) : 0};
    char name[256];
    int64_t k;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(check_ends(a, b.n, err));
    b.of = gnd_alloc(a->n_attr, sizeof *b.of);
    b.why = gnd_alloc(a->n_attr, sizeof *b.why);
    b.label = gnd_alloc(b.n, sizeof *b.label);
    if (!b.of || !b.why || !b.label)
        GND_TRY(no_memory(&b, err));
    for (int64_t i = 0; i < b.n; i++)
        b.label[i] = -1;
    gnd_path_stem(name, sizeof name, a->path);
    GND_TRY(gnd_graph_new(&b.g, name, 0, err));
    GND_TRY(gnd_notes_copy(&b.g->notes, &a->notes, err));
    if (o && o->id_attribute) {
        GND_TRY(
            gnd_attr_find(&k, &b, "--id-attribute", o->id_attribute, strlen(o->id_attribute), err));
        GND_TRY(use_ids(&b, k, err));
    }
    GND_TRY(choose_labels(&b, err));
    GND_TRY(gnd_attr_features(&b, err));
    GND_TRY(assemble(&b, err));
    GND_TRY(gnd_graph_check(b.g, a->path, err));
    *out = b.g;
    b.g = NULL;
out:
    gnd_graph_free(b.g);
    gnd_coo_fini(&b.feat);
    gnd_free(b.label);
    gnd_free(b.why);
    gnd_free(b.of);
    return st;
}
