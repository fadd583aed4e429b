/* SPDX-License-Identifier: MIT
 * test_remark.c - a list of remarks that grows, or nobody who listens. */
#include "model/remark.h"

#include "check.h"

static void grows(void **state)
{
    gnd_remarks r = {0};
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < 100; i++)
        CHECK_OK(gnd_remark_add(
            &r, (gnd_remark){.kind = GND_REMARK_ODD_LABEL, .vertex = i, .value = 0.5}, &err));
    assert_int_equal(r.n, 100);
    for (int64_t i = 0; i < 100; i++) {
        assert_int_equal(r.list[i].kind, GND_REMARK_ODD_LABEL);
        assert_int_equal(r.list[i].vertex, i);
    }
    gnd_remarks_fini(&r);
    assert_int_equal(r.n, 0);
    assert_null(r.list);
    gnd_remarks_fini(&r);
    CHECK_OK(gnd_remark_add(NULL, (gnd_remark){.kind = GND_REMARK_DRIFT}, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
