/* SPDX-License-Identifier: MIT
 * point_checks.h - what holds for any set of points, and whether two are the same. */
#ifndef GND_TESTS_LINALG_POINT_CHECKS_H
#define GND_TESTS_LINALG_POINT_CHECKS_H

#include "check.h"
#include "linalg/diffused_pca.h"

static inline bool same_points(const gnd_points *a, const gnd_points *b)
{
    return a->n == b->n && a->r == b->r && a->spread == b->spread &&
           (a->n == 0 || (memcmp(a->z, b->z, (size_t)(a->n * a->r) * sizeof *a->z) == 0 &&
                          memcmp(a->value, b->value, (size_t)a->r * sizeof *a->value) == 0));
}

/* Every row of length 1, values falling, spread between 1 and r. */
static inline void check_sane(const gnd_points *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        double sum = 0;

        for (int64_t k = 0; k < p->r; k++)
            sum += (double)p->z[i * p->r + k] * (double)p->z[i * p->r + k];
        CHECK_CLOSE(sum, 1, 1e-5);
    }
    for (int64_t k = 1; k < p->r; k++)
        assert_true(p->value[k] <= p->value[k - 1] && p->value[k] > 0);
}

#endif
