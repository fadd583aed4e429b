/* SPDX-License-Identifier: MIT
 * roles.h - structural roles: what the position of a vertex in the graph looks like. */
#ifndef GND_GRAPH_ROLES_H
#define GND_GRAPH_ROLES_H

#include "base/parallel.h"
#include "base/status.h"
#include "kern/csr.h"

enum { GND_ROLES = 12 }; /* structural features of a vertex */

/* roles: [n, GND_ROLES]. Columns: log(1 + degree), log(1 + core number), clustering
 * coefficient, log(1 + mean degree of the neighbours); the means of these four over the neighbours;
 * and the means of those. Each column has mean 0 and variance 1, is limited to +-4 standard
 * deviations and divided by sqrt(GND_ROLES). links: [n, n] symmetric, without loops. Cost: linear
 * in the links; the clustering of a vertex of many links is estimated from 64 pairs of them. */
gnd_status gnd_roles(gnd_real *roles, const gnd_csr *links, gnd_pool *pool, gnd_error *err);

/* core: [n] the largest k for which the vertex is in a subgraph of minimum degree k. */
gnd_status gnd_core_numbers(int32_t *core, const gnd_csr *links, gnd_error *err);

#endif
