/* SPDX-License-Identifier: MIT
 * none.c - the calls for several processes in a library without PETSc. */
#include "base/status.h"
#include "launch.h"

gnd_status gnd_cluster_start(gnd_error *err)
{
    gnd_error_clear(err);
    if (gnd_launch_size() == 1)
        return GND_OK;
    return gnd_fail(err, GND_ERR_ARG,
                    "%d processes were started, and this gnd was built without PETSc: each would "
                    "do all the work. Build it with cmake -DGND_PETSC=ON (docs/cluster.md), start "
                    "it without mpirun, or set GND_PROCESSES=1 if each has work of its own",
                    gnd_launch_size());
}

int32_t gnd_cluster_size(void)
{
    return 1;
}

int32_t gnd_cluster_rank(void)
{
    return gnd_launch_rank();
}

gnd_status gnd_cluster_load(gnd_graph **out, gnd_split **split, const char *name_or_path,
                            const gnd_cluster_load_opts *o, gnd_error *err)
{
    (void)o;
    gnd_error_clear(err);
    *out = NULL;
    *split = NULL;
    if (gnd_require(name_or_path, "the name of the graph", err) != GND_OK)
        return GND_ERR_ARG;
    return gnd_fail(err, GND_ERR_ARG, "this gnd was built without PETSc (docs/cluster.md)");
}

gnd_cluster_end_kind gnd_cluster_agree(int32_t *code, int32_t *first)
{
    *first = *code != 0 ? gnd_launch_rank() : -1;
    return GND_CLUSTER_AGREED;
}

void gnd_cluster_end(gnd_cluster_end_kind kind, int32_t code)
{
    (void)kind, (void)code;
}
