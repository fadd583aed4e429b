/* SPDX-License-Identifier: MIT
 * report.h - tables of a sweep's figures under headings. */
#ifndef GND_REPORT_REPORT_H
#define GND_REPORT_REPORT_H

#include "base/buffer.h"
#include "base/status.h"

/* Where a report goes. The first failure is kept in st and err; what follows does nothing. */
typedef struct {
    FILE *f;
    const gnd_sweep *s;
    gnd_report_opts o;
    int64_t n_table; /* written so far */
    gnd_status st;
    gnd_error *err;
} gnd_view;

/* What is written around a table. */
typedef struct {
    const char *head;    /* what it is about */
    const char *figures; /* what its figures are */
    const char *notes;   /* texts below it, separated by '\n'; NULL: none */
} gnd_caption;

/* Write a table with its caption, an empty line before all but the first, and free it. NULL: there
 * was no memory for it. */
void gnd_view_table(gnd_view *v, gnd_table *t, const gnd_caption *c);
/* Remember that memory failed. */
void gnd_view_failed(gnd_view *v);

/* Tables of one block; accuracy.c. */
void gnd_view_accuracy(gnd_view *v, int64_t block);
void gnd_view_calibration(gnd_view *v, int64_t block);
void gnd_view_paired(gnd_view *v, int64_t block);
void gnd_view_times(gnd_view *v, int64_t block);
/* The paper's tables beside accuracy; paper.c. */
void gnd_view_data(gnd_view *v);
void gnd_view_best(gnd_view *v);
void gnd_view_paper_times(gnd_view *v, int64_t setting);
void gnd_view_plan(gnd_view *v);
/* A row for each cell, a row for each training run; records.c. */
gnd_table *gnd_records_table(const gnd_sweep *s);
gnd_table *gnd_runs_table(const gnd_sweep *s);

/* Append to a text by a format. */
void gnd_text_add(gnd_buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Set b to the text, with what the format would read as markup escaped, and control characters
 * masked. */
void gnd_text_escape(gnd_buffer *b, const char *text, gnd_table_format format);
/* "cora, graph raw, original stopping rule". */
void gnd_block_head(gnd_buffer *b, const gnd_sweep_block *block);
/* "0.52": fewer digits for longer times. Returns buf. */
const char *gnd_seconds_text(char buf[32], double seconds);
/* "1 label", "5 labels". Returns buf. */
const char *gnd_labels_text(char buf[32], int32_t n);

#endif
