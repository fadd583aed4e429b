/* SPDX-License-Identifier: MIT
 * attributes_features.c - make features from the attributes of vertices: numbers as they are, a
 * text as one binary feature for each category. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "attributes_priv.h"
#include "categories.h"
#include "feature_cells.h"
#include "limit.h"

enum { MISSING_BYTES = 64 }; /* memory that a missing value takes until it is a feature */

static gnd_status no_memory(const gnd_attr_build *b, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for attributes", b->a->path);
}

/* Names of attributes that number or name the vertices. */
static bool is_id_name(const char *name)
{
    static const char *const list[] = {"id",    "_id",     "key",    "name",
                                       "index", "node_id", "nodeid", "original_id"};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strcasecmp(name, list[i]) == 0)
            return true;
    return false;
}

/* Is the attribute in the list NAME,NAME of the option? A part of the list that names none is an
 * error. *all: no list was given. */
static gnd_status listed(bool *yes, bool *all, const gnd_attr_build *b, int64_t k, gnd_error *err)
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
        GND_TRY(gnd_attr_find(&found, b, "--feature-attributes", s, len, err));
        *yes |= found == k;
    }
out:
    return st;
}

/* Why an attribute is not a feature unless it is listed; NULL: it is one. */
static gnd_status why_not(const char **out, const gnd_attr_build *b, const gnd_attr *c,
                          gnd_error *err)
{
    int64_t n_value, n_distinct;
    gnd_status st = GND_OK;

    *out = NULL;
    if (c->is_name || is_id_name(c->name)) {
        *out = "names the vertices";
    } else if (c->type == GND_ATTR_TEXT) {
        GND_TRY(gnd_attr_count(&n_value, &n_distinct, b, c, err));
        if (n_distinct > GND_CATEGORY_MAX)
            *out = "has too many different texts";
        else if (!gnd_is_category(n_value, n_distinct))
            *out = "has a different text for nearly every vertex";
    }
out:
    return st;
}

/* Decide which attributes are features. */
static gnd_status choose_features(gnd_attr_build *b, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < b->a->n_attr; k++) {
        const gnd_attr *c = &b->a->attr[k];
        bool yes, all;

        GND_TRY(listed(&yes, &all, b, k, err));
        if (b->of[k] == GND_ATTR_ID || b->of[k] == GND_ATTR_LABEL ||
            (b->of[k] == GND_ATTR_UNUSED && !yes))
            continue;
        if (c->other)
            b->why[k] = c->other;
        else if (!yes && !all)
            b->why[k] = "";
        else if (!yes && all)
            GND_TRY(why_not(&b->why[k], b, c, err));
        b->of[k] = b->why[k] && !(yes && !c->other) ? GND_ATTR_UNUSED : GND_ATTR_FEATURE;
        b->n_used += b->of[k] == GND_ATTR_FEATURE && c->n > 0;
    }
out:
    return st;
}

static bool is_mean(const gnd_attr_build *b)
{
    return b->o && b->o->missing == GND_MISSING_MEAN;
}

/* Set the cells of column q to the values of c. has: [n] set to 1 for vertices with a value. */
static gnd_status put_values(gnd_cells *cells, unsigned char *has, const gnd_attr_build *b,
                             int32_t q, const gnd_attr *c, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t p = 0; p < c->n; p++) {
        if (gnd_attr_is_missing(c, p))
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
out:
    return st;
}

/* Set the cells of column q to the values of c, those of the other vertices to missing. A short
 * file can have many attributes and many vertices, so missing cells are stored only where they get
 * a value, the mean, and *room is the number of them that may still be stored. */
static gnd_status put_column(gnd_cells *cells, int64_t *room, const gnd_attr_build *b, int32_t q,
                             const gnd_attr *c, gnd_error *err)
{
    unsigned char *has = gnd_alloc(b->n, 1);
    gnd_status st = GND_OK;

    if (!has)
        return no_memory(b, err);
    GND_TRY(put_values(cells, has, b, q, c, err));
    if (!is_mean(b) || c->type == GND_ATTR_TEXT) {
        cells->column[q].n_missing = b->n - cells->column[q].n_value;
        goto out;
    }
    *room -= b->n - cells->column[q].n_value;
    if (*room < 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: too many values of attributes are missing for --missing mean",
                         b->a->path));
    for (int64_t v = 0; v < b->n; v++)
        if (!has[v])
            GND_TRY(gnd_cells_missing(cells, (int32_t)v, q, err));
out:
    gnd_free(has);
    return st;
}

/* Make the features. Missing numbers are 0 unless the mean is asked for: graph files often leave
 * out values. */
static gnd_status make_features(gnd_attr_build *b, gnd_error *err)
{
    int64_t room = gnd_limit_get(b->o ? b->o->max_input : 0) / MISSING_BYTES;
    gnd_cells cells = {0};
    gnd_csr feat = {0};
    int32_t q = 0;
    gnd_status st = GND_OK;

    if (b->n_used == 0)
        return GND_OK;
    GND_TRY(gnd_cells_init(&cells, b->n_used, err));
    for (int64_t k = 0; k < b->a->n_attr; k++) {
        const gnd_attr *c = &b->a->attr[k];

        if (b->of[k] != GND_ATTR_FEATURE || c->n == 0)
            continue;
        cells.column[q].name = (gnd_csv_field){.s = c->name, .len = strlen(c->name)};
        cells.column[q].is_text = c->type == GND_ATTR_TEXT;
        GND_TRY(put_column(&cells, &room, b, q++, c, err));
    }
    GND_TRY(gnd_cells_features(&feat, &cells, b->n, NULL,
                               is_mean(b) ? GND_MISSING_MEAN : GND_MISSING_ZERO, b->a->path,
                               &b->g->notes, err));
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

/* Append up to a few attributes to a list; *n counts them all. */
static void list_add(gnd_buffer *to, int64_t *n, const gnd_attr *c, const char *why)
{
    enum { MOST = 6 };

    if (++*n <= MOST)
        gnd_text_add(to, "%s%s%s%s%s", *n > 1 ? ", " : "", c->shown, *why ? " (" : "", why,
                     *why ? ")" : "");
}

static gnd_status feature_notes(gnd_attr_build *b, gnd_error *err)
{
    gnd_buffer used = {0}, unused = {0};
    int64_t n_used = 0, n_unused = 0;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < b->a->n_attr; k++) {
        const gnd_attr *c = &b->a->attr[k];

        if (c->n == 0 && !c->other)
            continue;
        if (b->of[k] == GND_ATTR_FEATURE)
            list_add(&used, &n_used, c, c->type == GND_ATTR_TEXT ? "text" : "");
        else if (b->of[k] == GND_ATTR_UNUSED)
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

gnd_status gnd_attr_features(gnd_attr_build *b, gnd_error *err)
{
    gnd_status st = GND_OK;

    GND_TRY(choose_features(b, err));
    GND_TRY(make_features(b, err));
    GND_TRY(feature_notes(b, err));
out:
    return st;
}
