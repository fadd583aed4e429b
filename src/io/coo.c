/* SPDX-License-Identifier: MIT
 * coo.c - a sparse matrix in coordinate form, a list of (row, column, value) that grows as a reader
 * finds entries. At the end it becomes compressed rows. */
#include "coo.h"

#include "base/alloc.h"

static gnd_status no_memory(const gnd_coo *t, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for more than %lld entries", (long long)t->n);
}

static gnd_status grow(gnd_coo *t, gnd_error *err)
{
    const int64_t cap = t->cap ? 2 * t->cap : 1024;
    int32_t *row = gnd_realloc(t->row, cap, sizeof *row), *col;

    if (!row)
        return no_memory(t, err);
    t->row = row;
    col = gnd_realloc(t->col, cap, sizeof *col);
    if (!col)
        return no_memory(t, err);
    t->col = col;
    if (t->val) {
        gnd_real *val = gnd_realloc(t->val, cap, sizeof *val);

        if (!val)
            return no_memory(t, err);
        t->val = val;
    }
    t->cap = cap;
    return GND_OK;
}

gnd_status gnd_coo_add(gnd_coo *t, int32_t row, int32_t col, double val, gnd_error *err)
{
    if (t->n == t->cap) {
        const gnd_status st = grow(t, err);

        if (st != GND_OK)
            return st;
    }
    if (!t->val && val != 1) {
        t->val = gnd_realloc(NULL, t->cap, sizeof *t->val);
        if (!t->val)
            return no_memory(t, err);
        for (int64_t p = 0; p < t->n; p++)
            t->val[p] = 1;
    }
    t->row[t->n] = row;
    t->col[t->n] = col;
    if (t->val)
        t->val[t->n] = (gnd_real)val;
    t->n++;
    return GND_OK;
}

gnd_status gnd_coo_add_arcs(gnd_coo *t, const uint64_t *key, int64_t n, gnd_error *err)
{
    gnd_status st = GND_OK;

    while (t->cap - t->n < n)
        GND_TRY(grow(t, err));
    for (int64_t k = 0; k < n; k++) {
        t->row[t->n + k] = (int32_t)(key[k] >> 32);
        t->col[t->n + k] = (int32_t)(key[k] & UINT32_MAX);
    }
    for (int64_t k = 0; t->val && k < n; k++)
        t->val[t->n + k] = 1;
    t->n += n;
out:
    return st;
}

void gnd_coo_fini(gnd_coo *t)
{
    gnd_free(t->row);
    gnd_free(t->col);
    gnd_free(t->val);
    *t = (gnd_coo){0};
}

gnd_status gnd_coo_to_csr(gnd_csr *out, const gnd_coo *t, int64_t n_row, int64_t n_col,
                          int64_t *n_dup, gnd_error *err)
{
    const gnd_status st = gnd_csr_from_triplets(
        out, &(gnd_triplets){n_row, n_col, t->n, t->row, t->col, t->val}, GND_DUP_MAX, n_dup, err);

    if (st == GND_OK)
        gnd_csr_drop_ones(out);
    return st;
}
