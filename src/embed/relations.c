/* SPDX-License-Identifier: MIT
 * relations.c - sorts the messages of Geom-GCN into divisions; see the header.
 *
 * Pei et al., ICLR 2020, arXiv:2002.05287, sections 2.1 and 3. The authors published files of
 * relations but not the code that wrote them. The radius follows their text. The order of the
 * quadrants is arbitrary, since each division has its own weights. */
#include "relations.h"

#include <math.h>

#include "base/alloc.h"
#include "graph/graph.h"
#include "hop_distances.h"
#include "isomap.h"
#include "poincare.h"
#include "struc2vec.h"

enum { LATENT = 4, SELF = 8 };

static gnd_status no_memory(int64_t n, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the relations of %lld vertices",
                    (long long)n);
}

/* Builds the scaled operator of division k from all messages. */
static gnd_status make_division(gnd_relations *r, int32_t k, int64_t n_message, const int32_t *u,
                                const int32_t *v, const int32_t *division, gnd_error *err)
{
    gnd_operator *op = &r->op[k];
    int32_t *row = NULL, *col = NULL;
    gnd_real *val = NULL;
    int64_t count = 0;
    gnd_status st = GND_OK;

    for (int64_t p = 0; p < n_message; p++)
        count += division[p] == k;
    row = gnd_alloc(count, sizeof *row);
    col = gnd_alloc(count, sizeof *col);
    val = gnd_alloc(count, sizeof *val);
    if (!row || !col || !val)
        GND_TRY(no_memory(r->n, err));
    count = 0;
    for (int64_t p = 0; p < n_message; p++)
        if (division[p] == k) {
            row[count] = v[p];
            col[count] = u[p];
            val[count++] = (gnd_real)(r->nu[v[p]] * r->nu[u[p]]);
        }
    GND_TRY(gnd_csr_from_triplets(&op->a, &(gnd_triplets){r->n, r->n, count, row, col, val},
                                  GND_DUP_MAX, NULL, err));
    GND_TRY(gnd_csr_transpose_or_borrow(&op->at, &op->a, err));
    op->shared = op->at.borrowed != 0;
out:
    gnd_free(val);
    gnd_free(col);
    gnd_free(row);
    return st;
}

gnd_status gnd_relations_from_triplets(gnd_relations *r, int64_t n, const gnd_messages *m,
                                       gnd_error *err)
{
    const int32_t *u = m->u, *v = m->v, *division = m->division;
    gnd_status st = GND_OK;

    *r = (gnd_relations){.n = n};
    r->nu = gnd_alloc(n, sizeof *r->nu);
    if (!r->nu)
        GND_TRY(no_memory(n, err));
    for (int64_t p = 0; p < m->n; p++) {
        if (u[p] < 0 || u[p] >= n || v[p] < 0 || v[p] >= n || division[p] < 0 ||
            division[p] >= GND_DIVISIONS)
            GND_TRY(gnd_fail(err, GND_ERR_ARG,
                             "message %lld goes from %d to %d in division %d; expected vertices "
                             "below %lld and divisions below %d",
                             (long long)p, u[p], v[p], division[p], (long long)n, GND_DIVISIONS));
        r->nu[v[p]]++;
    }
    for (int64_t i = 0; i < n; i++)
        r->nu[i] = r->nu[i] > 0 ? 1 / sqrt(r->nu[i]) : 0;
    for (int32_t k = 0; k < GND_DIVISIONS; k++)
        GND_TRY(make_division(r, k, m->n, u, v, division, err));
out:
    if (st != GND_OK)
        gnd_relations_fini(r);
    return st;
}

/* ---- from coordinates ---- */

typedef struct {
    int32_t *u, *v, *division;
    int64_t n;
} messages;

static int32_t quadrant(const double *zv, const double *zu)
{
    return 2 * (zv[0] > zu[0]) + (zv[1] > zu[1]);
}

/* Appends all messages to v: from links, latent pairs and v itself. Both rows ascend, so they
 * are merged. */
static void merge_row(messages *m, const gnd_csr *links, const gnd_csr *latent, const double *z,
                      int32_t v)
{
    int64_t p = links->ptr[v], q = latent->ptr[v];
    const int64_t p1 = links->ptr[v + 1], q1 = latent->ptr[v + 1];

    while (p < p1 || q < q1) {
        const bool is_latent = q < q1 && (p == p1 || latent->col[q] <= links->col[p]);
        const int32_t u = is_latent ? latent->col[q] : links->col[p];

        p += p < p1 && links->col[p] == u;
        q += is_latent;
        m->u[m->n] = u;
        m->v[m->n] = v;
        m->division[m->n++] = quadrant(z + 2 * v, z + 2 * u) + (is_latent ? LATENT : 0);
    }
    m->u[m->n] = m->v[m->n] = v;
    m->division[m->n++] = SELF;
}

gnd_status gnd_relations_from_coordinates(gnd_relations *r, const gnd_csr *adj, const double *z,
                                          gnd_metric metric, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = adj->n_row;
    gnd_csr links = {0}, latent = {0};
    messages m = {0};
    double rho = 0;
    int64_t room;
    gnd_status st;

    *r = (gnd_relations){0};
    GND_TRY(gnd_links_init(&links, adj, err));
    GND_TRY(gnd_latent_pairs(&latent, &rho, &(gnd_plane_points){z, n, metric},
                             gnd_csr_nnz(&links) / 2, pool, err));
    room = gnd_csr_nnz(&links) + gnd_csr_nnz(&latent) + n;
    m.u = gnd_alloc(room, sizeof *m.u);
    m.v = gnd_alloc(room, sizeof *m.v);
    m.division = gnd_alloc(room, sizeof *m.division);
    if (!m.u || !m.v || !m.division)
        GND_TRY(no_memory(n, err));
    for (int32_t v = 0; v < n; v++)
        merge_row(&m, &links, &latent, z, v);
    GND_TRY(gnd_relations_from_triplets(r, n, &(gnd_messages){m.n, m.u, m.v, m.division}, err));
    r->rho = rho;
    r->n_latent = gnd_csr_nnz(&latent);
out:
    gnd_free(m.division);
    gnd_free(m.v);
    gnd_free(m.u);
    gnd_csr_fini(&latent);
    gnd_csr_fini(&links);
    return st;
}

gnd_status gnd_relations_init(gnd_relations *r, const gnd_csr *adj, gnd_embedding kind,
                              uint64_t seed, gnd_pool *pool, gnd_error *err)
{
    double *z = gnd_alloc(adj->n_row, 2 * sizeof *z);
    gnd_metric metric = GND_METRIC_EUCLID;
    gnd_status st = GND_OK;

    *r = (gnd_relations){0};
    if (!z)
        GND_TRY(no_memory(adj->n_row, err));
    switch (kind) {
    case GND_EMBED_ISOMAP:
        GND_TRY(gnd_isomap(z, NULL, adj, pool, err));
        break;
    case GND_EMBED_POINCARE:
        GND_TRY(gnd_poincare(z, adj, seed, err));
        metric = GND_METRIC_HYPERBOLIC;
        break;
    case GND_EMBED_STRUC2VEC:
        GND_TRY(gnd_struc2vec(z, adj, seed, pool, err));
        break;
    }
    GND_TRY(gnd_relations_from_coordinates(r, adj, z, metric, pool, err));
out:
    gnd_free(z);
    return st;
}

void gnd_relations_fini(gnd_relations *r)
{
    for (int k = 0; k < GND_DIVISIONS; k++)
        gnd_operator_fini(&r->op[k]);
    gnd_free(r->nu);
    *r = (gnd_relations){0};
}
