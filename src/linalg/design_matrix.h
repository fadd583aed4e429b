/* SPDX-License-Identifier: MIT
 * design_matrix.h - the rows of a regression, one per vertex: a product of sparse matrices that is
 * never formed. */
#ifndef GND_LINALG_DESIGN_MATRIX_H
#define GND_LINALG_DESIGN_MATRIX_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "kern/numbers.h"

enum { GND_FACTORS = 3 };

/* Z: [n, d], z_i = (r_i - mean) / length_i, r_i row i of factor[0] factor[1] ...; all is
 * borrowed. Unused factors are NULL. */
typedef struct {
    const gnd_csr *factor[GND_FACTORS], *transposed[GND_FACTORS];
    const gnd_real *mean;   /* [d]; NULL: 0 */
    const gnd_real *length; /* [vertices]; NULL: 1 */
    const int32_t *vertex;  /* [n] whose rows they are; NULL: all vertices in order */
    gnd_numbers at;         /* of the vertices */
    bool by_vertex;         /* columns are vertices */
    /* Rows of the list `vertex` that this process has, if each is in one of several; NULL: every
     * process has all of them. */
    const int32_t *here;
    int64_t n_here;
} gnd_design;

int64_t gnd_design_columns(const gnd_design *z); /* d */
/* Numbers that the scratch of a product with C columns holds. */
int64_t gnd_design_room(const gnd_design *z, int64_t C);

/* y: [n, C] = Z w, w: [d, C]. room: scratch. Same bits for any number of threads. */
void gnd_design_times(gnd_real *y, const gnd_design *z, const gnd_real *w, int64_t C,
                      gnd_real *room, gnd_pool *pool);
/* w: [d, C] = Z^T y, y: [n, C]; needs transposed. */
void gnd_design_times_t(gnd_real *w, const gnd_design *z, const gnd_real *y, int64_t C,
                        gnd_real *room, gnd_pool *pool);

/* mean: [d] of the rows r_i, or NULL: take 0. length: [n] estimates of |r_i - mean|, never 0, by
 * random projections: the mean square of (r_i - mean) . s over vectors s of random signs. z has all
 * rows, and neither mean nor length. */
gnd_status gnd_design_measure(gnd_real *mean, gnd_real *length, const gnd_design *z, gnd_pool *pool,
                              gnd_error *err);

#endif
