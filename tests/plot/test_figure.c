/* SPDX-License-Identifier: MIT
 * test_figure.c - figures as SVG and CSV: escaped texts, short numbers, nothing that is not
 * finite. */
#include "base/alloc.h"
#include "check.h"
#include "plot/figure.h"
#include "plot/style.h"
#include "plot/svg.h"

static void numbers(void **state)
{
    static const struct {
        double v;
        int decimals;
        const char *text;
    } cases[] = {
        {0, 2, "0"},           {0.5, 2, ".5"},
        {-0.5, 2, "-.5"},      {12, 2, "12"},
        {12.345, 1, "12.3"},   {-0.001, 2, "0"},
        {NAN, 2, "0"},         {100, 1, "100"},
        {1e30, 2, "1000000"},  {-INFINITY, 2, "-1000000"},
        {7.1 + 0.2, 2, "7.3"}, {10, 0, "10"},
    };

    (void)state;
    for (int64_t i = 0; i < LENGTH(cases); i++) {
        gnd_buffer b = {0};

        gnd_svg_number(&b, cases[i].v, cases[i].decimals);
        assert_string_equal(b.text, cases[i].text);
        gnd_buffer_fini(&b);
    }
}

static void pairs(void **state)
{
    gnd_buffer b = {0};

    (void)state;
    gnd_svg_pair(&b, 1.5, 2);
    gnd_svg_pair(&b, 1, -2);
    assert_string_equal(b.text, "1.5 21-2");
    gnd_buffer_fini(&b);
}

static void escapes(void **state)
{
    gnd_buffer b = {0};

    (void)state;
    gnd_svg_escape(&b, "<a & \"b\">\x01\xff\xef\xbf\xbf caf\xc3\xa9");
    assert_string_equal(b.text, "&lt;a &amp; &quot;b&quot;&gt;??? caf\xc3\xa9");
    gnd_buffer_fini(&b);
}

/* Styles of one figure differ, and the first ones in everything. */
static void styles(void **state)
{
    (void)state;
    for (int i = 0; i < GND_STYLES; i++)
        for (int k = 0; k < i; k++) {
            gnd_buffer a = {0}, b = {0};
            bool same;

            gnd_style_mark(&a, i, 0, 0, 1);
            gnd_style_mark(&b, k, 0, 0, 1);
            same = strcmp(a.text, b.text) == 0;
            assert_false(same && strcmp(gnd_style_colour(i), gnd_style_colour(k)) == 0);
            if (i < GND_COLOURS) {
                assert_false(same);
                assert_string_not_equal(gnd_style_dashes(i), gnd_style_dashes(k));
                assert_string_not_equal(gnd_style_colour(i), gnd_style_colour(k));
            }
            gnd_buffer_fini(&a);
            gnd_buffer_fini(&b);
        }
}

static char *written(const gnd_figure *f, gnd_figure_format format)
{
    gnd_error err = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    CHECK_OK(gnd_figure_write(f, out, format, &err));
    fclose(out);
    return text;
}

static int64_t count(const char *text, const char *part)
{
    int64_t n = 0;

    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

static const double px[] = {1, 2, 3}, py[] = {0.5, NAN, INFINITY}, plow[] = {0.25, 0, 0},
                    phigh[] = {0.75, NAN, 1};

static gnd_figure *small(const gnd_axis *x)
{
    gnd_error err = {0};
    gnd_figure *f = NULL;

    CHECK_OK(gnd_figure_new(&f, &(gnd_figure_shape){"a < b", GND_FIGURE_SINGLE, 1}, &err));
    gnd_figure_panel(f, &(gnd_panel){.title = "T, \"1\"", .x = *x, .y = {.label = "y & z"}});
    gnd_figure_series(f, &(gnd_plot_series){.name = "<s>",
                                            .draw = GND_DRAW_LINE | GND_DRAW_MARK | GND_DRAW_ERROR |
                                                    GND_DRAW_BAND | GND_DRAW_BAR,
                                            .n = 3,
                                            .x = px,
                                            .y = py,
                                            .low = plow,
                                            .high = phigh,
                                            .width = 0.5});
    gnd_figure_note(f, "%d of 100 %%", 7);
    return f;
}

static void drawing(void **state)
{
    gnd_figure *f = small(&(gnd_axis){.label = "x"});
    char *svg = written(f, GND_FIGURE_SVG), *again = written(f, GND_FIGURE_SVG);

    (void)state;
    assert_string_equal(svg, again);
    assert_int_equal(strncmp(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"84mm\"", 51),
                     0);
    assert_non_null(strstr(svg, "<title>a &lt; b</title>"));
    assert_non_null(strstr(svg, ">y &amp; z</text>"));
    assert_int_equal(count(svg, ">&lt;s&gt;</text>"), 1); /* the legend */
    assert_non_null(strstr(svg, ">7 of 100 %</text>"));
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    free(svg);
    free(again);
    gnd_figure_free(f);
}

static void data(void **state)
{
    static const char *const name[] = {"one", "two, 2", "three"};
    gnd_figure *f = small(&(gnd_axis){.label = "x", .at = px, .n_at = 3, .name = name});
    char *csv = written(f, GND_FIGURE_CSV);

    (void)state;
    assert_string_equal(csv, "panel,series,x,y,low,high\n"
                             "\"T, \"\"1\"\"\",<s>,one,0.5,0.25,0.75\n"
                             "\"T, \"\"1\"\"\",<s>,\"two, 2\",,0,\n"
                             "\"T, \"\"1\"\"\",<s>,three,,0,1\n");
    free(csv);
    gnd_figure_free(f);
}

/* A scatter panel has a path for each class, and few bytes for each point. */
static void scatter(void **state)
{
    enum { N = 4000, C = 20 };
    static const char *const names[C] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                         "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
    float *at = gnd_alloc(2 * N, sizeof *at);
    int32_t *cls = gnd_alloc(N, sizeof *cls);
    gnd_error err = {0};
    gnd_figure *f = NULL;
    char *svg, *csv;

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        at[2 * i] = (float)(i % 61);
        at[2 * i + 1] = (float)(i % 67);
        cls[i] = i == 5 ? -1 : (int32_t)(i % C);
    }
    CHECK_OK(gnd_figure_new(&f, &(gnd_figure_shape){"", GND_FIGURE_DOUBLE, 2}, &err));
    gnd_figure_scatter(f, &(gnd_scatter){"left", at, cls, N, C, names});
    gnd_figure_scatter(f, &(gnd_scatter){"right", at, cls, 0, C, names});
    svg = written(f, GND_FIGURE_SVG);
    csv = written(f, GND_FIGURE_CSV);
    assert_int_equal(count(csv, "\n"), 1 + N);
    assert_int_equal(count(csv, "left,no label,5,5,,\n"), 1);
    assert_in_range(strlen(svg), 10 * N, 40 * N);
    for (int c = 0; c < C; c++) {
        char text[32];

        snprintf(text, sizeof text, ">%s</text>", names[c]);
        assert_int_equal(count(svg, text), 1);
    }
    free(svg);
    free(csv);
    gnd_free(at);
    gnd_free(cls);
    gnd_figure_free(f);
}

/* Texts that do not fit are cut; a figure without panels is a valid file. */
static void extremes(void **state)
{
    char text[2000];
    gnd_error err = {0};
    gnd_figure *f = NULL;
    char *svg;

    (void)state;
    memset(text, 'W', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK_OK(gnd_figure_new(&f, &(gnd_figure_shape){NULL, GND_FIGURE_SINGLE, 0}, &err));
    free(written(f, GND_FIGURE_SVG));
    gnd_figure_panel(f, &(gnd_panel){.title = text, .x = {.label = text}, .y = {.label = text}});
    gnd_figure_series(
        f, &(gnd_plot_series){.name = text, .draw = GND_DRAW_MARK, .n = 3, .x = px, .y = px});
    gnd_figure_note(f, "%s", text);
    svg = written(f, GND_FIGURE_SVG);
    assert_in_range(strlen(svg), 500, 4000);
    assert_int_equal(count(svg, "...</text>"), 5);
    free(svg);
    CHECK_FAILS(gnd_figure_write(NULL, stdout, GND_FIGURE_SVG, &err), GND_ERR_ARG, "figure");
    CHECK_FAILS(gnd_figure_write(f, stdout, (gnd_figure_format)7, &err), GND_ERR_ARG, "format");
    gnd_figure_free(f);
    gnd_figure_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(pairs),    cmocka_unit_test(escapes),
        cmocka_unit_test(styles),  cmocka_unit_test(drawing),  cmocka_unit_test(data),
        cmocka_unit_test(scatter), cmocka_unit_test(extremes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
