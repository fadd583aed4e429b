/* SPDX-License-Identifier: MIT
 * mt19937.h - numpy's legacy random generator, with identical output: np.random.seed(s);
 * np.random.shuffle(x). */
#ifndef GND_BASE_MT19937_H
#define GND_BASE_MT19937_H

#include <stdint.h>

typedef struct {
    uint32_t mt[624];
    int next;
} gnd_mt19937;

void gnd_mt19937_seed(gnd_mt19937 *r, uint32_t seed);
uint32_t gnd_mt19937_next(gnd_mt19937 *r);
/* Shuffle perm[0..n-1] in place as np.random.shuffle does for an array of n <= 2^31 items. */
void gnd_mt19937_shuffle(gnd_mt19937 *r, int32_t *perm, int64_t n);

#endif
