/* SPDX-License-Identifier: MIT
 * test_alloc.c - sizes that cannot be, zeroes, alignment, copies of strings. */
#include "base/alloc.h"
#include "check.h"

static void impossible_sizes(void **state)
{
    (void)state;
    assert_null(gnd_alloc(-1, 1));
    assert_null(gnd_alloc(INT64_MAX, 8));
    assert_null(gnd_alloc(INT64_MAX / 4, 4));
    assert_null(gnd_alloc(1, SIZE_MAX));
    assert_null(gnd_alloc_raw(-1, 1));
    assert_null(gnd_alloc_raw(INT64_MAX, 8));
    assert_null(gnd_realloc(NULL, -5, 8));
    assert_null(gnd_realloc(NULL, INT64_MAX, 3));
}

static void zeroed_and_aligned(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 300; n += 7) {
        unsigned char *p = gnd_alloc(n, 3);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (int64_t i = 0; i < 3 * n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xaa, (size_t)(3 * n)); /* so that reused memory would show */
        gnd_free(p);
        p = gnd_alloc_raw(n, 3);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        memset(p, 0xaa, (size_t)(3 * n)); /* it must be there: a checker would see it */
        gnd_free(p);
    }
    gnd_free(NULL);
}

static void grow_keeps_bytes(void **state)
{
    int32_t *p = NULL, *q;

    (void)state;
    for (int32_t n = 1; n <= 1000; n++) {
        p = gnd_realloc(p, n, sizeof *p);
        assert_non_null(p);
        p[n - 1] = n;
    }
    for (int32_t i = 0; i < 1000; i++)
        assert_int_equal(p[i], i + 1);
    q = gnd_realloc(p, INT64_MAX, 8); /* a failure leaves it as it was */
    assert_null(q);
    assert_int_equal(p[999], 1000);
    gnd_free(p);
}

static void strings(void **state)
{
    char *a = gnd_strdup(""), *b = gnd_strdup("vertex"), *c = gnd_strndup("vertex", 4);

    (void)state;
    assert_string_equal(a, "");
    assert_string_equal(b, "vertex");
    assert_string_equal(c, "vert");
    gnd_free(a);
    gnd_free(b);
    gnd_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(zeroed_and_aligned),
        cmocka_unit_test(grow_keeps_bytes),
        cmocka_unit_test(strings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
