/* SPDX-License-Identifier: MIT
 * outfile.c - write a temporary file beside the target, then rename it to the target. */
#define _XOPEN_SOURCE 700
#include "outfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "rng.h"

enum {
    LINKS_MAX = 40, /* maximum number of symbolic links followed, as in the kernel */
    NAME_KEPT =
        200,    /* bytes of the target's name used in the temporary one; a name has at most 255 */
    SUFFIX = 32 /* room for ".0123456789abcdef.tmp" */
};

/* Length of the folder part of a path, with its slash. */
static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Target of the symbolic link `path`, which need not exist; NULL and errno if path is not a link. A
 * relative target is relative to the link's folder. The caller frees it. */
static char *link_next(const char *path)
{
    const size_t n_folder = folder_len(path);
    const int64_t room = 4096;
    char *to = gnd_alloc((int64_t)n_folder + room, 1), *target = to ? to + n_folder : NULL;
    const ssize_t n = to ? readlink(path, target, (size_t)room - 1) : -1;

    if (n < 0) {
        if (!to)
            errno = ENOMEM;
        gnd_free(to);
        return NULL;
    }
    target[n] = '\0';
    if (target[0] == '/')
        memmove(to, target, (size_t)n + 1);
    else
        memcpy(to, path, n_folder);
    return to;
}

/* The descriptor if path is an entry of the folder of this process's descriptors; -1 otherwise. Its
 * symbolic links are not followed. */
static int descriptor_of(const char *path)
{
    const char *name = path + folder_len(path);
    char folder[PATH_MAX], found[PATH_MAX], own[PATH_MAX];
    char *end;
    long fd;

    if (!isdigit((unsigned char)*name) || (size_t)(name - path) >= sizeof folder)
        return -1;
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    fd = strtol(name, &end, 10);
    if (*end || fd > INT_MAX || !realpath(*folder ? folder : ".", found))
        return -1;
    if (strcmp(found, "/dev/fd") != 0 &&
        (!realpath("/proc/self/fd", own) || strcmp(found, own) != 0) &&
        (!realpath("/proc/thread-self/fd", own) || strcmp(found, own) != 0))
        return -1;
    return (int)fd;
}

/* The file that path names, after all symbolic links; *fd: the descriptor of this process that one
 * of them names, -1 if none. The caller frees *out. */
static gnd_status links_follow(char **out, int *fd, const char *path, gnd_error *err)
{
    *fd = -1;
    *out = gnd_strdup(path);
    for (int k = 0; *out; k++) {
        char *next;
        int why;

        *fd = descriptor_of(*out);
        if (*fd >= 0)
            return GND_OK;
        next = link_next(*out);
        why = errno;
        if (!next && why != ENOMEM)
            return GND_OK; /* not a link, or an error that open() will report */
        gnd_free(*out);
        *out = next;
        if (next && k == LINKS_MAX) {
            gnd_free(next);
            *out = NULL;
            return gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", path, strerror(ELOOP));
        }
    }
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
}

/* Create a new file in the folder of path, with its name in temp; -1 and errno on failure. Names
 * are random, so that a file left by a killed process does not conflict. */
static int temp_create(char *temp, size_t size, const char *path)
{
    const size_t n_folder = folder_len(path);
    struct timespec now;
    uint64_t key;
    int fd = -1;

    clock_gettime(CLOCK_REALTIME, &now);
    key = gnd_mix64((uint64_t)getpid() ^ (uint64_t)(uintptr_t)temp) ^
          gnd_mix64((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
    for (uint64_t k = 0; k < 1000 && fd < 0; k++) {
        snprintf(temp, size, "%.*s%.*s.%016llx.tmp", (int)n_folder, path, NAME_KEPT,
                 path + n_folder, (unsigned long long)gnd_hash_at(key, k));
        fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

int gnd_path_descriptor(const char *path)
{
    char *target = NULL;
    int fd = -1;

    if (path)
        links_follow(&target, &fd, path, NULL);
    gnd_free(target);
    return fd;
}

/* Write to an open descriptor of the process where it stands, as a stream: opening its name would
 * write a file from its beginning, and renaming would take the file from those who have it open. */
static gnd_status descriptor_open(gnd_outfile *o, const char *path, int fd, gnd_error *err)
{
    const int flags = fcntl(fd, F_GETFL);
    int copy = -1, why = flags < 0 ? errno : EBADF;

    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) {
        copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        o->f = copy >= 0 ? fdopen(copy, "wb") : NULL;
        why = errno;
    }
    if (o->f)
        return GND_OK;
    if (copy >= 0)
        close(copy);
    return gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", path,
                    why == EBADF ? "the descriptor is not open for writing" : strerror(why));
}

/* Open the stream of the temporary file or, if there is none, of the target. */
static gnd_status stream_open(gnd_outfile *o, const struct stat *old, gnd_error *err)
{
    const bool direct = old && !S_ISREG(old->st_mode); /* a pipe or device */
    const size_t size = strlen(o->path) + SUFFIX;
    int fd = -1, why;

    if (direct) {
        o->f = fopen(o->path, "wb");
    } else {
        o->temp = gnd_alloc((int64_t)size, 1);
        if (!o->temp)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", o->path);
        fd = temp_create(o->temp, size, o->path);
        if (fd >= 0 && (!old || fchmod(fd, old->st_mode & 07777) == 0))
            o->f = fdopen(fd, "wb");
    }
    if (o->f)
        return GND_OK;
    why = errno;
    if (fd >= 0) {
        close(fd);
    } else {
        gnd_free(o->temp); /* not created here, so there is nothing to remove */
        o->temp = NULL;
    }
    return gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", o->path, strerror(why));
}

gnd_status gnd_outfile_open(gnd_outfile *o, const char *path, gnd_error *err)
{
    struct stat sb;
    const bool exists = stat(path, &sb) == 0;
    gnd_status st = GND_OK;
    int fd;

    if (!*path)
        return gnd_fail(err, GND_ERR_ARG, "the name of the output file is empty");
    if (exists && S_ISDIR(sb.st_mode))
        return gnd_fail(err, GND_ERR_IO, "%s: is a folder; expected a file to write", path);
    GND_TRY(links_follow(&o->path, &fd, path, err));
    if (fd < 0 && exists && !S_ISREG(sb.st_mode)) {
        gnd_free(o->path); /* a link may lead to a pipe that has no name */
        o->path = gnd_strdup(path);
        if (!o->path)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    }
    if (fd >= 0)
        GND_TRY(descriptor_open(o, path, fd, err));
    else
        GND_TRY(stream_open(o, exists ? &sb : NULL, err));
out:
    if (st != GND_OK)
        gnd_outfile_discard(o);
    return st;
}

/* After the rename, flush the folder's entry to disk too. Some file systems do not support that,
 * and the file is complete in any case, so a failure is not an error. */
static void folder_flush(const char *path)
{
    const size_t n = folder_len(path);
    char *folder = n > 0 ? gnd_strndup(path, n) : gnd_strdup(".");
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    gnd_free(folder);
}

gnd_status gnd_outfile_commit(gnd_outfile *o, gnd_error *err)
{
    gnd_status st = GND_OK;
    int why = 0;

    errno = 0;
    if (fflush(o->f) != 0 || ferror(o->f) || (o->temp && fsync(fileno(o->f)) != 0))
        why = errno ? errno : ENOSPC; /* an earlier write failed and its errno is lost; this is the
                                         most likely reason */
    if (fclose(o->f) != 0 && !why)
        why = errno;
    o->f = NULL;
    if (!why && o->temp && rename(o->temp, o->path) != 0)
        why = errno;
    if (why) {
        st = gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", o->path, strerror(why));
    } else if (o->temp) {
        folder_flush(o->path);
        gnd_free(o->temp); /* renamed: nothing to remove */
        o->temp = NULL;
    }
    gnd_outfile_discard(o);
    return st;
}

void gnd_outfile_discard(gnd_outfile *o)
{
    if (o->f)
        fclose(o->f);
    if (o->temp)
        unlink(o->temp);
    gnd_free(o->temp);
    gnd_free(o->path);
    *o = (gnd_outfile){0};
}

/* ---- the public handle ---- */

struct gnd_writer {
    gnd_outfile file;
};

gnd_status gnd_writer_open(gnd_writer **out, const char *path, gnd_error *err)
{
    gnd_writer *w = gnd_alloc(1, sizeof *w);
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_require(path, "the path of the file", err));
    if (!w)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
    GND_TRY(gnd_outfile_open(&w->file, path, err));
    *out = w;
    w = NULL;
out:
    gnd_free(w);
    return st;
}

FILE *gnd_writer_stream(gnd_writer *w)
{
    return w->file.f;
}

gnd_status gnd_writer_close(gnd_writer *w, gnd_error *err)
{
    gnd_status st;

    gnd_error_clear(err);
    st = gnd_outfile_commit(&w->file, err);
    gnd_free(w);
    return st;
}

void gnd_writer_discard(gnd_writer *w)
{
    if (!w)
        return;
    gnd_outfile_discard(&w->file);
    gnd_free(w);
}
