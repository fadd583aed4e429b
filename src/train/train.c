/* SPDX-License-Identifier: MIT
 * train.c - the training loop: in each epoch gradient steps on the training vertices, a pass on the
 * validation vertices and the stopping rule. */
#include "train.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/rng.h"
#include "metric.h"
#include "plan_report.h"
#include "plateau.h"
#include "predict.h"
#include "resume.h"

/* How much of the run is done when the inputs are prepared, and when the parameters are fitted; for
 * progress. */
typedef struct {
    double prepared, fitted;
} shares;

static shares shares_of(const gnd_method *method)
{
    return method->estimate ? (shares){0.5, 0.5}
           : method->solve  ? (shares){0.5, 0.9}
                            : (shares){0.1, 0.95};
}

static const char *stage_of(const gnd_method *method)
{
    return method->estimate ? "labelling" : "training";
}

/* Call the callback before there is a pool that does. */
static gnd_status check_early(const gnd_train_opts *o, const gnd_method *method, gnd_error *err)
{
    if (!o->on_tick || o->on_tick(stage_of(method), 0, o->tick_user) == 0)
        return GND_OK;
    return gnd_fail(err, GND_ERR_STOPPED, "stopped while %s", stage_of(method));
}

/* State of one training run; run_fini frees it. */
typedef struct {
    gnd_model *m;
    const gnd_graph *g;
    const gnd_split *s;
    gnd_pool *pool;
    gnd_tape *tape;
    gnd_inputs in;
    gnd_optim optim;
    gnd_stop stop;
    gnd_plateau plateau;
    gnd_real
        *best; /* [params.size] weights of the best epoch; not used by rules that use the last */
    int32_t *order;          /* [n_train] training vertices in the order of this epoch's batches */
    int64_t n_batch;         /* vertices per step */
    int64_t n_step;          /* steps done */
    double penalty;          /* penalties at the current weights; NAN: not computed */
    bool skip_val;           /* no rule or callback uses the validation metrics of an epoch */
    gnd_prediction **labels; /* output: prediction of all vertices; NULL: not requested */
    gnd_checkpoint *saved;   /* NULL: none */
    shares share;
} run;

static double setting(const gnd_model *m, int i)
{
    return m->config.value[i];
}

/* L2 and the method's own penalty at the current weights. May reset the tape. */
static double penalties(run *r)
{
    const gnd_model *m = r->m;
    double sum = 0;
    gnd_var own;

    if (!isnan(r->penalty))
        return r->penalty;
    if (m->config.method->recipe)
        sum = gnd_l2_value(&m->params, m->config.method->recipe->l2_form, setting(m, GND_HP_L2));
    if (m->config.method->penalty) {
        gnd_tape_reset(r->tape, false, 0);
        own = gnd_penalty(m, r->tape);
        sum += gnd_tape_ok(r->tape) ? (double)gnd_tape_node(r->tape, own)->v[0] : 0;
    }
    if (gnd_tape_ok(r->tape))
        r->penalty = sum;
    return sum;
}

static gnd_status diverged(const gnd_model *m, int64_t epoch, gnd_error *err)
{
    return gnd_fail(
        err, GND_ERR_DIVERGED,
        "%s: training diverged in epoch %lld (the loss is not finite); try a smaller lr",
        m->config.method->name, (long long)epoch);
}

static void run_fini(run *r)
{
    gnd_stop_fini(&r->stop);
    gnd_optim_fini(&r->optim);
    gnd_free(r->best);
    gnd_free(r->order);
    gnd_tape_free(r->tape);
    gnd_inputs_fini(&r->in);
    gnd_checkpoint_free(r->saved);
    gnd_pool_free(r->pool);
}

static gnd_status run_optim_init(run *r, gnd_error *err)
{
    const gnd_model *m = r->m;
    const bool stops = r->s->n_val > 0;
    gnd_status st = GND_OK;

    GND_TRY(gnd_optim_init(&r->optim, (gnd_opt_kind)setting(m, GND_HP_OPTIMISER),
                           setting(m, GND_HP_LR), m->params.size, err));
    r->optim.lr_every = (int64_t)setting(m, GND_HP_LR_EVERY);
    r->plateau = (gnd_plateau){.patience = stops ? (int64_t)setting(m, GND_HP_LR_PLATEAU) : 0};
    r->n_batch = (int64_t)setting(m, GND_HP_BATCH);
    if (r->n_batch == 0 || r->n_batch > r->s->n_train)
        r->n_batch = r->s->n_train;
    GND_TRY(gnd_stop_init(&r->stop, stops ? (gnd_stop_rule)setting(m, GND_HP_STOP) : GND_STOP_NONE,
                          (int64_t)setting(m, GND_HP_PATIENCE), err));
out:
    return st;
}

/* 0 for a method without epochs. */
static int64_t epochs_most(const gnd_model *m, const gnd_split *s)
{
    if (!m->config.method->recipe)
        return 0;
    return (int64_t)setting(m, s->n_val ? GND_HP_EPOCHS : GND_HP_EPOCHS_ALONE);
}

static gnd_status run_init(run *r, gnd_model *m, const gnd_train_task *task,
                           const gnd_train_opts *o, gnd_error *err)
{
    const gnd_method *method = m->config.method;
    const gnd_graph *g = task->graph;
    const gnd_split *s = task->split;
    gnd_span all;
    gnd_status st = GND_OK;

    *r = (run){.m = m, .g = g, .s = s, .penalty = NAN};
    GND_TRY(gnd_split_check(s, g, err));
    r->pool = gnd_pool_new(o->threads);
    r->best = gnd_alloc(m->params.size, sizeof *r->best);
    r->order = gnd_alloc(s->n_train, sizeof *r->order);
    if (!r->pool || !r->best || !r->order)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to train"));
    gnd_pool_set_tick(r->pool, o->on_tick, o->tick_user, stage_of(method));
    GND_TRY(gnd_pool_check(r->pool, err)); /* also a short call can be stopped */
    r->share = shares_of(method);
    all = gnd_pool_enter(r->pool, 0, r->share.prepared);
    memcpy(r->order, s->train, (size_t)s->n_train * sizeof *r->order);
    GND_TRY(gnd_resume_open(&r->saved, m, g, s, o, err));
    GND_TRY(gnd_model_keep_labels(m, g, s->train, s->n_train, err));
    GND_TRY(task->shared ? gnd_inputs_borrow(&r->in, m, g, task->shared, err)
                         : gnd_inputs_prepare(
                               &r->in, m, g,
                               &(gnd_inputs_opts){r->pool, o->memory, o->plan, r->saved}, err));
    r->in.epochs = epochs_most(m, s);
    GND_TRY(gnd_inputs_add_rows(&r->in, m, GND_TRAIN_ROWS, (gnd_row_list){s->train, s->n_train},
                                r->pool, err));
    GND_TRY(gnd_inputs_add_rows(&r->in, m, GND_VAL_ROWS, (gnd_row_list){s->val, s->n_val}, r->pool,
                                err));
    r->in.checkpoint = r->saved;
    GND_TRY(gnd_tape_new(&r->tape, r->pool, err));
    r->tape->seed = o->seed;
    r->tape->part = g->part;
    r->tape->budget = r->in.budget; /* what gnd_inputs_prepare did not spend */
    if (method->recipe)
        GND_TRY(run_optim_init(r, err));
    gnd_pool_leave(r->pool, all);
    GND_TRY(gnd_pool_check(r->pool, err));
out:
    return st; /* fit() calls run_fini also after an error */
}

/* Of several processes each has its own test vertices, and all have the others. */
static gnd_scored scored_of(const run *r, const gnd_real *logits, bool packed, const int32_t *rows,
                            int64_t n_rows)
{
    return (gnd_scored){logits,
                        gnd_n_class(r->m),
                        packed,
                        r->g->label,
                        rows,
                        n_rows,
                        rows == r->s->test ? r->g->part : NULL};
}

/* Of the training passes of an epoch, which have dropout. */
typedef struct {
    double loss;      /* sum over the rows */
    int64_t right, n; /* correct rows out of n */
    double penalty;   /* penalties before the first step; NAN: not known yet */
} epoch_sums;

/* One gradient step on the listed training vertices. *sum: the pass before the step is added. */
static gnd_status step(run *r, const int32_t *rows, int64_t n_rows, epoch_sums *sum, gnd_error *err)
{
    gnd_model *m = r->m;
    gnd_tape *t = r->tape;
    gnd_var data, own, total, logits;
    const gnd_node *y;
    gnd_scored s;

    gnd_tape_reset(t, true, r->n_step++);
    if (rows == r->s->train)
        gnd_tape_request_again(t, rows, n_rows);
    else /* a batch; its vertices differ from epoch to epoch */
        gnd_tape_request(t, rows, n_rows);
    memset(m->params.g, 0, (size_t)m->params.size * sizeof *m->params.g);
    data = gnd_objective(m, &r->in, t, &(gnd_target){r->g->label, rows, n_rows}, &logits);
    own = gnd_penalty(m, t);
    total = own.i >= 0 ? gnd_add(t, data, own) : data;
    gnd_tape_backward(t, total);
    if (gnd_tape_check(t, err) != GND_OK)
        return t->status;
    y = gnd_tape_node(t, logits);
    s = scored_of(r, y->v, y->row != NULL, rows, n_rows);
    gnd_score_right(&sum->right, &sum->n, &s, r->s->score_unlabelled);
    if (isnan(sum->penalty)) /* that of the method is on this tape */
        sum->penalty =
            gnd_l2_value(&m->params, m->config.method->recipe->l2_form, setting(m, GND_HP_L2)) +
            (own.i >= 0 ? (double)gnd_tape_node(t, own)->v[0] : 0);
    sum->loss += (double)gnd_tape_node(t, data)->v[0] * (double)n_rows;
    gnd_optim_step(&r->optim, &m->params,
                   gnd_l2_factor(m->config.method->recipe->l2_form, setting(m, GND_HP_L2)));
    r->penalty = NAN;
    return GND_OK;
}

/* Random order of the training vertices for the batches of an epoch (Fisher-Yates). */
static void shuffle(int32_t *v, int64_t n, uint64_t seed, int64_t epoch)
{
    const uint64_t key = gnd_mix64(seed ^ gnd_hash_name("batch"));

    for (int64_t i = n - 1; i > 0; i--) {
        const double u = gnd_rng_uniform(key, (uint32_t)epoch, (uint64_t)i);
        const int64_t j = (int64_t)(u * (double)(i + 1));
        const int32_t was = v[i];

        v[i] = v[j];
        v[j] = was;
    }
}

/* The steps of an epoch. *loss: mean objective of the steps, plus penalties before the first. *acc:
 * accuracy of the same passes. */
static gnd_status train_epoch(run *r, int64_t epoch, double *loss, double *acc, gnd_error *err)
{
    const int64_t n = r->s->n_train;
    epoch_sums sum = {.penalty = r->penalty};

    if (r->n_batch < n)
        shuffle(r->order, n, r->tape->seed, epoch);
    for (int64_t at = 0; at < n; at += r->n_batch) {
        const int64_t n_rows = at + r->n_batch < n ? r->n_batch : n - at;
        const gnd_status st =
            step(r, r->n_batch < n ? r->order + at : r->s->train, n_rows, &sum, err);

        if (st != GND_OK)
            return st;
    }
    *loss = sum.loss / (double)n + sum.penalty;
    *acc = sum.n ? (double)sum.right / (double)sum.n : NAN;
    return isfinite(*loss) ? GND_OK : diverged(r->m, epoch, err);
}

/* Metrics of a set of vertices; NAN if it is empty. */
typedef struct {
    double loss, acc;     /* cross-entropy without penalties */
    double f1;            /* macro-F1; only of a finished model */
    double ece, acc_half; /* calibration error, top-50 % confidence accuracy; likewise */
    gnd_var logits;       /* on the tape until the next pass */
} metrics;

/* finished: also the metrics that are only computed for a finished model. */
static gnd_status measure(const run *r, metrics *out, gnd_scored s, bool finished, gnd_error *err)
{
    gnd_status st = GND_OK;

    *out = (metrics){NAN, NAN, NAN, NAN, NAN, {-1}};
    if (s.n_rows == 0 && !s.part)
        return GND_OK;
    gnd_score(&out->loss, &out->acc, &s, r->s->score_unlabelled);
    if (finished) {
        GND_TRY(gnd_score_f1(&out->f1, &s, err));
        GND_TRY(gnd_score_calibration(&out->ece, &out->acc_half, &s, err));
    }
out:
    return st;
}

/* A pass without dropout on these rows, and its metrics. finished: with the method's refine. next:
 * as in gnd_tape. */
static gnd_status score(run *r, metrics *out, const int32_t *rows, int64_t n_rows, bool finished,
                        int64_t next, gnd_error *err)
{
    const gnd_model *m = r->m;
    const gnd_node *y;
    gnd_var logits;
    gnd_status st;

    if (n_rows == 0 && !r->g->part)
        return measure(r, out, scored_of(r, NULL, false, rows, 0), finished, err);
    gnd_tape_reset(r->tape, false, 0);
    if (rows == r->s->test) /* requested only once */
        gnd_tape_request(r->tape, rows, n_rows);
    else
        gnd_tape_request_again(r->tape, rows, n_rows);
    r->tape->next = next;
    logits = finished ? gnd_final_logits(m, &r->in, r->tape)
                      : m->config.method->forward(m, &r->in, r->tape);
    GND_TRY(gnd_tape_check(r->tape, err));
    y = gnd_tape_node(r->tape, logits);
    GND_TRY(measure(r, out, scored_of(r, y->v, y->row != NULL, rows, n_rows), finished, err));
    out->logits = logits;
out:
    return st;
}

/* Validation loss and accuracy for the stopping rule. */
static gnd_status validate(run *r, double *loss, double *acc, gnd_error *err)
{
    const gnd_stop_loss kind = (gnd_stop_loss)setting(r->m, GND_HP_STOP_LOSS);
    const gnd_split *s = r->s;
    const gnd_target y = {r->g->label, s->val, s->n_val};
    metrics got;
    gnd_var own;
    gnd_status st = score(r, &got, s->val, s->n_val, false, r->n_step, err);

    *loss = got.loss;
    *acc = got.acc;
    if (st != GND_OK || s->n_val == 0)
        return st;
    if (kind == GND_STOP_LOSS_CE_L2)
        *loss += penalties(r);
    if (kind == GND_STOP_LOSS_OBJECTIVE) {
        if (r->m->config.method->objective) {
            gnd_tape_reset(r->tape, false, 0);
            gnd_tape_request_again(r->tape, s->val, s->n_val);
            own = gnd_objective(r->m, &r->in, r->tape, &y, NULL);
        } else
            own = gnd_loss(r->m, r->tape, got.logits, &y);
        st = gnd_tape_check(r->tape, err);
        *loss = st == GND_OK ? (double)gnd_tape_node(r->tape, own)->v[0] : NAN;
    }
    return st;
}

/* Run epochs until the stopping rule or the maximum; r->m then holds the weights to use. */
static gnd_status run_epochs(run *r, gnd_fit_record *rec, int64_t epochs, const gnd_train_opts *o,
                             gnd_error *err)
{
    const size_t bytes = (size_t)r->m->params.size * sizeof *r->best;
    const bool last = gnd_stop_uses_last(r->stop.rule);
    const gnd_training_state state = {&r->m->params, &r->optim, &r->stop,      &r->plateau,
                                      r->best,       r->order,  r->s->n_train, &r->n_step,
                                      rec,           epochs};
    int64_t first;
    metrics end;
    gnd_status st = GND_OK;

    GND_TRY(gnd_resume_load(&first, r->saved, &state, err));
    for (int64_t e = first; e < epochs && !rec->stopped; e++) {
        gnd_stop_decision v;

        gnd_pool_done(r->pool, (double)e / (double)epochs);
        GND_TRY(gnd_pool_check(r->pool, err));
        GND_TRY(train_epoch(r, e, &rec->loss_train[e], &rec->acc_train[e], err));
        rec->loss_val[e] = rec->acc_val[e] = NAN;
        if (!r->skip_val)
            GND_TRY(validate(r, &rec->loss_val[e], &rec->acc_val[e], err));
        if (!r->skip_val && !isfinite(rec->loss_val[e]))
            GND_TRY(diverged(r->m, e, err));
        v = gnd_stop_update(&r->stop, e, rec->loss_val[e], rec->acc_val[e]);
        r->optim.lr = gnd_plateau_update(&r->plateau, r->optim.lr, rec->loss_val[e]);
        rec->epochs = e + 1;
        rec->stopped = v.stop;
        if (v.save)
            rec->best_epoch = e;
        if (v.save && !last)
            memcpy(r->best, r->m->params.v, bytes);
        if (o->on_epoch && o->on_epoch(&(gnd_epoch){.epoch = e,
                                                    .max_epochs = epochs,
                                                    .loss_train = rec->loss_train[e],
                                                    .acc_train = rec->acc_train[e],
                                                    .loss_val = rec->loss_val[e],
                                                    .acc_val = rec->acc_val[e]},
                                       o->user) != 0)
            GND_TRY(gnd_fail(err, GND_ERR_STOPPED, "stopped in epoch %lld", (long long)e));
        GND_TRY(gnd_resume_save(r->saved, &state, err));
    }
    if (!last) {
        memcpy(r->m->params.v, r->best, bytes);
        r->penalty = NAN;
    }
    GND_TRY(gnd_pool_check(r->pool, err));
    GND_TRY(score(r, &end, r->s->train, r->s->n_train, false, -1, err));
    if (!isfinite(end.loss + penalties(r))) /* the last step was not checked yet */
        GND_TRY(diverged(r->m, rec->epochs - 1, err));
out:
    return st;
}

/* Metrics of the finished model. */
static gnd_status result_fill(gnd_result *res, run *r, const gnd_fit_record *rec, gnd_error *err)
{
    const gnd_method *method = r->m->config.method;
    const gnd_split *s = r->s;
    gnd_finished f = {0};
    metrics train, val, test;
    gnd_status st = GND_OK;

    if (!method->recipe || method->refine || r->labels) { /* needs a pass on all rows */
        GND_TRY(gnd_finish(&f, r->m, &r->in, r->labels ? r->g : NULL, r->tape, err));
        GND_TRY(gnd_pool_check(r->pool, err));
        GND_TRY(measure(r, &train, scored_of(r, f.logits, false, s->train, s->n_train), true, err));
        GND_TRY(measure(r, &val, scored_of(r, f.logits, false, s->val, s->n_val), true, err));
        GND_TRY(gnd_pool_check(r->pool, err));
        GND_TRY(measure(r, &test, scored_of(r, f.logits, false, s->test, s->n_test), true, err));
        GND_TRY(gnd_pool_check(r->pool, err));
        if (r->labels)
            GND_TRY(gnd_prediction_of(r->labels, &f, r->m, &r->in, r->g, err));
    } else {
        GND_TRY(score(r, &train, s->train, s->n_train, true, -1, err));
        GND_TRY(score(r, &val, s->val, s->n_val, true, -1, err));
        GND_TRY(score(r, &test, s->test, s->n_test, true, -1, err));
    }
    *res = (gnd_result){.size = sizeof *res,
                        .epochs = rec->epochs,
                        .best_epoch = rec->best_epoch,
                        .loss_train = train.loss + penalties(r),
                        .acc_train = train.acc,
                        .acc_val = val.acc,
                        .acc_test = test.acc,
                        .loss_val = val.loss,
                        .loss_test = test.loss,
                        .f1_test = test.f1,
                        .ece_test = test.ece,
                        .acc_half = test.acc_half,
                        .resumed = gnd_checkpoint_used(r->saved)};
    gnd_plans_name(res->plan, &r->in);
out:
    gnd_finished_fini(&f);
    return st;
}

/* Outputs of a training run; each may be NULL. */
typedef struct {
    gnd_fit_record *rec;
    gnd_result *res;
    gnd_prediction **labels;
} outcome;

/* Train m in place. o: complete options, in place of task->opts. */
static gnd_status fit(gnd_model *m, const outcome *want, const gnd_train_task *task,
                      const gnd_train_opts *o, gnd_error *err)
{
    const gnd_graph *g = task->graph;
    const gnd_split *s = task->split;
    const gnd_method *method = m->config.method;
    const int64_t epochs = epochs_most(m, s);
    gnd_fit_record own = {0};
    gnd_result res;
    gnd_span all;
    run r = {0};
    gnd_status st = GND_OK;

    GND_TRY(gnd_fit_record_init(&own, epochs, err));
    GND_TRY(run_init(&r, m, task, o, err));
    r.labels = want->labels;
    r.skip_val = s->n_val == 0 || (!want->rec && (!o->on_epoch || o->skip_figures) &&
                                   r.stop.rule == GND_STOP_NONE && r.plateau.patience == 0);
    gnd_plans_report(&r.in, o);
    all = gnd_pool_enter(r.pool, r.share.prepared, r.share.fitted);
    if (method->solve)
        GND_TRY(method->solve(m, &r.in, &(gnd_target){g->label, s->train, s->n_train},
                              &(gnd_target){g->label, s->val, s->n_val}, o->seed, r.pool, err));
    else if (method->recipe) /* methods with estimate have no parameters */
        GND_TRY(run_epochs(&r, &own, epochs, o, err));
    gnd_pool_leave(r.pool, all);
    GND_TRY(gnd_pool_check(r.pool, err));
    all = gnd_pool_enter(r.pool, r.share.fitted, 1);
    if (want->res || want->labels)
        GND_TRY(result_fill(want->res ? want->res : &res, &r, &own, err));
    gnd_pool_leave(r.pool, all);
    GND_TRY(gnd_pool_check(r.pool, err)); /* a result in time for the last call is not given */
    if (want->rec) {
        *want->rec = own;
        own = (gnd_fit_record){0};
    } else {
        gnd_fit_record_keep(m, &own);
    }
out:
    if (st != GND_OK && want->labels) {
        gnd_prediction_free(*want->labels);
        *want->labels = NULL;
    }
    run_fini(&r);
    gnd_fit_record_fini(&own);
    return st;
}

gnd_status gnd_fit(gnd_model *m, gnd_fit_record *rec, const gnd_graph *g, const gnd_split *s,
                   const gnd_train_opts *o, gnd_error *err)
{
    gnd_train_opts opts;
    const gnd_status st = gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err);

    if (st != GND_OK)
        return st;
    return fit(m, &(outcome){.rec = rec}, &(gnd_train_task){.graph = g, .split = s}, &opts, err);
}

/* Make a model and train it. */
static gnd_status train(gnd_model **out, const outcome *want, const gnd_train_task *task,
                        gnd_error *err)
{
    const gnd_graph *g = task->graph;
    const gnd_split *s = task->split;
    gnd_train_opts opts;
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&opts, sizeof opts, task->opts, "gnd_train_opts", err));
    GND_TRY(gnd_split_check(s, g, err));
    GND_TRY(gnd_method_check_parts(task->config->method, g, err));
    GND_TRY(gnd_model_new(&m, g, task->config, opts.seed, err));
    GND_TRY(gnd_model_set_prior(m, opts.prior, err));
    GND_TRY(check_early(&opts, task->config->method, err));
    GND_TRY(gnd_model_mark_seen(m, g, s->train, s->n_train, err));
    GND_TRY(fit(m, want, task, &opts, err));
    *out = m;
    m = NULL;
out:
    gnd_model_free(m);
    return st;
}

gnd_status gnd_train_on(gnd_model **out, gnd_result *res, const gnd_train_task *task,
                        gnd_error *err)
{
    return train(out, &(outcome){.res = res}, task, err);
}

gnd_status gnd_train(gnd_model **out, gnd_result *res, const gnd_graph *g, const gnd_split *s,
                     const gnd_config *c, const gnd_train_opts *o, gnd_error *err)
{
    gnd_result all = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (res)
        GND_TRY(gnd_opts_check(res, sizeof all, "gnd_result", err));
    GND_TRY(gnd_train_on(out, res ? &all : NULL,
                         &(gnd_train_task){.graph = g, .split = s, .config = c, .opts = o}, err));
    if (res)
        gnd_opts_put(res, &all, sizeof all);
out:
    return st;
}

gnd_status gnd_label(gnd_prediction **out, gnd_model **m, gnd_result *res, const gnd_graph *g,
                     const gnd_split *s, const gnd_config *c, const gnd_train_opts *o,
                     gnd_error *err)
{
    gnd_result all = {0};
    gnd_model *own = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (m)
        *m = NULL;
    if (res)
        GND_TRY(gnd_opts_check(res, sizeof all, "gnd_result", err));
    GND_TRY(train(&own, &(outcome){.res = res ? &all : NULL, .labels = out},
                  &(gnd_train_task){.graph = g, .split = s, .config = c, .opts = o}, err));
    if (res)
        gnd_opts_put(res, &all, sizeof all);
    if (m) {
        *m = own;
        own = NULL;
    }
out:
    gnd_model_free(own);
    return st;
}
