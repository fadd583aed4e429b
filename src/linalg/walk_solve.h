/* SPDX-License-Identifier: MIT
 * walk_solve.h - F = (1 - a) (I - a S)^-1 Y with S = D^-1/2 A D^-1/2 on an undirected graph, to a
 * bound of the error of each row. */
#ifndef GND_LINALG_WALK_SOLVE_H
#define GND_LINALG_WALK_SOLVE_H

#include "base/checkpoint.h"
#include "walk.h"

typedef struct {
    double a;              /* 0 <= a < 1 */
    double error;          /* of a value, at most, relative to the largest |value| of its row */
    gnd_checkpoint *saved; /* NULL: none */
    const char *stage;     /* what is computed, for the checkpoint */
} gnd_walk_equation;

/* f: [n, width] of the vertices, in own rows Y on entry, F in all rows on return. *bound, which may
 * be NULL: of the error of all rows relative to their largest |value|; it exceeds e->error only
 * where values are too small for gnd_real, or so far from all others that the iterations do not
 * suffice. It is an estimate: the residual is rounded to gnd_real after each pass, and a row whose
 * values and residual are both too small for gnd_real counts as one that is not reached. A row that
 * Y does not reach is 0. The result has the same bits for any number of threads and processes. */
gnd_status gnd_walk_solve(gnd_real *f, int64_t width, double *bound, const gnd_walk *w,
                          const gnd_walk_equation *e, gnd_pool *pool, gnd_error *err);

#endif
