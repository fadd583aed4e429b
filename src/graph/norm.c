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
    const int64_t nnz = gnd_csr_nnz(x);

    *out = *x;
    out->borrowed = GND_CSR_ARRAYS;
    if (how == GND_FEAT_BINARY || how == GND_FEAT_BINARY_L2)
        out->val = NULL;
    if (how == GND_FEAT_RAW || how == GND_FEAT_BINARY)
        return GND_OK;
    out->val = gnd_alloc_raw(nnz, sizeof *out->val);
    out->borrowed &= ~(unsigned)GND_CSR_VAL;
    if (!out->val) {
        gnd_csr_fini(out);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld feature values", (long long)nnz);
    }
    for (int64_t i = 0; i < x->n_row; i++) {
        const double size = row_size(x, i, how);

        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++) {
            const double v = how == GND_FEAT_BINARY_L2 ? 1 : (double)gnd_csr_val(x, p);

            out->val[p] = (gnd_real)(size != 0 ? v / size : v);
        }
    }
    return GND_OK;
}
