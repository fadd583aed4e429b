/* SPDX-License-Identifier: MIT
 * compare.c - methods x label counts x splits, trained side by side, one thread each. */
#include <math.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/parallel.h"
#include "model/model.h"
#include "stats.h"

struct gnd_comparison {
    gnd_run *run; /* [n_run], config by config, label count by label count, split by split */
    int64_t n_run;
    gnd_cell *cell;
    int64_t n_cell;
};

typedef struct {
    gnd_comparison *c;
    const gnd_graph *g;
    const gnd_compare_opts *o;
    gnd_lock *lock;
    int64_t done;
    bool stop;
    gnd_error err; /* of the first training that failed */
} job;

static gnd_status train_one(gnd_run *run, const job *j, const gnd_config *config, gnd_error *err)
{
    const gnd_split_opts so = {.size = sizeof so,
                               .kind = GND_SPLIT_PAPER,
                               .per_class = run->per_class,
                               .n_val = j->o->n_val,
                               .seed = run->split_seed,
                               .score_unlabelled = j->o->score_unlabelled};
    const gnd_train_opts to = {
        .size = sizeof to, .seed = j->o->seed + run->split_seed - 1, .threads = 1};
    gnd_split *s = NULL;
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    GND_TRY(gnd_split_new(&s, j->g, &so, err));
    GND_TRY(gnd_train(&m, &run->result, j->g, s, config, &to, err));
out:
    gnd_model_free(m);
    gnd_split_free(s);
    return st;
}

static bool job_stopped(job *j)
{
    bool stop;

    gnd_lock_take(j->lock);
    stop = j->stop;
    gnd_lock_give(j->lock);
    return stop;
}

static void train_range(int64_t begin, int64_t end, void *arg)
{
    job *j = arg;
    const int64_t a_config = j->o->n_per_class * j->o->n_split;

    for (int64_t i = begin; i < end && !job_stopped(j); i++) {
        gnd_run *run = &j->c->run[i];
        gnd_error err = {0};

        run->status = train_one(run, j, j->o->configs[i / a_config], &err);
        gnd_lock_take(j->lock);
        j->done++;
        /* One that diverged is a result: which others are trained must not hang on who came first.
         */
        if (run->status != GND_OK && run->status != GND_ERR_DIVERGED) {
            if (j->err.code == GND_OK)
                j->err = err;
            j->stop = true;
        } else if (j->o->on_run && j->o->on_run(run, j->done, j->c->n_run, j->o->user) != 0) {
            gnd_fail(&j->err, GND_ERR_STOPPED, "stopped after %lld of %lld trainings",
                     (long long)j->done, (long long)j->c->n_run);
            j->stop = true;
        }
        gnd_lock_give(j->lock);
    }
}

static gnd_status comparison_new(gnd_comparison **out, const gnd_compare_opts *o, gnd_error *err)
{
    gnd_comparison *c = gnd_alloc(1, sizeof *c);
    int64_t i = 0;

    *out = c;
    if (c) {
        c->n_cell = o->n_config * o->n_per_class;
        c->n_run = c->n_cell * o->n_split;
        c->run = gnd_alloc(c->n_run, sizeof *c->run);
        c->cell = gnd_alloc(c->n_cell, sizeof *c->cell);
    }
    if (!c || !c->run || !c->cell) {
        gnd_comparison_free(c);
        *out = NULL;
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a comparison");
    }
    for (int64_t m = 0; m < o->n_config; m++)
        for (int64_t q = 0; q < o->n_per_class; q++)
            for (int32_t s = 1; s <= o->n_split; s++)
                c->run[i++] = (gnd_run){.method = gnd_config_method(o->configs[m]),
                                        .per_class = o->per_class[q],
                                        .split_seed = (uint32_t)s,
                                        .status = GND_ERR_STOPPED};
    return GND_OK;
}

static void cells_fill(gnd_comparison *c, int64_t n_split)
{
    for (int64_t k = 0; k < c->n_cell; k++) {
        const gnd_run *run = c->run + k * n_split;
        gnd_mean acc = {0}, epochs = {0};

        for (int64_t i = 0; i < n_split; i++) {
            if (run[i].status != GND_OK)
                continue;
            gnd_mean_add(&acc, 100 * run[i].result.acc_test);
            gnd_mean_add(&epochs, (double)run[i].result.epochs);
        }
        c->cell[k] = (gnd_cell){.method = run->method,
                                .per_class = run->per_class,
                                .n = acc.n,
                                .mean = acc.n ? acc.mean : NAN,
                                .std = acc.n ? gnd_mean_std(&acc) : NAN,
                                .mean_epochs = acc.n ? epochs.mean : NAN};
    }
}

gnd_status gnd_compare(gnd_comparison **out, const gnd_graph *g, const gnd_compare_opts *o,
                       gnd_error *err)
{
    gnd_compare_opts opts;
    job j = {.g = g, .o = &opts};
    gnd_pool *pool = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_compare_opts", err));
    if (opts.n_config < 1 || opts.n_per_class < 1 || opts.n_split < 1)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "a comparison needs a method, a label count and a split at least"));
    GND_TRY(comparison_new(&j.c, &opts, err));
    pool = gnd_pool_new(opts.threads);
    j.lock = gnd_lock_new();
    if (!pool || !j.lock)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    gnd_parallel_for(pool, j.c->n_run, 1, INT64_MAX, train_range, &j);
    if (j.err.code != GND_OK)
        GND_TRY(gnd_fail(err, j.err.code, "%s", j.err.msg));
    cells_fill(j.c, opts.n_split);
    *out = j.c;
    j.c = NULL;
out:
    gnd_lock_free(j.lock);
    gnd_pool_free(pool);
    gnd_comparison_free(j.c);
    return st;
}

void gnd_comparison_free(gnd_comparison *c)
{
    if (!c)
        return;
    gnd_free(c->run);
    gnd_free(c->cell);
    gnd_free(c);
}

int64_t gnd_comparison_n_cell(const gnd_comparison *c)
{
    return c->n_cell;
}

gnd_cell gnd_comparison_cell(const gnd_comparison *c, int64_t i)
{
    return c->cell[i];
}

int64_t gnd_comparison_n_run(const gnd_comparison *c)
{
    return c->n_run;
}

const gnd_run *gnd_comparison_run(const gnd_comparison *c, int64_t i)
{
    return &c->run[i];
}
