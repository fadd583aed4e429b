/* SPDX-License-Identifier: MIT
 * paper.h - what `gnd paper` shows beside the accuracy tables. */
#ifndef GND_CLI_PAPER_H
#define GND_CLI_PAPER_H

#include "tables.h"

/* The paper's six data sets, its twelve methods. */
extern const char PAPER_DATA[], PAPER_METHODS[];

/* A data set as published, and what its file holds. */
typedef struct {
    const char *name;
    bool published; /* the next four hold */
    int64_t n_node, n_edge, n_feat, n_class;
    const char *about; /* how the published number of edges comes about */
    gnd_graph_info raw, std;
} paper_data;

/* Load every data set of the sweep and count. */
int paper_data_get(paper_data **out, const sweep *s);

/* Table 1 of the paper: published, raw, std. */
void paper_view_data(view *v, const sweep *s, const paper_data *d);
json_t *paper_json_data(const sweep *s, const paper_data *d);
/* Who is best in how many cells, and how many lie near the published mean, setting by setting. */
void paper_view_best(view *v, const sweep *s);
json_t *paper_json_best(const sweep *s);
/* Seconds and epochs a training: a row a method, a column a data set. */
void paper_view_times(view *v, const sweep *s, int64_t setting);
/* What there is to train and what the store has. */
void paper_view_plan(view *v, const void *sweep_);

#endif
