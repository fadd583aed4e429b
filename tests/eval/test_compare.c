/* SPDX-License-Identifier: MIT
 * test_compare.c - comparisons: the same for any number of threads, and nothing but single
 * runs. */
#include "eval/row.h"
#include "fixture.h"
#include "random_graph.h"

static int32_t counts[] = {1, 3};

static gnd_comparison *compare(const gnd_graph *g, int32_t threads,
                               int (*on_run)(const gnd_run *, int64_t, int64_t, void *), void *user,
                               gnd_error *err)
{
    gnd_config *slp = NULL, *ds = NULL;
    gnd_comparison *c = NULL;

    assert_int_equal(gnd_config_new(&slp, "gnd-slp", err), GND_OK);
    assert_int_equal(gnd_config_new(&ds, "gnd-ds", err), GND_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gnd_config_set(i ? slp : ds, "epochs_alone", "12", err), GND_OK);
        assert_int_equal(gnd_config_set(i ? slp : ds, "hops", "3", err), GND_OK);
    }
    gnd_compare(&c, g,
                &(gnd_compare_opts){.size = sizeof(gnd_compare_opts),
                                    .configs = (const gnd_config *const[]){slp, ds},
                                    .n_config = 2,
                                    .per_class = counts,
                                    .n_per_class = 2,
                                    .n_split = 4,
                                    .seed = 7,
                                    .threads = threads,
                                    .on_run = on_run,
                                    .user = user},
                err);
    gnd_config_free(slp);
    gnd_config_free(ds);
    return c;
}

static int count_runs(const gnd_run *run, int64_t done, int64_t total, void *user)
{
    int64_t *n = user;

    assert_int_equal(run->status, GND_OK);
    assert_int_equal(done, ++*n); /* one call at a time, in order of finishing */
    assert_int_equal(total, 16);
    return 0;
}

static void threads_do_not_matter(void **state)
{
    gnd_graph *g = fixture_two_rings(12, 2);
    gnd_error err = {0};
    int64_t n = 0;
    gnd_comparison *one = compare(g, 1, count_runs, &n, &err),
                   *five = compare(g, 5, NULL, NULL, &err);

    (void)state;
    assert_int_equal(n, 16);
    assert_int_equal(gnd_comparison_n_run(one), 16);
    assert_int_equal(gnd_comparison_n_cell(one), 4);
    for (int64_t i = 0; i < 16; i++)
        assert_memory_equal(&gnd_comparison_run(one, i)->result->loss_test,
                            &gnd_comparison_run(five, i)->result->loss_test, sizeof(double));
    gnd_comparison_free(one);
    gnd_comparison_free(five);
    gnd_graph_free(g);
}

/* The loss of sgc in a comparison of one run, with this memory. */
static double sgc_loss(const gnd_graph *g, int64_t memory, const char *smooth)
{
    gnd_config *sgc = NULL;
    gnd_comparison *c = NULL;
    gnd_error err = {0};
    double loss;

    CHECK_OK(gnd_config_new(&sgc, "sgc", &err));
    CHECK_OK(gnd_config_set(sgc, "smooth", smooth, &err));
    CHECK_OK(gnd_compare(&c, g,
                         &(gnd_compare_opts){.size = sizeof(gnd_compare_opts),
                                             .configs = (const gnd_config *const[]){sgc},
                                             .n_config = 1,
                                             .per_class = counts + 1,
                                             .n_per_class = 1,
                                             .n_split = 1,
                                             .seed = 7,
                                             .threads = 1,
                                             .memory = memory},
                         &err));
    loss = gnd_comparison_run(c, 0)->result->loss_test;
    gnd_comparison_free(c);
    gnd_config_free(sgc);
    return loss;
}

/* What the runs of a config share is made within the memory of the comparison. */
static void memory_binds_what_is_shared(void **state)
{
    gnd_graph *g = random_graph(400, 40, 3);
    const double once = sgc_loss(g, 0, "once"), each_pass = sgc_loss(g, 0, "each_pass"),
                 least = sgc_loss(g, -1, "once");

    (void)state;
    assert_true(once != each_pass); /* the case can tell */
    assert_memory_equal(&least, &each_pass, sizeof least);
    gnd_graph_free(g);
}

/* A cell is the mean of its runs, and a run is what gnd_train gives for that split and seed. */
static void cells_are_plain_means(void **state)
{
    gnd_graph *g = fixture_two_rings(12, 2);
    gnd_error err = {0};
    gnd_comparison *c = compare(g, 2, NULL, NULL, &err);
    const gnd_cell cell = *gnd_comparison_cell(c, 1);
    double sum = 0, square = 0;
    gnd_config *slp = NULL;
    gnd_split *s = NULL;
    gnd_model *m = NULL;
    gnd_result res = {.size = sizeof res};

    (void)state;
    assert_string_equal(cell.method, "gnd-slp");
    assert_int_equal(cell.per_class, 3);
    assert_int_equal(cell.n, 4);
    for (int64_t i = 4; i < 8; i++) {
        const double a = 100 * gnd_comparison_run(c, i)->result->acc_test;

        sum += a;
        square += a * a;
    }
    CHECK_CLOSE(cell.mean, sum / 4, 1e-9);
    CHECK_CLOSE(cell.std, sqrt(fmax(0, square / 4 - sum / 4 * sum / 4)), 1e-6);

    CHECK_OK(gnd_config_new(&slp, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(slp, "epochs_alone", "12", &err));
    CHECK_OK(gnd_config_set(slp, "hops", "3", &err));
    CHECK_OK(gnd_split_new(
        &s, g, &(gnd_split_opts){.size = sizeof(gnd_split_opts), .per_class = 3, .seed = 2}, &err));
    CHECK_OK(gnd_train(&m, &res, g, s, slp,
                       &(gnd_train_opts){.size = sizeof(gnd_train_opts), .seed = 8}, &err));
    assert_memory_equal(&res.loss_test, &gnd_comparison_run(c, 5)->result->loss_test,
                        sizeof(double));
    gnd_model_free(m);
    gnd_split_free(s);
    gnd_config_free(slp);
    gnd_comparison_free(c);
    gnd_graph_free(g);
}

/* Cells and pairs are what plain arithmetic makes of the runs. */
static void intervals_and_pairs(void **state)
{
    gnd_graph *g = fixture_two_rings(12, 2);
    gnd_error err = {0};
    gnd_comparison *c = compare(g, 2, NULL, NULL, &err);
    const double t3 = 3.1824463052842629; /* 97.5 % of Student's t with 3 degrees of freedom */
    const gnd_run *a = gnd_comparison_run(c, 4), *b = gnd_comparison_run(c, 12);
    const gnd_cell cell = *gnd_comparison_cell(c, 1);
    gnd_paired p = {.size = sizeof p}, back = {.size = sizeof back};
    double d[4], sum = 0, square = 0, f1 = 0, ece = 0, half = 0;
    int64_t wins = 0, ties = 0;

    (void)state;
    CHECK_OK(gnd_comparison_paired(&p, c, 1, 3, &err));
    CHECK_OK(gnd_comparison_paired(&back, c, 3, 1, &err));
    for (int i = 0; i < 4; i++) {
        d[i] = 100 * (a[i].result->acc_test - b[i].result->acc_test);
        wins += d[i] > 0;
        ties += d[i] == 0;
        sum += d[i] / 4;
        f1 += 25 * a[i].result->f1_test;
        ece += 25 * a[i].result->ece_test;
        half += 25 * a[i].result->acc_half;
        assert_int_equal(a[i].seed, 7 + i);
        assert_int_equal(a[i].config, 0);
        assert_int_equal(b[i].config, 1);
        assert_false(a[i].stored);
        assert_true(a[i].seconds > 0);
    }
    for (int i = 0; i < 4; i++)
        square += (d[i] - sum) * (d[i] - sum);
    assert_int_equal(p.n, 4);
    CHECK_CLOSE(p.diff, sum, 1e-12);
    CHECK_CLOSE(p.high - p.low, 2 * t3 * sqrt(square / 3 / 4), 1e-9);
    CHECK_CLOSE(p.low + p.high, 2 * sum, 1e-9);
    assert_int_equal(p.wins, wins);
    assert_int_equal(p.ties, ties);
    assert_int_equal(p.losses, 4 - wins - ties);
    assert_true(p.p >= 0 && p.p <= 1);
    CHECK_CLOSE(back.diff, -p.diff, 0);
    CHECK_CLOSE(back.p, p.p, 0);
    assert_int_equal(back.wins, p.losses);
    for (int64_t bad = -1; bad <= gnd_comparison_n_cell(c); bad += gnd_comparison_n_cell(c) + 1)
        assert_int_equal(gnd_comparison_paired(&p, c, 1, bad, &err), GND_ERR_ARG);
    CHECK_OK(gnd_comparison_paired(&p, c, 1, 1, &err));
    assert_int_equal(p.ties, 4);
    CHECK_CLOSE(p.p, 1, 0);
    CHECK_CLOSE(cell.high - cell.mean, t3 * cell.std / sqrt(3), 1e-9);
    CHECK_CLOSE(cell.mean - cell.low, t3 * cell.std / sqrt(3), 1e-9);
    CHECK_CLOSE(cell.mean_f1, f1, 1e-9);
    CHECK_CLOSE(cell.mean_ece, ece, 1e-9);
    CHECK_CLOSE(cell.mean_half, half, 1e-9);
    assert_true(isnan(cell.mean_val)); /* nobody validates */
    assert_true(cell.mean_seconds > 0);
    assert_int_equal(cell.config, 0);
    assert_int_equal(gnd_comparison_cell(c, 3)->config, 1);
    gnd_comparison_free(c);
    gnd_graph_free(g);
}

/* Validation and the scoring of unlabelled vertices are those of a single training. */
static void options_reach_the_runs(void **state)
{
    gnd_graph *g = random_graph(150, 30, 3);
    const int32_t two = 2;
    gnd_config *slp = NULL;
    gnd_error err = {0};
    double loss[2];

    (void)state;
    CHECK_OK(gnd_config_new(&slp, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(slp, "epochs", "8", &err));
    for (int unlabelled = 0; unlabelled < 2; unlabelled++) {
        const gnd_compare_opts o = {.size = sizeof o,
                                    .configs = (const gnd_config *const[]){slp},
                                    .n_config = 1,
                                    .per_class = &two,
                                    .n_per_class = 1,
                                    .n_split = 2,
                                    .n_val = 40,
                                    .score_unlabelled = unlabelled,
                                    .threads = 2};
        const gnd_split_opts so = {.size = sizeof so,
                                   .per_class = 2,
                                   .n_val = 40,
                                   .seed = 1,
                                   .score_unlabelled = unlabelled};
        gnd_comparison *c = NULL;
        gnd_split *s = NULL;
        gnd_model *m = NULL;
        gnd_result res = {.size = sizeof res};

        CHECK_OK(gnd_compare(&c, g, &o, &err));
        CHECK_OK(gnd_split_new(&s, g, &so, &err));
        CHECK_OK(gnd_train(&m, &res, g, s, slp, NULL, &err));
        loss[unlabelled] = gnd_comparison_run(c, 0)->result->loss_test;
        CHECK_CLOSE(loss[unlabelled], res.loss_test, 0);
        CHECK_CLOSE(gnd_comparison_run(c, 0)->result->loss_val, res.loss_val, 0);
        CHECK_CLOSE(gnd_comparison_cell(c, 0)->mean_epochs, 8, 0);
        gnd_model_free(m);
        gnd_split_free(s);
        gnd_comparison_free(c);
    }
    assert_true(loss[0] != loss[1]);
    gnd_config_free(slp);
    gnd_graph_free(g);
}

/* Every method there is, all at once: what runs share does not change them, and each is what
 * gnd_train gives. */
static void every_method_as_alone(void **state)
{
    enum { MAX = 64 };
    gnd_graph *g = fixture_two_rings(12, 2);
    const int32_t two = 2;
    gnd_config *configs[MAX] = {NULL};
    gnd_compare_opts o = {.size = sizeof o,
                          .configs = (const gnd_config *const *)configs,
                          .per_class = &two,
                          .n_per_class = 1,
                          .n_split = 3,
                          .n_val = 6,
                          .seed = 5,
                          .threads = 3};
    gnd_comparison *c = NULL;
    gnd_method_info method = {.size = sizeof method};
    gnd_error err;

    (void)state;
    for (; gnd_method_get(&method, (int)o.n_config); o.n_config++) {
        assert_true(o.n_config < MAX);
        CHECK_OK(gnd_config_new(&configs[o.n_config], method.name, &err));
        gnd_config_set(configs[o.n_config], "epochs", "5",
                       NULL); /* those solved at once have none */
    }
    CHECK_OK(gnd_compare(&c, g, &o, &err));
    for (int64_t i = 0; i < gnd_comparison_n_run(c); i++) {
        const gnd_run *run = gnd_comparison_run(c, i);
        const gnd_split_opts so = {
            .size = sizeof so, .per_class = 2, .n_val = 6, .seed = run->split_seed};
        const gnd_train_opts to = {.size = sizeof to, .seed = run->seed, .threads = 1};
        gnd_split *s = NULL;
        gnd_model *m = NULL;
        gnd_result res = {.size = sizeof res};

        CHECK_OK(gnd_split_new(&s, g, &so, &err));
        CHECK_OK(gnd_train(&m, &res, g, s, configs[run->config], &to, &err));
        gnd_row_round(&res, &(double){1});
        if (run->result->loss_test != res.loss_test || run->result->epochs != res.epochs ||
            run->result->f1_test != res.f1_test || run->result->loss_val != res.loss_val ||
            run->result->ece_test != res.ece_test || run->result->acc_half != res.acc_half)
            fail_msg("%s: %.17g in a comparison, %.17g alone", run->method, run->result->loss_test,
                     res.loss_test);
        gnd_model_free(m);
        gnd_split_free(s);
    }
    gnd_comparison_free(c);
    for (int64_t k = 0; k < o.n_config; k++)
        gnd_config_free(configs[k]);
    gnd_graph_free(g);
}

static int stop_at_three(const gnd_run *run, int64_t done, int64_t total, void *user)
{
    (void)run, (void)total, (void)user;
    return done == 3;
}

static void stops_and_fails_in_one_sentence(void **state)
{
    gnd_graph *g = fixture_two_rings(12, 2);
    gnd_comparison *c = NULL;
    gnd_error err = {0};

    (void)state;
    assert_null(compare(g, 1, stop_at_three, NULL, &err));
    assert_int_equal(err.code, GND_ERR_STOPPED);
    assert_string_equal(err.msg, "stopped after 3 of 16 training runs");
    counts[1] = 13;
    assert_null(compare(g, 2, NULL, NULL, &err));
    assert_int_equal(err.code, GND_ERR_ARG);
    assert_non_null(strstr(err.msg, "12 labelled vertices"));
    counts[1] = 3;
    CHECK_FAILS(gnd_compare(&c, g,
                            &(gnd_compare_opts){.size = sizeof(gnd_compare_opts),
                                                .configs = (const gnd_config *const[]){NULL},
                                                .n_config = 1,
                                                .per_class = counts,
                                                .n_per_class = 1,
                                                .n_split = 1,
                                                .kind = GND_SPLIT_ALL},
                            &err),
                GND_ERR_ARG, "needs shuffled splits or Planetoid's; got kind 2");
    gnd_graph_free(g);
}

/* Steps of 100 leave the finite numbers on some method and not on another: the other still has its
 * cell. */
static void divergence_is_left_out(void **state)
{
    gnd_graph *g = fixture_two_rings(12, 2);
    gnd_config *c[2] = {NULL};
    const int32_t two = 2;
    gnd_compare_opts o = {.size = sizeof o,
                          .configs = (const gnd_config *const *)c,
                          .n_config = 2,
                          .per_class = &two,
                          .n_per_class = 1,
                          .n_split = 3,
                          .seed = 1,
                          .threads = 2};
    gnd_comparison *r = NULL;
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(gnd_config_new(&c[k], k ? "gnd-slp" : "gnd-ds", &err));
        CHECK_OK(gnd_config_set(c[k], "epochs_alone", "60", &err));
    }
    CHECK_OK(gnd_config_set(c[0], "optimiser", "sgd", &err));
    CHECK_OK(gnd_config_set(c[0], "lr", "100", &err));
    CHECK_OK(gnd_config_set(c[0], "l2", "100", &err));
    CHECK_OK(gnd_compare(&r, g, &o, &err));
    assert_int_equal(gnd_comparison_cell(r, 0)->n, 0);
    assert_true(isnan(gnd_comparison_cell(r, 0)->mean));
    assert_int_equal(gnd_comparison_run(r, 0)->status, GND_ERR_DIVERGED);
    assert_int_equal(gnd_comparison_cell(r, 1)->n, 3);
    assert_true(gnd_comparison_cell(r, 1)->mean > 0);
    gnd_comparison_free(r);
    for (int k = 0; k < 2; k++)
        gnd_config_free(c[k]);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),           cmocka_unit_test(cells_are_plain_means),
        cmocka_unit_test(memory_binds_what_is_shared),     cmocka_unit_test(intervals_and_pairs),
        cmocka_unit_test(options_reach_the_runs),          cmocka_unit_test(every_method_as_alone),
        cmocka_unit_test(stops_and_fails_in_one_sentence), cmocka_unit_test(divergence_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
