/* SPDX-License-Identifier: MIT
 * plateau.c - the rule of plateau.h. */
#include "plateau.h"

double gnd_plateau_update(gnd_plateau *p, double lr, double loss)
{
    static const double factor = 0.8, threshold = 1e-4, least_change = 1e-8;

    if (p->patience == 0)
        return lr;
    if (!p->started || loss < p->best * (1 - threshold)) {
        p->started = true;
        p->best = loss;
        p->bad = 0;
        return lr;
    }
    if (++p->bad <= p->patience)
        return lr;
    p->bad = 0;
    return lr - lr * factor > least_change ? lr * factor : lr;
}
