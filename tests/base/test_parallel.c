/* SPDX-License-Identifier: MIT
 * test_parallel.c - every item once, the same bits for any number of threads. */
#include <pthread.h>
#include <time.h>
#include <stdatomic.h>

#include "base/parallel.h"
#include "check.h"

typedef struct {
    float *sum;         /* one a piece */
    atomic_int *visits; /* one an item */
    int64_t grain;
    atomic_llong calls, strangers; /* calls in all, and by threads other than the caller */
    pthread_t caller;
} work;

/* A sum whose bits depend on its order: pieces must be the same whoever runs them. */
static void add_up(int64_t begin, int64_t end, void *arg)
{
    work *w = arg;
    float s = 0;

    for (int64_t i = begin; i < end; i++) {
        s += 1.0f / (float)(1 + (i * 7919) % 10007);
        atomic_fetch_add(&w->visits[i], 1);
    }
    w->sum[begin / w->grain] = s;
    atomic_fetch_add(&w->calls, 1);
    if (!pthread_equal(pthread_self(), w->caller))
        atomic_fetch_add(&w->strangers, 1);
}

static float *run(gnd_pool *pool, int64_t n, int64_t grain, int64_t cost, work *w)
{
    const int64_t n_piece = n > 0 ? (n + grain - 1) / grain : 0;

    *w = (work){.grain = grain, .caller = pthread_self()};
    w->sum = calloc((size_t)n_piece + 1, sizeof *w->sum);
    w->visits = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *w->visits);
    gnd_parallel_for(pool, n, grain, cost, add_up, w);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(w->visits[i], 1);
    assert_int_equal(w->calls, n_piece);
    free(w->visits);
    return w->sum;
}

static void same_bits(void **state)
{
    static const int threads[] = {1, 2, 7};
    static const int64_t sizes[][2] = {{1, 1},     {5, 1},      {5, 100},  {64, 64},
                                       {1000, 13}, {20000, 64}, {3, 1000}, {4999, 5000}};

    (void)state;
    setenv("GND_PARALLEL_MIN", "0", 1);
    for (int64_t k = 0; k < LENGTH(sizes); k++) {
        const int64_t n = sizes[k][0], grain = sizes[k][1];
        work w;
        float *want = run(NULL, n, grain, 0, &w);

        for (int64_t t = 0; t < LENGTH(threads); t++) {
            gnd_pool *pool = gnd_pool_new(threads[t]);

            assert_int_equal(gnd_pool_threads(pool), threads[t]);
            for (int repeat = 0; repeat < 20; repeat++) {
                float *got = run(pool, n, grain, 0, &w);

                assert_memory_equal(got, want, (size_t)((n + grain - 1) / grain) * sizeof *want);
                free(got);
            }
            gnd_pool_free(pool);
        }
        free(want);
    }
}

static void nothing_to_do(void **state)
{
    gnd_pool *pool = gnd_pool_new(3);
    work w;

    (void)state;
    free(run(pool, 0, 4, 0, &w));
    free(run(pool, -3, 4, 0, &w));
    free(run(NULL, 0, 4, 0, &w));
    gnd_pool_free(pool);
    gnd_pool_free(NULL);
    assert_int_equal(gnd_pool_threads(NULL), 1);
}

/* Cheap jobs stay with the caller; the threshold is that of GND_PARALLEL_MIN. */
static void cheap_jobs_stay(void **state)
{
    gnd_pool *pool;
    work w;

    (void)state;
    unsetenv("GND_PARALLEL_MIN");
    pool = gnd_pool_new(4);
    for (int repeat = 0; repeat < 50; repeat++) {
        free(run(pool, 400, 1, 499999, &w));
        assert_int_equal(w.strangers, 0);
    }
    gnd_pool_free(pool);
    setenv("GND_PARALLEL_MIN", "100", 1);
    pool = gnd_pool_new(4);
    free(run(pool, 400, 1, 99, &w));
    assert_int_equal(w.strangers, 0);
    gnd_pool_free(pool);
}

/* Two pieces that wait for each other end only if two threads run them. */
static void meet(int64_t begin, int64_t end, void *arg)
{
    pthread_barrier_t *barrier = arg;

    (void)begin;
    (void)end;
    pthread_barrier_wait(barrier);
}

static void dear_jobs_are_shared(void **state)
{
    gnd_pool *pool;
    pthread_barrier_t barrier;

    (void)state;
    setenv("GND_PARALLEL_MIN", "100", 1);
    pool = gnd_pool_new(2);
    pthread_barrier_init(&barrier, NULL, 2);
    for (int repeat = 0; repeat < 100; repeat++)
        gnd_parallel_for(pool, 2, 1, 100, meet, &barrier);
    pthread_barrier_destroy(&barrier);
    gnd_pool_free(pool);
}

typedef struct {
    gnd_lock *lock;
    int turn;
} relay;

/* Two pieces take turns: each sleeps until the other wakes it. */
static void take_turns(int64_t begin, int64_t end, void *arg)
{
    relay *r = arg;

    (void)end;
    gnd_lock_take(r->lock);
    for (int k = 0; k < 50; k++) {
        while (r->turn % 2 != begin)
            gnd_lock_wait(r->lock, 1000000);
        r->turn++;
        gnd_lock_wake(r->lock);
    }
    gnd_lock_release(r->lock);
}

static void locks_wake_and_end(void **state)
{
    gnd_pool *pool = gnd_pool_new(2);
    relay r = {.lock = gnd_lock_new()};
    struct timespec a, b;

    (void)state;
    gnd_parallel_for(pool, 2, 1, INT64_MAX, take_turns, &r);
    assert_int_equal(r.turn, 100);
    clock_gettime(CLOCK_MONOTONIC, &a);
    gnd_lock_take(r.lock);
    for (int k = 0; k < 3; k++)
        gnd_lock_wait(r.lock, 20); /* nobody wakes us */
    gnd_lock_release(r.lock);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert_true((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec) > 0.019);
    gnd_lock_free(r.lock);
    gnd_pool_free(pool);
}

static void cpu_count(void **state)
{
    gnd_pool *pool = gnd_pool_new(0);

    (void)state;
    assert_true(gnd_cpu_count() >= 1);
    assert_int_equal(gnd_pool_threads(pool), gnd_cpu_count());
    gnd_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),          cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(cheap_jobs_stay),    cmocka_unit_test(dear_jobs_are_shared),
        cmocka_unit_test(locks_wake_and_end), cmocka_unit_test(cpu_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
