/* SPDX-License-Identifier: MIT
 * store.c - open and close the store's file; insert and find rows. store_schema.c checks the file.
 *
 * In write-ahead mode a killed process leaves the file consistent, and readers do not wait.
 * Commits are not flushed to disk one by one (synchronous = NORMAL): a power failure may lose the
 * last runs, but does not damage the file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "store_priv.h"

#ifndef GND_COMMIT
#define GND_COMMIT "" /* built outside a repository */
#endif

enum {
    BUSY_MS = 60000,    /* other processes hold the lock for milliseconds */
    CLOSE_MS = 1000,    /* when closing: claims of a process that has ended are ignored anyway */
    POLL_MS = 20,       /* between two attempts to lock the file */
    CHECK_OPS = 10000,  /* SQLite instructions between two checks of `stop`: about 0.1 ms */
    TEXT_MAX = 16 << 20 /* bytes of one value; the settings of a method are the longest values */
};

/* ---- failures ---- */

static gnd_status code_of(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        return GND_ERR_NOMEM;
    default:
        return GND_ERR_IO;
    }
}

gnd_status gnd_store_damaged(const gnd_store *s, gnd_error *err)
{
    return gnd_fail(
        err, GND_ERR_FORMAT,
        "%s: the store is damaged; start a new one and import the training runs that were "
        "exported earlier, if any",
        s->path);
}

gnd_status gnd_store_fail(gnd_store *s, const char *doing, gnd_error *err)
{
    const int rc = sqlite3_errcode(s->db);

    if ((rc & 0xff) == SQLITE_NOTADB)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: is neither a gnd store nor another SQLite file",
                        s->path);
    if ((rc & 0xff) == SQLITE_CORRUPT)
        return gnd_store_damaged(s, err);
    if ((rc & 0xff) == SQLITE_INTERRUPT || s->stop)
        return gnd_fail(err, GND_ERR_STOPPED, "%s: interrupted; could not %s", s->path, doing);
    if ((rc & 0xff) == SQLITE_BUSY)
        return gnd_fail(err, GND_ERR_IO,
                        "%s: cannot %s: another process has locked the store for over %d seconds",
                        s->path, doing, BUSY_MS / 1000);
    return gnd_fail(err, code_of(rc), "%s: cannot %s: %s", s->path, doing, sqlite3_errmsg(s->db));
}

gnd_status gnd_store_step(gnd_store *s, gnd_sql which, bool *row, const char *doing, gnd_error *err)
{
    const int rc = s->stop ? SQLITE_INTERRUPT : sqlite3_step(s->sql[which]);
    gnd_status st = GND_OK;

    *row = rc == SQLITE_ROW;
    if (*row)
        return GND_OK;
    if (rc != SQLITE_DONE)
        st = gnd_store_fail(s, doing, err);
    sqlite3_reset(s->sql[which]);
    sqlite3_clear_bindings(s->sql[which]);
    return st;
}

gnd_status gnd_store_do(gnd_store *s, gnd_sql which, const char *doing, gnd_error *err)
{
    bool row;

    return gnd_store_step(s, which, &row, doing, err);
}

gnd_status gnd_store_begin(gnd_store *s, const char *doing, gnd_error *err)
{
    int moved = 0;

    if (sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved)
        return gnd_fail(err, GND_ERR_IO,
                        "%s: the store was removed or renamed while in use; further training "
                        "runs could not be found again",
                        s->path);
    return gnd_store_do(s, SQL_WRITE, doing, err);
}

gnd_status gnd_store_end(gnd_store *s, gnd_status st, const char *doing, gnd_error *err)
{
    if (st == GND_OK)
        st = gnd_store_do(s, SQL_COMMIT, doing, err);
    if (st != GND_OK && !sqlite3_get_autocommit(s->db))
        gnd_store_do(s, SQL_ROLLBACK, doing, NULL); /* report the first failure */
    return st;
}

/* ---- opening ---- */

/* Wait while another process has locked the file, unless interrupted. */
static int on_busy(void *store, int n_before)
{
    gnd_store *s = store;

    if (s->stop || (int64_t)n_before * POLL_MS >= s->busy_ms)
        return 0;
    sqlite3_sleep(POLL_MS);
    return 1;
}

static int on_progress(void *store)
{
    return ((gnd_store *)store)->stop;
}

/* The file may come from an untrusted source: nothing in it is executed. An interrupt ends every
 * statement. */
static void limits_set(gnd_store *s)
{
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                              SQLITE_DBCONFIG_ENABLE_VIEW};

    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        sqlite3_db_config(s->db, off[i], 0, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, TEXT_MAX);
    s->busy_ms = BUSY_MS;
    sqlite3_busy_handler(s->db, on_busy, s);
    sqlite3_progress_handler(s->db, CHECK_OPS, on_progress, s);
}

static gnd_status memory_open(gnd_store *s, gnd_error *err)
{
    if (sqlite3_open_v2(":memory:", &s->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", s->path);
    sqlite3_extended_result_codes(s->db, 1);
    limits_set(s);
    return GND_OK;
}

static gnd_status file_open(gnd_store *s, gnd_error *err)
{
    const int64_t size = (int64_t)strlen(s->path) + 3;
    char *name = gnd_alloc(size, 1);
    struct stat sb;
    gnd_status st = GND_OK;

    if (!name)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", s->path));
    if (stat(s->path, &sb) == 0 && !S_ISREG(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is not a file; expected a gnd store", s->path));
    /* SQLite reserves some names, such as :memory:, but none that begins with "./". */
    snprintf(name, (size_t)size, "%s%s", s->path[0] == '/' ? "" : "./", s->path);
    if (sqlite3_open_v2(name, &s->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK) {
        const int why = s->db ? sqlite3_system_errno(s->db) : 0;

        GND_TRY(gnd_fail(err, s->db ? code_of(sqlite3_errcode(s->db)) : GND_ERR_NOMEM,
                         "%s: cannot open the store: %s", s->path,
                         why     ? strerror(why)
                         : s->db ? sqlite3_errmsg(s->db)
                                 : "no memory"));
    }
    if (sqlite3_db_readonly(s->db, "main") == 1)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is read-only; a store must be writable", s->path));
    sqlite3_extended_result_codes(s->db, 1);
    limits_set(s);
out:
    gnd_free(name);
    return st;
}

#define KEY  "data = ?1 AND split_hash = ?2 AND method = ?3 AND settings = ?4 AND seed = ?5"
#define MINE "host = ?6 AND pid = ?7 AND began = ?8 AND handle = ?9"

static gnd_status statements_make(gnd_store *s, gnd_error *err)
{
    char columns[GND_ROW_TEXT], marks[GND_ROW_TEXT], find[2 * GND_ROW_TEXT], put[3 * GND_ROW_TEXT],
        all[2 * GND_ROW_TEXT];
    const char *const sql[N_SQL] = {
        [SQL_FIND] = find,
        [SQL_PUT] = put,
        [SQL_COUNT] = "SELECT count(*) FROM run",
        [SQL_ALL] = all,
        [SQL_CLAIM_GET] = "SELECT host, pid, began, renewed FROM claim WHERE " KEY,
        [SQL_CLAIM_PUT] = "INSERT OR REPLACE INTO claim (" GND_ROW_KEY ", host, pid, began, "
                          "handle, renewed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        [SQL_CLAIM_DROP] = "DELETE FROM claim WHERE " KEY " AND " MINE,
        [SQL_CLAIM_RENEW] = "UPDATE claim SET renewed = ?10 WHERE " MINE,
        [SQL_CLAIM_DROP_ALL] = "DELETE FROM claim WHERE " MINE,
        [SQL_READ] = "BEGIN",
        [SQL_WRITE] = "BEGIN IMMEDIATE",
        [SQL_COMMIT] = "COMMIT",
        [SQL_ROLLBACK] = "ROLLBACK",
    };

    gnd_row_columns(columns, -1, false);
    snprintf(find, sizeof find, "SELECT %s FROM run WHERE " KEY, columns);
    snprintf(all, sizeof all, "SELECT %s FROM run ORDER BY " GND_ROW_ORDER, columns);
    snprintf(put, sizeof put, "INSERT INTO run (%s) VALUES (%s) ON CONFLICT DO NOTHING", columns,
             gnd_row_marks(marks));
    for (int i = 0; i < N_SQL; i++)
        if (sqlite3_prepare_v3(s->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &s->sql[i], NULL) !=
            SQLITE_OK)
            return gnd_store_fail(s, "use the tables", err);
    return GND_OK;
}

static gnd_status store_open(gnd_store **out, const char *path,
                             gnd_status (*database_open)(gnd_store *s, gnd_error *err),
                             gnd_error *err)
{
    gnd_store *s = gnd_alloc(1, sizeof *s);
    gnd_status st = GND_OK;

    *out = NULL;
    if (s)
        s->path = gnd_strdup(path);
    if (!s || !s->path)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    snprintf(s->build, sizeof s->build, "gnd %s %s%s%s", gnd_version(), gnd_kernel_name(),
             *GND_COMMIT ? " " : "", GND_COMMIT);
    gnd_store_owner(s);
    GND_TRY(database_open(s, err));
    GND_TRY(gnd_store_check_file(s, err));
    GND_TRY(statements_make(s, err));
    *out = s;
    s = NULL;
out:
    gnd_store_close(s);
    return st;
}

gnd_status gnd_store_open(gnd_store **out, const char *path, gnd_error *err)
{
    gnd_error_clear(err);
    *out = NULL;
    if (gnd_require(path, "the path of the store", err) != GND_OK)
        return GND_ERR_ARG;
    if (!*path)
        return gnd_fail(err, GND_ERR_ARG, "the name of the store is empty");
    return store_open(out, path, file_open, err);
}

gnd_status gnd_store_open_memory(gnd_store **out, const char *path, gnd_error *err)
{
    return store_open(out, path, memory_open, err);
}

void gnd_store_close(gnd_store *s)
{
    if (!s)
        return;
    if (s->sql[N_SQL - 1]) { /* it was opened completely */
        s->stop = 0;
        s->busy_ms = CLOSE_MS;
        gnd_store_unclaim(s, NULL);
    }
    gnd_recorded_free(s->recorded);
    for (int i = 0; i < N_SQL; i++)
        sqlite3_finalize(s->sql[i]);
    sqlite3_close(s->db);
    gnd_free(s->path);
    gnd_free(s);
}

void gnd_store_interrupt(gnd_store *s)
{
    s->stop = 1;
}

/* ---- rows ---- */

int64_t gnd_store_count(gnd_store *s)
{
    int64_t n = -1;
    bool row;

    if (gnd_store_step(s, SQL_COUNT, &row, "count the training runs", NULL) == GND_OK && row) {
        n = sqlite3_column_int64(s->sql[SQL_COUNT], 0);
        sqlite3_reset(s->sql[SQL_COUNT]);
    }
    return n;
}

int gnd_store_bind_key(sqlite3_stmt *q, const gnd_row *row)
{
    const char *const text[] = {row->data, row->split_hash, row->method, row->settings};
    int rc = SQLITE_OK;

    for (int i = 0; i < 4 && rc == SQLITE_OK; i++)
        rc = sqlite3_bind_text(q, i + 1, text[i], -1, SQLITE_TRANSIENT);
    return rc == SQLITE_OK ? sqlite3_bind_int64(q, 5, (int64_t)row->seed) : rc;
}

gnd_status gnd_store_get(gnd_store *s, bool *found, gnd_row *row, gnd_error *err)
{
    static const char doing[] = "look up a training run";
    sqlite3_stmt *q = s->sql[SQL_FIND];
    gnd_row got;
    gnd_status st;

    *found = false;
    if (gnd_store_bind_key(q, row) != SQLITE_OK)
        return gnd_store_fail(s, doing, err);
    st = gnd_store_step(s, SQL_FIND, found, doing, err);
    if (st != GND_OK || !*found)
        return st;
    st = gnd_row_read(&got, q, s->path, err);
    if (st == GND_OK) {
        row->status = strcmp(got.status, "ok") == 0 ? "ok" : "diverged";
        row->result = got.result;
        row->seconds = got.seconds;
    }
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return st;
}

gnd_status gnd_store_find(gnd_store *s, bool *found, gnd_row *row, int64_t n, gnd_error *err)
{
    static const char doing[] = "look up training runs";
    gnd_status st = gnd_store_do(s, SQL_READ, doing, err);

    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < n && st == GND_OK; i++)
        st = gnd_store_get(s, &found[i], &row[i], err);
    return gnd_store_end(s, st, doing, err);
}
