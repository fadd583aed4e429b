/* SPDX-License-Identifier: MIT
 * embed.c - kinds of the embeddings: Isomap, and the relations between points of the plane. */
#include "reference.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "embed/hop_distances.h"
#include "embed/isomap.h"
#include "embed/relations.h"

/* ---- Isomap ---- */

static void check_hops(verdict *r, const gnd_csr *adj)
{
    const int64_t n = adj->n_row;
    gnd_csr links = {0};
    uint8_t *hops = NULL;
    double far = 0;
    gnd_error err = {0};
    int32_t *list;

    if (ref_ok(r, gnd_links_init(&links, adj, &err), &err) &&
        ref_ok(r, gnd_hop_distances(&hops, &far, &links, NULL, &err), &err)) {
        list = room(n * n, sizeof *list);
        for (int64_t i = 0; i < n * n; i++)
            list[i] = hops[i] == GND_HOP_NONE ? -1 : hops[i];
        check_list(r, "hops", list, n * n);
        check_scalar(r, "far", far);
        free(list);
    }
    gnd_free(hops);
    gnd_csr_fini(&links);
}

/* Each column of got takes the sign of the reference's. */
static void agree_signs(double *got, const double *want, int64_t n)
{
    for (int c = 0; c < 2; c++) {
        double dot = 0;

        for (int64_t i = 0; i < n; i++)
            dot += got[2 * i + c] * want[2 * i + c];
        for (int64_t i = 0; i < n && dot < 0; i++)
            got[2 * i + c] = -got[2 * i + c];
    }
}

void ref_isomap(verdict *r)
{
    gnd_graph *g = ref_graph(r);
    const double *values = need_real(r, "eigenvalues", 1, -1), *want;
    double *z, got[2];
    int64_t rows = 0, n_value = 0;
    gnd_error err = {0};

    if (!g)
        return;
    want = need_real(r, "coordinates", g->n_node, 2);
    golden_real(r->f, "eigenvalues", &rows, &n_value);
    if (values && n_value < 2)
        ref_fail(r, "eigenvalues: expected two of them at least");
    z = room(g->n_node, 2 * sizeof *z);
    if (values && n_value >= 2 && want &&
        ref_ok(r, gnd_isomap(z, got, &g->adj, NULL, &err), &err)) {
        check_hops(r, &g->adj);
        check_values(r, "eigenvalues", values, got, 1, 2);
        agree_signs(z, want, g->n_node);
        check_double(r, "coordinates", z, g->n_node, 2);
    }
    free(z);
    gnd_graph_free(g);
}

/* ---- relations ---- */

/* A pattern as a list of ordered pairs. */
static void check_pairs(verdict *r, const char *name, const gnd_csr *a)
{
    int32_t *list = room(2 * gnd_csr_nnz(a), sizeof *list);

    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            list[2 * p] = (int32_t)i;
            list[2 * p + 1] = a->col[p];
        }
    check_list(r, name, list, 2 * gnd_csr_nnz(a));
    free(list);
}

/* The messages u -> v with their divisions, by u and then v; and whether their values are
 * nu_v nu_u, and the other half of each operator its transpose. */
static void check_divisions(verdict *r, const gnd_relations *rel)
{
    const int64_t n = rel->n;
    int32_t *table = room(n * n, sizeof *table), *list;
    double *value = room(n * n, sizeof *value), *scaled = room(n * n, sizeof *scaled);
    int64_t count = 0;

    for (int32_t k = 0; k < GND_DIVISIONS; k++)
        for (int64_t v = 0; v < n; v++) {
            const gnd_csr *a = &rel->op[k].a, *at = &rel->op[k].at;

            for (int64_t p = a->ptr[v]; p < a->ptr[v + 1]; p++) {
                if (table[a->col[p] * n + v])
                    ref_fail(r, "divisions: message %d -> %lld has two", a->col[p], (long long)v);
                table[a->col[p] * n + v] = k + 1;
                value[a->col[p] * n + v] = (double)gnd_csr_val(a, p);
                count++;
            }
            for (int64_t p = at->ptr[v]; p < at->ptr[v + 1]; p++)
                scaled[v * n + at->col[p]] = rel->nu[v] * rel->nu[at->col[p]];
        }
    list = room(3 * count, sizeof *list);
    count = 0;
    for (int32_t p = 0; p < n * n; p++)
        if (table[p]) {
            list[3 * count] = p / (int32_t)n;
            list[3 * count + 1] = p % (int32_t)n;
            list[3 * count++ + 2] = table[p] - 1;
        }
    check_list(r, "divisions", list, 3 * count);
    check_values(r, "nu_u nu_v", scaled, value, n, n);
    check_double(r, "nu", rel->nu, 1, n);
    free(list);
    free(scaled);
    free(value);
    free(table);
}

static void check_latent(verdict *r, const gnd_csr *adj, const double *z, gnd_metric metric)
{
    gnd_csr links = {0}, latent = {0};
    double rho;
    gnd_error err = {0};

    if (ref_ok(r, gnd_links_init(&links, adj, &err), &err) &&
        ref_ok(r,
               gnd_latent_pairs(&latent, &rho, &(gnd_plane_points){z, adj->n_row, metric},
                                gnd_csr_nnz(&links) / 2, NULL, &err),
               &err)) {
        check_pairs(r, "graph_pairs", &links);
        check_pairs(r, "latent_pairs", &latent);
        check_scalar(r, "rho", rho);
    }
    gnd_csr_fini(&latent);
    gnd_csr_fini(&links);
}

/* The file's own divisions must come out as they went in. */
static void check_triplets(verdict *r, int64_t n)
{
    int64_t count = 0, three = 0;
    const int64_t *d = golden_int(r->f, "divisions", &count, &three);
    int32_t *part[3];
    gnd_relations rel = {0};
    gnd_error err = {0};

    if (!d || three != 3) /* said already */
        return;
    for (int c = 0; c < 3; c++) {
        part[c] = room(count, sizeof *part[c]);
        for (int64_t p = 0; p < count; p++)
            part[c][p] = (int32_t)d[3 * p + c];
    }
    if (ref_ok(r,
               gnd_relations_from_triplets(&rel, n,
                                           &(gnd_messages){count, part[0], part[1], part[2]}, &err),
               &err))
        check_divisions(r, &rel);
    gnd_relations_fini(&rel);
    for (int c = 0; c < 3; c++)
        free(part[c]);
}

void ref_relations(verdict *r)
{
    gnd_graph *g = ref_graph(r);
    const char *name = need_text(r, "metric");
    const gnd_metric metric = name && name[0] == 'h' ? GND_METRIC_HYPERBOLIC : GND_METRIC_EUCLID;
    const double *z = g ? need_real(r, "coordinates", g->n_node, 2) : NULL;
    gnd_relations rel = {0};
    gnd_error err = {0};

    if (name && z &&
        ref_ok(r, gnd_relations_from_coordinates(&rel, &g->adj, z, metric, NULL, &err), &err)) {
        check_latent(r, &g->adj, z, metric);
        check_divisions(r, &rel);
        check_scalar(r, "rho", rel.rho);
        check_triplets(r, g->n_node);
    }
    gnd_relations_fini(&rel);
    gnd_graph_free(g);
}
