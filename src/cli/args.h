/* SPDX-License-Identifier: MIT
 * args.h - the command line: one table of options per command, for both the parser and the help. */
#ifndef GND_CLI_ARGS_H
#define GND_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    int32_t *v;
    int64_t n;
} int_list;

typedef struct {
    const char **v; /* point into argv or the tables */
    int64_t n;
} text_list;

/* Values of all options of all commands; the table of a command lists its options and defaults. */
typedef struct {
    text_list operand;
    /* input */
    const char *features, *labels, *train_labels, *graph, *format, *data_dir;
    const char *header, *columns, *separator, *decimal, *missing;
    const char *label_attribute, *id_attribute, *feature_attributes;
    /* training */
    const char *method, *methods, *preset, *split;
    const char *memory, *checkpoint, *max_input, *plan, *prior, *balance, *abstain,
        *abstain_unchecked;
    text_list set;
    int64_t per_class, split_seed, validation, splits, seed, threads, timeout;
    int64_t checkpoint_seconds;
    bool paper_rules; /* not an option: the split follows the authors' code (protocol.c) */
    int_list per_classes;
    /* comparisons */
    const char *data, *protocol, *rule, *store, *results;
    text_list vary, settings;
    int64_t search_splits;
    bool pick, paired, dry_run, tables_only;
    int64_t number; /* number of suggestions, of components */
    int_list powers;
    /* graphs of `gnd data make` */
    int64_t vertices, edges, classes, words, n_features, inside, communities;
    int64_t parts; /* of `gnd data convert` */
    /* several processes, for `gnd estimate` */
    const char *network, *order;
    int64_t ranks, copies;
    /* diffused features of `gnd data hops` and `gnd plot tsne` */
    int_list hops;
    int64_t filters, perplexity;
    /* output */
    const char *output, *model, *predictions, *hop_weights, *hop_attention, *runs, *csv, *bars, *to;
    bool metrics, explain, probabilities, verify, json, progress, quiet, help;
    uint64_t given; /* bit i: option i of the table was given */
} cli_args;

/* How a command uses the file that an option or operand names. */
typedef enum {
    USE_NONE,      /* it is not a file */
    USE_IN,        /* a file that is read */
    USE_OUT,       /* a file that is written; "-": stdout */
    USE_STORE,     /* an SQLite file that is read and written */
    USE_DATA,      /* a data set, by name or path */
    USE_DATA_LIST, /* several, separated by commas */
    USE_GRAPH_OUT, /* a graph that is written: one file, or a folder of csv files */
    USE_RUNS,      /* a folder of csv files that is read */
    USE_RESULTS,   /* the same; not given: the one that comes with gnd, "none": none */
    USE_RUNS_OUT   /* a file, or a folder of csv files, that is written; "-": stdout */
} file_use;

typedef enum {
    OPT_GROUP,  /* not an option: a heading in the help */
    OPT_FLAG,   /* bool */
    OPT_TEXT,   /* const char *, not empty */
    OPT_CHOICE, /* const char *, one of `choices` */
    OPT_INT,    /* int64_t in min .. max */
    OPT_LIST,   /* int_list: `1-3,5`, each in min .. max */
    OPT_REPEAT  /* text_list: may be repeated; if arg contains '=', each value must too */
} opt_type;

typedef struct {
    opt_type type;
    char letter; /* 0: none */
    const char *name;
    const char *arg;      /* name of the value in the help; NULL: none, or the choices */
    const char *fallback; /* the default as typed by a user; NULL: zero */
    const char *choices;  /* "raw|und|std" */
    int64_t min, max;
    size_t at;    /* offset in cli_args */
    file_use use; /* for an option whose value is a file */
    const char *help;
} opt_spec;

enum { MAX_OPERAND_USE = 2 };

typedef struct {
    const char *name;     /* "train", "data info" */
    const char *purpose;  /* one line */
    const char *operands; /* operands for the usage line */
    const char *about;    /* a paragraph, wrapped when printed; may be NULL */
    const char *examples; /* lines, printed as they are */
    const opt_spec *opts; /* ends with OPT_END */
    int min_operand, max_operand;
    file_use operand_use[MAX_OPERAND_USE]; /* the last one applies to all further operands */
    int (*run)(const cli_args *a);
    bool spreads; /* mpirun spreads its work over several processes */
} command;

/* Options that several commands share. */
#define AT(field) offsetof(cli_args, field)
#define OPT_HEADING(text)                                                                          \
    {                                                                                              \
        .type = OPT_GROUP, .help = text                                                            \
    }
#define OPT_GRAPH(fallback_)                                                                       \
    {                                                                                              \
        .type = OPT_CHOICE, .name = "graph", .fallback = fallback_, .choices = "raw|und|std",      \
        .at = AT(graph),                                                                           \
        .help =                                                                                    \
            "raw: as stored; und: undirected, without self-loops; std: und with weights 1, its "   \
            "largest component"                                                                    \
    }
#define OPT_TRAIN_GRAPH                                                                            \
    {                                                                                              \
        .type = OPT_CHOICE, .name = "graph", .choices = "raw|und|std", .at = AT(graph),            \
        .help =                                                                                    \
            "raw: as stored; und: undirected, without self-loops; std: und with weights 1, its "   \
            "largest component (default: raw with --split paper or planetoid and for the data "    \
            "sets of the paper without --split, otherwise und)"                                    \
    }
#define OPT_FEATURES                                                                               \
    {                                                                                              \
        .type = OPT_TEXT, .name = "features", .arg = "FILE", .at = AT(features), .use = USE_IN,    \
        .help = "vertex features: CSV with the id first, npz, Matrix Market or svmlight"           \
    }
/* The format, and what to read of a format whose vertices have attributes. */
#define OPT_DATA_FORMAT                                                                            \
    {.type = OPT_TEXT,                                                                             \
     .name = "format",                                                                             \
     .arg = "NAME",                                                                                \
     .at = AT(format),                                                                             \
     .help = "format of the graph, listed by `gnd data list` (default: recognised by content)"},   \
        {.type = OPT_TEXT,                                                                         \
         .name = "label-attribute",                                                                \
         .arg = "NAME",                                                                            \
         .at = AT(label_attribute),                                                                \
         .help = "attribute of vertices in GraphML, GEXF or JSON that is the label; none: none "   \
                 "(default: one named label, class, ... if it leaves no doubt)"},                  \
        {.type = OPT_TEXT,                                                                         \
         .name = "id-attribute",                                                                   \
         .arg = "NAME",                                                                            \
         .at = AT(id_attribute),                                                                   \
         .help = "attribute that is the id, such as the name (default: the ids of the file)"},     \
    {                                                                                              \
        .type = OPT_TEXT, .name = "feature-attributes", .arg = "LIST",                             \
        .at = AT(feature_attributes),                                                              \
        .help = "attributes that are features: age,height; none: none (default: all numbers and "  \
                "texts of few different values)"                                                   \
    }
#define OPT_HEADER                                                                                 \
    {                                                                                              \
        .type = OPT_TEXT, .name = "header", .arg = "auto|yes|no", .fallback = "auto",              \
        .at = AT(header),                                                                          \
        .help = "whether text files start with a header line; for each kind: edges=no,labels=yes"  \
    }
#define OPT_COLUMNS                                                                                \
    {                                                                                              \
        .type = OPT_TEXT, .name = "columns", .arg = "LIST", .at = AT(columns),                     \
        .help = "columns of text files, by name or number: source=from,target=to,weight=w,id=1,"   \
                "label=team; `weight=` for none (default: by known names)"                         \
    }
#define OPT_SEPARATOR                                                                              \
    {                                                                                              \
        .type = OPT_TEXT, .name = "separator", .arg = "NAME", .fallback = "auto",                  \
        .at = AT(separator),                                                                       \
        .help = "separator in text files: comma, semicolon, tab, pipe or space; auto: by content"  \
    }
#define OPT_DECIMAL                                                                                \
    {                                                                                              \
        .type = OPT_CHOICE, .name = "decimal", .fallback = "auto", .choices = "auto|point|comma",  \
        .at = AT(decimal), .help = "decimal point in text files; auto: by content"                 \
    }
#define OPT_MISSING                                                                                \
    {                                                                                              \
        .type = OPT_CHOICE, .name = "missing", .fallback = "error", .choices = "error|zero|mean",  \
        .at = AT(missing),                                                                         \
        .help = "values that a text file of features lacks (empty, NA): refuse it, 0, or the "     \
                "mean of the column"                                                               \
    }
/* How text files are written. Commands that read features have OPT_MISSING too. */
#define OPT_TEXT_FILES OPT_HEADER, OPT_COLUMNS, OPT_SEPARATOR, OPT_DECIMAL
#define OPT_DATA_DIR                                                                               \
    {                                                                                              \
        .type = OPT_TEXT, .name = "data-dir", .arg = "DIR", .at = AT(data_dir),                    \
        .help = "folder searched for data sets before $GND_DATA, the cache and ./data"             \
    }
#define OPT_MAX_INPUT                                                                              \
    {                                                                                              \
        .type = OPT_TEXT, .name = "max-input", .arg = "SIZE", .at = AT(max_input),                 \
        .help = "maximum unpacked size of an input file: 512M, 24G (default: half of the memory)"  \
    }
#define OPT_METHOD(fallback_)                                                                      \
    {                                                                                              \
        .type = OPT_TEXT, .name = "method", .arg = "NAME", .fallback = fallback_,                  \
        .at = AT(method), .help = "method that predicts the labels; `gnd methods` lists them"      \
    }
#define OPT_VALIDATION                                                                             \
    {                                                                                              \
        .type = OPT_INT, .name = "validation", .arg = "N", .max = INT32_MAX, .at = AT(validation), \
        .help = "number of validation vertices, whose labels decide when to stop; 0: none "        \
                "(default: 500 with --split paper)"                                                \
    }
#define OPT_PER_CLASS                                                                              \
    {                                                                                              \
        .type = OPT_INT, .name = "labels-per-class", .arg = "N", .fallback = "5", .min = 1,        \
        .max = INT32_MAX, .at = AT(per_class), .help = "number of training labels per class"       \
    }
#define OPT_SPLIT_SEED                                                                             \
    {                                                                                              \
        .type = OPT_INT, .name = "split-seed", .arg = "N", .fallback = "1", .min = 0,              \
        .max = UINT32_MAX, .at = AT(split_seed),                                                   \
        .help = "seed of the random choice of these vertices"                                      \
    }
#define OPT_SPLIT                                                                                  \
    {                                                                                              \
        .type = OPT_CHOICE, .name = "split", .choices = "paper|honest|planetoid", .at = AT(split), \
        .help =                                                                                    \
            "paper: drawn by the options above; honest: the same without validation vertices; "    \
            "planetoid: the fixed split of the ind.* files (default: paper for the data sets "     \
            "of the paper or with --validation, otherwise honest)"                                 \
    }
#define OPT_LABELS(text)                                                                           \
    {                                                                                              \
        .type = OPT_TEXT, .name = "labels", .arg = "FILE", .at = AT(labels), .use = USE_IN,        \
        .help = text                                                                               \
    }
#define OPT_OTHER_LABELS OPT_LABELS("CSV id,label that replaces the labels of the data set")
#define OPT_TRAIN_LABELS                                                                           \
    {                                                                                              \
        .type = OPT_TEXT, .name = "labels", .arg = "FILE", .at = AT(train_labels), .use = USE_IN,  \
        .help =                                                                                    \
            "CSV id,label of the training vertices; all other labelled vertices are test vertices" \
    }
#define OPT_HOPS                                                                                   \
    {                                                                                              \
        .type = OPT_LIST, .name = "hops", .arg = "LIST", .fallback = "0,1,19,10000", .min = 0,     \
        .max = 10000000, .at = AT(hops), .help = "numbers of hops k: powers of the random walk W"  \
    }
#define OPT_FILTERS                                                                                \
    {                                                                                              \
        .type = OPT_INT, .name = "filters", .arg = "N", .fallback = "16", .min = 1, .max = 4096,   \
        .at = AT(filters), .help = "number of columns of Theta"                                    \
    }
#define OPT_THETA_SEED                                                                             \
    {                                                                                              \
        .type = OPT_INT, .name = "seed", .arg = "N", .fallback = "1", .min = 0, .max = INT64_MAX,  \
        .at = AT(seed), .help = "seed of Theta"                                                    \
    }
#define OPT_SET                                                                                    \
    {                                                                                              \
        .type = OPT_REPEAT, .name = "set", .arg = "NAME=VALUE", .at = AT(set),                     \
        .help = "set a setting of the method; may be repeated; `gnd methods NAME` lists them"      \
    }
#define OPT_PRESET                                                                                 \
    {                                                                                              \
        .type = OPT_TEXT, .name = "preset", .arg = "NAME", .at = AT(preset),                       \
        .help = "a named set of settings, applied before --set"                                    \
    }
#define OPT_SEED                                                                                   \
    {                                                                                              \
        .type = OPT_INT, .name = "seed", .arg = "N", .fallback = "1", .min = 0, .max = INT64_MAX,  \
        .at = AT(seed), .help = "seed of the initial weights and of dropout"                       \
    }
#define OPT_THREADS                                                                                \
    {                                                                                              \
        .type = OPT_INT, .name = "threads", .arg = "N", .fallback = "0", .min = 0, .max = 1024,    \
        .at = AT(threads),                                                                         \
        .help = "number of threads; 0: one per CPU; results do not depend on it"                   \
    }
#define OPT_MEMORY                                                                                 \
    {                                                                                              \
        .type = OPT_TEXT, .name = "memory", .arg = "SIZE", .at = AT(memory),                       \
        .help = "memory per training run for faster computing: 64M, 2G; min: as little as "        \
                "possible (default: 512M, or the size of a large graph's operators)"               \
    }
#define OPT_PER_CLASSES(fallback_)                                                                 \
    {                                                                                              \
        .type = OPT_LIST, .name = "labels-per-class", .arg = "LIST", .fallback = fallback_,        \
        .min = 1, .max = INT32_MAX, .at = AT(per_classes),                                         \
        .help = "numbers of training labels per class: 1-3,5"                                      \
    }
#define OPT_SPLIT_SEEDS                                                                            \
    {                                                                                              \
        .type = OPT_INT, .name = "seed", .arg = "N", .fallback = "1", .min = 0, .max = INT64_MAX,  \
        .at = AT(seed),                                                                            \
        .help = "RNG seed of the first split; the run on split s uses seed N + s - 1"              \
    }
#define OPT_SIDE_BY_SIDE                                                                           \
    {                                                                                              \
        .type = OPT_INT, .name = "threads", .arg = "N", .fallback = "0", .min = 0, .max = 1024,    \
        .at = AT(threads),                                                                         \
        .help = "number of parallel training runs; 0: one per CPU; results do not depend on it"    \
    }
#define OPT_TABLE_FORMAT                                                                           \
    {                                                                                              \
        .type = OPT_CHOICE, .name = "format", .fallback = "table",                                 \
        .choices = "table|md|tex|csv|json", .at = AT(to),                                          \
        .help = "md: Markdown; tex: LaTeX with booktabs; csv: a row per cell; json: everything"    \
    }
/* For commands that train once. */
#define OPT_CHECKPOINT                                                                             \
    {.type = OPT_TEXT,                                                                             \
     .name = "checkpoint",                                                                         \
     .arg = "DIR",                                                                                 \
     .at = AT(checkpoint),                                                                         \
     .help = "save the state of the run in this folder from time to time; the same command then "  \
             "continues it if it was interrupted, with the same result; removed at the end"},      \
    {                                                                                              \
        .type = OPT_INT, .name = "checkpoint-seconds", .arg = "N", .fallback = "30", .min = 0,     \
        .max = INT32_MAX, .at = AT(checkpoint_seconds),                                            \
        .help = "the least time between two saved states; 0: after every epoch "                   \
                "(ls: pass, auto: fold)"                                                           \
    }
#define OPT_PROBABILITIES                                                                          \
    {                                                                                              \
        .type = OPT_FLAG, .name = "probabilities", .at = AT(probabilities),                        \
        .help = "also write the probability of each class, in columns p_CLASS"                     \
    }
#define OPT_JSON                                                                                   \
    {                                                                                              \
        .type = OPT_FLAG, .name = "json", .at = AT(json), .help = "print one JSON object"          \
    }
#define OPT_QUIET                                                                                  \
    {                                                                                              \
        .type = OPT_FLAG, .letter = 'q', .name = "quiet", .at = AT(quiet),                         \
        .help = "print no notes and no progress on stderr"                                         \
    }
/* For commands that may take longer than a second. */
#define OPT_PROGRESS                                                                               \
    {                                                                                              \
        .type = OPT_FLAG, .name = "progress", .at = AT(progress),                                  \
        .help = "print progress on stderr also if it is not a terminal: a line every few seconds"  \
    }
#define OPT_HELP                                                                                   \
    {                                                                                              \
        .type = OPT_FLAG, .letter = 'h', .name = "help", .at = AT(help), .help = "print this text" \
    }
#define OPT_END                                                                                    \
    {                                                                                              \
        .type = OPT_GROUP, .help = NULL                                                            \
    }

/* Parse the words after the command's name (argv[0] is skipped) into a. Returns 0, or EXIT_USAGE
 * after a message. The caller calls args_fini in both cases. */
int args_parse(cli_args *a, const command *c, int argc, char **argv);
void args_fini(cli_args *a);
/* Was the option given? name must be in the table. */
bool args_given(const cli_args *a, const command *c, const char *name);
void args_help(FILE *f, const command *c);
/* What a graph may be given as; NULL if the command does not take one. */
const char *args_graph_help(const command *c);

/* An integer in min .. max and nothing else; false otherwise. */
bool parse_int(int64_t *out, const char *text, int64_t min, int64_t max);
/* `1-3,5` as a list without repetitions, in the order given. */
bool parse_list(int_list *out, const char *text, int64_t min, int64_t max);
/* The word of a NULL-terminated list that is closest to `word`; NULL if none is close. */
const char *nearest(const char *word, const char *const *words);

#endif
