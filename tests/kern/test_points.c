/* SPDX-License-Identifier: MIT
 * test_points.c - the kernels on points in float. */
#include "points_cases.h"

int main(void)
{
    return run_points_tests();
}
