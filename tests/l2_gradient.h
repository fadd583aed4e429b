/* SPDX-License-Identifier: MIT
 * l2_gradient.h - the gradient of the L2 term, which training leaves to the optimiser. For checks
 * of the gradient of a whole objective. */
#ifndef GND_TESTS_L2_GRADIENT_H
#define GND_TESTS_L2_GRADIENT_H

#include "tape/params.h"

/* Adds it to ps->g. */
static inline void l2_gradient_add(gnd_params *ps, gnd_l2 how, double c)
{
    const gnd_real factor = (gnd_real)gnd_l2_factor(how, c);

    for (int32_t i = 0; i < ps->n; i++) {
        const gnd_param *p = &ps->p[i];

        for (int64_t k = p->at; p->decay && k < p->at + p->rows * p->cols; k++)
            ps->g[k] += factor * ps->v[k];
    }
}

#endif
