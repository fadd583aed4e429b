/* SPDX-License-Identifier: MIT
 * test_mixture_double.c - weights, temperatures and probabilities of the mixture, computed again
 * from the predictors' scores by the formulas of mixture.c. */
#include "label/mixture.h"

#include "label/folds.h"
#include "planted.h"
#include "prepared.h"

enum { N = 120, C = 3, PER = 4, FOLDS = 4, LABELS = PER * C, P = GND_PREDICTORS };

static gnd_predictor_fn *const predictors[P] = {
    [GND_PREDICT_SELF_TRAINING] = gnd_predict_self_training,
    [GND_PREDICT_FEATURES] = gnd_predict_features,
    [GND_PREDICT_LINKS] = gnd_predict_links,
    [GND_PREDICT_ROLES] = gnd_predict_roles,
    [GND_PREDICT_PAGERANK] = gnd_predict_pagerank,
    [GND_PREDICT_BLOCKS] = gnd_predict_blocks,
    [GND_PREDICT_FEATURE_GROUPS] = gnd_predict_feature_groups,
    [GND_PREDICT_LINK_GROUPS] = gnd_predict_link_groups,
};

/* Scores of held-out labels, [P, LABELS, C], and the fold of each. */
typedef struct {
    double score[P][LABELS][C];
    int64_t fold[LABELS];
    const gnd_labelled *s;
    uint32_t used;
} held;

static double usual(int k)
{
    const double t[P] = {
        TEMPERATURE_SELF_TRAINING, TEMPERATURE_FEATURES,      TEMPERATURE_LINKS,
        TEMPERATURE_ROLES,         TEMPERATURE_PAGERANK,      TEMPERATURE_BLOCKS,
        TEMPERATURE_SELF_TRAINING, TEMPERATURE_SELF_TRAINING,
    };

    return t[k];
}

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
                sum += log(chance_of(h->score[k][i], usual(k) * exp(by), h->s->cls[i]));
        best = sum > most ? by : best;
        most = fmax(most, sum);
    }
    return usual(k) * exp(best);
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
        t[k] = h->used >> k & 1 ? temperature_of(h, k, left) : usual(k);
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

/* Of vertices without a label; and the share of the weight that agrees. */
static void check_prob(const gnd_mixture *m, const gnd_real *prob, const gnd_prepared *g,
                       const gnd_labelled *s)
{
    static double score[P][N * C];
    gnd_real room[N * C];
    double agree = 0;
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
        int64_t top = 0;

        for (int k = 0; k < P; k++)
            row[k] = score[k] + i * C;
        mix(want, row, m->used, m->weight, m->temperature);
        for (int64_t c = 0; c < C; c++) {
            CHECK_CLOSE(prob[i * C + c], i < LABELS ? s->cls[i] == c : want[c], 1e-9);
            top = prob[i * C + c] > prob[i * C + top] ? c : top;
        }
        for (int k = 0; k < P; k++) {
            bool agrees = m->used >> k & 1;

            for (int64_t c = 0; c < C; c++)
                agrees = agrees && (c < top ? row[k][c] < row[k][top] : row[k][c] <= row[k][top]);
            agree += agrees ? m->weight[k] / N : 0;
        }
    }
    CHECK_CLOSE(m->agreement, agree, 1e-9);
}

/* All but self-training, whose weight of prototypes depends on its stability. */
static void is_the_formula(void **state)
{
    const uint32_t used = (1u << P) - 1 - (1u << GND_PREDICT_SELF_TRAINING);
    static const plan kind[] = {
        {.n = N, .n_class = C, .inside = 3, .across = 2, .words = 6, .lean = 0.5},
        {.n = N, .n_class = C, .inside = 3, .across = 2, .words = 6},
    };
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = {.point = point,
                            .cls = cls,
                            .n = LABELS,
                            .n_class = C,
                            .shrink = SHRINKAGE,
                            .label_weight = LABEL_WEIGHT};
    gnd_error err;

    (void)state;
    for (int32_t k = 0; k < LABELS; k++) {
        point[k] = k;
        cls[k] = k % C;
    }
    for (int64_t k = 0; k < LENGTH(kind); k++) {
        gnd_graph *graph = planted_graph(kind[k]);
        gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
        gnd_real prob[N * C];
        static held h;
        gnd_mixture m;

        CHECK_OK(gnd_mixture_fit(&m, prob, &g, &s, used, NULL, &err));
        assert_int_equal(m.used, used & gnd_predictors_for(&g));
        assert_int_equal(m.n_held_out, LABELS);
        hold_out(&h, &g, &s, m.used);
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
