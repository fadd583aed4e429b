/* SPDX-License-Identifier: MIT
 * common.c - functions that several commands share: load a graph, choose settings, train, write. */
#define _POSIX_C_SOURCE 200809L
#include "common.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "progress.h"
#include "say.h"

enum { MAX_NAMES = 64 };

gnd_graph_mode graph_mode(const cli_args *a)
{
    gnd_graph_mode mode = GND_GRAPH_RAW;

    gnd_graph_mode_parse(&mode, a->graph, NULL); /* the option table allows only valid names */
    return mode;
}

/* The names that name_at lists, NULL-terminated. */
static void names_of(const char **names, const char *(*name_at)(int))
{
    int n = 0;

    for (const char *s = name_at(0); s && n < MAX_NAMES; s = name_at(++n))
        names[n] = s;
    names[n] = NULL;
}

int format_check(const char *format)
{
    const char *names[MAX_NAMES + 1], *near;

    names_of(names, gnd_format_name);
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], format) == 0)
            return 0;
    near = nearest(format, names);
    return say_usage("--format: there is no format \"%s\"; %s%s%s", format,
                     near ? "did you mean " : "`gnd data list` lists them", near ? near : "",
                     near ? "?" : "");
}

int max_input_get(int64_t *out, const cli_args *a)
{
    *out = 0;
    if (a->max_input && (!memory_parse(out, a->max_input) || *out < 0))
        return say_usage("--max-input %s: expected a size such as 512M or 24G", a->max_input);
    return 0;
}

int graph_open(gnd_graph **out, const cli_args *a, const char *name, gnd_graph_mode mode,
               double *seconds)
{
    progress p;
    gnd_load_opts o;
    const gnd_convert_opts how = {
        .size = sizeof how, .mode = mode, .on_tick = progress_tick, .tick_user = &p};
    const double start = clock_now();
    gnd_error err = {0};
    gnd_graph *raw = NULL;
    gnd_status st;

    *out = NULL;
    if (a->format && format_check(a->format))
        return EXIT_USAGE;
    if (load_opts_get(&o, a))
        return EXIT_USAGE;
    progress_start(&p, "", "about", progress_off(a));
    o.on_tick = progress_tick;
    o.tick_user = &p;
    st = gnd_load(&raw, name, &o, &err);
    progress_end(&p);
    if (st)
        return config_failed(&err);
    progress_start(&p, "", "about", progress_off(a));
    /* Also for raw, which changes nothing but adds notes on the graph. */
    st = gnd_graph_convert_with(out, raw, &how, &err);
    progress_end(&p);
    gnd_graph_free(raw);
    if (st)
        return say_failed("%s", err.msg);
    if (seconds)
        *seconds = clock_now() - start;
    graph_notes(*out, a->quiet);
    return 0;
}

int graph_save(const gnd_graph *g, const cli_args *a, const char *path, const char *format)
{
    progress p;
    const gnd_save_opts o = {.size = sizeof o, .on_tick = progress_tick, .tick_user = &p};
    gnd_error err = {0};
    gnd_status st;

    signals_hold(path);
    progress_start(&p, "", "about", progress_off(a));
    st = gnd_graph_save_with(g, path, format, &o, &err);
    progress_end(&p);
    signals_release();
    return st ? say_failed("%s", err.msg) : 0;
}

int job_load(train_job *j, const cli_args *a, const gnd_split_opts *o)
{
    const char *name = a->operand.v[0];
    const double start = clock_now();
    gnd_load_opts load;
    gnd_cluster_load_opts opts = {
        .size = sizeof opts, .load = &load, .mode = graph_mode(a), .split = o};
    gnd_error err = {0};

    if (gnd_cluster_size() == 1)
        return graph_open(&j->g, a, name, graph_mode(a), &j->seconds_load);
    if ((a->format && format_check(a->format)) || load_opts_get(&load, a))
        return EXIT_USAGE;
    if (gnd_cluster_load(&j->g, &j->s, name, &opts, &err))
        return config_failed(&err);
    j->seconds_load = clock_now() - start;
    graph_notes(j->g, a->quiet);
    return 0;
}

void graph_notes(const gnd_graph *g, bool quiet)
{
    for (int64_t i = 0; i < gnd_graph_n_note(g); i++)
        say_library_note(quiet, gnd_graph_note(g, i));
}

/* An unknown method or setting is a usage error; lack of memory is not. */
int config_failed(const gnd_error *err)
{
    return err->code == GND_ERR_ARG ? say_usage("%s", err->msg) : say_failed("%s", err->msg);
}

static int config_apply(gnd_config *c, const cli_args *a)
{
    gnd_error err = {0};

    if (a->rule && gnd_config_rule(c, a->rule, &err))
        return config_failed(&err);
    if (a->preset && gnd_config_preset(c, a->preset, &err))
        return config_failed(&err);
    for (int64_t i = 0; i < a->set.n; i++) {
        char *name = need_text("%s", a->set.v[i]), *value = strchr(name, '=');
        gnd_status st;

        *value++ = '\0';
        st = gnd_config_set(c, name, value, &err);
        free(name);
        if (st)
            return config_failed(&err);
    }
    return 0;
}

int config_open(gnd_config **out, const cli_args *a, const char *method, const char *dataset,
                bool *authors)
{
    gnd_error err = {0};
    bool named;
    int rc;

    if (gnd_config_new(out, method, &err))
        return config_failed(&err);
    named = dataset && gnd_config_dataset(*out, dataset);
    if (authors)
        *authors = named;
    rc = config_apply(*out, a);
    if (rc) {
        gnd_config_free(*out);
        *out = NULL;
    }
    return rc;
}

void stopping_note(const cli_args *a)
{
    static const char *const idle[] = {"epochs", "stop", "patience", "stop_loss"};
    const text_list *const given[] = {&a->set, &a->vary};

    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < given[k]->n; i++)
            for (size_t j = 0; j < sizeof idle / sizeof *idle; j++) {
                const size_t n = strlen(idle[j]);

                if (strncmp(given[k]->v[i], idle[j], n) == 0 && given[k]->v[i][n] == '=')
                    say_note(a->quiet,
                             "%s has no effect without validation vertices; epochs_alone sets the "
                             "number of epochs then",
                             idle[j]);
            }
}

gnd_split_kind split_kind(const cli_args *a)
{
    if (a->train_labels)
        return GND_SPLIT_TRAIN_LABELS;
    if (strcmp(a->split, "honest") == 0)
        return GND_SPLIT_HONEST;
    return strcmp(a->split, "planetoid") == 0 ? GND_SPLIT_PLANETOID : GND_SPLIT_PAPER;
}

int split_check(const cli_args *a, const command *c)
{
    static const char *const drawn[] = {"labels-per-class", "split-seed", "validation"};
    const bool fixed = a->split && strcmp(a->split, "planetoid") == 0;

    if (args_given(a, c, "validation") && a->split && strcmp(a->split, "honest") == 0)
        return say_usage("--validation has no meaning with --split honest: it has no validation "
                         "vertices");
    if (a->train_labels && args_given(a, c, "split"))
        return say_usage(
            "--labels and --split exclude each other: both choose the training vertices");
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if ((a->train_labels || fixed) && args_given(a, c, drawn[i]))
            return say_usage("--%s has no meaning with %s, which fixes the split", drawn[i],
                             a->train_labels ? "--labels" : "--split planetoid");
    return 0;
}

gnd_split_opts split_opts(const cli_args *a)
{
    return (gnd_split_opts){
        .size = sizeof(gnd_split_opts),
        .kind = split_kind(a),
        .per_class = (int32_t)a->per_class,
        .n_val = a->validation,
        .seed = (uint32_t)a->split_seed,
        /* The authors' loader gives an unlabelled vertex an all-zero row, which counts as class
         * 0. */
        .score_unlabelled = a->paper_rules && graph_mode(a) == GND_GRAPH_RAW,
    };
}

int split_open(gnd_split **out, const gnd_graph *g, const cli_args *a)
{
    const gnd_split_opts o = split_opts(a);
    gnd_error err = {0};

    if (!*out && gnd_split_new(out, g, &o, &err))
        return say_failed("%s", err.msg);
    if (gnd_split_n_val(*out) == 0)
        stopping_note(a);
    return 0;
}

/* State for the callbacks of a training run. */
typedef struct {
    progress p;
    explanation *x;
    bool epochs; /* there are epochs, which say more than the share */
} watch;

static int on_tick(const char *stage, double share, void *user)
{
    watch *w = user;

    /* With epochs, what comes before the first one is preparation. */
    return w->epochs
               ? 0
               : progress_tick(strcmp(stage, "training") == 0 ? "preparing" : stage, share, &w->p);
}

static int on_epoch(const gnd_epoch *e, void *user)
{
    watch *w = user;
    char detail[64] = "";

    w->epochs = true;
    if (!isnan(e->acc_val))
        snprintf(detail, sizeof detail, "validation %.1f %%", 100 * e->acc_val);
    progress_step(&w->p, e->epoch + 1, e->max_epochs, detail);
    explain_epoch(w->x);
    return 0;
}

static void on_plan(const gnd_plan_info *p, void *user)
{
    const watch *w = user;

    explain_plan(w->x, p);
}

int memory_get(int64_t *out, const cli_args *a)
{
    *out = 0;
    if (a->memory && !memory_parse(out, a->memory))
        return say_usage("--memory %s: expected min or a size such as 512M or 2G", a->memory);
    return 0;
}

/* Of several processes each has one thread by default, since they may share a machine. */
static int32_t threads_of(const cli_args *a)
{
    return a->threads == 0 && gnd_cluster_size() > 1 ? 1 : (int32_t)a->threads;
}

int train_run(train_job *j, const cli_args *a)
{
    watch w = {.x = &j->explained};
    gnd_train_opts o = {.size = sizeof o,
                        .seed = (uint64_t)a->seed,
                        .threads = threads_of(a),
                        .on_epoch = on_epoch,
                        .on_plan = on_plan,
                        .user = &w,
                        .on_tick = on_tick,
                        .tick_user = &w};
    const double start = clock_now();
    gnd_error err = {0};
    gnd_status st;
    double *prior = NULL;
    char *what;
    int rc = memory_get(&o.memory, a);

    if (!rc)
        rc = prior_get(&prior, a, j->g);
    if (rc)
        return rc;
    o.prior = prior;
    if (a->plan && strcmp(a->plan, "auto") != 0)
        o.plan = a->plan;
    o.checkpoint = a->checkpoint;
    o.checkpoint_seconds = (double)a->checkpoint_seconds;
    j->explained.begin = start;
    what = need_text("%s, %s: epoch", gnd_graph_name(j->g), gnd_config_method(j->c));
    /* A stopping rule may end the run earlier. */
    progress_start(&w.p, what, gnd_split_n_val(j->s) > 0 ? "at most" : "about", progress_off(a));
    if (j->want_curves)
        st = gnd_figure_curves(&j->curves, j->g, j->s, j->c, &o, &err);
    else
        st = gnd_label(&j->p, &j->m, &j->res, j->g, j->s, j->c, &o, &err);
    progress_end(&w.p);
    j->seconds_fit = clock_now() - start;
    free(what);
    free(prior);
    if (!st && j->res.resumed)
        say_note(a->quiet, "continued from the checkpoint in %s", a->checkpoint);
    return st ? say_failed("%s", err.msg) : 0;
}

int checkpoint_end(const cli_args *a)
{
    gnd_error err = {0};

    if (!a->checkpoint || gnd_cluster_rank() > 0)
        return 0;
    return gnd_checkpoint_remove(a->checkpoint, &err) ? say_failed("%s", err.msg) : 0;
}

void train_fini(train_job *j)
{
    gnd_figure_free(j->curves);
    gnd_prediction_free(j->p);
    gnd_model_free(j->m);
    gnd_split_free(j->s);
    gnd_config_free(j->c);
    gnd_graph_free(j->g);
}

int predict_run(gnd_prediction **out, const gnd_model *m, const gnd_graph *g, const cli_args *a)
{
    progress p;
    const gnd_train_opts o = {.size = sizeof o,
                              .threads = (int32_t)a->threads,
                              .on_tick = progress_tick,
                              .tick_user = &p};
    gnd_error err = {0};
    gnd_status st;

    progress_start(&p, "", "about", progress_off(a));
    st = gnd_predict(out, m, g, &o, &err);
    progress_end(&p);
    if (st)
        return say_failed("%s", err.msg);
    for (int64_t i = 0; i < gnd_prediction_n_note(*out); i++)
        if (gnd_prediction_note(*out, i)->severity == GND_WARNING)
            say_library_note(a->quiet, gnd_prediction_note(*out, i));
    return 0;
}

void say_some(const cli_args *a, int64_t *n_warning, const gnd_note *n)
{
    if (n->severity != GND_WARNING || (*n_warning)++ < WARNINGS_SHOWN)
        say_library_note(a->quiet, n);
}

void warnings_left(const cli_args *a, int64_t n)
{
    char buf[32];

    if (n > WARNINGS_SHOWN)
        say_note(a->quiet, "%s more warning%s; --json lists all of them",
                 count_text(buf, n - WARNINGS_SHOWN), n - WARNINGS_SHOWN == 1 ? "" : "s");
}

bool is_file(const char *path)
{
    return path && strcmp(path, "-") != 0;
}

int model_write(const gnd_model *m, const char *path)
{
    gnd_error err = {0};
    gnd_status st;

    if (say_muted()) /* the first process writes it */
        return 0;
    signals_hold(path);
    st = gnd_model_save(m, path, &err);
    signals_release();
    return st ? say_failed("%s", err.msg) : 0;
}

int prediction_write(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                     const char *path, const cli_args *a)
{
    const gnd_prediction_columns columns = {.size = sizeof columns,
                                            .probabilities = a->probabilities};
    gnd_error err = {0};
    gnd_status st;

    if (!is_file(path)) {
        errno = 0;
        st = gnd_prediction_write_columns(p, g, m, stdout, &columns, &err);
        if (st == GND_ERR_IO)
            return stdout_failed();
    } else {
        signals_hold(path);
        st = gnd_prediction_save_columns(p, g, m, path, &columns, &err);
        signals_release();
    }
    return st ? say_failed("%s", err.msg) : 0;
}

json_t *js_classes(const gnd_model *m)
{
    json_t *list = json_array();

    for (int32_t c = 0; c < gnd_model_n_class(m); c++)
        js_append(list, js_text(gnd_model_class_name(m, c)));
    return list;
}

static json_t *js_probabilities(const float *prob, int32_t n_class)
{
    json_t *list = json_array();

    for (int32_t c = 0; c < n_class; c++)
        js_append(list, js_real((double)prob[c]));
    return list;
}

json_t *js_predictions(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                       const cli_args *a)
{
    json_t *list = json_array();
    char buf[32];

    for (int64_t i = 0; i < gnd_prediction_n(p); i++) {
        const int32_t label = gnd_prediction_label(p, i);
        const int32_t best = gnd_prediction_argmax(p, i);
        json_t *o = json_object();

        js_set(o, "id", js_text(gnd_graph_id(g, i, buf)));
        js_set(o, "label", js_text(label < 0 ? NULL : gnd_model_class_name(m, label)));
        js_set(o, "probability",
               label < 0 ? json_null() : js_real((double)gnd_prediction_prob(p, i)[best]));
        if (a->probabilities)
            js_set(o, "probabilities",
                   js_probabilities(gnd_prediction_prob(p, i), gnd_model_n_class(m)));
        js_append(list, o);
    }
    return list;
}

json_t *js_settings(const gnd_config *c)
{
    json_t *o = json_object();
    gnd_setting_info s = {.size = sizeof s};
    char buf[256];

    for (int i = 0; gnd_config_info(&s, c, i); i++) {
        const char *value = gnd_config_value(c, i, buf, sizeof buf);

        if (strcmp(s.type, "int") == 0)
            js_set(o, s.name, js_count((int64_t)strtod(value, NULL)));
        else if (strcmp(s.type, "real") == 0)
            js_set(o, s.name, js_real(strtod(value, NULL)));
        else
            js_set(o, s.name, js_text(value));
    }
    return o;
}

json_t *js_note(const gnd_note *n)
{
    json_t *o = json_object();

    js_set(o, "code", js_text(n->code));
    js_set(o, "severity", js_text(n->severity == GND_WARNING ? "warning" : "note"));
    js_set(o, "text", js_text(n->text));
    return o;
}

void js_note_add(json_t *notes, json_t *warnings, const gnd_note *n)
{
    js_append(n->severity == GND_WARNING ? warnings : notes, js_note(n));
}

json_t *js_notes(const gnd_graph *g)
{
    json_t *list = json_array();

    for (int64_t i = 0; i < gnd_graph_n_note(g); i++)
        js_append(list, js_note(gnd_graph_note(g, i)));
    return list;
}

/* ---- diffused features ---- */

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static int on_product(int64_t done, int64_t total, void *user)
{
    progress_step(user, done, total, "");
    return 0;
}

int hop_features_open(gnd_hop_features **out, const gnd_graph *g, const cli_args *a)
{
    progress p;
    gnd_hop_features_opts o = {.size = sizeof o,
                               .n_hop = a->hops.n,
                               .filters = (int32_t)a->filters,
                               .seed = (uint64_t)a->seed,
                               .threads = (int32_t)a->threads,
                               .on_product = on_product,
                               .user = &p};
    int32_t *hops = need((size_t)a->hops.n, sizeof *hops);
    gnd_error err = {0};
    gnd_status st;

    memcpy(hops, a->hops.v, (size_t)a->hops.n * sizeof *hops);
    qsort(hops, (size_t)a->hops.n, sizeof *hops, ascending);
    o.hops = hops;
    progress_start(&p, "diffusion: hop", "about", progress_off(a));
    st = gnd_hop_features_new(out, g, &o, &err);
    progress_end(&p);
    free(hops);
    return st ? say_failed("%s", err.msg) : 0;
}
