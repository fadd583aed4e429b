/* SPDX-License-Identifier: MIT
 * svg.h - elements of an SVG file. Coordinates are points (1/72 inch), y grows downwards. */
#ifndef GND_PLOT_SVG_H
#define GND_PLOT_SVG_H

#include "base/buffer.h"

/* Append a coordinate with at most `decimals` decimals, as short as it can be; values beyond a
 * million are cut. */
void gnd_svg_number(gnd_buffer *b, double v, int decimals);
/* Append two coordinates, two decimals each, separated by a blank or the minus sign. */
void gnd_svg_pair(gnd_buffer *b, double x, double y);
/* Append a text with the markup of XML escaped; characters that XML does not allow become '?'. */
void gnd_svg_escape(gnd_buffer *b, const char *text);
/* Append ` name="v"`. */
void gnd_svg_real(gnd_buffer *b, const char *name, double v);

typedef struct {
    double x, y; /* of the anchor, on the base line */
    double size; /* of the font */
    char anchor; /* 's' start, 'm' middle, 'e' end of the text */
    bool bold;
    bool vertical; /* read from bottom to top */
} gnd_svg_place;

/* Append a text element. What follows '^' is an exponent, if exponent is set. */
void gnd_svg_text(gnd_buffer *b, const gnd_svg_place *at, const char *text, bool exponent);
/* Estimated width of a text in the given font size. Fonts differ, so it is that of a wide one. */
double gnd_svg_width(const char *text, double size);

#endif
