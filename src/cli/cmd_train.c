/* SPDX-License-Identifier: MIT
 * cmd_train.c - `gnd train`: train a method once on a data set and test it. */
#include "common.h"

#include <string.h>

#include "result.h"
#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_TRAIN_GRAPH,
    OPT_FEATURES,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("training, validation and test vertices"),
    OPT_PER_CLASS,
    OPT_SPLIT_SEED,
    OPT_VALIDATION,
    OPT_SPLIT,
    OPT_TRAIN_LABELS,
    OPT_HEADING("training"),
    OPT_METHOD(GND_METHOD_TRAIN),
    OPT_PRESET,
    OPT_SET,
    OPT_SEED,
    OPT_THREADS,
    OPT_MEMORY,
    OPT_CHECKPOINT,
    {.type = OPT_CHOICE,
     .name = "plan",
     .fallback = "auto",
     .choices = "auto|whole|powers|stored|features",
     .at = AT(plan),
     .help = "how passes are computed, where the method allows it; auto: the fastest that fits "
             "--memory; see --explain"},
    OPT_HEADING("output"),
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "FILE",
     .at = AT(output),
     .use = USE_OUT,
     .help = "save the trained model (safetensors), for `gnd predict`"},
    {.type = OPT_TEXT,
     .name = "predictions",
     .arg = "FILE",
     .at = AT(predictions),
     .use = USE_OUT,
     .help = "write a CSV file id,label,probability of every vertex"},
    OPT_PROBABILITIES,
    {.type = OPT_TEXT,
     .name = "hop-weights",
     .arg = "FILE",
     .at = AT(hop_weights),
     .use = USE_OUT,
     .help = "write a CSV file id,hop_1,hop_2,...: how much each hop counts for each vertex, in a "
             "method that weighs hops (gnd-slp, gnd-attn, gprgnn)"},
    {.type = OPT_TEXT,
     .name = "hop-attention",
     .arg = "FILE",
     .at = AT(hop_attention),
     .use = USE_OUT,
     .help = "write an npz file with the attention between the hops of each vertex in each block, "
             "averaged over the heads, and the hop weights (gnd-attn); needs about 12 bytes of "
             "memory per vertex, block and pair of hops"},
    {.type = OPT_FLAG,
     .name = "metrics",
     .at = AT(metrics),
     .help = "print macro-F1, log-loss, calibration error, figures per class and the confusion "
             "matrix of the test vertices"},
    {.type = OPT_FLAG,
     .name = "explain",
     .at = AT(explain),
     .help = "print the ways to compute passes, their expected costs, which one was chosen, and "
             "the time per epoch"},
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_train = {
    .name = "train",
    .purpose = "train a method on a data set and test it",
    .operands = "DATA [options]",
    .about =
        "The data sets of the paper have "
        "its protocol: the graph as stored, 500 validation vertices, and all other vertices are "
        "test vertices, except those that were drawn for training when their class already had its "
        "training labels. Other data are undirected and have no validation vertices: all labelled "
        "vertices that are not drawn for training are test vertices, and the number of epochs is "
        "fixed. --split paper takes the paper's protocol for any data.",
    .examples = "  gnd train debian\n"
                "  gnd train cora --labels-per-class 1 --split-seed 7 --json\n"
                "  gnd train karate --set hops=5 -o karate.safetensors\n"
                "  gnd train karate --method gnd-attn --hop-attention hops.npz\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
    .spreads = true,
};

static int learn(train_report *r, const cli_args *a)
{
    const gnd_split_opts o = split_opts(a);
    gnd_error err = {0};
    int rc = job_load(&r->t, a, &o);

    r->split_kind = split_kind(a);
    if (!rc)
        rc = split_open(&r->t.s, r->t.g, a);
    if (!rc)
        rc = train_run(&r->t, a);
    if (rc)
        return rc;
    if (gnd_split_n_test(r->t.s) > 0 &&
        gnd_metrics_of_split(&r->metrics, r->t.p, r->t.g, r->t.s, &err))
        rc = say_failed("%s", err.msg);
    return rc;
}

/* The method must weigh hops, or have attention; asked before it is trained. */
static int hop_weights_check(const cli_args *a, const gnd_config *c)
{
    if (a->hop_weights && !gnd_config_has_hop_weights(c))
        return say_usage("--hop-weights: method %s does not weigh hops; try --method gnd-slp",
                         gnd_config_method(c));
    if (a->hop_attention && !gnd_config_has_hop_attention(c))
        return say_usage("--hop-attention: method %s has no attention between hops; try --method "
                         "gnd-attn",
                         gnd_config_method(c));
    return 0;
}

/* The files of --hop-weights and --hop-attention. */
static int hop_weights_write(const train_job *t, const cli_args *a)
{
    gnd_train_opts o = {.size = sizeof o, .threads = (int32_t)a->threads};
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};
    gnd_status st = GND_OK;

    if (memory_get(&o.memory, a))
        return 1;
    st = a->hop_attention ? gnd_model_hop_attention(&w, t->m, t->g, &o, &err)
                          : gnd_model_hop_weights(&w, t->m, t->g, &o, &err);
    if (!st && a->hop_weights) {
        signals_hold(a->hop_weights);
        st = gnd_hop_weights_save(w, t->g, a->hop_weights, &err);
        signals_release();
    }
    if (!st && a->hop_attention) {
        signals_hold(a->hop_attention);
        st = gnd_hop_attention_save(w, t->g, a->hop_attention, &err);
        signals_release();
    }
    gnd_hop_weights_free(w);
    return st ? say_failed("%s", err.msg) : 0;
}

static int run(const cli_args *given)
{
    cli_args filled = *given, *a = &filled;
    train_report r = {.args = a, .t = {.res = {.size = sizeof r.t.res}}};
    int64_t memory;
    int rc = split_check(a, &cmd_train);

    if (!rc && a->probabilities && !a->predictions)
        rc = say_usage("--probabilities needs the file to write them to: --predictions FILE");
    if (!rc)
        rc = memory_get(&memory, a);
    if (!rc)
        rc = config_open(&r.t.c, a, a->method, a->operand.v[0], &r.t.authors);
    if (!rc)
        rc = hop_weights_check(a, r.t.c);
    if (!rc)
        train_defaults(a, &cmd_train);
    if (!rc)
        rc = learn(&r, a);
    if (!rc && a->output)
        rc = model_write(r.t.m, a->output);
    if (!rc && a->predictions)
        rc = prediction_write(r.t.p, r.t.g, r.t.m, a->predictions, a);
    if (!rc && (a->hop_weights || a->hop_attention))
        rc = hop_weights_write(&r.t, a);
    if (!rc && a->json)
        train_print_json(&r);
    else if (!rc)
        train_print_text(&r);
    if (!rc)
        rc = checkpoint_end(a);
    gnd_metrics_free(r.metrics);
    train_fini(&r.t);
    return rc;
}
