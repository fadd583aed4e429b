/* SPDX-License-Identifier: MIT
 * metric.h - logits against labels. */
#ifndef GND_TRAIN_METRIC_H
#define GND_TRAIN_METRIC_H

#include "graph/graph.h"
#include "graph/split.h"
#include "kern/argmax.h"

/* Mean cross-entropy and accuracy of logits on rows. logits: [n, C], or just these rows in this
 * order if packed. score_unlabelled: as the authors, a vertex without label adds 0 to the loss and
 * is right if predicted 0; else it is left out. NAN if none is left. */
void gnd_score(double *loss, double *acc, const gnd_real *logits, int32_t n_class,
               const int32_t *label, const int32_t *rows, int64_t n_rows, bool packed,
               bool score_unlabelled);
/* Macro-F1 of the same on the rows that have a label; NAN if none has. */
gnd_status gnd_score_f1(double *f1, const gnd_real *logits, int32_t n_class, const int32_t *label,
                        const int32_t *rows, int64_t n_rows, bool packed, gnd_error *err);
/* Of the same rows: expected calibration error (gnd_metrics_ece), and the accuracy of the surer
 * half, rounded up, by the probability of the most probable class, ties by vertex. */
gnd_status gnd_score_trust(double *ece, double *half, const gnd_real *logits, int32_t n_class,
                           const int32_t *label, const int32_t *rows, int64_t n_rows, bool packed,
                           gnd_error *err);

#endif
