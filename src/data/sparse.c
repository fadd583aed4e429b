/* SPDX-License-Identifier: MIT
 * sparse.c - checks and repairs of sparse matrices that come from files. */
#include "sparse.h"

#include <stdlib.h>

#include "base/alloc.h"

gnd_status gnd_sparse_check_ptr(const int64_t *ptr, int64_t n_row, int64_t nnz, const char *what,
                                gnd_error *err)
{
    if (ptr[0] != 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: row 0 starts at entry %lld; expected 0", what,
                        (long long)ptr[0]);
    for (int64_t i = 0; i < n_row; i++)
        if (ptr[i + 1] < ptr[i])
            return gnd_fail(err, GND_ERR_FORMAT,
                            "%s: row %lld ends at entry %lld, before it starts", what, (long long)i,
                            (long long)ptr[i + 1]);
    if (ptr[n_row] != nnz)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: rows end at entry %lld; expected %lld", what,
                        (long long)ptr[n_row], (long long)nnz);
    return GND_OK;
}

typedef struct {
    int32_t col;
    int64_t at; /* place in the file: ties keep their order, so sums are the same everywhere */
    gnd_real val;
} entry;

static int entry_cmp(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Length of the longest row whose columns do not ascend; -1: all do. */
static int64_t longest_untidy(const gnd_csr *a)
{
    int64_t longest = -1;

    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i] + 1; p < a->ptr[i + 1]; p++)
            if (a->col[p] <= a->col[p - 1]) {
                if (a->ptr[i + 1] - a->ptr[i] > longest)
                    longest = a->ptr[i + 1] - a->ptr[i];
                break;
            }
    return longest;
}

gnd_status gnd_sparse_tidy(gnd_csr *a, int64_t *n_merged, gnd_error *err)
{
    const int64_t longest = longest_untidy(a), before = gnd_csr_nnz(a);
    entry *e;
    int64_t q = 0, begin = 0;

    *n_merged = 0;
    if (longest < 0)
        return GND_OK;
    e = gnd_realloc(NULL, longest, sizeof *e);
    if (!e)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to sort a row of %lld entries",
                        (long long)longest);
    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t end = a->ptr[i + 1], first = q;
        bool sorted = true;

        for (int64_t p = begin + 1; p < end && sorted; p++)
            sorted = a->col[p] > a->col[p - 1];
        for (int64_t p = begin; p < end && !sorted; p++)
            e[p - begin] = (entry){a->col[p], p, gnd_csr_val(a, p)};
        if (!sorted)
            qsort(e, (size_t)(end - begin), sizeof *e, entry_cmp);
        for (int64_t p = begin; p < end; p++) {
            const int32_t col = sorted ? a->col[p] : e[p - begin].col;
            const gnd_real val = sorted ? gnd_csr_val(a, p) : e[p - begin].val;

            if (q > first && a->col[q - 1] == col) {
                if (a->val)
                    a->val[q - 1] += val;
                continue;
            }
            a->col[q] = col;
            if (a->val)
                a->val[q] = val;
            q++;
        }
        begin = end;
        a->ptr[i + 1] = q;
    }
    gnd_free(e);
    *n_merged = before - q;
    return GND_OK;
}

int64_t gnd_sparse_drop_zeros(gnd_csr *a)
{
    const int64_t before = gnd_csr_nnz(a);
    int64_t q = 0, begin = 0;

    if (!a->val)
        return 0;
    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t end = a->ptr[i + 1];

        for (int64_t p = begin; p < end; p++)
            if (a->val[p] != 0) {
                a->col[q] = a->col[p];
                a->val[q++] = a->val[p];
            }
        begin = end;
        a->ptr[i + 1] = q;
    }
    return before - q;
}

gnd_status gnd_sparse_from_dense(gnd_csr *out, const gnd_real *x, int64_t n_row, int64_t n_col,
                                 bool fortran, gnd_error *err)
{
    const int64_t by_row = fortran ? 1 : n_col, by_col = fortran ? n_row : 1;
    int64_t nnz = 0, q = 0;
    gnd_status st;

    for (int64_t p = 0; p < n_row * n_col; p++)
        nnz += x[p] != 0;
    st = gnd_csr_init(out, n_row, n_col, nnz, true, err);
    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < n_row; i++) {
        for (int64_t j = 0; j < n_col; j++) {
            const gnd_real v = x[i * by_row + j * by_col];

            if (v != 0) {
                out->col[q] = (int32_t)j;
                out->val[q++] = v;
            }
        }
        out->ptr[i + 1] = q;
    }
    return GND_OK;
}
