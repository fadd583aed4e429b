/* SPDX-License-Identifier: MIT
 * csv_table_priv.h - the steps of gnd_csv_table_start. */
#ifndef GND_IO_CSV_TABLE_PRIV_H
#define GND_IO_CSV_TABLE_PRIV_H

#include "csv_sample.h"
#include "csv_table.h"

/* Set c->header and c->doubtful. */
gnd_status gnd_csv_decide_header(gnd_csv_table *c, const gnd_csv_sample *s, gnd_header option,
                                 const gnd_stated_columns *stated, const gnd_csv_ids *ids,
                                 gnd_error *err);
/* Set c->at and c->stated; c->header is known. */
gnd_status gnd_csv_assign_roles(gnd_csv_table *c, const gnd_stated_columns *stated, gnd_error *err);
/* The column that the user states by name, or -1. With a header a number is a name too. */
int64_t gnd_csv_named_column(const gnd_csv_table *c, const char *name);

#endif
