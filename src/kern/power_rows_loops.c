/* SPDX-License-Identifier: MIT
 * power_rows_loops.c - sums and dot products over hops, four hops at a time, so that y is loaded
 * once for four hops. */
#include <string.h>

#include "power_rows.h"

enum { V = 16 / sizeof(gnd_real), HOPS = 4, WIDE = 2 * V };

typedef gnd_real vec __attribute__((vector_size(16)));

static inline vec load(const gnd_real *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(gnd_real *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* y += c0 p0 + c1 p1 + c2 p2 + c3 p3, in this order; fresh: y starts at 0. */
static void mix_four(gnd_real *restrict y, const gnd_real *restrict p, int64_t stride,
                     const gnd_real c[HOPS], int64_t len, bool fresh)
{
    const gnd_real *p1 = p + stride, *p2 = p1 + stride, *p3 = p2 + stride;
    int64_t i = 0;

    for (; i + V <= len; i += V) {
        vec s = fresh ? (vec){0} : load(y + i);

        s += c[0] * load(p + i);
        s += c[1] * load(p1 + i);
        s += c[2] * load(p2 + i);
        s += c[3] * load(p3 + i);
        store(y + i, s);
    }
    for (; i < len; i++) {
        gnd_real s = fresh ? 0 : y[i];

        s += c[0] * p[i];
        s += c[1] * p1[i];
        s += c[2] * p2[i];
        s += c[3] * p3[i];
        y[i] = s;
    }
}

void gnd_power_mix(gnd_real *restrict y, const gnd_real *restrict p, int64_t stride,
                   const gnd_real *restrict c, int64_t K, int64_t len)
{
    int64_t k = 0;

    for (; k + HOPS <= K; k += HOPS)
        mix_four(y, p + k * stride, stride, c + k, len, k == 0);
    if (k == 0)
        memset(y, 0, (size_t)len * sizeof *y);
    for (; k < K; k++)
        for (int64_t i = 0; i < len; i++)
            y[i] += c[k] * p[k * stride + i];
}

static double vec_sum(vec a, vec b)
{
    double sum = 0;

    a += b;
    for (int l = 0; l < (int)V; l++)
        sum += (double)a[l];
    return sum;
}

/* out[j] = <p_j, y> for four hops, len <= GND_DOT_BLOCK. */
static void dots_four(double out[HOPS], const gnd_real *restrict p, int64_t stride,
                      const gnd_real *restrict y, int64_t len)
{
    const gnd_real *p1 = p + stride, *p2 = p1 + stride, *p3 = p2 + stride;
    vec a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    int64_t i = 0;

    for (; i + WIDE <= len; i += WIDE) {
        const vec ya = load(y + i), yb = load(y + i + V);

        a0 += ya * load(p + i);
        b0 += yb * load(p + i + V);
        a1 += ya * load(p1 + i);
        b1 += yb * load(p1 + i + V);
        a2 += ya * load(p2 + i);
        b2 += yb * load(p2 + i + V);
        a3 += ya * load(p3 + i);
        b3 += yb * load(p3 + i + V);
    }
    out[0] = vec_sum(a0, b0);
    out[1] = vec_sum(a1, b1);
    out[2] = vec_sum(a2, b2);
    out[3] = vec_sum(a3, b3);
    for (; i < len; i++) {
        out[0] += (double)(y[i] * p[i]);
        out[1] += (double)(y[i] * p1[i]);
        out[2] += (double)(y[i] * p2[i]);
        out[3] += (double)(y[i] * p3[i]);
    }
}

void gnd_power_dots(double *restrict out, const gnd_real *restrict p, int64_t stride,
                    const gnd_real *restrict y, int64_t K, int64_t len)
{
    const gnd_kern *kern = gnd_kern_get();

    for (int64_t k = 0; k < K; k++)
        out[k] = 0;
    for (int64_t e = 0; e < len; e += GND_DOT_BLOCK) {
        const int64_t n = len - e < GND_DOT_BLOCK ? len - e : GND_DOT_BLOCK;
        int64_t k = 0;

        for (; k + HOPS <= K; k += HOPS) {
            double part[HOPS];

            dots_four(part, p + k * stride + e, stride, y + e, n);
            for (int j = 0; j < HOPS; j++)
                out[k + j] += part[j];
        }
        for (; k < K; k++)
            out[k] += kern->dot(p + k * stride + e, y + e, n);
    }
}
