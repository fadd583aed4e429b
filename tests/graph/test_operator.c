/* SPDX-License-Identifier: MIT
 * test_operator.c - operators in the product's precision. */
#include "operator_cases.h"

int main(void)
{
    return run_operator_tests();
}
