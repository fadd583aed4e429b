/* SPDX-License-Identifier: MIT
 * cmd_plot_tsne.c - `gnd plot tsne`, `gnd plot figure1`: layouts of the features after k hops of
 * diffusion. */
#include "common.h"

#include "figure.h"
#include "progress.h"
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
    {.type = OPT_INT,
     .name = "perplexity",
     .arg = "N",
     .fallback = "30",
     .min = 1,
     .max = 1000,
     .at = AT(perplexity),
     .help = "effective number of neighbours of a vertex; lowered on small graphs"},
    OPT_THREADS,
    OPT_HEADING("output"),
    OPT_FIGURE,
    OPT_CSV,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_plot_tsne = {
    .name = "plot tsne",
    .purpose = "draw t-SNE layouts of the features after k hops of diffusion",
    .operands = "DATA -o FILE.svg [options]",
    .about = "A panel for each number of hops k: a t-SNE layout of W^k X Theta (see `gnd data hops "
             "--help`), coloured by the labels, and its mean silhouette by class: 1 if classes are "
             "separated, 0 if they overlap. The defaults are those of Figure 1 of the paper. In a "
             "layout, neighbours are meaningful; distances between groups are not.",
    .examples = "  gnd plot tsne karate -o karate.svg\n"
                "  gnd plot tsne cora -o figure1.svg --csv figure1.csv\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
};

/* The defaults of `gnd plot tsne` are those of the paper's figure. */
const command cmd_plot_figure1 = {
    .name = "plot figure1",
    .purpose = "draw Figure 1 of the paper: what 0, 1, 19 and 10,000 hops do",
    .operands = "DATA -o FILE.svg [options]",
    .about =
        "t-SNE layouts of W^k X Theta for k = 0, 1, 19, 10,000 on the undirected graph, with 16 "
        "random filters, coloured by class. Each layout starts from the one before, so that "
        "vertices keep their place. The number in brackets is the mean silhouette by class: "
        "1 if classes are separated, 0 if they overlap. The same as `gnd plot tsne`.",
    .examples = "  gnd plot figure1 cora -o figure1.svg\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
};

static int on_iteration(const gnd_tsne_progress *p, void *user)
{
    progress_step(user, p->layout * p->total + p->done, p->n_layout * p->total, "");
    return 0;
}

static int figure_open(gnd_figure **out, const gnd_hop_features *h, const gnd_graph *g,
                       const cli_args *a)
{
    progress p;
    const gnd_tsne_opts o = {.size = sizeof o,
                             .perplexity = (double)a->perplexity,
                             .seed = (uint64_t)a->seed,
                             .threads = (int32_t)a->threads,
                             .on_iteration = on_iteration,
                             .user = &p};
    gnd_layouts *l = NULL;
    gnd_error err = {0};
    gnd_status st;

    progress_start(&p, "t-SNE: iteration", "about", progress_off(a));
    st = gnd_layouts_new(&l, h, g, &o, &err);
    progress_end(&p);
    for (int64_t i = 0; !st && i < gnd_layouts_n_note(l); i++)
        say_library_note(a->quiet, gnd_layouts_note(l, i));
    if (!st)
        st = gnd_figure_layouts(out, l, g, &err);
    gnd_layouts_free(l);
    return st ? say_failed("%s", err.msg) : 0;
}

static int run(const cli_args *a)
{
    gnd_graph *g = NULL;
    gnd_hop_features *h = NULL;
    gnd_figure *f = NULL;
    int rc = figure_check(a);

    if (!rc)
        rc = graph_open(&g, a, a->operand.v[0], graph_mode(a), NULL);
    if (!rc)
        rc = hop_features_open(&h, g, a);
    if (!rc)
        rc = figure_open(&f, h, g, a);
    if (!rc)
        rc = figure_save(f, a);
    gnd_figure_free(f);
    gnd_hop_features_free(h);
    gnd_graph_free(g);
    return rc;
}
