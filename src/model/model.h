/* SPDX-License-Identifier: MIT
 * model.h - what a method is: a table of settings, its parameters, its inputs, its formula.
 *
 * A method is one file that fills a gnd_method; models.def lists it; the CLI, the help, the docs,
 * the saved files and the tests all walk that list. */
#ifndef GND_MODEL_MODEL_H
#define GND_MODEL_MODEL_H

#include "graph/graph.h"
#include "graph/norm.h"
#include "graph/operator.h"
#include "tape/ops.h"
#include "tape/optim.h"
#include "tape/params.h"

/* ---- settings ---- */

typedef enum {
    GND_HP_END_MARK,
    GND_HP_TYPE_INT,
    GND_HP_TYPE_REAL,
    GND_HP_TYPE_CHOICE,
    GND_HP_TYPE_SET
} gnd_hp_type;

typedef struct {
    const char *name;
    gnd_hp_type type;
    double fallback, min, max; /* choice: index; set: bits */
    const char *choices;       /* "learned|ppr|heat" for choice and set; at most 32 */
    const char *meaning;
} gnd_hparam;

#define GND_HP_INT(name, fallback, min, max, meaning)                                              \
    {                                                                                              \
        name, GND_HP_TYPE_INT, fallback, min, max, NULL, meaning                                   \
    }
#define GND_HP_REAL(name, fallback, min, max, meaning)                                             \
    {                                                                                              \
        name, GND_HP_TYPE_REAL, fallback, min, max, NULL, meaning                                  \
    }
#define GND_HP_CHOICE(name, fallback, choices, meaning)                                            \
    {                                                                                              \
        name, GND_HP_TYPE_CHOICE, fallback, 0, 0, choices, meaning                                 \
    }
#define GND_HP_SET(name, fallback, choices, meaning)                                               \
    {                                                                                              \
        name, GND_HP_TYPE_SET, fallback, 0, 0, choices, meaning                                    \
    }
#define GND_HP_END                                                                                 \
    {                                                                                              \
        NULL, GND_HP_END_MARK, 0, 0, 0, NULL, NULL                                                 \
    }

/* How a method is trained, as its authors did: the defaults of the settings every method has. */
typedef struct {
    gnd_opt_kind optimiser;
    double lr, l2;
    gnd_l2 l2_form;
    const char *stop;     /* name of a stopping rule */
    int64_t patience;     /* its parameter */
    bool stop_with_l2;    /* the validation loss it sees contains the L2 term */
    int64_t epochs;       /* at most, with a validation set */
    int64_t epochs_alone; /* exactly, without one */
} gnd_recipe;

/* Names of the stopping rules, in the order of train/stop.h; tests/train/test_stop.c holds them
 * together. */
#define GND_STOP_NAMES "kipf|kipf_best|gat|ppnp|mixhop|dcnn|shchur|none"

/* Settings every method has, in this order, before its own. */
enum {
    GND_HP_OPTIMISER,
    GND_HP_LR,
    GND_HP_L2,
    GND_HP_EPOCHS,
    GND_HP_EPOCHS_ALONE,
    GND_HP_STOP,
    GND_HP_PATIENCE,
    GND_HP_STOP_LOSS,
    GND_HP_COMMON /* how many */
};

typedef struct {
    const char *name;     /* "text" */
    const char *settings; /* "first_hop=0 stop=shchur", applied in order */
    const char *meaning;
} gnd_preset;

typedef struct gnd_method gnd_method;

struct gnd_config {
    const gnd_method *method;
    int n;            /* settings, common ones first */
    double value[48]; /* choice: index; set: bits */
};

/* ---- methods ---- */

/* What a model makes of a graph once: normalised features and operators. Zero is valid and
 * empty. */
typedef struct {
    int64_t n_node;
    gnd_csr x; /* features [n, f], as the method wants them */
    gnd_operator op;
} gnd_inputs;

struct gnd_model {
    gnd_config config; /* by value: a model outlives the config it was made from */
    int64_t n_feat;
    gnd_params params;
    /* What a saved model needs to speak to its user. */
    gnd_names *cls;
    gnd_graph_mode mode;
    bool identity;       /* the graph had no features: each vertex is its own */
    gnd_names *ids;      /* identity only: whose feature is column j; NULL: vertex j */
    unsigned char *seen; /* [n_feat] 1: the feature occurs where a label reaches */
};

struct gnd_method {
    const char *name, *title, *formula, *paper;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const gnd_hparam *hparams;  /* its own settings, up to GND_HP_END */
    const gnd_preset *presets;  /* up to a NULL name, or NULL */
    const gnd_recipe *recipe;
    gnd_feat_norm features;
    /* Add the parameters; m->n_feat and the number of classes are known. */
    gnd_status (*init)(gnd_model *m, gnd_error *err);
    /* Make what forward needs of the graph besides in->x, which is there. */
    gnd_status (*prepare)(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_error *err);
    /* The formula: logits [n, C], or of the rows the tape is asked for (gnd_wanted). */
    gnd_var (*forward)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
};

#define X(id) extern const gnd_method gnd_method_##id;
#include "models.def"
#undef X

/* The i-th method; NULL beyond the last. */
const gnd_method *gnd_method_at(int i);

/* Settings of a model, by the index of its own table. */
int64_t gnd_hp_int(const gnd_model *m, int i);
double gnd_hp_real(const gnd_model *m, int i);
int gnd_hp_choice(const gnd_model *m, int i);
/* Is bit `bit` of a set on? */
bool gnd_hp_has(const gnd_model *m, int i, int bit);
int32_t gnd_n_class(const gnd_model *m);

/* An untrained model for a graph: parameters drawn from seed. */
gnd_status gnd_model_new(gnd_model **out, const gnd_graph *g, const gnd_config *c, uint64_t seed,
                         gnd_error *err);
/* An empty model that a loader fills: n_feat and cls are set, parameters allocated and zero. cls is
 * taken over also on failure. More than max_size weights are refused before memory is asked for
 * them. */
gnd_status gnd_model_shell(gnd_model **out, const gnd_config *c, int64_t n_feat, gnd_names *cls,
                           int64_t max_size, gnd_error *err);
/* What the model needs of a graph; fails if the graph's features are not the model's. */
gnd_status gnd_inputs_init(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_error *err);
void gnd_inputs_fini(gnd_inputs *in);

#endif
