/* SPDX-License-Identifier: MIT
 * test_series.c - polynomials of operators in the product's precision. */
#include "series_cases.h"

int main(void)
{
    return run_series_tests();
}
