/* SPDX-License-Identifier: MIT
 * kern_tiles.h - tiles_mix and tiles_dots with vectors: part of kern_vec.h. */
#include "half.h"

enum { NV_TILE = GND_TILE / L }; /* vectors of a row of a tile */

/* Tiles are read once, in order, line by line: from memory this is 4 times as fast as several tiles
 * or several rows of many tiles at a time, which the CPU does not recognise as one stream. Asking
 * for lines TILES_AHEAD bytes ahead helps where a tile takes long. */
enum { TILES_AHEAD = 4096, LINE = 64, TILE_ROWS = 64 };

typedef int16_t vec_half __attribute__((vector_size(L * sizeof(int16_t))));
typedef GND_REAL_BITS vec_bits __attribute__((vector_size(VEC_BYTES)));

/* Halves as reals that are smaller by GND_HALF_UNIT. */
INLINE vec load_half(const gnd_half *p)
{
    vec_half h;

    memcpy(&h, p, sizeof h);
    return (vec)((__builtin_convertvector(h, vec_bits) << GND_HALF_SHIFT) & gnd_half_mask());
}

INLINE void ask_for_tile(const unsigned char *p, int64_t bytes)
{
    for (int64_t b = 0; b < bytes; b += LINE)
        __builtin_prefetch(p + TILES_AHEAD + b, 0, 3);
}

static void tiles_mix(gnd_real *restrict y, const gnd_tiles *b, const gnd_real *restrict c)
{
    const int64_t bytes = gnd_tile_bytes(b->n_full, b->n_half);
    const unsigned char *p = b->p;

    for (int64_t t = 0; t < b->n; t++, p += bytes, y += GND_TILE) {
        const gnd_real *full = (const gnd_real *)p;
        const gnd_half *half = (const gnd_half *)(full + b->n_full * GND_TILE);
        vec sum[NV_TILE];

        ask_for_tile(p, bytes);
#pragma GCC unroll 8
        for (int v = 0; v < NV_TILE; v++)
            sum[v] = (vec){0};
        for (int64_t r = 0; r < b->n_full; r++, full += GND_TILE)
#pragma GCC unroll 8
            for (int v = 0; v < NV_TILE; v++)
                sum[v] += c[r] * load(full + v * L);
        for (int64_t r = b->n_full; r < b->n_full + b->n_half; r++, half += GND_TILE)
#pragma GCC unroll 8
            for (int v = 0; v < NV_TILE; v++)
                sum[v] += c[r] * GND_HALF_UNIT * load_half(half + v * L);
#pragma GCC unroll 8
        for (int v = 0; v < NV_TILE; v++)
            store(y + v * L, sum[v]);
    }
}

/* Rows r0 .. r1 - 1 of tiles, of which those from n_full on are halves. */
typedef struct {
    int64_t r0, r1, n_full;
} tile_rows;

/* lane[r - r0,:] += b[r,:] y for the tile at p */
INLINE void dots_tile(gnd_real *lane, const unsigned char *p, const tile_rows *of,
                      const gnd_real *y)
{
    const gnd_real *full = (const gnd_real *)p + of->r0 * GND_TILE;
    const gnd_half *half = (const gnd_half *)((const gnd_real *)p + of->n_full * GND_TILE);
    int64_t r = of->r0;
    vec yv[NV_TILE];

#pragma GCC unroll 8
    for (int v = 0; v < NV_TILE; v++)
        yv[v] = load(y + v * L);
    for (; r < of->r1 && r < of->n_full; r++, full += GND_TILE, lane += GND_TILE)
#pragma GCC unroll 8
        for (int v = 0; v < NV_TILE; v++)
            store(lane + v * L, load(lane + v * L) + yv[v] * load(full + v * L));
    half += (r - of->n_full) * GND_TILE;
#pragma GCC unroll 8
    for (int v = 0; v < NV_TILE; v++)
        yv[v] *= GND_HALF_ROOT;
    for (; r < of->r1; r++, half += GND_TILE, lane += GND_TILE)
#pragma GCC unroll 8
        for (int v = 0; v < NV_TILE; v++)
            store(lane + v * L, load(lane + v * L) + yv[v] * load_half(half + v * L));
}

/* Tiles t0 .. end - 1. */
INLINE void dots_rows(double *out, const gnd_tiles *b, const tile_rows *of, const gnd_real *y,
                      int64_t t0, int64_t end)
{
    const int64_t bytes = gnd_tile_bytes(b->n_full, b->n_half);
    gnd_real lane[TILE_ROWS * GND_TILE];

    memset(lane, 0, (size_t)((of->r1 - of->r0) * GND_TILE) * sizeof *lane);
    for (int64_t t = t0; t < end; t++) {
        ask_for_tile(b->p + t * bytes, bytes);
        dots_tile(lane, b->p + t * bytes, of, y + t * GND_TILE);
    }
    for (int64_t r = of->r0; r < of->r1; r++) {
        const double sum = gnd_lanes_sum(lane + (r - of->r0) * GND_TILE);

        out[r] += r < of->n_full ? sum : (double)GND_HALF_ROOT * sum;
    }
}

static void tiles_dots(double *restrict out, const gnd_tiles *b, const gnd_real *restrict y)
{
    const int64_t R = b->n_full + b->n_half;

    for (int64_t t = 0; t < b->n; t += GND_TILES_SUM)
        for (int64_t r = 0; r < R; r += TILE_ROWS) {
            const tile_rows of = {r, r + TILE_ROWS < R ? r + TILE_ROWS : R, b->n_full};

            dots_rows(out, b, &of, y, t, t + GND_TILES_SUM < b->n ? t + GND_TILES_SUM : b->n);
        }
}
