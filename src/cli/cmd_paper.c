/* SPDX-License-Identifier: MIT
 * cmd_paper.c - `gnd paper`: all tables of the paper, with the published figures. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "say.h"
#include "sweep.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("what to train"),
    {.type = OPT_TEXT,
     .name = "data",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(data),
     .use = USE_DATA_LIST,
     .help = "data sets separated by commas; all: the six of the paper"},
    {.type = OPT_TEXT,
     .name = "methods",
     .arg = "LIST",
     .fallback = "all",
     .at = AT(methods),
     .help = "names separated by commas; all: the twelve of the paper"},
    OPT_PER_CLASSES("1-5"),
    {.type = OPT_INT,
     .name = "splits",
     .arg = "N",
     .fallback = "30",
     .min = 1,
     .max = 1000000,
     .at = AT(splits),
     .help = "number of random splits, with split seeds 1..N"},
    {.type = OPT_REPEAT,
     .name = "setting",
     .arg = "GRAPH,RULE",
     .at = AT(settings),
     .help = "graph raw|und|std and stopping rule original|common; may be repeated (default "
             "raw,original std,common). raw,published: with the presets `published`, which come "
             "closest to the published figures and were chosen by them"},
    {.type = OPT_INT,
     .name = "search-splits",
     .arg = "N",
     .fallback = "5",
     .min = 1,
     .max = 1000000,
     .at = AT(search_splits),
     .help = "where authors searched a setting, compare its values on the first N splits and "
             "train the best by validation accuracy on all"},
    OPT_SPLIT_SEEDS,
    OPT_SIDE_BY_SIDE,
    OPT_MEMORY,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    {.type = OPT_TEXT,
     .name = "store",
     .arg = "FILE",
     .fallback = "gnd-paper.sqlite",
     .at = AT(store),
     .use = USE_STORE,
     .help = "SQLite file that keeps every finished training run; the same command continues "
             "from there. A new store starts with the training runs of --results"},
    {.type = OPT_TEXT,
     .name = "results",
     .arg = "FOLDER",
     .at = AT(results),
     .use = USE_RESULTS,
     .help = "folder of finished training runs, as written by `gnd results export`; none: start "
             "without (default: the one that comes with gnd)"},
    {.type = OPT_FLAG,
     .name = "dry-run",
     .at = AT(dry_run),
     .help = "print what would be trained and what the store has"},
    {.type = OPT_FLAG,
     .name = "tables-only",
     .at = AT(tables_only),
     .help = "train nothing: print what the store has. Without a store, or if --results and not "
             "--store is given, print what that folder has, which does not need the data sets"},
    OPT_HEADING("output"),
    OPT_TABLE_FORMAT,
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "FILE",
     .at = AT(output),
     .use = USE_OUT,
     .help = "file to write (default: stdout)"},
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_paper = {
    .name = "paper",
    .purpose = "make all tables of the paper, with the published figures",
    .operands = "[options]",
    .about =
        "Trains the twelve methods of Ye et al. on their six data sets with 1 to 5 labels per "
        "class on 30 splits with 500 validation vertices, on the graphs as stored and on "
        "standardised graphs, with each method's own stopping rule and with a common one. Training "
        "runs that come with gnd are not repeated; all of them take days. It can be interrupted "
        "at any time, and the same command continues. Then prints the data sets, the accuracy "
        "tables, which method is best in how many cells, and "
        "the time per training run.",
    .examples = "  gnd paper --dry-run\n"
                "  gnd paper --data cora,citeseer --methods gnd-slp,gcn,sgc --splits 5\n"
                "  gnd paper --setting raw,original --format md -o tables.md\n"
                "  gnd paper --tables-only\n",
    .opts = opts,
    .min_operand = 0,
    .max_operand = 0,
    .run = run,
};

/* ---- JSON ---- */

static json_t *info_json(const gnd_graph_info *i)
{
    json_t *o = json_object();

    js_set(o, "n_node", js_count(i->n_node));
    js_set(o, "n_edge", js_count(i->n_edge));
    js_set(o, "n_arc", js_count(i->n_arc));
    js_set(o, "n_feat", js_count(i->n_feat));
    js_set(o, "n_class", js_count(i->n_class));
    return o;
}

static json_t *graph_json(const gnd_sweep *s, int64_t d, gnd_graph_mode mode)
{
    gnd_graph_info i = {.size = sizeof i};

    return gnd_sweep_dataset_info(&i, s, d, mode, NULL) ? json_null() : info_json(&i);
}

static json_t *published_json(const gnd_published_data *p)
{
    json_t *o = json_object();

    js_set(o, "n_node", js_count(p->n_node));
    js_set(o, "n_edge", js_count(p->n_edge));
    js_set(o, "n_feat", js_count(p->n_feat));
    js_set(o, "n_class", js_count(p->n_class));
    return o;
}

static json_t *datasets_json(const gnd_sweep *s)
{
    const gnd_sweep_opts *so = gnd_sweep_options(s);
    json_t *list = json_array();

    for (int64_t d = 0; d < so->n_dataset; d++) {
        gnd_published_data p = {.size = sizeof p};
        bool found = false;
        json_t *o = json_object();

        for (int i = 0; !found && gnd_published_data_get(&p, i); i++)
            found = strcmp(p.name, so->datasets[d]) == 0;
        js_set(o, "dataset", js_text(so->datasets[d]));
        js_set(o, "published", found ? published_json(&p) : json_null());
        js_set(o, "raw", graph_json(s, d, GND_GRAPH_RAW));
        js_set(o, "std", graph_json(s, d, GND_GRAPH_STD));
        js_set(o, "published_edges", js_text(found ? p.about : NULL));
        js_append(list, o);
    }
    return list;
}

static json_t *score_json(const gnd_sweep *s, int64_t setting, int64_t row)
{
    const gnd_sweep_opts *so = gnd_sweep_options(s);
    const bool pub = setting == so->n_setting;
    gnd_report_score c = {.size = sizeof c};
    json_t *o = json_object();

    gnd_report_score_get(&c, s, setting, row, NULL);
    js_set(o, "method", js_text(gnd_sweep_row_name(s, row)));
    js_set(o, "cells", js_count(c.n_cell));
    js_set(o, "best", js_count(c.n_best));
    js_set(o, "by", js_text(pub ? "published" : "measured"));
    js_set(o, "graph", js_text(pub ? NULL : gnd_graph_mode_name(so->settings[setting].graph)));
    js_set(o, "rule", js_text(pub ? NULL : so->settings[setting].rule));
    js_set(o, "partial_cells", pub ? json_null() : js_count(c.n_partial));
    js_set(o, "near", pub ? json_null() : js_count(c.n_near));
    js_set(o, "near_strict", pub ? json_null() : js_count(c.n_near_strict));
    js_set(o, "compared", pub ? json_null() : js_count(c.n_compared));
    return o;
}

static void print_json(FILE *f, const void *user)
{
    const sweep_job *j = user;
    const gnd_sweep_opts *so = gnd_sweep_options(j->s);
    json_t *o = json_object(), *best = json_array();

    for (int64_t k = 0; k <= so->n_setting; k++)
        for (int64_t r = 0; r < gnd_sweep_n_row(j->s); r++)
            js_append(best, score_json(j->s, k, r));
    js_set(o, "splits", js_count(so->n_split));
    js_set(o, "search_splits", js_count(so->n_search));
    js_set(o, "validation", js_count(so->n_val));
    js_set(o, "seed", js_count(j->args->seed));
    js_set(o, "store", js_text(j->store_path));
    js_set(o, "datasets", datasets_json(j->s));
    js_set(o, "cells", js_cells(j->s));
    js_set(o, "best", best);
    js_set(o, "version", js_text(gnd_version()));
    js_set(o, "kernels", js_text(gnd_kernel_name()));
    js_print(f, o);
}

static int print_all(const sweep_job *j)
{
    const char *path = j->args->output;

    if (strcmp(j->args->to, "json") != 0)
        return report_print(j, GND_REPORT_PAPER, path);
    if (is_file(path))
        return file_write(path, print_json, j);
    print_json(stdout, j);
    return 0;
}

/* ---- options ---- */

/* The names of a list option; all: those of the paper. */
static int names_make(word_list *out, const char *text, const char *option)
{
    const bool data = strcmp(option, "data") == 0;
    gnd_published_data d = {.size = sizeof d};

    if (strcmp(text, "all") != 0)
        return words_get(out, text, option);
    *out = (word_list){0};
    for (int i = 0; data ? gnd_published_data_get(&d, i) : gnd_published_method(i) != NULL; i++) {
        out->v = need_more(out->v, (size_t)out->n + 1, sizeof *out->v);
        out->v[out->n++] = data ? d.name : gnd_published_method(i);
    }
    return 0;
}

static int setting_parse(gnd_sweep_setting *out, const char *text)
{
    const size_t n = strcspn(text, ",");
    char *graph = need_text("%.*s", (int)n, text);
    const char *rule = text[n] ? text + n + 1 : "";
    const bool ok = gnd_graph_mode_parse(&out->graph, graph, NULL) == GND_OK;

    free(graph);
    out->rule = strcmp(rule, "common") == 0      ? "common"
                : strcmp(rule, "published") == 0 ? "published"
                                                 : "original";
    if (ok && strcmp(rule, out->rule) == 0)
        return 0;
    return say_usage("--setting: expected raw|und|std, a comma, and original|common|published, "
                     "got \"%s\"",
                     text);
}

/* The settings of --setting, without repetitions. */
static int settings_make(gnd_sweep_setting **out, int64_t *n, const cli_args *a)
{
    static const char *const usual[] = {"raw,original", "std,common"};
    const char *const *text = a->settings.n ? a->settings.v : usual;
    const int64_t n_text = a->settings.n ? a->settings.n : (int64_t)(sizeof usual / sizeof *usual);
    int rc = 0;

    *out = need((size_t)n_text, sizeof **out);
    *n = 0;
    for (int64_t i = 0; i < n_text && !rc; i++) {
        gnd_sweep_setting s = {0};
        bool again = false;

        rc = setting_parse(&s, text[i]);
        for (int64_t k = 0; k < *n; k++)
            again = again || ((*out)[k].graph == s.graph && strcmp((*out)[k].rule, s.rule) == 0);
        if (!again)
            (*out)[(*n)++] = s;
    }
    return rc;
}

/* The presets `published` have fixed values: nothing is searched. */
static int published_check(gnd_sweep_opts *o)
{
    int64_t n = 0;

    for (int64_t i = 0; i < o->n_setting; i++)
        n += strcmp(o->settings[i].rule, "published") == 0;
    if (n > 0 && n < o->n_setting)
        return say_usage("--setting: published cannot be in one table with original or common");
    o->pick = n == 0;
    return 0;
}

static int options_check(const cli_args *a)
{
    if (a->dry_run && a->tables_only)
        return say_usage("--dry-run and --tables-only exclude each other");
    if (a->dry_run && (strcmp(a->to, "csv") == 0 || strcmp(a->to, "json") == 0))
        return say_usage("--dry-run prints --format table, md or tex only");
    return 0;
}

/* ---- the sweep ---- */

/* Tables without a store: those of the results. */
static int tables_open(sweep_job *j)
{
    const char *folder = results_folder(j->args->results);

    if (!folder)
        return say_failed("%s: %s, and there is no folder of results; name one with --results, or "
                          "train without --tables-only",
                          j->store_path, strerror(ENOENT));
    say_note(j->args->quiet || j->args->dry_run, "tables of the training runs in %s", folder);
    return results_open(j, folder);
}

/* A new store starts with the results. */
static int results_import(sweep_job *j)
{
    const char *folder = results_folder(j->args->results);
    gnd_error err = {0};
    int64_t n = 0;
    char text[32];

    if (!folder)
        return 0;
    if (gnd_store_import(j->store, folder, &n, &err))
        return say_failed("%s", err.msg);
    say_note(j->args->quiet, "%s starts with %s training runs of %s; --results none starts without",
             j->store_path, count_text(text, n), folder);
    return 0;
}

static int store_get(sweep_job *j)
{
    const cli_args *a = j->args;
    struct stat sb;
    const bool there = stat(j->store_path, &sb) == 0;
    int rc;

    if (!there && a->tables_only && args_given(a, &cmd_paper, "store"))
        return say_failed("%s: %s; `gnd paper` without --tables-only trains", a->store,
                          strerror(errno));
    if (a->tables_only && args_given(a, &cmd_paper, "results") && results_folder(a->results) &&
        !args_given(a, &cmd_paper, "store"))
        return tables_open(j);
    if (!there && (a->tables_only || (a->dry_run && results_folder(a->results))))
        return tables_open(j);
    if (!there && a->dry_run)
        return 0;
    rc = store_open(&j->store, j->store_path);
    if (rc || a->tables_only || a->dry_run || gnd_store_count(j->store) > 0)
        return rc;
    return results_import(j); /* also if an earlier command was stopped before it imported them */
}

static int paper_all(sweep_job *j)
{
    const cli_args *a = j->args;
    int64_t done, total, n;
    char text[2][32];
    int rc = sweep_train(j, true);

    if (rc)
        return rc;
    if (a->dry_run)
        return report_print(j, GND_REPORT_PLAN, a->output);
    gnd_sweep_count(j->s, &done, &total);
    if (!a->tables_only) {
        say_note(a->quiet,
                 "%s of %s training runs are in %s; every one that is finished is kept there",
                 count_text(text[0], done), count_text(text[1], total), j->store_path);
        rc = sweep_train(j, false);
    }
    gnd_sweep_diverged(j->s, NULL, &n);
    if (rc > EXIT_FAILED || (rc && n == 0))
        return rc; /* a signal came, or there is no result */
    if (print_all(j))
        rc = EXIT_FAILED;
    return rc || a->tables_only ? rc : sweep_diverged(j);
}

static int run(const cli_args *a)
{
    sweep_job j = {.args = a, .store_path = a->store};
    gnd_sweep_opts o = {.size = sizeof o,
                        .pick = true,
                        .n_split = (int32_t)a->splits,
                        .n_search = (int32_t)a->search_splits,
                        .kind = GND_SPLIT_PAPER,
                        .n_val = 500,
                        .keep_going = true};
    gnd_sweep_setting *setting = NULL;
    word_list data = {0}, methods = {0};
    int rc = options_check(a);

    if (!rc)
        rc = names_make(&data, a->data, "data");
    if (!rc)
        rc = names_make(&methods, a->methods, "methods");
    if (!rc)
        rc = settings_make(&setting, &o.n_setting, a);
    o.datasets = data.v;
    o.n_dataset = data.n;
    o.methods = methods.v;
    o.n_method = methods.n;
    o.settings = setting;
    if (!rc)
        rc = published_check(&o);
    if (!rc)
        rc = store_get(&j);
    if (!rc)
        rc = sweep_open(&j, &o);
    if (!rc)
        rc = paper_all(&j);
    sweep_close(&j);
    words_fini(&data);
    words_fini(&methods);
    free(setting);
    return rc;
}
