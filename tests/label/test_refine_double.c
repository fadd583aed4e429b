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

/* By own features? */
static bool refined(world *w)
{
    bool by_own;
    gnd_error err;

    CHECK_OK(gnd_refine(w->p, &by_own, &w->what, NULL, &err));
    check_shares(w->p, N, C, 1e-12);
    return by_own;
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

/* Is kappa above REFINE_KAPPA? own: [N, C] q^own_power. */
static bool own_decides(double *own, const world *w)
{
    gnd_real weight[N * C] = {0};
    gnd_error err;

    for (int64_t i = 0; i < N; i++) {
        const int64_t top = gnd_argmax(w->p + i * C, C);

        weight[i * C + top] = i < KNOWN ? 1 + LABEL_WEIGHT * N / C : w->p[i * C + top];
        weight[i * C + top] *= !is_featureless(i);
    }
    CHECK_OK(gnd_lda(own, &w->own, weight, &(gnd_lda_opts){C, SHRINKAGE, w->what.own_power, NULL},
                     NULL, &err));
    return kappa_of(own, w->p) > REFINE_KAPPA;
}

static void by_neighbours(double *out, const world *w)
{
    const double share = w->what.neighbour_weight;

    for (int64_t i = 0; i < N; i++)
        for (int64_t c = 0; c < C; c++) {
            double sum = 0, weight = 0;

            for (int64_t e = w->links.ptr[i]; e < w->links.ptr[i + 1]; e++) {
                sum += w->links.val[e] * w->p[w->links.col[e] * C + c];
                weight += w->links.val[e];
            }
            out[i * C + c] = w->p[i * C + c];
            if (weight > 0 && i >= KNOWN)
                out[i * C + c] = (1 - share) * w->p[i * C + c] + share * sum / weight;
        }
}

static void by_own(double *out, const world *w, const double *own)
{
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;

        for (int64_t c = 0; c < C; c++) {
            out[i * C + c] = w->p[i * C + c] * (is_featureless(i) ? 1 : own[i * C + c]);
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
        bool own;
    } cases[] = {{0.2, 10, true}, {8, 10, false}, {0.8, 0, true}, {1.2, 10, false}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        world w;
        double own[N * C], want[N * C];

        world_init(&w, cases[k].noise, cases[k].wrong);
        assert_int_equal(own_decides(own, &w), cases[k].own);
        if (cases[k].own)
            by_own(want, &w, own);
        else
            by_neighbours(want, &w);
        assert_int_equal(refined(&w), cases[k].own);
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
    assert_true(refined(&w));
    CHECK_CLOSE(accuracy(&w), 1, 1.5 / N); /* who has no features stays as it is */
    world_fini(&w);
}

/* Half of the vertices have no features: which number a class has does not matter. */
static void numbers_of_classes(void **state)
{
    gnd_real first[N * C];

    (void)state;
    for (int by = 0; by < C; by++) {
        world w;

        world_init(&w, 0.5, 12);
        for (int64_t i = 0; i < N; i++) {
            const gnd_real was[C] = {w.p[i * C], w.p[i * C + 1], w.p[i * C + 2]};

            for (int64_t c = 0; c < C; c++)
                w.p[i * C + (c + by) % C] = was[c];
            if (gnd_rng_uniform(3, 1, (uint64_t)i) < 0.5)
                memset(w.own.z + i * R, 0, R * sizeof *w.own.z);
        }
        for (int32_t k = 0; k < KNOWN; k++)
            w.cls[k] = (w.cls[k] + by) % C;
        assert_true(refined(&w));
        for (int64_t i = 0; i < N; i++)
            for (int64_t c = 0; c < C; c++) {
                first[i * C + c] = by ? first[i * C + c] : w.p[i * C + c];
                CHECK_CLOSE(w.p[i * C + (c + by) % C], first[i * C + c], 1e-9);
            }
        world_fini(&w);
    }
}

/* Features of noise: the neighbours mend it, and own features cannot spoil it. */
static void neighbours_count_where_features_say_little(void **state)
{
    world w;

    (void)state;
    world_init(&w, 50, 20);
    w.what.neighbour_weight = 0.8;
    assert_false(refined(&w));
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
    assert_false(refined(&w));
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
        cmocka_unit_test(numbers_of_classes),
        cmocka_unit_test(neighbours_count_where_features_say_little),
        cmocka_unit_test(nothing_counts),
        cmocka_unit_test(one_class_for_all),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
