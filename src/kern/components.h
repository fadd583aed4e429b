/* SPDX-License-Identifier: MIT
 * components.h - weakly connected components of a sparse matrix. */
#ifndef GND_KERN_COMPONENTS_H
#define GND_KERN_COMPONENTS_H

#include "csr.h"

/* The component of each vertex, with arcs followed in both directions; components are numbered
 * by their smallest vertex. comp: [n_node]. Returns the number of components, -1 if memory is
 * short. In one of several processes (adj->part) the components of the whole graph that have a
 * vertex here. */
int64_t gnd_components(int32_t *comp, const gnd_csr *adj);
/* has[c]: does component c have something here? Becomes: in any process. flag: [n_node], scratch;
 * one process needs none. */
void gnd_component_any(unsigned char *has, const int32_t *comp, unsigned char *flag, gnd_part *p);
/* size[c]: vertices of component c in all processes. comp: [n], size: [n]. */
gnd_status gnd_component_sizes(int64_t *size, const int32_t *comp, int64_t n, gnd_part *p,
                               gnd_error *err);
/* The vertices of the largest component, ascending; on ties the component with the smallest
 * vertex. keep: [n_node], allocated by the caller; *n_keep: their number. */
gnd_status gnd_largest_component(int32_t *keep, int64_t *n_keep, const gnd_csr *adj,
                                 gnd_error *err);

#endif
