/* SPDX-License-Identifier: MIT
 * coordinates.c - coordinates of the vertices: the leading directions of diffused features
 * (diffused_pca.c).
 *
 *     Z: [n, r] of a (I - (1-a) S)^-1 X diag(weight),   S = D^-1/2 (A + I) D^-1/2 */
#include "coordinates.h"

#include <math.h>

#include "base/alloc.h"
#include "graph/operator.h"
#include "kern/components.h"

/* Rank for n vertices: one coordinate for VERTICES_PER_COORDINATE of them, at least one per class.
 * */
static int64_t rank_of(int64_t rank, int64_t n, int64_t n_class)
{
    const int64_t few =
        n / VERTICES_PER_COORDINATE > n_class ? n / VERTICES_PER_COORDINATE : n_class;

    return rank < few ? rank : few;
}

/* Teleport for n vertices with links. Where classes are larger than usual, a walk takes longer to
 * see one: it lasts (size / usual)^(2/3) times as long, the time to cross a body of three
 * dimensions. */
static double teleport_for(double teleport, int64_t n, int64_t n_class)
{
    static const double usual = CLASS_SIZE_USUAL;
    const double size = fmax((double)n, 1) / (double)(n_class > 0 ? n_class : 1);

    return teleport > 0 ? teleport
                        : fmax(TELEPORT_FIRST * pow(fmin(1, usual / size), TELEPORT_SIZE_POWER),
                               TELEPORT_LEAST);
}

/* seen[i] = 1 for vertices in components with at least 1 / GND_RANK_HIGH of all vertices that have
 * links: each component takes a coordinate of its own, and hundreds of small ones would take them
 * all. Where most vertices are in small components: for all that have links. count: vertices seen,
 * of all processes. */
static gnd_status mark_large_components(unsigned char *seen, int64_t *count,
                                        const gnd_coordinates_of *g, gnd_error *err)
{
    const int64_t n = g->a->n_row;
    const gnd_row_range own = gnd_part_own(g->at.part, n);
    int64_t *size = gnd_alloc(n, sizeof *size), linked = 0, large = 0, least = 2;
    gnd_status st = GND_OK;

    if (!size)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    GND_TRY(gnd_component_sizes(size, g->component, n, g->at.part, err));
    for (int64_t i = own.begin; i < own.end; i++)
        linked += size[g->component[i]] > 1;
    gnd_part_counts(g->at.part, &linked, 1);
    for (int64_t i = own.begin; i < own.end; i++)
        large += size[g->component[i]] > 1 && size[g->component[i]] * GND_RANK_HIGH >= linked;
    gnd_part_counts(g->at.part, &large, 1);
    if (2 * large >= linked && linked / GND_RANK_HIGH >= least)
        least = (linked + GND_RANK_HIGH - 1) / GND_RANK_HIGH;
    *count = 0;
    for (int64_t i = 0; i < n; i++) {
        seen[i] = size[g->component[i]] >= least;
        *count += seen[i] && i >= own.begin && i < own.end;
    }
    gnd_part_counts(g->at.part, count, 1);
out:
    gnd_free(size);
    return st;
}

/* Coordinates, or none where all vertices are equal. */
static gnd_status pca_if_any(gnd_points *out, const gnd_pca_opts *o, gnd_pool *pool, gnd_error *err)
{
    const gnd_status st = gnd_diffused_pca(out, NULL, o, pool, err);

    if (st != GND_ERR_ARG)
        return st;
    gnd_error_clear(err); /* else it would hide what fails later */
    return GND_OK;
}

/* out: unit features and, beside them, each vertex that has links as a feature of its own, of value
 * IDENTITY_WEIGHT: few features span few directions, and the structure of the links would be lost.
 */
static gnd_status append_identity(gnd_csr *out, const gnd_coordinates_of *g, gnd_error *err)
{
    const gnd_csr *x = g->unit;
    const int64_t n = x->n_row, d = x->n_col;
    const gnd_status st = gnd_csr_init(out, n, d + n, gnd_csr_nnz(x) + n, true, err);
    int64_t to = 0;

    for (int64_t i = 0; i < n && st == GND_OK; i++) {
        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++, to++) {
            out->col[to] = x->col[q];
            out->val[to] = x->val[q];
        }
        if (g->degree[i] > 0) {
            out->col[to] = (int32_t)(d + i);
            out->val[to++] = (gnd_real)IDENTITY_WEIGHT;
        }
        out->ptr[i + 1] = to;
    }
    return st;
}

/* Features alone, not diffused. */
static gnd_status undiffused_make(gnd_points *out, gnd_pca_opts o, gnd_pool *pool, gnd_error *err)
{
    o.S = NULL;
    o.passes = PCA_PASSES_UNDIFFUSED;
    return pca_if_any(out, &o, pool, err);
}

/* Diffused features, with the identity beside few features, and own features. */
static gnd_status diffused_make(gnd_coordinates *v, const gnd_coordinates_of *g, gnd_pca_opts o,
                                bool few, gnd_pool *pool, gnd_error *err)
{
    const bool own = g->n_link > 0 && !g->f->is_identity;
    gnd_csr x = {0}, xt = {0}, here = {0};
    gnd_status st = GND_OK;

    if (few) {
        gnd_pca_opts alone = o; /* without the identity */

        alone.degree = NULL;
        GND_TRY(undiffused_make(&v->own, alone, pool, err));
        GND_TRY(append_identity(&x, g, err));
        GND_TRY(gnd_csr_own_rows(&here, &x, g->at.part, err));
        GND_TRY(gnd_csr_transpose(&xt, &here, err));
        o.x = &x;
        o.xt = &xt;
    }
    GND_TRY(gnd_diffused_pca(&v->diffused, own && !few ? &v->own : NULL, &o, pool, err));
out:
    gnd_csr_fini(&here);
    gnd_csr_fini(&x);
    gnd_csr_fini(&xt);
    return st;
}

/* Coordinates by links alone, over paths of even length: S0 has no loops, which would turn these
 * into odd ones. diffused: of a large graph without features, both from one search for directions;
 * NULL: only these. */
static gnd_status links_make(gnd_points *out, gnd_points *diffused, const gnd_coordinates_of *g,
                             gnd_pca_opts o, gnd_pool *pool, gnd_error *err)
{
    unsigned char *seen = gnd_alloc(g->a->n_row, 1);
    gnd_operator S = {0};
    gnd_csr units = {0};
    int64_t count;
    gnd_status st;

    if (!seen)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->a->n_row));
    GND_TRY(mark_large_components(seen, &count, g, err));
    GND_TRY(gnd_identity_features(&units, g->a->n_row, seen, err));
    o.x = o.xt = &units;
    o.n_feature = 0;
    o.weight = NULL;
    o.degree = g->degree;
    o.odd_weight = 0;
    if (diffused) {
        o.S = g->a;
        o.tol = PCA_TOL_LARGE;
        o.tol_pass = PCA_TOL_PASS_LARGE;
        o.passes = PCA_PASSES_LARGE;
        o.quick = true;
        GND_TRY(gnd_links_pca(diffused, out, &o, pool, err));
    } else {
        GND_TRY(gnd_operator_init(&S, GND_OP_S0, g->a, err));
        o.S = &S.a;
        GND_TRY(pca_if_any(out, &o, pool, err));
    }
out:
    gnd_csr_fini(&units);
    gnd_operator_fini(&S);
    gnd_free(seen);
    return st;
}

/* Do all but SMALL_COMPONENTS_SHARE of the vertices with links have coordinates by links? Then one
 * search may serve both kinds on a large graph without features. seen: [n] scratch. */
static gnd_status search_together(bool *together, unsigned char *seen, const gnd_coordinates_of *g,
                                  gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(g->at.part, g->a->n_row);
    int64_t count, linked = 0;
    gnd_status st = GND_OK;

    *together = g->f->is_identity && g->n_link >= LARGE_LINKS;
    if (!*together)
        return GND_OK;
    GND_TRY(mark_large_components(seen, &count, g, err));
    for (int64_t i = own.begin; i < own.end; i++)
        linked += g->degree[i] > 0;
    gnd_part_counts(g->at.part, &linked, 1);
    *together = (double)(linked - count) <= SMALL_COMPONENTS_SHARE * (double)linked;
out:
    return st;
}

/* The points that every fit on a large graph takes. */
static gnd_status keep_sample(gnd_points *p, gnd_error *err)
{
    if (gnd_part_total(p->at.part, p->n) <= FIT_POINTS)
        return GND_OK;
    return gnd_points_sample(&p->sample, &p->n_sample, p, FIT_POINTS, err);
}

gnd_status gnd_coordinates_init(gnd_coordinates *v, const gnd_coordinates_of *g, bool apart,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->a->n_row, n_all = gnd_part_total(g->at.part, n);
    const bool linked = g->n_link > 0, features = !g->f->is_identity;
    const bool few = features && linked && g->f->x->n_col < GND_RANK_HIGH;
    const bool large = g->n_link >= LARGE_LINKS;
    bool together = false;
    unsigned char *seen = gnd_alloc(n, 1);
    gnd_pca_opts how;
    int64_t count = n_all;
    gnd_status st = GND_OK;

    *v = (gnd_coordinates){0};
    if (!seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    if (o->teleport <= 0 &&
        n_all > CLASS_SIZE_USUAL * o->n_class) /* else the teleport does not depend on it */
        GND_TRY(mark_large_components(seen, &count, g, err));
    how = (gnd_pca_opts){.x = g->f->x,
                         .xt = &g->f->xt,
                         .at = g->at,
                         .n_feature = features ? g->f->x->n_col : 0,
                         .weight = few ? NULL : g->f->weight,
                         .S = g->S,
                         .degree = g->looped,
                         .component = g->component,
                         .teleport = teleport_for(o->teleport, count, o->n_class),
                         .odd_weight = 1,
                         .tol = PCA_TOL,
                         .tol_pass = PCA_TOL_PASS,
                         .rank = rank_of(large ? GND_RANK_LOW : GND_RANK_HIGH, n_all, o->n_class),
                         .passes = PCA_PASSES,
                         .seed = 1};
    GND_TRY(search_together(&together, seen, g, err));
    if (!together)
        GND_TRY(diffused_make(v, g, how, few, pool, err));
    if (together || (apart && linked))
        GND_TRY(links_make(&v->links, together ? &v->diffused : NULL, g, how, pool, err));
    /* Degrees stay: centring with them separates hubs from other vertices. Without them, accuracy
     * falls by 3 to 7 points on Wisconsin and does not rise on chameleon and actor. */
    how.rank = rank_of(GND_RANK_LOW, n_all, o->n_class);
    if (apart && features)
        GND_TRY(undiffused_make(&v->features, how, pool, err));
    GND_TRY(keep_sample(&v->diffused, err));
    GND_TRY(keep_sample(&v->features, err));
    GND_TRY(keep_sample(&v->links, err));
out:
    if (st != GND_OK)
        gnd_coordinates_fini(v);
    gnd_free(seen);
    return st;
}

void gnd_coordinates_fini(gnd_coordinates *v)
{
    gnd_points_fini(&v->diffused);
    gnd_points_fini(&v->own);
    gnd_points_fini(&v->features);
    gnd_points_fini(&v->links);
    *v = (gnd_coordinates){0};
}
