/* SPDX-License-Identifier: MIT
 * cmd_predict.c - `gnd predict`: label a graph with a saved model. */
#include "common.h"

#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_FEATURES,
    OPT_LABELS("CSV id,label, for the accuracy with --json; replaces the labels of the data set"),
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_THREADS,
    OPT_HEADING("output"),
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "FILE",
     .at = AT(output),
     .use = USE_OUT,
     .help = "CSV file id,label,probability to write (default: stdout)"},
    OPT_PROBABILITIES,
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_predict = {
    .name = "predict",
    .purpose = "label a graph with a saved model",
    .operands = "MODEL DATA [options]",
    .about = "MODEL is a file written by `gnd train -o` or `gnd label --model`. DATA is the graph "
             "that it was trained on, or that graph with new vertices and links and the same "
             "features. The graph mode is that of the model. With --json, the accuracy on the "
             "labels of the graph is printed.",
    .examples = "  gnd predict karate.safetensors karate\n"
                "  gnd predict m.safetensors grown.csv --features words.csv -o labels.csv\n"
                "  gnd predict cora.safetensors cora --json -o cora.csv\n",
    .opts = opts,
    .min_operand = 2,
    .max_operand = 2,
    .operand_use = {USE_IN, USE_DATA},
    .run = run,
};

static void print_json(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                       const cli_args *a, double seconds_load)
{
    int64_t n;
    const double accuracy = gnd_prediction_agreement(p, g, m, &n);
    json_t *o = json_object();

    js_set(o, "model", js_text(a->operand.v[0]));
    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(g))));
    js_set(o, "method", js_text(gnd_config_method(gnd_model_config(m))));
    js_set(o, "n_node", js_count(gnd_graph_n_node(g)));
    js_set(o, "classes", js_classes(m));
    js_set(o, "n_unknown", js_count(gnd_prediction_n_unknown(p)));
    js_set(o, "n_scored", js_count(n));
    js_set(o, "accuracy", js_real(accuracy));
    js_set(o, "seconds_load", js_real(seconds_load));
    js_set(o, "notes", js_notes(g));
    js_set(o, "output", js_text(is_file(a->output) ? a->output : NULL));
    if (!is_file(a->output))
        js_set(o, "predictions", js_predictions(p, g, m, a));
    js_print(stdout, o);
}

static int run(const cli_args *a)
{
    gnd_model *m = NULL;
    gnd_graph *g = NULL;
    gnd_prediction *p = NULL;
    gnd_error err = {0};
    double seconds = 0;
    int rc = 0;

    if (gnd_model_load(&m, a->operand.v[0], &err))
        rc = say_failed("%s", err.msg);
    if (!rc)
        rc = graph_open(&g, a, a->operand.v[1], gnd_model_graph_mode(m), &seconds);
    if (!rc)
        rc = predict_run(&p, m, g, a);
    if (!rc && (is_file(a->output) || !a->json))
        rc = prediction_write(p, g, m, a->output, a);
    if (!rc && a->json)
        print_json(p, g, m, a, seconds);
    gnd_prediction_free(p);
    gnd_graph_free(g);
    gnd_model_free(m);
    return rc;
}
