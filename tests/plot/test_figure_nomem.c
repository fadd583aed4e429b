/* SPDX-License-Identifier: MIT
 * test_figure_nomem.c - a figure remembers a failed allocation until it is written. */
#include "base/buffer.h"
#include "mallocfail.h"
#include "plot/figure.h"

static FILE *sink;

static gnd_status make(gnd_error *err)
{
    static const double x[] = {1, 2};
    static const char *const name[] = {"a", "b"};
    static const float at[] = {0, 1, 2, 3};
    static const int32_t cls[] = {0, 1};
    gnd_figure *f = NULL;
    gnd_status st = gnd_figure_new(&f, &(gnd_figure_shape){"t", GND_FIGURE_SINGLE, 1}, err);

    if (st != GND_OK)
        return st;
    gnd_figure_panel(f, &(gnd_panel){.title = "p",
                                     .x = {.label = "x", .at = x, .n_at = 2, .name = name},
                                     .y = {.label = "y"}});
    gnd_figure_series(
        f, &(gnd_plot_series){
               .name = "s", .draw = GND_DRAW_LINE, .n = 2, .x = x, .y = x, .low = x, .high = x});
    gnd_figure_scatter(f, &(gnd_scatter){"q", at, cls, 2, 2, name});
    gnd_figure_note(f, "%s", "note");
    st = gnd_figure_write(f, sink, GND_FIGURE_SVG, err);
    gnd_figure_free(f);
    return st;
}

static void walk(void **state)
{
    gnd_error err = {0};

    (void)state;
    sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    NOMEM_WALK(make(&err), (void)0);
    fclose(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walk)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
