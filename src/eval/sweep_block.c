/* SPDX-License-Identifier: MIT
 * sweep_block.c - one block of a sweep, which is one data set under one setting: make the runs of
 * its rows, choose among their variants, fill the cells. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "clock.h"
#include "recorded.h"
#include "sweep.h"

/* One call of gnd_compare. */
typedef struct {
    gnd_sweep *s;
    const gnd_graph *g;
    gnd_config *const *config; /* [n_variant] */
    const int64_t *variant;    /* [n]: the variants compared */
    int64_t n;
    const int32_t *per_class;
    int64_t n_per_class;
    int32_t n_split;
    uint32_t count_from; /* splits up to this one were counted by an earlier call */
} call;

/* ---- progress ---- */

static double mean_seconds(const gnd_sweep_cost *c, int64_t n)
{
    double seconds = 0, timed = 0;

    for (int64_t i = 0; i < n; i++) {
        seconds += c[i].seconds;
        timed += (double)c[i].n_timed;
    }
    return timed > 0 ? seconds / timed : -1;
}

/* Work left, in seconds of one thread. A row that was not timed yet is assumed to need the mean
 * time of its block, or of all. */
static void work_left(const gnd_sweep *s, double *share, double *left)
{
    const double all = mean_seconds(s->cost, s->n_block * s->n_row);
    const double elapsed = gnd_clock() - s->started;
    double done = 0, total = 0, speed = s->seconds_trained / fmax(elapsed, 1e-3);

    for (int64_t b = 0; b < s->n_block; b++) {
        const gnd_sweep_cost *c = s->cost + b * s->n_row;
        const double block = mean_seconds(c, s->n_row);

        for (int64_t r = 0; r < s->n_row; r++) {
            const double one = c[r].n_timed ? mean_seconds(c + r, 1) : block >= 0 ? block : all;

            done += one * (double)c[r].done;
            total += one * (double)c[r].total;
        }
    }
    speed = speed > 0 ? fmax(speed, 0.01) : 1; /* CPUs in use: less than 1 on a busy machine */
    *share = total > 0 ? done / total : 1;
    *left = (total - done) / speed;
}

void gnd_sweep_progress_get(gnd_sweep_progress *out, const gnd_sweep *s)
{
    const gnd_sweep_block *b = &s->block[s->at].pub;

    *out = (gnd_sweep_progress){.dataset = b->dataset, .graph = b->graph, .row = ""};
    gnd_sweep_count(s, &out->done, &out->total);
    work_left(s, &out->share, &out->seconds_left);
}

static int on_run(const gnd_run *run, int64_t done, int64_t total, void *user)
{
    const call *c = user;
    gnd_sweep *s = c->s;
    const int64_t row = s->variant[c->variant[run->config]].row;
    gnd_sweep_cost *cost = &s->cost[s->at * s->n_row + row];
    gnd_sweep_progress p;

    (void)done, (void)total;
    if (run->split_seed > c->count_from)
        cost->done++;
    cost->seconds += run->seconds;
    cost->n_timed++;
    if (s->only_stored)
        return 0;
    if (!run->stored)
        s->seconds_trained += run->seconds;
    if (!s->o.on_progress && !s->o.on_tick)
        return 0;
    gnd_sweep_progress_get(&p, s);
    if (p.share > atomic_load(&s->share)) /* the estimate may fall, what is reported must not */
        atomic_store(&s->share, p.share);
    if (!s->o.on_progress)
        return 0;
    p.row = s->row_name[row];
    return s->o.on_progress(&p, s->o.user);
}

int gnd_sweep_tick(gnd_sweep *s, const char *stage)
{
    return s->o.on_tick ? s->o.on_tick(stage, atomic_load(&s->share), s->o.tick_user) : 0;
}

static int on_tick(const char *stage, double share, void *user)
{
    (void)share; /* of this comparison only */
    return gnd_sweep_tick(user, stage);
}

/* The runs that are left are made by other processes. */
static int on_wait(int64_t n, void *user)
{
    const gnd_sweep *s = ((const call *)user)->s;
    gnd_sweep_progress p;

    if (!s->o.on_progress)
        return 0;
    gnd_sweep_progress_get(&p, s);
    p.n_waiting = n;
    return s->o.on_progress(&p, s->o.user);
}

/* ---- figures ---- */

static gnd_status runs_keep(const call *k, const gnd_comparison *c, gnd_error *err)
{
    gnd_sweep *s = k->s;
    const gnd_sweep_block *b = &s->block[s->at].pub;
    const int64_t n = gnd_comparison_n_run(c);
    gnd_kept_run *kept = gnd_realloc(s->kept, s->n_kept + n + 1, sizeof *kept);

    if (!kept)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld training runs", (long long)n);
    s->kept = kept;
    for (int64_t i = 0; i < n; i++) {
        const gnd_run *run = gnd_comparison_run(c, i);
        const gnd_variant *v = &s->variant[k->variant[run->config]];

        if (run->split_seed <= k->count_from)
            continue;
        kept[s->n_kept] = (gnd_kept_run){
            .pub = {.dataset = b->dataset, .graph = b->graph, .rule = b->rule, .variant = v->name},
            .run = *run,
            .result = *run->result};
        kept[s->n_kept].run.method = v->method;
        kept[s->n_kept++].run.config = v->row;
    }
    for (int64_t i = 0; i < s->n_kept; i++) { /* the array may have moved */
        kept[i].run.result = &kept[i].result;
        kept[i].pub.run = &kept[i].run;
    }
    return GND_OK;
}

/* Fill the cell at label count q from cell i of a comparison, which belongs to variant k. */
static void cell_fill(gnd_sweep *s, int64_t q, const gnd_comparison *c, int64_t i, int64_t k)
{
    const int64_t at = s->variant[k].row * s->o.n_per_class + q;
    gnd_block *b = &s->block[s->at];
    gnd_sweep_cell *to = &b->cell[at];
    const gnd_cell *cell = gnd_comparison_cell(c, i);

    b->figures[at] = *cell;
    b->figures[at].method = s->variant[k].method;
    to->variant = s->variant[k].name;
    for (int64_t r = 0; r < gnd_comparison_n_run(c); r++) {
        const gnd_run *run = gnd_comparison_run(c, r);

        if (run->config == cell->config && run->per_class == cell->per_class) {
            to->n_diverged += run->status == GND_ERR_DIVERGED;
            s->n_counted += run->status == GND_OK || run->status == GND_ERR_DIVERGED;
        }
    }
    s->n_diverged += to->n_diverged;
}

/* The variant of a row with the highest mean validation accuracy at label count q, as its index in
 * the call; the first of equal ones, or if none has a result. A mean over the same accuracies in
 * another order differs by rounding: that is a tie. */
static int64_t choose(const call *k, const gnd_comparison *c, int64_t row, int64_t q)
{
    const double rounding = 1e-9; /* far below one vertex of one split */
    int64_t best = -1;
    double top = 0;

    for (int64_t i = 0; i < k->n; i++) {
        const gnd_cell *cell = gnd_comparison_cell(c, i * k->n_per_class + q);

        if (k->s->variant[k->variant[i]].row != row)
            continue;
        if (best < 0 || (cell->n > 0 && (isnan(top) || cell->mean_val > top + rounding))) {
            best = i;
            top = cell->n > 0 ? cell->mean_val : (double)NAN;
        }
    }
    return best;
}

static void pairs_fill(const call *k, const gnd_comparison *c)
{
    const gnd_sweep *s = k->s;
    const int64_t n_q = s->o.n_per_class;
    gnd_sweep_cell *cells = s->block[s->at].cell;

    for (int64_t q = 0; q < n_q; q++) {
        int64_t best = -1;

        for (int64_t r = 0; r < s->n_row; r++) {
            const gnd_cell *cell = cells[r * n_q + q].cell;

            if (cell->n > 0 && (best < 0 || cell->mean > cells[best * n_q + q].cell->mean))
                best = r;
        }
        for (int64_t r = 0; r < s->n_row && best >= 0; r++) {
            gnd_sweep_cell *cell = &cells[r * n_q + q];

            cell->best = best;
            if (r != best && cell->cell->n > 0)
                gnd_comparison_paired(&s->block[s->at].paired[r * n_q + q], c,
                                      choose(k, c, r, q) * n_q + q, choose(k, c, best, q) * n_q + q,
                                      NULL);
        }
    }
}

/* Mark the rows that have the highest mean at each label count. */
static void best_fill(const gnd_sweep *s)
{
    const int64_t n_q = s->o.n_per_class;
    gnd_sweep_cell *cells = s->block[s->at].cell;

    for (int64_t q = 0; q < n_q && s->n_row > 1; q++) {
        double top = -1;

        for (int64_t r = 0; r < s->n_row; r++)
            if (cells[r * n_q + q].cell->n > 0 && cells[r * n_q + q].cell->mean > top)
                top = cells[r * n_q + q].cell->mean;
        for (int64_t r = 0; r < s->n_row; r++)
            cells[r * n_q + q].is_best =
                cells[r * n_q + q].cell->n > 0 && !(top > cells[r * n_q + q].cell->mean);
    }
}

/* ---- training ---- */

static gnd_status compare_call(gnd_comparison **out, call *k, gnd_error *err)
{
    const gnd_sweep *s = k->s;
    const gnd_sweep_block *b = &s->block[s->at].pub;
    const gnd_config **config = gnd_alloc(k->n, sizeof *config);
    const gnd_compare_opts o = {
        .size = sizeof o,
        .configs = config,
        .n_config = k->n,
        .per_class = k->per_class,
        .n_per_class = k->n_per_class,
        .n_split = k->n_split,
        .kind = s->o.kind,
        .n_val = s->o.n_val,
        /* The authors' loader counts an unlabelled vertex as class 0. */
        .score_unlabelled =
            s->o.kind == GND_SPLIT_PAPER && b->graph == GND_GRAPH_RAW && !s->o.labelled_only,
        .seed = s->o.seed,
        .threads = s->o.threads,
        .memory = s->o.memory,
        .store = s->o.store,
        .only_stored = s->only_stored,
        .on_run = on_run,
        .user = k,
        .on_wait = on_wait,
        .on_tick = s->o.on_tick ? on_tick : NULL,
        .tick_user = k->s,
    };
    gnd_status st;

    if (!config)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a comparison");
    for (int64_t i = 0; i < k->n; i++)
        config[i] = k->config[k->variant[i]];
    st = k->g ? gnd_compare(out, k->g, &o, err)
              : gnd_compare_recorded(out, b->dataset, b->graph, &o, err);
    gnd_free(config);
    return st;
}

/* The best variant of a row was chosen on few splits: run it on all of them. */
static gnd_status winner_run(call *k, int64_t q, int64_t variant, gnd_error *err)
{
    call w = *k;
    gnd_comparison *c = NULL;
    gnd_status st;

    w.variant = &variant;
    w.n = 1;
    w.per_class = k->per_class + q;
    w.n_per_class = 1;
    w.n_split = k->s->o.n_split;
    w.count_from = (uint32_t)k->n_split;
    GND_TRY(compare_call(&c, &w, err));
    cell_fill(k->s, q, c, 0, variant);
    if (k->s->o.keep_runs)
        GND_TRY(runs_keep(&w, c, err));
out:
    gnd_comparison_free(c);
    return st;
}

/* List the variants of rows from .. to - 1 for the call; their costs are reset. */
static void rows_begin(call *k, int64_t *variant, int64_t from, int64_t to)
{
    gnd_sweep *s = k->s;

    k->variant = variant;
    k->n = 0;
    for (int64_t v = 0; v < s->n_variant; v++)
        if (s->variant[v].row >= from && s->variant[v].row < to)
            variant[k->n++] = v;
    for (int64_t r = from; r < to; r++) {
        gnd_sweep_cost *cost = &s->cost[s->at * s->n_row + r];

        cost->done = cost->n_timed = 0;
        cost->seconds = 0;
    }
    k->n_split = gnd_sweep_row_n_variant(s, from) > 1 ? s->o.n_search : s->o.n_split;
}

static gnd_status rows_run(call *k, int64_t from, int64_t to, gnd_error *err)
{
    gnd_sweep *s = k->s;
    int64_t *variant = gnd_alloc(s->n_variant, sizeof *variant);
    gnd_comparison *c = NULL;
    gnd_status st;

    if (!variant)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a comparison");
    rows_begin(k, variant, from, to);
    GND_TRY(compare_call(&c, k, err));
    if (s->o.keep_runs)
        GND_TRY(runs_keep(k, c, err));
    for (int64_t r = from; r < to; r++)
        for (int64_t q = 0; q < s->o.n_per_class; q++) {
            const int64_t i = choose(k, c, r, q);

            if (k->n_split < s->o.n_split)
                GND_TRY(winner_run(k, q, variant[i], err));
            else
                cell_fill(s, q, c, i * s->o.n_per_class + q, variant[i]);
        }
    if (s->o.paired)
        pairs_fill(k, c);
out:
    gnd_comparison_free(c);
    gnd_free(variant);
    return st;
}

gnd_status gnd_block_train(gnd_sweep *s, const gnd_graph *g, gnd_config *const *config,
                           gnd_error *err)
{
    /* Rows that search on few splits, and rows that may fail alone, are compared one by one. */
    const int64_t step = s->o.keep_going || s->o.n_search < s->o.n_split ? 1 : s->n_row;
    const gnd_sweep_block *b = &s->block[s->at].pub;
    call k = {.s = s,
              .g = g,
              .config = config,
              .per_class = s->o.per_class,
              .n_per_class = s->o.n_per_class};
    gnd_status st = GND_OK;

    for (int64_t r = 0; r < s->n_row; r += step) {
        gnd_error e = {0};

        st = rows_run(&k, r, r + step, &e);
        if (st == GND_OK)
            continue;
        if (!s->o.keep_going || st == GND_ERR_STOPPED || st == GND_ERR_NOMEM) {
            gnd_fail(err, st, "%s", e.msg);
            break;
        }
        st = GND_OK;
        if (s->only_stored)
            continue;
        s->n_failed++;
        if (s->o.on_failed)
            s->o.on_failed(b->dataset, b->graph, s->row_name[r], &e, s->o.user);
    }
    best_fill(s);
    return st;
}
