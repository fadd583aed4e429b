/* SPDX-License-Identifier: MIT
 * numbers.h - numbers of vertices that depend neither on the order in which a process stores them
 * nor on the number of processes. Random draws and samples go by them. */
#ifndef GND_KERN_NUMBERS_H
#define GND_KERN_NUMBERS_H

#include "part.h"
#include "vertex_bits.h"

/* Borrowed. Zero: one process with vertices numbered as stored. */
typedef struct {
    gnd_part *part;        /* NULL: one process holds all vertices */
    const int32_t *number; /* [vertices here]; NULL: as stored, in the whole graph */
} gnd_numbers;

static inline int64_t gnd_number_of(const gnd_numbers *v, int64_t i)
{
    return v->number ? v->number[i] : v->part ? v->part->global[i] : i;
}

/* The numbers of all vertices i with mark[i] != 0, of all processes. mark: [n], n vertices here.
 * *count: how many. gnd_vertex_bits_at gives them in ascending order. */
gnd_status gnd_numbers_marked(gnd_vertex_bits *out, int64_t *count, const gnd_numbers *v,
                              const unsigned char *mark, int64_t n, gnd_error *err);
/* row: [m] the vertex here with each of the numbers in list: [m], ascending; -1: another process
 * has it. n: vertices here. */
void gnd_numbers_find(int32_t *row, const gnd_numbers *v, const int32_t *list, int64_t m,
                      int64_t n);
/* out: [m] rows of `bytes` bytes, of which this process has set those whose row is not -1: gets the
 * others. */
gnd_status gnd_numbers_share(void *out, const gnd_numbers *v, const int32_t *row, int64_t m,
                             int64_t bytes, gnd_error *err);
/* Both: out: [m] the rows of x of the vertices with the numbers in list: [m], ascending. x: [n]
 * rows of `bytes` bytes. All processes get all of them. */
gnd_status gnd_numbers_rows(void *out, const gnd_numbers *v, const int32_t *list, int64_t m,
                            const void *x, int64_t n, int64_t bytes, gnd_error *err);

#endif
