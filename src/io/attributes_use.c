/* SPDX-License-Identifier: MIT
 * attributes_use.c - decide which attributes of a graph file are ids, labels and features, and make
 * the graph. Every decision becomes a note; in doubt an attribute is not used, and the note says
 * which option uses it. */
#include "attributes.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "build_graph.h"
#include "categories.h"
#include "feature_cells.h"
#include "sparse.h"
#include "text.h"

/* What an attribute is used for. */
typedef enum { USE_UNDECIDED, USE_ID, USE_LABEL, USE_FEATURE, USE_NOT } use;

typedef struct {
    gnd_attr_graph *a;
    const gnd_load_opts *o;
    int64_t n;        /* vertices */
    use *of;          /* [n_attr] */
    const char **why; /* [n_attr] of USE_NOT */
    int32_t *label;   /* [n] class of each vertex; -1: none */
    gnd_coo feat;
    int64_t n_feat, n_used; /* features, and attributes that they are made from */
    gnd_graph *g;
} build;

static gnd_status no_memory(const build *b, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for attributes", b->a->path);
}

/* ---- values ---- */

static bool is_missing(const gnd_attr *c, int64_t p)
{
    const char *s;

    if (c->type == GND_ATTR_NUMBER)
        return isnan(c->number[p]);
    s = gnd_names_get(c->texts, c->text[p]);
    return !*s;
}

/* The p-th value as text: of an id or class. */
static gnd_status value_text(const char **out, char buf[GND_REAL_TEXT], const build *b,
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

/* Number of values that are not missing, and of different ones. Texts have many rows for each
 * different one; of numbers only whole ones are counted as different: -1 if there are others. */
static gnd_status count_values(int64_t *n_value, int64_t *n_distinct, const build *b,
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
        if (is_missing(c, p))
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

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(name, list[i]) == 0)
            return true;
    return false;
}

/* Names that may be those of labels. */
static bool is_label_name(const char *name)
{
    static const char *const list[] = {"label",  "class",        "category",   "community", "group",
                                       "club",   "faction",      "topic",      "subject",   "y",
                                       "target", "ground_truth", "groundtruth"};

    return is_one_of(name, list, sizeof list / sizeof list[0]);
}

/* Names of attributes that number or name the vertices. */
static bool is_id_name(const char *name)
{
    static const char *const list[] = {"id",    "_id",     "key",    "name",
                                       "index", "node_id", "nodeid", "original_id"};

    return is_one_of(name, list, sizeof list / sizeof list[0]);
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

static gnd_status find_attribute(int64_t *k, const build *b, const char *option, const char *name,
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
static gnd_status use_ids(build *b, int64_t k, gnd_error *err)
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
        at[c->vertex[p]] = is_missing(c, p) ? 0 : p + 1;
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
    b->of[k] = USE_ID;
out:
    gnd_names_free(ids);
    gnd_free(at);
    return st;
}

/* By its name and values, could attribute k be the labels? It must not be able to name vertices:
 * there are at least two vertices for each value on average. */
static gnd_status may_be_label(bool *yes, const build *b, int64_t k, gnd_error *err)
{
    const gnd_attr *c = &b->a->attr[k];
    int64_t n_value, n_distinct;
    gnd_status st = GND_OK;

    *yes = false;
    if (b->of[k] != USE_UNDECIDED || c->is_name || c->other || !is_label_name(c->name))
        return GND_OK;
    GND_TRY(count_values(&n_value, &n_distinct, b, c, err));
    *yes = n_distinct >= 2 && 2 * n_distinct <= n_value;
out:
    return st;
}

static gnd_status use_labels(build *b, int64_t k, gnd_error *err)
{
    const gnd_attr *c = &b->a->attr[k];
    char buf[GND_REAL_TEXT];
    const char *s = "";
    int64_t n = 0;
    gnd_status st = GND_OK;

    b->of[k] = USE_LABEL;
    for (int64_t p = 0; p < c->n; p++) {
        if (is_missing(c, p))
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
static gnd_status choose_labels(build *b, gnd_error *err)
{
    const char *name = b->o ? b->o->label_attribute : NULL;
    int64_t k = -1, n_found = 0;
    gnd_status st = GND_OK;

    if (name) {
        if (strcmp(name, "none") == 0 && gnd_names_find(b->a->names, "none", 4) < 0)
            return GND_OK;
        GND_TRY(find_attribute(&k, b, "--label-attribute", name, strlen(name), err));
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
        b->of[i] = USE_NOT;
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

/* ---- features ---- */

/* Is the attribute in the list NAME,NAME of the option? A part of the list that names none is an
 * error. *all: no list was given. */
static gnd_status listed(bool *yes, bool *all, const build *b, int64_t k, gnd_error *err)
{
    const char *s = b->o ? b->o->feature_attributes : NULL;
    gnd_status st = GND_OK;

    *all = !s;
    *yes = false;
    if (!s || (strcmp(s, "none") == 0 && gnd_names_find(b->a->names, "none", 4) < 0))
        return GND_OK;
    for (size_t len; *s; s += len + (s[len] == ',')) {
        int64_t found = -1;

        len = strcspn(s, ",");
        GND_TRY(find_attribute(&found, b, "--feature-attributes", s, len, err));
        *yes |= found == k;
    }
out:
    return st;
}

/* Why an attribute is not a feature unless it is listed; NULL: it is one. */
static gnd_status why_not(const char **out, const build *b, const gnd_attr *c, gnd_error *err)
{
    int64_t n_value, n_distinct;
    gnd_status st = GND_OK;

    *out = NULL;
    if (c->is_name || is_id_name(c->name)) {
        *out = "names the vertices";
    } else if (c->type == GND_ATTR_TEXT) {
        GND_TRY(count_values(&n_value, &n_distinct, b, c, err));
        if (n_distinct > GND_CATEGORY_MAX)
            *out = "has too many different texts";
        else if (!gnd_is_category(n_value, n_distinct))
            *out = "has a different text for nearly every vertex";
    }
out:
    return st;
}

/* Decide which attributes are features. */
static gnd_status choose_features(build *b, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < b->a->n_attr; k++) {
        const gnd_attr *c = &b->a->attr[k];
        bool yes, all;

        GND_TRY(listed(&yes, &all, b, k, err));
        if (b->of[k] == USE_ID || b->of[k] == USE_LABEL || (b->of[k] == USE_NOT && !yes))
            continue;
        if (c->other)
            b->why[k] = c->other;
        else if (!yes && !all)
            b->why[k] = "";
        else if (!yes && all)
            GND_TRY(why_not(&b->why[k], b, c, err));
        b->of[k] = b->why[k] && !(yes && !c->other) ? USE_NOT : USE_FEATURE;
        b->n_used += b->of[k] == USE_FEATURE && c->n > 0;
    }
out:
    return st;
}

/* Set the cells of column q to the values of c, those of the other vertices to missing. */
static gnd_status put_column(gnd_cells *cells, const build *b, int32_t q, const gnd_attr *c,
                             gnd_error *err)
{
    unsigned char *has = gnd_alloc(b->n, 1);
    gnd_status st = GND_OK;

    if (!has)
        return no_memory(b, err);
    for (int64_t p = 0; p < c->n; p++) {
        if (is_missing(c, p))
            continue;
        has[c->vertex[p]] = 1;
        if (c->type == GND_ATTR_TEXT) {
            const char *s = gnd_names_get(c->texts, c->text[p]);

            GND_TRY(gnd_cells_text(cells, c->vertex[p], q,
                                   (gnd_csv_field){.s = s, .len = strlen(s)}, err));
            continue;
        }
        if (!isfinite((gnd_real)c->number[p]))
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: attribute '%s' has the value %g, which is too large for a "
                             "feature",
                             b->a->path, c->shown, c->number[p]));
        GND_TRY(gnd_cells_number(cells, c->vertex[p], q, c->number[p], err));
    }
    for (int64_t v = 0; v < b->n; v++)
        if (!has[v])
            GND_TRY(gnd_cells_missing(cells, (int32_t)v, q, err));
out:
    gnd_free(has);
    return st;
}

/* Make the features. Missing numbers are 0 unless the mean is asked for: graph files often leave
 * out values. */
static gnd_status make_features(build *b, gnd_error *err)
{
    const bool mean = b->o && b->o->missing == GND_MISSING_MEAN;
    gnd_cells cells = {0};
    gnd_csr feat = {0};
    int32_t q = 0;
    gnd_status st = GND_OK;

    if (b->n_used == 0)
        return GND_OK;
    GND_TRY(gnd_cells_init(&cells, b->n_used, err));
    for (int64_t k = 0; k < b->a->n_attr; k++) {
        const gnd_attr *c = &b->a->attr[k];

        if (b->of[k] != USE_FEATURE || c->n == 0)
            continue;
        cells.column[q].name = (gnd_csv_field){.s = c->name, .len = strlen(c->name)};
        cells.column[q].is_text = c->type == GND_ATTR_TEXT;
        GND_TRY(put_column(&cells, b, q++, c, err));
    }
    GND_TRY(gnd_cells_features(&feat, &cells, b->n, NULL,
                               mean ? GND_MISSING_MEAN : GND_MISSING_ZERO, b->a->path, &b->g->notes,
                               err));
    for (int64_t i = 0; i < b->n; i++)
        for (int64_t p = feat.ptr[i]; p < feat.ptr[i + 1]; p++)
            GND_TRY(
                gnd_coo_add(&b->feat, (int32_t)i, feat.col[p], (double)gnd_csr_val(&feat, p), err));
    b->n_feat = feat.n_col;
out:
    gnd_csr_fini(&feat);
    gnd_cells_fini(&cells);
    return st;
}

/* ---- notes ---- */

/* Append up to a few attributes to a list; *n counts them all. */
static void list_add(gnd_buffer *to, int64_t *n, const gnd_attr *c, const char *why)
{
    enum { MOST = 6 };

    if (++*n <= MOST)
        gnd_text_add(to, "%s%s%s%s%s", *n > 1 ? ", " : "", c->shown, *why ? " (" : "", why,
                     *why ? ")" : "");
}

static gnd_status feature_notes(build *b, gnd_error *err)
{
    gnd_buffer used = {0}, unused = {0};
    int64_t n_used = 0, n_unused = 0;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < b->a->n_attr; k++) {
        const gnd_attr *c = &b->a->attr[k];

        if (c->n == 0 && !c->other)
            continue;
        if (b->of[k] == USE_FEATURE)
            list_add(&used, &n_used, c, c->type == GND_ATTR_TEXT ? "text" : "");
        else if (b->of[k] == USE_NOT)
            list_add(&unused, &n_unused, c, b->why[k]);
    }
    if (used.failed || unused.failed)
        GND_TRY(no_memory(b, err));
    if (n_used > 0)
        GND_TRY(gnd_notes_add(&b->g->notes, GND_NOTE, "attribute_features", err,
                              "%s: %lld feature%s from the attributes %s%s", b->a->path,
                              (long long)b->n_feat, b->n_feat == 1 ? "" : "s", used.text,
                              n_used > 6 ? ", ..." : ""));
    if (n_unused > 0)
        GND_TRY(gnd_notes_add(&b->g->notes, GND_NOTE, "attributes_not_used", err,
                              "%s: attributes that are not used: %s%s; --label-attribute, "
                              "--id-attribute or --feature-attributes NAME uses one",
                              b->a->path, unused.text, n_unused > 6 ? ", ..." : ""));
out:
    gnd_buffer_fini(&used);
    gnd_buffer_fini(&unused);
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
static gnd_status assemble(build *b, gnd_error *err)
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
    build b = {.a = a, .o = o, .n = a->ids ? gnd_names_count(a->ids) : 0};
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
        GND_TRY(find_attribute(&k, &b, "--id-attribute", o->id_attribute, strlen(o->id_attribute),
                               err));
        GND_TRY(use_ids(&b, k, err));
    }
    GND_TRY(choose_labels(&b, err));
    GND_TRY(choose_features(&b, err));
    GND_TRY(make_features(&b, err));
    GND_TRY(feature_notes(&b, err));
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
