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

enum { DEFAULT_MIN_COST = 1000000 };

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
};

int gnd_cpu_count(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Which thread takes which piece varies; what a piece computes does not. */
static void run_pieces(gnd_pool *pool, const job *j)
{
    const int64_t n_piece = (j->n + j->grain - 1) / j->grain;

    for (;;) {
        const int64_t k = atomic_fetch_add_explicit(&pool->piece, 1, memory_order_relaxed);

        if (k >= n_piece)
            return;
        j->fn(k * j->grain, k * j->grain + j->grain < j->n ? k * j->grain + j->grain : j->n,
              j->arg);
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
        run_pieces(pool, &j);
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
    pthread_cond_init(&pool->idle, NULL);
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
        for (int64_t i = 0; i < n; i += grain)
            fn(i, i + grain < n ? i + grain : n, arg);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->job = (job){.n = n, .grain = grain, .fn = fn, .arg = arg};
    atomic_store(&pool->piece, 0);
    pool->busy = pool->n_thread;
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    run_pieces(pool, &(job){.n = n, .grain = grain, .fn = fn, .arg = arg});
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

struct gnd_lock {
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

gnd_lock *gnd_lock_new(void)
{
    gnd_lock *l = gnd_alloc(1, sizeof *l);
    pthread_condattr_t attr;

    if (!l)
        return NULL;
    pthread_mutex_init(&l->mutex, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr,
                              CLOCK_MONOTONIC); /* the timeout does not depend on the system date */
    pthread_cond_init(&l->wake, &attr);
    pthread_condattr_destroy(&attr);
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
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&l->wake, &l->mutex, &until);
}

void gnd_lock_wake(gnd_lock *l)
{
    pthread_cond_broadcast(&l->wake);
}
