/* SPDX-License-Identifier: MIT
 * main.c - the program `gnd`: find the command, run it, check that its output was written. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster.h"
#include "common.h"
#include "files.h"
#include "say.h"

static void help_print(FILE *f)
{
    fputs("gnd: label a whole graph from a handful of labels\n\nusage: gnd COMMAND [options]\n\n",
          f);
    for (int i = 0; i < N_COMMAND; i++)
        fprintf(f, "  %-18s%s\n", commands[i]->name, commands[i]->purpose);
    fputs("  help              print this text; `gnd help COMMAND`: print the help of a command\n\n"
          "examples:\n" EXAMPLES "\n"
          "Results go to stdout, notes and progress to stderr.\n"
          "Exit code 0: success, 1: failure, 2: wrong usage.\n"
          "GND_DATA names a folder of data sets.\n"
          "`gnd help --completion bash|zsh|fish` prints a completion script, `gnd help --man "
          "COMMAND`\n"
          "a manual page, `gnd help --commands` the names of the commands.\n",
          f);
}

/* Commands of two words share the first; this is the text for the first word alone. */
static const struct {
    const char *word, *purpose;
} groups[] = {{"data", "data sets and formats"},
              {"results", "finished training runs as CSV"},
              {"plot", "figures for papers as SVG or PNG, and their data as CSV"}};
enum { N_GROUP = sizeof groups / sizeof *groups };

/* The index of the group that word names, -1 if none. */
static int find_group(const char *word)
{
    for (int i = 0; i < N_GROUP; i++)
        if (strcmp(word, groups[i].word) == 0)
            return i;
    return -1;
}

static void group_help(FILE *f, int group)
{
    const size_t n = strlen(groups[group].word);

    fprintf(f, "gnd %s: %s\n\n", groups[group].word, groups[group].purpose);
    for (int i = 0; i < N_COMMAND; i++)
        if (strncmp(commands[i]->name, groups[group].word, n) == 0 && commands[i]->name[n] == ' ')
            fprintf(f, "  gnd %s %s\n      %s\n", commands[i]->name, commands[i]->operands,
                    commands[i]->purpose);
    fputs("\nEach has its own --help.\n", f);
}

/* The command that argv starts with; *words: number of words of its name. */
static const command *find_command(int argc, char **argv, int *words)
{
    for (int i = 0; i < N_COMMAND; i++) {
        const char *name = commands[i]->name, *space = strchr(name, ' ');

        *words = space ? 2 : 1;
        if (!space && strcmp(argv[0], name) == 0)
            return commands[i];
        if (space && argc > 1 && strncmp(argv[0], name, (size_t)(space - name)) == 0 &&
            strlen(argv[0]) == (size_t)(space - name) && strcmp(argv[1], space + 1) == 0)
            return commands[i];
    }
    return NULL;
}

/* Valid first words, or second words in a group; NULL-terminated. */
static void words_of(const char **words, char (*buf)[32], int group)
{
    const char *first = group < 0 ? NULL : groups[group].word;
    int n = 0;

    for (int i = 0; i < N_COMMAND; i++) {
        const char *name = commands[i]->name, *space = strchr(name, ' ');
        const size_t len = space ? (size_t)(space - name) : strlen(name);

        if (!first)
            snprintf(buf[n], 32, "%.*s", (int)len, name);
        else if (space && strlen(first) == len && strncmp(name, first, len) == 0)
            snprintf(buf[n], 32, "%s", space + 1);
        else
            continue;
        words[n] = buf[n];
        n++;
    }
    if (!first)
        words[n++] = "help";
    words[n] = NULL;
}

static int unknown_command(char **argv)
{
    char buf[N_COMMAND][32];
    const char *words[N_COMMAND + 2], *near;
    const int group = find_group(argv[0]);
    const char *first = group < 0 ? "" : groups[group].word, *blank = group < 0 ? "" : " ";
    const char *word = argv[group >= 0];

    words_of(words, buf, group);
    near = nearest(word, words);
    if (near)
        return say_usage("there is no command `gnd %s%s%s`; did you mean `gnd %s%s%s`?", first,
                         blank, word, first, blank, near);
    return say_usage("there is no command `gnd %s%s%s`; `gnd help` lists the commands", first,
                     blank, word);
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* argv: the words after `gnd help --man`. */
static int man_run(int argc, char **argv)
{
    int words;
    const command *c = argc ? find_command(argc, argv, &words) : NULL;

    if (argc && !c)
        return unknown_command(argv);
    if (c)
        manual_print(stdout, c);
    else
        manual_overview(stdout);
    return 0;
}

/* What `gnd help` prints for programs: manual pages, completion scripts, names. -1: not asked. */
static int help_made(int argc, char **argv)
{
    if (argc && strcmp(argv[0], "--man") == 0)
        return man_run(argc - 1, argv + 1);
    if (argc && strcmp(argv[0], "--completion") == 0) {
        if (argc == 2 && completion_print(stdout, argv[1]))
            return 0;
        return say_usage("help --completion: expected bash, zsh or fish");
    }
    if (argc == 1 && strcmp(argv[0], "--commands") == 0) {
        for (int i = 0; i < N_COMMAND; i++)
            puts(commands[i]->name);
        return 0;
    }
    return -1;
}

/* argv: the words after `gnd help`. */
static int help_run(int argc, char **argv)
{
    int words;
    const command *c = argc ? find_command(argc, argv, &words) : NULL;
    const int rc = help_made(argc, argv);

    if (rc >= 0)
        return rc;
    if (argc == 1 && find_group(argv[0]) >= 0)
        group_help(stdout, find_group(argv[0]));
    else if (c)
        args_help(stdout, c);
    else if (argc && !is_help(argv[0]))
        return unknown_command(argv);
    else
        help_print(stdout);
    return 0;
}

static int command_run(const command *c, int argc, char **argv)
{
    cli_args a;
    int rc = args_parse(&a, c, argc, argv);

    if (!rc && a.help)
        args_help(stdout, c);
    else if (!rc)
        rc = files_check(&a, c);
    if (!rc && !a.help)
        rc = c->run(&a);
    args_fini(&a);
    return rc;
}

static int environment_check(void)
{
    const char *min = getenv("GND_PARALLEL_MIN"), *kern = getenv("GND_KERN");
    int64_t v;

    if (min && *min && !parse_int(&v, min, 0, INT64_MAX))
        return say_usage("GND_PARALLEL_MIN: expected a whole number from 0, got \"%s\"", min);
    if (kern && *kern && strcmp(kern, gnd_kernel_name()) != 0)
        return say_usage("GND_KERN: this machine has no kernels \"%s\"; it would use %s", kern,
                         gnd_kernel_name());
    return 0;
}

static int dispatch(int argc, char **argv)
{
    const command *c;
    int words;

    if (argc < 1) {
        help_print(stderr);
        return EXIT_USAGE;
    }
    if (is_help(argv[0]))
        return help_run(argc - 1, argv + 1);
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0)
        return command_run(&cmd_version, argc, argv);
    if (find_group(argv[0]) >= 0 && (argc == 1 || is_help(argv[1]))) {
        group_help(argc == 1 ? stderr : stdout, find_group(argv[0]));
        return argc == 1 ? EXIT_USAGE : EXIT_DONE;
    }
    c = find_command(argc, argv, &words);
    if (!c && argv[0][0] == '-')
        return say_usage("the command comes first: gnd COMMAND %s ...; `gnd help` lists them",
                         argv[0]);
    if (!c)
        return unknown_command(argv);
    if (c->spreads && cluster_join())
        return EXIT_FAILED;
    if (environment_check())
        return EXIT_USAGE;
    return command_run(c, argc - words + 1, argv + words - 1);
}

/* If a standard stream is closed, open /dev/null in its place, so that a file opened later does not
 * get its number. It is opened in the wrong direction, so that using the stream still fails. */
static void streams_init(void)
{
    static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", flags[fd]) != fd)
            _exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
    streams_init();
    signals_init();
    return cluster_leave(stdout_check(dispatch(argc - 1, argv + 1)));
}
