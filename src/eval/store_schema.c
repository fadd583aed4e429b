/* SPDX-License-Identifier: MIT
 * store_schema.c - the tables of a store: create them, add columns that an older store lacks, and
 * refuse a file whose tables differ.
 *
 * A store may come from an untrusted source, and an SQLite file can contain code: triggers, views,
 * checks, computed columns, indexes over expressions. A file that passes the check has none of
 * them. */
#include <string.h>

#include "base/alloc.h"
#include "model/renamed.h"
#include "store_priv.h"

enum { APPLICATION = 0x676e6473 }; /* "gnds", in the file's header */

#define RUN_KEY "CREATE UNIQUE INDEX run_key ON run (" GND_ROW_KEY ")"
#define CLAIM                                                                                      \
    "CREATE TABLE claim (data TEXT NOT NULL, split_hash TEXT NOT NULL, method TEXT NOT NULL,"      \
    " settings TEXT NOT NULL, seed INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,"    \
    " began INTEGER NOT NULL, handle INTEGER NOT NULL, renewed REAL NOT NULL,"                     \
    " PRIMARY KEY (" GND_ROW_KEY ")) WITHOUT ROWID"

static gnd_status exec(gnd_store *s, const char *sql, const char *doing, gnd_error *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? GND_OK
                                                                   : gnd_store_fail(s, doing, err);
}

/* One integer or, if text is not NULL, one text from a statement. */
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

/* Create the tables in an empty file. Another process may do so at the same time. */
static gnd_status tables_make(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "create the tables";
    char columns[GND_ROW_TEXT], sql[3 * GND_ROW_TEXT];
    int64_t made = 0;
    gnd_status st;

    snprintf(sql, sizeof sql,
             "CREATE TABLE run (%s);" RUN_KEY ";" CLAIM
             "; PRAGMA application_id = %d; PRAGMA user_version = %d;",
             gnd_row_columns(columns, -1, true), APPLICATION, GND_STORE_VERSION);
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

/* The first column from *i on that the store lacks, as "name TYPE"; *i becomes -1 if it lacks
 * none. */
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

/* Add the columns that did not exist when the store was made. Another process may do so at the same
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

/* Replace old names of settings in stored rows by the present ones. If a row exists under both, the
 * one with the present names is kept. */
static gnd_status settings_rename(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "rename settings";
    int64_t n = 0;
    gnd_status st = GND_OK;

    if (sqlite3_create_function(s->db, "current_settings", 2,
                                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
                                current_settings, NULL, NULL) != SQLITE_OK)
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

/* Cut hashes of 32 digits, as older versions wrote them, to the 16 that they have now. */
static gnd_status hashes_cut(gnd_store *s, gnd_error *err)
{
    int64_t n = 0;
    gnd_status st;

    GND_TRY(ask(s, &n, NULL, "SELECT EXISTS (SELECT 1 FROM run WHERE length(data) = 32)", err));
    if (n > 0)
        GND_TRY(exec(s,
                     "BEGIN IMMEDIATE;"
                     "UPDATE OR IGNORE run SET data = substr(data, 1, 16),"
                     " split_hash = substr(split_hash, 1, 16) WHERE length(data) = 32;"
                     "DELETE FROM run WHERE length(data) = 32;"
                     "DELETE FROM claim WHERE length(data) = 32;"
                     "COMMIT",
                     "shorten hashes", err));
out:
    if (st != GND_OK && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* Are two definitions equal except for blanks? Those differ between versions of gnd and SQLite. */
static bool same_sql(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \n");
        b += strspn(b, " \n");
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

static bool is_run_table(const char *sql)
{
    char columns[GND_ROW_TEXT], want[2 * GND_ROW_TEXT];
    const char *type;

    for (int n = 0; n == 0 || gnd_row_added(n - 1, &type); n++) {
        snprintf(want, sizeof want, "CREATE TABLE run (%s)", gnd_row_columns(columns, n, true));
        if (same_sql(sql, want))
            return true;
    }
    return false;
}

/* The part of a store that a definition creates: a bit, or 0 if none. */
static unsigned part_of(const char *sql)
{
    return is_run_table(sql) ? 1 : same_sql(sql, RUN_KEY) ? 2 : same_sql(sql, CLAIM) ? 4 : 0;
}

/* Check that the file has the tables of a store and nothing else. */
static gnd_status schema_check(gnd_store *s, gnd_error *err)
{
    sqlite3_stmt *q = NULL;
    unsigned found = 0;
    int rc;
    gnd_status st = GND_OK;

    rc = sqlite3_prepare_v2(s->db, "SELECT type, name, sql FROM sqlite_master", -1, &q, NULL);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        const char *type, *name, *sql;
        unsigned part;

        rc = sqlite3_step(q);
        if (rc != SQLITE_ROW)
            break;
        type = (const char *)sqlite3_column_text(q, 0);
        name = (const char *)sqlite3_column_text(q, 1);
        sql = (const char *)sqlite3_column_text(q, 2);
        if (type && name && !sql && strcmp(type, "index") == 0)
            continue; /* the index of a primary key */
        part = sql ? part_of(sql) : 0;
        if (!part || (found & part))
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: is not a valid gnd store: its %.20s '%.60s' is not one of "
                             "gnd's; start a new store",
                             s->path, type ? type : "object", name ? name : ""));
        found |= part;
    }
    if (rc != SQLITE_DONE)
        GND_TRY(gnd_store_fail(s, "read the tables", err));
    if (found != 7)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: is not a valid gnd store: a table is missing; start a new store",
                         s->path));
out:
    sqlite3_finalize(q);
    return st;
}

gnd_status gnd_store_check_file(gnd_store *s, gnd_error *err)
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
    GND_TRY(schema_check(s, err));
    GND_TRY(ask(s, NULL, sound, "PRAGMA quick_check(1)", err));
    if (strcmp(sound, "ok") != 0)
        GND_TRY(gnd_store_damaged(s, err));
    GND_TRY(columns_add(s, err));
    GND_TRY(settings_rename(s, err));
    GND_TRY(hashes_cut(s, err));
    GND_TRY(exec(s, "PRAGMA synchronous = NORMAL", "set up the file", err));
    /* This needs exclusive access for a moment; if other processes use the file, the next open does
     * it. */
    if (sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) != SQLITE_OK &&
        (sqlite3_errcode(s->db) & 0xff) != SQLITE_BUSY)
        GND_TRY(gnd_store_fail(s, "open the journal", err));
out:
    return st;
}
