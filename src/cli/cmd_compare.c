/* SPDX-License-Identifier: MIT
 * cmd_compare.c - `gnd compare`: methods x label counts x splits on data sets, mean and
 * deviation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "tables.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("what to compare"),
    {.type = OPT_TEXT,
     .name = "methods",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(methods),
     .help = "names with commas, or all; `gnd methods` lists them"},
    OPT_PER_CLASSES("5"),
    {.type = OPT_REPEAT,
     .name = "vary",
     .arg = "NAME=V1,V2,...",
     .at = AT(vary),
     .help = "a row for each value of a setting; methods without it are left out"},
    {.type = OPT_FLAG,
     .name = "pick",
     .at = AT(pick),
     .help = "of the values of --vary, or of those a method's authors searched, keep the one of "
             "highest mean validation accuracy"},
    OPT_HEADING("how"),
    {.type = OPT_CHOICE,
     .name = "protocol",
     .fallback = "paper",
     .choices = "paper|honest|planetoid",
     .at = AT(protocol),
     .help = "paper: 500 vertices validate, 10 splits, graph raw; honest: the labels that train "
             "are all there are, 100 splits, graph std, intervals, macro-F1, calibration, paired "
             "comparison; planetoid: the fixed split of these sets, 20 labels a class, 100 seeds, "
             "graph raw"},
    {.type = OPT_INT,
     .name = "splits",
     .arg = "N",
     .min = 1,
     .max = 1000000,
     .at = AT(splits),
     .help = "random splits, with split seeds 1..N (default as --protocol says; planetoid: "
             "trainings)"},
    {.type = OPT_CHOICE,
     .name = "graph",
     .choices = "raw|und|std",
     .at = AT(graph),
     .help = "raw: as stored; und: links both ways, loops dropped; std: und, weights 1, largest "
             "component (default as --protocol says)"},
    {.type = OPT_INT,
     .name = "validation",
     .arg = "N",
     .max = INT32_MAX,
     .at = AT(validation),
     .help = "vertices that decide when to stop; 0: none (default as --protocol says)"},
    {.type = OPT_CHOICE,
     .name = "rule",
     .fallback = "original",
     .choices = "original|common",
     .at = AT(rule),
     .help = "when to stop: each method as its authors did, or all the same way"},
    OPT_PRESET,
    OPT_SET,
    OPT_SPLIT_SEEDS,
    OPT_SIDE_BY_SIDE,
    OPT_MEMORY,
    OPT_DATA_DIR,
    {.type = OPT_TEXT,
     .name = "store",
     .arg = "FILE",
     .at = AT(store),
     .use = USE_STORE,
     .help = "keep every finished training there (SQLite) and take what is there already: a "
             "comparison that was ended goes on, and several may share one file"},
    OPT_HEADING("output"),
    OPT_TABLE_FORMAT,
    {.type = OPT_TEXT,
     .name = "runs",
     .arg = "FILE",
     .at = AT(runs),
     .use = USE_OUT,
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
        "Prints mean and population standard deviation of the test accuracy, in percent, and what "
        "a training takes. Every method sees the same splits. On the data sets of the paper "
        "the published figure stands beside.",
    .examples = "  gnd compare cora --methods gnd-slp,gcn --labels-per-class 1-5 --splits 30\n"
                "  gnd compare cora citeseer --protocol honest --store cora.sqlite --format md\n"
                "  gnd compare cora --methods gnd-slp --vary hops=5,10,20\n"
                "  gnd compare karate --validation 0 --labels-per-class 1,2 --runs runs.csv\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = -1,
    .operand_use = {USE_DATA, USE_DATA},
    .run = run,
};

/* ---- printing ---- */

static void print_tables(view *v, const void *user)
{
    const sweep *s = user;

    for (int64_t b = 0; b < s->n_whole; b++) {
        view_accuracy(v, s, &s->block[b]);
        if (s->kind == GND_SPLIT_HONEST)
            view_trust(v, s, &s->block[b]);
        if (s->want_paired)
            view_paired(v, s, &s->block[b]);
    }
    for (int64_t b = 0; b < s->n_whole; b++)
        view_times(v, s, &s->block[b]);
}

static void print_json(const sweep *s, const char *protocol)
{
    json_t *o = json_object();

    js_set(o, "protocol", js_text(protocol));
    js_set(o, "splits", js_count(s->n_split));
    js_set(o, "validation", js_count(s->n_val));
    js_set(o, "seed", js_count(s->args->seed));
    js_set(o, "store", js_text(s->store_path));
    js_set(o, "cells", records_json(s));
    js_set(o, "runs", json_incref(s->js_runs));
    js_set(o, "version", js_text(gnd_version()));
    js_set(o, "kernels", js_text(gnd_kernel_name()));
    js_print(stdout, o);
}

static int print_all(const sweep *s, const cli_args *a)
{
    if (a->json || strcmp(a->to, "json") == 0) {
        print_json(s, a->protocol);
    } else if (strcmp(a->to, "csv") == 0) {
        table t;

        records_table(&t, s);
        table_print(stdout, &t, TABLE_CSV, 0);
        table_fini(&t);
    } else {
        return print_to(NULL, print_tables, table_style_of(a->to), s);
    }
    return 0;
}

/* ---- the comparison ---- */

/* What a protocol says where the user does not. */
typedef struct {
    const char *name;
    gnd_split_kind kind;
    const char *graph;
    int32_t n_split;
    int64_t n_val;
    int32_t per_class; /* 0: as the user says */
} protocol;

static const protocol *protocol_get(const char *name)
{
    static const protocol all[] = {{"paper", GND_SPLIT_PAPER, "raw", 10, 500, 0},
                                   {"honest", GND_SPLIT_HONEST, "std", 100, 0, 0},
                                   {"planetoid", GND_SPLIT_PLANETOID, "raw", 100, 500, 20}};
    const protocol *p = all;

    while (strcmp(p->name, name) != 0) /* one of --protocol's choices */
        p++;
    return p;
}

static int options_check(const cli_args *a, gnd_split_kind kind)
{
    const bool honest = kind == GND_SPLIT_HONEST, val = args_given(a, &cmd_compare, "validation");

    if (args_given(a, &cmd_compare, "format") && a->json && strcmp(a->to, "json") != 0)
        return say_usage("--json and --format %s exclude each other", a->to);
    if (honest && a->pick)
        return say_usage("--pick has no meaning with --protocol honest: there are no validation "
                         "vertices to pick by");
    if (honest && val)
        return say_usage("--validation has no meaning with --protocol honest: nothing validates");
    if (kind == GND_SPLIT_PLANETOID && (val || args_given(a, &cmd_compare, "labels-per-class")))
        return say_usage("--protocol planetoid has 20 labels a class and 500 validation vertices");
    if (a->pick && val && a->validation == 0)
        return say_usage("--pick needs validation vertices to pick by, and --validation is 0");
    return 0;
}

static void protocol_apply(cli_args *a, const protocol *p)
{
    if (!a->graph)
        a->graph = p->graph;
    if (!a->splits)
        a->splits = p->n_split;
    if (!args_given(a, &cmd_compare, "validation"))
        a->validation = p->n_val;
    if (p->per_class) {
        a->per_classes.n = 1;
        a->per_classes.v[0] = p->per_class;
    }
}

static int compare_all(sweep *s, const cli_args *a)
{
    int64_t done, total;
    int rc = s->store ? sweep_run(s, true) : 0;

    if (rc)
        return rc;
    if (s->store) {
        sweep_count(s, &done, &total);
        say_note(a->quiet, "%" PRId64 " of %" PRId64 " trainings are in %s already", done, total,
                 s->store_path);
    }
    rc = sweep_run(s, false);
    if (s->n_whole == 0 || rc > EXIT_FAILED)
        return rc; /* not one data set was finished, or a signal came */
    /* Those that were are not lost with a later one. */
    if (a->runs && table_save(&s->runs, a->runs))
        rc = EXIT_FAILED;
    if (print_all(s, a))
        rc = EXIT_FAILED;
    return rc ? rc : sweep_diverged(s);
}

static int run(const cli_args *given)
{
    cli_args a = *given;
    sweep_setting setting = {.rule = a.rule};
    sweep s = {.args = &a,
               .data = a.operand,
               .setting = &setting,
               .n_setting = 1,
               .per_class = &a.per_classes,
               .store_path = a.store,
               .want_runs = true};
    const protocol *p = protocol_get(a.protocol);
    int rc = options_check(given, p->kind);

    if (!rc)
        rc = memory_get(&s.memory, given);
    if (rc)
        return rc;
    protocol_apply(&a, p);
    a.format = NULL; /* --format is the output's here */
    setting.graph = graph_mode(&a);
    s.kind = p->kind;
    s.want_paired = s.kind == GND_SPLIT_HONEST;
    s.n_val = a.validation;
    s.n_split = s.n_search = (int32_t)a.splits;
    rc = variants_make(&s, a.methods, NULL);
    if (!rc && s.n_val == 0)
        stopping_note(&a);
    if (!rc && a.store)
        rc = store_open(&s.store, a.store);
    if (!rc)
        rc = compare_all(&s, &a);
    sweep_fini(&s);
    return rc;
}
