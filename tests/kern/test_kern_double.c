/* SPDX-License-Identifier: MIT
 * test_kern_double.c - the kernels in double. */
#include "kern_cases.h"

/* An unknown name leaves the choice to the CPU. */
static void best_is_first(void **state)
{
    (void)state;
    assert_ptr_equal(gnd_kern_get(), gnd_kern_at(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_is_first), KERN_TESTS};

    setenv("GND_KERN", "abacus", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
