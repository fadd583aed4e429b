/* SPDX-License-Identifier: MIT
 * compare.c - run configs x label counts x splits in parallel, one thread per run.
 *
 * Workers take runs in order, config by config, so that the inputs of a config (gnd_inputs) are
 * computed once and freed after its last run. While one worker computes them, the others start
 * runs of the next config. With a store, a run is claimed before it starts; runs that other
 * processes have claimed are checked again when nothing else is left. */
#include <math.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/parallel.h"
#include "clock.h"
#include "comparison.h"
#include "key.h"
#include "store.h"
#include "train/train.h"

/* Interval between two checks of other processes' claims, and time to sleep. */
enum { POLL_MS = 200, WAIT_MS = 50 };

typedef enum { PENDING, ELSEWHERE, RUNNING, DONE } run_state;

/* A config and what its runs share. */
typedef struct {
    char *settings; /* as text */
    gnd_inputs in;
    enum { RAW, MAKING, READY } state;
    int64_t left; /* runs not yet done */
} group;

typedef char hash_text[GND_HASH_TEXT];

typedef struct {
    gnd_comparison *c;
    const gnd_graph *g;
    const gnd_compare_opts *o;
    hash_text data;
    hash_text *split;     /* [n_per_class * n_split] */
    group *group;         /* [n_config] */
    unsigned char *state; /* [n_run] run_state */
    gnd_lock *lock;       /* protects the fields below, the states and the store */
    int64_t first;        /* no run before it is pending */
    int64_t done;
    double poll_at; /* next time to check the runs that other processes have claimed */
    atomic_bool stop;
    gnd_ticker tick;       /* used by the thread that called gnd_compare, */
    uintptr_t caller;      /* this one */
    atomic_llong reported; /* done, for the share of the tick */
    gnd_error err;         /* of the first failure */
} job;

/* ---- progress and cancel ---- */

/* Call the caller's callback if this is its thread. Returns whether to stop. */
static int tick(job *j)
{
    if (gnd_thread_self() == j->caller) {
        gnd_tick_done(&j->tick, (double)atomic_load(&j->reported) / (double)j->c->n_run);
        if (gnd_tick_call(&j->tick))
            atomic_store(&j->stop, true);
    }
    return atomic_load(&j->stop);
}

static int on_tick(const char *stage, double share, void *user)
{
    (void)stage, (void)share;
    return tick(user);
}

/* Fails if the caller asked to stop before the first run. */
static gnd_status check(job *j, gnd_error *err)
{
    return tick(j) ? gnd_fail(err, GND_ERR_STOPPED, "stopped before the first training run")
                   : GND_OK;
}

/* ---- the runs ---- */

static gnd_split_opts split_opts(const job *j, const gnd_run *run)
{
    return (gnd_split_opts){.size = sizeof(gnd_split_opts),
                            .kind = j->o->kind,
                            .per_class = run->per_class,
                            .n_val = j->o->n_val,
                            .seed = run->split_seed,
                            .score_unlabelled = j->o->score_unlabelled};
}

static gnd_row row_of(const job *j, int64_t i)
{
    const gnd_run *run = &j->c->run[i];
    gnd_row row = gnd_comparison_row(j->c, j->o, i, j->group[run->config].settings);

    row.dataset = j->g->name;
    row.graph = gnd_graph_mode_name(j->g->mode);
    row.data = j->data;
    row.split_hash = j->split[i % (j->o->n_per_class * j->o->n_split)];
    row.status = run->status == GND_OK ? "ok" : "diverged";
    row.result = *run->result;
    row.seconds = run->seconds;
    row.plan = run->result->plan;
    return row;
}

/* The result of run i, writable; run[i].result points to it as const. */
static gnd_result *result_of(const job *j, const gnd_run *run)
{
    return &j->c->result[run - j->c->run];
}

/* Make every split once and hash it, so that a label count that is too high fails before any
 * run. */
static gnd_status splits_hash(job *j, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < j->o->n_per_class * j->o->n_split; i++) {
        const gnd_split_opts so = split_opts(j, &j->c->run[i]);
        gnd_split *s = NULL;

        GND_TRY(gnd_split_new(&s, j->g, &so, err));
        gnd_key_split(j->split[i], s, j->g);
        gnd_split_free(s);
        GND_TRY(check(j, err));
    }
out:
    return st;
}

/* ---- one run ---- */

typedef struct {
    job *j;
    double renew_at;
} watch;

static int on_run_tick(const char *stage, double share, void *user)
{
    watch *w = user;

    (void)stage, (void)share;
    if (w->j->o->store && gnd_clock() >= w->renew_at) {
        gnd_lock_take(w->j->lock);
        gnd_store_renew(
            w->j->o->store,
            NULL); /* if this fails, other processes may repeat our runs, nothing worse */
        gnd_lock_release(w->j->lock);
        w->renew_at = gnd_clock() + GND_STORE_RENEW;
    }
    return tick(w->j);
}

static gnd_status train_one(gnd_run *run, job *j, gnd_error *err)
{
    const gnd_split_opts so = split_opts(j, run);
    const double begin = gnd_clock_thread();
    watch w = {.j = j, .renew_at = gnd_clock() + GND_STORE_RENEW};
    const gnd_train_opts to = {.size = sizeof to,
                               .seed = run->seed,
                               .threads = 1,
                               .skip_figures = true,
                               .memory = j->o->memory,
                               .on_tick = on_run_tick,
                               .tick_user = &w};
    gnd_split *s = NULL;
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    GND_TRY(gnd_split_new(&s, j->g, &so, err));
    GND_TRY(gnd_train_on(&m, result_of(j, run),
                         &(gnd_train_task){.graph = j->g,
                                           .split = s,
                                           .config = j->o->configs[run->config],
                                           .shared = &j->group[run->config].in,
                                           .opts = &to},
                         err));
out:
    if (st != GND_OK)
        *result_of(j, run) = (gnd_result){.size = sizeof(gnd_result)};
    run->seconds = gnd_clock_thread() - begin;
    gnd_row_round(result_of(j, run), &run->seconds);
    gnd_model_free(m);
    gnd_split_free(s);
    return st;
}

/* What the runs of a config share. The weights of this model are not used. */
static gnd_status inputs_make(gnd_inputs *in, job *j, int64_t config, int threads, gnd_error *err)
{
    gnd_pool *pool = gnd_pool_new(threads);
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    if (!pool)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    gnd_pool_set_tick(pool, on_tick, j, "comparing");
    GND_TRY(gnd_model_new(&m, j->g, j->o->configs[config], j->o->seed, err));
    GND_TRY(gnd_inputs_prepare(in, m, j->g,
                               &(gnd_inputs_opts){.pool = pool, .memory = j->o->memory}, err));
out:
    gnd_model_free(m);
    gnd_pool_free(pool);
    return st;
}

/* ---- workers; they hold the lock except where they release it ---- */

/* Keep the first error. */
static void fail(job *j, const gnd_error *err)
{
    if (j->err.code == GND_OK)
        j->err = *err;
    atomic_store(&j->stop, true);
    gnd_lock_wake(j->lock);
}

/* The caller asked to stop. */
static void stop(job *j)
{
    gnd_error err = {0};

    gnd_fail(&err, GND_ERR_STOPPED, "stopped after %lld of %lld training runs", (long long)j->done,
             (long long)j->c->n_run);
    fail(j, &err);
}

/* A run is done, here or in another process: report progress, and free what its config shares after
 * the config's last run. */
static void run_done(job *j, int64_t i)
{
    gnd_run *run = &j->c->run[i];
    group *p = &j->group[run->config];

    j->state[i] = DONE;
    j->done++;
    atomic_store(&j->reported, j->done);
    if (--p->left == 0) {
        gnd_inputs_fini(&p->in);
        p->in = (gnd_inputs){0};
    }
    if (j->o->on_run && !atomic_load(&j->stop) &&
        j->o->on_run(run, j->done, j->c->n_run, j->o->user) != 0)
        stop(j);
    gnd_lock_wake(j->lock);
}

/* The next run to start; -1: all that are left wait for another worker or process; -2: none is
 * left. */
static int64_t pick(job *j)
{
    int64_t none = -2;

    while (j->first < j->c->n_run && (j->state[j->first] == DONE || j->state[j->first] == RUNNING))
        j->first++;
    for (int64_t i = j->first; i < j->c->n_run; i++) {
        if (j->state[i] == PENDING && j->group[j->c->run[i].config].state != MAKING)
            return i;
        if (j->state[i] == PENDING || j->state[i] == ELSEWHERE)
            none = -1;
    }
    return none;
}

/* Sleep a little. A few times per second, check the runs that other processes have claimed, and
 * report to the caller if only those are left, which may take long. */
static void wait_for_others(job *j)
{
    int64_t elsewhere = 0;
    bool busy = false;

    gnd_lock_wait(j->lock, WAIT_MS);
    tick(j);
    if (gnd_clock() < j->poll_at)
        return; /* or woken by a worker of this process */
    j->poll_at = gnd_clock() + POLL_MS / 1000.0;
    for (int64_t i = 0; i < j->c->n_run; i++) {
        busy = busy || j->state[i] == RUNNING || j->state[i] == PENDING;
        elsewhere += j->state[i] == ELSEWHERE;
        if (j->state[i] == ELSEWHERE)
            j->state[i] = PENDING;
    }
    if (elsewhere > 0 && !busy && j->o->on_wait && !atomic_load(&j->stop) &&
        j->o->on_wait(elsewhere, j->o->user) != 0)
        stop(j);
}

/* Claim the run. If that fails, set its state: done, or claimed by another process. */
static bool claim(job *j, int64_t i)
{
    gnd_row row = row_of(j, i);
    gnd_claim what;
    gnd_error err = {0};

    if (!j->o->store)
        return true;
    if (gnd_store_claim(j->o->store, &what, &row, &err) != GND_OK) {
        fail(j, &err);
        return false;
    }
    if (what == GND_CLAIM_FOUND) {
        gnd_comparison_take(j->c, i, &row);
        run_done(j, i);
    } else if (what == GND_CLAIM_TAKEN) {
        j->state[i] = ELSEWHERE;
    }
    return what == GND_CLAIM_MINE;
}

/* Compute what the config of a run shares, unless it is there. If no other config has runs for the
 * other workers, their CPUs take part. */
static bool prepare(job *j, int64_t config)
{
    group *p = &j->group[config];
    int64_t others = 0;
    gnd_error err = {0};
    gnd_status st;

    if (p->state == READY)
        return true;
    for (int64_t k = 0; k < j->o->n_config; k++)
        others += k != config && j->group[k].left > 0;
    p->state = MAKING;
    gnd_lock_release(j->lock);
    st = inputs_make(&p->in, j, config, others ? 1 : j->o->threads, &err);
    gnd_lock_take(j->lock);
    p->state = READY;
    if (st == GND_ERR_STOPPED)
        stop(j);
    else if (st != GND_OK)
        fail(j, &err);
    gnd_lock_wake(j->lock);
    return st == GND_OK;
}

static void train(job *j, int64_t i)
{
    gnd_run *run = &j->c->run[i];
    gnd_error err = {0};

    j->state[i] = RUNNING;
    if (!prepare(j, run->config))
        return;
    gnd_lock_release(j->lock);
    run->status = train_one(run, j, &err);
    gnd_lock_take(j->lock);
    /* A run that diverged is a result too: which other runs are made must not depend on the
     * order. */
    if (run->status == GND_ERR_STOPPED) {
        stop(j);
        return;
    }
    if (run->status != GND_OK && run->status != GND_ERR_DIVERGED) {
        fail(j, &err);
        return;
    }
    if (j->o->store) {
        const gnd_row row = row_of(j, i);

        err = (gnd_error){0};
        if (gnd_store_put(j->o->store, &row, &err) != GND_OK) {
            fail(j, &err);
            return;
        }
    }
    run_done(j, i);
}

static void work(int64_t begin, int64_t end, void *arg)
{
    job *j = arg;

    (void)begin, (void)end; /* each piece is a worker that continues until no run is left */
    gnd_lock_take(j->lock);
    while (!atomic_load(&j->stop)) {
        const int64_t i = pick(j);

        if (i == -2)
            break;
        if (i == -1)
            wait_for_others(j);
        else if (claim(j, i))
            train(j, i);
    }
    gnd_lock_release(j->lock);
}

/* ---- the comparison ---- */

/* Take the results that the store has, and report progress. */
static gnd_status look_up(job *j, gnd_error *err)
{
    const int64_t n = j->c->n_run;
    gnd_row *row = gnd_alloc(n, sizeof *row);
    bool *found = gnd_alloc(n, sizeof *found);
    gnd_status st = GND_OK;

    if (!row || !found)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory to look up %lld training runs", (long long)n));
    if (!j->o->only_stored) /* reading stored results does not wait for other processes */
        GND_TRY(gnd_store_unclaim(j->o->store, err)); /* of a comparison that failed */
    for (int64_t i = 0; i < n; i++)
        row[i] = row_of(j, i);
    GND_TRY(gnd_store_find(j->o->store, found, row, n, err));
    for (int64_t i = 0; i < n; i++)
        if (found[i])
            gnd_comparison_take(j->c, i, &row[i]);
    gnd_lock_take(j->lock);
    for (int64_t i = 0; i < n && !atomic_load(&j->stop); i++)
        if (found[i])
            run_done(j, i);
    gnd_lock_release(j->lock);
out:
    gnd_free(row);
    gnd_free(found);
    return st;
}

static gnd_status job_init(job *j, gnd_error *err)
{
    const gnd_compare_opts *o = j->o;
    gnd_status st;

    GND_TRY(gnd_comparison_new(&j->c, o, err));
    j->split = gnd_alloc(o->n_per_class * o->n_split, sizeof *j->split);
    j->group = gnd_alloc(o->n_config, sizeof *j->group);
    j->state = gnd_alloc(j->c->n_run, sizeof *j->state);
    j->lock = gnd_lock_new();
    if (!j->split || !j->group || !j->state || !j->lock)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a comparison"));
    for (int64_t k = 0; k < o->n_config; k++) {
        j->group[k].left = o->n_per_class * o->n_split;
        GND_TRY(gnd_key_settings(&j->group[k].settings, o->configs[k], err));
    }
    gnd_key_graph(j->data, j->g);
    GND_TRY(splits_hash(j, err));
out:
    return st; /* gnd_compare() frees j in all cases */
}

static void job_fini(job *j)
{
    for (int64_t k = 0; j->group && k < j->o->n_config; k++) {
        gnd_inputs_fini(&j->group[k].in);
        gnd_free(j->group[k].settings);
    }
    gnd_free(j->split);
    gnd_free(j->group);
    gnd_free(j->state);
    gnd_lock_free(j->lock);
    gnd_comparison_free(j->c);
}

gnd_status gnd_compare(gnd_comparison **out, const gnd_graph *g, const gnd_compare_opts *o,
                       gnd_error *err)
{
    gnd_compare_opts opts;
    job j = {.g = g, .o = &opts, .caller = gnd_thread_self()};
    gnd_pool *pool = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    opts = (gnd_compare_opts){0};
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_compare_opts", err));
    if (opts.n_config < 1 || opts.n_per_class < 1 || opts.n_split < 1)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "a comparison needs at least one method, one label count and one split"));
    if (opts.kind != GND_SPLIT_PAPER && opts.kind != GND_SPLIT_HONEST &&
        opts.kind != GND_SPLIT_PLANETOID)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "a comparison needs shuffled splits or Planetoid's; got kind %d",
                         (int)opts.kind));
    for (int64_t i = 0; i < opts.n_config; i++)
        if (!opts.configs[i])
            GND_TRY(gnd_fail(err, GND_ERR_ARG, "gnd_compare_opts: a config is NULL"));
    gnd_tick_init(&j.tick, opts.on_tick, opts.tick_user, "comparing");
    GND_TRY(job_init(&j, err));
    GND_TRY(check(&j, err));
    if (opts.store)
        GND_TRY(look_up(&j, err));
    if (!opts.only_stored && j.done < j.c->n_run && !atomic_load(&j.stop)) {
        pool = gnd_pool_new(opts.threads);
        if (!pool)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
        gnd_pool_set_tick(pool, on_tick, &j, "comparing");
        gnd_parallel_for(pool, gnd_pool_threads(pool), 1, INT64_MAX, work, &j);
    }
    if (tick(&j) && j.err.code == GND_OK)
        stop(&j);
    if (j.err.code != GND_OK) {
        if (opts.store)
            gnd_store_unclaim(opts.store, NULL); /* of runs that were cancelled */
        GND_TRY(gnd_fail(err, j.err.code, "%s", j.err.msg));
    }
    gnd_comparison_fill(j.c);
    *out = j.c;
    j.c = NULL;
out:
    gnd_pool_free(pool);
    job_fini(&j);
    return st;
}
