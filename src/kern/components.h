/* SPDX-License-Identifier: MIT
 * components.h - weakly connected components of a sparse matrix. */
#ifndef GND_KERN_COMPONENTS_H
#define GND_KERN_COMPONENTS_H

#include "csr.h"

/* Component number of each vertex, arcs taken both ways, numbered by smallest vertex. comp:
 * [n_node]. Returns the count, or -1: no memory. */
int64_t gnd_components(int32_t *comp, const gnd_csr *adj);
/* Vertices of the largest component, ascending (smallest vertex id wins a tie). keep: [n_node],
 * caller's memory; *n_keep: how many. */
gnd_status gnd_largest_component(int32_t *keep, int64_t *n_keep, const gnd_csr *adj,
                                 gnd_error *err);

#endif
