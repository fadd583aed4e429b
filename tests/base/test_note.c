/* SPDX-License-Identifier: MIT
 * test_note.c - a list of notes that grows, is cut and copied, or is not wanted. */
#include "base/note.h"

#include "check.h"

static void grows(void **state)
{
    gnd_notes n = {0}, copy = {0};
    char want[32];
    gnd_error err;

    (void)state;
    for (int i = 0; i < 100; i++)
        CHECK_OK(
            gnd_notes_add(&n, i % 2 ? GND_WARNING : GND_NOTE, "some_code", &err, "note %d", i));
    assert_int_equal(n.n, 100);
    CHECK_OK(gnd_notes_copy(&copy, &n, &err));
    gnd_notes_cut(&n, 10);
    assert_int_equal(n.n, 10);
    assert_null(gnd_notes_at(&n, 10));
    assert_null(gnd_notes_at(&n, -1));
    for (int i = 0; i < 100; i++) {
        snprintf(want, sizeof want, "note %d", i);
        assert_string_equal(gnd_notes_at(&copy, i)->text, want);
        assert_string_equal(gnd_notes_at(&copy, i)->code, "some_code");
        assert_int_equal(gnd_notes_at(&copy, i)->severity, i % 2 ? GND_WARNING : GND_NOTE);
    }
    gnd_notes_fini(&n);
    assert_int_equal(n.n, 0);
    assert_null(n.list);
    gnd_notes_fini(&n);
    gnd_notes_fini(&copy);
    CHECK_OK(gnd_notes_add(NULL, GND_NOTE, "some_code", &err, "not wanted"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
