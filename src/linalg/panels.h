/* SPDX-License-Identifier: MIT
 * panels.h - a polynomial of a symmetric operator times many columns, a panel of columns at a
 * time. */
#ifndef GND_LINALG_PANELS_H
#define GND_LINALG_PANELS_H

#include "series.h"

enum { GND_PANEL = 16 }; /* columns of a panel on a large graph: whole cache lines */

/* S: [n, n] or NULL: the identity. b: [n, p]. Same bits for any width, pool and number of
 * processes. */
typedef struct {
    const gnd_csr *S;
    int64_t n, p;
    int64_t width;     /* columns of a panel; divides p */
    gnd_real *room[3]; /* [n, width] */
    const gnd_kern *kern;
    gnd_pool *pool;
} gnd_panels;

/* Allocates the room. */
gnd_status gnd_panels_init(gnd_panels *s, gnd_error *err);
void gnd_panels_fini(gnd_panels *s);

/* b <- s(S) b */
void gnd_panels_apply(const gnd_panels *s, gnd_real *b, const gnd_series *by);

#endif
