/* SPDX-License-Identifier: MIT
 * edge_rows.h - the rows of a text file of edges, one after another: ids, weight, direction. Used
 * to read a file into memory (edgelist.c) and to convert one that is larger (edges_convert.c). */
#ifndef GND_IO_EDGE_ROWS_H
#define GND_IO_EDGE_ROWS_H

#include "csv_table.h"

typedef struct {
    gnd_text *text;
    gnd_csv_table table;
    bool simple;    /* the columns are source, target and at most a weight, in this order */
    int64_t n_both; /* rows of type undirected, which count in both directions */
    int64_t n_time; /* rows whose weight may be a time */
    int64_t n_row;
} gnd_edge_rows;

typedef struct {
    gnd_csv_field source, target; /* ids, not empty */
    bool numbers;                 /* both ids are vertex numbers, u and v */
    int32_t u, v;
    double weight;
    bool both; /* it counts in both directions */
} gnd_edge_row;

/* Find out how the table is written, from the place of t on. */
gnd_status gnd_edge_rows_start(gnd_edge_rows *r, gnd_text *t, const gnd_load_opts *o,
                               gnd_error *err);
void gnd_edge_rows_fini(gnd_edge_rows *r);
/* The next row; *more: there was one. */
gnd_status gnd_edge_rows_next(gnd_edge_rows *r, gnd_edge_row *row, bool *more, gnd_error *err);
/* The next rows, up to cap of them, if they are two numbers and nothing else, of which no check of
 * gnd_edge_row_stated fails. key: [cap] gets their gnd_arc_key. *max: raised to the largest number.
 * Returns how many rows there are; 0: the next one is another, or there is none. */
int64_t gnd_edge_rows_numbers(gnd_edge_rows *r, uint64_t *key, int64_t cap, int32_t *max,
                              int64_t n_stated);
/* Fail if a row has a number beyond the n_stated vertices (0: not stated). */
gnd_status gnd_edge_row_stated(const gnd_edge_rows *r, const gnd_edge_row *row, int64_t n_stated,
                               gnd_error *err);

/* Comments at the top of the file that state its vertices. Afterwards the text is after the last of
 * them. ids: NULL, or names in the order of the comments, made at the first of them. *n_stated: 0,
 * or the vertices are 0 .. n_stated - 1. */
gnd_status gnd_edge_comments(gnd_names **ids, int64_t *n_stated, gnd_text *t, gnd_error *err);
/* Number of the id, added if new. */
gnd_status gnd_edge_name(int32_t *out, gnd_names *ids, gnd_csv_field id, const gnd_text *t,
                         gnd_error *err);
/* Fail if a header, which is one only because of the types of its fields, has an id of ids. */
gnd_status gnd_edge_header_check(const gnd_edge_rows *r, const gnd_names *ids, gnd_error *err);
/* The error for a first row that may be a header, since its ids occur in no other row. */
gnd_status gnd_edge_first_doubt(const gnd_edge_rows *r, gnd_error *err);
/* The error for a file without edges and vertices. */
gnd_status gnd_edges_none(const gnd_text *t, gnd_error *err);
/* Fail if the file states that vertices are numbers, but has other ids. */
gnd_status gnd_edges_check_stated(const gnd_text *t, const gnd_names *ids, int64_t n_stated,
                                  gnd_error *err);
/* Fail if the content is of another format. */
gnd_status gnd_edges_check_foreign(const gnd_text *t, gnd_error *err);
/* Add notes on what was decided, and on arcs that were merged or left out. */
gnd_status gnd_edge_rows_notes(const gnd_edge_rows *r, gnd_graph *g, int64_t n_dup, int64_t n_zero,
                               gnd_error *err);

#endif
