/* SPDX-License-Identifier: MIT
 * smoothed.h - S^k X W for methods whose only operators are powers of S on the features.
 *
 * The powers are made once (graph/powers.h). A pass applies S to X W as often as needed where a
 * power is not kept: slower, but without memory worth mentioning. */
#ifndef GND_MODEL_SMOOTHED_H
#define GND_MODEL_SMOOTHED_H

#include "graph/powers.h"
#include "model.h"

/* S^first X .. S^last X of in->x and in->op.a (first >= 1) into in->own, as many as the budget of
 * `in` allows for. once: false keeps none. */
gnd_status gnd_smoothed_prepare(gnd_inputs *in, int64_t first, int64_t last, bool once,
                                gnd_pool *pool, gnd_error *err);
/* Frees in->own. */
void gnd_smoothed_release(gnd_inputs *in);
/* The requested rows of S^k X w;  w: [d, f] */
gnd_var gnd_smoothed_times(gnd_tape *t, const gnd_inputs *in, int64_t k, gnd_var w);

#endif
