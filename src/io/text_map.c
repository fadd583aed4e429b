/* SPDX-License-Identifier: MIT
 * text_map.c - text files that are mapped instead of read. What cannot be mapped, a pipe or a
 * compressed file, is first written to a temporary file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/tempfile.h"
#include "io.h"
#include "limit.h"
#include "text.h"

enum { IN = 1 << 16, OUT = 1 << 18 };

typedef struct {
    const char *path; /* for messages */
    int fd;
    gnd_tempfile *to;
    int64_t limit;
    bool gzip;
    int zs;
    z_stream z;
} copying;

static gnd_status append(copying *c, const void *bytes, int64_t n, gnd_error *err)
{
    if (c->to->size + n > c->limit)
        return gnd_limit_fail(c->path, c->gzip ? "unpacks to" : "has", c->limit, err);
    return gnd_tempfile_append(c->to, bytes, n, err);
}

/* Decompress n bytes; a file may have several members. */
static gnd_status unpack(copying *c, unsigned char *in, size_t n, gnd_error *err)
{
    unsigned char out[OUT];
    gnd_status st = GND_OK;

    c->z.next_in = in;
    c->z.avail_in = (uInt)n;
    do {
        if (c->zs == Z_STREAM_END && c->z.avail_in > 0 && inflateReset(&c->z) != Z_OK)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", c->path));
        c->z.next_out = out;
        c->z.avail_out = OUT;
        c->zs = inflate(&c->z, Z_NO_FLUSH);
        if (c->zs == Z_MEM_ERROR)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", c->path));
        if (c->zs != Z_OK && c->zs != Z_STREAM_END && c->zs != Z_BUF_ERROR)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the gzip stream is damaged: %s", c->path,
                             c->z.msg ? c->z.msg : "not gzip data"));
        GND_TRY(append(c, out, OUT - (int64_t)c->z.avail_out, err));
    } while (c->z.avail_in > 0 || c->z.avail_out == 0);
out:
    return st;
}

/* Fill buf from the file, or up to its end. */
static gnd_status read_some(copying *c, unsigned char *buf, size_t *n, gnd_error *err)
{
    *n = 0;
    while (*n < IN) {
        const ssize_t got = read(c->fd, buf + *n, IN - *n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return gnd_fail(err, GND_ERR_IO, "%s: %s", c->path, strerror(errno));
        if (got == 0)
            break;
        *n += (size_t)got;
    }
    return GND_OK;
}

static gnd_status copy_all(copying *c, const gnd_load_opts *o, gnd_error *err)
{
    unsigned char in[IN];
    size_t n;
    bool first = true;
    gnd_status st = GND_OK;

    for (;; first = false) {
        GND_TRY(gnd_load_check(o, err));
        GND_TRY(read_some(c, in, &n, err));
        if (n == 0)
            break;
        if (first && n >= 2 && in[0] == 0x1f && in[1] == 0x8b) {
            if (inflateInit2(&c->z, 15 + 16) != Z_OK)
                GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to decompress", c->path));
            c->gzip = true;
        }
        GND_TRY(c->gzip ? unpack(c, in, n, err) : append(c, in, (int64_t)n, err));
    }
    if (c->gzip && c->zs != Z_STREAM_END)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the gzip stream is truncated", c->path));
out:
    if (c->gzip)
        inflateEnd(&c->z);
    return st;
}

/* Is it a regular file that is not compressed? */
static bool is_plain(int fd)
{
    unsigned char magic[2];
    struct stat sb;

    return fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) &&
           !(pread(fd, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b);
}

gnd_status gnd_text_map(gnd_text *t, const char *path, const char *folder, const gnd_load_opts *o,
                        gnd_error *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    gnd_tempfile copy = GND_TEMPFILE_NONE;
    copying c = {.path = is_stdin ? GND_STDIN_NAME : path,
                 .fd = fd,
                 .to = &copy,
                 .limit = gnd_limit_get(o ? o->max_input : 0)};
    struct stat sb;
    gnd_status st = GND_OK;

    *t = (gnd_text){.path = c.path};
    if (fd < 0 || fstat(fd, &sb) != 0)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: %s", c.path, strerror(errno)));
    if (S_ISDIR(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is a folder; expected a file", c.path));
    if (!is_stdin && is_plain(fd)) {
        GND_TRY(gnd_mapping_of(&t->map, fd, c.path, err));
    } else {
        GND_TRY(gnd_tempfile_open(&copy, folder, err));
        GND_TRY(copy_all(&c, o, err));
        GND_TRY(gnd_mapping_of(&t->map, copy.fd, c.path, err));
    }
    t->data = (char *)(uintptr_t)gnd_mapping_data(t->map); /* readers of text do not change it */
    t->size = (size_t)gnd_mapping_size(t->map);
    gnd_text_rewind(t);
    GND_TRY(gnd_text_check_utf16(t, err));
out:
    gnd_tempfile_close(&copy);
    if (fd >= 0 && !is_stdin)
        close(fd);
    if (st != GND_OK)
        gnd_text_close(t);
    return st;
}
