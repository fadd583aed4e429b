/* SPDX-License-Identifier: MIT
 * turned.h - which entry of A each entry of its transpose is, and masks of the entries in that
 * order. */
#ifndef GND_TAPE_TURNED_H
#define GND_TAPE_TURNED_H

#include "op.h"

/* The index in A of each entry of the transpose, by 4 bytes if they can hold it. */
typedef struct {
    uint32_t *narrow; /* [nnz] or NULL */
    int64_t *wide;
} gnd_turned;

/* Stored for lasting rows. NULL after an error. */
const gnd_turned *gnd_turned_get(gnd_tape *t, const gnd_csr *a, const gnd_csr *at);
/* The same in one of several processes, with the numbers of entries in the whole graph; before:
 * entries in the processes before this one. */
const gnd_turned *gnd_turned_part(gnd_tape *t, const gnd_csr *a, int64_t before);
/* Allocates to[k], k < n, with the bits of mask bits[k] in the order of the transpose. All masks
 * have a bit per entry and a word more. */
void gnd_turned_masks(gnd_tape *t, uint64_t **to, uint64_t *const *bits, int64_t n,
                      const gnd_turned *turned, int64_t nnz);

#endif
