/* SPDX-License-Identifier: MIT
 * smoothed.h - S^k X W for methods whose only operators are powers of S on the features.
 *
 * The powers S^k X are computed once (graph/powers.h). If a power is not kept, its rows of the
 * training and validation vertices are computed once. Other passes multiply X W by S k times:
 * slower, but with little memory. */
#ifndef GND_MODEL_SMOOTHED_H
#define GND_MODEL_SMOOTHED_H

#include "graph/powers.h"
#include "model.h"

/* Store S^first X .. S^last X (first >= 1) in in->own, as many as in->budget allows. S = in->op.a,
 * X = in->x. once: false stores none. */
gnd_status gnd_smoothed_prepare(gnd_inputs *in, int64_t first, int64_t last, bool once,
                                gnd_pool *pool, gnd_error *err);
void gnd_smoothed_release(gnd_inputs *in);
/* Hooks prepare_rows and release_rows. width: columns of w; once: false stores nothing. */
gnd_status gnd_smoothed_prepare_rows(gnd_inputs *in, gnd_row_set_id set, int64_t width, bool once,
                                     gnd_pool *pool, gnd_error *err);
void gnd_smoothed_release_rows(gnd_row_set *h);
/* The requested rows of S^k X w.  w: [d, f] */
gnd_var gnd_smoothed_times(gnd_tape *t, const gnd_inputs *in, int64_t k, gnd_var w);

#endif
