/* SPDX-License-Identifier: MIT
 * test_sweep.c - sweeps and model selection through the public header: the figures are those that
 * `gnd compare --pick --json` prints, a store changes nothing, mistakes are refused. */
#include <gnd.h>
#include <jansson.h>

#include "check.h"

static const char *const data[] = {"karate"};
static const char *const methods[] = {"jknet", "gcn"};
static const int32_t counts[] = {1, 2};

static gnd_sweep_opts opts(void)
{
    static const gnd_sweep_setting raw = {GND_GRAPH_RAW, "original"};

    return (gnd_sweep_opts){.size = sizeof(gnd_sweep_opts),
                            .datasets = data,
                            .n_dataset = 1,
                            .data_dir = GND_SOURCE_DIR "/data",
                            .settings = &raw,
                            .n_setting = 1,
                            .methods = methods,
                            .n_method = 2,
                            .vary = "layers=1,2,3",
                            .pick = true,
                            .per_class = counts,
                            .n_per_class = 2,
                            .n_split = 3,
                            .n_val = 10,
                            .seed = 1};
}

static gnd_sweep *sweep(const gnd_sweep_opts *o)
{
    gnd_sweep *s = NULL;
    gnd_error err = {0};

    if (gnd_sweep_new(&s, o, &err) != GND_OK || gnd_sweep_train(s, false, &err) != GND_OK)
        fail_msg("%s", err.msg);
    return s;
}

static json_t *printed(void)
{
    FILE *f = popen(GND_PROGRAM " compare karate --data-dir " GND_SOURCE_DIR
                                "/data --methods jknet,gcn --vary layers=1,2,3 --pick "
                                "--labels-per-class 1,2 --splits 3 --validation 10 -q --json",
                    "r");
    json_t *o = f ? json_loadf(f, 0, NULL) : NULL;

    assert_non_null(o);
    assert_int_equal(pclose(f), 0);
    return o;
}

static double real_of(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static void picks_as_the_command(void **state)
{
    const gnd_sweep_opts o = opts();
    gnd_sweep *s = sweep(&o);
    json_t *all = printed(), *cells = json_object_get(all, "cells");

    (void)state;
    assert_int_equal(gnd_sweep_n_row(s), 2);
    assert_int_equal(gnd_sweep_row_n_variant(s, 0), 3);
    assert_int_equal(gnd_sweep_n_done(s), 1);
    assert_int_equal(json_array_size(cells), 4);
    for (int64_t k = 0; k < 4; k++) {
        const gnd_sweep_cell *c = gnd_sweep_cell_get(s, 0, k / 2, k % 2);
        const json_t *e = json_array_get(cells, (size_t)k);

        assert_string_equal(json_string_value(json_object_get(e, "method")),
                            gnd_sweep_row_method(s, k / 2));
        assert_string_equal(json_string_value(json_object_get(e, "variant")), c->variant);
        CHECK_CLOSE(real_of(e, "mean"), c->cell->mean, 1e-9);
        CHECK_CLOSE(real_of(e, "std"), c->cell->std, 1e-9);
        CHECK_CLOSE(real_of(e, "mean_val"), c->cell->mean_val, 1e-9);
        assert_int_equal(json_is_true(json_object_get(e, "best")), c->is_best);
    }
    json_decref(all);
    gnd_sweep_free(s);
}

/* The value of highest mean validation accuracy represents the method, with that value's figures.
 */
static void picks_the_best_value(void **state)
{
    gnd_sweep_opts o = opts();
    gnd_sweep *picked = sweep(&o), *each;

    (void)state;
    o.pick = false;
    each = sweep(&o);
    assert_int_equal(gnd_sweep_n_row(each), 6);
    assert_string_equal(gnd_sweep_row_name(each, 1), "jknet layers=2");
    for (int64_t k = 0; k < 4; k++) {
        const gnd_sweep_cell *c = gnd_sweep_cell_get(picked, 0, k / 2, k % 2), *best = NULL;

        for (int64_t v = 0; v < 3; v++) {
            const gnd_sweep_cell *one = gnd_sweep_cell_get(each, 0, k / 2 * 3 + v, k % 2);

            if (!best || one->cell->mean_val > best->cell->mean_val)
                best = one;
        }
        assert_string_equal(c->variant, best->variant);
        CHECK_CLOSE(c->cell->mean, best->cell->mean, 0);
    }
    gnd_sweep_free(picked);
    gnd_sweep_free(each);
}

/* Of values with equal validation accuracy the first one is chosen. Both values of `smooth` give
 * the same results. */
static void ties_go_to_the_first_value(void **state)
{
    static const char *const order[] = {"smooth=once,each_pass", "smooth=each_pass,once"};
    static const char *const first[] = {"smooth=once", "smooth=each_pass"};
    static const char *const sgc[] = {"sgc"};

    (void)state;
    for (int64_t k = 0; k < LENGTH(order); k++) {
        gnd_sweep_opts o = opts();
        gnd_sweep *s;

        o.methods = sgc;
        o.n_method = 1;
        o.vary = order[k];
        s = sweep(&o);
        for (int64_t q = 0; q < LENGTH(counts); q++)
            assert_string_equal(gnd_sweep_cell_get(s, 0, 0, q)->variant, first[k]);
        gnd_sweep_free(s);
    }
}

/* jknet's depth is searched from 1 to 20 layers, as arXiv:2201.09698 says, the shallowest first. */
static void searched_depths(void **state)
{
    const char *setting = NULL, *values = NULL, *at;
    gnd_error err = {0};
    gnd_config *c = NULL;
    char layers[8];

    (void)state;
    CHECK_OK(gnd_config_new(&c, "jknet", &err));
    assert_true(gnd_config_search(c, &setting, &values));
    assert_string_equal(setting, "layers");
    at = values;
    for (int k = 1; k <= 20; k++) {
        snprintf(layers, sizeof layers, k < 20 ? "%d," : "%d", k);
        assert_int_equal(strncmp(at, layers, strlen(layers)), 0);
        at += strlen(layers);
    }
    assert_int_equal(*at, 0);
    gnd_config_free(c);
}

static int count_calls(const gnd_sweep_progress *p, void *user)
{
    int64_t *n = user;

    assert_in_range(p->done, 1, p->total);
    assert_true(p->share >= 0 && p->share <= 1 && p->seconds_left >= 0);
    return ++*n < 0;
}

/* Searching on one split and then training the best value on all costs fewer runs; a second sweep
 * takes all of them from the store. */
static void searches_and_stores(void **state)
{
    gnd_sweep_opts o = opts();
    int64_t n = 0, done, total;
    char path[] = "/tmp/gnd-sweep-XXXXXX";
    const int fd = mkstemp(path);
    gnd_error err = {0};
    gnd_sweep *s, *again = NULL;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    assert_int_equal(gnd_store_open(&o.store, path, &err), GND_OK);
    o.n_search = 1;
    o.on_progress = count_calls;
    o.user = &n;
    o.keep_runs = true;
    s = sweep(&o);
    gnd_sweep_count(s, &done, &total);
    assert_int_equal(total, 2 * 2 * (3 * 1 + 2)); /* methods, label counts, search and the rest */
    assert_int_equal(done, total);
    assert_int_equal(gnd_sweep_n_run(s), total);
    assert_ptr_equal(gnd_sweep_run_get(s, 0)->run->result != NULL, true);
    assert_null(gnd_sweep_run_get(s, total));
    assert_int_equal(gnd_store_count(o.store), total);
    assert_int_equal(gnd_sweep_new(&again, &o, &err), GND_OK);
    assert_int_equal(gnd_sweep_train(again, true, &err), GND_OK);
    for (int64_t k = 0; k < 4; k++) {
        assert_int_equal(gnd_sweep_cell_get(again, 0, k / 2, k % 2)->cell->n, 3);
        CHECK_CLOSE(gnd_sweep_cell_get(again, 0, k / 2, k % 2)->cell->mean,
                    gnd_sweep_cell_get(s, 0, k / 2, k % 2)->cell->mean, 0);
    }
    gnd_sweep_free(s);
    gnd_sweep_free(again);
    gnd_store_close(o.store);
    unlink(path);
}

static int stop(const gnd_sweep_progress *p, void *user)
{
    (void)p, (void)user;
    return 1;
}

static void refuses(gnd_sweep_opts o, const char *why)
{
    gnd_sweep *s = NULL;
    gnd_error err = {0};

    assert_int_equal(gnd_sweep_new(&s, &o, &err), GND_ERR_ARG);
    assert_null(s);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
}

static void mistakes(void **state)
{
    gnd_sweep_opts o = opts();
    gnd_error err = {0};
    gnd_sweep *s = NULL;

    (void)state;
    o.vary = "layer=1,2";
    refuses(o, "did you mean layers?");
    o.vary = "layers=1,,2";
    refuses(o, "separated by commas");
    o.vary = "layers";
    refuses(o, "NAME=V1");
    o.vary = "layers=1,x";
    refuses(o, "layers=x");
    o = opts();
    o.n_val = 0;
    refuses(o, "validation");
    o = opts();
    o.methods = (const char *const[]){"gnd-slpp", "gcn"};
    refuses(o, "did you mean 'gnd-slp'?");
    o = opts();
    o.n_dataset = 0;
    refuses(o, "data sets");
    o = opts();
    o.size = 3;
    refuses(o, "size");
    o = opts();
    o.on_progress = stop;
    assert_int_equal(gnd_sweep_new(&s, &o, &err), GND_OK);
    assert_int_equal(gnd_sweep_train(s, false, &err), GND_ERR_STOPPED);
    assert_int_equal(gnd_sweep_n_done(s), 0);
    assert_null(gnd_sweep_cell_get(s, 1, 0, 0));
    assert_null(gnd_sweep_row_name(s, 9));
    gnd_sweep_free(s);
    gnd_sweep_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picks_as_the_command),       cmocka_unit_test(picks_the_best_value),
        cmocka_unit_test(ties_go_to_the_first_value), cmocka_unit_test(searched_depths),
        cmocka_unit_test(searches_and_stores),        cmocka_unit_test(mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
