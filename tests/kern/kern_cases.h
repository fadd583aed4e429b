/* SPDX-License-Identifier: MIT
 * kern_cases.h - every kernel table against ref, bit for bit, and ref against dense sums in
 * double. */
#ifndef GND_TESTS_KERN_CASES_H
#define GND_TESTS_KERN_CASES_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "kern/kern.h"

/* Rounding of a sum of up to 1433 products of numbers below 1. */
#define TOL (sizeof(gnd_real) == 4 ? 1e-4 : 1e-12)

static const int64_t widths[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 12, 15, 16,  17,
                                 24, 25, 31, 32, 33, 37, 48, 63, 64, 65, 71, 72, 73, 129, 1433};

static gnd_real *numbers(int64_t n, uint32_t stream)
{
    gnd_real *p = gnd_alloc(n, sizeof *p);

    for (int64_t i = 0; i < n; i++)
        p[i] = (gnd_real)(gnd_rng_uniform(7, stream, (uint64_t)i) * 2 - 1);
    return p;
}

/* Some third of the rows are empty, others hold up to all columns. */
static void sparse(gnd_csr *a, int64_t n, int64_t m, bool with_val)
{
    gnd_real *val = numbers(n * m, 99);
    gnd_error err = {0};
    int64_t p = 0;

    assert_int_equal(gnd_csr_init(a, n, m, n * m, with_val, &err), GND_OK);
    for (int64_t i = 0; i < n; i++) {
        const double density = i % 3 == 1 ? 0 : gnd_rng_uniform(3, 1, (uint64_t)i);

        for (int64_t j = 0; j < m; j++)
            if (gnd_rng_uniform(3, 2, (uint64_t)(i * m + j)) < density) {
                a->col[p] = (int32_t)j;
                if (with_val)
                    a->val[p] = val[p];
                p++;
            }
        a->ptr[i + 1] = p;
    }
    gnd_free(val);
}

static double entry(const gnd_csr *a, int64_t i, int64_t j)
{
    const int64_t p = gnd_csr_find(a, i, (int32_t)j);

    return p < 0 ? 0 : (double)gnd_csr_val(a, p);
}

static gnd_real *copy(const gnd_real *x, int64_t n)
{
    gnd_real *p = gnd_alloc(n, sizeof *p);

    return memcpy(p, x, (size_t)n * sizeof *p);
}

static void check_bits(const gnd_real *x, const gnd_real *y, int64_t n, const char *what, int64_t f)
{
    if (memcmp(x, y, (size_t)n * sizeof *x) != 0)
        fail_msg("%s differs from ref at width %lld", what, (long long)f);
}

/* y = c z + a x on rows r0..r1-1; the other rows stay. Each table writes into a block of exactly
 * its size, so that a sanitizer sees a step outside. */
static void spmm_case(const gnd_csr *a, int64_t f, bool with_z, bool in_place)
{
    const int64_t n = a->n_row, r0 = 2, r1 = n - 1;
    const gnd_real c = (gnd_real)0.3;
    gnd_real *x = numbers(a->n_col * f, 1), *z = numbers(n * f, 2), *ref = copy(z, n * f);

    gnd_kern_ref.spmm(ref, a, x, f, c, with_z ? (in_place ? ref : z) : NULL, r0, r1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < f; k += 7) {
            double sum = with_z ? (double)c * (double)z[i * f + k] : 0;

            for (int64_t j = 0; j < a->n_col; j++)
                sum += entry(a, i, j) * (double)x[j * f + k];
            CHECK_CLOSE(ref[i * f + k], i >= r0 && i < r1 ? sum : (double)z[i * f + k], TOL);
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(z, n * f);

        gnd_kern_at(t)->spmm(y, a, x, f, c, with_z ? (in_place ? y : z) : NULL, r0, r1);
        check_bits(y, ref, n * f, "spmm", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(z);
    gnd_free(ref);
}

static void spmm_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int v = 0; v < 2; v++) {
            gnd_csr a;

            sparse(&a, 23, 17, v);
            spmm_case(&a, widths[w], false, false);
            spmm_case(&a, widths[w], true, false);
            spmm_case(&a, widths[w], true, true);
            gnd_csr_fini(&a);
        }
}

/* y[row[i],:] += a[i,:] x on rows r0..r1-1 of a; y has more rows, and the others stay. */
static void spmm_some_case(const gnd_csr *a, int64_t f)
{
    const int64_t n = 2 * a->n_row, r0 = 2, r1 = a->n_row - 1;
    gnd_real *x = numbers(a->n_col * f, 1), *z = numbers(n * f, 2), *ref = copy(z, n * f);
    int32_t *row = gnd_alloc(a->n_row, sizeof *row);

    for (int64_t i = 0; i < a->n_row; i++) /* neither in order nor side by side */
        row[i] = (int32_t)((i * 6 + 5) % n) ^ 1;
    gnd_kern_ref.spmm_some(ref, row, a, x, f, r0, r1);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t k = 0; k < f; k += 7) {
            double sum = (double)z[row[i] * f + k];

            for (int64_t j = 0; i >= r0 && i < r1 && j < a->n_col; j++)
                sum += entry(a, i, j) * (double)x[j * f + k];
            CHECK_CLOSE(ref[row[i] * f + k], sum, TOL);
            assert_true(ref[(row[i] ^ 1) * f + k] == z[(row[i] ^ 1) * f + k]);
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(z, n * f);

        gnd_kern_at(t)->spmm_some(y, row, a, x, f, r0, r1);
        check_bits(y, ref, n * f, "spmm_some", f);
        gnd_free(y);
    }
    gnd_free(row);
    gnd_free(x);
    gnd_free(z);
    gnd_free(ref);
}

static void spmm_some_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int v = 0; v < 2; v++) {
            gnd_csr a;

            sparse(&a, 23, 17, v);
            spmm_some_case(&a, widths[w]);
            gnd_csr_fini(&a);
        }
}

/* A dense matrix beyond each level of cache, where rows are asked for ahead: the last entries have
 * none behind them, so the arrays are exactly as long as they must be. */
static void spmm_agrees_ahead(void **state)
{
    static const int64_t n_cols[] = {30000, 900000};
    const int64_t n = 40, f = 9;

    (void)state;
    for (int64_t s = 0; s < LENGTH(n_cols); s++)
        for (int64_t each = 1; each <= 70; each += 23) { /* short rows: many of them are the last */
            gnd_real *x = numbers(n_cols[s] * f, 1), *ref = numbers(n * f, 2);
            int32_t *row = gnd_alloc(n, sizeof *row);
            gnd_error err = {0};
            gnd_csr a;

            for (int64_t i = 0; i < n; i++)
                row[i] = (int32_t)i;
            CHECK_OK(gnd_csr_init(&a, n, n_cols[s], n * each, true, &err));
            for (int64_t p = 0; p < n * each; p++) {
                a.col[p] = (int32_t)(p % each * (n_cols[s] / each));
                a.val[p] = (gnd_real)gnd_rng_uniform(3, 4, (uint64_t)p);
                a.ptr[p / each + 1] = p + 1;
            }
            gnd_kern_ref.spmm(ref, &a, x, f, 0, NULL, 0, n);
            for (int t = 0; gnd_kern_at(t); t++) {
                gnd_real *y = numbers(n * f, 2);

                gnd_kern_at(t)->spmm(y, &a, x, f, 0, NULL, 0, n / 2);
                gnd_kern_at(t)->spmm(y, &a, x, f, 0, NULL, n / 2, n);
                check_bits(y, ref, n * f, "spmm ahead", f);
                memset(y, 0, (size_t)(n * f) * sizeof *y);
                gnd_kern_at(t)->spmm_some(y, row, &a, x, f, 0, n / 2);
                gnd_kern_at(t)->spmm_some(y, row, &a, x, f, n / 2, n);
                check_bits(y, ref, n * f, "spmm_some ahead", f);
                gnd_free(y);
            }
            gnd_free(row);
            gnd_csr_fini(&a);
            gnd_free(x);
            gnd_free(ref);
        }
}

static void spmm_t_case(const gnd_csr *a, int64_t f)
{
    const int64_t n = a->n_row, m = a->n_col, r0 = 1, r1 = n - 2;
    gnd_real *x = numbers(n * f, 1), *y0 = numbers(m * f, 2), *ref = copy(y0, m * f);

    gnd_kern_ref.spmm_t(ref, a, x, f, r0, r1);
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < f; k += 5) {
            double sum = (double)y0[j * f + k];

            for (int64_t i = r0; i < r1; i++)
                sum += entry(a, i, j) * (double)x[i * f + k];
            CHECK_CLOSE(ref[j * f + k], sum, TOL);
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, m * f);

        gnd_kern_at(t)->spmm_t(y, a, x, f, r0, r1);
        check_bits(y, ref, m * f, "spmm_t", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
}

static void spmm_t_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (int v = 0; v < 2; v++) {
            gnd_csr a;

            sparse(&a, 23, 17, v);
            spmm_t_case(&a, widths[w]);
            gnd_csr_fini(&a);
        }
}

static void gemm_case(int64_t n, int64_t k, int64_t f)
{
    const int64_t r0 = n > 3, r1 = n - (n > 5);
    gnd_real *x = numbers(n * k, 1), *w = numbers(k * f, 2), *y0 = numbers(n * f, 3);
    gnd_real *ref = copy(y0, n * f);

    gnd_kern_ref.gemm(ref, x, w, k, f, r0, r1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c += 11) {
            double sum = 0;

            for (int64_t j = 0; j < k; j++)
                sum += (double)x[i * k + j] * (double)w[j * f + c];
            CHECK_CLOSE(ref[i * f + c], i >= r0 && i < r1 ? sum : (double)y0[i * f + c], TOL);
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, n * f);

        gnd_kern_at(t)->gemm(y, x, w, k, f, r0, r1);
        check_bits(y, ref, n * f, "gemm", f);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(w);
    gnd_free(y0);
    gnd_free(ref);
}

static void gemm_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++) {
        gemm_case(13, 16, widths[w]);
        gemm_case(3, 5, widths[w]);
        gemm_case(43, 37, widths[w]); /* many rows at once and the rest */
        gemm_case(8, widths[w], 7);
        gemm_case(6, 0, widths[w]);
    }
}

static void gemm_t_case(int64_t n, int64_t k, int64_t f)
{
    const int64_t r0 = n > 3, r1 = n - (n > 5);
    gnd_real *x = numbers(n * k, 1), *y = numbers(n * f, 2), *w0 = numbers(k * f, 3);
    gnd_real *ref = copy(w0, k * f);

    gnd_kern_ref.gemm_t(ref, x, y, k, f, r0, r1);
    for (int64_t j = 0; j < k; j++)
        for (int64_t c = 0; c < f; c += 11) {
            double sum = (double)w0[j * f + c];

            for (int64_t i = r0; i < r1; i++)
                sum += (double)x[i * k + j] * (double)y[i * f + c];
            CHECK_CLOSE(ref[j * f + c], sum, TOL);
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *w = copy(w0, k * f);

        gnd_kern_at(t)->gemm_t(w, x, y, k, f, r0, r1);
        check_bits(w, ref, k * f, "gemm_t", f);
        gnd_free(w);
    }
    gnd_free(x);
    gnd_free(y);
    gnd_free(w0);
    gnd_free(ref);
}

/* 600 rows: more than one block of the blocked variants. */
static void gemm_t_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++) {
        gemm_t_case(13, 16, widths[w]);
        gemm_t_case(600, 5, widths[w] < 200 ? widths[w] : 200);
        gemm_t_case(9, widths[w], 7);
        gemm_t_case(0, 6, widths[w]);
    }
}

static void vectors_agree(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++) {
        const int64_t n = widths[w];
        gnd_real *x = numbers(n, 1), *y0 = numbers(n, 2), *ref = copy(y0, n);
        double sum = 0, dot;

        for (int64_t i = 0; i < n; i++)
            sum += (double)x[i] * (double)y0[i];
        dot = gnd_kern_ref.dot(x, y0, n);
        CHECK_CLOSE(dot, sum, 1e-11);
        gnd_kern_ref.axpy(ref, (gnd_real)-0.7, x, n);
        for (int64_t i = 0; i < n; i++)
            CHECK_CLOSE(ref[i], (double)y0[i] - 0.7 * (double)x[i], TOL);
        for (int t = 0; gnd_kern_at(t); t++) {
            gnd_real *y = copy(y0, n);

            assert_true(gnd_kern_at(t)->dot(x, y, n) == dot);
            gnd_kern_at(t)->axpy(y, (gnd_real)-0.7, x, n);
            check_bits(y, ref, n, "axpy", n);
            memcpy(y, y0, (size_t)n * sizeof *y);
            gnd_kern_at(t)->axpby(y, (gnd_real)0.3, (gnd_real)-0.7, x, n);
            for (int64_t i = 0; i < n; i++)
                assert_true(y[i] == (gnd_real)0.3 * y0[i] + (gnd_real)-0.7 * x[i]);
            gnd_free(y);
        }
        gnd_free(x);
        gnd_free(y0);
        gnd_free(ref);
    }
}

static void tanh_agrees(void **state)
{
    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++) {
        const int64_t n = widths[w];
        gnd_real *x = numbers(n, 1), *by = numbers(n, 2), *y0 = numbers(n, 3), *ref = copy(y0, n);

        for (int64_t i = 0; i < n; i++)
            x[i] *= (gnd_real)(i % 5 == 0 ? 12 : 1);
        if (n > 1)
            x[1] = (gnd_real)NAN;
        for (int scaled = 0; scaled < 2; scaled++) {
            gnd_kern_ref.tanh(ref, x, scaled ? by : NULL, n);
            for (int64_t i = 2; i < n; i++)
                CHECK_CLOSE(ref[i], tanh((double)(scaled ? by[i] * x[i] : x[i])), TOL / 100);
            for (int t = 0; gnd_kern_at(t); t++) {
                gnd_real *y = copy(y0, n);

                gnd_kern_at(t)->tanh(y, x, scaled ? by : NULL, n);
                assert_true(n < 2 || isnan((double)y[1]));
                if (n > 1)
                    y[1] = ref[1];
                check_bits(y, ref, n, "tanh", n);
                gnd_free(y);
            }
        }
        gnd_free(x);
        gnd_free(by);
        gnd_free(y0);
        gnd_free(ref);
    }
}

/* Every first element, even or odd, and every length of a word. */
static void kept_agrees(void **state)
{
    const gnd_drop_law laws[] = {{.key = 5, .drop_below = 0x80000000},
                                 {.key = UINT64_MAX - 3, .drop_below = 0xe0000000},
                                 {.key = 9, .drop_below = 0}};

    (void)state;
    for (int l = 0; l < LENGTH(laws); l++)
        for (int64_t first = 0; first < 5; first++)
            for (int64_t n = 0; n <= 64; n++) {
                const uint64_t ref = gnd_kern_ref.kept(&laws[l], first, n);

                assert_true(n == 64 || ref >> n == 0);
                assert_true(laws[l].drop_below || n == 0 || ref == ~UINT64_C(0) >> (64 - n));
                for (int64_t i = 0; i < n; i++) {
                    const uint64_t h = gnd_hash_at(laws[l].key, (uint64_t)(first + i) / 2);
                    const uint64_t half = (first + i) % 2 ? h >> 32 : h & UINT32_MAX;

                    assert_int_equal(ref >> i & 1, half >= laws[l].drop_below);
                }
                for (int t = 0; gnd_kern_at(t); t++)
                    assert_true(gnd_kern_at(t)->kept(&laws[l], first, n) == ref);
            }
}

static void pack_case(const uint64_t *bits, int64_t n, bool with_val)
{
    const gnd_real scale = (gnd_real)1.7;
    gnd_real *val = numbers(n, 1), *out = gnd_alloc(n, sizeof *out);
    int32_t *col = gnd_alloc(n, sizeof *col), *col_out = gnd_alloc(n, sizeof *col);
    int64_t m = 0;

    for (int64_t i = 0; i < n; i++) {
        col[i] = (int32_t)(3 * i + 1);
        m += (int64_t)(bits[i / 64] >> (i % 64) & 1);
    }
    gnd_kern_ref.pack(col_out, out, col, with_val ? val : NULL, scale, bits, n);
    for (int64_t i = 0, q = 0; i < n; i++)
        if (bits[i / 64] >> (i % 64) & 1) {
            assert_int_equal(col_out[q], col[i]);
            assert_true(out[q++] == (with_val ? val[i] * scale : scale));
        }
    for (int t = 0; gnd_kern_at(t); t++) { /* exactly as much room as is needed */
        gnd_real *y = gnd_alloc(m, sizeof *y);
        int32_t *c = gnd_alloc(m, sizeof *c);

        gnd_kern_at(t)->pack(c, y, col, with_val ? val : NULL, scale, bits, n);
        check_bits(y, out, m, "pack", n);
        assert_memory_equal(c, col_out, (size_t)m * sizeof *c);
        gnd_free(y);
        gnd_free(c);
    }
    gnd_free(val);
    gnd_free(out);
    gnd_free(col);
    gnd_free(col_out);
}

static void choose_case(const uint64_t *bits, int64_t n)
{
    const gnd_real scale = (gnd_real)2.5;
    gnd_real *x = numbers(n, 1), *y0 = numbers(n, 2), *set = copy(y0, n), *add = copy(y0, n);

    gnd_kern_ref.choose(set, x, scale, bits, n);
    gnd_kern_ref.choose_add(add, x, scale, bits, n);
    for (int64_t i = 0; i < n; i++) {
        const gnd_real v = bits[i / 64] >> (i % 64) & 1 ? x[i] * scale : 0;

        assert_true(set[i] == v && add[i] == y0[i] + v);
    }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = copy(y0, n);

        gnd_kern_at(t)->choose_add(y, x, scale, bits, n);
        check_bits(y, add, n, "choose_add", n);
        gnd_kern_at(t)->choose(y, x, scale, bits, n);
        check_bits(y, set, n, "choose", n);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(y0);
    gnd_free(set);
    gnd_free(add);
}

#include "narrow_cases.h"

static void dropping_agrees(void **state)
{
    uint64_t bits[1433 / 64 + 1];

    (void)state;
    for (int64_t w = 0; w < LENGTH(widths); w++)
        for (uint32_t tenths = 0; tenths <= 10; tenths += 5) {
            const gnd_drop_law law = {.key = 3, .drop_below = tenths * (UINT32_MAX / 10)};
            const int64_t n = widths[w];

            for (int64_t i = 0; i < n; i += 64)
                bits[i / 64] = gnd_kern_ref.kept(&law, i, n - i < 64 ? n - i : 64);
            pack_case(bits, n, false);
            pack_case(bits, n, true);
            narrow_pack_case(bits, n, false);
            narrow_pack_case(bits, n, true);
            choose_case(bits, n);
        }
}

/* A NaN or infinity in a row that is used must come out. */
static void nan_passes(void **state)
{
    (void)state;
    for (int t = 0; gnd_kern_at(t); t++)
        for (int64_t f = 1; f < 40; f++) {
            gnd_real *x = numbers(3 * f, 1), *w = numbers(9, 2), *y = numbers(3 * f, 3);

            x[f + f - 1] = (gnd_real)NAN;
            w[1] = 0; /* 0 x NaN is NaN */
            gnd_kern_at(t)->gemm(y, w, x, 3, f, 0, 3);
            assert_true(isnan((double)y[f - 1]));
            assert_true(f == 1 || !isnan((double)y[0]));
            gnd_free(x);
            gnd_free(w);
            gnd_free(y);
        }
}

static void tables(void **state)
{
    bool ref = false, used = false;

    (void)state;
    for (int t = 0; gnd_kern_at(t); t++) {
        ref |= gnd_kern_at(t) == &gnd_kern_ref;
        used |= strcmp(gnd_kern_at(t)->name, gnd_kernel_name()) == 0;
    }
    assert_true(ref);
    assert_true(used);
    assert_null(gnd_kern_at(-1));
    assert_null(gnd_kern_at(99));
    assert_ptr_equal(gnd_kern_get(), gnd_kern_get());
}

#include "blocks_cases.h"
#include "grouped_cases.h"
#include "masked_cases.h"

#define KERN_TESTS                                                                                 \
    cmocka_unit_test(spmm_agrees), cmocka_unit_test(spmm_agrees_ahead),                            \
        cmocka_unit_test(spmm_some_agrees), cmocka_unit_test(spmm_grouped_agrees),                 \
        cmocka_unit_test(spmm_masked_agrees), cmocka_unit_test(spmm_t_agrees),                     \
        cmocka_unit_test(spmm_t_kept_agrees), cmocka_unit_test(gemm_agrees),                       \
        cmocka_unit_test(gemm_t_agrees), cmocka_unit_test(vectors_agree),                          \
        cmocka_unit_test(tanh_agrees), cmocka_unit_test(kept_agrees),                              \
        cmocka_unit_test(blocks_agree), cmocka_unit_test(spmm_columns_agrees),                     \
        cmocka_unit_test(narrow_agrees), cmocka_unit_test(narrow_far_columns),                     \
        cmocka_unit_test(rows_agree), cmocka_unit_test(fits_agree),                                \
        cmocka_unit_test(dropping_agrees), cmocka_unit_test(nan_passes), cmocka_unit_test(tables)

#endif
