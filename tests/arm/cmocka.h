/* SPDX-License-Identifier: MIT
 * cmocka.h - the little of cmocka that the tests of the kernels use, for machines that are emulated
 * and have no libraries: the first failed check ends the program. */
#ifndef GND_TESTS_ARM_CMOCKA_H
#define GND_TESTS_ARM_CMOCKA_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(f)                                                                        \
    {                                                                                              \
        .name = #f, .run = (f)                                                                     \
    }
#define print_message(...) printf(__VA_ARGS__)
#define skip()             exit(0)
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        printf("%s:%d: ", __FILE__, __LINE__);                                                     \
        printf(__VA_ARGS__);                                                                       \
        printf("\n");                                                                              \
        exit(1);                                                                                   \
    } while (0)
#define assert_true(c)                                                                             \
    do {                                                                                           \
        if (!(c))                                                                                  \
            fail_msg("%s is false", #c);                                                           \
    } while (0)
#define assert_null(p)               assert_true((p) == NULL)
#define assert_int_equal(a, b)       assert_true((uintmax_t)(a) == (uintmax_t)(b))
#define assert_ptr_equal(a, b)       assert_true((a) == (b))
#define assert_string_equal(a, b)    assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)

static inline int run_tests(const struct CMUnitTest *test, size_t n)
{
    for (size_t i = 0; i < n; i++)
        test[i].run(NULL);
    printf("%zu tests passed\n", n);
    return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    run_tests(tests, sizeof(tests) / sizeof((tests)[0]))

#endif
