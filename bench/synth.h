/* SPDX-License-Identifier: MIT
 * synth.h - large graphs for measuring: a power law of degrees, 70 % of the links inside
 * communities of 100 to 400, ids shuffled, every vertex linked to itself, symmetric. */
#ifndef GND_BENCH_SYNTH_H
#define GND_BENCH_SYNTH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t n, nnz;
    int64_t *ptr; /* [n + 1] */
    int32_t *col; /* [nnz] ascending in each row */
} synth_graph;

/* Some nnz entries; those drawn twice count once, so there are a few fewer. The same graph for the
 * same arguments everywhere. False if memory is short. */
bool synth_make(synth_graph *out, int64_t n, int64_t nnz, uint64_t seed);
void synth_fini(synth_graph *g);

#endif
