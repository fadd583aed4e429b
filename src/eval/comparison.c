/* SPDX-License-Identifier: MIT
 * comparison.c - cells of a table computed from runs, and tests between cells. */
#include "comparison.h"

#include <math.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "stats.h"

gnd_status gnd_comparison_new(gnd_comparison **out, const gnd_compare_opts *o, gnd_error *err)
{
    gnd_comparison *c = gnd_alloc(1, sizeof *c);
    int64_t i = 0;

    *out = c;
    if (c) {
        c->n_split = o->n_split;
        c->n_cell = o->n_config * o->n_per_class;
        c->n_run = c->n_cell * o->n_split;
        c->run = gnd_alloc(c->n_run, sizeof *c->run);
        c->result = gnd_alloc(c->n_run, sizeof *c->result);
        c->cell = gnd_alloc(c->n_cell, sizeof *c->cell);
    }
    if (!c || !c->run || !c->result || !c->cell) {
        gnd_comparison_free(c);
        *out = NULL;
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a comparison");
    }
    for (int64_t m = 0; m < o->n_config; m++)
        for (int64_t q = 0; q < o->n_per_class; q++)
            for (int32_t s = 1; s <= o->n_split; s++, i++)
                c->run[i] = (gnd_run){.method = gnd_config_method(o->configs[m]),
                                      .config = m,
                                      .per_class = o->per_class[q],
                                      .split_seed = (uint32_t)s,
                                      .seed = o->seed + (uint64_t)s - 1,
                                      .status = GND_ERR_STOPPED,
                                      .result = &c->result[i]};
    return GND_OK;
}

void gnd_comparison_free(gnd_comparison *c)
{
    if (!c)
        return;
    gnd_free(c->run);
    gnd_free(c->result);
    gnd_free(c->cell);
    gnd_free(c);
}

gnd_row gnd_comparison_row(const gnd_comparison *c, const gnd_compare_opts *o, int64_t i,
                           const char *settings)
{
    static const char *const kinds[] = {[GND_SPLIT_PAPER] = "paper",
                                        [GND_SPLIT_PLANETOID] = "planetoid",
                                        [GND_SPLIT_HONEST] = "honest"};
    const gnd_run *run = &c->run[i];
    const bool honest = o->kind == GND_SPLIT_HONEST;

    return (gnd_row){.split = kinds[o->kind],
                     .per_class = run->per_class,
                     .n_val = honest ? 0 : o->n_val,
                     .score_unlabelled = !honest && o->score_unlabelled,
                     .split_seed = run->split_seed,
                     .method = run->method,
                     .settings = settings,
                     .seed = run->seed};
}

void gnd_comparison_take(gnd_comparison *c, int64_t i, const gnd_row *row)
{
    gnd_run *run = &c->run[i];

    run->status = row->status[0] == 'o' ? GND_OK : GND_ERR_DIVERGED;
    c->result[i] = row->result;
    c->result[i].size = sizeof(gnd_result);
    run->seconds = row->seconds;
    run->stored = true;
    gnd_row_round(&c->result[i], &run->seconds); /* older stores have more digits */
}

void gnd_comparison_fill(gnd_comparison *c)
{
    for (int64_t k = 0; k < c->n_cell; k++) {
        const gnd_run *run = c->run + k * c->n_split;
        gnd_mean acc = {0}, val = {0}, f1 = {0}, epochs = {0}, seconds = {0}, ece = {0}, half = {0};
        double margin;

        for (int64_t i = 0; i < c->n_split; i++) {
            if (run[i].status != GND_OK)
                continue;
            gnd_mean_add(&acc, 100 * run[i].result->acc_test);
            gnd_mean_add(&val, 100 * run[i].result->acc_val);
            gnd_mean_add(&f1, 100 * run[i].result->f1_test);
            gnd_mean_add(&epochs, (double)run[i].result->epochs);
            gnd_mean_add(&seconds, run[i].seconds);
            gnd_mean_add(&ece, 100 * run[i].result->ece_test);
            gnd_mean_add(&half, 100 * run[i].result->acc_half);
        }
        margin = gnd_mean_margin(&acc);
        c->cell[k] = (gnd_cell){.method = run->method,
                                .config = run->config,
                                .per_class = run->per_class,
                                .n = acc.n,
                                .mean = gnd_mean_get(&acc),
                                .std = gnd_mean_std(&acc),
                                .low = gnd_mean_get(&acc) - margin,
                                .high = gnd_mean_get(&acc) + margin,
                                .mean_val = gnd_mean_get(&val),
                                .mean_f1 = gnd_mean_get(&f1),
                                .mean_epochs = gnd_mean_get(&epochs),
                                .mean_seconds = gnd_mean_get(&seconds),
                                .mean_ece = gnd_mean_get(&ece),
                                .mean_half = gnd_mean_get(&half)};
    }
}

int64_t gnd_comparison_n_cell(const gnd_comparison *c)
{
    return c->n_cell;
}

const gnd_cell *gnd_comparison_cell(const gnd_comparison *c, int64_t i)
{
    return i >= 0 && i < c->n_cell ? &c->cell[i] : NULL;
}

int64_t gnd_comparison_n_run(const gnd_comparison *c)
{
    return c->n_run;
}

const gnd_run *gnd_comparison_run(const gnd_comparison *c, int64_t i)
{
    return i >= 0 && i < c->n_run ? &c->run[i] : NULL;
}

gnd_status gnd_comparison_paired(gnd_paired *out, const gnd_comparison *c, int64_t a, int64_t b,
                                 gnd_error *err)
{
    gnd_paired p = {.size = sizeof p};
    gnd_mean diff = {0};
    double margin;
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_check(out, sizeof p, "gnd_paired", err));
    if (a < 0 || a >= c->n_cell || b < 0 || b >= c->n_cell)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "cells %lld and %lld: expected cells from 0 to %lld",
                         (long long)a, (long long)b, (long long)c->n_cell - 1));
    for (int64_t i = 0; i < c->n_split; i++) {
        const gnd_run *ra = &c->run[a * c->n_split + i], *rb = &c->run[b * c->n_split + i];
        const double x = ra->result->acc_test, y = rb->result->acc_test;

        if (ra->status != GND_OK || rb->status != GND_OK)
            continue;
        gnd_mean_add(&diff, 100 * (x - y));
        p.wins += x > y;
        p.ties += x == y;
        p.losses += x < y;
    }
    margin = gnd_mean_margin(&diff);
    p.n = diff.n;
    p.diff = gnd_mean_get(&diff);
    p.low = p.diff - margin;
    p.high = p.diff + margin;
    p.p = gnd_mean_p(&diff);
    gnd_opts_put(out, &p, sizeof p);
out:
    return st;
}
