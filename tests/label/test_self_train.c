/* SPDX-License-Identifier: MIT
 * test_self_train.c - fits from a few known points: what is known stays, clear blobs are found, and
 * the quota fit is that of a plain one that sorts. */
#include "label/self_train.h"

#include "blobs.h"
#include "label/class_priors.h"
#include "label/lda.h"

typedef gnd_status fit_fn(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                          gnd_pool *pool, gnd_error *err);

static fit_fn *const fits[] = {gnd_fit_prototype, gnd_fit_soft, gnd_fit_quota};
enum { FITS = 3, SEEDS = 64 };

/* The first per_class points of each class but `without` are known. */
static gnd_labelled seeds_of(int32_t *point, int32_t *cls, int64_t n_class, int64_t per_class,
                             int64_t without)
{
    gnd_labelled s = {.point = point,
                      .cls = cls,
                      .n_class = n_class,
                      .temperature = 0.1,
                      .soften = 1,
                      .sharpness = 1,
                      .shrink = 0.5,
                      .label_weight = 0.1};

    for (int64_t i = 0; i < n_class * per_class; i++)
        if (i % n_class != without) {
            point[s.n] = (int32_t)i;
            cls[s.n++] = (int32_t)(i % n_class);
        }
    return s;
}

static int64_t top_of(const gnd_real *row, int64_t C)
{
    int64_t top = 0;

    for (int64_t c = 1; c < C; c++)
        if (row[c] > row[top])
            top = c;
    return top;
}

static void clear_blobs(void **state)
{
    enum { N = 600, R = 8, C = 6 };
    int32_t point[SEEDS], cls[SEEDS];
    const gnd_labelled s = seeds_of(point, cls, C, 1, -1);
    gnd_points z = blobs_new(N, R, C, 0.35);
    gnd_real prob[N * C];
    gnd_error err;

    (void)state;
    for (int f = 0; f < FITS; f++) {
        int64_t right = 0;

        CHECK_OK(fits[f](prob, &z, &s, NULL, &err));
        check_shares(prob, N, C, 1e-5);
        for (int64_t i = 0; i < N; i++)
            right += top_of(prob + i * C, C) == i % C;
        assert_true(right >= (f == 0 ? N * 95 / 100 : N)); /* self-training mends prototypes */
        for (int64_t e = 0; e < C * C; e++)                /* for certain */
            assert_true(prob[e] == (e / C == e % C));
    }
    free(z.z);
}

/* Where every point is as sure as can be, rounding must not leave the mean above all of them: then
 * none would count but the known. */
static void all_are_sure(void **state)
{
    enum { C = 5, R = 24 };

    (void)state;
    for (int64_t n = 590; n < 620; n++) {
        int32_t point[SEEDS], cls[SEEDS];
        gnd_labelled s = seeds_of(point, cls, C, 1, -1);
        gnd_points z = blobs_new(n, R, C, 0.4);
        gnd_real *prob = calloc((size_t)(n * C), sizeof *prob);
        gnd_error err = {0};

        assert_non_null(prob);
        s.temperature = 0.005;
        CHECK_OK(gnd_fit_soft(prob, &z, &s, NULL, &err));
        for (int64_t i = 0; i < n; i++)
            assert_int_equal(gnd_argmax(prob + i * C, C), i % C);
        free(prob);
        free(z.z);
    }
}

/* A labelled point keeps its class, however wrong; a class without a label is given to no point. */
static void known_points(void **state)
{
    enum { N = 200, R = 4, C = 4 };
    int32_t point[SEEDS], cls[SEEDS];
    gnd_labelled s = seeds_of(point, cls, C, 5, 2);
    gnd_points z = blobs_new(N, R, C, 0.4);
    gnd_real prob[N * C];
    gnd_error err;

    (void)state;
    cls[0] = 3;
    for (int f = 0; f < FITS; f++) {
        CHECK_OK(fits[f](prob, &z, &s, NULL, &err));
        check_shares(prob, N, C, 1e-5);
        for (int64_t k = 0; k < s.n; k++)
            for (int64_t c = 0; c < C; c++)
                assert_true(prob[point[k] * C + c] == (c == cls[k]));
        for (int64_t i = 0; i < N; i++)
            assert_true(prob[i * C + 2] == 0);
    }
    free(z.z);
}

static void prototype_formula(void **state)
{
    enum { N = 90, R = 5, C = 3 };
    int32_t point[SEEDS], cls[SEEDS];
    gnd_labelled s = seeds_of(point, cls, C, 2, -1);
    gnd_points z = blobs_new(N, R, C, 0.9);
    gnd_real prob[N * C];
    double m[C * R] = {0};
    gnd_error err;

    (void)state;
    s.temperature = 0.3;
    s.sharpness = 0.7;
    CHECK_OK(gnd_fit_prototype(prob, &z, &s, NULL, &err));
    for (int64_t k = 0; k < s.n; k++)
        for (int64_t j = 0; j < R; j++)
            m[cls[k] * R + j] += (double)z.z[point[k] * R + j];
    for (int64_t i = 2 * C; i < N; i++) {
        double want[C], sum = 0;

        for (int64_t c = 0; c < C; c++) {
            double dot = 0, norm = 0;

            for (int64_t j = 0; j < R; j++) {
                dot += (double)z.z[i * R + j] * m[c * R + j];
                norm += m[c * R + j] * m[c * R + j];
            }
            sum += want[c] = exp(0.7 * dot / sqrt(norm) / 0.3);
        }
        for (int64_t c = 0; c < C; c++)
            CHECK_CLOSE(prob[i * C + c], want[c] / sum, 1e-5);
    }
    free(z.z);
}

/* ---- quota, plainly ---- */

enum { QN = 400, QR = 6, QC = 4 };

typedef struct {
    gnd_real p;
    int64_t i;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->p != y->p)
        return x->p > y->p ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static void state_rows(gnd_real *rows, const gnd_labelled *s, double value)
{
    for (int64_t k = 0; k < s->n; k++)
        for (int64_t c = 0; c < QC; c++)
            rows[s->point[k] * QC + c] = c == s->cls[k] ? (gnd_real)value : 0;
}

/* 1 for the m most confident points of each class, counted after sorting all. Returns the sum of
 * the weights. */
static double weigh_quota(gnd_real *w, const gnd_real *prob, int64_t m)
{
    double sum = 0;

    memset(w, 0, QN * QC * sizeof *w);
    for (int64_t c = 0; c < QC; c++) {
        ranked list[QN];
        int64_t n = 0;

        for (int64_t i = 0; i < QN; i++)
            if (top_of(prob + i * QC, QC) == c)
                list[n++] = (ranked){prob[i * QC + c], i};
        qsort(list, (size_t)n, sizeof *list, by_rank);
        for (int64_t k = 0; k < n && k < m; k++, sum++)
            w[list[k].i * QC + c] = 1;
    }
    return sum;
}

static void weigh_sure(gnd_real *w, const gnd_real *prob)
{
    double mean = 0;

    for (int64_t i = 0; i < QN; i++)
        mean += (double)prob[i * QC + top_of(prob + i * QC, QC)] / QN;
    for (int64_t e = 0; e < QN * QC; e++) {
        const gnd_real top = prob[e / QC * QC + top_of(prob + e / QC * QC, QC)];

        w[e] = (double)top >= mean ? top * prob[e] : 0;
    }
}

static void plain_quota(gnd_real *prob, const gnd_points *z, const gnd_labelled *s)
{
    static const double phi[] = {16, 8, 4, 3, 2, 1.5};
    const double pull = s->label_weight * QN / QC;
    gnd_labelled first = *s;
    gnd_real w[QN * QC];
    gnd_error err;

    first.sharpness = 1;
    CHECK_OK(gnd_fit_prototype(prob, z, &first, NULL, &err));
    for (int k = 0; k < 6; k++) {
        const int64_t m = (int64_t)(QN / (phi[k] * QC));
        const double sum = weigh_quota(w, prob, m > 5 ? m : 5);

        assert_true(k > 3 || sum == (double)(QC * (m > 5 ? m : 5))); /* classes have as many */
        state_rows(w, s, 1 + pull / phi[k]);
        CHECK_OK(
            gnd_lda(prob, z, w, &(gnd_lda_opts){QC, s->shrink, k < 5 ? 1 : s->soften}, NULL, &err));
        state_rows(prob, s, 1);
    }
    for (int k = 0; k < 3; k++) {
        weigh_sure(w, prob);
        state_rows(w, s, 1 + pull);
        CHECK_OK(gnd_lda(prob, z, w,
                         &(gnd_lda_opts){QC, s->shrink, k < 2 ? s->soften : s->sharpness}, NULL,
                         &err));
        state_rows(prob, s, 1);
    }
}

static void quota_sorts(void **state)
{
    int32_t point[SEEDS], cls[SEEDS];
    gnd_real prob[QN * QC], want[QN * QC];
    gnd_error err;

    (void)state;
    for (int round = 0; round < 6; round++) {
        gnd_labelled s = seeds_of(point, cls, QC, 1 + round % 3, -1);
        gnd_points z = blobs_new(QN, QR, QC, round < 3 ? 0.6 : 0.3);

        if (round % 2) /* points that coincide: ties are settled by number */
            for (int64_t i = QN / 2; i < QN; i++)
                memcpy(z.z + i * QR, z.z + i % 40 * QR, QR * sizeof *z.z);
        s.soften = 0.6;
        s.sharpness = 0.3;
        CHECK_OK(gnd_fit_quota(prob, &z, &s, NULL, &err));
        plain_quota(want, &z, &s);
        assert_memory_equal(prob, want, sizeof prob);
        free(z.z);
    }
}

/* Sharpness is a power of the result: the order stays, probabilities come closer. */
static void sharpness(void **state)
{
    enum { N = 120, R = 4, C = 3 };
    int32_t point[SEEDS], cls[SEEDS];
    gnd_labelled s = seeds_of(point, cls, C, 2, -1);
    gnd_points z = blobs_new(N, R, C, 0.8);
    gnd_real one[N * C], half[N * C];
    gnd_error err;

    (void)state;
    for (int f = 0; f < FITS; f++) {
        s.sharpness = 0.5;
        CHECK_OK(fits[f](half, &z, &s, NULL, &err));
        s.sharpness = 0.25;
        CHECK_OK(fits[f](one, &z, &s, NULL, &err));
        for (int64_t i = 2 * C; i < N; i++) {
            double sum = 0;

            for (int64_t c = 0; c < C; c++)
                sum += sqrt((double)half[i * C + c]);
            for (int64_t c = 0; c < C; c++)
                CHECK_CLOSE(one[i * C + c], sqrt((double)half[i * C + c]) / sum, 2e-4);
        }
    }
    free(z.z);
}

static void threads_do_not_matter(void **state)
{
    enum { N = 5000, R = 8, C = 6 };
    static const int threads[] = {1, 2, 7};
    int32_t point[SEEDS], cls[SEEDS];
    const gnd_labelled s = seeds_of(point, cls, C, 3, -1);
    gnd_points z = blobs_new(N, R, C, 0.7);
    gnd_real *one = calloc(N * C, sizeof *one), *many = calloc(N * C, sizeof *many);
    gnd_error err;

    (void)state;
    for (int f = 0; f < FITS; f++)
        for (int t = 0; t < 3; t++) {
            gnd_pool *pool = eager_pool(threads[t]);

            CHECK_OK(fits[f](t ? many : one, &z, &s, pool, &err));
            if (t)
                assert_memory_equal(one, many, N * C * sizeof *one);
            gnd_pool_free(pool);
        }
    free(one);
    free(many);
    free(z.z);
}

static void points_that_are_set_apart(void **state)
{
    gnd_real z[] = {1, 0, 0, 0, 0, 1, 0, -1};
    const gnd_points p = {.n = 4, .r = 2, .z = z};
    const int32_t point[] = {2}, cls[] = {0};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 1, .n_class = 2};
    unsigned char excluded[4] = {7, 7, 7, 7};

    (void)state;
    gnd_exclude(excluded, &p, &s);
    assert_int_equal(excluded[0], 0);
    assert_int_equal(excluded[1], 1); /* in the middle */
    assert_int_equal(excluded[2], 1); /* known */
    assert_int_equal(excluded[3], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_sure),          cmocka_unit_test(clear_blobs),
        cmocka_unit_test(known_points),          cmocka_unit_test(prototype_formula),
        cmocka_unit_test(quota_sorts),           cmocka_unit_test(sharpness),
        cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(points_that_are_set_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
