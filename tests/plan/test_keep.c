/* SPDX-License-Identifier: MIT
 * test_keep.c - sparse, dense or not kept: by sizes, and by what is left of the budget. */
#include "check.h"

#include "plan/keep.h"
#include "plan/product.h"

static void budgets(void **state)
{
    gnd_budget b = gnd_budget_of(100, 1);

    (void)state;
    assert_true(gnd_budget_take(&b, 60));
    assert_false(gnd_budget_take(&b, 41));
    assert_int_equal(gnd_budget_left(&b), 40);
    gnd_budget_spend(&b, 41);
    assert_int_equal(gnd_budget_left(&b), 0);
    assert_int_equal(gnd_budget_of(-1, 1 << 30).total, 0);
    assert_int_equal(gnd_budget_of(0, 1).total, GND_MEMORY_DEFAULT);
    assert_true(gnd_budget_of(0, INT64_C(1) << 32).total > INT64_C(1) << 36);
    assert_true(gnd_budget_of(0, INT64_MAX / 2).total > 0);
}

/* A power of 100 x 40 values: 16000 bytes dense, 8 per sparse entry. */
static void powers(void **state)
{
    gnd_keep_sizes s = {.rows = 100, .cols = 40, .nnz_b = 500, .work = 3000, .nnz = 1000};
    const gnd_budget none = {0}, sparse = {.total = 8000}, less = {.total = 7999},
                     dense = {.total = 16000};

    (void)state;
    assert_int_equal(gnd_keep_power_choose(&s, &dense), GND_KEEP_SPARSE);
    assert_int_equal(gnd_keep_power_choose(&s, &sparse), GND_KEEP_SPARSE);
    assert_int_equal(gnd_keep_bytes(GND_KEEP_SPARSE, &s), 8000);
    assert_int_equal(gnd_keep_power_choose(&s, &less), GND_KEEP_NONE);
    s.nnz = 1001; /* more than a quarter */
    assert_int_equal(gnd_keep_power_choose(&s, &dense), GND_KEEP_DENSE);
    assert_int_equal(gnd_keep_bytes(GND_KEEP_DENSE, &s), 16000);
    assert_int_equal(gnd_keep_power_choose(&s, &(gnd_budget){.total = 15999}), GND_KEEP_NONE);
    assert_int_equal(gnd_keep_power_guess(&s, &dense), GND_KEEP_SPARSE);
    assert_int_equal(gnd_keep_power_guess(&s, &sparse), GND_KEEP_SPARSE);
    assert_int_equal(gnd_keep_power_guess(&s, &none), GND_KEEP_NONE);
    s.nnz_b = 1001;
    assert_int_equal(gnd_keep_power_guess(&s, &dense), GND_KEEP_DENSE);
    s = (gnd_keep_sizes){.rows = INT64_MAX / 2, .cols = 8, .nnz = INT64_MAX / 3}; /* no overflow */
    assert_int_equal(gnd_keep_power_choose(&s, &dense), GND_KEEP_NONE);
}

/* A X of 50 rows from 5000 entries of A and 20000 of X. */
static void first_layer(void **state)
{
    gnd_keep_sizes s = {.rows = 50,
                        .cols = 1000,
                        .nnz_a = 5000,
                        .nnz_b = 20000,
                        .work = 60000,
                        .nnz = 9000,
                        .width = 16,
                        .bytes_b = 8};
    const gnd_budget none = {0}, much = {.total = 1 << 29}, tight = {.total = 4 * 18000};

    (void)state;
    assert_true(gnd_keep_first_worth_counting(&s, &much));
    assert_false(gnd_keep_first_worth_counting(&s, &none));
    assert_int_equal(gnd_keep_first_choose(&s, &much), GND_KEEP_SPARSE);
    assert_int_equal(gnd_keep_first_choose(&s, &tight), GND_KEEP_SPARSE);
    assert_int_equal(gnd_keep_first_choose(&s, &(gnd_budget){.total = 4 * 18000 - 1}),
                     GND_KEEP_NONE);
    s.bytes_b = 2; /* X W is cheaper: 10,000 + 1.25 20,000 */
    s.nnz = 17400;
    assert_int_equal(gnd_keep_first_choose(&s, &much), GND_KEEP_SPARSE);
    s.nnz = 17500;
    assert_int_equal(gnd_keep_first_choose(&s, &much), GND_KEEP_NONE);
    s.bytes_b = 8;
    s.nnz = 25000; /* as dear as X W and A (X W) apart */
    assert_int_equal(gnd_keep_first_choose(&s, &much), GND_KEEP_NONE);
    s.cols = 400;
    assert_int_equal(gnd_keep_first_choose(&s, &much), GND_KEEP_DENSE);
    s.work = INT64_C(1) << 40; /* it would never pay back */
    assert_false(gnd_keep_first_worth_counting(&s, &much));
}

/* Sizes as those of Cora, 500 validation vertices: rows of the matrix pay if they fit. */
static void series_rows(void **state)
{
    gnd_series_sizes s = {
        .n_row = 500, .n_node = 2708, .nnz = 13264, .n_class = 7, .n_term = 100, .patience = 100};
    const int64_t bytes = 500 * 2708 * 4;

    (void)state;
    assert_false(gnd_keep_series_rows(&s, &(gnd_budget){.total = bytes - 1}));
    s.n_row = 50;
    assert_true(gnd_keep_series_rows(&s, &(gnd_budget){.total = bytes}));
    s.patience = 1; /* too few passes to pay for the rows */
    assert_false(gnd_keep_series_rows(&s, &(gnd_budget){.total = bytes}));
}

static void products(void **state)
{
    gnd_product_sizes s = {
        .n_row = 1 << 20, .n_col = 1 << 20, .nnz = 20 << 20, .width = 16, .value = 4};

    (void)state;
    assert_true(gnd_product_by_ranges(&s)); /* x takes 64 MB */
    assert_int_equal(gnd_product_range(&s), ((1 << 20) + 5) / 6);
    assert_false(gnd_product_by_panels(&s)); /* half a panel */
    s.width = 30;
    assert_true(gnd_product_by_panels(&s));
    s.width = GND_PANEL;
    assert_false(gnd_product_by_panels(&s));
    s.nnz = 4 << 20;
    assert_false(gnd_product_by_ranges(&s));
    s = (gnd_product_sizes){.n_row = 1000, .n_col = 1000, .nnz = 20000, .width = 30, .value = 4};
    assert_false(gnd_product_by_ranges(&s));
    assert_false(gnd_product_by_panels(&s));
}

static void hubs(void **state)
{
    gnd_product_sizes s = {
        .n_row = 1 << 20, .n_col = 1 << 20, .nnz = 30 << 20, .width = 16, .value = 4};

    (void)state;
    assert_int_equal(gnd_product_hub_range(&s), (6 << 20) / 64);
    assert_int_equal(gnd_product_near(&s), (1 << 20) / 64);
    assert_true(gnd_product_by_hubs(&s)); /* 11 ranges */
    s.nnz = 21 << 20;                     /* fewer than two entries of a row in each */
    assert_false(gnd_product_by_hubs(&s));
    s.nnz = 30 << 20;
    s.width = 64; /* 43 ranges */
    assert_false(gnd_product_by_hubs(&s));
    s = (gnd_product_sizes){
        .n_row = 1 << 17, .n_col = 1 << 17, .nnz = 30 << 17, .width = 16, .value = 4};
    assert_false(gnd_product_by_hubs(&s)); /* x takes 8 MB */
    s.n_row = s.n_col = (1 << 17) + 1;
    assert_true(gnd_product_by_hubs(&s));
    assert_false(gnd_product_ahead(&s));
    s.nnz = 128 * s.n_row;
    assert_true(gnd_product_ahead(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets),     cmocka_unit_test(powers),   cmocka_unit_test(first_layer),
        cmocka_unit_test(series_rows), cmocka_unit_test(products), cmocka_unit_test(hubs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
