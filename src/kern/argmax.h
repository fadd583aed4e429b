/* SPDX-License-Identifier: MIT
 * argmax.h - the index of the largest value of a row. */
#ifndef GND_KERN_ARGMAX_H
#define GND_KERN_ARGMAX_H

#include <stdint.h>

#include "real.h"

/* The index of the largest of n_class values, on ties the first. */
static inline int32_t gnd_argmax(const gnd_real *row, int64_t n_class)
{
    int32_t top = 0;

    for (int32_t c = 1; c < n_class; c++)
        if (row[c] > row[top])
            top = c;
    return top;
}

#endif
