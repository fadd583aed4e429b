/* SPDX-License-Identifier: MIT
 * adam.h - the kernel adam, for any table: the compiler makes vectors of it. */
#ifndef GND_KERN_ADAM_H
#define GND_KERN_ADAM_H

#include <tgmath.h>

#include "kern.h"

static inline void gnd_adam_all(gnd_real *restrict theta, gnd_real *restrict m,
                                gnd_real *restrict v, const gnd_real *restrict g,
                                const gnd_adam_step *step, int64_t n)
{
    const gnd_real b1 = (gnd_real)0.9, c1 = (gnd_real)0.1;
    const gnd_real b2 = (gnd_real)0.999, c2 = (gnd_real)0.001;
    const gnd_adam_step s = *step;

    for (int64_t i = 0; i < n; i++) {
        const gnd_real slope = s.l2 != 0 ? g[i] + s.l2 * theta[i] : g[i];

        m[i] = b1 * m[i] + c1 * slope;
        v[i] = b2 * v[i] + c2 * (slope * slope);
        theta[i] -= s.step * m[i] / (sqrt(v[i]) * s.scale + s.eps);
    }
}

#endif
