/* SPDX-License-Identifier: MIT
 * arc_blocks.h - a full buffer of arcs as a run: blocks of arcs whose keys are between those of the
 * blocks before and after, unsorted within a block. Blocks are in a temporary file, each key with
 * as many bytes as the block needs, or in memory. */
#ifndef GND_IO_ARC_BLOCKS_H
#define GND_IO_ARC_BLOCKS_H

#include <stdbool.h>

#include "arc_radix.h"
#include "base/parallel.h"
#include "base/tempfile.h"

typedef struct {
    uint64_t lo;    /* a gnd_arc_key: no key of the block is below it, none before is not */
    int64_t at;     /* place in the file, or in memory */
    int64_t before; /* arcs of the run before the block */
    int width;      /* bytes of a key in the file */
} gnd_arc_block;

typedef struct {
    gnd_arc_block *block; /* [n + 1]: the last one has only `before` */
    int64_t n;
    int bits; /* of a number */
    bool in_file;
} gnd_arc_run;

/* A buffer, how it is cut, and where blocks go. */
typedef struct {
    gnd_pool *pool;
    gnd_arc_list side[2]; /* the arcs are in side[0], by gnd_arc_key; both are changed */
    int64_t n;
    int64_t most;       /* arcs of a block */
    gnd_tempfile *file; /* NULL: blocks stay in side[1] */
} gnd_arc_buffer;

/* GND_ERR_NOMEM has no message: the caller says of what. */
gnd_status gnd_arc_run_make(gnd_arc_run *out, const gnd_arc_buffer *b, gnd_error *err);
void gnd_arc_run_fini(gnd_arc_run *r);

/* Keys lo <= key < hi in the form source << bits | target, which has room for the largest number in
 * any run. */
typedef struct {
    uint64_t lo, hi;
    int bits;
} gnd_arc_range;

/* Bytes of scratch that gnd_arc_run_read needs for a block of n arcs. */
int64_t gnd_arc_block_bytes(int64_t n);
/* Arcs of blocks that may have some in the range. */
int64_t gnd_arc_run_count(const gnd_arc_run *r, gnd_arc_range range);
/* Append the arcs in the range to `to`, *n: how many are there. Keys are those of the range, less
 * its lo. The blocks are in the file or in memory. There is room for one arc more than
 * gnd_arc_run_count says. */
gnd_status gnd_arc_run_read(gnd_arc_list to, int64_t *n, const gnd_arc_run *r, gnd_arc_range range,
                            const gnd_tempfile *file, gnd_arc_list memory, char *scratch,
                            gnd_error *err);
/* A gnd_arc_key in this form, and back. */
static inline uint64_t gnd_arc_packed(uint64_t key, int bits)
{
    return (key >> 32) << bits | (key & UINT32_MAX);
}
static inline uint64_t gnd_arc_unpacked(uint64_t packed, int bits)
{
    return (packed >> bits) << 32 | (packed & ((UINT64_C(1) << bits) - 1));
}

#endif
