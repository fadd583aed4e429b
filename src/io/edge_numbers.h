/* SPDX-License-Identifier: MIT
 * edge_numbers.h - rows of two vertex numbers and nothing else, which most files of edges consist
 * of, many at a time. */
#ifndef GND_IO_EDGE_NUMBERS_H
#define GND_IO_EDGE_NUMBERS_H

#include <stdint.h>

/* A vertex number at s, as gnd_field_vertex reads it. Returns the place after its digits; NULL: it
 * is none, or it ends at end. */
const char *gnd_vertex_number(int32_t *out, const char *s, const char *end);

typedef struct {
    const char *end; /* of the text */
    char sep;
    int32_t limit; /* numbers are below it */
} gnd_edge_numbers_of;

/* Read rows "number, separator, number, line end" without blanks from *s on, up to cap of them, and
 * move *s after them. Stops at the first row that is not such a row, and near the end of the text.
 * key: [cap] gets gnd_arc_key of each row. *max: raised to the largest number. Returns how many
 * rows there are. */
int64_t gnd_edge_numbers(uint64_t *key, int64_t cap, const char **s, int32_t *max,
                         const gnd_edge_numbers_of *of);

#endif
