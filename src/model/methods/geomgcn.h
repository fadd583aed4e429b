/* SPDX-License-Identifier: MIT
 * geomgcn.h - the relations of Geom-GCN; the tests replace them. */
#ifndef GND_MODEL_METHODS_GEOMGCN_H
#define GND_MODEL_METHODS_GEOMGCN_H

#include "embed/relations.h"
#include "model/model.h"

/* in->own of this method. */
typedef struct {
    gnd_relations relations;
    const gnd_csr *op[GND_DIVISIONS]; /* their operators */
} gnd_geomgcn;

/* Replace the messages in in->own, if any, by u[i] -> v[i] of division[i] in 0..8. */
gnd_status gnd_geomgcn_messages(gnd_inputs *in, int64_t n_message, const int32_t *u,
                                const int32_t *v, const int32_t *division, gnd_error *err);

#endif
