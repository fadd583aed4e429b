/* SPDX-License-Identifier: MIT
 * fetch.c - download a file whose size and hash are known, with libcurl.
 *
 * A server may break off, be slow, send wrong bytes or redirect to anywhere. So bytes go to
 * PATH.part, a broken download is continued by a range request, never more than the known size is
 * written, only the known hash is accepted, and each redirect must be allowed like a first URL: a
 * file asked for by https never comes by http. */
#define _DEFAULT_SOURCE
#include "fetch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef GND_HAVE_CURL
#include <curl/curl.h>
#endif

#include "gnd.h"
#include "say.h"
#include "sha256.h"

static bool starts_with(const char *s, const char *start)
{
    return strncasecmp(s, start, strlen(start)) == 0;
}

bool fetch_allowed(const char *url)
{
    static const char *const local[] = {"http://127.0.0.1", "http://localhost", "http://[::1]"};

    if (starts_with(url, "https://") && url[8])
        return true;
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        const size_t n = strlen(local[i]);

        /* The host must end there: not localhost.example.org, not localhost@example.org. */
        if (starts_with(url, local[i]) && (url[n] == '/' || url[n] == '\0' ||
                                           (url[n] == ':' && isdigit((unsigned char)url[n + 1]) &&
                                            !memchr(url + n, '@', strcspn(url + n, "/")))))
            return true;
    }
    return false;
}

static bool is_whole(int fd, int64_t size, const char *sha)
{
    enum { PIECE = 1 << 16 };
    unsigned char *buf = need(PIECE, 1);
    char text[SHA256_TEXT];
    int64_t n = 0;
    ssize_t got;
    sha256 s;

    sha256_init(&s);
    while ((got = pread(fd, buf, PIECE, n)) > 0) {
        sha256_add(&s, buf, (size_t)got);
        n += got;
    }
    free(buf);
    return got == 0 && n == size && strcmp(sha256_text(text, &s), sha) == 0;
}

bool fetch_is_whole(const char *path, int64_t size, const char *sha)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool yes = fd >= 0 && is_whole(fd, size, sha);

    if (fd >= 0)
        close(fd);
    return yes;
}

#ifdef GND_HAVE_CURL

enum {
    REDIRECTS_MAX = 5,
    REQUESTS_MAX = 100,
    SKIPPED_MAX = 1 << 20,
    BYTES_PER_SECOND = 100,
    CONNECT_SECONDS = 20
};

bool fetch_available(void)
{
    return true;
}

/* One request. */
typedef struct {
    const fetch_job *j;
    CURL *curl;
    int fd;           /* of PATH.part */
    int64_t from, at; /* bytes of it before the request, and now */
    int64_t begin;    /* of Content-Range; -1: none */
    int64_t skipped;  /* bytes of redirects, which are not written */
    bool started;     /* the first bytes of the content have come */
    char *why;
    size_t size;
} request;

static void because(request *r, const char *text, const char *more)
{
    snprintf(r->why, r->size, "%s%s", text, more);
}

static size_t on_header(char *s, size_t one, size_t n, void *user)
{
    static const char name[] = "content-range: bytes ";
    request *r = user;
    char line[128];

    snprintf(line, sizeof line, "%.*s", (int)(n < 100 ? n : 100), s);
    if (starts_with(line, name))
        r->begin = strtoll(line + sizeof name - 1, NULL, 10);
    return one * n;
}

/* The first bytes of an answer: does it continue the file, or start it again? */
static bool start(request *r, long code)
{
    r->started = true;
    if (code == 206 && r->begin == r->from)
        return true;
    if (code == 200 && ftruncate(r->fd, 0) == 0) {
        r->at = 0;
        return true;
    }
    because(r, "the server sent another part of the file than was asked for", "");
    return false;
}

static size_t on_data(char *s, size_t one, size_t n, void *user)
{
    request *r = user;
    long code = 0;

    curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &code);
    if (code / 100 == 3 && (r->skipped += (int64_t)n) <= SKIPPED_MAX)
        return one * n;
    if (!r->started && !start(r, code))
        return 0;
    if (r->at + (int64_t)n > r->j->size) {
        because(r, "the server sent more than the file has", "");
        return 0;
    }
    for (size_t done = 0; done < n;) {
        const ssize_t put = pwrite(r->fd, s + done, n - done, r->at);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            because(r, "cannot write: ", strerror(errno));
            return 0;
        }
        done += (size_t)put;
        r->at += put;
    }
    if (r->j->on_bytes)
        r->j->on_bytes(r->at, r->j->user);
    return one * n;
}

/* Tell the job how far it is also while nothing comes. */
static int on_wait(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    request *r = user;

    (void)a;
    (void)b;
    (void)c;
    (void)d;
    if (r->j->on_bytes)
        r->j->on_bytes(r->at, r->j->user);
    return 0;
}

static void prepare(request *r, const char *url, char error[CURL_ERROR_SIZE])
{
    char range[32];

    curl_easy_reset(r->curl);
    error[0] = '\0';
    curl_easy_setopt(r->curl, CURLOPT_URL, url);
    curl_easy_setopt(r->curl, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(r->curl, CURLOPT_USERAGENT, "gnd/" GND_VERSION);
    curl_easy_setopt(r->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(r->curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(r->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(r->curl, CURLOPT_LOW_SPEED_LIMIT, (long)BYTES_PER_SECOND);
    curl_easy_setopt(r->curl, CURLOPT_LOW_SPEED_TIME, (long)r->j->timeout);
    curl_easy_setopt(r->curl, CURLOPT_NOPROXY, "127.0.0.1,localhost,::1");
    curl_easy_setopt(r->curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(r->curl, CURLOPT_HEADERDATA, r);
    curl_easy_setopt(r->curl, CURLOPT_WRITEFUNCTION, on_data);
    curl_easy_setopt(r->curl, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(r->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(r->curl, CURLOPT_XFERINFOFUNCTION, on_wait);
    curl_easy_setopt(r->curl, CURLOPT_XFERINFODATA, r);
    if (r->from > 0) {
        snprintf(range, sizeof range, "%" PRId64 "-", r->from);
        curl_easy_setopt(r->curl, CURLOPT_RANGE, range);
    }
}

/* Ask for one URL, not following redirects; *next: where it redirects to, "" if it does not. */
static bool ask(request *r, const char *url, char *next, size_t size)
{
    char error[CURL_ERROR_SIZE], *to = NULL;
    CURLcode rc;
    long code = 0;

    *next = *r->why = '\0';
    r->begin = -1;
    r->started = false;
    prepare(r, url, error);
    rc = curl_easy_perform(r->curl);
    curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &code);
    curl_easy_getinfo(r->curl, CURLINFO_REDIRECT_URL, &to);
    if (to && code >= 300 && code < 400) {
        snprintf(next, size, "%s", to);
        return true;
    }
    if (rc == CURLE_OK && code / 100 == 3)
        because(r, "the server redirects to nowhere", "");
    else if (rc == CURLE_HTTP_RETURNED_ERROR)
        snprintf(r->why, r->size, "the server answered with status %ld", code);
    else if (rc == CURLE_OPERATION_TIMEDOUT)
        because(r, "no data came in time", "");
    else if (rc != CURLE_OK && !*r->why)
        because(r, *error ? error : curl_easy_strerror(rc), "");
    return rc == CURLE_OK && !*r->why;
}

/* Ask for a URL and what it redirects to. The body of a redirect is not written. */
static bool follow(request *r, const char *url)
{
    char now[2048], next[2048];

    snprintf(now, sizeof now, "%s", url);
    for (int i = 0; i <= REDIRECTS_MAX; i++) {
        if (!ask(r, now, next, sizeof next))
            return false;
        if (!*next)
            return true;
        if (!fetch_allowed(next) || (starts_with(now, "https:") && !starts_with(next, "https:"))) {
            snprintf(r->why, r->size, "the server redirects to %.100s, which is not https", next);
            return false;
        }
        memcpy(now, next, sizeof now);
    }
    because(r, "too many redirects", "");
    return false;
}

/* What a request left: is the file complete? If it cannot be continued, it is emptied. *again: ask
 * once more. */
static bool judge(request *r, bool answered, bool *again)
{
    const int64_t size = r->j->size;
    long code = 0;

    *again = false;
    if (r->at == size) {
        if (is_whole(r->fd, size, r->j->sha256))
            return true;
        because(r, "its content is not the expected one (SHA-256 differs)", "");
        /* If the beginning is from an earlier request, that may be what is wrong. */
        *again = ftruncate(r->fd, 0) == 0 && r->from > 0;
        return false;
    }
    if (answered)
        because(r, "the server sent less than the file has", "");
    curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &code);
    if (code == 416 && r->from > 0) /* the server has no such range: start again */
        *again = ftruncate(r->fd, 0) == 0;
    else
        *again = r->at > r->from; /* some bytes came: continue after them */
    return false;
}

/* Try one URL. A connection that breaks off is continued while bytes come. */
static bool try_url(request *r, const char *url)
{
    bool again = true;

    for (int k = 0; again && k < REQUESTS_MAX; k++) {
        struct stat sb;
        bool answered = false;

        if (fstat(r->fd, &sb) != 0 || (sb.st_size > r->j->size && ftruncate(r->fd, 0) != 0)) {
            because(r, "cannot write: ", strerror(errno));
            return false;
        }
        r->from = r->at = sb.st_size > r->j->size ? 0 : sb.st_size;
        if (r->from < r->j->size)
            answered = follow(r, url);
        if (judge(r, answered, &again))
            return true;
    }
    return false;
}

/* Open PATH.part for this process alone. */
static int open_part(const char *part, char *why, size_t size)
{
    const int fd = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0) {
        snprintf(why, size, "%s: %s", part, strerror(errno));
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        snprintf(why, size, "%s is being written by another gnd", part);
        close(fd);
        return -1;
    }
    return fd;
}

/* The file is complete: put it into its place. */
static bool put_in_place(const char *part, const fetch_job *j, int fd, char *why, size_t size)
{
    if (fsync(fd) == 0 && rename(part, j->path) == 0)
        return true;
    snprintf(why, size, "%s: %s", j->path, strerror(errno));
    return false;
}

bool fetch_file(const fetch_job *j, char *why, size_t size)
{
    char *part = need_text("%s.part", j->path);
    request r = {.j = j, .why = why, .size = size};
    struct stat sb;
    bool ok = false;

    r.fd = open_part(part, why, size);
    r.curl = r.fd >= 0 ? curl_easy_init() : NULL;
    if (r.fd >= 0 && !r.curl)
        snprintf(why, size, "no memory");
    for (int k = 0; r.curl && !ok && k < j->n_url; k++)
        ok = try_url(&r, j->url[k]);
    if (ok)
        ok = put_in_place(part, j, r.fd, why, size);
    else if (r.fd >= 0 && fstat(r.fd, &sb) == 0 && sb.st_size == 0)
        unlink(part);
    if (r.curl)
        curl_easy_cleanup(r.curl);
    if (r.fd >= 0)
        close(r.fd);
    free(part);
    return ok;
}

#else

bool fetch_available(void)
{
    return false;
}

bool fetch_file(const fetch_job *j, char *why, size_t size)
{
    (void)j;
    snprintf(why, size, "gnd was built without libcurl");
    return false;
}

#endif
