/* SPDX-License-Identifier: MIT
 * store_claim.c - claims on runs, so that processes that share a store do not repeat each other's
 * work.
 *
 * Claims only save work: if one is lost or taken over wrongly, a run is made twice with the same
 * result. Whether a process on this host is alive is known; for other hosts only the lease
 * decides. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "clock.h"
#include "store_priv.h"

/* Start time of process pid in clock ticks since boot; 0: unknown; -1: it has ended or is
 * stopped. */
static int64_t process_began(int64_t pid)
{
    enum { STATE = 3, BEGAN = 22 }; /* fields of /proc/PID/stat, see proc(5) */
    char path[64], buf[1024], *p;
    size_t n;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    f = fopen(path, "r");
    if (!f)
        return 0;
    n = fread(buf, 1, sizeof buf - 1, f);
    fclose(f);
    buf[n] = '\0';
    p = strrchr(buf, ')'); /* the process name before it may contain any character */
    if (!p || p[1] != ' ')
        return 0;
    p += 2;
    if (*p == 'Z' || *p == 'X' || *p == 'T') /* a zombie, or stopped */
        return -1;
    for (int k = STATE; k < BEGAN && p; k++) {
        p = strchr(p, ' ');
        p += p != NULL;
    }
    return p ? strtoll(p, NULL, 10) : 0;
}

/* fresh: the claim was renewed within its lease. That decides where the system does not tell start
 * times of processes. */
static bool process_lives(int64_t pid, int64_t began, bool fresh)
{
    const int64_t now = process_began(pid);

    if (pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == ESRCH))
        return false;
    return now >= 0 && (now == began || (fresh && (now == 0 || began == 0)));
}

void gnd_store_owner(gnd_store *s)
{
    const double now = gnd_clock();
    uint64_t bits;

    if (gethostname(s->host, sizeof s->host - 1) != 0 || !s->host[0])
        snprintf(s->host, sizeof s->host, "localhost");
    s->pid = (int64_t)getpid();
    s->began = process_began(s->pid);
    memcpy(&bits, &now, sizeof bits);
    s->handle = (int64_t)(gnd_mix64(bits ^ (uint64_t)(uintptr_t)s) >> 1);
}

/* Bind the owner (this process and handle) to ?6 .. ?9 and, unless it is negative, the time to
 * ?10. */
static int bind_owner(sqlite3_stmt *q, const gnd_store *s, double now)
{
    int rc = sqlite3_bind_text(q, 6, s->host, -1, SQLITE_STATIC);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(q, 7, s->pid);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(q, 8, s->began);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(q, 9, s->handle);
    if (rc == SQLITE_OK && now >= 0)
        rc = sqlite3_bind_double(q, 10, now);
    return rc;
}

/* Is another process or handle running the row? */
static gnd_status is_taken(gnd_store *s, bool *taken, const gnd_row *row, gnd_error *err)
{
    static const char doing[] = "look up a claim";
    sqlite3_stmt *q = s->sql[SQL_CLAIM_GET];
    const char *host;
    double age;
    bool fresh;
    gnd_status st;

    *taken = false;
    if (gnd_store_bind_key(q, row) != SQLITE_OK)
        return gnd_store_fail(s, doing, err);
    st = gnd_store_step(s, SQL_CLAIM_GET, taken, doing, err);
    if (st != GND_OK || !*taken)
        return st;
    host = (const char *)sqlite3_column_text(q, 0);
    /* Clocks of hosts differ a little; a time further ahead than the lease is not valid. */
    age = gnd_clock_date() - sqlite3_column_double(q, 3);
    fresh = age < GND_STORE_LEASE && age > -GND_STORE_LEASE;
    if (host && strcmp(host, s->host) == 0)
        *taken = process_lives(sqlite3_column_int64(q, 1), sqlite3_column_int64(q, 2), fresh);
    else
        *taken = fresh;
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return GND_OK;
}

gnd_status gnd_store_claim(gnd_store *s, gnd_claim *out, gnd_row *row, gnd_error *err)
{
    static const char doing[] = "claim a training run";
    sqlite3_stmt *q = s->sql[SQL_CLAIM_PUT];
    bool found = false, taken = false;
    gnd_status st = gnd_store_begin(s, doing, err);

    if (st != GND_OK)
        return st;
    st = gnd_store_get(s, &found, row, err);
    if (st == GND_OK && !found)
        st = is_taken(s, &taken, row, err);
    if (st == GND_OK && !found && !taken)
        st = gnd_store_bind_key(q, row) == SQLITE_OK &&
                     bind_owner(q, s, gnd_clock_date()) == SQLITE_OK
                 ? gnd_store_do(s, SQL_CLAIM_PUT, doing, err)
                 : gnd_store_fail(s, doing, err);
    *out = found ? GND_CLAIM_FOUND : taken ? GND_CLAIM_TAKEN : GND_CLAIM_MINE;
    return gnd_store_end(s, st, doing, err);
}

gnd_status gnd_store_put(gnd_store *s, const gnd_row *row, gnd_error *err)
{
    static const char doing[] = "store a training run";
    sqlite3_stmt *put = s->sql[SQL_PUT], *drop = s->sql[SQL_CLAIM_DROP];
    char date[GND_DATE_TEXT];
    gnd_row full = *row;
    gnd_status st = gnd_store_begin(s, doing, err);

    if (st != GND_OK)
        return st;
    full.build = s->build;
    full.finished = gnd_clock_text(date);
    st = gnd_row_bind(put, &full) == SQLITE_OK ? gnd_store_do(s, SQL_PUT, doing, err)
                                               : gnd_store_fail(s, doing, err);
    if (st == GND_OK)
        st = gnd_store_bind_key(drop, row) == SQLITE_OK && bind_owner(drop, s, -1) == SQLITE_OK
                 ? gnd_store_do(s, SQL_CLAIM_DROP, doing, err)
                 : gnd_store_fail(s, doing, err);
    return gnd_store_end(s, st, doing, err);
}

gnd_status gnd_store_renew(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "renew claims";

    if (bind_owner(s->sql[SQL_CLAIM_RENEW], s, gnd_clock_date()) != SQLITE_OK)
        return gnd_store_fail(s, doing, err);
    return gnd_store_do(s, SQL_CLAIM_RENEW, doing, err);
}

gnd_status gnd_store_unclaim(gnd_store *s, gnd_error *err)
{
    static const char doing[] = "release claims";

    if (bind_owner(s->sql[SQL_CLAIM_DROP_ALL], s, -1) != SQLITE_OK)
        return gnd_store_fail(s, doing, err);
    return gnd_store_do(s, SQL_CLAIM_DROP_ALL, doing, err);
}
