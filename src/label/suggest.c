/* SPDX-License-Identifier: MIT
 * suggest.c - which vertices to label next: those that represent many others among the coordinates
 * of method auto (linalg/facility_location.c).
 *
 *     z = (z_1, .., z_K) / sqrt(K),   so that a cosine is the mean of those of the K spaces
 *
 * K = 1, diffused features, where the mixture trusts these; else no label is known that tells which
 * predictor to trust, and features (diffused identity if there are none), links and roles count
 * alike. Known labels count as suggestions that were made before. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "kern/argmax.h"
#include "label.h"
#include "linalg/facility_location.h"
#include "self_train.h"
#include "train/predict.h"

enum { WHY = 256, SPACES = 3 };

/* Shares of the time, for progress: of the steps before vertices are chosen, and in these of the
 * steps before labels are used. */
static const double SPACE_SHARE = 0.5, PREPARE_SHARE = 0.5;

struct gnd_suggestions {
    int64_t n;
    gnd_suggestion *list; /* [n] */
    char (*why)[WHY];     /* [n] */
    gnd_notes notes;
};

/* What the work needs; freed as a whole. */
typedef struct {
    const gnd_graph *g;
    gnd_pool *pool;
    gnd_prepared prepared;
    gnd_points z;            /* that suggestions are chosen by */
    int32_t *labelled, *cls; /* [n_labelled] */
    int64_t n_labelled;
    bool classes;           /* labels of at least two classes are known */
    gnd_real *prob;         /* [n, C] by the labels, or NULL */
    unsigned char *reached; /* [n] 1: a label reaches the vertex */
    gnd_facilities found;   /* by the order of prepared */
} work;

static void work_fini(work *w)
{
    gnd_prepared_fini(&w->prepared);
    gnd_points_fini(&w->z);
    gnd_pool_free(w->pool);
    gnd_free(w->labelled);
    gnd_free(w->cls);
    gnd_free(w->prob);
    gnd_free(w->reached);
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
    w->reached = gnd_alloc(n, 1);
    w->found.chosen = gnd_alloc(o->n, sizeof *w->found.chosen);
    w->found.coverage = gnd_alloc(o->n, sizeof *w->found.coverage);
    if (!w->pool || !w->labelled || !w->cls || !w->reached || !w->found.chosen ||
        !w->found.coverage)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to compare %lld vertices", (long long)n);
    gnd_pool_set_tick(w->pool, o->on_tick, o->tick_user, "suggesting");
    for (int64_t i = 0; i < n && !o->ignore; i++)
        if (g->label[i] >= 0) {
            w->labelled[w->n_labelled] = (int32_t)i;
            w->cls[w->n_labelled++] = g->label[i];
            w->classes = w->classes || g->label[i] != w->cls[0];
        }
    return GND_OK;
}

/* Rows of the parts side by side, each divided by sqrt(m). */
static gnd_status join(gnd_points *out, const gnd_points *part, int m, gnd_error *err)
{
    const gnd_real scale = (gnd_real)(1 / sqrt(m));
    int64_t to = 0;

    *out = (gnd_points){.n = part[0].n};
    for (int k = 0; k < m; k++)
        out->r += part[k].r;
    out->z = gnd_alloc(out->n * out->r, sizeof *out->z);
    if (!out->z)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)out->n);
    for (int64_t i = 0; i < out->n; i++)
        for (int k = 0; k < m; k++)
            for (int64_t c = 0; c < part[k].r; c++)
                out->z[to++] = scale * part[k].z[i * part[k].r + c];
    return GND_OK;
}

/* Fill w->z. */
static gnd_status space_make(work *w, gnd_error *err)
{
    const gnd_prepared *g = &w->prepared;
    const bool links = gnd_csr_nnz(&g->links) > 0;
    const int spaces = links && (g->uncorrelated || g->x.n_row == 0) ? SPACES : 1;
    double same[GND_ROLES]; /* all roles count alike */
    const gnd_points roles = {.n = g->n, .r = GND_ROLES, .z = g->roles.val, .value = same};
    const gnd_fit_shape shape[SPACES] = {
        {g->z.features.n > 0 ? &g->z.features : &g->z.diffused, GND_RANK_LOW, 1},
        {&g->z.links, GND_RANK_LOW, LINKS_POWER},
        {&roles, GND_ROLES, 1}};
    gnd_points part[SPACES] = {{0}};
    int m = 0;
    gnd_status st;

    for (int k = 0; k < GND_ROLES; k++)
        same[k] = 1;
    for (int k = 0; k < spaces; k++)
        if (shape[k].points->n > 0)
            GND_TRY(gnd_points_shape(&part[m++], shape[k].points, shape[k].rank, shape[k].power,
                                     w->pool, err));
    GND_TRY(join(&w->z, part, m, err));
    for (int64_t i = 0; i < g->n && g->x.n_row == 0; i++)
        if (!(g->degree[i] > 0)) /* neither links nor features: it represents only itself */
            memset(w->z.z + i * w->z.r, 0, (size_t)w->z.r * sizeof *w->z.z);
out:
    for (int k = 0; k < m; k++)
        gnd_points_fini(&part[k]);
    return st;
}

static gnd_status prepare(work *w, const gnd_coordinates_opts *o, gnd_error *err)
{
    const gnd_graph *g = w->g;

    return gnd_prepare_graph(&w->prepared, g, g->n_feat > 0 ? &g->feat : NULL, o, w->pool, err);
}

/* What the labels say of every vertex. */
static gnd_status label(work *w, gnd_notes *notes, gnd_error *err)
{
    const gnd_graph *g = w->g;
    gnd_config *config = NULL;
    gnd_label_settings settings;
    gnd_coordinates_opts o;
    gnd_estimate e = {.notes = notes};
    gnd_span all;
    gnd_status st = GND_OK;

    e.prob = w->prob = gnd_alloc(g->n_node * g->n_class, sizeof *w->prob);
    if (!w->prob)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
    GND_TRY(gnd_config_new(&config, "auto", err));
    settings = gnd_label_settings_of(config);
    o = gnd_label_coordinates(&settings, g->n_class);
    all = gnd_pool_enter(w->pool, 0, PREPARE_SHARE);
    GND_TRY(prepare(w, &o, err));
    gnd_pool_leave(w->pool, all);
    GND_TRY(gnd_pool_check(w->pool, err));
    all = gnd_pool_enter(w->pool, PREPARE_SHARE, 1);
    GND_TRY(gnd_mark_reached(w->reached, g, w->labelled, w->n_labelled, err));
    GND_TRY(gnd_label_fit(&e,
                          &(gnd_label_input){.prepared = &w->prepared,
                                             .settings = &settings,
                                             .point = w->labelled,
                                             .cls = w->cls,
                                             .n_labelled = w->n_labelled,
                                             .n_class = g->n_class,
                                             .reached = w->reached,
                                             .graph = g,
                                             .names = g->cls,
                                             .pool = w->pool},
                          err));
    gnd_pool_leave(w->pool, all);
out:
    gnd_held_out_fini(&e.held_out);
    gnd_config_free(config);
    return st;
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Vertices that may be suggested: those without a label and, of more than SUGGEST_CANDIDATES, those
 * of largest degree; of equal degree, evenly spaced ones. Returns how many. */
static int64_t candidates(int32_t *out, double *room, const gnd_prepared *g, const gnd_labelled *s)
{
    int64_t n = 0, above = 0, equal = 0, seen = 0, m = 0;
    double least = -1;

    memset(out, 0, (size_t)g->n * sizeof *out);
    for (int64_t k = 0; k < s->n; k++)
        out[s->point[k]] = -1;
    for (int64_t i = 0; i < g->n; i++)
        if (out[i] == 0)
            room[n++] = g->degree[i];
    if (n > SUGGEST_CANDIDATES) {
        qsort(room, (size_t)n, sizeof *room, falling);
        least = room[SUGGEST_CANDIDATES - 1];
        for (int64_t k = 0; k < n; k++) {
            above += room[k] > least;
            equal += room[k] == least; /* exact: these are copies */
        }
    }
    above = SUGGEST_CANDIDATES - above; /* how many of equal degree */
    for (int64_t i = 0; i < g->n; i++)
        if (out[i] == 0 &&
            (g->degree[i] > least || (g->degree[i] >= least && seen++ * above % equal < above)))
            out[m++] = (int32_t)i;
    return m;
}

/* Fill w->found with k vertices. */
static gnd_status choose(work *w, int64_t k, gnd_notes *notes, gnd_error *err)
{
    gnd_labelled s = {.point = w->labelled, .cls = w->cls, .n = w->n_labelled};
    const int64_t m = s.n < SUGGEST_CANDIDATES ? s.n : SUGGEST_CANDIDATES;
    int32_t *own = NULL, *candidate = gnd_alloc(w->g->n_node, sizeof *candidate);
    int32_t *existing =
        gnd_alloc(m, sizeof *existing); /* evenly spaced labels, to bound the cost */
    double *room = gnd_alloc(w->g->n_node, sizeof *room);
    gnd_status st = GND_OK;

    if (!candidate || !existing || !room)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for suggestions"));
    GND_TRY(gnd_canonical_labels(&own, &s.point, &s.cls, s.n, gnd_prepared_order(&w->prepared),
                                 &w->prepared.at, err));
    for (int64_t i = 0; i < m; i++)
        existing[i] = s.point[i * s.n / m];
    GND_TRY(space_make(w, err));
    GND_TRY(gnd_pool_check(w->pool, err));
    GND_TRY(gnd_facility_location(
        &w->found, &w->z,
        &(gnd_facility_opts){.k = k,
                             .candidate = candidate,
                             .n_candidate = candidates(candidate, room, &w->prepared, &s),
                             .existing = existing,
                             .n_existing = m,
                             .similar = SUGGEST_SIMILAR},
        w->pool, err));
    GND_TRY(gnd_notes_add(notes, GND_NOTE, "suggestions_cover", err,
                          "%.0f %% of the vertices are similar to a labelled or suggested one "
                          "(cosine of their coordinates at least %g)",
                          100 * w->found.similar, SUGGEST_SIMILAR));
out:
    gnd_free(own);
    gnd_free(candidate);
    gnd_free(existing);
    gnd_free(room);
    return st;
}

/* The suggestion in a sentence. */
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

static gnd_suggestion describe(const work *w, int64_t i)
{
    const int64_t C = w->g->n_class;
    gnd_suggestion s = {gnd_prepared_vertex(&w->prepared, w->found.chosen[i]), w->found.coverage[i],
                        -1, NAN, -1};
    const gnd_real *row;

    if (!w->reached[s.vertex])
        return s;
    row = w->prob + s.vertex * C;
    if (!(row[gnd_argmax(row, C)] > 0))
        return s; /* NaN: the class is not known */
    s.cls = gnd_argmax(row, C);
    s.prob = (double)row[s.cls];
    for (int32_t c = 0; c < C; c++)
        if (c != s.cls && (s.other < 0 || row[c] > row[s.other]))
            s.other = c;
    return s;
}

gnd_status gnd_suggest(gnd_suggestions **out, const gnd_graph *g, const gnd_suggest_opts *o,
                       gnd_error *err)
{
    gnd_suggest_opts opts;
    gnd_suggestions *s = gnd_alloc(1, sizeof *s);
    work w = {0};
    gnd_span all;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    if (!s)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for suggestions"));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_suggest_opts", err));
    if (opts.n < 1 || opts.n > SUGGEST_MAX)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "%lld suggestions asked for; expected 1 to %d",
                         (long long)opts.n, SUGGEST_MAX));
    opts.n = opts.n < g->n_node ? opts.n : g->n_node;
    GND_TRY(work_init(&w, g, &opts, err));
    s->list = gnd_alloc(opts.n, sizeof *s->list);
    s->why = gnd_alloc(opts.n, sizeof *s->why);
    if (!s->list || !s->why)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for suggestions"));
    GND_TRY(gnd_pool_check(w.pool, err));
    all = gnd_pool_enter(w.pool, 0, SPACE_SHARE);
    if (w.classes)
        GND_TRY(label(&w, &s->notes, err));
    else
        GND_TRY(prepare(
            &w, &(gnd_coordinates_opts){.teleport = TELEPORT_FIRST, .n_class = SUGGEST_CLASSES},
            err));
    gnd_pool_leave(w.pool, all);
    GND_TRY(gnd_pool_check(w.pool, err));
    all = gnd_pool_enter(w.pool, SPACE_SHARE, 1);
    GND_TRY(choose(&w, opts.n, &s->notes, err));
    gnd_pool_leave(w.pool, all);
    GND_TRY(gnd_pool_check(w.pool, err));
    s->n = w.found.n;
    for (int64_t i = 0; i < s->n; i++) {
        s->list[i] = describe(&w, i);
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
    gnd_notes_fini(&s->notes);
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
    return s->notes.n;
}

const gnd_note *gnd_suggestions_note(const gnd_suggestions *s, int64_t i)
{
    return gnd_notes_at(&s->notes, i);
}
