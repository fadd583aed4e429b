/* SPDX-License-Identifier: MIT
 * agreement.c - counts over a prediction: unknown vertices, and agreement with a graph's labels. */
#include <math.h>
#include <string.h>

#include "predict.h"

int64_t gnd_prediction_n_unknown(const gnd_prediction *p)
{
    const gnd_row_range own = gnd_part_own(p->part, p->n);
    int64_t n = 0;

    for (int64_t i = own.begin; i < own.end; i++)
        n += p->label[i] < 0;
    gnd_part_counts(p->part, &n, 1);
    return n;
}

double gnd_prediction_agreement(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                                int64_t *n)
{
    int64_t right = 0, labelled = 0;

    for (int64_t i = 0; i < gnd_prediction_n(p); i++) {
        const int32_t label = gnd_graph_label(g, i);

        if (label < 0)
            continue;
        labelled++;
        right += strcmp(gnd_graph_class_name(g, label),
                        gnd_model_class_name(m, gnd_prediction_argmax(p, i))) == 0;
    }
    if (n)
        *n = labelled;
    return labelled ? (double)right / (double)labelled : (double)NAN;
}
