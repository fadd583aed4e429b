/* SPDX-License-Identifier: MIT
 * say.c - messages on stderr, exits, signals. */
#define _POSIX_C_SOURCE 200809L
#include "say.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Set by say_mute, and the first failure after it. */
static bool muted;
static char kept[2048];

static void say(const char *head, const char *fmt, va_list ap)
{
    char line[2048];
    const int n = vsnprintf(line, sizeof line, fmt, ap);

    if (muted) {
        if (!*kept && strcmp(head, "gnd") == 0)
            snprintf(kept, sizeof kept, "%s", n < 0 ? fmt : gnd_text_mask(line));
        return;
    }
    /* Messages quote contents of files, which must not control the terminal. */
    fprintf(stderr, "%s: %s\n", head, n < 0 ? fmt : gnd_text_mask(line));
}

int say_failed(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say("gnd", fmt, ap);
    va_end(ap);
    return EXIT_FAILED;
}

int say_usage(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say("gnd", fmt, ap);
    va_end(ap);
    return EXIT_USAGE;
}

void say_note(bool quiet, const char *fmt, ...)
{
    va_list ap;

    if (quiet)
        return;
    va_start(ap, fmt);
    say("note", fmt, ap);
    va_end(ap);
}

void say_library_note(bool quiet, const gnd_note *n)
{
    if (n->severity == GND_WARNING)
        say_warning(quiet, "%s", n->text);
    else
        say_note(quiet, "%s", n->text);
}

void say_warning(bool quiet, const char *fmt, ...)
{
    va_list ap;

    if (quiet)
        return;
    va_start(ap, fmt);
    say("warning", fmt, ap);
    va_end(ap);
}

void say_mute(void)
{
    muted = true;
}

bool say_muted(void)
{
    return muted;
}

void say_kept(const char *where)
{
    if (*kept)
        fprintf(stderr, "gnd: %s (%s)\n", kept, where);
    *kept = '\0';
}

void *need_more(void *p, size_t n, size_t size)
{
    const bool fits = n <= SIZE_MAX / size;
    const size_t bytes = fits && n > 0 ? n * size : size;
    void *q = fits ? realloc(p, bytes) : NULL;

    if (!q)
        exit(say_failed("out of memory"));
    return q;
}

void *need(size_t n, size_t size)
{
    void *p = need_more(NULL, n, size);

    memset(p, 0, n * size);
    return p;
}

char *need_text(const char *fmt, ...)
{
    va_list ap;
    char *text;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        exit(say_failed("out of memory"));
    text = need((size_t)n + 1, 1);
    va_start(ap, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return text;
}

/* The only variables that signal handlers use. */
static volatile sig_atomic_t held, pending, line_drawn, asked;
static const char *volatile ask_note;
static volatile sig_atomic_t silent, in_job;
static const char *volatile unwanted;
static gnd_store *volatile held_store;

static void put(const char *text)
{
    const ssize_t n = muted ? 0 : write(STDERR_FILENO, text, strlen(text));

    (void)n; /* stderr may be closed; then nothing can be reported */
}

static void end_now(int sig)
{
    if (silent)
        _exit(128 + sig);
    if (unwanted)
        unlink(unwanted);
    if (line_drawn)
        put("\r\033[K");
    if (sig == SIGINT)
        put("gnd: interrupted; no incomplete file was left\n");
    else if (!in_job)
        put("gnd: terminated (SIGTERM); no incomplete file was left\n");
    _exit(128 + sig);
}

static void on_signal(int sig)
{
    if (ask_note && !asked) {
        asked = sig;
        if (line_drawn)
            put("\r\033[K");
        put(ask_note);
    } else if (held) {
        pending = sig;
        if (held_store)
            gnd_store_interrupt(held_store);
    } else {
        end_now(sig);
    }
}

void signals_job(void)
{
    in_job = 1;
}

void signals_init(void)
{
    struct sigaction sa = {0};

    sigemptyset(&sa.sa_mask);
    sa.sa_flags = SA_RESTART;
    sa.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &sa, NULL);
    sigaction(SIGXFSZ, &sa, NULL);
    sa.sa_handler = on_signal;
    for (int i = 0; i < 2; i++) {
        const int sig = i ? SIGTERM : SIGINT;
        struct sigaction old;

        /* A shell starts background jobs with SIGINT ignored; that is kept. */
        if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(sig, &sa, NULL);
    }
}

void signals_hold(const char *path)
{
    struct stat sb;

    held = stat(path, &sb) != 0 || S_ISREG(sb.st_mode) || S_ISDIR(sb.st_mode);
}

void signals_hold_store(gnd_store *s)
{
    held_store = s;
}

void signals_release(void)
{
    held = 0;
    held_store = NULL;
    if (pending)
        end_now(pending);
}

void signals_silent(void)
{
    silent = 1;
}

void signals_remove(const char *path)
{
    unwanted = path;
}

void signals_ask(const char *note)
{
    ask_note = note;
}

int signals_asked(void)
{
    return asked;
}

void signals_line(bool drawn)
{
    line_drawn = drawn;
}

int stdout_failed(void)
{
    if (errno == EPIPE)
        return say_failed("standard output was closed before everything was written");
    return say_failed("standard output: %s", errno ? strerror(errno) : "write error");
}

int stdout_check(int rc)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || rc != EXIT_DONE)
        return rc; /* no error, or its message was already printed */
    return stdout_failed();
}
