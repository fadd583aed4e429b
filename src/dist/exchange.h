/* SPDX-License-Identifier: MIT
 * exchange.h - the calls of kern/part.h by PETSc's star forest (PetscSF) and MPI. */
#ifndef GND_DIST_EXCHANGE_H
#define GND_DIST_EXCHANGE_H

#include <mpi.h>

#include "kern/part.h"

/* Where the vertices of the whole graph are: process r owns cut[r] .. cut[r + 1] - 1. */
typedef struct {
    MPI_Comm comm; /* the part frees it */
    int32_t rank, size;
    int64_t *cut; /* [size + 1] */
} gnd_owners;

/* Process that owns a vertex. */
int32_t gnd_owner_of(const gnd_owners *o, int64_t vertex);
/* The part of this process. global: [n_local] its own vertices and its copies, ascending; it is
 * moved into the part, and so is what o holds. On failure both stay with the caller. */
gnd_status gnd_part_new(gnd_part **out, gnd_owners *o, int32_t *global, int64_t n_local,
                        gnd_error *err);

#endif
