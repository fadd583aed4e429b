/* SPDX-License-Identifier: MIT
 * buffer.c - a text that grows by doubling. */
#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"

bool gnd_buffer_add(gnd_buffer *b, const char *bytes, size_t n)
{
    if (!b->failed && n >= b->room - b->size) {
        const size_t room = 2 * (b->size + n) + 64;
        char *text = n < PTRDIFF_MAX / 4 && b->size < PTRDIFF_MAX / 4
                         ? gnd_realloc(b->text, (int64_t)room, 1)
                         : NULL;

        if (text) {
            b->text = text;
            b->room = room;
        } else {
            b->failed = true;
        }
    }
    if (b->failed)
        return false;
    if (n > 0)
        memcpy(b->text + b->size, bytes, n);
    b->size += n;
    b->text[b->size] = '\0';
    return true;
}

void gnd_text_add(gnd_buffer *b, const char *fmt, ...)
{
    char room[512], *text = room;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(room, sizeof room, fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof room) {
        text = gnd_alloc(n + 1, 1);
        if (text) {
            va_start(ap, fmt);
            vsnprintf(text, (size_t)n + 1, fmt, ap);
            va_end(ap);
        }
    }
    if (n < 0 || !text)
        b->failed = true;
    else
        gnd_buffer_add(b, text, (size_t)n);
    if (text != room)
        gnd_free(text);
}

void gnd_buffer_fini(gnd_buffer *b)
{
    gnd_free(b->text);
    *b = (gnd_buffer){0};
}
