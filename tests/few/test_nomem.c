/* SPDX-License-Identifier: MIT
 * test_nomem.c - calls of the room with 0, 1, 2, ... allowed allocations. */
#include "few/folds.h"
#include "few/judge.h"
#include "mallocfail.h"

static const int32_t point[] = {0, 1, 2, 3}, cls[] = {0, 1, 0, 1};
static const gnd_seeds seeds = {.point = point, .cls = cls, .n = 4, .n_class = 3};

static void folds(void **state)
{
    gnd_folds f = {0};
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_folds_init(&f, &seeds, 2, &err),
               assert_true(!f.point && !f.cls && !f.out && !f.turn && !f.met));
    gnd_folds_take(&f, 0);
    assert_int_equal(f.in.n, 2);
    gnd_folds_fini(&f);
}

/* A remark is made, so that its list is walked too. */
static void judge(void **state)
{
    gnd_real prob[] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, z[] = {1, 0, 0, 1, 1, 0, 0, 1};
    const unsigned char apart[] = {1, 1, 0, 0};
    const gnd_points p = {.n = 4, .r = 2, .z = z};
    gnd_remarks r = {0};
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_judge(&r, &(gnd_case){prob, prob, apart, &p, &seeds}, &err),
               gnd_remarks_fini(&r));
    assert_int_equal(r.n, 1);
    assert_int_equal(r.list[0].kind, GND_REMARK_NO_LABEL);
    gnd_remarks_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds),
        cmocka_unit_test(judge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
