/* SPDX-License-Identifier: MIT
 * rng.h - random numbers without state: each is a function of (seed, stream, index), so that
 * threads may compute them in any order with the same result. */
#ifndef GND_BASE_RNG_H
#define GND_BASE_RNG_H

#include <stdint.h>

/* Philox4x32-10 of Salmon et al. (SC 2011): four words from a 128-bit counter and a 64-bit key. */
void gnd_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

/* Uniform in [0, 1) with 53 bits: number `index` of a stream. */
double gnd_rng_uniform(uint64_t seed, uint32_t stream, uint64_t index);

/* A normal number, of mean 0 and variance 1: number `index` of stream 1. */
double gnd_rng_normal(uint64_t seed, uint64_t index);

/* One of the numbers 0 .. n - 1: drawn from part i of k <= n equal parts of them. */
int64_t gnd_rng_stratum(int64_t i, int64_t k, int64_t n, uint64_t seed);
/* Draw k <= n of the numbers 0 .. n - 1, ascending: one from each of k equal parts. */
void gnd_rng_strata(int64_t *out, int64_t k, int64_t n, uint64_t seed);

/* A 64-bit value that depends on every bit of a (splitmix64's finaliser). */
static inline uint64_t gnd_mix64(uint64_t a)
{
    a = (a ^ (a >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    a = (a ^ (a >> 27)) * UINT64_C(0x94d049bb133111eb);
    return a ^ (a >> 31);
}

/* Element `index` of the splitmix64 sequence that starts at `key`. */
static inline uint64_t gnd_hash_at(uint64_t key, uint64_t index)
{
    return gnd_mix64(key + (index + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* 64-bit FNV-1a hash of a string: turns names (of dropouts, parameters) into stream numbers. */
uint64_t gnd_hash_name(const char *name);

#endif
