/* SPDX-License-Identifier: MIT
 * note.c - a list of notes that grows by doubling. */
#include "note.h"

#include <stdarg.h>
#include <string.h>

#include "alloc.h"
#include "str.h"

gnd_status gnd_notes_add(gnd_notes *to, gnd_severity severity, const char *code, gnd_error *err,
                         const char *fmt, ...)
{
    char text[512];
    va_list ap;

    if (!to)
        return GND_OK;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    gnd_utf8_trim(text); /* names in the text may be longer than the buffer */
    if (to->n == to->room) {
        const int64_t room = to->room ? 2 * to->room : 8;
        gnd_note *list = gnd_realloc(to->list, room, sizeof *list);

        if (!list)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for notes");
        to->list = list;
        to->room = room;
    }
    to->list[to->n] = (gnd_note){.code = code, .severity = severity, .text = gnd_strdup(text)};
    if (!to->list[to->n].text)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for notes");
    to->n++;
    return GND_OK;
}

gnd_status gnd_notes_copy(gnd_notes *to, const gnd_notes *from, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < from->n && st == GND_OK; i++)
        st = gnd_notes_add(to, from->list[i].severity, from->list[i].code, err, "%s",
                           from->list[i].text);
    return st;
}

void gnd_notes_cut(gnd_notes *notes, int64_t n)
{
    while (notes->n > n)
        gnd_free((char *)notes->list[--notes->n].text);
}

void gnd_notes_drop(gnd_notes *notes, const char *code, int64_t n)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < notes->n; i++) {
        if (i < n && strcmp(notes->list[i].code, code) == 0)
            gnd_free((char *)notes->list[i].text);
        else
            notes->list[kept++] = notes->list[i];
    }
    notes->n = kept;
}

void gnd_notes_fini(gnd_notes *n)
{
    gnd_notes_cut(n, 0);
    gnd_free(n->list);
    *n = (gnd_notes){0};
}

const gnd_note *gnd_notes_at(const gnd_notes *n, int64_t i)
{
    return i >= 0 && i < n->n ? &n->list[i] : NULL;
}
