/* SPDX-License-Identifier: MIT
 * revise.h - a second look at the classes found: by a vertex's own features, or by its neighbours.
 */
#ifndef GND_FEW_REVISE_H
#define GND_FEW_REVISE_H

#include "seeded.h"

/* Diffusion mixes what a vertex has with all that it reaches, always to the same shares. Once
 * classes are found, it shows whether that was too much or too little of its own: discriminants
 * fitted to own features alone, for the classes found, tell most of them where features say much,
 * and few where they say little. */
typedef struct {
    const gnd_points *itself;   /* own features, not diffused */
    const gnd_csr *links;       /* [n, n] symmetric, without loops */
    const gnd_seeds *seeds;     /* shrink and pull count here */
    const unsigned char *apart; /* [n] 1: its label is known, or nothing at all is */
    double own;                 /* own features: at most to this power */
    double share;               /* neighbours: at most so much */
    double trust;               /* 0..1 of the classes found; 0: nothing can be fitted to them */
} gnd_revision;

/* 0..1 each. */
typedef struct {
    double told;   /* of the classes found, by own features */
    double beyond; /* own features and those of neighbours agree on what the classes found do not
                      explain */
} gnd_revised;

/* p: [n, C] shares of a row; room: [n, C] scratch.
 *
 *     p_i <- (1 - b) p_i + b mean of p over its neighbours, thrice    b = share (1 - told)
 *     p_i <- p_i q_i^(own told beyond),  rows of sum 1                q: of the discriminants
 *     told = trust ramp(k(q, p))     beyond = ramp(k(q', q) / (k(q, p) k(q', p)))
 *
 * k: how far two labellings agree beyond chance (Cohen); q': neighbours' mean of what q finds. If p
 * were the truth and all else errors by chance, k(q', q) would be k(q, p) k(q', p). Known points
 * keep their class. Vertices without own features keep p_i in the second line, and those without
 * links in the first. out may be NULL. */
gnd_status gnd_revise(gnd_real *p, gnd_real *room, gnd_revised *out, const gnd_revision *r,
                      gnd_pool *pool, gnd_error *err);

#endif
