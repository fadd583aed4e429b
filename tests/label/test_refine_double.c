/* SPDX-License-Identifier: MIT
 * test_refine_double.c - refinement, against its formula and where the right outcome is known. */
#include "label/refine.h"

#include "linalg/blobs.h"
#include "linalg/lda.h"
#include "label/class_priors.h"
#include "label/constants.h"
#include "graph/graph.h"

enum { N = 600, C = 3, R = 5, KNOWN = 6 };

/* Point i is of class i % C; a ring of links joins it to those C and 2 C on and back, of the same
 * class, the former twice as strong. The first KNOWN are labelled. The last vertex has no link, the
 * last but one no features, nor has the first. */
typedef struct {
    gnd_points own;
    gnd_csr links;
    int32_t point[KNOWN], cls[KNOWN];
    gnd_labelled labelled;
    unsigned char excluded[N];
    gnd_real p[N * C];
    gnd_refine_opts what;
} world;

/* noise: of own features; wrong: every so manieth vertex is said to be of the next class. */
static void world_init(world *w, double noise, int64_t wrong)
{
    int32_t row[4 * N], col[4 * N];
    gnd_real val[4 * N];
    int64_t nnz = 0;
    gnd_error err = {0};

    *w = (world){.own = blobs_new(N, R, C, noise)};
    memset(w->own.z, 0, R * sizeof *w->own.z);
    memset(w->own.z + (N - 2) * R, 0, R * sizeof *w->own.z);
    for (int64_t i = 0; i < N - 1; i++)
        for (int64_t far = 1; far <= 2; far++)
            for (int way = -1; way <= 1; way += 2) {
                const int64_t j = (i + way * far * C + N) % N;

                if (j == N - 1)
                    continue;
                row[nnz] = (int32_t)i;
                col[nnz] = (int32_t)j;
                val[nnz++] = far == 1 ? 2 : 1;
            }
    CHECK_OK(gnd_csr_from_triplets(&w->links, &(gnd_triplets){N, N, nnz, row, col, val},
                                   GND_DUP_MAX, NULL, &err));
    for (int64_t i = 0; i < N; i++)
        for (int64_t c = 0; c < C; c++) {
            const int64_t said = (i + (wrong && i % wrong == wrong - 1)) % C;

            w->p[i * C + c] = c == said ? 0.5 : 0.25;
        }
    for (int32_t k = 0; k < KNOWN; k++) {
        w->point[k] = k;
        w->cls[k] = k % C;
        w->excluded[k] = 1;
        for (int64_t c = 0; c < C; c++)
            w->p[k * C + c] = c == k % C;
    }
    w->labelled = (gnd_labelled){.point = w->point, .cls = w->cls, .n = KNOWN, .n_class = C};
    w->what = (gnd_refine_opts){.own = &w->own,
                                .links = &w->links,
                                .labelled = &w->labelled,
                                .excluded = w->excluded,
                                .own_power = 0.4,
                                .neighbour_weight = 0.5};
}

static void world_fini(world *w)
{
    gnd_points_fini(&w->own);
    gnd_csr_fini(&w->links);
}

static gnd_refine_weights refined(world *w)
{
    gnd_refine_weights out = {-1, -1};
    gnd_error err;

    CHECK_OK(gnd_refine(w->p, &out, &w->what, NULL, &err));
    check_shares(w->p, N, C, 1e-12);
    return out;
}

static double accuracy(const world *w)
{
    double hits = 0;

    for (int64_t i = 0; i < N; i++)
        hits += gnd_argmax(w->p + i * C, C) == i % C;
    return hits / N;
}

/* ---- the formula ---- */

/* Cohen's kappa of the vertices that have neither label nor want of features or links. */
static double kappa_of(const double *x, const double *y)
{
    double same = 0, asked = 0, a[C] = {0}, b[C] = {0}, chance = 0;

    for (int64_t i = KNOWN; i < N - 2; i++) {
        const int64_t k = gnd_argmax(x + i * C, C), l = gnd_argmax(y + i * C, C);

        same += k == l;
        asked++;
        a[k]++;
        b[l]++;
    }
    for (int64_t c = 0; c < C; c++)
        chance += a[c] / asked * b[c] / asked;
    return (same / asked - chance) / (1 - chance);
}

static bool is_featureless(int64_t i)
{
    return i == 0 || i == N - 2;
}

/* What q finds among neighbours, near: [N, C] weights; 1 if one class has most. */
static int near_says(double *near, const world *w, const double *own, int64_t i)
{
    double most = 0;
    int with = 0;

    for (int64_t e = w->links.ptr[i]; e < w->links.ptr[i + 1]; e++)
        if (!is_featureless(w->links.col[e]))
            near[i * C + gnd_argmax(own + w->links.col[e] * C, C)] += w->links.val[e];
    for (int64_t c = 0; c < C; c++)
        most = fmax(most, near[i * C + c]);
    for (int64_t c = 0; c < C; c++)
        with += near[i * C + c] == most;
    return with == 1 && most > 0;
}

static double unexplained_of(const world *w, const double *own)
{
    double near[N * C] = {0}, q[C][C] = {{0}}, r[C][C] = {{0}}, n[C] = {0};
    double m = 0, same = 0, expect = 0, chance = 0, error;

    for (int64_t i = KNOWN; i < N - 2; i++) {
        if (!near_says(near, w, own, i))
            continue;
        q[gnd_argmax(w->p + i * C, C)][gnd_argmax(own + i * C, C)]++;
        r[gnd_argmax(w->p + i * C, C)][gnd_argmax(near + i * C, C)]++;
        n[gnd_argmax(w->p + i * C, C)]++;
        same += gnd_argmax(own + i * C, C) == gnd_argmax(near + i * C, C);
        m++;
    }
    for (int c = 0; c < C; c++) {
        double a = 0, b = 0;

        for (int k = 0; k < C; k++) {
            expect += n[k] / m * (q[k][c] / n[k]) * (r[k][c] / n[k]);
            a += q[k][c] / m;
            b += r[k][c] / m;
        }
        chance += a * b;
    }
    error = sqrt(expect * (1 - expect) / m);
    return fmin(fmax((same / m - expect - error) / (expect - chance) / 0.02, 0), 1);
}

/* predicted and unexplained of refine.h, and own: [N, C] q^own_power. */
static gnd_refine_weights weights_by(double *own, const world *w)
{
    gnd_real weight[N * C] = {0};
    double kappa;
    gnd_refine_weights out;
    gnd_error err;

    for (int64_t i = 0; i < N; i++) {
        const int64_t top = gnd_argmax(w->p + i * C, C);

        weight[i * C + top] = i < KNOWN ? 1 + LABEL_WEIGHT * N / C : w->p[i * C + top];
        weight[i * C + top] *= !is_featureless(i);
    }
    CHECK_OK(gnd_lda(own, &w->own, weight, &(gnd_lda_opts){C, SHRINKAGE, w->what.own_power}, NULL,
                     &err));
    kappa = kappa_of(own, w->p);
    out.predicted = fmin(fmax((kappa - 0.6) / 0.15, 0), 1);
    out.unexplained = out.predicted > 0 ? unexplained_of(w, own) : 0;
    return out;
}

static void expect(double *out, const world *w, const double *own, gnd_refine_weights f)
{
    const double share = w->what.neighbour_weight * (1 - f.predicted);
    double now[N * C];

    memcpy(now, w->p, sizeof now);
    for (int round = 0; round < 3; round++) {
        double next[N * C];

        for (int64_t i = 0; i < N; i++)
            for (int64_t c = 0; c < C; c++) {
                double sum = 0, weight = 0;

                for (int64_t e = w->links.ptr[i]; e < w->links.ptr[i + 1]; e++) {
                    sum += w->links.val[e] * now[w->links.col[e] * C + c];
                    weight += w->links.val[e];
                }
                next[i * C + c] = w->p[i * C + c];
                if (weight > 0)
                    next[i * C + c] = (1 - share) * w->p[i * C + c] + share * sum / weight;
            }
        memcpy(now, next, sizeof now);
    }
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;

        for (int64_t c = 0; c < C; c++) {
            out[i * C + c] =
                now[i * C + c] *
                (is_featureless(i) ? 1 : pow(own[i * C + c], f.predicted * f.unexplained));
            sum += out[i * C + c];
        }
        for (int64_t c = 0; c < C; c++)
            out[i * C + c] = i < KNOWN ? w->p[i * C + c] : out[i * C + c] / sum;
    }
}

static void formula(void **state)
{
    static const struct {
        double noise;
        int64_t wrong;
        double predicted[2],
            unexplained[2]; /* where they must lie, for the case to be what it is */
    } cases[] = {{0.2, 10, {1, 1}, {1, 1}},         {8, 10, {0, 0}, {0, 0}},
                 {0.9, 10, {0.1, 0.9}, {1, 1}},     {0.8, 0, {1, 1}, {0, 0.99}},
                 {0.95, 0, {0.1, 0.99}, {0, 0.99}}, {0.8, 80, {0.5, 1}, {0.1, 0.9}}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        world w;
        double own[N * C], want[N * C];
        gnd_refine_weights f, got;

        world_init(&w, cases[k].noise, cases[k].wrong);
        f = weights_by(own, &w);
        assert_true(f.predicted >= cases[k].predicted[0] && f.predicted <= cases[k].predicted[1]);
        assert_true(f.unexplained >= cases[k].unexplained[0] &&
                    f.unexplained <= cases[k].unexplained[1]);
        expect(want, &w, own, f);
        got = refined(&w);
        CHECK_CLOSE(got.predicted, f.predicted, 1e-12);
        CHECK_CLOSE(got.unexplained, f.unexplained, 1e-12);
        for (int64_t e = 0; e < N * C; e++)
            CHECK_CLOSE(w.p[e], want[e], 1e-12);
        world_fini(&w);
    }
}

/* ---- what it sees ---- */

/* One vertex in twenty is said to be what it is not. */
static void informative_own_features_are_used(void **state)
{
    world w;

    (void)state;
    world_init(&w, 0.2, 20);
    w.what.neighbour_weight = 0;
    assert_true(accuracy(&w) < 0.96);
    assert_true(refined(&w).predicted == 1);
    CHECK_CLOSE(accuracy(&w), 1, 1.5 / N); /* who has no features stays as it is */
    world_fini(&w);
}

/* Own features err by chance, and the classes found are all there is to know: own features could
 * only spoil them. */
static void uninformative_own_features_are_not(void **state)
{
    world w;
    gnd_refine_weights f;

    (void)state;
    world_init(&w, 0.8, 0);
    f = refined(&w);
    assert_true(f.predicted == 1 && f.unexplained < 0.5);
    CHECK_CLOSE(accuracy(&w), 1, 1e-12);
    world_fini(&w);
}

/* Errors that are not spread evenly: two classes have almost the same features, the third has
 * others. Own features and neighbours then agree on the third more than on average, and that is no
 * news of it. */
static void siblings_are_no_news(void **state)
{
    world w;
    gnd_refine_weights f;

    (void)state;
    world_init(&w, 0.2, 0);
    for (int64_t i = 1; i < N; i++) {
        double sum = 0;

        if (i == N - 2)
            continue;
        for (int64_t k = 0; k < R; k++) {
            const double middle = i % C == 2 ? k == 2
                                  : k == 0   ? 1
                                  : k == 1   ? 0.6 - 1.2 * (double)(i % C)
                                             : 0;

            w.own.z[i * R + k] = middle + 0.9 * blob_number(9, i * R + k);
            sum += w.own.z[i * R + k] * w.own.z[i * R + k];
        }
        for (int64_t k = 0; k < R; k++)
            w.own.z[i * R + k] /= sqrt(sum);
    }
    f = refined(&w);
    assert_true(f.predicted > 0.1);
    assert_true(f.unexplained == 0);
    CHECK_CLOSE(accuracy(&w), 1, 1e-12);
    world_fini(&w);
}

/* Half of the vertices have no features, so that some have no neighbour to ask: which number a
 * class has does not matter. */
static void numbers_of_classes(void **state)
{
    gnd_refine_weights f[C];
    gnd_real first[N * C];

    (void)state;
    for (int by = 0; by < C; by++) {
        world w;

        world_init(&w, 0.8, 12);
        for (int64_t i = 0; i < N; i++) {
            const gnd_real was[C] = {w.p[i * C], w.p[i * C + 1], w.p[i * C + 2]};

            for (int64_t c = 0; c < C; c++)
                w.p[i * C + (c + by) % C] = was[c];
            if (gnd_rng_uniform(3, 1, (uint64_t)i) < 0.5)
                memset(w.own.z + i * R, 0, R * sizeof *w.own.z);
        }
        for (int32_t k = 0; k < KNOWN; k++)
            w.cls[k] = (w.cls[k] + by) % C;
        f[by] = refined(&w);
        assert_true(f[by].predicted > 0 && f[by].unexplained > 0);
        CHECK_CLOSE(f[by].predicted, f[0].predicted, 1e-9);
        CHECK_CLOSE(f[by].unexplained, f[0].unexplained, 1e-9);
        for (int64_t i = 0; i < N; i++)
            for (int64_t c = 0; c < C; c++) {
                first[i * C + c] = by ? first[i * C + c] : w.p[i * C + c];
                CHECK_CLOSE(w.p[i * C + (c + by) % C], first[i * C + c], 1e-9);
            }
        world_fini(&w);
    }
}

/* Features of noise: the neighbours mend it, and own features cannot spoil it. */
static void neighbours_are_heard_where_features_say_little(void **state)
{
    world w;

    (void)state;
    world_init(&w, 50, 20);
    w.what.neighbour_weight = 0.8;
    assert_true(refined(&w).predicted == 0);
    CHECK_CLOSE(accuracy(&w), 1, 1.5 / N); /* who has no neighbours stays as it is */
    world_fini(&w);
}

/* Neither: nothing may count, so nothing moves. */
static void nothing_counts(void **state)
{
    world w;
    gnd_real before[N * C];

    (void)state;
    world_init(&w, 0.2, 20);
    w.what.own_power = w.what.neighbour_weight = 0;
    memcpy(before, w.p, sizeof before);
    refined(&w);
    for (int64_t e = 0; e < N * C; e++)
        CHECK_CLOSE(w.p[e], before[e], 1e-12);
    world_fini(&w);
}

/* Classes that no vertex was given, and all vertices of one: nothing divides by 0. */
static void one_class_for_all(void **state)
{
    world w;

    (void)state;
    world_init(&w, 0.2, 0);
    for (int64_t i = 0; i < N; i++)
        for (int64_t c = 0; c < C; c++)
            w.p[i * C + c] = c == 1;
    for (int32_t k = 0; k < KNOWN; k++)
        w.cls[k] = 1;
    assert_true(refined(&w).predicted == 0);
    for (int64_t i = 0; i < N; i++)
        CHECK_CLOSE(w.p[i * C + 1], 1, 1e-12);
    world_fini(&w);
}

static void threads_do_not_matter(void **state)
{
    static const double noise[] = {0.2, 50};
    (void)state;

    for (int kind = 0; kind < 2; kind++) {
        world one;

        world_init(&one, noise[kind], 10);
        refined(&one);
        for (int threads = 2; threads <= 5; threads += 3) {
            gnd_pool *pool = eager_pool(threads);
            world w;
            gnd_error err;

            world_init(&w, noise[kind], 10);
            CHECK_OK(gnd_refine(w.p, NULL, &w.what, pool, &err));
            assert_memory_equal(w.p, one.p, sizeof w.p);
            world_fini(&w);
            gnd_pool_free(pool);
        }
        world_fini(&one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula),
        cmocka_unit_test(informative_own_features_are_used),
        cmocka_unit_test(uninformative_own_features_are_not),
        cmocka_unit_test(siblings_are_no_news),
        cmocka_unit_test(numbers_of_classes),
        cmocka_unit_test(neighbours_are_heard_where_features_say_little),
        cmocka_unit_test(nothing_counts),
        cmocka_unit_test(one_class_for_all),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
