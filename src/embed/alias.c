/* SPDX-License-Identifier: MIT
 * alias.c - builds alias tables by Vose's method; see the header. */
#include "alias.h"

static uint32_t threshold(double share)
{
    return share >= 1 ? UINT32_MAX : (uint32_t)(share * 4294967296.0);
}

void gnd_alias_build(uint32_t *keep, int32_t *other, double *weight, int32_t *stack, int64_t n)
{
    int64_t small = 0, large = n; /* two stacks in one array, growing towards each other */
    int32_t heaviest = 0;
    double sum = 0;

    for (int64_t i = 0; i < n; i++) {
        sum += weight[i];
        if (weight[i] > weight[heaviest])
            heaviest = (int32_t)i;
    }
    for (int64_t i = 0; i < n; i++) {
        weight[i] *= (double)n / sum;
        if (weight[i] < 1)
            stack[small++] = (int32_t)i;
        else
            stack[--large] = (int32_t)i;
    }
    while (small > 0 && large < n) {
        const int32_t s = stack[--small], l = stack[large];

        keep[s] = threshold(weight[s]);
        other[s] = l;
        weight[l] -= 1 - weight[s];
        if (weight[l] < 1) {
            large++;
            stack[small++] = l;
        }
    }
    /* The remaining outcomes have probability 1 up to rounding; an outcome of weight 0 must
     * still not be drawn. */
    while (small > 0) {
        const int32_t s = stack[--small];

        keep[s] = weight[s] > 0.5 ? UINT32_MAX : threshold(weight[s]);
        other[s] = heaviest;
    }
    for (; large < n; large++) {
        keep[stack[large]] = UINT32_MAX;
        other[stack[large]] = stack[large];
    }
}
