/* SPDX-License-Identifier: MIT
 * kern_tables.h - the variants that may be compiled in; one that could not has a NULL name and no
 * kernels. */
#ifndef GND_KERN_KERN_TABLES_H
#define GND_KERN_KERN_TABLES_H

#include "kern.h"

extern const gnd_kern gnd_kern_avx512;
extern const gnd_kern gnd_kern_avx2;
extern const gnd_kern gnd_kern_avx128; /* for avx2 where it is too wide */
extern const gnd_kern gnd_kern_128;    /* always there */
extern const gnd_kern gnd_kern_few;    /* one to three columns: where vectors end */

#endif
