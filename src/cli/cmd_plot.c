/* SPDX-License-Identifier: MIT
 * cmd_plot.c - `gnd plot KIND`: figures of comparisons and of training runs. */
#include "common.h"

#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "say.h"

static int run_accuracy(const cli_args *a);
static int run_depth(const cli_args *a);
static int run_curves(const cli_args *a);
static int run_hops(const cli_args *a);
static int run_reliability(const cli_args *a);

/* ---- figures of comparisons ---- */

#define RESULTS_OPTIONS                                                                            \
    OPT_HEADING("which figures"),                                                                  \
        {.type = OPT_TEXT,                                                                         \
         .name = "data",                                                                           \
         .arg = "NAME",                                                                            \
         .at = AT(data),                                                                           \
         .help = "data set, if the files have several"},                                           \
        {.type = OPT_CHOICE,                                                                       \
         .name = "graph",                                                                          \
         .choices = "raw|und|std",                                                                 \
         .at = AT(graph),                                                                          \
         .help = "graph mode, if the files have several"},                                         \
        {.type = OPT_TEXT,                                                                         \
         .name = "rule",                                                                           \
         .arg = "NAME",                                                                            \
         .at = AT(rule),                                                                           \
         .help = "stopping rule, if the files have several"},                                      \
        {.type = OPT_TEXT,                                                                         \
         .name = "methods",                                                                        \
         .arg = "LIST",                                                                            \
         .at = AT(methods),                                                                        \
         .help = "methods to draw, in this order: gnd-slp,gcn (default: all)"},                    \
        {.type = OPT_CHOICE,                                                                       \
         .name = "bars",                                                                           \
         .fallback = "se",                                                                         \
         .choices = "se|std|interval",                                                             \
         .at = AT(bars),                                                                           \
         .help = "error bars. se: standard error of the mean; std: standard deviation; interval: " \
                 "95 % interval of the mean"},                                                     \
        OPT_MAX_INPUT

static const opt_spec accuracy_opts[] = {
    RESULTS_OPTIONS, OPT_HEADING("output"), OPT_FIGURE, OPT_CSV, OPT_PROGRESS, OPT_QUIET, OPT_HELP,
    OPT_END,
};

static const opt_spec depth_opts[] = {
    RESULTS_OPTIONS,
    {.type = OPT_INT,
     .name = "labels-per-class",
     .arg = "N",
     .min = 1,
     .max = INT32_MAX,
     .at = AT(per_class),
     .help = "number of training labels per class, if the files have several"},
    OPT_HEADING("output"),
    OPT_FIGURE,
    OPT_CSV,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_plot_accuracy = {
    .name = "plot accuracy",
    .purpose = "draw accuracy against the number of labels, a line per method",
    .operands = "RESULTS.csv ... -o FILE.svg [options]",
    .about = "RESULTS.csv is the output of `gnd compare --format csv` or `gnd paper --format csv`; "
             "several files are taken together. Error bars show the standard error of the mean. "
             "Hollow marks are published figures.",
    .examples = "  gnd compare debian --methods gnd-slp,gcn --splits 10 --format csv > debian.csv\n"
                "  gnd plot accuracy debian.csv -o debian.svg --csv data.csv\n",
    .opts = accuracy_opts,
    .min_operand = 1,
    .max_operand = -1,
    .operand_use = {USE_IN, USE_IN},
    .run = run_accuracy,
};

const command cmd_plot_depth = {
    .name = "plot depth",
    .purpose = "draw accuracy against depth or hops, a line per method",
    .operands = "RESULTS.csv ... -o FILE.svg [options]",
    .about =
        "RESULTS.csv is the output of `gnd compare --vary layers=1,2,4 --format csv`. Methods "
        "whose setting has another name, such as hops, need a comparison of their own; several "
        "files are drawn together. The axis is logarithmic if the values differ by a factor "
        "of 8 or more.",
    .examples = "  gnd compare cora --methods gcn --vary layers=1,2,4,8 --format csv > gcn.csv\n"
                "  gnd compare cora --methods gnd-slp --vary hops=1,2,4,8 --format csv > slp.csv\n"
                "  gnd plot depth gcn.csv slp.csv --labels-per-class 5 -o depth.svg\n",
    .opts = depth_opts,
    .min_operand = 1,
    .max_operand = -1,
    .operand_use = {USE_IN, USE_IN},
    .run = run_depth,
};

typedef gnd_status results_figure(gnd_figure **out, const gnd_figure_results_opts *o,
                                  gnd_error *err);

/* The words of a list, separated by commas, into v; *copy holds them. Returns their number. */
static int64_t list_split(const char ***v, char **copy, const char *list)
{
    int64_t n = 0;

    *v = NULL;
    *copy = need_text("%s", list ? list : "");
    for (char *word = *copy; list && word;) {
        char *next = strchr(word, ',');

        if (next)
            *next++ = '\0';
        *v = need_more(*v, (size_t)n + 1, sizeof **v);
        (*v)[n++] = word;
        word = next;
    }
    return n;
}

static int results_run(const cli_args *a, results_figure *make)
{
    const char **methods;
    char *copy;
    gnd_figure_results_opts o = {
        .size = sizeof o,
        .paths = a->operand.v,
        .n_path = a->operand.n,
        .dataset = a->data,
        .graph = a->graph,
        .rule = a->rule,
        .per_class = (int32_t)a->per_class,
        .bars = strcmp(a->bars, "std") == 0        ? GND_BARS_STD
                : strcmp(a->bars, "interval") == 0 ? GND_BARS_INTERVAL
                                                   : GND_BARS_SE,
    };
    gnd_figure *f = NULL;
    gnd_error err = {0};
    int rc = figure_check(a);

    if (!rc)
        rc = max_input_get(&o.max_input, a);
    if (rc)
        return rc;
    o.n_method = list_split(&methods, &copy, a->methods);
    o.methods = methods;
    if (make(&f, &o, &err))
        rc = say_failed("%s", err.msg);
    if (!rc)
        rc = figure_save(f, a);
    gnd_figure_free(f);
    free(methods);
    free(copy);
    return rc;
}

static int run_accuracy(const cli_args *a)
{
    return results_run(a, gnd_figure_accuracy);
}

static int run_depth(const cli_args *a)
{
    return results_run(a, gnd_figure_depth);
}

/* ---- figures of a training run ---- */

#define INPUT_OPTIONS                                                                              \
    OPT_HEADING("input"), OPT_TRAIN_GRAPH, OPT_FEATURES, OPT_DATA_FORMAT, OPT_TEXT_FILES,          \
        OPT_MISSING, OPT_DATA_DIR, OPT_MAX_INPUT,                                                  \
        OPT_HEADING("training, validation and test vertices, as in `gnd train`"), OPT_PER_CLASS,   \
        OPT_SPLIT_SEED, OPT_VALIDATION, OPT_SPLIT, OPT_TRAIN_LABELS
#define TRAINING_OPTIONS                                                                           \
    OPT_HEADING("training"), OPT_METHOD(GND_METHOD_TRAIN), OPT_PRESET, OPT_SET, OPT_SEED,          \
        OPT_THREADS, OPT_MEMORY
#define OUTPUT_OPTIONS                                                                             \
    OPT_HEADING("output"), OPT_FIGURE, OPT_CSV, OPT_PROGRESS, OPT_QUIET, OPT_HELP, OPT_END

static const opt_spec training_opts[] = {INPUT_OPTIONS, TRAINING_OPTIONS, OUTPUT_OPTIONS};

static const opt_spec reliability_opts[] = {
    INPUT_OPTIONS,
    {.type = OPT_TEXT,
     .name = "predictions",
     .arg = "FILE",
     .at = AT(predictions),
     .use = USE_IN,
     .help = "CSV id,label,probability of `gnd label`, `gnd predict` or `gnd train --predictions` "
             "to draw, instead of training"},
    TRAINING_OPTIONS,
    OUTPUT_OPTIONS,
};

const command cmd_plot_curves = {
    .name = "plot curves",
    .purpose = "draw the learning curves of a training run",
    .operands = "DATA -o FILE.svg [options]",
    .about =
        "Trains as `gnd train` does with the same options, and draws loss and accuracy of each "
        "epoch on the training and the validation vertices. Training loss and accuracy are "
        "those of the optimiser's steps: with dropout, and the loss with the L2 penalty.",
    .examples = "  gnd plot curves karate --validation 10 --labels-per-class 2 -o curves.svg\n"
                "  gnd plot curves cora --method gcn -o curves.png --csv curves.csv\n",
    .opts = training_opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run_curves,
};

const command cmd_plot_hops = {
    .name = "plot hops",
    .purpose = "draw the hop weights that a method learns",
    .operands = "DATA -o FILE.svg [options]",
    .about = "Trains as `gnd train` does with the same options, and draws the weight of each hop "
             "beside the weights of PageRank and of the heat kernel, for the settings teleport and "
             "time of the method (0.1 and 5 if it has none). Weights are divided by the sum of "
             "their absolute values. If their sum is negative, all signs are reversed, since a "
             "model with the opposite signs, also of the features' weights, is the same.",
    .examples = "  gnd plot hops debian -o hops.svg\n"
                "  gnd plot hops cora --graph std --set alpha=simplex -o hops.svg\n",
    .opts = training_opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run_hops,
};

const command cmd_plot_reliability = {
    .name = "plot reliability",
    .purpose = "draw accuracy against confidence, and how many vertices have it",
    .operands = "DATA -o FILE.svg [options]",
    .about = "Trains as `gnd train` does with the same options, or takes --predictions, and "
             "compares the predictions with the labels of the test vertices in 15 bins of equal "
             "width. With --predictions, --labels should name the labels that were known: they are "
             "no test.",
    .examples = "  gnd plot reliability debian -o reliability.svg\n"
                "  gnd label debian --labels known.csv -o labels.csv\n"
                "  gnd plot reliability debian --labels known.csv \\\n"
                "      --predictions labels.csv -o reliability.svg\n",
    .opts = reliability_opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run_reliability,
};

/* Check the options, set their defaults, load the graph and make the split. */
static int job_open(train_job *j, cli_args *a, const command *c)
{
    int64_t memory;
    int rc = figure_check(a);

    if (!rc)
        rc = split_check(a, c);
    if (!rc)
        rc = memory_get(&memory, a);
    if (!rc)
        rc = config_open(&j->c, a, a->method, a->operand.v[0], NULL);
    if (!rc && c == &cmd_plot_hops && !gnd_config_has_hop_weights(j->c))
        rc = say_usage("--method %s does not weigh hops; gnd-slp does", a->method);
    if (!rc)
        train_defaults(a, c);
    if (!rc)
        rc = graph_open(&j->g, a, a->operand.v[0], graph_mode(a), NULL);
    if (!rc)
        rc = split_open(&j->s, j->g, a);
    return rc;
}

static int run_curves(const cli_args *given)
{
    cli_args filled = *given, *a = &filled;
    train_job j = {.res = {.size = sizeof j.res}, .want_curves = true};
    int rc = job_open(&j, a, &cmd_plot_curves);

    if (!rc)
        rc = train_run(&j, a);
    if (!rc)
        rc = figure_save(j.curves, a);
    train_fini(&j);
    return rc;
}

static int hops_figure(gnd_figure **out, const train_job *j, const cli_args *a)
{
    gnd_train_opts o = {.size = sizeof o, .threads = (int32_t)a->threads};
    gnd_error err = {0};
    int rc = memory_get(&o.memory, a);

    if (!rc && gnd_figure_hops(out, j->m, j->g, &o, &err))
        rc = say_failed("%s", err.msg);
    return rc;
}

static int run_hops(const cli_args *given)
{
    cli_args filled = *given, *a = &filled;
    train_job j = {.res = {.size = sizeof j.res}};
    gnd_figure *f = NULL;
    int rc = job_open(&j, a, &cmd_plot_hops);

    if (!rc)
        rc = train_run(&j, a);
    if (!rc)
        rc = hops_figure(&f, &j, a);
    if (!rc)
        rc = figure_save(f, a);
    gnd_figure_free(f);
    train_fini(&j);
    return rc;
}

static int reliability_figure(gnd_figure **out, train_job *j, const cli_args *a)
{
    gnd_metrics *m = NULL;
    gnd_error err = {0};
    int rc = 0;

    if (gnd_split_n_test(j->s) == 0)
        return say_failed("%s: the split has no test vertices", gnd_graph_name(j->g));
    if (a->predictions) {
        if (gnd_figure_reliability_file(out, a->predictions, j->g, j->s, &err))
            rc = say_failed("%s", err.msg);
        return rc;
    }
    rc = train_run(j, a);
    if (!rc && gnd_metrics_new(&m, j->p, j->g, gnd_split_test(j->s), gnd_split_n_test(j->s), &err))
        rc = say_failed("%s", err.msg);
    if (!rc && gnd_figure_reliability(out, m, &err))
        rc = say_failed("%s", err.msg);
    gnd_metrics_free(m);
    return rc;
}

static int run_reliability(const cli_args *given)
{
    cli_args filled = *given, *a = &filled;
    train_job j = {.res = {.size = sizeof j.res}};
    gnd_figure *f = NULL;
    int rc = job_open(&j, a, &cmd_plot_reliability);

    if (!rc)
        rc = reliability_figure(&f, &j, a);
    if (!rc)
        rc = figure_save(f, a);
    gnd_figure_free(f);
    train_fini(&j);
    return rc;
}
