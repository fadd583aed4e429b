/* SPDX-License-Identifier: MIT
 * parallel.h - the only place that knows threads. Work is cut into fixed pieces that never depend
 * on the number of threads; callers write disjoint outputs a piece, so bits do not depend on it
 * either. */
#ifndef GND_BASE_PARALLEL_H
#define GND_BASE_PARALLEL_H

#include <stdint.h>

typedef struct gnd_pool gnd_pool;

enum { GND_THREADS_MAX = 1024 };

/* A pool of `threads` threads, the caller counting as one; 0: as many as CPUs. The threads sleep
 * between jobs. NULL if memory or threads are short. A NULL pool is valid below: it runs
 * serially. */
gnd_pool *gnd_pool_new(int threads);
void gnd_pool_free(gnd_pool *pool);
int gnd_pool_threads(const gnd_pool *pool);

/* fn(begin, end, arg) for pieces that cover 0..n-1, each of at most `grain` items.
 * cost: about how many multiply-adds the whole job takes; below the pool's threshold
 * (GND_PARALLEL_MIN, default 1000000) it runs in the caller, since waking threads would cost more
 * than it saves. */
void gnd_parallel_for(gnd_pool *pool, int64_t n, int64_t grain, int64_t cost,
                      void (*fn)(int64_t begin, int64_t end, void *arg), void *arg);

/* One at a time: for callbacks out of parallel work. NULL from new: no memory. */
typedef struct gnd_lock gnd_lock;
gnd_lock *gnd_lock_new(void);
void gnd_lock_free(gnd_lock *l);
void gnd_lock_take(gnd_lock *l);
void gnd_lock_give(gnd_lock *l);
/* With the lock taken: give it, sleep until gnd_lock_wake or ms milliseconds, take it again. */
void gnd_lock_wait(gnd_lock *l, int64_t ms);
/* Wake all who wait. */
void gnd_lock_wake(gnd_lock *l);

/* As many CPUs as this process may use. */
int gnd_cpu_count(void);

#endif
