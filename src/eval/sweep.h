/* SPDX-License-Identifier: MIT
 * sweep.h - internal struct of a sweep: its variants, the figures of its blocks, the costs of
 * runs. */
#ifndef GND_EVAL_SWEEP_H
#define GND_EVAL_SWEEP_H

#include <stdatomic.h>

#include "base/status.h"

/* A method with one of its settings at a given value; setting "" if nothing varies. A row is
 * represented by the variant with the highest mean validation accuracy. */
typedef struct {
    char *method, *setting, *value;
    char *name; /* "hops=5", or "" */
    int64_t row;
} gnd_variant;

/* Run counts and times of a row of a block. */
typedef struct {
    int64_t total, done;
    double seconds; /* of n_timed runs */
    int64_t n_timed;
} gnd_sweep_cost;

typedef struct {
    gnd_sweep_block pub;
    char *name;           /* pub.dataset points to it */
    gnd_sweep_cell *cell; /* [n_row][n_per_class]; NULL until the block starts */
    gnd_cell *figures;    /* the cells point to them */
    gnd_paired *paired;   /* likewise */
} gnd_block;

typedef struct {
    gnd_sweep_run pub;
    gnd_run run;
    gnd_result result;
} gnd_kept_run;

struct gnd_sweep {
    gnd_sweep_opts o;
    gnd_load_opts load; /* for all data sets */
    char **text;        /* [n_text] copies of the texts in o and load */
    int64_t n_text;
    /* by gnd_variants_make */
    gnd_variant *variant;
    int64_t n_variant, n_row;
    char **row_name; /* [n_row] */
    char *left_out;
    /* by gnd_sweep_train */
    gnd_block *block; /* [n_block] */
    int64_t n_block, n_done;
    gnd_sweep_cost *cost; /* [n_block][n_row] */
    gnd_kept_run *kept;
    int64_t n_kept;
    int64_t n_diverged, n_counted, n_failed;
    bool only_stored;
    int64_t at; /* the block that is being trained */
    double seconds_trained, started;
    /* For on_tick, which may be called while another thread reports a run. */
    _Atomic double share;
};

/* Rows and variants from methods, vary and pick. */
gnd_status gnd_variants_make(gnd_sweep *s, gnd_error *err);
void gnd_variants_free(gnd_sweep *s);
/* The settings of variant k on a data set under a rule; both may be NULL. */
gnd_status gnd_variant_open(gnd_config **out, const gnd_sweep *s, int64_t k, const char *dataset,
                            const char *rule, gnd_error *err);
/* Run one block, or look up its runs; g: its graph, or NULL if the store has recorded runs. */
gnd_status gnd_block_train(gnd_sweep *s, const gnd_graph *g, gnd_config *const *config,
                           gnd_error *err);
/* Call on_tick of the sweep; stage: "reading", ... */
int gnd_sweep_tick(gnd_sweep *s, const char *stage);
/* State of the sweep as passed to on_progress. */
void gnd_sweep_progress_get(gnd_sweep_progress *out, const gnd_sweep *s);

#endif
