/* SPDX-License-Identifier: MIT
 * test_cpu.c - what CPUID says is what the compiler's own detection says. */
#include "kern/cpu.h"

#include "check.h"

static void test_agrees_with_the_compiler(void **state)
{
    (void)state;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    assert_int_equal(gnd_cpu_has_avx2(), __builtin_cpu_supports("avx2") != 0);
    assert_int_equal(gnd_cpu_has_avx512(),
                     __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"));
#else
    assert_false(gnd_cpu_has_avx2());
    assert_false(gnd_cpu_has_avx512());
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agrees_with_the_compiler)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
