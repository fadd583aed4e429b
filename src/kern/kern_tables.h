/* SPDX-License-Identifier: MIT
 * kern_tables.h - the tables that may be compiled in; one that is not has a NULL name and no
 * kernels. */
#ifndef GND_KERN_KERN_TABLES_H
#define GND_KERN_KERN_TABLES_H

#include "kern.h"

extern const gnd_kern gnd_kern_avx512;
extern const gnd_kern gnd_kern_avx2;
extern const gnd_kern gnd_kern_avx128; /* used by avx2 for narrow matrices */
extern const gnd_kern gnd_kern_128;    /* always compiled in */
extern const gnd_kern gnd_kern_few;    /* for one to three columns */

#endif
