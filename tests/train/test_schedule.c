/* SPDX-License-Identifier: MIT
 * test_schedule.c - what a training makes of the settings of its loop: batches, step sizes that
 * fall, penalties of a method's own, the loss a stopping rule sees. Seen from inside, by a method
 * that takes notes. */
#include "random_graph.h"

#include "train/plateau.h"
#include "train/train.h"

enum { N = 150, D = 12, C = 3, PER_CLASS = 4, N_TRAIN = C * PER_CLASS, MAX_NOTES = 64 };

/* ---- a method that takes notes ---- */

static struct {
    int32_t row[MAX_NOTES][N_TRAIN];
    int64_t n_rows[MAX_NOTES], epoch[MAX_NOTES]; /* epoch: what masks are drawn with */
    int n;
} notes;

static const double weight_of_penalty = 3;

/* Twice the cross-entropy, so that it is not mistaken for it. */
static gnd_var objective(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const gnd_target *y,
                         gnd_var *logits)
{
    gnd_var ce;

    *logits = m->config.method->forward(m, in, t);
    ce = gnd_cross_entropy(t, *logits, y->label, y->rows, y->n_rows);
    if (t->training) {
        assert_true(notes.n < MAX_NOTES && y->n_rows <= N_TRAIN);
        memcpy(notes.row[notes.n], y->rows, (size_t)y->n_rows * sizeof *y->rows);
        notes.n_rows[notes.n] = y->n_rows;
        notes.epoch[notes.n++] = t->epoch;
    }
    return gnd_add(t, ce, ce);
}

static gnd_var penalty(const gnd_model *m, gnd_tape *t)
{
    return gnd_mean_square(t, gnd_param_var(t, &m->params, 0), weight_of_penalty);
}

typedef struct {
    gnd_method method;
    gnd_graph *g;
    gnd_split *s;
    gnd_config *c;
    gnd_model *m;
    gnd_fit_record rec;
    /* After each epoch: what the step was, in units of the gradient. */
    gnd_real before[D * C + C];
    double lr[MAX_NOTES], slope[MAX_NOTES]; /* slope: what the step takes from the first weight */
} work;

/* Logistic regression by plain steps, all weights at `start`. */
static void begin(work *w, const char *settings, int64_t n_val, double start)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = PER_CLASS, .n_val = n_val, .seed = 1};
    char name[32], value[32];
    gnd_error err = {0};
    int used;

    *w = (work){.method = gnd_method_lr, .g = random_graph(N, D, C)};
    notes.n = 0;
    CHECK_OK(gnd_split_new(&w->s, w->g, &o, &err));
    assert_int_equal(w->s->n_train, N_TRAIN);
    CHECK_OK(gnd_config_new(&w->c, "lr", &err));
    CHECK_OK(gnd_config_set(w->c, "optimiser", "sgd", &err));
    CHECK_OK(gnd_config_set(w->c, "stop", "none", &err));
    CHECK_OK(gnd_config_set(w->c, "l2", "0", &err));
    for (; sscanf(settings, " %31[^=]=%31s%n", name, value, &used) == 2; settings += used)
        CHECK_OK(gnd_config_set(w->c, name, value, &err));
    w->method.objective = objective;
    w->c->method = &w->method;
    CHECK_OK(gnd_model_new(&w->m, w->g, w->c, 1, &err));
    assert_int_equal(w->m->params.size, D * C + C);
    for (int64_t i = 0; i < w->m->params.size; i++)
        w->before[i] = w->m->params.v[i] = (gnd_real)start;
}

static int look(const gnd_epoch *e, void *user)
{
    work *w = user;
    const gnd_params *ps = &w->m->params;
    int64_t k = 0;

    for (int64_t i = 0; i < ps->size; i++)
        k = fabs((double)ps->g[i]) > fabs((double)ps->g[k]) ? i : k;
    w->lr[e->epoch] = ((double)w->before[k] - (double)ps->v[k]) / (double)ps->g[k];
    w->slope[e->epoch] = (double)w->before[0] - (double)ps->v[0];
    memcpy(w->before, ps->v, (size_t)ps->size * sizeof *ps->v);
    return 0;
}

static void train(work *w, uint64_t seed)
{
    const gnd_train_opts o = {.size = sizeof o, .seed = seed, .on_epoch = look, .user = w};
    gnd_error err = {0};

    CHECK_OK(gnd_fit(w->m, &w->rec, w->g, w->s, &o, &err));
}

static void end(work *w)
{
    gnd_fit_record_fini(&w->rec);
    gnd_model_free(w->m);
    gnd_config_free(w->c);
    gnd_split_free(w->s);
    gnd_graph_free(w->g);
}

/* ---- batches ---- */

/* Steps first .. first + n - 1 see every training vertex once, in the order they leave in `order`.
 */
static void check_epoch(int32_t *order, const work *w, int first, int n)
{
    int64_t at = 0;

    for (int k = first; k < first + n; k++)
        for (int64_t r = 0; r < notes.n_rows[k]; r++) {
            assert_true(at < N_TRAIN);
            order[at++] = notes.row[k][r];
        }
    assert_int_equal(at, N_TRAIN);
    for (int64_t i = 0; i < N_TRAIN; i++) {
        int seen = 0;

        for (int64_t k = 0; k < N_TRAIN; k++)
            seen += order[k] == w->s->train[i];
        assert_int_equal(seen, 1);
    }
}

static void batches(void **state)
{
    enum { EPOCHS = 4, STEPS = 3 };
    int32_t order[2][EPOCHS][N_TRAIN];

    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        work w;

        begin(&w, "batch=5 epochs_alone=4", 0, 0);
        train(&w, seed);
        assert_int_equal(notes.n, EPOCHS * STEPS);
        for (int k = 0; k < notes.n; k++) {
            assert_int_equal(notes.n_rows[k], k % STEPS < 2 ? 5 : 2); /* the rest counts too */
            assert_int_equal(notes.epoch[k], k);                      /* own masks each step */
        }
        for (int e = 0; e < EPOCHS; e++)
            check_epoch(order[seed][e], &w, e * STEPS, STEPS);
        for (int e = 1; e < EPOCHS; e++) /* a fresh order each epoch */
            assert_memory_not_equal(order[seed][e], order[seed][e - 1], sizeof order[0][0]);
        assert_memory_not_equal(order[seed][0], w.s->train, sizeof order[0][0]);
        end(&w);
    }
    assert_memory_not_equal(order[0][0], order[1][0], sizeof order[0][0]);
}

static void one_batch(void **state)
{
    static const char *const settings[] = {"batch=0 epochs_alone=2", "batch=12 epochs_alone=2",
                                           "batch=500 epochs_alone=2"};

    (void)state;
    for (int64_t i = 0; i < LENGTH(settings); i++) {
        work w;

        begin(&w, settings[i], 0, 0);
        train(&w, 1);
        assert_int_equal(notes.n, 2);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(notes.n_rows[k], N_TRAIN);
            assert_memory_equal(notes.row[k], w.s->train, N_TRAIN * sizeof(int32_t));
        }
        end(&w);
    }
}

/* ---- step sizes ---- */

static void check_steps(const work *w, const double *expected, int n)
{
    for (int e = 0; e < n; e++)
        if (!(fabs(w->lr[e] - expected[e]) <= 1e-4 * expected[e]))
            fail_msg("epoch %d: a step of %g; expected %g", e, w->lr[e], expected[e]);
}

/* After steps 2, 4, 6 (from 0) by 1 % of the first one. */
static void falls_with_the_steps(void **state)
{
    static const double expected[] = {1, 1, 1, .99, .99, .98, .98, .97};
    work w;

    (void)state;
    begin(&w, "lr=1 lr_every=2 epochs_alone=8", 0, 0);
    train(&w, 1);
    check_steps(&w, expected, 8);
    end(&w);
}

/* Steps too small to lower the loss: after two such epochs the third one cuts, and counting starts
 * again. Without validation there is nothing to look at. */
static void falls_on_a_plateau(void **state)
{
    static const double expected[] = {1e-6, 1e-6, 1e-6,  1e-6,  8e-7,
                                      8e-7, 8e-7, 64e-8, 64e-8, 64e-8};
    static const double steady[] = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
    work w;

    (void)state;
    begin(&w, "lr=1e-6 lr_plateau=2 epochs=10", 20, 0);
    train(&w, 1);
    check_steps(&w, expected, 10);
    end(&w);
    begin(&w, "lr=1e-6 lr_plateau=2 epochs_alone=6", 0, 0);
    train(&w, 1);
    check_steps(&w, steady, 6);
    end(&w);
}

static void plateau_by_hand(void **state)
{
    /* 4.9998 is lower than 5, but by less than 1e-4 of it; 4.9 starts the count anew. */
    static const double loss[] = {5, 4.9998, 5, 4.9, 5, 5, 5, 5, 5, 5};
    static const double lr[] = {1, 1, 1, 1, 1, 1, .8, .8, .8, .64};
    gnd_plateau p = {.patience = 2}, never = {0}, least = {.patience = 1};
    double now = 1, small = 4e-8;

    (void)state;
    for (int64_t e = 0; e < LENGTH(loss); e++) {
        now = gnd_plateau_update(&p, now, loss[e]);
        CHECK_CLOSE(now, lr[e], 1e-12);
        CHECK_CLOSE(gnd_plateau_update(&never, 1, loss[e]), 1, 0);
        small = gnd_plateau_update(&least, small, loss[e]);
    }
    CHECK_CLOSE(small, 4e-8, 0); /* a fifth of it is no change worth making */
}

/* ---- losses ---- */

/* From weights of 0 all classes are alike: the cross-entropy is log C. */
static void what_the_rule_sees(void **state)
{
    static const struct {
        const char *settings;
        bool penalty;
        double start, expected;
    } cases[] = {
        {"lr=1e-9 epochs=1 stop_loss=ce", false, 0, 1},
        {"lr=1e-9 epochs=1 stop_loss=objective", false, 0, 2},
        {"lr=1e-9 epochs=1 stop_loss=ce_l2", false, 0, 1},
        {"lr=1e-9 epochs=1 stop_loss=ce", true, 1, 1},
    };
    work w;

    (void)state;
    for (int64_t i = 0; i < LENGTH(cases); i++) {
        begin(&w, cases[i].settings, 30, cases[i].start);
        w.method.penalty = cases[i].penalty ? penalty : NULL;
        train(&w, 1);
        CHECK_CLOSE(w.rec.loss_val[0], cases[i].expected * log(C), 1e-5);
        end(&w);
    }
    /* Equal weights: log C as well, and the penalty is 3 mean(1^2). The training loss has both
     * whatever the rule sees. */
    begin(&w, "lr=1e-9 epochs=1 stop_loss=ce_l2", 30, 1);
    w.method.penalty = penalty;
    train(&w, 1);
    CHECK_CLOSE(w.rec.loss_val[0], log(C) + weight_of_penalty, 1e-5);
    CHECK_CLOSE(w.rec.loss_train[0], 2 * log(C) + weight_of_penalty, 1e-5);
    end(&w);
}

/* d/dw of 3 mean(w^2) over D C weights at 1, and of l2 / 2 w^2. */
static void penalties_have_gradients(void **state)
{
    double slope[3];
    work w;

    (void)state;
    for (int i = 0; i < 3; i++) {
        begin(&w, i == 2 ? "lr=1 epochs_alone=1 l2=.25" : "lr=1 epochs_alone=1", 0, 1);
        w.method.penalty = i == 1 ? penalty : NULL;
        train(&w, 1);
        slope[i] = w.slope[0];
        end(&w);
    }
    CHECK_CLOSE(slope[1] - slope[0], 2 * weight_of_penalty / (D * C), 1e-5);
    CHECK_CLOSE(slope[2] - slope[0], 0.25, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches),
        cmocka_unit_test(one_batch),
        cmocka_unit_test(falls_with_the_steps),
        cmocka_unit_test(falls_on_a_plateau),
        cmocka_unit_test(plateau_by_hand),
        cmocka_unit_test(what_the_rule_sees),
        cmocka_unit_test(penalties_have_gradients),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
