/* SPDX-License-Identifier: MIT
 * test_text.c - lines and fields of plain and gzip files. */
#include "textfiles.h"

#include "io/text.h"

static void lines_of(const char *path, const char *want[], int64_t n)
{
    gnd_text t;
    gnd_error err;
    const char *s;
    size_t len;

    CHECK_OK(gnd_text_open(&t, path, 0, &err));
    for (int64_t i = 0; i < n; i++) {
        assert_true(gnd_text_line(&t, &s, &len));
        assert_int_equal(t.line, i + 1);
        assert_int_equal(len, strlen(want[i]));
        assert_memory_equal(s, want[i], len);
    }
    assert_false(gnd_text_line(&t, &s, &len));
    gnd_text_close(&t);
}

static void test_lines(void **state)
{
    const char *three[] = {"a", "", "b c"}, *one[] = {"x"};

    (void)state;
    lines_of(put("a", "a\n\nb c\n"), three, 3);
    lines_of(put("a", "a\r\n\r\nb c"), three, 3);
    lines_of(put("a", "\xef\xbb\xbf"
                      "x\n"),
             one, 1);
    lines_of(put("a", ""), NULL, 0);
    lines_of(put_gz("a.gz", "a\n\nb c"), three, 3);
    lines_of(put_gz("plain_name", "x"), one, 1);
}

/* Members one after another, as `cat a.gz b.gz` or a log rotation makes them. */
static void test_gzip_members(void **state)
{
    const char *want[] = {"x", "y"};
    char both[4096];
    size_t n;
    FILE *f;

    (void)state;
    put_gz("x.gz", "x\n");
    put_gz("y.gz", "y\n");
    f = fopen(temp_path("x.gz"), "rb");
    n = fread(both, 1, 2000, f);
    fclose(f);
    f = fopen(temp_path("y.gz"), "rb");
    n += fread(both + n, 1, 2000, f);
    fclose(f);
    lines_of(temp_file("both.gz", both, n), want, 2);
}

static void test_big_gzip(void **state)
{
    const size_t n = 3 << 20;
    char *text = malloc(n + 1);
    gnd_text t;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + (i * i) % 23);
    text[n] = '\0';
    CHECK_OK(gnd_text_open(&t, put_gz("big.gz", text), 0, &err));
    assert_int_equal(t.size, n);
    assert_memory_equal(t.data, text, n);
    gnd_text_close(&t);
    free(text);
}

static void test_open_fails(void **state)
{
    char raw[4096];
    gnd_text t;
    gnd_error err;
    size_t n;
    FILE *f;

    (void)state;
    CHECK_FAILS(gnd_text_open(&t, temp_path("none"), 0, &err), GND_ERR_IO, "none: No such file");
    CHECK_FAILS(gnd_text_open(&t, temp_dir, 0, &err), GND_ERR_IO, "is a folder");
    CHECK_OK(gnd_text_open(&t, temp_file("nul", "a\nb\0c\n", 6), 0, &err));
    assert_int_equal(t.size, 6); /* bytes are bytes, until they must be text */
    gnd_text_close(&t);
    CHECK_FAILS(gnd_text_open_lines(&t, temp_file("nul", "a\nb\0c\n", 6), 0, &err), GND_ERR_FORMAT,
                "nul:2: has a NUL byte");
    CHECK_FAILS(gnd_text_open(&t, temp_file("bad.gz", "\x1f\x8bjunk that is no gzip", 22), 0, &err),
                GND_ERR_FORMAT, "bad.gz: the gzip stream is damaged");
    put_gz("cut.gz", "some text that is long enough to be worth something\n");
    f = fopen(temp_path("cut.gz"), "rb");
    n = fread(raw, 1, sizeof raw, f);
    fclose(f);
    for (size_t k = 2; k < n; k++)
        CHECK_FAILS(gnd_text_open(&t, temp_file("cut.gz", raw, k), 0, &err), GND_ERR_FORMAT,
                    "cut.gz: the gzip stream is truncated");
    CHECK_FAILS(gnd_text_open_lines(&t, temp_file("u.csv", "\xff\xfe\x61\0", 4), 0, &err),
                GND_ERR_FORMAT, "u.csv: is UTF-16 text; save it as UTF-8");
    raw[n - 5] ^= 1; /* the checksum */
    CHECK_FAILS(gnd_text_open(&t, temp_file("cut.gz", raw, n), 0, &err), GND_ERR_FORMAT, "damaged");
    assert_null(t.data);
}

/* The fields are the same when they are taken again. */
static void check_fields(const char *line, char sep, const char *want)
{
    gnd_text t;
    gnd_error err;
    gnd_csv_field f[8];
    char got[256] = "";
    const char *s;
    size_t len;
    int64_t n;

    CHECK_OK(gnd_text_open(&t, put("f", line), 0, &err));
    assert_true(gnd_text_line(&t, &s, &len));
    assert_int_equal(gnd_text_separator(&t, s, len), sep);
    for (int again = 0; again < 2; again++) {
        got[0] = '\0';
        CHECK_OK(gnd_fields_split(gnd_text_fields(&t, s, len, sep), f, 8, &n, &err));
        for (int64_t i = 0; i < n; i++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "[%.*s]", (int)f[i].len, f[i].s);
        assert_string_equal(got, want);
    }
    gnd_text_close(&t);
}

static void test_fields(void **state)
{
    (void)state;
    check_fields("a,b,c", ',', "[a][b][c]");
    check_fields("a, b ,,", ',', "[a][b][][]");
    check_fields("\"a,b\" , \"say \"\"hi\"\"\",\"\"", ',', "[a,b][say \"hi\"][]");
    check_fields("\" a \",b c", ',', "[ a ][b c]");
    check_fields("a\tb,c\t", '\t', "[a][b,c][]");
    check_fields("\"a\tb\",c", ',', "[a\tb][c]");
    check_fields("a \t b", '\t', "[a][b]");
    check_fields("  a   b ", ' ', "[a][b]");
    check_fields("\"a b\"   c", ' ', "[a b][c]");
    check_fields("it's \"fine\"", ' ', "[it's][fine]");
}

static void test_bad_quotes(void **state)
{
    static const char *const bad[] = {"a,\"b", "\"", "\"a\"b,c", "\"a\" \"b\",c", "\"a\"\"\n"};
    gnd_text t;
    gnd_error err;
    gnd_csv_field f[2];
    const char *s;
    size_t len;
    int64_t n;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_OK(gnd_text_open(&t, put("q", bad[i]), 0, &err));
        assert_true(gnd_text_line(&t, &s, &len));
        CHECK_FAILS(gnd_fields_split(gnd_text_fields(&t, s, len, ','), f, 2, &n, &err),
                    GND_ERR_FORMAT, "q:1: ");
        assert_non_null(strstr(err.msg, "quote"));
        gnd_text_close(&t);
    }
}

static void test_words(void **state)
{
    char why[GND_NOT_REAL];
    char show[GND_SHOWN], name[64];
    int32_t v;
    double x;

    (void)state;
    assert_true(gnd_field_vertex(&v, (gnd_csv_field){"2147483646", 10}) && v == 2147483646);
    assert_false(gnd_field_vertex(&v, (gnd_csv_field){"2147483647", 10}));
    assert_false(gnd_field_vertex(&v, (gnd_csv_field){"99999999999", 11}));
    assert_false(gnd_field_vertex(&v, (gnd_csv_field){"07", 2}));
    assert_false(gnd_field_vertex(&v, (gnd_csv_field){"-1", 2}));
    assert_false(gnd_field_vertex(&v, (gnd_csv_field){"", 0}));
    assert_true(gnd_field_vertex(&v, (gnd_csv_field){"0", 1}) && v == 0);
    assert_true(gnd_field_real(&x, (gnd_csv_field){"-2.5e1", 6}) && x == -25);
    assert_false(gnd_field_real(&x, (gnd_csv_field){"nan", 3}));
    assert_false(gnd_field_real(&x, (gnd_csv_field){"-inf", 4}));
    assert_false(gnd_field_real(&x, (gnd_csv_field){"1e999", 5}));
    assert_false(gnd_field_real(&x, (gnd_csv_field){"1x", 2}));
    assert_true(gnd_field_decimal(&x, (gnd_csv_field){"-0,25", 5}, ',') && x == -0.25);
    assert_false(gnd_field_decimal(&x, (gnd_csv_field){"0.25", 4}, ','));
    assert_false(gnd_field_decimal(&x, (gnd_csv_field){"0,25", 4}, '.'));
    assert_string_equal(gnd_field_not_real(why, (gnd_csv_field){"1x", 2}),
                        "expected a finite number; got '1x'");
    assert_string_equal(gnd_field_not_real(why, (gnd_csv_field){"-Inf", 4}),
                        "expected a finite number; got '-Inf'");
    assert_non_null(strstr(gnd_field_not_real(why, (gnd_csv_field){"1e999", 5}),
                           "'1e999' is too large; expected at most "));
    assert_string_equal(gnd_field_show(show, (gnd_csv_field){"a\x1b[2J\n", 6}), "a?[2J?");
    assert_int_equal(strlen(gnd_field_show(show, (gnd_csv_field){slurp("/proc/self/maps"), 500})),
                     GND_SHOWN - 1);
    gnd_path_stem(name, sizeof name, "/x/y.z/web.edges.csv.gz");
    assert_string_equal(name, "web.edges");
    gnd_path_stem(name, sizeof name, "dir/sub/");
    assert_string_equal(name, "sub");
    gnd_path_stem(name, sizeof name, ".hidden");
    assert_string_equal(name, ".hidden");
    gnd_path_stem(name, 4, "abcdefg");
    assert_string_equal(name, "abc");
}

/* The quick way to read a decimal gives the bits of strtod. */
static void test_reals(void **state)
{
    static const char *const edge[] = {"0.1",
                                       "-0",
                                       "5.",
                                       ".5",
                                       "0.000000000000001",
                                       "1e-7",
                                       "+3.5",
                                       "999999999999999",
                                       "-123456.789012345",
                                       "0.30000000000000004"};
    static const char *const bad[] = {"", "-", ".", "-.", "1.2.3", "--1", "1-", " 1", "1 "};
    char buf[32];
    double x;

    (void)state;
    for (size_t i = 0; i < sizeof edge / sizeof edge[0]; i++) {
        assert_true(gnd_field_real(&x, (gnd_csv_field){edge[i], strlen(edge[i])}));
        CHECK_CLOSE(x, strtod(edge[i], NULL), 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(gnd_field_real(&x, (gnd_csv_field){bad[i], strlen(bad[i])}));
    for (int64_t i = 0; i < 100000; i++) {
        const int n = snprintf(buf, sizeof buf, "%.*f", (int)(i % 12), (double)(i * i) / 7e5 - 900);

        assert_true(gnd_field_real(&x, (gnd_csv_field){buf, (size_t)n}));
        CHECK_CLOSE(x, strtod(buf, NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),    cmocka_unit_test(test_gzip_members),
        cmocka_unit_test(test_big_gzip), cmocka_unit_test(test_open_fails),
        cmocka_unit_test(test_fields),   cmocka_unit_test(test_bad_quotes),
        cmocka_unit_test(test_words),    cmocka_unit_test(test_reals),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
