/* SPDX-License-Identifier: MIT
 * test_edge_numbers.c - rows of two numbers that are read many at a time are those that the fields
 * of a row give, and reading stops at every row that is not such a row. */
#include "io/edge_numbers.h"

#include <string.h>

#include "check.h"
#include "io/arc_sort.h"
#include "io/text.h"

/* As gnd_edge_numbers, byte by byte. Returns the place after the row; NULL: it is none. */
static const char *row_slowly(int32_t *u, int32_t *v, const char *s, const gnd_edge_numbers_of *of)
{
    const char *sep = memchr(s, of->sep, (size_t)(of->end - s));
    const char *line = memchr(s, '\n', (size_t)(of->end - s)), *last;

    if (!sep || !line || sep > line)
        return NULL;
    last = line > sep + 1 && line[-1] == '\r' ? line - 1 : line;
    if (!gnd_field_vertex(u, (gnd_csv_field){s, (size_t)(sep - s)}) ||
        !gnd_field_vertex(v, (gnd_csv_field){sep + 1, (size_t)(last - sep - 1)}))
        return NULL;
    return *u < of->limit && *v < of->limit ? line + 1 : NULL;
}

/* Read rows of text, then one more that follows them, with text after it. */
static void agree(const char *row, int32_t limit)
{
    static const char after[] = "1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n";
    char text[512];
    gnd_edge_numbers_of of = {.sep = ',', .limit = limit};
    const char *fast = text, *slow = text;
    uint64_t key[64];
    int32_t max = 0, most = 0, u, v;
    int64_t n;

    snprintf(text, sizeof text, "100,20\n%s%s", row, after);
    of.end = text + strlen(text);
    n = gnd_edge_numbers(key, 64, &fast, &max, &of);
    for (int64_t i = 0; i < n; i++) {
        slow = row_slowly(&u, &v, slow, &of);
        if (!slow)
            fail_msg("row %lld of %s is none", (long long)i, text);
        assert_true(key[i] == gnd_arc_key(u, v));
        most = u > most ? u : most;
        most = v > most ? v : most;
    }
    assert_ptr_equal(fast, slow);
    assert_int_equal(max, most);
    if (of.end - fast > 24 &&
        row_slowly(&u, &v, slow, &of)) /* only near the end may it stop early */
        fail_msg("stopped at '%.40s'", fast);
}

static void every_length(void **state)
{
    static const char digits[] = "1234567890123";
    char row[64];

    (void)state;
    for (int a = 0; a < 13; a++)
        for (int b = 0; b < 13; b++)
            for (int end = 0; end < 2; end++) {
                snprintf(row, sizeof row, "%.*s,%.*s%s", a, digits, b, digits, end ? "\r\n" : "\n");
                agree(row, INT32_MAX);
                agree(row, 12346);
            }
}

/* Every byte at every place of a row. */
static void every_byte(void **state)
{
    static const char *const rows[] = {"1234567,89\n",
                                       "5,1\r\n",
                                       "0,12345678\n",
                                       "123456789,7\n",
                                       "2147483646,0\n",
                                       "2147483647,0\n",
                                       "01,2\n",
                                       "1,02\n",
                                       "12345678,12345678\n",
                                       "1,\n",
                                       ",1\n",
                                       "1,2,3\n",
                                       "\n"};
    char row[32];

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        agree(rows[k], INT32_MAX);
        for (size_t at = 0; at < strlen(rows[k]); at++)
            for (int byte = 1; byte < 256; byte++) {
                snprintf(row, sizeof row, "%s", rows[k]);
                row[at] = (char)byte;
                agree(row, INT32_MAX);
            }
    }
}

/* Not more rows than there is room for, and none beyond the end. */
static void stops(void **state)
{
    const char text[] = "1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n15,16\n", *s;
    const gnd_edge_numbers_of of = {text + 30, ',', INT32_MAX};
    uint64_t key[8];
    int32_t max = 3;

    (void)state;
    s = text;
    assert_int_equal(gnd_edge_numbers(key, 1, &s, &max, &of), 1);
    assert_ptr_equal(s, text + 4);
    assert_int_equal(max, 3);
    for (int end = 0; end < 30; end++) {
        const gnd_edge_numbers_of cut = {text + end, ',', INT32_MAX};

        s = text;
        gnd_edge_numbers(key, 8, &s, &max, &cut);
        assert_true(s <= cut.end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
