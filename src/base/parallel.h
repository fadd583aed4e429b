/* SPDX-License-Identifier: MIT
 * parallel.h - all use of threads. Work is divided into pieces that do not depend on the number of
 * threads; pieces write disjoint outputs, so results do not depend on it either. */
#ifndef GND_BASE_PARALLEL_H
#define GND_BASE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"
#include "tick.h"

typedef struct gnd_pool gnd_pool;

enum { GND_THREADS_MAX = 1024 };

/* A pool of `threads` threads, including the caller; 0 or less: one per CPU; at most
 * GND_THREADS_MAX. The threads sleep between
 * jobs. NULL if memory or threads are short. A NULL pool is valid below: it runs serially. */
gnd_pool *gnd_pool_new(int threads);
void gnd_pool_free(gnd_pool *pool);
int gnd_pool_threads(const gnd_pool *pool);

/* Call fn(begin, end, arg) for pieces that cover 0..n-1, each of at most `grain` items. cost:
 * approximate number of multiply-adds of the whole job; below the pool's threshold
 * (GND_PARALLEL_MIN, default 1000000) it runs in the caller, since waking threads would take longer
 * than it saves. */
void gnd_parallel_for(gnd_pool *pool, int64_t n, int64_t grain, int64_t cost,
                      void (*fn)(int64_t begin, int64_t end, void *arg), void *arg);

/* ---- progress and cancel: all for the thread that uses the pool, but gnd_pool_stopped ---- */

/* From now on gnd_parallel_for calls fn between pieces and while it waits, as gnd_on_progress says.
 * stage: a constant. fn NULL: nothing changes. */
void gnd_pool_set_tick(gnd_pool *pool, gnd_on_progress *fn, void *user, const char *stage);
/* For work outside of gnd_parallel_for: call the callback if it is time. GND_ERR_STOPPED if it
 * asked to stop, now or before. No piece of a job is left out then: who calls gnd_parallel_for in a
 * loop checks this, too. pool may be NULL here and below. */
gnd_status gnd_pool_check(gnd_pool *pool, gnd_error *err);
/* Has the callback asked to stop? From any thread, so that a long job can leave out the rest of its
 * pieces where this leaves no invalid index behind. */
bool gnd_pool_stopped(const gnd_pool *pool);
/* What follows, up to gnd_pool_leave, is the part from .. to (0..1) of the present step of the
 * call. Returns the present step. */
gnd_span gnd_pool_enter(gnd_pool *pool, double from, double to);
void gnd_pool_leave(gnd_pool *pool, gnd_span before);
/* What is being done, for the callback: "stage: step". NULL: the stage alone. */
void gnd_pool_step(gnd_pool *pool, const char *step);
/* `part` (0..1) of the present step is done. */
void gnd_pool_done(gnd_pool *pool, double part);

/* A mutex with a condition variable, for callbacks from parallel work. NULL from new: no memory. */
typedef struct gnd_lock gnd_lock;
gnd_lock *gnd_lock_new(void);
void gnd_lock_free(gnd_lock *l);
void gnd_lock_take(gnd_lock *l);
void gnd_lock_release(gnd_lock *l);
/* Release the lock, sleep until gnd_lock_wake or for ms milliseconds, and take the lock again. */
void gnd_lock_wait(gnd_lock *l, int64_t ms);
/* Wake all waiting threads. */
void gnd_lock_wake(gnd_lock *l);

/* A number that identifies the calling thread among those that run. */
uintptr_t gnd_thread_self(void);

/* Number of CPUs that this process may use. */
int gnd_cpu_count(void);

#endif
