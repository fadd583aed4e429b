/* SPDX-License-Identifier: MIT
 * test_kern.c - the kernels in float, and which table is chosen. */
#include "kern_cases.h"

/* The choice is made once a process, so it is set before the first call: see main. */
static void environment_wins(void **state)
{
    (void)state;
    assert_string_equal(gnd_kernel_name(), "ref");
    assert_ptr_equal(gnd_kern_get(), &gnd_kern_ref);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(environment_wins), KERN_TESTS};

    setenv("GND_KERN", "ref", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
