/* SPDX-License-Identifier: MIT
 * cloud.h - points for the tests of layouts. */
#ifndef GND_TESTS_EMBED_CLOUD_H
#define GND_TESTS_EMBED_CLOUD_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"

/* n points [n, d] around n_group centres; point i belongs to group i % n_group. */
static inline float *cloud(int64_t n, int64_t d, int64_t n_group)
{
    float *x = gnd_alloc(n * d, sizeof *x);

    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = (float)(gnd_rng_uniform(1, 1, (uint64_t)(i * d + j)) +
                                   4 * gnd_rng_uniform(1, 2, (uint64_t)(i % n_group * d + j)));
    return x;
}

#endif
