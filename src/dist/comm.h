/* SPDX-License-Identifier: MIT
 * comm.h - small exchanges of all processes: errors, lists, names. All of them call the same
 * function. */
#ifndef GND_DIST_COMM_H
#define GND_DIST_COMM_H

#include <mpi.h>

#include "base/str.h"
#include "base/status.h"

/* The error of the first process that has one, in all of them. */
gnd_status gnd_comm_agree(MPI_Comm comm, gnd_status st, gnd_error *err);
/* End all processes. For a failure of one where the others wait for it, so that they cannot agree:
 * mpirun reports it. */
_Noreturn void gnd_comm_abort(MPI_Comm comm);
/* Process 0 gives a list of *n items of `size` bytes to all; *list is allocated in the others and
 * freed by the caller. Also if there is no memory for it, all return. */
gnd_status gnd_comm_give(MPI_Comm comm, void **list, int64_t *n, size_t size, gnd_error *err);
/* The same for a table of names. */
gnd_status gnd_comm_give_names(MPI_Comm comm, gnd_names **names, gnd_error *err);
/* Send n bytes to a process that gets them. */
void gnd_comm_send(MPI_Comm comm, const void *bytes, int64_t n, int to);
void gnd_comm_get(MPI_Comm comm, void *bytes, int64_t n, int from);
/* Process 0 has a list of items of `size` bytes for all vertices; each process gets those of its
 * own, cut[rank] .. cut[rank + 1] - 1, in mine. */
void gnd_comm_deal(MPI_Comm comm, void *mine, const void *all, const int64_t *cut, size_t size);

#endif
