/* SPDX-License-Identifier: MIT
 * cmd_hops.c - `gnd data hops`: write features projected at random and diffused k times. */
#include "common.h"

#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_GRAPH("und"),
    OPT_FEATURES,
    OPT_OTHER_LABELS,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("what to compute"),
    OPT_HOPS,
    OPT_FILTERS,
    OPT_THETA_SEED,
    OPT_THREADS,
    OPT_HEADING("output"),
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_data_hops = {
    .name = "data hops",
    .purpose = "write the features after k hops of diffusion, for other programs",
    .operands = "DATA OUT.npz [options]",
    .about = "Writes an npz file for NumPy with an array hop_K of shape [vertices, filters] for "
             "each number of hops K: W^K X Theta, where X are the features, each row divided by "
             "its sum, or the identity if there are none; Theta is a random Glorot matrix, the "
             "initial weights of gnd-slp; W = D^-1 (A + I) is the random walk. Also labels (-1: "
             "none), class_names and, if the vertices have ids, node_names.",
    .examples = "  gnd data hops karate hops.npz\n"
                "  gnd data hops cora hops.npz --hops 0,1,19,10000 --filters 16\n",
    .opts = opts,
    .min_operand = 2,
    .max_operand = 2,
    .operand_use = {USE_DATA, USE_OUT},
    .run = run,
};

static void print_json(const gnd_hop_features *h, const gnd_graph *g, const cli_args *a)
{
    json_t *o = json_object(), *hops = json_array();

    for (int64_t i = 0; i < gnd_hop_features_n(h); i++)
        js_append(hops, js_count(gnd_hop_features_hop(h, i)));
    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(g))));
    js_set(o, "n_node", js_count(gnd_hop_features_n_node(h)));
    js_set(o, "filters", js_count(gnd_hop_features_filters(h)));
    js_set(o, "seed", js_count(a->seed));
    js_set(o, "hops", hops);
    js_set(o, "notes", js_notes(g));
    js_set(o, "output", js_text(a->operand.v[1]));
    js_print(stdout, o);
}

static int run(const cli_args *a)
{
    const char *path = a->operand.v[1];
    gnd_graph *g = NULL;
    gnd_hop_features *h = NULL;
    gnd_error err = {0};
    int rc = graph_open(&g, a, a->operand.v[0], graph_mode(a), NULL);

    if (!rc)
        rc = hop_features_open(&h, g, a);
    if (!rc) {
        signals_hold(path);
        if (gnd_hop_features_save(h, g, path, &err))
            rc = say_failed("%s", err.msg);
        signals_release();
    }
    if (!rc && a->json)
        print_json(h, g, a);
    else if (!rc)
        printf("%s\n", path);
    gnd_hop_features_free(h);
    gnd_graph_free(g);
    return rc;
}
