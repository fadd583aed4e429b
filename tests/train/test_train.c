/* SPDX-License-Identifier: MIT
 * test_train.c - the training loop: what the seed reaches, the order of an epoch, whose weights are
 * used, what the figures are taken of, and how it ends when it cannot go on. */
#include "train/train.h"

#include "fixture.h"
#include "random_graph.h"

enum { N_NODE = 150, N_FEAT = 40, N_CLASS = 3, MAX_EPOCH = 400 };

static gnd_graph *g;

static int setup(void **state)
{
    (void)state;
    g = random_graph(N_NODE, N_FEAT, N_CLASS);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gnd_graph_free(g);
    return 0;
}

static gnd_split *split(int64_t n_val, bool score_unlabelled)
{
    const gnd_split_opts o = {.size = sizeof o,
                              .per_class = 4,
                              .n_val = n_val,
                              .seed = 1,
                              .score_unlabelled = score_unlabelled};
    gnd_split *s = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    return s;
}

/* gnd-slp with settings "name=value", up to NULL. */
static gnd_config *config(const char *const *setting)
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    for (; *setting; setting++) {
        const size_t n = strcspn(*setting, "=");
        char name[32];

        snprintf(name, sizeof name, "%.*s", (int)n, *setting);
        CHECK_OK(gnd_config_set(c, name, *setting + n + 1, &err));
    }
    return c;
}
#define CONFIG(...) config((const char *const[]){__VA_ARGS__, NULL})

/* Without dropout the seed can show in the first weights only. */
static void seed_reaches_first_weights(void **state)
{
    gnd_config *c = CONFIG("dropout=0", "epochs_alone=1");
    gnd_split *s = split(0, false);
    gnd_model *m[3] = {NULL};
    gnd_error err = {0};
    size_t bytes;

    (void)state;
    for (int i = 0; i < 3; i++)
        CHECK_OK(gnd_train(&m[i], NULL, g, s, c,
                           &(gnd_train_opts){.size = sizeof(gnd_train_opts), .seed = i < 2 ? 1 : 2},
                           &err));
    bytes = (size_t)m[0]->params.size * sizeof *m[0]->params.v;
    assert_memory_equal(m[0]->params.v, m[1]->params.v, bytes);
    assert_memory_not_equal(m[0]->params.v, m[2]->params.v, bytes);
    for (int i = 0; i < 3; i++)
        gnd_model_free(m[i]);
    gnd_split_free(s);
    gnd_config_free(c);
}

/* From the same weights, hardly moving: what differs between seeds and between epochs are the
 * masks. */
static void seed_and_epoch_reach_dropout(void **state)
{
    gnd_config *c = CONFIG("epochs_alone=2", "lr=1e-9");
    gnd_split *s = split(0, false);
    double first[2], second[2];
    gnd_error err = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        const gnd_train_opts o = {.size = sizeof o, .seed = seed};
        gnd_fit_record rec = {0};
        gnd_model *m = NULL;

        CHECK_OK(gnd_model_new(&m, g, c, 9, &err));
        CHECK_OK(gnd_fit(m, &rec, g, s, &o, &err));
        first[seed] = rec.loss_train[0];
        second[seed] = rec.loss_train[1];
        gnd_fit_record_fini(&rec);
        gnd_model_free(m);
    }
    assert_true(fabs(first[0] - first[1]) > 1e-4);
    assert_true(fabs(first[0] - second[0]) > 1e-4);
    gnd_split_free(s);
    gnd_config_free(c);
}

typedef struct {
    gnd_epoch seen[MAX_EPOCH];
    int64_t n, stop_after; /* 0: do not */
} diary;

static int write_down(const gnd_epoch *e, void *user)
{
    diary *d = user;

    assert_int_equal(e->epoch, d->n);
    assert_true(d->n < MAX_EPOCH);
    d->seen[d->n++] = *e;
    return d->n == d->stop_after;
}

/* The epoch whose weights count: the last one at which loss and accuracy were both at their best.
 */
static int64_t joint_best(const diary *d)
{
    double acc = 0, loss = INFINITY;
    int64_t best = -1;

    for (int64_t e = 0; e < d->n; e++) {
        if (d->seen[e].acc_val >= acc && d->seen[e].loss_val <= loss)
            best = e;
        acc = fmax(acc, d->seen[e].acc_val);
        loss = fmin(loss, d->seen[e].loss_val);
    }
    return best;
}

/* Share of right labels and mean loss on some vertices, from what gnd_predict says. */
static void by_hand(double *loss, double *acc, const gnd_prediction *p, const int32_t *rows,
                    int64_t n, bool score_unlabelled)
{
    int64_t counted = 0;

    *loss = *acc = 0;
    for (int64_t i = 0; i < n; i++) {
        const int32_t y = g->label[rows[i]];

        if (y < 0 && !score_unlabelled)
            continue;
        counted++;
        *acc += gnd_prediction_argmax(p, rows[i]) == (y < 0 ? 0 : y);
        if (y >= 0)
            *loss -= log((double)gnd_prediction_prob(p, rows[i])[y]);
    }
    *loss /= (double)counted;
    *acc /= (double)counted;
}

/* Each figure of the result is of its own vertices, at the weights of the best epoch: those after
 * that epoch's step, since its validation comes after it. */
static void figures_are_of_the_best_weights(void **state)
{
    gnd_config *c = CONFIG("lr=0.03", "patience=10", "epochs=300");
    gnd_error err = {0};

    (void)state;
    for (int unlabelled = 0; unlabelled < 2; unlabelled++) {
        gnd_split *s = split(50, unlabelled);
        diary d = {.n = 0};
        const gnd_train_opts o = {.size = sizeof o, .seed = 4, .on_epoch = write_down, .user = &d};
        gnd_prediction *p = NULL;
        gnd_model *m = NULL;
        gnd_result res = {.size = sizeof res};
        double loss, acc;

        CHECK_OK(gnd_train(&m, &res, g, s, c, &o, &err));
        assert_int_equal(res.epochs, d.n);
        assert_int_equal(res.best_epoch, joint_best(&d));
        assert_true(res.best_epoch > 0 && res.best_epoch < res.epochs - 1);
        CHECK_CLOSE(res.loss_val, d.seen[res.best_epoch].loss_val, 0);
        CHECK_CLOSE(res.acc_val, d.seen[res.best_epoch].acc_val, 0);
        CHECK_OK(gnd_predict(&p, m, g, NULL, &err));
        by_hand(&loss, &acc, p, s->val, s->n_val, unlabelled);
        CHECK_CLOSE(res.loss_val, loss, 1e-5);
        CHECK_CLOSE(res.acc_val, acc, 1e-12);
        by_hand(&loss, &acc, p, s->test, s->n_test, unlabelled);
        CHECK_CLOSE(res.loss_test, loss, 1e-5);
        CHECK_CLOSE(res.acc_test, acc, 1e-12);
        by_hand(&loss, &acc, p, s->train, s->n_train, unlabelled);
        CHECK_CLOSE(res.loss_train, loss + gnd_l2_value(&m->params, GND_L2_HALF, 5e-4), 1e-5);
        CHECK_CLOSE(res.acc_train, acc, 1e-12);
        gnd_prediction_free(p);
        gnd_model_free(m);
        gnd_split_free(s);
    }
    gnd_config_free(c);
}

/* The loss a rule looks at contains the L2 term if it is asked to, and only then. */
static void stopping_loss_with_l2(void **state)
{
    gnd_split *s = split(50, false);
    double seen[2], l2 = 0;
    gnd_error err = {0};

    (void)state;
    for (int with = 0; with < 2; with++) {
        gnd_config *c =
            CONFIG("stop=none", "epochs=1", "l2=0.1", with ? "stop_loss=ce_l2" : "stop_loss=ce");
        diary d = {.n = 0};
        const gnd_train_opts o = {.size = sizeof o, .on_epoch = write_down, .user = &d};
        gnd_model *m = NULL;

        CHECK_OK(gnd_train(&m, NULL, g, s, c, &o, &err));
        seen[with] = d.seen[0].loss_val;
        l2 = gnd_l2_value(&m->params, GND_L2_HALF, 0.1);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    assert_true(l2 > 0.1);
    CHECK_CLOSE(seen[1] - seen[0], l2, 1e-9);
    gnd_split_free(s);
}

/* Too long steps end in an error in whatever epoch they do, be it the last: a model that is handed
 * out has finite weights and a finite loss. */
static void divergence_is_always_told(void **state)
{
    gnd_error err = {0};

    (void)state;
    for (int64_t n_val = 0; n_val <= 50; n_val += 50) {
        gnd_split *s = split(n_val, false);
        gnd_status st = GND_OK;

        for (int epochs = 1; st == GND_OK; epochs++) {
            char first[32], second[32];
            gnd_model *m = NULL;
            gnd_result res = {.size = sizeof res};

            assert_true(epochs < 60);
            snprintf(first, sizeof first, "epochs=%d", epochs);
            snprintf(second, sizeof second, "epochs_alone=%d", epochs);
            gnd_config *c = CONFIG("optimiser=sgd", "lr=100", "l2=50", "stop=none", first, second);

            st = gnd_train(&m, &res, g, s, c, NULL, &err);
            for (int64_t k = 0; m && k < m->params.size; k++)
                assert_true(isfinite(m->params.v[k]));
            assert_true(st != GND_OK || isfinite(res.loss_train));
            assert_true((st == GND_OK) == (m != NULL));
            gnd_model_free(m);
            gnd_config_free(c);
        }
        assert_int_equal(st, GND_ERR_DIVERGED);
        assert_non_null(strstr(err.msg, "is not finite"));
        gnd_split_free(s);
    }
}

/* ... and at once: the epochs that are left are not run. */
static void divergence_ends_it(void **state)
{
    gnd_config *c = CONFIG("optimiser=sgd", "lr=100", "l2=50", "epochs_alone=300", "epochs=300");
    gnd_model *m = NULL;
    gnd_error err;

    (void)state;
    for (int64_t n_val = 0; n_val <= 50; n_val += 50) {
        gnd_split *s = split(n_val, false);
        diary d = {.n = 0};
        const gnd_train_opts o = {.size = sizeof o, .on_epoch = write_down, .user = &d};

        CHECK_FAILS(gnd_train(&m, NULL, g, s, c, &o, &err), GND_ERR_DIVERGED, "in epoch ");
        assert_true(d.n < 60);
        for (int64_t e = 0; n_val && e < d.n; e++)
            assert_true(isfinite(d.seen[e].loss_val)); /* no rule has to judge anything else */
        gnd_split_free(s);
    }
    gnd_config_free(c);
}

static void callback_stops(void **state)
{
    gnd_config *c = CONFIG("epochs_alone=20");
    gnd_split *s = split(0, false);
    diary d = {.stop_after = 3};
    const gnd_train_opts o = {.size = sizeof o, .on_epoch = write_down, .user = &d};
    gnd_model *m = NULL;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_train(&m, NULL, g, s, c, &o, &err), GND_ERR_STOPPED, "stopped in epoch 2");
    assert_null(m);
    assert_int_equal(d.n, 3);
    assert_int_equal(d.seen[2].max_epochs, 20);
    assert_true(isnan(d.seen[2].loss_val) && isnan(d.seen[2].acc_val));
    gnd_split_free(s);
    gnd_config_free(c);
}

static void splits_that_cannot_be(void **state)
{
    static const int32_t train[] = {0, 1, 2}, blank[] = {12, 25}, far[] = {N_NODE};
    gnd_config *c = CONFIG("epochs=5");
    gnd_split *s = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), train, 3, blank, 2, NULL, 0}, &err));
    CHECK_FAILS(gnd_train(&m, NULL, g, s, c, NULL, &err), GND_ERR_ARG,
                "none of the 2 validation vertices has a label");
    assert_null(m);
    memcpy(s->val, far, sizeof far); /* as a split of another graph would */
    CHECK_FAILS(gnd_train(&m, NULL, g, s, c, NULL, &err), GND_ERR_ARG,
                "the split names vertex 150");
    s->n_val = s->n_train = 0;
    CHECK_FAILS(gnd_train(&m, NULL, g, s, c, NULL, &err), GND_ERR_ARG, "no vertex has a label");
    gnd_split_free(s);
    gnd_config_free(c);
}

/* One vertex, no links, no features, and far more threads than there is work. */
static void smallest_graph(void **state)
{
    static const int32_t label[] = {1};
    gnd_graph *one = fixture_graph(1, NULL, 0, NULL, 0, 0, label, 2);
    gnd_method_info method = {.size = sizeof method};
    gnd_error err = {0};

    (void)state;
    for (int i = 0; gnd_method_get(&method, i); i++) {
        const gnd_split_opts all = {.size = sizeof all, .kind = GND_SPLIT_ALL};
        const gnd_train_opts many = {.size = sizeof many, .threads = 16};
        gnd_prediction *p = NULL;
        gnd_config *c = NULL;
        gnd_split *s = NULL;
        gnd_model *m = NULL;
        gnd_result res = {.size = sizeof res};

        CHECK_OK(gnd_split_new(&s, one, &all, &err));
        CHECK_OK(gnd_config_new(&c, method.name, &err));
        CHECK_OK(gnd_train(&m, &res, one, s, c, &many, &err));
        CHECK_CLOSE(res.acc_train, 1, 0);
        assert_true(isnan(res.acc_test));
        CHECK_OK(gnd_predict(&p, m, one, &many, &err));
        assert_int_equal(gnd_prediction_label(p, 0), 1);
        gnd_prediction_free(p);
        gnd_model_free(m);
        gnd_config_free(c);
        gnd_split_free(s);
    }
    gnd_graph_free(one);
}

/* The training accuracy of an epoch is that of the weights before its steps. Without dropout it is
 * the accuracy of a run that ends there; with it, the masks of an epoch count. */
static void accuracy_of_steps(void **state)
{
    enum { LAST = 12 };
    gnd_split *s = split(0, false);
    gnd_config *c = CONFIG("dropout=0", "epochs_alone=12", "lr=0.05"),
               *dropped = CONFIG("epochs_alone=12");
    diary d = {.n = 0}, noisy = {.n = 0};
    gnd_train_opts o = {.size = sizeof o, .seed = 2, .on_epoch = write_down, .user = &d};
    gnd_model *m = NULL;
    gnd_error err = {0};
    bool differ = false;

    (void)state;
    CHECK_OK(gnd_train(&m, NULL, g, s, c, &o, &err));
    gnd_model_free(m);
    for (int e = 1; e < LAST; e++) {
        const gnd_train_opts alone = {.size = sizeof alone, .seed = 2};
        gnd_result res = {.size = sizeof res};
        char epochs[16];

        snprintf(epochs, sizeof epochs, "%d", e);
        CHECK_OK(gnd_config_set(c, "epochs_alone", epochs, &err));
        CHECK_OK(gnd_train(&m, &res, g, s, c, &alone, &err));
        CHECK_CLOSE(d.seen[e].acc_train, res.acc_train, 1e-12);
        gnd_model_free(m);
    }
    assert_true(d.seen[LAST - 1].acc_train > d.seen[0].acc_train);
    o.user = &noisy;
    CHECK_OK(gnd_train(&m, NULL, g, s, dropped, &o, &err));
    for (int e = 0; e < LAST; e++)
        differ |= noisy.seen[e].acc_train != d.seen[e].acc_train;
    assert_true(differ);
    gnd_model_free(m);
    gnd_config_free(dropped);
    gnd_config_free(c);
    gnd_split_free(s);
}

/* In batches, each vertex counts once per epoch. */
static void accuracy_of_batches(void **state)
{
    gnd_config *c = CONFIG("dropout=0", "batch=5", "epochs_alone=2", "lr=1e-9");
    gnd_split *s = split(0, false);
    diary d = {.n = 0};
    const gnd_train_opts o = {.size = sizeof o, .on_epoch = write_down, .user = &d};
    gnd_result res = {.size = sizeof res};
    gnd_model *m = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_train(&m, &res, g, s, c, &o, &err));
    CHECK_CLOSE(d.seen[0].acc_train, res.acc_train, 1e-12);
    CHECK_CLOSE(d.seen[1].acc_train, res.acc_train, 1e-12);
    gnd_model_free(m);
    gnd_split_free(s);
    gnd_config_free(c);
}

/* Figures nobody looks at are left out, and nothing else changes; a rule does look. */
static void unseen_figures(void **state)
{
    static const char *const rule[] = {"stop=none", "stop=kipf"};
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        gnd_config *c = CONFIG("epochs=12", rule[k]);
        gnd_split *s = split(50, false);
        gnd_result res[2] = {{.size = sizeof(gnd_result)}, {.size = sizeof(gnd_result)}};

        for (int skip = 0; skip < 2; skip++) {
            diary d = {.n = 0};
            const gnd_train_opts o = {.size = sizeof o,
                                      .seed = 4,
                                      .on_epoch = write_down,
                                      .user = &d,
                                      .skip_figures = skip};
            gnd_model *m = NULL;

            CHECK_OK(gnd_train(&m, &res[skip], g, s, c, &o, &err));
            assert_int_equal(isnan(d.seen[3].loss_val), skip && k == 0);
            assert_int_equal(isnan(d.seen[3].acc_val), skip && k == 0);
            gnd_model_free(m);
        }
        assert_memory_equal(&res[0], &res[1], sizeof res[0]);
        gnd_split_free(s);
        gnd_config_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_reaches_first_weights),
        cmocka_unit_test(seed_and_epoch_reach_dropout),
        cmocka_unit_test(figures_are_of_the_best_weights),
        cmocka_unit_test(stopping_loss_with_l2),
        cmocka_unit_test(divergence_is_always_told),
        cmocka_unit_test(divergence_ends_it),
        cmocka_unit_test(callback_stops),
        cmocka_unit_test(accuracy_of_steps),
        cmocka_unit_test(accuracy_of_batches),
        cmocka_unit_test(unseen_figures),
        cmocka_unit_test(splits_that_cannot_be),
        cmocka_unit_test(smallest_graph),
    };

    /* Threads are woken for any piece of work, however small. */
    if (setenv("GND_PARALLEL_MIN", "0", 1) != 0)
        return 1;
    return cmocka_run_group_tests(tests, setup, teardown);
}
