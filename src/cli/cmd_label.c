/* SPDX-License-Identifier: MIT
 * cmd_label.c - `gnd label`: label every vertex of a graph. */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_LABELS("known labels, CSV id,label; an empty label or -1 means none (default: the labels "
               "of the graph, if some of its vertices have none)"),
    OPT_FEATURES,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_GRAPH("und"),
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("training"),
    OPT_METHOD(GND_METHOD_LABEL),
    OPT_PRESET,
    OPT_SET,
    OPT_SEED,
    OPT_THREADS,
    OPT_MEMORY,
    OPT_CHECKPOINT,
    {.type = OPT_TEXT,
     .name = "prior",
     .arg = "LIST",
     .at = AT(prior),
     .help = "known shares of the classes in the whole graph: spam=0.1,ham=0.9"},
    {.type = OPT_CHOICE,
     .name = "balance",
     .choices = "accuracy|macro-f1",
     .at = AT(balance),
     .help = "what labels are chosen for: many that are right (accuracy, the default), or classes "
             "that are found equally well, small ones too (macro-f1)"},
    OPT_HEADING("output"),
    {.type = OPT_TEXT,
     .name = "abstain",
     .arg = "RISK",
     .at = AT(abstain),
     .help = "leave the label of uncertain vertices empty, so that at most this share of the other "
             "labels is wrong, as labels that are held out show: 0.1. With too few labels to show "
             "it, only known labels are written"},
    {.type = OPT_TEXT,
     .name = "abstain-unchecked",
     .arg = "RISK",
     .at = AT(abstain_unchecked),
     .help = "the same by the probabilities themselves, without a check"},
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "FILE",
     .at = AT(output),
     .use = USE_OUT,
     .help = "CSV file id,label,probability to write (default: stdout)"},
    {.type = OPT_TEXT,
     .name = "model",
     .arg = "FILE",
     .at = AT(model),
     .use = USE_OUT,
     .help = "save the trained model (safetensors), for `gnd predict`"},
    OPT_PROBABILITIES,
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_label = {
    .name = "label",
    .purpose = "label every vertex of a graph from a few known labels",
    .operands = "GRAPH [--labels FILE] [options]",
    .about =
        "All known labels are used for training; no validation labels are needed. A vertex that "
        "neither edges nor features connect to a label gets none: its label and probability are "
        "empty. Notes on stderr list labels that look wrong, and tell whether the probabilities "
        "are calibrated. "
        "`gnd suggest` suggests which vertices to label.",
    .examples = "  gnd label edges.csv --labels known.csv -o labels.csv\n"
                "  gnd label edges.csv --features words.csv --labels known.csv > labels.csv\n"
                "  gnd label edges.csv --labels known.csv --abstain 0.05 --prior spam=0.1,ham=0.9\n"
                "  gnd label edges.csv --labels known.csv --method gnd-slp --set hops=5\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
    .spreads = true,
};

typedef struct {
    train_job t;
    double risk;       /* --abstain, or -1 */
    double unchecked;  /* --abstain-unchecked, or -1 */
    int64_t n_abstain; /* vertices that these made unknown */
} job;

static int risk_get(double *out, const char *option, const char *text)
{
    char *end = NULL;

    *out = -1;
    if (!text)
        return 0;
    *out = strtod(text, &end);
    if (end == text || *end || *text == ' ' || !(*out >= 0 && *out <= 1))
        return say_usage("%s %s: expected a number from 0 to 1, the share of labels that may be "
                         "wrong, such as 0.1",
                         option, text);
    return 0;
}

/* Check that there are labels of at least two classes and, if they are those of the graph itself,
 * vertices without one. path: the file of labels; NULL: the labels are the graph's. */
static int labels_check(const gnd_graph *g, const char *path, const char *graph)
{
    const int32_t n_class = gnd_graph_n_class(g);
    int64_t *size = need((size_t)n_class + 1, sizeof *size), n_label = 0;
    int32_t n = 0, found = -1;

    gnd_graph_class_sizes(size, g);
    for (int32_t c = 0; c < n_class; c++)
        if (size[c] > 0) {
            found = c;
            n++;
            n_label += size[c];
        }
    free(size);
    if (!path && n_label == 0)
        return say_usage("label needs the known labels: gnd label %s --labels FILE; `gnd suggest "
                         "%s` suggests which vertices to label",
                         graph, graph);
    if (!path && n_label == gnd_graph_n_node(g))
        return say_usage("every vertex of %s has a label; give the labels to start from with "
                         "--labels FILE",
                         graph);
    path = path ? path : graph;
    if (n > 1)
        return 0;
    if (n == 0)
        return say_failed("%s: has no label for a vertex of the graph; fill in the second column",
                          path);
    return say_failed("%s: every label is '%s'; at least two classes are needed", path,
                      gnd_graph_class_name(g, found));
}

static int learn(job *j, const cli_args *a)
{
    const gnd_split_opts so = {.size = sizeof so, .kind = GND_SPLIT_ALL};
    gnd_error err = {0};
    int rc;

    rc = job_load(&j->t, a, &so);
    if (rc)
        return rc;
    rc = labels_check(j->t.g, a->labels, a->operand.v[0]);
    if (rc)
        return rc;
    if (!j->t.s && gnd_split_new(&j->t.s, j->t.g, &so, &err))
        return say_failed("%s", err.msg);
    rc = train_run(&j->t, a);
    if (rc)
        return rc;
    /* Known labels are kept. */
    if (gnd_prediction_clamp(j->t.p, j->t.m, j->t.g, &err))
        return say_failed("%s", err.msg);
    if (j->risk >= 0 && gnd_prediction_abstain(j->t.p, j->risk, &j->n_abstain, &err))
        return say_failed("%s", err.msg);
    if (j->unchecked >= 0 &&
        gnd_prediction_abstain_unchecked(j->t.p, j->unchecked, &j->n_abstain, &err))
        return say_failed("%s", err.msg);
    return 0;
}

static void print_json(const job *j, const cli_args *a)
{
    json_t *o = json_object(), *notes = js_notes(j->t.g), *warnings = json_array();

    for (int64_t i = 0; i < gnd_prediction_n_note(j->t.p); i++)
        js_note_add(notes, warnings, gnd_prediction_note(j->t.p, i));
    js_set(o, "dataset", js_text(gnd_graph_name(j->t.g)));
    js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(j->t.g))));
    js_set(o, "method", js_text(gnd_config_method(j->t.c)));
    js_set(o, "seed", js_count(a->seed));
    js_set(o, "n_node", js_count(gnd_graph_n_node(j->t.g)));
    js_set(o, "n_train", js_count(gnd_split_n_train(j->t.s)));
    js_set(o, "classes", js_classes(j->t.m));
    js_set(o, "n_unknown", js_count(gnd_prediction_n_unknown(j->t.p)));
    js_set(o, "n_abstained", js_count(j->n_abstain));
    js_set(o, "calibrated", json_boolean(gnd_prediction_calibrated(j->t.p)));
    js_set(o, "warnings", warnings);
    js_set(o, "train_accuracy", js_real(j->t.res.acc_train));
    js_set(o, "epochs", js_count(j->t.res.epochs));
    js_set(o, "seconds_load", js_real(j->t.seconds_load));
    js_set(o, "seconds_fit", js_real(j->t.seconds_fit));
    js_set(o, "authors_settings", json_boolean(j->t.authors));
    js_set(o, "settings", js_settings(j->t.c));
    js_set(o, "notes", notes);
    js_set(o, "output", js_text(is_file(a->output) ? a->output : NULL));
    js_set(o, "model", js_text(a->model));
    if (!is_file(a->output))
        js_set(o, "predictions", js_predictions(j->t.p, j->t.g, j->t.m, a));
    js_print(stdout, o);
}

/* "3 vertices get", "1 vertex gets". */
static const char *vertices_get(char buf[64], int64_t n)
{
    char count[32];

    snprintf(buf, 64, "%s %s", count_text(count, n), n == 1 ? "vertex gets" : "vertices get");
    return buf;
}

/* Did values overflow? Then a warning of the library explains which vertices are unknown. */
static bool has_overflow(const gnd_prediction *p)
{
    for (int64_t i = 0; i < gnd_prediction_n_note(p); i++)
        if (strcmp(gnd_prediction_note(p, i)->code, "not_finite") == 0)
            return true;
    return false;
}

static void unknown_notes(const job *j, const cli_args *a, int64_t unknown)
{
    const int64_t unreached = unknown - j->n_abstain;
    char buf[64];

    if (j->n_abstain)
        say_note(a->quiet, "%s no label, too uncertain for %s %s", vertices_get(buf, j->n_abstain),
                 a->abstain ? "--abstain" : "--abstain-unchecked",
                 a->abstain ? a->abstain : a->abstain_unchecked);
    if (unreached && !has_overflow(j->t.p))
        say_note(a->quiet, "%s no label: neither edges nor features connect %s to a known label",
                 vertices_get(buf, unreached), unreached == 1 ? "it" : "them");
}

static void summary(const job *j, const cli_args *a)
{
    const int64_t unknown = gnd_prediction_n_unknown(j->t.p);
    const int64_t n = gnd_graph_n_node(j->t.g) - unknown, n_train = gnd_split_n_train(j->t.s);
    int64_t n_warning = 0;
    char buf[32], train[32];

    if (j->t.authors)
        say_note(a->quiet, "%s with its authors' settings for %s", gnd_config_method(j->t.c),
                 gnd_graph_name(j->t.g));
    say_note(a->quiet, "%s %s labelled from %s known label%s%s%s", count_text(buf, n),
             n == 1 ? "vertex" : "vertices", count_text(train, n_train), n_train == 1 ? "" : "s",
             is_file(a->output) ? ", written to " : "", is_file(a->output) ? a->output : "");
    unknown_notes(j, a, unknown);
    for (int64_t i = 0; i < gnd_prediction_n_note(j->t.p); i++)
        say_some(a, &n_warning, gnd_prediction_note(j->t.p, i));
    warnings_left(a, n_warning);
}

/* --balance is a setting of the method. */
static int balance_set(gnd_config *c, const cli_args *a)
{
    gnd_error err = {0};

    if (!a->balance || gnd_config_set(c, "balance", a->balance, &err) == GND_OK)
        return 0;
    if (err.code != GND_ERR_ARG)
        return say_failed("%s", err.msg);
    return say_usage("--balance: method %s cannot do this; auto can", gnd_config_method(c));
}

static int run(const cli_args *a)
{
    job j = {.t = {.res = {.size = sizeof j.t.res}}};
    int rc;

    if (a->abstain && a->abstain_unchecked)
        return say_usage("--abstain and --abstain-unchecked exclude each other");
    if (gnd_cluster_size() > 1 && a->json && !is_file(a->output))
        return say_usage("--json of several processes needs a file for the labels: -o FILE");
    rc = risk_get(&j.risk, "--abstain", a->abstain);
    if (!rc)
        rc = risk_get(&j.unchecked, "--abstain-unchecked", a->abstain_unchecked);
    if (!rc)
        rc = config_open(&j.t.c, a, a->method, a->operand.v[0], &j.t.authors);
    if (!rc)
        rc = balance_set(j.t.c, a);
    if (!rc)
        stopping_note(a);
    if (!rc)
        rc = learn(&j, a);
    if (!rc && (is_file(a->output) || !a->json))
        rc = prediction_write(j.t.p, j.t.g, j.t.m, a->output, a);
    if (!rc && a->model)
        rc = model_write(j.t.m, a->model);
    if (!rc && a->json)
        print_json(&j, a);
    if (!rc)
        summary(&j, a);
    if (!rc)
        rc = checkpoint_end(a);
    train_fini(&j.t);
    return rc;
}
