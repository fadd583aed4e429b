/* SPDX-License-Identifier: MIT
 * test_model_file_nomem.c - saving and loading models with every allocation failing in turn, the
 * JSON library's too. */
#include <jansson.h>
#include <unistd.h>

#include "fixture.h"
#include "mallocfail.h"
#include "temp.h"
#include "model/model.h"

static char folder[] = "/tmp/gnd-checkpoint-XXXXXX", path[64];
static gnd_model *model;

/* A graph without features, whose vertices the model names. */
static int setup(void **state)
{
    gnd_graph *g = fixture_two_rings(6, 0);
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_error err = {0};

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/m", folder);
    gnd_csr_fini(&g->feat);
    g->n_feat = 0;
    g->ids = gnd_names_new();
    for (char id[] = "a"; gnd_names_count(g->ids) < g->n_node; id[0]++)
        gnd_names_add(g->ids, id, 1);
    CHECK_OK(gnd_split_new(
        &s, g, &(gnd_split_opts){.size = sizeof(gnd_split_opts), .per_class = 2, .seed = 1}, &err));
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(c, "epochs_alone", "3", &err));
    CHECK_OK(gnd_train(&model, NULL, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gnd_model_free(model);
    unlink(path);
    return rmdir(folder);
}

static void save_and_load(void **state)
{
    gnd_model *m = NULL;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_model_save(model, path, &err), assert_int_not_equal(access(path, F_OK), 0));
    NOMEM_WALK(gnd_model_load(&m, path, &err), assert_null(m));
    assert_memory_equal(m->params.v, model->params.v, (size_t)m->params.size * sizeof *m->params.v);
    gnd_model_free(m);
}

static int64_t json_left = -1; /* negative: no limit */

static int64_t json_bad = -1; /* the one allocation that fails, counted down; negative: none */

static void *json_alloc(size_t n)
{
    if (json_bad >= 0 && json_bad-- == 0)
        return NULL;
    if (json_left == 0)
        return NULL;
    json_left -= json_left > 0;
    return malloc(n);
}

/* A header that lost a class for want of memory would be a wrong model, not a failed save. */
static void json_has_no_memory(void **state)
{
    gnd_model *m = NULL;
    gnd_error err;
    gnd_status st = GND_ERR_NOMEM;

    (void)state;
    unlink(path);
    for (int64_t k = 0; st != GND_OK; k++) {
        err = (gnd_error){0};
        json_left = k;
        st = gnd_model_save(model, path, &err);
        json_left = -1;
        if (st != GND_OK)
            assert_int_equal(st, GND_ERR_NOMEM);
        assert_int_equal(access(path, F_OK) == 0, st == GND_OK);
    }
    CHECK_OK(gnd_model_load(&m, path, &err));
    assert_int_equal(gnd_model_n_class(m), gnd_model_n_class(model));
    gnd_model_free(m);
    st = GND_ERR_NOMEM;
    for (int64_t k = 0; st != GND_OK; k++) {
        err = (gnd_error){0};
        json_left = k;
        st = gnd_model_load(&m, path, &err);
        json_left = -1;
        assert_int_equal(m != NULL, st == GND_OK);
        assert_int_equal(err.msg[0] == '\0', st == GND_OK);
    }
    assert_memory_equal(m->params.v, model->params.v, (size_t)m->params.size * sizeof *m->params.v);
    assert_int_equal(gnd_model_n_class(m), gnd_model_n_class(model));
    gnd_model_free(m);
}

/* One failure among allocations that succeed must not be lost either. */
static void json_fails_once(void **state)
{
    gnd_model *m = NULL;
    gnd_error err;
    size_t n_whole, n;
    char *whole, *got;
    int64_t k = 0;

    (void)state;
    CHECK_OK(gnd_model_save(model, path, &err));
    whole = temp_slurp(path, &n_whole);
    for (;; k++) {
        gnd_status st;

        unlink(path);
        err = (gnd_error){0};
        json_bad = k;
        st = gnd_model_save(model, path, &err);
        if (json_bad >= 0) { /* it was never reached */
            json_bad = -1;
            break;
        }
        if (st != GND_OK) {
            assert_int_equal(st, GND_ERR_NOMEM);
            assert_int_not_equal(access(path, F_OK), 0);
            continue;
        }
        got = temp_slurp(path, &n);
        assert_int_equal(n, n_whole);
        assert_memory_equal(got, whole, n);
        free(got);
    }
    assert_true(k > 10);
    for (k = 0;; k++) {
        gnd_status st;

        err = (gnd_error){0};
        json_bad = k;
        st = gnd_model_load(&m, path, &err);
        if (st == GND_OK) {
            assert_int_equal(m->config.method == model->config.method, 1);
            assert_int_equal(gnd_names_count(m->ids), gnd_names_count(model->ids));
            gnd_model_free(m);
        } else {
            assert_null(m);
            assert_true(err.msg[0]);
        }
        if (json_bad >= 0)
            break;
    }
    json_bad = -1;
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(save_and_load),
        cmocka_unit_test(json_has_no_memory),
        cmocka_unit_test(json_fails_once),
    };

    json_set_alloc_funcs(json_alloc, free);
    return cmocka_run_group_tests(tests, setup, teardown);
}
