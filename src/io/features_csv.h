/* SPDX-License-Identifier: MIT
 * features_csv.h - features of vertices from a table. */
#ifndef GND_IO_FEATURES_CSV_H
#define GND_IO_FEATURES_CSV_H

#include "graph/graph.h"
#include "text.h"

/* Read the table in t: a column of ids, and the features. */
gnd_status gnd_features_read_table(gnd_graph *g, gnd_text *t, const gnd_load_opts *o,
                                   gnd_error *err);

#endif
