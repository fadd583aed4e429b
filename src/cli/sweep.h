/* SPDX-License-Identifier: MIT
 * sweep.h - functions that `gnd compare` and `gnd paper` share: progress and messages of a sweep,
 * its output, its JSON. */
#ifndef GND_CLI_SWEEP_H
#define GND_CLI_SWEEP_H

#include "common.h"
#include "progress.h"

typedef struct {
    const cli_args *args;
    const char *store_path; /* NULL: none */
    bool graph_notes;       /* print the notes of the loaded graphs */
    gnd_store *store;
    gnd_sweep *s;
    bool only_stored; /* of the present pass */
    progress p;
} sweep_job;

/* Open or create a store. */
int store_open(gnd_store **out, const char *path);
/* Open a folder of results in place of a store. 0, or EXIT_FAILED after a message. */
int results_open(sweep_job *j, const char *folder);
/* Make a sweep with o, to which the job adds store, callbacks, --preset, --set, --vary, --seed,
 * --threads, --memory, --data-dir and --labels-per-class. Prints which methods are left out. */
int sweep_open(sweep_job *j, gnd_sweep_opts *o);
/* Run what the store does not have; only_stored: nothing. Returns 0, or the exit code after a
 * message. */
int sweep_train(sweep_job *j, bool only_stored);
/* Print how many training runs diverged; EXIT_FAILED if any did, else 0. */
int sweep_diverged(const sweep_job *j);
void sweep_close(sweep_job *j);

/* Write a report in the format of --format to path, or to stdout if that is NULL or "-". */
int report_print(const sweep_job *j, gnd_report_kind kind, const char *path);
/* The training runs as CSV to a file. */
int runs_save(const sweep_job *j, const char *path);
/* [{...}], one object per cell, per training run. */
json_t *js_cells(const gnd_sweep *s);
json_t *js_runs(const gnd_sweep *s);

/* Texts separated by commas; the caller frees v and copy. */
typedef struct {
    const char **v;
    int64_t n;
    char *copy;
} word_list;

/* EXIT_USAGE after a message if one of them is empty; option: the option with this value. */
int words_get(word_list *out, const char *text, const char *option);
void words_fini(word_list *l);

#endif
