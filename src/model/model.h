/* SPDX-License-Identifier: MIT
 * model.h - methods (settings, parameters, inputs, formula) and models, which are trained methods.
 *
 * A method is one file that defines a gnd_method and is listed in models.def. The command line, the
 * documents, the model files and the tests use that list. */
#ifndef GND_MODEL_MODEL_H
#define GND_MODEL_MODEL_H

#include "base/checkpoint.h"
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
    double fallback, min, max; /* default and range; choice: index; set: bits */
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

/* The validation loss that a stopping rule uses. */
typedef enum {
    GND_STOP_LOSS_CE,       /* mean cross-entropy */
    GND_STOP_LOSS_CE_L2,    /* mean cross-entropy and all penalties on the weights */
    GND_STOP_LOSS_OBJECTIVE /* the loss that training minimises, on the validation vertices */
} gnd_stop_loss;

/* How the authors train the method: defaults of the settings that all methods have. */
typedef struct {
    gnd_opt_kind optimiser;
    double lr, l2;
    gnd_l2 l2_form;
    const char *stop;        /* name of a stopping rule */
    int64_t patience;        /* its parameter */
    gnd_stop_loss stop_loss; /* the validation loss it uses */
    int64_t epochs;          /* maximum, with a validation set */
    int64_t epochs_alone;    /* number, without a validation set */
    int64_t lr_every;        /* steps after which the step size falls by 1 % of lr; 0: never */
    int64_t lr_plateau;      /* epochs without a lower validation loss after which it is multiplied
                                by 0.8; 0: never */
    int64_t batch;           /* training vertices per step, shuffled in each epoch; 0: all */
} gnd_recipe;

/* GND_STOP_KIPF, ..: the stopping rules, implemented in train/stop.c. */
typedef enum {
#define X(id, name, meaning) GND_STOP_##id,
#include "stop_rules.def"
#undef X
    GND_STOP_RULES
} gnd_stop_rule;

/* Their names, "kipf|kipf_best|..". */
extern const char gnd_stop_names[];
#define GND_STOP_NAMES (gnd_stop_names + 1)

/* Settings of every method that is trained by gradients, in this order, before its own. */
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
    GND_HP_COMMON /* number of them */
};

typedef struct {
    const char *name;     /* "text" */
    const char *settings; /* "first_hop=0 stop=shchur", applied in order */
    const char *meaning;
} gnd_preset;

/* Preset "published" of the methods of arXiv:2201.09698 but its own. */
#define GND_PUBLISHED_MEANING                                                                      \
    "of the settings tried, those whose test accuracies are closest to the figures in "            \
    "arXiv:2201.09698 (docs/reproduce.md); not for other use, since they are chosen by test "      \
    "accuracy"

typedef struct gnd_method gnd_method;

enum { GND_HISTORY_COLUMNS = GND_HISTORY_ACC_VAL + 1 };

struct gnd_config {
    const gnd_method *method;
    int n;            /* number of settings: common ones, if trained by gradients, then its own */
    double value[48]; /* [GND_HP_COMMON + own]; choice: index; set: bits */
};

/* Is this a rule that gnd_config_rule knows? */
gnd_status gnd_rule_check(const char *rule, gnd_error *err);
/* Is the i-th setting part of the key of a stored run? Not if it was added after runs had been
 * stored (gnd_method.added) and has its default: these runs are then found as before. */
bool gnd_config_in_key(const gnd_config *c, int i);

/* ---- methods ---- */

/* Lists of vertices that many passes of a training run request. */
typedef enum { GND_TRAIN_ROWS, GND_VAL_ROWS, GND_ROW_SETS } gnd_row_set_id;

/* Such a list, and data that the method prepares once for it. Zero-initialised it is valid and
 * empty. */
typedef struct {
    const int32_t *row; /* [n], borrowed; it must not change */
    int64_t n;
    gnd_csr part;  /* [n, ..] rows of a matrix of the method, or empty */
    void *own;     /* other data of prepare_rows; release_rows frees it */
    gnd_plan plan; /* how passes on these rows are computed, if there are several ways */
} gnd_row_set;

/* Inputs of a pass. Features, operators and other data of the graph can be shared by training runs
 * on different splits; the rest belongs to one split. Zero-initialised it is valid and empty. */
typedef struct {
    int64_t n_node;
    gnd_part *part; /* of the graph */
    gnd_csr x; /* features [n, f], normalised for the method; arrays that this does not change are
                  those of the graph, which must exist as long */
    int64_t *x_start;    /* x.start in one of several processes, else NULL */
    int64_t nnz_x_total; /* entries of x in the whole graph */
    gnd_operator op;
    void *own;     /* other data of prepare; release frees it */
    bool borrowed; /* all of the above belong to another gnd_inputs */
    const gnd_method *method;
    gnd_row_set rows[GND_ROW_SETS];
    gnd_budget budget;       /* bytes that may be used to make passes faster */
    int64_t epochs;          /* of the training run, at most; 0: not known */
    gnd_plan_kind plan_wish; /* used if it is possible; GND_PLANS: the cheapest */
    int32_t *labelled,
        *labelled_cls; /* [n_labelled] vertices whose labels the model keeps, and their classes */
    int64_t n_labelled;
    gnd_checkpoint *checkpoint; /* of the run, for methods without epochs; borrowed, or NULL */
} gnd_inputs;

struct gnd_model {
    gnd_config config; /* a copy: the caller may free the original */
    int64_t n_feat;
    gnd_params params;
    /* Data that a saved model needs to predict on another graph. */
    gnd_names *cls;
    gnd_graph_mode mode;
    bool identity;       /* identity features: the graph has none, or the method uses none */
    gnd_names *ids;      /* identity: the vertex id of column j; NULL: vertex number j */
    bool partial;        /* identity: the columns are the vertices of a part of the graph */
    unsigned char *seen; /* [n_feat] 1: the feature occurs in a component with a training label */
    gnd_names *kept;     /* ids of the training vertices (keeps_labels), or NULL */
    int32_t *kept_cls;   /* their classes */
    gnd_real *prior;     /* [C] known class shares (uses_prior), or NULL */
    /* [n_epoch] by gnd_history_column: what the training run recorded; NULL without epochs. */
    double *history[GND_HISTORY_COLUMNS];
    int64_t n_epoch;
};

/* Labels, and the vertices on which a loss is computed. */
typedef struct {
    const int32_t *label; /* [n] of all vertices, -1: none */
    const int32_t *rows;  /* [n_rows] */
    int64_t n_rows;
} gnd_target;

typedef enum {
    GND_OUT_LOGITS, /* probabilities are the softmax of a row */
    GND_OUT_MASS    /* rows are not negative: probabilities are the rows divided by their sums */
} gnd_output;

/* Labels that were held out in turn: how sure the method was, and whether it was right. Zero is
 * valid and empty. */
typedef struct {
    int64_t n;
    float *confidence;    /* [n] largest probability */
    unsigned char *right; /* [n] 1: of the class of the label */
    float *weight;        /* [n] size of the class per label of it, mean 1; NULL: all are 1 */
} gnd_held_out;

void gnd_held_out_fini(gnd_held_out *h);

/* Output of gnd_method.estimate. */
typedef struct {
    gnd_real *prob;   /* [n, C], initially 0; rows have sum 1, or stay 0 if the vertex is unknown */
    gnd_notes *notes; /* NULL: make none */
    bool calibrated;  /* held-out labels show that the probabilities are right */
    gnd_held_out held_out;
} gnd_estimate;

struct gnd_method {
    const char *name, *title, *formula, *paper;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const gnd_hparam *hparams;  /* its own settings, ended by GND_HP_END */
    const gnd_preset *presets;  /* ended by a NULL name; or NULL */
    const gnd_preset *datasets; /* the authors' settings for data sets, by name; or NULL */
    const char *search_setting,
        *search_values; /* "layers", "1,2,4": the authors' search; or NULL */
    const char *added;  /* "operator|order": settings that stored runs of older versions lack; at
                           their defaults they are not part of a run's key; or NULL */
    const gnd_recipe *recipe; /* NULL if there is solve or estimate */
    gnd_feat_norm features;
    bool no_features;  /* it uses identity features in place of the graph's */
    bool keeps_labels; /* a pass reads the training labels: the model keeps them */
    bool uses_prior;   /* it can use known class shares: gnd_model.prior */
    bool on_parts;     /* it runs on a graph that several processes hold (kern/part.h) */
    gnd_output output; /* of refine, if there is one, otherwise of forward */
    /* Add the parameters; m->n_feat and the number of classes are set. NULL: no parameters. */
    gnd_status (*init)(gnd_model *m, gnd_error *err);
    /* Set initial values of parameters that are not drawn at random. NULL: none. */
    void (*start)(gnd_model *m);
    /* Compute the inputs of forward besides in->x, which is set. NULL: nothing. pool may be NULL.
     */
    gnd_status (*prepare)(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err);
    /* Free in->own, which is not NULL. NULL: the method does not use in->own. */
    void (*release)(gnd_inputs *in);
    /* Fill part and own of in->rows[set], whose row and n are set. NULL: nothing. */
    gnd_status (*prepare_rows)(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err);
    /* Free h->own, which is not NULL. NULL: the method does not use it. */
    void (*release_rows)(gnd_row_set *h);
    /* The formula: logits [n, C], or only the rows that the tape requests (gnd_requested). */
    gnd_var (*forward)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
    /* Loss of logits on the rows of y, [1, 1]. NULL: mean cross-entropy. */
    gnd_var (*loss)(gnd_tape *t, gnd_var logits, const gnd_target *y);
    /* The function that a step minimises, without penalties, [1, 1], and the logits of the same
     * pass. NULL: the loss of forward. */
    gnd_var (*objective)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const gnd_target *y,
                         gnd_var *logits);
    /* A penalty on the weights besides L2, [1, 1]. NULL: none. */
    gnd_var (*penalty)(const gnd_model *m, gnd_tape *t);
    /* Final output from the logits [n, C] of a trained model; needs all rows. NULL: none. */
    gnd_var (*refine)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, gnd_var logits);
    /* Compute the parameters directly, without epochs. val may be empty. NULL: train by gradients.
     */
    gnd_status (*solve)(gnd_model *m, const gnd_inputs *in, const gnd_target *train,
                        const gnd_target *val, uint64_t seed, gnd_pool *pool, gnd_error *err);
    /* Weights of the hops *first, *first + 1, .. in the formula, [1, K] if all vertices have the
     * same, else [n, K]. NULL: the method does not weigh hops. */
    gnd_var (*hop_weights)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, int64_t *first);
    /* By how much each of these hops attends to each of them, [n L K, K]: for every vertex the
     * matrices [K, K] of L blocks one after the other. NULL: there is no such attention. A method
     * with hop_attention has hop_weights of each vertex. */
    gnd_var (*hop_attention)(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
    /* Class probabilities of all vertices from the labels that the model keeps. A method with
     * estimate has no parameters, no epochs and no forward. g: the graph of in, for notes; may be
     * NULL. NULL: there is forward. */
    gnd_status (*estimate)(gnd_estimate *out, const gnd_model *m, const gnd_inputs *in,
                           const gnd_graph *g, gnd_pool *pool, gnd_error *err);
};

#define X(id) extern const gnd_method gnd_method_##id;
#include "models.def"
#undef X

/* Can the method run on g, if several processes hold it? */
/* Does a method need features on a graph that several processes hold? */
bool gnd_method_needs_features(const gnd_method *method);
gnd_status gnd_method_check_parts(const gnd_method *method, const gnd_graph *g, gnd_error *err);

/* The i-th method; NULL beyond the last. */
const gnd_method *gnd_method_at(int i);

/* Settings of a model, by the index of its own table. */
int64_t gnd_hp_int(const gnd_model *m, int i);
double gnd_hp_real(const gnd_model *m, int i);
int gnd_hp_choice(const gnd_model *m, int i);
/* Is bit `bit` of a set on? */
bool gnd_hp_has(const gnd_model *m, int i, int bit);
/* A parameter by its name, a printf format: gnd_weight(m, t, "W%d", l). The tape fails if there is
 * no such parameter. */
gnd_var gnd_weight(const gnd_model *m, gnd_tape *t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int32_t gnd_n_class(const gnd_model *m);

/* An untrained model for a graph: parameters drawn from seed. */
gnd_status gnd_model_new(gnd_model **out, const gnd_graph *g, const gnd_config *c, uint64_t seed,
                         gnd_error *err);
/* Check and store known shares of the classes; prior: [C], or NULL. */
gnd_status gnd_model_set_prior(gnd_model *m, const double *prior, gnd_error *err);
/* A model for a loader to fill: n_feat and cls are set, parameters are allocated and zero. cls is
 * moved into it, also on failure. Fails if there are more than max_size weights, before they are
 * allocated. */
gnd_status gnd_model_shell(gnd_model **out, const gnd_config *c, int64_t n_feat, gnd_names *cls,
                           int64_t max_size, gnd_error *err);
/* Options of gnd_inputs_prepare; zero-initialised they are the defaults. */
typedef struct {
    gnd_pool *pool;             /* NULL: serial */
    int64_t memory;             /* memory budget, as in gnd_train_opts */
    const char *plan;           /* the plan to use if it is possible; NULL: the cheapest */
    gnd_checkpoint *checkpoint; /* of the run, for methods without epochs; NULL: none */
} gnd_inputs_opts;

/* Compute the inputs of a model for a graph; fails if the number of features differs. */
gnd_status gnd_inputs_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              const gnd_inputs_opts *o, gnd_error *err);
/* The same with the default budget. pool may be NULL. */
gnd_status gnd_inputs_init(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                           gnd_error *err);
/* The same, but data that does not depend on the training vertices, the budget and the plan are
 * borrowed from `shared`: made for the same graph by a model of the same settings, and living
 * longer. */
gnd_status gnd_inputs_borrow(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                             const gnd_inputs *shared, gnd_error *err);
void gnd_inputs_fini(gnd_inputs *in);
/* Let the method prepare data for rows that many passes will request. The list must not change and
 * must live as long as in. */
gnd_status gnd_inputs_add_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_row_list rows, gnd_pool *pool, gnd_error *err);
/* The set whose rows are exactly those that the pass requests; NULL: none. */
const gnd_row_set *gnd_row_set_requested(const gnd_inputs *in, const gnd_tape *t);
/* The requested rows of gnd_row_set.part, in order: all rows of a set, or a batch of the training
 * rows. No variable (i < 0) if they are not prepared. */
gnd_var gnd_row_set_part(const gnd_inputs *in, gnd_tape *t);
/* Store the labels of the training vertices in m if the method has keeps_labels; to be called
 * before gnd_inputs_init. */
gnd_status gnd_model_keep_labels(gnd_model *m, const gnd_graph *g, const int32_t *train,
                                 int64_t n_train, gnd_error *err);

/* ---- passes ---- */

/* The method's loss of logits on the rows of y, [1, 1]. */
gnd_var gnd_loss(const gnd_model *m, gnd_tape *t, gnd_var logits, const gnd_target *y);
/* The method's objective on the rows of y, [1, 1], without penalties. logits: if not NULL, those of
 * the pass. */
gnd_var gnd_objective(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const gnd_target *y,
                      gnd_var *logits);
/* Its own penalty, [1, 1]; no variable (i < 0) if it has none. */
gnd_var gnd_penalty(const gnd_model *m, gnd_tape *t);
/* Logits of a trained model, with refine. Their softmax gives the probabilities, also for
 * GND_OUT_MASS; a row without mass gives zeros. */
gnd_var gnd_final_logits(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
/* Logits [n, n_class] of masses: logarithms of a row divided by its sum; zeros for a row without
 * mass. logits and mass may be the same array. */
void gnd_mass_logits(gnd_real *logits, const gnd_real *mass, int64_t n, int64_t n_class);

#endif
