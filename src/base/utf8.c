/* SPDX-License-Identifier: MIT
 * utf8.c - characters of UTF-8 texts: decode them, and mask those that control a terminal. */
#include "utf8.h"

#include <string.h>

#include "gnd.h"

uint32_t gnd_utf8_next(const char **s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*s;
    const int n = p[0] < 0x80       ? 1
                  : p[0] >> 5 == 6  ? 2
                  : p[0] >> 4 == 14 ? 3
                  : p[0] >> 3 == 30 ? 4
                                    : 0;
    uint32_t c = n == 1 ? p[0] : (uint32_t)p[0] & (0x7fu >> n);

    for (int k = 1; k < n; k++) {
        if (p[k] >> 6 != 2) { /* also at the end of the text */
            c = GND_NO_CHAR;
            break;
        }
        c = c << 6 | (p[k] & 63u);
    }
    if (n == 0 || c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
        *s += 1;
        return GND_NO_CHAR;
    }
    *s += n;
    return c;
}

bool gnd_is_utf8(const char *text)
{
    while (text && *text)
        if (gnd_utf8_next(&text) == GND_NO_CHAR)
            return false;
    return text != NULL;
}

void gnd_utf8_trim(char *s)
{
    const size_t n = strlen(s);
    size_t back = 1;
    unsigned char lead;

    while (back < 4 && back < n && ((unsigned char)s[n - back] & 0xC0) == 0x80)
        back++;
    lead = n > 0 ? (unsigned char)s[n - back] : 0;
    if (lead >= (back == 1 ? 0xC0 : back == 2 ? 0xE0 : back == 3 ? 0xF0 : 0x100))
        s[n - back] = '\0';
}

/* C0, DEL and C1 control the terminal; the others change the direction of the text around them,
 * which can disguise it. A byte that is not UTF-8 may be a C1 character on an 8-bit terminal. */
static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == GND_NO_CHAR;
}

char *gnd_text_mask(char *text)
{
    const char *from = text;
    char *to = text;

    if (!text)
        return NULL;
    while (*from) {
        const char *begin = from;

        if (is_control(gnd_utf8_next(&from)))
            *to++ = '?';
        else
            while (begin < from)
                *to++ = *begin++;
    }
    *to = '\0';
    return text;
}
