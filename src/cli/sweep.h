/* SPDX-License-Identifier: MIT
 * sweep.h - methods x settings x label counts x splits on data sets: what is to be trained, and the
 * figures that come of it. */
#ifndef GND_CLI_SWEEP_H
#define GND_CLI_SWEEP_H

#include "common.h"
#include "progress.h"

/* ---- what is trained ---- */

/* A method with one of its settings at a value; setting "" if there is none. Variants of one row
 * compete: the one of highest mean validation accuracy stands for them. */
typedef struct {
    char *method, *setting, *value;
    int64_t row;
} sweep_variant;

typedef struct {
    gnd_graph_mode graph;
    const char *rule; /* "original", "common" */
} sweep_setting;

/* ---- the figures ---- */

typedef struct {
    gnd_cell cell;       /* n is 0 where there is no result */
    int64_t n_diverged;  /* trainings that left the finite numbers */
    const char *variant; /* "hops=5", or "": whose figures these are */
    bool has_published;
    gnd_published published;
    double apart; /* from the published mean, in published std / sqrt(n); NAN if that is none */
    int64_t best; /* row it is paired with; -1: none */
    gnd_paired paired;
} sweep_cell;

/* One data set under one setting. */
typedef struct {
    const char *dataset;
    sweep_setting setting;
    gnd_graph_info info;
    sweep_cell *cell; /* [n_row][n label counts] */
} sweep_block;

/* How long trainings of a row of a block take, and how many there are. */
typedef struct {
    int64_t total, done;
    double seconds; /* of n_timed trainings */
    int64_t n_timed;
} sweep_cost;

typedef struct {
    /* to be filled by the command */
    const cli_args *args; /* of the input, --preset, --set, --seed, --threads */
    text_list data;
    const sweep_setting *setting;
    int64_t n_setting;
    const int_list *per_class;
    int32_t n_split;
    int32_t n_search; /* competing variants see these splits only; the best then all */
    gnd_split_kind kind;
    int64_t n_val;
    int64_t memory;   /* of each training; 0: as the library likes */
    gnd_store *store; /* may be NULL */
    const char *store_path;
    bool row_by_row;  /* a row that fails is said and passed over */
    bool want_runs;   /* fill runs and js_runs */
    bool want_paired; /* fill sweep_cell.paired */
    /* by variants_make */
    sweep_variant *variant;
    char **variant_name; /* "hops=5", or "" */
    int64_t n_variant;
    const char **row_method; /* [n_row] */
    char **row_name;         /* [n_row], "gcn" or, if its variants do not compete, "gcn hops=5" */
    int64_t n_row;
    char *left_out; /* methods without the setting of --vary, with commas; NULL: none */
    /* by sweep_run */
    sweep_block *block;       /* [n_block], setting by setting, data set by data set */
    int64_t n_block, n_whole; /* all of them; those from the first on that are whole */
    table runs;               /* a row a training */
    json_t *js_runs;
    int64_t n_failed, n_done; /* of the trainings of the last pass: diverged, all */
    bool only_stored;         /* this pass trains nothing */
    sweep_cost *cost;         /* [data x setting][n_row] */
    int64_t at;               /* the cost that is being added to */
    double seconds_trained, started;
    progress p;
} sweep;

/* ---- variants.c ---- */

/* From --methods (`all`: every method), --vary and --pick. A method that lacks the setting of
 * --vary is said and left out. Returns 0 or the exit code, after one sentence. */
int variants_make(sweep *s, const char *methods, const char *all);
void variants_free(sweep *s);
/* The settings of variant k on a data set. */
int variant_open(gnd_config **out, const sweep *s, int64_t k, const char *dataset,
                 const char *rule);
/* Do several variants compete for the row? */
bool row_competes(const sweep *s, int64_t row);

/* ---- sweep.c ---- */

/* Train what the store does not have; only_stored: nothing, just take what it has. May be called
 * again, and forgets the figures of the call before. Returns 0 or the exit code, after one
 * sentence; the blocks finished before a failure are there. */
int sweep_run(sweep *s, bool only_stored);
/* Open, or make, a store. */
int store_open(gnd_store **out, const char *path);
/* Trainings the store has, and that there are, by what sweep_run found. */
void sweep_count(const sweep *s, int64_t *done, int64_t *total);
void sweep_fini(sweep *s);
/* Say that trainings diverged; EXIT_FAILED if some did, else 0. */
int sweep_diverged(const sweep *s);

#endif
