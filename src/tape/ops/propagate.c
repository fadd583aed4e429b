/* SPDX-License-Identifier: MIT
 * propagate.c - y = sum_k c_k A^k z or sum_k c_k T_k(A) z with constant c.  A: [n, n], z, y: [n,
 * f].
 *
 *     dz = sum_k c_k (A^T)^k dy,   or with T_k(A^T)
 *
 * The adjoint of a polynomial of A is the same polynomial of A^T. Nothing is stored for the
 * backward pass, and the gradient is exact for the truncated series. */
#include "linalg/poly.h"
#include "tape/op.h"

typedef struct {
    const gnd_csr *a, *at;
    gnd_series s; /* the coefficients are borrowed */
} propagate_arg;

static void propagate_forward(gnd_tape *t, gnd_node *y)
{
    const propagate_arg *o = y->arg;
    gnd_real *spare = o->s.n > 1 ? gnd_tape_alloc(t, gnd_node_size(y), sizeof *spare) : NULL;

    if (!gnd_tape_ok(t))
        return;
    y->save = spare;
    gnd_poly_apply(y->v, spare,
                   &(gnd_poly_product){o->a, NULL, o->s.basis, o->s.c, o->s.n,
                                       gnd_tape_node(t, y->in[0])->v, y->cols},
                   t->kern, t->pool);
}

static void propagate_backward(gnd_tape *t, gnd_node *y)
{
    const propagate_arg *o = y->arg;
    const int64_t size = gnd_node_size(y);
    gnd_real *v;

    if (o->s.n == 1) {
        gnd_add_scaled(t, gnd_tape_node(t, y->in[0])->g, (gnd_real)o->s.c[0], y->g, size);
        return;
    }
    v = gnd_tape_alloc(t, size, sizeof *v);
    if (!v)
        return;
    gnd_poly_apply(v, y->save,
                   &(gnd_poly_product){o->at, NULL, o->s.basis, o->s.c, o->s.n, y->g, y->cols},
                   t->kern, t->pool);
    gnd_add_scaled(t, gnd_tape_node(t, y->in[0])->g, 1, v, size);
}

const gnd_op gnd_op_propagate = {
    .name = "propagate",
    .forward = propagate_forward,
    .backward = propagate_backward,
};

gnd_var gnd_propagate(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, const gnd_series *s,
                      gnd_var z)
{
    propagate_arg *o;

    if (!gnd_operator_arg_new(t, "propagate", a, at, z, 0))
        return GND_NONE;
    if (s->n < 1)
        return gnd_tape_fail(t, GND_ERR_ARG, "propagate: %lld terms; expected 1 or more",
                             (long long)s->n);
    o = gnd_tape_alloc(t, 1, sizeof *o);
    if (!o)
        return GND_NONE;
    *o = (propagate_arg){.a = a, .at = at, .s = *s};
    return gnd_tape_record(t, &gnd_op_propagate, 1, &z,
                           (gnd_shape){a->n_row, gnd_tape_node(t, z)->cols}, o);
}
