/* SPDX-License-Identifier: MIT
 * blobs.h - points on the unit sphere around known middles. */
#ifndef GND_TESTS_LINALG_BLOBS_H
#define GND_TESTS_LINALG_BLOBS_H

#include "base/parallel.h"
#include "base/rng.h"
#include "check.h"
#include "linalg/diffused_pca.h"
#include "pools.h"

/* Evenly in [-1, 1). */
static inline double blob_number(uint32_t stream, int64_t i)
{
    return 2 * gnd_rng_uniform(77, stream, (uint64_t)i) - 1;
}

/* n points, point i about the middle of class i % n_class: axis i % n_class with the sign of how
 * often the axes are used up. noise: of each coordinate. */
static inline gnd_points blobs_new(int64_t n, int64_t r, int64_t n_class, double noise)
{
    gnd_points p = {.n = n, .r = r};

    p.z = calloc((size_t)(n * r), sizeof *p.z);
    assert_non_null(p.z);
    for (int64_t i = 0; i < n; i++) {
        const int64_t c = i % n_class;
        gnd_real *row = p.z + i * r;
        double sum = 0;

        for (int64_t k = 0; k < r; k++) {
            row[k] = (gnd_real)(noise * blob_number(1, i * r + k));
            if (k == c % r)
                row[k] += c < r ? 1 : -1;
            sum += (double)row[k] * (double)row[k];
        }
        for (int64_t k = 0; k < r; k++)
            row[k] /= (gnd_real)sqrt(sum);
    }
    return p;
}

/* Each row sums to 1 and nothing is below 0. */
static inline void check_shares(const gnd_real *p, int64_t n, int64_t n_class, double tol)
{
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;

        for (int64_t c = 0; c < n_class; c++) {
            assert_true(p[i * n_class + c] >= 0);
            sum += (double)p[i * n_class + c];
        }
        CHECK_CLOSE(sum, 1, tol);
    }
}

#endif
