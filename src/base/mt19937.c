/* SPDX-License-Identifier: MIT
 * mt19937.c - Matsumoto and Nishimura 1998, with numpy's bounded draw by masked rejection. */
#include "mt19937.h"

enum { N = 624, M = 397 };

void gnd_mt19937_seed(gnd_mt19937 *r, uint32_t seed)
{
    r->mt[0] = seed;
    for (uint32_t k = 1; k < N; k++)
        r->mt[k] = 1812433253u * (r->mt[k - 1] ^ (r->mt[k - 1] >> 30)) + k;
    r->next = N;
}

static void refill(gnd_mt19937 *r)
{
    for (int k = 0; k < N; k++) {
        const uint32_t y = (r->mt[k] & 0x80000000u) | (r->mt[(k + 1) % N] & 0x7fffffffu);

        r->mt[k] = r->mt[(k + M) % N] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    r->next = 0;
}

uint32_t gnd_mt19937_next(gnd_mt19937 *r)
{
    uint32_t y;

    if (r->next == N)
        refill(r);
    y = r->mt[r->next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

/* Uniform in 0..max. */
static uint32_t bounded(gnd_mt19937 *r, uint32_t max)
{
    uint32_t mask = max, v;

    for (int s = 1; s < 32; s *= 2)
        mask |= mask >> s;
    do
        v = gnd_mt19937_next(r) & mask;
    while (v > max);
    return v;
}

void gnd_mt19937_shuffle(gnd_mt19937 *r, int32_t *perm, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        const uint32_t j = bounded(r, (uint32_t)i);
        const int32_t t = perm[i];

        perm[i] = perm[j];
        perm[j] = t;
    }
}
