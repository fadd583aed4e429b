/* SPDX-License-Identifier: MIT
 * diffusion.h - sum_k alpha_k A^{first+k} Z, or each hop of it, on the rows that a pass
 * requests, by the plan made for these rows (plan.h). A is in->op. */
#ifndef GND_MODEL_DIFFUSION_H
#define GND_MODEL_DIFFUSION_H

#include "model.h"

/* What a method diffuses. */
typedef struct {
    int64_t hops, first, width; /* width: columns of Z */
    bool weighted;              /* the hops are summed by weights */
    bool keeps;                 /* Z is read further on; else `spend` it */
    bool linear;                /* Z = X Theta in evaluation */
    bool no_dropout;            /* ... and in training */
} gnd_diffusion;

/* For prepare_rows and release_rows of a method. */
gnd_status gnd_diffusion_prepare(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                                 const gnd_diffusion *d, gnd_pool *pool, gnd_error *err);
void gnd_diffusion_release(gnd_row_set *h);

/* The features that Z is to be made of: all vertices' in->x, or those that the requested rows
 * reach. */
gnd_var gnd_diffusion_x(const gnd_inputs *in, gnd_tape *t);
/* sum_k alpha_k A^{first+k} Z, its requested rows. Z was made of gnd_diffusion_x; spend: see
 * gnd_row_hops. */
gnd_var gnd_diffuse_requested(const gnd_inputs *in, gnd_tape *t, gnd_var alpha, gnd_var Z,
                              int64_t first, bool spend);
/* Rows of single hops, [hops, |S| f] with hop first + k in row k, for the requested rows; no
 * variable (i < 0) if the pass had better see all rows. Z as above. */
gnd_var gnd_hops_requested(const gnd_inputs *in, gnd_tape *t, gnd_var Z, int64_t hops,
                           int64_t first, bool spend);
/* A row of such numbers as the requested rows, [|S|, f]. */
gnd_var gnd_hop_as_rows(gnd_tape *t, gnd_var hop);
/* Is X diffused before the pass? Then sum_k alpha_k A^{first+k} X on the requested rows. */
bool gnd_diffusion_has_features(const gnd_inputs *in, const gnd_tape *t);
gnd_var gnd_diffused_features(const gnd_inputs *in, gnd_tape *t, gnd_var alpha);

#endif
