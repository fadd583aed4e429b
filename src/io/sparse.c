/* SPDX-License-Identifier: MIT
 * sparse.c - check and repair sparse matrices read from files: row pointers, unsorted columns,
 * duplicate entries, stored zeros. */
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
    int64_t at; /* position in the file: equal columns keep their order, so that sums are the same
                   everywhere */
    gnd_real val;
} entry;

static int entry_cmp(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Length of the longest row whose columns are not ascending; -1: there is none. */
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

/* Scratch for one row: its entries, to be sorted, or one mark and value per column. */
typedef struct {
    entry *e;
    uint64_t *mark; /* [n_col / 64 + 1], all zero between rows; NULL: too many columns */
    gnd_real *sum;  /* [n_col] */
    int64_t n_word;
} scratch;

static bool row_sorted(const gnd_csr *a, int64_t begin, int64_t end)
{
    for (int64_t p = begin + 1; p < end; p++)
        if (a->col[p] <= a->col[p - 1])
            return false;
    return true;
}

static void put(gnd_csr *a, int64_t q, int32_t col, gnd_real val)
{
    a->col[q] = col;
    if (a->val)
        a->val[q] = val;
}

/* Move entries begin .. end-1 to position q and after, sorted. Returns the position after the
 * last. */
static int64_t row_by_sort(gnd_csr *a, int64_t q, int64_t begin, int64_t end, entry *e)
{
    const int64_t first = q;

    for (int64_t p = begin; p < end; p++)
        e[p - begin] = (entry){a->col[p], p, gnd_csr_val(a, p)};
    qsort(e, (size_t)(end - begin), sizeof *e, entry_cmp);
    for (int64_t k = 0; k < end - begin; k++) {
        if (q == first || a->col[q - 1] != e[k].col)
            put(a, q++, e[k].col, e[k].val);
        else if (a->val)
            a->val[q - 1] += e[k].val;
    }
    return q;
}

/* The same by marking columns and reading the marks in order: linear time, for rows that are not
 * too short. */
static int64_t row_by_marks(gnd_csr *a, int64_t q, int64_t begin, int64_t end, scratch *s)
{
    for (int64_t p = begin; p < end; p++) {
        const int32_t j = a->col[p];
        const uint64_t bit = UINT64_C(1) << (j & 63);

        s->sum[j] = s->mark[j >> 6] & bit ? s->sum[j] + gnd_csr_val(a, p) : gnd_csr_val(a, p);
        s->mark[j >> 6] |= bit;
    }
    for (int64_t w = 0; w < s->n_word; w++) {
        for (uint64_t m = s->mark[w]; m; m &= m - 1) {
            const int32_t j = (int32_t)(64 * w + __builtin_ctzll(m));

            put(a, q++, j, s->sum[j]);
        }
        s->mark[w] = 0;
    }
    return q;
}

gnd_status gnd_sparse_tidy(gnd_csr *a, int64_t *n_merged, gnd_error *err)
{
    const int64_t longest = longest_untidy(a), before = gnd_csr_nnz(a);
    scratch s = {.n_word = a->n_col / 64 + 1};
    int64_t q = 0, begin = 0;

    *n_merged = 0;
    if (longest < 0)
        return GND_OK;
    s.e = gnd_realloc(NULL, longest, sizeof *s.e);
    if (!s.e)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to sort a row of %lld entries",
                        (long long)longest);
    if (a->n_col <= 4 * before) { /* a speed-up only: without memory for it, rows are sorted */
        s.mark = gnd_alloc(s.n_word, sizeof *s.mark);
        s.sum = gnd_alloc(a->n_col, sizeof *s.sum);
    }
    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t end = a->ptr[i + 1];

        if (row_sorted(a, begin, end)) {
            for (int64_t p = begin; p < end; p++)
                put(a, q++, a->col[p], gnd_csr_val(a, p));
        } else if (s.mark && s.sum && s.n_word <= 8 * (end - begin)) {
            q = row_by_marks(a, q, begin, end, &s);
        } else {
            q = row_by_sort(a, q, begin, end, s.e);
        }
        begin = end;
        a->ptr[i + 1] = q;
    }
    gnd_free(s.e);
    gnd_free(s.mark);
    gnd_free(s.sum);
    *n_merged = before - q;
    return GND_OK;
}

int64_t gnd_sparse_drop_zeros(gnd_csr *a)
{
    const int64_t before = gnd_csr_nnz(a);
    int64_t q = 0, begin = 0;

    while (a->val && q < before && a->val[q] != 0)
        q++;
    if (!a->val || q == before)
        return 0;
    q = 0;
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
