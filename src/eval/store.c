/* SPDX-License-Identifier: MIT
 * store.c - the store's file: opened, checked, made; rows put and found.
 *
 * In write-ahead mode a killed process leaves the file whole and readers never wait. Commits are
 * not flushed to the disk one by one (synchronous = NORMAL): a power cut may cost the last
 * trainings, never the file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "model/renamed.h"
#include "store_priv.h"

#ifndef GND_COMMIT
#define GND_COMMIT "" /* built outside a repository */
#endif

enum {
    APPLICATION = 0x676e6473, /* "gnds", in the file's header */
    BUSY_MS = 60000,          /* others write for milliseconds */
    CLOSE_MS = 1000           /* claims of a process that ended count for nothing anyway */
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

static gnd_status damaged(const gnd_store *s, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_FORMAT,
                    "%s: the store is damaged; begin a new one, with trainings exported earlier if "
                    "there are any",
                    s->path);
}

gnd_status gnd_store_fail(gnd_store *s, const char *doing, gnd_error *err)
{
    const int rc = sqlite3_errcode(s->db);

    if ((rc & 0xff) == SQLITE_NOTADB)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: is not a gnd store, nor any SQLite file",
                        s->path);
    if ((rc & 0xff) == SQLITE_CORRUPT)
        return damaged(s, err);
    if ((rc & 0xff) == SQLITE_BUSY)
        return gnd_fail(err, GND_ERR_IO,
                        "%s: cannot %s: another process has locked the store for over %d seconds",
                        s->path, doing, BUSY_MS / 1000);
    return gnd_fail(err, code_of(rc), "%s: cannot %s: %s", s->path, doing, sqlite3_errmsg(s->db));
}

gnd_status gnd_store_step(gnd_store *s, gnd_sql which, bool *row, const char *doing, gnd_error *err)
{
    const int rc = sqlite3_step(s->sql[which]);
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
                        "%s: the store was removed or renamed while it was used; what is trained "
                        "now could not be found again",
                        s->path);
    return gnd_store_do(s, SQL_WRITE, doing, err);
}

gnd_status gnd_store_end(gnd_store *s, gnd_status st, const char *doing, gnd_error *err)
{
    if (st == GND_OK)
        st = gnd_store_do(s, SQL_COMMIT, doing, err);
    if (st != GND_OK && !sqlite3_get_autocommit(s->db))
        gnd_store_do(s, SQL_ROLLBACK, doing, NULL); /* the first failure is the one to tell */
    return st;
}

/* ---- opening ---- */

static gnd_status exec(gnd_store *s, const char *sql, const char *doing, gnd_error *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? GND_OK
                                                                   : gnd_store_fail(s, doing, err);
}

/* One number or, if text is not NULL, one text out of a statement. */
static gnd_status ask(gnd_store *s, int64_t *out, char text[64], const char *sql, gnd_error *err)
{
    sqlite3_stmt *q = NULL;
    gnd_status st = GND_OK;

    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK || sqlite3_step(q) != SQLITE_ROW)
        st = gnd_store_fail(s, "read the file", err);
    else if (text)
        snprintf(text, 64, "%s", (const char *)sqlite3_column_text(q, 0));
    else
        *out = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return st;
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
    /* SQLite has names of its own, such as :memory:, but none that begins so. */
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
    sqlite3_busy_timeout(s->db, BUSY_MS);
out:
    gnd_free(name);
    return st;
}

/* The tables, in a file that has none. Somebody may be making them at the same time. */
static gnd_status tables_make(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "make the tables";
    char columns[GND_ROW_TEXT], sql[3 * GND_ROW_TEXT];
    int64_t made = 0;
    gnd_status st;

    snprintf(sql, sizeof sql,
             "CREATE TABLE run (%s);"
             "CREATE UNIQUE INDEX run_key ON run (" GND_ROW_KEY ");"
             "CREATE TABLE claim (data TEXT NOT NULL, split_hash TEXT NOT NULL,"
             " method TEXT NOT NULL, settings TEXT NOT NULL, seed INTEGER NOT NULL,"
             " host TEXT NOT NULL, pid INTEGER NOT NULL, began INTEGER NOT NULL,"
             " handle INTEGER NOT NULL, renewed REAL NOT NULL,"
             " PRIMARY KEY (" GND_ROW_KEY ")) WITHOUT ROWID;"
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             gnd_row_columns(columns, true), APPLICATION, GND_STORE_VERSION);
    GND_TRY(exec(s, "BEGIN IMMEDIATE", doing, err));
    st = ask(s, &made, NULL, "SELECT count(*) FROM sqlite_master", err);
    if (st == GND_OK && made == 0)
        st = exec(s, sql, doing, err);
    if (st == GND_OK)
        st = exec(s, "COMMIT", doing, err);
    if (st != GND_OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
out:
    return st;
}

/* The first column from *i on that the store lacks, as "name TYPE"; *i is -1 if it has all. */
static gnd_status column_lacking(gnd_store *s, int *i, char column[128], gnd_error *err)
{
    const char *name, *type;
    char sql[128];
    int64_t n = 0;
    gnd_status st = GND_OK;

    for (; (name = gnd_row_added(*i, &type)); ++*i) {
        snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('run') WHERE name = '%s'",
                 name);
        snprintf(column, 128, "%s%s", name, type);
        GND_TRY(ask(s, &n, NULL, sql, err));
        if (n == 0)
            return GND_OK;
    }
    *i = -1;
out:
    return st;
}

/* What a store of before some figures were kept lacks. Somebody may be adding it at the same
 * time. */
static gnd_status columns_add(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "add a column";
    char column[128], sql[192];
    int i = 0;
    gnd_status st;

    GND_TRY(column_lacking(s, &i, column, err));
    if (i < 0)
        return GND_OK;
    GND_TRY(exec(s, "BEGIN IMMEDIATE", doing, err));
    for (i = 0; st == GND_OK && i >= 0;) {
        st = column_lacking(s, &i, column, err);
        snprintf(sql, sizeof sql, "ALTER TABLE run ADD COLUMN %s", column);
        if (st == GND_OK && i >= 0)
            st = exec(s, sql, doing, err);
    }
    if (st == GND_OK)
        st = exec(s, "COMMIT", doing, err);
    if (st != GND_OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
out:
    return st;
}

/* SQL: current_settings(method, settings), the same settings under their present names. */
static void current_settings(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *method = (const char *)sqlite3_value_text(v[0]);
    const char *settings = (const char *)sqlite3_value_text(v[1]);
    char *now = NULL;

    (void)n;
    if (!method || !settings)
        sqlite3_result_null(c);
    else if (gnd_settings_renamed(&now, method, settings, NULL) != GND_OK)
        sqlite3_result_error_nomem(c);
    else
        sqlite3_result_text(c, now, -1, SQLITE_TRANSIENT);
    gnd_free(now);
}

/* Rows stored before settings were renamed must be found by their present names. A row that is
 * there under both keeps the new one. */
static gnd_status settings_rename(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "rename settings";
    int64_t n = 0;
    gnd_status st = GND_OK;

    if (sqlite3_create_function(s->db, "current_settings", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                NULL, current_settings, NULL, NULL) != SQLITE_OK)
        GND_TRY(gnd_store_fail(s, doing, err));
    GND_TRY(ask(s, &n, NULL,
                "SELECT count(*) FROM (SELECT DISTINCT method, settings FROM run)"
                " WHERE settings <> current_settings(method, settings)",
                err));
    if (n > 0)
        GND_TRY(exec(s,
                     "BEGIN IMMEDIATE;"
                     "UPDATE OR IGNORE run SET settings = current_settings(method, settings)"
                     " WHERE settings <> current_settings(method, settings);"
                     "DELETE FROM run WHERE settings <> current_settings(method, settings);"
                     "COMMIT",
                     doing, err));
out:
    if (st != GND_OK && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* Ours, of a version we know, and sound. */
static gnd_status file_check(gnd_store *s, gnd_error *err)
{
    int64_t n_table = 0, application = 0, version = 0;
    char sound[64];
    gnd_status st;

    GND_TRY(ask(s, &n_table, NULL, "SELECT count(*) FROM sqlite_master", err));
    if (n_table == 0)
        GND_TRY(tables_make(s, err));
    GND_TRY(ask(s, &application, NULL, "PRAGMA application_id", err));
    GND_TRY(ask(s, &version, NULL, "PRAGMA user_version", err));
    if (application != APPLICATION)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: is an SQLite file of another program, not a gnd store", s->path));
    if (version != GND_STORE_VERSION)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: is a gnd store of version %lld; this gnd knows version %d", s->path,
                         (long long)version, (int)GND_STORE_VERSION));
    GND_TRY(ask(s, NULL, sound, "PRAGMA quick_check(1)", err));
    if (strcmp(sound, "ok") != 0)
        GND_TRY(damaged(s, err));
    GND_TRY(columns_add(s, err));
    GND_TRY(settings_rename(s, err));
    GND_TRY(exec(s, "PRAGMA synchronous = NORMAL", "set up the file", err));
    /* It needs the file for itself for a moment; if others are at work the next to open does it. */
    if (sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) != SQLITE_OK &&
        (sqlite3_errcode(s->db) & 0xff) != SQLITE_BUSY)
        GND_TRY(gnd_store_fail(s, "open the journal", err));
out:
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

    gnd_row_columns(columns, false);
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

gnd_status gnd_store_open(gnd_store **out, const char *path, gnd_error *err)
{
    gnd_store *s = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (!*path)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "the name of the store is empty"));
    s = gnd_alloc(1, sizeof *s);
    if (s)
        s->path = gnd_strdup(path);
    if (!s || !s->path)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    snprintf(s->build, sizeof s->build, "gnd %s %s%s%s", gnd_version(), gnd_kernel_name(),
             *GND_COMMIT ? " " : "", GND_COMMIT);
    gnd_store_owner(s);
    GND_TRY(file_open(s, err));
    GND_TRY(file_check(s, err));
    GND_TRY(statements_make(s, err));
    *out = s;
    s = NULL;
out:
    gnd_store_close(s);
    return st;
}

void gnd_store_close(gnd_store *s)
{
    if (!s)
        return;
    if (s->sql[N_SQL - 1]) { /* it was opened to the end */
        sqlite3_busy_timeout(s->db, CLOSE_MS);
        gnd_store_unclaim(s, NULL);
    }
    for (int i = 0; i < N_SQL; i++)
        sqlite3_finalize(s->sql[i]);
    sqlite3_close(s->db);
    gnd_free(s->path);
    gnd_free(s);
}

/* ---- rows ---- */

int64_t gnd_store_count(gnd_store *s)
{
    int64_t n = -1;
    bool row;

    if (gnd_store_step(s, SQL_COUNT, &row, "count the trainings", NULL) == GND_OK && row) {
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
    static const char doing[] = "look up a training";
    sqlite3_stmt *q = s->sql[SQL_FIND];
    gnd_row got;
    gnd_status st;

    *found = false;
    if (gnd_store_bind_key(q, row) != SQLITE_OK)
        return gnd_store_fail(s, doing, err);
    st = gnd_store_step(s, SQL_FIND, found, doing, err);
    if (st != GND_OK || !*found)
        return st;
    gnd_row_read(&got, q);
    row->status = strcmp(got.status, "ok") == 0 ? "ok" : "diverged";
    row->result = got.result;
    row->seconds = got.seconds;
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return GND_OK;
}

gnd_status gnd_store_find(gnd_store *s, bool *found, gnd_row *row, int64_t n, gnd_error *err)
{
    static const char doing[] = "look up trainings";
    gnd_status st = gnd_store_do(s, SQL_READ, doing, err);

    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < n && st == GND_OK; i++)
        st = gnd_store_get(s, &found[i], &row[i], err);
    return gnd_store_end(s, st, doing, err);
}
