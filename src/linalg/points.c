/* SPDX-License-Identifier: MIT
 * points.c - points on the unit sphere: creation, scaling of their directions, subsets. */
#include "points.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/kern.h"

enum {
    ROWS = 256,
    SAMPLE_SEED = 2,
    SPREAD_ROWS = 4096 /* rows that the number of filled directions is estimated from */
};
static const double LENGTH_MIN = 1e-12; /* up to which only rounding is left of a row */

void gnd_points_fini(gnd_points *p)
{
    gnd_free(p->z);
    gnd_free(p->value);
    gnd_free(p->sample);
    *p = (gnd_points){0};
}

gnd_status gnd_points_init(gnd_points *p, int64_t n, int64_t r, gnd_error *err)
{
    *p = (gnd_points){.n = n, .r = r};
    p->z = gnd_alloc_raw(n * r, sizeof *p->z);
    p->value = gnd_alloc(r, sizeof *p->value);
    if (p->z && p->value)
        return GND_OK;
    gnd_points_fini(p);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld coordinates of %lld vertices",
                    (long long)r, (long long)n);
}

typedef struct {
    gnd_real *z;
    int64_t r;
    double *norm;
} unit_job;

static void unit_rows(int64_t begin, int64_t end, void *arg)
{
    const unit_job *j = arg;
    const gnd_kern *kern = gnd_kern_get();

    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = j->z + i * j->r;
        const double norm = sqrt(kern->dot(row, row, j->r));
        const gnd_real c = norm > LENGTH_MIN ? (gnd_real)(1 / norm) : 0;

        for (int64_t k = 0; k < j->r; k++)
            row[k] *= c;
        if (j->norm)
            j->norm[i] = norm > LENGTH_MIN ? norm : 0;
    }
}

void gnd_unit_rows(gnd_real *z, int64_t n, int64_t r, double *norm, gnd_pool *pool)
{
    gnd_parallel_for(pool, n, ROWS, 2 * n * r, unit_rows, &(unit_job){z, r, norm});
}

/* Set p->spread: 1 / |Z^T Z / m|^2 over evenly spaced rows. */
static gnd_status measure(gnd_points *p, gnd_error *err)
{
    enum { AT_ONCE = 128 };
    const int64_t r = p->r, stride = p->n > SPREAD_ROWS ? p->n / SPREAD_ROWS : 1;
    gnd_real *gram = gnd_alloc(r * (r + AT_ONCE), sizeof *gram), *some = gram + r * r;
    double sum = 0;
    int64_t m = 0;

    if (!gram)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld coordinates", (long long)r);
    for (int64_t i = 0; i < p->n; i += stride, m++) {
        memcpy(some + m % AT_ONCE * r, p->z + i * r, (size_t)r * sizeof *some);
        if (m % AT_ONCE == AT_ONCE - 1)
            gnd_kern_get()->gemm_t(gram, some, some, r, r, 0, AT_ONCE);
    }
    gnd_kern_get()->gemm_t(gram, some, some, r, r, 0, m % AT_ONCE);
    for (int64_t e = 0; e < r * r; e++)
        sum += (double)gram[e] / (double)m * ((double)gram[e] / (double)m);
    p->spread = sum > 0 ? 1 / sum : 1;
    gnd_free(gram);
    return GND_OK;
}

gnd_status gnd_points_sample(int32_t **list, int64_t *m, const gnd_points *p, int64_t most,
                             gnd_error *err)
{
    unsigned char *mark = gnd_alloc(p->n, 1);
    gnd_vertex_bits marked = {0};
    int64_t n = 0, v = -1;
    gnd_status st = GND_OK;

    *list = NULL;
    *m = 0;
    if (!mark)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)p->n));
    for (int64_t i = 0; i < p->n; i++)
        mark[i] = !gnd_points_is_zero(p, i);
    GND_TRY(gnd_numbers_marked(&marked, &n, &p->at, mark, p->n, err));
    *m = n < most ? n : most;
    *list = gnd_alloc(*m, sizeof **list);
    if (!*list)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)*m));
    for (int64_t k = 0; k < *m; k++) {
        v = n > most ? gnd_vertex_bits_at(&marked, gnd_rng_stratum(k, *m, n, SAMPLE_SEED))
                     : gnd_vertex_bits_next(&marked, v + 1);
        (*list)[k] = (int32_t)v;
    }
out:
    gnd_vertex_bits_fini(&marked);
    gnd_free(mark);
    return st;
}

typedef struct {
    gnd_points *out;
    const gnd_points *from;
    const gnd_real *scale; /* [r] */
} shape_job;

static void shape_rows(int64_t begin, int64_t end, void *arg)
{
    const shape_job *j = arg;
    const int64_t r = j->out->r;

    for (int64_t i = begin; i < end; i++)
        for (int64_t k = 0; k < r; k++)
            j->out->z[i * r + k] = j->scale[k] * j->from->z[i * j->from->r + k];
}

gnd_status gnd_points_shape(gnd_points *out, const gnd_points *p, int64_t r, double power,
                            gnd_pool *pool, gnd_error *err)
{
    gnd_real scale[GND_POINTS_MAX];
    gnd_status st;

    assert(p->r <= GND_POINTS_MAX);
    r = r < p->r ? r : p->r;
    GND_TRY(gnd_points_init(out, p->n, r, err));
    for (int64_t k = 0; k < r; k++) {
        out->value[k] = p->value[0] * pow(p->value[k] / p->value[0], power);
        scale[k] = (gnd_real)pow(p->value[k] / p->value[0], (power - 1) / 2);
    }
    gnd_parallel_for(pool, p->n, ROWS, p->n * r, shape_rows, &(shape_job){out, p, scale});
    gnd_unit_rows(out->z, p->n, r, NULL, pool);
    GND_TRY(measure(out, err));
out:
    if (st != GND_OK)
        gnd_points_fini(out);
    return st;
}

double gnd_points_leading_share(const gnd_points *p, int64_t c, int64_t r)
{
    double lead = 0, all = 0;

    for (int64_t k = 0; k < p->r && k < r; k++) {
        lead += k < c ? p->value[k] : 0;
        all += p->value[k];
    }
    return all > 0 ? lead / all : 0;
}

gnd_status gnd_points_subset(gnd_points *out, const gnd_points *p, const int32_t *list, int64_t m,
                             gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_points_init(out, m, p->r, err));
    memcpy(out->value, p->value, (size_t)p->r * sizeof *p->value);
    GND_TRY(
        gnd_numbers_rows(out->z, &p->at, list, m, p->z, p->n, p->r * (int64_t)sizeof *p->z, err));
out:
    if (st != GND_OK)
        gnd_points_fini(out);
    return st;
}
