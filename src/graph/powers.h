/* SPDX-License-Identifier: MIT
 * powers.h - powers of an operator applied to features: X, A X, A^2 X, ..
 *
 * They do not depend on weights, so a method computes them once. plan/keep.h decides for each
 * power, from its size and the remaining memory budget, whether it is kept sparse, kept dense, or
 * not kept. Instead of a power that is not kept, a method applies A in each pass or computes single
 * rows with gnd_powers_row. */
#ifndef GND_GRAPH_POWERS_H
#define GND_GRAPH_POWERS_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "plan/budget.h"

/* The requested powers: A^first X .. A^last X. */
typedef struct {
    const gnd_csr *a, *x; /* [n, n], [n, d] */
    int64_t first, last;
    bool all_or_none; /* keep nothing if the budget does not suffice for all */
} gnd_powers_of;

/* One power, [n, d]: `dense` if not NULL, otherwise `sp`. */
typedef struct {
    gnd_csr sp;
    gnd_real *dense;
} gnd_kept_power;

typedef struct {
    gnd_csr a, x;          /* their arrays belong to the caller */
    int64_t first, last;   /* the kept powers; none if first > last */
    int64_t top;           /* the highest requested power */
    gnd_kept_power *power; /* [last - first + 1] */
} gnd_powers;

/* Compute as many powers as the budget allows, starting with `first` (>= 1). The arrays of a and x
 * are borrowed and must live longer. pool may be NULL; it does not change the result. */
gnd_status gnd_powers_init(gnd_powers *p, const gnd_powers_of *of, gnd_budget *b, gnd_pool *pool,
                           gnd_error *err);
void gnd_powers_fini(gnd_powers *p);
/* A^k X if it is kept, else NULL. */
const gnd_kept_power *gnd_powers_get(const gnd_powers *p, int64_t k);

/* Row i of [ X | A X | .. | A^top X ]: out[0 .. (top + 1) d - 1]. Powers that are not kept are
 * computed from row i of A^k. scratch: [gnd_powers_scratch(p)]. */
void gnd_powers_row(gnd_real *out, const gnd_powers *p, int64_t i, gnd_real *scratch);
int64_t gnd_powers_scratch(const gnd_powers *p);
/* The listed rows as a sparse matrix [n, (top + 1) d]; the number of columns must be below 2^31. */
gnd_status gnd_powers_pack(gnd_csr *out, const gnd_powers *p, const int32_t *rows, int64_t n,
                           gnd_error *err);

/* The listed rows of A^first X .. A^last X, dense, passed to `take` in parts of rows: w values of
 * row i of the list from column c0 on, of hop k - first. first may be 0. No power is stored for all
 * rows. */
typedef void gnd_take_row(void *to, int64_t hop, int64_t i, int64_t c0, const gnd_real *v,
                          int64_t w);
gnd_status gnd_powers_dense_rows(gnd_take_row *take, void *to, const gnd_powers_of *of,
                                 gnd_row_list rows, gnd_pool *pool, gnd_error *err);

#endif
