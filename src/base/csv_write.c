/* SPDX-License-Identifier: MIT
 * csv_write.c - write a text as one field of a CSV line, with quotes where needed.
 *
 * The readers (io/text.c, io/csv_field.c) decide when quotes are needed: they skip lines that
 * start with # or %, remove blanks around a field, and take a tab as a separator. */
#include <string.h>

#include "status.h"

static bool needs_quotes(const char *s)
{
    const size_t n = strlen(s);

    return n > 0 && (strchr("#% ", s[0]) || s[n - 1] == ' ' || strpbrk(s, ",\"\t\r\n"));
}

void gnd_csv_write(FILE *f, const char *text)
{
    if (!text)
        return;
    if (!needs_quotes(text)) {
        fputs(text, f);
        return;
    }
    putc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', f);
        putc(*text, f);
    }
    putc('"', f);
}
