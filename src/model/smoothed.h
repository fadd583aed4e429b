/* SPDX-License-Identifier: MIT
 * smoothed.h - features smoothed once: S X, S^2 X, .. for methods that have no operator in a pass.
 *
 * A power is kept sparse while at most a quarter of its entries is filled, else dense. Where
 * neither fits a limit (no features, so that each vertex is one; or very many), it is not kept, and
 * a pass applies S to X W as often as needed: slower, but it needs no memory to speak of. */
#ifndef GND_MODEL_SMOOTHED_H
#define GND_MODEL_SMOOTHED_H

#include "model.h"

/* Words of memory all powers together may take: 512 MB in single precision. */
#define GND_SMOOTHED_LIMIT (INT64_C(1) << 27)

/* One S^k X, [n, d]: sparse, or dense where that is not NULL. */
typedef struct {
    gnd_csr sp;
    gnd_real *dense;
} gnd_smoothed_power;

typedef struct {
    int64_t first, last;     /* powers kept: S^first X .. S^last X; none if first > last */
    gnd_smoothed_power *hop; /* [last - first + 1] */
} gnd_smoothed;

/* S^first X .. S^last X of in->x and in->op.a (first >= 1) into in->own, as many as `limit` words
 * hold. The result does not depend on the pool. */
gnd_status gnd_smoothed_prepare(gnd_inputs *in, int64_t first, int64_t last, int64_t limit,
                                gnd_pool *pool, gnd_error *err);
/* Frees in->own. */
void gnd_smoothed_release(gnd_inputs *in);
/* The rows of S^k X w that the pass is asked for;  w: [d, f] */
gnd_var gnd_smoothed_times(gnd_tape *t, const gnd_inputs *in, int64_t k, gnd_var w);

#endif
