/* SPDX-License-Identifier: MIT
 * files.h - check all files that a command reads and writes, before it starts. */
#ifndef GND_CLI_FILES_H
#define GND_CLI_FILES_H

#include "args.h"

/* Refuse a command line that would overwrite one of its inputs, write two outputs to one file, or
 * write where no file can be created. The tables of options and operands state what is read and
 * written; files are compared by device and inode, so that links are detected. Returns 0, or
 * EXIT_FAILED after a message; no file is changed. */
int files_check(const cli_args *a, const command *c);
/* Can a file be created at path? 0, or EXIT_FAILED after a message. */
int output_check(const char *path);
/* Is path a folder, or does it end with a slash? */
bool is_folder(const char *path);
/* The folder of finished training runs that --results of `gnd paper` names; NULL: none. */
const char *results_folder(const char *value);
/* The format in which a graph is written to path: that of --to or, without it, "safetensors" or
 * "npz" if the name ends so, else "csv", which is a folder. */
const char *graph_out_format(const cli_args *a, const char *path);

#endif
