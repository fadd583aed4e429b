/* SPDX-License-Identifier: MIT
 * The list of notes: what is added is read back, a long text is cut at a whole character, and no
 * failed allocation loses or leaks anything. */
#include "base/note.h"

#include <string.h>

#include "check.h"
#include "mallocfail.h"

static void added_and_read(void **state)
{
    gnd_notes a = {0}, b = {0};
    gnd_error err = {0};

    (void)state;
    for (int i = 0; i < 20; i++)
        CHECK_OK(gnd_notes_add(&a, i % 2 ? GND_WARNING : GND_NOTE, "code", &err, "text %d", i));
    CHECK_OK(gnd_notes_copy(&b, &a, &err));
    gnd_notes_fini(&a);
    assert_int_equal(b.n, 20);
    assert_string_equal(gnd_notes_at(&b, 19)->text, "text 19");
    assert_string_equal(gnd_notes_at(&b, 19)->code, "code");
    assert_int_equal(gnd_notes_at(&b, 19)->severity, GND_WARNING);
    assert_int_equal(gnd_notes_at(&b, 18)->severity, GND_NOTE);
    assert_null(gnd_notes_at(&b, 20));
    assert_null(gnd_notes_at(&b, -1));
    gnd_notes_fini(&b);
    CHECK_OK(gnd_notes_add(NULL, GND_NOTE, "code", &err, "nobody reads this"));
}

static void long_text(void **state)
{
    char text[1024];
    gnd_notes a = {0};
    gnd_error err = {0};
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 ? (char)0xa9 : (char)0xc3;
    text[sizeof text - 1] = 0;
    CHECK_OK(gnd_notes_add(&a, GND_NOTE, "code", &err, "x%s", text));
    n = strlen(a.list[0].text);
    assert_true(n > 400 && n < 512 && n % 2 == 1); /* x, then whole characters of two bytes */
    gnd_notes_fini(&a);
}

static gnd_status fill(gnd_error *err)
{
    gnd_notes a = {0}, b = {0};
    gnd_status st = GND_OK;

    for (int i = 0; i < 9 && st == GND_OK; i++)
        st = gnd_notes_add(&a, GND_NOTE, "code", err, "text %d", i);
    if (st == GND_OK)
        st = gnd_notes_copy(&b, &a, err);
    gnd_notes_fini(&a);
    gnd_notes_fini(&b);
    return st;
}

static void no_memory(void **state)
{
    gnd_error err = {0};

    (void)state;
    NOMEM_WALK(fill(&err), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_and_read),
        cmocka_unit_test(long_text),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
