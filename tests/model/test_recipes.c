/* SPDX-License-Identifier: MIT
 * test_recipes.c - what the authors of each method did, stated a second time: every default, what
 * they set on which data set, the parameters with their first distributions and who pays L2, the
 * features, the operator of a directed graph. Formulas have reference values; these settings would
 * change results by tens of points and nothing else would notice. */
#include "random_graph.h"

#include "linalg/eigen_top.h"
#include "linalg/walk.h"
#include "model/model.h"

/* What has no authors but the program's: auto, whose settings are measured rather than taken over,
 * and the variants of GND-Nets, which have tests of their own. */
static bool is_own(const gnd_method *m)
{
    return strncmp(m->name, "gnd-", 4) == 0 || strcmp(m->name, "auto") == 0;
}

/* Set "name=value name=value"; how many there were. */
static int apply(gnd_config *c, const char *s)
{
    gnd_error err = {0};
    char name[32], value[64];
    int n = 0, used;

    for (; sscanf(s, " %31[^=]=%63s%n", name, value, &used) == 2; s += used, n++)
        CHECK_OK(gnd_config_set(c, name, value, &err));
    return n;
}

static gnd_config *config_of(const char *method)
{
    gnd_error err = {0};
    gnd_config *c = NULL;

    CHECK_OK(gnd_config_new(&c, method, &err));
    return c;
}

static void check_same(const gnd_config *a, const gnd_config *b, const char *what)
{
    gnd_setting_info info = {.size = sizeof info};
    char x[256], y[256];

    for (int i = 0; gnd_config_info(&info, a, i); i++)
        if (strcmp(gnd_config_value(a, i, x, sizeof x), gnd_config_value(b, i, y, sizeof y)) != 0)
            fail_msg("%s, %s: %s is %s; expected %s", gnd_config_method(a), what, info.name, x, y);
}

/* ---- defaults ---- */

#define KIPF                                                                                       \
    "optimiser=adam_tf lr=.01 l2=5e-4 epochs=200 epochs_alone=200 stop=kipf patience=10 "          \
    "stop_loss=ce_l2 "
#define PREDICT                                                                                    \
    "optimiser=adam_tf lr=.01 l2=5e-3 epochs=1000 epochs_alone=200 stop=ppnp "                     \
    "patience=100 stop_loss=ce_l2 "
#define SHCHUR                                                                                     \
    "optimiser=adam_tf lr=.1 l2=5e-4 epochs=1000 epochs_alone=200 stop=shchur "                    \
    "patience=50 stop_loss=ce "
#define STEADY "lr_every=0 lr_plateau=0 batch=0 "

static const struct {
    const char *method, *settings;
    gnd_l2 form;
    gnd_feat_norm features;
} defaults[] = {
    {"gcn", KIPF STEADY "layers=2 hidden=16 dropout=.5 operator=transposed", GND_L2_HALF,
     GND_FEAT_ROW_L1},
    {"geomgcn",
     "optimiser=adam_torch lr=.05 l2=5e-6 epochs=1000 epochs_alone=200 stop=gat patience=100 "
     "stop_loss=ce lr_every=0 lr_plateau=50 batch=0 embedding=isomap hidden=16 dropout=.5",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"chebynet", KIPF STEADY "order=3 hidden=16 dropout=.5 operator=transposed lambda=0",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"jknet",
     "optimiser=adam_torch lr=.005 l2=5e-4 epochs=1000 epochs_alone=200 stop=gat patience=50 "
     "stop_loss=ce " STEADY "layers=2 hidden=16 dropout=.5 operator=plain gather=no",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"sgc",
     "optimiser=adam_torch lr=.2 l2=5e-6 epochs=100 epochs_alone=100 stop=none patience=0 "
     "stop_loss=ce " STEADY "hops=2 operator=symmetrised smooth=once",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"ppnp",
     PREDICT STEADY "hidden=64 dropout=.5 operator=plain dropout_pi=.5 mode=exact teleport=.1",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"ppnp-hk",
     PREDICT STEADY "hidden=64 dropout=.5 operator=plain dropout_pi=.5 mode=exact time=5",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"ngcn",
     "optimiser=sgd lr=1 l2=1e-3 epochs=400 epochs_alone=400 stop=mixhop patience=200 stop_loss=ce "
     "lr_every=40 lr_plateau=0 batch=0 operator=symmetrised powers=0,1,2,3 replicas=3 hidden=10 "
     "combine=fc "
     "dropout_in=.7 dropout=.9",
     GND_L2_FULL, GND_FEAT_BINARY},
    {"mixhop",
     "optimiser=sgd lr=.5 l2=5e-3 epochs=400 epochs_alone=400 stop=mixhop patience=200 "
     "stop_loss=ce lr_every=40 lr_plateau=0 batch=0 operator=symmetrised "
     "width1_0=20 width1_1=20 width1_2=20 width2_0=-1 width2_1=-1 width2_2=-1 lasso=5e-3 "
     "dropout_in=.5 dropout=.9",
     GND_L2_FULL, GND_FEAT_BINARY},
    {"lanczosnet",
     "optimiser=adam_torch lr=.01 l2=5e-4 epochs=200 epochs_alone=200 stop=kipf patience=10 "
     "stop_loss=ce " STEADY "hidden=64 inner=128 steps=20 pairs=lanczos dropout=.5 operator=plain",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"dcnn",
     "optimiser=adagrad lr=.05 l2=0 epochs=100 epochs_alone=100 stop=dcnn patience=5 "
     "stop_loss=objective lr_every=0 lr_plateau=0 batch=10 hops=3 operator=symmetrised",
     GND_L2_HALF, GND_FEAT_RAW},
    {"ls", "alpha=.99 mass=plain", GND_L2_HALF, GND_FEAT_RAW},
    {"wvgn", "time=5 lam=.0156 calibration=platt", GND_L2_HALF, GND_FEAT_RAW},
    {"lr", SHCHUR STEADY, GND_L2_HALF, GND_FEAT_ROW_L1},
    {"mlp", KIPF STEADY "hidden=16 dropout=.5 style=kipf", GND_L2_HALF, GND_FEAT_ROW_L1},
    {"appnp",
     PREDICT STEADY "hidden=64 dropout=.5 operator=plain dropout_links=.5 hops=10 teleport=.1",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"gprgnn",
     "optimiser=adam_torch lr=.01 l2=5e-4 epochs=1000 epochs_alone=200 stop=kipf_best patience=200 "
     "stop_loss=ce " STEADY "hidden=64 hops=10 teleport=.1 dropout=.5 dropout_z=.5 operator=plain",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"sign",
     "optimiser=adam_torch lr=.01 l2=5e-4 epochs=1000 epochs_alone=200 stop=gat patience=50 "
     "stop_loss=ce " STEADY "hops=3 hidden=64 dropout=.5 operator=plain smooth=once",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"cs", SHCHUR STEADY "base=lr hidden=64 dropout=.8 a1=.87 a2=.81 op1=AD op2=DAD iterations=50",
     GND_L2_HALF, GND_FEAT_ROW_L1},
    {"gdc",
     "optimiser=adam_torch lr=.01 l2=.096 epochs=10000 epochs_alone=200 stop=mixhop patience=100 "
     "stop_loss=ce " STEADY "hidden=64 dropout=.5 diffusion=ppr teleport=.05 time=5 top=128 "
     "eps=1e-4 operator=plain",
     GND_L2_HALF, GND_FEAT_ROW_L1},
};

static void every_default(void **state)
{
    int stated = 0, there = 0;

    (void)state;
    for (int64_t i = 0; i < LENGTH(defaults); i++) {
        gnd_config *c = config_of(defaults[i].method), *said = config_of(defaults[i].method);
        const gnd_method *m = c->method;

        assert_string_equal(m->name, defaults[i].method);
        if (apply(said, defaults[i].settings) != c->n)
            fail_msg("%s has %d settings; not all are stated here", m->name, c->n);
        check_same(c, said, "by default");
        if (m->recipe && m->recipe->l2_form != defaults[i].form)
            fail_msg("%s: the other form of L2", m->name);
        if (!m->no_features && m->features != defaults[i].features)
            fail_msg("%s: other features", m->name);
        assert_int_equal(m->no_features, m->solve != NULL); /* ls, wvgn: labels and links alone */
        stated++;
        gnd_config_free(said);
        gnd_config_free(c);
    }
    for (int i = 0; gnd_method_at(i); i++)
        there += !is_own(gnd_method_at(i));
    assert_int_equal(stated, there);
}

/* ---- data sets, presets ---- */

static const struct {
    const char *method, *name, *settings;
} datasets[] =
    {
        {"sgc", "cora", "l2=1.303e-5"},
        {"sgc", "citeseer", "l2=2.355e-5 epochs=150 epochs_alone=150"},
        {"sgc", "pubmed", "l2=7.404e-5"},
        {"ngcn", "cora", "combine=fc"},
        {"ngcn", "citeseer", "combine=wsum"},
        {"ngcn", "pubmed", "combine=wsum"},
        {"mixhop", "cora",
         "width1_0=24 width1_1=18 width1_2=18 width2_0=0 lr=1 lr_every=40 l2=5e-3 lasso=5e-3"},
        {"mixhop", "citeseer", "lr=.25 lr_every=40 l2=5e-2 lasso=5e-2"},
        {"mixhop", "pubmed",
         "width1_0=17 width1_1=23 width1_2=20 width2_0=3 width2_1=6 width2_2=3 lr=.5 lr_every=20 "
         "l2=5e-3 lasso=5e-3"},
        {"geomgcn", "pubmed", "hidden=64"},
        {"gprgnn", "cora", "lr=.01 teleport=.1 l2=5e-4"},
        {"gprgnn", "citeseer", "lr=.01 teleport=.1 l2=5e-4"},
        {"gprgnn", "pubmed", "lr=.05 teleport=.2 l2=5e-4"},
        {"gprgnn", "amazon_computers", "lr=.05 teleport=.5 l2=0"},
        {"gprgnn", "amazon_photo", "lr=.01 teleport=.5 l2=0"},
},
  presets[] = {
      {"sgc", "gcn-like",
       "lr=.01 l2=5e-4 stop=kipf patience=10 stop_loss=ce_l2 epochs=200 epochs_alone=200"},
      {"ngcn", "as_released", "powers=3 replicas=3"},
      {"geomgcn", "release", "stop=gat_last"},
      {"gcn", "published", ""},
      {"geomgcn", "published", "stop=kipf patience=10 epochs=200"},
      {"chebynet", "published", "order=1"},
      {"jknet", "published", "operator=transposed hidden=32 layers=2"},
      {"sgc", "published",
       "operator=transposed lr=.01 l2=5e-4 stop=gat patience=50 stop_loss=ce epochs=1000"},
      {"ppnp", "published", "operator=transposed stop=kipf patience=50 stop_loss=ce epochs=1000"},
      {"ppnp-hk", "published",
       "operator=transposed stop=kipf patience=10 stop_loss=ce epochs=1000"},
      {"ngcn", "published", "operator=transposed replicas=1 stop=kipf patience=10 epochs=200"},
      {"mixhop", "published",
       "operator=transposed width1_0=5 width1_1=5 width1_2=5 stop=kipf patience=10 epochs=200"},
      {"lanczosnet", "published", "operator=transposed"},
      {"dcnn", "published", ""},
      {"mlp", "shchur",
       "style=shchur hidden=64 dropout=.8 lr=.005 l2=.01 stop=shchur patience=50 stop_loss=ce "
       "epochs=1000"},
      {"cs", "mlp", "base=mlp lr=.005 l2=.01"},
      {"gdc", "heat", "diffusion=heat time=5 top=0 eps=1e-4 l2=.0861"},
};

static void every_data_set(void **state)
{
    static const char *const six[] = {"cora",    "citeseer",         "pubmed",
                                      "cora_ml", "amazon_computers", "amazon_photo"};

    (void)state;
    for (int i = 0; gnd_method_at(i); i++)
        for (int64_t k = 0; k < LENGTH(six); k++) {
            const gnd_method *m = gnd_method_at(i);
            gnd_config *c = config_of(m->name), *said = config_of(m->name);
            bool named = false;

            for (int64_t d = 0; d < LENGTH(datasets); d++)
                if (!strcmp(datasets[d].method, m->name) && !strcmp(datasets[d].name, six[k])) {
                    apply(said, datasets[d].settings);
                    named = true;
                }
            if (gnd_config_dataset(c, six[k]) != named && !is_own(m))
                fail_msg("%s on %s: settings of its own are %s", m->name, six[k],
                         named ? "missing" : "not expected");
            if (!is_own(m))
                check_same(c, said, six[k]);
            gnd_config_free(said);
            gnd_config_free(c);
        }
}

static void every_preset(void **state)
{
    gnd_error err = {0};
    int there = 0;

    (void)state;
    for (int64_t i = 0; i < LENGTH(presets); i++) {
        gnd_config *c = config_of(presets[i].method), *said = config_of(presets[i].method);

        CHECK_OK(gnd_config_preset(c, presets[i].name, &err));
        apply(said, presets[i].settings);
        check_same(c, said, presets[i].name);
        gnd_config_free(said);
        gnd_config_free(c);
    }
    for (int i = 0; gnd_method_at(i); i++)
        for (const gnd_preset *p = gnd_method_at(i)->presets; p && p->name; p++)
            there += !is_own(gnd_method_at(i));
    assert_int_equal(there, LENGTH(presets));
}

/* One rule for all: settings of training it does not name stay the method's. */
static void common_rule(void **state)
{
    gnd_error err = {0};

    (void)state;
    for (int i = 0; gnd_method_at(i); i++) {
        gnd_config *c = config_of(gnd_method_at(i)->name), *said = config_of(c->method->name);

        CHECK_OK(gnd_config_rule(c, "common", &err));
        if (c->method->recipe)
            apply(said, "stop=gat patience=50 stop_loss=ce epochs=1000");
        check_same(c, said, "common rule");
        gnd_config_free(said);
        gnd_config_free(c);
    }
}

/* ---- parameters ---- */

enum { D = 9, C = 3 };
enum { GU = GND_INIT_GLOROT, TL = GND_INIT_LINEAR, ZERO = GND_INIT_ZERO, NORMAL = GND_INIT_NORMAL };

/* Parameters `name`, or with a # so many that have a number there. l2: they pay it. */
typedef struct {
    const char *method, *name;
    int count, rows, cols, init, fan, l2;
} weight;

static const weight weights[] = {
    {"gcn", "W1", 1, D, 16, GU, D, 1},
    {"gcn", "W2", 1, 16, C, GU, 16, 0},
    {"geomgcn", "V1", 1, 9 * D, 16, GU, D, 1},
    {"geomgcn", "V2", 1, 9 * 144, C, GU, 144, 1},
    {"chebynet", "Theta1", 1, 4 * D, 16, GU, D, 1},
    {"chebynet", "Theta2", 1, 4 * 16, C, GU, 16, 0},
    {"jknet", "W1", 1, D, 16, GU, D, 1},
    {"jknet", "W2", 1, 16, 16, GU, 16, 1},
    {"jknet", "b#", 2, 1, 16, ZERO, 0, 1},
    {"jknet", "Wo", 1, 16, C, GU, 16, 1},
    {"jknet", "bo", 1, 1, C, ZERO, 0, 1},
    {"sgc", "W", 1, D, C, TL, D, 1},
    {"sgc", "b", 1, 1, C, TL, D, 1},
    {"ppnp", "W1", 1, D, 64, GU, D, 1},
    {"ppnp", "W2", 1, 64, C, GU, 64, 0},
    {"ppnp-hk", "W1", 1, D, 64, GU, D, 1},
    {"ppnp-hk", "W2", 1, 64, C, GU, 64, 0},
    {"appnp", "W1", 1, D, 64, GU, D, 1},
    {"appnp", "W2", 1, 64, C, GU, 64, 0},
    {"ngcn", "V1_#", 12, D, 10, GU, D, 1},
    {"ngcn", "beta_#", 12, 1, 10, ZERO, 0, 0},
    {"ngcn", "V2_#", 12, 10, C, GU, 10, 1},
    {"ngcn", "U", 1, 12 * C, C, GU, 12 * C, 0},
    {"ngcn", "u", 1, 1, C, ZERO, 0, 0},
    {"mixhop", "V1_#", 3, D, 20, GU, D, 1},
    {"mixhop", "beta", 1, 1, 60, ZERO, 0, 0},
    {"mixhop", "V2_#", 3, 60, C, GU, 60, 1},
    {"mixhop", "qv", 1, 1, 3, ZERO, 0, 0},
    {"lanczosnet", "W1", 1, 8 * D, 64, GU, 8 * D, 1},
    {"lanczosnet", "W2", 1, 8 * 64, C, GU, 8 * 64, 1},
    {"lanczosnet", "b1", 1, 1, 64, ZERO, 0, 1},
    {"lanczosnet", "b2", 1, 1, C, ZERO, 0, 1},
    {"lanczosnet", "F#a", 2, 3, 128, GU, 3, 1},
    {"lanczosnet", "f#a", 2, 1, 128, ZERO, 0, 1},
    {"lanczosnet", "F#b", 2, 128, 3, GU, 128, 1},
    {"lanczosnet", "f#b", 2, 1, 3, ZERO, 0, 1},
    {"dcnn", "w", 1, 4, D, NORMAL, 0, 1},
    {"dcnn", "Wd", 1, 4 * D, C, GU, 4 * D, 1},
    {"dcnn", "bd", 1, 1, C, ZERO, 0, 0},
    {"lr", "W", 1, D, C, GU, D, 1},
    {"lr", "b", 1, 1, C, ZERO, 0, 0},
    {"mlp", "W1", 1, D, 16, GU, D, 1},
    {"mlp", "W2", 1, 16, C, GU, 16, 0},
    {"gprgnn", "W1", 1, D, 64, TL, D, 1},
    {"gprgnn", "b1", 1, 1, 64, TL, D, 1},
    {"gprgnn", "W2", 1, 64, C, TL, 64, 1},
    {"gprgnn", "b2", 1, 1, C, TL, 64, 1},
    {"gprgnn", "gam", 1, 1, 11, ZERO, 0, 0},
    {"sign", "W#", 4, D, 64, TL, D, 1},
    {"sign", "b#", 4, 1, 64, TL, D, 1},
    {"sign", "Wo", 1, 4 * 64, C, TL, 4 * 64, 1},
    {"sign", "bo", 1, 1, C, TL, 4 * 64, 1},
    {"cs", "W", 1, D, C, GU, D, 1},
    {"cs", "b", 1, 1, C, ZERO, 0, 0},
    {"gdc", "W1", 1, D, 64, GU, D, 1},
    {"gdc", "b1", 1, 1, 64, ZERO, 0, 1},
    {"gdc", "W2", 1, 64, C, GU, 64, 0},
    {"gdc", "b2", 1, 1, C, ZERO, 0, 0},
};

static bool is_called(const char *name, const char *pattern)
{
    for (; *pattern; pattern++)
        if (*pattern == '#') {
            if (*name < '0' || *name > '9')
                return false;
            while (*name >= '0' && *name <= '9')
                name++;
        } else if (*name++ != *pattern)
            return false;
    return *name == '\0';
}

static gnd_model *model_of(const gnd_graph *g, const gnd_config *c)
{
    gnd_error err = {0};
    gnd_model *m = NULL;

    CHECK_OK(gnd_model_new(&m, g, c, 5, &err));
    return m;
}

/* How many parameters of m are the ones w states. */
static int check_weight(const gnd_model *m, const weight *w)
{
    int n = 0;

    for (int32_t i = 0; i < m->params.n; i++) {
        const gnd_param *p = &m->params.p[i];

        if (!is_called(p->name, w->name))
            continue;
        if (p->rows != w->rows || p->cols != w->cols || (int)p->init != w->init ||
            (w->fan && p->fan != w->fan) || p->decay != (w->l2 == 1) ||
            (w->init == NORMAL && p->std != 0.01))
            fail_msg("%s: %s is not as the authors have it", w->method, p->name);
        n++;
    }
    if (n != w->count)
        fail_msg("%s: %d of %s; expected %d", w->method, n, w->name, w->count);
    return n;
}

/* No two parameters start alike: towers and layers are drawn each for itself. */
static void check_drawn_apart(const gnd_model *m)
{
    const gnd_params *ps = &m->params;

    for (int32_t i = 0; i < ps->n; i++)
        for (int32_t j = 0; j < i; j++) {
            const double a = (double)ps->v[ps->p[i].at], b = (double)ps->v[ps->p[j].at];
            const double x = (double)ps->v[ps->p[i].at + 1], y = (double)ps->v[ps->p[j].at + 1];

            if (ps->p[i].init == GND_INIT_ZERO || ps->p[j].init == GND_INIT_ZERO)
                continue; /* not drawn */
            if (a != 0 && b != 0 && fabs(a * y - b * x) < 1e-9 * fabs(a * y))
                fail_msg("%s: %s and %s are drawn alike", m->config.method->name, ps->p[i].name,
                         ps->p[j].name);
        }
}

static void every_parameter(void **state)
{
    gnd_graph *g = random_graph(60, D, C);

    (void)state;
    for (int i = 0; gnd_method_at(i); i++) {
        gnd_config *c = config_of(gnd_method_at(i)->name);
        gnd_model *m = model_of(g, c);
        int n = 0;

        for (int64_t k = 0; k < LENGTH(weights); k++)
            if (strcmp(weights[k].method, c->method->name) == 0)
                n += check_weight(m, &weights[k]);
        if (n != m->params.n && !is_own(c->method) && c->method->recipe)
            fail_msg("%s: %d parameters; %d are stated here", c->method->name, m->params.n, n);
        check_drawn_apart(m);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

/* GPR-GNN starts as PageRank: .1, .09, .081, ..., and the rest of the mass at the last hop. */
static void gprgnn_starts_as_pagerank(void **state)
{
    gnd_graph *g = random_graph(60, D, C);
    gnd_config *c = config_of("gprgnn");
    gnd_model *m = model_of(g, c);
    const gnd_real *gam = m->params.v + m->params.p[gnd_params_find(&m->params, "gam")].at;
    double sum = 0;

    (void)state;
    for (int k = 0; k <= 10; k++)
        sum += (double)gam[k];
    CHECK_CLOSE(gam[0], 0.1, 1e-7);
    CHECK_CLOSE(gam[2], 0.081, 1e-7);
    CHECK_CLOSE(gam[10], 0.3486784401, 1e-7);
    CHECK_CLOSE(sum, 1, 1e-6);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_graph_free(g);
}

/* ---- operators ---- */

static const struct {
    const char *method;
    gnd_operator_kind kind;
} operators[] = {
    {"gcn", GND_OP_S_TRANSPOSED}, {"chebynet", GND_OP_LN_TRANSPOSED},
    {"jknet", GND_OP_S},          {"sgc", GND_OP_S_SYMMETRISED},
    {"ppnp", GND_OP_S},           {"ppnp-hk", GND_OP_S},
    {"ngcn", GND_OP_S_MIXHOP},    {"mixhop", GND_OP_S_MIXHOP},
    {"lanczosnet", GND_OP_S},     {"dcnn", GND_OP_P_DCNN},
    {"wvgn", GND_OP_DINVA},       {"appnp", GND_OP_S},
    {"gprgnn", GND_OP_S},         {"sign", GND_OP_S},
    {"cs", GND_OP_ADINV},
};

static void check_matrix(const char *name, const gnd_csr *a, const gnd_csr *b)
{
    if (gnd_csr_nnz(a) != gnd_csr_nnz(b))
        fail_msg("%s: another operator", name);
    assert_memory_equal(a->ptr, b->ptr, (size_t)(b->n_row + 1) * sizeof *b->ptr);
    assert_memory_equal(a->col, b->col, (size_t)gnd_csr_nnz(b) * sizeof *b->col);
    for (int64_t p = 0; p < gnd_csr_nnz(b); p++)
        CHECK_CLOSE(gnd_csr_val(a, p), gnd_csr_val(b, p), 1e-7);
}

/* ls walks on max(A, A^T) without loops. */
static void walk_on_a_directed_graph(void **state)
{
    gnd_graph *g = random_graph(60, D, C);
    gnd_config *c = config_of("ls");
    gnd_model *m = model_of(g, c);
    gnd_inputs in = {0};
    const gnd_walk *w;
    gnd_csr links;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_inputs_init(&in, m, g, NULL, &err));
    CHECK_OK(gnd_operator_links(&links, &g->adj, &err));
    w = in.own;
    assert_false(gnd_csr_has_loops(&links));
    assert_true(gnd_csr_is_symmetric(&links));
    assert_int_equal(gnd_csr_nnz(&w->a), gnd_csr_nnz(&links));
    for (int64_t r = 0; r < w->n; r++)
        for (int64_t p = w->a.ptr[r]; p < w->a.ptr[r + 1]; p++) {
            const int32_t i = w->order[r], j = w->order[w->a.col[p]];
            const int64_t there = gnd_csr_find(&g->adj, i, j), back = gnd_csr_find(&g->adj, j, i);
            const double v = there >= 0 ? (double)gnd_csr_val(&g->adj, there) : 0;

            CHECK_CLOSE(gnd_csr_val(&w->a, p),
                        fmax(v, back >= 0 ? (double)gnd_csr_val(&g->adj, back) : 0), 0);
        }
    gnd_csr_fini(&links);
    gnd_inputs_fini(&in);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_graph_free(g);
}

/* random_graph is directed and has loops: no two of these operators are the same there. */
static void operators_of_a_directed_graph(void **state)
{
    gnd_graph *g = random_graph(60, D, C);
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < LENGTH(operators); i++) {
        gnd_config *c = config_of(operators[i].method);
        gnd_model *m = model_of(g, c);
        gnd_operator op = {0};
        gnd_inputs in = {0};

        CHECK_OK(gnd_inputs_init(&in, m, g, NULL, &err));
        CHECK_OK(gnd_operator_init(&op, operators[i].kind, &g->adj, &err));
        if (operators[i].kind == GND_OP_LN_TRANSPOSED)
            CHECK_OK(gnd_operator_to_cheby(&op, 2, &err));
        check_matrix(operators[i].method, &in.op.a, &op.a);
        check_matrix(operators[i].method, &in.op.at, &op.at);
        gnd_operator_fini(&op);
        gnd_inputs_fini(&in);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default),
        cmocka_unit_test(every_data_set),
        cmocka_unit_test(every_preset),
        cmocka_unit_test(common_rule),
        cmocka_unit_test(every_parameter),
        cmocka_unit_test(gprgnn_starts_as_pagerank),
        cmocka_unit_test(operators_of_a_directed_graph),
        cmocka_unit_test(walk_on_a_directed_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
