/* SPDX-License-Identifier: MIT
 * peer.h - other people's kernels, each in its fastest form and on one thread. What was not found
 * when the build was configured is said to be missing. */
#ifndef GND_BENCH_PEER_H
#define GND_BENCH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "synth.h"

/* SuiteSparse:GraphBLAS: C += A B, C and B full, by rows. A has values, or is a pattern (then the
 * semiring is plus_second, which looks at none). */
typedef struct peer_spmm peer_spmm;

bool peer_has_graphblas(void);
/* val NULL: a pattern. x: [n, f]. NULL if it is missing or memory is short. */
peer_spmm *peer_spmm_new(const synth_graph *g, const float *val, const float *x, int64_t f);
/* One product, added to what there is. */
bool peer_spmm_run(peer_spmm *p);
/* What there is, into y: [n, f]. */
bool peer_spmm_result(peer_spmm *p, float *y);
void peer_spmm_free(peer_spmm *p);

/* OpenBLAS: y = x w;  x: [n, k], w: [k, f]. And w = x^T y. */
bool peer_has_blas(void);
void peer_gemm(float *y, const float *x, const float *w, int64_t n, int64_t k, int64_t f);
void peer_gemm_t(float *w, const float *x, const float *y, int64_t n, int64_t k, int64_t f);

#endif
