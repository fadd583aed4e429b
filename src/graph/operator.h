/* SPDX-License-Identifier: MIT
 * operator.h - the sparse operators of the methods, each with its adjoint.
 *
 * A+ = A + I, g = row sums of A+, As = max(A, A^T). D has the row sums of the matrix that it
 * scales; the factor of a row without links is 0. Entries that are 0 are not stored. */
#ifndef GND_GRAPH_OPERATOR_H
#define GND_GRAPH_OPERATOR_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "plan/budget.h"

typedef enum {
    GND_OP_W,             /* diag(g)^-1 A+, the random walk */
    GND_OP_S,             /* g^-1/2 A+ g^-1/2 */
    GND_OP_S_TRANSPOSED,  /* g^-1/2 (A+)^T g^-1/2 with row sums g of A+, as the GCN authors' code */
    GND_OP_S_SYMMETRISED, /* S of max(A, A^T) */
    GND_OP_S_MIXHOP,      /* S of max(A, A^T) whose loops are removed before I is added */
    GND_OP_S_MIXHOP_PLAIN,      /* the same of A */
    GND_OP_S_MIXHOP_TRANSPOSED, /* the transpose of GND_OP_S_MIXHOP_PLAIN */
    GND_OP_LN,                  /* I - d^-1/2 A d^-1/2, no loops added; d = 0 gives 0 */
    GND_OP_LN_TRANSPOSED,       /* I - d^-1/2 A^T d^-1/2 */
    GND_OP_LN_SYMMETRISED,      /* I - d^-1/2 As d^-1/2 */
    GND_OP_S0,                  /* d^-1/2 As d^-1/2 without loops */
    GND_OP_ADINV,               /* As D^-1 without loops */
    GND_OP_DINVA,               /* D^-1 As without loops */
    GND_OP_P_DCNN,              /* As (D + I)^-1, with the loops of As */
    GND_OP_P_DCNN_PLAIN,        /* A (D + I)^-1 with the column sums D of A */
    GND_OP_P_DCNN_TRANSPOSED    /* A^T (D + I)^-1 with the column sums D of A^T */
} gnd_operator_kind;

typedef struct {
    gnd_csr a;  /* [n, n] with values */
    gnd_csr at; /* its transpose; borrows a's arrays if a is symmetric */
    bool shared;
    struct gnd_hubs *hubs; /* that a refers to, or NULL */
} gnd_operator;

/* op->a borrows ptr and col of adj where it has the same pattern: adj must live as long as op. */
gnd_status gnd_operator_init(gnd_operator *op, gnd_operator_kind kind, const gnd_csr *adj,
                             gnd_error *err);
/* The same, with calls of the callback of a pool, which may be NULL. */
gnd_status gnd_operator_init_in(gnd_operator *op, gnd_operator_kind kind, const gnd_csr *adj,
                                gnd_pool *pool, gnd_error *err);
void gnd_operator_fini(gnd_operator *op);
/* Make op->a.hubs if products with `width` columns one after another are faster with it and the
 * budget allows it. */
gnd_status gnd_operator_order(gnd_operator *op, int64_t width, gnd_budget *b, gnd_pool *pool,
                              gnd_error *err);

/* max(A, A^T) without loops. out borrows the arrays of adj where it has the same pattern: adj must
 * live as long as out. */
gnd_status gnd_operator_links(gnd_csr *out, const gnd_csr *adj, gnd_error *err);

/* Replace the Laplacian L in op, and its adjoint, by (2 / lambda) L - I: this maps the spectrum
 * [0, lambda] to [-1, 1], the domain of Chebyshev polynomials. Entries that are 0, as the diagonal
 * for lambda = 2, are not stored. On failure op is not changed. */
gnd_status gnd_operator_to_cheby(gnd_operator *op, double lambda, gnd_error *err);

#endif
