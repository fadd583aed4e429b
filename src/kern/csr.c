/* SPDX-License-Identifier: MIT
 * csr.c - construction, transposition and checks of sparse matrices. */
#include "csr.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { CHECK_BLOCK = 1 << 16 }; /* entries whose faults a 32-bit number counts */

gnd_status gnd_csr_init(gnd_csr *a, int64_t n_row, int64_t n_col, int64_t nnz, bool with_val,
                        gnd_error *err)
{
    *a = (gnd_csr){.n_row = n_row, .n_col = n_col};
    a->ptr = gnd_alloc(n_row + 1, sizeof *a->ptr);
    a->col = gnd_alloc(nnz, sizeof *a->col);
    a->val = with_val ? gnd_alloc(nnz, sizeof *a->val) : NULL;
    if (!a->ptr || !a->col || (with_val && !a->val)) {
        gnd_csr_fini(a);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a sparse matrix of %lld entries",
                        (long long)nnz);
    }
    return GND_OK;
}

void gnd_csr_fini(gnd_csr *a)
{
    if (!(a->borrowed & GND_CSR_PTR))
        gnd_free(a->ptr);
    if (!(a->borrowed & GND_CSR_COL))
        gnd_free(a->col);
    if (!(a->borrowed & GND_CSR_VAL))
        gnd_free(a->val);
    *a = (gnd_csr){0};
}

gnd_status gnd_csr_copy(gnd_csr *out, const gnd_csr *a, gnd_error *err)
{
    const int64_t nnz = gnd_csr_nnz(a);
    const gnd_status st = gnd_csr_init(out, a->n_row, a->n_col, nnz, a->val != NULL, err);

    if (st != GND_OK || !a->ptr)
        return st;
    memcpy(out->ptr, a->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr);
    memcpy(out->col, a->col, (size_t)nnz * sizeof *a->col);
    if (a->val)
        memcpy(out->val, a->val, (size_t)nnz * sizeof *a->val);
    return GND_OK;
}

/* Places each triplet in its row: a stable counting sort. */
static void place_by_row(gnd_csr *a, int64_t nnz, const int32_t *row, const int32_t *col,
                         const gnd_real *val)
{
    for (int64_t p = 0; p < nnz; p++)
        a->ptr[row[p] + 1]++;
    for (int64_t i = 0; i < a->n_row; i++)
        a->ptr[i + 1] += a->ptr[i];
    for (int64_t p = 0; p < nnz; p++) {
        const int64_t q = a->ptr[row[p]]++; /* ptr[i] becomes the start of row i + 1 */

        a->col[q] = col[p];
        if (a->val)
            a->val[q] = val[p];
    }
    memmove(a->ptr + 1, a->ptr, (size_t)a->n_row * sizeof *a->ptr);
    a->ptr[0] = 0;
}

/* Merges equal columns of each (sorted) row in place. Returns the number of entries removed. */
static int64_t merge_equal(gnd_csr *a, gnd_dup dup)
{
    const int64_t before = gnd_csr_nnz(a);
    int64_t q = 0, begin = 0;

    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t first = q, end = a->ptr[i + 1];

        for (int64_t p = begin; p < end; p++) {
            if (q > first && a->col[q - 1] == a->col[p]) {
                if (a->val && dup == GND_DUP_SUM)
                    a->val[q - 1] += a->val[p];
                else if (a->val && a->val[p] > a->val[q - 1])
                    a->val[q - 1] = a->val[p];
                continue;
            }
            a->col[q] = a->col[p];
            if (a->val)
                a->val[q] = a->val[p];
            q++;
        }
        begin = end;
        a->ptr[i + 1] = q;
    }
    return before - q;
}

gnd_status gnd_csr_from_triplets(gnd_csr *out, const gnd_triplets *t, gnd_dup dup, int64_t *n_dup,
                                 gnd_error *err)
{
    const int64_t nnz = t->nnz;
    gnd_csr by_col = {0};
    int32_t *row_of = NULL;
    int64_t merged;
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    /* Two stable counting sorts, by column and then by row, take linear time in nnz. */
    GND_TRY(gnd_csr_init(&by_col, t->n_col, t->n_row, nnz, t->val != NULL, err));
    place_by_row(&by_col, nnz, t->col, t->row, t->val);
    GND_TRY(gnd_csr_init(out, t->n_row, t->n_col, nnz, t->val != NULL, err));
    row_of = gnd_alloc(nnz, sizeof *row_of);
    if (!row_of)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to sort %lld entries", (long long)nnz));
    for (int64_t j = 0; j < t->n_col; j++)
        for (int64_t p = by_col.ptr[j]; p < by_col.ptr[j + 1]; p++)
            row_of[p] = (int32_t)j;
    place_by_row(out, nnz, by_col.col, row_of, by_col.val);
    merged = merge_equal(out, dup);
    if (n_dup)
        *n_dup = merged;
out:
    gnd_free(row_of);
    gnd_csr_fini(&by_col);
    if (st != GND_OK)
        gnd_csr_fini(out);
    return st;
}

gnd_status gnd_csr_transpose(gnd_csr *out, const gnd_csr *a, gnd_error *err)
{
    const gnd_status st =
        gnd_csr_init(out, a->n_col, a->n_row, gnd_csr_nnz(a), a->val != NULL, err);

    if (st != GND_OK)
        return st;
    for (int64_t p = 0; p < gnd_csr_nnz(a); p++)
        out->ptr[a->col[p] + 1]++;
    for (int64_t j = 0; j < a->n_col; j++)
        out->ptr[j + 1] += out->ptr[j];
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int64_t q = out->ptr[a->col[p]]++;

            out->col[q] = (int32_t)i;
            if (a->val)
                out->val[q] = a->val[p];
        }
    }
    memmove(out->ptr + 1, out->ptr, (size_t)out->n_row * sizeof *out->ptr);
    out->ptr[0] = 0;
    return GND_OK;
}

int64_t gnd_csr_find(const gnd_csr *a, int64_t i, int32_t j)
{
    const int32_t *at = a->col + a->ptr[i]; /* at most j, if an entry is */
    int64_t n = a->ptr[i + 1] - a->ptr[i];

    if (n == 0)
        return -1;
    while (n > 1) { /* without a branch, which would be mispredicted half of the time */
        const int64_t half = n / 2;

        at += at[half] <= j ? half : 0;
        n -= half;
    }
    return *at == j ? at - a->col : -1;
}

gnd_status gnd_csr_select(gnd_csr *out, const gnd_csr *a, gnd_row_list rows, const int32_t *col_new,
                          int64_t n_col, gnd_error *err)
{
    int64_t nnz = 0, q = 0;
    gnd_status st;

    for (int64_t r = 0; r < rows.n; r++)
        for (int64_t p = a->ptr[rows.row[r]]; p < a->ptr[rows.row[r] + 1]; p++)
            nnz += !col_new || col_new[a->col[p]] >= 0;
    st = gnd_csr_init(out, rows.n, n_col, nnz, a->val != NULL, err);
    if (st != GND_OK)
        return st;
    for (int64_t r = 0; r < rows.n; r++) {
        for (int64_t p = a->ptr[rows.row[r]]; p < a->ptr[rows.row[r] + 1]; p++) {
            const int32_t j = col_new ? col_new[a->col[p]] : a->col[p];

            if (j < 0)
                continue;
            out->col[q] = j;
            if (a->val)
                out->val[q] = a->val[p];
            q++;
        }
        out->ptr[r + 1] = q;
    }
    return GND_OK;
}

gnd_status gnd_csr_complete(gnd_csr *a, gnd_part *part, gnd_error *err)
{
    int64_t *len = part ? gnd_alloc(a->n_row, sizeof *len) : NULL, nnz = 0, at = 0;
    gnd_csr whole = {0};
    gnd_status st = GND_OK;

    if (!part)
        return GND_OK;
    if (!len)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows", (long long)a->n_row));
    for (int64_t i = 0; i < a->n_row; i++)
        len[i] = a->ptr[i + 1] - a->ptr[i];
    gnd_part_fill(part, len, sizeof *len);
    for (int64_t i = 0; i < a->n_row; i++)
        nnz += len[i];
    GND_TRY(gnd_csr_init(&whole, a->n_row, a->n_col, nnz, a->val != NULL, err));
    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t from = a->ptr[i], n = a->ptr[i + 1] - from;

        memcpy(whole.col + at, a->col + from, (size_t)n * sizeof *a->col);
        if (a->val)
            memcpy(whole.val + at, a->val + from, (size_t)n * sizeof *a->val);
        at += len[i];
        whole.ptr[i + 1] = at;
    }
    part->calls->fill_items(part, whole.ptr, whole.col, sizeof *whole.col);
    if (whole.val)
        part->calls->fill_items(part, whole.ptr, whole.val, sizeof *whole.val);
    gnd_csr_fini(a);
    *a = whole;
    GND_TRY(gnd_part_check(part, err));
out:
    gnd_free(len);
    return st;
}

gnd_status gnd_csr_own_rows(gnd_csr *out, const gnd_csr *a, const gnd_part *part, gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(part, a->n_row);
    const int64_t first = part ? a->ptr[own.begin] : 0;

    *out = *a;
    out->borrowed = GND_CSR_ARRAYS;
    if (!part)
        return GND_OK;
    out->ptr = gnd_alloc(a->n_row + 1, sizeof *out->ptr);
    out->borrowed = GND_CSR_COL | GND_CSR_VAL;
    out->symmetric = false;
    if (!out->ptr) {
        *out = (gnd_csr){0};
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows", (long long)a->n_row);
    }
    out->col = a->col + first;
    out->val = a->val ? a->val + first : NULL;
    for (int64_t i = own.begin; i < a->n_row; i++)
        out->ptr[i + 1] = a->ptr[i < own.end ? i + 1 : own.end] - first;
    return GND_OK;
}

void gnd_csr_drop_ones(gnd_csr *a)
{
    if (!a->val)
        return;
    for (int64_t p = 0; p < gnd_csr_nnz(a); p++)
        if (a->val[p] != 1)
            return;
    if (!(a->borrowed & GND_CSR_VAL))
        gnd_free(a->val);
    a->val = NULL;
    a->borrowed &= ~(unsigned)GND_CSR_VAL;
}

/* Are all columns in range, and ascending except where a row starts? Loops without branches, which
 * compilers vectorise: a graph that is mapped from a file is checked at each start. */
static bool columns_are_valid(const gnd_csr *a)
{
    const uint32_t last = a->n_col > INT32_MAX ? INT32_MAX : (uint32_t)(a->n_col - 1);
    const int64_t nnz = gnd_csr_nnz(a);
    int64_t n_down = 0, n_start = 0;
    uint32_t out = 0; /* the sign bit: a column is negative or beyond the last */

    for (int64_t begin = 0; begin < nnz; begin += CHECK_BLOCK) {
        const int64_t end = begin + CHECK_BLOCK < nnz ? begin + CHECK_BLOCK : nnz;
        int32_t down = 0;

        for (int64_t p = begin; p < end; p++)
            out |= (uint32_t)a->col[p] | (last - (uint32_t)a->col[p]);
        for (int64_t p = begin + (begin == 0); p < end; p++)
            down += a->col[p] <= a->col[p - 1];
        n_down += down;
    }
    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t p = a->ptr[i];

        n_start += p > 0 && p < a->ptr[i + 1] && a->col[p] <= a->col[p - 1];
    }
    return out >> 31 == 0 && n_down == n_start;
}

static bool values_are_finite(const gnd_csr *a)
{
    const int64_t nnz = a->val ? gnd_csr_nnz(a) : 0;
    bool finite = true;

    for (int64_t begin = 0; begin < nnz && finite; begin += CHECK_BLOCK) {
        const int64_t end = begin + CHECK_BLOCK < nnz ? begin + CHECK_BLOCK : nnz;
        int32_t n = 0;

        for (int64_t p = begin; p < end; p++)
            n += !(a->val[p] - a->val[p] == 0); /* inf - inf is NaN */
        finite = n == 0;
    }
    return finite;
}

/* The first entry that is not valid, for the message. */
static gnd_status entry_fail(const gnd_csr *a, const char *what, gnd_error *err)
{
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            if (a->col[p] < 0 || a->col[p] >= a->n_col)
                return gnd_fail(err, GND_ERR_FORMAT,
                                "row %lld of the %s matrix has column %d; expected 0 to %lld",
                                (long long)i, what, a->col[p], (long long)a->n_col - 1);
            if (p > a->ptr[i] && a->col[p] <= a->col[p - 1])
                return gnd_fail(err, GND_ERR_FORMAT,
                                "row %lld of the %s matrix has column %d after column %d",
                                (long long)i, what, a->col[p], a->col[p - 1]);
            if (a->val && !isfinite(a->val[p]))
                return gnd_fail(err, GND_ERR_FORMAT,
                                "row %lld, column %d of the %s matrix is not a finite number",
                                (long long)i, a->col[p], what);
        }
    }
    return GND_OK;
}

gnd_status gnd_csr_check(const gnd_csr *a, const char *what, gnd_error *err)
{
    if (!a->ptr)
        return a->n_row == 0 ? GND_OK
                             : gnd_fail(err, GND_ERR_FORMAT, "the %s matrix has no rows", what);
    if (a->ptr[0] != 0)
        return gnd_fail(err, GND_ERR_FORMAT, "the %s matrix does not start at entry 0", what);
    /* All of ptr first: an entry is read only if it is before the last one. */
    for (int64_t i = 0; i < a->n_row; i++)
        if (a->ptr[i + 1] < a->ptr[i])
            return gnd_fail(err, GND_ERR_FORMAT, "row %lld of the %s matrix ends before it starts",
                            (long long)i, what);
    return columns_are_valid(a) && values_are_finite(a) ? GND_OK : entry_fail(a, what, err);
}
