/* SPDX-License-Identifier: MIT
 * diagnose.c - rules that compare a labelling with its labels, and the notes for the user. A
 * warning is about labels that may be wrong and says what to do; a note is a fact.
 *
 *     chance    z = T / sqrt(2 V), T = sum_i d(i, y_i), V = sum_ij d(i, y_j)^2 / (n - 1)
 *     suspect   labels of the r most certain of K contradictions, if k_r K <= a r n
 *     support   vertices with argmax_c P = c, without those that are labelled       P: [n, C]
 *
 * Chance: p_ic is the probability of class c for the i-th of n held-out labels, d is p less the
 * means of its row and its column over the classes y of the labels. T is then 0 on average if
 * labels are shuffled, with variance V if predictions do not change (Hoeffding 1951). They do, and
 * similarities are symmetric: if label i predicts j right, j predicts i right. Hence the 2. If all
 * predictions are right, z = sqrt((C - 1) (n - 1) / 2).
 *
 * Suspects: correct labels are contradicted too, and how often depends on the graph. Sort held-out
 * labels by the odds of the predicted class against the label's own, or against the next class
 * where they are the same. K labels are contradicted; if they are no more certain than others, one
 * is among the first k with probability k K / n at most. k_r is the position of the r-th
 * contradicted label. Several labels are tested at once as by Benjamini and Hochberg (1995), so
 * that with correct labels a share a = SUSPECT_RUNS of the labellings at most has a suspect one.
 * Probabilities count by their order alone. */
#include "diagnose.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "class_priors.h"

static const char *name_of(const gnd_diagnosis *d, int64_t cls)
{
    return gnd_names_get(d->names, cls);
}

static int percent(double share)
{
    return (int)(100 * share + 0.5);
}

/* ---- chance ---- */

gnd_status gnd_chance_test(gnd_chance *out, const gnd_mixture *m, const gnd_labelled *s,
                           gnd_error *err)
{
    const int64_t C = s->n_class;
    const double n = (double)m->n_held_out;
    double *share, *mean, sum = 0, variance = 0, all = 0, classes = 0;

    *out = (gnd_chance){0};
    if (m->n_held_out < 2)
        return GND_OK;
    share = gnd_alloc(2 * C, sizeof *share);
    if (!share)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)C);
    mean = share + C;
    for (int64_t i = 0; i < s->n; i++)
        if (m->held_out[i]) {
            share[s->cls[i]] += 1 / n;
            for (int64_t c = 0; c < C; c++)
                mean[c] += (double)m->held_prob[i * C + c] / n;
        }
    for (int64_t c = 0; c < C; c++) {
        all += share[c] * mean[c];
        classes += share[c] > 0;
    }
    for (int64_t i = 0; i < s->n; i++) {
        const gnd_real *row = m->held_prob + i * C;
        double usual = 0;

        for (int64_t c = 0; c < C && m->held_out[i]; c++)
            usual += share[c] * (double)row[c];
        for (int64_t c = 0; c < C && m->held_out[i]; c++) {
            const double d = (double)row[c] - usual - mean[c] + all;

            sum += c == s->cls[i] ? d : 0;
            variance += n * share[c] * d * d / (n - 1);
        }
    }
    if (sqrt(variance) > PROBABILITY_MIN * n)
        out->errors = sum / sqrt(2 * variance);
    out->most = sqrt((classes - 1) * (n - 1) / 2);
    gnd_free(share);
    return GND_OK;
}

/* Are the held-out labels predicted better than by chance? */
static gnd_status note_chance(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err)
{
    if (in->chance.errors > CHANCE_ERRORS)
        return GND_OK;
    if (CHANCE_KAPPA * in->chance.most <= CHANCE_ERRORS)
        return gnd_notes_add(d->to, GND_NOTE, "not_checked", err,
                             "not checked: there are too few labels to tell these predictions from "
                             "chance; label more vertices (gnd suggest)");
    return gnd_notes_add(d->to, GND_WARNING, "held_out_at_chance", err,
                         "the labels predicted here may be no better than chance: %lld of %lld "
                         "held-out labels were predicted right. Label more vertices (gnd suggest) "
                         "or add features",
                         (long long)gnd_held_out_hits(in->mixture, in->labelled),
                         (long long)in->mixture->n_held_out);
}

/* Which predictors decide, where that is unusual. */
static gnd_status note_deciding(const gnd_diagnosis *d, const gnd_mixture *m, gnd_error *err)
{
    const double *w = m->weight;
    const double own = w[GND_PREDICT_FEATURES] + w[GND_PREDICT_FEATURE_GROUPS];
    const double links = 1 - own - w[GND_PREDICT_SELF_TRAINING] - w[GND_PREDICT_DIFFUSED_FEATURES];

    if (!(m->used >> GND_PREDICT_FEATURES & 1))
        return GND_OK;
    if (own > 0.5)
        return gnd_notes_add(d->to, GND_NOTE, "links_uninformative", err,
                             "links say little about the classes, so features decide (%d %% of the "
                             "weight)",
                             percent(own));
    if (links > 0.5)
        return gnd_notes_add(d->to, GND_NOTE, "features_uninformative", err,
                             "features say little about the classes, so links decide (%d %% of the "
                             "weight)",
                             percent(links));
    return GND_OK;
}

/* ---- suspect labels ---- */

/* How a held-out label is predicted. */
typedef struct {
    double odds; /* of the own class, or of the next if it is predicted, against the predicted */
    int64_t label;
    bool contradicted;
} held_label;

/* Certain predictions first; among equal ones those that are right. */
static int by_certainty(const void *a, const void *b)
{
    const held_label *x = a, *y = b;

    if (x->odds != y->odds)
        return x->odds < y->odds ? -1 : 1;
    if (x->contradicted != y->contradicted)
        return x->contradicted ? 1 : -1;
    return x->label < y->label ? -1 : 1;
}

/* list: [n_held_out], certain predictions first. Returns the number of contradicted labels. */
static int64_t list_held_out(held_label *list, const gnd_mixture *m, const gnd_labelled *s)
{
    const int64_t C = s->n_class;
    int64_t n = 0, contradicted = 0;

    for (int64_t i = 0; i < s->n; i++) {
        const gnd_real *row = m->held_prob + i * C;
        double rival = 0;
        int64_t top;

        if (!m->held_out[i])
            continue;
        top = gnd_argmax(row, C);
        for (int64_t c = 0; c < C; c++)
            if (top == s->cls[i] ? c != top : c == s->cls[i])
                rival = fmax(rival, (double)row[c]);
        list[n++] = (held_label){rival / (double)row[top], i, top != s->cls[i]};
        contradicted += top != s->cls[i];
    }
    qsort(list, (size_t)n, sizeof *list, by_certainty);
    return contradicted;
}

/* The contradicted labels move to the front of the list; returns how many of them are suspect. */
static int64_t find_suspects(held_label *list, int64_t n, int64_t contradicted)
{
    int64_t met = 0, suspects = 0;

    for (int64_t k = 0; k < n; k++)
        if (list[k].contradicted) {
            list[met++] = list[k];
            if ((double)((k + 1) * contradicted) <= SUSPECT_RUNS * (double)(met * n))
                suspects = met;
        }
    return suspects;
}

/* Known labels that the others contradict. */
static gnd_status note_suspects(const gnd_diagnosis *d, const gnd_diagnose_input *in,
                                gnd_error *err)
{
    const gnd_labelled *s = in->labelled;
    const gnd_mixture *m = in->mixture;
    held_label *list = gnd_alloc(m->n_held_out, sizeof *list);
    int64_t n = 0;
    gnd_status st = GND_OK;
    char id[32];

    if (!list)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)s->n));
    n = find_suspects(list, m->n_held_out, list_held_out(list, m, s));
    for (int64_t k = 0; k < n && k < SUSPECTS_LISTED; k++) {
        const int64_t i = list[k].label;
        const int64_t vertex = gnd_prepared_vertex(in->prepared, s->point[i]);

        GND_TRY(gnd_notes_add(d->to, GND_WARNING, "suspect_label", err,
                              "vertex %s is labelled '%s', but the other labels predict '%s'; "
                              "check this label",
                              gnd_graph_id(d->graph, vertex, id), name_of(d, s->cls[i]),
                              name_of(d, gnd_argmax(m->held_prob + i * s->n_class, s->n_class))));
    }
    if (n > SUSPECTS_LISTED)
        GND_TRY(gnd_notes_add(d->to, GND_WARNING, "more_suspect_labels", err,
                              "and %lld more labels look wrong; correct those above first",
                              (long long)(n - SUSPECTS_LISTED)));
out:
    gnd_free(list);
    return st;
}

/* ---- classes ---- */

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

static gnd_status note_support(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err)
{
    const int64_t C = in->labelled->n_class;
    const gnd_row_range own = gnd_part_own(in->prepared->at.part, in->prepared->n);
    int64_t *count = gnd_alloc(2 * C, sizeof *count); /* [C] unlabelled vertices, [C] labels */
    int64_t compared = 0;
    gnd_status st = GND_OK;

    if (!count)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)C));
    for (int64_t k = 0; k < in->labelled->n; k++)
        count[C + in->labelled->cls[k]]++;
    for (int64_t i = own.begin; i < own.end; i++)
        if (!in->excluded[i]) {
            count[gnd_argmax(in->prob + i * C, C)]++;
            compared++;
        }
    gnd_part_counts(in->prepared->at.part, count, C);
    gnd_part_counts(in->prepared->at.part, &compared, 1);
    for (int64_t c = 0; c < C; c++)
        if (count[C + c] == 0 || (double)count[c] < SUPPORT_SHARE * (double)compared / (double)C)
            GND_TRY(note_class(d, c, count[C + c], count[c], err));
out:
    gnd_free(count);
    return st;
}

gnd_status gnd_diagnose(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (!d->to)
        return GND_OK;
    GND_TRY(note_chance(d, in, err));
    GND_TRY(note_deciding(d, in->mixture, err));
    GND_TRY(note_suspects(d, in, err));
    GND_TRY(note_support(d, in, err));
out:
    return st;
}

gnd_status gnd_diagnose_calibration(const gnd_estimate *e, const gnd_label_input *in,
                                    gnd_error *err)
{
    const gnd_held_out *h = &e->held_out;
    double expected = 0;
    int64_t right = 0;

    for (int64_t i = 0; i < h->n; i++) {
        right += h->right[i];
        expected += (double)h->confidence[i];
    }
    if (e->calibrated)
        return gnd_notes_add(e->notes, GND_NOTE, "calibrated", err,
                             "calibrated: yes, %lld of %lld held-out labels were predicted right, "
                             "%.0f expected",
                             (long long)right, (long long)h->n, expected);
    if (h->n < in->n_labelled || in->n_labelled < CALIBRATE_LABELS_MIN * in->n_class)
        return gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_few_labels", err,
                             "calibrated: no, probabilities are a rule of thumb; they can be "
                             "checked from %d labels per class on, at least two of every class",
                             CALIBRATE_LABELS_MIN);
    if (in->settings->calibration)
        return gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_labels", err,
                             "calibrated: no, %lld of %lld held-out labels were predicted right, "
                             "%.0f expected",
                             (long long)right, (long long)h->n, expected);
    return gnd_notes_add(e->notes, GND_NOTE, "not_calibrated_method", err,
                         "calibrated: no, auto with these settings does not check its "
                         "probabilities against held-out labels; they may be too high");
}

/* ---- known class shares ---- */

gnd_status gnd_diagnose_prior(const gnd_diagnosis *d, const double *share, const gnd_real *prior,
                              int64_t n_class, gnd_error *err)
{
    int64_t worst = 0;

    for (int64_t c = 1; c < n_class; c++)
        if (fabs(share[c] - (double)prior[c]) > fabs(share[worst] - (double)prior[worst]))
            worst = c;
    if (!d->to || fabs(share[worst] - (double)prior[worst]) <= PRIOR_APART)
        return GND_OK;
    return gnd_notes_add(d->to, GND_WARNING, "prior_not_met", err,
                         "class '%s' has a share of %.1f %% by known labels and probabilities, not "
                         "the %.1f %% of the known shares: labels and links leave no more room; "
                         "check the shares and the labels",
                         name_of(d, worst), 100 * share[worst], 100 * (double)prior[worst]);
}
