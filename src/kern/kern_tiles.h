/* SPDX-License-Identifier: MIT
 * kern_tiles.h - tiles_mix and tiles_dots with vectors: part of kern_vec.h. */
#include "half.h"

enum { NV_TILE = GND_TILE / L }; /* vectors of a row of a tile */

/* Tiles are read once, in order, line by line: from memory this is 4 times as fast as several tiles
 * or several rows of many tiles at a time, which the CPU does not recognise as one stream. Asking
 * for lines TILES_AHEAD values ahead helps where a tile takes long. */
enum { TILES_AHEAD = 1024, LINE = 64 / sizeof(gnd_real), TILE_ROWS = 64 };

typedef GND_WORD vec_word __attribute__((vector_size(VEC_BYTES)));

/* Two rows as reals that are smaller by GND_HALF_UNIT. */
typedef struct {
    vec upper, lower;
} vec_pair;

INLINE vec_pair load_pair(const gnd_real *p)
{
    const vec_word word = (vec_word)load(p);

    return (vec_pair){(vec)((word >> GND_HALF_DOWN) & GND_HALF_MASK),
                      (vec)(((word << GND_HALF_BITS) >> GND_HALF_DOWN) & GND_HALF_MASK)};
}

INLINE void ask_for_tile(const gnd_real *p, int64_t size)
{
    for (int64_t i = 0; i < size; i += LINE)
        __builtin_prefetch(p + TILES_AHEAD + i, 0, 3);
}

static void tiles_mix(gnd_real *restrict y, const gnd_tiles *b, const gnd_real *restrict c)
{
    const int64_t size = (b->n_full + b->n_pair) * GND_TILE, R = b->n_full + 2 * b->n_pair;
    const gnd_real *p = b->p;

    for (int64_t t = 0; t < b->n; t++, y += GND_TILE) {
        vec sum[NV_TILE];

        ask_for_tile(p, size);
        unrolled_for (int v = 0; v < NV_TILE; v++)
            sum[v] = (vec){0};
        for (int64_t r = 0; r < b->n_full; r++, p += GND_TILE)
            unrolled_for (int v = 0; v < NV_TILE; v++)
                sum[v] += c[r] * load(p + v * L);
        for (int64_t r = b->n_full; r < R; r += 2, p += GND_TILE)
            unrolled_for (int v = 0; v < NV_TILE; v++) {
                const vec_pair two = load_pair(p + v * L);

                sum[v] += c[r] * GND_HALF_UNIT * two.upper;
                sum[v] += c[r + 1] * GND_HALF_UNIT * two.lower;
            }
        unrolled_for (int v = 0; v < NV_TILE; v++)
            store(y + v * L, sum[v]);
    }
}

/* lane[r,:] += y b[r,:] */
INLINE void dots_full(gnd_real *lane, const gnd_real *p, const gnd_real *y, int64_t rows)
{
    vec yv[NV_TILE];

    unrolled_for (int v = 0; v < NV_TILE; v++)
        yv[v] = load(y + v * L);
    for (int64_t r = 0; r < rows; r++, p += GND_TILE, lane += GND_TILE)
        unrolled_for (int v = 0; v < NV_TILE; v++)
            store(lane + v * L, load(lane + v * L) + yv[v] * load(p + v * L));
}

INLINE void dots_pairs(gnd_real *lane, const gnd_real *p, const gnd_real *y, int64_t pairs)
{
    vec yv[NV_TILE];

    unrolled_for (int v = 0; v < NV_TILE; v++)
        yv[v] = GND_HALF_ROOT * load(y + v * L);
    for (int64_t r = 0; r < pairs; r++, p += GND_TILE, lane += 2 * GND_TILE)
        unrolled_for (int v = 0; v < NV_TILE; v++) {
            const vec_pair two = load_pair(p + v * L);
            gnd_real *upper = lane + v * L, *lower = upper + GND_TILE;

            store(upper, load(upper) + yv[v] * two.upper);
            store(lower, load(lower) + yv[v] * two.lower);
        }
}

/* The dot products of some rows: n_full, then n_pair pairs, at p in the first of n tiles. */
INLINE void dots_rows(double *out, const gnd_tiles *some, int64_t size, const gnd_real *y)
{
    const int64_t rows = some->n_full + 2 * some->n_pair;
    gnd_real lane[TILE_ROWS * GND_TILE];

    memset(lane, 0, (size_t)(rows * GND_TILE) * sizeof *lane);
    for (int64_t t = 0; t < some->n; t++) {
        const gnd_real *p = some->p + t * size;

        ask_for_tile(p, (some->n_full + some->n_pair) * GND_TILE);
        dots_full(lane, p, y + t * GND_TILE, some->n_full);
        dots_pairs(lane + some->n_full * GND_TILE, p + some->n_full * GND_TILE, y + t * GND_TILE,
                   some->n_pair);
    }
    for (int64_t r = 0; r < rows; r++)
        out[r] +=
            gnd_lanes_sum(lane + r * GND_TILE) * (double)(r < some->n_full ? 1 : GND_HALF_ROOT);
}

/* As many rows at a time as there are lanes for; with up to TILE_ROWS rows all of them. */
static void tiles_dots(double *restrict out, const gnd_tiles *b, const gnd_real *restrict y)
{
    const int64_t size = (b->n_full + b->n_pair) * GND_TILE;

    for (int64_t t = 0; t < b->n; t += GND_TILES_SUM)
        for (int64_t row = 0, r = 0; row < b->n_full + b->n_pair;) {
            gnd_tiles some = {.p = b->p + t * size + row * GND_TILE,
                              .n = b->n - t < GND_TILES_SUM ? b->n - t : GND_TILES_SUM};

            if (row < b->n_full)
                some.n_full = b->n_full - row < TILE_ROWS ? b->n_full - row : TILE_ROWS;
            row += some.n_full;
            some.n_pair = b->n_full + b->n_pair - row;
            if (some.n_pair > (TILE_ROWS - some.n_full) / 2)
                some.n_pair = (TILE_ROWS - some.n_full) / 2;
            row += some.n_pair;
            dots_rows(out + r, &some, size, y + t * GND_TILE);
            r += some.n_full + 2 * some.n_pair;
        }
}
