/* SPDX-License-Identifier: MIT
 * wvgn.h - the parts of wvGN, for the tests. */
#ifndef GND_MODEL_METHODS_WVGN_H
#define GND_MODEL_METHODS_WVGN_H

#include "linalg/series.h"
#include "model/model.h"

/* in->own of this method. */
typedef struct {
    gnd_series series; /* sum_{i>=1} t^i / i! x^i */
    gnd_real *root;    /* [n] 1 / l_j: the square root of the degree; 1 for degree 0 */
} gnd_wvgn;

enum { GND_WVGN_W, GND_WVGN_B, GND_WVGN_SLOPE, GND_WVGN_OFFSET }; /* its parameters */

/* The vectors x_v of the listed vertices: [n_rows, n]. */
gnd_status gnd_wvgn_rows(gnd_real *x, const gnd_inputs *in, const int32_t *rows, int64_t n_rows,
                         gnd_pool *pool, gnd_error *err);
/* w . x_v + b of the vertices v that the tape requests, before calibration. */
gnd_var gnd_wvgn_decision(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);

/* 1/n sum_i c_i max(0, 1 - y_i m_i)^2 for margins m, labels y of -1 and 1; slope [n]: the
 * derivatives with respect to m. */
double gnd_wvgn_loss(double *slope, const double *m, const double *y, const double *c, int64_t n);
/* c_i = #negative / #positive where y_i is positive, else 1. */
void gnd_wvgn_costs(double *c, const double *y, int64_t n);

#endif
