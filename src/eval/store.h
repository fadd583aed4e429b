/* SPDX-License-Identifier: MIT
 * store.h - finished trainings in an SQLite file, and claims on those under way.
 *
 * Each call below is a transaction of its own. A handle is for one thread at a time. */
#ifndef GND_EVAL_STORE_H
#define GND_EVAL_STORE_H

#include "row.h"

enum { GND_STORE_VERSION = 1 }; /* of the tables; kept in PRAGMA user_version */

typedef enum {
    GND_CLAIM_MINE,  /* train it */
    GND_CLAIM_FOUND, /* somebody has finished it meanwhile */
    GND_CLAIM_TAKEN  /* somebody is training it */
} gnd_claim;

/* Of each row (keys given) the result, if the store has it: found[i] says so. */
gnd_status gnd_store_find(gnd_store *s, bool *found, gnd_row *row, int64_t n, gnd_error *err);
/* Ask to train a row. A claim whose owner is dead is taken over; of an owner on another host it is
 * known only by its lease, which lasts GND_STORE_LEASE seconds unless renewed. */
gnd_status gnd_store_claim(gnd_store *s, gnd_claim *out, gnd_row *row, gnd_error *err);
/* Keep a finished row (build and date are added) and give up the claim. A result that is there
 * already stays. */
gnd_status gnd_store_put(gnd_store *s, const gnd_row *row, gnd_error *err);
/* Prolong all claims of this handle. */
gnd_status gnd_store_renew(gnd_store *s, gnd_error *err);
/* Give up all claims of this handle. */
gnd_status gnd_store_unclaim(gnd_store *s, gnd_error *err);

enum { GND_STORE_LEASE = 600, GND_STORE_RENEW = 60 }; /* seconds */

#endif
