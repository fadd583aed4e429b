/* SPDX-License-Identifier: MIT
 * sweep.c - functions that `gnd compare` and `gnd paper` share: progress and messages of a sweep,
 * its output. */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "input.h"
#include "say.h"

/* ---- arguments ---- */

int words_get(word_list *out, const char *text, const char *option)
{
    char *word;

    *out = (word_list){.copy = need_text("%s", text)};
    for (word = out->copy; word;) {
        char *next = strchr(word, ',');

        if (next)
            *next++ = '\0';
        if (!*word)
            return say_usage("--%s: expected names separated by commas, got \"%s\"", option, text);
        out->v = need_more(out->v, (size_t)out->n + 1, sizeof *out->v);
        out->v[out->n++] = word;
        word = next;
    }
    return 0;
}

void words_fini(word_list *l)
{
    free(l->v);
    free(l->copy);
}

static int vary_check(const cli_args *a)
{
    const char *value = a->vary.n ? strchr(a->vary.v[0], '=') : NULL;
    const size_t n = value ? strlen(value) : 0;

    if (a->vary.n > 1)
        return say_usage("--vary: expected one setting; the second is \"%s\"", a->vary.v[1]);
    if (value && strncmp(a->vary.v[0], "labels=", 7) == 0)
        return say_usage("--vary: label counts are given by --labels-per-class %s", value + 1);
    if (value && (n < 2 || value[1] == ',' || value[n - 1] == ',' || strstr(value, ",,")))
        return say_usage("--vary: expected values separated by commas, got \"%s\"", a->vary.v[0]);
    return 0;
}

int store_open(gnd_store **out, const char *path)
{
    gnd_error err = {0};
    const int rc = output_check(path);

    if (rc)
        return rc;
    return gnd_store_open(out, path, &err) ? say_failed("%s", err.msg) : 0;
}

int results_open(sweep_job *j, const char *folder)
{
    gnd_error err = {0};

    j->store_path = folder;
    return gnd_store_open_results(&j->store, folder, &err) ? say_failed("%s", err.msg) : 0;
}

/* ---- progress ---- */

static int on_progress(const gnd_sweep_progress *p, void *user)
{
    sweep_job *j = user;
    char detail[200];

    if (p->n_waiting > 0) {
        snprintf(detail, sizeof detail, "waiting for %" PRId64 " runs of other processes on %s",
                 p->n_waiting, p->dataset);
        progress_wait(&j->p, p->done, p->total, detail);
    } else {
        snprintf(detail, sizeof detail, "%s %s %s", p->dataset, gnd_graph_mode_name(p->graph),
                 p->row);
        progress_work(&j->p, p, detail);
    }
    return 0;
}

/* Finished runs are in the store, so a signal cancels those that are not. */
static int on_tick(const char *stage, double share, void *user)
{
    const sweep_job *j = user;

    (void)stage, (void)share;
    return j->store && signals_asked();
}

static void on_graph(const gnd_graph *g, void *user)
{
    sweep_job *j = user;

    progress_end(&j->p);
    graph_notes(g, j->args->quiet || j->only_stored || !j->graph_notes);
}

static void on_failed(const char *dataset, gnd_graph_mode graph, const char *row,
                      const gnd_error *err, void *user)
{
    sweep_job *j = user;

    progress_end(&j->p);
    say_failed("%s, graph %s, %s: %s", dataset, gnd_graph_mode_name(graph), row, err->msg);
}

/* ---- the sweep ---- */

int sweep_open(sweep_job *j, gnd_sweep_opts *o)
{
    const cli_args *a = j->args;
    gnd_load_opts load;
    gnd_error err = {0};
    int rc = vary_check(a);

    if (!rc)
        rc = memory_get(&o->memory, a);
    if (!rc)
        rc = load_opts_get(&load, a);
    if (rc)
        return rc;
    o->load = &load;
    o->max_input = load.max_input;
    o->data_dir = a->data_dir;
    o->preset = a->preset;
    o->set = a->set.v;
    o->n_set = a->set.n;
    o->vary = a->vary.n ? a->vary.v[0] : NULL;
    o->per_class = a->per_classes.v;
    o->n_per_class = a->per_classes.n;
    o->seed = (uint64_t)a->seed;
    o->threads = (int32_t)a->threads;
    o->store = j->store;
    o->on_progress = on_progress;
    o->on_graph = on_graph;
    o->on_failed = on_failed;
    o->user = j;
    o->on_tick = on_tick;
    o->tick_user = j;
    if (gnd_sweep_new(&j->s, o, &err))
        return config_failed(&err);
    if (gnd_sweep_left_out(j->s))
        say_note(a->quiet, "left out, since they have no setting %.*s: %s",
                 (int)strcspn(o->vary, "="), o->vary, gnd_sweep_left_out(j->s));
    return 0;
}

/* Report that a signal ended the sweep. */
static int interrupted(const sweep_job *j)
{
    int64_t done, total;

    gnd_sweep_count(j->s, &done, &total);
    say_failed("interrupted; %" PRId64 " of %" PRId64
               " training runs are in %s, and the same command continues from there",
               done, total, j->store_path);
    return 128 + signals_asked();
}

int sweep_train(sweep_job *j, bool only_stored)
{
    gnd_error err = {0};
    gnd_status st;

    j->only_stored = only_stored;
    progress_start(&j->p, "training run", "about", progress_off(j->args) || only_stored);
    signals_ask(j->store && !only_stored
                    ? "note: stopping; finished training runs are kept; signal again to stop at "
                      "once\n"
                    : NULL);
    st = gnd_sweep_train(j->s, only_stored, &err);
    progress_end(&j->p);
    signals_ask(NULL);
    if (!only_stored && j->store && signals_asked())
        return interrupted(j);
    if (st)
        return say_failed("%s", err.msg);
    return gnd_sweep_n_failed(j->s) > 0 ? EXIT_FAILED : 0;
}

int sweep_diverged(const sweep_job *j)
{
    int64_t n_diverged, n;

    gnd_sweep_diverged(j->s, &n_diverged, &n);
    if (!n_diverged)
        return 0;
    return say_failed("%" PRId64 " of %" PRId64
                      " training runs diverged and are not in the means; a smaller lr may help",
                      n_diverged, n);
}

void sweep_close(sweep_job *j)
{
    gnd_sweep_free(j->s);
    gnd_store_close(j->store);
}

/* ---- output ---- */

typedef struct {
    const gnd_sweep *s;
    gnd_report_opts o;
} print_job;

static void print_report(FILE *f, const void *user)
{
    const print_job *p = user;
    gnd_error err = {0};

    if (gnd_report_write(f, p->s, &p->o, &err))
        exit(say_failed("%s", err.msg));
}

int report_print(const sweep_job *j, gnd_report_kind kind, const char *path)
{
    const print_job p = {.s = j->s,
                         .o = {.size = sizeof p.o,
                               .kind = kind,
                               .format = table_format(j->args->to),
                               .ansi = !is_file(path) && isatty(STDOUT_FILENO) == 1,
                               .store = j->store_path}};

    if (is_file(path))
        return file_write(path, print_report, &p);
    print_report(stdout, &p); /* main() checks for write errors */
    return 0;
}

int runs_save(const sweep_job *j, const char *path)
{
    const print_job p = {
        .s = j->s, .o = {.size = sizeof p.o, .kind = GND_REPORT_RUNS, .format = GND_FORMAT_CSV}};

    return file_write(path, print_report, &p);
}
