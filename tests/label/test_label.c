/* SPDX-License-Identifier: MIT
 * test_label.c - method auto from end to end: graphs of every kind, the bundled ones, threads,
 * known class shares, and its notes. */
#include "planted.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static gnd_prediction *label_with(const gnd_graph *g, const gnd_split *s, const gnd_config *c,
                                  const gnd_train_opts *o, gnd_result *res)
{
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_label(&p, NULL, res, g, s, c, o, &err));
    return p;
}

static gnd_prediction *label(const gnd_graph *g, const gnd_split *s, gnd_result *res)
{
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = label_with(g, s, c, &serial, res);

    gnd_config_free(c);
    return p;
}

/* Probabilities of a vertex sum to 1, labels that train are kept. */
static void check_sane(const gnd_prediction *p, const gnd_graph *g, const gnd_split *s)
{
    for (int64_t v = 0; v < g->n_node; v++) {
        const float *prob = gnd_prediction_prob(p, v);
        double sum = 0;

        for (int32_t c = 0; c < g->n_class; c++) {
            assert_true(prob[c] >= 0 && prob[c] <= 1);
            assert_true(prob[c] <= prob[gnd_prediction_argmax(p, v)]);
            sum += (double)prob[c];
        }
        CHECK_CLOSE(sum, 1, 1e-4);
    }
    for (int64_t k = 0; k < gnd_split_n_train(s); k++) {
        const int32_t v = gnd_split_train(s)[k];

        assert_int_equal(gnd_prediction_label(p, v), g->label[v]);
        CHECK_CLOSE(gnd_prediction_prob(p, v)[g->label[v]], 1, 1e-6);
    }
}

/* ---- kinds of graphs ---- */

static void kinds_of_graphs(void **state)
{
    static const struct {
        plan p;
        int32_t per_class;
        double least; /* accuracy on the others */
    } t[] = {
        {{.n = 300, .n_class = 3, .inside = 5, .across = 1, .words = 6, .lean = 0.7}, 1, 0.97},
        {{.n = 300, .n_class = 2, .inside = 5, .across = 1, .words = 6, .lean = 0.7}, 5, 0.98},
        {{.n = 300, .n_class = 3, .inside = 6, .across = 1}, 2, 0.95}, /* no features */
        {{.n = 300, .n_class = 3, .inside = 6, .across = 3, .weighted = true}, 2, 0.95},
        {{.n = 300,
          .n_class = 3,
          .inside = 5,
          .across = 1,
          .words = 6,
          .lean = 0.7,
          .directed = true},
         2,
         0.97},
        {{.n = 20, .n_class = 2, .inside = 4, .across = 1, .words = 5, .lean = 0.8}, 1, 0.85},
        {{.n = 20, .n_class = 2, .inside = 4, .across = 1}, 2, 0.85},
        {{.n = 2000, .n_class = 100, .inside = 6, .across = 1, .words = 6, .lean = 0.8}, 3, 0.95},
        {{.n = 300, .n_class = 3, .inside = 0, .across = 4, .words = 8, .lean = 0.9}, 5, 0.85},
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++) {
        gnd_graph *g = planted_graph(t[k].p);
        gnd_split *s = planted_split(g, t[k].per_class, 1);
        gnd_result res = {.size = sizeof res};
        gnd_prediction *p = label(g, s, &res);

        check_sane(p, g, s);
        if (!(res.acc_test >= t[k].least))
            fail_msg("graph %d: accuracy %g", (int)k, res.acc_test);
        CHECK_CLOSE(res.acc_train, 1, 0);
        assert_true(t[k].per_class >= 3 || !gnd_prediction_calibrated(p));
        gnd_prediction_free(p);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

/* Weights count: links across are as many as those inside, but light. */
static void weights_count(void **state)
{
    plan made = {.n = 300, .n_class = 3, .inside = 4, .across = 4, .weighted = true};
    gnd_result with = {.size = sizeof with}, without = {.size = sizeof without};

    (void)state;
    for (int k = 0; k < 2; k++) {
        gnd_graph *g = planted_graph(made);
        gnd_split *s = planted_split(g, 2, 1);

        gnd_prediction_free(label(g, s, k ? &without : &with));
        gnd_split_free(s);
        gnd_graph_free(g);
        made.weighted = false;
    }
    assert_true(with.acc_test > without.acc_test);
}

static void lone_vertices_are_unknown(void **state)
{
    const plan with = {
        .n = 150, .n_class = 3, .inside = 5, .across = 1, .words = 6, .lean = 0.7, .lone = 4};

    (void)state;
    for (int k = 0; k < 2; k++) {
        plan made = with;
        gnd_graph *g;
        gnd_split *s;
        gnd_prediction *p;

        made.words = k ? 0 : with.words;
        g = planted_graph(made);
        s = planted_split(g, 3, 2);
        p = label(g, s, NULL);
        for (int64_t v = 0; v < g->n_node; v++)
            assert_int_equal(gnd_prediction_label(p, v) >= 0, v < 150);
        check_sane(p, g, s);
        gnd_prediction_free(p);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

/* Vertices without information neither influence the others nor raise their confidence. */
static void lone_vertices_do_not_matter(void **state)
{
    plan made = {.n = 600, .n_class = 3, .inside = 3, .across = 3, .words = 6, .lean = 0.5};
    double acc[2] = {0}, sure[2] = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        gnd_graph *g;

        made.lone = k ? 600 : 0;
        g = planted_graph(made);
        for (uint32_t seed = 1; seed <= 4; seed++) {
            gnd_split *s = planted_split(g, 5, seed);
            gnd_result res = {.size = sizeof res};
            gnd_prediction *p = label(g, s, &res);

            acc[k] += res.acc_test / 4;
            for (int64_t v = 0; v < 600; v++)
                sure[k] += (double)gnd_prediction_prob(p, v)[gnd_prediction_argmax(p, v)] / 2400;
            gnd_prediction_free(p);
            gnd_split_free(s);
        }
        gnd_graph_free(g);
    }
    CHECK_CLOSE(acc[1], acc[0], 0.04);
    CHECK_CLOSE(sure[1], sure[0], 0.06);
}

/* A ring, and one feature that some have: all who have it look the same without links, so that
 * there are no features alone to fit to. */
static void one_feature_on_a_ring(void **state)
{
    gnd_graph *g = planted_graph((plan){.n = 60, .n_class = 2});
    gnd_split *s = planted_split(g, 4, 1);
    gnd_prediction *p;
    gnd_error err = {0};

    (void)state;
    gnd_csr_fini(&g->adj);
    gnd_csr_fini(&g->feat);
    CHECK_OK(gnd_csr_init(&g->adj, 60, 60, 60, false, &err));
    CHECK_OK(gnd_csr_init(&g->feat, 60, 1, 15, false, &err));
    g->n_feat = 1;
    for (int32_t v = 0; v < 60; v++) {
        g->adj.col[v] = (v + 1) % 60;
        g->adj.ptr[v + 1] = v + 1;
        g->feat.ptr[v + 1] = v / 4 + 1;
    }
    p = label(g, s, NULL);
    check_sane(p, g, s);
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- bundled graphs ---- */

static gnd_graph *bundled(const char *name, gnd_graph_mode mode)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SOURCE_DIR "/data"};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_load(&raw, name, &o, &err));
    CHECK_OK(gnd_graph_convert(&g, raw, mode, &err));
    gnd_graph_free(raw);
    return g;
}

/* The two who led the parts of the club are enough to tell who went where. */
static void karate_from_its_leaders(void **state)
{
    gnd_graph *g = bundled("karate", GND_GRAPH_STD);
    int32_t leader[2] = {-1, -1}, test[34];
    int64_t n_test = 0;
    gnd_split *s = NULL;
    gnd_prediction *p;
    gnd_result res = {.size = sizeof res};
    gnd_error err = {0};
    char buf[32];

    (void)state;
    assert_int_equal(g->n_node, 34);
    for (int32_t v = 0; v < 34; v++) {
        const char *id = gnd_graph_id(g, v, buf);

        if (strcmp(id, "1") == 0)
            leader[0] = v;
        else if (strcmp(id, "34") == 0)
            leader[1] = v;
        else
            test[n_test++] = v;
    }
    assert_true(leader[0] >= 0 && leader[1] >= 0);
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), leader, 2, NULL, 0, test, n_test},
        &err));
    p = label(g, s, &res);
    check_sane(p, g, s);
    assert_true(res.acc_test > 0.9);
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* The same bits whatever the threads, on a graph large enough that they share the work. */
static void debian_by_any_threads(void **state)
{
    static const int32_t threads[] = {1, 2, 7};
    gnd_graph *g = bundled("debian", GND_GRAPH_STD);
    gnd_split *s = planted_split(g, 5, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *first = NULL;
    gnd_result res = {.size = sizeof res};

    (void)state;
    for (int t = 0; t < 3; t++) {
        const gnd_train_opts o = {.size = sizeof o, .threads = threads[t]};
        gnd_prediction *p = label_with(g, s, c, &o, &res);

        if (t == 0) {
            check_sane(p, g, s);
            assert_true(res.acc_test > 0.6); /* by chance: a tenth */
            assert_true(res.acc_half > res.acc_test + 0.05);
            assert_true(res.ece_test < 0.15);
            assert_true(gnd_prediction_calibrated(p));
            first = p;
            continue;
        }
        assert_memory_equal(gnd_prediction_prob(p, 0), gnd_prediction_prob(first, 0),
                            (size_t)(g->n_node * g->n_class) * sizeof(float));
        assert_int_equal(gnd_prediction_n_note(p), gnd_prediction_n_note(first));
        for (int64_t i = 0; i < gnd_prediction_n_note(p); i++)
            assert_string_equal(gnd_prediction_note(p, i)->text,
                                gnd_prediction_note(first, i)->text);
        gnd_prediction_free(p);
    }
    gnd_prediction_free(first);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Small loops cut up as well. */
static void small_graphs_by_any_threads(void **state)
{
    static const int32_t threads[] = {1, 2, 7};
    gnd_graph *g = planted_clear(700, 4);
    gnd_split *s = planted_split(g, 2, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *first = NULL;

    (void)state;
    setenv("GND_PARALLEL_MIN", "0", 1);
    for (int t = 0; t < 3; t++) {
        const gnd_train_opts o = {.size = sizeof o, .threads = threads[t], .seed = (uint64_t)t};
        gnd_prediction *p = label_with(g, s, c, &o, NULL);

        if (t == 0)
            first = p;
        else {
            assert_memory_equal(gnd_prediction_prob(p, 0), gnd_prediction_prob(first, 0),
                                700 * 4 * sizeof(float));
            gnd_prediction_free(p);
        }
    }
    unsetenv("GND_PARALLEL_MIN");
    gnd_prediction_free(first);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- settings ---- */

/* Every predictor but roles alone labels a clear graph. */
static void settings(void **state)
{
    static const char *const set[][2] = {
        {"predictors", "self_training"},
        {"predictors", "links"},
        {"predictors", "pagerank"},
        {"predictors", "blocks"},
        {"predictors", "features,pagerank"},
        {"calibration", "off"},
        {"teleport", "0.5"},
        {"numeric_by_rank", "off"},
    };
    gnd_graph *g = planted_clear(400, 4);
    gnd_split *s = planted_split(g, 3, 1);
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(set); k++) {
        gnd_config *c = planted_config("auto");
        gnd_result res = {.size = sizeof res};
        gnd_prediction *p;

        CHECK_OK(gnd_config_set(c, set[k][0], set[k][1], &err));
        p = label_with(g, s, c, &serial, &res);
        check_sane(p, g, s);
        if (!(res.acc_test > (strcmp(set[k][0], "predictors") == 0 ? 0.95 : 0.97)))
            fail_msg("%s=%s: accuracy %g", set[k][0], set[k][1], res.acc_test);
        if (strcmp(set[k][0], "calibration") == 0)
            assert_false(gnd_prediction_calibrated(p));
        gnd_prediction_free(p);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- known class shares ---- */

static void shares_of(double *share, const gnd_prediction *p, int32_t n_class)
{
    memset(share, 0, (size_t)n_class * sizeof *share);
    for (int64_t v = 0; v < gnd_prediction_n(p); v++)
        for (int32_t c = 0; c < n_class; c++)
            share[c] += (double)gnd_prediction_prob(p, v)[c] / (double)gnd_prediction_n(p);
}

/* A hard graph: many vertices are uncertain, so that class shares can change. */
static void known_shares_are_matched(void **state)
{
    static const double prior[] = {0.6, 0.3, 0.1};
    gnd_graph *g = planted_graph(
        (plan){.n = 600, .n_class = 3, .inside = 2, .across = 3, .words = 4, .lean = 0.3});
    gnd_split *s = planted_split(g, 2, 1);
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        gnd_config *c = planted_config("auto");
        gnd_train_opts o = serial;
        gnd_prediction *p;
        double share[3], excluded = 0, apart_free = 0;

        CHECK_OK(gnd_config_set(c, "calibration", k ? "on" : "off", &err));
        p = label_with(g, s, c, &o, NULL);
        shares_of(share, p, 3);
        for (int i = 0; i < 3; i++)
            apart_free = fmax(apart_free, fabs(share[i] - prior[i]));
        gnd_prediction_free(p);
        o.prior = prior;
        p = label_with(g, s, c, &o, NULL);
        check_sane(p, g, s);
        shares_of(share, p, 3);
        for (int i = 0; i < 3; i++)
            excluded = fmax(excluded, fabs(share[i] - prior[i]));
        assert_true(apart_free > 0.1);
        if (!(excluded < 1e-3))
            fail_msg("calibration %d: shares %g %g %g", k, share[0], share[1], share[2]);
        gnd_prediction_free(p);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void shares_that_are_refused(void **state)
{
    static const struct {
        const char *method;
        double prior[3];
        const char *say;
    } t[] = {
        {"gcn", {0.4, 0.3, 0.3}, "method gcn cannot use known shares"},
        {"ls", {0.4, 0.3, 0.3}, "method ls cannot use known shares"},
        {"auto", {0.4, 0.3, 0.2}, "sum to 0.9; expected 1"},
        {"auto", {1, 0, 0}, "the share of class 'class1' is 0"},
        {"auto", {1.5, -0.25, -0.25}, "the share of class 'class0' is 1.5"},
        {"auto", {0.5, NAN, 0.5}, "the share of class 'class1' is nan"},
    };
    gnd_graph *g = planted_clear(60, 3);
    gnd_split *s = planted_split(g, 2, 1);
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++) {
        gnd_config *c = planted_config(t[k].method);
        gnd_train_opts o = serial;
        gnd_prediction *p = NULL;
        gnd_model *m = NULL;

        o.prior = t[k].prior;
        CHECK_FAILS(gnd_label(&p, &m, NULL, g, s, c, &o, &err), GND_ERR_ARG, t[k].say);
        assert_null(p);
        assert_null(m);
        CHECK_FAILS(gnd_train(&m, NULL, g, s, c, &o, &err), GND_ERR_ARG, t[k].say);
        assert_null(m);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- notes ---- */

static void a_clear_graph_has_no_warnings(void **state)
{
    gnd_graph *g = planted_clear(400, 4);
    gnd_split *s = planted_split(g, 5, 1);
    gnd_prediction *p = label(g, s, NULL);

    (void)state;
    assert_int_equal(gnd_prediction_n_note(p), 1);
    assert_string_equal(gnd_prediction_note(p, 0)->code, "calibrated");
    assert_int_equal(gnd_prediction_note(p, 0)->severity, GND_NOTE);
    assert_null(gnd_prediction_note(p, 1));
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Links and words drawn by chance: held-out labels are predicted by chance, on about half of such
 * graphs no better. */
static void noise_has_a_warning(void **state)
{
    int64_t times = 0;

    (void)state;
    for (int32_t n_class = 3; n_class <= 8; n_class++) {
        gnd_graph *g = planted_graph((plan){.n = 240, .n_class = n_class, .across = 4, .words = 6});
        gnd_split *s = planted_split(g, 4, 1);
        gnd_prediction *p = label(g, s, NULL);

        times += planted_notes(p, "the labels predicted here may be no better than chance");
        gnd_prediction_free(p);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
    assert_in_range(times, 1, 6);
}

static void suspect_labels_have_warnings(void **state)
{
    gnd_graph *g = planted_clear(400, 4);
    gnd_split *s = planted_split(g, 5, 1);
    const int32_t v = gnd_split_train(s)[7];
    const int32_t right = g->label[v], wrong = (right + 1) % 4;
    gnd_prediction *p;
    char want[80];

    (void)state;
    g->label[v] = wrong;
    p = label(g, s, NULL);
    snprintf(want, sizeof want, "vertex %d is labelled 'class%d', but", v, wrong);
    assert_true(planted_notes(p, want));
    snprintf(want, sizeof want, "the other labels predict 'class%d'", right);
    assert_true(planted_notes(p, want));
    assert_int_equal(gnd_prediction_n_note(p), 2); /* and one on calibration */
    assert_string_equal(gnd_prediction_note(p, 0)->code, "suspect_label");
    assert_int_equal(gnd_prediction_note(p, 0)->severity, GND_WARNING);
    assert_int_equal(gnd_prediction_label(p, v), wrong); /* what the user said stands */
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* A class without a training label is given to no vertex, and there is a warning. */
static void classes_without_labels(void **state)
{
    gnd_graph *g = planted_clear(300, 4);
    const int32_t train[] = {0, 1, 3, 4, 5, 7};
    gnd_split *s = NULL;
    gnd_prediction *p;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), train, 6, NULL, 0, NULL, 0}, &err));
    p = label(g, s, NULL);
    assert_true(planted_notes(p, "class 'class2' has no known label, so no vertex gets it"));
    assert_false(planted_notes(p, "class 'class1' has no known label"));
    for (int64_t v = 0; v < 300; v++) {
        assert_true(gnd_prediction_label(p, v) != 2);
        CHECK_CLOSE(gnd_prediction_prob(p, v)[2], 0, 1e-6);
    }
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Vertex v has words of its own, and its links hardly count. */
static void set_apart(gnd_graph *g, int32_t v)
{
    int32_t word = (int32_t)g->n_feat;

    g->n_feat = g->feat.n_col = g->n_feat + 8;
    for (int64_t q = g->feat.ptr[v]; q < g->feat.ptr[v + 1]; q++)
        g->feat.col[q] = word++;
    for (int64_t q = g->adj.ptr[v]; q < g->adj.ptr[v + 1]; q++)
        g->adj.val[q] = g->adj.val[gnd_csr_find(&g->adj, g->adj.col[q], v)] = (gnd_real)1e-6;
}

/* A class whose only label is on a vertex that resembles no other. */
static void classes_without_support(void **state)
{
    gnd_graph *g = planted_graph((plan){.n = 1200,
                                        .n_class = 3,
                                        .inside = 5,
                                        .across = 1,
                                        .words = 6,
                                        .lean = 0.8,
                                        .weighted = true});
    const int32_t train[] = {0, 1, 2, 77};
    gnd_split *s = NULL;
    gnd_prediction *p;
    int32_t number;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_class_of(&number, g, "odd one", 7, &err));
    g->label[77] = number;
    set_apart(g, 77);
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), train, 4, NULL, 0, NULL, 0}, &err));
    p = label(g, s, NULL);
    assert_true(planted_notes(p, "class 'odd one' has little support: "));
    assert_false(planted_notes(p, "class 'class0' has little support"));
    assert_int_equal(gnd_prediction_label(p, 77), number);
    gnd_prediction_free(p);
    gnd_split_free(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_graphs),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(lone_vertices_are_unknown),
        cmocka_unit_test(lone_vertices_do_not_matter),
        cmocka_unit_test(one_feature_on_a_ring),
        cmocka_unit_test(karate_from_its_leaders),
        cmocka_unit_test(debian_by_any_threads),
        cmocka_unit_test(small_graphs_by_any_threads),
        cmocka_unit_test(settings),
        cmocka_unit_test(known_shares_are_matched),
        cmocka_unit_test(shares_that_are_refused),
        cmocka_unit_test(a_clear_graph_has_no_warnings),
        cmocka_unit_test(noise_has_a_warning),
        cmocka_unit_test(suspect_labels_have_warnings),
        cmocka_unit_test(classes_without_labels),
        cmocka_unit_test(classes_without_support),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
