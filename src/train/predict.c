/* SPDX-License-Identifier: MIT
 * predict.c - a trained model on a graph, the same or a grown one. */
#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/outfile.h"
#include "base/str.h"
#include "metric.h"

/* comp[i]: component of vertex i. Caller frees. */
static gnd_status components_new(int32_t **comp, int64_t *n_comp, const gnd_graph *g,
                                 gnd_error *err)
{
    *comp = gnd_alloc(g->n_node, sizeof **comp);
    *n_comp = *comp ? gnd_components(*comp, &g->adj) : -1;
    if (*n_comp >= 0)
        return GND_OK;
    gnd_free(*comp);
    *comp = NULL;
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %s", g->name);
}

gnd_status gnd_model_mark_seen(gnd_model *m, const gnd_graph *g, const int32_t *train,
                               int64_t n_train, gnd_error *err)
{
    unsigned char *reached = NULL;
    int32_t *comp = NULL;
    int64_t n_comp;
    gnd_status st = GND_OK;

    GND_TRY(components_new(&comp, &n_comp, g, err));
    reached = gnd_alloc(n_comp, 1);
    if (!reached)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld components", (long long)n_comp));
    for (int64_t i = 0; i < n_train; i++)
        reached[comp[train[i]]] = 1;
    memset(m->seen, 0, (size_t)m->n_feat);
    for (int64_t i = 0; i < g->n_node; i++) {
        if (!reached[comp[i]])
            continue;
        if (m->identity)
            m->seen[i] = 1; /* the model was made from this graph: column i is vertex i */
        else
            for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++)
                m->seen[g->feat.col[p]] = 1;
    }
out:
    gnd_free(reached);
    gnd_free(comp);
    return st;
}

/* A vertex is known if some vertex of its component has a label that the model keeps, or a feature
 * that occurred where a label reaches. */
static gnd_status mark_known(gnd_prediction *p, const gnd_model *m, const gnd_inputs *in,
                             const gnd_graph *g, gnd_error *err)
{
    unsigned char *speaks = NULL;
    int32_t *comp = NULL;
    int64_t n_comp;
    gnd_status st = GND_OK;

    GND_TRY(components_new(&comp, &n_comp, g, err));
    speaks = gnd_alloc(n_comp, 1);
    if (!speaks)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld components", (long long)n_comp));
    for (int64_t i = 0; i < g->n_node; i++)
        for (int64_t q = in->x.ptr[i]; q < in->x.ptr[i + 1]; q++)
            speaks[comp[i]] |= m->seen[in->x.col[q]];
    for (int64_t k = 0; k < in->n_labelled; k++)
        speaks[comp[in->labelled[k]]] = 1;
    for (int64_t i = 0; i < g->n_node; i++)
        p->known[i] = speaks[comp[i]];
out:
    gnd_free(speaks);
    gnd_free(comp);
    return st;
}

/* Where a method gives masses, a row of zeros is one that had none (gnd_final_logits): shares of a
 * mass have a logarithm below 0 somewhere. */
static bool has_mass(const gnd_model *m, const gnd_real *row, int32_t n_class)
{
    if (m->config.method->output != GND_OUT_MASS)
        return true;
    for (int32_t c = 0; c < n_class; c++)
        if (row[c] < 0)
            return true;
    return false;
}

/* Softmax of a row of logits, in double. */
static void probabilities(float *prob, const gnd_real *row, int32_t n_class)
{
    const double top = (double)row[gnd_argmax(row, n_class)];
    double sum = 0;

    for (int32_t c = 0; c < n_class; c++)
        sum += exp((double)row[c] - top);
    for (int32_t c = 0; c < n_class; c++)
        prob[c] = (float)(exp((double)row[c] - top) / sum);
}

static gnd_status prediction_new(gnd_prediction **out, int64_t n, int32_t n_class, gnd_error *err)
{
    gnd_prediction *p = gnd_alloc(1, sizeof *p);

    if (p) {
        p->n = n;
        p->n_class = n_class;
        p->prob = gnd_alloc(n * n_class, sizeof *p->prob);
        p->top = gnd_alloc(n, sizeof *p->top);
        p->known = gnd_alloc(n, 1);
    }
    *out = p;
    if (p && p->prob && p->top && p->known)
        return GND_OK;
    gnd_prediction_free(p);
    *out = NULL;
    return gnd_fail(err, GND_ERR_NOMEM, "no memory to predict %lld vertices", (long long)n);
}

/* A remark in words. */
static void note_text(char *buf, size_t size, const gnd_remark *r, const gnd_model *m,
                      const gnd_graph *g)
{
    char id[32], count[GND_COUNT_TEXT];
    const int percent = (int)(100 * r->value + 0.5);

    switch (r->kind) {
    case GND_REMARK_UNLIKE_LINKS:
        snprintf(buf, size,
                 "by features alone, links join the same class no more often than chance does "
                 "(%.2f; 1: always, 0: as chance): links say little of classes, so features count "
                 "more",
                 r->value);
        break;
    case GND_REMARK_VAIN_FEATURES:
        snprintf(buf, size,
                 "links do not join vertices whose features are alike, and features seem to say "
                 "little of classes, so links count more");
        break;
    case GND_REMARK_TWO_GROUPINGS:
        snprintf(buf, size,
                 "features and links each show groups of their own, and one label a class hardly "
                 "says which are meant: a second one would");
        break;
    case GND_REMARK_DRIFT:
        snprintf(
            buf, size,
            "the labels agree with the nearest known ones on %d %% of the vertices only: check "
            "some of them, or give more labels",
            percent);
        break;
    case GND_REMARK_OVERLAP:
        snprintf(buf, size, "classes '%s' and '%s' look alike (%d %%) and can hardly be told apart",
                 gnd_model_class_name(m, r->cls), gnd_model_class_name(m, r->other), percent);
        break;
    case GND_REMARK_NO_LABEL:
        snprintf(buf, size, "class '%s' has no known label, so no vertex gets it",
                 gnd_model_class_name(m, r->cls));
        break;
    case GND_REMARK_NO_SUPPORT:
        snprintf(buf, size, "class '%s' has little support: besides those known, %s vert%s it",
                 gnd_model_class_name(m, r->cls),
                 r->value > 0 ? gnd_count_text(count, (int64_t)r->value) : "no",
                 (int64_t)r->value > 1 ? "ices get" : "ex gets");
        break;
    default: /* the share is a fit's own and far too sure to be shown */
        snprintf(buf, size,
                 "label '%s' of vertex %s looks wrong: the other labels make it '%s'; check it",
                 gnd_model_class_name(m, r->cls), gnd_graph_id(g, r->vertex, id),
                 gnd_model_class_name(m, r->other));
    }
}

static gnd_status notes_write(gnd_prediction *p, const gnd_remarks *remarks, const gnd_model *m,
                              const gnd_graph *g, gnd_error *err)
{
    char buf[512];

    p->note = gnd_alloc(remarks->n, sizeof *p->note);
    if (!p->note)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for remarks");
    for (int64_t i = 0; i < remarks->n; i++) {
        note_text(buf, sizeof buf, &remarks->list[i], m, g);
        gnd_utf8_trim(buf); /* names may be longer than there is room */
        p->note[i] = gnd_strdup(buf);
        if (!p->note[i])
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for remarks");
        p->n_note++;
    }
    return GND_OK;
}

gnd_status gnd_prediction_of(gnd_prediction **out, const gnd_model *m, const gnd_inputs *in,
                             gnd_tape *t, gnd_var logits, const gnd_graph *g,
                             const gnd_remarks *remarks, gnd_error *err)
{
    const int32_t n_class = gnd_n_class(m);
    const gnd_real *v = gnd_tape_node(t, logits)->v;
    gnd_prediction *p = NULL;
    gnd_status st;

    *out = NULL;
    GND_TRY(prediction_new(&p, g->n_node, n_class, err));
    for (int64_t i = 0; i < g->n_node; i++) {
        p->top[i] = gnd_argmax(v + i * n_class, n_class);
        probabilities(p->prob + i * n_class, v + i * n_class, n_class);
    }
    GND_TRY(mark_known(p, m, in, g, err));
    for (int64_t i = 0; i < g->n_node; i++)
        p->known[i] &= has_mass(m, v + i * n_class, n_class);
    p->calibrated = remarks->calibrated;
    GND_TRY(notes_write(p, remarks, m, g, err));
    *out = p;
    p = NULL;
out:
    gnd_prediction_free(p);
    return st;
}

gnd_status gnd_predict(gnd_prediction **out, const gnd_model *m, const gnd_graph *g,
                       const gnd_train_opts *o, gnd_error *err)
{
    gnd_train_opts opts;
    gnd_pool *pool = NULL;
    gnd_inputs in = {0};
    gnd_remarks remarks = {0};
    gnd_tape *t = NULL;
    gnd_var logits;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (g->mode != m->mode)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "the model wants a graph in mode %s; %s is in mode %s",
                         gnd_graph_mode_name(m->mode), g->name, gnd_graph_mode_name(g->mode)));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err));
    pool = gnd_pool_new(opts.threads);
    if (!pool)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    GND_TRY(gnd_inputs_init(&in, m, g, pool, err));
    in.remarks = &remarks;
    GND_TRY(gnd_tape_new(&t, pool, err));
    gnd_tape_reset(t, false, 0);
    logits = gnd_final_logits(m, &in, t);
    GND_TRY(gnd_tape_check(t, err));
    GND_TRY(gnd_prediction_of(out, m, &in, t, logits, g, &remarks, err));
out:
    gnd_tape_free(t);
    gnd_inputs_fini(&in);
    gnd_remarks_fini(&remarks);
    gnd_pool_free(pool);
    return st;
}

gnd_status gnd_prediction_clamp(gnd_prediction *p, const gnd_model *m, const gnd_graph *g,
                                gnd_error *err)
{
    gnd_error_clear(err);
    if (p->n != g->n_node)
        return gnd_fail(err, GND_ERR_SHAPE, "the prediction is of %lld vertices, %s has %lld",
                        (long long)p->n, g->name, (long long)g->n_node);
    for (int64_t i = 0; i < p->n; i++) {
        const char *name = gnd_graph_class_name(g, g->label[i]);
        const int64_t c = name ? gnd_names_find(m->cls, name, strlen(name)) : -1;

        if (c < 0)
            continue;
        memset(p->prob + i * p->n_class, 0, (size_t)p->n_class * sizeof *p->prob);
        p->prob[i * p->n_class + c] = 1;
        p->top[i] = (int32_t)c;
        p->known[i] = 1;
    }
    return GND_OK;
}

/* Surest first. */
static int by_confidence(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x < y) - (x > y);
}

gnd_status gnd_prediction_abstain(gnd_prediction *p, double risk, int64_t *n_unknown,
                                  gnd_error *err)
{
    float *conf, least = 2;
    double wrong = 0;
    int64_t n = 0, became = 0;

    gnd_error_clear(err);
    if (!(risk >= 0 && risk <= 1))
        return gnd_fail(err, GND_ERR_ARG, "the risk is %g; expected 0 to 1", risk);
    conf = gnd_alloc(p->n, sizeof *conf);
    if (!conf)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)p->n);
    for (int64_t i = 0; i < p->n; i++) {
        const float top = p->prob[i * p->n_class + p->top[i]];

        if (p->known[i] && top < 1) /* what is certain is no credit to the rest */
            conf[n++] = top;
    }
    qsort(conf, (size_t)n, sizeof *conf, by_confidence);
    /* The largest set of surest vertices of which no more than `risk` are expected to be wrong;
     * those that are as sure stay or go together. */
    for (int64_t k = 0; k < n; k++) {
        wrong += 1 - (double)conf[k];
        if (wrong <= risk * (double)(k + 1) && (k + 1 == n || conf[k + 1] < conf[k]))
            least = conf[k];
    }
    for (int64_t i = 0; i < p->n; i++)
        if (p->known[i] && p->prob[i * p->n_class + p->top[i]] < fminf(least, 1)) {
            p->known[i] = 0;
            became++;
        }
    if (n_unknown)
        *n_unknown = became;
    gnd_free(conf);
    return GND_OK;
}

void gnd_prediction_free(gnd_prediction *p)
{
    if (!p)
        return;
    gnd_free(p->prob);
    gnd_free(p->top);
    gnd_free(p->known);
    for (int64_t i = 0; i < p->n_note; i++)
        gnd_free(p->note[i]);
    gnd_free(p->note);
    gnd_free(p);
}

int64_t gnd_prediction_n_note(const gnd_prediction *p)
{
    return p->n_note;
}

const char *gnd_prediction_note(const gnd_prediction *p, int64_t i)
{
    return p->note[i];
}

bool gnd_prediction_calibrated(const gnd_prediction *p)
{
    return p->calibrated;
}

int64_t gnd_prediction_n(const gnd_prediction *p)
{
    return p->n;
}

int32_t gnd_prediction_label(const gnd_prediction *p, int64_t vertex)
{
    return p->known[vertex] ? p->top[vertex] : -1;
}

int32_t gnd_prediction_argmax(const gnd_prediction *p, int64_t vertex)
{
    return p->top[vertex];
}

const float *gnd_prediction_prob(const gnd_prediction *p, int64_t vertex)
{
    return p->prob + vertex * p->n_class;
}

gnd_status gnd_prediction_write(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                                FILE *f, gnd_error *err)
{
    char buf[32], real[GND_REAL_TEXT];

    gnd_error_clear(err);
    if (p->n != g->n_node)
        return gnd_fail(err, GND_ERR_SHAPE, "the prediction is of %lld vertices, %s has %lld",
                        (long long)p->n, g->name, (long long)g->n_node);
    fputs("id,label,probability\n", f);
    for (int64_t i = 0; i < p->n; i++) {
        const int32_t c = gnd_prediction_label(p, i);

        gnd_csv_write(f, gnd_graph_id(g, i, buf));
        fputc(',', f);
        if (c < 0) {
            fputs("unknown,\n", f);
            continue;
        }
        gnd_csv_write(f, gnd_model_class_name(m, c));
        fprintf(f, ",%s\n", gnd_real_text(real, (double)gnd_prediction_prob(p, i)[c], 6));
    }
    return ferror(f) ? gnd_fail(err, GND_ERR_IO, "cannot write the predictions") : GND_OK;
}

gnd_status gnd_prediction_save(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                               const char *path, gnd_error *err)
{
    gnd_outfile o = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    GND_TRY(gnd_outfile_open(&o, path, err));
    GND_TRY(gnd_prediction_write(p, g, m, o.f, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}
