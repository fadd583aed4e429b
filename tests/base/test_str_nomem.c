/* SPDX-License-Identifier: MIT
 * test_str_nomem.c - the table of names, strict numbers, edit distance. */
#include <locale.h>

#include "base/str.h"
#include "mallocfail.h"

static void numbered_in_order(void **state)
{
    enum { N = 20000 };
    gnd_names *t = gnd_names_new();
    char s[32];

    (void)state;
    assert_int_equal(gnd_names_find(t, "x", 1), -1);
    assert_int_equal(gnd_names_find(NULL, "x", 1), -1);
    assert_int_equal(gnd_names_count(NULL), 0);
    for (int pass = 0; pass < 2; pass++) { /* the second time nothing is new */
        for (int i = 0; i < N; i++) {
            const int len = snprintf(s, sizeof s, "name-%d", i * 7);

            assert_int_equal(gnd_names_add(t, s, (size_t)len), i);
        }
        assert_int_equal(gnd_names_count(t), N);
    }
    for (int i = 0; i < N; i++) {
        const int len = snprintf(s, sizeof s, "name-%d", i * 7);

        assert_int_equal(gnd_names_find(t, s, (size_t)len), i);
        assert_string_equal(gnd_names_get(t, i), s);
    }
    assert_int_equal(gnd_names_find(t, "name-1", 6), -1);
    gnd_names_free(t);
    gnd_names_free(NULL);
}

/* Ascending names need no hash table, until one is not after the last. */
static void ascending(void **state)
{
    enum { N = 3000 };
    gnd_names *t = gnd_names_new();
    char s[32];
    int64_t bytes;

    (void)state;
    assert_true(gnd_names_reserve(t, N, 5 * N));
    bytes = gnd_names_bytes(t);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < N; i++) {
            const int len = snprintf(s, sizeof s, "%d", 3 * i);

            assert_int_equal(gnd_names_add_sorted(t, s, (size_t)len), i); /* new only at first */
            assert_int_equal(gnd_names_find(t, s, (size_t)len), i);
            assert_string_equal(gnd_names_get(t, i), s);
        }
        assert_int_equal(gnd_names_count(t), N);
        if (pass == 0)
            assert_int_equal(gnd_names_bytes(t), bytes);
        assert_int_equal(gnd_names_find(t, "4", 1), -1);
        assert_int_equal(gnd_names_find(t, "99999", 5), -1);
        assert_int_equal(gnd_names_find(t, "", 0), -1);
    }
    assert_int_equal(gnd_names_add_sorted(t, "4", 1), N);
    assert_int_equal(gnd_names_find(t, "4", 1), N);
    assert_false(gnd_names_reserve(t, INT32_MAX, 1));
    gnd_names_free(t);
}

/* Length is part of the name: prefixes, the empty name and bytes beyond len do not mix. */
static void lengths_matter(void **state)
{
    gnd_names *t = gnd_names_new();

    (void)state;
    assert_int_equal(gnd_names_add(t, "abcdefghij", 8), 0);
    assert_int_equal(gnd_names_add(t, "abcdefghij", 10), 1);
    assert_int_equal(gnd_names_add(t, "", 0), 2);
    assert_int_equal(gnd_names_add(t, "abcdefgh", 8), 0);
    assert_int_equal(gnd_names_find(t, "abcdefghi", 9), -1);
    assert_int_equal(gnd_names_find(t, "zzz", 0), 2);
    assert_string_equal(gnd_names_get(t, 0), "abcdefgh");
    gnd_names_free(t);
}

/* Whenever memory runs out, the names already there stay and more can come later. */
static void memory_runs_out(void **state)
{
    enum { N = 3000 };
    gnd_names *t = gnd_names_new();
    char s[32];
    int64_t failures = 0;

    (void)state;
    for (int i = 0; i < N; i++) {
        const int len = snprintf(s, sizeof s, "%d", i);
        int64_t k = 0, got;

        do {
            mallocfail_allow(k++);
            got = gnd_names_add(t, s, (size_t)len);
            mallocfail_allow(-1);
            failures += got < 0;
            assert_int_equal(gnd_names_count(t), got < 0 ? i : i + 1);
        } while (got < 0);
        assert_int_equal(got, i);
    }
    assert_true(failures > 10);
    for (int i = 0; i < N; i++) {
        const int len = snprintf(s, sizeof s, "%d", i);

        assert_int_equal(gnd_names_find(t, s, (size_t)len), i);
    }
    gnd_names_free(t);
}

static bool int_of(const char *s, int64_t *v)
{
    return gnd_parse_int(v, s, strlen(s));
}

static void integers(void **state)
{
    static const char *const bad[] = {"",     "-",   "+",   " 1", "1 ", "1.0",
                                      "0x10", "1e3", "--1", "1-", "９", "99999999999999999999"};
    int64_t v = 0;

    (void)state;
    assert_true(int_of("0", &v) && v == 0);
    assert_true(int_of("-17", &v) && v == -17);
    assert_true(int_of("+4", &v) && v == 4);
    assert_true(int_of("007", &v) && v == 7);
    assert_true(int_of("922337203685477580", &v) && v == INT64_C(922337203685477580));
    assert_true(gnd_parse_int(&v, "123456", 3) && v == 123);
    for (int64_t k = 0; k < LENGTH(bad); k++)
        if (int_of(bad[k], &v))
            fail_msg("'%s' was read as %lld", bad[k], (long long)v);
}

/* More digits than any number has: a hundred. */
#define ZEROS "0000000000000000000000000"

static void reals(void **state)
{
    static const char *const bad[] = {
        "", " 1", "1 ", "\t1", "1,5", "1.5x", "e5", "-", ".", "1e", "1" ZEROS ZEROS ZEROS ZEROS};
    double v = 0;

    (void)state;
    assert_true(gnd_parse_real(&v, "1.5", 3) && v == 1.5);
    assert_true(gnd_parse_real(&v, "-2e-3", 5) && v == -2e-3);
    assert_true(gnd_parse_real(&v, "0x1p-2", 6) && v == 0.25);
    assert_true(gnd_parse_real(&v, "12345", 2) && v == 12);
    assert_true(gnd_parse_real(&v, "nan", 3) && isnan(v)); /* the caller judges */
    assert_true(gnd_parse_real(&v, "-inf", 4) && v < 0 && isinf(v));
    for (int64_t k = 0; k < LENGTH(bad); k++)
        if (gnd_parse_real(&v, bad[k], strlen(bad[k])))
            fail_msg("'%s' was read as %g", bad[k], v);
}

static void edit_distance(void **state)
{
    char longest[66];

    (void)state;
    assert_int_equal(gnd_edit_distance("", ""), 0);
    assert_int_equal(gnd_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(gnd_edit_distance("droput", "dropout"), 1);
    assert_int_equal(gnd_edit_distance("", "abc"), 3);
    assert_int_equal(gnd_edit_distance("abc", ""), 3);
    memset(longest, 'a', sizeof longest);
    longest[65] = '\0';
    assert_int_equal(gnd_edit_distance(longest, "a"), INT32_MAX);
    longest[64] = '\0';
    assert_int_equal(gnd_edit_distance(longest, "a"), 63);
    assert_int_equal(gnd_edit_distance("a", longest), 63);
}

/* A host program may live in a locale whose decimal point is a comma. */
static void numbers_in_any_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    char buf[GND_REAL_TEXT];
    bool found = false;
    double v = 0;

    (void)state;
    for (int64_t i = 0; i < LENGTH(names) && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    assert_true(gnd_parse_real(&v, "1.5e-3", 6));
    CHECK_CLOSE(v, 1.5e-3, 0);
    assert_false(gnd_parse_real(&v, "1,5", 3));
    assert_string_equal(gnd_real_text(buf, 0.1f, 9), "0.100000001");
    assert_string_equal(gnd_real_text(buf, -1.25e-300, 17), "-1.25e-300");
    assert_string_equal(gnd_real_text(buf, 3, 6), "3");
    setlocale(LC_NUMERIC, "C");
    if (!found)
        print_message("no locale with a decimal comma is installed: tried in C only\n");
}

static void utf8(void **state)
{
    static const char *const good[] = {"", "a", "K\u00f6ln", "\u4e2d", "\U0001f600!"};
    static const char *const bad[] = {
        "\xff",     "a\x80",        "\xc3",         "\xc3(",
        "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xe4\xb8"};

    (void)state;
    for (int64_t i = 0; i < LENGTH(good); i++)
        assert_true(gnd_is_utf8(good[i]));
    for (int64_t i = 0; i < LENGTH(bad); i++)
        assert_false(gnd_is_utf8(bad[i]));
}

/* Cut anywhere, what stays is whole characters, and no more is lost than one. */
static void a_cut_character_goes(void **state)
{
    static const char whole[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const size_t stays[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};

    (void)state;
    for (size_t n = 0; n < LENGTH(stays); n++) {
        char s[sizeof whole] = {0};

        memcpy(s, whole, n);
        gnd_utf8_trim(s);
        assert_int_equal(strlen(s), stays[n]);
        assert_true(gnd_is_utf8(s));
    }
}

static void counts(void **state)
{
    char buf[GND_COUNT_TEXT];

    (void)state;
    assert_string_equal(gnd_count_text(buf, 0), "0");
    assert_string_equal(gnd_count_text(buf, 999), "999");
    assert_string_equal(gnd_count_text(buf, 1000), "1,000");
    assert_string_equal(gnd_count_text(buf, 1234567), "1,234,567");
    assert_string_equal(gnd_count_text(buf, INT64_MAX), "9,223,372,036,854,775,807");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbered_in_order),
        cmocka_unit_test(ascending),
        cmocka_unit_test(lengths_matter),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(integers),
        cmocka_unit_test(reals),
        cmocka_unit_test(counts),
        cmocka_unit_test(a_cut_character_goes),
        cmocka_unit_test(utf8),
        cmocka_unit_test(numbers_in_any_locale),
        cmocka_unit_test(edit_distance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
