/* SPDX-License-Identifier: MIT
 * spmm.c - y = A z for a sparse operator.  A: [n, n], z, y: [n, f].
 *
 *     dz = A^T dy, by rows of the transpose, so that no two threads write to the same row. */
#include "tape/op.h"

static void spmm_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    const gnd_real *z = gnd_tape_node(t, y->in[0])->v;

    if (gnd_panels_pay(o->a, y->cols))
        gnd_panels_power(t, y->v, &(gnd_product){.a = o->a, .x = z, .f = y->cols}, 1, false);
    else
        gnd_spmm_operator(t, y->v, &(gnd_product){.a = o->a, .x = z, .f = y->cols});
}

static void spmm_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    gnd_node *z = gnd_tape_node(t, y->in[0]);

    if (gnd_panels_pay(o->a, y->cols))
        gnd_panels_power(t, z->g, &(gnd_product){.a = o->at, .x = y->g, .f = y->cols}, 1, true);
    else
        gnd_spmm_operator(t, z->g,
                          &(gnd_product){.a = o->at, .x = y->g, .f = y->cols, .c = 1, .z = z->g});
}

const gnd_op gnd_op_spmm = {.name = "spmm", .forward = spmm_forward, .backward = spmm_backward};

gnd_var gnd_spmm(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z)
{
    const gnd_operator_arg *o = gnd_operator_arg_new(t, "spmm", a, at, z, 1);

    if (!o)
        return GND_NONE;
    return gnd_tape_record(t, &gnd_op_spmm, 1, &z, (gnd_shape){a->n_row, gnd_tape_node(t, z)->cols},
                           o);
}

gnd_var gnd_spmm_requested(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z)
{
    if (!t->request)
        return gnd_spmm(t, a, at, z);
    return gnd_matmul(t, gnd_requested(t, gnd_input(t, a)), z);
}
