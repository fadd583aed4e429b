/* SPDX-License-Identifier: MIT
 * files.h - every file that a command reads and writes, known before it starts. */
#ifndef GND_CLI_FILES_H
#define GND_CLI_FILES_H

#include "args.h"

/* Refuse a command line that would overwrite one of its inputs, or write two outputs to one file,
 * or write where no file can be made. The tables of options and operands say what is read and
 * written; files are compared by device and inode, so links do not hide them. 0, or EXIT_FAILED
 * after a sentence; nothing is touched. */
int files_check(const cli_args *a, const command *c);
/* Can a file be made at path? 0, or EXIT_FAILED after a sentence. */
int output_check(const char *path);
/* Does OUT of `gnd data convert` name an npz file, not a folder of csv files? */
bool is_npz(const cli_args *a, const char *path);

#endif
