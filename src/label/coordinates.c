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
#include "numeric_features.h"

/* PageRank to a hundredth in the coordinates, to a tenth in the passes that look for directions. */
static const double tol = 0.01, tol_pass = 0.1;
enum { PASSES = 2, PASSES_LESS = 1, PER_COORDINATE = 10, USUAL_SIZE = 1500 };

/* From this effect on, links join vertices that are alike: features alone need not be asked. */
static const double plainly_kin = 0.6, plainly_sure = 6;

/* How many vertices have feature j; *mean: how much of it they have. */
static double holders(double *mean, const gnd_csr *xt, int64_t j)
{
    double df = 0, sum = 0;

    for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++) {
        df += gnd_csr_val(xt, q) != 0;
        sum += fabs((double)gnd_csr_val(xt, q));
    }
    *mean = df > 0 ? sum / df : 0;
    return df;
}

/* The power s of log(n / df) that the features' values have in them: 0 where they are 1 or 0, about
 * 1 where somebody weighed them so. By least squares over the logarithms, of words that some have
 * and not all. */
static double idf_exponent(const gnd_csr *xt, const unsigned char *is_score)
{
    enum { SOME = 5 };
    double m = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, spread;

    for (int64_t j = 0; j < xt->n_row; j++) {
        double mean, x, y;
        const double df = holders(&mean, xt, j);

        if (is_score[j] || df < SOME || df >= (double)xt->n_col)
            continue;
        x = log(log((double)xt->n_col / df));
        y = log(mean);
        m++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    spread = m * sxx - sx * sx;
    return spread > 1e-6 * m * m ? (m * sxy - sx * sy) / spread : 0;
}

/* What is wanting of sqrt(log(n / df_j)) in the values of each feature; a score counts as a word
 * that half of the vertices have. Returns whether that tells features apart. */
static bool idf_weights(double *weight, const gnd_csr *xt, const unsigned char *is_score)
{
    const double n = (double)xt->n_col;
    const double wanting = fmin(0.5 - idf_exponent(xt, is_score), 0.5);
    double low = INFINITY, high = 0, mean;

    for (int64_t j = 0; j < xt->n_row; j++) {
        const double df = holders(&mean, xt, j);

        weight[j] = df > 0 ? pow(log(n / (is_score[j] ? n / 2 : df)), wanting) : 0;
        if (df > 0) {
            low = fmin(low, weight[j]);
            high = fmax(high, weight[j]);
        }
    }
    return wanting > 0.05 && high > low * (1 + 1e-9);
}

/* Coordinates that n vertices can fill: one for ten of them, but one a class. */
static int64_t rank_of(int64_t rank, int64_t n, int64_t n_class)
{
    const int64_t few = n / PER_COORDINATE > n_class ? n / PER_COORDINATE : n_class;

    return rank < few ? rank : few;
}

/* The teleport of the PageRank that diffuses over n vertices that links join. Where classes have
 * more vertices than usual, a walk takes longer to see one, and there is more to win from it: it
 * steps on for (size / usual)^(2/3) times as long, which is how long it takes to walk through a
 * body of three dimensions. */
static double teleport_for(double teleport, int64_t n, int64_t n_class)
{
    static const double usual = USUAL_SIZE, first = 0.1, least = 0.02;
    const double size = fmax((double)n, 1) / (double)(n_class > 0 ? n_class : 1);

    return teleport > 0 ? teleport : fmax(first * pow(fmin(1, usual / size), 2.0 / 3), least);
}

/* Are the features of all vertices the same? They then say nothing. */
static bool all_equal(const gnd_csr *x)
{
    const int64_t m = x->n_row > 0 ? x->ptr[1] - x->ptr[0] : 0;

    for (int64_t i = 1; i < x->n_row; i++) {
        if (x->ptr[i + 1] - x->ptr[i] != m)
            return false;
        for (int64_t k = 0; k < m; k++)
            if (x->col[x->ptr[i] + k] != x->col[k] ||
                gnd_csr_val(x, x->ptr[i] + k) != gnd_csr_val(x, k))
                return false;
    }
    return true;
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
    const double chance = k->effect < 0.4 ? (6 - k->z_score) / 4 : 0;
    const double little = (0.1 - k->effect) / 0.05;

    return fmin(fmax(fmax(chance, little), 0), 1);
}

/* Each vertex its own feature: links are all there is to see. seen not NULL: but those where it is
 * 0. */
static gnd_status identity(gnd_csr *out, int64_t n, const unsigned char *seen, gnd_error *err)
{
    const gnd_status st = gnd_csr_init(out, n, n, n, false, err);

    for (int64_t i = 0; i < n && st == GND_OK; i++) {
        out->ptr[i + 1] = out->ptr[i] + (!seen || seen[i]);
        out->col[out->ptr[i]] = (int32_t)i;
    }
    return st;
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
    GND_TRY(identity(&units, n, seen, err));
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
    enum { LEFT = 6 };
    gnd_csr some = {0};
    gnd_status st;

    for (int k = 0; k < 2; k++) {
        GND_TRY(sample_links(&some, &v->links, 2, k, err));
        GND_TRY(links_only_make(&v->links_half[k], &some, GND_PATHS_EVEN, s, pool, err));
        gnd_csr_fini(&some);
    }
    GND_TRY(sample_links(&v->held_out, &v->links, LEFT, false, err));
    GND_TRY(sample_links(&some, &v->links, LEFT, true, err));
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
    raw.passes = PASSES_LESS;
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
    static const gnd_real own = 3;
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
            out->val[to++] = own;
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
        alone.passes = PASSES_LESS;
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
    if (o->raw && !own && !(similarity.effect > plainly_kin && similarity.z_score > plainly_sure)) {
        gnd_pca_opts alone = *s;

        /* Degrees stay: what they take off tells hubs from others. Without, 3 to 7 points are lost
         * on Wisconsin, and nothing is won on chameleon and actor. */
        alone.S = NULL;
        alone.passes = PASSES_LESS;
        alone.rank = rank_of(GND_RANK_LOW, n, o->n_class);
        GND_TRY(pca_if_any(&v->raw, &alone, pool, err));
    }
    v->heterophily = o->heterophily ? v->uncorrelated : 0;
    if (v->heterophily > 0 || (o->heterophily && own && has_links))
        GND_TRY(heterophily_make(v, s, own, o->n_class, pool, err));
out:
    return st;
}

/* Features as they are seen: measures are scores, and where all are alike each vertex is its own
 * feature. Zero is valid and empty. */
typedef struct {
    const gnd_csr *x; /* the caller's, or made */
    gnd_csr made, xt;
    double *idf_weights; /* [d] */
    bool own, rare;      /* rare: rarity tells features apart */
} prepared_features;

static void features_fini(prepared_features *f)
{
    gnd_csr_fini(&f->made);
    gnd_csr_fini(&f->xt);
    gnd_free(f->idf_weights);
}

/* x: NULL: there are none. amounts: measures stay as they are. */
static gnd_status features_init(prepared_features *f, const gnd_csr *x, int64_t n, bool numeric_raw,
                                gnd_pool *pool, gnd_error *err)
{
    const int64_t d = x ? 2 * x->n_col : 0;
    unsigned char *is_score = gnd_alloc(d > n ? d : n, 1);
    gnd_csr raw = {0};
    gnd_status st;

    if (!is_score)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d));
    if (x) {
        GND_TRY(gnd_csr_transpose(&raw, x, err));
        GND_TRY(gnd_numeric_by_rank(numeric_raw ? NULL : &f->xt, is_score, &raw, GND_RANK_HIGH,
                                    pool, err));
        if (f->xt.n_row > 0) {
            gnd_csr_fini(&raw);
            GND_TRY(gnd_csr_transpose(&f->made, &f->xt, err));
            f->x = &f->made;
        } else {
            f->xt = raw;
            raw = (gnd_csr){0};
            f->x = x;
        }
    }
    f->own = !x || all_equal(f->x);
    if (f->own) {
        gnd_csr_fini(&f->made);
        gnd_csr_fini(&f->xt);
        memset(is_score, 0, (size_t)n);
        GND_TRY(identity(&f->made, n, NULL, err));
        GND_TRY(identity(&f->xt, n, NULL, err));
        f->x = &f->made;
    }
    f->idf_weights = gnd_alloc(f->xt.n_row, sizeof *f->idf_weights);
    if (!f->idf_weights)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d));
    f->rare = idf_weights(f->idf_weights, &f->xt, is_score);
out:
    gnd_csr_fini(&raw);
    gnd_free(is_score);
    return st;
}

gnd_status gnd_coordinates_init(gnd_coordinates *v, const gnd_csr *x, const gnd_csr *adj,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = adj->n_row;
    double *degree = gnd_alloc(n, sizeof *degree);
    unsigned char *seen = gnd_alloc(n, 1);
    int64_t count = n;
    prepared_features f = {0};
    gnd_csr both = {0};
    gnd_operator S = {0};
    gnd_status st;

    *v = (gnd_coordinates){0};
    if (!degree || !seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    GND_TRY(features_init(&f, x, n, o->numeric_raw, pool, err));
    GND_TRY(gnd_csr_symmetrise(&both, adj, err));
    GND_TRY(gnd_csr_drop_loops(&v->links, &both, NULL, err));
    gnd_csr_fini(&both);
    to_mean_weight(&v->links);
    GND_TRY(gnd_operator_init(&S, GND_OP_S, &v->links, err));
    degrees(degree, &v->links, 1);
    if (o->teleport <= 0 && n > USUAL_SIZE * o->n_class) /* else all the same */
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
                        .tol = tol,
                        .tol_pass = tol_pass,
                        .passes = PASSES,
                        .seed = 1},
        f.rare && o->weighting[GND_WEIGHT_IDF] ? f.idf_weights : NULL, f.own, o, pool, err));
out:
    if (st != GND_OK)
        gnd_coordinates_fini(v);
    gnd_operator_fini(&S);
    gnd_csr_fini(&both);
    features_fini(&f);
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
