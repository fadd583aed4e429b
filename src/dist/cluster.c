/* SPDX-License-Identifier: MIT
 * cluster.c - connect with the processes that mpirun started, and end with all of them.
 *
 * All processes make the same calls. One that fails leaves a call early, and the others wait for it
 * in a sum or an exchange: it finds that out by comparing exit codes on a communicator of their
 * own, waits a moment, and ends the job. Without a failure nothing is waited for. */
#define _POSIX_C_SOURCE 200809L
#include <petscsys.h>
#include <time.h>

#include "base/alloc.h"
#include "base/status.h"
#include "launch.h"

/* How long a process that failed waits for the others to end too, in ms. */
enum { PATIENCE = 2000, PAUSE = 2 };

static bool is_connected(void)
{
    int begun = 0, ended = 0;

    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun && !ended;
}

gnd_status gnd_cluster_start(gnd_error *err)
{
    /* No file of options of the current folder, no output at the end, signals stay as they are. */
    char name[] = "gnd",
         *words[] = {name, "-skip_petscrc", "-no_signal_handler", "-options_left", "no", NULL};
    char **argv = words;
    int argc = 5;

    gnd_error_clear(err);
    if (gnd_launch_size() == 1 || is_connected())
        return GND_OK;
    if (PetscInitialize(&argc, &argv, NULL, NULL))
        return gnd_fail(err, GND_ERR_ARG, "PETSc does not start");
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    if (gnd_cluster_size() != gnd_launch_size())
        return gnd_fail(
            err, GND_ERR_ARG,
            "%d processes were started, but MPI connects %d: start them with the mpirun "
            "of the MPI that gnd was built with, or with srun --mpi=pmix",
            gnd_launch_size(), gnd_cluster_size());
    return GND_OK;
}

int32_t gnd_cluster_size(void)
{
    int size = 1;

    if (is_connected())
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int32_t gnd_cluster_rank(void)
{
    int rank = gnd_launch_rank();

    if (is_connected())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/* Has the request been answered after at most PATIENCE (below 0: any time)? */
static bool is_answered(MPI_Request *request, int patience)
{
    const struct timespec pause = {0, PAUSE * 1000000};
    int done = 0;

    for (int waited = 0;; waited += PAUSE) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done || (patience >= 0 && waited >= patience))
            return done;
        nanosleep(&pause, NULL);
    }
}

gnd_cluster_end_kind gnd_cluster_agree(int32_t *code, int32_t *first)
{
    const int32_t rank = gnd_cluster_rank();
    int *v; /* mine, and the largest of all */
    MPI_Request request;

    *first = *code != 0 ? rank : -1;
    if (!is_connected())
        return GND_CLUSTER_AGREED;
    v = gnd_alloc(4, sizeof *v);
    if (!v)
        return GND_CLUSTER_ALONE;
    /* The largest code, and the lowest number of a process that failed as the largest of -number.
     */
    v[0] = *code;
    v[1] = *code != 0 ? -rank : INT32_MIN;
    /* Everything else is sent on copies of this communicator. */
    MPI_Iallreduce(v, v + 2, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    if (!is_answered(&request, *code != 0 ? PATIENCE : -1))
        return GND_CLUSTER_ALONE; /* the request stays open, so v is not freed */
    *code = v[2];
    *first = v[3] == INT32_MIN ? -1 : -v[3];
    gnd_free(v);
    return GND_CLUSTER_AGREED;
}

void gnd_cluster_end(gnd_cluster_end_kind kind, int32_t code)
{
    if (!is_connected())
        return;
    if (kind == GND_CLUSTER_ALONE)
        MPI_Abort(MPI_COMM_WORLD, code);
    PetscFinalize();
}
