/* SPDX-License-Identifier: MIT
 * svg.c - elements of an SVG file. Numbers are written by integers, so that the file has the same
 * bytes on every machine and in every locale. */
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ticks.h"

static void add(gnd_buffer *b, const char *text)
{
    gnd_buffer_add(b, text, strlen(text));
}

void gnd_svg_number(gnd_buffer *b, double v, int decimals)
{
    const double most = 1e6;
    char text[GND_TICK_TEXT], *start = text, *end;

    gnd_decimal_text(text, isnan(v) ? 0 : fmax(-most, fmin(most, v)), decimals);
    end = text + strlen(text);
    while (decimals > 0 && end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
    if (strncmp(text, "0.", 2) == 0) {
        start++;
    } else if (strncmp(text, "-0.", 3) == 0) {
        *++start = '-';
    }
    add(b, start);
}

void gnd_svg_pair(gnd_buffer *b, double x, double y)
{
    size_t end;

    gnd_svg_number(b, x, 2);
    end = b->size;
    add(b, " ");
    gnd_svg_number(b, y, 2);
    if (!b->failed && b->text[end + 1] == '-') { /* the sign separates */
        memmove(b->text + end, b->text + end + 1, b->size - end);
        b->size--;
    }
}

void gnd_svg_escape(gnd_buffer *b, const char *text)
{
    while (*text) {
        const char *start = text;
        const uint32_t c = gnd_utf8_next(&text);

        if (c == GND_NO_CHAR || c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffe || c == 0xffff)
            add(b, "?");
        else if (c == '&')
            add(b, "&amp;");
        else if (c == '<')
            add(b, "&lt;");
        else if (c == '>')
            add(b, "&gt;");
        else if (c == '"')
            add(b, "&quot;");
        else
            gnd_buffer_add(b, start, (size_t)(text - start));
    }
}

void gnd_svg_real(gnd_buffer *b, const char *name, double v)
{
    gnd_text_add(b, " %s=\"", name);
    gnd_svg_number(b, v, 2);
    add(b, "\"");
}

void gnd_svg_text(gnd_buffer *b, const gnd_svg_place *at, const char *text, bool exponent)
{
    const char *hat = exponent ? strchr(text, '^') : NULL;
    char base[GND_TICK_TEXT];

    add(b, "<text");
    if (at->vertical) {
        add(b, " transform=\"translate(");
        gnd_svg_pair(b, at->x, at->y);
        add(b, ")rotate(-90)\"");
    } else {
        gnd_svg_real(b, "x", at->x);
        gnd_svg_real(b, "y", at->y);
    }
    gnd_svg_real(b, "font-size", at->size);
    if (at->anchor != 's')
        gnd_text_add(b, " text-anchor=\"%s\"", at->anchor == 'm' ? "middle" : "end");
    if (at->bold)
        add(b, " font-weight=\"bold\"");
    add(b, ">");
    if (hat) {
        snprintf(base, sizeof base, "%.*s", (int)(hat - text), text);
        gnd_svg_escape(b, base);
        gnd_text_add(b, "<tspan dy=\"-2.4\"");
        gnd_svg_real(b, "font-size", 0.75 * at->size);
        add(b, ">");
        gnd_svg_escape(b, hat + 1);
        add(b, "</tspan>");
    } else {
        gnd_svg_escape(b, text);
    }
    add(b, "</text>\n");
}

double gnd_svg_width(const char *text, double size)
{
    double em = 0;

    while (*text) {
        const uint32_t c = gnd_utf8_next(&text);

        if (c < 0x80 && strchr("ijl.,:;|!'", (int)c))
            em += 0.32;
        else if (c < 0x80 && strchr("frtI ()[]-/^", (int)c))
            em += 0.4;
        else if (c < 0x80 && strchr("mwMW%@", (int)c))
            em += 0.95;
        else if (c >= 'A' && c <= 'Z')
            em += 0.72;
        else
            em += c < 0x2e80 ? 0.62 : 1;
    }
    return em * size;
}
