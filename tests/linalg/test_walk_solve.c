/* SPDX-License-Identifier: MIT
 * test_walk_solve.c - label spreading's equation in the product's precision. */
#include "walk_cases.h"

int main(void)
{
    return run_walk_tests();
}
