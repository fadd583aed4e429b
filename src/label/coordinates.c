/* SPDX-License-Identifier: MIT
 * coordinates.c - links both ways, weights of features, a sketch each. */
#include "coordinates.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "graph/graph.h"
#include "graph/operator.h"
#include "feature_homophily.h"
#include "features.h"

/* Coordinates that n vertices can fill: one for ten of them, but one a class. */
static int64_t rank_of(int64_t rank, int64_t n, int64_t n_class)
{
    const int64_t few =
        n / VERTICES_PER_COORDINATE > n_class ? n / VERTICES_PER_COORDINATE : n_class;

    return rank < few ? rank : few;
}

/* The teleport of the PageRank that diffuses over n vertices that links join. Where classes have
 * more vertices than usual, a walk takes longer to see one, and there is more to win from it: it
 * steps on for (size / usual)^(2/3) times as long, which is how long it takes to walk through a
 * body of three dimensions. */
static double teleport_for(double teleport, int64_t n, int64_t n_class)
{
    static const double usual = CLASS_SIZE_USUAL;
    const double size = fmax((double)n, 1) / (double)(n_class > 0 ? n_class : 1);

    return teleport > 0 ? teleport
                        : fmax(TELEPORT_FIRST * pow(fmin(1, usual / size), TELEPORT_SIZE_POWER),
                               TELEPORT_LEAST);
}

/* Weights of the links of each vertex, and `more`. */
static void degrees(double *degree, const gnd_csr *links, double more)
{
    for (int64_t i = 0; i < links->n_row; i++) {
        degree[i] = more;
        for (int64_t q = links->ptr[i]; q < links->ptr[i + 1]; q++)
            degree[i] += (double)gnd_csr_val(links, q);
    }
}

/* One link in `of`, drawn evenly; or all others. */
static gnd_status sample_links(gnd_csr *out, const gnd_csr *links, uint64_t of, bool others,
                               gnd_error *err)
{
    const int64_t nnz = gnd_csr_nnz(links);
    const gnd_status st =
        gnd_csr_init(out, links->n_row, links->n_col, nnz, links->val != NULL, err);
    int64_t to = 0;

    for (int64_t i = 0; i < links->n_row && st == GND_OK; i++) {
        for (int64_t q = links->ptr[i]; q < links->ptr[i + 1]; q++) {
            const uint64_t j = (uint64_t)links->col[q], low = j < (uint64_t)i ? j : (uint64_t)i;
            const bool drawn = gnd_hash_at(gnd_mix64(low), (uint64_t)i + j - low) % of == 0;

            if (drawn == others)
                continue;
            out->col[to] = links->col[q];
            if (links->val)
                out->val[to] = links->val[q];
            to++;
        }
        out->ptr[i + 1] = to;
    }
    return st;
}

/* Features and links are strangers, 1, if what links have in common is little or may be chance; 0
 * if not. */
static double uncorrelated_weight(const gnd_edge_similarity *k)
{
    const double chance =
        k->effect < UNCORRELATED_EFFECT_CLEAR
            ? (UNCORRELATED_Z_HIGH - k->z_score) / (UNCORRELATED_Z_HIGH - UNCORRELATED_Z_LOW)
            : 0;
    const double little = (UNCORRELATED_EFFECT_HIGH - k->effect) /
                          (UNCORRELATED_EFFECT_HIGH - UNCORRELATED_EFFECT_LOW);

    return fmin(fmax(fmax(chance, little), 0), 1);
}

/* seen[i] = 1 for vertices in parts of the graph that are worth a coordinate, one in GND_RANK_HIGH
 * of all that have links: each part has a direction of its own, and hundreds of small ones would
 * take them all. Where most vertices are in small parts, all that have links. count: of those seen.
 */
static gnd_status mark_large_components(unsigned char *seen, int64_t *count, const gnd_csr *links,
                                        gnd_error *err)
{
    const int64_t n = links->n_row;
    int32_t *part = gnd_alloc(n, sizeof *part);
    int64_t *size = gnd_alloc(n, sizeof *size), linked = 0, large = 0, least = 2;
    const int64_t parts = part && size ? gnd_components(part, links) : -1;

    for (int64_t i = 0; i < n && parts >= 0; i++)
        size[part[i]]++;
    for (int64_t k = 0; k < parts; k++)
        linked += size[k] > 1 ? size[k] : 0;
    for (int64_t k = 0; k < parts; k++)
        large += size[k] > 1 && size[k] * GND_RANK_HIGH >= linked ? size[k] : 0;
    if (2 * large >= linked && linked / GND_RANK_HIGH >= least)
        least = (linked + GND_RANK_HIGH - 1) / GND_RANK_HIGH;
    *count = 0;
    for (int64_t i = 0; i < n && parts >= 0; i++) {
        seen[i] = size[part[i]] >= least;
        *count += seen[i];
    }
    gnd_free(size);
    gnd_free(part);
    return parts >= 0 ? GND_OK
                      : gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n);
}

/* Links count as multiples of their mean weight: D^-1/2 (A + I) D^-1/2 gives a vertex itself the
 * weight 1, which is a link's worth whatever unit the weights are in. */
static void to_mean_weight(gnd_csr *a)
{
    const int64_t nnz = gnd_csr_nnz(a);
    double sum = 0;

    for (int64_t q = 0; q < nnz && a->val; q++)
        sum += (double)a->val[q];
    for (int64_t q = 0; q < nnz && sum > 0; q++)
        a->val[q] = (gnd_real)((double)a->val[q] / (sum / (double)nnz));
}

/* A sketch, or none where there is nothing to see. */
static gnd_status pca_if_any(gnd_points *out, const gnd_pca_opts *o, gnd_pool *pool, gnd_error *err)
{
    const gnd_status st = gnd_diffused_pca(out, NULL, NULL, o, pool, err);

    if (st != GND_ERR_ARG)
        return st;
    gnd_error_clear(err); /* else it would hide what fails later */
    return GND_OK;
}

/* Coordinates of half of the features each. */
static gnd_status feature_halves_make(gnd_coordinates *v, const gnd_pca_opts *raw, gnd_pool *pool,
                                      gnd_error *err)
{
    const int64_t d = raw->x->n_col;
    double *some = gnd_alloc(d, sizeof *some);
    gnd_pca_opts s = *raw;
    gnd_status st = GND_OK;

    if (!some)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d);
    s.weight = some;
    s.degree = NULL; /* both halves would see the degrees, and agree on those */
    for (int k = 0; k < 2 && st == GND_OK; k++) {
        for (int64_t j = 0; j < d; j++) {
            const bool in = gnd_hash_at(1, (uint64_t)j) % 2 == (uint64_t)k;

            some[j] = !in ? 0 : raw->weight ? raw->weight[j] : 1;
        }
        st = pca_if_any(&v->feature_half[k], &s, pool, err);
    }
    gnd_free(some);
    return st;
}

/* Coordinates by links alone. Loops would make paths of even length of odd ones. */
static gnd_status links_only_make(gnd_points *out, const gnd_csr *links, gnd_paths paths,
                                  const gnd_pca_opts *s, gnd_pool *pool, gnd_error *err)
{
    const bool even = paths == GND_PATHS_EVEN;
    const int64_t n = links->n_row;
    double *degree = gnd_alloc(n, sizeof *degree);
    unsigned char *seen = gnd_alloc(n, 1);
    int64_t count;
    gnd_pca_opts o = *s;
    gnd_operator S = {0};
    gnd_csr units = {0};
    gnd_status st;

    if (!degree || !seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    degrees(degree, links, even ? 0 : 1);
    GND_TRY(mark_large_components(seen, &count, links, err));
    GND_TRY(gnd_operator_init(&S, even ? GND_OP_S0 : GND_OP_S, links, err));
    GND_TRY(gnd_identity_features(&units, n, seen, err));
    o.x = o.xt = &units;
    o.weight = NULL;
    o.S = &S.a;
    o.degree = degree;
    o.odd_weight = even ? 0 : 1;
    GND_TRY(pca_if_any(out, &o, pool, err));
out:
    gnd_csr_fini(&units);
    gnd_operator_fini(&S);
    gnd_free(seen);
    gnd_free(degree);
    return st;
}

/* The same of half of the links each; and of most links, and those that were left out. */
static gnd_status links_parts_make(gnd_coordinates *v, const gnd_pca_opts *s, gnd_pool *pool,
                                   gnd_error *err)
{
    gnd_csr some = {0};
    gnd_status st;

    for (int k = 0; k < 2; k++) {
        GND_TRY(sample_links(&some, &v->links, 2, k, err));
        GND_TRY(links_only_make(&v->links_half[k], &some, GND_PATHS_EVEN, s, pool, err));
        gnd_csr_fini(&some);
    }
    GND_TRY(sample_links(&v->held_out, &v->links, LINKS_HELD_OUT, false, err));
    GND_TRY(sample_links(&some, &v->links, LINKS_HELD_OUT, true, err));
    for (int k = 0; k < GND_PATHS; k++)
        GND_TRY(links_only_make(&v->links_most[k], &some, (gnd_paths)k, s, pool, err));
out:
    gnd_csr_fini(&some);
    return st;
}

/* What does not take it that links join like vertices. s: of the first view. */
static gnd_status heterophily_make(gnd_coordinates *v, const gnd_pca_opts *s, bool own,
                                   int64_t n_class, gnd_pool *pool, gnd_error *err)
{
    gnd_pca_opts o = *s, raw;
    gnd_status st;

    o.rank = rank_of(GND_RANK_HIGH, s->x->n_row, n_class);
    for (int k = 0; k < (own ? GND_PATHS_EVEN + 1 : GND_PATHS); k++) /* own: far sees all paths */
        GND_TRY(links_only_make(&v->links_only[k], &v->links, (gnd_paths)k, &o, pool, err));
    if (own)
        goto out;
    o.rank = rank_of(GND_RANK_LOW, s->x->n_row, n_class);
    GND_TRY(links_parts_make(v, &o, pool, err));
    o.odd_weight = -1;
    GND_TRY(pca_if_any(&v->alternating, &o, pool, err));
    raw = o;
    raw.S = NULL;
    raw.passes = PCA_PASSES_UNDIFFUSED;
    GND_TRY(feature_halves_make(v, &raw, pool, err));
out:
    return st;
}

/* x, rows of length 1, beside each vertex that has links as a feature of its own, which counts 3
 * times as much: few features span few directions, and what links show beside them would be lost.
 */
static gnd_status append_identity(gnd_csr *out, const gnd_csr *x, const gnd_csr *links,
                                  gnd_error *err)
{
    const int64_t n = x->n_row, d = x->n_col;
    const gnd_status st = gnd_csr_init(out, n, d + n, gnd_csr_nnz(x) + n, true, err);
    int64_t to = 0;

    for (int64_t i = 0; i < n && st == GND_OK; i++) {
        double square = 0;

        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++)
            square += (double)gnd_csr_val(x, q) * (double)gnd_csr_val(x, q);
        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1] && square > 0; q++, to++) {
            out->col[to] = x->col[q];
            out->val[to] = (gnd_real)((double)gnd_csr_val(x, q) / sqrt(square));
        }
        if (links->ptr[i + 1] > links->ptr[i]) {
            out->col[to] = (int32_t)(d + i);
            out->val[to++] = (gnd_real)IDENTITY_WEIGHT;
        }
        out->ptr[i + 1] = to;
    }
    return st;
}

/* The views that diffuse, of few features beside links, and the first one's features as they are.
 * s: of the first view. */
static gnd_status diffused_make(gnd_coordinates *v, const gnd_pca_opts *s, bool few, bool own,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    gnd_pca_opts far = *s, alone = *s;
    gnd_csr x = {0}, xt = {0};
    gnd_status st = GND_OK;

    if (few) {
        GND_TRY(append_identity(&x, s->x, &v->links, err));
        GND_TRY(gnd_csr_transpose(&xt, &x, err));
        far.x = &x;
        far.xt = &xt;
    }
    if (few && own) { /* without the links beside them */
        alone.S = NULL;
        alone.degree = NULL;
        alone.passes = PCA_PASSES_UNDIFFUSED;
        GND_TRY(pca_if_any(&v->own, &alone, pool, err));
    }
    far.start = gnd_alloc(far.x->n_col * gnd_pca_columns(far.rank), sizeof *far.start);
    if (!far.start)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)far.x->n_col));
    GND_TRY(gnd_diffused_pca(&v->diffused[v->first], o->near ? &v->near[v->first] : NULL,
                             own && !few ? &v->own : NULL, &far, pool, err));
    far.weight = NULL;
    far.started = true; /* much the same directions: looking for better ones gains nothing */
    far.passes = 0;
    if (s->weight && o->weighting[GND_WEIGHT_EQUAL])
        GND_TRY(gnd_diffused_pca(&v->diffused[GND_WEIGHT_EQUAL],
                                 o->near ? &v->near[GND_WEIGHT_EQUAL] : NULL, NULL, &far, pool,
                                 err));
out:
    gnd_free(far.start);
    gnd_csr_fini(&x);
    gnd_csr_fini(&xt);
    return st;
}

/* All views of features x with the operator S. rare: [d] weights of the first view, NULL: all
 * features alike. own: x is the identity. */
static gnd_status coordinates_make(gnd_coordinates *v, gnd_pca_opts *s, const double *rare,
                                   bool own, const gnd_coordinates_opts *o, gnd_pool *pool,
                                   gnd_error *err)
{
    const int64_t n = s->x->n_row;
    const bool has_links = gnd_csr_nnz(&v->links) > 0;
    const bool few = !own && has_links && s->x->n_col < GND_RANK_HIGH;
    gnd_edge_similarity similarity = {0};
    gnd_status st = GND_OK;

    s->weight = few ? NULL : rare;
    v->first = s->weight ? GND_WEIGHT_IDF : GND_WEIGHT_EQUAL;
    s->rank = rank_of(GND_RANK_HIGH, n, o->n_class);
    GND_TRY(diffused_make(v, s, few, o->own && !own && has_links, o, pool, err));
    if (!own && has_links) {
        similarity = gnd_feature_homophily(s->x, s->weight, &v->links, 1);
        v->uncorrelated = uncorrelated_weight(&similarity);
    }
    if (o->raw && !own &&
        !(similarity.effect > HOMOPHILY_CLEAR && similarity.z_score > HOMOPHILY_CLEAR_Z)) {
        gnd_pca_opts alone = *s;

        /* Degrees stay: what they take off tells hubs from others. Without, 3 to 7 points are lost
         * on Wisconsin, and nothing is won on chameleon and actor. */
        alone.S = NULL;
        alone.passes = PCA_PASSES_UNDIFFUSED;
        alone.rank = rank_of(GND_RANK_LOW, n, o->n_class);
        GND_TRY(pca_if_any(&v->raw, &alone, pool, err));
    }
    v->heterophily = o->heterophily ? v->uncorrelated : 0;
    if (v->heterophily > 0 || (o->heterophily && own && has_links))
        GND_TRY(heterophily_make(v, s, own, o->n_class, pool, err));
out:
    return st;
}

gnd_status gnd_coordinates_init(gnd_coordinates *v, const gnd_csr *x, const gnd_csr *adj,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = adj->n_row;
    double *degree = gnd_alloc(n, sizeof *degree);
    unsigned char *seen = gnd_alloc(n, 1);
    int64_t count = n;
    gnd_features f = {0};
    gnd_csr both = {0};
    gnd_operator S = {0};
    gnd_status st;

    *v = (gnd_coordinates){0};
    if (!degree || !seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    GND_TRY(gnd_features_init(&f, x, n, o->numeric_raw, pool, err));
    GND_TRY(gnd_csr_symmetrise(&both, adj, err));
    GND_TRY(gnd_csr_drop_loops(&v->links, &both, NULL, err));
    gnd_csr_fini(&both);
    to_mean_weight(&v->links);
    GND_TRY(gnd_operator_init(&S, GND_OP_S, &v->links, err));
    degrees(degree, &v->links, 1);
    if (o->teleport <= 0 && n > CLASS_SIZE_USUAL * o->n_class) /* else all the same */
        GND_TRY(mark_large_components(seen, &count, &v->links, err));
    GND_TRY(coordinates_make(
        v,
        &(gnd_pca_opts){.x = f.x,
                        .xt = &f.xt,
                        .S = &S.a,
                        .degree = degree,
                        .teleport = teleport_for(o->teleport, count, o->n_class),
                        .near = o->teleport_near,
                        .odd_weight = 1,
                        .tol = PCA_TOL,
                        .tol_pass = PCA_TOL_PASS,
                        .passes = PCA_PASSES,
                        .seed = 1},
        f.differ && o->weighting[GND_WEIGHT_IDF] ? f.idf : NULL, f.is_identity, o, pool, err));
out:
    if (st != GND_OK)
        gnd_coordinates_fini(v);
    gnd_operator_fini(&S);
    gnd_csr_fini(&both);
    gnd_features_fini(&f);
    gnd_free(seen);
    gnd_free(degree);
    return st;
}

void gnd_coordinates_fini(gnd_coordinates *v)
{
    for (int k = 0; k < GND_WEIGHTINGS; k++) {
        gnd_points_fini(&v->diffused[k]);
        gnd_points_fini(&v->near[k]);
    }
    gnd_points_fini(&v->own);
    gnd_points_fini(&v->raw);
    gnd_points_fini(&v->feature_half[0]);
    gnd_points_fini(&v->feature_half[1]);
    gnd_points_fini(&v->alternating);
    for (int k = 0; k < GND_PATHS; k++) {
        gnd_points_fini(&v->links_only[k]);
        gnd_points_fini(&v->links_most[k]);
    }
    gnd_points_fini(&v->links_half[0]);
    gnd_points_fini(&v->links_half[1]);
    gnd_csr_fini(&v->held_out);
    gnd_csr_fini(&v->links);
    *v = (gnd_coordinates){0};
}
