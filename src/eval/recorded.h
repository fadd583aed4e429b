/* SPDX-License-Identifier: MIT
 * recorded.h - a folder of exported runs as a store in memory, in which runs are found by names, so
 * that tables can be made without the data sets. */
#ifndef GND_EVAL_RECORDED_H
#define GND_EVAL_RECORDED_H

#include "comparison.h"

/* What such a store has in addition to its runs. */
typedef struct gnd_recorded gnd_recorded;

void gnd_recorded_free(gnd_recorded *r);
/* Was the store opened with gnd_store_open_results? */
bool gnd_store_is_recorded(const gnd_store *s);
/* The comparison on a data set, from the runs of such a store, o->store. */
gnd_status gnd_compare_recorded(gnd_comparison **out, const char *dataset, gnd_graph_mode graph,
                                const gnd_compare_opts *o, gnd_error *err);
/* The figures of a graph in datasets.csv. */
gnd_status gnd_recorded_info(gnd_graph_info *out, const gnd_store *s, const char *dataset,
                             gnd_graph_mode graph, gnd_error *err);

#endif
