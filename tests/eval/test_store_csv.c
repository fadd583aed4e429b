/* SPDX-License-Identifier: MIT
 * test_store_csv.c - stores as CSV and back: to the bit, from files of any age; every bad file gets
 * its sentence. */
#include <unistd.h>

#include "store_make.h"

/* An export never replaces the store it reads, not even through a link. */
static void not_onto_itself(void **state)
{
    char path[256], link[256];
    gnd_store *s;
    const gnd_row r = make_row(1);
    gnd_error err;

    (void)state;
    snprintf(path, sizeof path, "%s", temp_path("self.db"));
    snprintf(link, sizeof link, "%s", temp_path("self-link.csv"));
    s = make_store(path);
    CHECK_OK(gnd_store_put(s, &r, &err));
    assert_int_equal(symlink(path, link), 0);
    CHECK_FAILS(gnd_store_export(s, path, &err), GND_ERR_ARG, "is the store itself");
    CHECK_FAILS(gnd_store_export(s, link, &err), GND_ERR_ARG, "is the store itself");
    gnd_store_close(s);
    s = make_store(path);
    assert_int_equal(gnd_store_count(s), 1);
    gnd_store_close(s);
}

static void csv_round_trip(void **state)
{
    char csv[256], again[256];
    gnd_store *a = make_store(temp_path("csv-a.db")), *b = make_store(temp_path("csv-b.db"));
    gnd_error err;
    size_t n, m;
    char *x, *y;
    int64_t n_new = -1;

    (void)state;
    snprintf(csv, sizeof csv, "%s", temp_path("a.csv"));
    snprintf(again, sizeof again, "%s", temp_path("b.csv"));
    for (uint64_t k = 40; k > 0; k--) {
        const gnd_row r = k % 7 ? make_row(k) : make_diverged(k);

        CHECK_OK(gnd_store_put(a, &r, &err));
        if (k % 2) { /* half of them are there already, with other figures */
            gnd_row other = r;

            other.seconds = 99;
            CHECK_OK(gnd_store_put(b, &other, &err));
        }
    }
    CHECK_OK(gnd_store_export(a, csv, &err));
    CHECK_OK(gnd_store_import(b, csv, &n_new, &err));
    assert_int_equal(n_new, 20);
    assert_int_equal(gnd_store_count(b), 40);
    CHECK_OK(gnd_store_import(b, csv, &n_new, &err));
    assert_int_equal(n_new, 0);
    for (uint64_t k = 1; k <= 40; k++) {
        gnd_row want = k % 7 ? make_row(k) : make_diverged(k), got = want;
        bool found;

        want.seconds = k % 2 ? 99 : 0.7; /* what was there stayed */
        CHECK_OK(gnd_store_find(b, &found, &got, 1, &err));
        assert_true(found);
        check_same(&got, &want);
    }
    gnd_store_close(b);
    b = make_store(temp_path("csv-c.db"));
    CHECK_OK(gnd_store_import(b, csv, NULL, &err));
    CHECK_OK(gnd_store_export(b, again, &err));
    x = temp_slurp(csv, &n);
    y = temp_slurp(again, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
    gnd_store_close(a);
    gnd_store_close(b);
}

/* Replace the text `from` of a good file by `to`, and import that. */
static void check_bad(const char *from, const char *to, const char *message)
{
    const char *csv = temp_path("good.csv");
    gnd_store *s = make_store(temp_path("bad.db"));
    gnd_error err;
    size_t n;
    char *good, *at, bad[8192];
    int64_t n_new = -1;

    good = temp_slurp(csv, &n);
    good[n] = '\0';
    at = strstr(good, from);
    if (!at)
        fail_msg("'%s' is not in %s", from, good);
    snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    free(good);
    CHECK_FAILS(gnd_store_import(s, temp_file("bad.csv", bad, strlen(bad)), &n_new, &err),
                GND_ERR_FORMAT, message);
    assert_int_equal(n_new, 0);
    assert_int_equal(gnd_store_count(s), 0); /* all or nothing */
    gnd_store_close(s);
}

static void csv_complaints(void **state)
{
    gnd_store *s = make_store(temp_path("good.db"));
    const gnd_row ok = make_row(1), diverged = make_diverged(2);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_store_put(s, &ok, &err));
    CHECK_OK(gnd_store_put(s, &diverged, &err));
    make_sql(s, "UPDATE run SET build = 'gnd 1', finished = '2026-01-31T23:59:59Z'");
    CHECK_OK(gnd_store_export(s, temp_path("good.csv"), &err));
    CHECK_FAILS(gnd_store_import(s, temp_path("none.csv"), NULL, &err), GND_ERR_IO,
                "none.csv: No such file");
    CHECK_FAILS(gnd_store_import(s, temp_file("empty.csv", "\n", 1), NULL, &err), GND_ERR_FORMAT,
                "empty.csv: is empty; expected exported training runs");
    gnd_store_close(s);
    check_bad("graph,data", "data,graph", "bad.csv:1: column 2 of the header is 'data'");
    check_bad(",finished,plan,test_ece,test_accuracy_half", "",
              "column 25 of the header is ''; expected 'finished'");
    check_bad(",finished,plan", ",finished,more", "column 26 of the header is 'more'");
    check_bad("plan,test_ece", "plan", "column 27 of the header is 'test_accuracy_half'");
    check_bad(",test_accuracy_half", ",test_accuracy_half,more",
              "the header has 29 columns; expected 28");
    check_bad(",plan,test_ece,test_accuracy_half", "",
              "bad.csv:2: the row has 28 fields; expected 25");
    check_bad(",test_ece,test_accuracy_half", "", "bad.csv:2: the row has 28 fields; expected 26");
    check_bad("stored, features", "stored, features, stored, features", "at most 31 bytes");
    check_bad("\"two, \"\"rings\"\"\"", "\"two", "bad.csv:2: text follows a closing quote");
    check_bad("\"two, \"\"rings\"\"\"", "", "bad.csv:2: dataset is ''; expected a text");
    check_bad("und", "upd", "graph is 'upd'; expected one of raw|und|std");
    check_bad("und", "raw|und", "graph is 'raw|und'");
    check_bad("9abcdef,", ",", "data is '012345678'; expected 16 hexadecimal");
    check_bad("0123456789abcdef,", "0123456789abcdeF,", "expected 16 hexadecimal");
    check_bad("paper", "papers", "split is 'papers'; expected one of paper|planetoid|honest");
    check_bad(",40,", ",-1,", "validation is '-1'; expected a whole number from 0 to 2147483647");
    check_bad(",40,", ",4.5,", "validation is '4.5'");
    check_bad(",40,0,", ",40,2,", "score_unlabelled is '2'; expected a whole number from 0 to 1");
    check_bad("lr=0.01 f", "lr=0.01  f", "settings is 'lr=0.01  filters");
    check_bad("lr=0.01 f", "lr= f", "expected name=value words");
    check_bad("hops=3", "hops", "expected name=value words");
    check_bad("hops=3\",1,", "hops=3\",18446744073709551616,", "seed is '18446744073709551616'");
    check_bad(",ok,", ",fine,", "status is 'fine'; expected one of ok|diverged");
    check_bad(",ok,", ",diverged,", "epochs is '101'; expected an empty value, since the run");
    check_bad(",diverged,", ",ok,", "bad.csv:3: epochs is ''; expected a whole number");
    check_bad(",101,7,", ",101,,", "best_epoch is ''");
    check_bad(",101,7,0.101,", ",101,7,x,", "train_loss is 'x'; expected a number");
    check_bad(",101,7,0.101,", ",101,7,nan,", "train_loss is 'nan'");
    check_bad(",101,7,0.101,1,", ",101,7,0.1,1.5,",
              "train_accuracy is '1.5'; expected a number from "
              "0 to 1");
    check_bad(",0.7,gnd 1", ",,gnd 1", "seconds is ''");
    check_bad("23:59:59Z", "23:59:59", "finished is '2026-01-31T23:59:59'; expected a date");
    check_bad(",0.125,", ",1.25,", "test_ece is '1.25'; expected a number from 0 to 1");
    check_bad(",0.96875\n", ",-0.1\n", "test_accuracy_half is '-0.1'; expected a number from 0");
    check_bad(",0.96875\n", ",0.96875,1\n", "bad.csv:2: the row has 29 fields; expected 28");
    check_bad(",\"\",,\n", ",\"\",,0.5\n",
              "test_accuracy_half is '0.5'; expected an empty value, since");
}

/* Cut these ends off the three lines of a file. */
static void cut_ends(char *csv, const char *const end[3])
{
    char *to = csv, *from = csv;

    for (int i = 0; i < 3; i++) {
        char *stop = strchr(from, '\n');
        const size_t cut = strlen(end[i]);

        assert_true(stop && stop - from > (ptrdiff_t)cut && !memcmp(stop - cut, end[i], cut));
        memmove(to, from, (size_t)(stop - from) - cut);
        to += (size_t)(stop - from) - cut;
        *to++ = '\n';
        from = stop + 1;
    }
    *to = '\0';
}

static void check_old_rows(const char *path, const gnd_row *rows, bool has_plan)
{
    gnd_store *s = make_store(path);
    gnd_error err;
    bool found;

    for (int i = 0; i < 2; i++) {
        gnd_row got = rows[i], want = rows[i];

        if (!has_plan)
            memset(want.result.plan, 0, sizeof want.result.plan);
        if (strcmp(want.status, "ok") == 0)
            want.result.ece_test = want.result.acc_half = NAN;
        CHECK_OK(gnd_store_find(s, &found, &got, 1, &err));
        assert_true(found);
        check_same(&got, &want);
    }
    gnd_store_close(s);
}

/* Files and stores of before there was a plan, and of before calibration was measured: such
 * runs have none. The first to open a store adds the columns. */
static void older(void **state)
{
    static const char *const end[2][3] = {
        {",plan,test_ece,test_accuracy_half", ",\"stored, features\",0.125,0.96875", ",\"\",,"},
        {",test_ece,test_accuracy_half", ",0.125,0.96875", ",,"}};
    static const char *const drop[2] = {
        "ALTER TABLE run DROP COLUMN plan; ALTER TABLE run DROP COLUMN test_ece;"
        "ALTER TABLE run DROP COLUMN test_accuracy_half",
        "ALTER TABLE run DROP COLUMN test_ece; ALTER TABLE run DROP COLUMN test_accuracy_half"};
    const gnd_row rows[] = {make_row(1), make_diverged(2)};
    char old[256], new[256], csv_path[256];
    gnd_error err;

    (void)state;
    for (int age = 0; age < 2; age++) {
        int64_t n_new = -1;
        gnd_store *s;
        size_t n;
        char *csv;

        snprintf(old, sizeof old, "%s.%d", temp_path("old.db"), age);
        snprintf(new, sizeof new, "%s.%d", temp_path("new.db"), age);
        snprintf(csv_path, sizeof csv_path, "%s", temp_path("old.csv"));
        s = make_store(old);
        for (int i = 0; i < 2; i++)
            CHECK_OK(gnd_store_put(s, &rows[i], &err));
        CHECK_OK(gnd_store_export(s, csv_path, &err));
        make_sql(s, drop[age]);
        gnd_store_close(s);
        for (int again = 0; again < 2; again++)
            check_old_rows(old, rows, age > 0);
        csv = temp_slurp(csv_path, &n);
        csv[n] = '\0';
        cut_ends(csv, end[age]);
        s = make_store(new);
        CHECK_OK(gnd_store_import(s, temp_file("old.csv", csv, strlen(csv)), &n_new, &err));
        assert_int_equal(n_new, 2);
        gnd_store_close(s);
        check_old_rows(new, rows, age > 0);
        free(csv);
    }
}

/* The files that are kept beside the source. */
static void kept_results(void **state)
{
    gnd_store *s = make_store(temp_path("kept.db"));
    char path[512];
    int64_t n_new = 0;
    gnd_error err;

    (void)state;
    snprintf(path, sizeof path, "%s/results", GND_SOURCE_DIR);
    CHECK_OK(gnd_store_import(s, path, &n_new, &err));
    assert_true(n_new > 0);
    gnd_store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_onto_itself), cmocka_unit_test(csv_round_trip),
        cmocka_unit_test(csv_complaints),  cmocka_unit_test(older),
        cmocka_unit_test(kept_results),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
