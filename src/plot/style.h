/* SPDX-License-Identifier: MIT
 * style.h - colours, line styles and marks. */
#ifndef GND_PLOT_STYLE_H
#define GND_PLOT_STYLE_H

#include "base/buffer.h"

const char *gnd_style_colour(int style);
/* The dashes of lines, as in stroke-dasharray; "" is a solid line. */
const char *gnd_style_dashes(int style);
/* Append the outline of the style's mark at x, y to the data of a path. size: half its width. */
void gnd_style_mark(gnd_buffer *b, int style, double x, double y, double size);
/* Is the mark a circle or a square, which can be drawn as the end of a line of length 0? */
bool gnd_style_is_cap(int style, const char **cap);

#endif
