/* SPDX-License-Identifier: MIT
 * store_priv.h - what the files of the store share. */
#ifndef GND_EVAL_STORE_PRIV_H
#define GND_EVAL_STORE_PRIV_H

#include <signal.h>

#include "store.h"

typedef enum {
    SQL_FIND,
    SQL_PUT,
    SQL_COUNT,
    SQL_ALL,
    SQL_CLAIM_GET,
    SQL_CLAIM_PUT,
    SQL_CLAIM_DROP,
    SQL_CLAIM_RENEW,
    SQL_CLAIM_DROP_ALL,
    SQL_READ,
    SQL_WRITE,
    SQL_COMMIT,
    SQL_ROLLBACK,
    N_SQL
} gnd_sql;

struct gnd_store {
    char *path;
    sqlite3 *db;
    sqlite3_stmt *sql[N_SQL];
    volatile sig_atomic_t stop; /* gnd_store_interrupt was called */
    int64_t busy_ms;            /* how long to wait for other processes */
    char build[160];            /* version, kernels, commit */
    /* Who claims: a process is its number and when it began, since numbers are used again. */
    char host[256];
    int64_t pid, began, handle;
};

/* "PATH: cannot DOING: why" from what SQLite said last. */
gnd_status gnd_store_fail(gnd_store *s, const char *doing, gnd_error *err);
gnd_status gnd_store_damaged(const gnd_store *s, gnd_error *err);
/* The file that was opened is a store, sound and of this version; an empty file becomes one. */
gnd_status gnd_store_check_file(gnd_store *s, gnd_error *err);
/* Run a statement that gives no rows, its parameters bound; it is ready again after. */
gnd_status gnd_store_do(gnd_store *s, gnd_sql which, const char *doing, gnd_error *err);
/* Step a statement; *row: there is a row to read. After the last one, and on failure, it is ready
 * again. */
gnd_status gnd_store_step(gnd_store *s, gnd_sql which, bool *row, const char *doing,
                          gnd_error *err);
/* Bind the columns of GND_ROW_KEY to ?1 .. ?5; an SQLite code. */
int gnd_store_bind_key(sqlite3_stmt *q, const gnd_row *row);
/* The result of row's key, inside a transaction. */
gnd_status gnd_store_get(gnd_store *s, bool *found, gnd_row *row, gnd_error *err);
/* Begin a transaction that writes; fails if the file is no longer under its name. */
gnd_status gnd_store_begin(gnd_store *s, const char *doing, gnd_error *err);
/* End a transaction: commit if st is GND_OK, and roll back if that or st fails. */
gnd_status gnd_store_end(gnd_store *s, gnd_status st, const char *doing, gnd_error *err);
/* Fill in who we are. */
void gnd_store_owner(gnd_store *s);

#endif
