/* SPDX-License-Identifier: MIT
 * cluster.c - the command as several processes that mpirun started: they do the same, and the first
 * one prints. A failure of any of them ends all, with one message. */
#include "cluster.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "gnd.h"
#include "say.h"

static bool joined;

/* Print what this process has to say, with its number. */
static void kept_print(void)
{
    char where[64];

    snprintf(where, sizeof where, "process %d of %d", gnd_cluster_rank() + 1, gnd_cluster_size());
    say_kept(where);
}

/* A program that exits in the middle of its work leaves the others waiting. */
static void on_exit_early(void)
{
    if (!joined)
        return;
    joined = false;
    kept_print();
    gnd_cluster_end(GND_CLUSTER_ALONE, EXIT_FAILED);
}

int cluster_join(void)
{
    gnd_error err = {0};

    if (gnd_cluster_launched() == 1)
        return 0;
    signals_job();
    if (gnd_cluster_rank() > 0)
        say_mute();
    if (gnd_cluster_start(&err))
        return say_failed("%s", err.msg);
    joined = true;
    if (atexit(on_exit_early) != 0)
        return say_failed("out of memory");
    if (gnd_cluster_rank() > 0 && !freopen("/dev/null", "w", stdout))
        return say_failed("/dev/null: cannot be written");
    return 0;
}

int cluster_leave(int rc)
{
    gnd_cluster_end_kind kind;
    int32_t code = rc, first;

    if (!joined)
        return rc;
    kind = gnd_cluster_agree(&code, &first);
    joined = false;
    if (kind == GND_CLUSTER_ALONE || first == gnd_cluster_rank())
        kept_print();
    if (code != 0) /* mpirun may end those that are not the first to leave */
        say_mute();
    gnd_cluster_end(kind, code);
    return code;
}
