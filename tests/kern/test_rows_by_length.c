/* SPDX-License-Identifier: MIT
 * test_rows_by_length.c - short and long rows in order, equal ones as they were listed. */
#include "check.h"
#include "kern/rows_by_length.h"

/* Row i has (i * 37) % 128 entries, so that about half of the rows are long. */
static void sorted_and_stable(void **state)
{
    static const int64_t numbers[] = {0, 1, 2, 63, 512, GND_SORTED_ROWS};
    int64_t ptr[2 * GND_SORTED_ROWS + 1] = {0};
    const gnd_csr a = {.n_row = 2 * GND_SORTED_ROWS, .n_col = 128, .ptr = ptr};
    int32_t row[GND_SORTED_ROWS];

    (void)state;
    for (int64_t i = 0; i < a.n_row; i++)
        ptr[i + 1] = ptr[i] + (i * 37) % 128;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const int64_t n = numbers[k];
        bool seen[2 * GND_SORTED_ROWS] = {false};

        for (int64_t i = 0; i < n; i++)
            row[i] = (int32_t)(2 * (n - i) - 1);
        gnd_rows_by_length(row, n, &a);
        for (int64_t i = 0; i < n; i++) {
            assert_true(row[i] % 2 == 1 && row[i] < 2 * n && !seen[row[i]]);
            seen[row[i]] = true;
        }
        for (int64_t i = 1; i < n; i++) {
            const int64_t before = gnd_row_length(&a, row[i - 1]), now = gnd_row_length(&a, row[i]);

            assert_true(before < now || (before == now && row[i - 1] > row[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorted_and_stable)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
