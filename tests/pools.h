/* SPDX-License-Identifier: MIT
 * pools.h - threads that share even the smallest loop. */
#ifndef GND_TESTS_POOLS_H
#define GND_TESTS_POOLS_H

#include "base/parallel.h"
#include "check.h"

/* The same work whatever the threads: every loop is cut up, however small. */
static inline gnd_pool *eager_pool(int threads)
{
    gnd_pool *pool;

    setenv("GND_PARALLEL_MIN", "0", 1);
    pool = gnd_pool_new(threads);
    assert_non_null(pool);
    return pool;
}

#endif
