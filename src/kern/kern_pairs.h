/* SPDX-License-Identifier: MIT
 * kern_pairs.h - pairs_step with vectors: part of kern_vec.h. */
#include "pair.h"

enum { NV_PAIR = GND_PAIR_WORDS / L }; /* vectors of a row */

/* The two numbers of each word. */
typedef struct {
    vec upper, lower;
} vec_two;

INLINE vec_two two_of(const gnd_real *p)
{
    const vec_word word = (vec_word)load(p);

    return (vec_two){(vec)(word & ~GND_PAIR_LOWER), (vec)(word << GND_PAIR_BITS)};
}

INLINE vec_word rounded(vec x)
{
    const vec_word b = (vec_word)x;

    return b + GND_PAIR_ROUND + (b >> GND_PAIR_BITS & 1);
}

INLINE void put_two(gnd_real *p, vec_two x)
{
    store(p, (vec)((rounded(x.upper) & ~GND_PAIR_LOWER) |
                   (rounded(x.lower) >> GND_PAIR_BITS & GND_PAIR_LOWER)));
}

INLINE void pairs_rows(const gnd_pairs_step *s, const gnd_csr *a, const bool ones, const int ahead,
                       int64_t r0, int64_t r1)
{
    const gnd_real *x = s->x;

    for (int64_t i = r0; i < r1; i++) {
        gnd_real *y = s->y + i * GND_PAIR_WORDS;
        const gnd_real by = s->s * (s->root[i] * s->root[i]), with = s->c * s->root[i];
        vec upper[NV_PAIR], lower[NV_PAIR];

        unrolled_for (int v = 0; v < NV_PAIR; v++)
            upper[v] = lower[v] = (vec){0};
        for (int64_t p = a->ptr[i], end = x ? a->ptr[i + 1] : p; p < end; p++) {
            const gnd_real *xj = row_at(x, (int64_t)a->col[p] * GND_PAIR_WORDS, NV_PAIR);

            if (ahead)
                ask_for(x + (int64_t)a->col[p + ahead] * GND_PAIR_WORDS, NV_PAIR, ahead);
            unrolled_for (int v = 0; v < NV_PAIR; v++) {
                const vec_two two = two_of(xj + v * L);

                upper[v] += ones ? two.upper : a->val[p] * two.upper;
                lower[v] += ones ? two.lower : a->val[p] * two.lower;
            }
        }
        unrolled_for (int v = 0; v < NV_PAIR; v++) {
            vec_two sum = {by * upper[v], by * lower[v]};

            if (s->older != 0) {
                const vec_two old = two_of(y + v * L);

                sum.upper += s->older * old.upper;
                sum.lower += s->older * old.lower;
            }
            if (s->z) {
                sum.upper += with * load(s->z + i * s->zs + v * L);
                sum.lower += with * load(s->z + i * s->zs + GND_PAIR_WORDS + v * L);
            }
            put_two(y + v * L, sum);
        }
    }
}

INLINE void pairs_ahead(const gnd_pairs_step *s, const gnd_csr *a, const int ahead, int64_t r0,
                        int64_t r1)
{
    if (a->val)
        pairs_rows(s, a, false, ahead, r0, r1);
    else
        pairs_rows(s, a, true, ahead, r0, r1);
}

static void pairs_step(const gnd_pairs_step *s, const gnd_csr *a, int64_t r0, int64_t r1)
{
    const size_t bytes = (size_t)(a->n_row * GND_PAIR_WORDS) * sizeof(gnd_real);
    const int64_t ahead = bytes < NEAR_FROM ? 0 : bytes < FAR_FROM ? AHEAD_NEAR : AHEAD_FAR;
    const int64_t last = ahead ? rows_before(&(spmm_job){.a = a, .r0 = r0, .r1 = r1}, ahead) : r0;

    if (ahead == AHEAD_NEAR)
        pairs_ahead(s, a, AHEAD_NEAR, r0, last);
    else if (ahead)
        pairs_ahead(s, a, AHEAD_FAR, r0, last);
    pairs_ahead(s, a, 0, last, r1);
}
