/* SPDX-License-Identifier: MIT
 * test_golden.c - the parser of reference values: a test that trusts a broken file tests
 * nothing. */
#include "check.h"
#include "golden.h"

static golden *parse(const char *text, char why[256])
{
    char path[] = "/tmp/gnd-golden-XXXXXX";
    const int fd = mkstemp(path);
    golden *g;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    g = golden_load(path, why, 256);
    unlink(path);
    return g;
}

static void reads_every_kind(void **state)
{
    char why[256];
    int64_t rows = -1, cols = -1;
    double v = 0;
    golden *g = parse("text about two words\nscalar s 0x1.8p+1\nint a 2 3\n1 2 3\n-4 5 6\n\n"
                      "real b 1 2\n0x1p-1 -2\n\nint none 0 2\n\nint flat 2 0\n\n\n\ntext end ok\n",
                      why);

    (void)state;
    if (!g)
        fail_msg("%s", why);
    assert_string_equal(golden_text(g, "about"), "two words");
    assert_true(golden_scalar(g, "s", &v) && v == 3);
    assert_int_equal(golden_int(g, "a", &rows, &cols)[3], -4);
    assert_int_equal(rows, 2);
    assert_int_equal(cols, 3);
    CHECK_CLOSE(golden_real(g, "b", NULL, NULL)[1], -2, 0);
    assert_non_null(golden_int(g, "none", &rows, &cols));
    assert_int_equal(rows, 0);
    assert_non_null(golden_int(g, "flat", &rows, &cols));
    assert_int_equal(rows, 2);
    assert_null(golden_text(g, "s")); /* of another kind */
    assert_null(golden_real(g, "a", &rows, &cols));
    assert_null(golden_int(g, "nowhere", &rows, &cols));
    assert_false(golden_scalar(g, "a", &v));
    assert_string_equal(golden_name(g, 1), "s");
    assert_null(golden_name(g, 7));
    golden_free(g);
    golden_free(NULL);
}

static void refuses_broken_files(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "the file is cut"},
        {"text a b\n", "the file is cut"},
        {"text end ok\ntext a b\n", "the file is cut"},
        {"text end no\n", "the file is cut"},
        {"int a 2 2\n1 2\n", "bad row of a"},
        {"int a 1 2\n1\n\ntext end ok\n", "bad row of a"},
        {"int a 1 2\n1 2 3\n\ntext end ok\n", "bad row of a"},
        {"int a 1 1\n1.5\n\ntext end ok\n", "bad row of a"},
        {"real a 1 1\nx\n\ntext end ok\n", "bad row of a"},
        {"int a 1 1\n1\ntext end ok\n", "no empty line after a"},
        {"int a -1 1\n\ntext end ok\n", "bad shape of a"},
        {"int a 999999999999 999999999999\n\ntext end ok\n", "bad shape of a"},
        {"int a 1\n1\n\ntext end ok\n", "bad shape of a"},
        {"scalar s x\ntext end ok\n", "bad value of s"},
        {"scalar s 1 2\ntext end ok\n", "bad value of s"},
        {"text a 1\nscalar a 1\ntext end ok\n", "a second a"},
        {"what a 1\ntext end ok\n", "expected text, scalar, int or real"},
        {"\ntext end ok\n", "expected text, scalar, int or real"},
    };
    char why[256];

    (void)state;
    for (int64_t k = 0; k < LENGTH(bad); k++) {
        why[0] = '\0';
        if (parse(bad[k].text, why) || !strstr(why, bad[k].why))
            fail_msg("case %lld said \"%s\"; expected \"%s\"", (long long)k, why, bad[k].why);
    }
    assert_null(golden_load("/no/such/file", why, sizeof why));
    assert_non_null(strstr(why, "/no/such/file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind),
        cmocka_unit_test(refuses_broken_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
