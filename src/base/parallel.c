/* SPDX-License-Identifier: MIT
 * parallel.c - a pool of pthreads.
 *
 * Waiting threads sleep on a condition variable instead of spinning: on a shared machine, a
 * spinning barrier is slower by orders of magnitude when one of its threads is descheduled. */
#define _GNU_SOURCE
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "alloc.h"

enum { DEFAULT_MIN_COST = 1000000, WAIT_MS = 50 };

typedef struct {
    int64_t n, grain;
    void (*fn)(int64_t, int64_t, void *);
    void *arg;
} job;

struct gnd_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    pthread_t *thread;
    int n_thread; /* threads of the pool; the caller is one more */
    int64_t min_cost;
    job job;
    uint64_t round; /* incremented for each job */
    int busy;       /* threads still working on the present job */
    bool quit;
    atomic_llong piece; /* next piece to take */
    gnd_ticker tick;
};

uintptr_t gnd_thread_self(void)
{
    return (uintptr_t)pthread_self();
}

/* A condition variable whose timeout does not depend on the system date. */
static void cond_init(pthread_cond_t *c)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(c, &attr);
    pthread_condattr_destroy(&attr);
}

static void wait_for(pthread_cond_t *c, pthread_mutex_t *lock, int64_t ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(c, lock, &until);
}

int gnd_cpu_count(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Which thread takes which piece varies; what a piece computes does not. tick: NULL in threads of
 * the pool. */
static void run_pieces(gnd_pool *pool, const job *j, gnd_ticker *tick)
{
    const int64_t n_piece = (j->n + j->grain - 1) / j->grain;

    for (;;) {
        const int64_t k = atomic_fetch_add_explicit(&pool->piece, 1, memory_order_relaxed);

        if (k >= n_piece)
            return;
        j->fn(k * j->grain, k * j->grain + j->grain < j->n ? k * j->grain + j->grain : j->n,
              j->arg);
        if (tick)
            gnd_tick_call(tick);
    }
}

static void *worker(void *arg)
{
    gnd_pool *pool = arg;
    uint64_t seen = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->quit)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->quit)
            break;
        seen = pool->round;
        const job j = pool->job;

        pthread_mutex_unlock(&pool->lock);
        run_pieces(pool, &j, NULL);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

gnd_pool *gnd_pool_new(int threads)
{
    const char *min = getenv("GND_PARALLEL_MIN");
    gnd_pool *pool = gnd_alloc(1, sizeof *pool);
    sigset_t all, old;

    if (!pool)
        return NULL;
    if (threads <= 0)
        threads = gnd_cpu_count();
    if (threads > GND_THREADS_MAX)
        threads = GND_THREADS_MAX;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    cond_init(&pool->idle);
    pool->min_cost = min && *min ? strtoll(min, NULL, 10) : DEFAULT_MIN_COST;
    pool->thread = gnd_alloc(threads, sizeof *pool->thread);
    if (!pool->thread) {
        gnd_pool_free(pool);
        return NULL;
    }
    sigfillset(&all); /* signals are handled by the caller's thread */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pool->n_thread < threads - 1 &&
           pthread_create(&pool->thread[pool->n_thread], NULL, worker, pool) == 0)
        pool->n_thread++; /* with fewer threads than requested the pool is slower, but correct */
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return pool;
}

void gnd_pool_free(gnd_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->n_thread; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    gnd_free(pool->thread);
    gnd_free(pool);
}

int gnd_pool_threads(const gnd_pool *pool)
{
    return pool ? pool->n_thread + 1 : 1;
}

void gnd_parallel_for(gnd_pool *pool, int64_t n, int64_t grain, int64_t cost,
                      void (*fn)(int64_t begin, int64_t end, void *arg), void *arg)
{
    if (n <= 0)
        return;
    if (grain < 1)
        grain = 1;
    if (!pool || pool->n_thread == 0 || cost < pool->min_cost || n <= grain) {
        for (int64_t i = 0; i < n; i += grain) {
            fn(i, i + grain < n ? i + grain : n, arg);
            if (pool && pool->tick.fn)
                gnd_tick_call(&pool->tick);
        }
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->job = (job){.n = n, .grain = grain, .fn = fn, .arg = arg};
    atomic_store(&pool->piece, 0);
    pool->busy = pool->n_thread;
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    run_pieces(pool, &(job){.n = n, .grain = grain, .fn = fn, .arg = arg},
               pool->tick.fn ? &pool->tick : NULL);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        if (!pool->tick.fn) {
            pthread_cond_wait(&pool->idle, &pool->lock);
            continue;
        }
        wait_for(&pool->idle, &pool->lock, WAIT_MS);
        pthread_mutex_unlock(&pool->lock);
        gnd_tick_call(&pool->tick);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void gnd_pool_set_tick(gnd_pool *pool, gnd_on_progress *fn, void *user, const char *stage)
{
    gnd_tick_init(&pool->tick, fn, user, stage);
}

gnd_status gnd_pool_check(gnd_pool *pool, gnd_error *err)
{
    if (!pool || !gnd_tick_call(&pool->tick))
        return GND_OK;
    return gnd_fail(err, GND_ERR_STOPPED, "stopped while %s", pool->tick.stage);
}

bool gnd_pool_stopped(const gnd_pool *pool)
{
    return pool && gnd_tick_stopped(&pool->tick);
}

gnd_span gnd_pool_enter(gnd_pool *pool, double from, double to)
{
    const gnd_span at = pool ? pool->tick.span : (gnd_span){0, 1};
    const double width = at.end - at.begin;

    if (pool) {
        pool->tick.span = (gnd_span){at.begin + from * width, at.begin + to * width};
        gnd_tick_done(&pool->tick, 0);
    }
    return at;
}

void gnd_pool_leave(gnd_pool *pool, gnd_span before)
{
    if (pool) {
        gnd_tick_done(&pool->tick, 1);
        pool->tick.span = before;
    }
}

void gnd_pool_step(gnd_pool *pool, const char *step)
{
    if (pool)
        gnd_tick_step(&pool->tick, step);
}

void gnd_pool_done(gnd_pool *pool, double part)
{
    if (pool)
        gnd_tick_done(&pool->tick, part);
}

struct gnd_lock {
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

gnd_lock *gnd_lock_new(void)
{
    gnd_lock *l = gnd_alloc(1, sizeof *l);

    if (!l)
        return NULL;
    pthread_mutex_init(&l->mutex, NULL);
    cond_init(&l->wake);
    return l;
}

void gnd_lock_free(gnd_lock *l)
{
    if (l) {
        pthread_cond_destroy(&l->wake);
        pthread_mutex_destroy(&l->mutex);
    }
    gnd_free(l);
}

void gnd_lock_take(gnd_lock *l)
{
    pthread_mutex_lock(&l->mutex);
}

void gnd_lock_release(gnd_lock *l)
{
    pthread_mutex_unlock(&l->mutex);
}

void gnd_lock_wait(gnd_lock *l, int64_t ms)
{
    wait_for(&l->wake, &l->mutex, ms);
}

void gnd_lock_wake(gnd_lock *l)
{
    pthread_cond_broadcast(&l->wake);
}
