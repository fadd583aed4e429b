/* SPDX-License-Identifier: MIT
 * powers.h - powers of an operator applied to features: X, A X, A^2 X, ..
 *
 * They do not depend on weights, so a method makes them once. plan/keep.h decides for each power,
 * from its sizes and what is left of the memory budget, whether it is kept sparse, kept dense, or
 * not kept. A method does without a power that is not kept by applying A in each pass, or by
 * computing single rows with gnd_powers_row. */
#ifndef GND_GRAPH_POWERS_H
#define GND_GRAPH_POWERS_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "plan/budget.h"

/* Which powers: A^first X .. A^last X. */
typedef struct {
    const gnd_csr *a, *x; /* [n, n], [n, d] */
    int64_t first, last;
    bool all_or_none; /* keep nothing unless the budget allows for all of them */
} gnd_powers_of;

/* One power, [n, d]: dense if that is not NULL, else sparse. */
typedef struct {
    gnd_csr sp;
    gnd_real *dense;
} gnd_kept_power;

typedef struct {
    gnd_csr a, x;          /* arrays are the caller's */
    int64_t first, last;   /* powers kept; none if first > last */
    int64_t top;           /* the highest power that rows have */
    gnd_kept_power *power; /* [last - first + 1] */
} gnd_powers;

/* As many powers as the budget allows for, from `first` on (>= 1). The arrays of a and x are
 * borrowed and must live longer. pool may be NULL; it changes no bit. */
gnd_status gnd_powers_init(gnd_powers *p, const gnd_powers_of *of, gnd_budget *b, gnd_pool *pool,
                           gnd_error *err);
void gnd_powers_fini(gnd_powers *p);
/* A^k X if it is kept, else NULL. */
const gnd_kept_power *gnd_powers_get(const gnd_powers *p, int64_t k);

/* Row i of [ X | A X | .. | A^top X ]: out[0 .. (top + 1) d - 1]. Powers that are not kept are
 * computed by a walk from i. scratch: [gnd_powers_scratch(p)]. */
void gnd_powers_row(gnd_real *out, const gnd_powers *p, int64_t i, gnd_real *scratch);
int64_t gnd_powers_scratch(const gnd_powers *p);
/* The rows listed, sparse: [n, (top + 1) d], which must be below 2^31 columns. */
gnd_status gnd_powers_pack(gnd_csr *out, const gnd_powers *p, const int32_t *rows, int64_t n,
                           gnd_error *err);

/* The rows listed of A^first X .. A^last X, dense: *out is [last - first + 1, n, d], the caller's;
 * first may be 0. No power of all rows is kept on the way. */
gnd_status gnd_powers_dense_rows(gnd_real **out, const gnd_powers_of *of, const int32_t *rows,
                                 int64_t n, gnd_pool *pool, gnd_error *err);

#endif
