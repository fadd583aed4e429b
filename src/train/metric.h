/* SPDX-License-Identifier: MIT
 * metric.h - loss, accuracy, macro-F1 and calibration of logits on labelled vertices. */
#ifndef GND_TRAIN_METRIC_H
#define GND_TRAIN_METRIC_H

#include "graph/graph.h"
#include "graph/split.h"
#include "kern/argmax.h"

/* Sums over vertices in bins of equal width of their confidence. Zero is valid and empty. */
enum { GND_CALIBRATION_BINS = 15 };
typedef struct {
    int64_t n;
    struct {
        int64_t n, right;
        double conf;
    } bin[GND_CALIBRATION_BINS];
} gnd_calibration;

/* Count a vertex with the probability conf of its class, which is right or wrong. */
void gnd_calibration_add(gnd_calibration *c, double conf, bool right);
/* Expected calibration error; NAN if no vertex was counted. */
double gnd_calibration_error(const gnd_calibration *c);
/* Of the vertices that gnd_metrics_new compared. */
const gnd_calibration *gnd_metrics_calibration(const gnd_metrics *m);

/* The vertices to score, their logits and the labels to compare with. */
typedef struct {
    const gnd_real *logits; /* [n, n_class] of all vertices; packed: [n_rows, n_class] of `rows` */
    int32_t n_class;
    bool packed;
    const int32_t *label; /* [n] of all vertices; -1: none */
    const int32_t *rows;  /* [n_rows] */
    int64_t n_rows;
    gnd_part *part; /* the rows of all its processes are scored; NULL: these */
} gnd_scored;

/* Mean cross-entropy and accuracy. score_unlabelled: as in the authors' code, a vertex without a
 * label adds 0 to the loss and counts as correct if class 0 is predicted; otherwise it is skipped.
 * NAN if no vertex remains. */
void gnd_score(double *loss, double *acc, const gnd_scored *s, bool score_unlabelled);
/* The accuracy as counts, which are added: correct rows, and rows. */
void gnd_score_right(int64_t *right, int64_t *n, const gnd_scored *s, bool score_unlabelled);
/* Macro-F1 on the rows that have a label; NAN if none has. */
gnd_status gnd_score_f1(double *f1, const gnd_scored *s, gnd_error *err);
/* Expected calibration error (as gnd_metrics_ece) and top-50 % confidence accuracy on the rows that
 * have a label; NAN if none has. Half of an odd number is rounded up; among vertices of equal
 * confidence those with the smaller number come first. */
gnd_status gnd_score_calibration(double *ece, double *acc_half, const gnd_scored *s,
                                 gnd_error *err);

#endif
