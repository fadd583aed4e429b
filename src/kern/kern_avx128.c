/* SPDX-License-Identifier: MIT
 * kern_avx128.c - the kernels in vectors of 16 bytes once more, for narrow matrices on CPUs with
 * AVX2: its instructions make them 1.2 times as fast. */
#include "kern_tables.h"

#ifdef __AVX2__

#include "kern_128.h"

const gnd_kern gnd_kern_avx128 = {.name = "avx128", KERN_SLOTS, .pack = pack_each};

#else

const gnd_kern gnd_kern_avx128 = {0};

#endif
