/* SPDX-License-Identifier: MIT
 * test_tiles.c - the kernels of tiles in float. */
#include "tiles_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {TILES_TESTS};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
