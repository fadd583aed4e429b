/* SPDX-License-Identifier: MIT
 * figure.c - write a figure to the files that the options name; PNG by the program rsvg-convert. */
#define _POSIX_C_SOURCE 200809L
#include "figure.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "out.h"
#include "say.h"

extern char **environ;

static bool ends_in(const char *path, const char *tail)
{
    const size_t n = strlen(path), k = strlen(tail);

    return n > k && strcmp(path + n - k, tail) == 0;
}

/* Run rsvg-convert with an option, from the stream `from` to the stream `to`; NULL: /dev/null.
 * Returns its exit status; 127: it is not installed. */
static int rsvg_run(const char *option, FILE *from, FILE *to)
{
    char name[] = "rsvg-convert", first[32], dpi_x[] = "--dpi-x=300", dpi_y[] = "--dpi-y=300";
    char *argv[] = {name, first, dpi_x, dpi_y, NULL};
    posix_spawn_file_actions_t streams;
    pid_t child;
    int status = 0, rc;

    snprintf(first, sizeof first, "%s", option);
    if (posix_spawn_file_actions_init(&streams) != 0)
        exit(say_failed("out of memory"));
    if (from)
        rc = posix_spawn_file_actions_adddup2(&streams, fileno(from), STDIN_FILENO);
    else
        rc = posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!rc && to)
        rc = posix_spawn_file_actions_adddup2(&streams, fileno(to), STDOUT_FILENO);
    else if (!rc)
        rc = posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!rc)
        rc = posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!rc)
        rc = posix_spawnp(&child, name, &streams, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&streams);
    if (rc)
        return 127;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

int figure_check(const cli_args *a)
{
    const char *path = a->output;

    if (!path)
        return say_usage("-o FILE is required: the figure to write, a name that ends in .svg or "
                         ".png");
    if (strcmp(path, "-") == 0 || ends_in(path, ".svg"))
        return 0;
    if (!ends_in(path, ".png"))
        return say_usage("-o %s: expected a name that ends in .svg or .png", path);
    if (rsvg_run("--version", NULL, NULL) != 0)
        return say_failed("%s: PNG files are made by the program rsvg-convert, which is not "
                          "installed (package librsvg2-bin); write an .svg file instead",
                          path);
    return 0;
}

static void write_as(FILE *f, const gnd_figure *fig, gnd_figure_format format)
{
    gnd_error err = {0};

    if (gnd_figure_write(fig, f, format, &err))
        exit(say_failed("%s", err.msg));
}

static void print_svg(FILE *f, const void *fig)
{
    write_as(f, fig, GND_FIGURE_SVG);
}

static void print_csv(FILE *f, const void *fig)
{
    write_as(f, fig, GND_FIGURE_CSV);
}

static void print_png(FILE *f, const void *fig)
{
    FILE *svg = tmpfile();

    if (!svg)
        exit(say_failed("cannot make a temporary file: %s", strerror(errno)));
    write_as(svg, fig, GND_FIGURE_SVG);
    if (fflush(svg) != 0 || fseek(svg, 0, SEEK_SET) != 0 || lseek(fileno(svg), 0, SEEK_SET) != 0)
        exit(say_failed("cannot write a temporary file: %s", strerror(errno)));
    if (rsvg_run("--format=png", svg, f) != 0)
        exit(say_failed("rsvg-convert could not make the PNG file; write an .svg file instead"));
    fclose(svg);
}

int figure_save(const gnd_figure *f, const cli_args *a)
{
    int rc = 0;

    if (strcmp(a->output, "-") == 0)
        print_svg(stdout, f);
    else
        rc = file_write(a->output, ends_in(a->output, ".png") ? print_png : print_svg, f);
    if (!rc && a->csv && strcmp(a->csv, "-") == 0)
        print_csv(stdout, f);
    else if (!rc && a->csv)
        rc = file_write(a->csv, print_csv, f);
    return rc;
}
