/* SPDX-License-Identifier: MIT
 * fetch.h - download a file whose size and hash are known. */
#ifndef GND_CLI_FETCH_H
#define GND_CLI_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *const *url; /* [n_url] places of the file, tried in this order */
    int n_url;
    const char *path;   /* where the file goes; the folder exists */
    int64_t size;       /* bytes of the file */
    const char *sha256; /* in hexadecimal */
    int64_t timeout;    /* seconds of hardly any data after which a server is given up */
    /* Called now and then with the bytes of the file that are there. May be NULL. */
    void (*on_bytes)(int64_t done, void *user);
    void *user;
} fetch_job;

/* Is the program built with libcurl? */
bool fetch_available(void);
/* May this URL be asked for? https, or http on this machine. */
bool fetch_allowed(const char *url);
/* Does the file at path have this size and hash? False also if it cannot be read. */
bool fetch_is_whole(const char *path, int64_t size, const char *sha);
/* Download into PATH.part, check size and hash, and rename it to PATH. A PATH.part of an earlier
 * call is continued. Returns false with the reason, one clause, in why; what was received stays in
 * PATH.part unless it is wrong. */
bool fetch_file(const fetch_job *j, char *why, size_t size);

#endif
