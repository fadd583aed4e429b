/* SPDX-License-Identifier: MIT
 * narrow_cases.h - the kernels on matrices with columns of 16 bits: part of kern_cases.h. Each has
 * the bits of ref on the same matrix with columns of 32 bits and a value per entry. */

enum { NARROW_ONE, NARROW_OF_ROW, NARROW_OWN }; /* what values are kept */

/* Sets the values of a, and makes its narrow form, which shares them if they are its own. */
static gnd_csr narrow_of(gnd_csr *a, int how)
{
    gnd_csr y = *a;

    y.col = NULL;
    y.col16 = gnd_alloc(gnd_csr_nnz(a), sizeof *y.col16);
    y.row_val = how == NARROW_OF_ROW ? gnd_alloc(a->n_row, sizeof *y.row_val) : NULL;
    y.val = how == NARROW_OWN ? a->val : NULL;
    for (int64_t i = 0; i < a->n_row; i++) {
        if (y.row_val)
            y.row_val[i] = (gnd_real)(gnd_rng_uniform(5, 1, (uint64_t)i) * 2 - 1);
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            y.col16[p] = (uint16_t)a->col[p];
            if (how != NARROW_OWN)
                a->val[p] = y.row_val ? y.row_val[i] : 1;
        }
    }
    return y;
}

static void narrow_product_case(const gnd_csr *a, const gnd_csr *narrow, int64_t f, bool with_z)
{
    const int64_t n = a->n_row, ys = f + 3, xs = f + 5, r0 = 2, r1 = n - 1;
    gnd_real *x = numbers(a->n_col * xs, 1), *y0 = numbers(n * ys, 2), *ref = copy(y0, n * ys);
    gnd_columns_of p = {ref, x, with_z ? ref : NULL, (gnd_real)0.3, a->n_col, f, ys, xs};

    gnd_kern_ref.spmm_columns(&p, a, r0, r1);
    for (int t = 0; gnd_kern_at(t); t++) {
        p.y = copy(y0, n * ys);
        p.z = with_z ? p.y : NULL;
        gnd_kern_at(t)->spmm_columns(&p, narrow, r0, r1);
        check_bits(p.y, ref, n * ys, "spmm_columns of narrow rows", f);
        gnd_free(p.y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
}

static void narrow_blocks_case(const gnd_csr *a, const gnd_csr *narrow, int64_t f)
{
    const int64_t n = 5, tall = a->n_row * f + 3, wide = a->n_col * f + 5, r0 = 1,
                  r1 = a->n_row - 2;
    gnd_real *x = numbers(n * tall, 1), *w = numbers(n * wide, 2), *y = copy(x, n * tall);
    gnd_real *back = copy(w, n * wide);

    gnd_kern_ref.spmm_blocks(y, tall, a, w, wide, f, n, r0, r1);
    gnd_kern_ref.spmm_t_blocks(back, wide, a, x, tall, f, n, r0, r1);
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *out = copy(x, n * tall), *sum = copy(w, n * wide);

        gnd_kern_at(t)->spmm_blocks(out, tall, narrow, w, wide, f, n, r0, r1);
        check_bits(out, y, n * tall, "spmm_blocks of narrow rows", f);
        gnd_kern_at(t)->spmm_t_blocks(sum, wide, narrow, x, tall, f, n, r0, r1);
        check_bits(sum, back, n * wide, "spmm_t_blocks of narrow rows", f);
        gnd_free(out);
        gnd_free(sum);
    }
    gnd_free(x);
    gnd_free(w);
    gnd_free(y);
    gnd_free(back);
}

/* Short rows and long ones, of which two are summed at a time. */
static void narrow_agrees(void **state)
{
    static const int64_t n_cols[] = {17, 150};

    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int64_t s = 0; s < LENGTH(n_cols); s++)
            for (int how = NARROW_ONE; how <= NARROW_OWN; how++) {
                gnd_csr a, narrow;

                sparse(&a, 23, n_cols[s], true);
                narrow = narrow_of(&a, how);
                narrow_product_case(&a, &narrow, widths[w], false);
                narrow_product_case(&a, &narrow, widths[w], true);
                narrow_blocks_case(&a, &narrow, widths[w]);
                gnd_free(narrow.col16);
                gnd_free(narrow.row_val);
                gnd_csr_fini(&a);
            }
}

/* Columns whose number has its highest bit set. */
static void narrow_far_columns(void **state)
{
    enum { COLS = 65536 };

    (void)state;
    for (int64_t f = 1; f <= 20; f++) {
        gnd_csr a, narrow;

        sparse(&a, 9, 40, true);
        a.n_col = COLS;
        for (int64_t p = 0; p < gnd_csr_nnz(&a); p++)
            a.col[p] = COLS - 1 - 1500 * a.col[p];
        narrow = narrow_of(&a, NARROW_OWN);
        narrow_product_case(&a, &narrow, f, false);
        if (f == 16)
            narrow_blocks_case(&a, &narrow, f);
        gnd_free(narrow.col16);
        gnd_csr_fini(&a);
    }
}

/* Exactly as much room as is needed. */
static void narrow_pack_case(const uint64_t *bits, int64_t n, bool with_val)
{
    const gnd_real scale = (gnd_real)1.7;
    gnd_real *val = numbers(n, 1);
    uint16_t *col = gnd_alloc(n, sizeof *col);
    int64_t m = 0;

    for (int64_t i = 0; i < n; i++) {
        col[i] = (uint16_t)(65535 - 3 * i);
        m += (int64_t)(bits[i / 64] >> (i % 64) & 1);
    }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = with_val ? gnd_alloc(m, sizeof *y) : NULL;
        uint16_t *c = gnd_alloc(m, sizeof *c);

        gnd_kern_at(t)->pack16(c, y, col, with_val ? val : NULL, scale, bits, n);
        for (int64_t i = 0, q = 0; i < n; i++)
            if (bits[i / 64] >> (i % 64) & 1) {
                assert_int_equal(c[q], col[i]);
                assert_true(!y || y[q] == val[i] * scale);
                q++;
            }
        gnd_free(y);
        gnd_free(c);
    }
    gnd_free(val);
    gnd_free(col);
}
