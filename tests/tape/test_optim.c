/* SPDX-License-Identifier: MIT
 * test_optim.c - optimisers in float. */
#include "optim_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {OPTIM_TESTS};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
