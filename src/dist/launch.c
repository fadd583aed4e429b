/* SPDX-License-Identifier: MIT
 * launch.c - the variables that mpirun and srun set in the environment of the processes that they
 * start. A program may not call MPI_Init when it is not one of them: some MPI libraries end it.
 * With GND_PROCESSES=1 each process works on its own. */
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

/* Does the user want each process to work on its own? */
static bool is_apart(void)
{
    const char *text = getenv("GND_PROCESSES");

    return text && strcmp(text, "1") == 0;
}

/* Both numbers; false: this process was started alone. */
static bool launch_find(int64_t *size, int64_t *rank)
{
    for (int i = 0; i < N_LAUNCHER && !is_apart(); i++)
        if (number_get(size, launchers[i].size) && number_get(rank, launchers[i].rank) &&
            *rank < *size)
            return true;
    return false;
}

int32_t gnd_launch_size(void)
{
    int64_t size, rank;

    return launch_find(&size, &rank) ? (int32_t)size : 1;
}

int32_t gnd_launch_rank(void)
{
    int64_t size, rank;

    return launch_find(&size, &rank) ? (int32_t)rank : 0;
}

int32_t gnd_cluster_launched(void)
{
    return gnd_launch_size();
}
