/* SPDX-License-Identifier: MIT
 * rng.c - Philox4x32-10 and string hashing. */
#include "rng.h"

#include <math.h>

void gnd_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        const uint32_t n0 = (uint32_t)(b >> 32) ^ c1 ^ k0, n2 = (uint32_t)(a >> 32) ^ c3 ^ k1;

        c1 = (uint32_t)b;
        c3 = (uint32_t)a;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

double gnd_rng_uniform(uint64_t seed, uint32_t stream, uint64_t index)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), stream, 0};
    uint32_t w[4];

    gnd_philox(w, counter, key);
    return (double)(((uint64_t)w[0] << 21) ^ (w[1] >> 11)) * 0x1p-53;
}

/* By Box and Muller; the second of the pair is not used. */
double gnd_rng_normal(uint64_t seed, uint64_t index)
{
    const double u = 1 - gnd_rng_uniform(seed, 1, 2 * index);
    const double a = gnd_rng_uniform(seed, 1, 2 * index + 1);

    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * a);
}

int64_t gnd_rng_stratum(int64_t i, int64_t k, int64_t n, uint64_t seed)
{
    const int64_t low = i * n / k, high = (i + 1) * n / k;

    return low + (int64_t)(gnd_rng_uniform(seed, 0, (uint64_t)i) * (double)(high - low));
}

void gnd_rng_strata(int64_t *out, int64_t k, int64_t n, uint64_t seed)
{
    for (int64_t i = 0; i < k; i++)
        out[i] = gnd_rng_stratum(i, k, n, seed);
}

uint64_t gnd_hash_name(const char *name)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return h;
}
