/* SPDX-License-Identifier: MIT
 * test_prior.c - weights of the predictors for evidence that is made up, rule by rule, and what
 * classes explain of links against values by hand. */
#include "label/prior.h"

#include "base/rng.h"
#include "check.h"
#include "graph/make.h"
#include "label/constants.h"

enum {
    P = GND_PREDICTORS,
    EVERY = (1 << GND_PREDICT_DIFFUSED_FEATURES) - 1
}; /* it is trusted by no rule */
enum {
    SELF = 1 << GND_PREDICT_SELF_TRAINING,
    FEATURES = 1 << GND_PREDICT_FEATURES,
    LINKS = 1 << GND_PREDICT_LINKS,
    ROLES = 1 << GND_PREDICT_ROLES,
    PAGERANK = 1 << GND_PREDICT_PAGERANK,
    BLOCKS = 1 << GND_PREDICT_BLOCKS,
    FEATURE_GROUPS = 1 << GND_PREDICT_FEATURE_GROUPS,
    LINK_GROUPS = 1 << GND_PREDICT_LINK_GROUPS
};

/* T: weight of those a rule trusts, O: of the others. */
#define T TRUSTED_SHARE
#define O (1 - TRUSTED_SHARE)

static void check_prior(const gnd_evidence *e, uint32_t used, int64_t n_class, const double *want)
{
    double got[P];

    for (int k = 0; k < P; k++)
        got[k] = 7; /* whatever was there */
    gnd_prior(got, used, e, n_class);
    for (int k = 0; k < P; k++)
        if (!(fabs(got[k] - want[k]) <= 1e-12))
            fail_msg("used %x: weight %d is %g, expected %g", used, k, got[k], want[k]);
}

/* Evidence of links, with a block model that explains 2. */
static gnd_evidence evidence_of(bool features, bool uncorrelated)
{
    return (gnd_evidence){.features = features,
                          .links = true,
                          .uncorrelated = uncorrelated,
                          .information = {[GND_PREDICT_BLOCKS] = 2}};
}

/* ---- rules: self, features, links, roles, pagerank, blocks, feature groups, link groups ---- */

static void no_links(void **state)
{
    const gnd_evidence e = {.features = true};
    const gnd_evidence nothing = {0};

    (void)state;
    check_prior(&e, SELF | FEATURES, 3, (double[P]){T, O});
    check_prior(&nothing, SELF, 3, (double[P]){1});
    check_prior(&e, FEATURES, 3, (double[P]){0, 1});
}

/* Self-training explains all that a block model does, nothing, half of what is needed. */
static void correlated(void **state)
{
    const double middle = (EXPLAINED_LOW + EXPLAINED_HIGH) / 2;
    const double all[P] = {T, O / 7, O / 7, O / 7, O / 7, O / 7, O / 7, O / 7};
    const double none[P] = {O / 5, O / 5, T / 3, O / 5, T / 3, T / 3, O / 5, O / 5};
    const struct {
        double explained;
        double self; /* weight of the rule that trusts self-training */
    } cases[] = {{1, 1},
                 {1.7, 1},
                 {EXPLAINED_HIGH, 1},
                 {0, 0},
                 {0.1, 0},
                 {middle, 0.5},
                 {EXPLAINED_LOW, 0},
                 {0.25 * EXPLAINED_LOW + 0.75 * EXPLAINED_HIGH, 0.75}};

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_evidence e = evidence_of(true, false);
        double want[P];

        e.information[GND_PREDICT_SELF_TRAINING] = cases[k].explained * 2;
        e.information[GND_PREDICT_ROLES] = 9; /* neither of these counts here */
        e.information[GND_PREDICT_LINK_GROUPS] = 9;
        e.stability[GND_PREDICT_LINK_GROUPS] = 1;
        for (int j = 0; j < P; j++)
            want[j] = cases[k].self * all[j] + (1 - cases[k].self) * none[j];
        check_prior(&e, EVERY, 3, want);
    }
}

/* Without a block model, or one that explains nothing, nothing speaks against self-training. If it
 * is not there itself, all others are equal. */
static void correlated_without_some(void **state)
{
    gnd_evidence e = evidence_of(true, false);

    (void)state;
    check_prior(&e, SELF | LINKS | PAGERANK, 3, (double[P]){T, 0, O / 2, 0, O / 2});
    check_prior(&e, SELF | LINKS | BLOCKS, 3, (double[P]){O, 0, T / 2, 0, 0, T / 2});
    check_prior(&e, SELF | ROLES | BLOCKS, 3, (double[P]){O / 2, 0, 0, O / 2, 0, T});
    check_prior(&e, FEATURES | ROLES | BLOCKS | LINKS, 3,
                (double[P]){0, 0.25, 0.25, 0.25, 0, 0.25});
    check_prior(&e, LINKS | PAGERANK | BLOCKS, 3, (double[P]){0, 0, 1.0 / 3, 0, 1.0 / 3, 1.0 / 3});
    check_prior(&e, BLOCKS, 3, (double[P]){0, 0, 0, 0, 0, 1});
    e.information[GND_PREDICT_BLOCKS] = 0;
    check_prior(&e, SELF | LINKS | BLOCKS, 3, (double[P]){T, 0, O / 2, 0, 0, O / 2});
}

/* The more stable groups are trusted: odds FEATURES_ODDS (s_features / s_links)^GROUPS_POWER, s
 * above chance. */
static void uncorrelated(void **state)
{
    const double features[P] = {O / 6, T / 2, O / 6, O / 6, O / 6, O / 6, T / 2, O / 6};
    const double links[P] = {O / 6, O / 6, T / 2, O / 6, O / 6, O / 6, O / 6, T / 2};
    const struct {
        int64_t n_class;
        double features, links; /* stability */
        double odds;            /* of features */
    } cases[] = {
        {2, 0.9, 0.7, FEATURES_ODDS * pow(0.8 / 0.4, GROUPS_POWER)},
        {2, 0.7, 0.9, FEATURES_ODDS * pow(0.4 / 0.8, GROUPS_POWER)},
        {4, 0.55, 0.85, FEATURES_ODDS * pow(0.3 / 0.6, GROUPS_POWER)},
        {4, 0.85, 0.85, FEATURES_ODDS},
        {4, 1, 0.25, INFINITY},
        {4, 0.2, 0.85, 0},
        {4, 0.1, 0.2, INFINITY}, /* neither: features */
        {1, 1, 1, INFINITY},     /* one class is always found again */
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        const double share = isinf(cases[k].odds) ? 1 : cases[k].odds / (1 + cases[k].odds);
        gnd_evidence e = evidence_of(true, true);
        double want[P];

        e.stability[GND_PREDICT_FEATURE_GROUPS] = cases[k].features;
        e.stability[GND_PREDICT_LINK_GROUPS] = cases[k].links;
        e.stability[GND_PREDICT_SELF_TRAINING] = 1; /* neither counts here */
        e.information[GND_PREDICT_SELF_TRAINING] = 9;
        for (int j = 0; j < P; j++)
            want[j] = share * features[j] + (1 - share) * links[j];
        check_prior(&e, EVERY, cases[k].n_class, want);
    }
}

/* Groups that are not there are not found again. */
static void uncorrelated_without_some(void **state)
{
    gnd_evidence e = evidence_of(true, true);

    (void)state;
    e.stability[GND_PREDICT_LINK_GROUPS] = 0.9;
    check_prior(&e, SELF | FEATURES | LINKS | LINK_GROUPS, 3,
                (double[P]){O / 2, O / 2, T / 2, 0, 0, 0, 0, T / 2});
    check_prior(&e, SELF | FEATURES, 3, (double[P]){0.5, 0.5});
    check_prior(&e, LINKS | LINK_GROUPS, 3, (double[P]){0, 0, 0.5, 0, 0, 0, 0, 0.5});
}

/* Groups of links explain much more than a block model; else roles, as far as they do; else links.
 */
static void no_features(void **state)
{
    const double middle = (EXPLAINED_LOW + EXPLAINED_HIGH) / 2;
    const uint32_t used = EVERY - FEATURES - FEATURE_GROUPS;
    const double links[P] = {O / 3, 0, T / 3, O / 3, T / 3, T / 3, 0, O / 3};
    const double roles[P] = {O / 5, 0, O / 5, T, O / 5, O / 5, 0, O / 5};
    const double between[P] = {O / 5, 0, O / 5, O / 5, O / 5, O / 5, 0, T};
    const struct {
        double groups, roles;        /* information, relative to the block model's */
        double by_between, by_roles; /* weights of the rules */
    } cases[] = {{1, 0, 0, 0},
                 {EXPLAINED_BETTER, 0, 0, 0},
                 {EXPLAINED_BETTER + 0.01, 0, 1, 0},
                 {4, 1, 1, 0}, /* before roles */
                 {0, EXPLAINED_LOW, 0, 0},
                 {1, middle, 0, 0.5},
                 {1, EXPLAINED_HIGH, 0, 1},
                 {0, 1, 0, 1}};

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_evidence e = evidence_of(false, false);
        double want[P];

        e.information[GND_PREDICT_LINK_GROUPS] = cases[k].groups * 2;
        e.information[GND_PREDICT_ROLES] = cases[k].roles * 2;
        e.information[GND_PREDICT_SELF_TRAINING] = 9; /* neither counts here */
        e.stability[GND_PREDICT_SELF_TRAINING] = 1;
        for (int j = 0; j < P; j++)
            want[j] = cases[k].by_between * between[j] + cases[k].by_roles * roles[j] +
                      (1 - cases[k].by_between - cases[k].by_roles) * links[j];
        check_prior(&e, used, 3, want);
    }
}

/* What is not there explains nothing, and neither does anything without a block model. */
static void no_features_without_some(void **state)
{
    gnd_evidence e = evidence_of(false, false);

    (void)state;
    e.information[GND_PREDICT_LINK_GROUPS] = e.information[GND_PREDICT_ROLES] = 9;
    check_prior(&e, SELF | PAGERANK | BLOCKS, 3, (double[P]){O, 0, 0, 0, T / 2, T / 2});
    check_prior(&e, SELF | ROLES | BLOCKS, 3, (double[P]){O / 2, 0, 0, T, 0, O / 2});
    check_prior(&e, ROLES | PAGERANK | LINK_GROUPS, 3, (double[P]){0, 0, 0, O / 2, T, 0, 0, O / 2});
    check_prior(&e, ROLES | LINK_GROUPS, 3, (double[P]){0, 0, 0, 0.5, 0, 0, 0, 0.5});
}

/* Whatever the evidence: weights of sum 1, above 0 for those that are used, else 0. */
static void sum_is_1(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 4000; k++) {
        const uint32_t used = 1 + (uint32_t)(gnd_rng_uniform(3, 1, k) * EVERY);
        gnd_evidence e = {.features = k % 2, .links = k % 16 > 0, .uncorrelated = k % 4 == 3};
        double prior[P], sum = 0;

        for (int j = 0; j < P; j++) {
            const uint64_t at = k * P + (uint64_t)j;

            e.information[j] = fmax(0, 2 * gnd_rng_uniform(3, 2, at) - 0.5);
            e.stability[j] = gnd_rng_uniform(3, 3, at);
        }
        gnd_prior(prior, used, &e, 1 + (int64_t)(k % 5));
        for (int j = 0; j < P; j++) {
            assert_int_equal(prior[j] > 0, used >> j & 1);
            assert_true(prior[j] >= 0);
            sum += prior[j];
        }
        CHECK_CLOSE(sum, 1, 1e-12);
    }
}

/* ---- what classes explain of links ---- */

enum { V = 8, CLASSES = 3 };

/* Information of these classes on links that are given once, with weights or without. */
static double information(const arc *once, int64_t n, const int32_t *cls, bool weighted)
{
    arc both[64];
    gnd_real score[V * CLASSES];
    double room[CLASSES * (CLASSES + 1)], got;
    int32_t found[V];
    gnd_csr links;

    assert_true(2 * n <= LENGTH(both));
    for (int64_t k = 0; k < n; k++) {
        both[2 * k] = once[k];
        both[2 * k + 1] = (arc){once[k].j, once[k].i, once[k].w};
    }
    for (int64_t e = 0; e < V * CLASSES; e++) /* the argmax counts, not how far it is ahead */
        score[e] =
            e % CLASSES == cls[e / CLASSES] ? (gnd_real)(-2 - e / CLASSES) : -(gnd_real)INFINITY;
    for (int64_t e = 0; e < LENGTH(room); e++)
        room[e] = 5;
    links = make_csr(V, V, both, 2 * n, weighted);
    got = gnd_link_information(&links, score, CLASSES, room, found);
    gnd_csr_fini(&links);
    return got;
}

static void information_by_hand(void **state)
{
    /* two squares; a ring of eight, its links of weight 3 and 1 in turn */
    static const arc squares[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1},
                                  {4, 5, 1}, {5, 6, 1}, {6, 7, 1}, {7, 4, 1}};
    static const arc ring[] = {{0, 1, 3}, {1, 2, 1}, {2, 3, 3}, {3, 4, 1},
                               {4, 5, 3}, {5, 6, 1}, {6, 7, 3}, {7, 0, 1}};
    static const int32_t one[V] = {0}, halves[V] = {0, 0, 0, 0, 1, 1, 1, 1};
    static const int32_t others[V] = {2, 2, 2, 2, 0, 0, 0, 0};
    static const int32_t alternating[V] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const int32_t pairs[V] = {0, 0, 1, 1, 0, 0, 1, 1};
    static const int32_t three[V] = {0, 0, 0, 0, 1, 2, 1, 2};
    const double same = 2 * 0.375 * log(0.375 / 0.25), across = 2 * 0.125 * log(0.125 / 0.25);

    (void)state;
    CHECK_CLOSE(information(squares, 8, halves, false), log(2), 1e-12); /* perfect */
    CHECK_CLOSE(information(squares, 8, others, false), log(2), 1e-12);
    CHECK_CLOSE(information(squares, 3, halves, false), 0, 0); /* links of one class alone */
    CHECK_CLOSE(information(squares, 6, halves, false),        /* 4 of 6 links are of the first */
                -log(4.0 / 6) * 4 / 6 - log(2.0 / 6) * 2 / 6, 1e-12);
    CHECK_CLOSE(information(squares, 8, one, false), 0, 0);
    CHECK_CLOSE(information(squares, 8, pairs, false), 0, 1e-12); /* independent: each pair of */
    CHECK_CLOSE(information(ring, 8, pairs, false), 0, 1e-12);    /* classes as often */
    CHECK_CLOSE(information(ring, 8, pairs, true), same + across, 1e-12); /* by weight it is not */
    CHECK_CLOSE(information(squares, 8, alternating, false), log(2), 1e-12); /* heterophilous */
    CHECK_CLOSE(information(ring, 8, alternating, true), log(2), 1e-12);
    /* a square within a class, and one between two others: shares 1/2, 1/4, 1/4 */
    CHECK_CLOSE(information(squares, 8, three, false), log(2) / 2 + log(4) / 2, 1e-12);
    CHECK_CLOSE(information(squares, 0, halves, false), 0, 0); /* no links */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_links),
        cmocka_unit_test(correlated),
        cmocka_unit_test(correlated_without_some),
        cmocka_unit_test(uncorrelated),
        cmocka_unit_test(uncorrelated_without_some),
        cmocka_unit_test(no_features),
        cmocka_unit_test(no_features_without_some),
        cmocka_unit_test(sum_is_1),
        cmocka_unit_test(information_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
