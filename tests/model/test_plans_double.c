/* SPDX-License-Identifier: MIT
 * test_plans_double.c - all plans agree, in double. */
#define PLAN_NEAR 1e-12
#include "plan_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans_agree)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
