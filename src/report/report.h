/* SPDX-License-Identifier: MIT
 * report.h - tables of a sweep's figures under headings. */
#ifndef GND_REPORT_REPORT_H
#define GND_REPORT_REPORT_H

#include "base/buffer.h"
#include "base/status.h"

/* Output of a report. The first failure is kept in st and err; later writes do nothing. */
typedef struct {
    FILE *f;
    const gnd_sweep *s;
    gnd_report_opts o;
    int64_t n_table; /* tables written */
    gnd_status st;
    gnd_error *err;
} gnd_view;

/* Texts around a table. */
typedef struct {
    const char *head;    /* its subject */
    const char *figures; /* its figures and their units */
    const char *notes;   /* texts below it, separated by '\n'; NULL: none */
} gnd_caption;

/* Write a table with its caption, after an empty line unless it is the first, and free it. NULL:
 * there was no memory for the table. */
void gnd_view_table(gnd_view *v, gnd_table *t, const gnd_caption *c);
/* Record that an allocation failed. */
void gnd_view_failed(gnd_view *v);

/* Tables of one block; accuracy.c. */
void gnd_view_accuracy(gnd_view *v, int64_t block);
void gnd_view_calibration(gnd_view *v, int64_t block);
void gnd_view_paired(gnd_view *v, int64_t block);
void gnd_view_times(gnd_view *v, int64_t block);
/* The paper's tables other than accuracy; paper.c. */
void gnd_view_data(gnd_view *v);
void gnd_view_best(gnd_view *v);
void gnd_view_paper_times(gnd_view *v, int64_t setting);
void gnd_view_plan(gnd_view *v);
/* One row per cell, one row per training run; records.c. */
gnd_table *gnd_records_table(const gnd_sweep *s);
gnd_table *gnd_runs_table(const gnd_sweep *s);

/* The distance of a mean of n runs from the published one, in the two units of
 * gnd_report_published; published.c. */
void gnd_published_distance(gnd_report_published *out, double mean, double std, int64_t n);

/* Set b to the text, with markup of the format escaped and control characters masked. */
void gnd_text_escape(gnd_buffer *b, const char *text, gnd_table_format format);
/* "original stopping rule". */
const char *gnd_rule_text(const char *rule);
/* "cora, graph raw, original stopping rule". */
void gnd_block_head(gnd_buffer *b, const gnd_sweep_block *block);
/* "0.52": longer times have fewer digits. Returns buf. */
const char *gnd_seconds_text(char buf[32], double seconds);
/* "1 label", "5 labels". Returns buf. */
const char *gnd_labels_text(char buf[32], int32_t n);

#endif
