/* SPDX-License-Identifier: MIT
 * test_train_label.c - labelling at once beside training and predicting, models kept in files, and
 * what is not said when it is not sure enough. */
#include "planted.h"
#include "train/predict.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static void check_same(const gnd_prediction *a, const gnd_prediction *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_class, b->n_class);
    assert_memory_equal(a->prob, b->prob, (size_t)(a->n * a->n_class) * sizeof *a->prob);
    assert_memory_equal(a->top, b->top, (size_t)a->n * sizeof *a->top);
    assert_memory_equal(a->known, b->known, (size_t)a->n);
    assert_int_equal(a->calibrated, b->calibrated);
    assert_int_equal(a->notes.n, b->notes.n);
    for (int64_t i = 0; i < a->notes.n; i++) {
        assert_string_equal(a->notes.list[i].code, b->notes.list[i].code);
        assert_string_equal(a->notes.list[i].text, b->notes.list[i].text);
    }
}

/* ---- at once ---- */

static void same_as_train_and_predict(void **state)
{
    static const char *const methods[] = {"auto", "gcn", "gnd-slp", "ls", "cs", "sgc"};
    gnd_graph *g = planted_graph((plan){
        .n = 150, .n_class = 3, .inside = 4, .across = 2, .words = 5, .lean = 0.5, .lone = 3});
    gnd_split *s = planted_split(g, 4, 1);
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(methods); k++) {
        gnd_config *c = planted_config(methods[k]);
        gnd_prediction *at_once = NULL, *after = NULL, *only = NULL;
        gnd_model *m = NULL, *same = NULL;
        gnd_result res = {0}, res_train = {0};

        CHECK_OK(gnd_train(&m, &res_train, g, s, c, &serial, &err));
        CHECK_OK(gnd_predict(&after, m, g, &serial, &err));
        CHECK_OK(gnd_label(&at_once, &same, &res, g, s, c, &serial, &err));
        check_same(at_once, after);
        CHECK_CLOSE(res.acc_test, res_train.acc_test, 0);
        CHECK_CLOSE(res.loss_train, res_train.loss_train, 1e-5);
        CHECK_OK(gnd_label(&only, NULL, NULL, g, s, c, &serial, &err));
        check_same(only, at_once);
        gnd_prediction_free(after);
        CHECK_OK(gnd_predict(&after, same, g, &serial, &err)); /* the model it gives is the same */
        check_same(after, at_once);
        gnd_prediction_free(only);
        gnd_prediction_free(after);
        gnd_prediction_free(at_once);
        gnd_model_free(same);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* A model in a file has its labels and its known shares. */
static void same_from_a_file(void **state)
{
    static const double prior[] = {0.5, 0.3, 0.2};
    gnd_graph *g = planted_graph((plan){
        .n = 200, .n_class = 3, .inside = 3, .across = 2, .words = 4, .lean = 0.4, .lone = 2});
    gnd_split *s = planted_split(g, 3, 1);
    gnd_config *c = planted_config("auto");
    char path[] = "/tmp/gnd-label-XXXXXX";
    const int fd = mkstemp(path);
    gnd_error err = {0};

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    for (int k = 0; k < 2; k++) {
        gnd_train_opts o = serial;
        gnd_prediction *p = NULL, *again = NULL;
        gnd_model *m = NULL, *loaded = NULL;

        o.prior = k ? prior : NULL;
        CHECK_OK(gnd_label(&p, &m, NULL, g, s, c, &o, &err));
        CHECK_OK(gnd_model_save(m, path, &err));
        CHECK_OK(gnd_model_load(&loaded, path, &err));
        CHECK_OK(gnd_predict(&again, loaded, g, &serial, &err));
        check_same(again, p);
        gnd_prediction_free(again);
        gnd_prediction_free(p);
        gnd_model_free(loaded);
        gnd_model_free(m);
    }
    unlink(path);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* On a graph where none of its labels stands the model has nothing to say. */
static void another_graph(void **state)
{
    gnd_graph *g = planted_clear(90, 3), *other = planted_clear(90, 3);
    gnd_split *s = planted_split(g, 2, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    (void)state;
    other->ids = gnd_names_new();
    for (int64_t v = 0; v < 90; v++) {
        char id[16];
        const int len = snprintf(id, sizeof id, "new%d", (int)v);

        assert_int_equal(gnd_names_add(other->ids, id, (size_t)len), v);
    }
    CHECK_OK(gnd_train(&m, NULL, g, s, c, &serial, &err));
    CHECK_FAILS(gnd_predict(&p, m, other, &serial, &err), GND_ERR_ARG,
                "none of the vertices whose labels the model knows is in this graph");
    assert_null(p);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(other);
    gnd_graph_free(g);
}

/* ---- abstaining ---- */

/* Two classes; the surer one has these probabilities. A negative one: unknown already. */
static gnd_prediction made(const float *sure, int64_t n)
{
    gnd_prediction p = {.n = n, .n_class = 2};

    p.prob = calloc((size_t)(2 * n), sizeof *p.prob);
    p.top = calloc((size_t)n, sizeof *p.top);
    p.known = calloc((size_t)n, 1);
    for (int64_t i = 0; i < n; i++) {
        p.top[i] = (int32_t)(i % 2);
        p.known[i] = sure[i] >= 0;
        p.prob[2 * i + i % 2] = fabsf(sure[i]);
        p.prob[2 * i + 1 - i % 2] = 1 - fabsf(sure[i]);
    }
    return p;
}

static void made_free(gnd_prediction *p)
{
    free(p->prob);
    free(p->top);
    free(p->known);
}

static void abstains(void **state)
{
    static const float sure[] = {0.5f, 1, 0.875f, -1, 0.75f, 0.875f, 1, 0.625f};
    static const struct {
        double risk;
        const char *known; /* of the vertices above */
    } t[] = {
        {0, "01000010"},   /* what is certain stays and is no credit to the rest */
        {0.1, "01000010"}, /* both of 0.875 or none, and they are wrong by 0.125 */
        {0.125, "01100110"}, {0.16, "01100110"}, /* with 0.75: 0.167 */
        {0.17, "01101110"},  {0.22, "01101111"}, {0.28, "11101111"}, {1, "11101111"},
    };
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++) {
        gnd_prediction p = made(sure, LENGTH(sure));
        int64_t n = -1, became = 0;

        CHECK_OK(gnd_prediction_abstain(&p, t[k].risk, &n, &err));
        for (int64_t i = 0; i < p.n; i++) {
            if (p.known[i] != t[k].known[i] - '0')
                fail_msg("risk %g, vertex %d: known %d", t[k].risk, (int)i, p.known[i]);
            assert_int_equal(gnd_prediction_label(&p, i), p.known[i] ? i % 2 : -1);
            assert_int_equal(gnd_prediction_argmax(&p, i), i % 2);
            became += sure[i] >= 0 && !p.known[i];
        }
        assert_int_equal(n, became);
        CHECK_OK(gnd_prediction_abstain(&p, t[k].risk, NULL, &err)); /* again: nothing more */
        for (int64_t i = 0; i < p.n; i++)
            assert_int_equal(p.known[i], t[k].known[i] - '0');
        made_free(&p);
    }
}

static void abstains_from_all(void **state)
{
    static const float sure[] = {0.5f, 0.75f, 0.625f};
    static const double bad[] = {-0.1, 1.1, NAN};
    gnd_prediction p = made(sure, 3);
    int64_t n;
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(bad); k++) {
        CHECK_FAILS(gnd_prediction_abstain(&p, bad[k], &n, &err), GND_ERR_ARG, "expected 0 to 1");
        assert_true(p.known[0] && p.known[1] && p.known[2]);
    }
    CHECK_OK(gnd_prediction_abstain(&p, 0.1, &n, &err));
    assert_int_equal(n, 3);
    CHECK_OK(gnd_prediction_abstain(&p, 1, &n, &err)); /* what is unknown stays so */
    assert_int_equal(n, 0);
    assert_true(!p.known[0] && !p.known[1] && !p.known[2]);
    made_free(&p);
}

/* On a hard graph: a smaller risk leaves fewer, of whom more are right. */
static void less_risk_fewer_labels(void **state)
{
    static const double risk[] = {1, 0.3, 0.2, 0.1, 0.05, 0};
    gnd_graph *g = planted_graph(
        (plan){.n = 600, .n_class = 3, .inside = 2, .across = 3, .words = 4, .lean = 0.3});
    gnd_split *s = planted_split(g, 5, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    int64_t before = 600;
    double first = 0;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err));
    for (int64_t k = 0; k < LENGTH(risk); k++) {
        int64_t known = 0, right = 0;
        double wrong = 0;

        CHECK_OK(gnd_prediction_abstain(p, risk[k], NULL, &err));
        for (int64_t v = 0; v < 600; v++)
            if (gnd_prediction_label(p, v) >= 0) {
                known++;
                right += gnd_prediction_label(p, v) == g->label[v];
                wrong += 1 - (double)gnd_prediction_prob(p, v)[gnd_prediction_label(p, v)];
            }
        assert_true(k == 0 ? known == 600 : known <= before);
        assert_true(wrong <= risk[k] * (double)known + 1e-6);
        assert_true(known >= gnd_split_n_train(s)); /* they are certain */
        before = known;
        if (k == 0)
            first = (double)right / 600;
        if (k == 3)
            assert_true((double)right > (first + 0.05) * (double)known);
    }
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_train_and_predict),
        cmocka_unit_test(same_from_a_file),
        cmocka_unit_test(another_graph),
        cmocka_unit_test(abstains),
        cmocka_unit_test(abstains_from_all),
        cmocka_unit_test(less_risk_fewer_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
