/* SPDX-License-Identifier: MIT
 * diagnose.c - rules that compare a labelling with its labels, and what the user is told. A warning
 * is about labels that may be wrong and says what to do; a note is a fact.
 *
 *     support   vertices with argmax_c P = c, without those that are labelled       P: [n, C]
 *     drift     agreement of argmax P with the class of the nearest labels
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

/* What the ensemble found about features, links and labels. */
static gnd_status note_findings(const gnd_diagnosis *d, const gnd_diagnose_input *in,
                                gnd_error *err)
{
    const gnd_findings *f = in->found;
    gnd_status st = GND_OK;
    char id[32];

    if (f->two_groupings)
        GND_TRY(gnd_notes_add(d->to, GND_WARNING, "two_groupings", err,
                              "features and links show different groups of vertices, and one label "
                              "per class cannot decide which are the classes; label a second "
                              "vertex of each class (gnd suggest)"));
    if (f->links_uninformative)
        GND_TRY(gnd_notes_add(d->to, GND_NOTE, "links_uninformative", err,
                              "links join vertices of the same class no more often than chance "
                              "(adjusted homophily %.2f; 1: always, 0: as by chance), so features "
                              "count more than links",
                              f->homophily));
    /* Fits that miss most held-out labels cannot call one of them wrong. */
    for (int64_t k = 0; k < in->labelled->n && 2 * f->n_hit >= f->n_held_out; k++)
        if (f->suspect[k] >= 0)
            GND_TRY(gnd_notes_add(d->to, GND_WARNING, "suspect_label", err,
                                  "vertex %s is labelled '%s', but the other labels predict '%s'; "
                                  "check this label",
                                  gnd_graph_id(d->graph, in->labelled->point[k], id),
                                  name_of(d, in->labelled->cls[k]), name_of(d, f->suspect[k])));
    if (f->features_uninformative)
        GND_TRY(gnd_notes_add(d->to, GND_NOTE, "features_uninformative", err,
                              "features and links are uncorrelated, and links predict the labels "
                              "better, so links count more than features"));
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
    int64_t same = 0, compared = 0;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < in->labelled->n; k++)
        n_label[in->labelled->cls[k]]++;
    for (int64_t i = 0; i < in->z->n; i++)
        if (!in->excluded[i]) {
            const int64_t top = gnd_argmax(in->prob + i * C, C);

            count[top]++;
            same += in->prototype && top == gnd_argmax(in->prototype + i * C, C);
            compared++;
        }
    for (int64_t c = 0; c < C; c++)
        if (n_label[c] == 0 || (double)count[c] < SUPPORT_SHARE * (double)compared / (double)C)
            GND_TRY(note_class(d, c, n_label[c], count[c], err));
    if (in->prototype && compared > 0 && (double)same < DRIFT_AGREEMENT * (double)compared)
        GND_TRY(gnd_notes_add(d->to, GND_WARNING, "drift", err,
                              "only %d %% of the vertices have the class of the labels nearest to "
                              "them, so self-training may have drifted; check some labels or label "
                              "more vertices (gnd suggest)",
                              percent((double)same / (double)compared)));
out:
    return st;
}

/* mean: [C, r] zeros. */
static gnd_status note_overlap(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_real *mean,
                               gnd_error *err)
{
    const gnd_kern *kern = gnd_kern_get();
    const int64_t r = in->z->r, C = in->labelled->n_class;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < in->z->n; i++)
        kern->axpy(mean + gnd_argmax(in->prob + i * C, C) * r, 1, in->z->z + i * r, r);
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
    gnd_real *mean = gnd_alloc(C * in->z->r, sizeof *mean);
    gnd_status st = GND_OK;

    if (!count || !mean)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)C));
    if (!d->to)
        goto out;
    if (in->found)
        GND_TRY(note_findings(d, in, err));
    GND_TRY(note_support(d, in, count + C, count, err));
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
    bool single;
    gnd_status st;

    GND_TRY(has_single_label(&single, in, err));
    if (e->calibrated)
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "calibrated", err,
                              "calibrated: yes, probabilities were checked against held-out "
                              "labels"));
    else if (single || in->n_labelled < CALIBRATE_LABELS_MIN * in->n_class)
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_few_labels", err,
                              "calibrated: no, probabilities are a rule of thumb; they can be "
                              "checked from %d labels per class on, at least two of every class",
                              CALIBRATE_LABELS_MIN));
    else
        GND_TRY(gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_method", err,
                              "calibrated: no, auto with these settings does not check its "
                              "probabilities against held-out labels; they may be too high"));
out:
    return st;
}

int32_t gnd_suspect_label(const gnd_labelled *all, int64_t k, const gnd_real *prob,
                          int64_t by_prototype)
{
    const int64_t C = all->n_class;
    const int32_t cls = all->cls[k];
    const gnd_real *row = prob + all->point[k] * C;
    const int64_t by_fit = gnd_argmax(row, C);

    if (all->n < SUSPECT_LABELS_MIN * C || by_fit == cls || by_prototype != by_fit ||
        (double)row[by_fit] < SUSPECT_OTHER_MIN || (double)row[cls] > SUSPECT_OWN_MAX)
        return -1;
    return (int32_t)by_fit;
}
