/* SPDX-License-Identifier: MIT
 * model.h - what a method is: a table of settings, its parameters, its inputs, its formula.
 *
 * A method is one file that fills a gnd_method; models.def lists it; the CLI, the help, the docs,
 * the saved files and the tests all walk that list. */
#ifndef GND_MODEL_MODEL_H
#define GND_MODEL_MODEL_H

#include "base/note.h"
#include "graph/graph.h"
#include "graph/norm.h"
#include "graph/operator.h"
#include "plan/plan.h"
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

/* The loss a stopping rule looks at, on the validation vertices. */
typedef enum {
    GND_STOP_LOSS_CE,       /* mean cross-entropy */
    GND_STOP_LOSS_CE_L2,    /* ... and every penalty on the weights */
    GND_STOP_LOSS_OBJECTIVE /* what the method minimises on the training vertices */
} gnd_stop_loss;

/* How a method is trained, as its authors did: the defaults of the settings every method has. */
typedef struct {
    gnd_opt_kind optimiser;
    double lr, l2;
    gnd_l2 l2_form;
    const char *stop;        /* name of a stopping rule */
    int64_t patience;        /* its parameter */
    gnd_stop_loss stop_loss; /* the validation loss it sees */
    int64_t epochs;          /* at most, with a validation set */
    int64_t epochs_alone;    /* exactly, without one */
    int64_t lr_every;        /* the step size falls by 1 % of lr after so many steps; 0: never */
    int64_t lr_plateau;      /* it falls to .8 after so many epochs without a lower validation loss;
                                0: never */
    int64_t batch;           /* training vertices a step, in a fresh order each epoch; 0: all */
} gnd_recipe;

/* Names of the stopping rules, in the order of train/stop.h; tests/train/test_stop.c holds them
 * together. */
#define GND_STOP_NAMES "kipf|kipf_best|gat|gat_last|ppnp|mixhop|dcnn|shchur|none"

/* Settings every method trained by gradients has, in this order, before its own. */
enum {
    GND_HP_OPTIMISER,
    GND_HP_LR,
    GND_HP_L2,
    GND_HP_EPOCHS,
    GND_HP_EPOCHS_ALONE,
    GND_HP_STOP,
    GND_HP_PATIENCE,
    GND_HP_STOP_LOSS,
    GND_HP_LR_EVERY,
    GND_HP_LR_PLATEAU,
    GND_HP_BATCH,
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
    int n;            /* settings it shows: common ones first, unless it is solved at once */
    double value[48]; /* [GND_HP_COMMON + own]; choice: index; set: bits */
};

/* ---- methods ---- */

/* Lists of vertices that passes ask for again and again while a model is trained. */
typedef enum { GND_TRAIN_ROWS, GND_VAL_ROWS, GND_HELD_SETS } gnd_held_set;

/* Such a list, and what the method makes for it once. Zero is valid and empty. */
typedef struct {
    const int32_t *row; /* [n], borrowed and left alone while it is held */
    int64_t n;
    gnd_csr part;  /* [n, ..] rows of a matrix of the method's, or empty */
    void *own;     /* what else prepare_rows made; release_rows frees it */
    gnd_plan plan; /* how passes on these rows are computed, if the method has several ways */
} gnd_held;

/* What a pass reads of a graph: features, operators and whatever else the method makes of it once,
 * which trainings on other splits share; and what belongs to the training vertices at hand. Zero is
 * valid and empty. */
typedef struct {
    int64_t n_node;
    gnd_csr x; /* features [n, f], as the method wants them */
    gnd_operator op;
    void *own;     /* what else prepare made; the method's release frees it */
    bool borrowed; /* all of the above belongs to another gnd_inputs */
    const gnd_method *method;
    gnd_held held[GND_HELD_SETS];
    int64_t memory;          /* bytes that may be spent on what makes passes faster; 0: none */
    gnd_plan_kind plan_wish; /* taken where it is possible; GND_PLANS: the cheapest */
    int32_t *labelled,
        *labelled_cls; /* [n_labelled] labelled vertices the model remembers (keeps_labels) */
    int64_t n_labelled;
} gnd_inputs;

struct gnd_model {
    gnd_config config; /* by value: a model outlives the config it was made from */
    int64_t n_feat;
    gnd_params params;
    /* What a saved model needs to speak to its user. */
    gnd_names *cls;
    gnd_graph_mode mode;
    bool identity;       /* each vertex is its own feature: the graph has none, or none is read */
    gnd_names *ids;      /* identity only: whose feature is column j; NULL: vertex j */
    unsigned char *seen; /* [n_feat] 1: the feature occurs where a label reaches */
    gnd_names *kept;     /* ids of the training vertices (keeps_labels), or NULL */
    int32_t *kept_cls;   /* and their classes */
    gnd_real *prior;     /* [C] known class shares (uses_prior), or NULL */
};

/* Vertices and what a loss compares their rows with. */
typedef struct {
    const int32_t *label; /* [n] of all vertices, -1: none */
    const int32_t *rows;  /* [n_rows] */
    int64_t n_rows;
} gnd_target;

typedef enum {
    GND_OUT_LOGITS, /* probabilities are the softmax of a row */
    GND_OUT_MASS    /* rows are non-negative: probabilities are their shares */
} gnd_output;

/* What an estimator fills. */
typedef struct {
    gnd_real *prob;   /* [n, C], zeros before; rows sum to 1, or stay 0 where nothing is known */
    gnd_notes *notes; /* NULL: none are wanted */
    bool calibrated;  /* probabilities were checked against held-out labels */
} gnd_estimate;

struct gnd_method {
    const char *name, *title, *formula, *paper;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const gnd_hparam *hparams;  /* its own settings, up to GND_HP_END */
    const gnd_preset *presets;  /* up to a NULL name, or NULL */
    const gnd_preset *datasets; /* what its authors used on a data set of that name, or NULL */
    const char *search_setting, *search_values; /* "layers", "1,2,4": what they searched, or NULL */
    const gnd_recipe *recipe;                   /* NULL if solve or estimate is there */
    gnd_feat_norm features;
    bool no_features;  /* it does not read them: each vertex is its own feature */
    bool keeps_labels; /* a pass reads the training labels: the model remembers them */
    bool uses_prior;   /* it can use known class shares: gnd_model.prior */
    gnd_output output; /* of forward, or of refine where there is one */
    /* Add the parameters; m->n_feat and the number of classes are known. NULL: there are none. */
    gnd_status (*init)(gnd_model *m, gnd_error *err);
    /* Set parameters that start at values of their own, after the others were drawn. NULL:
     * none. */
    void (*start)(gnd_model *m);
    /* Make what forward needs of the graph besides in->x, which is there; NULL: nothing. pool may
     * be NULL. */
    gnd_status (*prepare)(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err);
    /* Free in->own; called with in->own not NULL. NULL: there never is one. */
    void (*release)(gnd_inputs *in);
    /* Fill part and own of in->held[set], whose rows are there. NULL: nothing. */
    gnd_status (*prepare_rows)(gnd_inputs *in, const gnd_model *m, gnd_held_set set, gnd_pool *pool,
                               gnd_error *err);
    /* Free h->own; called with h->own not NULL. NULL: there never is one. */
    void (*release_rows)(gnd_held *h);
    /* The formula: logits [n, C], or of the rows the tape is asked for (gnd_requested). */
    gnd_var (*forward)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
    /* The loss of logits on the rows of y, [1, 1]. NULL: mean cross-entropy. */
    gnd_var (*loss)(gnd_tape *t, gnd_var logits, const gnd_target *y);
    /* What a step minimises, [1, 1], but for the penalties. NULL: the loss of forward. */
    gnd_var (*objective)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t,
                         const gnd_target *y);
    /* A penalty on the weights besides L2, [1, 1]. NULL: none. */
    gnd_var (*penalty)(const gnd_model *m, gnd_tape *t);
    /* What becomes of the logits [n, C] once training is over. NULL: nothing. Asks for all rows. */
    gnd_var (*refine)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, gnd_var logits);
    /* Find the parameters at once instead of epoch by epoch. val may be empty. NULL: by
     * gradients. */
    gnd_status (*solve)(gnd_model *m, const gnd_inputs *in, const gnd_target *train,
                        const gnd_target *val, uint64_t seed, gnd_pool *pool, gnd_error *err);
    /* Class probabilities of all vertices from the labels that the model keeps, by a method that is
     * not a network: it has neither parameters nor epochs, and no forward. g: the graph of in, to
     * name vertices in notes. NULL: forward is there. */
    gnd_status (*estimate)(gnd_estimate *out, const gnd_model *m, const gnd_inputs *in,
                           const gnd_graph *g, gnd_pool *pool, gnd_error *err);
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
/* What the model needs of a graph; fails if the graph's features are not the model's. pool may be
 * NULL. */
gnd_status gnd_inputs_init(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                           gnd_error *err);
/* The same, but what does not depend on the training vertices is borrowed from `shared`, which was
 * made of the same graph for a model with the same settings and must live longer. */
gnd_status gnd_inputs_borrow(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                             const gnd_inputs *shared, gnd_error *err);
void gnd_inputs_fini(gnd_inputs *in);
/* Passes will ask for these rows often: make what the method has for them. The list must live as
 * long as in and not change. */
gnd_status gnd_inputs_hold(gnd_inputs *in, const gnd_model *m, gnd_held_set set, const int32_t *row,
                           int64_t n, gnd_pool *pool, gnd_error *err);
/* The set that the pass is asked for, all of it and nothing else; NULL: none. */
const gnd_held *gnd_held_asked(const gnd_inputs *in, const gnd_tape *t);
/* The rows of a set's part that the pass is asked for, in the order asked: all of a set, or a batch
 * of the training rows. No variable (i < 0) if they are not at hand. */
gnd_var gnd_held_part(const gnd_inputs *in, gnd_tape *t);
/* Remember the labels of the training vertices, if the method reads them in a pass; call before
 * gnd_inputs_init. */
gnd_status gnd_model_keep_labels(gnd_model *m, const gnd_graph *g, const int32_t *train,
                                 int64_t n_train, gnd_error *err);

/* ---- passes ---- */

/* The method's loss of logits on the rows of y, [1, 1]. */
gnd_var gnd_loss(const gnd_model *m, gnd_tape *t, gnd_var logits, const gnd_target *y);
/* The method's objective on the rows of y, [1, 1], without penalties. */
gnd_var gnd_objective(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const gnd_target *y);
/* Its own penalty, [1, 1]; no variable (i < 0) if it has none. */
gnd_var gnd_penalty(const gnd_model *m, gnd_tape *t);
/* Logits of a finished model, with refine: their softmax is the probability, also for
 * GND_OUT_MASS, where a row without mass gives zeros. */
gnd_var gnd_final_logits(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
/* Logits [n, n_class] of masses: logarithms of the shares of a row; zeros for a row without mass.
 * logits may be mass. */
void gnd_mass_logits(gnd_real *logits, const gnd_real *mass, int64_t n, int64_t n_class);

#endif
