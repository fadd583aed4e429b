/* SPDX-License-Identifier: MIT
 * Wrong arguments to the public interface: indices out of range, names that are NULL, sizes that
 * are not set. Each gives NULL, -1, NAN or GND_ERR_ARG, never a crash. Uses gnd.h only. */
#include <math.h>

#include "check.h"
#include "gnd.h"

static gnd_graph *graph;
static gnd_split *split;
static gnd_config *config;
static gnd_model *model;
static gnd_prediction *prediction;

static int setup(void **state)
{
    const gnd_load_opts lo = {.size = sizeof lo, .data_dir = GND_SOURCE_DIR "/data"};
    const gnd_split_opts so = {.size = sizeof so, .per_class = 2, .seed = 1};
    gnd_error err = {0};

    (void)state;
    return gnd_load(&graph, "karate", &lo, &err) || gnd_split_new(&split, graph, &so, &err) ||
           gnd_config_new(&config, "auto", &err) ||
           gnd_label(&prediction, &model, NULL, graph, split, config, NULL, &err);
}

static int teardown(void **state)
{
    (void)state;
    gnd_prediction_free(prediction);
    gnd_model_free(model);
    gnd_config_free(config);
    gnd_split_free(split);
    gnd_graph_free(graph);
    return 0;
}

static const int64_t outside[] = {-1, 34, INT64_MAX, INT64_MIN};
enum { N_OUTSIDE = sizeof outside / sizeof outside[0] };

static void vertices(void **state)
{
    char id[32];

    (void)state;
    assert_int_equal(gnd_graph_n_node(graph), 34);
    assert_non_null(gnd_graph_id(graph, 33, id));
    assert_non_null(gnd_prediction_prob(prediction, 33));
    for (int k = 0; k < N_OUTSIDE; k++) {
        assert_null(gnd_graph_id(graph, outside[k], id));
        assert_int_equal(gnd_graph_label(graph, outside[k]), -1);
        assert_int_equal(gnd_prediction_label(prediction, outside[k]), -1);
        assert_int_equal(gnd_prediction_argmax(prediction, outside[k]), -1);
        assert_null(gnd_prediction_prob(prediction, outside[k]));
        assert_null(gnd_graph_note(graph, outside[k]));
        assert_null(gnd_prediction_note(prediction, outside[k]));
    }
}

static void classes(void **state)
{
    gnd_metrics *m = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_metrics_new(&m, prediction, graph, NULL, 0, &err));
    for (int32_t c = -1; c <= 2; c += 3) {
        assert_null(gnd_graph_class_name(graph, c));
        assert_null(gnd_model_class_name(model, c));
        assert_true(isnan(gnd_metrics_precision(m, c)));
        assert_true(isnan(gnd_metrics_recall(m, c)));
        assert_true(isnan(gnd_metrics_f1(m, c)));
        assert_int_equal(gnd_metrics_confusion(m, 0, c), -1);
        assert_int_equal(gnd_metrics_confusion(m, c, 0), -1);
    }
    gnd_metrics_free(m);
    for (int32_t v = -1; v <= 34; v += 35)
        CHECK_FAILS(gnd_metrics_new(&m, prediction, graph, &v, 1, &err), GND_ERR_ARG,
                    "the list contains vertex");
    CHECK_FAILS(gnd_metrics_new(&m, prediction, graph, (const int32_t[]){0}, -1, &err), GND_ERR_ARG,
                "length -1");
}

/* Lists of names and configs: one of them is NULL, or names nothing. */
static void members(void **state)
{
    static const int32_t five = 5;
    const char *name[] = {"karate"}, *none[] = {NULL};
    gnd_sweep_setting setting = {GND_GRAPH_RAW, NULL};
    gnd_sweep_opts o = {.size = sizeof o,
                        .datasets = name,
                        .n_dataset = 1,
                        .settings = &setting,
                        .n_setting = 1,
                        .per_class = &five,
                        .n_per_class = 1,
                        .n_split = 1};
    const gnd_config *no_config = NULL;
    const gnd_compare_opts co = {.size = sizeof co,
                                 .configs = &no_config,
                                 .n_config = 1,
                                 .per_class = &five,
                                 .n_per_class = 1,
                                 .n_split = 1};
    gnd_comparison *c = NULL;
    gnd_sweep *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_sweep_new(&s, &o, &err));
    gnd_sweep_free(s);
    o.datasets = none;
    CHECK_FAILS(gnd_sweep_new(&s, &o, &err), GND_ERR_ARG, "a data set is NULL");
    o.datasets = name;
    o.methods = none;
    o.n_method = 1;
    CHECK_FAILS(gnd_sweep_new(&s, &o, &err), GND_ERR_ARG, "a method is NULL");
    o.n_method = 0;
    o.set = none;
    o.n_set = 1;
    CHECK_FAILS(gnd_sweep_new(&s, &o, &err), GND_ERR_ARG, "a setting is NULL");
    o.n_set = 0;
    setting.rule = "unheard";
    CHECK_FAILS(gnd_sweep_new(&s, &o, &err), GND_ERR_ARG, "unknown rule 'unheard'");
    setting = (gnd_sweep_setting){(gnd_graph_mode)99, NULL};
    CHECK_FAILS(gnd_sweep_new(&s, &o, &err), GND_ERR_ARG, "graph mode 99");
    CHECK_FAILS(gnd_compare(&c, graph, &co, &err), GND_ERR_ARG, "a config is NULL");
}

/* A split of another graph names vertices that this one does not have. */
static void another_graph(void **state)
{
    const gnd_make_opts mo = {
        .size = sizeof mo, .n_node = 100, .n_edge = 300, .n_class = 2, .inside = 50, .seed = 1};
    gnd_graph *g = NULL;
    gnd_split *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_make(&g, &mo, &err));
    CHECK_OK(gnd_split_new(&s, g, &(gnd_split_opts){.size = sizeof(gnd_split_opts), .per_class = 2},
                           &err));
    assert_int_equal(gnd_split_n_unused(s, graph, NULL), -1);
    assert_true(gnd_split_n_unused(s, g, NULL) >= 0);
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void lists(void **state)
{
    const gnd_suggest_opts so = {.size = sizeof so, .n = 2};
    gnd_method_info method = {.size = sizeof method};
    gnd_setting_info setting = {.size = sizeof setting};
    gnd_suggestions *s = NULL;
    gnd_error err;
    char buf[64];

    (void)state;
    CHECK_OK(gnd_suggest(&s, graph, &so, &err));
    for (int64_t i = -1; i <= gnd_suggestions_n(s); i += gnd_suggestions_n(s) + 1) {
        assert_null(gnd_suggestions_get(s, i));
        assert_null(gnd_suggestions_why(s, i));
    }
    assert_null(gnd_suggestions_note(s, gnd_suggestions_n_note(s)));
    gnd_suggestions_free(s);
    for (int i = -1; i <= 1000; i += 1001) {
        assert_false(gnd_method_get(&method, i));
        assert_false(gnd_config_info(&setting, config, i));
        assert_null(gnd_config_value(config, i, buf, sizeof buf));
        assert_null(gnd_dataset_name(i));
        assert_null(gnd_dataset_about(i));
        assert_null(gnd_format_name(i));
        assert_null(gnd_format_about(i));
        assert_null(gnd_config_preset_name(config, i, NULL));
        assert_null(gnd_config_dataset_name(config, i, NULL));
    }
}

static void no_names(void **state)
{
    gnd_graph_mode mode;
    gnd_graph *g = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_store *s = NULL;
    gnd_split *parts = NULL;
    gnd_writer *w = NULL;
    gnd_published p = {.size = sizeof p};
    char buf[64];
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_load(&g, NULL, NULL, &err), GND_ERR_ARG, "the name of the data set is NULL");
    CHECK_FAILS(gnd_config_new(&c, NULL, &err), GND_ERR_ARG, "the name of the method is NULL");
    CHECK_FAILS(gnd_config_set(config, NULL, "1", &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_config_set(config, "rank", NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_config_preset(config, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_config_rule(config, NULL, &err), GND_ERR_ARG, "is NULL");
    assert_false(gnd_config_dataset(config, NULL));
    CHECK_FAILS(gnd_graph_mode_parse(&mode, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_graph_save(graph, NULL, "csv", &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_graph_save(graph, "x", NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_graph_save(NULL, "x", "csv", &err), GND_ERR_ARG, "a graph is needed");
    CHECK_FAILS(gnd_graph_save_with(graph, "x", "csv", &(gnd_save_opts){0}, &err), GND_ERR_ARG,
                "gnd_save_opts");
    CHECK_FAILS(gnd_dataset_convert(&g, NULL, "x", NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_dataset_convert(&g, "karate", NULL, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_graph_partition(&g, NULL, graph, 1, &err), GND_ERR_ARG, "expected 2 to 34");
    CHECK_FAILS(gnd_graph_partition(&g, NULL, graph, 35, &err), GND_ERR_ARG, "expected 2 to 34");
    CHECK_FAILS(gnd_graph_partition(&g, &(gnd_partition_info){.size = 1}, graph, 2, &err),
                GND_ERR_ARG, "gnd_partition_info");
    CHECK_FAILS(gnd_cluster_load(&g, &parts, NULL, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_checkpoint_remove(NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_dataset_find(buf, sizeof buf, NULL, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_dataset_cache(NULL, 8, &err), GND_ERR_ARG, "a buffer is needed");
    CHECK_FAILS(gnd_dataset_cache(buf, 1, &err), GND_ERR_IO, "there is no cache folder");
    CHECK_FAILS(gnd_model_load(&m, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_model_save(model, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_prediction_save(prediction, graph, model, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_prediction_save_columns(prediction, graph, model, NULL, NULL, &err),
                GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_prediction_write_columns(prediction, graph, model, stdout,
                                             &(gnd_prediction_columns){.size = 1}, &err),
                GND_ERR_ARG, "gnd_prediction_columns");
    CHECK_FAILS(gnd_store_open(&s, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_writer_open(&w, NULL, &err), GND_ERR_ARG, "is NULL");
    assert_false(gnd_published_get(&p, NULL, NULL, 1));
    assert_null(gnd_graph_mode_name((gnd_graph_mode)99));
    assert_false(gnd_is_utf8(NULL));
    assert_null(gnd_text_mask(NULL));
    assert_int_equal(gnd_path_descriptor(NULL), -1);
    gnd_csv_write(stdout, NULL);
    gnd_text_wrap(stderr, NULL, 0, 0);
}

static void no_sizes(void **state)
{
    gnd_graph_info info = {0};
    gnd_csr_view view = {0};
    gnd_result result = {0};
    gnd_prediction *p = NULL;
    gnd_graph *g = NULL;
    gnd_model *m = NULL;
    gnd_split *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_graph_info_get(&info, graph, &err), GND_ERR_ARG, "gnd_graph_info: its size");
    CHECK_FAILS(gnd_graph_adjacency(&view, graph, &err), GND_ERR_ARG, "gnd_csr_view: its size");
    CHECK_FAILS(gnd_graph_features(&view, graph, &err), GND_ERR_ARG, "gnd_csr_view: its size");
    CHECK_FAILS(gnd_graph_from_csr(&g, &view, false, &err), GND_ERR_ARG, "gnd_csr_view: its size");
    CHECK_FAILS(gnd_graph_from_edges(&g, &(gnd_edges_view){0}, &err), GND_ERR_ARG,
                "gnd_edges_view: its size");
    CHECK_FAILS(gnd_load(&g, "karate", &(gnd_load_opts){0}, &err), GND_ERR_ARG, "gnd_load_opts");
    CHECK_FAILS(gnd_dataset_convert(&g, "karate", "x", &(gnd_dataset_convert_opts){0}, &err),
                GND_ERR_ARG, "gnd_dataset_convert_opts");
    CHECK_FAILS(gnd_split_new(&s, graph, &(gnd_split_opts){0}, &err), GND_ERR_ARG,
                "gnd_split_opts");
    CHECK_FAILS(gnd_split_from_lists(&s, graph, &(gnd_split_lists){0}, &err), GND_ERR_ARG,
                "gnd_split_lists");
    CHECK_FAILS(gnd_train(&m, &result, graph, split, config, NULL, &err), GND_ERR_ARG,
                "gnd_result: its size field is 0; set it to sizeof(gnd_result)");
    CHECK_FAILS(gnd_label(&p, NULL, &result, graph, split, config, NULL, &err), GND_ERR_ARG,
                "gnd_result");
    CHECK_FAILS(gnd_train(&m, NULL, graph, split, config, &(gnd_train_opts){0}, &err), GND_ERR_ARG,
                "gnd_train_opts");
    CHECK_FAILS(gnd_cluster_estimate(&(gnd_cluster_cost){0}, NULL, config, &err), GND_ERR_ARG,
                "gnd_cluster_cost: its size");
    CHECK_FAILS(gnd_cluster_estimate(&(gnd_cluster_cost){.size = sizeof(gnd_cluster_cost)},
                                     &(gnd_cluster_plan){0}, config, &err),
                GND_ERR_ARG, "gnd_cluster_plan: its size");
    assert_null(m);
    assert_null(p);
    assert_false(gnd_method_get(&(gnd_method_info){0}, 0));
    assert_false(gnd_config_info(&(gnd_setting_info){0}, config, 0));
    assert_false(gnd_published_get(&(gnd_published){0}, "cora", "gcn", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vertices),     cmocka_unit_test(classes),
                                       cmocka_unit_test(lists),        cmocka_unit_test(no_names),
                                       cmocka_unit_test(no_sizes),     cmocka_unit_test(members),
                                       cmocka_unit_test(another_graph)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
