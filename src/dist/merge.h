/* SPDX-License-Identifier: MIT
 * merge.h - rows of text that processes have, written by process 0 in the order of their numbers.
 */
#ifndef GND_DIST_MERGE_H
#define GND_DIST_MERGE_H

#include <mpi.h>

#include "kern/part.h"

/* All processes call it; f: of process 0. False if memory is short. A failed write is the caller's
 * to find. */
bool gnd_merge_text(MPI_Comm comm, FILE *f, const gnd_text_source *source);

#endif
