/* SPDX-License-Identifier: MIT
 * team.h - processes that work on the same run, for files that all of them write. */
#ifndef GND_BASE_TEAM_H
#define GND_BASE_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* All zero is a process that works alone. All processes call the same functions in the same order.
 */
typedef struct {
    int32_t rank, size;
    /* The error of the first process that has one, in all of them; NULL: alone. */
    gnd_status (*agree)(void *user, gnd_status st, gnd_error *err);
    bool (*any)(void *user, bool yes); /* does one say yes? */
    void *user;
} gnd_team;

static inline gnd_status gnd_team_agree(const gnd_team *t, gnd_status st, gnd_error *err)
{
    return t->agree ? t->agree(t->user, st, err) : st;
}

static inline bool gnd_team_any(const gnd_team *t, bool yes)
{
    return t->any ? t->any(t->user, yes) : yes;
}

#endif
