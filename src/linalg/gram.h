/* SPDX-License-Identifier: MIT
 * gram.h - products y^T y over the vertices of a graph, and orthonormal columns. */
#ifndef GND_LINALG_GRAM_H
#define GND_LINALG_GRAM_H

#include "base/parallel.h"
#include "kern/kern.h"

typedef struct {
    const gnd_kern *kern;
    gnd_pool *pool;
    gnd_part *part;
    gnd_row_range own; /* vertices of this process */
    int64_t n, p;      /* vertices here, columns */
} gnd_gram_of;

/* gram: [p, p] = y^T y over the rows of all processes, in blocks that do not depend on their
 * number. y: [n, p], whose first n_feature rows are features, which every process has; then
 * vertices. */
gnd_status gnd_gram(double *gram, const gnd_real *y, int64_t n_feature, int64_t n,
                    const gnd_gram_of *s, gnd_error *err);
/* Make the columns of v: [n, p] orthonormal: v <- v L^-T with v^T v = L L^T. Dependent columns
 * become 0. gram: [p, p] receives L. */
gnd_status gnd_orthonormalise(gnd_real *v, double *gram, int64_t n_feature, int64_t n,
                              const gnd_gram_of *s, gnd_error *err);

#endif
