/* SPDX-License-Identifier: MIT
 * temp.h - a folder for the files a test makes, gone at its end. */
#ifndef GND_TESTS_TEMP_H
#define GND_TESTS_TEMP_H

#include "check.h"

#include <ftw.h>
#include <sys/stat.h>

static char temp_dir[] = "/tmp/gnd-test-XXXXXX";

static inline int temp_setup(void **state)
{
    (void)state;
    return mkdtemp(temp_dir) ? 0 : -1;
}

static inline int temp_remove(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
    (void)sb;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline int temp_teardown(void **state)
{
    (void)state;
    return nftw(temp_dir, temp_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* Path of a file in the folder; four may be in use at a time. */
static inline const char *temp_path(const char *name)
{
    static char path[4][512];
    static int k;

    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", temp_dir, name);
    return path[k];
}

static inline const char *temp_file(const char *name, const void *data, size_t n)
{
    const char *path = temp_path(name);
    FILE *f;

    unlink(path); /* some file systems flush a file that is cut and written again */
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* The whole of a file, the caller's to free. */
static inline char *temp_slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *data = malloc(1 << 20);

    assert_non_null(f);
    assert_non_null(data);
    *n = fread(data, 1, 1 << 20, f);
    assert_true(*n < 1 << 20);
    fclose(f);
    return data;
}

#endif
