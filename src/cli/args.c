/* SPDX-License-Identifier: MIT
 * args.c - parse a command line by the table of its command. The help (help.c) uses the same
 * table. */
#define _POSIX_C_SOURCE 200809L
#include "args.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "say.h"

enum {
    MAX_OPT = 64,    /* limited by the bits of `given` */
    FIRST_OPT = 256, /* values of options for getopt, above every letter */
    MAX_LIST = 10000
};

bool parse_int(int64_t *out, const char *text, int64_t min, int64_t max)
{
    char *end;
    long long v;

    /* Strict: strtoll would accept blanks, a plus sign and an empty text. */
    if (!isdigit((unsigned char)text[*text == '-']))
        return false;
    errno = 0;
    v = strtoll(text, &end, 10);
    if (errno || *end || v < min || v > max)
        return false;
    *out = v;
    return true;
}

static bool list_has(const int_list *l, int64_t v)
{
    for (int64_t i = 0; i < l->n; i++)
        if (l->v[i] == v)
            return true;
    return false;
}

/* One item of a list, "5" or "1-3". Lists have no negative numbers, so '-' is a range. */
static bool item_add(int_list *out, char *item, int64_t min, int64_t max)
{
    char *dash = strchr(item, '-');
    int64_t lo, hi;

    if (dash)
        *dash++ = '\0';
    if (!parse_int(&lo, item, min, max) || !parse_int(&hi, dash ? dash : item, min, max) ||
        lo > hi || hi - lo >= MAX_LIST - out->n)
        return false;
    for (int64_t v = lo; v <= hi; v++) {
        if (list_has(out, v))
            continue;
        out->v = need_more(out->v, (size_t)out->n + 1, sizeof *out->v);
        out->v[out->n++] = (int32_t)v;
    }
    return true;
}

bool parse_list(int_list *out, const char *text, int64_t min, int64_t max)
{
    char *copy = need_text("%s", text), *item = copy;
    bool ok = true;

    free(out->v);
    *out = (int_list){0};
    while (ok && item) {
        char *next = strchr(item, ',');

        if (next)
            *next++ = '\0';
        ok = item_add(out, item, min, max);
        item = next;
    }
    free(copy);
    return ok;
}

/* Edit distance (insert, delete, replace) of two short words. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t row[LONGEST + 1];
    const size_t na = strlen(a), nb = strlen(b);

    if (na > LONGEST || nb > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t corner = row[0];

        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t up = row[j];
            size_t best =
                corner + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));

            if (up + 1 < best)
                best = up + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            corner = up;
        }
    }
    return row[nb];
}

const char *nearest(const char *word, const char *const *words)
{
    const char *best = NULL;
    size_t least = strlen(word) < 4 ? 2 : 3;

    for (; *words; words++) {
        const size_t d = distance(word, *words);

        /* A shortened word counts as close: "citese". */
        if (d < least || (!best && strlen(word) >= 3 && strncmp(word, *words, strlen(word)) == 0)) {
            best = *words;
            least = d < least ? d : least;
        }
    }
    return best;
}

static int unknown_option(const command *c, const char *given)
{
    const char *names[MAX_OPT + 1], *near;
    char word[64];
    int n = 0;

    for (const opt_spec *o = c->opts; o->help; o++)
        if (o->type != OPT_GROUP)
            names[n++] = o->name;
    names[n] = NULL;
    snprintf(word, sizeof word, "%s", given + strspn(given, "-"));
    word[strcspn(word, "=")] = '\0';
    near = nearest(word, names);
    if (near)
        return say_usage("%s has no option %s%s; did you mean --%s?", c->name,
                         strlen(word) == 1 ? "-" : "--", word, near);
    return say_usage("%s has no option %s%s; see `gnd %s --help`", c->name,
                     strlen(word) == 1 ? "-" : "--", word, c->name);
}

static int bad_choice(const opt_spec *o, const char *value)
{
    char copy[128], *rest = copy;
    const char *words[16], *near;
    int n = 0;

    snprintf(copy, sizeof copy, "%s", o->choices);
    while (rest && n < 15) {
        words[n++] = rest;
        rest = strchr(rest, '|');
        if (rest)
            *rest++ = '\0';
    }
    words[n] = NULL;
    near = nearest(value, words);
    return say_usage("--%s: expected %s, got \"%s\"%s%s%s", o->name, o->choices, value,
                     near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static bool is_choice(const char *choices, const char *value)
{
    const size_t n = strlen(value);

    for (const char *p = choices; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
        if (n && strncmp(p, value, n) == 0 && (p[n] == '|' || p[n] == '\0'))
            return true;
    return false;
}

/* The library checks the name of a setting; here it must only be present. */
static int repeat_add(text_list *l, const opt_spec *o, const char *value)
{
    if (!*value || (strchr(o->arg, '=') && (!strchr(value, '=') || *value == '=')))
        return say_usage("--%s: expected %s, got \"%s\"", o->name, o->arg, value);
    l->v = need_more(l->v, (size_t)l->n + 1, sizeof *l->v);
    l->v[l->n++] = value;
    return 0;
}

static int bad_int(const opt_spec *o, const char *value)
{
    const char *what = o->type == OPT_LIST ? "whole numbers such as 1-3,5" : "a whole number";

    /* The upper limit is printed only if the value is long enough to exceed it. */
    if (o->max >= INT32_MAX && strlen(value) < 10)
        return say_usage("--%s: expected %s from %" PRId64 " up, got \"%s\"", o->name, what, o->min,
                         value);
    return say_usage("--%s: expected %s in %" PRId64 "..%" PRId64 ", got \"%s\"", o->name, what,
                     o->min, o->max, value);
}

static int store(cli_args *a, const opt_spec *o, const char *value)
{
    void *at = (char *)a + o->at;

    switch (o->type) {
    case OPT_GROUP:
        break;
    case OPT_FLAG:
        *(bool *)at = true;
        break;
    case OPT_TEXT:
        if (!*value)
            return say_usage("--%s: expected %s, got nothing", o->name, o->arg);
        *(const char **)at = value;
        break;
    case OPT_CHOICE:
        if (!is_choice(o->choices, value))
            return bad_choice(o, value);
        *(const char **)at = value;
        break;
    case OPT_INT:
        if (!parse_int(at, value, o->min, o->max))
            return bad_int(o, value);
        break;
    case OPT_LIST:
        if (!parse_list(at, value, o->min, o->max))
            return bad_int(o, value);
        break;
    case OPT_REPEAT:
        return repeat_add(at, o, value);
    }
    return 0;
}

/* Make getopt's tables from ours; option i has the value FIRST_OPT + i, or its letter. */
static void getopt_tables(struct option *longs, char *letters, const command *c)
{
    int n = 0;

    *letters++ = ':'; /* distinguishes a missing value from an unknown option */
    for (int i = 0; c->opts[i].help; i++) {
        const opt_spec *o = &c->opts[i];

        if (o->type == OPT_GROUP)
            continue;
        longs[n++] =
            (struct option){.name = o->name, .has_arg = o->type != OPT_FLAG, .val = FIRST_OPT + i};
        if (o->letter) {
            *letters++ = o->letter;
            if (o->type != OPT_FLAG)
                *letters++ = ':';
        }
    }
    longs[n] = (struct option){0};
    *letters = '\0';
}

static int find_opt(const command *c, int val)
{
    if (val >= FIRST_OPT)
        return val - FIRST_OPT;
    for (int i = 0; c->opts[i].help; i++)
        if (val && c->opts[i].letter == val)
            return i;
    return -1;
}

static const opt_spec *opt_named(const command *c, const char *name, size_t len)
{
    for (const opt_spec *o = c->opts; o->help; o++)
        if (o->type != OPT_GROUP && strncmp(o->name, name, len) == 0 && !o->name[len])
            return o;
    return NULL;
}

/* getopt accepts an option that is shortened. A word that is an option of another command is not
 * taken for one: `compare --labels FILE` does not mean --labels-per-class. `found` is the option
 * that getopt found, word the argument that names it. */
static int shortened_check(const command *c, const opt_spec *found, const char *word)
{
    const char *name = word + 2;
    const int len = (int)strcspn(name, "=");

    if (strncmp(word, "--", 2) != 0 || opt_named(c, name, (size_t)len))
        return 0;
    for (int i = 0; i < N_COMMAND; i++)
        if (opt_named(commands[i], name, (size_t)len))
            return say_usage("%s has no option --%.*s, which is one of `gnd %s`; write --%s in "
                             "full if you mean that",
                             c->name, len, name, commands[i]->name, found->name);
    return 0;
}

static int parse_error(const command *c, int answer, const char *word)
{
    const int i = find_opt(c, optopt);
    const char short_word[3] = {'-', (char)optopt, '\0'};

    if (i < 0)
        return unknown_option(c, optopt ? short_word : word);
    if (answer == ':')
        return say_usage("--%s needs a value: --%s %s", c->opts[i].name, c->opts[i].name,
                         c->opts[i].arg ? c->opts[i].arg : c->opts[i].choices);
    return say_usage("--%s takes no value", c->opts[i].name);
}

static int operands_check(const cli_args *a, const command *c)
{
    if (a->operand.n > c->max_operand && c->max_operand >= 0)
        return say_usage("%s: unexpected argument \"%s\"; usage: gnd %s %s", c->name,
                         a->operand.v[c->max_operand], c->name, c->operands);
    if (a->operand.n < c->min_operand)
        return say_usage("%s: an argument is missing; usage: gnd %s %s", c->name, c->name,
                         c->operands);
    for (int64_t i = 0; i < a->operand.n; i++)
        if (!*a->operand.v[i])
            return say_usage("%s: an argument is empty; usage: gnd %s %s", c->name, c->name,
                             c->operands);
    return 0;
}

int args_parse(cli_args *a, const command *c, int argc, char **argv)
{
    struct option longs[MAX_OPT + 1];
    char letters[2 * MAX_OPT + 2];
    const char *word;
    int rc = 0, answer;

    *a = (cli_args){0};
    for (const opt_spec *o = c->opts; o->help && !rc; o++)
        rc = o->fallback ? store(a, o, o->fallback) : 0;
    getopt_tables(longs, letters, c);
    opterr = 0;
    optind = 1;
    while (!rc && (answer = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const int i = answer == '?' || answer == ':' ? -1 : find_opt(c, answer);

        if (i < 0)
            return parse_error(c, answer, argv[optind - 1]);
        word = argv[optind - 1 - (optarg && optarg == argv[optind - 1])];
        rc = answer >= FIRST_OPT ? shortened_check(c, &c->opts[i], word) : 0;
        if (!rc)
            rc = store(a, &c->opts[i], optarg);
        a->given |= UINT64_C(1) << i;
    }
    if (rc || a->help)
        return rc;
    for (; optind < argc; optind++) {
        a->operand.v = need_more(a->operand.v, (size_t)a->operand.n + 1, sizeof *a->operand.v);
        a->operand.v[a->operand.n++] = argv[optind];
    }
    return operands_check(a, c);
}

void args_fini(cli_args *a)
{
    free(a->operand.v);
    free(a->set.v);
    free(a->vary.v);
    free(a->settings.v);
    free(a->per_classes.v);
    free(a->hops.v);
    free(a->powers.v);
    *a = (cli_args){0};
}

bool args_given(const cli_args *a, const command *c, const char *name)
{
    for (int i = 0; c->opts[i].help; i++)
        if (c->opts[i].name && strcmp(c->opts[i].name, name) == 0)
            return a->given >> i & 1;
    return false;
}
