/* SPDX-License-Identifier: MIT
 * cmd_convert.c - `gnd data convert`: write a data set in another format. */
#include "common.h"

#include <string.h>

#include "files.h"
#include "input.h"
#include "progress.h"
#include "say.h"

enum { CONVERT_MIN = 32 << 20 }; /* bytes of --memory */

static int convert_run(const cli_args *a);

static const opt_spec convert_opts[] = {
    OPT_HEADING("input"),
    OPT_GRAPH("raw"),
    OPT_FEATURES,
    OPT_OTHER_LABELS,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("output"),
    {.type = OPT_CHOICE,
     .name = "to",
     .choices = "safetensors|npz|csv",
     .at = AT(to),
     .help = "safetensors: one file that opens at once; npz: one file; csv: a folder with "
             "edges.csv, labels.csv and features.csv, or features.mtx if sparse (default: by the "
             "end of OUT, .safetensors or .npz, else csv)"},
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "OUT",
     .at = AT(output),
     .use = USE_GRAPH_OUT,
     .help = "the same as the operand OUT"},
    {.type = OPT_TEXT,
     .name = "memory",
     .arg = "SIZE",
     .at = AT(memory),
     .help =
         "memory for the conversion of an edge list to safetensors: 512M, 2G; parts of a larger "
         "one are sorted on disk, in $TMPDIR or beside OUT (default: a quarter of the "
         "machine's)"},
    {.type = OPT_INT,
     .name = "parts",
     .arg = "N",
     .fallback = "0",
     .min = 0,
     .max = 1000000,
     .at = AT(parts),
     .help = "order the vertices for N processes, so that those that are linked are close "
             "(safetensors, needs METIS; docs/cluster.md); predictions as CSV are in the original "
             "order"},
    OPT_THREADS,
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_data_convert = {
    .name = "data convert",
    .purpose = "write a data set in another format",
    .operands = "DATA OUT [options]",
    .examples = "  gnd data convert karate karate-csv --to csv\n"
                "  gnd data convert edges.csv graph.npz --features words.csv\n"
                "  gnd data convert edges.csv --to safetensors -o graph.safetensors\n"
                "  gnd data convert edges.csv -o graph.safetensors --parts 16\n"
                "  gnd data convert cora_ml cora_ml-std.npz --graph std\n",
    .opts = convert_opts,
    .min_operand = 1,
    .max_operand = 2,
    .operand_use = {USE_DATA, USE_GRAPH_OUT},
    .run = convert_run,
};

typedef struct {
    progress p;
    const char *path; /* the file that is written */
} watch;

/* Called when the input has been opened, which may wait for a pipe: from now on a signal stops the
 * conversion by the result, and the file that is being written is removed. */
static int on_tick(const char *stage, double share, void *user)
{
    watch *w = user;

    signals_ask("note: stopping\n");
    signals_hold(w->path);
    progress_tick(stage, share, &w->p);
    return signals_asked();
}

/* Write a safetensors file of the raw graph; a large edge list is never in memory as a whole. */
static int mapped_write(gnd_graph **out, const cli_args *a, const char *path)
{
    watch w = {.path = path};
    gnd_load_opts load;
    gnd_dataset_convert_opts o = {.size = sizeof o,
                                  .threads = (int32_t)a->threads,
                                  .load = &load,
                                  .on_tick = on_tick,
                                  .tick_user = &w};
    gnd_error err = {0};
    gnd_status st;

    if ((a->format && format_check(a->format)) || load_opts_get(&load, a) ||
        memory_get(&o.memory, a))
        return EXIT_USAGE;
    if (a->memory && o.memory < CONVERT_MIN)
        return say_usage("--memory %s: expected 32M or more", a->memory);
    progress_start(&w.p, "", "about", progress_off(a));
    st = gnd_dataset_convert(out, a->operand.v[0], path, &o, &err);
    progress_end(&w.p);
    signals_ask(NULL);
    signals_release();
    if (st == GND_ERR_STOPPED) {
        say_failed("interrupted; no incomplete file was left");
        return 128 + signals_asked();
    }
    if (st)
        return config_failed(&err);
    graph_notes(*out, a->quiet);
    return 0;
}

/* Put the vertices into an order for --parts processes. */
static int parts_make(gnd_graph **g, const cli_args *a)
{
    gnd_partition_info info = {.size = sizeof info};
    gnd_graph *ordered = NULL;
    gnd_error err = {0};
    char copies[32], before[32];

    if (gnd_graph_partition(&ordered, &info, *g, (int32_t)a->parts, &err))
        return config_failed(&err);
    gnd_graph_free(*g);
    *g = ordered;
    say_note(a->quiet, "%d parts copy %s vertices of others; in the order of the input: %s",
             info.parts, count_text(copies, info.copies), count_text(before, info.copies_before));
    return 0;
}

/* Load the graph, and write it. */
static int graph_write(gnd_graph **out, const cli_args *a, const char *path, const char *format)
{
    int rc;

    if (a->memory)
        return say_usage("--memory is for --to safetensors with --graph raw");
    rc = graph_open(out, a, a->operand.v[0], graph_mode(a), NULL);
    if (!rc && a->parts)
        rc = parts_make(out, a);
    if (rc)
        return rc;
    return graph_save(*out, a, path, format);
}

static int convert_run(const cli_args *a)
{
    const char *path = a->output ? a->output : a->operand.v[1], *format;
    gnd_graph *g = NULL;
    int rc;

    if ((a->operand.n == 2) == (a->output != NULL))
        return say_usage(
            "give the file or folder to write once: as the second operand, or with -o");
    format = graph_out_format(a, path);
    if (a->parts && strcmp(format, "safetensors") != 0)
        return say_usage("--parts is for safetensors files, which several processes read");
    if (a->parts == 1)
        return say_usage("--parts 1: expected 2 or more, or 0 for the order of the input");
    if (strcmp(format, "safetensors") == 0 && graph_mode(a) == GND_GRAPH_RAW && !a->parts)
        rc = mapped_write(&g, a, path);
    else
        rc = graph_write(&g, a, path, format);
    if (!rc && a->json) {
        json_t *o = json_object();

        js_set(o, "dataset", js_text(gnd_graph_name(g)));
        js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(g))));
        js_set(o, "format", js_text(format));
        js_set(o, "output", js_text(path));
        js_print(stdout, o);
    } else if (!rc) {
        printf("%s\n", path);
    }
    gnd_graph_free(g);
    return rc;
}
