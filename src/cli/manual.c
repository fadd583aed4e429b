/* SPDX-License-Identifier: MIT
 * manual.c - manual pages in the language of man(7), made from the tables of the commands:
 * `gnd help --man` and `gnd help --man COMMAND`. */
#include <ctype.h>
#include <string.h>

#include "common.h"

/* Text as it is: nothing in it is a request, and a hyphen can be copied. */
static void put(FILE *f, const char *text)
{
    bool first = true; /* in its line */

    for (; *text; text++) {
        if (first && (*text == '.' || *text == '\''))
            fputs("\\&", f);
        if (*text == '\\')
            fputs("\\e", f);
        else if (*text == '-')
            fputs("\\-", f);
        else
            fputc(*text, f);
        first = *text == '\n';
    }
}

/* "data info" as "data-info", from which the page has its name. */
static void put_name(FILE *f, const char *name)
{
    fputs("gnd\\-", f);
    for (; *name; name++)
        fputs(*name == ' ' || *name == '-' ? "\\-" : (const char[]){*name, '\0'}, f);
}

static void put_title(FILE *f, const char *name)
{
    fputs(".\\\" SPDX-License-Identifier: MIT\n.\\\" Made by `gnd help --man`.\n.TH GND", f);
    for (const char *s = name; *s; s++)
        fprintf(f, "%s%c", s == name ? "\\-" : "", *s == ' ' ? '-' : toupper((unsigned char)*s));
    fprintf(f, " 1 \"\" \"gnd %s\" \"User Commands\"\n", gnd_version());
}

static void put_option(FILE *f, const opt_spec *o)
{
    const char *arg = o->arg ? o->arg : o->choices;

    fputs(".TP\n", f);
    if (o->letter)
        fprintf(f, "\\fB\\-%c\\fP, ", o->letter);
    fputs("\\fB\\-\\-", f);
    put(f, o->name);
    fputs("\\fP", f);
    if (arg) {
        fputs(o->arg ? " \\fI" : " \\fB", f);
        put(f, arg);
        fputs("\\fP", f);
    }
    fputc('\n', f);
    put(f, o->help);
    if (o->fallback) {
        fputs(" (default ", f);
        put(f, o->fallback);
        fputc(')', f);
    }
    fputc('\n', f);
}

static void put_examples(FILE *f, const char *examples)
{
    fputs(".SH EXAMPLES\n.nf\n", f);
    put(f, examples);
    fputs(".fi\n", f);
}

void manual_print(FILE *f, const command *c)
{
    const char *graph = args_graph_help(c);

    put_title(f, c->name);
    fputs(".SH NAME\n", f);
    put_name(f, c->name);
    fputs(" \\- ", f);
    put(f, c->purpose);
    fputs("\n.SH SYNOPSIS\n\\fBgnd ", f);
    put(f, c->name);
    fputs("\\fP ", f);
    put(f, c->operands);
    fputc('\n', f);
    if (c->about || graph)
        fputs(".SH DESCRIPTION\n", f);
    if (c->about) {
        put(f, c->about);
        fputc('\n', f);
    }
    if (graph) {
        fputs(c->about ? ".PP\n" : "", f);
        put(f, graph);
        fputc('\n', f);
    }
    fputs(".SH OPTIONS\n", f);
    for (const opt_spec *o = c->opts; o->help; o++) {
        if (o->type != OPT_GROUP) {
            put_option(f, o);
        } else {
            fputs(".SS ", f);
            fputc(toupper((unsigned char)*o->help), f);
            put(f, o->help + 1);
            fputc('\n', f);
        }
    }
    if (c->examples)
        put_examples(f, c->examples);
    fputs(".SH SEE ALSO\n.BR gnd (1)\n", f);
}

static void put_commands(FILE *f)
{
    fputs(".SH COMMANDS\nEach command has a manual page of its own.\n", f);
    for (int i = 0; i < N_COMMAND; i++) {
        fputs(".TP\n\\fB", f);
        put_name(f, commands[i]->name);
        fputs("\\fP(1)\n", f);
        put(f, commands[i]->purpose);
        fputc('\n', f);
    }
}

void manual_overview(FILE *f)
{
    put_title(f, "");
    fputs(
        ".SH NAME\ngnd \\- label a whole graph from a handful of labels\n"
        ".SH SYNOPSIS\n\\fBgnd\\fP \\fICOMMAND\\fP [\\fIoptions\\fP]\n.br\n"
        "\\fBgnd help\\fP [\\fICOMMAND\\fP]\n.br\n\\fBgnd\\fP \\fICOMMAND\\fP \\fB\\-\\-help\\fP\n"
        ".SH DESCRIPTION\n"
        "\\fBgnd\\fP gives every vertex of a graph a label and a probability, from the labels of a "
        "few vertices. The default method is \\fBauto\\fP, which needs no validation set. GND-Nets "
        "(graph neural diffusion networks) and other methods can be used and compared. Results go "
        "to standard output. Progress, notes and warnings go to standard error.\n.PP\n"
        "A graph is given by the name of a data set, which \\fBgnd data list\\fP lists, or by a "
        "path: an edge list, another file that \\fBgnd data list\\fP names, or a folder with "
        "\\fIedges.csv\\fP.\n",
        f);
    put_commands(f);
    fputs(".SH EXIT STATUS\n0: success. 1: failure; the last line on standard error says why. 2: "
          "wrong usage. 128 + N: ended by signal N.\n"
          ".SH ENVIRONMENT\n.TP\n.B GND_DATA\n"
          "A folder of data sets, searched after \\fB\\-\\-data\\-dir\\fP and before the user's "
          "cache "
          "(\\fI$XDG_CACHE_HOME/gnd\\fP, else \\fI~/.cache/gnd\\fP), \\fI./data\\fP and the "
          "installed "
          "data folder.\n.TP\n.B GND_KERN\n"
          "\\fBref\\fP selects the portable reference kernels.\n.TP\n.B GND_PARALLEL_MIN\n"
          "Work below this size is done by one thread; 0 means that all work uses all threads.\n",
          f);
    put_examples(f, EXAMPLES);
    fputs(".SH SEE ALSO\nWei Ye et al., \"Graph Neural Diffusion Networks for Semi-supervised "
          "Learning\", arXiv:2201.09698.\n",
          f);
}
