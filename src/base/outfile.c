/* SPDX-License-Identifier: MIT
 * outfile.c - write beside the target, then rename over it. */
#define _XOPEN_SOURCE 700
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"

/* A new file beside path, its name left in temp; -1 and errno if there can be none. */
static int temp_create(char *temp, size_t size, const char *path)
{
    int fd = -1;

    for (int k = 0; k < 100 && fd < 0; k++) {
        snprintf(temp, size, "%s.%ld-%d.tmp", path, (long)getpid(), k);
        fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

gnd_status gnd_outfile_open(gnd_outfile *o, const char *path, gnd_error *err)
{
    struct stat sb;
    const bool exists = stat(path, &sb) == 0;
    int fd = -1;

    if (!*path)
        return gnd_fail(err, GND_ERR_ARG, "the name of the output file is empty");
    if (exists && S_ISDIR(sb.st_mode))
        return gnd_fail(err, GND_ERR_IO, "%s: is a folder; expected a file to write", path);
    /* A link is written through; but what /dev/stdout links to may be a pipe, which has no name. */
    o->path = exists && S_ISREG(sb.st_mode) ? realpath(path, NULL) : gnd_strdup(path);
    if (!o->path)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
    if (exists && !S_ISREG(sb.st_mode)) {
        o->f = fopen(path, "wb");
    } else {
        const int64_t size = (int64_t)strlen(o->path) + 40;

        o->temp = gnd_alloc(size, 1);
        if (!o->temp) {
            gnd_outfile_discard(o);
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
        }
        fd = temp_create(o->temp, (size_t)size, o->path);
        if (fd >= 0 && (!exists || fchmod(fd, sb.st_mode & 07777) == 0))
            o->f = fdopen(fd, "wb");
    }
    if (!o->f) {
        const int why = errno;

        if (fd >= 0) {
            close(fd);
        } else {
            gnd_free(o->temp); /* never made, so there is nothing to unlink */
            o->temp = NULL;
        }
        gnd_outfile_discard(o);
        return gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", path, strerror(why));
    }
    return GND_OK;
}

gnd_status gnd_outfile_commit(gnd_outfile *o, gnd_error *err)
{
    gnd_status st = GND_OK;
    int why = 0;

    errno = 0;
    if (fflush(o->f) != 0 || ferror(o->f) || (o->temp && fsync(fileno(o->f)) != 0))
        why = errno ? errno
                    : ENOSPC; /* an earlier write failed and its reason is gone: most often this */
    if (fclose(o->f) != 0 && !why)
        why = errno;
    o->f = NULL;
    if (!why && o->temp && rename(o->temp, o->path) != 0)
        why = errno;
    if (why) {
        st = gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", o->path, strerror(why));
    } else {
        gnd_free(o->temp); /* renamed: nothing to unlink */
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
