/* SPDX-License-Identifier: MIT
 * test_arena_nomem.c - blocks that do not meet, memory that is used again, memory that runs out. */
#include "base/arena.h"
#include "mallocfail.h"

enum { N = 400 };

static int64_t size_of(int k)
{
    return k % 50 == 49 ? 700000 + k : (k * 37) % 5000; /* some larger than a chunk */
}

/* Ask for N blocks, fill each with its number, and see that all kept theirs. */
static void fill(gnd_arena *a, unsigned char **p)
{
    for (int k = 0; k < N; k++) {
        p[k] = gnd_arena_alloc(a, size_of(k), 1);
        assert_non_null(p[k]);
        assert_int_equal((uintptr_t)p[k] % 64, 0);
        memset(p[k], k % 251, (size_t)size_of(k));
    }
    for (int k = 0; k < N; k++)
        for (int64_t i = 0; i < size_of(k); i += 97)
            assert_int_equal(p[k][i], k % 251);
}

static void second_pass_allocates_nothing(void **state)
{
    gnd_arena a = {0};
    unsigned char *first[N], *second[N];

    (void)state;
    mallocfail_allow(-1);
    fill(&a, first);
    assert_true(mallocfail_count() > 0);
    for (int pass = 0; pass < 3; pass++) {
        gnd_arena_reset(&a);
        mallocfail_allow(0);
        fill(&a, second);
        assert_int_equal(mallocfail_count(), 0);
        assert_memory_equal(first, second, sizeof first);
        mallocfail_allow(-1);
    }
    gnd_arena_fini(&a);
    assert_null(a.first);
}

/* What is allocated after a mark is released, and used again without new memory. */
static void release(void **state)
{
    gnd_arena a = {0};
    gnd_arena_mark mark = gnd_arena_mark_get(&a);
    unsigned char *first[N], *second[N], *kept;

    (void)state;
    mallocfail_allow(-1);
    kept = gnd_arena_alloc(&a, 100, 1);
    gnd_arena_release(&a, mark); /* of an empty arena */
    assert_int_equal(gnd_arena_used(&a), 0);
    assert_ptr_equal(gnd_arena_alloc(&a, 100, 1), kept);
    memset(kept, 9, 100);
    mark = gnd_arena_mark_get(&a);
    fill(&a, first);
    for (int pass = 0; pass < 3; pass++) {
        gnd_arena_release(&a, mark);
        assert_int_equal(gnd_arena_used(&a), 128);
        mallocfail_allow(0);
        fill(&a, second);
        assert_memory_equal(first, second, sizeof first);
        mallocfail_allow(-1);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(kept[i], 9);
    gnd_arena_fini(&a);
}

static void runs_out(void **state)
{
    gnd_arena a = {0};
    unsigned char *p;

    (void)state;
    for (int64_t k = 0; k < 2; k++) { /* a chunk takes two allocations */
        mallocfail_allow(k);
        assert_null(gnd_arena_alloc(&a, 10, 1));
    }
    mallocfail_allow(2);
    p = gnd_arena_alloc(&a, 10, 1);
    assert_non_null(p);
    p[9] = 7;
    assert_null(gnd_arena_alloc(&a, 1 << 20, 1));
    assert_non_null(gnd_arena_alloc(&a, 10, 1)); /* what fits still does */
    assert_int_equal(p[9], 7);
    mallocfail_allow(-1);
    assert_null(gnd_arena_alloc(&a, -1, 4));
    assert_null(gnd_arena_alloc(&a, INT64_MAX, 4));
    gnd_arena_fini(&a);
}

static void empty(void **state)
{
    gnd_arena a = {0};

    (void)state;
    gnd_arena_reset(&a);
    assert_non_null(gnd_arena_alloc(&a, 0, 8));
    gnd_arena_fini(&a);
    gnd_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_pass_allocates_nothing),
        cmocka_unit_test(release),
        cmocka_unit_test(runs_out),
        cmocka_unit_test(empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
