/* SPDX-License-Identifier: MIT
 * normalise.c - check, centre and scale points. */
#include "normalise.h"

#include <math.h>

#include "base/alloc.h"

gnd_status gnd_points_check(const gnd_point_rows *x, const char *what, gnd_error *err)
{
    if (x->n < 1 || x->n > GND_POINTS_MAX || x->d < 1 || x->d > INT64_MAX / x->n || !x->x)
        return gnd_fail(err, GND_ERR_ARG,
                        "%s of %lld points with %lld numbers each; expected 1 to %d points with at "
                        "least one number",
                        what, (long long)x->n, (long long)x->d, GND_POINTS_MAX);
    for (int64_t i = 0; i < x->n * x->d; i++)
        if (!isfinite(x->x[i]))
            return gnd_fail(err, GND_ERR_ARG,
                            "%s: number %lld of point %lld is not finite; expected finite numbers",
                            what, (long long)(i % x->d), (long long)(i / x->d));
    return GND_OK;
}

gnd_status gnd_points_normalise(gnd_real **out, const gnd_point_rows *x, gnd_error *err)
{
    const int64_t n = x->n, d = x->d;
    double *mean = gnd_alloc(d, sizeof *mean), largest = 0;
    gnd_real *v = gnd_alloc(n * d, sizeof *v);

    *out = NULL;
    if (!mean || !v) {
        gnd_free(mean);
        gnd_free(v);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld points", (long long)n);
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            mean[j] += (double)x->x[i * d + j] / (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            largest = fmax(largest, fabs((double)x->x[i * d + j] - mean[j]));
    for (int64_t i = 0; i < n && largest > 0; i++)
        for (int64_t j = 0; j < d; j++)
            v[i * d + j] = (gnd_real)(((double)x->x[i * d + j] - mean[j]) / largest);
    gnd_free(mean);
    *out = v;
    return GND_OK;
}
