/* SPDX-License-Identifier: MIT
 * diagnose.c - rules that compare a labelling with its labels, and the notes for the user. A
 * warning is about labels that may be wrong and says what to do; a note is a fact.
 *
 *     chance    held-out labels predicted right, against guesses
 *     suspect   held-out labels whose class is very improbable
 *     support   vertices with argmax_c P = c, without those that are labelled       P: [n, C]
 *     overlap   cosine of the mean coordinates of two classes                       Z: [n, r] */
#include "diagnose.h"

#include <math.h>

#include "base/alloc.h"
#include "class_priors.h"
#include "kern/kern.h"

static const char *name_of(const gnd_diagnosis *d, int64_t cls)
{
    return gnd_names_get(d->names, cls);
}

static int percent(double share)
{
    return (int)(100 * share + 0.5);
}

/* How far hits are above chance, in standard errors. Folds have one label of each class, so that
 * guesses hit once in a fold, with variance 1; twice that, since similarities are symmetric: if
 * label a predicts b right, b predicts a right. */
static double above_chance(double hits, double n_held_out, int64_t n_class)
{
    const double expected = n_held_out / (double)n_class;

    return (hits - expected) / sqrt(2 * expected);
}

bool gnd_above_chance(const gnd_mixture *m, const gnd_labelled *s)
{
    return m->n_held_out > 0 && above_chance((double)gnd_held_out_hits(m, s), (double)m->n_held_out,
                                             s->n_class) > CHANCE_ERRORS;
}

/* Are the held-out labels predicted better than by chance? */
static gnd_status note_chance(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err)
{
    const gnd_labelled *s = in->labelled;
    const double n = (double)in->mixture->n_held_out;
    const int64_t hits = gnd_held_out_hits(in->mixture, s);

    if (!(n > 0) || above_chance(n, n, s->n_class) <= CHANCE_ERRORS)
        return gnd_notes_add(d->to, GND_NOTE, "not_checked", err,
                             "not checked: there are too few labels to tell these predictions from "
                             "chance; label more vertices (gnd suggest)");
    if (gnd_above_chance(in->mixture, s))
        return GND_OK;
    return gnd_notes_add(d->to, GND_WARNING, "held_out_at_chance", err,
                         "the labels predicted here may be no better than chance: %lld of %lld "
                         "held-out labels were predicted right. Label more vertices (gnd suggest) "
                         "or add features",
                         (long long)hits, (long long)in->mixture->n_held_out);
}

/* Which predictors decide, where that is unusual. */
static gnd_status note_deciding(const gnd_diagnosis *d, const gnd_mixture *m, gnd_error *err)
{
    const double links = m->weight[GND_PREDICT_LINKS] + m->weight[GND_PREDICT_PAGERANK] +
                         m->weight[GND_PREDICT_BLOCKS] + m->weight[GND_PREDICT_ROLES] +
                         m->weight[GND_PREDICT_LINK_GROUPS];
    const double own = m->weight[GND_PREDICT_FEATURES] + m->weight[GND_PREDICT_FEATURE_GROUPS];
    const bool features = m->used >> GND_PREDICT_FEATURES & 1;

    if (features && own > 0.5)
        return gnd_notes_add(d->to, GND_NOTE, "links_uninformative", err,
                             "links say little about the classes, so features decide (%d %% of the "
                             "weight)",
                             percent(own));
    if (features && links > 0.5)
        return gnd_notes_add(d->to, GND_NOTE, "features_uninformative", err,
                             "features say little about the classes, so links decide (%d %% of the "
                             "weight)",
                             percent(links));
    return GND_OK;
}

/* Known labels that the others contradict. */
static gnd_status note_suspects(const gnd_diagnosis *d, const gnd_diagnose_input *in,
                                gnd_error *err)
{
    const gnd_labelled *s = in->labelled;
    const gnd_mixture *m = in->mixture;
    gnd_status st = GND_OK;
    char id[32];

    if (s->n < SUSPECT_LABELS_MIN * s->n_class || 2 * gnd_held_out_hits(m, s) < m->n_held_out)
        return GND_OK; /* predictions that are mostly wrong call no label wrong */
    for (int64_t k = 0; k < s->n; k++) {
        const gnd_real *row = m->held_prob + k * s->n_class;

        if (m->held_out[k] && (double)row[s->cls[k]] * (double)s->n_class < SUSPECT_OWN_MAX)
            GND_TRY(gnd_notes_add(d->to, GND_WARNING, "suspect_label", err,
                                  "vertex %s is labelled '%s', but the other labels predict '%s'; "
                                  "check this label",
                                  gnd_graph_id(d->graph, s->point[k], id), name_of(d, s->cls[k]),
                                  name_of(d, gnd_argmax(row, s->n_class))));
    }
out:
    return st;
}

static gnd_status note_class(const gnd_diagnosis *d, int64_t cls, int64_t n_label, int64_t n_vertex,
                             gnd_error *err)
{
    char count[GND_COUNT_TEXT];

    if (n_label == 0)
        return gnd_notes_add(d->to, GND_WARNING, "class_without_label", err,
                             "class '%s' has no known label, so no vertex gets it; label a vertex "
                             "of this class",
                             name_of(d, cls));
    return gnd_notes_add(d->to, GND_WARNING, "class_without_support", err,
                         "class '%s' has little support: besides its labels, %s vert%s it; check "
                         "its labels or label more vertices of this class",
                         name_of(d, cls), n_vertex > 0 ? gnd_count_text(count, n_vertex) : "no",
                         n_vertex > 1 ? "ices get" : "ex gets");
}

/* n_label, count: [C] labels, and other vertices, of each class. */
static gnd_status note_support(const gnd_diagnosis *d, const gnd_diagnose_input *in,
                               int64_t *n_label, int64_t *count, gnd_error *err)
{
    const int64_t C = in->labelled->n_class;
    int64_t compared = 0;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < in->labelled->n; k++)
        n_label[in->labelled->cls[k]]++;
    for (int64_t i = 0; i < in->prepared->n; i++)
        if (!in->excluded[i]) {
            count[gnd_argmax(in->prob + i * C, C)]++;
            compared++;
        }
    for (int64_t c = 0; c < C; c++)
        if (n_label[c] == 0 || (double)count[c] < SUPPORT_SHARE * (double)compared / (double)C)
            GND_TRY(note_class(d, c, n_label[c], count[c], err));
out:
    return st;
}

/* mean: [C, r] zeros. */
static gnd_status note_overlap(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_real *mean,
                               gnd_error *err)
{
    const gnd_kern *kern = gnd_kern_get();
    const gnd_points *z = &in->prepared->z.diffused[in->prepared->z.first];
    const int64_t r = z->r, C = in->labelled->n_class;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < z->n; i++)
        kern->axpy(mean + gnd_argmax(in->prob + i * C, C) * r, 1, z->z + i * r, r);
    for (int32_t a = 0; a < C; a++)
        for (int32_t b = 0; b < a; b++) {
            const gnd_real *x = mean + a * r, *y = mean + b * r;
            const double size = sqrt(kern->dot(x, x, r) * kern->dot(y, y, r));
            const double cosine = size > 0 ? kern->dot(x, y, r) / size : 0;

            if (cosine > OVERLAP_COSINE)
                GND_TRY(gnd_notes_add(d->to, GND_WARNING, "classes_overlap", err,
                                      "classes '%s' and '%s' look alike (similarity %d %%) and are "
                                      "easily confused; label more vertices of both or add "
                                      "features that separate them",
                                      name_of(d, b), name_of(d, a), percent(cosine)));
        }
out:
    return st;
}

gnd_status gnd_diagnose(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err)
{
    const int64_t C = in->labelled->n_class;
    int64_t *count = gnd_alloc(2 * C, sizeof *count);
    gnd_real *mean = gnd_alloc(C * in->prepared->z.diffused[in->prepared->z.first].r, sizeof *mean);
    gnd_status st = GND_OK;

    if (!count || !mean)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)C));
    if (!d->to)
        goto out;
    GND_TRY(note_chance(d, in, err));
    GND_TRY(note_deciding(d, in->mixture, err));
    GND_TRY(note_suspects(d, in, err));
    GND_TRY(note_support(d, in, count + C, count, err));
    if (in->mixture->weight[GND_PREDICT_SELF_TRAINING] > 0.5)
        GND_TRY(note_overlap(d, in, mean, err));
out:
    gnd_free(mean);
    gnd_free(count);
    return st;
}

/* Has a class exactly one label? Held out, nothing would be known of the class. */
static gnd_status has_single_label(bool *out, const gnd_label_input *in, gnd_error *err)
{
    int64_t *count = gnd_alloc(in->n_class, sizeof *count);

    *out = false;
    if (!count)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)in->n_class);
    for (int64_t k = 0; k < in->n_labelled; k++)
        count[in->cls[k]]++;
    for (int64_t c = 0; c < in->n_class; c++)
        *out = *out || count[c] == 1;
    gnd_free(count);
    return GND_OK;
}

gnd_status gnd_diagnose_calibration(const gnd_estimate *e, const gnd_label_input *in,
                                    gnd_error *err)
{
    double expected = 0;
    int64_t right = 0;
    bool single;
    gnd_status st;

    for (int64_t i = 0; i < e->held_out.n; i++) {
        right += e->held_out.right[i];
        expected += (double)e->held_out.confidence[i];
    }
    GND_TRY(has_single_label(&single, in, err));
    if (e->calibrated)
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "calibrated", err,
                              "calibrated: yes, %lld of %lld held-out labels were predicted right, "
                              "%.0f expected",
                              (long long)right, (long long)e->held_out.n, expected));
    else if (single || in->n_labelled < CALIBRATE_LABELS_MIN * in->n_class)
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_few_labels", err,
                              "calibrated: no, probabilities are a rule of thumb; they can be "
                              "checked from %d labels per class on, at least two of every class",
                              CALIBRATE_LABELS_MIN));
    else if (in->settings->calibration)
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_labels", err,
                              "calibrated: no, %lld of %lld held-out labels were predicted right, "
                              "%.0f expected",
                              (long long)right, (long long)e->held_out.n, expected));
    else
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_method", err,
                              "calibrated: no, auto with these settings does not check its "
                              "probabilities against held-out labels; they may be too high"));
out:
    return st;
}
