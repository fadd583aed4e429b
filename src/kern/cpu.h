/* SPDX-License-Identifier: MIT
 * cpu.h - which vector instructions this CPU and its operating system support. */
#ifndef GND_KERN_CPU_H
#define GND_KERN_CPU_H

#include <stdbool.h>

bool gnd_cpu_has_avx2(void);
bool gnd_cpu_has_avx512(void); /* F, DQ, BW and VL, which the kernels use */

#endif
