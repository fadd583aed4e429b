/* SPDX-License-Identifier: MIT
 * norm.c - feature rows divided by their sum or their Euclidean norm. */
#include "norm.h"

#include <math.h>

#include "base/alloc.h"

/* The divisor of a row; 0: the row is not changed. */
static double row_size(const gnd_csr *x, int64_t i, gnd_feat_norm how)
{
    double sum = 0;

    for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++) {
        const double v = how == GND_FEAT_BINARY_L2 ? 1 : (double)gnd_csr_val(x, p);

        sum += how == GND_FEAT_ROW_L1 ? v : v * v;
    }
    return how == GND_FEAT_ROW_L1 ? sum : sqrt(sum);
}

gnd_status gnd_feat_normalise(gnd_csr *out, const gnd_csr *x, gnd_feat_norm how, gnd_error *err)
{
    const bool binary = how == GND_FEAT_BINARY || how == GND_FEAT_BINARY_L2;
    gnd_csr in = *x;
    gnd_status st;

    if (binary)
        in.val = NULL;
    *out = (gnd_csr){0};
    if (how == GND_FEAT_RAW || how == GND_FEAT_BINARY)
        return gnd_csr_copy(out, &in, err);
    GND_TRY(gnd_csr_copy(out, &in, err));
    if (!out->val)
        out->val = gnd_alloc(gnd_csr_nnz(x), sizeof *out->val);
    if (!out->val)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld feature values",
                         (long long)gnd_csr_nnz(x)));
    for (int64_t i = 0; i < x->n_row; i++) {
        const double size = row_size(&in, i, how);

        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++) {
            const double v = (double)gnd_csr_val(&in, p);

            out->val[p] = (gnd_real)(size != 0 ? v / size : v);
        }
    }
out:
    if (st != GND_OK)
        gnd_csr_fini(out);
    return st;
}
