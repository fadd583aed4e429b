/* SPDX-License-Identifier: MIT
 * test_renamed.c - old names of settings of method auto are accepted wherever settings are read:
 * set, preset, result stores, exported rows, model files. */
#include "model/renamed.h"

#include "base/alloc.h"
#include "eval/key.h"
#include "eval/store_make.h"
#include "planted.h"

/* Settings of method auto as version 0.1 named them, with values that are not the defaults. */
static const char *const old_names[][2] = {
    {"measures", "off"},
    {"teleport", "0.25"},
    {"calibration", "off"},
};
static const char *const removed[] = {"fits",         "rank",        "teleport_near",
                                      "ensemble",     "heterophily", "refine",
                                      "label_weight", "shrinkage",   "fallback_weight",
                                      "temperature",  "sharpness",   "feature_weights"};
static const char old_text[] =
    "views=rare measures=off fits=plain,quota rank=16 teleport=0.25 near=0.5 safety=off "
    "strangers=off caution=0.3 second_look=off calibration=off pull=0.2 temperature=1 shrink=0.75 "
    "sharpness=0.5";
static const char new_text[] =
    "feature_weights=idf numeric_by_rank=off fits=plain,quota rank=16 teleport=0.25 "
    "teleport_near=0.5 ensemble=off heterophily=off fallback_weight=0.3 refine=off calibration=off "
    "label_weight=0.2 temperature=1 shrinkage=0.75 sharpness=0.5";

static char *key_of(const gnd_config *c)
{
    char *text = NULL;
    gnd_error err;

    CHECK_OK(gnd_key_settings(&text, c, &err));
    return text;
}

static void old_names_are_set(void **state)
{
    gnd_config *c = planted_config("auto");
    char *text;
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(old_names); k++)
        CHECK_OK(gnd_config_set(c, old_names[k][0], old_names[k][1], &err));
    text = key_of(c);
    assert_non_null(strstr(text, "numeric_by_rank=off teleport=0.25 calibration=off"));
    gnd_free(text);
    gnd_config_free(c);
}

/* A wrong value is explained by the present name; old names belong to method auto alone. */
static void what_is_refused(void **state)
{
    gnd_config *c = planted_config("auto"), *d = planted_config("gcn");
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_config_set(c, "measures", "2", &err), GND_ERR_ARG, "numeric_by_rank=2");
    CHECK_FAILS(gnd_config_set(d, "pull", "1", &err), GND_ERR_ARG, "has no setting 'pull'");
    gnd_config_free(c);
    gnd_config_free(d);
}

/* Settings that were removed, by their last name or an older one: a sentence says so. */
static void what_was_removed(void **state)
{
    static const char *const older[] = {"views",   "near", "safety", "strangers",
                                        "caution", "pull", "shrink", "second_look"};
    gnd_config *c = planted_config("auto"), *d = planted_config("gcn");
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(removed); k++) {
        assert_true(gnd_setting_removed("auto", removed[k]));
        assert_false(gnd_setting_removed("gcn", removed[k]));
        CHECK_FAILS(gnd_config_set(c, removed[k], "1", &err), GND_ERR_ARG,
                    "auto has no such setting since version 0.");
        assert_int_equal(strncmp(err.msg, removed[k], strlen(removed[k])), 0);
        assert_non_null(strstr(err.msg, "`gnd methods auto` lists its settings"));
    }
    for (int64_t k = 0; k < LENGTH(older); k++) {
        assert_true(gnd_setting_removed("auto", older[k]));
        CHECK_FAILS(gnd_config_set(c, older[k], "1", &err), GND_ERR_ARG,
                    "auto has no such setting since version 0.");
    }
    for (int64_t k = 0; k < LENGTH(old_names); k++)
        assert_false(gnd_setting_removed("auto", old_names[k][0]));
    assert_false(gnd_setting_removed("auto", "predictors"));
    assert_false(gnd_setting_removed("auto", "no_such_thing"));
    CHECK_FAILS(gnd_config_set(c, "no_such_thing", "1", &err), GND_ERR_ARG, "has no setting");
    CHECK_FAILS(gnd_config_set(d, "fits", "plain", &err), GND_ERR_ARG, "has no setting 'fits'");
    CHECK_FAILS(gnd_config_preset(c, "prototype", &err), GND_ERR_ARG, "auto has no presets");
    gnd_config_free(c);
    gnd_config_free(d);
}

static void texts(void **state)
{
    static const struct {
        const char *method, *text, *want;
    } cases[] = {{"auto", old_text, new_text},
                 {"auto", new_text, new_text},
                 {"auto", "", ""},
                 {"auto", "views=none pull=1", "feature_weights=none label_weight=1"},
                 {"auto", "views=plain,rare,odd", "feature_weights=equal,idf,odd"},
                 {"gcn", "pull=1 near=2", "pull=1 near=2"}};
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        char *text = NULL;

        CHECK_OK(gnd_settings_renamed(&text, cases[k].method, cases[k].text, &err));
        assert_string_equal(text, cases[k].want);
        gnd_free(text);
    }
}

/* A row of version 0.1 as SQLite holds it: found by its present settings once the store is opened
 * again; one that is there under both names is kept once. */
static void stored_rows_are_found(void **state)
{
    const char *path = temp_path("renamed.sqlite");
    gnd_row row = make_row(1);
    gnd_store *s;
    bool found = false;
    gnd_error err;

    (void)state;
    row.method = "auto";
    row.settings = new_text;
    s = make_store(path);
    CHECK_OK(gnd_store_put(s, &row, &err));
    row.seed = 2;
    CHECK_OK(gnd_store_put(s, &row, &err));
    assert_int_equal(sqlite3_exec(s->db,
                                  "CREATE TEMP TABLE old AS SELECT * FROM run;"
                                  "UPDATE old SET settings = "
                                  "replace(replace(settings, 'feature_weights=idf', 'views=rare'), "
                                  "'label_weight', 'pull');"
                                  "DELETE FROM run WHERE seed = 2;"
                                  "INSERT INTO run SELECT * FROM old; DROP TABLE old;",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(gnd_store_count(s), 3);
    CHECK_OK(gnd_store_find(s, &found, &row, 1, &err));
    assert_false(found); /* as a program without the alias would see it */
    gnd_store_close(s);
    s = make_store(path);
    CHECK_OK(gnd_store_find(s, &found, &row, 1, &err));
    assert_true(found);
    assert_int_equal(gnd_store_count(s), 2);
    gnd_store_close(s);
}

/* Rows put under old names are the same rows. */
static void rows_are_stored_once(void **state)
{
    const char *path = temp_path("once.sqlite");
    gnd_row row = make_row(1);
    gnd_store *s;
    gnd_error err;

    (void)state;
    row.method = "auto";
    row.settings = old_text;
    s = make_store(path);
    CHECK_OK(gnd_store_put(s, &row, &err));
    row.settings = new_text;
    CHECK_OK(gnd_store_put(s, &row, &err));
    assert_int_equal(gnd_store_count(s), 1);
    gnd_store_close(s);
}

/* A file that version 0.1 exported: its rows are imported under present names. */
static void exported_rows_are_found(void **state)
{
    const char *path = temp_path("export.csv");
    gnd_row row = make_row(1);
    gnd_store *s = make_store(temp_path("import.sqlite"));
    FILE *f = fopen(path, "w");
    int64_t n_new = -1;
    bool found = false;
    gnd_error err;

    (void)state;
    assert_non_null(f);
    row.method = "auto";
    row.settings = old_text;
    gnd_row_print_header(f, false);
    gnd_row_print(f, &row, NULL);
    fclose(f);
    CHECK_OK(gnd_store_import(s, path, &n_new, &err));
    assert_int_equal(n_new, 1);
    row.settings = new_text;
    CHECK_OK(gnd_store_find(s, &found, &row, 1, &err));
    assert_true(found);
    CHECK_OK(gnd_store_import(s, path, &n_new, &err));
    assert_int_equal(gnd_store_count(s), 1);
    gnd_store_close(s);
}

/* data/auto-0.1.safetensors and auto-0.2.safetensors were written by these versions: the first with
 * old names and known class shares, the second with settings that were removed. Both name the
 * labels of six members of the karate club; data/auto-0.1.csv is what version 0.1 predicted. */
static void check_model_file(const char *path)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SOURCE_DIR "/data"};
    const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_prediction *p = NULL;
    gnd_model *m = NULL;
    FILE *f = fopen(GND_SOURCE_DIR "/tests/model/data/auto-0.1.csv", "r");
    char line[64], cls[8];
    long long id;
    int64_t n = 0, same = 0;
    double prob;
    gnd_error err = {0};

    assert_non_null(f);
    CHECK_OK(gnd_load(&raw, "karate", &o, &err));
    CHECK_OK(gnd_model_load(&m, path, &err));
    CHECK_OK(gnd_graph_convert(&g, raw, gnd_model_graph_mode(m), &err));
    CHECK_OK(gnd_predict(&p, m, g, &serial, &err));
    assert_non_null(fgets(line, sizeof line, f));
    while (fscanf(f, "%lld,%7[^,],%lf", &id, cls, &prob) == 3) {
        const int32_t c = gnd_prediction_label(p, n);

        assert_int_equal(id, ++n);
        assert_true(c >= 0);
        same += strcmp(gnd_model_class_name(m, c), cls) == 0;
    }
    assert_int_equal(n, gnd_graph_n_node(g));
    assert_true(same >= n - 1);
    fclose(f);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(g);
    gnd_graph_free(raw);
}

static void model_files_of_older_versions(void **state)
{
    (void)state;
    check_model_file(GND_SOURCE_DIR "/tests/model/data/auto-0.1.safetensors");
    check_model_file(GND_SOURCE_DIR "/tests/model/data/auto-0.2.safetensors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_names_are_set),       cmocka_unit_test(what_is_refused),
        cmocka_unit_test(what_was_removed),        cmocka_unit_test(texts),
        cmocka_unit_test(stored_rows_are_found),   cmocka_unit_test(rows_are_stored_once),
        cmocka_unit_test(exported_rows_are_found), cmocka_unit_test(model_files_of_older_versions),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
