/* SPDX-License-Identifier: MIT
 * test_opts.c - option structs of callers that were compiled against another header. */
#include "base/opts.h"

#include "check.h"

typedef struct {
    uint32_t size;
    int32_t old, new;
} opts;

static void all_ages(void **state)
{
    gnd_error err = {0};
    opts o, in = {.size = sizeof in, .old = 1, .new = 2};

    (void)state;
    CHECK_OK(gnd_opts_get(&o, sizeof o, &in, "opts", &err));
    assert_true(o.size == sizeof o && o.old == 1 && o.new == 2);
    in.size = offsetof(opts, new); /* a caller who does not know the last field */
    CHECK_OK(gnd_opts_get(&o, sizeof o, &in, "opts", &err));
    assert_true(o.size == sizeof o && o.old == 1 && o.new == 0);
    CHECK_OK(gnd_opts_get(&o, sizeof o, NULL, "opts", &err));
    assert_true(o.size == sizeof o && o.old == 0 && o.new == 0);
    in.size = 0; /* forgotten */
    CHECK_FAILS(gnd_opts_get(&o, sizeof o, &in, "opts", &err), GND_ERR_ARG, "opts: its size");
    in.size = sizeof in + 4; /* from the future */
    CHECK_FAILS(gnd_opts_get(&o, sizeof o, &in, "opts", &err), GND_ERR_ARG, "expected 12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ages)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
