/* SPDX-License-Identifier: MIT
 * test_optim_double.c - optimisers in double. */
#include "optim_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {OPTIM_TESTS};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
