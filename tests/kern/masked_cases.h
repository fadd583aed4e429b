/* SPDX-License-Identifier: MIT
 * masked_cases.h - the kernels with dropout against ref on the kept entries alone: part of
 * kern_cases.h. */

/* Runs of rows of 0 to 9 and of 127 entries. The last bit is that of the last entry; long rows
 * start at bits 0, 6 and 7 of a byte. */
enum { RUNS = 11, RUN_ROWS = 3, LONGEST = 127, MASKED_ROWS = RUNS * RUN_ROWS };
enum { MASKED_NNZ = RUN_ROWS * ((RUNS - 1) * (RUNS - 2) / 2 + LONGEST) };
enum { MASKED_WORDS = (MASKED_NNZ + 63) / 64 + 1, MASKED_X = 19 /* rows of x */ };

/* Arrays of their own, so that a sanitizer sees what is read after them. */
typedef struct {
    gnd_masked_rows run[RUNS];
    int32_t row[MASKED_ROWS], *col;
    uint64_t first[MASKED_ROWS], *mask;
    gnd_real *val;
} masked_runs;

/* Dropped entries, and only they, are of row 0 of x. */
static masked_runs *masked_runs_new(void)
{
    masked_runs *m = gnd_alloc(1, sizeof *m);
    int64_t p = 0;

    m->val = numbers(MASKED_NNZ, 3);
    m->col = gnd_alloc(MASKED_NNZ, sizeof *m->col);
    m->mask = gnd_alloc(MASKED_WORDS, sizeof *m->mask);
    for (int64_t w = 0; w < MASKED_WORDS; w++)
        m->mask[w] = gnd_hash_at(5, (uint64_t)w);
    for (int64_t i = 0; i < MASKED_ROWS; i++) {
        const int64_t r = i / RUN_ROWS, len = r < RUNS - 1 ? r : LONGEST;

        m->row[i] = (int32_t)(i * 14 % (2 * MASKED_ROWS)) + 1;
        if (i % RUN_ROWS == 0)
            m->run[r] =
                (gnd_masked_rows){m->row + i, m->col + p, m->val + p, m->first + i, RUN_ROWS, len};
        m->first[i] = (uint64_t)(MASKED_NNZ - p - len); /* bits in the opposite order of rows */
        for (int64_t e = 0; e < len; e++, p++) {
            const uint64_t bit = m->first[i] + (uint64_t)e;

            m->col[p] = m->mask[bit / 64] >> bit % 64 & 1
                            ? 1 + (int32_t)(gnd_hash_at(4, (uint64_t)p) % (MASKED_X - 1))
                            : 0;
        }
    }
    return m;
}

/* The same by ref from the kept entries of each row. */
static void masked_plain(const gnd_columns_of *p, const masked_runs *m)
{
    const int64_t f = p->f;
    int64_t e = 0;

    for (int64_t i = 0; i < MASKED_ROWS; i++) {
        gnd_real val[LONGEST];
        int32_t col[LONGEST];
        int64_t ptr[2] = {0, 0};
        const gnd_csr a = {.n_row = 1, .n_col = p->m, .ptr = ptr, .col = col, .val = val};

        for (int64_t end = e + m->run[i / RUN_ROWS].len; e < end; e++)
            if (m->col[e] != 0) {
                col[ptr[1]] = m->col[e];
                val[ptr[1]++] = m->val[e];
            }
        gnd_kern_ref.spmm(p->y + m->row[i] * f, &a, p->x, f, p->c,
                          p->z ? p->z + m->row[i] * f : NULL, 0, 1);
    }
}

/* A dropped NaN does not come out. */
static void spmm_masked_case(int64_t f, bool with_z)
{
    const int64_t size = 2 * MASKED_ROWS * f;
    masked_runs *m = masked_runs_new();
    gnd_real *x = numbers(MASKED_X * f, 1), *z = numbers(size, 2), *want = copy(z, size);
    gnd_columns_of p = {want, x, with_z ? z : NULL, (gnd_real)0.7, MASKED_X, f, f, f};

    for (int64_t k = 0; k < f; k++)
        x[k] = (gnd_real)NAN; /* row 0 */
    masked_plain(&p, m);
    for (int t = 0; gnd_kern_at(t); t++) {
        p.y = copy(z, size);
        p.z = with_z ? p.y : NULL; /* y may be z */
        gnd_kern_at(t)->spmm_masked(&p, m->run, RUNS, m->mask);
        check_bits(p.y, want, size, "spmm_masked", f);
        gnd_free(p.y);
    }
    gnd_free(m->val);
    gnd_free(m->col);
    gnd_free(m->mask);
    gnd_free(m);
    gnd_free(x);
    gnd_free(z);
    gnd_free(want);
}

static void spmm_masked_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int with_z = 0; with_z < 2; with_z++)
            spmm_masked_case(widths[w], with_z);
}

/* The rows of `a` are those of another matrix in the opposite order: ref has the bits of the
 * kept entries packed. */
static void spmm_t_kept_case(const gnd_csr *a, int64_t f)
{
    const int64_t n = a->n_row, m = a->n_col, nnz = gnd_csr_nnz(a), words = (nnz + 63) / 64 + 1;
    gnd_real *x = numbers(n * f, 1), *y0 = numbers(m * f, 2);
    gnd_real *ref = copy(y0, m * f), *want = copy(y0, m * f);
    uint64_t *mask = gnd_alloc(words, sizeof *mask);
    int64_t *at = gnd_alloc(n, sizeof *at), *ptr = gnd_alloc(n + 1, sizeof *ptr);
    int32_t *row = gnd_alloc(n, sizeof *row), *col = gnd_alloc(nnz + 1, sizeof *col);
    gnd_real *val = gnd_alloc(nnz + 1, sizeof *val);
    const gnd_kept_entries kept = {mask, at, row, (gnd_real)1.7};
    const gnd_csr packed = {.n_row = n, .n_col = m, .ptr = ptr, .col = col, .val = val};

    for (int64_t w = 0; w < words; w++)
        mask[w] = gnd_hash_at(6, (uint64_t)w);
    ptr[0] = 0;
    for (int64_t i = 0; i < n; i++) { /* the last row comes first in the mask */
        row[i] = (int32_t)(n - 1 - i);
        at[row[i]] = nnz - a->ptr[i + 1];
        ptr[i + 1] = ptr[i];
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int64_t bit = at[row[i]] + p - a->ptr[i];

            if (mask[bit / 64] >> bit % 64 & 1) {
                col[ptr[i + 1]] = a->col[p];
                val[ptr[i + 1]++] = gnd_csr_val(a, p) * kept.scale;
            }
        }
    }
    gnd_kern_ref.spmm_t_kept(ref, a, x, f, &kept, 1, n);
    gnd_kern_ref.spmm_t(want, &packed, x, f, 1, n);
    check_bits(ref, want, m * f, "spmm_t_kept without the dropped entries", f);
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, m * f);

        gnd_kern_at(t)->spmm_t_kept(y, a, x, f, &kept, 1, n);
        check_bits(y, ref, m * f, "spmm_t_kept", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
    gnd_free(want);
    gnd_free(mask);
    gnd_free(at);
    gnd_free(ptr);
    gnd_free(row);
    gnd_free(col);
    gnd_free(val);
}

static void spmm_t_kept_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int v = 0; v < 2; v++) {
            gnd_csr a;

            sparse(&a, 40, 130, v); /* rows of several words of the mask, which start at any bit */
            spmm_t_kept_case(&a, widths[w]);
            gnd_csr_fini(&a);
        }
}
