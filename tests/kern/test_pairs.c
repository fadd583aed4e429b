/* SPDX-License-Identifier: MIT
 * test_pairs.c - steps with pairs in float. */
#include "pairs_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {PAIRS_TESTS};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
