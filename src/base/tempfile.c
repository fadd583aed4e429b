/* SPDX-License-Identifier: MIT
 * tempfile.c - temporary files that are removed from their folder as soon as they are open. */
#define _GNU_SOURCE /* fallocate */
#include "tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "str.h"
#include "pages.h"

char *gnd_temp_folder(const char *path)
{
    const char *stated = getenv("TMPDIR"), *slash = strrchr(path, '/');

    if (stated && *stated)
        return gnd_strdup(stated);
    return slash ? gnd_strndup(path, slash > path ? (size_t)(slash - path) : 1) : gnd_strdup(".");
}

gnd_status gnd_tempfile_open(gnd_tempfile *t, const char *folder, gnd_error *err)
{
    char *path = gnd_text_make("%s/gnd-XXXXXX", folder);
    int why;

    *t = (gnd_tempfile){.fd = -1, .folder = folder};
    if (!path)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", folder);
    t->fd = mkstemp(path);
    why = errno;
    if (t->fd >= 0)
        unlink(path);
    gnd_free(path);
    return t->fd >= 0 ? GND_OK
                      : gnd_fail(err, GND_ERR_IO, "%s: cannot create a temporary file: %s", folder,
                                 strerror(why));
}

void gnd_tempfile_close(gnd_tempfile *t)
{
    if (t->fd >= 0)
        close(t->fd);
    *t = GND_TEMPFILE_NONE;
}

int gnd_write_at(int fd, const void *bytes, int64_t n, int64_t at)
{
    const char *p = bytes;

    while (n > 0) {
        const ssize_t done = pwrite(fd, p, n < (1 << 30) ? (size_t)n : 1u << 30, at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : ENOSPC;
        p += done;
        n -= done;
        at += done;
    }
    return 0;
}

gnd_status gnd_tempfile_write(const gnd_tempfile *t, const void *bytes, int64_t n, int64_t at,
                              gnd_error *err)
{
    const int why = gnd_write_at(t->fd, bytes, n, at);

    if (why != 0)
        return gnd_fail(err, GND_ERR_IO,
                        "%s: cannot write a temporary file: %s (TMPDIR names another folder)",
                        t->folder, strerror(why));
    return GND_OK;
}

gnd_status gnd_tempfile_append(gnd_tempfile *t, const void *bytes, int64_t n, gnd_error *err)
{
    const gnd_status st = gnd_tempfile_write(t, bytes, n, t->size, err);

    t->size += st == GND_OK ? n : 0;
    return st;
}

gnd_status gnd_tempfile_read(const gnd_tempfile *t, void *bytes, int64_t n, int64_t at,
                             gnd_error *err)
{
    char *p = bytes;

    while (n > 0) {
        const ssize_t done = pread(t->fd, p, n < (1 << 30) ? (size_t)n : 1u << 30, at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return gnd_fail(err, GND_ERR_IO, "%s: cannot read a temporary file: %s", t->folder,
                            done < 0 ? strerror(errno) : "it is too short");
        p += done;
        n -= done;
        at += done;
    }
    return GND_OK;
}

void gnd_tempfile_forget(const gnd_tempfile *t, int64_t begin, int64_t end)
{
    if (gnd_whole_pages(&begin, &end))
        (void)!fallocate(t->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, end - begin);
}
