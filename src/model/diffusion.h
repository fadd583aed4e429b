/* SPDX-License-Identifier: MIT
 * diffusion.h - the requested rows of sum_k alpha_k A^{first+k} Z, or of its single terms, computed
 * by the plan for these rows (plan.h).  A = in->op: [n, n]   Z: [n, width]   alpha: [1, hops] */
#ifndef GND_MODEL_DIFFUSION_H
#define GND_MODEL_DIFFUSION_H

#include "model.h"

/* The diffusion of a method. */
typedef struct {
    int64_t hops, first, width; /* width: columns of Z */
    bool weighted;              /* the terms are summed with weights alpha */
    bool keeps;  /* Z is needed after the diffusion; otherwise its memory can be reused (`spend`) */
    bool linear; /* Z = X Theta in evaluation */
    bool no_dropout; /* Z = X Theta in training, too */
} gnd_diffusion;

/* For prepare_rows and release_rows of a method. */
gnd_status gnd_diffusion_prepare(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                                 const gnd_diffusion *d, gnd_pool *pool, gnd_error *err);
void gnd_diffusion_release(gnd_row_set *h);

/* The features to compute Z from: in->x of all vertices, or only of those on which the requested
 * rows depend. */
gnd_var gnd_diffusion_x(const gnd_inputs *in, gnd_tape *t);
/* The requested rows of sum_k alpha_k A^{first+k} Z. Z is computed from gnd_diffusion_x; spend: see
 * gnd_row_hops. */
gnd_var gnd_diffuse_requested(const gnd_inputs *in, gnd_tape *t, gnd_var alpha, gnd_var Z,
                              int64_t first, bool spend);
/* The requested rows S of single terms, [hops, |S| f]: A^{first+k} Z in row k. No variable (i < 0)
 * if it is cheaper to compute all rows. Z as above. */
gnd_var gnd_hops_requested(const gnd_inputs *in, gnd_tape *t, gnd_var Z, int64_t hops,
                           int64_t first, bool spend);
/* Reshape a row of that matrix to the requested rows, [|S|, f]. */
gnd_var gnd_hop_as_rows(gnd_tape *t, gnd_var hop);
/* A function of the terms of single rows, for a method that has no plan: seq: [m, hops f], row i
 * holds the terms of a row one after the other -> [m, cols]. */
typedef gnd_var gnd_hop_function(const gnd_model *m, gnd_tape *t, gnd_var seq);
typedef struct {
    int64_t hops, first; /* A^first Z, .., A^{first+hops-1} Z */
    int64_t cols;
    gnd_hop_function *of;
} gnd_aggregation;
/* It, for the requested rows. In evaluation, in blocks of rows: memory does not grow with their
 * number beyond the budget. Z may be overwritten (`spend`). */
gnd_var gnd_aggregate_requested(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, gnd_var Z,
                                const gnd_aggregation *a);
/* Are the terms A^{first+k} X of the requested rows stored? */
bool gnd_diffusion_has_features(const gnd_inputs *in, const gnd_tape *t);
/* If so: the requested rows of sum_k alpha_k A^{first+k} X. */
gnd_var gnd_diffused_features(const gnd_inputs *in, gnd_tape *t, gnd_var alpha);

#endif
