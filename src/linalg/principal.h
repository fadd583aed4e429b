/* SPDX-License-Identifier: MIT
 * principal.h - rows as points along their leading principal directions. */
#ifndef GND_LINALG_PRINCIPAL_H
#define GND_LINALG_PRINCIPAL_H

#include "gram.h"
#include "points.h"

/* rows: [n, p], the first of of->n vertices; those after them are at 0. gram: [p, p] scratch. */
typedef struct {
    const gnd_real *rows;
    double *gram;
    int64_t n, rank; /* coordinates at most */
    gnd_numbers at;
} gnd_principal;

/* out: the rows times the leading eigenvectors of rows^T rows, and normalised; out->value: the
 * eigenvalues. GND_ERR_ARG if a row is not finite or all are 0. */
gnd_status gnd_points_principal(gnd_points *out, const gnd_principal *s, const gnd_gram_of *of,
                                gnd_error *err);

#endif
