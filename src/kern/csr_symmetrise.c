/* SPDX-License-Identifier: MIT
 * csr_symmetrise.c - is A = A^T? max(A, A^T), and A without its diagonal. */
#include "csr.h"

#include <string.h>

#include "base/alloc.h"

/* Row j of a symmetric matrix lists the rows that have an entry in column j, in ascending order:
 * next[j] is the position of the one that the loop over all rows meets next. next: [n_row]. */
static bool rows_meet(const gnd_csr *a, int64_t *next)
{
    if (a->n_row > 0)
        memcpy(next, a->ptr, (size_t)a->n_row * sizeof *next);
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int64_t j = a->col[p], q = next[j]++;

            if (q == a->ptr[j + 1] || a->col[q] != i || (a->val && a->val[q] != a->val[p]))
                return false;
        }
    }
    return true;
}

bool gnd_csr_is_symmetric(const gnd_csr *a)
{
    int64_t *next =
        a->n_row == a->n_col && !a->symmetric ? gnd_alloc_raw(a->n_row, sizeof *next) : NULL;
    const bool symmetric = a->symmetric || (next && rows_meet(a, next));

    gnd_free(next);
    return symmetric;
}

gnd_status gnd_csr_transpose_or_borrow(gnd_csr *out, const gnd_csr *a, gnd_error *err)
{
    if (!gnd_csr_is_symmetric(a))
        return gnd_csr_transpose(out, a, err);
    *out = *a;
    out->borrowed = GND_CSR_ARRAYS;
    out->symmetric = true;
    return GND_OK;
}

/* Merges row i of a and of its transpose into out (NULL: only counts), from position q on.
 * Returns the next position. An entry stored on one side only keeps its value, since weights are
 * not negative. */
static int64_t merge_row(gnd_csr *out, int64_t q, const gnd_csr *a, const gnd_csr *at, int64_t i)
{
    int64_t p = a->ptr[i], r = at->ptr[i];

    while (p < a->ptr[i + 1] || r < at->ptr[i + 1]) {
        const bool in_a = p < a->ptr[i + 1] && (r == at->ptr[i + 1] || a->col[p] <= at->col[r]);
        const bool in_at = r < at->ptr[i + 1] && (p == a->ptr[i + 1] || at->col[r] <= a->col[p]);

        if (out) {
            out->col[q] = in_a ? a->col[p] : at->col[r];
            if (out->val) {
                const gnd_real v = in_a ? a->val[p] : at->val[r];

                out->val[q] = in_at && at->val[r] > v ? at->val[r] : v;
            }
        }
        q++;
        p += in_a;
        r += in_at;
    }
    return q;
}

gnd_status gnd_csr_symmetrise(gnd_csr *out, const gnd_csr *a, gnd_error *err)
{
    gnd_csr at = {0};
    int64_t nnz = 0;
    gnd_status st;

    *out = (gnd_csr){0};
    GND_TRY(gnd_csr_transpose_or_borrow(&at, a, err));
    if (at.borrowed) {
        *out = at;
        return GND_OK;
    }
    for (int64_t i = 0; i < a->n_row; i++)
        nnz = merge_row(NULL, nnz, a, &at, i);
    GND_TRY(gnd_csr_init(out, a->n_row, a->n_col, nnz, a->val != NULL, err));
    for (int64_t i = 0; i < a->n_row; i++)
        out->ptr[i + 1] = merge_row(out, out->ptr[i], a, &at, i);
    out->symmetric = true;
out:
    gnd_csr_fini(&at);
    return st;
}

bool gnd_csr_has_loops(const gnd_csr *a)
{
    bool loops = false;

    for (int64_t i = 0; i < a->n_row && !loops; i++)
        loops = gnd_csr_find(a, i, (int32_t)i) >= 0;
    return loops;
}

gnd_status gnd_csr_drop_loops(gnd_csr *out, const gnd_csr *a, int64_t *n_loop, gnd_error *err)
{
    int64_t loops = 0, q = 0;
    gnd_status st;

    *out = (gnd_csr){0};
    for (int64_t i = 0; i < a->n_row; i++)
        loops += gnd_csr_find(a, i, (int32_t)i) >= 0;
    GND_TRY(gnd_csr_init(out, a->n_row, a->n_col, gnd_csr_nnz(a) - loops, a->val != NULL, err));
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            if (a->col[p] == i)
                continue;
            out->col[q] = a->col[p];
            if (a->val)
                out->val[q] = a->val[p];
            q++;
        }
        out->ptr[i + 1] = q;
    }
    out->symmetric = a->symmetric;
    if (n_loop)
        *n_loop = loops;
out:
    return st;
}
