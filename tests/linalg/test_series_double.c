/* SPDX-License-Identifier: MIT
 * test_series_double.c - the same in double, where only truncation is left. */
#include "series_cases.h"

int main(void)
{
    return run_series_tests();
}
