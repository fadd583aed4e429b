/* SPDX-License-Identifier: MIT
 * test_csr_nomem.c - sparse matrices against dense ones, their checks, and short memory. */
#include "base/rng.h"
#include "kern/csr.h"
#include "mallocfail.h"

enum { MAX_SIDE = 40, MAX_NNZ = 600 };

typedef struct {
    int64_t n_row, n_col, nnz;
    int32_t row[MAX_NNZ], col[MAX_NNZ];
    gnd_real val[MAX_NNZ];
} triplets;

/* A case of its own for each number; few cells and many entries make duplicates. */
static triplets random_case(uint64_t k)
{
    triplets t = {.n_row = 1 + (int64_t)(gnd_hash_at(k, 0) % MAX_SIDE),
                  .n_col = 1 + (int64_t)(gnd_hash_at(k, 1) % MAX_SIDE),
                  .nnz = (int64_t)(gnd_hash_at(k, 2) % MAX_NNZ)};

    for (int64_t p = 0; p < t.nnz; p++) {
        const uint64_t h = gnd_hash_at(k, 3 + (uint64_t)p);

        t.row[p] = (int32_t)(h % (uint64_t)t.n_row);
        t.col[p] = (int32_t)((h >> 20) % (uint64_t)t.n_col);
        t.val[p] = (gnd_real)((h >> 40) % 64) - 32; /* small integers: sums are exact */
    }
    return t;
}

typedef struct {
    double v[MAX_SIDE][MAX_SIDE];
    bool stored[MAX_SIDE][MAX_SIDE];
    int64_t nnz;
} dense;

static dense naive(const triplets *t, bool with_val, gnd_dup dup)
{
    dense d = {0};

    for (int64_t p = 0; p < t->nnz; p++) {
        const double v = with_val ? (double)t->val[p] : 1;
        double *cell = &d.v[t->row[p]][t->col[p]];
        bool *stored = &d.stored[t->row[p]][t->col[p]];

        if (!*stored)
            *cell = v;
        else if (with_val)
            *cell = dup == GND_DUP_SUM ? *cell + v : fmax(*cell, v);
        d.nnz += !*stored;
        *stored = true;
    }
    return d;
}

static void check_equal(const gnd_csr *a, const dense *d, bool transposed)
{
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int32_t j = 0; j < a->n_col; j++) {
            const bool stored = transposed ? d->stored[j][i] : d->stored[i][j];
            const int64_t p = gnd_csr_find(a, i, j);

            assert_int_equal(p >= 0, stored);
            if (stored)
                CHECK_CLOSE(gnd_csr_val(a, p), transposed ? d->v[j][i] : d->v[i][j], 0);
        }
    }
    assert_int_equal(gnd_csr_nnz(a), d->nnz);
}

static gnd_csr from(const triplets *t, bool with_val, gnd_dup dup, int64_t *n_dup)
{
    gnd_csr a;
    gnd_error err;

    CHECK_OK(gnd_csr_from_triplets(
        &a, &(gnd_triplets){t->n_row, t->n_col, t->nnz, t->row, t->col, with_val ? t->val : NULL},
        dup, n_dup, &err));
    CHECK_OK(gnd_csr_check(&a, "test", &err));
    assert_int_equal(a.val != NULL, with_val);
    return a;
}

static void triplets_and_transpose(void **state)
{
    gnd_error err;

    (void)state;
    for (uint64_t k = 0; k < 120; k++) {
        const triplets t = random_case(k);
        const bool with_val = k % 3 != 0;
        const gnd_dup dup = k % 2 ? GND_DUP_SUM : GND_DUP_MAX;
        const dense d = naive(&t, with_val, dup);
        int64_t n_dup = -1;
        gnd_csr a = from(&t, with_val, dup, &n_dup), at, att, copy;

        assert_int_equal(n_dup, t.nnz - d.nnz);
        check_equal(&a, &d, false);
        CHECK_OK(gnd_csr_transpose(&at, &a, &err));
        CHECK_OK(gnd_csr_check(&at, "transpose", &err));
        check_equal(&at, &d, true);
        CHECK_OK(gnd_csr_transpose(&att, &at, &err));
        check_equal(&att, &d, false);
        CHECK_OK(gnd_csr_copy(&copy, &a, &err));
        check_equal(&copy, &d, false);
        assert_ptr_not_equal(copy.col, a.col);
        gnd_csr_fini(&copy);
        gnd_csr_fini(&att);
        gnd_csr_fini(&at);
        gnd_csr_fini(&a);
    }
}

static void symmetric(void **state)
{
    gnd_error err;

    (void)state;
    for (uint64_t k = 0; k < 40; k++) {
        triplets t = random_case(k);
        gnd_csr a, at;

        t.n_col = t.n_row;
        t.nnz /= 2;
        for (int64_t p = 0; p < t.nnz; p++) { /* each entry and its mirror image */
            t.col[p] %= (int32_t)t.n_row;
            t.row[t.nnz + p] = t.col[p];
            t.col[t.nnz + p] = t.row[p];
            t.val[t.nnz + p] = t.val[p];
        }
        t.nnz *= 2;
        a = from(&t, true, GND_DUP_MAX, NULL);
        CHECK_OK(gnd_csr_transpose_or_borrow(&at, &a, &err));
        assert_true(at.borrowed == GND_CSR_ARRAYS && at.col == a.col);
        gnd_csr_fini(&at);
        CHECK_OK(gnd_csr_drop_loops(&at, &a, NULL, &err));
        assert_true(gnd_csr_has_loops(&a) == (gnd_csr_nnz(&at) < gnd_csr_nnz(&a)));
        assert_false(gnd_csr_has_loops(&at));
        gnd_csr_fini(&at);
        for (int64_t i = 0; i < a.n_row; i++) { /* another value off the diagonal breaks it */
            const int64_t p = a.ptr[i + 1] - 1;

            if (p < a.ptr[i] || a.col[p] == i)
                continue;
            a.val[p] += 1;
            CHECK_OK(gnd_csr_transpose_or_borrow(&at, &a, &err));
            assert_false(at.borrowed);
            gnd_csr_fini(&at);
            break;
        }
        gnd_csr_fini(&a);
    }
}

static void select_rows(void **state)
{
    gnd_error err;

    (void)state;
    for (uint64_t k = 0; k < 60; k++) {
        const triplets t = random_case(k);
        const dense d = naive(&t, true, GND_DUP_SUM);
        gnd_csr a = from(&t, true, GND_DUP_SUM, NULL), s;
        int32_t rows[MAX_SIDE], col_new[MAX_SIDE], n_col = 0;
        int64_t n = 0;

        for (int64_t i = t.n_row - 1; i >= 0; i -= 1 + (int64_t)(k % 3)) /* any order of rows */
            rows[n++] = (int32_t)i;
        for (int64_t j = 0; j < t.n_col; j++)
            col_new[j] = gnd_hash_at(k + 1000, (uint64_t)j) % 3 ? n_col++ : -1;
        CHECK_OK(gnd_csr_select(&s, &a, (gnd_row_list){rows, n}, col_new, n_col, &err));
        CHECK_OK(gnd_csr_check(&s, "selection", &err));
        assert_int_equal(s.n_row, n);
        assert_int_equal(s.n_col, n_col);
        for (int64_t r = 0; r < n; r++) {
            for (int64_t j = 0; j < t.n_col; j++) {
                const int64_t p = col_new[j] < 0 ? -1 : gnd_csr_find(&s, r, col_new[j]);

                assert_int_equal(p >= 0, col_new[j] >= 0 && d.stored[rows[r]][j]);
                if (p >= 0)
                    CHECK_CLOSE(s.val[p], d.v[rows[r]][j], 0);
            }
        }
        gnd_csr_fini(&s);
        CHECK_OK(gnd_csr_select(&s, &a, (gnd_row_list){rows, n}, NULL, t.n_col, &err));
        for (int64_t r = 0; r < n; r++)
            assert_int_equal(s.ptr[r + 1] - s.ptr[r], a.ptr[rows[r] + 1] - a.ptr[rows[r]]);
        gnd_csr_fini(&s);
        gnd_csr_fini(&a);
    }
}

static void empty_matrices(void **state)
{
    gnd_csr zero = {0}, a, at;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_check(&zero, "nothing", &err));
    assert_int_equal(gnd_csr_nnz(&zero), 0);
    CHECK_OK(gnd_csr_copy(&a, &zero, &err));
    assert_int_equal(gnd_csr_nnz(&a), 0);
    gnd_csr_fini(&a);
    CHECK_OK(gnd_csr_transpose(&a, &zero, &err));
    gnd_csr_fini(&a);
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){3, 2, 0, NULL, NULL, NULL}, GND_DUP_SUM,
                                   NULL, &err));
    assert_int_equal(gnd_csr_find(&a, 2, 1), -1);
    CHECK_OK(gnd_csr_transpose(&at, &a, &err));
    assert_int_equal(at.n_row, 2);
    gnd_csr_fini(&at);
    gnd_csr_fini(&a);
    gnd_csr_fini(&zero);
}

static void drop_ones(void **state)
{
    const int32_t row[] = {0, 1}, col[] = {1, 0};
    gnd_real val[] = {1, 1};
    gnd_csr a;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){2, 2, 2, row, col, val}, GND_DUP_MAX, NULL,
                                   &err));
    gnd_csr_drop_ones(&a);
    assert_null(a.val);
    gnd_csr_drop_ones(&a);
    gnd_csr_fini(&a);
    val[1] = 2;
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){2, 2, 2, row, col, val}, GND_DUP_MAX, NULL,
                                   &err));
    gnd_csr_drop_ones(&a);
    assert_non_null(a.val);
    gnd_csr_fini(&a);
}

static void check_errors(void **state)
{
    int64_t ptr[] = {0, 2, 3};
    int32_t col[] = {0, 2, 1};
    gnd_real val[] = {1, 2, 3};
    gnd_csr a = {.n_row = 2, .n_col = 3, .ptr = ptr, .col = col, .val = val};
    gnd_csr none = {.n_row = 2, .n_col = 3};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_check(&a, "made", &err));
    CHECK_FAILS(gnd_csr_check(&none, "made", &err), GND_ERR_FORMAT, "the made matrix has no rows");
    ptr[0] = 1;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT, "does not start at entry 0");
    ptr[0] = 0;
    ptr[2] = 1;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT,
                "row 1 of the made matrix ends before it starts");
    ptr[2] = 3;
    col[2] = 3;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT,
                "row 1 of the made matrix has column 3; expected 0 to 2");
    col[2] = -1;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT, "has column -1");
    col[2] = 1;
    col[1] = 0;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT,
                "row 0 of the made matrix has column 0 after column 0");
    col[1] = 2;
    val[1] = (gnd_real)NAN;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT,
                "row 0, column 2 of the made matrix is not a finite number");
    val[1] = (gnd_real)INFINITY;
    CHECK_FAILS(gnd_csr_check(&a, "made", &err), GND_ERR_FORMAT, "not a finite number");
}

static void short_memory(void **state)
{
    const triplets t = random_case(5);
    const int32_t rows[] = {0};
    gnd_csr a, b;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_csr_from_triplets(&a,
                                     &(gnd_triplets){t.n_row, t.n_col, t.nnz, t.row, t.col, t.val},
                                     GND_DUP_SUM, NULL, &err),
               assert_true(!a.ptr && !a.col && !a.val));
    NOMEM_WALK(gnd_csr_transpose(&b, &a, &err), assert_null(b.ptr));
    gnd_csr_fini(&b);
    NOMEM_WALK(gnd_csr_copy(&b, &a, &err), assert_null(b.ptr));
    gnd_csr_fini(&b);
    NOMEM_WALK(gnd_csr_select(&b, &a, (gnd_row_list){rows, 1}, NULL, t.n_col, &err),
               assert_null(b.ptr));
    gnd_csr_fini(&b);
    gnd_csr_fini(&a);
    CHECK_FAILS(gnd_csr_init(&a, INT64_MAX / 4, 1, 0, false, &err), GND_ERR_NOMEM, "no memory");
    CHECK_FAILS(gnd_csr_init(&a, 1, 1, -1, false, &err), GND_ERR_NOMEM, "no memory");
    assert_null(a.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triplets_and_transpose),
        cmocka_unit_test(symmetric),
        cmocka_unit_test(select_rows),
        cmocka_unit_test(empty_matrices),
        cmocka_unit_test(drop_ones),
        cmocka_unit_test(check_errors),
        cmocka_unit_test(short_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
