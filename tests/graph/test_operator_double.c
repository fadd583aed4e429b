/* SPDX-License-Identifier: MIT
 * test_operator_double.c - operators in double precision. */
#include "operator_cases.h"

int main(void)
{
    return run_operator_tests();
}
