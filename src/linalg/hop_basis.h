/* SPDX-License-Identifier: MIT
 * hop_basis.h - K hops of the same cells as sums of fewer.
 *
 *     P_k = sum_r c[k,r] B_r  within rounding
 *
 * Powers of an operator become alike: on the data sets of the papers 20 hops have a numerical rank
 * of 14 to 16. With P_k / |P_k| as columns, c are |P_k| times eigenvectors of their Gram matrix,
 * and B the columns times these. |B_r| falls with r: the small ones are left out, others stored as
 * halves (hop_basis.c has the limits). Sums of hops, with any weights alpha_k, then differ by less
 * than 1e-6 of sum_k |alpha_k| |P_k|, as those of other plans do. */
#ifndef GND_LINALG_HOP_BASIS_H
#define GND_LINALG_HOP_BASIS_H

#include "base/parallel.h"
#include "kern/hop_tiles.h"

/* Replaces B of tiles whose hops are all written; s is as it was if that saves little, in double
 * precision, and after an error. The number of threads does not change the result. */
gnd_status gnd_hop_basis_find(gnd_hop_tiles *s, gnd_pool *pool, gnd_error *err);

#endif
