/* SPDX-License-Identifier: MIT
 * ridge.c - one Cholesky factor for all classes. */
#include "ridge.h"

#include "constants.h"
#include "linalg/sym_eigen.h"

int64_t gnd_ridge_labels(int32_t *which, const gnd_labelled *s)
{
    const int64_t m = s->n < RIDGE_LABELS_MAX ? s->n : RIDGE_LABELS_MAX;

    for (int64_t k = 0; k < m; k++)
        which[k] = (int32_t)(k * s->n / m);
    return m;
}

void gnd_row_products(double *K, const gnd_csr *a, double *room)
{
    const int64_t m = a->n_row;

    for (int64_t i = 0; i < m; i++) {
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++)
            room[a->col[q]] = (double)gnd_csr_val(a, q);
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;

            for (int64_t q = a->ptr[j]; q < a->ptr[j + 1]; q++)
                sum += room[a->col[q]] * (double)gnd_csr_val(a, q);
            K[i * m + j] = K[j * m + i] = sum;
        }
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++)
            room[a->col[q]] = 0;
    }
}

void gnd_ridge_fit(double *coef, double *K, const int32_t *which, int64_t m, const gnd_labelled *s)
{
    const int64_t C = s->n_class;

    for (int64_t a = 0; a < m; a++) {
        K[a * m + a] += RIDGE_PENALTY;
        for (int64_t c = 0; c < C; c++)
            coef[a * C + c] = (s->cls[which[a]] == c) - 1 / (double)C;
    }
    gnd_cholesky(K, m, RIDGE_PIVOT_MIN);
    gnd_solve_lower(coef, K, m, C);
    gnd_solve_lower_t(coef, K, m, C);
}
