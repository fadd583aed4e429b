/* SPDX-License-Identifier: MIT
 * test_table.c - one table in four formats, and reports that need no training. */
#include "check.h"

static char text[8192];

static const char *written(const gnd_table *t, const gnd_table_opts *o)
{
    FILE *f = fmemopen(text, sizeof text, "w");
    gnd_error err = {0};

    assert_int_equal(gnd_table_write(t, f, o, &err), GND_OK);
    fclose(f);
    return text;
}

static gnd_table *table(void)
{
    gnd_table *t = gnd_table_new("lr");

    gnd_table_row(t, (const char *const[]){"a_b", "n"});
    gnd_table_cell(t, "x,%d", 1);
    gnd_table_cell(t, "%.1f ± %.1f", -2.5, 0.5);
    gnd_table_bold(t);
    assert_int_equal(gnd_table_n_row(t), 2);
    return t;
}

static void formats(void **state)
{
    gnd_table *t = table();
    gnd_table_opts o = {.size = sizeof o};

    (void)state;
    assert_string_equal(written(t, NULL), "a_b           n\nx,1  -2.5 ± 0.5\n");
    o.indent = 2;
    o.ansi = true;
    assert_string_equal(written(t, &o), "  a_b           n\n  x,1  \033[1m-2.5 ± 0.5\033[0m\n");
    o.format = GND_FORMAT_MARKDOWN;
    assert_string_equal(written(t, &o), "| a\\_b |              n |\n| ---- | -------------: |\n"
                                        "| x,1  | **-2.5 ± 0.5** |\n");
    o.format = GND_FORMAT_LATEX;
    assert_string_equal(written(t, &o),
                        "\\begin{tabular}{lr}\n\\toprule\na\\_b &                         "
                        "n \\\\\n\\midrule\nx,1  & \\textbf{$-$2.5 $\\pm$ 0.5} \\\\\n"
                        "\\bottomrule\n\\end{tabular}\n");
    o.format = GND_FORMAT_CSV;
    assert_string_equal(written(t, &o), "a_b,n\n\"x,1\",-2.5 ± 0.5\n");
    gnd_table_free(t);
}

static void mistakes(void **state)
{
    gnd_table *t = table();
    gnd_table_opts o = {.size = sizeof o, .format = (gnd_table_format)9};
    gnd_error err = {0};

    (void)state;
    CHECK_FAILS(gnd_table_write(t, stdout, &o, &err), GND_ERR_ARG, "format");
    CHECK_FAILS(gnd_table_write(NULL, stdout, NULL, &err), GND_ERR_NOMEM, "memory");
    CHECK_FAILS(gnd_report_write(stdout, NULL, NULL, &err), GND_ERR_ARG, "sweep");
    assert_null(gnd_table_new(""));
    gnd_table_free(t);
    gnd_table_free(NULL);
}

static void wraps(void **state)
{
    FILE *f = fmemopen(text, sizeof text, "w");

    (void)state;
    gnd_text_wrap(
        f, "one two three four five six seven eight nine ten eleven twelve thirteen fourteen", 8,
        2);
    fclose(f);
    assert_string_equal(text, "one two three four five six seven eight nine ten eleven twelve "
                              "thirteen\n  fourteen\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(wraps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
