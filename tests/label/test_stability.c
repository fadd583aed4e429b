/* SPDX-License-Identifier: MIT
 * test_stability.c - labels drawn anew, where it is known what they can tell. */
#include "label/stability.h"

#include "linalg/blobs.h"

enum { R = 8, C = 4 };

/* prob: [n, C] the class of each point for certain; q labels per class on the first points. */
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
    w.labelled = (gnd_labelled){.point = w.point, .cls = w.cls, .n = q * C, .n_class = C};
    return w;
}

static void world_free(world *w)
{
    gnd_points_fini(&w->z);
    free(w->prob);
    free(w->point);
    free(w->cls);
}

static double stability_of(const world *w, gnd_pool *pool)
{
    double share;
    gnd_error err;

    CHECK_OK(
        gnd_stability(&share, &(gnd_fit_shape){&w->z, R, 1}, w->prob, &w->labelled, pool, &err));
    assert_true(share >= 0 && share <= 1 + 1e-12);
    return share;
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

        CHECK_CLOSE(stability_of(&w, NULL), 1, 1e-12);
        world_free(&w);
    }
    (void)state;
}

/* One point in ten has a wrong class: with enough labels all others are found again, and these are
 * not. */
static void what_points_do_not_show_is_not_told_again(void **state)
{
    world w = world_of(1000, 0.2, 40);

    (void)state;
    for (int64_t i = 0; i < 1000; i += 10)
        mistake(&w, i);
    CHECK_CLOSE(stability_of(&w, NULL), 0.9, 0.01); /* a tenth of those not drawn, nearly */
    world_free(&w);
}

/* Classes that have nothing to do with the points: a quarter by chance. */
static void chance_is_not_told_again(void **state)
{
    world w = world_of(2000, 0.2, 3);

    (void)state;
    memset(w.prob, 0, (size_t)(2000 * C) * sizeof *w.prob);
    for (int64_t i = 0; i < 2000; i++)
        w.prob[i * C + (int64_t)(C * gnd_rng_uniform(5, 1, (uint64_t)i))] = 1;
    CHECK_CLOSE(stability_of(&w, NULL), 0.25, 0.05);
    world_free(&w);
}

/* Clouds so wide that a label seldom lies in the middle of its own: more labels help. */
static void wide_clouds(void **state)
{
    world one = world_of(2000, 0.6, 1), five = world_of(2000, 0.6, 5);
    const double a = stability_of(&one, NULL), b = stability_of(&five, NULL);

    (void)state;
    assert_true(a > 0.35 && a < 0.95);
    assert_true(b > a + 0.05);
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

    (void)state;
    for (int64_t i = 0; i < MANY; i++) {
        const int64_t from = C * (i % 64) + (int64_t)(C * gnd_rng_uniform(6, 1, (uint64_t)i));

        memcpy(w.z.z + i * R, w.z.z + from * R, R * sizeof *w.z.z);
    }
    CHECK_CLOSE(stability_of(&w, NULL), 0.25, 0.05);
    world_free(&w);
}

/* As many labels as there are points, of classes that nobody can tell. */
static void labels_of_all(void **state)
{
    world w = world_of(400, 0.2, 100);

    (void)state;
    memset(w.prob, 0, (size_t)(400 * C) * sizeof *w.prob);
    for (int64_t i = 0; i < 400; i++)
        w.prob[i * C + (int64_t)(C * gnd_rng_uniform(5, 1, (uint64_t)i))] = 1;
    CHECK_CLOSE(stability_of(&w, NULL), 0.25, 0.1);
    world_free(&w);
}

/* Points of which nothing is known take no part; without others there is nothing to tell. */
static void points_in_the_middle(void **state)
{
    world w = world_of(400, 0.2, 2);

    (void)state;
    for (int64_t i = 0; i < 400; i++)
        if (i % 8 >= 4) {
            memset(w.z.z + i * R, 0, R * sizeof *w.z.z);
            mistake(&w, i);
        }
    CHECK_CLOSE(stability_of(&w, NULL), 1, 1e-12);
    memset(w.z.z, 0, (size_t)(400 * R) * sizeof *w.z.z);
    assert_true(stability_of(&w, NULL) == 1);
    world_free(&w);
}

/* A class that no point has, and one that no label has. */
static void classes_without_points(void **state)
{
    world w = world_of(400, 0.2, 2);

    (void)state;
    for (int64_t i = 3; i < 400; i += C) {
        memset(w.prob + i * C, 0, C * sizeof *w.prob);
        w.prob[i * C] = 1;
    }
    assert_true(stability_of(&w, NULL) > 0.7); /* the cloud of class 3 is said to be of class 0 */
    for (int64_t k = 0; k < w.labelled.n; k++)
        w.cls[k] = w.cls[k] == 2 ? 1 : w.cls[k];
    assert_true(stability_of(&w, NULL) < 0.76); /* class 2 is a quarter, and is never found */
    world_free(&w);
}

static void threads_do_not_matter(void **state)
{
    world w = world_of(3000, 0.9, 2);
    const double one = stability_of(&w, NULL);

    (void)state;
    for (int threads = 2; threads <= 5; threads += 3) {
        gnd_pool *pool = eager_pool(threads);

        assert_true(stability_of(&w, pool) == one);
        gnd_pool_free(pool);
    }
    world_free(&w);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
