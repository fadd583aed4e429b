/* SPDX-License-Identifier: MIT
 * plane_start.c - the start of a layout, from principal components or another layout.
 *
 * A layout starts small, since the gradient is large only between points that are close: Kobak and
 * Linderman, Nature Biotechnology 39 (2021). */
#include "plane_start.h"

#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "linalg/leading_pair.h"

static const double spread = 1e-4, noise = 1e-2;
static const uint64_t vector_seed = 7; /* of the start vectors of the eigenvalue iteration */

typedef struct {
    const gnd_real *x; /* [n, d] */
    int64_t n, d;
} points;

/* x . v */
static double project(const gnd_real *x, const double *v, int64_t d)
{
    double s = 0;

    for (int64_t j = 0; j < d; j++)
        s += (double)x[j] * v[j];
    return s;
}

/* y = X^T X v */
static void product(double *y, const double *v, void *arg)
{
    const points *p = arg;

    for (int64_t j = 0; j < p->d; j++)
        y[j] = 0;
    for (int64_t i = 0; i < p->n; i++) {
        const gnd_real *row = p->x + i * p->d;
        const double s = project(row, v, p->d);

        for (int64_t j = 0; j < p->d; j++)
            y[j] += s * (double)row[j];
    }
}

/* Column c of z: [n, 2]. */
static void set_column(double *z, int c, const points *p, const double *v)
{
    double largest = 0;

    for (int64_t i = 0; i < p->n; i++) {
        const double s = project(p->x + i * p->d, v, p->d);

        z[2 * i + c] = s;
        largest = fabs(s) > fabs(largest) ? s : largest;
    }
    for (int64_t i = 0; i < p->n && largest < 0; i++)
        z[2 * i + c] = -z[2 * i + c];
}

/* Centre z: [n, 2], scale it and add the noise. */
static void finish(gnd_real *y, const double *z, int64_t n, uint64_t seed)
{
    double mean[2] = {0}, square = 0, scale;

    for (int64_t i = 0; i < 2 * n; i++)
        mean[i & 1] += z[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += (z[2 * i] - mean[0]) * (z[2 * i] - mean[0]) / (double)n;
    for (int64_t i = 0; i < n && !(square > 0); i++) /* all on a vertical line */
        square += (z[2 * i + 1] - mean[1]) * (z[2 * i + 1] - mean[1]) / (double)n;
    scale = square > 0 ? spread / sqrt(square) : 0;
    for (int64_t i = 0; i < 2 * n; i++) {
        const double u = 2 * gnd_rng_uniform(seed, 0, (uint64_t)i) - 1;

        y[i] = (gnd_real)((z[i] - mean[i & 1]) * scale + (scale > 0 ? noise : 1) * spread * u);
    }
}

gnd_status gnd_plane_start_pca(gnd_real *y, const gnd_real *x, int64_t n, int64_t d, uint64_t seed,
                               gnd_error *err)
{
    points p = {.x = x, .n = n, .d = d};
    double *z = gnd_alloc(2 * n, sizeof *z), *v[2], value, scale = 0;
    bool spans = false; /* some number is not 0 */
    gnd_status st = GND_OK;

    for (int c = 0; c < 2; c++)
        v[c] = gnd_alloc(d, sizeof *v[c]);
    if (!z || !v[0] || !v[1])
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the start of %lld points", (long long)n));
    for (int64_t i = 0; i < n * d && !spans; i++)
        spans = x[i] > 0 || x[i] < 0;
    for (int c = 0; spans && c < 2 && c < d; c++) {
        GND_TRY(gnd_leading_pair(&value, v[c],
                                 &(gnd_leading){.n = d,
                                                .product = product,
                                                .arg = &p,
                                                .lock = v,
                                                .n_lock = c,
                                                .scale = scale,
                                                .seed = vector_seed},
                                 err));
        scale = fmax(scale, value);
        set_column(z, c, &p, v[c]);
    }
    finish(y, z, n, seed);
out:
    gnd_free(z);
    gnd_free(v[0]);
    gnd_free(v[1]);
    return st;
}

gnd_status gnd_plane_start_from(gnd_real *y, const float *start, int64_t n, uint64_t seed,
                                gnd_error *err)
{
    double *z = gnd_alloc(2 * n, sizeof *z);

    if (!z)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the start of %lld points", (long long)n);
    for (int64_t i = 0; i < 2 * n; i++)
        z[i] = (double)start[i];
    finish(y, z, n, seed);
    gnd_free(z);
    return GND_OK;
}
