/* SPDX-License-Identifier: MIT
 * points.h - vertices as points on the unit sphere. */
#ifndef GND_LINALG_POINTS_H
#define GND_LINALG_POINTS_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "kern/numbers.h"

/* n points on the unit sphere; a vertex without information is at 0. Zero is valid and empty. */
typedef struct {
    int64_t n, r;
    gnd_real *z;     /* [n, r], by falling variance */
    double *value;   /* [r] sums of squares of the coordinates before rows were normalised */
    double spread;   /* effective number of directions they fill: 1 on a line, r if all evenly; of
                        shaped points (gnd_points_shape) */
    gnd_numbers at;  /* of the vertices */
    int32_t *sample; /* [n_sample] of gnd_points_sample, for fits to some points; NULL: not made */
    int64_t n_sample;
} gnd_points;

enum { GND_POINTS_MAX = 1024 }; /* coordinates at most */

/* Room for n points with r coordinates; z is not set, values are 0. */
gnd_status gnd_points_init(gnd_points *p, int64_t n, int64_t r, gnd_error *err);
void gnd_points_fini(gnd_points *p);
/* Normalise the rows of z: [n, r]; norm: [n] their norms, or NULL. A row of nearly 0 becomes 0. */
void gnd_unit_rows(gnd_real *z, int64_t n, int64_t r, double *norm, gnd_pool *pool);
/* Is point i at 0? */
static inline bool gnd_points_is_zero(const gnd_points *p, int64_t i)
{
    int64_t k = 0;

    while (k < p->r && p->z[i * p->r + k] == 0)
        k++;
    return k == p->r;
}
/* Points other than 0, or, if there are more than `most`, one drawn from each of `most` equal parts
 * of them. *list: [*m] their numbers, ascending; the caller frees it. */
gnd_status gnd_points_sample(int32_t **list, int64_t *m, const gnd_points *p, int64_t most,
                             gnd_error *err);
/* The first r coordinates (all, if there are no more), column k times value[k]^((power - 1) / 2):
 * power 1 keeps them, a power below 1 scales small directions up. Rows are normalised again. */
gnd_status gnd_points_shape(gnd_points *out, const gnd_points *p, int64_t r, double power,
                            gnd_pool *pool, gnd_error *err);

/* Share of the first c coordinates in the variance of the first r, 0..1. */
double gnd_points_leading_share(const gnd_points *p, int64_t c, int64_t r);
/* The points with the numbers in list: [m], ascending. All processes get all of them. */
gnd_status gnd_points_subset(gnd_points *out, const gnd_points *p, const int32_t *list, int64_t m,
                             gnd_error *err);

#endif
