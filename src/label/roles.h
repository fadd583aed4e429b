/* SPDX-License-Identifier: MIT
 * roles.h - structural roles: what the position of a vertex in the graph looks like. */
#ifndef GND_LABEL_ROLES_H
#define GND_LABEL_ROLES_H

#include "base/parallel.h"
#include "base/status.h"
#include "kern/csr.h"

/* roles: [n, count], count = 12. Columns: log(1 + degree), log(1 + core number), clustering
 * coefficient, log(1 + mean degree of the neighbours); the means of these four over the neighbours;
 * and the means of those. Each column has mean 0 and variance 1, is limited to +-ROLE_MAX and
 * divided by sqrt(12). links: [n, n] symmetric, without loops. Cost: linear in the links; the
 * clustering of a vertex of many links is estimated from CLUSTERING_PAIRS pairs of them. */
gnd_status gnd_roles(gnd_real *roles, const gnd_csr *links, gnd_pool *pool, gnd_error *err);

/* core: [n] the largest k for which the vertex is in a subgraph of minimum degree k. */
gnd_status gnd_core_numbers(int32_t *core, const gnd_csr *links, gnd_error *err);

#endif
