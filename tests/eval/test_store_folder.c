/* SPDX-License-Identifier: MIT
 * test_store_folder.c - stores as folders of CSV files and back, hashes of older files, and tables
 * from such a folder without the data sets. */
#include <unistd.h>

#include "eval/key.h"
#include "store_make.h"

/* The row's data set is the name of a file. */
static gnd_row named_row(uint64_t k, const char *dataset, const char *settings)
{
    gnd_row r = make_row(k);

    r.dataset = dataset;
    r.settings = settings;
    return r;
}

static void put(gnd_store *s, const gnd_row *r)
{
    gnd_error err;

    CHECK_OK(gnd_store_put(s, r, &err));
}

static bool has(gnd_store *s, const gnd_row *r)
{
    gnd_row got = *r;
    bool found;
    gnd_error err;

    CHECK_OK(gnd_store_find(s, &found, &got, 1, &err));
    if (found)
        check_same(&got, r);
    return found;
}

static void round_trip(void **state)
{
    gnd_row row[4] = {named_row(1, "a", "hops=1 l2=0,1"), named_row(2, "a", "hops=2"),
                      named_row(3, "b", "hops=1 l2=0,1"), make_diverged(4)};
    gnd_store *s = make_store(temp_path("from.db")), *back = make_store(temp_path("to.db"));
    char folder[256], again[256], path[300];
    int64_t n_new = -1;
    gnd_error err;

    (void)state;
    row[3].dataset = "b";
    for (int i = 0; i < 4; i++)
        put(s, &row[i]);
    snprintf(folder, sizeof folder, "%s/", temp_path("runs"));
    snprintf(again, sizeof again, "%s/", temp_path("again"));
    CHECK_OK(gnd_store_export(s, folder, &err));
    CHECK_OK(gnd_store_import(back, folder, &n_new, &err));
    assert_int_equal(n_new, 4);
    for (int i = 0; i < 4; i++)
        assert_true(has(back, &row[i]));
    CHECK_OK(gnd_store_export(back, again, &err));
    for (int i = 0; i < 3; i++) { /* byte by byte the same */
        static const char *const file[] = {"configs.csv", "a.csv", "b.csv"};
        size_t n, m;
        char *x, *y;

        snprintf(path, sizeof path, "%s%s", folder, file[i]);
        x = temp_slurp(path, &n);
        snprintf(path, sizeof path, "%s%s", again, file[i]);
        y = temp_slurp(path, &m);
        assert_int_equal(n, m);
        assert_memory_equal(x, y, n);
        free(x);
        free(y);
    }
    gnd_store_close(back);
    back = make_store(temp_path("one.db")); /* one file of it */
    CHECK_OK(gnd_store_import(back, path, &n_new, &err));
    assert_int_equal(n_new, 2);
    assert_true(has(back, &row[2]));
    gnd_store_close(back);
    gnd_store_close(s);
}

/* A figure has the digits that matter, in a file and after it. */
static void rounding(void **state)
{
    gnd_row r = named_row(1, "a", "hops=1"), got = r;
    gnd_store *s = make_store(temp_path("digits.db")), *back = make_store(temp_path("short.db"));
    gnd_result once = {.acc_test = 1.0 / 3}, twice;
    double seconds = 12.345678;
    bool found;
    gnd_error err;

    (void)state;
    gnd_row_round(&once, &seconds);
    twice = once;
    gnd_row_round(&twice, &seconds);
    assert_true(once.acc_test == 0.333333 && seconds == 12.3);
    assert_memory_equal(&once, &twice, sizeof once);
    r.result.acc_test = 1.0 / 3;
    r.result.loss_train = 1.0 / 7;
    r.seconds = 12.345678;
    put(s, &r);
    CHECK_OK(gnd_store_export(s, temp_path("digits.csv"), &err));
    CHECK_OK(gnd_store_import(back, temp_path("digits.csv"), NULL, &err));
    CHECK_OK(gnd_store_find(back, &found, &got, 1, &err));
    assert_true(found && got.result.acc_test == 0.333333 && got.result.loss_train == 0.142857 &&
                got.seconds == 12.3);
    gnd_store_close(back);
    gnd_store_close(s);
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[300];
    FILE *f;

    snprintf(path, sizeof path, "%s%s", folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void complaints(void **state)
{
    gnd_row row = named_row(1, "a", "hops=1");
    gnd_store *s = make_store(temp_path("source.db")), *to = make_store(temp_path("target.db"));
    char folder[256], path[300];
    gnd_error err;

    (void)state;
    snprintf(folder, sizeof folder, "%s/", temp_path("bad"));
    put(s, &row);
    CHECK_OK(gnd_store_export(s, folder, &err));
    snprintf(path, sizeof path, "%sa.csv", folder);
    write_text(folder, "configs.csv", "config,method\n");
    CHECK_FAILS(gnd_store_import(to, path, NULL, &err), GND_ERR_FORMAT,
                "configs.csv:1: expected the header config,method,settings");
    write_text(folder, "configs.csv", "config,method,settings\n00000000,gnd-slp,hops=1\n");
    CHECK_FAILS(gnd_store_import(to, path, NULL, &err), GND_ERR_FORMAT,
                "configs.csv:2: config is '00000000'; expected ");
    write_text(folder, "configs.csv", "config,method,settings\n1,gnd-slp\n");
    CHECK_FAILS(gnd_store_import(to, path, NULL, &err), GND_ERR_FORMAT, "2 fields; expected 3");
    write_text(folder, "configs.csv", "config,method,settings\n");
    CHECK_FAILS(gnd_store_import(to, folder, NULL, &err), GND_ERR_FORMAT,
                "configs.csv beside this file has none of this name for gnd-slp");
    snprintf(path, sizeof path, "%sconfigs.csv", folder);
    unlink(path);
    CHECK_FAILS(gnd_store_import(to, folder, NULL, &err), GND_ERR_IO, "configs.csv: No such file");
    assert_int_equal(gnd_store_count(to), 0);

    write_text(folder, "other.csv", "");
    CHECK_FAILS(gnd_store_export(s, folder, &err), GND_ERR_ARG,
                "has other.csv, of a data set without runs in the store");
    assert_int_not_equal(access(path, F_OK), 0); /* nothing was written */
    snprintf(path, sizeof path, "%sother.csv", folder);
    unlink(path);
    row = named_row(2, "up/down", "hops=1");
    put(s, &row);
    CHECK_FAILS(gnd_store_export(s, folder, &err), GND_ERR_ARG,
                "'up/down' cannot be the name of a file; export to one file instead");
    CHECK_FAILS(gnd_store_import(to, temp_path("empty/"), NULL, &err), GND_ERR_IO,
                "No such file or directory");
    gnd_store_close(to);
    gnd_store_close(s);
}

/* What a folder cannot hold is refused, and nothing is written. */
static void refusals(void **state)
{
    /* Settings whose names are the same, 1f373e0b. */
    const gnd_row same[2] = {named_row(1, "a", "hops=34254"), named_row(2, "a", "hops=49722")};
    static const char *const reserved[] = {"configs", "datasets", ".hidden", ".."};
    char folder[256], path[300], name[2][GND_CONFIG_TEXT], db[32];
    gnd_store *s = make_store(temp_path("same.db"));
    gnd_error err;

    (void)state;
    assert_string_equal(gnd_key_config(name[0], same[0].method, same[0].settings),
                        gnd_key_config(name[1], same[1].method, same[1].settings));
    snprintf(folder, sizeof folder, "%s/", temp_path("refused"));
    snprintf(path, sizeof path, "%sconfigs.csv", folder);
    put(s, &same[0]);
    put(s, &same[1]);
    CHECK_FAILS(gnd_store_export(s, folder, &err), GND_ERR_ARG,
                "two configurations of gnd-slp and gnd-slp have the same name 1f373e0b");
    assert_int_not_equal(access(path, F_OK), 0);
    gnd_store_close(s);
    for (int i = 0; i < 4; i++) {
        const gnd_row row = named_row(1, reserved[i], "hops=1");

        snprintf(db, sizeof db, "reserved%d.db", i);
        s = make_store(temp_path(db));
        put(s, &row);
        CHECK_FAILS(gnd_store_export(s, folder, &err), GND_ERR_ARG,
                    "cannot be the name of a file; export to one file instead");
        assert_int_not_equal(access(path, F_OK), 0);
        gnd_store_close(s);
    }
}

/* Files that no export wrote are kept. */
static void foreign_files(void **state)
{
    const gnd_row row = named_row(1, "a", "hops=1");
    gnd_store *s = make_store(temp_path("foreign.db"));
    char folder[256], path[300], *text;
    size_t n;
    gnd_error err;

    (void)state;
    snprintf(folder, sizeof folder, "%s/", temp_path("foreign"));
    put(s, &row);
    CHECK_OK(gnd_store_export(s, folder, &err));
    CHECK_OK(gnd_store_export(s, folder, &err)); /* its own files are replaced */
    write_text(folder, "a.csv", "my,edges\n");
    CHECK_FAILS(gnd_store_export(s, folder, &err), GND_ERR_ARG,
                "a.csv: is not a file of exported training runs and would be overwritten");
    snprintf(path, sizeof path, "%sa.csv", folder);
    text = temp_slurp(path, &n);
    assert_int_equal(n, 9);
    free(text);
    write_text(folder, "a.csv", "");
    write_text(folder, "configs.csv", "user,host\n");
    CHECK_FAILS(gnd_store_export(s, folder, &err), GND_ERR_ARG, "configs.csv: is not a file of");
    gnd_store_close(s);
}

/* Stores and files of older versions have hashes of 32 digits. */
static void old_hashes(void **state)
{
    const gnd_row row = named_row(1, "a", "hops=1");
    gnd_store *s = make_store(temp_path("long.db"));
    size_t n;
    char *csv, *at, *old;
    gnd_error err;

    (void)state;
    put(s, &row);
    CHECK_OK(gnd_store_export(s, temp_path("long.csv"), &err));
    make_sql(s, "UPDATE run SET data = data || data, split_hash = split_hash || split_hash");
    gnd_store_close(s);
    s = make_store(temp_path("long.db"));
    assert_true(has(s, &row));
    gnd_store_close(s);

    csv = temp_slurp(temp_path("long.csv"), &n);
    csv[n] = '\0';
    old = malloc(n + 64);
    at = strstr(csv, row.split_hash);
    assert_non_null(at);
    sprintf(old, "%.*s%s%s", (int)(at - csv), csv, row.split_hash, at);
    s = make_store(temp_path("long2.db"));
    CHECK_OK(gnd_store_import(s, temp_file("long.csv", old, strlen(old)), NULL, &err));
    assert_true(has(s, &row));
    gnd_store_close(s);
    free(old);
    free(csv);
}

/* ---- tables without the data sets ---- */

static gnd_sweep_opts karate_opts(gnd_store *store)
{
    static const char *const data[] = {"karate"}, *const methods[] = {"jknet", "gcn"};
    static const gnd_sweep_setting setting[] = {{GND_GRAPH_RAW, "original"},
                                                {GND_GRAPH_STD, "common"}};
    static const int32_t counts[] = {1, 2};

    return (gnd_sweep_opts){.size = sizeof(gnd_sweep_opts),
                            .datasets = data,
                            .n_dataset = 1,
                            .data_dir = GND_SOURCE_DIR "/data",
                            .settings = setting,
                            .n_setting = 2,
                            .methods = methods,
                            .n_method = 2,
                            .pick = true,
                            .n_search = 2,
                            .per_class = counts,
                            .n_per_class = 2,
                            .n_split = 3,
                            .n_val = 10,
                            .store = store,
                            .seed = 1};
}

static char *tables(gnd_store *store, bool only_stored)
{
    const gnd_sweep_opts o = karate_opts(store);
    const gnd_report_opts ro = {.size = sizeof ro, .kind = GND_REPORT_PAPER};
    gnd_sweep *s = NULL;
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    gnd_error err;

    CHECK_OK(gnd_sweep_new(&s, &o, &err));
    CHECK_OK(gnd_sweep_train(s, only_stored, &err));
    CHECK_OK(gnd_report_write(f, s, &ro, &err));
    fclose(f);
    gnd_sweep_free(s);
    return text;
}

static void recorded(void **state)
{
    static const char sizes[] = "dataset,graph,vertices,edges,arcs,features,classes,directed\n"
                                "karate,raw,34,78,156,0,2,0\nkarate,std,34,78,156,0,2,0\n";
    gnd_store *s = make_store(temp_path("karate.db")), *r = NULL;
    gnd_sweep_opts o;
    gnd_sweep *w = NULL;
    char folder[256], *trained, *read;
    gnd_error err;

    (void)state;
    snprintf(folder, sizeof folder, "%s/", temp_path("karate"));
    trained = tables(s, false);
    CHECK_OK(gnd_store_export(s, folder, &err));
    gnd_store_close(s);
    CHECK_OK(gnd_store_open_results(&r, folder, &err)); /* enough for comparisons */
    gnd_store_close(r);
    write_text(folder, "datasets.csv", "dataset,graph\n");
    CHECK_FAILS(gnd_store_open_results(&r, folder, &err), GND_ERR_FORMAT, "2 fields; expected 8");
    write_text(
        folder, "datasets.csv",
        "dataset,graph,vertices,edges,arcs,features,classes,directed\nkarate,raw,-1,2,3,4,5,0\n");
    CHECK_FAILS(gnd_store_open_results(&r, folder, &err), GND_ERR_FORMAT,
                "datasets.csv:2: vertices is '-1'; expected a whole number");
    write_text(folder, "datasets.csv", sizes);
    CHECK_OK(gnd_store_open_results(&r, folder, &err));
    read = tables(r, true);
    assert_string_equal(read, trained);
    o = karate_opts(r);
    o.data_dir = NULL;
    CHECK_OK(gnd_sweep_new(&w, &o, &err));
    CHECK_FAILS(gnd_sweep_train(w, false, &err), GND_ERR_ARG, "cannot take new training runs");
    gnd_sweep_free(w);
    o.datasets = (const char *const[]){"karat"};
    CHECK_OK(gnd_sweep_new(&w, &o, &err));
    CHECK_FAILS(gnd_sweep_train(w, true, &err), GND_ERR_ARG,
                "has no training runs on a data set karat");
    gnd_sweep_free(w);
    gnd_store_close(r);
    free(trained);
    free(read);
}

/* Two graphs of one name cannot be told apart. */
static void two_graphs(void **state)
{
    gnd_row a = named_row(1, "a", "hops=1"), b = named_row(2, "a", "hops=1");
    gnd_store *s = make_store(temp_path("two.db")), *r = NULL;
    char folder[256];
    gnd_error err;

    (void)state;
    b.data = "ffffffffffffffff";
    put(s, &a);
    put(s, &b);
    snprintf(folder, sizeof folder, "%s/", temp_path("two"));
    CHECK_OK(gnd_store_export(s, folder, &err));
    gnd_store_close(s);
    write_text(folder, "datasets.csv",
               "dataset,graph,vertices,edges,arcs,features,classes,directed\n");
    CHECK_FAILS(gnd_store_open_results(&r, folder, &err), GND_ERR_FORMAT,
                "has runs on different graphs of the name a, graph und");
}

/* Nor two splits of one seed, for example of versions that draw them differently. */
static void two_splits(void **state)
{
    gnd_row a = named_row(1, "a", "hops=1"), b = a;
    gnd_store *s = make_store(temp_path("splits.db")), *r = NULL;
    char folder[256];
    gnd_error err;

    (void)state;
    b.split_hash = "ffffffffffffffff";
    put(s, &a);
    put(s, &b);
    snprintf(folder, sizeof folder, "%s/", temp_path("splits"));
    CHECK_OK(gnd_store_export(s, folder, &err));
    gnd_store_close(s);
    CHECK_FAILS(gnd_store_open_results(&r, folder, &err), GND_ERR_FORMAT,
                "has runs on different splits with the same split seed, on a graph of the name a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip), cmocka_unit_test(rounding),      cmocka_unit_test(complaints),
        cmocka_unit_test(refusals),   cmocka_unit_test(foreign_files), cmocka_unit_test(old_hashes),
        cmocka_unit_test(recorded),   cmocka_unit_test(two_graphs),    cmocka_unit_test(two_splits),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
