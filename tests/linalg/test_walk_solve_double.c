/* SPDX-License-Identifier: MIT
 * test_walk_solve_double.c - label spreading's equation in double. */
#include "walk_cases.h"

int main(void)
{
    return run_walk_tests();
}
