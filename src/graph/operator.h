/* SPDX-License-Identifier: MIT
 * operator.h - the sparse operators of the methods, each with its adjoint.
 *
 * A+ = A + I, g = row sums of A+, As = max(A, A^T). D always comes from row sums of the matrix it
 * scales; a row without links scales by 0. Entries that come out as 0 are not stored. */
#ifndef GND_GRAPH_OPERATOR_H
#define GND_GRAPH_OPERATOR_H

#include "kern/csr.h"

typedef enum {
    GND_OP_W,            /* diag(g)^-1 A+, the random walk */
    GND_OP_S,            /* g^-1/2 A+ g^-1/2 */
    GND_OP_S_TRANSPOSED, /* g^-1/2 (A+)^T g^-1/2, g still from rows: the quirk of the GCN release */
    GND_OP_S_SYMMETRISED, /* S of max(A, A^T) */
    GND_OP_S_MIXHOP,      /* S of max(A, A^T) with each loop replaced by one self-link */
    GND_OP_LN,            /* I - d^-1/2 A d^-1/2, no loops added; d = 0 gives 0 */
    GND_OP_LN_TRANSPOSED, /* I - d^-1/2 A^T d^-1/2 */
    GND_OP_S0,            /* d^-1/2 As d^-1/2 without loops */
    GND_OP_ADINV,         /* As D^-1 without loops */
    GND_OP_DINVA,         /* D^-1 As without loops */
    GND_OP_P_DCNN         /* As (D + I)^-1, stored loops stay */
} gnd_operator_kind;

typedef struct {
    gnd_csr a;  /* [n, n] with values */
    gnd_csr at; /* its transpose; borrows a's arrays if a is symmetric */
    bool shared;
} gnd_operator;

/* adj is read, not kept. */
gnd_status gnd_operator_init(gnd_operator *op, gnd_operator_kind kind, const gnd_csr *adj,
                             gnd_error *err);
void gnd_operator_fini(gnd_operator *op);

/* (2 / lambda) L - I for the Laplacian op holds, in its place and in that of its adjoint: the
 * spectrum [0, lambda] goes to [-1, 1], where Chebyshev polynomials live. Entries that come out as
 * 0 - the diagonal at lambda = 2 - are not stored. On failure op is as it was. */
gnd_status gnd_operator_to_cheby(gnd_operator *op, double lambda, gnd_error *err);

#endif
