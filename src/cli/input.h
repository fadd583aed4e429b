/* SPDX-License-Identifier: MIT
 * input.h - the options of commands that load a graph, as options of the library. */
#ifndef GND_CLI_INPUT_H
#define GND_CLI_INPUT_H

#include "args.h"
#include "gnd.h"

/* The options of gnd_load that the command line gives. Returns 0, or EXIT_USAGE after a message. */
int load_opts_get(gnd_load_opts *out, const cli_args *a);

#endif
