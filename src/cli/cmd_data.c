/* SPDX-License-Identifier: MIT
 * cmd_data.c - `gnd data list|info|make`: list data sets, describe one, generate graphs for
 * measurements. */
#include "common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "progress.h"
#include "say.h"

static int list_run(const cli_args *a);
static int info_run(const cli_args *a);
static int make_run(const cli_args *a);

static const opt_spec list_opts[] = {
    OPT_HEADING("options"), OPT_DATA_DIR, OPT_JSON, OPT_QUIET, OPT_HELP, OPT_END,
};

static const opt_spec info_opts[] = {
    OPT_HEADING("input"),
    OPT_GRAPH("raw"),
    OPT_FEATURES,
    OPT_OTHER_LABELS,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    {.type = OPT_FLAG,
     .name = "verify",
     .at = AT(verify),
     .help = "compare the checksum of a safetensors file with its content"},
    OPT_HEADING("output"),
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

static const opt_spec make_opts[] = {
    OPT_HEADING("the graph"),
    {.type = OPT_INT,
     .name = "vertices",
     .arg = "N",
     .fallback = "10000",
     .min = 2,
     .max = INT32_MAX - 1,
     .at = AT(vertices),
     .help = "number of vertices"},
    {.type = OPT_INT,
     .name = "edges",
     .arg = "N",
     .fallback = "100000",
     .min = 1,
     .max = INT64_C(1) << 40,
     .at = AT(edges),
     .help = "number of edges drawn; self-loops and repeated edges are dropped"},
    {.type = OPT_INT,
     .name = "classes",
     .arg = "N",
     .fallback = "8",
     .min = 1,
     .max = 65536,
     .at = AT(classes),
     .help = "number of classes; every vertex has one"},
    {.type = OPT_INT,
     .name = "inside",
     .arg = "PERCENT",
     .fallback = "70",
     .min = 0,
     .max = 100,
     .at = AT(inside),
     .help = "percentage of the edges that are moved to connect vertices of the same class or "
             "community"},
    {.type = OPT_INT,
     .name = "communities",
     .arg = "N",
     .fallback = "0",
     .min = 0,
     .max = INT32_MAX - 1,
     .at = AT(communities),
     .help = "number of communities, each a part of a class, such as one per 200 vertices; 0: "
             "one per class"},
    {.type = OPT_INT,
     .name = "features",
     .arg = "N",
     .fallback = "256",
     .min = 0,
     .max = INT32_MAX - 1,
     .at = AT(n_features),
     .help = "number of features (words), at least one per class; 0: none"},
    {.type = OPT_INT,
     .name = "words",
     .arg = "N",
     .fallback = "8",
     .min = 1,
     .max = 1024,
     .at = AT(words),
     .help = "number of features per vertex, a quarter of them typical of its class"},
    {.type = OPT_INT,
     .name = "seed",
     .arg = "N",
     .fallback = "1",
     .min = 0,
     .max = INT64_MAX,
     .at = AT(seed),
     .help = "seed of the random graph"},
    OPT_HEADING("output"),
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_data_list = {
    .name = "data list",
    .purpose = "list the data sets known by name, where they are, and the formats",
    .operands = "[options]",
    .examples = "  gnd data list\n"
                "  gnd data list --data-dir ~/graphs\n",
    .opts = list_opts,
    .min_operand = 0,
    .max_operand = 0,
    .run = list_run,
};

const command cmd_data_info = {
    .name = "data info",
    .purpose = "print what is in a data set or file",
    .operands = "DATA [options]",
    .examples = "  gnd data info karate\n"
                "  gnd data info cora --graph std\n"
                "  gnd data info edges.csv --features words.csv --json\n",
    .opts = info_opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = info_run,
};

const command cmd_data_make = {
    .name = "data make",
    .purpose = "generate a random graph for measurements",
    .operands = "OUT [options]",
    .about = "Writes an npz file, or a safetensors file if the name ends so. An R-MAT graph: few "
             "vertices have very many edges. Its classes are planted, so that "
             "edges and features depend on them. The same options give the "
             "same graph on every machine.",
    .examples =
        "  gnd data make small.npz\n"
        "  gnd data make big.safetensors --vertices 1000000 --edges 10000000 --classes 16\n",
    .opts = make_opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_OUT},
    .run = make_run,
};

/* ---- list ---- */

static json_t *js_named(const char *name, const char *about)
{
    json_t *o = json_object();

    js_set(o, "name", js_text(name));
    js_set(o, "about", js_text(about));
    return o;
}

static int list_run(const cli_args *a)
{
    gnd_table *sets = table_new("lll"), *formats = table_new("ll");
    json_t *o = json_object(), *js_sets = json_array(), *js_formats = json_array();
    char path[4096];

    gnd_table_row(sets, (const char *[]){"data set", "where", "about"});
    for (int i = 0; gnd_dataset_name(i); i++) {
        const char *name = gnd_dataset_name(i), *about = gnd_dataset_about(i);
        const bool here = gnd_dataset_find(path, sizeof path, name, a->data_dir, NULL) == GND_OK;
        json_t *e = js_named(name, about);

        js_set(e, "path", js_text(here ? path : NULL));
        js_append(js_sets, e);
        gnd_table_row(sets, (const char *[]){name, here ? path : "not found", about});
    }
    gnd_table_row(formats, (const char *[]){"format", "about"});
    for (int i = 0; gnd_format_name(i); i++) {
        js_append(js_formats, js_named(gnd_format_name(i), gnd_format_about(i)));
        gnd_table_row(formats, (const char *[]){gnd_format_name(i), gnd_format_about(i)});
    }
    js_set(o, "datasets", js_sets);
    js_set(o, "formats", js_formats);
    if (a->json) {
        js_print(stdout, o);
        gnd_table_free(sets);
        gnd_table_free(formats);
    } else {
        table_print(sets, GND_FORMAT_TEXT, 0);
        putchar('\n');
        table_print(formats, GND_FORMAT_TEXT, 0);
        json_decref(o);
    }
    return 0;
}

/* ---- info ---- */

static void info_json(const gnd_graph *g, const gnd_graph_info *i, const int64_t *size)
{
    json_t *o = json_object(), *classes = json_array();

    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(g))));
    js_set(o, "n_node", js_count(i->n_node));
    js_set(o, "n_feat", js_count(i->n_feat));
    js_set(o, "n_class", js_count(i->n_class));
    js_set(o, "n_arc", js_count(i->n_arc));
    js_set(o, "n_edge", js_count(i->n_edge));
    js_set(o, "n_loop", js_count(i->n_loop));
    js_set(o, "n_feat_entry", js_count(i->n_feat_entry));
    js_set(o, "n_labelled", js_count(i->n_labelled));
    js_set(o, "n_isolated", js_count(i->n_isolated));
    js_set(o, "n_component", js_count(i->n_component));
    js_set(o, "n_largest", js_count(i->n_largest));
    js_set(o, "n_empty_feat", js_count(i->n_empty_feat));
    js_set(o, "directed", json_boolean(i->directed));
    js_set(o, "weighted", json_boolean(i->weighted));
    for (int32_t c = 0; c < gnd_graph_n_class(g); c++) {
        json_t *e = json_object();

        js_set(e, "name", js_text(gnd_graph_class_name(g, c)));
        js_set(e, "vertices", js_count(size[c]));
        js_append(classes, e);
    }
    js_set(o, "classes", classes);
    js_set(o, "notes", js_notes(g));
    js_print(stdout, o);
}

static void info_text(const gnd_graph *g, const gnd_graph_info *i, const int64_t *size)
{
    char a[32], b[32], c[32];
    gnd_table *t = table_new("lr");

    printf("data        %s, graph %s%s%s\n", gnd_graph_name(g),
           gnd_graph_mode_name(gnd_graph_mode_get(g)), i->directed ? ", directed" : ", undirected",
           i->weighted ? ", weighted" : "");
    printf("vertices    %s, %s of them isolated\n", count_text(a, i->n_node),
           count_text(b, i->n_isolated));
    printf("edges       %s, stored as %s arcs; %s loops\n", count_text(a, i->n_edge),
           count_text(b, i->n_arc), count_text(c, i->n_loop));
    printf("components  %s, the largest of %s vertices\n", count_text(a, i->n_component),
           count_text(b, i->n_largest));
    if (i->n_feat)
        printf("features    %s, %s entries; %s vertices have none\n", count_text(a, i->n_feat),
               count_text(b, i->n_feat_entry), count_text(c, i->n_empty_feat));
    else
        printf("features    none: identity features\n");
    printf("labels      %s, %s classes\n", count_text(a, i->n_labelled), count_text(b, i->n_class));
    for (int32_t k = 0; k < gnd_graph_n_class(g); k++)
        gnd_table_row(t, (const char *[]){gnd_graph_class_name(g, k), count_text(a, size[k])});
    table_print(t, GND_FORMAT_TEXT, 12);
}

static int info_run(const cli_args *a)
{
    gnd_graph *g = NULL;
    gnd_graph_info info = {.size = sizeof info};
    gnd_error err = {0};
    int rc = graph_open(&g, a, a->operand.v[0], graph_mode(a), NULL);

    if (!rc && gnd_graph_info_get(&info, g, &err))
        rc = say_failed("%s", err.msg);
    if (!rc) {
        int64_t *size = need((size_t)gnd_graph_n_class(g) + 1, sizeof *size);

        gnd_graph_class_sizes(size, g);
        if (a->json)
            info_json(g, &info, size);
        else
            info_text(g, &info, size);
        free(size);
    }
    gnd_graph_free(g);
    return rc;
}

/* ---- make ---- */

static int make_run(const cli_args *a)
{
    const char *path = a->operand.v[0], *format = graph_out_format(a, path);
    progress p;
    const gnd_make_opts o = {.size = sizeof o,
                             .n_node = a->vertices,
                             .n_edge = a->edges,
                             .n_feat = a->n_features,
                             .n_class = (int32_t)a->classes,
                             .n_word = (int32_t)a->words,
                             .inside = (int32_t)a->inside,
                             .seed = (uint64_t)a->seed,
                             .n_community = (int32_t)a->communities,
                             .on_tick = progress_tick,
                             .tick_user = &p};
    gnd_graph *g = NULL;
    gnd_graph_info info = {.size = sizeof info};
    gnd_error err = {0};
    gnd_status st;
    int rc = 0;

    progress_start(&p, "", "about", progress_off(a));
    st = gnd_graph_make(&g, &o, &err);
    progress_end(&p);
    if (st)
        return err.code == GND_ERR_ARG ? say_usage("%s", err.msg) : say_failed("%s", err.msg);
    rc = graph_save(g, a, path, strcmp(format, "csv") == 0 ? "npz" : format);
    if (!rc && gnd_graph_info_get(&info, g, &err))
        rc = say_failed("%s", err.msg);
    if (!rc && a->json) {
        json_t *j = json_object();

        js_set(j, "output", js_text(path));
        js_set(j, "n_node", js_count(info.n_node));
        js_set(j, "n_edge", js_count(info.n_edge));
        js_set(j, "n_arc", js_count(info.n_arc));
        js_set(j, "n_feat_entry", js_count(info.n_feat_entry));
        js_print(stdout, j);
    } else if (!rc) {
        printf("%s\n", path);
    }
    gnd_graph_free(g);
    return rc;
}
