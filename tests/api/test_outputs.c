/* SPDX-License-Identifier: MIT
 * test_outputs.c - results as whole arrays: they agree with the functions that return one value. */
#include "fixture.h"

static gnd_split *split_of(const gnd_graph *g, int64_t n_val)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = 3, .n_val = n_val, .seed = 1};
    gnd_split *s = NULL;
    gnd_error err;

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    return s;
}

typedef struct {
    double column[4][64];
    int64_t n;
} recorded;

static int record(const gnd_epoch *e, void *user)
{
    recorded *r = user;

    r->column[GND_HISTORY_LOSS_TRAIN][e->epoch] = e->loss_train;
    r->column[GND_HISTORY_ACC_TRAIN][e->epoch] = e->acc_train;
    r->column[GND_HISTORY_LOSS_VAL][e->epoch] = e->loss_val;
    r->column[GND_HISTORY_ACC_VAL][e->epoch] = e->acc_val;
    r->n = e->epoch + 1;
    return 0;
}

static gnd_model *trained(const gnd_graph *g, const char *method, const char *epochs, recorded *r)
{
    const gnd_train_opts o = {
        .size = sizeof o, .seed = 2, .threads = 1, .on_epoch = r ? record : NULL, .user = r};
    gnd_split *s = split_of(g, 6);
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err;

    CHECK_OK(gnd_config_new(&c, method, &err));
    if (epochs)
        CHECK_OK(gnd_config_set(c, "epochs", epochs, &err));
    CHECK_OK(gnd_train(&m, NULL, g, s, c, &o, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

static void history(void **state)
{
    gnd_graph *g = fixture_two_rings(14, 2);
    recorded r = {0};
    gnd_model *m = trained(g, "gcn", "20", &r), *quiet = trained(g, "gcn", "20", NULL),
              *automatic = trained(g, "auto", NULL, NULL);
    int64_t n = -1;

    (void)state;
    for (int k = 0; k < 4; k++) {
        const double *h = gnd_model_history(m, (gnd_history_column)k, &n);

        assert_int_equal(n, r.n);
        assert_true(n > 0);
        for (int64_t e = 0; e < n; e++) {
            CHECK_CLOSE(h[e], r.column[k][e], 0);
            CHECK_CLOSE(h[e], gnd_model_history(quiet, (gnd_history_column)k, NULL)[e], 0);
        }
        assert_null(gnd_model_history(automatic, (gnd_history_column)k, &n));
        assert_int_equal(n, 0);
    }
    assert_null(gnd_model_history(m, (gnd_history_column)4, &n));
    assert_int_equal(n, 0);
    assert_null(gnd_model_history(m, (gnd_history_column)-1, NULL));
    gnd_model_free(automatic);
    gnd_model_free(quiet);
    gnd_model_free(m);
    gnd_graph_free(g);
}

static void tensors(void **state)
{
    gnd_graph *g = fixture_two_rings(14, 2);
    gnd_model *m = trained(g, "gnd-slp", "5", NULL), *automatic = trained(g, "auto", NULL, NULL);
    const char *name = NULL;
    int64_t rows, cols, n_alpha = 0;

    (void)state;
    assert_true(gnd_model_n_tensor(m) > 1);
    for (int32_t i = 0; i < gnd_model_n_tensor(m); i++) {
        const float *v = gnd_model_tensor(m, i, &name, &rows, &cols);

        assert_non_null(v);
        assert_non_null(name);
        assert_true(rows > 0 && cols > 0);
        for (int64_t k = 0; k < rows * cols; k++)
            assert_true(isfinite(v[k]));
        if (strcmp(name, "alpha") == 0) {
            gnd_hop_weights *w = NULL;
            gnd_error err;

            CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
            assert_int_equal(rows * cols, gnd_hop_weights_n_hop(w));
            n_alpha++;
            gnd_hop_weights_free(w);
        }
    }
    assert_int_equal(n_alpha, 1);
    assert_null(gnd_model_tensor(m, -1, &name, &rows, &cols));
    assert_null(name);
    assert_int_equal(rows + cols, 0);
    assert_null(gnd_model_tensor(m, gnd_model_n_tensor(m), NULL, NULL, NULL));
    assert_int_equal(gnd_model_n_tensor(automatic), 0);
    gnd_model_free(automatic);
    gnd_model_free(m);
    gnd_graph_free(g);
}

static void check_prediction(const gnd_prediction *p)
{
    int32_t C = 0;
    const int32_t *label = gnd_prediction_labels(p);
    const float *prob = gnd_prediction_probs(p, &C);

    assert_int_equal(C, 2);
    assert_ptr_equal(gnd_prediction_probs(p, NULL), prob);
    for (int64_t i = 0; i < gnd_prediction_n(p); i++) {
        assert_int_equal(label[i], gnd_prediction_label(p, i));
        assert_ptr_equal(prob + i * C, gnd_prediction_prob(p, i));
    }
}

static void predictions(void **state)
{
    gnd_graph *g = fixture_two_rings(14, 2);
    gnd_split *s = split_of(g, 0);
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_prediction *p = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_config_new(&c, "auto", &err));
    CHECK_OK(gnd_label(&p, &m, NULL, g, s, c, NULL, &err));
    check_prediction(p);
    assert_int_equal(gnd_prediction_labels(p)[28], -1); /* a vertex that no label reaches */
    CHECK_OK(gnd_prediction_clamp(p, m, g, &err));
    check_prediction(p);
    assert_int_equal(gnd_prediction_labels(p)[20], 1);
    CHECK_OK(gnd_prediction_abstain(p, 0.0, NULL, &err));
    check_prediction(p);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void hop_weights(void **state)
{
    static const char *const method[] = {"gnd-slp", "gnd-attn"};
    gnd_graph *g = fixture_two_rings(14, 2);
    gnd_error err;

    (void)state;
    for (int k = 0; k < 2; k++) {
        gnd_model *m = trained(g, method[k], "2", NULL);
        gnd_hop_weights *w = NULL;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        assert_int_equal(gnd_hop_weights_shared(w), k == 0);
        for (int64_t i = 0; i < gnd_hop_weights_n(w); i++)
            assert_ptr_equal(gnd_hop_weights_get(w, i),
                             gnd_hop_weights_all(w) + (k == 0 ? 0 : i * gnd_hop_weights_n_hop(w)));
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

static void version(void **state)
{
    char text[32];
    const int32_t n = gnd_version_number();

    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", n / 10000, n / 100 % 100, n % 100);
    assert_string_equal(text, gnd_version());
    assert_int_equal(n, GND_VERSION_MAJOR * 10000 + GND_VERSION_MINOR * 100 + GND_VERSION_PATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(history), cmocka_unit_test(tensors),
                                       cmocka_unit_test(predictions), cmocka_unit_test(hop_weights),
                                       cmocka_unit_test(version)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
