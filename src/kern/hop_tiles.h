/* SPDX-License-Identifier: MIT
 * hop_tiles.h - K hops of the same cells, stored so that sums over the hops read memory once and
 * in order.
 *
 *     P_k = sum_r c[k,r] B_r,  r < R = n_full + 2 n_pair
 *
 * GND_TILE cells are a tile: their values of B_0 .. B_{n_full-1} as gnd_real, then those of the
 * others as halves, two in a word (half.h). When all hops are written, B is P;
 * linalg/hop_basis.h then finds fewer B. */
#ifndef GND_KERN_HOP_TILES_H
#define GND_KERN_HOP_TILES_H

#include "base/status.h"
#include "kern.h"

/* All zero is a valid empty value. */
typedef struct {
    int64_t n_cell, K;
    int64_t n_full, n_pair;
    double *c;      /* [K, R]; NULL: the identity */
    gnd_real *tile; /* [tiles, n_full + n_pair, GND_TILE] */
} gnd_hop_tiles;

/* Hops of zeros, to be filled. */
gnd_status gnd_hop_tiles_init(gnd_hop_tiles *s, int64_t n_cell, int64_t K, gnd_error *err);
void gnd_hop_tiles_fini(gnd_hop_tiles *s);
/* Writes n cells of hop k from cell `first` on. */
void gnd_hop_tiles_put(gnd_hop_tiles *s, int64_t k, int64_t first, const gnd_real *from, int64_t n);

static inline int64_t gnd_hop_tiles_rank(const gnd_hop_tiles *s)
{
    return s->n_full + 2 * s->n_pair;
}
/* Values of a tile. */
static inline int64_t gnd_hop_tiles_size(const gnd_hop_tiles *s)
{
    return (s->n_full + s->n_pair) * GND_TILE;
}
static inline int64_t gnd_hop_tiles_count(const gnd_hop_tiles *s)
{
    return (s->n_cell + GND_TILE - 1) / GND_TILE;
}

/* a: [R] sum_k alpha_k c[k,:] */
void gnd_hop_tiles_weights(gnd_real *a, const gnd_hop_tiles *s, const gnd_real *alpha);
/* dalpha_k += sum_r c[k,r] dot_r */
void gnd_hop_tiles_unweigh(gnd_real *dalpha, const gnd_hop_tiles *s, const double *dot);
/* For the cells begin .. end - 1, where begin is a multiple of GND_TILE, and so is end unless it is
 * n_cell:
 *     mix:   y[i - begin] = sum_r a_r B_r[i]
 *     dots:  dot_r = sum_i B_r[i] y[i - begin] */
void gnd_hop_tiles_mix(gnd_real *y, const gnd_hop_tiles *s, const gnd_real *a, int64_t begin,
                       int64_t end);
void gnd_hop_tiles_dots(double *dot, const gnd_hop_tiles *s, const gnd_real *y, int64_t begin,
                        int64_t end);

#endif
