/* SPDX-License-Identifier: MIT
 * train.c - one full-graph step an epoch, one look at the validation set, one stopping rule. */
#include "train.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "metric.h"
#include "predict.h"
#include "stop.h"

/* Everything one training needs; freed as a whole. */
typedef struct {
    gnd_model *m;
    const gnd_graph *g;
    const gnd_split *s;
    gnd_pool *pool;
    gnd_tape *tape;
    gnd_inputs in;
    gnd_optim optim;
    gnd_stop stop;
    gnd_real *best; /* [params.size] the weights to use, unless the rule uses the last */
} run;

static double setting(const gnd_model *m, int i)
{
    return m->config.value[i];
}

static double l2_value(const gnd_model *m)
{
    return gnd_l2_value(&m->params, m->config.method->recipe->l2_form, setting(m, GND_HP_L2));
}

static gnd_status split_check(const gnd_graph *g, const gnd_split *s, gnd_error *err)
{
    const struct {
        const int32_t *list;
        int64_t n;
    } part[] = {{s->train, s->n_train}, {s->val, s->n_val}, {s->test, s->n_test}};

    if (s->n_train == 0)
        return gnd_fail(err, GND_ERR_ARG, "%s: no vertex has a label to learn from", g->name);
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < part[k].n; i++)
            if (part[k].list[i] < 0 || part[k].list[i] >= g->n_node)
                return gnd_fail(err, GND_ERR_ARG, "the split names vertex %d; %s has 0 to %lld",
                                part[k].list[i], g->name, (long long)g->n_node - 1);
    for (int64_t i = 0; i < s->n_val; i++)
        if (s->score_unlabelled || g->label[s->val[i]] >= 0)
            return GND_OK;
    if (s->n_val > 0) /* a stopping rule would see nothing but NAN */
        return gnd_fail(err, GND_ERR_ARG, "%s: none of the %lld validation vertices has a label",
                        g->name, (long long)s->n_val);
    return GND_OK;
}

static gnd_status diverged(const gnd_model *m, int64_t epoch, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_DIVERGED,
                    "%s: training left the finite numbers in epoch %lld; try a smaller lr",
                    m->config.method->name, (long long)epoch);
}

static void run_fini(run *r)
{
    gnd_stop_fini(&r->stop);
    gnd_optim_fini(&r->optim);
    gnd_free(r->best);
    gnd_tape_free(r->tape);
    gnd_inputs_fini(&r->in);
    gnd_pool_free(r->pool);
}

static gnd_status run_init(run *r, gnd_model *m, const gnd_graph *g, const gnd_split *s,
                           const gnd_train_opts *o, gnd_error *err)
{
    const int64_t n_param = m->params.size;
    gnd_status st = GND_OK;

    *r = (run){.m = m, .g = g, .s = s};
    GND_TRY(split_check(g, s, err));
    r->pool = gnd_pool_new(o->threads);
    r->best = gnd_alloc(n_param, sizeof *r->best);
    if (!r->pool || !r->best)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to train"));
    GND_TRY(gnd_inputs_init(&r->in, m, g, err));
    GND_TRY(gnd_tape_new(&r->tape, r->pool, err));
    r->tape->seed = o->seed;
    GND_TRY(gnd_optim_init(&r->optim, (gnd_opt_kind)setting(m, GND_HP_OPTIMISER),
                           setting(m, GND_HP_LR), n_param, err));
    GND_TRY(gnd_stop_init(&r->stop,
                          s->n_val ? (gnd_stop_rule)setting(m, GND_HP_STOP) : GND_STOP_NONE,
                          (int64_t)setting(m, GND_HP_PATIENCE), err));
out:
    return st; /* fit() frees r whatever happens */
}

/* One step on the training vertices. *loss: with L2, before the step. */
static gnd_status step(run *r, int64_t epoch, double *loss, gnd_error *err)
{
    gnd_model *m = r->m;
    gnd_tape *t = r->tape;
    gnd_var ce;

    gnd_tape_reset(t, true, epoch);
    gnd_tape_want(t, r->s->train, r->s->n_train);
    memset(m->params.g, 0, (size_t)m->params.size * sizeof *m->params.g);
    ce = gnd_cross_entropy(t, m->config.method->forward(m, &r->in, t), r->g->label, r->s->train,
                           r->s->n_train);
    gnd_tape_backward(t, ce);
    if (gnd_tape_check(t, err) != GND_OK)
        return t->status;
    *loss = (double)gnd_tape_node(t, ce)->v[0] + l2_value(m);
    if (!isfinite(*loss))
        return diverged(m, epoch, err);
    gnd_l2_add_grad(&m->params, m->config.method->recipe->l2_form, setting(m, GND_HP_L2));
    gnd_optim_step(&r->optim, m->params.v, m->params.g);
    return GND_OK;
}

/* Loss without L2 and accuracy on the rows listed, without dropout. NAN if there are none. */
static gnd_status score(run *r, double *loss, double *acc, const int32_t *rows, int64_t n_rows,
                        gnd_error *err)
{
    const gnd_node *y;
    gnd_var logits;
    gnd_status st;

    *loss = *acc = NAN;
    if (n_rows == 0)
        return GND_OK;
    gnd_tape_reset(r->tape, false, 0);
    gnd_tape_want(r->tape, rows, n_rows);
    logits = r->m->config.method->forward(r->m, &r->in, r->tape);
    st = gnd_tape_check(r->tape, err);
    if (st != GND_OK)
        return st;
    y = gnd_tape_node(r->tape, logits);
    gnd_score(loss, acc, y->v, gnd_n_class(r->m), r->g->label, rows, n_rows, y->row != NULL,
              r->s->score_unlabelled);
    return GND_OK;
}

/* What the stopping rule looks at. */
static gnd_status validate(run *r, double *loss, double *acc, gnd_error *err)
{
    const gnd_status st = score(r, loss, acc, r->s->val, r->s->n_val, err);

    if (st == GND_OK && setting(r->m, GND_HP_STOP_LOSS) != 0)
        *loss += l2_value(r->m);
    return st;
}

static gnd_status record_init(gnd_fit_record *rec, int64_t epochs, gnd_error *err)
{
    *rec = (gnd_fit_record){0};
    rec->loss_train = gnd_alloc(epochs, sizeof *rec->loss_train);
    rec->loss_val = gnd_alloc(epochs, sizeof *rec->loss_val);
    rec->acc_val = gnd_alloc(epochs, sizeof *rec->acc_val);
    if (rec->loss_train && rec->loss_val && rec->acc_val)
        return GND_OK;
    gnd_fit_record_fini(rec);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld epochs", (long long)epochs);
}

void gnd_fit_record_fini(gnd_fit_record *rec)
{
    gnd_free(rec->loss_train);
    gnd_free(rec->loss_val);
    gnd_free(rec->acc_val);
    *rec = (gnd_fit_record){0};
}

/* Epochs until the rule or the cap ends them; r->m then holds the weights to use. */
static gnd_status run_epochs(run *r, gnd_fit_record *rec, int64_t epochs, const gnd_train_opts *o,
                             gnd_error *err)
{
    const size_t bytes = (size_t)r->m->params.size * sizeof *r->best;
    const bool last = gnd_stop_uses_last(r->stop.rule);
    double loss, acc;
    gnd_status st = GND_OK;

    for (int64_t e = 0; e < epochs && !rec->stopped; e++) {
        gnd_verdict v;

        GND_TRY(step(r, e, &rec->loss_train[e], err));
        GND_TRY(validate(r, &rec->loss_val[e], &rec->acc_val[e], err));
        if (r->s->n_val > 0 && !isfinite(rec->loss_val[e]))
            GND_TRY(diverged(r->m, e, err));
        v = gnd_stop_see(&r->stop, e, rec->loss_val[e], rec->acc_val[e]);
        rec->epochs = e + 1;
        rec->stopped = v.stop;
        if (v.save)
            rec->best_epoch = e;
        if (v.save && !last)
            memcpy(r->best, r->m->params.v, bytes);
        if (o->on_epoch && o->on_epoch(&(gnd_epoch){.epoch = e,
                                                    .max_epochs = epochs,
                                                    .loss_train = rec->loss_train[e],
                                                    .loss_val = rec->loss_val[e],
                                                    .acc_val = rec->acc_val[e]},
                                       o->user) != 0)
            GND_TRY(gnd_fail(err, GND_ERR_STOPPED, "stopped in epoch %lld", (long long)e));
    }
    if (!last)
        memcpy(r->m->params.v, r->best, bytes);
    GND_TRY(score(r, &loss, &acc, r->s->train, r->s->n_train, err));
    if (!isfinite(loss + l2_value(r->m))) /* no pass has looked at the last step before */
        GND_TRY(diverged(r->m, rec->epochs - 1, err));
out:
    return st;
}

/* The figures of a finished training, at the weights it uses. */
static gnd_status result_fill(gnd_result *res, run *r, const gnd_fit_record *rec, gnd_error *err)
{
    const gnd_split *s = r->s;
    gnd_status st = GND_OK;

    *res = (gnd_result){.epochs = rec->epochs, .best_epoch = rec->best_epoch};
    GND_TRY(score(r, &res->loss_train, &res->acc_train, s->train, s->n_train, err));
    res->loss_train += l2_value(r->m);
    GND_TRY(score(r, &res->loss_val, &res->acc_val, s->val, s->n_val, err));
    GND_TRY(score(r, &res->loss_test, &res->acc_test, s->test, s->n_test, err));
out:
    return st;
}

/* Train m in place; rec and res may be NULL. */
static gnd_status fit(gnd_model *m, gnd_fit_record *rec, gnd_result *res, const gnd_graph *g,
                      const gnd_split *s, const gnd_train_opts *o, gnd_error *err)
{
    const int64_t epochs = (int64_t)setting(m, s->n_val ? GND_HP_EPOCHS : GND_HP_EPOCHS_ALONE);
    gnd_fit_record own = {0};
    run r = {0};
    gnd_status st = GND_OK;

    GND_TRY(record_init(&own, epochs, err));
    GND_TRY(run_init(&r, m, g, s, o, err));
    GND_TRY(run_epochs(&r, &own, epochs, o, err));
    if (res)
        GND_TRY(result_fill(res, &r, &own, err));
    if (rec) {
        *rec = own;
        own = (gnd_fit_record){0};
    }
out:
    run_fini(&r);
    gnd_fit_record_fini(&own);
    return st;
}

gnd_status gnd_fit(gnd_model *m, gnd_fit_record *rec, const gnd_graph *g, const gnd_split *s,
                   const gnd_train_opts *o, gnd_error *err)
{
    gnd_train_opts opts;
    const gnd_status st = gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err);

    return st == GND_OK ? fit(m, rec, NULL, g, s, &opts, err) : st;
}

gnd_status gnd_train(gnd_model **out, gnd_result *res, const gnd_graph *g, const gnd_split *s,
                     const gnd_config *c, const gnd_train_opts *o, gnd_error *err)
{
    gnd_train_opts opts;
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err));
    GND_TRY(split_check(g, s, err));
    GND_TRY(gnd_model_new(&m, g, c, opts.seed, err));
    GND_TRY(gnd_model_mark_seen(m, g, s->train, s->n_train, err));
    GND_TRY(fit(m, NULL, res, g, s, &opts, err));
    *out = m;
    m = NULL;
out:
    gnd_model_free(m);
    return st;
}
