/* SPDX-License-Identifier: MIT
 * input.c - the options of commands that load a graph: files, and how text files are written. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "say.h"

/* ---- --header ---- */

static bool header_value(gnd_header *out, const char *s)
{
    static const char *const word[] = {"auto", "yes", "no"}; /* in the order of gnd_header */

    for (int i = 0; i < 3; i++)
        if (strcmp(s, word[i]) == 0) {
            *out = (gnd_header)i;
            return true;
        }
    return false;
}

/* One part of the list: "yes", or "edges=no". A part with a kind of file counts more. */
static bool header_part(gnd_load_opts *o, bool given[3], char *part)
{
    static const char *const kind[] = {"edges", "labels", "features"};
    gnd_header *const to[] = {&o->header_edges, &o->header_labels, &o->header_features};
    char *value = strchr(part, '=');
    gnd_header all;

    if (!value) {
        if (!header_value(&all, part))
            return false;
        for (int i = 0; i < 3; i++)
            if (!given[i])
                *to[i] = all;
        return true;
    }
    *value++ = '\0';
    for (int i = 0; i < 3; i++)
        if (strcmp(part, kind[i]) == 0) {
            given[i] = true;
            return header_value(to[i], value);
        }
    return false;
}

static int header_get(gnd_load_opts *o, const char *list)
{
    char *copy = need_text("%s", list ? list : "auto"), *part = copy;
    bool given[3] = {false}, ok = true;

    while (part && ok) {
        char *next = strchr(part, ',');

        if (next)
            *next++ = '\0';
        ok = header_part(o, given, part);
        part = next;
    }
    free(copy);
    return ok ? 0
              : say_usage(
                    "--header %s: expected auto, yes or no for all text files, or a list such "
                    "as edges=no,labels=yes",
                    list);
}

/* ---- --separator, --decimal, --missing ---- */

static int separator_get(char *out, const char *s)
{
    static const struct {
        const char *name;
        char sep;
    } known[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"pipe", '|'},
                 {"space", ' '}, {",", ','},         {";", ';'},    {"\t", '\t'},
                 {"|", '|'},     {" ", ' '},         {"\\t", '\t'}, {"auto", '\0'}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!s || strcmp(s, known[i].name) == 0) {
            *out = s ? known[i].sep : '\0';
            return 0;
        }
    return say_usage("--separator %s: expected comma, semicolon, tab, pipe, space or auto", s);
}

static bool is_word(const char *s, const char *word)
{
    return s && strcmp(s, word) == 0;
}

int load_opts_get(gnd_load_opts *out, const cli_args *a)
{
    *out = (gnd_load_opts){
        .size = sizeof *out,
        .data_dir = a->data_dir,
        .format = a->format,
        .features = a->features,
        .labels = a->labels,
        .train_labels = a->train_labels,
        .label_attribute = a->label_attribute,
        .id_attribute = a->id_attribute,
        .feature_attributes = a->feature_attributes,
        .columns = a->columns,
        .verify = a->verify,
        .decimal = is_word(a->decimal, "comma")   ? ','
                   : is_word(a->decimal, "point") ? '.'
                                                  : '\0',
        .missing = is_word(a->missing, "zero")   ? GND_MISSING_ZERO
                   : is_word(a->missing, "mean") ? GND_MISSING_MEAN
                                                 : GND_MISSING_ERROR,
    };
    if (header_get(out, a->header) || separator_get(&out->separator, a->separator) ||
        max_input_get(&out->max_input, a))
        return EXIT_USAGE;
    return 0;
}
