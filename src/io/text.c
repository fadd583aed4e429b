/* SPDX-License-Identifier: MIT
 * text.c - read a text file whole, inflate it if it is gzip, and give its lines. */
#define _POSIX_C_SOURCE 200809L
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"

static const size_t MAX_SIZE = (size_t)16 << 30;

/* Room for at least one byte more; *cap grows by doubling. */
static gnd_status reserve(char **buf, size_t used, size_t *cap, const char *path, gnd_error *err)
{
    size_t want = *cap ? 2 * *cap : 65536;
    char *p;

    if (used < *cap)
        return GND_OK;
    if (used >= MAX_SIZE)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: has more than 16 GiB of text", path);
    if (want > MAX_SIZE)
        want = MAX_SIZE;
    p = gnd_realloc(*buf, (int64_t)want, 1);
    if (!p)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %zu bytes", path, want);
    *buf = p;
    *cap = want;
    return GND_OK;
}

static gnd_status read_all(char **out, size_t *size, const char *path, gnd_error *err)
{
    struct stat sb;
    char *buf = NULL;
    size_t used = 0, cap = 0;
    gnd_status st = GND_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &sb) != 0)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno)));
    if (S_ISDIR(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is a folder; expected a file", path));
    if (S_ISREG(sb.st_mode) && sb.st_size > 0 && (uint64_t)sb.st_size < MAX_SIZE) {
        /* One byte more than the file, so that its end is seen without growing. */
        cap = (size_t)sb.st_size + 1;
        buf = gnd_realloc(NULL, (int64_t)cap, 1);
        if (!buf)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %zu bytes", path, cap));
    }
    for (;;) {
        ssize_t got;

        GND_TRY(reserve(&buf, used, &cap, path, err));
        got = read(fd, buf + used, cap - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno)));
        if (got == 0)
            break;
        used += (size_t)got;
    }
    *out = buf;
    *size = used;
    buf = NULL;
out:
    gnd_free(buf);
    if (fd >= 0)
        close(fd);
    return st;
}

/* Every member of the gzip file in[0..n_in-1], one after another. */
static gnd_status inflate_all(char **out, size_t *size, const char *in, size_t n_in,
                              const char *path, gnd_error *err)
{
    z_stream z = {0};
    char *buf = NULL;
    size_t used = 0, cap = 0, at = 0;
    int zs = Z_OK;
    gnd_status st = GND_OK;

    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", path);
    while (at < n_in || zs != Z_STREAM_END) {
        const size_t n_give = n_in - at < (1u << 30) ? n_in - at : 1u << 30;
        size_t n_room;

        if (zs == Z_STREAM_END && inflateReset(&z) != Z_OK)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", path));
        GND_TRY(reserve(&buf, used, &cap, path, err));
        n_room = cap - used < (1u << 30) ? cap - used : 1u << 30;
        z.next_in = (Bytef *)(uintptr_t)(in + at);
        z.avail_in = (uInt)n_give;
        z.next_out = (Bytef *)(buf + used);
        z.avail_out = (uInt)n_room;
        zs = inflate(&z, Z_NO_FLUSH);
        at += n_give - z.avail_in;
        used += n_room - z.avail_out;
        if (zs == Z_MEM_ERROR)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", path));
        if (zs == Z_BUF_ERROR && at == n_in)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the gzip stream is cut short", path));
        if (zs != Z_OK && zs != Z_STREAM_END && zs != Z_BUF_ERROR)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the gzip stream is broken: %s", path,
                             z.msg ? z.msg : "not gzip data"));
    }
    *out = buf;
    *size = used;
    buf = NULL;
out:
    gnd_free(buf);
    inflateEnd(&z);
    return st;
}

static int64_t line_of(const char *data, const char *place)
{
    int64_t line = 1;

    for (; data < place; data++)
        line += *data == '\n';
    return line;
}

gnd_status gnd_text_open(gnd_text *t, const char *path, gnd_error *err)
{
    char *raw = NULL;
    size_t n_raw = 0;
    gnd_status st = GND_OK;

    *t = (gnd_text){.path = path};
    GND_TRY(read_all(&raw, &n_raw, path, err));
    if (n_raw >= 2 && (unsigned char)raw[0] == 0x1f && (unsigned char)raw[1] == 0x8b) {
        GND_TRY(inflate_all(&t->data, &t->size, raw, n_raw, path, err));
    } else {
        t->data = raw;
        t->size = n_raw;
        raw = NULL;
    }
    gnd_text_rewind(t);
out:
    gnd_free(raw);
    if (st != GND_OK)
        gnd_text_close(t);
    return st;
}

gnd_status gnd_text_open_lines(gnd_text *t, const char *path, gnd_error *err)
{
    const char *nul;
    gnd_status st;

    GND_TRY(gnd_text_open(t, path, err));
    nul = t->size ? memchr(t->data, '\0', t->size) : NULL;
    if (nul)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s:%lld: has a NUL byte; expected text", path,
                         (long long)line_of(t->data, nul)));
out:
    if (st != GND_OK)
        gnd_text_close(t);
    return st;
}

void gnd_text_close(gnd_text *t)
{
    gnd_free(t->data);
    *t = (gnd_text){0};
}

void gnd_text_rewind(gnd_text *t)
{
    const bool mark = t->size >= 3 && memcmp(t->data, "\xef\xbb\xbf", 3) == 0;

    t->next = mark ? 3 : 0;
    t->line = t->n_tag = 0;
}

bool gnd_text_line(gnd_text *t, const char **s, size_t *len)
{
    const char *begin, *end;

    if (t->next >= t->size)
        return false;
    begin = t->data + t->next;
    end = memchr(begin, '\n', t->size - t->next);
    *s = begin;
    *len = end ? (size_t)(end - begin) : t->size - t->next;
    t->next += *len + (end != NULL);
    if (*len > 0 && begin[*len - 1] == '\r')
        --*len;
    t->line++;
    return true;
}

/* p: a comment's mark. A word right behind it and a separator after that make it look like data. */
static bool is_tag(const char *p, const char *end)
{
    if (end - p < 2 || strchr(" \t#%!\r", p[1]))
        return false;
    for (p++; p < end; p++)
        if (*p == ',' || *p == '\t' || *p == ' ')
            return true;
    return false;
}

bool gnd_text_data_line(gnd_text *t, const char **s, size_t *len)
{
    while (gnd_text_line(t, s, len)) {
        const char *p = *s, *end = *s + *len;

        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p < end && *p != '#' && *p != '%')
            return true;
        t->n_tag += p < end && is_tag(p, end);
    }
    return false;
}

gnd_status gnd_text_note_tags(const gnd_text *t, gnd_graph *g, gnd_error *err)
{
    if (t->n_tag == 0)
        return GND_OK;
    return gnd_notes_add(
        &g->notes, GND_NOTE, "comment_lines", err,
        "%s: %lld line%s with # or %% and %s a comment; put an id that starts so in quotes",
        t->path, (long long)t->n_tag, t->n_tag == 1 ? " begins" : "s begin",
        t->n_tag == 1 ? "is" : "are each");
}

gnd_status gnd_text_fail(const gnd_text *t, gnd_error *err, const char *fmt, ...)
{
    char msg[sizeof err->msg];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return gnd_fail(err, GND_ERR_FORMAT, "%s:%lld: %s", t->path, (long long)t->line, msg);
}

bool gnd_text_plausible(const gnd_text *t, int64_t n)
{
    return n <= (1 << 20) || (uint64_t)n / 64 <= t->size;
}
