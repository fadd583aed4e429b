/* SPDX-License-Identifier: MIT
 * style.c - colours, line styles and marks. The colours are those of Okabe and Ito (Color Universal
 * Design, 2008), which people with colour blindness can tell apart, without yellow, which is too
 * pale for lines. Line styles and marks tell series apart in grey print. */
#include "style.h"

#include "figure.h"
#include "svg.h"

static const char *const colours[GND_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#000",    "#56b4e9"};
static const char *const dashes[GND_COLOURS] = {
    "", "5 1.6", "1.4 1.4", "6 1.4 1.4 1.4", "3 1.4", "6 1.4 1.4 1.4 1.4 1.4", "9 2"};

/* Corners of the marks on the square from -1 to 1; the first mark is a circle. */
enum { CORNERS = 12 };
static const struct {
    int n;
    double at[CORNERS][2];
} shapes[GND_COLOURS] = {
    {0, {{0, 0}}},
    {4, {{-.88, -.88}, {.88, -.88}, {.88, .88}, {-.88, .88}}},
    {3, {{0, -1.15}, {1.1, .8}, {-1.1, .8}}},
    {4, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}},
    {3, {{0, 1.15}, {1.1, -.8}, {-1.1, -.8}}},
    {12,
     {{-.4, -1.15},
      {.4, -1.15},
      {.4, -.4},
      {1.15, -.4},
      {1.15, .4},
      {.4, .4},
      {.4, 1.15},
      {-.4, 1.15},
      {-.4, .4},
      {-1.15, .4},
      {-1.15, -.4},
      {-.4, -.4}}},
    {3, {{1.15, 0}, {-.8, 1.1}, {-.8, -1.1}}},
};

static int colour_of(int style)
{
    return style < 0 ? 0 : style % GND_COLOURS;
}

/* Also differs from the style's colour number, so that styles 7 apart differ in their marks. */
static int shape_of(int style)
{
    return style < 0 ? 0 : (style + style / GND_COLOURS) % GND_COLOURS;
}

const char *gnd_style_colour(int style)
{
    return style < 0 ? "#888" : colours[colour_of(style)];
}

const char *gnd_style_dashes(int style)
{
    return style < 0 ? "3 2" : dashes[shape_of(style)];
}

bool gnd_style_is_cap(int style, const char **cap)
{
    *cap = shape_of(style) == 0 ? "round" : "square";
    return shape_of(style) < 2;
}

void gnd_style_mark(gnd_buffer *b, int style, double x, double y, double size)
{
    const int k = shape_of(style);
    const double(*at)[2] = shapes[k].at;

    gnd_buffer_add(b, "M", 1);
    if (k == 0) {
        gnd_svg_pair(b, x - size, y);
        for (int half = 0; half < 2; half++) {
            gnd_buffer_add(b, "a", 1);
            gnd_svg_pair(b, size, size);
            gnd_buffer_add(b, " 0 1 0 ", 7);
            gnd_svg_pair(b, half ? -2 * size : 2 * size, 0);
        }
    } else {
        gnd_svg_pair(b, x + size * at[0][0], y + size * at[0][1]);
        gnd_buffer_add(b, "l", 1);
    }
    for (int i = 1; i < shapes[k].n; i++) { /* relative to the corner before, which is shorter */
        const double dx = size * (at[i][0] - at[i - 1][0]), dy = size * (at[i][1] - at[i - 1][1]);

        gnd_buffer_add(b, " ", i > 1 && dx >= 0); /* a minus sign separates */
        gnd_svg_pair(b, dx, dy);
    }
    gnd_buffer_add(b, "z", 1);
}
