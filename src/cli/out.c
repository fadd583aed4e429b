/* SPDX-License-Identifier: MIT
 * out.c - output of results: tables, JSON values, files. */
#define _POSIX_C_SOURCE 200809L
#include "out.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnd.h"
#include "say.h"

/* ---- tables ---- */

gnd_table *table_new(const char *align)
{
    gnd_table *t = gnd_table_new(align);

    if (!t)
        exit(say_failed("out of memory"));
    return t;
}

static void table_write(FILE *f, const gnd_table *t, gnd_table_format format, int32_t indent)
{
    gnd_error err = {0};

    if (gnd_table_write(
            t, f,
            &(gnd_table_opts){.size = sizeof(gnd_table_opts), .format = format, .indent = indent},
            &err))
        exit(say_failed("%s", err.msg));
}

void table_print(gnd_table *t, gnd_table_format format, int indent)
{
    table_write(stdout, t, format, indent);
    gnd_table_free(t);
}

gnd_table_format table_format(const char *name)
{
    return strcmp(name, "md") == 0    ? GND_FORMAT_MARKDOWN
           : strcmp(name, "tex") == 0 ? GND_FORMAT_LATEX
           : strcmp(name, "csv") == 0 ? GND_FORMAT_CSV
                                      : GND_FORMAT_TEXT;
}

const char *count_text(char buf[32], int64_t n)
{
    char digits[24];
    const int len = snprintf(digits, sizeof digits, "%" PRId64, n);
    char *p = buf;

    for (int i = 0; i < len; i++) {
        if (i > (n < 0) && (len - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
    return buf;
}

const char *percent_text(char buf[32], double share)
{
    if (isfinite(share))
        snprintf(buf, 32, "%.2f %%", 100 * share);
    else
        snprintf(buf, 32, "-");
    return buf;
}

/* ---- JSON ---- */

static json_t *made(json_t *v)
{
    if (!v)
        exit(say_failed("out of memory"));
    return v;
}

json_t *js_real(double v)
{
    return isfinite(v) ? made(json_real(v)) : json_null();
}

json_t *js_count(int64_t v)
{
    return made(json_integer(v));
}

json_t *js_text(const char *text)
{
    json_t *v;
    char *copy;

    if (!text)
        return json_null();
    if (gnd_is_utf8(text))
        return made(json_string(text));
    copy = need_text("%s", text);
    for (char *p = copy; *p; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    v = made(json_string(copy));
    free(copy);
    return v;
}

void js_set(json_t *obj, const char *key, json_t *value)
{
    if (json_object_set_new(obj, key, made(value)))
        made(NULL);
}

void js_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, made(value)))
        made(NULL);
}

void js_print(FILE *f, json_t *obj)
{
    /* One line, so that results can be appended to a file; twelve digits, which hides rounding
     * noise. Flushing the stream detects a failed write. */
    if (json_dumpf(obj, f, JSON_REAL_PRECISION(12)) != 0 && !ferror(f))
        made(NULL);
    fputc('\n', f);
    json_decref(obj);
}

/* ---- files ---- */

/* The file that is being written: it is removed if the program exits for lack of memory. */
static gnd_writer *open_writer;

static void discard_open(void)
{
    gnd_writer_discard(open_writer);
    open_writer = NULL;
}

int file_write(const char *path, void (*print)(FILE *f, const void *user), const void *user)
{
    static bool registered;
    gnd_writer *w;
    gnd_error err = {0};
    int rc = 0;

    if (!registered && atexit(discard_open) != 0)
        return say_failed("out of memory");
    registered = true;
    signals_hold(path);
    if (gnd_writer_open(&open_writer, path, &err) == GND_OK) {
        print(gnd_writer_stream(open_writer), user);
        w = open_writer;
        open_writer = NULL;
        gnd_writer_close(w, &err);
    }
    if (err.code != GND_OK)
        rc = say_failed("%s", err.msg);
    signals_release();
    return rc;
}

static void print_csv(FILE *f, const void *t)
{
    table_write(f, t, GND_FORMAT_CSV, 0);
}

int table_save(gnd_table *t, const char *path)
{
    const int rc = file_write(path, print_csv, t);

    gnd_table_free(t);
    return rc;
}
