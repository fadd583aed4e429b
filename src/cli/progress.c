/* SPDX-License-Identifier: MIT
 * progress.c - progress of a long job on stderr. */
#define _DEFAULT_SOURCE
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static const double FIRST_AFTER = 1.0, REDRAW_EVERY = 0.1, LINE_EVERY = 5.0; /* seconds */

double clock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool progress_off(const cli_args *a)
{
    return a->quiet || (!a->progress && isatty(STDERR_FILENO) != 1);
}

void progress_start(progress *p, const char *what, const char *left, bool off)
{
    const char *ms = getenv("GND_PROGRESS_MS"); /* for tests */

    *p = (progress){.what = what,
                    .left = left,
                    .off = off || say_muted(),
                    .terminal = isatty(STDERR_FILENO) == 1};
    p->start = clock_now();
    p->every = ms && *ms ? 1e-3 * strtod(ms, NULL) : p->terminal ? REDRAW_EVERY : LINE_EVERY;
    p->last = p->start + fmin(FIRST_AFTER, FIRST_AFTER / REDRAW_EVERY * p->every) - p->every;
}

static void span_text(char *buf, size_t size, double seconds)
{
    const long s = (long)(seconds + 0.5);

    if (s < 60)
        snprintf(buf, size, "%ld s", s);
    else if (s < 3600)
        snprintf(buf, size, "%ld:%02ld min", s / 60, s % 60);
    else
        snprintf(buf, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
}

/* Maximum width of the line: a line that wraps could not be erased. */
static int line_width(void)
{
    struct winsize w;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col - 1 : 78;
}

/* Is it time for another line? */
static bool is_due(progress *p)
{
    const double now = clock_now();

    if (p->off || now - p->last < p->every)
        return false;
    p->last = now;
    return true;
}

static void draw(progress *p, const char *line)
{
    if (p->terminal) {
        signals_line(true);
        p->drawn = true;
        fprintf(stderr, "\r\033[K%.*s", line_width(), line);
        fflush(stderr);
    } else {
        fprintf(stderr, "%s\n", line);
    }
}

void progress_step(progress *p, int64_t done, int64_t total, const char *detail)
{
    char left[32], line[200];

    if (done < 1 || !is_due(p))
        return;
    span_text(left, sizeof left, (p->last - p->start) / (double)done * (double)(total - done));
    snprintf(line, sizeof line, "%s %" PRId64 " of %" PRId64 ", %s %s left%s%s", p->what, done,
             total, p->left, left, *detail ? ", " : "", detail);
    draw(p, line);
}

void progress_work(progress *p, const gnd_sweep_progress *at, const char *detail)
{
    enum { BAR = 20 };
    char left[32], line[200], bar[2 * BAR + 4] = "";

    if (!is_due(p))
        return;
    span_text(left, sizeof left, at->seconds_left);
    if (p->terminal) { /* not a terminal: a program may read it */
        const int n = (int)(at->share * BAR + 0.5);

        snprintf(bar, sizeof bar, "[%.*s%.*s] ", n, "####################", BAR - n,
                 "....................");
    }
    snprintf(line, sizeof line, "%s%s %" PRId64 " of %" PRId64 ", %.0f %%, %s %s left, %s", bar,
             p->what, at->done, at->total, 100 * at->share, p->left, left, detail);
    draw(p, line);
}

int progress_tick(const char *stage, double share, void *user)
{
    progress *p = user;
    char left[32], line[200];

    if (!is_due(p))
        return 0;
    if (share > 0) {
        span_text(left, sizeof left, (p->last - p->start) / share * (1 - share));
        snprintf(line, sizeof line, "%s %.0f %%, %s %s left", stage, 100 * share, p->left, left);
    } else { /* also NaN: not known */
        span_text(left, sizeof left, p->last - p->start);
        snprintf(line, sizeof line, "%s, %s so far", stage, left);
    }
    draw(p, line);
    return 0;
}

void progress_wait(progress *p, int64_t done, int64_t total, const char *detail)
{
    char line[200];

    if (!is_due(p))
        return;
    snprintf(line, sizeof line, "%s %" PRId64 " of %" PRId64 ", %s", p->what, done, total, detail);
    draw(p, line);
}

void progress_end(progress *p)
{
    if (p->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    p->drawn = false;
    signals_line(false);
}
