/* SPDX-License-Identifier: MIT
 * text.c - read a text file into memory, decompress gzip, and return its lines. Comments, blank
 * lines and a byte order mark are skipped. */
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
#include "io.h"
#include "limit.h"

/* The bytes of a file while it is read. */
typedef struct {
    char *buf;
    size_t used, room;
    size_t limit;
    const char *path;
    const gnd_load_opts *watch;
} content;

/* Bytes that are read or unpacked between two checks for a request to stop. */
enum { CHUNK = 1 << 24 };

/* Make room for at least one more byte. One byte over the limit is read, to detect that there is
 * more. */
static gnd_status reserve(content *c, const char *does, gnd_error *err)
{
    size_t want = c->room ? 2 * c->room : 65536;
    char *p;

    if (c->used > c->limit)
        return gnd_limit_fail(c->path, does, (int64_t)c->limit, err);
    if (c->used < c->room)
        return GND_OK;
    if (want > c->limit + 1)
        want = c->limit + 1;
    p = gnd_realloc(c->buf, (int64_t)want, 1);
    if (!p)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %zu bytes", c->path, want);
    c->buf = p;
    c->room = want;
    return GND_OK;
}

static gnd_status read_all(content *c, gnd_error *err)
{
    struct stat sb;
    gnd_status st = GND_OK;
    const bool is_stdin = strcmp(c->path, "-") == 0;
    const int fd = is_stdin ? STDIN_FILENO : open(c->path, O_RDONLY | O_CLOEXEC);

    if (is_stdin)
        c->path = GND_STDIN_NAME;
    if (fd < 0 || fstat(fd, &sb) != 0)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: %s", c->path, strerror(errno)));
    if (S_ISDIR(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is a folder; expected a file", c->path));
    if (S_ISREG(sb.st_mode) && sb.st_size > 0) {
        if ((uint64_t)sb.st_size > c->limit)
            GND_TRY(gnd_limit_fail(c->path, "has", (int64_t)c->limit, err));
        /* One byte more than the file, so that its end is detected without growing. */
        c->room = (size_t)sb.st_size + 1;
        c->buf = gnd_realloc(NULL, (int64_t)c->room, 1);
        if (!c->buf)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %zu bytes", c->path, c->room));
    }
    for (;;) {
        ssize_t got;

        GND_TRY(reserve(c, "has", err));
        GND_TRY(gnd_load_check(c->watch, err));
        got = read(fd, c->buf + c->used, c->room - c->used < CHUNK ? c->room - c->used : CHUNK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: %s", c->path, strerror(errno)));
        if (got == 0)
            break;
        c->used += (size_t)got;
    }
out:
    if (fd >= 0 && !is_stdin)
        close(fd);
    return st;
}

/* Decompress all members of the gzip file `in`. */
static gnd_status inflate_all(content *c, const content *in, gnd_error *err)
{
    const size_t n_in = in->used, most = 1u << 30; /* zlib counts in 32 bits */
    z_stream z = {0};
    size_t at = 0;
    int zs = Z_OK;
    gnd_status st = GND_OK;

    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", c->path);
    while (at < n_in || zs != Z_STREAM_END) {
        const size_t n_give = n_in - at < most ? n_in - at : most;
        size_t n_room;

        if (zs == Z_STREAM_END && inflateReset(&z) != Z_OK)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", c->path));
        GND_TRY(reserve(c, "unpacks to", err));
        GND_TRY(gnd_load_check(c->watch, err));
        n_room = c->room - c->used < CHUNK ? c->room - c->used : CHUNK;
        z.next_in = (Bytef *)(uintptr_t)(in->buf + at);
        z.avail_in = (uInt)n_give;
        z.next_out = (Bytef *)(c->buf + c->used);
        z.avail_out = (uInt)n_room;
        zs = inflate(&z, Z_NO_FLUSH);
        at += n_give - z.avail_in;
        c->used += n_room - z.avail_out;
        if (zs == Z_MEM_ERROR)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", c->path));
        if (zs == Z_BUF_ERROR && at == n_in)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the gzip stream is truncated", c->path));
        if (zs != Z_OK && zs != Z_STREAM_END && zs != Z_BUF_ERROR)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the gzip stream is damaged: %s", c->path,
                             z.msg ? z.msg : "not gzip data"));
    }
    if (c->used > c->limit)
        GND_TRY(gnd_limit_fail(c->path, "unpacks to", (int64_t)c->limit, err));
out:
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

static gnd_status text_open(gnd_text *t, const char *path, int64_t max_input,
                            const gnd_load_opts *watch, gnd_error *err)
{
    const size_t limit = (size_t)gnd_limit_get(max_input);
    content raw = {.path = path, .limit = limit, .watch = watch}, unpacked = raw;
    gnd_status st = GND_OK;

    *t = (gnd_text){.path = path, .watch = watch};
    GND_TRY(read_all(&raw, err));
    t->path = unpacked.path = raw.path;
    if (raw.used >= 2 && (unsigned char)raw.buf[0] == 0x1f && (unsigned char)raw.buf[1] == 0x8b) {
        GND_TRY(inflate_all(&unpacked, &raw, err));
        t->data = unpacked.buf;
        t->size = unpacked.used;
        unpacked.buf = NULL;
    } else {
        t->data = raw.buf;
        t->size = raw.used;
        raw.buf = NULL;
    }
    gnd_text_rewind(t);
out:
    gnd_free(unpacked.buf);
    gnd_free(raw.buf);
    return st;
}

gnd_status gnd_text_open(gnd_text *t, const char *path, int64_t max_input, gnd_error *err)
{
    return text_open(t, path, max_input, NULL, err);
}

gnd_status gnd_text_check_utf16(const gnd_text *t, gnd_error *err)
{
    if (t->size >= 2 &&
        (memcmp(t->data, "\xff\xfe", 2) == 0 || memcmp(t->data, "\xfe\xff", 2) == 0))
        return gnd_fail(err, GND_ERR_FORMAT, "%s: is UTF-16 text; save it as UTF-8", t->path);
    return GND_OK;
}

static gnd_status open_lines(gnd_text *t, const char *path, int64_t max_input,
                             const gnd_load_opts *watch, gnd_error *err)
{
    const char *nul;
    gnd_status st;

    GND_TRY(text_open(t, path, max_input, watch, err));
    GND_TRY(gnd_text_check_utf16(t, err));
    nul = t->size ? memchr(t->data, '\0', t->size) : NULL;
    if (nul)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s:%lld: has a NUL byte; expected text", t->path,
                         (long long)line_of(t->data, nul)));
out:
    if (st != GND_OK)
        gnd_text_close(t);
    return st;
}

gnd_status gnd_text_open_lines(gnd_text *t, const char *path, int64_t max_input, gnd_error *err)
{
    return open_lines(t, path, max_input, NULL, err);
}

gnd_status gnd_text_open_watched(gnd_text *t, const char *path, const gnd_load_opts *o,
                                 gnd_error *err)
{
    return open_lines(t, path, o ? o->max_input : 0, o && o->on_tick ? o : NULL, err);
}

void gnd_text_close(gnd_text *t)
{
    if (!t->map)
        gnd_free(t->data);
    gnd_mapping_release(t->map);
    gnd_mapping_release(t->plain);
    *t = (gnd_text){0};
}

void gnd_text_rewind(gnd_text *t)
{
    const bool mark = t->size >= 3 && memcmp(t->data, "\xef\xbb\xbf", 3) == 0;

    t->next = mark ? 3 : 0;
    t->line = t->n_tag = 0;
}

gnd_text_place gnd_text_tell(const gnd_text *t)
{
    return (gnd_text_place){.next = t->next, .line = t->line, .n_tag = t->n_tag};
}

void gnd_text_seek(gnd_text *t, gnd_text_place place)
{
    t->next = place.next;
    t->line = place.line;
    t->n_tag = place.n_tag;
    t->kept = t->kept < t->next ? t->kept : t->next;
}

void gnd_text_forget(gnd_text *t)
{
    if (t->most == 0 || (int64_t)(t->next - t->kept) < t->most / 2)
        return;
    if (t->map)
        gnd_mapping_forget(t->map, (int64_t)t->kept, (int64_t)t->next);
    if (t->plain)
        gnd_mapping_forget(t->plain, (int64_t)t->kept, (int64_t)t->next);
    t->kept = t->next;
}

static bool stopped(const gnd_text *t)
{
    return gnd_load_check_at(t->watch, (double)t->next / (double)t->size, NULL) != GND_OK;
}

bool gnd_text_line(gnd_text *t, const char **s, size_t *len)
{
    const char *begin, *end;

    if (t->next >= t->size || (t->watch && t->line % GND_TEXT_LINES == 0 && stopped(t)))
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

/* p: a comment mark. A comment looks like data if a word directly follows the mark and a separator
 * follows the word. */
static bool is_tag(const char *p, const char *end)
{
    if (end - p < 2 || strchr(" \t#%!\r", p[1]))
        return false;
    for (p++; p < end; p++)
        if (strchr(",;|\t ", *p))
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
    return gnd_notes_add(&g->notes, GND_NOTE, "comment_lines", err,
                         "%s: %lld line%s with # or %% and %s a comment; put an id that starts "
                         "with one of them in quotes",
                         t->path, (long long)t->n_tag, t->n_tag == 1 ? " begins" : "s begin",
                         t->n_tag == 1 ? "is" : "are each");
}

gnd_status gnd_text_vfail(const char *path, const char *list, int64_t at, gnd_error *err,
                          const char *fmt, va_list ap)
{
    char msg[sizeof err->msg];

    vsnprintf(msg, sizeof msg, fmt, ap);
    gnd_utf8_trim(msg);
    gnd_text_mask(msg);
    if (list)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: %s[%lld]: %s", path, list, (long long)at, msg);
    return gnd_fail(err, GND_ERR_FORMAT, "%s:%lld: %s", path, (long long)at, msg);
}

gnd_status gnd_text_fail(const gnd_text *t, gnd_error *err, const char *fmt, ...)
{
    va_list ap;
    gnd_status st;

    va_start(ap, fmt);
    st = gnd_text_vfail(t->path, NULL, t->line, err, fmt, ap);
    va_end(ap);
    return st;
}

bool gnd_text_plausible(const gnd_text *t, int64_t n)
{
    return n <= (1 << 20) || (uint64_t)n / 64 <= t->size;
}
