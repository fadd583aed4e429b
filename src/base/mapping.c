/* SPDX-License-Identifier: MIT
 * mapping.c - files mapped into memory for reading, with a count of their users. */
#define _DEFAULT_SOURCE
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "pages.h"

struct gnd_mapping {
    atomic_int n;
    char *data; /* NULL: the file is empty */
    int64_t size;
};

static gnd_status mapping_new(gnd_mapping **out, int fd, int64_t size, const char *path,
                              gnd_error *err)
{
    const int flags = MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS | MAP_NORESERVE : 0);
    const int use = PROT_READ | (fd < 0 ? PROT_WRITE : 0);
    gnd_mapping *m = gnd_alloc(1, sizeof *m);
    void *data = NULL;

    if (!m)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
    if (size > 0)
        data = mmap(NULL, (size_t)size, use, flags, fd, 0);
    if (data == MAP_FAILED) {
        const int reason = errno;

        gnd_free(m);
        return gnd_fail(err, reason == ENOMEM ? GND_ERR_NOMEM : GND_ERR_IO, "%s: cannot map: %s",
                        path, strerror(reason));
    }
    atomic_init(&m->n, 1);
    m->data = data;
    m->size = size;
    *out = m;
    return GND_OK;
}

gnd_status gnd_mapping_of(gnd_mapping **out, int fd, const char *path, gnd_error *err)
{
    struct stat sb;

    *out = NULL;
    if (fstat(fd, &sb) != 0)
        return gnd_fail(err, GND_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    if (!S_ISREG(sb.st_mode))
        return gnd_fail(err, GND_ERR_IO, "%s: %s; expected a file", path,
                        S_ISDIR(sb.st_mode) ? "is a folder" : "is no regular file");
    if ((uint64_t)sb.st_size > SIZE_MAX)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: is too large for this machine's addresses", path);
    return mapping_new(out, fd, sb.st_size, path, err);
}

gnd_status gnd_mapping_blank(gnd_mapping **out, int64_t size, const char *what, gnd_error *err)
{
    *out = NULL;
    return mapping_new(out, -1, size, what, err);
}

gnd_status gnd_mapping_open(gnd_mapping **out, const char *path, gnd_error *err)
{
    /* Without O_NONBLOCK the open of a pipe would wait for a writer. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    gnd_status st;

    *out = NULL;
    if (fd < 0)
        return gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno));
    st = gnd_mapping_of(out, fd, path, err);
    close(fd);
    return st;
}

void gnd_mapping_hold(gnd_mapping *m)
{
    if (m)
        atomic_fetch_add(&m->n, 1);
}

void gnd_mapping_release(gnd_mapping *m)
{
    if (!m || atomic_fetch_sub(&m->n, 1) != 1)
        return;
    if (m->data)
        munmap(m->data, (size_t)m->size);
    gnd_free(m);
}

const char *gnd_mapping_data(const gnd_mapping *m)
{
    return m->data;
}

char *gnd_mapping_room(gnd_mapping *m)
{
    return m->data;
}

int64_t gnd_mapping_size(const gnd_mapping *m)
{
    return m->size;
}

void gnd_mapping_forget(const gnd_mapping *m, int64_t begin, int64_t end)
{
    if (gnd_whole_pages(&begin, &end))
        madvise(m->data + begin, (size_t)(end - begin), MADV_DONTNEED);
}
