/* SPDX-License-Identifier: MIT
 * cmd_convert.c - `gnd data convert`: write a data set in another format. */
#include "common.h"

#include "files.h"
#include "say.h"

static int convert_run(const cli_args *a);

static const opt_spec convert_opts[] = {
    OPT_HEADING("input"),
    OPT_GRAPH("raw"),
    OPT_FEATURES,
    {.type = OPT_TEXT,
     .name = "labels",
     .arg = "FILE",
     .at = AT(labels),
     .use = USE_IN,
     .help = "CSV id,label that replaces the labels of the data set"},
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
    OPT_JSON,
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
                "  gnd data convert cora_ml cora_ml-std.npz --graph std\n",
    .opts = convert_opts,
    .min_operand = 1,
    .max_operand = 2,
    .operand_use = {USE_DATA, USE_GRAPH_OUT},
    .run = convert_run,
};

static int convert_run(const cli_args *a)
{
    const char *path = a->output ? a->output : a->operand.v[1], *format;
    gnd_graph *g = NULL;
    gnd_error err = {0};
    gnd_status st;
    int rc;

    if ((a->operand.n == 2) == (a->output != NULL))
        return say_usage(
            "give the file or folder to write once: as the second operand, or with -o");
    format = graph_out_format(a, path);
    rc = graph_open(&g, a, a->operand.v[0], graph_mode(a), NULL);
    if (rc)
        return rc;
    signals_hold(path);
    st = gnd_graph_save(g, path, format, &err);
    signals_release();
    if (st) {
        rc = say_failed("%s", err.msg);
    } else if (a->json) {
        json_t *o = json_object();

        js_set(o, "dataset", js_text(gnd_graph_name(g)));
        js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(g))));
        js_set(o, "format", js_text(format));
        js_set(o, "output", js_text(path));
        js_print(stdout, o);
    } else {
        printf("%s\n", path);
    }
    gnd_graph_free(g);
    return rc;
}
