/* SPDX-License-Identifier: MIT
 * sample_run.h - memory and time of a training run, measured for a few epochs on a small graph, or
 * on generated graphs of the shape of a large one and extrapolated to its size. */
#ifndef GND_CLI_SAMPLE_RUN_H
#define GND_CLI_SAMPLE_RUN_H

#include "args.h"
#include "gnd.h"

/* What training sees of a graph. */
typedef struct {
    int64_t n_node, n_edge, n_feat, n_feat_entry;
    int32_t n_class;
    int64_t peak; /* bytes while it was read and converted */
} graph_sizes;

typedef struct {
    int64_t bytes;      /* at the peak of a whole command */
    double cpu_seconds; /* of `epochs` epochs, or of the whole method without epochs */
    int64_t epochs;     /* 0: the method has none */
    int64_t n_edge;     /* of the largest graph that was measured */
    bool whole;         /* it is as large as the user's graph */
} run_estimate;

/* Read the data in another process, and measure it. 0, or the exit code after a message. */
int sizes_measure(graph_sizes *out, const cli_args *a);
/* Train a's method on generated graphs, in processes of their own. a: after train_defaults. memory:
 * as --memory of `gnd train`; NULL: the default. */
int run_measure(run_estimate *out, const cli_args *a, const graph_sizes *s, const char *method,
                const char *memory);

#endif
