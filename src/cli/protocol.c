/* SPDX-License-Identifier: MIT
 * protocol.c - defaults that depend on the data. The data sets of the paper have the paper's
 * protocol. Other data are undirected and have no validation vertices, and a note says so. */
#include "common.h"

#include <string.h>

#include "say.h"

enum { PAPER_VALIDATION = 500 };

bool is_paper_data(const char *name)
{
    gnd_published_data d = {.size = sizeof d};

    for (int i = 0; gnd_published_data_get(&d, i); i++)
        if (strcmp(d.name, name) == 0)
            return true;
    return false;
}

static void ignore(const char *path, void *user)
{
    (void)path;
    (void)user;
}

/* Are there such data? If not, the message about that is enough. */
static bool is_found(const cli_args *a, const char *name)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = a->data_dir};

    return gnd_dataset_files(name, &o, ignore, NULL, NULL) == GND_OK;
}

/* Say what was chosen for data that are not the paper's. */
static void chosen_note(const cli_args *a, bool graph, bool validation)
{
    if ((graph || validation) && is_found(a, a->operand.v[0]))
        say_note(a->quiet,
                 "%s is not a data set of the paper: %s%s%s; --split paper takes the paper's "
                 "protocol, graph raw and %d validation vertices",
                 a->operand.v[0], graph ? "graph und" : "", graph && validation ? ", " : "",
                 validation ? "no validation vertices, a fixed number of epochs" : "",
                 PAPER_VALIDATION);
}

void train_defaults(cli_args *a, const command *c)
{
    const bool own = !a->split && !is_paper_data(a->operand.v[0]);
    const bool sized = args_given(a, c, "validation");

    a->paper_rules = a->split ? strcmp(a->split, "honest") != 0 : !own;
    if (own)
        chosen_note(a, !a->graph, !sized && !a->train_labels);
    if (!a->split)
        a->split = own && !sized ? "honest" : "paper";
    if (!a->graph)
        a->graph = a->paper_rules ? "raw" : "und";
    if (!sized)
        a->validation = strcmp(a->split, "paper") == 0 ? PAPER_VALIDATION : 0;
}

/* Defaults of a protocol, for options that are not given. */
typedef struct {
    const char *name;
    gnd_split_kind kind;
    const char *graph;
    int32_t n_split;
    int64_t n_val;
    int32_t per_class; /* 0: from the options */
} protocol;

static const protocol *protocol_get(const char *name)
{
    static const protocol all[] = {{"paper", GND_SPLIT_PAPER, "raw", 10, PAPER_VALIDATION, 0},
                                   {"honest", GND_SPLIT_HONEST, "std", 100, 0, 0},
                                   {"planetoid", GND_SPLIT_PLANETOID, "raw", 100, 500, 20}};
    const protocol *p = all;

    while (strcmp(p->name, name) != 0) /* one of --protocol's choices */
        p++;
    return p;
}

/* The first data set that is not of the paper; NULL: none. */
static const char *own_data(const cli_args *a)
{
    for (int64_t i = 0; i < a->operand.n; i++)
        if (!is_paper_data(a->operand.v[i]))
            return a->operand.v[i];
    return NULL;
}

/* --protocol is not given, and `name` is not a data set of the paper. */
static void own_data_apply(cli_args *a, const char *name, bool sized)
{
    const bool graph = !a->graph;

    a->protocol = sized ? "paper" : "honest"; /* the paper's splits may have any number of them */
    if (graph)
        a->graph = "und"; /* keeps the weights and all vertices */
    if (!a->splits)
        a->splits = protocol_get("paper")->n_split;
    if ((graph || !sized) && is_found(a, name))
        say_note(a->quiet,
                 "%s is not a data set of the paper: %s%s%s; --protocol paper takes the paper's "
                 "protocol, graph raw and %d validation vertices",
                 name, graph ? "graph und" : "", graph && !sized ? ", " : "",
                 sized ? "" : "no validation vertices (protocol honest)", PAPER_VALIDATION);
}

gnd_split_kind compare_defaults(cli_args *a, const command *c)
{
    const bool sized = args_given(a, c, "validation");
    const char *own = a->protocol ? NULL : own_data(a);
    const protocol *p;

    a->paper_rules = !own;
    if (own)
        own_data_apply(a, own, sized);
    if (!a->protocol)
        a->protocol = "paper";
    p = protocol_get(a->protocol);
    if (!a->graph)
        a->graph = p->graph;
    if (!a->splits)
        a->splits = p->n_split;
    if (!sized)
        a->validation = p->n_val;
    if (p->per_class) {
        a->per_classes.n = 1;
        a->per_classes.v[0] = p->per_class;
    }
    return p->kind;
}
