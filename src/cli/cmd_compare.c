/* SPDX-License-Identifier: MIT
 * cmd_compare.c - `gnd compare`: methods x label counts x splits on data sets, mean and
 * deviation. */
#include "common.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("what to compare"),
    {.type = OPT_TEXT,
     .name = "methods",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(methods),
     .help = "names with commas, or all; `gnd methods` lists them"},
    {.type = OPT_LIST,
     .name = "labels-per-class",
     .arg = "LIST",
     .fallback = "5",
     .min = 1,
     .max = INT32_MAX,
     .at = AT(per_classes),
     .help = "training labels of each class: 1-3,5"},
    {.type = OPT_INT,
     .name = "splits",
     .arg = "N",
     .fallback = "10",
     .min = 1,
     .max = 1000000,
     .at = AT(splits),
     .help = "random splits, with split seeds 1..N"},
    OPT_GRAPH("raw"),
    OPT_VALIDATION,
    OPT_PRESET,
    OPT_SET,
    {.type = OPT_INT,
     .name = "seed",
     .arg = "N",
     .fallback = "1",
     .min = 0,
     .max = INT64_MAX,
     .at = AT(seed),
     .help = "the training on split s uses seed N + s - 1"},
    {.type = OPT_INT,
     .name = "threads",
     .arg = "N",
     .fallback = "0",
     .min = 0,
     .max = 1024,
     .at = AT(threads),
     .help = "trainings side by side, 0: as many as CPUs; results do not depend on it"},
    OPT_DATA_DIR,
    OPT_HEADING("output"),
    {.type = OPT_CHOICE,
     .name = "format",
     .fallback = "table",
     .choices = "table|csv|json|md",
     .at = AT(to),
     .help = "table and md have two decimals, csv four, json all"},
    {.type = OPT_TEXT,
     .name = "runs",
     .arg = "FILE",
     .at = AT(runs),
     .help = "write a CSV with one row a training"},
    {.type = OPT_FLAG, .name = "json", .at = AT(json), .help = "as --format json"},
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_compare = {
    .name = "compare",
    .purpose = "compare methods on data sets over many random splits",
    .operands = "DATA... [options]",
    .about =
        "Prints mean and population standard deviation of the test accuracy, in percent. Every "
        "method sees the same splits.",
    .examples = "  gnd compare cora --methods gnd-slp --labels-per-class 1-5 --splits 30\n"
                "  gnd compare cora citeseer --methods all --graph std --format md\n"
                "  gnd compare karate --validation 0 --labels-per-class 1,2 --runs runs.csv\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = -1,
    .run = run,
};

typedef struct {
    const cli_args *a;
    gnd_config **configs;
    int64_t n_config;
    table rows; /* dataset,graph,method,labels_per_class,splits,mean,std */
    table runs; /* one row a training */
    json_t *cells, *js_runs;
    int64_t n_failed;
    /* progress over all data sets */
    progress p;
    int64_t done_before, total;
} job;

/* ---- methods ---- */

static int config_add(job *j, const char *method)
{
    gnd_config *c = NULL;
    const int rc = config_open(&c, j->a, method);

    if (rc)
        return rc;
    for (int64_t i = 0; i < j->n_config; i++)
        if (strcmp(gnd_config_method(j->configs[i]), gnd_config_method(c)) == 0) {
            gnd_config_free(c); /* named twice */
            return 0;
        }
    j->configs = need_more(j->configs, (size_t)j->n_config + 1, sizeof(gnd_config *));
    j->configs[j->n_config++] = c;
    return 0;
}

static int configs_open(job *j)
{
    char *list = need_text("%s", j->a->methods), *name = list;
    gnd_method_info m;
    int rc = 0;

    if (strcmp(list, "all") == 0) {
        for (int i = 0; !rc && gnd_method_get(&m, i); i++)
            rc = config_add(j, m.name);
        name = NULL;
    }
    while (!rc && name) {
        char *next = strchr(name, ',');

        if (next)
            *next++ = '\0';
        rc = *name ? config_add(j, name)
                   : say_usage("--methods: expected names with commas, got \"%s\"", j->a->methods);
        name = next;
    }
    free(list);
    return rc;
}

/* ---- one data set ---- */

static int on_run(const gnd_run *run_, int64_t done, int64_t total, void *user)
{
    job *j = user;

    (void)total;
    progress_step(&j->p, j->done_before + done, j->total, run_->method);
    return 0;
}

static void cell_add(job *j, const gnd_graph *g, const gnd_cell *c)
{
    const char *mode = gnd_graph_mode_name(gnd_graph_mode_get(g));
    char q[32], n[32], mean[32] = "", std[32] = "";
    json_t *o = json_object();

    snprintf(q, sizeof q, "%" PRId32, c->per_class);
    snprintf(n, sizeof n, "%" PRId64, c->n);
    if (c->n > 0) {
        snprintf(mean, sizeof mean, "%.4f", c->mean);
        snprintf(std, sizeof std, "%.4f", c->std);
    }
    table_row(&j->rows, (const char *[]){gnd_graph_name(g), mode, c->method, q, n, mean, std});
    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "graph", js_text(mode));
    js_set(o, "method", js_text(c->method));
    js_set(o, "labels_per_class", js_count(c->per_class));
    js_set(o, "splits", js_count(c->n));
    js_set(o, "mean", js_real(c->mean));
    js_set(o, "std", js_real(c->std));
    js_set(o, "mean_epochs", js_real(c->mean_epochs));
    js_append(j->cells, o);
}

static void run_add_row(job *j, const gnd_graph *g, const gnd_run *r, int64_t seed)
{
    const bool ok = r->status == GND_OK;
    char f[8][32];

    snprintf(f[0], 32, "%" PRId32, r->per_class);
    snprintf(f[1], 32, "%" PRIu32, r->split_seed);
    snprintf(f[2], 32, "%" PRId64, seed);
    snprintf(f[3], 32, "%.6f", r->result.acc_train);
    snprintf(f[4], 32, "%.6f", r->result.acc_val);
    snprintf(f[5], 32, "%.6f", r->result.acc_test);
    snprintf(f[6], 32, "%" PRId64, r->result.epochs);
    snprintf(f[7], 32, "%" PRId64, r->result.best_epoch);
    table_row(&j->runs,
              (const char *[]){
                  gnd_graph_name(g), gnd_graph_mode_name(gnd_graph_mode_get(g)), r->method, f[0],
                  f[1], f[2], ok ? "ok" : "diverged", ok && !isnan(r->result.acc_train) ? f[3] : "",
                  ok && !isnan(r->result.acc_val) ? f[4] : "",
                  ok && !isnan(r->result.acc_test) ? f[5] : "", ok ? f[6] : "", ok ? f[7] : ""});
}

static void run_add(job *j, const gnd_graph *g, const gnd_run *r)
{
    const bool ok = r->status == GND_OK;
    const int64_t seed = (int64_t)((uint64_t)j->a->seed + r->split_seed - 1);
    json_t *o = json_object();

    j->n_failed += !ok;
    run_add_row(j, g, r, seed);
    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(g))));
    js_set(o, "method", js_text(r->method));
    js_set(o, "labels_per_class", js_count(r->per_class));
    js_set(o, "split_seed", js_count(r->split_seed));
    js_set(o, "seed", js_count(seed));
    js_set(o, "ok", json_boolean(ok));
    js_set(o, "train_accuracy", ok ? js_real(r->result.acc_train) : json_null());
    js_set(o, "val_accuracy", ok ? js_real(r->result.acc_val) : json_null());
    js_set(o, "test_accuracy", ok ? js_real(r->result.acc_test) : json_null());
    js_set(o, "epochs", ok ? js_count(r->result.epochs) : json_null());
    js_set(o, "best_epoch", ok ? js_count(r->result.best_epoch) : json_null());
    js_append(j->js_runs, o);
}

static int compare_one(job *j, const char *name)
{
    const cli_args *a = j->a;
    const gnd_compare_opts o = {
        .size = sizeof o,
        .configs = (const gnd_config *const *)j->configs,
        .n_config = j->n_config,
        .per_class = a->per_classes.v,
        .n_per_class = a->per_classes.n,
        .n_split = (int32_t)a->splits,
        .n_val = a->validation,
        .score_unlabelled = graph_mode(a) == GND_GRAPH_RAW, /* as `gnd train` */
        .seed = (uint64_t)a->seed,
        .threads = (int32_t)a->threads,
        .on_run = on_run,
        .user = j,
    };
    gnd_graph *g = NULL;
    gnd_comparison *c = NULL;
    gnd_error err = {0};
    int rc;

    progress_end(&j->p); /* the graph's notes come next */
    rc = graph_open(&g, a, name, graph_mode(a), NULL);
    if (!rc && gnd_compare(&c, g, &o, &err)) {
        progress_end(&j->p);
        rc = say_failed("%s", err.msg);
    }
    for (int64_t i = 0; !rc && i < gnd_comparison_n_cell(c); i++) {
        const gnd_cell cell = gnd_comparison_cell(c, i);

        cell_add(j, g, &cell);
    }
    for (int64_t i = 0; !rc && i < gnd_comparison_n_run(c); i++)
        run_add(j, g, gnd_comparison_run(c, i));
    j->done_before += j->total / (a->operand.n > 0 ? a->operand.n : 1);
    gnd_comparison_free(c);
    gnd_graph_free(g);
    return rc;
}

/* ---- printing ---- */

/* The paper's form: a row a method, a column a label count. Cells come grouped by data set and
 * method. */
static void print_pivot(const job *j, table_style style)
{
    const int_list *q = &j->a->per_classes;
    const int64_t n = 3 + q->n;
    char *align = need((size_t)n + 1, 1);
    const char **row = need((size_t)n, sizeof *row);
    char **text = need((size_t)n, sizeof *text);
    table t = {.align = align};

    memset(align, 'r', (size_t)n);
    memset(align, 'l', 3);
    row[0] = "dataset", row[1] = "graph", row[2] = "method";
    for (int64_t k = 0; k < q->n; k++)
        row[3 + k] = text[3 + k] =
            need_text("%" PRId32 " label%s", q->v[k], q->v[k] == 1 ? "" : "s");
    table_row(&t, row);
    for (int64_t i = 1; i < j->rows.n_row; i++) {
        char **c = &j->rows.cell[7 * i];
        const int64_t k = (i - 1) % q->n;

        free(text[3 + k]);
        row[3 + k] = text[3 + k] =
            *c[5] ? need_text("%.2f ± %.2f", atof(c[5]), atof(c[6])) : need_text("diverged");
        row[0] = c[0], row[1] = c[1], row[2] = c[2];
        if (k == q->n - 1)
            table_row(&t, row);
    }
    table_print(stdout, &t, style, 0);
    for (int64_t k = 0; k < q->n; k++)
        free(text[3 + k]);
    table_fini(&t);
    free(text);
    free(row);
    free(align);
}

static void print_all(job *j, const char *format)
{
    if (strcmp(format, "json") == 0) {
        json_t *o = json_object();

        js_set(o, "splits", js_count(j->a->splits));
        js_set(o, "validation", js_count(j->a->validation));
        js_set(o, "seed", js_count(j->a->seed));
        js_set(o, "cells", json_incref(j->cells));
        js_set(o, "runs", json_incref(j->js_runs));
        js_set(o, "version", js_text(gnd_version()));
        js_set(o, "kernels", js_text(gnd_kernel_name()));
        js_print(stdout, o);
    } else if (strcmp(format, "csv") == 0) {
        table_print(stdout, &j->rows, TABLE_CSV, 0);
    } else {
        print_pivot(j, strcmp(format, "md") == 0 ? TABLE_MD : TABLE_TEXT);
    }
}

static int compare_all(job *j)
{
    const cli_args *a = j->a;
    int rc = 0;

    j->total = a->operand.n * j->n_config * a->per_classes.n * a->splits;
    progress_start(&j->p, "training", "about", a->quiet);
    for (int64_t i = 0; !rc && i < a->operand.n; i++)
        rc = compare_one(j, a->operand.v[i]);
    progress_end(&j->p);
    if (j->rows.n_row == 1)
        return rc; /* not one data set was finished */
    /* Those that were are not lost with a later one. */
    if (a->runs && table_save(&j->runs, a->runs))
        rc = EXIT_FAILED;
    print_all(j, a->json ? "json" : a->to);
    if (!rc && j->n_failed)
        rc = say_failed("%" PRId64 " of %" PRId64
                        " trainings left the finite numbers and are left out of the means",
                        j->n_failed, j->total);
    return rc;
}

static int run(const cli_args *a)
{
    job j = {.a = a, .rows = {.align = "lllrrrr"}, .runs = {.align = "lllrrrlrrrrr"}};
    cli_args input = *a; /* --format is the output's here */
    int rc;

    input.format = NULL;
    j.a = &input;
    j.cells = json_array();
    j.js_runs = json_array();
    table_row(&j.rows, (const char *[]){"dataset", "graph", "method", "labels_per_class", "splits",
                                        "mean", "std"});
    table_row(&j.runs, (const char *[]){"dataset", "graph", "method", "labels_per_class",
                                        "split_seed", "seed", "status", "train_accuracy",
                                        "val_accuracy", "test_accuracy", "epochs", "best_epoch"});
    rc = args_given(a, &cmd_compare, "format") && a->json && strcmp(a->to, "json") != 0
             ? say_usage("--json and --format %s exclude each other", a->to)
             : 0;
    if (!rc)
        rc = configs_open(&j);
    if (!rc && a->runs)
        rc = output_check(a->runs, a->operand.v, a->operand.n, a->data_dir);
    if (!rc)
        rc = compare_all(&j);
    for (int64_t i = 0; i < j.n_config; i++)
        gnd_config_free(j.configs[i]);
    free(j.configs);
    table_fini(&j.rows);
    table_fini(&j.runs);
    json_decref(j.cells);
    json_decref(j.js_runs);
    return rc;
}
