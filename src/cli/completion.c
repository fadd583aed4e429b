/* SPDX-License-Identifier: MIT
 * completion.c - completion scripts for bash, zsh and fish, made from the tables of the commands:
 * `gnd help --completion SHELL`. */
#include <string.h>

#include "common.h"

/* What may be typed for an option or an operand. */
typedef enum {
    GIVE_NOTHING, /* a number or free text */
    GIVE_WORDS,   /* one of the option's choices */
    GIVE_METHODS,
    GIVE_DATA, /* data sets */
    GIVE_FILES,
    GIVE_DATA_FILES /* data sets and files */
} give;

static give given_by_use(file_use use)
{
    return use == USE_NONE                         ? GIVE_NOTHING
           : use == USE_DATA_LIST                  ? GIVE_DATA
           : use == USE_DATA || use == USE_RESULTS ? GIVE_DATA_FILES
                                                   : GIVE_FILES;
}

static give option_gives(const opt_spec *o)
{
    if (o->type == OPT_CHOICE)
        return GIVE_WORDS;
    if (strcmp(o->name, "method") == 0 || strcmp(o->name, "methods") == 0)
        return GIVE_METHODS;
    if (strcmp(o->name, "data") == 0)
        return GIVE_DATA;
    if (strcmp(o->name, "data-dir") == 0)
        return GIVE_FILES;
    return o->use == USE_RESULTS ? GIVE_FILES : given_by_use(o->use);
}

/* Of the first operand; several data sets and files may follow. */
static give operand_gives(const command *c)
{
    give first = given_by_use(c->operand_use[0]);

    if (strcmp(c->name, "methods") == 0)
        return GIVE_METHODS;
    for (int i = 1; i < MAX_OPERAND_USE; i++)
        if (given_by_use(c->operand_use[i]) == GIVE_DATA_FILES)
            first = GIVE_DATA_FILES;
    return c->max_operand == 0 ? GIVE_NOTHING : first;
}

static void put_methods(FILE *f)
{
    gnd_method_info m = {.size = sizeof m};

    for (int i = 0; gnd_method_get(&m, i); i++)
        fprintf(f, "%s%s", i ? " " : "", m.name);
}

static void put_datasets(FILE *f)
{
    for (int i = 0; gnd_dataset_name(i); i++)
        fprintf(f, "%s%s", i ? " " : "", gnd_dataset_name(i));
}

/* "raw|und|std" with blanks between. */
static void put_choices(FILE *f, const char *choices)
{
    for (; *choices; choices++)
        fputc(*choices == '|' ? ' ' : *choices, f);
}

/* The first word of the i-th command, if it is the first command with this word. */
static bool first_word(char word[32], int i)
{
    const char *name = commands[i]->name;
    const size_t n = strcspn(name, " ");

    snprintf(word, 32, "%.*s", (int)n, name);
    return i == 0 || strncmp(commands[i - 1]->name, word, n) != 0 ||
           strcspn(commands[i - 1]->name, " ") != n;
}

/* The second words of the commands that begin with word; nothing if there are none. */
static int put_seconds(FILE *f, const char *word)
{
    const size_t n = strlen(word);
    int count = 0;

    for (int i = 0; i < N_COMMAND; i++)
        if (strncmp(commands[i]->name, word, n) == 0 && commands[i]->name[n] == ' ')
            fprintf(f, "%s%s", count++ ? " " : "", commands[i]->name + n + 1);
    return count;
}

static void put_firsts(FILE *f)
{
    char word[32];

    for (int i = 0; i < N_COMMAND; i++)
        if (first_word(word, i))
            fprintf(f, "%s ", word);
    fputs("help", f);
}

/* A pattern of all groups, "data|plot|results". */
static void put_groups(FILE *f)
{
    char word[32];
    int n = 0;

    for (int i = 0; i < N_COMMAND; i++)
        if (first_word(word, i) && strchr(commands[i]->name, ' '))
            fprintf(f, "%s%s", n++ ? "|" : "", word);
}

/* The text up to its first clause, without what the shells' own syntax uses. */
static void put_brief(FILE *f, const char *text)
{
    for (const char *s = text; *s && *s != ';' && *s != '('; s++)
        if (!strchr("'\"\\[]:`$", *s))
            fputc(*s, f);
}

/* ---- bash ---- */

static void bash_gives(FILE *f, give g, const char *choices)
{
    switch (g) {
    case GIVE_NOTHING:
        fputs("words=", f);
        break;
    case GIVE_WORDS:
        fputs("words='", f);
        put_choices(f, choices);
        fputs("'", f);
        break;
    case GIVE_METHODS:
        fputs("words=$methods", f);
        break;
    case GIVE_DATA:
        fputs("words=$datasets", f);
        break;
    case GIVE_FILES:
        fputs("words= files=yes", f);
        break;
    case GIVE_DATA_FILES:
        fputs("words=$datasets files=yes", f);
        break;
    }
}

static void bash_command(FILE *f, const command *c)
{
    fprintf(f, "    '%s')\n        options='", c->name);
    for (const opt_spec *o = c->opts; o->help; o++)
        if (o->type != OPT_GROUP)
            fprintf(f, "--%s ", o->name);
    fputs("'\n        case $prev in\n", f);
    for (const opt_spec *o = c->opts; o->help; o++) {
        if (o->type == OPT_GROUP || o->type == OPT_FLAG)
            continue;
        fprintf(f, "        --%s", o->name);
        if (o->letter)
            fprintf(f, "|-%c", o->letter);
        fputs(") ", f);
        bash_gives(f, option_gives(o), o->choices);
        fputs(" ;;\n", f);
    }
    fputs("        *) value=no; ", f);
    bash_gives(f, operand_gives(c), NULL);
    fputs(" ;;\n        esac ;;\n", f);
}

static void bash_print(FILE *f)
{
    char word[32];

    fputs("# SPDX-License-Identifier: MIT\n"
          "# bash completion for gnd, made by `gnd help --completion bash`.\n"
          "_gnd()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} value=yes words= files= options= methods datasets\n\n"
          "    methods='",
          f);
    put_methods(f);
    fputs("'\n    datasets='", f);
    put_datasets(f);
    fputs("'\n    if [[ $command == @(", f);
    put_groups(f);
    fputs(") ]] && ((COMP_CWORD > 2)); then\n        command+=\" ${COMP_WORDS[2]}\"\n    fi\n"
          "    ((COMP_CWORD > 1)) || command=\n    case $command in\n    '')\n        value=no "
          "words='",
          f);
    put_firsts(f);
    fputs("' ;;\n", f);
    for (int i = 0; i < N_COMMAND; i++) {
        if (first_word(word, i) && strchr(commands[i]->name, ' ')) {
            fprintf(f, "    %s)\n        value=no words='", word);
            put_seconds(f, word);
            fputs("' ;;\n", f);
        }
        bash_command(f, commands[i]);
    }
    fputs("    help)\n        value=no words='", f);
    put_firsts(f);
    fputs("' ;;\n    esac\n"
          "    [[ $value == no && $cur == -* ]] && words=$options files=\n"
          "    # shellcheck disable=SC2207\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    # shellcheck disable=SC2207\n"
          "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
          "}\ncomplete -o filenames -F _gnd gnd\n",
          f);
}

/* ---- zsh ---- */

static void zsh_gives(FILE *f, give g, const char *choices)
{
    switch (g) {
    case GIVE_NOTHING:
        fputc(' ', f);
        break;
    case GIVE_WORDS:
        fputc('(', f);
        put_choices(f, choices);
        fputc(')', f);
        break;
    case GIVE_METHODS:
        fputc('(', f);
        put_methods(f);
        fputc(')', f);
        break;
    case GIVE_DATA:
        fputc('(', f);
        put_datasets(f);
        fputc(')', f);
        break;
    case GIVE_FILES:
        fputs("_files", f);
        break;
    case GIVE_DATA_FILES:
        fputs("_gnd_data", f);
        break;
    }
}

static void zsh_option(FILE *f, const opt_spec *o)
{
    fputs("            ", f);
    if (o->type == OPT_REPEAT)
        fputs("'*'", f);
    if (o->letter)
        fprintf(f, "{-%c,--%s}", o->letter, o->name);
    else
        fprintf(f, "--%s", o->name);
    fputs("'[", f);
    put_brief(f, o->help);
    fputc(']', f);
    if (o->type != OPT_FLAG) {
        fprintf(f, ":%s:", o->name);
        zsh_gives(f, option_gives(o), o->choices);
    }
    fputs("' \\\n", f);
}

static void zsh_command(FILE *f, const command *c)
{
    fprintf(f, "    '%s')\n        _arguments -s \\\n", c->name);
    for (const opt_spec *o = c->opts; o->help; o++)
        if (o->type != OPT_GROUP)
            zsh_option(f, o);
    fputs("            '*:argument:", f);
    zsh_gives(f, operand_gives(c), NULL);
    fputs("' ;;\n", f);
}

static void zsh_print(FILE *f)
{
    char word[32];

    fputs("#compdef gnd\n# SPDX-License-Identifier: MIT\n"
          "# zsh completion for gnd, made by `gnd help --completion zsh`.\n"
          "_gnd_data()\n{\n    compadd -- ",
          f);
    put_datasets(f);
    fputs("\n    _files\n}\n\n_gnd()\n{\n    local command=${words[2]}\n\n"
          "    if ((CURRENT == 2)); then\n        compadd -- ",
          f);
    put_firsts(f);
    fputs("\n        return\n    fi\n    case $command in\n", f);
    for (int i = 0; i < N_COMMAND; i++)
        if (first_word(word, i) && strchr(commands[i]->name, ' ')) {
            fprintf(f, "    %s)\n        if ((CURRENT == 3)); then\n            compadd -- ", word);
            put_seconds(f, word);
            fputs("\n            return\n        fi\n        command+=\" ${words[3]}\"\n"
                  "        shift words\n        ((CURRENT--)) ;;\n",
                  f);
        }
    fputs("    help)\n        compadd -- ", f);
    put_firsts(f);
    fputs(
        "\n        return ;;\n    esac\n    shift words\n    ((CURRENT--))\n    case $command in\n",
        f);
    for (int i = 0; i < N_COMMAND; i++)
        zsh_command(f, commands[i]);
    fputs("    esac\n}\n_gnd \"$@\"\n", f);
}

/* ---- fish ---- */

static void fish_gives(FILE *f, give g, const char *choices)
{
    switch (g) {
    case GIVE_NOTHING:
        fputs(" -x", f);
        break;
    case GIVE_WORDS:
        fputs(" -x -a '", f);
        put_choices(f, choices);
        fputc('\'', f);
        break;
    case GIVE_METHODS:
        fputs(" -x -a \"$__gnd_methods\"", f);
        break;
    case GIVE_DATA:
        fputs(" -x -a \"$__gnd_datasets\"", f);
        break;
    case GIVE_FILES:
        fputs(" -r -F", f);
        break;
    case GIVE_DATA_FILES:
        fputs(" -r -F -a \"$__gnd_datasets\"", f);
        break;
    }
}

static void fish_command(FILE *f, const command *c)
{
    const give g = operand_gives(c);

    for (const opt_spec *o = c->opts; o->help; o++) {
        if (o->type == OPT_GROUP)
            continue;
        fprintf(f, "complete -c gnd -n '__gnd_is %s' -l %s", c->name, o->name);
        if (o->letter)
            fprintf(f, " -s %c", o->letter);
        if (o->type != OPT_FLAG)
            fish_gives(f, option_gives(o), o->choices);
        fputs(" -d '", f);
        put_brief(f, o->help);
        fputs("'\n", f);
    }
    if (g == GIVE_METHODS || g == GIVE_DATA_FILES)
        fprintf(f, "complete -c gnd -n '__gnd_is %s' -a \"$__gnd_%s\"\n", c->name,
                g == GIVE_METHODS ? "methods" : "datasets");
    if (g == GIVE_FILES || g == GIVE_DATA_FILES)
        fprintf(f, "complete -c gnd -n '__gnd_is %s' -F\n", c->name);
}

static void fish_print(FILE *f)
{
    char word[32];

    fputs("# SPDX-License-Identifier: MIT\n"
          "# fish completion for gnd, made by `gnd help --completion fish`.\n"
          "set -g __gnd_methods '",
          f);
    put_methods(f);
    fputs("'\nset -g __gnd_datasets '", f);
    put_datasets(f);
    fputs("'\n\n# Does the command line start with these words?\nfunction __gnd_is\n"
          "    set -l typed (commandline -opc)\n"
          "    test (count $typed) -gt (count $argv)\n"
          "    and test \"$typed[2..(math 1 + (count $argv))]\" = \"$argv\"\nend\n\n"
          "# Are these all the words before the one that is typed?\nfunction __gnd_only\n"
          "    set -l typed (commandline -opc)\n"
          "    test \"$typed[2..-1]\" = \"$argv\"\nend\n\ncomplete -c gnd -f\n"
          "complete -c gnd -n __gnd_only -a '",
          f);
    put_firsts(f);
    fputs("'\ncomplete -c gnd -n '__gnd_only help' -a '", f);
    put_firsts(f);
    fputs("'\n", f);
    for (int i = 0; i < N_COMMAND; i++) {
        if (first_word(word, i) && strchr(commands[i]->name, ' ')) {
            fprintf(f, "complete -c gnd -n '__gnd_only %s' -a '", word);
            put_seconds(f, word);
            fputs("'\n", f);
        }
        fish_command(f, commands[i]);
    }
}

bool completion_print(FILE *f, const char *shell)
{
    static const struct {
        const char *shell;
        void (*print)(FILE *f);
    } all[] = {{"bash", bash_print}, {"zsh", zsh_print}, {"fish", fish_print}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].shell, shell) == 0) {
            all[i].print(f);
            return true;
        }
    return false;
}
