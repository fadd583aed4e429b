/* SPDX-License-Identifier: MIT
 * cmd_paper.c - `gnd paper`: all tables of the paper, with what was published beside. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "paper.h"
#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("what to train"),
    {.type = OPT_TEXT,
     .name = "data",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(data),
     .use = USE_DATA_LIST,
     .help = "data sets with commas; all: the six of the paper"},
    {.type = OPT_TEXT,
     .name = "methods",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(methods),
     .help = "names with commas; all: the twelve of the paper"},
    OPT_PER_CLASSES("1-5"),
    {.type = OPT_INT,
     .name = "splits",
     .arg = "N",
     .fallback = "30",
     .min = 1,
     .max = 1000000,
     .at = AT(splits),
     .help = "random splits, with split seeds 1..N"},
    {.type = OPT_REPEAT,
     .name = "setting",
     .arg = "GRAPH,RULE",
     .at = AT(settings),
     .help = "graph raw|und|std and stopping rule original|common, may be repeated (default "
             "raw,original std,original std,common)"},
    {.type = OPT_INT,
     .name = "search-splits",
     .arg = "N",
     .fallback = "30",
     .min = 1,
     .max = 1000000,
     .at = AT(search_splits),
     .help = "where authors searched a setting, its values are compared on the first N splits; the "
             "best by validation is then trained on all"},
    OPT_SPLIT_SEEDS,
    OPT_SIDE_BY_SIDE,
    OPT_MEMORY,
    OPT_DATA_DIR,
    {.type = OPT_TEXT,
     .name = "store",
     .arg = "FILE",
     .fallback = "gnd-paper.sqlite",
     .at = AT(store),
     .use = USE_STORE,
     .help = "where every finished training is kept (SQLite); the same command goes on from there"},
    {.type = OPT_FLAG,
     .name = "dry-run",
     .at = AT(dry_run),
     .help = "say what would be trained and what the store has"},
    {.type = OPT_FLAG,
     .name = "tables-only",
     .at = AT(tables_only),
     .help = "train nothing: print what the store has"},
    OPT_HEADING("output"),
    OPT_TABLE_FORMAT,
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "FILE",
     .at = AT(output),
     .use = USE_OUT,
     .help = "write there instead of to stdout"},
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_paper = {
    .name = "paper",
    .purpose = "make all tables of the paper, published figures beside ours",
    .operands = "[options]",
    .about =
        "Trains the twelve methods of Ye et al. on their six data sets with 1 to 5 labels a class "
        "on 30 splits, 500 vertices validating, on the files as stored and on standardised graphs, "
        "each method with its "
        "authors' stopping rule and all with a common one. It takes long; it can be ended at any "
        "moment and goes on where it was. Then prints the data sets, an accuracy table each, who "
        "is best in how many cells, and what a training takes.",
    .examples = "  gnd paper --dry-run\n"
                "  gnd paper --data cora,citeseer --methods gnd-slp,gcn,sgc --splits 5\n"
                "  gnd paper --setting raw,original --format md -o tables.md\n"
                "  gnd paper --tables-only\n",
    .opts = opts,
    .min_operand = 0,
    .max_operand = 0,
    .run = run,
};

/* ---- printing ---- */

typedef struct {
    const sweep *s;
    const paper_data *data;
} report;

static void print_tables(view *v, const void *user)
{
    const report *r = user;

    paper_view_data(v, r->s, r->data);
    for (int64_t b = 0; b < r->s->n_block; b++)
        view_accuracy(v, r->s, &r->s->block[b]);
    paper_view_best(v, r->s);
    for (int64_t k = 0; k < r->s->n_setting; k++)
        paper_view_times(v, r->s, k);
}

static void print_csv(view *v, const void *user)
{
    const report *r = user;
    table t;

    records_table(&t, r->s);
    table_print(v->f, &t, TABLE_CSV, 0);
    table_fini(&t);
}

static void print_json(view *v, const void *user)
{
    const report *r = user;
    json_t *o = json_object();

    js_set(o, "splits", js_count(r->s->n_split));
    js_set(o, "search_splits", js_count(r->s->n_search));
    js_set(o, "validation", js_count(r->s->n_val));
    js_set(o, "seed", js_count(r->s->args->seed));
    js_set(o, "store", js_text(r->s->store_path));
    js_set(o, "datasets", paper_json_data(r->s, r->data));
    js_set(o, "cells", records_json(r->s));
    js_set(o, "best", paper_json_best(r->s));
    js_set(o, "version", js_text(gnd_version()));
    js_set(o, "kernels", js_text(gnd_kernel_name()));
    js_print(v->f, o);
}

static int print_all(const sweep *s, const cli_args *a, const paper_data *data)
{
    const report r = {s, data};

    return print_to(a->output,
                    strcmp(a->to, "csv") == 0    ? print_csv
                    : strcmp(a->to, "json") == 0 ? print_json
                                                 : print_tables,
                    table_style_of(a->to), &r);
}

/* ---- what is asked for ---- */

static int data_make(sweep *s, char *list)
{
    for (char *name = list, *next; name; name = next) {
        next = strchr(name, ',');
        if (next)
            *next++ = '\0';
        if (!*name)
            return say_usage("--data: expected names with commas, got \"%s\"", s->args->data);
        s->data.v = need_more(s->data.v, (size_t)s->data.n + 1, sizeof *s->data.v);
        s->data.v[s->data.n++] = name;
    }
    return 0;
}

static int setting_parse(sweep_setting *out, const char *text)
{
    const size_t n = strcspn(text, ",");
    char *graph = need_text("%.*s", (int)n, text);
    const char *rule = text[n] ? text + n + 1 : "";
    const bool ok = gnd_graph_mode_parse(&out->graph, graph, NULL) == GND_OK;

    free(graph);
    out->rule = strcmp(rule, "common") == 0 ? "common" : "original";
    if (ok && strcmp(rule, out->rule) == 0)
        return 0;
    return say_usage("--setting: expected raw|und|std, a comma, and original|common, got \"%s\"",
                     text);
}

/* The settings asked for, each once. */
static int settings_make(sweep_setting **out, int64_t *n, const cli_args *a)
{
    static const char *const usual[] = {"raw,original", "std,original", "std,common"};
    const char *const *text = a->settings.n ? a->settings.v : usual;
    const int64_t n_text = a->settings.n ? a->settings.n : 3;
    int rc = 0;

    *out = need((size_t)n_text, sizeof **out);
    *n = 0;
    for (int64_t i = 0; i < n_text && !rc; i++) {
        sweep_setting s = {0};
        bool again = false;

        rc = setting_parse(&s, text[i]);
        for (int64_t k = 0; k < *n; k++)
            again = again || ((*out)[k].graph == s.graph && strcmp((*out)[k].rule, s.rule) == 0);
        if (!again)
            (*out)[(*n)++] = s;
    }
    return rc;
}

static int options_check(const cli_args *a)
{
    if (a->dry_run && a->tables_only)
        return say_usage("--dry-run and --tables-only exclude each other");
    if (a->dry_run && (strcmp(a->to, "csv") == 0 || strcmp(a->to, "json") == 0))
        return say_usage("--dry-run is for people: --format table, md or tex");
    return 0;
}

/* ---- the sweep ---- */

static int store_get(sweep *s, const cli_args *a)
{
    struct stat sb;
    const bool there = stat(a->store, &sb) == 0;

    if (!there && a->tables_only)
        return say_failed("%s: %s; `gnd paper` without --tables-only trains", a->store,
                          strerror(errno));
    if (!there && a->dry_run)
        return 0;
    return store_open(&s->store, a->store);
}

static int paper_all(sweep *s, const cli_args *a)
{
    paper_data *data = NULL;
    int64_t done, total;
    char n[2][32];
    int rc = sweep_run(s, true);

    if (rc)
        return rc;
    if (a->dry_run)
        return print_to(a->output, paper_view_plan, table_style_of(a->to), s);
    sweep_count(s, &done, &total);
    if (!a->tables_only) {
        say_note(a->quiet, "%s of %s trainings are in %s; every one that is finished is kept there",
                 count_text(n[0], done), count_text(n[1], total), a->store);
        rc = sweep_run(s, false);
    }
    if (rc && s->n_done == 0)
        return rc; /* nothing to show */
    if (rc <= EXIT_FAILED && paper_data_get(&data, s) == 0) {
        if (print_all(s, a, data))
            rc = EXIT_FAILED;
        if (!rc && !a->tables_only)
            rc = sweep_diverged(s);
    }
    free(data);
    return rc;
}

static int run(const cli_args *given)
{
    cli_args a = *given;
    sweep_setting *setting = NULL;
    char *list = need_text("%s", strcmp(a.data, "all") == 0 ? PAPER_DATA : a.data);
    sweep s = {.args = &a,
               .per_class = &a.per_classes,
               .n_split = (int32_t)a.splits,
               .n_search = (int32_t)(a.search_splits < a.splits ? a.search_splits : a.splits),
               .kind = GND_SPLIT_PAPER,
               .n_val = 500,
               .store_path = a.store,
               .row_by_row = true};
    int rc = options_check(given);

    if (!rc)
        rc = memory_get(&s.memory, given);
    a.format = NULL;
    a.pick = true;
    if (!rc)
        rc = data_make(&s, list);
    if (!rc)
        rc = settings_make(&setting, &s.n_setting, &a);
    s.setting = setting;
    if (!rc)
        rc = variants_make(&s, a.methods, PAPER_METHODS);
    if (!rc)
        rc = store_get(&s, &a);
    if (!rc)
        rc = paper_all(&s, &a);
    sweep_fini(&s);
    free(s.data.v);
    free(setting);
    free(list);
    return rc;
}
