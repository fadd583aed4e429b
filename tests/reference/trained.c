/* SPDX-License-Identifier: MIT
 * trained.c - a training case: logits, losses, gradients, ten steps, or a whole run. The same for
 * every method; what differs stands in methods.c. */
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/split.h"
#include "l2_gradient.h"
#include "train/metric.h"
#include "train/train.h"

enum { MAX_MASK = 64 };

typedef struct {
    verdict *r;
    const gnd_method *method;
    gnd_graph *g;
    gnd_config *c;
    gnd_model *m;
    gnd_inputs in;
    gnd_tape *t;
    int32_t *train, *val, *test;
    int64_t n_train, n_val, n_test;
    gnd_mask mask[MAX_MASK];
    unsigned char *keep[MAX_MASK];
    int32_t n_mask;
    gnd_real *logits; /* [n, C] of a training pass */
} trial;

/* ---- set-up ---- */

static bool same_features(trial *x)
{
    static const struct {
        const char *word;
        gnd_feat_norm how;
    } words[] = {{"row_l1", GND_FEAT_ROW_L1}, {"binary", GND_FEAT_BINARY}, {"raw", GND_FEAT_RAW}};
    const char *want = need_text(x->r, "features");

    for (size_t i = 0; want && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, want) == 0 && words[i].how == x->method->features)
            return true;
    if (want)
        ref_fail(x->r, "features: '%s' is not how %s takes them", want, x->method->name);
    return false;
}

/* Parameters of the file and of the model must be the same ones, of the same shapes. */
static bool take_params(trial *x)
{
    gnd_params *ps = &x->m->params;
    const char *field;
    char buf[96];

    for (int64_t i = 0; (field = golden_name(x->r->f, i)); i++)
        if (strncmp(field, "p.", 2) == 0 && gnd_params_find(ps, field + 2) < 0) {
            ref_fail(x->r, "%s: %s has no such parameter", field, x->method->name);
            return false;
        }
    for (int32_t i = 0; i < ps->n; i++) {
        const gnd_param *p = &ps->p[i];
        const double *v = need_real(x->r, dotted(buf, "p", p->name), p->rows, p->cols);

        if (!v)
            return false;
        for (int64_t k = 0; k < p->rows * p->cols; k++)
            ps->v[p->at + k] = (gnd_real)v[k];
    }
    return true;
}

static bool take_mask(trial *x, const char *field)
{
    gnd_mask *mask = &x->mask[x->n_mask];
    char rate[96];
    double p;
    int64_t n;
    int32_t *keep;

    if (x->n_mask == MAX_MASK) {
        ref_fail(x->r, "%s: more than %d masks", field, MAX_MASK);
        return false;
    }
    mask->place = field + strlen("mask.");
    keep = need_list(x->r, field, &n, 0, 1);
    if (!keep || !need_scalar(x->r, dotted(rate, "rate", mask->place), &p)) {
        free(keep);
        return false;
    }
    mask->n = n;
    mask->p = p;
    mask->keep = x->keep[x->n_mask] = room(n, 1);
    for (int64_t i = 0; i < n; i++)
        x->keep[x->n_mask][i] = (unsigned char)keep[i];
    x->n_mask++;
    free(keep);
    return true;
}

/* A mask of Pi has an entry for each training vertex and each vertex; the model stores only the
 * entries of Pi that are not 0, since dropout cannot change the others. */
static bool take_stored(trial *x)
{
    const gnd_csr *rows = &x->in.rows[GND_TRAIN_ROWS].part;
    const int64_t n = x->g->n_node;

    for (int32_t k = 0; k < x->n_mask; k++) {
        gnd_mask *mask = &x->mask[k];

        if (strcmp(mask->place, "Pi") != 0)
            continue;
        if (mask->n != x->n_train * n || rows->n_row != x->n_train) {
            ref_fail(x->r, "mask.Pi: %" PRId64 " entries; expected %" PRId64 " x %" PRId64, mask->n,
                     x->n_train, n);
            return false;
        }
        for (int64_t i = 0; i < rows->n_row; i++) /* in place: p never passes i n + col[p] */
            for (int64_t p = rows->ptr[i]; p < rows->ptr[i + 1]; p++)
                x->keep[k][p] = x->keep[k][i * n + rows->col[p]];
        mask->n = gnd_csr_nnz(rows);
    }
    return true;
}

static bool take_masks(trial *x)
{
    const char *field;

    for (int64_t i = 0; (field = golden_name(x->r->f, i)); i++)
        if (strncmp(field, "mask.", 5) == 0 && !take_mask(x, field))
            return false;
    if (x->n_mask == 0)
        ref_fail(x->r, "mask.*: a case with dropout gives no mask");
    x->t->mask = x->mask;
    x->t->n_mask = x->n_mask;
    return x->n_mask > 0 && take_stored(x);
}

static bool start(trial *x, const method_rules *rules, bool dropping)
{
    gnd_error err = {0};
    int64_t last;

    x->g = ref_graph(x->r);
    x->c = x->g ? ref_config(x->r, rules, dropping) : NULL;
    if (!x->c || !same_features(x))
        return false;
    last = x->g->n_node - 1;
    x->train = need_list(x->r, "train", &x->n_train, 0, last);
    x->val = need_list(x->r, "val", &x->n_val, 0, last);
    x->test = need_list(x->r, "test", &x->n_test, 0, last);
    return x->train && x->val && x->test &&
           ref_ok(x->r, gnd_model_new(&x->m, x->g, x->c, 1, &err), &err) && take_params(x) &&
           ref_ok(x->r, gnd_model_keep_labels(x->m, x->g, x->train, x->n_train, &err), &err) &&
           ref_ok(x->r, gnd_inputs_init(&x->in, x->m, x->g, NULL, &err), &err) &&
           (!rules->inputs || rules->inputs(x->r, x->m, &x->in, x->g)) &&
           ref_ok(x->r,
                  gnd_inputs_add_rows(&x->in, x->m, GND_TRAIN_ROWS,
                                      (gnd_row_list){x->train, x->n_train}, NULL, &err),
                  &err) &&
           ref_ok(x->r, gnd_tape_new(&x->t, NULL, &err), &err) && (!dropping || take_masks(x));
}

static void finish(trial *x)
{
    for (int32_t i = 0; i < x->n_mask; i++)
        free(x->keep[i]);
    free(x->logits);
    free(x->train);
    free(x->val);
    free(x->test);
    gnd_tape_free(x->t);
    gnd_inputs_fini(&x->in);
    gnd_model_free(x->m);
    gnd_config_free(x->c);
    gnd_graph_free(x->g);
}

/* ---- passes ---- */

static double l2_factor(const trial *x)
{
    return x->m->config.value[GND_HP_L2];
}

/* L2 and the method's own penalty at the present weights. */
static double penalties(trial *x)
{
    double sum = gnd_l2_value(&x->m->params, x->method->recipe->l2_form, l2_factor(x));

    if (x->method->penalty) {
        gnd_var own;

        gnd_tape_reset(x->t, false, 0);
        own = gnd_penalty(x->m, x->t);
        sum += gnd_tape_ok(x->t) ? (double)gnd_tape_node(x->t, own)->v[0] : 0;
    }
    return sum;
}

/* Logits [n, C] in evaluation, alive until the next pass; NULL and a failure if there are none. */
static const gnd_real *evaluate(trial *x)
{
    gnd_error err = {0};
    gnd_var logits;

    gnd_tape_reset(x->t, false, 0);
    logits = x->method->forward(x->m, &x->in, x->t);
    if (!ref_ok(x->r, gnd_tape_check(x->t, &err), &err))
        return NULL;
    return gnd_tape_node(x->t, logits)->v;
}

/* Logits of a training pass that was asked for all rows, or for the training rows, into
 * x->logits. */
static void keep_logits(trial *x, gnd_var logits)
{
    const gnd_node *y = gnd_tape_node(x->t, logits);

    if (!x->logits)
        x->logits = room(x->g->n_node * y->cols, sizeof *x->logits);
    for (int64_t i = 0; i < y->rows; i++)
        memcpy(x->logits + (y->row ? y->row[i] : i) * y->cols, y->v + i * y->cols,
               (size_t)y->cols * sizeof *y->v);
}

/* Where a method has rows of its own for the training vertices, the pass is asked for these and the
 * other logits come from one before. */
static bool start_pass(trial *x, const int32_t *rows, int64_t n)
{
    gnd_error err = {0};
    gnd_var logits;

    gnd_tape_reset(x->t, true, 0);
    if (!x->method->prepare_rows)
        return true;
    logits = x->method->forward(x->m, &x->in, x->t);
    if (!ref_ok(x->r, gnd_tape_check(x->t, &err), &err))
        return false;
    keep_logits(x, logits);
    gnd_tape_reset(x->t, true, 0);
    gnd_tape_request(x->t, rows, n);
    return true;
}

/* A training pass on some vertices: gradients of the total loss, the data loss, and the logits it
 * came from. */
static const gnd_real *differentiate_on(trial *x, const int32_t *rows, int64_t n, double *loss_data)
{
    const gnd_target y = {x->g->label, rows, n};
    gnd_params *ps = &x->m->params;
    gnd_error err = {0};
    gnd_var logits, loss, own;

    memset(ps->g, 0, (size_t)ps->size * sizeof *ps->g);
    if (!start_pass(x, rows, n))
        return NULL;
    logits = x->method->forward(x->m, &x->in, x->t);
    loss = x->method->objective ? gnd_objective(x->m, &x->in, x->t, &y, NULL)
                                : gnd_loss(x->m, x->t, logits, &y);
    own = gnd_penalty(x->m, x->t);
    gnd_tape_backward(x->t, own.i >= 0 ? gnd_add(x->t, loss, own) : loss);
    if (!ref_ok(x->r, gnd_tape_check(x->t, &err), &err))
        return NULL;
    l2_gradient_add(ps, x->method->recipe->l2_form, l2_factor(x));
    *loss_data = (double)gnd_tape_node(x->t, loss)->v[0];
    keep_logits(x, logits);
    return x->logits;
}

static const gnd_real *differentiate(trial *x, double *loss_data)
{
    return differentiate_on(x, x->train, x->n_train, loss_data);
}

static void check_params(trial *x, const char *prefix, const gnd_real *block)
{
    const gnd_params *ps = &x->m->params;
    char buf[96];

    for (int32_t i = 0; i < ps->n; i++)
        check_real(x->r, dotted(buf, prefix, ps->p[i].name), block + ps->p[i].at, ps->p[i].rows,
                   ps->p[i].cols);
}

static void check_pred(trial *x, const gnd_real *logits)
{
    const int32_t n_class = x->g->n_class;
    int32_t *pred = room(x->g->n_node, sizeof *pred);

    for (int64_t i = 0; i < x->g->n_node; i++)
        pred[i] = gnd_argmax(logits + i * n_class, n_class);
    check_list(x->r, "pred", pred, x->g->n_node);
    free(pred);
}

static void check_score(trial *x, const gnd_real *logits, const char *set, const char *how,
                        const int32_t *rows, int64_t n_rows)
{
    char buf[96];
    double loss, acc;

    gnd_score(&loss, &acc,
              &(gnd_scored){.logits = logits,
                            .n_class = x->g->n_class,
                            .label = x->g->label,
                            .rows = rows,
                            .n_rows = n_rows},
              strcmp(how, "authors") == 0);
    snprintf(buf, sizeof buf, "%s_ce_%s", set, how);
    check_scalar(x->r, buf, loss);
    snprintf(buf, sizeof buf, "%s_acc_%s", set, how);
    check_scalar(x->r, buf, acc);
}

/* ---- modes ---- */

static void losses_and_gradients(trial *x)
{
    double loss;
    const gnd_real *logits = differentiate(x, &loss);

    if (!logits)
        return;
    check_real(x->r, "logits", logits, x->g->n_node, x->g->n_class);
    check_params(x, "grad", x->m->params.g);
    check_scalar(x->r, "loss_data", loss);
    check_scalar(x->r, "loss_l2", penalties(x));
    check_scalar(x->r, "loss_total", loss + penalties(x));
}

/* The training vertices of a step: all, or those the file lists. batch: [most]. */
static int64_t batch_of(trial *x, int32_t *batch, int64_t most, int step)
{
    int64_t rows, cols, n = 0;
    const int64_t *list = golden_int(x->r->f, "batches", &rows, &cols);

    if (!list)
        memcpy(batch, x->train, (size_t)x->n_train * sizeof *batch);
    for (int64_t i = 0; list && step <= rows && i < cols && n < most; i++)
        if (list[(step - 1) * cols + i] >= 0 && list[(step - 1) * cols + i] < x->g->n_node)
            batch[n++] = (int32_t)list[(step - 1) * cols + i];
    return list ? n : x->n_train;
}

static void ten_steps(trial *x)
{
    int32_t *batch = room(x->n_train, sizeof *batch);
    gnd_params *ps = &x->m->params;
    gnd_optim o = {0};
    gnd_error err = {0};
    double loss;

    if (!ref_ok(x->r,
                gnd_optim_init(&o, (gnd_opt_kind)x->m->config.value[GND_HP_OPTIMISER],
                               x->m->config.value[GND_HP_LR], ps->size, &err),
                &err)) {
        free(batch);
        return;
    }
    o.lr_every = (int64_t)x->m->config.value[GND_HP_LR_EVERY];
    for (int step = 1; step <= 10; step++) {
        if (!differentiate_on(x, batch, batch_of(x, batch, x->n_train, step), &loss))
            break;
        gnd_optim_step(&o, ps, 0);
        if (step == 1 || step == 10) {
            check_params(x, step == 1 ? "step1" : "step10", ps->v);
            if (!differentiate(x, &loss))
                break;
            check_scalar(x->r, step == 1 ? "loss_total_step1" : "loss_total_step10",
                         loss + penalties(x));
        }
    }
    gnd_optim_fini(&o);
    free(batch);
}

static void check_outputs(trial *x, const method_rules *rules)
{
    const char *field;

    if (rules->outputs) {
        rules->outputs(x->r, x->m, &x->in, x->g);
        return;
    }
    for (int64_t i = 0; (field = golden_name(x->r->f, i)); i++)
        if (strncmp(field, "out.", 4) == 0)
            ref_fail(x->r, "%s: nothing of %s is compared with it", field, x->method->name);
}

static void evaluation(trial *x, const method_rules *rules)
{
    const gnd_real *logits;

    losses_and_gradients(x);
    logits = evaluate(x);
    if (!logits)
        return;
    check_real(x->r, "logits", logits, x->g->n_node, x->g->n_class);
    check_pred(x, logits);
    if (!rules->no_scores) {
        check_score(x, logits, "val", "authors", x->val, x->n_val);
        check_score(x, logits, "val", "clean", x->val, x->n_val);
    }
    check_outputs(x, rules);
    ten_steps(x);
}

static void check_record(trial *x, const gnd_fit_record *rec)
{
    const int32_t stop[3] = {rec->stopped, (int32_t)rec->epochs - 1, (int32_t)rec->best_epoch};
    double *curve = room(3 * rec->epochs, sizeof *curve);

    check_list(x->r, "stop", stop, 3);
    for (int64_t e = 0; e < rec->epochs; e++) {
        curve[3 * e] = rec->loss_train[e];
        curve[3 * e + 1] = rec->loss_val[e];
        curve[3 * e + 2] = rec->acc_val[e];
    }
    check_double(x->r, "curve", curve, rec->epochs, 3);
    free(curve);
}

static void whole_run(trial *x)
{
    gnd_split *s = NULL;
    gnd_fit_record rec = {0};
    gnd_train_opts o = {.size = sizeof o, .seed = 1, .threads = 1};
    gnd_error err = {0};
    const gnd_real *logits;

    if (!ref_ok(
            x->r,
            gnd_split_from_lists(&s, x->g,
                                 &(gnd_split_lists){sizeof(gnd_split_lists), x->train, x->n_train,
                                                    x->val, x->n_val, x->test, x->n_test},
                                 &err),
            &err))
        return;
    s->score_unlabelled = true;
    if (ref_ok(x->r, gnd_fit(x->m, &rec, x->g, s, &o, &err), &err)) {
        check_record(x, &rec);
        check_params(x, "final", x->m->params.v);
        logits = evaluate(x);
        if (logits) {
            check_pred(x, logits);
            check_score(x, logits, "test", "authors", x->test, x->n_test);
        }
    }
    gnd_fit_record_fini(&rec);
    gnd_split_free(s);
}

void ref_trained(verdict *r, const gnd_method *method)
{
    trial x = {.r = r, .method = method};
    const char *mode = need_text(r, "mode");
    const method_rules *rules = ref_method_rules(method->name);
    bool dropping;

    if (!mode)
        return;
    if (!rules) {
        ref_fail(r, "method: %s has no row in tests/reference/methods.c", method->name);
        return;
    }
    dropping = strcmp(mode, "dropout") == 0;
    if (!dropping && strcmp(mode, "evaluation") != 0 && strcmp(mode, "run") != 0) {
        ref_skip(r, "mode '%s' is unknown", mode);
        return;
    }
    if (start(&x, rules, dropping)) {
        if (dropping)
            losses_and_gradients(&x);
        else if (strcmp(mode, "run") == 0)
            whole_run(&x);
        else
            evaluation(&x, rules);
    }
    finish(&x);
}
