/* SPDX-License-Identifier: MIT
 * principal.c - a rotation to the eigenvectors of the Gram matrix. */
#include "principal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "linalg/sym_eigen.h"

enum { ROWS = 256 };
/* Numerical guard: smallest eigenvalue that is a coordinate, relative to the largest. */
static const double VALUE_MIN = 1e-6;

typedef struct {
    const gnd_principal *s;
    const gnd_gram_of *of;
    const gnd_real *turn; /* [p, r] */
    gnd_points *out;
} turn_job;

static void turn_rows(int64_t begin, int64_t end, void *arg)
{
    const turn_job *j = arg;

    j->of->kern->gemm(j->out->z, j->s->rows, j->turn, j->of->p, j->out->r, begin, end);
}

gnd_status gnd_points_principal(gnd_points *out, const gnd_principal *s, const gnd_gram_of *of,
                                gnd_error *err)
{
    const int64_t p = of->p, n = s->n;
    double *value = gnd_alloc(p, sizeof *value), *vector = gnd_alloc(p * p, sizeof *vector);
    gnd_real *turn = NULL;
    int64_t r = 0;
    gnd_status st;

    if (!value || !vector)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for coordinates"));
    GND_TRY(gnd_gram(s->gram, s->rows, 0, n, of, err));
    for (int64_t k = 0; k < p; k++)
        if (!isfinite(s->gram[k * p + k]))
            GND_TRY(gnd_fail(err, GND_ERR_ARG,
                             "features are too large or too small to compute with; scale them"));
    GND_TRY(gnd_small_eigen(value, vector, s->gram, p, err));
    while (r < p && r < s->rank && value[r] > VALUE_MIN * value[0])
        r++;
    if (r == 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "all vertices look the same"));
    GND_TRY(gnd_points_init(out, of->n, r, err));
    memset(out->z + n * r, 0, (size_t)((out->n - n) * r) * sizeof *out->z);
    out->at = s->at;
    turn = gnd_alloc(p * r, sizeof *turn);
    if (!turn)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for coordinates"));
    for (int64_t k = 0; k < p; k++)
        for (int64_t j = 0; j < r; j++)
            turn[k * r + j] = (gnd_real)vector[k * p + j];
    memcpy(out->value, value, (size_t)r * sizeof *value);
    gnd_parallel_for(of->pool, n, ROWS, n * p * r, turn_rows, &(turn_job){s, of, turn, out});
    gnd_unit_rows(out->z, n, r, NULL, of->pool);
out:
    gnd_free(turn);
    gnd_free(vector);
    gnd_free(value);
    return st;
}
