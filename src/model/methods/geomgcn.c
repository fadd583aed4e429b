/* SPDX-License-Identifier: MIT
 * geomgcn.c - geometric graph convolutional network: a weight matrix per division of the
 * neighbours.
 *
 *     H = relu([ E_0 X V1_0 | .. | E_8 X V1_8 ])      L = 1/9 sum_k E_k H V2_k
 *     X: [n, d], rows of sum 1   V1: [9 d, h], block k is V1_k   V2: [81 h, C]   L: [n, C]
 *     E_k[v, u] = nu_v nu_u for a message u -> v of division k, else 0;
 *     nu_v = (messages to v)^-1/2
 *
 * Divisions (relations.h): links of the graph, then pairs that are close in the plane in which
 * vertices are embedded in, each by the quadrant of u relative to v, then v itself.
 *
 * Pei, Wei, Chang, Lei and Yang, ICLR 2020, arXiv:2002.05287. Follows the authors' code where the
 * paper has one W after the concatenation: one V_k per division, no bias, dropout before each
 * layer, a step size that is reduced if the validation loss does not improve. Differences: the
 * embeddings are computed, not read from files; the weights of the best epoch are used, while the
 * authors' code saves a reference to the current ones and so tests the last weights
 * (stop=gat_last); at most 1000 epochs, as in the comparison of arXiv:2201.09698, while their code
 * has at most 5000.
 *
 * A pass computes only what the requested rows depend on: their neighbours in the second layer, the
 * neighbours of these in the first. */
#include "geomgcn.h"

#include "base/alloc.h"
#include "base/rng.h"

enum { EMBEDDING, HIDDEN, DROPOUT };

static const gnd_hparam hparams[] = {
    [EMBEDDING] =
        GND_HP_CHOICE("embedding", GND_EMBED_ISOMAP, GND_EMBED_NAMES,
                      "embedding of the vertices in the plane. isomap: preserves hop distances; "
                      "poincare: hyperbolic; struc2vec: by degrees in the neighbourhood"),
    [HIDDEN] =
        GND_HP_INT("hidden", 16, 1, 4096, "width h of the hidden layer per division (there are 9)"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,
                            "fraction of each layer's input that dropout sets to 0"),
    GND_HP_END,
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TORCH,
    .lr = 0.05,
    .l2 = 5e-6,
    .l2_form = GND_L2_HALF,
    .stop = "gat",
    .patience = 100,
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 1000,
    .epochs_alone = 200,
    .lr_plateau = 50,
};

static const gnd_preset presets[] = {
    {"release", "stop=gat_last", "uses the weights of the last epoch, as the authors' code does"},
    {NULL, NULL, NULL},
};

static const gnd_preset datasets[] = {
    {"pubmed", "hidden=64", "the authors' setting"},
    {NULL, NULL, NULL},
};

enum { V1, V2 };

/* [9 rows, cols]; the initial values are those of 9 separate matrices. */
static gnd_status weights(gnd_params *ps, const char *name, int64_t rows, int64_t cols,
                          gnd_error *err)
{
    const gnd_status st =
        gnd_param_add(ps, name, GND_DIVISIONS * rows, cols, GND_INIT_GLOROT | GND_DECAY, err);

    if (st == GND_OK)
        ps->p[ps->n - 1].fan = rows;
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t h = gnd_hp_int(m, HIDDEN);
    gnd_status st;

    GND_TRY(weights(&m->params, "V1", m->n_feat, h, err));
    GND_TRY(weights(&m->params, "V2", GND_DIVISIONS * h, gnd_n_class(m), err));
out:
    return st;
}

static void release(gnd_inputs *in)
{
    gnd_geomgcn *own = in->own;

    gnd_relations_fini(&own->relations);
    gnd_free(own);
    in->own = NULL;
}

/* Move r into in->own. */
static gnd_status keep(gnd_inputs *in, gnd_relations *r, gnd_error *err)
{
    gnd_geomgcn *own = gnd_alloc(1, sizeof *own);

    if (!own) {
        gnd_relations_fini(r);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for relations");
    }
    own->relations = *r;
    for (int k = 0; k < GND_DIVISIONS; k++)
        own->op[k] = &own->relations.op[k].a;
    if (in->own)
        release(in);
    in->own = own;
    return GND_OK;
}

gnd_status gnd_geomgcn_messages(gnd_inputs *in, int64_t n_message, const int32_t *u,
                                const int32_t *v, const int32_t *division, gnd_error *err)
{
    gnd_relations r;
    gnd_status st;

    GND_TRY(gnd_relations_from_triplets(&r, in->n_node, &(gnd_messages){n_message, u, v, division},
                                        err));
    GND_TRY(keep(in, &r, err));
out:
    return st;
}

/* The embedding depends only on the graph, so a saved model computes the same relations. */
static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    const gnd_embedding kind = (gnd_embedding)gnd_hp_choice(m, EMBEDDING);
    gnd_relations r;
    gnd_status st;

    GND_TRY(gnd_relations_init(&r, &g->adj, kind, gnd_hash_name("geomgcn"), pool, err));
    GND_TRY(keep(in, &r, err));
out:
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_geomgcn *own = in->own;
    const gnd_operators E = {own->op, GND_DIVISIONS};
    const gnd_row_list top = {t->request, t->request ? t->n_request : in->n_node};
    const gnd_row_list mid = gnd_rows_read(t, &E, top);
    const double p = gnd_hp_real(m, DROPOUT);
    gnd_var X = gnd_sparse(t, &in->x), H;

    if (t->training &&
        mid.row) { /* otherwise there is no dropout, and rows that are not read cost nothing */
        const gnd_row_list low = gnd_rows_read(t, &E, mid);

        X = gnd_rows(t, X, low.row, low.n);
    }
    H = gnd_relation_conv(t, &E, mid, gnd_dropout(t, X, p, "X"), gnd_param_var(t, &m->params, V1));
    H = gnd_dropout(t, gnd_relu(t, H), p, "H");
    return gnd_relation_conv_mean(t, &E, top, H, gnd_param_var(t, &m->params, V2));
}

static const char *const aliases[] = {"geom-gcn", NULL};

const gnd_method gnd_method_geomgcn = {
    .name = "geomgcn",
    .title = "Geometric graph convolutional network",
    .formula = "softmax(1/9 sum_k E_k relu([E_0 X V1_0 | .. | E_8 X V1_8]) V2_k)",
    .paper = "arXiv:2002.05287",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .datasets = datasets,
    .search_setting = "embedding",
    .search_values = "isomap,poincare,struc2vec",
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
};
