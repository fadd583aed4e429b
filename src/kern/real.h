/* SPDX-License-Identifier: MIT
 * real.h - the type of stored values: float, or double for gradient checks. */
#ifndef GND_KERN_REAL_H
#define GND_KERN_REAL_H

#ifndef GND_REAL
#define GND_REAL float
#endif

typedef GND_REAL gnd_real;

#endif
