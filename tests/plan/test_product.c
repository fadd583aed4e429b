/* SPDX-License-Identifier: MIT
 * test_product.c - up to which sizes copies of an operator or of features are made. */
#include "check.h"

#include "plan/product.h"

static void columns_of_16_bits(void **state)
{
    gnd_product_sizes s = {.n_row = 1000, .n_col = 65536, .nnz = 65536, .width = 16, .value = 4};

    (void)state;
    assert_true(gnd_product_narrow(&s)); /* the last column is 65535 */
    s.n_col++;
    assert_false(gnd_product_narrow(&s));
    s.n_col--;
    s.nnz--; /* too little work */
    assert_false(gnd_product_narrow(&s));
}

static void short_rows(void **state)
{
    gnd_product_sizes s = {.n_row = 1000, .n_col = 1000, .nnz = 8000, .width = 1, .value = 4};

    (void)state;
    assert_true(gnd_product_short(&s) && gnd_product_by_groups(&s) && gnd_product_by_masks(&s));
    s.nnz++;
    assert_false(gnd_product_short(&s));
    s.nnz = 12000;
    assert_true(gnd_product_by_masks(&s));
    s.nnz++;
    assert_false(gnd_product_by_masks(&s));
    s.nnz = 64000;
    assert_true(gnd_product_by_groups(&s));
    s.nnz++;
    assert_false(gnd_product_by_groups(&s));
    s.n_row = 1 << 16;
    s.nnz = 1 << 20; /* large copies are not worth their memory, but for short rows */
    assert_true(gnd_product_by_groups(&s));
    s.nnz++;
    assert_false(gnd_product_by_groups(&s));
    s.n_row = 1 << 18;
    assert_true(gnd_product_by_groups(&s));
    s = (gnd_product_sizes){.n_row = 255, .n_col = 255, .nnz = 255, .width = 1, .value = 4};
    assert_false(gnd_product_by_masks(&s)); /* so few rows that a copy does not pay */
    assert_true(gnd_product_by_groups(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_16_bits),
        cmocka_unit_test(short_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
