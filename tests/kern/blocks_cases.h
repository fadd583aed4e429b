/* SPDX-License-Identifier: MIT
 * blocks_cases.h - the kernels on columns and blocks of matrices, and on rows, against ref: part of
 * kern_cases.h. */

/* Columns of wider matrices: the same values, and the other columns stay. */
static void spmm_columns_case(const gnd_csr *a, int64_t f, bool with_z)
{
    const int64_t n = a->n_row, ys = f + 3, xs = f + 5, r0 = 1, r1 = n - 1;
    const gnd_real c = (gnd_real)0.3;
    gnd_real *x = numbers(a->n_col * xs, 1), *y0 = numbers(n * ys, 2), *ref = copy(y0, n * ys);
    gnd_real *some = gnd_alloc(a->n_col * f, sizeof *some), *sum = gnd_alloc(n * f, sizeof *sum);

    gnd_kern_ref.put(some, f, x, xs, f, NULL, a->n_col);
    gnd_kern_ref.put(sum, f, y0, ys, f, NULL, n);
    gnd_kern_ref.spmm(sum, a, some, f, c, with_z ? sum : NULL, r0, r1);
    gnd_kern_ref.put(ref + r0 * ys, ys, sum + r0 * f, f, f, NULL, r1 - r0);
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, n * ys);
        const gnd_columns_of p = {y, x, with_z ? y : NULL, c, a->n_col, f, ys, xs};

        gnd_kern_at(t)->spmm_columns(&p, a, r0, r1);
        check_bits(y, ref, n * ys, "spmm_columns", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
    gnd_free(some);
    gnd_free(sum);
}

static void spmm_columns_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int with_z = 0; with_z < 2; with_z++) {
            gnd_csr a;

            sparse(&a, 23, 17, true);
            spmm_columns_case(&a, widths[w], with_z);
            gnd_csr_fini(&a);
        }
}

/* n matrices side by side in memory, with a gap after each. */
static void blocks_case(const gnd_csr *a, int64_t f, int64_t n)
{
    const int64_t r0 = 1, r1 = a->n_row - 2, tall = a->n_row * f + 3, wide = a->n_col * f + 5;
    gnd_real *x = numbers(n * tall, 1), *w = numbers(n * wide, 2), *y = copy(x, n * tall);
    gnd_real *back = copy(w, n * wide);

    for (int64_t b = 0; b < n; b++) {
        gnd_kern_ref.spmm(y + b * tall, a, w + b * wide, f, 0, NULL, r0, r1);
        gnd_kern_ref.spmm_t(back + b * wide, a, x + b * tall, f, r0, r1);
    }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *out = copy(x, n * tall), *sum = copy(w, n * wide);

        gnd_kern_at(t)->spmm_blocks(out, tall, a, w, wide, f, n, r0, r1);
        check_bits(out, y, n * tall, "spmm_blocks", f);
        gnd_kern_at(t)->spmm_t_blocks(sum, wide, a, x, tall, f, n, r0, r1);
        check_bits(sum, back, n * wide, "spmm_t_blocks", f);
        gnd_free(out);
        gnd_free(sum);
    }
    gnd_free(x);
    gnd_free(w);
    gnd_free(y);
    gnd_free(back);
}

static void blocks_agree(void **state)
{
    static const int64_t some[] = {0, 1, 3, 8, 16, 17, 32};

    (void)state;
    for (int64_t w = 0; w < LENGTH(some); w++)
        for (int64_t n = 0; n < 8; n++)
            for (int v = 0; v < 2; v++) {
                gnd_csr a;

                sparse(&a, 23, 17, v);
                blocks_case(&a, some[w], n);
                gnd_csr_fini(&a);
            }
    for (int v = 0; v < 2; v++) { /* rows of x are prefetched */
        gnd_csr a;

        sparse(&a, 9, 13000, v);
        blocks_case(&a, 16, 5);
        gnd_csr_fini(&a);
    }
}

/* Rows of matrices with more columns; s NULL: not scaled. */
static void put_case(int64_t f, const gnd_real *s, int64_t n)
{
    const int64_t xs = f + 3, ys = f + 1;
    gnd_real *x = numbers(n * xs, 1), *y0 = numbers(n * ys, 2), *ref = copy(y0, n * ys);

    gnd_kern_ref.put(ref, ys, x, xs, f, s, n);
    for (int64_t e = 0; e < n * ys; e++)
        assert_true(ref[e] == (e % ys < f ? x[e / ys * xs + e % ys] * (s ? s[e / ys] : 1) : y0[e]));
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, n * ys);

        gnd_kern_at(t)->put(y, ys, x, xs, f, s, n);
        check_bits(y, ref, n * ys, "put", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
}

static void put_add_case(int64_t f, int64_t n)
{
    const int64_t xs = f + 3, ys = f + 1;
    gnd_real *x = numbers(n * xs, 1), *y0 = numbers(n * ys, 2), *ref = copy(y0, n * ys);

    gnd_kern_ref.put_add(ref, ys, x, xs, f, n);
    for (int64_t e = 0; e < n * ys; e++)
        assert_true(ref[e] == (e % ys < f ? y0[e] + x[e / ys * xs + e % ys] : y0[e]));
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, n * ys);

        gnd_kern_at(t)->put_add(y, ys, x, xs, f, n);
        check_bits(y, ref, n * ys, "put_add", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
}

static void rows_agree(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++) {
        const int64_t f = widths[w], n = 5;
        gnd_real *x = numbers(n * f, 1), *y0 = numbers(n * f, 2);
        double *sum = gnd_alloc(2 * f, sizeof *sum), *out = gnd_alloc(2 * f, sizeof *out);

        put_case(f, NULL, n);
        put_case(f, y0, f < n ? f : n);
        put_add_case(f, n);
        for (int64_t c = 0; c < 2 * f; c++)
            sum[c] = (double)c;
        gnd_kern_ref.moments(sum, x, y0, f, n);
        for (int64_t c = 0; c < f; c += 5) {
            double s = (double)c, q = (double)(f + c);

            for (int64_t i = 0; i < n; i++) {
                const double d = (double)x[i * f + c] - (double)y0[c];

                s += d;
                q += d * d;
            }
            CHECK_CLOSE(sum[c], s, TOL);
            CHECK_CLOSE(sum[f + c], q, TOL);
        }
        for (int t = 0; gnd_kern_at(t); t++) {
            for (int64_t c = 0; c < 2 * f; c++)
                out[c] = (double)c;
            gnd_kern_at(t)->moments(out, x, y0, f, n);
            assert_memory_equal(out, sum, (size_t)(2 * f) * sizeof *out);
        }
        gnd_free(sum);
        gnd_free(out);
        gnd_free(x);
        gnd_free(y0);
    }
}

/* fit, fit_add and slopes; b NULL: no shifts, row NULL: rows in order. */
static void fit_case(int64_t f, const gnd_real *b, const int32_t *row, bool over)
{
    enum { N = 7, ALL = 11 };
    gnd_real *a = numbers(f, 1), *x = numbers(ALL * f, 2), *y0 = numbers(ALL * f, 3),
             *ref[3] = {copy(y0, ALL * f), copy(y0, ALL * f), copy(y0, ALL * f)};
    double *sum = gnd_alloc(2 * f, sizeof *sum), *out = gnd_alloc(2 * f, sizeof *out);
    const gnd_column_fit t = {a, b, row, f};

    for (int64_t c = 0; c < 2 * f; c++)
        sum[c] = (double)c;
    gnd_kern_ref.fit(ref[0], x, &t, over, N);
    gnd_kern_ref.fit_add(ref[1], x, &t, N);
    gnd_kern_ref.slopes(sum, ref[2], over ? x + f : NULL, x, &t, a, N);
    for (int64_t i = 0; i < N; i++)
        for (int64_t c = 0; c < f; c++) {
            const int64_t listed = (row ? row[i] : i) * f + c, here = i * f + c;
            const gnd_real v = a[c] * x[listed] + (b ? b[c] : 0);

            assert_true(ref[0][here] == (over && !(v > 0) ? 0 : v));
            assert_true(ref[1][listed] == y0[listed] + (a[c] * x[here] + (b ? b[c] : 0)));
            assert_true(ref[2][here] == (over && !(x[f + here] > 0) ? 0 : y0[here]));
        }
    for (int k = 0; gnd_kern_at(k); k++) {
        gnd_real *y[3] = {copy(y0, ALL * f), copy(y0, ALL * f), copy(y0, ALL * f)};

        for (int64_t c = 0; c < 2 * f; c++)
            out[c] = (double)c;
        gnd_kern_at(k)->fit(y[0], x, &t, over, N);
        gnd_kern_at(k)->fit_add(y[1], x, &t, N);
        gnd_kern_at(k)->slopes(out, y[2], over ? x + f : NULL, x, &t, a, N);
        check_bits(y[0], ref[0], ALL * f, "fit", f);
        check_bits(y[1], ref[1], ALL * f, "fit_add", f);
        check_bits(y[2], ref[2], ALL * f, "slopes", f);
        assert_memory_equal(out, sum, (size_t)(2 * f) * sizeof *out);
        for (int i = 0; i < 3; i++)
            gnd_free(y[i]);
    }
    for (int i = 0; i < 3; i++)
        gnd_free(ref[i]);
    gnd_free(a);
    gnd_free(x);
    gnd_free(y0);
    gnd_free(sum);
    gnd_free(out);
}

static void fits_agree(void **state)
{
    static const int32_t row[] = {4, 0, 10, 2, 3, 9, 5};

    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++) {
        gnd_real *b = numbers(widths[w], 4);

        fit_case(widths[w], b, NULL, true);
        fit_case(widths[w], b, row, false);
        fit_case(widths[w], NULL, NULL, false);
        fit_case(widths[w], NULL, row, true);
        gnd_free(b);
    }
}
