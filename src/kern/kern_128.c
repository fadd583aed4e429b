/* SPDX-License-Identifier: MIT
 * kern_128.c - kernels with 16-byte vectors: NEON on ARM, SSE2 on x86, or any other instruction
 * set with registers of that width. */
#include "kern_128.h"

const gnd_kern gnd_kern_128 = {
#if defined(__aarch64__)
    .name = "neon",
#elif defined(__SSE2__)
    .name = "sse2",
#else
    .name = "vec16",
#endif
    KERN_SLOTS,
    .pack = pack_each,
    .pack16 = pack16_each,
};
