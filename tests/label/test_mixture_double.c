/* SPDX-License-Identifier: MIT
 * test_mixture_double.c - weights, temperatures and probabilities of the mixture, computed again
 * from the predictors' scores by the formulas of mixture.c. */
#include "label/mixture.h"

#include "label/folds.h"
#include "label/prior.h"
#include "label/stability.h"
#include "planted.h"
#include "prepared.h"

enum { N = 120, C = 3, PER = 4, FOLDS = 4, LABELS = PER * C, P = GND_PREDICTORS };

static gnd_predictor_fn *const predictors[P] = {
#define X(name, function, factor) [GND_PREDICT_##name] = gnd_predict_##function,
#include "label/predictors.def"
#undef X
};
/* Usual factors of the scores. */
static const double usual[P] = {
#define X(name, function, factor) [GND_PREDICT_##name] = factor,
#include "label/predictors.def"
#undef X
};

/* Scores of held-out labels, [P, LABELS, C], and the fold of each. */
typedef struct {
    double score[P][LABELS][C];
    int64_t fold[LABELS];
    const gnd_labelled *s;
    uint32_t used;
} held;

/* (1 - e) softmax(t score) + e / C of class c. */
static double chance_of(const double *score, double t, int64_t c)
{
    double sum = 0, top = -INFINITY;

    for (int64_t k = 0; k < C; k++)
        top = fmax(top, score[k]);
    for (int64_t k = 0; k < C; k++)
        sum += exp(t * (score[k] - top));
    return (1 - FLOOR_SHARE) * exp(t * (score[c] - top)) / sum + FLOOR_SHARE / C;
}

static void hold_out(held *h, const gnd_prepared *g, const gnd_labelled *s, uint32_t used)
{
    gnd_real score[N * C];
    gnd_folds f = {0};
    gnd_error err;

    *h = (held){.s = s, .used = used};
    CHECK_OK(gnd_folds_init(&f, s, FOLDS, &err));
    for (int64_t fold = 0; fold < f.n; fold++) {
        gnd_folds_take(&f, fold);
        for (int k = 0; k < P; k++) {
            if (!(used >> k & 1))
                continue;
            CHECK_OK(predictors[k](score, g, &f.train, NULL, &err));
            for (int64_t i = 0; i < LABELS; i++)
                for (int64_t c = 0; c < C && f.held_out[i]; c++) {
                    h->score[k][i][c] = (double)score[s->point[i] * C + c];
                    h->fold[i] = fold;
                }
        }
    }
    gnd_folds_fini(&f);
}

static double temperature_of(const held *h, int k, int64_t left)
{
    double best = 0, most = -INFINITY;

    for (int step = -TEMPERATURE_STEPS; step <= TEMPERATURE_STEPS; step++) {
        const double by = TEMPERATURE_STEP * step;
        double sum = -by * by / 2;

        for (int64_t i = 0; i < LABELS; i++)
            if (h->fold[i] != left)
                sum += log(chance_of(h->score[k][i], usual[k] * exp(by), h->s->cls[i]));
        best = sum > most ? by : best;
        most = fmax(most, sum);
    }
    return usual[k] * exp(best);
}

/* One step towards the weights that explain the held-out labels outside fold `left` best. */
static void step(double *weight, const held *h, const double *prior, const double *t, int64_t left)
{
    double next[P] = {0}, n = 0;

    for (int64_t i = 0; i < LABELS; i++) {
        double share[P] = {0}, sum = 0;

        if (h->fold[i] == left)
            continue;
        for (int k = 0; k < P; k++)
            if (h->used >> k & 1) {
                share[k] = weight[k] * chance_of(h->score[k][i], t[k], h->s->cls[i]);
                sum += share[k];
            }
        for (int k = 0; k < P; k++)
            next[k] += share[k] / sum;
        n++;
    }
    for (int k = 0; k < P; k++)
        weight[k] = (PRIOR_LABELS * prior[k] + next[k]) / (PRIOR_LABELS + n);
}

static void stack(double *weight, double *t, const held *h, const double *prior, int64_t left)
{
    for (int k = 0; k < P; k++) {
        weight[k] = prior[k];
        t[k] = h->used >> k & 1 ? temperature_of(h, k, left) : usual[k];
    }
    for (int s = 0; s < STACKING_STEPS; s++)
        step(weight, h, prior, t, left);
}

/* out: [C] softmax(sum_m w_m log p_m); score: of each predictor, [C]. */
static void mix(double *out, const double *const score[P], uint32_t used, const double *weight,
                const double *t)
{
    double sum = 0;

    for (int64_t c = 0; c < C; c++) {
        out[c] = 0;
        for (int k = 0; k < P; k++)
            if (used >> k & 1)
                out[c] += weight[k] * log(chance_of(score[k], t[k], c));
        sum += exp(out[c]);
    }
    for (int64_t c = 0; c < C; c++)
        out[c] = exp(out[c]) / sum;
}

static void check_held_out(const gnd_mixture *m, const held *h)
{
    double weight[P], t[P], want[C];

    for (int64_t i = 0; i < LABELS; i++) {
        const double *score[P];

        for (int k = 0; k < P; k++)
            score[k] = h->score[k][i];
        stack(weight, t, h, m->prior, h->fold[i]);
        mix(want, score, h->used, weight, t);
        assert_true(m->held_out[i]);
        for (int64_t c = 0; c < C; c++)
            CHECK_CLOSE(m->held_prob[i * C + c], want[c], 1e-9);
    }
    stack(weight, t, h, m->prior, -1);
    for (int k = 0; k < P; k++) {
        CHECK_CLOSE(m->weight[k], h->used >> k & 1 ? weight[k] : 0, 1e-9);
        CHECK_CLOSE(m->temperature[k], t[k], 1e-9);
    }
}

/* Of vertices without a label. */
static void check_prob(const gnd_mixture *m, const gnd_real *prob, const gnd_prepared *g,
                       const gnd_labelled *s)
{
    static double score[P][N * C];
    gnd_real room[N * C];
    gnd_error err;

    for (int k = 0; k < P; k++)
        if (m->used >> k & 1) {
            CHECK_OK(predictors[k](room, g, s, NULL, &err));
            for (int64_t e = 0; e < N * C; e++)
                score[k][e] = (double)room[e];
        }
    for (int64_t i = 0; i < N; i++) {
        const double *row[P];
        double want[C];

        for (int k = 0; k < P; k++)
            row[k] = score[k] + i * C;
        mix(want, row, m->used, m->weight, m->temperature);
        for (int64_t c = 0; c < C; c++)
            CHECK_CLOSE(prob[i * C + c], i < LABELS ? s->cls[i] == c : want[c], 1e-9);
    }
}

/* The weights before labels are held out: of what the predictors find from all labels. Stability is
 * the mean of the predictors by self-training, by their weight. */
static void check_prior(const gnd_mixture *m, const gnd_prepared *g, const gnd_labelled *s)
{
    gnd_evidence e = {.features = g->x.n_row > 0,
                      .links = gnd_csr_nnz(&g->links) > 0,
                      .uncorrelated = g->uncorrelated};
    double prior[P], sum = 0, weights = 0;
    gnd_error err;

    for (int k = 0; k < P; k++) {
        const bool grown = k == GND_PREDICT_SELF_TRAINING || k == GND_PREDICT_FEATURE_GROUPS ||
                           k == GND_PREDICT_LINK_GROUPS;
        double room[C * (C + 1)];
        gnd_real score[N * C];
        int32_t found[N];

        if (!(m->used >> k & 1))
            continue;
        CHECK_OK(predictors[k](score, g, s, NULL, &err));
        e.information[k] = gnd_link_information(&g->links, score, C, room, found);
        if (grown) {
            const gnd_fit_shape shape = gnd_self_training_shape(g, s, (gnd_predictor)k);

            CHECK_OK(gnd_stability(&e.stability[k], &shape, score, s, NULL, &err));
            sum += m->weight[k] * e.stability[k];
            weights += m->weight[k];
        }
    }
    gnd_prior(prior, m->used, &e, C);
    for (int k = 0; k < P; k++)
        CHECK_CLOSE(m->prior[k], prior[k], 1e-12);
    CHECK_CLOSE(m->stability, weights > 0 ? sum / weights : 0, 1e-12);
}

/* Words and links agree, do not, and no words; all predictors, and none by self-training. */
static void is_the_formula(void **state)
{
    static const plan kind[] = {
        {.n = N, .n_class = C, .inside = 3, .across = 2, .words = 6, .lean = 0.5},
        {.n = N, .n_class = C, .inside = 3, .across = 2, .words = 6},
        {.n = N, .n_class = C, .inside = 3, .across = 2},
    };
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = {.point = point, .cls = cls, .n = LABELS, .n_class = C};
    const uint32_t all = (1u << P) - 1;
    const uint32_t asked[] = {all, all - (1u << GND_PREDICT_SELF_TRAINING) -
                                       (1u << GND_PREDICT_FEATURE_GROUPS) -
                                       (1u << GND_PREDICT_LINK_GROUPS)};
    gnd_error err;

    (void)state;
    for (int32_t k = 0; k < LABELS; k++) {
        point[k] = k;
        cls[k] = k % C;
    }
    for (int64_t k = 0; k < LENGTH(kind) * LENGTH(asked); k++) {
        const uint32_t used = asked[k % LENGTH(asked)];
        const plan made = kind[k / LENGTH(asked)];
        gnd_graph *graph = planted_graph(made);
        gnd_prepared g = prepared_of(made.words > 0 ? &graph->feat : NULL, &graph->adj, C);
        gnd_real prob[N * C];
        static held h;
        gnd_mixture m;

        CHECK_OK(gnd_mixture_fit(&m, prob, &g, &s, used, NULL, &err));
        assert_int_equal(m.used, used & gnd_predictors_for(&g));
        assert_int_equal(m.n_held_out, LABELS);
        hold_out(&h, &g, &s, m.used);
        check_prior(&m, &g, &s);
        check_held_out(&m, &h);
        check_prob(&m, prob, &g, &s);
        gnd_mixture_fini(&m);
        gnd_prepared_fini(&g);
        gnd_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_the_formula)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
