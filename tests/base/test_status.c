/* SPDX-License-Identifier: MIT
 * test_status.c - the first message wins, context goes in front, nothing overflows. */
#include "base/status.h"
#include "check.h"

static void first_writer_wins(void **state)
{
    gnd_error err = {0};

    (void)state;
    assert_int_equal(gnd_fail(&err, GND_ERR_IO, "line %d", 3), GND_ERR_IO);
    assert_int_equal(gnd_fail(&err, GND_ERR_ARG, "later"), GND_ERR_ARG);
    assert_int_equal(err.code, GND_ERR_IO);
    assert_string_equal(err.msg, "line 3");
    gnd_error_prefix(&err, "%s:%d", "x.csv", 9);
    assert_string_equal(err.msg, "x.csv:9: line 3");
    gnd_error_clear(&err);
    assert_int_equal(err.code, GND_OK);
    assert_string_equal(err.msg, "");
    gnd_error_prefix(&err, "context of nothing");
    assert_string_equal(err.msg, "");
}

static void without_a_record(void **state)
{
    (void)state;
    assert_int_equal(gnd_fail(NULL, GND_ERR_SHAPE, "x"), GND_ERR_SHAPE);
    gnd_error_prefix(NULL, "x");
    gnd_error_clear(NULL);
}

static void long_messages_are_cut(void **state)
{
    char text[2000];
    gnd_error err = {0};

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    gnd_fail(&err, GND_ERR_IO, "%s", text);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    gnd_error_prefix(&err, "front");
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_memory_equal(err.msg, "front: xx", 9);
    gnd_error_prefix(&err, "%s", text);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_writer_wins),
        cmocka_unit_test(without_a_record),
        cmocka_unit_test(long_messages_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
