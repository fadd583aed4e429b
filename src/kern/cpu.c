/* SPDX-License-Identifier: MIT
 * cpu.c - vector instructions by the CPUID instruction. __builtin_cpu_supports is not used: it
 * needs a table of the compiler's runtime library, which some toolchains lack. */
#include "cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdint.h>

enum {
    OSXSAVE = 1 << 27, /* leaf 1, ecx: XGETBV may be used */
    AVX2 = 1 << 5,     /* leaf 7, ebx */
    AVX512F = 1 << 16, /* likewise, like the next three */
    AVX512DQ = 1 << 17,
    AVX512BW = 1 << 30,
    STATE_AVX = 0x06,    /* XCR0: the system saves XMM and YMM registers */
    STATE_AVX512 = 0xe6, /* and mask and ZMM registers */
};
static const unsigned AVX512VL = 1U << 31;

/* The register states that the operating system saves. */
static uint64_t saved_states(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE))
        return 0;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (uint64_t)d << 32 | a;
}

/* Does the CPU have all the features of leaf 7, and does the system save the registers? */
static bool has(unsigned features, unsigned states)
{
    unsigned a = 0, b = 0, c = 0, d = 0;

    return (saved_states() & states) == states && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
           (b & features) == features;
}

bool gnd_cpu_has_avx2(void)
{
    return has(AVX2, STATE_AVX);
}

bool gnd_cpu_has_avx512(void)
{
    return has(AVX512F | AVX512DQ | AVX512BW | AVX512VL, STATE_AVX512);
}
#else
bool gnd_cpu_has_avx2(void)
{
    return false;
}

bool gnd_cpu_has_avx512(void)
{
    return false;
}
#endif
