/* SPDX-License-Identifier: MIT
 * test_feature_homophily.c - whether links join like features, against means over all links and all
 * pairs of their ends. */
#include "graph/feature_homophily.h"

#include "base/rng.h"
#include "check.h"

static gnd_edge_similarity similarity(const gnd_csr *x, const double *weight, const gnd_csr *links)
{
    gnd_edge_similarity out;
    gnd_error err;

    CHECK_OK(gnd_feature_homophily(&out, x, weight, links, &err));
    return out;
}

static double number(uint32_t stream, int64_t i)
{
    return gnd_rng_uniform(61, stream, (uint64_t)i);
}

/* ---- worlds ---- */

/* Features of n vertices: column `group` of each counts 1, and `noise` columns beside it, of those
 * from `groups` on, up to 1 each. */
static gnd_csr features(int64_t n, const int32_t *group, int32_t groups, int64_t noise,
                        uint32_t stream)
{
    enum { MOST = 8, NOISY = 12 };
    int32_t *row = calloc((size_t)(n * MOST), sizeof *row);
    int32_t *col = calloc((size_t)(n * MOST), sizeof *col);
    gnd_real *val = calloc((size_t)(n * MOST), sizeof *val);
    int64_t nnz = 0;
    gnd_csr x = {0};
    gnd_error err;

    assert_true(row && col && val && noise < MOST);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k <= noise; k++) {
            const double u = number(stream, i * MOST + k), v = number(stream + 1, i * MOST + k);

            row[nnz] = (int32_t)i;
            col[nnz] = k == 0 ? group[i] : groups + (int32_t)(u * NOISY);
            val[nnz++] = k == 0 ? 1 : (gnd_real)v;
        }
    CHECK_OK(gnd_csr_from_triplets(&x, &(gnd_triplets){n, groups + NOISY, nnz, row, col, val},
                                   GND_DUP_SUM, NULL, &err));
    free(row);
    free(col);
    free(val);
    return x;
}

typedef enum { ANY, LIKE, UNLIKE } joins;

/* About m links, both ways and without loops, ends i = n u^hubs drawn until a share of them joins
 * groups as said. hubs > 1: low numbers have more links. */
static gnd_csr links_of(int64_t n, int64_t m, const int32_t *group, joins how, double share,
                        double hubs, uint32_t stream)
{
    int32_t *row = calloc((size_t)(2 * m), sizeof *row),
            *col = calloc((size_t)(2 * m), sizeof *col);
    int64_t nnz = 0;
    gnd_csr a = {0};
    gnd_error err;

    assert_true(row && col);
    for (int64_t k = 0; nnz < 2 * m; k++) {
        const int32_t i = (int32_t)(pow(number(stream, 2 * k), hubs) * (double)n);
        const int32_t j = (int32_t)(pow(number(stream, 2 * k + 1), hubs) * (double)n);
        const bool free_choice = number(stream + 1, k) >= share;

        if (i == j || (!free_choice && how == LIKE && group[i] != group[j]) ||
            (!free_choice && how == UNLIKE && group[i] == group[j]))
            continue;
        row[nnz] = col[nnz + 1] = i;
        col[nnz] = row[nnz + 1] = j;
        nnz += 2;
    }
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){n, n, nnz, row, col, NULL}, GND_DUP_MAX,
                                   NULL, &err));
    free(row);
    free(col);
    return a;
}

/* ---- by brute force ---- */

static double at(const gnd_csr *x, const double *weight, int64_t i, int64_t j)
{
    const int64_t p = gnd_csr_find(x, i, (int32_t)j);

    return p < 0 ? 0 : (double)gnd_csr_val(x, p) * (weight ? weight[j] : 1);
}

static double cosine(const gnd_csr *x, const double *weight, int64_t i, int64_t j)
{
    double ii = 0, ij = 0, jj = 0;

    for (int64_t c = 0; c < x->n_col; c++) {
        const double a = at(x, weight, i, c), b = at(x, weight, j, c);

        ii += a * a;
        ij += a * b;
        jj += b * b;
    }
    return ii * jj > 0 ? ij / sqrt(ii * jj) : 0;
}

typedef struct {
    double effect; /* over all links and all pairs of their ends */
    double error;  /* one standard error of an effect that draws as many pairs as links */
} truth;

static truth truth_of(const gnd_csr *x, const double *weight, const gnd_csr *links)
{
    const int64_t n = links->n_row;
    const double nnz = (double)gnd_csr_nnz(links);
    double linked = 0, moment[5] = {0}, sd, fourth;
    truth t;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double c = cosine(x, weight, i, j);
            const double met = (double)(links->ptr[i + 1] - links->ptr[i]) / nnz *
                               (double)(links->ptr[j + 1] - links->ptr[j]) / nnz;

            linked += gnd_csr_find(links, i, (int32_t)j) >= 0 ? c / nnz : 0;
            for (int k = 0; k < 5; k++)
                moment[k] += met * pow(c, k);
        }
    CHECK_CLOSE(moment[0], 1, 1e-9);
    sd = sqrt(moment[2] - moment[1] * moment[1]);
    fourth = moment[4] - 4 * moment[3] * moment[1] + 6 * moment[2] * moment[1] * moment[1] -
             3 * pow(moment[1], 4);
    t.effect = (linked - moment[1]) / sd;
    /* of the mean of pairs, and of their standard deviation */
    t.error = (1 + fabs(t.effect) * sqrt((fourth / pow(sd, 4) - 1) / 4)) / sqrt(nnz);
    return t;
}

/* ---- tests ---- */

enum { N = 60, GROUPS = 3 };

static void groups_of(int32_t *group, int64_t n, int32_t groups)
{
    for (int64_t i = 0; i < n; i++)
        group[i] = (int32_t)(i % groups);
}

/* Few links, all of which are asked: what is left to chance is which pairs are drawn, and over many
 * graphs little of that. */
static void all_links(void **state)
{
    enum { WORLDS = 25 };
    static const joins how[] = {LIKE, ANY, UNLIKE};
    double weight[GROUPS + 12];
    int32_t group[N];

    (void)state;
    groups_of(group, N, GROUPS);
    for (int64_t c = 0; c < GROUPS + 12; c++)
        weight[c] = 0.5 + number(7, c);
    for (int64_t k = 0; k < 2 * LENGTH(how); k++) {
        const double *w = k % 2 ? weight : NULL;
        double mean = 0;

        for (uint32_t world = 0; world < WORLDS; world++) {
            gnd_csr x = features(N, group, GROUPS, 2, 10 * world + 1);
            gnd_csr links = links_of(N, 300, group, how[k / 2], 0.9, 1.3, 10 * world + 5);
            const truth t = truth_of(&x, w, &links);
            const gnd_edge_similarity got = similarity(&x, w, &links);

            CHECK_CLOSE(got.effect, t.effect, 4 * t.error);
            CHECK_CLOSE(got.z_score, got.effect * sqrt((double)gnd_csr_nnz(&links) / 4), 1e-9);
            mean += (got.effect - t.effect) / t.error / WORLDS;
            gnd_csr_fini(&links);
            gnd_csr_fini(&x);
        }
        CHECK_CLOSE(mean, 0, 4 / sqrt(WORLDS));
    }
}

/* More links than are asked: every so many-th is. */
static void some_links(void **state)
{
    enum { MANY = 600, SAMPLE = GND_HOMOPHILY_PAIRS };
    int32_t group[MANY];
    gnd_csr x, links;
    gnd_edge_similarity got;
    truth t;

    (void)state;
    groups_of(group, MANY, GROUPS);
    x = features(MANY, group, GROUPS, 2, 1);
    links = links_of(MANY, 60000, group, LIKE, 0.5, 1, 11);
    assert_true(gnd_csr_nnz(&links) > SAMPLE * 5 / 4);
    t = truth_of(&x, NULL, &links);
    got = similarity(&x, NULL, &links);
    CHECK_CLOSE(got.z_score, got.effect * sqrt(SAMPLE / 4.0), 1e-9);
    /* links are drawn as pairs are, so their mean errs as much */
    CHECK_CLOSE(got.effect, t.effect,
                4 * sqrt(2) * t.error * sqrt((double)gnd_csr_nnz(&links) / SAMPLE));
    assert_true(t.effect > 0.15);
    gnd_csr_fini(&links);
    gnd_csr_fini(&x);
}

/* Vertices in pairs, so that degrees, and with them the pairs drawn, are the same whoever is whose
 * partner: the effect is linear in the share of pairs that are alike, each of which counts as
 * much. */
static void each_link_counts_as_much(void **state)
{
    enum { M = 98 };
    int32_t group[M], partner[M], alternating[M];
    int64_t ptr[M + 1];
    const gnd_csr links = {.n_row = M, .n_col = M, .ptr = ptr, .col = partner};
    double none, all;
    gnd_csr x;

    (void)state;
    for (int32_t i = 0; i < M; i++) { /* 0 0 1 1 0 0 1 1 .., the last two by themselves */
        group[i] = i / 2 % 2;
        ptr[i] = i;
        partner[i] = i ^ 1;
        alternating[i] = i < 96 ? i ^ 2 : i;
    }
    ptr[M] = M;
    group[97] = 1;
    alternating[96] = 97;
    alternating[97] = 96;
    x = features(M, group, 2, 0, 1);
    all = similarity(&x, NULL, &links).effect; /* 48 pairs of 49 */
    memcpy(partner, alternating, sizeof partner);
    none = similarity(&x, NULL, &links).effect;
    for (int32_t i = 0; i < 96; i += 4) { /* i, i + 1 and their two partners change partners */
        for (int32_t k = i; k < i + 4; k++)
            partner[k] = k ^ 1;
        CHECK_CLOSE(similarity(&x, NULL, &links).effect, none + (all - none) / 24, 1e-9);
        for (int32_t k = i; k < i + 4; k++)
            partner[k] = alternating[k];
    }
    gnd_csr_fini(&x);
}

static void like_and_unlike(void **state)
{
    int32_t group[N];
    gnd_csr x, like, alternating;
    gnd_edge_similarity k;

    (void)state;
    groups_of(group, N, 2);
    x = features(N, group, 2, 2, 1);
    like = links_of(N, 250, group, LIKE, 0.9, 1, 21);
    alternating = links_of(N, 250, group, UNLIKE, 0.9, 1, 21);
    k = similarity(&x, NULL, &like);
    assert_true(k.effect > 0.5 && k.z_score > 6);
    k = similarity(&x, NULL, &alternating);
    assert_true(k.effect < -0.5 && k.z_score < -6);
    gnd_csr_fini(&like);
    gnd_csr_fini(&alternating);
    gnd_csr_fini(&x);
}

/* Links of chance, between hubs that are alike in particular: in standard errors, all but nothing;
 * and a standard error is what it says, give or take that features are shared. */
static void chance_is_none(void **state)
{
    enum { V = 400, WORLDS = 40 };
    int32_t group[V];
    double squares = 0;

    (void)state;
    for (int64_t i = 0; i < V; i++)
        group[i] = i < V / 4 ? 0 : 1 + (int32_t)(i % 5);
    for (uint32_t k = 0; k < WORLDS; k++) {
        gnd_csr x = features(V, group, 6, 2, 100 + 10 * k);
        gnd_csr links = links_of(V, 1500, group, ANY, 0, 1.5, 105 + 10 * k);
        const double sure = similarity(&x, NULL, &links).z_score;

        assert_true(fabs(sure) < 4);
        squares += sure * sure / WORLDS;
        if (k == 0) { /* against vertices drawn evenly, hubs would look similar */
            double mean = 0;

            for (int64_t i = 0; i < gnd_csr_nnz(&links); i++)
                mean += group[links.col[i]] == 0;
            assert_true(mean / (double)gnd_csr_nnz(&links) > 1.4 / 4);
        }
        gnd_csr_fini(&links);
        gnd_csr_fini(&x);
    }
    assert_true(squares > 0.25 && squares < 2.25);
}

/* Weight 0 takes a feature out; a vertex that is left without any is like nobody. */
static void weights_count(void **state)
{
    double only_group[2 + 12] = {1, 1}, only_noise[2 + 12] = {0}, nothing[2 + 12] = {0};
    int32_t group[N];
    gnd_csr x, links_only, links;
    gnd_edge_similarity k;

    (void)state;
    groups_of(group, N, 2);
    for (int64_t c = 2; c < 2 + 12; c++)
        only_noise[c] = 3;
    x = features(N, group, 2, 5, 1);
    links_only = features(N, group, 2, 0, 1);
    links = links_of(N, 250, group, LIKE, 0.9, 1, 21);
    k = similarity(&x, only_group, &links);
    CHECK_CLOSE(k.effect, similarity(&links_only, NULL, &links).effect, 1e-9);
    assert_true(k.effect > similarity(&x, NULL, &links).effect + 0.1);
    k = similarity(&x, only_noise, &links);
    assert_true(fabs(k.z_score) < 4);
    k = similarity(&x, nothing, &links);
    assert_true(k.effect == 0 && k.z_score == 0);
    gnd_csr_fini(&links);
    gnd_csr_fini(&links_only);
    gnd_csr_fini(&x);
}

static void nothing_to_tell(void **state)
{
    int32_t group[N] = {0};
    gnd_csr x = features(N, group, 1, 0, 1), links, none = {0};
    gnd_edge_similarity k;
    gnd_error err;

    (void)state;
    links = links_of(N, 250, group, ANY, 0, 1, 21);
    k = similarity(&x, NULL, &links); /* all are alike */
    assert_true(k.effect == 0 && k.z_score == 0);
    CHECK_OK(gnd_csr_init(&none, N, N, 0, false, &err));
    k = similarity(&x, NULL, &none);
    assert_true(k.effect == 0 && k.z_score == 0);
    gnd_csr_fini(&none);
    gnd_csr_fini(&links);
    gnd_csr_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_links),
        cmocka_unit_test(some_links),
        cmocka_unit_test(each_link_counts_as_much),
        cmocka_unit_test(like_and_unlike),
        cmocka_unit_test(chance_is_none),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(nothing_to_tell),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
