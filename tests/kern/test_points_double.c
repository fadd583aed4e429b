/* SPDX-License-Identifier: MIT
 * test_points_double.c - the kernels on points in double. */
#include "points_cases.h"

int main(void)
{
    return run_points_tests();
}
