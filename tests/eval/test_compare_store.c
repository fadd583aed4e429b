/* SPDX-License-Identifier: MIT
 * test_compare_store.c - comparisons with a store: the same bits as without, whatever was there,
 * whoever helps, whoever is killed. */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "eval/clock.h"
#include "fixture.h"
#include "store_make.h"

enum { N_CONFIG = 3, N_SPLIT = 6, N_RUN = N_CONFIG * 2 * N_SPLIT };

static const int32_t counts[] = {1, 3};
static gnd_config *configs[N_CONFIG];
static gnd_graph *karate;
static gnd_comparison *plain; /* the undisturbed comparison, without a store */

static gnd_compare_opts options(gnd_store *s, int32_t threads)
{
    return (gnd_compare_opts){.size = sizeof(gnd_compare_opts),
                              .configs = (const gnd_config *const *)configs,
                              .n_config = N_CONFIG,
                              .per_class = counts,
                              .n_per_class = 2,
                              .n_split = N_SPLIT,
                              .kind = GND_SPLIT_HONEST,
                              .seed = 7,
                              .threads = threads,
                              .store = s};
}

/* A loss from a file has 6 significant digits. */
static bool same_loss(double *a, double *b, bool from_file)
{
    const bool same = !memcmp(a, b, sizeof *a) || (from_file && fabs(*a - *b) <= 5e-6 * fabs(*b));

    *a = *b = 0;
    return same;
}

static bool same_result(const gnd_result *x, const gnd_result *y, bool from_file)
{
    gnd_result a = *x, b = *y;

    return same_loss(&a.loss_train, &b.loss_train, from_file) &&
           same_loss(&a.loss_val, &b.loss_val, from_file) &&
           same_loss(&a.loss_test, &b.loss_test, from_file) && memcmp(&a, &b, sizeof a) == 0;
}

static bool same_runs_of(const gnd_comparison *c, bool from_file)
{
    bool same = gnd_comparison_n_run(c) == N_RUN;

    for (int64_t i = 0; same && i < N_RUN; i++) {
        const gnd_run *a = gnd_comparison_run(c, i), *b = gnd_comparison_run(plain, i);

        same = a->status == b->status && a->config == b->config && a->seed == b->seed &&
               a->per_class == b->per_class && a->split_seed == b->split_seed &&
               same_result(a->result, b->result, from_file);
    }
    for (int64_t i = 0; same && i < N_CONFIG * 2; i++) {
        const gnd_cell a = *gnd_comparison_cell(c, i), b = *gnd_comparison_cell(plain, i);

        same = memcmp(&a.mean, &b.mean, sizeof a.mean) == 0 &&
               memcmp(&a.low, &b.low, sizeof a.low) == 0 && a.n == b.n;
    }
    return same;
}

static bool same_runs(const gnd_comparison *c)
{
    return same_runs_of(c, false);
}

typedef struct {
    int64_t calls, stored, stop_at;
    bool in_order; /* stored ones came first */
} seen;

static int on_run(const gnd_run *run, int64_t done, int64_t total, void *user)
{
    seen *k = user;

    k->calls++;
    k->in_order = k->in_order && total == N_RUN && done == k->calls &&
                  (!run->stored || k->stored == k->calls - 1);
    k->stored += run->stored;
    return done == k->stop_at;
}

/* Two methods, one of them also with steps that leave the finite numbers. */
static int setup(void **state)
{
    const gnd_load_opts lo = {.size = sizeof lo, .data_dir = GND_SOURCE_DIR "/data"};
    gnd_compare_opts o;
    gnd_error err = {0};

    for (int k = 0; k < N_CONFIG; k++) {
        if (gnd_config_new(&configs[k], k == 0 ? "gnd-slp" : "gnd-ds", &err) ||
            gnd_config_set(configs[k], "epochs_alone", "40", &err))
            return -1;
    }
    o = options(NULL, 1);
    return gnd_config_set(configs[2], "optimiser", "sgd", &err) ||
           gnd_config_set(configs[2], "lr", "100", &err) ||
           gnd_config_set(configs[2], "l2", "100", &err) ||
           gnd_load(&karate, "karate", &lo, &err) || gnd_compare(&plain, karate, &o, &err) ||
           temp_setup(state);
}

static int teardown(void **state)
{
    gnd_comparison_free(plain);
    gnd_graph_free(karate);
    for (int k = 0; k < N_CONFIG; k++)
        gnd_config_free(configs[k]);
    return temp_teardown(state);
}

static void stored_is_unstored(void **state)
{
    gnd_store *s = make_store(temp_path("same.db"));
    gnd_error err;

    (void)state;
    assert_int_equal(gnd_comparison_run(plain, N_RUN - 1)->status, GND_ERR_DIVERGED);
    for (int32_t round = 0; round < 3; round++) {
        gnd_compare_opts o = options(s, round + 1);
        gnd_comparison *c = NULL;
        seen k = {.in_order = true};

        o.on_run = on_run;
        o.user = &k;
        CHECK_OK(gnd_compare(&c, karate, &o, &err));
        assert_true(same_runs(c));
        assert_true(k.in_order);
        assert_int_equal(k.calls, N_RUN);
        assert_int_equal(k.stored, round ? N_RUN : 0);
        assert_int_equal(gnd_store_count(s), N_RUN);
        for (int64_t i = 0; i < N_RUN; i++) {
            assert_int_equal(gnd_comparison_run(c, i)->stored, round > 0);
            assert_true(gnd_comparison_run(c, i)->seconds > 0);
        }
        gnd_comparison_free(c);
    }
    gnd_store_close(s);
}

/* The caller stops it again and again; each start goes on where the last ended. */
static void continues(void **state)
{
    gnd_store *s = make_store(temp_path("part.db"));
    int64_t had = 0;

    (void)state;
    for (int64_t stop = 5;; stop += 9) {
        gnd_compare_opts o = options(s, 2);
        gnd_comparison *c = NULL;
        gnd_error err = {0};
        seen k = {.stop_at = stop, .in_order = true};
        gnd_status st;

        o.on_run = on_run;
        o.user = &k;
        st = gnd_compare(&c, karate, &o, &err);
        assert_int_equal(k.stored, stop < had ? stop : had);
        had = gnd_store_count(s);
        if (stop <= N_RUN) {
            assert_int_equal(st, GND_ERR_STOPPED);
            assert_null(c);
            assert_int_equal(k.calls, stop);
            assert_in_range(had, stop, stop + 1); /* one may be finished when another stops it */
            continue;
        }
        assert_int_equal(st, GND_OK);
        assert_true(same_runs(c));
        gnd_comparison_free(c);
        break;
    }
    gnd_store_close(s);
}

/* What several starts of gnd are: a process with a handle of its own. Ends with status 0 if the
 * comparison came out right; tells how many runs it did itself. */
static pid_t start(const char *path, int32_t threads, int tell)
{
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        gnd_store *s = NULL;
        gnd_comparison *c = NULL;
        gnd_compare_opts o;
        seen k = {0};
        bool ok = gnd_store_open(&s, path, NULL) == GND_OK;
        int64_t own;

        o = options(s, threads);
        o.on_run = on_run;
        o.user = &k;
        ok = ok && gnd_compare(&c, karate, &o, NULL) == GND_OK && same_runs(c);
        own = k.calls - k.stored;
        ok = ok && (tell < 0 || write(tell, &own, sizeof own) == (ssize_t)sizeof own);
        gnd_store_close(s);
        _exit(ok ? 0 : 1);
    }
    return child;
}

static void processes_share(void **state)
{
    enum { N = 3 };
    const char *path = temp_path("shared.db");
    pid_t child[N];
    int tell[2];
    int64_t total = 0;

    (void)state;
    assert_int_equal(pipe(tell), 0);
    for (int i = 0; i < N; i++)
        child[i] = start(path, 2, tell[1]);
    for (int i = 0; i < N; i++) {
        int64_t own;
        int status;

        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
        assert_int_equal(read(tell[0], &own, sizeof own), sizeof own);
        total += own;
    }
    assert_int_equal(total, N_RUN); /* each training exactly once */
    close(tell[0]);
    close(tell[1]);
}

static void nap(int64_t us)
{
    nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

/* kill -9, twenty times: no file is hurt, no finished training lost, and the end is the same. */
static void killed(void **state)
{
    const char *path = temp_path("killed.db");
    int64_t had = 0, at_work = 0;
    uint32_t chance = 12345;
    int status = -1;
    double whole = gnd_clock();
    gnd_store *s;

    (void)state;
    assert_true(waitpid(start(temp_path("whole.db"), 2, -1), &status, 0) > 0);
    assert_int_equal(status, 0);
    whole = gnd_clock() - whole;
    for (int k = 0; k < 20; k++) {
        const pid_t child = start(path, 2, -1);
        int64_t n;

        chance = chance * 1664525 + 1013904223;
        nap((int64_t)(1e6 * whole / 8 * (chance >> 8) / (1 << 24)));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        at_work += WIFSIGNALED(status);
        s = make_store(path);
        n = gnd_store_count(s);
        assert_in_range(n, had, N_RUN);
        had = n;
        gnd_store_close(s);
    }
    assert_true(at_work >= 5); /* not just idle ones */
    assert_int_equal(waitpid(start(path, 2, -1), &status, 0) > 0, 1);
    assert_int_equal(status, 0);
    s = make_store(path);
    assert_int_equal(gnd_store_count(s), N_RUN);
    gnd_store_close(s);
}

/* A process claims everything and dies in the midst of it, while we wait. */
static void waits_and_takes_over(void **state)
{
    const char *path = temp_path("wait.db");
    gnd_store *s;
    gnd_comparison *c = NULL;
    gnd_compare_opts o;
    gnd_error err;
    int ready[2];
    char byte;
    pid_t child;

    (void)state;
    s = make_store(path);
    o = options(s, 2);
    o.n_split = 2;
    CHECK_OK(gnd_compare(&c, karate, &o, &err)); /* rows to make claims of */
    gnd_comparison_free(c);
    gnd_store_close(s);
    assert_int_equal(pipe(ready), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool ok = gnd_store_open(&s, path, NULL) == GND_OK;
        char sql[1024];

        snprintf(sql, sizeof sql,
                 "INSERT INTO claim SELECT " GND_ROW_KEY ", '%s', %lld, %lld, 1, 0 FROM run;"
                 "DELETE FROM run",
                 s->host, (long long)s->pid, (long long)s->began);
        ok = ok && sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK &&
             write(ready[1], "r", 1) == 1;
        nap(300000);
        _exit(ok ? 0 : 1); /* without closing: the claims stay */
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    s = make_store(path);
    assert_int_equal(gnd_store_count(s), 0);
    o = options(s, 2);
    CHECK_OK(gnd_compare(&c, karate, &o, &err));
    assert_true(same_runs(c));
    assert_int_equal(waitpid(child, NULL, WNOHANG), child); /* it was dead by then */
    gnd_comparison_free(c);
    gnd_store_close(s);
    close(ready[0]);
    close(ready[1]);
}

static int on_wait(int64_t n, void *user)
{
    int *calls = user;

    assert_int_equal(n, N_RUN);
    return ++*calls == 2;
}

/* While others do all that is left, the caller is asked whether to go on. */
static void waiting_can_be_stopped(void **state)
{
    gnd_store *s = make_store(temp_path("patience.db"));
    gnd_compare_opts o = options(s, 2);
    gnd_comparison *c = NULL;
    int calls = 0;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_compare(&c, karate, &o, &err)); /* rows to make claims of */
    gnd_comparison_free(c);
    make_sql(s, "INSERT INTO claim SELECT " GND_ROW_KEY ", 'elsewhere', 1, 1, 1, "
                "strftime('%s', 'now') FROM run;"
                "DELETE FROM run");
    o.on_wait = on_wait;
    o.user = &calls;
    CHECK_FAILS(gnd_compare(&c, karate, &o, &err), GND_ERR_STOPPED, "stopped after 0 of");
    assert_null(c);
    assert_int_equal(calls, 2);
    gnd_store_close(s);
}

/* The same config twice: with a store it is trained once, and nobody waits for himself. */
static void twins(void **state)
{
    gnd_store *s = make_store(temp_path("twins.db"));
    gnd_config *const old = configs[1];
    gnd_comparison *c = NULL;
    gnd_error err;

    (void)state;
    configs[1] = configs[0];
    for (int32_t threads = 1; threads <= 4; threads += 3) {
        const gnd_compare_opts o = options(s, threads);

        CHECK_OK(gnd_compare(&c, karate, &o, &err));
        assert_int_equal(gnd_store_count(s), N_RUN / 3 * 2);
        for (int64_t i = 0; i < N_RUN / 3; i++)
            assert_memory_equal(gnd_comparison_run(c, i)->result,
                                gnd_comparison_run(c, i + N_RUN / 3)->result, sizeof(gnd_result));
        gnd_comparison_free(c);
        make_sql(s, "DELETE FROM run");
    }
    configs[1] = old;
    gnd_store_close(s);
}

/* The disk fills up: one sentence, no claim left behind, and with room it goes on. */
static void full_disk(void **state)
{
    gnd_store *s = make_store(temp_path("full.db"));
    const gnd_compare_opts o = options(s, 2);
    gnd_comparison *c = NULL;
    gnd_error err;

    (void)state;
    make_sql(s, "PRAGMA max_page_count = 8");
    CHECK_FAILS(gnd_compare(&c, karate, &o, &err), GND_ERR_IO, "database or disk is full");
    assert_null(c);
    assert_in_range(gnd_store_count(s), 1, N_RUN - 1);
    make_sql(s, "PRAGMA max_page_count = 100000");
    CHECK_OK(gnd_compare(&c, karate, &o, &err));
    assert_true(same_runs(c));
    gnd_comparison_free(c);
    gnd_store_close(s);
}

/* A sweep goes on from its CSV file. */
static void from_csv(void **state)
{
    char csv[256];
    gnd_store *a = make_store(temp_path("csv-a.db")), *b = make_store(temp_path("csv-b.db"));
    gnd_compare_opts o = options(a, 2);
    gnd_comparison *c = NULL;
    seen k = {.in_order = true};
    gnd_error err;

    (void)state;
    snprintf(csv, sizeof csv, "%s", temp_path("sweep.csv"));
    o.n_split = 3;
    CHECK_OK(gnd_compare(&c, karate, &o, &err));
    gnd_comparison_free(c);
    CHECK_OK(gnd_store_export(a, csv, &err));
    CHECK_OK(gnd_store_import(b, csv, NULL, &err));
    o = options(b, 2);
    o.on_run = on_run;
    o.user = &k;
    CHECK_OK(gnd_compare(&c, karate, &o, &err));
    assert_int_equal(k.stored, N_RUN / 2);
    assert_true(k.in_order && same_runs_of(c, true));
    gnd_comparison_free(c);
    gnd_store_close(a);
    gnd_store_close(b);
}

/* Nothing is trained; what the store lacks is left out. */
static void only_stored(void **state)
{
    gnd_store *s = make_store(temp_path("only.db"));
    gnd_compare_opts o = options(s, 2);
    gnd_comparison *c = NULL;
    gnd_paired paired = {.size = sizeof paired};
    gnd_error err;

    (void)state;
    o.n_split = 2;
    CHECK_OK(gnd_compare(&c, karate, &o, &err));
    gnd_comparison_free(c);
    o = options(s, 2);
    o.only_stored = true;
    CHECK_OK(gnd_compare(&c, karate, &o, &err));
    assert_int_equal(gnd_store_count(s), N_RUN / N_SPLIT * 2);
    for (int64_t i = 0; i < N_RUN; i++) {
        const gnd_run *run = gnd_comparison_run(c, i);

        assert_int_equal(run->stored, run->split_seed <= 2);
        assert_int_equal(run->status == GND_ERR_STOPPED, run->split_seed > 2);
    }
    assert_int_equal(gnd_comparison_cell(c, 0)->n, 2);
    CHECK_OK(gnd_comparison_paired(&paired, c, 0, 2, &err));
    assert_int_equal(paired.n, 2);
    gnd_comparison_free(c);
    gnd_store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_is_unstored),
        cmocka_unit_test(continues),
        cmocka_unit_test(processes_share),
        cmocka_unit_test(killed),
        cmocka_unit_test(waits_and_takes_over),
        cmocka_unit_test(waiting_can_be_stopped),
        cmocka_unit_test(twins),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(from_csv),
        cmocka_unit_test(only_stored),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
