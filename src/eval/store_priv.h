/* SPDX-License-Identifier: MIT
 * store_priv.h - declarations shared by the files of the store. */
#ifndef GND_EVAL_STORE_PRIV_H
#define GND_EVAL_STORE_PRIV_H

#include <signal.h>

#include "recorded.h"
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
    int64_t busy_ms;            /* maximum wait for locks of other processes */
    char build[160];            /* version, kernels, commit */
    /* The owner of claims: process number and start time, since process numbers are reused. */
    char host[256];
    int64_t pid, began, handle;
    gnd_recorded *recorded; /* of a folder that was opened with gnd_store_open_results, or NULL */
};

/* Error "PATH: cannot DOING: reason", with SQLite's last message. */
gnd_status gnd_store_fail(gnd_store *s, const char *doing, gnd_error *err);
gnd_status gnd_store_damaged(const gnd_store *s, gnd_error *err);
/* Check that the opened file is an undamaged store of this version; an empty file becomes one. */
gnd_status gnd_store_check_file(gnd_store *s, gnd_error *err);
/* Run a statement that returns no rows, with its parameters bound, and reset it. */
gnd_status gnd_store_do(gnd_store *s, gnd_sql which, const char *doing, gnd_error *err);
/* Step a statement; *row: there is a row to read. After the last row, and on failure, it is
 * reset. */
gnd_status gnd_store_step(gnd_store *s, gnd_sql which, bool *row, const char *doing,
                          gnd_error *err);
/* Bind the columns of GND_ROW_KEY to ?1 .. ?5. Returns an SQLite code. */
int gnd_store_bind_key(sqlite3_stmt *q, const gnd_row *row);
/* Look up the result of the row's key, inside a transaction. */
gnd_status gnd_store_get(gnd_store *s, bool *found, gnd_row *row, gnd_error *err);
/* Begin a write transaction; fails if the file was removed or renamed. */
gnd_status gnd_store_begin(gnd_store *s, const char *doing, gnd_error *err);
/* End a transaction: commit if st is GND_OK; roll back if st or the commit fails. */
gnd_status gnd_store_end(gnd_store *s, gnd_status st, const char *doing, gnd_error *err);
/* Open a store in memory; path is for messages. */
gnd_status gnd_store_open_memory(gnd_store **out, const char *path, gnd_error *err);
/* Fill in the owner of claims. */
void gnd_store_owner(gnd_store *s);

#endif
