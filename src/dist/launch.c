/* SPDX-License-Identifier: MIT
 * launch.c - the variables that mpirun and srun set in the environment of the processes that they
 * start. A program may not call MPI_Init when it is not one of them: some MPI libraries end it. */
#include "launch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "gnd.h"

/* Open MPI, MPICH and Intel MPI, MVAPICH, and a step of Slurm. */
static const struct {
    const char *size, *rank;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_SIZE", "PMI_RANK"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};
enum { N_LAUNCHER = sizeof launchers / sizeof launchers[0] };

static bool number_get(int64_t *out, const char *variable)
{
    const char *text = getenv(variable);

    return text && gnd_parse_int(out, text, strlen(text)) && *out >= 0 && *out <= INT32_MAX;
}

int32_t gnd_launch_size(void)
{
    int64_t size, rank;

    for (int i = 0; i < N_LAUNCHER; i++)
        if (number_get(&size, launchers[i].size) && number_get(&rank, launchers[i].rank) &&
            rank < size)
            return (int32_t)size;
    return 1;
}

int32_t gnd_launch_rank(void)
{
    int64_t size, rank;

    for (int i = 0; i < N_LAUNCHER; i++)
        if (number_get(&size, launchers[i].size) && number_get(&rank, launchers[i].rank) &&
            rank < size)
            return (int32_t)rank;
    return 0;
}

int32_t gnd_cluster_launched(void)
{
    return gnd_launch_size();
}
