/* SPDX-License-Identifier: MIT
 * cmd_compare.c - `gnd compare`: methods x label counts x splits on data sets, mean and
 * deviation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "sweep.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("what to compare"),
    {.type = OPT_TEXT,
     .name = "methods",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(methods),
     .help = "names separated by commas, or all; `gnd methods` lists them"},
    OPT_PER_CLASSES("5"),
    {.type = OPT_REPEAT,
     .name = "vary",
     .arg = "NAME=V1,V2,...",
     .at = AT(vary),
     .help = "print one row per value of a setting; methods without the setting are left out"},
    {.type = OPT_FLAG,
     .name = "pick",
     .at = AT(pick),
     .help = "select a value per method, of --vary or of those its authors searched: the one "
             "with the highest mean validation accuracy"},
    OPT_HEADING("how"),
    {.type = OPT_CHOICE,
     .name = "protocol",
     .choices = "paper|honest|planetoid",
     .at = AT(protocol),
     .help = "paper: 500 validation vertices, 10 splits, graph raw; honest: no labels but the "
             "training labels, 100 splits, graph std, with intervals, macro-F1, calibration and "
             "paired tests; planetoid: the fixed split of these data sets, 20 labels per class, "
             "100 seeds, graph raw (default: paper if all data sets are the paper's or with "
             "--validation; otherwise honest with graph und and 10 splits)"},
    {.type = OPT_INT,
     .name = "splits",
     .arg = "N",
     .min = 1,
     .max = 1000000,
     .at = AT(splits),
     .help = "number of random splits, with split seeds 1..N; planetoid: of training runs "
             "(default: by --protocol)"},
    {.type = OPT_CHOICE,
     .name = "graph",
     .choices = "raw|und|std",
     .at = AT(graph),
     .help = "raw: as stored; und: undirected, without self-loops; std: und with weights 1, its "
             "largest component (default: by --protocol)"},
    {.type = OPT_INT,
     .name = "validation",
     .arg = "N",
     .max = INT32_MAX,
     .at = AT(validation),
     .help =
         "number of validation vertices, whose labels decide when to stop; 0: none (default: by "
         "--protocol)"},
    {.type = OPT_CHOICE,
     .name = "rule",
     .fallback = "original",
     .choices = "original|common|published",
     .at = AT(rule),
     .help = "stopping rule: original: that of each method's authors; common: the same for all; "
             "published: the preset of this name of each method that has one, which was chosen "
             "by the paper's test figures"},
    OPT_PRESET,
    OPT_SET,
    OPT_SPLIT_SEEDS,
    OPT_SIDE_BY_SIDE,
    OPT_MEMORY,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    {.type = OPT_TEXT,
     .name = "store",
     .arg = "FILE",
     .at = AT(store),
     .use = USE_STORE,
     .help = "SQLite file that keeps every finished training run; runs found there are not "
             "repeated, so an interrupted comparison continues, and processes can share it"},
    {.type = OPT_TEXT,
     .name = "results",
     .arg = "FOLDER",
     .at = AT(results),
     .use = USE_RUNS,
     .help = "train nothing: print what a folder written by `gnd results export` has; the data "
             "sets are not needed"},
    OPT_HEADING("output"),
    OPT_TABLE_FORMAT,
    {.type = OPT_FLAG,
     .name = "paired",
     .at = AT(paired),
     .help = "compare every method with the best one split by split: difference, 95 % interval, "
             "paired t test; --protocol honest always does"},
    {.type = OPT_TEXT,
     .name = "runs",
     .arg = "FILE",
     .at = AT(runs),
     .use = USE_OUT,
     .help = "write a CSV file with a row per training run"},
    {.type = OPT_FLAG, .name = "json", .at = AT(json), .help = "as --format json"},
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_compare = {
    .name = "compare",
    .purpose = "compare methods on data sets over many random splits",
    .operands = "DATA... [options]",
    .about =
        "Prints mean and population standard deviation of the test accuracy, in percent, and the "
        "time per training run. All methods use the same splits. The data sets of the paper have "
        "its protocol, and the published figures are printed too. Other data are undirected and "
        "have no validation vertices.",
    .examples = "  gnd compare cora --methods gnd-slp,gcn --labels-per-class 1-5 --splits 30\n"
                "  gnd compare cora citeseer --protocol honest --store cora.sqlite --format md\n"
                "  gnd compare cora --methods gnd-slp --vary hops=5,10,20\n"
                "  gnd compare karate --labels-per-class 1,2 --runs runs.csv\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = -1,
    .operand_use = {USE_DATA, USE_DATA},
    .run = run,
};

/* ---- printing ---- */

static void print_json(const sweep_job *j)
{
    const gnd_sweep_opts *so = gnd_sweep_options(j->s);
    json_t *o = json_object();

    js_set(o, "protocol", js_text(j->args->protocol));
    js_set(o, "splits", js_count(so->n_split));
    js_set(o, "validation", js_count(so->n_val));
    js_set(o, "seed", js_count(j->args->seed));
    js_set(o, "store", js_text(j->store_path));
    js_set(o, "cells", js_cells(j->s));
    js_set(o, "runs", js_runs(j->s));
    js_set(o, "version", js_text(gnd_version()));
    js_set(o, "kernels", js_text(gnd_kernel_name()));
    js_print(stdout, o);
}

static int print_all(const sweep_job *j)
{
    if (!j->args->json && strcmp(j->args->to, "json") != 0)
        return report_print(j, GND_REPORT_COMPARISON, NULL);
    print_json(j);
    return 0;
}

/* ---- the comparison ---- */

static int options_check(const cli_args *a, gnd_split_kind kind)
{
    const bool honest = kind == GND_SPLIT_HONEST, val = args_given(a, &cmd_compare, "validation");

    if (args_given(a, &cmd_compare, "format") && a->json && strcmp(a->to, "json") != 0)
        return say_usage("--json and --format %s exclude each other", a->to);
    if (honest && a->pick && !args_given(a, &cmd_compare, "protocol"))
        return say_usage("--pick needs validation vertices to select by: give --validation N");
    if (honest && a->pick)
        return say_usage("--pick has no meaning with --protocol honest: it has no validation "
                         "vertices to select by");
    if (honest && val)
        return say_usage(
            "--validation has no meaning with --protocol honest: it has no validation vertices");
    if (kind == GND_SPLIT_PLANETOID && (val || args_given(a, &cmd_compare, "labels-per-class")))
        return say_usage(
            "--protocol planetoid has 20 labels per class and 500 validation vertices");
    if (a->store && a->results)
        return say_usage("--store and --results exclude each other");
    if (a->pick && val && a->validation == 0)
        return say_usage("--pick needs validation vertices to select by, and --validation is 0");
    return 0;
}

static int compare_all(sweep_job *j)
{
    const cli_args *a = j->args;
    int64_t done, total;
    int rc = j->store ? sweep_train(j, true) : 0;

    if (!rc && a->results)
        return print_all(j);
    if (rc)
        return rc;
    if (j->store) {
        gnd_sweep_count(j->s, &done, &total);
        say_note(a->quiet, "%" PRId64 " of %" PRId64 " training runs are in %s already", done,
                 total, j->store_path);
    }
    rc = sweep_train(j, false);
    if (gnd_sweep_n_done(j->s) == 0 || rc > EXIT_FAILED)
        return rc; /* a signal came before one data set was finished */
    /* Data sets that were finished are printed even if a later one fails. */
    if (a->runs && runs_save(j, a->runs))
        rc = EXIT_FAILED;
    if (print_all(j))
        rc = EXIT_FAILED;
    return rc ? rc : sweep_diverged(j);
}

static int run(const cli_args *given)
{
    cli_args a = *given;
    sweep_job j = {.args = &a, .store_path = a.store, .graph_notes = true};
    gnd_sweep_setting setting = {.rule = a.rule};
    gnd_sweep_opts o = {.size = sizeof o,
                        .datasets = a.operand.v,
                        .n_dataset = a.operand.n,
                        .settings = &setting,
                        .n_setting = 1,
                        .pick = a.pick,
                        .keep_runs = true};
    word_list methods = {0};
    int rc;

    o.kind = compare_defaults(&a, &cmd_compare);
    o.labelled_only = !a.paper_rules;
    o.paired = a.paired || o.kind == GND_SPLIT_HONEST;
    rc = options_check(&a, o.kind);

    if (!rc && strcmp(a.methods, "all") != 0)
        rc = words_get(&methods, a.methods, "methods");
    if (!rc) {
        setting.graph = graph_mode(&a);
        o.methods = methods.v;
        o.n_method = methods.n;
        o.n_val = a.validation;
        o.n_split = (int32_t)a.splits;
    }
    if (!rc && a.store)
        rc = store_open(&j.store, a.store);
    if (!rc && a.results)
        rc = results_open(&j, a.results);
    if (!rc)
        rc = sweep_open(&j, &o);
    if (!rc && a.validation == 0)
        stopping_note(&a);
    if (!rc)
        rc = compare_all(&j);
    sweep_close(&j);
    words_fini(&methods);
    return rc;
}
