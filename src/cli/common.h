/* SPDX-License-Identifier: MIT
 * common.h - functions that several commands share: load a graph, choose settings, train, write. */
#ifndef GND_CLI_COMMON_H
#define GND_CLI_COMMON_H

#include "args.h"
#include "explain.h"
#include "gnd.h"
#include "out.h"

/* All commands, in the order of the help. */
enum { N_COMMAND = 25 };
extern const command *const commands[];
extern const command cmd_label, cmd_suggest, cmd_train, cmd_estimate, cmd_predict, cmd_compare,
    cmd_paper, cmd_results_export, cmd_results_import, cmd_plot_accuracy, cmd_plot_depth,
    cmd_plot_curves, cmd_plot_hops, cmd_plot_reliability, cmd_plot_tsne, cmd_plot_figure1,
    cmd_spectrum, cmd_methods, cmd_data_list, cmd_data_get, cmd_data_info, cmd_data_convert,
    cmd_data_make, cmd_data_hops, cmd_version;

/* Manual pages, made from the tables: of a command, and of `gnd` itself. */
void manual_print(FILE *f, const command *c);
void manual_overview(FILE *f);
/* A completion script for bash, zsh or fish; false if there is none for this shell. */
bool completion_print(FILE *f, const char *shell);
/* Examples of several commands, a line each. */
#define EXAMPLES                                                                                   \
    "  gnd train debian\n"                                                                         \
    "  gnd suggest edges.csv --features words.csv -n 10 -o known.csv\n"                            \
    "  gnd label edges.csv --features words.csv --labels known.csv -o labels.csv\n"                \
    "  gnd compare cora --methods gnd-slp --labels-per-class 1-5 --splits 30\n"

/* Each of these returns 0, or the exit code after a message. */

/* Load a data set by name or path in a mode, with the input options of a; its notes are printed to
 * stderr. seconds, if not NULL: elapsed time. */
int graph_open(gnd_graph **out, const cli_args *a, const char *name, gnd_graph_mode mode,
               double *seconds);
/* Write a graph, in one of the formats of gnd_graph_save. */
int graph_save(const gnd_graph *g, const cli_args *a, const char *path, const char *format);
/* Is there a format of this name? */
int format_check(const char *format);
/* Print the notes of a graph, unless quiet. */
void graph_notes(const gnd_graph *g, bool quiet);
/* The mode that --graph names. */
gnd_graph_mode graph_mode(const cli_args *a);
/* The settings of a method: its defaults, then those of its authors for the data set (NULL: none),
 * then --rule, --preset and --set. authors, if not NULL: the authors have settings for the data
 * set. */
int config_open(gnd_config **out, const cli_args *a, const char *method, const char *dataset,
                bool *authors);
/* Print a note if --set or --vary name a setting of the stopping rule, but there are no validation
 * vertices. */
void stopping_note(const cli_args *a);
/* Is it the name of a data set of the paper? */
bool is_paper_data(const char *name);
/* Set --graph, --split and --validation of `gnd train` where they are not given: the paper's
 * protocol for its data sets or if --split asks for it. Prints a note for other data. */
void train_defaults(cli_args *a, const command *c);
/* The same for --protocol, --graph, --splits and --validation of `gnd compare`, of which a command
 * has one for all its data sets. Returns the kind of split. */
gnd_split_kind compare_defaults(cli_args *a, const command *c);
/* The split that the options choose, after train_defaults. */
gnd_split_kind split_kind(const cli_args *a);
/* Options of c that choose a split exclude each other; prints the first conflict. */
int split_check(const cli_args *a, const command *c);
/* The options of the split. */
gnd_split_opts split_opts(const cli_args *a);
/* Make the split, if *out is NULL; a note is printed as by stopping_note. */
int split_open(gnd_split **out, const gnd_graph *g, const cli_args *a);
/* The diffused features that the options choose, with progress. */
int hop_features_open(gnd_hop_features **out, const gnd_graph *g, const cli_args *a);
/* Print an error of a method, a setting or its value; returns the exit code. */
int config_failed(const gnd_error *err);
/* A training run of `gnd train` or `gnd label` and its results. */
typedef struct {
    gnd_graph *g;
    gnd_split *s;
    gnd_config *c;
    bool authors; /* the settings are those of the authors for the data set */
    gnd_model *m;
    gnd_result res;
    gnd_prediction *p;
    bool want_curves; /* train_run makes `curves`, and none of the three above */
    gnd_figure *curves;
    explanation explained;
    double seconds_load, seconds_fit;
} train_job;

/* Load the graph that the first operand names, in the mode of --graph; its notes are printed. In
 * one of several processes (gnd_cluster_size) its part, and s with it, by o. */
int job_load(train_job *j, const cli_args *a, const gnd_split_opts *o);
/* Train with g, s and c, show progress, and label the graph. */
int train_run(train_job *j, const cli_args *a);
/* After everything is written: remove the checkpoint of the run, if there is one. */
int checkpoint_end(const cli_args *a);
void train_fini(train_job *j);
/* Bytes of --memory; 0 if the command has no such option. */
int memory_get(int64_t *out, const cli_args *a);
/* Bytes of --max-input; 0 if it was not given. */
int max_input_get(int64_t *out, const cli_args *a);
int predict_run(gnd_prediction **out, const gnd_model *m, const gnd_graph *g, const cli_args *a);
int model_write(const gnd_model *m, const char *path);
/* path NULL or "-": stdout. The columns are those of --probabilities. */
int prediction_write(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                     const char *path, const cli_args *a);
/* Class shares of --prior for the graph's classes, NULL if it was not given; the caller frees
 * them. */
int prior_get(double **out, const cli_args *a, const gnd_graph *g);
/* Print a note of the library; of warnings only the first WARNINGS_SHOWN, counted by *n_warning. */
enum { WARNINGS_SHOWN = 8 };
void say_some(const cli_args *a, int64_t *n_warning, const gnd_note *n);
/* Print how many of n warnings were not printed. */
void warnings_left(const cli_args *a, int64_t n);
/* Is path a file, not stdout? */
bool is_file(const char *path);

/* The names of the model's classes, in their order. */
json_t *js_classes(const gnd_model *m);
/* [{id, label, probability}], label null where unknown; with --probabilities also `probabilities`,
 * a list in the order of the classes. */
json_t *js_predictions(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                       const cli_args *a);
/* {name: value} of a config. */
json_t *js_settings(const gnd_config *c);
/* {code, severity, text}. */
json_t *js_note(const gnd_note *n);
/* Append it to the list of its severity. */
void js_note_add(json_t *notes, json_t *warnings, const gnd_note *n);
/* [{code, severity, text}] of a graph's notes. */
json_t *js_notes(const gnd_graph *g);

#endif
