/* SPDX-License-Identifier: MIT
 * test_mixture.c - which predictors take part, whom the weights go to, and what always holds. */
#include "label/mixture.h"

#include "linalg/blobs.h"
#include "label/class_priors.h"
#include "planted.h"
#include "prepared.h"

enum { P = GND_PREDICTORS, LABELS_MAX = 64, EVERY = (1 << P) - 1 };
enum {
    SELF_TRAINING = 1 << GND_PREDICT_SELF_TRAINING,
    FEATURES = 1 << GND_PREDICT_FEATURES,
    FEATURE_GROUPS = 1 << GND_PREDICT_FEATURE_GROUPS,
    LINK_GROUPS = 1 << GND_PREDICT_LINK_GROUPS,
    ROLES = 1 << GND_PREDICT_ROLES,
    DIFFUSED = 1 << GND_PREDICT_DIFFUSED_FEATURES,
    LINKS = 1 << GND_PREDICT_LINKS | 1 << GND_PREDICT_PAGERANK | 1 << GND_PREDICT_BLOCKS
};

/* A planted graph, labels on its first vertices, and the mixture of all. */
typedef struct {
    gnd_graph *graph;
    gnd_prepared g;
    int32_t point[LABELS_MAX], cls[LABELS_MAX];
    gnd_labelled s;
    gnd_real *prob;
    gnd_mixture m;
} trial;

/* per_class labels of each class but those from `of` on. */
static void trial_labels(trial *t, int64_t per_class, int32_t of, int32_t n_class)
{
    int64_t n = 0;

    for (int32_t i = 0; n < per_class * of; i++)
        if (t->graph->label[i] < of) {
            assert_true(n < LABELS_MAX);
            t->point[n] = i;
            t->cls[n++] = t->graph->label[i];
        }
    t->s = (gnd_labelled){.point = t->point, .cls = t->cls, .n = n, .n_class = n_class};
}

static void trial_fit(trial *t, uint32_t used, gnd_pool *pool)
{
    gnd_error err;

    t->prob = calloc((size_t)(t->g.n * t->s.n_class), sizeof *t->prob);
    assert_non_null(t->prob);
    CHECK_OK(gnd_mixture_fit(&t->m, t->prob, &t->g, &t->s, used, pool, &err));
}

static void trial_init(trial *t, plan p, int64_t per_class, uint32_t used)
{
    *t = (trial){.graph = planted_graph(p)};
    t->g = prepared_of(p.words > 0 ? &t->graph->feat : NULL, &t->graph->adj, p.n_class);
    trial_labels(t, per_class, p.n_class, p.n_class);
    trial_fit(t, used, NULL);
}

static void trial_fini(trial *t)
{
    gnd_mixture_fini(&t->m);
    free(t->prob);
    gnd_prepared_fini(&t->g);
    gnd_graph_free(t->graph);
}

static double sum_of(const double *x, uint32_t which)
{
    double sum = 0;

    for (int k = 0; k < P; k++)
        sum += which >> k & 1 ? x[k] : 0;
    return sum;
}

/* What holds for every mixture. */
static void check_mixture(const trial *t)
{
    const gnd_mixture *m = &t->m;
    const int64_t C = t->s.n_class;
    int64_t held = 0;

    CHECK_CLOSE(sum_of(m->prior, EVERY), 1, 1e-12);
    CHECK_CLOSE(sum_of(m->weight, EVERY), 1, 1e-9);
    for (int k = 0; k < P; k++)
        if (m->used >> k & 1)
            assert_true(m->prior[k] > 0 && m->weight[k] > 0 && m->temperature[k] > 0);
        else
            assert_true(m->prior[k] == 0 && m->weight[k] == 0);
    check_shares(t->prob, t->g.n, C, 1e-5);
    for (int64_t k = 0; k < t->s.n; k++) {
        assert_true(t->prob[t->point[k] * C + t->cls[k]] == 1);
        if (m->held_out[k])
            check_shares(m->held_prob + k * C, 1, C, 1e-5);
        held += m->held_out[k];
    }
    assert_int_equal(held, m->n_held_out);
    assert_true(m->stability >= 0 && m->stability <= 1 + 1e-6);
    assert_true(m->stability >= 0 && m->stability <= 1);
}

/* ---- who takes part ---- */

/* Features or links alone show groups only where they are uncorrelated, or without the others. */
static void predictors_that_take_part(void **state)
{
    const uint32_t no_words = EVERY - FEATURES - FEATURE_GROUPS - DIFFUSED;
    const plan both = {.n = 200, .n_class = 2, .inside = 6, .across = 1, .words = 8, .lean = .8};
    const plan noise = {.n = 200, .n_class = 2, .inside = 6, .across = 1, .words = 8};
    const plan words = {.n = 60, .n_class = 2, .words = 5, .lean = .7};
    const plan links = {.n = 60, .n_class = 2, .inside = 4, .across = 1};
    const struct {
        plan p;
        uint32_t asked, used;
    } cases[] = {
        {both, EVERY, EVERY - FEATURE_GROUPS - LINK_GROUPS},
        {noise, EVERY, EVERY},
        {links, EVERY, no_words},
        {words, EVERY, SELF_TRAINING | FEATURES},
        {links, LINKS, LINKS},
        {links, ROLES | FEATURES, ROLES},
        {links, FEATURES, no_words}, /* it has nothing to go by: all that have */
        {links, 0, no_words},
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++)
        for (int64_t q = 1; q <= 3; q += 2) {
            trial t;

            trial_init(&t, cases[k].p, q, cases[k].asked);
            if (t.m.used != cases[k].used)
                fail_msg("case %d: %x used", (int)k, t.m.used);
            check_mixture(&t);
            trial_fini(&t);
        }
}

static void scores_mask(void **state)
{
    static const int32_t cls[] = {2, 0};
    const gnd_labelled s = {.cls = cls, .n = 2, .n_class = 4};
    gnd_real score[] = {1, 2, 3, 4, 5, 6, 7, 8};

    (void)state;
    gnd_scores_mask(score, 2, &s);
    for (int64_t e = 0; e < 8; e++)
        if (e % 4 == 0 || e % 4 == 2)
            assert_true(score[e] == (gnd_real)(e + 1));
        else
            assert_true(isinf(score[e]) && score[e] < 0);
}

/* ---- weights before labels are held out ---- */

/* TRUSTED_SHARE goes to the predictors that suit the graph, the rest equally to the others; with
 * one label per class the weights stay so. */
static void trusted_predictors(void **state)
{
    static const struct {
        plan p;
        uint32_t trusted;
    } cases[] = {
        /* words and links agree; no words; no links */
        {{.n = 600, .n_class = 3, .inside = 6, .across = 1, .words = 8, .lean = .8}, SELF_TRAINING},
        {{.n = 600, .n_class = 3, .inside = 6, .across = 1}, LINKS},
        {{.n = 600, .n_class = 3, .words = 8, .lean = .8}, SELF_TRAINING},
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        trial t;
        uint32_t others;

        trial_init(&t, cases[k].p, 1, EVERY);
        others = t.m.used & ~cases[k].trusted;
        CHECK_CLOSE(sum_of(t.m.prior, cases[k].trusted), TRUSTED_SHARE, 1e-9);
        for (int j = 0; j < P; j++) {
            double n = 0;

            for (int i = 0; i < P; i++)
                n += others >> i & 1;
            if (others >> j & 1)
                CHECK_CLOSE(t.m.prior[j], (1 - TRUSTED_SHARE) / n, 1e-9);
            CHECK_CLOSE(t.m.weight[j], t.m.prior[j], 0);
        }
        assert_int_equal(t.m.n_held_out, 0);
        check_mixture(&t);
        trial_fini(&t);
    }
}

/* Where words and links are uncorrelated, those are trusted that find the same groups again. */
static void trusted_groups(void **state)
{
    const plan words = {.n = 600, .n_class = 3, .across = 6, .words = 12, .lean = .8};
    const plan links = {.n = 600, .n_class = 3, .inside = 8, .across = 1, .words = 8};
    trial t;

    (void)state;
    trial_init(&t, words, 1, EVERY);
    assert_true(sum_of(t.m.prior, FEATURES | FEATURE_GROUPS) > 0.5);
    check_mixture(&t);
    trial_fini(&t);
    trial_init(&t, links, 1, EVERY);
    assert_true(sum_of(t.m.prior, 1 << GND_PREDICT_LINKS | LINK_GROUPS) > 0.5);
    check_mixture(&t);
    trial_fini(&t);
}

/* If those trusted are not asked for, the others share the weight; if they are alone, they have it.
 */
static void trusted_predictors_left_out(void **state)
{
    const plan words = {.n = 300, .n_class = 3, .inside = 6, .across = 1, .words = 8, .lean = 0.8};
    trial t;

    (void)state;
    trial_init(&t, words, 1, ROLES | 1 << GND_PREDICT_PAGERANK);
    CHECK_CLOSE(t.m.prior[GND_PREDICT_ROLES] + t.m.prior[GND_PREDICT_PAGERANK], 1, 1e-12);
    check_mixture(&t);
    trial_fini(&t);
    trial_init(&t, words, 1, SELF_TRAINING);
    CHECK_CLOSE(t.m.weight[GND_PREDICT_SELF_TRAINING], 1, 1e-12);
    check_mixture(&t);
    trial_fini(&t);
}

/* ---- weights by held-out labels ---- */

/* Words tell the class, links are by chance: what sees words gains, what sees links loses. */
static void features_gain(void **state)
{
    const uint32_t by_words = SELF_TRAINING | FEATURES | FEATURE_GROUPS;
    trial t;

    (void)state;
    trial_init(&t, (plan){.n = 600, .n_class = 3, .across = 6, .words = 16, .lean = 0.9}, 15,
               EVERY);
    assert_int_equal(gnd_held_out_hits(&t.m, &t.s), t.s.n);
    assert_true(sum_of(t.m.weight, by_words) > sum_of(t.m.prior, by_words));
    for (int k = 0; k < P; k++)
        if (!(by_words >> k & 1))
            assert_true(t.m.weight[k] < t.m.prior[k]);
    check_mixture(&t);
    trial_fini(&t);
}

/* Words by chance, links tell the class: the other way round. */
static void links_gain(void **state)
{
    const uint32_t by_words = FEATURES | FEATURE_GROUPS;
    trial t;

    (void)state;
    trial_init(&t, (plan){.n = 600, .n_class = 3, .inside = 8, .across = 1, .words = 8}, 15, EVERY);
    assert_true(gnd_held_out_hits(&t.m, &t.s) >= t.s.n - 1);
    assert_true(sum_of(t.m.weight, by_words) < sum_of(t.m.prior, by_words));
    assert_true(sum_of(t.m.weight, LINKS | LINK_GROUPS) > sum_of(t.m.prior, LINKS | LINK_GROUPS));
    check_mixture(&t);
    trial_fini(&t);
}

/* Links join vertices at random, and those of one class have three times as many: roles gain. */
static void roles_gain(void **state)
{
    enum { N = 400, LINKS_OF_ONE = 3, FIRST = 30 };
    link_list l = {.n = 0};
    trial t = {.graph = planted_graph((plan){.n = N, .n_class = 2})};

    (void)state;
    for (int64_t k = 0; k < LINKS_OF_ONE * N; k++) { /* ends of class 1 are drawn more often */
        const double u = gnd_rng_uniform(5, 1, (uint64_t)k), w = gnd_rng_uniform(5, 2, (uint64_t)k);
        const int64_t a = (int64_t)(u * N / 2), b = (int64_t)(w * N / 2);
        const bool one = gnd_rng_uniform(5, 3, (uint64_t)k) < 0.8;
        const bool other = gnd_rng_uniform(5, 4, (uint64_t)k) < 0.8;

        if (2 * a + one != 2 * b + other)
            add_link(&l, 2 * a + one, 2 * b + other);
    }
    gnd_csr_fini(&t.graph->adj);
    t.graph->adj = make_links(N, &l);
    t.g = prepared_of(NULL, &t.graph->adj, 2);
    trial_labels(&t, FIRST, 2, 2);
    trial_fit(&t, EVERY, NULL);
    assert_true(t.m.weight[GND_PREDICT_ROLES] > 2 * t.m.prior[GND_PREDICT_ROLES]);
    check_mixture(&t);
    trial_fini(&t);
}

/* ---- labels ---- */

/* The only label of a class is not held out, the others are. */
static void single_labels_stay(void **state)
{
    trial t = {.graph = planted_clear(200, 3)};

    (void)state;
    t.g = prepared_of(&t.graph->feat, &t.graph->adj, 3);
    trial_labels(&t, 4, 2, 3);
    t.point[t.s.n] = 2;
    t.cls[t.s.n++] = 2;
    trial_fit(&t, EVERY, NULL);
    for (int64_t k = 0; k < t.s.n; k++)
        assert_int_equal(t.m.held_out[k], t.cls[k] < 2);
    assert_int_equal(t.m.n_held_out, 8);
    check_mixture(&t);
    trial_fini(&t);
}

/* A class without a label has probability 0; of held-out labels, none is predicted to have it. */
static void classes_without_labels(void **state)
{
    trial t;

    (void)state;
    for (int words = 0; words < 2; words++)
        for (int64_t q = 1; q <= 5; q += 4) {
            t = (trial){.graph = planted_clear(200, 3)};
            t.g = prepared_of(words ? &t.graph->feat : NULL, &t.graph->adj, 3);
            trial_labels(&t, q, 2, 3);
            trial_fit(&t, EVERY, NULL);
            for (int64_t i = 0; i < 200; i++)
                assert_true(t.prob[i * 3 + 2] == 0);
            for (int64_t k = 0; k < t.s.n; k++)
                assert_true(!t.m.held_out[k] || gnd_argmax(t.m.held_prob + k * 3, 3) != 2);
            check_mixture(&t);
            trial_fini(&t);
        }
}

static void one_class(void **state)
{
    trial t;

    (void)state;
    trial_init(&t, (plan){.n = 40, .n_class = 1, .inside = 3, .words = 4}, 4, EVERY);
    for (int64_t i = 0; i < 40; i++)
        assert_true(t.prob[i] == 1);
    check_mixture(&t);
    trial_fini(&t);
}

/* ---- threads ---- */

static void check_same(const trial *a, const trial *b)
{
    const size_t C = (size_t)a->s.n_class, real = sizeof(gnd_real);

    assert_memory_equal(a->prob, b->prob, (size_t)a->g.n * C * real);
    assert_memory_equal(a->m.held_prob, b->m.held_prob, (size_t)a->s.n * C * real);
    assert_memory_equal(a->m.weight, b->m.weight, sizeof a->m.weight);
    assert_memory_equal(a->m.temperature, b->m.temperature, sizeof a->m.temperature);
    assert_memory_equal(&a->m.stability, &b->m.stability, sizeof a->m.stability);
    assert_memory_equal(&a->m.stability, &b->m.stability, sizeof a->m.stability);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};

    (void)state;
    for (int words = 0; words < 2; words++) {
        const plan p = {
            .n = 700, .n_class = 3, .inside = 3, .across = 2, .words = words * 6, .lean = .5};
        trial want, t;

        trial_init(&want, p, 4, EVERY);
        for (int64_t k = 0; k < LENGTH(threads); k++) {
            gnd_pool *pool = eager_pool(threads[k]);

            t = want;
            trial_fit(&t, EVERY, pool);
            check_same(&t, &want);
            gnd_mixture_fini(&t.m);
            free(t.prob);
            gnd_pool_free(pool);
        }
        trial_fini(&want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictors_that_take_part),
        cmocka_unit_test(scores_mask),
        cmocka_unit_test(trusted_predictors),
        cmocka_unit_test(trusted_groups),
        cmocka_unit_test(trusted_predictors_left_out),
        cmocka_unit_test(features_gain),
        cmocka_unit_test(links_gain),
        cmocka_unit_test(roles_gain),
        cmocka_unit_test(single_labels_stay),
        cmocka_unit_test(classes_without_labels),
        cmocka_unit_test(one_class),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
