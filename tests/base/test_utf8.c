/* SPDX-License-Identifier: MIT
 * test_utf8.c - what a terminal would obey is masked, all other text is kept. */
#include "base/utf8.h"
#include "check.h"

static void check_masked(const char *text, const char *want)
{
    char buf[64];

    snprintf(buf, sizeof buf, "%s", text);
    assert_string_equal(gnd_text_mask(buf), want);
}

static void controls_are_masked(void **state)
{
    (void)state;
    check_masked("a\tb\nc\x1b[31m\x7f", "a?b?c?[31m?");
    check_masked("\xc2\x9b"
                 "31m",
                 "?31m"); /* U+009B: CSI as one character */
    check_masked("\xc2\x80\xc2\x9f", "??");
    check_masked("\x9b"
                 "31m",
                 "?31m"); /* the same for an 8-bit terminal */
    check_masked("x\xe2\x80\xaey\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9", "x?y???");
    check_masked("\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "???");
    check_masked("\xc3", "?");
    check_masked("\xe2\x80", "??");
    check_masked("\xc0\x9b", "??"); /* an overlong form is no character */
}

static void text_is_kept(void **state)
{
    static const char *const text[] = {
        "",
        "plain, text",
        "\xc3\xa9",
        "\xc2\xa0",
        "\xe2\x80\xa9",
        "\xe2\x82\xac",
        "\xf0\x9f\x98\x80",
        "\xd7\xa9\xd7\x9c", /* right-to-left letters are letters */
    };

    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        check_masked(text[i], text[i]);
}

static void characters(void **state)
{
    const char *s = "a\xc3\xa9\xf0\x9f\x98\x80\xff";

    (void)state;
    assert_int_equal(gnd_utf8_next(&s), 'a');
    assert_int_equal(gnd_utf8_next(&s), 0xe9);
    assert_int_equal(gnd_utf8_next(&s), 0x1f600);
    assert_int_equal(gnd_utf8_next(&s), GND_NO_CHAR);
    assert_int_equal(*s, '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls_are_masked),
        cmocka_unit_test(text_is_kept),
        cmocka_unit_test(characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
