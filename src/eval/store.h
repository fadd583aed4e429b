/* SPDX-License-Identifier: MIT
 * store.h - finished runs in an SQLite file, and claims on runs in progress. Each call below is
 * one transaction; a handle is for one thread at a time. */
#ifndef GND_EVAL_STORE_H
#define GND_EVAL_STORE_H

#include "row.h"

enum { GND_STORE_VERSION = 1 }; /* version of the tables, kept in PRAGMA user_version */

typedef enum {
    GND_CLAIM_MINE,  /* the caller runs it */
    GND_CLAIM_FOUND, /* another process has finished it */
    GND_CLAIM_TAKEN  /* another process is running it */
} gnd_claim;

/* Look up the result of each row, whose keys are given; found[i]: the store has it. */
gnd_status gnd_store_find(gnd_store *s, bool *found, gnd_row *row, int64_t n, gnd_error *err);
/* Claim a run. A claim whose owner has ended is taken over. An owner on another host is known only
 * by its lease, which lasts GND_STORE_LEASE seconds unless renewed. */
gnd_status gnd_store_claim(gnd_store *s, gnd_claim *out, gnd_row *row, gnd_error *err);
/* Store a finished run (build and date are added) and release its claim. An existing result is
 * kept. */
gnd_status gnd_store_put(gnd_store *s, const gnd_row *row, gnd_error *err);
/* Renew all claims of this handle. */
gnd_status gnd_store_renew(gnd_store *s, gnd_error *err);
/* Release all claims of this handle. */
gnd_status gnd_store_unclaim(gnd_store *s, gnd_error *err);

enum { GND_STORE_LEASE = 600, GND_STORE_RENEW = 60 }; /* seconds */

#endif
