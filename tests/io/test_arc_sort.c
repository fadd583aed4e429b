/* SPDX-License-Identifier: MIT
 * test_arc_sort.c - the external sort of arcs gives what qsort gives, whatever the distribution of
 * the arcs, the memory and the number of threads; it says when the memory is too small. */
#include "io/arc_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"

enum { N = 200000 };

typedef struct {
    uint64_t key;
    float weight;
} arc;

static uint64_t state_now;

static uint64_t draw(uint64_t n)
{
    return gnd_mix64(++state_now * UINT64_C(0x9e3779b97f4a7c15)) % n;
}

enum { UNIFORM, ASCENDING, HUB, FEW, ONE, WIDE, SKEWED, N_SHAPE };

static uint64_t arc_of(int shape, int64_t i)
{
    const int32_t u = (int32_t)draw(100000), v = (int32_t)draw(100000);

    switch (shape) {
    case UNIFORM:
        return gnd_arc_key(u, v);
    case ASCENDING:
        return gnd_arc_key((int32_t)(i / 7), v);
    case HUB:
        return gnd_arc_key(draw(10) ? 77777 : u, v);
    case FEW:
        return gnd_arc_key((int32_t)draw(30), (int32_t)draw(30));
    case ONE:
        return gnd_arc_key(0, 0);
    case WIDE:
        return gnd_arc_key((int32_t)draw(2) * (INT32_MAX - 1), INT32_MAX - 1 - v);
    default:
        return gnd_arc_key((int32_t)draw(1 + draw(1 << draw(24))),
                           (int32_t)draw(1 + draw(1 << draw(24))));
    }
}

static int by_key(const void *x, const void *y)
{
    const arc *a = x, *b = y;

    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->weight < b->weight) - (a->weight > b->weight);
}

/* Sort n arcs of a shape with `memory` bytes, and compare. */
static void agree(int shape, int64_t n, int64_t memory, bool weighted, gnd_pool *pool)
{
    arc *all = gnd_alloc(N, sizeof *all);
    uint64_t *key = gnd_alloc(N, sizeof *key);
    float *weight = gnd_alloc(N, sizeof *weight);
    const gnd_arc_part *part;
    gnd_arc_sort *s = NULL;
    int64_t at = 0;
    int n_part = 1;
    gnd_error err;

    for (int64_t i = 0; i < n; i++) {
        key[i] = arc_of(shape, i);
        weight[i] = weighted ? (float)draw(100) : 1;
        all[i] = (arc){key[i], weight[i]};
    }
    CHECK_OK(gnd_arc_sort_new(&s, memory, weighted, ".", "e.csv", pool, &err));
    for (int64_t i = 0, some; i < n; i += some) {
        some = 1 + (int64_t)draw(5000);
        some = some < n - i ? some : n - i;
        CHECK_OK(gnd_arc_sort_add(s, key + i, weighted ? weight + i : NULL, some, &err));
    }
    assert_int_equal(gnd_arc_sort_count(s), n);
    qsort(all, (size_t)n, sizeof *all, by_key);
    CHECK_OK(gnd_arc_sort_finish(s, &err));
    while (n_part > 0) {
        CHECK_OK(gnd_arc_sort_next(s, &part, &n_part, &err));
        assert_true(n_part <= gnd_arc_sort_parts(s));
        for (int k = 0; k < n_part; k++) {
            assert_true(part[k].n <= gnd_arc_sort_most(s));
            for (int64_t i = 0; i < part[k].n; i++) {
                assert_true(at < n && part[k].key[i] == all[at].key);
                assert_true(!weighted || part[k].weight[i] == all[at].weight);
                part[k].room[i] = 0; /* the caller may use it */
                for (at++; at < n && all[at].key == all[at - 1].key;)
                    at++;
            }
        }
    }
    assert_int_equal(at, n);
    gnd_arc_sort_free(s);
    gnd_free(weight);
    gnd_free(key);
    gnd_free(all);
}

static void sorts(void **state)
{
    gnd_pool *pools[] = {NULL, gnd_pool_new(3)};

    (void)state;
    for (int shape = 0; shape < N_SHAPE; shape++)
        for (int k = 0; k < 8; k++)
            agree(shape, N, k / 4 ? 1 << 23 : 1 << 19, k & 1, pools[k / 2 % 2]);
    for (int64_t n = 0; n < 40; n++)
        agree(FEW, n, 1, n % 2, pools[n / 2 % 2]);
    agree(UNIFORM, 20000, 1, true, pools[1]);
    gnd_pool_free(pools[1]);
}

/* Runs need room for two blocks each. */
static void too_many_runs(void **state)
{
    uint64_t key[256];
    gnd_arc_sort *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_arc_sort_new(&s, 1, false, ".", "e.csv", NULL, &err));
    for (int i = 0; i < 256; i++)
        key[i] = arc_of(UNIFORM, i);
    while (gnd_arc_sort_add(s, key, NULL, 256, &err) == GND_OK) /* it fails before all is read */
        assert_true(gnd_arc_sort_count(s) < 200 * 256);
    assert_int_equal(err.code, GND_ERR_NOMEM);
    assert_non_null(strstr(err.msg, "e.csv: the memory is too small to merge more than "));
    gnd_arc_sort_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts),
        cmocka_unit_test(too_many_runs),
    };

    setenv("GND_PARALLEL_MIN", "0", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
