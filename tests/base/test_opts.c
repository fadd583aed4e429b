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
    CHECK_FAILS(gnd_opts_get(&o, sizeof o, &in, "opts", &err), GND_ERR_ARG,
                "set it to sizeof(opts), 12");
}

/* A result for a caller who knows fewer fields than the library: the others are not written. */
static void results(void **state)
{
    const opts from = {.size = sizeof from, .old = 1, .new = 2};
    opts to = {.size = offsetof(opts, new), .old = 7, .new = 8};
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_opts_check(&to, sizeof to, "opts", &err));
    gnd_opts_put(&to, &from, sizeof from);
    assert_true(to.size == offsetof(opts, new) && to.old == 1 && to.new == 8);
    to.size = sizeof to;
    gnd_opts_put(&to, &from, sizeof from);
    assert_true(to.size == sizeof to && to.old == 1 && to.new == 2);
    to.size = 0;
    CHECK_FAILS(gnd_opts_check(&to, sizeof to, "opts", &err), GND_ERR_ARG, "its size field is 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ages), cmocka_unit_test(results)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
