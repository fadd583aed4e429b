/* SPDX-License-Identifier: MIT
 * constants.h - the constants that decide in the labeller, by name. constants.def gives each its
 * value, its meaning and how it was chosen. */
#ifndef GND_LABEL_CONSTANTS_H
#define GND_LABEL_CONSTANTS_H

#define C(name, value, meaning, chosen) static const double name = value;
#define N(name, value, meaning, chosen)
#include "constants.def"
#undef C
#undef N

enum {
#define C(name, value, meaning, chosen)
#define N(name, value, meaning, chosen) name = value,
#include "constants.def"
#undef C
#undef N
    GND_LABEL_CONSTANTS_END
};

#endif
