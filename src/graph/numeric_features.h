/* SPDX-License-Identifier: MIT
 * numeric_features.h - numeric features, replaced by normal scores of their ranks. */
#ifndef GND_GRAPH_NUMERIC_FEATURES_H
#define GND_GRAPH_NUMERIC_FEATURES_H

#include "base/parallel.h"
#include "base/status.h"
#include "kern/csr.h"
#include "kern/numbers.h"

/* A word is present or not. A numeric feature (age, length, coordinate of an embedding) has an
 * origin and a unit, which say nothing about classes. A feature is numeric if most vertices have it
 * and their values differ; if most entries of the matrix are not 0, every feature is. A numeric
 * feature becomes the normal score of its rank, mean 0, scaled like a typical word. If there are
 * fewer than `few`, their squares are added as features, since directions alone do not separate the
 * middle of a range from its ends.
 *
 * xt: [d, n] features by vertices. out: [d + more, n], the same with scores; left empty where no
 * feature is numeric; NULL: only find which are. numeric: [2 d] 1 for rows of out that are scores.
 * A vertex without any entry gets no scores. at: numbers of the vertices; xt and out have no
 * entries of copies. */
gnd_status gnd_numeric_by_rank(gnd_csr *out, unsigned char *numeric, const gnd_csr *xt, int64_t few,
                               const gnd_numbers *at, gnd_pool *pool, gnd_error *err);

#endif
