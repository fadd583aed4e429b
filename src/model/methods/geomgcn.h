/* SPDX-License-Identifier: MIT
 * geomgcn.h - the relations of Geom-GCN, for those who give it others. */
#ifndef GND_MODEL_METHODS_GEOMGCN_H
#define GND_MODEL_METHODS_GEOMGCN_H

#include "embed/relations.h"
#include "model/model.h"

/* What prepare leaves in in->own. */
typedef struct {
    gnd_relations relations;
    const gnd_csr *op[GND_DIVISIONS]; /* their operators */
} gnd_geomgcn;

/* Put these messages u -> v of division 0..8 in the place of those in->own has, if any. */
gnd_status gnd_geomgcn_messages(gnd_inputs *in, int64_t n_message, const int32_t *u,
                                const int32_t *v, const int32_t *division, gnd_error *err);

#endif
