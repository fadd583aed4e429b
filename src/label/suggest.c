/* SPDX-License-Identifier: MIT
 * suggest.c - which vertices to label next. Vertices are chosen that represent many others among
 * the coordinates of method auto (facility_location.c).
 *
 *     w_i = m + (1 - m) u_i / mean u,   u_i = 1 - max_c P_ic,   m = SUGGEST_WEIGHT_MIN
 *
 * Once labels of two classes are known, a vertex i counts by how uncertain its class is; P: [n, C]
 * by the labeller. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "facility_location.h"
#include "label.h"
#include "self_train.h"
#include "train/predict.h"

enum { WHY = 256 };

struct gnd_suggestions {
    int64_t n;
    gnd_suggestion *list; /* [n] */
    char (*why)[WHY];     /* [n] */
    gnd_prediction *now;  /* by the labels there are, or NULL */
};

/* What the work needs; freed as a whole. */
typedef struct {
    const gnd_graph *g;
    gnd_pool *pool;
    gnd_config *config;
    gnd_prepared prepared;
    gnd_points z;            /* those that suggestions are chosen by */
    int32_t *labelled, *cls; /* [n_labelled] */
    int64_t n_labelled;
    bool classes;            /* labels of at least two classes are known */
    unsigned char *excluded; /* [n] this, weight and found go by the order of prepared */
    double *weight;
    gnd_facilities found;
} work;

static void work_fini(work *w)
{
    gnd_config_free(w->config);
    gnd_prepared_fini(&w->prepared);
    gnd_points_fini(&w->z);
    gnd_pool_free(w->pool);
    gnd_free(w->labelled);
    gnd_free(w->cls);
    gnd_free(w->excluded);
    gnd_free(w->weight);
    gnd_free(w->found.chosen);
    gnd_free(w->found.coverage);
}

static gnd_status work_init(work *w, const gnd_graph *g, const gnd_suggest_opts *o, gnd_error *err)
{
    const int64_t n = g->n_node;

    w->g = g;
    w->pool = gnd_pool_new(o->threads);
    w->labelled = gnd_alloc(n, sizeof *w->labelled);
    w->cls = gnd_alloc(n, sizeof *w->cls);
    w->excluded = gnd_alloc(n, 1);
    w->weight = gnd_alloc(n, sizeof *w->weight);
    w->found.chosen = gnd_alloc(o->n, sizeof *w->found.chosen);
    w->found.coverage = gnd_alloc(o->n, sizeof *w->found.coverage);
    if (!w->pool || !w->labelled || !w->cls || !w->excluded || !w->weight || !w->found.chosen ||
        !w->found.coverage)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to compare %lld vertices", (long long)n);
    for (int64_t i = 0; i < n && !o->ignore; i++)
        if (g->label[i] >= 0) {
            w->labelled[w->n_labelled] = (int32_t)i;
            w->cls[w->n_labelled++] = g->label[i];
            w->classes = w->classes || g->label[i] != w->cls[0];
        }
    return GND_OK;
}

/* The coordinates, made for these options. */
static gnd_status coordinates_make(work *w, const gnd_coordinates_opts *o, gnd_error *err)
{
    const gnd_graph *g = w->g;
    gnd_status st;

    GND_TRY(gnd_prepare_graph(&w->prepared, g, g->n_feat > 0 ? &g->feat : NULL, o, w->pool, err));
    GND_TRY(gnd_points_shape(&w->z, &w->prepared.z.diffused, GND_RANK_LOW, 1, w->pool, err));
out:
    return st;
}

/* What the labels say of every vertex. */
static gnd_status label(work *w, gnd_prediction **now, gnd_error *err)
{
    const gnd_graph *g = w->g;
    gnd_label_settings settings;
    gnd_coordinates_opts o;
    gnd_notes notes = {0};
    gnd_estimate e = {.notes = &notes};
    unsigned char *reached = gnd_alloc(g->n_node, 1);
    gnd_status st = GND_OK;

    e.prob = gnd_alloc(g->n_node * g->n_class, sizeof *e.prob);
    if (!e.prob || !reached)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
    GND_TRY(gnd_config_new(&w->config, "auto", err));
    settings = gnd_label_settings_of(w->config);
    o = gnd_label_coordinates(&settings, g->n_class);
    GND_TRY(coordinates_make(w, &o, err));
    GND_TRY(gnd_label_fit(&e,
                          &(gnd_label_input){.prepared = &w->prepared,
                                             .settings = &settings,
                                             .point = w->labelled,
                                             .cls = w->cls,
                                             .n_labelled = w->n_labelled,
                                             .n_class = g->n_class,
                                             .graph = g,
                                             .names = g->cls,
                                             .pool = w->pool},
                          err));
    gnd_mass_logits(e.prob, e.prob, g->n_node, g->n_class);
    GND_TRY(gnd_prediction_new(now, e.prob, g->n_node, g->n_class, GND_OUT_MASS, err));
    (*now)->notes = notes;
    notes = (gnd_notes){0};
    GND_TRY(gnd_mark_reached(reached, g, w->labelled, w->n_labelled, err));
    for (int64_t i = 0; i < g->n_node; i++)
        (*now)->known[i] &= reached[i];
out:
    gnd_held_out_fini(&e.held_out);
    gnd_notes_fini(&notes);
    gnd_free(reached);
    gnd_free(e.prob);
    return st;
}

static void weigh(work *w, const gnd_prediction *now)
{
    const int64_t n = w->g->n_node;
    double mean = 0;

    for (int64_t i = 0; i < n; i++) {
        const int64_t v = gnd_prepared_vertex(&w->prepared, i);

        w->weight[i] = 1 - (double)now->prob[v * now->n_class + now->top[v]];
        mean += w->weight[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++)
        w->weight[i] =
            mean > 0 ? SUGGEST_WEIGHT_MIN + (1 - SUGGEST_WEIGHT_MIN) * w->weight[i] / mean : 1;
}

/* Fill w->found. now: by the labels there are, or NULL. */
static gnd_status choose(work *w, const gnd_prediction *now, const gnd_suggest_opts *o,
                         gnd_error *err)
{
    gnd_labelled s = {.point = w->labelled, .cls = w->cls, .n = w->n_labelled};
    int32_t *own = NULL;
    gnd_status st;

    GND_TRY(
        gnd_canonical_labels(&own, &s.point, &s.cls, s.n, gnd_prepared_order(&w->prepared), err));
    for (int64_t k = 0; k < s.n; k++)
        w->excluded[s.point[k]] = 1;
    if (now)
        weigh(w, now);
    GND_TRY(gnd_facility_location(&w->found, &w->z,
                                  &(gnd_facility_opts){.k = o->n,
                                                       .weight = now ? w->weight : NULL,
                                                       .existing = s.point,
                                                       .n_existing = s.n,
                                                       .excluded = w->excluded,
                                                       .seed = o->seed},
                                  w->pool, err));
out:
    gnd_free(own);
    return st;
}

static void explain(char why[WHY], const gnd_suggestion *s, const work *w)
{
    const double about = s->represents * (double)w->g->n_node;
    char many[96], count[GND_COUNT_TEXT];

    if (about < SUGGEST_ALONE)
        snprintf(many, sizeof many, "represents hardly any vertex but itself");
    else
        snprintf(many, sizeof many, "represents about %s vertices (%.1f %%)",
                 gnd_count_text(count, (int64_t)(about + 0.5)), 100 * s->represents);
    if (s->cls >= 0)
        snprintf(why, WHY, "%s; now '%s' (%.0f %%) before '%s'", many,
                 gnd_graph_class_name(w->g, s->cls), 100 * s->prob,
                 gnd_graph_class_name(w->g, s->other));
    else if (w->classes)
        snprintf(why, WHY, "%s; no known label reaches it", many);
    else
        snprintf(why, WHY, "%s", many);
    gnd_utf8_trim(why); /* names may be longer than there is room */
}

static gnd_suggestion describe(int64_t vertex, double coverage, const gnd_prediction *now)
{
    gnd_suggestion s = {vertex, coverage, -1, NAN, -1};

    if (!now || !now->known[vertex])
        return s;
    s.cls = now->top[vertex];
    s.prob = (double)now->prob[vertex * now->n_class + s.cls];
    for (int32_t c = 0; c < now->n_class; c++)
        if (c != s.cls && (s.other < 0 || now->prob[vertex * now->n_class + c] >
                                              now->prob[vertex * now->n_class + s.other]))
            s.other = c;
    return s;
}

gnd_status gnd_suggest(gnd_suggestions **out, const gnd_graph *g, const gnd_suggest_opts *o,
                       gnd_error *err)
{
    gnd_suggest_opts opts;
    gnd_suggestions *s = gnd_alloc(1, sizeof *s);
    work w = {0};
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    if (!s)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for suggestions"));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_suggest_opts", err));
    if (opts.n < 1 || opts.n > GND_FACILITY_MAX)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "%lld suggestions asked for; expected 1 to %d",
                         (long long)opts.n, GND_FACILITY_MAX));
    opts.n = opts.n < g->n_node ? opts.n : g->n_node;
    GND_TRY(work_init(&w, g, &opts, err));
    s->list = gnd_alloc(opts.n, sizeof *s->list);
    s->why = gnd_alloc(opts.n, sizeof *s->why);
    if (!s->list || !s->why)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for suggestions"));
    if (w.classes)
        GND_TRY(label(&w, &s->now, err));
    else
        GND_TRY(coordinates_make(
            &w, &(gnd_coordinates_opts){.teleport = TELEPORT_FIRST, .n_class = SUGGEST_CLASSES},
            err));
    GND_TRY(choose(&w, s->now, &opts, err));
    s->n = w.found.n;
    for (int64_t i = 0; i < s->n; i++) {
        s->list[i] = describe(gnd_prepared_vertex(&w.prepared, w.found.chosen[i]),
                              w.found.coverage[i], s->now);
        explain(s->why[i], &s->list[i], &w);
    }
    *out = s;
    s = NULL;
out:
    work_fini(&w);
    gnd_suggestions_free(s);
    return st;
}

void gnd_suggestions_free(gnd_suggestions *s)
{
    if (!s)
        return;
    gnd_prediction_free(s->now);
    gnd_free(s->list);
    gnd_free(s->why);
    gnd_free(s);
}

int64_t gnd_suggestions_n(const gnd_suggestions *s)
{
    return s->n;
}

const gnd_suggestion *gnd_suggestions_get(const gnd_suggestions *s, int64_t i)
{
    return i >= 0 && i < s->n ? &s->list[i] : NULL;
}

const char *gnd_suggestions_why(const gnd_suggestions *s, int64_t i)
{
    return i >= 0 && i < s->n ? s->why[i] : NULL;
}

int64_t gnd_suggestions_n_note(const gnd_suggestions *s)
{
    return s->now ? gnd_prediction_n_note(s->now) : 0;
}

const gnd_note *gnd_suggestions_note(const gnd_suggestions *s, int64_t i)
{
    return s->now ? gnd_prediction_note(s->now, i) : NULL;
}
