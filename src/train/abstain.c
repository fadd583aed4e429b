/* SPDX-License-Identifier: MIT
 * abstain.c - which predictions to keep if only a share `risk` of them may be wrong: those above a
 * confidence that held-out labels justify, or that the probabilities themselves do.
 *
 *     held-out labels by falling confidence, the first k of which `wrong` are wrong:
 *     keep as many as possible with (wrong + 1) / (k + 1) <= risk
 *
 * The added 1 stands for the label that is to be predicted: this is the Benjamini-Hochberg rule on
 * conformal p-values, which bounds the expected share of wrong labels (Jin and Candes, JMLR 24,
 * 2023, arXiv:2210.01408). At least 1 / risk - 1 labels are needed. The bound must also hold with
 * labels weighted by the size of their class, since labels are often as many of each class while
 * vertices are not. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "predict.h"

typedef struct {
    float confidence, weight;
    unsigned char right;
} held_label;

static const double ROUNDING = 1e-9;

static int by_confidence(const void *a, const void *b)
{
    const held_label *x = a, *y = b;

    return (x->confidence < y->confidence) - (x->confidence > y->confidence);
}

/* Vertices with confidence below `least` become unknown; labels that were given stay. Returns how
 * many became unknown. */
static int64_t keep_from(gnd_prediction *p, float least)
{
    int64_t became = 0;

    for (int64_t i = 0; i < p->n; i++)
        if (p->label[i] >= 0 && !p->given[i] && p->prob[i * p->n_class + p->top[i]] < least) {
            p->label[i] = -1;
            became++;
        }
    return became;
}

static gnd_status risk_check(double risk, gnd_error *err)
{
    gnd_error_clear(err);
    if (!(risk >= 0 && risk <= 1))
        return gnd_fail(err, GND_ERR_ARG, "the risk is %g; expected 0 to 1", risk);
    return GND_OK;
}

/* Labels that must be held out for this risk. */
static double labels_needed(double risk)
{
    return risk > 0 ? ceil(1 / risk - 1 - ROUNDING) : INFINITY;
}

/* The least confidence that held-out labels justify; 2: none. */
static gnd_status least_by_held_out(float *least, const gnd_held_out *h, double risk,
                                    gnd_error *err)
{
    held_label *list = gnd_alloc(h->n, sizeof *list);
    double wrong = 0, size = 0, wrong_size = 0; /* of the first k, and the same weighted */

    *least = 2;
    if (!list)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)h->n);
    for (int64_t i = 0; i < h->n; i++)
        list[i] = (held_label){h->confidence[i], h->weight ? h->weight[i] : 1, h->right[i]};
    qsort(list, (size_t)h->n, sizeof *list, by_confidence);
    for (int64_t k = 0; k < h->n; k++) {
        const bool last = k + 1 == h->n || list[k + 1].confidence < list[k].confidence;

        wrong += !list[k].right;
        wrong_size += list[k].right ? 0 : (double)list[k].weight;
        size += (double)list[k].weight;
        if (last && /* equal ones stand or fall together */
            wrong + 1 <= risk * (double)(k + 2) + ROUNDING &&
            wrong_size + 1 <= risk * (size + 1) + ROUNDING)
            *least = list[k].confidence;
    }
    if (*least < 2 && *least <= list[h->n - 1].confidence)
        *least = 0; /* all held-out labels are kept: so are less certain vertices */
    gnd_free(list);
    return GND_OK;
}

/* Several processes would have to choose together. */
static gnd_status whole_check(const gnd_prediction *p, gnd_error *err)
{
    if (!p->part)
        return GND_OK;
    return gnd_fail(err, GND_ERR_ARG,
                    "labels are left empty by risk in one process only; start gnd without mpirun");
}

gnd_status gnd_prediction_abstain(gnd_prediction *p, double risk, int64_t *n_unknown,
                                  gnd_error *err)
{
    const double needed = labels_needed(risk);
    int64_t became;
    float least = 2;
    gnd_status st;

    GND_TRY(risk_check(risk, err));
    GND_TRY(whole_check(p, err));
    if (risk >= 1)
        least = 0;
    else if ((double)p->held_out.n >= needed)
        GND_TRY(least_by_held_out(&least, &p->held_out, risk, err));
    if (least >= 2 && risk > 0 && (double)p->held_out.n < needed)
        GND_TRY(gnd_notes_add(&p->notes, GND_WARNING, "abstain_few_labels", err,
                              "only known labels are kept: a risk of %g needs %.0f labels that can "
                              "be held out, and there are %lld; label more vertices, at least two "
                              "of each class (gnd suggest)%s",
                              risk, needed, (long long)p->held_out.n,
                              p->held_out.n > 0 ? "" : "; only method auto holds out labels"));
    else if (least >= 2)
        GND_TRY(gnd_notes_add(&p->notes, GND_WARNING, "abstain_none", err,
                              "only known labels are kept: the held-out labels show no confidence "
                              "above which at most %g of the labels are wrong",
                              risk));
    became = keep_from(p, least); /* last: a call that fails changes nothing */
    if (n_unknown)
        *n_unknown = became;
out:
    return st;
}

gnd_status gnd_prediction_abstain_unchecked(gnd_prediction *p, double risk, int64_t *n_unknown,
                                            gnd_error *err)
{
    held_label *list = gnd_alloc(p->n, sizeof *list);
    float least = 1;
    double wrong = 0;
    int64_t n = 0, became;
    gnd_status st;

    GND_TRY(risk_check(risk, err));
    GND_TRY(whole_check(p, err));
    if (!list)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)p->n));
    for (int64_t i = 0; i < p->n; i++) {
        const float top = p->prob[i * p->n_class + p->top[i]];

        if (p->label[i] >= 0 && top < 1) /* certain labels do not permit more risk for others */
            list[n++] = (held_label){.confidence = top};
    }
    qsort(list, (size_t)n, sizeof *list, by_confidence);
    /* The largest set of the most confident vertices with an expected error rate of at most `risk`.
     * Vertices of equal confidence are either all in it or all out. */
    for (int64_t k = 0; k < n; k++) {
        wrong += 1 - (double)list[k].confidence;
        if (wrong <= risk * (double)(k + 1) &&
            (k + 1 == n || list[k + 1].confidence < list[k].confidence))
            least = list[k].confidence;
    }
    became = keep_from(p, least);
    if (n_unknown)
        *n_unknown = became;
out:
    gnd_free(list);
    return st;
}
