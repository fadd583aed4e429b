/* SPDX-License-Identifier: MIT
 * power.c - y = A^k z for a sparse operator.  A: [n, n], z, y: [n, f].
 *
 *     dz = (A^T)^k dy
 *
 * Needs one buffer besides the result for any k: intermediate products are not stored. */
#include <string.h>

#include "tape/op.h"

static void power_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    const gnd_real *from = gnd_tape_node(t, y->in[0])->v;
    const bool panels = o->k > 0 && gnd_panels_pay(o->a, y->cols);
    gnd_real *spare =
        o->k > 1 && !panels ? gnd_tape_alloc(t, gnd_node_size(y), sizeof *spare) : NULL;

    if (!gnd_tape_ok(t))
        return;
    if (panels) {
        gnd_panels_power(t, y->v, &(gnd_product){.a = o->a, .x = from, .f = y->cols}, o->k, false);
        return;
    }
    if (o->k == 0)
        memcpy(y->v, from, (size_t)gnd_node_size(y) * sizeof *from);
    for (int64_t i = 0; i < o->k; i++) {
        gnd_real *to = (o->k - i) % 2 ? y->v : spare; /* the last product is written to y */

        gnd_spmm_operator(t, to, &(gnd_product){.a = o->a, .x = from, .f = y->cols});
        from = to;
    }
    y->save = spare;
}

static void power_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    gnd_node *z = gnd_tape_node(t, y->in[0]);
    gnd_real *spare[2] = {y->save, NULL};
    const gnd_real *from = y->g;

    if (o->k == 0) {
        gnd_add_scaled(t, z->g, 1, y->g, gnd_node_size(y));
        return;
    }
    if (gnd_panels_pay(o->a, y->cols)) {
        gnd_panels_power(t, z->g, &(gnd_product){.a = o->at, .x = y->g, .f = y->cols}, o->k, true);
        return;
    }
    if (o->k > 2) {
        spare[1] = gnd_tape_alloc(t, gnd_node_size(y), sizeof *spare[1]);
        if (!spare[1])
            return;
    }
    for (int64_t i = 0; i < o->k - 1; i++) {
        gnd_spmm_operator(t, spare[i % 2], &(gnd_product){.a = o->at, .x = from, .f = y->cols});
        from = spare[i % 2];
    }
    gnd_spmm_operator(t, z->g,
                      &(gnd_product){.a = o->at, .x = from, .f = y->cols, .c = 1, .z = z->g});
}

const gnd_op gnd_op_power = {
    .name = "power",
    .forward = power_forward,
    .backward = power_backward,
};

gnd_var gnd_power(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z, int64_t k)
{
    const gnd_operator_arg *o = gnd_operator_arg_new(t, "power", a, at, z, k);

    if (!o)
        return GND_NONE;
    return gnd_tape_record(t, &gnd_op_power, 1, &z,
                           (gnd_shape){a->n_row, gnd_tape_node(t, z)->cols}, o);
}
