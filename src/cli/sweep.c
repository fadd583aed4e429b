/* SPDX-License-Identifier: MIT
 * sweep.c - train the rows of a comparison on every data set under every setting, or take them from
 * the store. */
#include "sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "say.h"

/* One call of gnd_compare. */
typedef struct {
    sweep *s;
    const gnd_graph *g;
    gnd_config *const *config; /* [n_variant] */
    const int64_t *variant;    /* [n]: the variants compared */
    int64_t n;
    const int32_t *per_class;
    int64_t n_per_class;
    int32_t n_split;
    uint32_t count_from; /* splits up to here were counted by an earlier call */
} call;

/* ---- how far it is ---- */

static double mean_seconds(const sweep_cost *c, int64_t n)
{
    double seconds = 0, timed = 0;

    for (int64_t i = 0; i < n; i++) {
        seconds += c[i].seconds;
        timed += (double)c[i].n_timed;
    }
    return timed > 0 ? seconds / timed : -1;
}

/* Work in seconds of one thread: what was not timed yet is taken as its data set's mean, or as the
 * mean of all. */
static void work_left(const sweep *s, double *share, double *left)
{
    const double all = mean_seconds(s->cost, s->n_block * s->n_row);
    const double elapsed = clock_now() - s->started;
    double done = 0, total = 0, speed = s->seconds_trained / fmax(elapsed, 1e-3);

    for (int64_t b = 0; b < s->n_block; b++) {
        const sweep_cost *c = s->cost + b * s->n_row;
        const double block = mean_seconds(c, s->n_row);

        for (int64_t r = 0; r < s->n_row; r++) {
            const double one = c[r].n_timed ? mean_seconds(c + r, 1) : block >= 0 ? block : all;

            done += one * (double)c[r].done;
            total += one * (double)c[r].total;
        }
    }
    speed = speed > 0 ? fmax(speed, 0.01) : 1; /* CPUs at work: less than 1 on a busy machine */
    *share = total > 0 ? done / total : 1;
    *left = (total - done) / speed;
}

void sweep_count(const sweep *s, int64_t *done, int64_t *total)
{
    *done = *total = 0;
    for (int64_t k = 0; k < s->n_block * s->n_row; k++) {
        *done += s->cost[k].done;
        *total += s->cost[k].total;
    }
}

static int on_run(const gnd_run *run, int64_t done, int64_t total, void *user)
{
    const call *c = user;
    sweep *s = c->s;
    const int64_t row = s->variant[c->variant[run->config]].row;
    const sweep_block *b = &s->block[s->at];
    sweep_cost *cost = &s->cost[s->at * s->n_row + row];
    double share, left;
    char detail[160];

    (void)done, (void)total;
    if (run->split_seed > c->count_from)
        cost->done++;
    cost->seconds += run->seconds;
    cost->n_timed++;
    if (s->only_stored)
        return 0;
    if (!run->stored)
        s->seconds_trained += run->seconds;
    if (s->store && signals_asked())
        return 1;
    work_left(s, &share, &left);
    sweep_count(s, &done, &total);
    snprintf(detail, sizeof detail, "%s %s %s", b->dataset, gnd_graph_mode_name(b->setting.graph),
             s->row_name[row]);
    progress_work(&s->p, done, total, share, left, detail);
    return 0;
}

/* Other processes train what is left. */
static int on_wait(int64_t n, void *user)
{
    sweep *s = ((const call *)user)->s;
    int64_t done, total;
    char detail[160];

    if (signals_asked())
        return 1;
    sweep_count(s, &done, &total);
    snprintf(detail, sizeof detail, "waiting for %" PRId64 " that other processes train on %s", n,
             s->block[s->at].dataset);
    progress_wait(&s->p, done, total, detail);
    return 0;
}

/* ---- figures ---- */

static void runs_add(sweep *s, const sweep_block *b, const gnd_comparison *c, const call *k)
{
    for (int64_t i = 0; i < gnd_comparison_n_run(c); i++) {
        const gnd_run *r = gnd_comparison_run(c, i);
        const bool ok = r->status == GND_OK;
        const char *variant = s->variant_name[k->variant[r->config]];
        const double v[] = {r->result->acc_train, r->result->acc_val, r->result->acc_test};
        char f[8][32] = {""};
        json_t *o = json_object();

        snprintf(f[0], 32, "%" PRId32, r->per_class);
        snprintf(f[1], 32, "%" PRIu32, r->split_seed);
        snprintf(f[2], 32, "%" PRIu64, r->seed);
        for (int j = 0; j < 3 && ok; j++)
            if (!isnan(v[j]))
                snprintf(f[3 + j], 32, "%.6f", v[j]);
        if (ok) {
            snprintf(f[6], 32, "%" PRId64, r->result->epochs);
            snprintf(f[7], 32, "%" PRId64, r->result->best_epoch);
        }
        table_row(&s->runs,
                  (const char *[]){b->dataset, gnd_graph_mode_name(b->setting.graph), r->method,
                                   f[0], f[1], f[2], ok ? "ok" : "diverged", f[3], f[4], f[5], f[6],
                                   f[7], variant, b->setting.rule});
        js_set(o, "dataset", js_text(b->dataset));
        js_set(o, "graph", js_text(gnd_graph_mode_name(b->setting.graph)));
        js_set(o, "rule", js_text(b->setting.rule));
        js_set(o, "method", js_text(r->method));
        js_set(o, "variant", js_text(variant));
        js_set(o, "labels_per_class", js_count(r->per_class));
        js_set(o, "split_seed", js_count(r->split_seed));
        js_set(o, "seed", js_count((int64_t)r->seed));
        js_set(o, "ok", json_boolean(ok));
        js_set(o, "train_accuracy", ok ? js_real(v[0]) : json_null());
        js_set(o, "val_accuracy", ok ? js_real(v[1]) : json_null());
        js_set(o, "test_accuracy", ok ? js_real(v[2]) : json_null());
        js_set(o, "epochs", ok ? js_count(r->result->epochs) : json_null());
        js_set(o, "best_epoch", ok ? js_count(r->result->best_epoch) : json_null());
        js_set(o, "seconds", js_real(r->seconds));
        js_append(s->js_runs, o);
    }
}

/* The cell of a block from cell i of a comparison, which is of variant k. */
static void cell_fill(sweep *s, sweep_block *b, int64_t q, const gnd_comparison *c, int64_t i,
                      int64_t k)
{
    sweep_cell *to = &b->cell[s->variant[k].row * s->per_class->n + q];
    const gnd_cell cell = *gnd_comparison_cell(c, i);

    to->cell = cell;
    to->variant = s->variant_name[k];
    for (int64_t r = 0; r < gnd_comparison_n_run(c); r++) {
        const gnd_run *run = gnd_comparison_run(c, r);

        if (run->config == cell.config && run->per_class == cell.per_class) {
            to->n_diverged += run->status == GND_ERR_DIVERGED;
            s->n_done += run->status == GND_OK || run->status == GND_ERR_DIVERGED;
        }
    }
    s->n_failed += to->n_diverged;
    to->has_published = s->kind == GND_SPLIT_PAPER &&
                        gnd_published_get(&to->published, b->dataset, cell.method, cell.per_class);
    if (to->has_published && cell.n > 0 && to->published.std > 0)
        to->apart = (cell.mean - to->published.mean) / (to->published.std / sqrt((double)cell.n));
}

/* Of a row's variants in a comparison, the one of highest mean validation accuracy at label count
 * q, as its place in the call; the first if there is none. */
static int64_t choose(const call *k, const gnd_comparison *c, int64_t row, int64_t q)
{
    int64_t best = -1;
    double top = 0;

    for (int64_t i = 0; i < k->n; i++) {
        const gnd_cell cell = *gnd_comparison_cell(c, i * k->n_per_class + q);

        if (k->s->variant[k->variant[i]].row != row)
            continue;
        if (best < 0 || (cell.n > 0 && (isnan(top) || cell.mean_val > top))) {
            best = i;
            top = cell.n > 0 ? cell.mean_val : (double)NAN;
        }
    }
    return best;
}

static void block_pair(const sweep *s, sweep_block *b, const gnd_comparison *c, const call *k)
{
    const int64_t n_q = s->per_class->n;

    for (int64_t q = 0; q < n_q; q++) {
        int64_t best = -1;

        for (int64_t r = 0; r < s->n_row; r++) {
            const gnd_cell *cell = &b->cell[r * n_q + q].cell;

            if (cell->n > 0 && (best < 0 || cell->mean > b->cell[best * n_q + q].cell.mean))
                best = r;
        }
        for (int64_t r = 0; r < s->n_row && best >= 0; r++) {
            sweep_cell *cell = &b->cell[r * n_q + q];

            cell->best = best;
            if (r != best && cell->cell.n > 0)
                gnd_comparison_paired(&cell->paired, c, choose(k, c, r, q) * n_q + q,
                                      choose(k, c, best, q) * n_q + q, NULL);
        }
    }
}

/* ---- one data set under one setting ---- */

static gnd_status compare_call(gnd_comparison **out, call *k, gnd_error *err)
{
    const sweep *s = k->s;
    const gnd_config **config = need((size_t)k->n, sizeof *config);
    const gnd_compare_opts o = {
        .size = sizeof o,
        .configs = config,
        .n_config = k->n,
        .per_class = k->per_class,
        .n_per_class = k->n_per_class,
        .n_split = k->n_split,
        .kind = s->kind,
        .n_val = s->n_val,
        /* As `gnd train`: the authors' loader counts an unlabelled vertex as class 0. */
        .score_unlabelled = s->kind == GND_SPLIT_PAPER && gnd_graph_mode_get(k->g) == GND_GRAPH_RAW,
        .seed = (uint64_t)s->args->seed,
        .threads = (int32_t)s->args->threads,
        .memory = s->memory,
        .store = s->store,
        .only_stored = s->only_stored,
        .on_run = on_run,
        .user = k,
        .on_wait = on_wait,
    };
    gnd_status st;

    for (int64_t i = 0; i < k->n; i++)
        config[i] = k->config[k->variant[i]];
    st = gnd_compare(out, k->g, &o, err);
    free(config);
    return st;
}

/* The best variant of a row was chosen on few splits: now all of them. */
static gnd_status winner_run(call *k, sweep_block *b, int64_t q, int64_t variant, gnd_error *err)
{
    call w = *k;
    gnd_comparison *c = NULL;
    gnd_status st;

    w.variant = &variant;
    w.n = 1;
    w.per_class = k->per_class + q;
    w.n_per_class = 1;
    w.n_split = k->s->n_split;
    w.count_from = (uint32_t)k->n_split;
    st = compare_call(&c, &w, err);
    if (st == GND_OK)
        cell_fill(k->s, b, q, c, 0, variant);
    gnd_comparison_free(c);
    return st;
}

/* Rows from .. to - 1 in one go. */
static gnd_status rows_run(call *k, sweep_block *b, int64_t from, int64_t to, gnd_error *err)
{
    sweep *s = k->s;
    int64_t *variant = need((size_t)s->n_variant, sizeof *variant);
    gnd_comparison *c = NULL;
    gnd_status st;

    k->variant = variant;
    k->n = 0;
    for (int64_t v = 0; v < s->n_variant; v++)
        if (s->variant[v].row >= from && s->variant[v].row < to)
            variant[k->n++] = v;
    for (int64_t r = from; r < to; r++) {
        sweep_cost *cost = &s->cost[s->at * s->n_row + r];

        cost->done = cost->n_timed = 0;
        cost->seconds = 0;
    }
    k->n_split = row_competes(s, from) && s->n_search < s->n_split ? s->n_search : s->n_split;
    st = compare_call(&c, k, err);
    for (int64_t r = from; st == GND_OK && r < to; r++)
        for (int64_t q = 0; st == GND_OK && q < s->per_class->n; q++) {
            const int64_t i = choose(k, c, r, q);

            if (k->n_split < s->n_split)
                st = winner_run(k, b, q, variant[i], err);
            else
                cell_fill(s, b, q, c, i * s->per_class->n + q, variant[i]);
        }
    if (st == GND_OK && s->want_paired)
        block_pair(s, b, c, k);
    if (st == GND_OK && s->want_runs)
        runs_add(s, b, c, k);
    gnd_comparison_free(c);
    free(variant);
    return st;
}

/* A signal asked for the end. */
static int interrupted(const sweep *s)
{
    const int sig = signals_asked();
    int64_t done, total;

    sweep_count(s, &done, &total);
    say_failed("interrupted; %" PRId64 " of %" PRId64
               " trainings are in %s, and the same command goes on from there",
               done, total, s->store_path);
    return 128 + sig;
}

static int rows_failed(sweep *s, const sweep_block *b, int64_t row, const gnd_error *err)
{
    progress_end(&s->p);
    if (err->code == GND_ERR_STOPPED && s->store && signals_asked())
        return interrupted(s);
    if (!s->row_by_row)
        return say_failed("%s", err->msg);
    return say_failed("%s, graph %s, %s: %s", b->dataset, gnd_graph_mode_name(b->setting.graph),
                      s->row_name[row], err->msg);
}

static int block_rows(sweep *s, sweep_block *b, const gnd_graph *g, gnd_config *const *config)
{
    const int64_t step = s->row_by_row ? 1 : s->n_row;
    call k = {.s = s,
              .g = g,
              .config = config,
              .per_class = s->per_class->v,
              .n_per_class = s->per_class->n};
    int worst = 0;

    for (int64_t r = 0; r < s->n_row; r += step) {
        gnd_error err = {0};
        int rc = 0;

        if (rows_run(&k, b, r, r + step, &err) != GND_OK && !(s->only_stored && s->row_by_row))
            rc = rows_failed(s, b, r, &err);
        if (rc > EXIT_FAILED || (rc && !s->row_by_row))
            return rc;
        worst = rc ? rc : worst;
    }
    return worst;
}

static int block_run(sweep *s, int64_t at, const char *dataset, const sweep_setting *setting)
{
    sweep_block *b = &s->block[at];
    gnd_config **config = need((size_t)s->n_variant, sizeof *config);
    cli_args a = *s->args;
    gnd_graph *g = NULL;
    gnd_error err = {0};
    int rc;

    a.quiet = a.quiet || s->only_stored || s->row_by_row;
    s->at = at;
    *b = (sweep_block){.setting = *setting, .info = {.size = sizeof b->info}};
    b->cell = need((size_t)(s->n_row * s->per_class->n), sizeof *b->cell);
    for (int64_t i = 0; i < s->n_row * s->per_class->n; i++)
        b->cell[i] = (sweep_cell){.best = -1,
                                  .variant = "",
                                  .apart = (double)NAN,
                                  .published = {.size = sizeof(gnd_published)},
                                  .paired = {.size = sizeof(gnd_paired)}};
    progress_end(&s->p); /* the graph's notes come next */
    rc = graph_open(&g, &a, dataset, setting->graph, NULL);
    if (!rc && gnd_graph_info_get(&b->info, g, &err))
        rc = say_failed("%s", err.msg);
    b->dataset = need_text("%s", rc ? dataset : gnd_graph_name(g));
    for (int64_t k = 0; k < s->n_variant && !rc; k++)
        rc = variant_open(&config[k], s, k, dataset, setting->rule);
    if (!rc)
        rc = block_rows(s, b, g, config);
    for (int64_t k = 0; k < s->n_variant; k++)
        gnd_config_free(config[k]);
    free(config);
    gnd_graph_free(g);
    return rc;
}

/* ---- all of it ---- */

static void blocks_free(sweep *s)
{
    for (int64_t b = 0; b < s->n_block && s->block; b++) {
        free((char *)s->block[b].dataset);
        free(s->block[b].cell);
    }
    free(s->block);
    s->block = NULL;
}

static void runs_reset(sweep *s)
{
    if (s->runs.align)
        table_fini(&s->runs);
    json_decref(s->js_runs);
    s->js_runs = json_array();
    s->runs = (table){.align = "lllrrrlrrrrrll"};
    table_row(&s->runs,
              (const char *[]){"dataset", "graph", "method", "labels_per_class", "split_seed",
                               "seed", "status", "train_accuracy", "val_accuracy", "test_accuracy",
                               "epochs", "best_epoch", "variant", "rule"});
}

int store_open(gnd_store **out, const char *path)
{
    gnd_error err = {0};
    const int rc = output_check(path);

    if (rc)
        return rc;
    return gnd_store_open(out, path, &err) ? say_failed("%s", err.msg) : 0;
}

static void costs_make(sweep *s)
{
    const int64_t n_q = s->per_class->n;

    s->cost = need((size_t)(s->n_block * s->n_row), sizeof *s->cost);
    for (int64_t i = 0; i < s->n_block * s->n_variant; i++) {
        const int64_t k = i % s->n_variant, row = s->variant[k].row;
        sweep_cost *c = &s->cost[i / s->n_variant * s->n_row + row];
        const bool few = row_competes(s, row) && s->n_search < s->n_split;

        if (c->total == 0 && few)
            c->total = n_q * (s->n_split - s->n_search);
        c->total += n_q * (few ? s->n_search : s->n_split);
    }
}

int sweep_run(sweep *s, bool only_stored)
{
    int64_t at = 0;
    int rc, worst = 0;
    bool go_on = true;

    blocks_free(s);
    s->n_block = s->n_setting * s->data.n;
    s->block = need((size_t)s->n_block, sizeof *s->block);
    if (!s->cost)
        costs_make(s);
    runs_reset(s);
    s->only_stored = only_stored;
    s->n_failed = s->n_done = 0;
    s->seconds_trained = 0;
    s->started = clock_now();
    progress_start(&s->p, "training", "about", s->args->quiet || only_stored);
    signals_ask(s->store && !only_stored);
    for (; at < s->n_block && go_on; at++) {
        const int64_t t = at / s->data.n, d = at % s->data.n;

        rc = block_run(s, at, s->data.v[d], &s->setting[t]);
        if (rc <= EXIT_FAILED && !only_stored && s->store && signals_asked()) {
            progress_end(&s->p);
            rc = interrupted(s);
        }
        worst = rc > worst ? rc : worst;
        /* A row may fail; a data set that is not there ends it. */
        go_on = !rc || (s->row_by_row && rc == EXIT_FAILED && s->block[at].info.n_node > 0);
    }
    progress_end(&s->p);
    signals_ask(false);
    s->n_whole = go_on ? at : at - 1;
    return worst;
}

void sweep_fini(sweep *s)
{
    blocks_free(s);
    free(s->cost);
    if (s->runs.align)
        table_fini(&s->runs);
    json_decref(s->js_runs);
    variants_free(s);
    gnd_store_close(s->store);
}

int sweep_diverged(const sweep *s)
{
    if (!s->n_failed)
        return 0;
    return say_failed(
        "%" PRId64 " of %" PRId64
        " trainings left the finite numbers and are left out of the means; a smaller lr "
        "may help",
        s->n_failed, s->n_done);
}
