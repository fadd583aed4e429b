/* SPDX-License-Identifier: MIT
 * factors.h - a design matrix of random sparse factors, and the same dense. */
#ifndef GND_TESTS_LINALG_FACTORS_H
#define GND_TESTS_LINALG_FACTORS_H

#include "base/rng.h"
#include "check.h"
#include "label/prepared.h"
#include "linalg/design_matrix.h"

/* Z: [size[0], size[n_factor]]. */
typedef struct {
    gnd_csr factor[GND_FACTORS], transposed[GND_FACTORS];
    gnd_real *mean, *length;
    gnd_design z;
    double *dense; /* Z */
} factors;

static inline gnd_csr random_csr(int64_t n, int64_t d, uint32_t stream)
{
    gnd_csr a = {0};
    int64_t nnz = 0;
    gnd_error err;

    CHECK_OK(gnd_csr_init(&a, n, d, n * d, true, &err));
    for (int64_t e = 0; e < n * d; e++) { /* three entries in ten; row 1 is empty */
        if (gnd_rng_uniform(7, stream, (uint64_t)e) < 0.3 && e / d != 1) {
            a.col[nnz] = (int32_t)(e % d);
            a.val[nnz++] = (gnd_real)(2 * gnd_rng_uniform(8, stream, (uint64_t)e) - 1);
        }
        a.ptr[e / d + 1] = nnz;
    }
    return a;
}

/* Lengths from 0.5 to 1.5, means from -0.2 to 0.2. */
static inline void factors_init(factors *f, int n_factor, const int64_t *size, bool centred)
{
    const int64_t n = size[0], d = size[n_factor];
    double *product;
    gnd_error err;

    *f = (factors){.mean = calloc((size_t)d, sizeof(gnd_real)),
                   .length = calloc((size_t)n, sizeof(gnd_real))};
    assert_true(f->mean && f->length);
    for (int k = 0; k < n_factor; k++) {
        f->factor[k] = random_csr(size[k], size[k + 1], (uint32_t)k);
        CHECK_OK(gnd_csr_transpose(&f->transposed[k], &f->factor[k], &err));
        f->z.factor[k] = &f->factor[k];
        f->z.transposed[k] = &f->transposed[k];
    }
    for (int64_t k = 0; k < d; k++)
        f->mean[k] = (gnd_real)(0.4 * gnd_rng_uniform(9, 1, (uint64_t)k) - 0.2);
    for (int64_t i = 0; i < n; i++)
        f->length[i] = (gnd_real)(0.5 + gnd_rng_uniform(9, 2, (uint64_t)i));
    f->z.mean = centred ? f->mean : NULL;
    f->z.length = centred ? f->length : NULL;
    f->dense = dense_of(&f->factor[0]);
    for (int k = 1; k < n_factor; k++) {
        double *by = dense_of(&f->factor[k]);

        product = dense_product(f->dense, by, n, size[k], size[k + 1]);
        free(by);
        free(f->dense);
        f->dense = product;
    }
    for (int64_t e = 0; e < n * d && centred; e++)
        f->dense[e] = (f->dense[e] - (double)f->mean[e % d]) / (double)f->length[e / d];
}

static inline void factors_fini(factors *f)
{
    for (int k = 0; k < GND_FACTORS; k++) {
        gnd_csr_fini(&f->factor[k]);
        gnd_csr_fini(&f->transposed[k]);
    }
    free(f->mean);
    free(f->length);
    free(f->dense);
}

#endif
