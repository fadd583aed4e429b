/* SPDX-License-Identifier: MIT
 * test_self_train_double.c - soft self-training against its formulas, computed one by one. */
#include "label/self_train.h"

#include "label/class_priors.h"
#include "label/constants.h"
#include "linalg/blobs.h"
#include "linalg/lda.h"

enum { N = 300, R = 6, C = 4, LABELS = 3 * C };

/* per_class points of each class but `without` are known. */
static gnd_labelled labels_of(int32_t *point, int32_t *cls, int64_t per_class, int64_t without)
{
    gnd_labelled s = {.point = point, .cls = cls, .n_class = C, .sharpness = 0.3};

    for (int64_t i = 0; i < C * per_class; i++)
        if (i % C != without) {
            point[s.n] = (int32_t)i;
            cls[s.n++] = (int32_t)(i % C);
        }
    return s;
}

static void set_known(gnd_real *rows, const gnd_labelled *s, double value)
{
    for (int64_t k = 0; k < s->n; k++)
        for (int64_t c = 0; c < C; c++)
            rows[s->point[k] * C + c] = c == s->cls[k] ? (gnd_real)value : 0;
}

/* m: [C, R] += by times the known points. */
static void add_known(double *m, const gnd_points *z, const gnd_labelled *s, double by)
{
    for (int64_t k = 0; k < s->n; k++)
        for (int64_t j = 0; j < R; j++)
            m[s->cls[k] * R + j] += by * (double)z->z[s->point[k] * R + j];
}

/* prob = softmax(by cos(z_i, m_c)) over the classes with a label. */
static void assign(gnd_real *prob, const gnd_points *z, const double *m, const gnd_labelled *s,
                   double by)
{
    bool labelled[C] = {0};

    for (int64_t k = 0; k < s->n; k++)
        labelled[s->cls[k]] = true;
    for (int64_t i = 0; i < N; i++) {
        double p[C], sum = 0;

        for (int64_t c = 0; c < C; c++) {
            double dot = 0, norm = 0;

            for (int64_t j = 0; j < R; j++) {
                dot += (double)z->z[i * R + j] * m[c * R + j];
                norm += m[c * R + j] * m[c * R + j];
            }
            p[c] = labelled[c] ? exp(by * dot / sqrt(norm)) : 0;
            sum += p[c];
        }
        for (int64_t c = 0; c < C; c++)
            prob[i * C + c] = (gnd_real)(p[c] / sum);
    }
    set_known(prob, s, 1);
}

/* Prototypes that move PROTOTYPE_MOVES times; the last probabilities to the power soften. */
static void move_prototypes(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                            double temperature, double soften)
{
    double m[C * R] = {0};

    add_known(m, z, s, 1);
    assign(prob, z, m, s, 1 / temperature);
    for (int k = 1; k <= PROTOTYPE_MOVES; k++) {
        memset(m, 0, sizeof m);
        for (int64_t i = 0; i < N; i++)
            for (int64_t e = 0; e < C * R; e++)
                m[e] += (double)prob[i * C + e / R] * (double)z->z[i * R + e % R];
        add_known(m, z, s, LABEL_WEIGHT * N / C);
        assign(prob, z, m, s, (k < PROTOTYPE_MOVES ? 1 : soften) / temperature);
    }
}

/* prob max_c prob of points that are at least as confident as the mean, and known points. */
static void weigh(gnd_real *weight, const gnd_real *prob, const gnd_labelled *s)
{
    double mean = 0;

    for (int64_t i = 0; i < N; i++)
        mean += (double)prob[i * C + gnd_argmax(prob + i * C, C)] / N;
    for (int64_t e = 0; e < N * C; e++) {
        const gnd_real *row = prob + e / C * C, top = row[gnd_argmax(row, C)];

        weight[e] = (double)top >= mean ? top * prob[e] : 0;
    }
    set_known(weight, s, 1 + LABEL_WEIGHT * N / C);
}

static void plain_soft(gnd_real *prob, const gnd_points *z, const gnd_labelled *s)
{
    const double narrow = SPREAD_USUAL / z->spread, soften = fmin(1, 1 / narrow);
    gnd_real weight[N * C];
    gnd_error err;

    move_prototypes(prob, z, s, TEMPERATURE_USUAL * narrow, soften);
    for (int k = 1; k <= SOFT_STEPS; k++) {
        weigh(weight, prob, s);
        CHECK_OK(
            gnd_lda(prob, z, weight,
                    &(gnd_lda_opts){C, SHRINKAGE, k < SOFT_STEPS ? soften : s->sharpness, NULL},
                    NULL, &err));
        set_known(prob, s, 1);
    }
}

/* As many directions as usual, fewer and more; and a class without a label. */
static void is_the_formula(void **state)
{
    const double spread[] = {SPREAD_USUAL, 4, 60};
    int32_t point[LABELS], cls[LABELS];
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < 3 * LENGTH(spread); k++) {
        const gnd_labelled s = labels_of(point, cls, 1 + k % 3, k % 3 == 1 ? 2 : -1);
        gnd_points z = blobs_new(N, R, C, k % 2 ? 0.9 : 0.5);
        gnd_real got[N * C], want[N * C];

        z.spread = spread[k / 3];
        CHECK_OK(gnd_fit_soft(got, &z, &s, NULL, &err));
        plain_soft(want, &z, &s);
        for (int64_t e = 0; e < N * C; e++)
            CHECK_CLOSE(got[e], want[e], 1e-9);
        free(z.z);
    }
}

/* A fit of the first coordinates with other variances is the fit of these points. */
static void shaped_points(void **state)
{
    static const struct {
        int64_t rank;
        double power;
    } cases[] = {{R, 1}, {4, 1}, {R, 1.5}, {3, 0.5}};
    double value[R] = {9, 7, 4, 3, 2, 1};
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = labels_of(point, cls, 2, -1);
    gnd_points z = blobs_new(N, R, C, 0.5);
    gnd_real got[N * C], want[N * C];
    gnd_error err;

    (void)state;
    z.value = value;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_points shaped;

        CHECK_OK(gnd_points_shape(&shaped, &z, cases[k].rank, cases[k].power, NULL, &err));
        CHECK_OK(gnd_fit_soft(want, &shaped, &s, NULL, &err));
        CHECK_OK(gnd_fit_shaped(got, &(gnd_fit_shape){&z, cases[k].rank, cases[k].power}, &s, NULL,
                                &err));
        assert_memory_equal(got, want, sizeof got);
        gnd_points_fini(&shaped);
    }
    free(z.z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_formula),
        cmocka_unit_test(shaped_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
