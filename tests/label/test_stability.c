/* SPDX-License-Identifier: MIT
 * test_stability.c - labels drawn anew, where it is known what they can tell. */
#include "label/stability.h"

#include "blobs.h"

enum { R = 8, C = 4 };

/* prob: [n, C] the class of each point for certain, labelled of q a class at the first points. */
typedef struct {
    gnd_points z;
    gnd_real *prob;
    int32_t *point, *cls;
    gnd_labelled labelled;
} world;

static world world_of(int64_t n, double noise, int64_t q)
{
    world w = {.z = blobs_new(n, R, C, noise)};

    w.z.value = calloc(R, sizeof *w.z.value);
    w.prob = calloc((size_t)(n * C), sizeof *w.prob);
    w.point = calloc((size_t)(q * C), sizeof *w.point);
    w.cls = calloc((size_t)(q * C), sizeof *w.cls);
    assert_true(w.z.value && w.prob && w.point && w.cls);
    w.z.spread = 4;
    for (int64_t k = 0; k < R; k++)
        w.z.value[k] = R - (double)k;
    for (int64_t i = 0; i < n; i++)
        w.prob[i * C + i % C] = 1;
    for (int64_t k = 0; k < q * C; k++) {
        w.point[k] = (int32_t)k;
        w.cls[k] = (int32_t)(k % C);
    }
    w.labelled = (gnd_labelled){.point = w.point,
                                .cls = w.cls,
                                .n = q * C,
                                .n_class = C,
                                .shrink = 0.5,
                                .label_weight = 0.1};
    return w;
}

static void world_free(world *w)
{
    gnd_points_fini(&w->z);
    free(w->prob);
    free(w->point);
    free(w->cls);
}

static gnd_resampling rehearsal_of(const world *w, gnd_pool *pool)
{
    gnd_resampling r;
    gnd_error err;

    CHECK_OK(gnd_stability(&r, &(gnd_fit_shape){gnd_fit_soft, &w->z, R, 1}, w->prob, &w->labelled,
                           pool, &err));
    assert_true(r.fit >= 0 && r.fit <= 1 + 1e-12 && r.prototype >= 0 && r.prototype <= 1 + 1e-12);
    return r;
}

/* Point i is said to be of another class than it is. */
static void mistake(world *w, int64_t i)
{
    gnd_real *row = w->prob + i * C;

    memset(row, 0, C * sizeof *row);
    row[(i + 1) % C] = 1;
}

/* ---- what it tells ---- */

static void clear_classes_are_told_again(void **state)
{
    for (int64_t q = 1; q <= 5; q += 4) {
        world w = world_of(400, 0.2, q);
        const gnd_resampling r = rehearsal_of(&w, NULL);

        CHECK_CLOSE(r.prototype, 1, 1e-12);
        CHECK_CLOSE(r.fit, 1, 1e-12);
        world_free(&w);
    }
    (void)state;
}

/* One point in ten is said to be what it is not: with enough labels all others are told again, and
 * these never. */
static void what_points_do_not_show_is_not_told_again(void **state)
{
    world w = world_of(1000, 0.2, 40);
    gnd_resampling r;
    (void)state;

    for (int64_t i = 0; i < 1000; i += 10)
        mistake(&w, i);
    r = rehearsal_of(&w, NULL);
    CHECK_CLOSE(r.prototype, 0.9, 0.01); /* a tenth of those that are not drawn, nearly */
    CHECK_CLOSE(r.fit, 0.9, 0.01);
    world_free(&w);
}

/* Classes that have nothing to do with the points: a quarter by chance. */
static void chance_is_not_told_again(void **state)
{
    world w = world_of(2000, 0.2, 3);
    gnd_resampling r;
    (void)state;

    memset(w.prob, 0, (size_t)(2000 * C) * sizeof *w.prob);
    for (int64_t i = 0; i < 2000; i++)
        w.prob[i * C + (int64_t)(C * gnd_rng_uniform(5, 1, (uint64_t)i))] = 1;
    r = rehearsal_of(&w, NULL);
    CHECK_CLOSE(r.prototype, 0.25, 0.05);
    CHECK_CLOSE(r.fit, 0.25, 0.05);
    world_free(&w);
}

/* Clouds so wide that a label seldom lies in the middle of its own: more labels help, and so does
 * growing from them. */
static void wide_clouds(void **state)
{
    world one = world_of(2000, 0.6, 1), five = world_of(2000, 0.6, 5);
    const gnd_resampling a = rehearsal_of(&one, NULL), b = rehearsal_of(&five, NULL);
    (void)state;

    fprintf(stderr, "%g %g %g %g\n", a.prototype, a.fit, b.prototype, b.fit);
    assert_true(a.prototype > 0.35 && a.prototype < 0.9);
    assert_true(b.prototype > a.prototype + 0.05);
    assert_true(b.fit > a.fit);
    assert_true(a.fit > a.prototype + 0.03);
    world_free(&one);
    world_free(&five);
}

/* ---- who takes part ---- */

/* Of many, some; whatever the order they come in: classes by turns, which have nothing to do with
 * the points, are not told again. */
static void some_of_many(void **state)
{
    enum { MANY = 8192 };
    world w = world_of(MANY, 0.2, 4);
    gnd_resampling r;
    (void)state;

    for (int64_t i = 0; i < MANY; i++) {
        const int64_t from = C * (i % 64) + (int64_t)(C * gnd_rng_uniform(6, 1, (uint64_t)i));

        memcpy(w.z.z + i * R, w.z.z + from * R, R * sizeof *w.z.z);
    }
    r = rehearsal_of(&w, NULL);
    CHECK_CLOSE(r.prototype, 0.25, 0.05);
    CHECK_CLOSE(r.fit, 0.25, 0.05);
    world_free(&w);
}

/* As many labels as there are points, of classes that nobody can tell. */
static void labels_of_all(void **state)
{
    world w = world_of(400, 0.2, 100);
    gnd_resampling r;
    (void)state;

    memset(w.prob, 0, (size_t)(400 * C) * sizeof *w.prob);
    for (int64_t i = 0; i < 400; i++)
        w.prob[i * C + (int64_t)(C * gnd_rng_uniform(5, 1, (uint64_t)i))] = 1;
    r = rehearsal_of(&w, NULL);
    CHECK_CLOSE(r.prototype, 0.25, 0.1);
    world_free(&w);
}

/* Points of which nothing is known take no part; without others there is nothing to tell. */
static void points_in_the_middle(void **state)
{
    world w = world_of(400, 0.2, 2);
    gnd_resampling r;
    (void)state;

    for (int64_t i = 0; i < 400; i++)
        if (i % 8 >= 4) {
            memset(w.z.z + i * R, 0, R * sizeof *w.z.z);
            mistake(&w, i);
        }
    r = rehearsal_of(&w, NULL);
    CHECK_CLOSE(r.prototype, 1, 1e-12);
    CHECK_CLOSE(r.fit, 1, 1e-12);
    memset(w.z.z, 0, (size_t)(400 * R) * sizeof *w.z.z);
    r = rehearsal_of(&w, NULL);
    assert_true(r.prototype == 1 && r.fit == 1);
    world_free(&w);
}

/* A class that no point has, and one that no label has. */
static void classes_without_points(void **state)
{
    world w = world_of(400, 0.2, 2);
    gnd_resampling r;
    (void)state;

    for (int64_t i = 3; i < 400; i += C) {
        memset(w.prob + i * C, 0, C * sizeof *w.prob);
        w.prob[i * C] = 1;
    }
    r = rehearsal_of(&w, NULL); /* the cloud of class 3 is said to be of class 0 */
    assert_true(r.prototype > 0.7);
    for (int64_t k = 0; k < w.labelled.n; k++)
        w.cls[k] = w.cls[k] == 2 ? 1 : w.cls[k];
    r = rehearsal_of(&w, NULL);
    assert_true(r.prototype < 0.76); /* class 2 is a quarter, and is never told */
    world_free(&w);
}

static void threads_do_not_matter(void **state)
{
    world w = world_of(3000, 0.9, 2);
    const gnd_resampling one = rehearsal_of(&w, NULL);
    (void)state;

    for (int threads = 2; threads <= 5; threads += 3) {
        gnd_pool *pool = eager_pool(threads);
        const gnd_resampling r = rehearsal_of(&w, pool);

        assert_true(r.fit == one.fit && r.prototype == one.prototype);
        gnd_pool_free(pool);
    }
    world_free(&w);
}

/* In vain: the classes are not told again, nor closer than by prototypes. */
static void grown_in_vain(void **state)
{
    (void)state;
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 0.7, .prototype = 0.68}), 1, 1e-12);
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 0.7, .prototype = 0.6}), 0, 1e-12);
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 0.9, .prototype = 0.9}), 0, 1e-12);
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 0.8, .prototype = 0.8}), 0.5, 1e-12);
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 0.66, .prototype = 0.6}), 0.5, 1e-9);
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 0.7, .prototype = 0.8}), 1, 1e-12);
    CHECK_CLOSE(gnd_instability(&(gnd_resampling){.fit = 1, .prototype = 1}), 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_classes_are_told_again),
        cmocka_unit_test(what_points_do_not_show_is_not_told_again),
        cmocka_unit_test(chance_is_not_told_again),
        cmocka_unit_test(wide_clouds),
        cmocka_unit_test(some_of_many),
        cmocka_unit_test(labels_of_all),
        cmocka_unit_test(points_in_the_middle),
        cmocka_unit_test(classes_without_points),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(grown_in_vain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
