/* SPDX-License-Identifier: MIT
 * suggest.c - which vertices to label next.
 *
 * Vertices are chosen that stand for many others among the coordinates of method auto (few/cover).
 * Once labels of two classes are known, a vertex that is unsure asks louder:
 *
 *     w_i = 0.3 + 0.7 u_i / mean u,   u_i = 1 - max_c P_ic */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "facility_location.h"
#include "label.h"
#include "train/predict.h"
#include "train/train.h"

static const double min_weight = 0.3; /* the least weight of a vertex */
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
    gnd_model *model;
    gnd_inputs in;
    gnd_tape *tape;
    gnd_remarks remarks;
    gnd_coordinates views;
    gnd_points z;      /* the coordinates */
    int32_t *labelled; /* [n_labelled] */
    int64_t n_labelled;
    bool classes; /* labels of two classes at least are known */
    unsigned char *excluded;
    double *weight;
    int32_t *chosen;
    double *coverage;
} work;

static void work_fini(work *w)
{
    gnd_tape_free(w->tape);
    gnd_inputs_fini(&w->in);
    gnd_remarks_fini(&w->remarks);
    gnd_model_free(w->model);
    gnd_config_free(w->config);
    gnd_coordinates_fini(&w->views);
    gnd_points_fini(&w->z);
    gnd_pool_free(w->pool);
    gnd_free(w->labelled);
    gnd_free(w->excluded);
    gnd_free(w->weight);
    gnd_free(w->chosen);
    gnd_free(w->coverage);
}

static gnd_status work_init(work *w, const gnd_graph *g, const gnd_suggest_opts *o, gnd_error *err)
{
    const int64_t n = g->n_node;
    int32_t first = -1;

    w->g = g;
    w->pool = gnd_pool_new(o->threads);
    w->labelled = gnd_alloc(n, sizeof *w->labelled);
    w->excluded = gnd_alloc(n, 1);
    w->weight = gnd_alloc(n, sizeof *w->weight);
    w->chosen = gnd_alloc(o->n, sizeof *w->chosen);
    w->coverage = gnd_alloc(o->n, sizeof *w->coverage);
    if (!w->pool || !w->labelled || !w->excluded || !w->weight || !w->chosen || !w->coverage)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to look at %lld vertices", (long long)n);
    for (int64_t i = 0; i < n && !o->ignore; i++)
        if (g->label[i] >= 0) {
            w->classes = w->classes || (first >= 0 && g->label[i] != first);
            first = first >= 0 ? first : g->label[i];
            w->excluded[i] = 1;
            w->labelled[w->n_labelled++] = (int32_t)i;
        }
    return GND_OK;
}

/* The coordinates, where there is nothing to fit. */
static gnd_status coordinates_only(work *w, gnd_error *err)
{
    const gnd_graph *g = w->g;
    const gnd_coordinates_opts o = {.weighting = {true}, .teleport = 0.1, .n_class = 2};
    gnd_status st;

    GND_TRY(gnd_coordinates_init(&w->views, g->n_feat > 0 ? &g->feat : NULL, &g->adj, &o, w->pool,
                                 err));
    GND_TRY(
        gnd_points_shape(&w->z, &w->views.diffused[w->views.first], GND_RANK_LOW, 1, w->pool, err));
out:
    return st;
}

/* The coordinates, and what the labels say of every vertex. */
static gnd_status label(work *w, gnd_prediction **now, gnd_error *err)
{
    const gnd_coordinates *views;
    gnd_var logits;
    gnd_status st;

    GND_TRY(gnd_config_new(&w->config, "auto", err));
    GND_TRY(gnd_model_new(&w->model, w->g, w->config, 0, err));
    GND_TRY(gnd_model_keep_labels(w->model, w->g, w->labelled, w->n_labelled, err));
    GND_TRY(gnd_model_mark_seen(w->model, w->g, w->labelled, w->n_labelled, err));
    GND_TRY(gnd_inputs_init(&w->in, w->model, w->g, w->pool, err));
    w->in.remarks = &w->remarks;
    GND_TRY(gnd_tape_new(&w->tape, w->pool, err));
    gnd_tape_reset(w->tape, false, 0);
    logits = gnd_final_logits(w->model, &w->in, w->tape);
    GND_TRY(gnd_tape_check(w->tape, err));
    GND_TRY(gnd_prediction_of(now, w->model, &w->in, w->tape, logits, w->g, &w->remarks, err));
    views = gnd_auto_coordinates(&w->in);
    GND_TRY(gnd_points_shape(&w->z, &views->diffused[views->first], GND_RANK_LOW, 1, w->pool, err));
out:
    return st;
}

static void weigh(work *w, const gnd_prediction *now)
{
    const int64_t n = w->g->n_node;
    double mean = 0;

    for (int64_t i = 0; i < n; i++) {
        w->weight[i] = 1 - (double)now->prob[i * now->n_class + now->top[i]];
        mean += w->weight[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++)
        w->weight[i] = mean > 0 ? min_weight + (1 - min_weight) * w->weight[i] / mean : 1;
}

static void explain(char why[WHY], const gnd_suggestion *s, const work *w)
{
    const double about = s->stands_for * (double)w->g->n_node;
    char many[96], count[GND_COUNT_TEXT];

    if (about < 1.5)
        snprintf(many, sizeof many, "stands for hardly any vertex but itself");
    else
        snprintf(many, sizeof many, "stands for about %s vertices (%.1f %%)",
                 gnd_count_text(count, (int64_t)(about + 0.5)), 100 * s->stands_for);
    if (s->cls >= 0)
        snprintf(why, WHY, "%s; now '%s' (%.0f %%) before '%s'", many,
                 gnd_model_class_name(w->model, s->cls), 100 * s->prob,
                 gnd_model_class_name(w->model, s->other));
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
    GND_TRY(w.classes ? label(&w, &s->now, err) : coordinates_only(&w, err));
    if (s->now)
        weigh(&w, s->now);
    GND_TRY(gnd_facility_location(w.chosen, w.coverage, &s->n, &w.z,
                                  &(gnd_facility_opts){.k = opts.n,
                                                       .weight = s->now ? w.weight : NULL,
                                                       .existing = w.labelled,
                                                       .n_existing = w.n_labelled,
                                                       .excluded = w.excluded,
                                                       .seed = opts.seed},
                                  w.pool, err));
    for (int64_t i = 0; i < s->n; i++) {
        s->list[i] = describe(w.chosen[i], w.coverage[i], s->now);
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

gnd_suggestion gnd_suggestions_get(const gnd_suggestions *s, int64_t i)
{
    return s->list[i];
}

const char *gnd_suggestions_why(const gnd_suggestions *s, int64_t i)
{
    return s->why[i];
}

int64_t gnd_suggestions_n_note(const gnd_suggestions *s)
{
    return s->now ? gnd_prediction_n_note(s->now) : 0;
}

const char *gnd_suggestions_note(const gnd_suggestions *s, int64_t i)
{
    return gnd_prediction_note(s->now, i);
}
