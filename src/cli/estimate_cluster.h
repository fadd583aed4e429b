/* SPDX-License-Identifier: MIT
 * estimate_cluster.h - print memory and time of a labelling by several processes. */
#ifndef GND_CLI_ESTIMATE_CLUSTER_H
#define GND_CLI_ESTIMATE_CLUSTER_H

#include "sample_run.h"

/* limit: bytes of a process; 0: any. 0, or the exit code after a message. */
int estimate_cluster(const cli_args *a, const graph_sizes *s, const gnd_config *c, int64_t limit);
/* 1.5 GB or 320 MB. Returns buf. */
const char *size_text(char buf[32], int64_t bytes);

#endif
