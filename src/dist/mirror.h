/* SPDX-License-Identifier: MIT
 * mirror.h - the undirected graph of arcs that several processes hold. */
#ifndef GND_DIST_MIRROR_H
#define GND_DIST_MIRROR_H

#include "exchange.h"
#include "kern/csr.h"

/* Entries of rows of the whole matrix; all zero is valid and empty. */
typedef struct {
    int64_t n;
    int32_t *row, *col; /* [n] numbers of the whole graph */
    gnd_real *val;      /* [n]; NULL: all are 1 */
} gnd_arcs;

/* The own arcs and the reverse of all arcs that lead to own vertices, without loops: an arc occurs
 * twice if its reverse is stored. own: [n_own, n] own rows of the stored matrix. */
gnd_status gnd_mirror(gnd_arcs *out, const gnd_csr *own, const gnd_owners *o, gnd_error *err);
void gnd_arcs_fini(gnd_arcs *a);

#endif
