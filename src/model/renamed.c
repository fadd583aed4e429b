/* SPDX-License-Identifier: MIT
 * renamed.c - the table of settings whose names or values changed. */
#include "renamed.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* A row without values renames the setting; a row with values renames one value of it. */
static const struct {
    const char *method, *old_name, *old_value, *name, *value;
} renamed[] = {
    {"auto", "views", NULL, "feature_weights", NULL},
    {"auto", "views", "rare", "feature_weights", "idf"},
    {"auto", "views", "plain", "feature_weights", "equal"},
    {"auto", "measures", NULL, "numeric_by_rank", NULL},
    {"auto", "near", NULL, "teleport_near", NULL},
    {"auto", "safety", NULL, "ensemble", NULL},
    {"auto", "strangers", NULL, "heterophily", NULL},
    {"auto", "caution", NULL, "fallback_weight", NULL},
    {"auto", "second_look", NULL, "refine", NULL},
    {"auto", "pull", NULL, "label_weight", NULL},
    {"auto", "shrink", NULL, "shrinkage", NULL},
};
/* Settings that method auto no longer has. */
static const char *const removed[] = {
    "fits",        "rank",      "teleport_near",   "ensemble",
    "heterophily", "refine",    "fallback_weight", "label_weight",
    "temperature", "shrinkage", "sharpness",       "feature_weights"};

enum { N_RENAMED = sizeof renamed / sizeof renamed[0] };

static bool same(const char *a, const char *b, size_t len)
{
    return strlen(a) == len && memcmp(a, b, len) == 0;
}

/* The current spelling of one value, or NULL. */
static const char *value_renamed(const char *method, const char *name, const char *value,
                                 size_t len)
{
    for (int k = 0; k < N_RENAMED; k++)
        if (renamed[k].old_value && strcmp(renamed[k].method, method) == 0 &&
            strcmp(renamed[k].old_name, name) == 0 && same(renamed[k].old_value, value, len))
            return renamed[k].value;
    return NULL;
}

/* A value is a list "a,b" of one or more items. Returns whether an item changed. */
static bool values_rename(char out[GND_RENAMED_VALUE], const char *method, const char *name,
                          const char *value)
{
    bool changed = false;
    size_t used = 0;

    out[0] = '\0';
    for (const char *s = value;; s++) {
        const size_t len = strcspn(s, ",");
        const char *now = value_renamed(method, name, s, len);

        if (used < GND_RENAMED_VALUE)
            used += (size_t)snprintf(out + used, GND_RENAMED_VALUE - used, "%s%.*s",
                                     s == value ? "" : ",", (int)(now ? strlen(now) : len),
                                     now ? now : s);
        changed = changed || now;
        s += len;
        if (!*s)
            return changed;
    }
}

bool gnd_setting_renamed(const char **new_name, char new_value[GND_RENAMED_VALUE],
                         const char *method, const char *name, const char *value)
{
    char values[GND_RENAMED_VALUE];
    const char *now = NULL;
    bool changed;

    for (int k = 0; k < N_RENAMED && !now; k++)
        if (strcmp(renamed[k].method, method) == 0 && strcmp(renamed[k].old_name, name) == 0)
            now = renamed[k].name;
    if (!now || strlen(value) >= GND_RENAMED_VALUE / 2)
        return false; /* no valid value is this long; the error message quotes it unchanged */
    changed = values_rename(values, method, name, value);
    if (!changed && strcmp(now, name) == 0)
        return false;
    *new_name = now;
    memcpy(new_value, values, sizeof values);
    return true;
}

gnd_status gnd_settings_renamed(char **out, const char *method, const char *settings,
                                gnd_error *err)
{
    const size_t room = strlen(settings) * (GND_RENAMED_VALUE / 4) + 1;
    char name[64], value[GND_RENAMED_VALUE];
    size_t used = 0;

    *out = gnd_alloc((int64_t)room, 1);
    if (!*out)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the settings of %s", method);
    for (const char *s = settings; *s;) {
        const size_t len = strcspn(s, " "), head = strcspn(s, "= ");
        char now_value[GND_RENAMED_VALUE];
        const char *now = NULL;

        if (head < len && head < sizeof name && len - head <= sizeof value) {
            snprintf(name, sizeof name, "%.*s", (int)head, s);
            snprintf(value, sizeof value, "%.*s", (int)(len - head - 1), s + head + 1);
            if (gnd_setting_renamed(&now, now_value, method, name, value))
                used += (size_t)snprintf(*out + used, room - used, "%s=%s", now, now_value);
        }
        if (!now)
            used += (size_t)snprintf(*out + used, room - used, "%.*s", (int)len, s);
        s += len;
        for (; *s == ' '; s++)
            (*out)[used++] = ' ';
    }
    return GND_OK;
}

bool gnd_setting_removed(const char *method, const char *name)
{
    for (int k = 0; k < N_RENAMED; k++)
        if (strcmp(renamed[k].method, method) == 0 && strcmp(renamed[k].old_name, name) == 0)
            name = renamed[k].name;
    for (size_t k = 0; k < sizeof removed / sizeof removed[0]; k++)
        if (strcmp(method, "auto") == 0 && strcmp(removed[k], name) == 0)
            return true;
    return false;
}
