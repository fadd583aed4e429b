/* SPDX-License-Identifier: MIT
 * figure.h - write a figure to the files that the options name. */
#ifndef GND_CLI_FIGURE_H
#define GND_CLI_FIGURE_H

#include "args.h"
#include "gnd.h"

/* Options of every command that makes a figure. */
#define OPT_FIGURE                                                                                 \
    {                                                                                              \
        .type = OPT_TEXT, .letter = 'o', .name = "output", .arg = "FILE", .at = AT(output),        \
        .use = USE_OUT,                                                                            \
        .help =                                                                                    \
            "figure to write: a name that ends in .svg, or in .png (made by rsvg-convert, 300 "    \
            "dots per inch)"                                                                       \
    }
#define OPT_CSV                                                                                    \
    {                                                                                              \
        .type = OPT_TEXT, .name = "csv", .arg = "FILE", .at = AT(csv), .use = USE_OUT,             \
        .help = "write the data of the figure as CSV: panel,series,x,y,low,high"                   \
    }

/* Can the figure be written? Checked before it is computed. 0, or the exit code after a message. */
int figure_check(const cli_args *a);
/* Write the files of --output and --csv. 0, or the exit code after a message. */
int figure_save(const gnd_figure *f, const cli_args *a);

#endif
