/* SPDX-License-Identifier: MIT
 * kern_get.c - chooses the table of kernels, once. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "kern_tables.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const gnd_kern *chosen; /* set once; the only mutable global */

const gnd_kern *gnd_kern_at(int i)
{
    const gnd_kern *table[4]; /* best first, ref last */
    int n = 0;

    if (gnd_kern_avx512.spmm && gnd_cpu_has_avx512())
        table[n++] = &gnd_kern_avx512;
    if (gnd_kern_avx2.spmm && gnd_cpu_has_avx2())
        table[n++] = &gnd_kern_avx2;
    table[n++] = &gnd_kern_128;
    table[n++] = &gnd_kern_ref;
    return i >= 0 && i < n ? table[i] : NULL;
}

/* If GND_KERN is unknown or not supported by this CPU, the fastest table is used. */
static void choose(void)
{
    const char *want = getenv("GND_KERN");

    chosen = gnd_kern_at(0);
    for (int i = 0; want && gnd_kern_at(i); i++)
        if (strcmp(gnd_kern_at(i)->name, want) == 0)
            chosen = gnd_kern_at(i);
}

const gnd_kern *gnd_kern_get(void)
{
    pthread_once(&once, choose);
    return chosen;
}

const char *gnd_kernel_name(void)
{
    return gnd_kern_get()->name;
}
