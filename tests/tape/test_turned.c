/* SPDX-License-Identifier: MIT
 * test_turned.c - entries of a transpose and masks in their order. */
#include "tape/turned.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"

enum { N = 40, M = 31, MASKS = 19 };

/* About a third of all entries; row 7 and column 3 are empty. */
static void matrix_make(gnd_csr *a, gnd_csr *at)
{
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(a, N, M, (int64_t)N * M, false, &err));
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < M; j++)
            if (i != 7 && j != 3 && gnd_hash_at(2, (uint64_t)(i * M + j)) % 3 == 0)
                a->col[p++] = (int32_t)j;
        a->ptr[i + 1] = p;
    }
    CHECK_OK(gnd_csr_transpose(at, a, &err));
}

static int64_t entry(const gnd_turned *turned, int64_t p)
{
    return turned->narrow ? (int64_t)turned->narrow[p] : turned->wide[p];
}

static void check_masks(gnd_tape *t, uint64_t *const *bits, int64_t n, const gnd_turned *turned,
                        int64_t nnz)
{
    uint64_t *to[MASKS] = {NULL};
    gnd_error err = {0};

    gnd_turned_masks(t, to, bits, n, turned, nnz);
    CHECK_OK(gnd_tape_check(t, &err));
    for (int64_t k = 0; k < n; k++) {
        for (int64_t p = 0; p < nnz; p++) {
            const int64_t e = entry(turned, p);

            assert_int_equal(to[k][p / 64] >> p % 64 & 1, bits[k][e / 64] >> e % 64 & 1);
        }
        assert_int_equal(to[k][nnz / 64] >> nnz % 64, 0);
        assert_int_equal(to[k][(nnz + 63) / 64], 0);
    }
}

static void masks_turn(void **state)
{
    const gnd_turned *turned;
    gnd_turned wide = {0};
    gnd_error err = {0};
    uint64_t *bits[MASKS];
    gnd_csr a, at;
    gnd_tape *t;
    int64_t nnz, words;

    (void)state;
    matrix_make(&a, &at);
    nnz = gnd_csr_nnz(&a);
    words = (nnz + 63) / 64 + 1;
    assert_true(nnz % 64 != 0);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    turned = gnd_turned_get(t, &a, &at);
    CHECK_OK(gnd_tape_check(t, &err));
    for (int64_t j = 0; j < M; j++)
        for (int64_t p = at.ptr[j]; p < at.ptr[j + 1]; p++) {
            const int64_t e = entry(turned, p);

            assert_int_equal(a.col[e], j);
            assert_true(a.ptr[at.col[p]] <= e && e < a.ptr[at.col[p] + 1]);
        }
    for (int k = 0; k < MASKS; k++) {
        bits[k] = gnd_alloc(words, sizeof **bits);
        for (int64_t w = 0; w < words; w++)
            bits[k][w] = gnd_hash_at((uint64_t)k, (uint64_t)w);
    }
    for (int64_t n = 0; n <= MASKS; n++)
        check_masks(t, bits, n, turned, nnz);
    wide.wide = gnd_alloc(nnz, sizeof *wide.wide);
    for (int64_t p = 0; p < nnz; p++)
        wide.wide[p] = entry(turned, p);
    check_masks(t, bits, MASKS, &wide, nnz);
    gnd_free(wide.wide);
    for (int k = 0; k < MASKS; k++)
        gnd_free(bits[k]);
    gnd_tape_free(t);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masks_turn)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
