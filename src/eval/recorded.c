/* SPDX-License-Identifier: MIT
 * recorded.c - a folder of exported runs as a store in memory; comparisons from it by names. */
#define _POSIX_C_SOURCE 200809L
#include "recorded.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "io/find_dataset.h"
#include "key.h"
#include "store_folder.h"
#include "store_priv.h"

enum { COLUMNS = 8, NAMES = 2 };

static const char *const heading[COLUMNS] = {"dataset", "graph",    "vertices", "edges",
                                             "arcs",    "features", "classes",  "directed"};

/* A row of datasets.csv. */
typedef struct {
    char *name;
    gnd_graph_mode graph;
    int64_t n[COLUMNS - NAMES];
} graph_record;

struct gnd_recorded {
    graph_record *graph; /* [n] */
    int64_t n;
    sqlite3_stmt *find; /* a run by names */
};

/* A run is found by these columns; the graph by its hash, which is that of all runs on it. */
#define NAMED "data, split, labels_per_class, validation, split_seed, method, settings, seed"
#define INDEXES                                                                                    \
    "CREATE INDEX run_named ON run (" NAMED ");"                                                   \
    "CREATE INDEX run_graph ON run (dataset, graph, data)"

void gnd_recorded_free(gnd_recorded *r)
{
    if (!r)
        return;
    for (int64_t i = 0; i < r->n; i++)
        gnd_free(r->graph[i].name);
    gnd_free(r->graph);
    sqlite3_finalize(r->find);
    gnd_free(r);
}

bool gnd_store_is_recorded(const gnd_store *s)
{
    return s && s->recorded;
}

/* ---- datasets.csv ---- */

static gnd_status graph_read(gnd_recorded *r, gnd_text *t, const gnd_csv_field f[COLUMNS],
                             gnd_error *err)
{
    graph_record *all = gnd_realloc(r->graph, r->n + 1, sizeof *all), *to;
    char mode[16], shown[GND_SHOWN];

    if (!all)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", t->path);
    r->graph = all;
    to = &all[r->n];
    snprintf(mode, sizeof mode, "%.*s", f[1].len < sizeof mode ? (int)f[1].len : 0, f[1].s);
    if (gnd_graph_mode_parse(&to->graph, mode, NULL) != GND_OK)
        return gnd_text_fail(t, err, "graph is '%s'; expected raw, und or std",
                             gnd_field_show(shown, f[1]));
    for (int i = 0; i < COLUMNS - NAMES; i++)
        if (!gnd_parse_int(&to->n[i], f[NAMES + i].s, f[NAMES + i].len) || to->n[i] < 0)
            return gnd_text_fail(t, err, "%s is '%s'; expected a whole number", heading[NAMES + i],
                                 gnd_field_show(shown, f[NAMES + i]));
    to->name = gnd_strndup(f[0].s, f[0].len);
    if (!to->name)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", t->path);
    r->n++;
    return GND_OK;
}

/* A folder of which only comparisons are printed need not have the file. */
static gnd_status graphs_read(gnd_recorded *r, const char *path, gnd_error *err)
{
    gnd_text t = {0};
    const char *s;
    size_t len;
    gnd_status st;

    if (access(path, F_OK) != 0 && errno == ENOENT)
        return GND_OK;
    GND_TRY(gnd_text_open_lines(&t, path, 0, err));
    for (bool first = true; gnd_text_data_line(&t, &s, &len); first = false) {
        gnd_csv_field f[COLUMNS] = {{0}};
        int64_t n;

        GND_TRY(gnd_fields_split(gnd_text_fields(&t, s, len, ','), f, COLUMNS, &n, err));
        if (n != COLUMNS)
            GND_TRY(gnd_text_fail(&t, err, "the row has %lld fields; expected %d", (long long)n,
                                  (int)COLUMNS));
        for (int i = 0; first && i < COLUMNS; i++)
            if (!gnd_field_equals(f[i], heading[i]))
                GND_TRY(gnd_text_fail(&t, err, "column %d of the header is not '%s'", i + 1,
                                      heading[i]));
        if (!first)
            GND_TRY(graph_read(r, &t, f, err));
    }
out:
    gnd_text_close(&t);
    return st;
}

gnd_status gnd_recorded_info(gnd_graph_info *out, const gnd_store *s, const char *dataset,
                             gnd_graph_mode graph, gnd_error *err)
{
    const gnd_recorded *r = s->recorded;

    if (gnd_opts_check(out, sizeof *out, "gnd_graph_info", err) != GND_OK)
        return GND_ERR_ARG;
    for (int64_t i = 0; i < r->n; i++) {
        const graph_record *g = &r->graph[i];

        if (g->graph != graph || strcmp(g->name, dataset) != 0)
            continue;
        gnd_opts_put(out,
                     &(gnd_graph_info){.n_node = g->n[0],
                                       .n_edge = g->n[1],
                                       .n_arc = g->n[2],
                                       .n_feat = g->n[3],
                                       .n_class = g->n[4],
                                       .directed = g->n[5] != 0},
                     sizeof *out);
        return GND_OK;
    }
    return gnd_fail(err, GND_ERR_ARG, "%s: " GND_FOLDER_DATASETS " has no row of %.60s, graph %s",
                    s->path, dataset, gnd_graph_mode_name(graph));
}

/* ---- opening ---- */

const char *gnd_results_folder(void)
{
    static const char *const folder[] = {"results", GND_DATA_INSTALLED "/results"};

    for (int i = 0; i < 2; i++) {
        char path[GND_PATH_SIZE];

        snprintf(path, sizeof path, "%s/" GND_FOLDER_DATASETS, folder[i]);
        if (access(path, R_OK) == 0)
            return folder[i];
    }
    return NULL;
}

/* Fail with `problem` if the query, whose columns are a data set and a graph mode, has a row. */
static gnd_status none_check(gnd_store *s, const char *query, const char *problem, gnd_error *err)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, query, -1, &q, NULL);
    gnd_status st = GND_OK;

    if (rc == SQLITE_OK)
        rc = sqlite3_step(q);
    if (rc == SQLITE_ROW)
        st = gnd_fail(err, GND_ERR_FORMAT, "%s: has %s of the name %.60s, graph %.10s", s->path,
                      problem, (const char *)sqlite3_column_text(q, 0),
                      (const char *)sqlite3_column_text(q, 1));
    else if (rc != SQLITE_DONE)
        st = gnd_store_fail(s, "read the training runs", err);
    sqlite3_finalize(q);
    return st;
}

/* The name of a data set and a mode must stand for one graph, and the names of a run for one
 * run. */
static gnd_status names_check(gnd_store *s, gnd_error *err)
{
    gnd_status st;

    GND_TRY(none_check(s,
                       "SELECT dataset, graph FROM run GROUP BY dataset, graph"
                       " HAVING min(data) <> max(data)",
                       "runs on different graphs", err));
    GND_TRY(none_check(s, "SELECT dataset, graph FROM run GROUP BY " NAMED " HAVING count(*) > 1",
                       "runs on different splits with the same split seed, on a graph", err));
out:
    return st;
}

/* A prepared statement that finds a run by its names. */
static gnd_status find_make(gnd_store *s, gnd_error *err)
{
    char columns[GND_ROW_TEXT], sql[2 * GND_ROW_TEXT];

    snprintf(sql, sizeof sql,
             "SELECT %s FROM run WHERE (" NAMED ") = ((SELECT data FROM run WHERE dataset = ?1 AND"
             " graph = ?2 LIMIT 1), ?3, ?4, ?5, ?6, ?7, ?8, ?9) LIMIT 1",
             gnd_row_columns(columns, -1, false));
    if (sqlite3_exec(s->db, INDEXES, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(s->db, sql, -1, &s->recorded->find, NULL) != SQLITE_OK)
        return gnd_store_fail(s, "prepare the training runs", err);
    return names_check(s, err);
}

gnd_status gnd_store_open_results(gnd_store **out, const char *folder, gnd_error *err)
{
    gnd_store *s = NULL;
    char *datasets = NULL;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_require(folder, "the folder of results", err));
    if (access(folder, F_OK) == 0 && !gnd_is_folder(folder))
        return gnd_fail(err, GND_ERR_ARG, "%s: is a file; expected a folder of training runs",
                        folder);
    GND_TRY(gnd_store_open_memory(&s, folder, err));
    GND_TRY(gnd_store_import(s, folder, NULL, err));
    s->recorded = gnd_alloc(1, sizeof *s->recorded);
    datasets = gnd_text_make("%s/" GND_FOLDER_DATASETS, folder);
    if (!s->recorded || !datasets)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", folder));
    GND_TRY(graphs_read(s->recorded, datasets, err));
    GND_TRY(find_make(s, err));
    *out = s;
    s = NULL;
out:
    gnd_free(datasets);
    gnd_store_close(s);
    return st;
}

/* ---- comparisons ---- */

/* A data set of which the folder knows nothing is a mistyped name, not an empty table. */
static gnd_status dataset_check(gnd_store *s, const char *dataset, gnd_error *err)
{
    sqlite3_stmt *q = NULL;
    int rc;

    for (int64_t i = 0; i < s->recorded->n; i++)
        if (strcmp(s->recorded->graph[i].name, dataset) == 0)
            return GND_OK;
    rc = sqlite3_prepare_v2(s->db, "SELECT 1 FROM run WHERE dataset = ?1 LIMIT 1", -1, &q, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(q, 1, dataset, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(q);
    sqlite3_finalize(q);
    if (rc == SQLITE_DONE)
        return gnd_fail(err, GND_ERR_ARG, "%s: has no training runs on a data set %.60s", s->path,
                        dataset);
    return rc == SQLITE_ROW ? GND_OK : gnd_store_fail(s, "look up a training run", err);
}

static int bind_names(sqlite3_stmt *q, const gnd_row *row)
{
    const struct {
        const char *text;
        int64_t count; /* if text is NULL */
    } value[] = {{row->dataset, 0},      {row->graph, 0},    {row->split, 0},
                 {NULL, row->per_class}, {NULL, row->n_val}, {NULL, row->split_seed},
                 {row->method, 0},       {row->settings, 0}, {NULL, (int64_t)row->seed}};
    int rc = SQLITE_OK;

    for (int i = 0; i < 9 && rc == SQLITE_OK; i++)
        rc = value[i].text ? sqlite3_bind_text(q, i + 1, value[i].text, -1, SQLITE_STATIC)
                           : sqlite3_bind_int64(q, i + 1, value[i].count);
    return rc;
}

/* Look up run i of the comparison and take its result if it is there. */
static gnd_status run_find(gnd_comparison *c, int64_t i, bool *found, gnd_row *row, gnd_store *s,
                           gnd_error *err)
{
    sqlite3_stmt *q = s->recorded->find;
    const int rc = bind_names(q, row) == SQLITE_OK ? sqlite3_step(q) : SQLITE_ERROR;
    gnd_status st = GND_OK;

    *found = rc == SQLITE_ROW;
    if (*found)
        st = gnd_row_read(row, q, s->path, err);
    else if (rc != SQLITE_DONE)
        st = gnd_store_fail(s, "look up a training run", err);
    if (*found && st == GND_OK)
        gnd_comparison_take(c, i, row);
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return st;
}

gnd_status gnd_compare_recorded(gnd_comparison **out, const char *dataset, gnd_graph_mode graph,
                                const gnd_compare_opts *o, gnd_error *err)
{
    gnd_comparison *c = NULL;
    char *settings = NULL;
    int64_t done = 0;
    gnd_status st;

    *out = NULL;
    GND_TRY(dataset_check(o->store, dataset, err));
    GND_TRY(gnd_comparison_new(&c, o, err));
    for (int64_t i = 0, config = -1; i < c->n_run; i++) {
        gnd_row row;
        bool found;

        if (c->run[i].config != config) {
            config = c->run[i].config;
            gnd_free(settings);
            GND_TRY(gnd_key_settings(&settings, o->configs[config], err));
        }
        row = gnd_comparison_row(c, o, i, settings);
        row.dataset = dataset;
        row.graph = gnd_graph_mode_name(graph);
        GND_TRY(run_find(c, i, &found, &row, o->store, err));
        if (found && o->on_run)
            o->on_run(&c->run[i], ++done, c->n_run, o->user);
    }
    gnd_comparison_fill(c);
    *out = c;
    c = NULL;
out:
    gnd_free(settings);
    gnd_comparison_free(c);
    return st;
}
