/* SPDX-License-Identifier: MIT
 * hubs.h - a large operator with its vertices in order of degree, for products one after another.
 *
 * For graphs in no particular order. In many graphs a tenth of the vertices has most of the
 * entries. With these first, their rows of x stay in a cache, and rows of similar length follow
 * each other. The columns are cut into ranges whose rows of x fit in a cache; each range is a
 * matrix of its own, which a product reads in order and which holds only the rows with entries in
 * it. A product of width 16 with 10 to 52 million entries takes 1.7 to 1.9 ns an entry, against 3.3
 * (undivided, 10 million), 2.1 and 2.4 ns in the order of the file, the last two in ranges (one
 * core of an EPYC with 32 MB of L3 cache).
 *
 * The sums of a row go by the new order: they differ from those of the operator by rounding. */
#ifndef GND_KERN_HUBS_H
#define GND_KERN_HUBS_H

#include "base/parallel.h"
#include "csr.h"

typedef struct {
    gnd_csr a;    /* the entries of the range; columns are places */
    int32_t *row; /* the place of each row; NULL: the range holds all rows */
} gnd_hub_range;

typedef struct gnd_hubs {
    int64_t n, n_range, bytes;
    int32_t *order; /* [n] the vertex at each place */
    int32_t *place; /* [n] the place of each vertex */
    /* [n_range] of the operator and of its adjoint. NULL: the adjoint is D a D^-1. */
    gnd_hub_range *a, *at;
    /* [n] 1 / d of each place; NULL: D = I, or the adjoint is stored. */
    gnd_real *inverse;
} gnd_hubs;

typedef struct {
    int64_t range; /* columns of a range, at most */
    int64_t bytes; /* that may be spent */
} gnd_hubs_limits;

/* at: the transpose of a: [n, n], not in parts, with values. *out is NULL without an error if the
 * bytes do not suffice. */
gnd_status gnd_hubs_new(gnd_hubs **out, const gnd_csr *a, const gnd_csr *at,
                        const gnd_hubs_limits *l, gnd_pool *pool, gnd_error *err);
void gnd_hubs_free(gnd_hubs *h);

/* A vector of the vertices x and one by places y, both [n, f]. back: y is to be multiplied by the
 * adjoint, and then holds D^-1 x: since the adjoint is D A D^-1, products with A alone give powers
 * of the adjoint, times D at the end. */
typedef enum { GND_HUBS_THERE, GND_HUBS_BACK } gnd_hubs_way;
void gnd_hubs_enter(gnd_real *y, const gnd_hubs *h, gnd_hubs_way way, const gnd_real *x, int64_t f,
                    gnd_pool *pool);
/* x = y, or x += y */
void gnd_hubs_leave(gnd_real *x, const gnd_hubs *h, gnd_hubs_way way, const gnd_real *y, int64_t f,
                    bool add, gnd_pool *pool);
/* What a value of the vertex at a place is multiplied by in y. */
static inline gnd_real gnd_hubs_scale(const gnd_hubs *h, gnd_hubs_way way, int64_t place)
{
    return way == GND_HUBS_BACK && h->inverse ? h->inverse[place] : 1;
}

/* y = c z + a x, or with the adjoint;  x, y, z: by places, [n, f]; z NULL: without the first
 * term. */
typedef struct {
    const gnd_real *x;
    int64_t f;
    gnd_real c;
    const gnd_real *z;
} gnd_hubs_product;
void gnd_hubs_times(gnd_real *y, const gnd_hubs *h, gnd_hubs_way way, const gnd_hubs_product *p,
                    gnd_pool *pool);

#endif
