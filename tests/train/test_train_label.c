/* SPDX-License-Identifier: MIT
 * test_train_label.c - labelling at once beside training and predicting, and models kept in files.
 */
#include "planted.h"
#include "train/predict.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

static void check_same(const gnd_prediction *a, const gnd_prediction *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_class, b->n_class);
    assert_memory_equal(a->prob, b->prob, (size_t)(a->n * a->n_class) * sizeof *a->prob);
    assert_memory_equal(a->top, b->top, (size_t)a->n * sizeof *a->top);
    assert_memory_equal(a->label, b->label, (size_t)a->n * sizeof *a->label);
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
        gnd_result res = {.size = sizeof res}, res_train = {.size = sizeof res_train};

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_train_and_predict),
        cmocka_unit_test(same_from_a_file),
        cmocka_unit_test(another_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
