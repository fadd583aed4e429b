/* SPDX-License-Identifier: MIT
 * arc_sort.h - sort more arcs than fit into memory. Arcs are added in any order; full buffers are
 * written to a temporary file by ranges of keys, which are sorted one after another at the end. Of
 * equal arcs the largest weight is kept, as gnd_coo_to_csr does. */
#ifndef GND_IO_ARC_SORT_H
#define GND_IO_ARC_SORT_H

#include "base/parallel.h"

/* The sort key of an arc. */
static inline uint64_t gnd_arc_key(int32_t source, int32_t target)
{
    return (uint64_t)(uint32_t)source << 32 | (uint32_t)target;
}

typedef struct gnd_arc_sort gnd_arc_sort;

/* memory: bytes of the buffers. weighted: arcs have weights; otherwise all are 1. folder: of the
 * temporary file, which is made when it is needed. path: of the edges, for messages. Both are
 * borrowed. pool may be NULL. */
gnd_status gnd_arc_sort_new(gnd_arc_sort **out, int64_t memory, bool weighted, const char *folder,
                            const char *path, gnd_pool *pool, gnd_error *err);
void gnd_arc_sort_free(gnd_arc_sort *s);
/* weight: [n], NULL if the arcs are not weighted. */
gnd_status gnd_arc_sort_add(gnd_arc_sort *s, const uint64_t *key, const float *weight, int64_t n,
                            gnd_error *err);
/* No more arcs: prepare the ranges. */
gnd_status gnd_arc_sort_finish(gnd_arc_sort *s, gnd_error *err);

/* Arcs in ascending order, each once. The caller may change weights and room. */
typedef struct {
    const uint64_t *key;
    float *weight;  /* NULL: not weighted */
    uint64_t *room; /* [n] for the caller */
    int64_t n;
} gnd_arc_part;

/* The next arcs, as parts one after another, which are valid until the next call; *n_part is 0 at
 * the end. */
gnd_status gnd_arc_sort_next(gnd_arc_sort *s, const gnd_arc_part **part, int *n_part,
                             gnd_error *err);
/* Most parts at once and, of one, most arcs; after finish. */
int gnd_arc_sort_parts(const gnd_arc_sort *s);
int64_t gnd_arc_sort_most(const gnd_arc_sort *s);
/* Arcs that were added. */
int64_t gnd_arc_sort_count(const gnd_arc_sort *s);

#endif
