/* SPDX-License-Identifier: MIT
 * numeric_features.h - features that are amounts, made comparable. */
#ifndef GND_LABEL_NUMERIC_FEATURES_H
#define GND_LABEL_NUMERIC_FEATURES_H

#include "base/parallel.h"
#include "base/status.h"
#include "kern/csr.h"

/* Words are there or not; measures (ages, lengths, coordinates of an embedding) have a middle and a
 * unit of their own, and neither says anything of classes. A feature is a measure if most vertices
 * have it and not all as much; where most entries of the matrix are there, every feature is. A
 * measure becomes the score of its rank, mean 0, and as large as the usual word is; fewer measures
 * than `few` are joined by how far each is from the middle, as directions alone would not tell the
 * middle from an end.
 *
 * xt: [d, n] features by vertices. out: [d + more, n], the same with scores; left empty where there
 * are no measures; NULL: only say which are. is: [2 d] 1 for rows of out that are scores. A vertex
 * without any entry has no scores either. */
gnd_status gnd_numeric_by_rank(gnd_csr *out, unsigned char *numeric, const gnd_csr *xt, int64_t few,
                               gnd_pool *pool, gnd_error *err);

#endif
