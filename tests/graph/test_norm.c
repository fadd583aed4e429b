/* SPDX-License-Identifier: MIT
 * test_norm.c - feature rows: sums, lengths, rows that have neither. */
#include "graph/norm.h"
#include "make.h"

/* Rows: 3 1 | nothing | a stored 0 | 2 -2 (sum 0) | -1 3 */
static const arc entries[] = {{0, 0, 3},  {0, 2, 1},  {2, 1, 0}, {3, 0, 2},
                              {3, 1, -2}, {4, 1, -1}, {4, 2, 3}};

/* A copy, since the result borrows from the features: at most their values are new. */
static gnd_csr normalised(gnd_feat_norm how, bool weighted)
{
    gnd_csr x = make_csr(5, 3, entries, LENGTH(entries), weighted), out, copy;
    gnd_error err;

    CHECK_OK(gnd_feat_normalise(&out, &x, how, &err));
    assert_int_equal(out.n_row, 5);
    assert_int_equal(out.n_col, 3);
    assert_int_equal(gnd_csr_nnz(&out), LENGTH(entries));
    assert_ptr_equal(out.ptr, x.ptr);
    assert_ptr_equal(out.col, x.col);
    assert_int_equal(out.val && out.val == x.val, how == GND_FEAT_RAW && weighted);
    CHECK_OK(gnd_csr_copy(&copy, &out, &err));
    gnd_csr_fini(&out);
    gnd_csr_fini(&x);
    return copy;
}

static void check_rows(gnd_feat_norm how, const double want[5][3])
{
    gnd_csr out = normalised(how, true);

    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++)
            CHECK_CLOSE(entry(&out, i, j), want[i][j], 1e-7);
    gnd_csr_fini(&out);
}

static void by_hand(void **state)
{
    const double r = sqrt(0.5), q = sqrt(10);

    (void)state;
    check_rows(GND_FEAT_RAW, (const double[5][3]){{3, 0, 1}, {0}, {0}, {2, -2, 0}, {0, -1, 3}});
    check_rows(GND_FEAT_ROW_L1,
               (const double[5][3]){{0.75, 0, 0.25}, {0}, {0}, {2, -2, 0}, {0, -0.5, 1.5}});
    check_rows(GND_FEAT_ROW_L2,
               (const double[5][3]){{3 / q, 0, 1 / q}, {0}, {0}, {r, -r, 0}, {0, -1 / q, 3 / q}});
    check_rows(GND_FEAT_BINARY,
               (const double[5][3]){{1, 0, 1}, {0}, {0, 1, 0}, {1, 1, 0}, {0, 1, 1}});
    check_rows(GND_FEAT_BINARY_L2,
               (const double[5][3]){{r, 0, r}, {0}, {0, 1, 0}, {r, r, 0}, {0, r, r}});
}

/* A matrix without values counts as ones, and gets values only where it needs them. */
static void without_values(void **state)
{
    gnd_csr out = normalised(GND_FEAT_ROW_L1, false);

    (void)state;
    CHECK_CLOSE(entry(&out, 0, 2), 0.5, 0);
    CHECK_CLOSE(entry(&out, 2, 1), 1, 0);
    gnd_csr_fini(&out);
    out = normalised(GND_FEAT_RAW, false);
    assert_null(out.val);
    gnd_csr_fini(&out);
    out = normalised(GND_FEAT_BINARY, true);
    assert_null(out.val);
    gnd_csr_fini(&out);
}

/* 2^24 + many ones: a sum in single precision would stick at 2^24. */
static void sums_are_double(void **state)
{
    enum { N = 5000 };
    gnd_csr x, out;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, 1, N, N, true, &err));
    x.ptr[1] = N;
    for (int32_t j = 0; j < N; j++) {
        x.col[j] = j;
        x.val[j] = j == 0 ? 0x1p24f : 1;
    }
    CHECK_OK(gnd_feat_normalise(&out, &x, GND_FEAT_ROW_L1, &err));
    CHECK_CLOSE(out.val[0], 0x1p24 / (0x1p24 + N - 1), 1e-7);
    gnd_csr_fini(&out);
    gnd_csr_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(without_values),
        cmocka_unit_test(sums_are_double),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
