/* SPDX-License-Identifier: MIT
 * test_store.c - stores: rows come back to the bit, claims have one owner, every bad file gets its
 * sentence. */
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "eval/clock.h"
#include "store_make.h"

static void rows_come_back(void **state)
{
    const char *path = temp_path("rows.db");
    gnd_store *s = make_store(path);
    gnd_row in[3] = {make_row(1), make_row(UINT64_MAX), make_diverged(2)}, got[4];
    bool found[4];
    gnd_error err;

    (void)state;
    for (int i = 0; i < 3; i++)
        CHECK_OK(gnd_store_put(s, &in[i], &err));
    in[0].result.acc_test = 0.5; /* a second result does not replace the first */
    CHECK_OK(gnd_store_put(s, &in[0], &err));
    in[0].result.acc_test = 0.333333;
    assert_int_equal(gnd_store_count(s), 3);
    gnd_store_close(s);
    s = make_store(path);
    for (int i = 0; i < 4; i++) {
        got[i] = i < 3 ? in[i] : make_row(9);
        got[i].status = "?";
        got[i].result = (gnd_result){0};
        got[i].seconds = 0;
    }
    CHECK_OK(gnd_store_find(s, found, got, 4, &err));
    for (int i = 0; i < 3; i++) {
        assert_true(found[i]);
        check_same(&got[i], &in[i]);
    }
    assert_false(found[3]);
    gnd_store_close(s);
}

/* Each of the five parts of a key makes another training; what is for readers does not. */
static void keys(void **state)
{
    gnd_store *s = make_store(temp_path("keys.db"));
    gnd_row r[7];
    bool found[7];
    gnd_error err;

    (void)state;
    for (int i = 0; i < 7; i++)
        r[i] = make_row(1);
    CHECK_OK(gnd_store_put(s, &r[0], &err));
    r[1].data = "1123456789abcdef0123456789abcdef";
    r[2].split_hash = "1edcba9876543210fedcba9876543210";
    r[3].method = "gnd-ds";
    r[4].settings = "lr=0.01 filters=ppr,heat hops=4";
    r[5].seed = 2;
    r[6].dataset = "renamed", r[6].graph = "std", r[6].split = "honest", r[6].n_val = 0;
    CHECK_OK(gnd_store_find(s, found, r, 7, &err));
    for (int i = 0; i < 7; i++)
        assert_int_equal(found[i], i == 0 || i == 6);
    gnd_store_close(s);
}

static gnd_claim ask(gnd_store *s, uint64_t k)
{
    gnd_row r = make_row(k);
    gnd_claim c;
    gnd_error err;

    CHECK_OK(gnd_store_claim(s, &c, &r, &err));
    return c;
}

static void claims(void **state)
{
    const char *path = temp_path("claims.db");
    gnd_store *a = make_store(path), *b = make_store(path);
    const gnd_row done = make_row(1);
    gnd_error err;

    (void)state;
    assert_int_equal(ask(a, 1), GND_CLAIM_MINE);
    assert_int_equal(ask(b, 1), GND_CLAIM_TAKEN);
    assert_int_equal(ask(a, 1), GND_CLAIM_TAKEN); /* it is being trained, by whomever */
    assert_int_equal(ask(b, 2), GND_CLAIM_MINE);
    CHECK_OK(gnd_store_put(a, &done, &err));
    assert_int_equal(ask(a, 1), GND_CLAIM_FOUND);
    assert_int_equal(ask(b, 1), GND_CLAIM_FOUND);
    assert_int_equal(ask(a, 3), GND_CLAIM_MINE);
    CHECK_OK(gnd_store_unclaim(a, &err));
    assert_int_equal(ask(b, 3), GND_CLAIM_MINE);
    assert_int_equal(ask(a, 2), GND_CLAIM_TAKEN); /* that of b was not given up */
    gnd_store_close(b);
    assert_int_equal(ask(a, 2), GND_CLAIM_MINE);
    gnd_store_close(a);
}

/* Another process's claim holds while it works, also with its number used again, and not after:
 * neither when it was stopped, nor as a zombie, nor when it is gone. */
static void dead_owners(void **state)
{
    const char *path = temp_path("dead.db");
    gnd_store *s;
    int ready[2], status;
    char byte;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ready), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gnd_store *mine = NULL;
        gnd_claim c;
        bool ok = gnd_store_open(&mine, path, NULL) == GND_OK;

        for (uint64_t k = 1; ok && k <= 4; k++) {
            gnd_row r = make_row(k);

            ok = gnd_store_claim(mine, &c, &r, NULL) == GND_OK && c == GND_CLAIM_MINE;
        }
        ok = ok && write(ready[1], "r", 1) == 1;
        for (;;)
            pause();
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    s = make_store(path);
    assert_int_equal(ask(s, 1), GND_CLAIM_TAKEN);
    make_sql(s, "UPDATE claim SET began = began - 1 WHERE seed = 2");
    assert_int_equal(ask(s, 2), GND_CLAIM_MINE);
    kill(child, SIGSTOP);
    assert_int_equal(waitid(P_PID, (id_t)child, &(siginfo_t){0}, WSTOPPED), 0);
    assert_int_equal(ask(s, 4), GND_CLAIM_MINE);
    kill(child, SIGCONT);
    assert_int_equal(waitid(P_PID, (id_t)child, &(siginfo_t){0}, WCONTINUED), 0);
    assert_int_equal(ask(s, 1), GND_CLAIM_TAKEN);
    kill(child, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    assert_int_equal(ask(s, 1), GND_CLAIM_MINE);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(ask(s, 3), GND_CLAIM_MINE);
    gnd_store_close(s);
}

/* Of another host nothing is known but the lease. */
static void leases(void **state)
{
    gnd_store *s = make_store(temp_path("lease.db"));
    char sql[256];
    gnd_error err;

    (void)state;
    for (uint64_t k = 1; k <= 3; k++)
        assert_int_equal(ask(s, k), GND_CLAIM_MINE);
    make_sql(s, "UPDATE claim SET host = 'elsewhere', pid = 999999999 WHERE seed < 3");
    snprintf(sql, sizeof sql, "UPDATE claim SET renewed = %.3f WHERE seed = 2",
             gnd_clock_date() - GND_STORE_LEASE - 1);
    make_sql(s, sql);
    assert_int_equal(ask(s, 1), GND_CLAIM_TAKEN);
    assert_int_equal(ask(s, 2), GND_CLAIM_MINE);
    snprintf(sql, sizeof sql, "UPDATE claim SET host = 'elsewhere', renewed = %.3f WHERE seed = 2",
             gnd_clock_date() + GND_STORE_LEASE / 2);
    make_sql(s, sql); /* its clock is ahead of ours */
    assert_int_equal(ask(s, 2), GND_CLAIM_TAKEN);
    snprintf(sql, sizeof sql, "UPDATE claim SET renewed = %.3f WHERE seed = 2",
             gnd_clock_date() + GND_STORE_LEASE + 60);
    make_sql(s, sql); /* no clock of a claim that holds */
    assert_int_equal(ask(s, 2), GND_CLAIM_MINE);
    make_sql(s, "UPDATE claim SET renewed = 0");
    CHECK_OK(gnd_store_renew(s, &err)); /* ours, which are 2 and 3 */
    make_sql(s, "UPDATE claim SET host = 'elsewhere'");
    assert_int_equal(ask(s, 1), GND_CLAIM_MINE);
    assert_int_equal(ask(s, 2), GND_CLAIM_TAKEN);
    assert_int_equal(ask(s, 3), GND_CLAIM_TAKEN);
    gnd_store_close(s);
}

/* Somebody removes the file: better known before a day of training than after it. */
static void removed_file(void **state)
{
    const char *path = temp_path("removed.db");
    gnd_store *s = make_store(path);
    const gnd_row done = make_row(1);
    gnd_row r = make_row(2);
    gnd_claim c;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_store_put(s, &done, &err));
    assert_int_equal(unlink(path), 0);
    CHECK_FAILS(gnd_store_put(s, &done, &err), GND_ERR_IO,
                "removed.db: the store was removed or renamed while in use");
    CHECK_FAILS(gnd_store_claim(s, &c, &r, &err), GND_ERR_IO, "removed or renamed");
    gnd_store_close(s);
}

/* ---- files ---- */

static void check_no_store(const char *path, gnd_status code, const char *message)
{
    gnd_store *s = (gnd_store *)(uintptr_t)1;
    gnd_error err;

    CHECK_FAILS(gnd_store_open(&s, path, &err), code, message);
    assert_null(s);
    if (*path)
        assert_non_null(strstr(err.msg, path));
}

static void foreign_files(void **state)
{
    static const char text[] = "name,value\nThis is some file of somebody, and long enough for "
                               "SQLite to look at: a header has one hundred bytes, no less.\n";
    gnd_store *s = make_store(temp_path("newer.db"));
    sqlite3 *db;

    (void)state;
    make_sql(s, "PRAGMA user_version = 2");
    gnd_store_close(s);
    check_no_store(temp_path("newer.db"), GND_ERR_FORMAT,
                   "newer.db: is a gnd store of version 2; this gnd knows version 1");
    check_no_store("", GND_ERR_ARG, "the name of the store is empty");
    check_no_store(temp_path("no/such.db"), GND_ERR_IO,
                   "no/such.db: cannot open the store: No such file or directory");
    check_no_store(temp_dir, GND_ERR_IO, "is not a file; expected a gnd store");
    check_no_store(temp_file("text.db", text, sizeof text), GND_ERR_FORMAT,
                   "text.db: is neither a gnd store nor another SQLite file");
    assert_int_equal(sqlite3_open(temp_path("foreign.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE run (a, b)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    check_no_store(temp_path("foreign.db"), GND_ERR_FORMAT,
                   "foreign.db: is an SQLite file of another program, not a gnd store");
    s = make_store(temp_path("lost.db"));
    make_sql(s, "DROP TABLE claim");
    gnd_store_close(s);
    check_no_store(temp_path("lost.db"), GND_ERR_FORMAT,
                   "lost.db: is not a valid gnd store: a table is missing");
}

/* What may be in an SQLite file and is executed when the file is used: such a file is refused
 * before anything in it runs. */
static void hostile_tables(void **state)
{
    static const struct {
        const char *sql, *message;
    } bad[] = {
        {"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END", "its trigger 't'"},
        {"CREATE TRIGGER t BEFORE INSERT ON claim BEGIN SELECT count(*) FROM (WITH RECURSIVE c(x) "
         "AS "
         "(SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c); END",
         "its trigger 't'"},
        {"CREATE VIEW v AS SELECT 1", "its view 'v'"},
        {"CREATE TABLE extra (a)", "its table 'extra'"},
        {"CREATE INDEX slow ON run (length(dataset))", "its index 'slow'"},
        {"DROP INDEX run_key", "a table is missing"},
        {"ALTER TABLE run ADD COLUMN more TEXT", "its table 'run'"},
        {"ALTER TABLE claim RENAME TO other; CREATE VIEW claim AS SELECT * FROM other",
         "its table 'other'"},
        {"ALTER TABLE claim ADD COLUMN g AS (hex(zeroblob(1000000)))", "its table 'claim'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *path = temp_path("hostile.db");
        sqlite3 *db;

        unlink(path);
        gnd_store_close(make_store(path));
        gnd_store_close(make_store(path)); /* it is fine so far */
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, bad[i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        check_no_store(path, GND_ERR_FORMAT, bad[i].message);
    }
}

/* A trigger that comes later, while the store is open, does not run. */
static void late_triggers(void **state)
{
    const char *path = temp_path("late.db");
    gnd_store *s = make_store(path);
    const gnd_row a = make_row(1), b = make_row(2);
    sqlite3 *db;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_store_put(s, &a, &err));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    CHECK_OK(gnd_store_put(s, &b, &err));
    assert_int_equal(gnd_store_count(s), 2);
    gnd_store_close(s);
}

/* Each value is checked when it is read, as those of a CSV file are. */
static void hostile_values(void **state)
{
    static const struct {
        const char *set, *message;
    } bad[] = {
        {"test_accuracy = 57",
         "test_accuracy of a training run is '57.0'; expected a number from 0 to 1"},
        {"test_accuracy = 'x'", "test_accuracy of a training run is 'x'"},
        {"val_accuracy = -0.5", "val_accuracy of a training run is '-0.5'"},
        {"epochs = -1", "epochs of a training run is '-1'"},
        {"epochs = NULL", "epochs of a training run is ''"},
        {"seconds = 1e300", "seconds of a training run is '1.0e+300'"},
        {"status = 'fine'", "status of a training run is 'fine'; expected one of ok|diverged"},
        {"status = 'diverged'", "epochs of a training run is '101'; expected an empty value"},
        {"plan = 'a plan that is much longer than any plan'", "plan of a training run is"},
        {"finished = 'yesterday'", "finished of a training run is 'yesterday'; expected a date"},
        {"dataset = x'410042'", "dataset of a training run is 'A'"},
        {"build = CAST(x'410042' AS TEXT)", "build of a training run is 'A'"},
        {"labels_per_class = 2.5", "labels_per_class of a training run is '2.5'"},
    };
    const gnd_row row = make_row(1);
    bool found;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *path = temp_path("values.db");
        gnd_store *s;
        gnd_row got = row;
        gnd_claim c;
        char sql[256];
        FILE *f = fopen("/dev/null", "w");

        unlink(path);
        s = make_store(path);
        CHECK_OK(gnd_store_put(s, &row, &err));
        snprintf(sql, sizeof sql, "UPDATE run SET %s", bad[i].set);
        make_sql(s, sql);
        CHECK_FAILS(gnd_store_find(s, &found, &got, 1, &err), GND_ERR_FORMAT, bad[i].message);
        CHECK_FAILS(gnd_store_claim(s, &c, &got, &err), GND_ERR_FORMAT, bad[i].message);
        CHECK_FAILS(gnd_store_write(s, f, &err), GND_ERR_FORMAT, bad[i].message);
        make_sql(s, "DELETE FROM run"); /* no statement is left open */
        CHECK_OK(gnd_store_write(s, f, &err));
        gnd_store_close(s);
        fclose(f);
    }
}

static gnd_store *running;

static void on_alarm(int sig)
{
    (void)sig;
    gnd_store_interrupt(running);
}

static void alarm_soon(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 50000}};

    signal(SIGALRM, on_alarm);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

/* A signal ends a statement that would run for ever, and what comes after it. */
static void interrupts(void **state)
{
    const gnd_row row = make_row(1);
    gnd_row got = row;
    bool found;
    gnd_error err;

    (void)state;
    running = make_store(temp_path("interrupt.db"));
    CHECK_OK(gnd_store_put(running, &row, &err));
    alarm_soon();
    assert_int_equal(sqlite3_exec(running->db,
                                  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                                  "SELECT count(*) FROM c",
                                  NULL, NULL, NULL),
                     SQLITE_INTERRUPT);
    CHECK_FAILS(gnd_store_find(running, &found, &got, 1, &err), GND_ERR_STOPPED, "interrupted");
    CHECK_FAILS(gnd_store_export(running, temp_path("interrupt.csv"), &err), GND_ERR_STOPPED,
                "interrupted");
    assert_int_not_equal(access(temp_path("interrupt.csv"), F_OK), 0);
    gnd_store_close(running);
    running = make_store(temp_path("interrupt.db"));
    assert_int_equal(gnd_store_count(running), 1);
    gnd_store_close(running);
}

/* While another process has locked the file, an interrupt ends the waiting too. */
static void interrupt_while_locked(void **state)
{
    const gnd_row row = make_row(1);
    sqlite3 *db;
    gnd_error err;

    (void)state;
    running = make_store(temp_path("locked.db"));
    assert_int_equal(sqlite3_open(temp_path("locked.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    alarm_soon();
    CHECK_FAILS(gnd_store_put(running, &row, &err), GND_ERR_STOPPED, "interrupted");
    sqlite3_close(db);
    gnd_store_close(running);
}

/* Names that mean something else to SQLite are files like any other. */
static void odd_names(void **state)
{
    char old[512];
    gnd_store *s;

    (void)state;
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(temp_dir), 0);
    s = make_store(":memory:");
    gnd_store_close(s);
    assert_int_equal(access(":memory:", R_OK), 0);
    assert_int_equal(chdir(old), 0);
}

static void damaged_file(void **state)
{
    const char *path = temp_path("damaged.db");
    gnd_store *s = make_store(path);
    FILE *f;
    gnd_error err;

    (void)state;
    for (uint64_t k = 0; k < 100; k++) {
        const gnd_row r = make_row(k);

        CHECK_OK(gnd_store_put(s, &r, &err));
    }
    gnd_store_close(s); /* the journal is folded into the file */
    f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 3 * 4096, SEEK_SET), 0);
    for (int i = 0; i < 4 * 4096; i++)
        putc(0x5a, f);
    fclose(f);
    check_no_store(path, GND_ERR_FORMAT, "damaged.db: the store is damaged; start");
}

/* Nobody may write: tried as a user without rights, since root may. */
static void read_only_file(void **state)
{
    const char *path = temp_path("readonly.db");
    gnd_store *s = make_store(path);
    int status;
    pid_t child;

    (void)state;
    gnd_store_close(s);
    assert_int_equal(chmod(temp_dir, 0755) | chmod(path, 0444), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gnd_error err = {0};

        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        s = NULL;
        _exit(gnd_store_open(&s, path, &err) == GND_ERR_IO && !s &&
                      strstr(err.msg, "readonly.db: is read-only; a store must be writable")
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* A disk that fills up: the row that does not fit is refused, the others stay, and so does the
 * handle. */
static void full_disk(void **state)
{
    const char *path = temp_path("full.db");
    gnd_store *s = make_store(path);
    gnd_status st = GND_OK;
    gnd_error err = {0};
    uint64_t k = 0;

    (void)state;
    make_sql(s, "PRAGMA max_page_count = 20");
    for (; st == GND_OK && k < 1000; k++) {
        const gnd_row r = make_row(k);

        st = gnd_store_put(s, &r, &err);
    }
    assert_int_equal(st, GND_ERR_IO);
    assert_non_null(
        strstr(err.msg, "full.db: cannot store a training run: database or disk is full"));
    assert_int_equal(gnd_store_count(s), (int64_t)k - 1);
    make_sql(s, "PRAGMA max_page_count = 1000");
    {
        const gnd_row r = make_row(k);

        CHECK_OK(gnd_store_put(s, &r, &err));
    }
    gnd_store_close(s);
}

/* Ten processes make the same store at once, and each puts rows into it. */
static void born_together(void **state)
{
    enum { N = 10, ROWS = 20 };
    const char *path = temp_path("born.db");
    gnd_store *s;
    pid_t child[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0) {
            bool ok = gnd_store_open(&s, path, NULL) == GND_OK;

            for (int k = 0; ok && k < ROWS; k++) {
                const gnd_row r = make_row((uint64_t)(ROWS * i + k));

                ok = gnd_store_put(s, &r, NULL) == GND_OK;
            }
            if (ok)
                gnd_store_close(s);
            _exit(!ok);
        }
    }
    for (int i = 0; i < N; i++) {
        int status;

        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    s = make_store(path);
    assert_int_equal(gnd_store_count(s), N * ROWS);
    gnd_store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),
        cmocka_unit_test(keys),
        cmocka_unit_test(claims),
        cmocka_unit_test(dead_owners),
        cmocka_unit_test(leases),
        cmocka_unit_test(foreign_files),
        cmocka_unit_test(odd_names),
        cmocka_unit_test(damaged_file),
        cmocka_unit_test(removed_file),
        cmocka_unit_test(read_only_file),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(born_together),
        cmocka_unit_test(hostile_tables),
        cmocka_unit_test(late_triggers),
        cmocka_unit_test(hostile_values),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(interrupt_while_locked),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
