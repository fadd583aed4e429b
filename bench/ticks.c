/* SPDX-License-Identifier: MIT
 * ticks.c - the longest time between two calls of the progress-and-cancel callback, for each kind
 * of long call on an R-MAT graph, in seconds of CPU time of the calling thread.
 *
 *     bench_ticks [VERTICES [EDGES]]       200000 2000000 */
#define _POSIX_C_SOURCE 200809L
#include <gnd.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    double begin, last, longest;
    double share, at; /* the last share, and where the longest gap ended */
    long n, fallen;
} gaps;

static double cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void gap(gaps *g, double share)
{
    const double now = cpu();

    if (now - g->last > g->longest) {
        g->longest = now - g->last;
        g->at = now - g->begin;
    }
    g->fallen += share < g->share;
    g->share = isnan(share) ? g->share : share;
    g->last = now;
}

static int on_tick(const char *stage, double share, void *user)
{
    gaps *g = user;

    (void)stage;
    gap(g, share);
    g->n++;
    return 0;
}

static void start(gaps *g)
{
    *g = (gaps){0};
    g->begin = g->last = cpu();
}

static void report(gaps *g, const char *call)
{
    gap(g, NAN);
    printf("%-16s %7.2f s %6ld calls, longest gap %.3f s at %.2f s, last share %.2f%s\n", call,
           g->last - g->begin, g->n, g->longest, g->at, g->share, g->fallen ? ", it fell" : "");
    fflush(stdout);
}

static void check(gnd_status st, const gnd_error *err)
{
    if (st == GND_OK)
        return;
    fprintf(stderr, "%s\n", err->msg);
    exit(1);
}

static void train(const gnd_graph *g, const gnd_split *s, const char *method, const char *epochs)
{
    gaps w;
    const gnd_train_opts o = {.size = sizeof o, .threads = 1, .on_tick = on_tick, .tick_user = &w};
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    check(gnd_config_new(&c, method, &err), &err);
    if (epochs) {
        check(gnd_config_set(c, "epochs_alone", epochs, &err), &err);
        check(gnd_config_set(c, "epochs", epochs, &err), &err);
    }
    start(&w);
    check(gnd_label(&p, &m, NULL, g, s, c, &o, &err), &err);
    report(&w, method);
    gnd_prediction_free(p);
    p = NULL;
    start(&w);
    check(gnd_predict(&p, m, g, &o, &err), &err);
    report(&w, "  predict");
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_config_free(c);
}

static void suggest(const gnd_graph *g)
{
    gaps w;
    const gnd_suggest_opts o = {.size = sizeof o,
                                .n = 20,
                                .ignore = true,
                                .threads = 1,
                                .on_tick = on_tick,
                                .tick_user = &w};
    gnd_suggestions *s = NULL;
    gnd_error err = {0};

    start(&w);
    check(gnd_suggest(&s, g, &o, &err), &err);
    report(&w, "suggest");
    gnd_suggestions_free(s);
}

static void compare(const gnd_graph *g)
{
    gaps w;
    gnd_config *c = NULL;
    gnd_comparison *r = NULL;
    gnd_error err = {0};
    gnd_compare_opts o = {.size = sizeof o,
                          .configs = (const gnd_config *const *)&c,
                          .n_config = 1,
                          .per_class = (const int32_t[]){20},
                          .n_per_class = 1,
                          .n_split = 2,
                          .threads = 1,
                          .on_tick = on_tick,
                          .tick_user = &w};

    check(gnd_config_new(&c, "gcn", &err), &err);
    check(gnd_config_set(c, "epochs_alone", "5", &err), &err);
    start(&w);
    check(gnd_compare(&r, g, &o, &err), &err);
    report(&w, "compare gcn");
    gnd_comparison_free(r);
    gnd_config_free(c);
}

static void files(const gnd_graph *g)
{
    static const char *const format[] = {"npz", "csv"};
    char folder[] = "/tmp/gnd-ticks-XXXXXX", path[64], command[96];
    gnd_error err = {0};
    gaps w;

    if (!mkdtemp(folder))
        exit(1);
    for (int k = 0; k < 2; k++) {
        const gnd_load_opts o = {.size = sizeof o, .on_tick = on_tick, .tick_user = &w};
        gnd_graph *back = NULL;

        snprintf(path, sizeof path, "%s/%s", folder, k == 0 ? "g.npz" : "g");
        check(gnd_graph_save(g, path, format[k], &err), &err);
        start(&w);
        check(gnd_load(&back, path, &o, &err), &err);
        report(&w, k == 0 ? "load npz" : "load csv");
        gnd_graph_free(back);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    const gnd_make_opts mo = {.size = sizeof mo,
                              .n_node = argc > 1 ? atoll(argv[1]) : 200000,
                              .n_edge = argc > 2 ? atoll(argv[2]) : 2000000,
                              .n_feat = 500,
                              .n_class = 7,
                              .n_word = 10,
                              .inside = 60,
                              .seed = 1};
    const gnd_split_opts so = {
        .size = sizeof so, .kind = GND_SPLIT_HONEST, .per_class = 20, .seed = 1};
    gaps w;
    const gnd_convert_opts co = {
        .size = sizeof co, .mode = GND_GRAPH_UND, .on_tick = on_tick, .tick_user = &w};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_split *s = NULL;
    gnd_error err = {0};

    check(gnd_graph_make(&raw, &mo, &err), &err);
    start(&w);
    check(gnd_graph_convert_with(&g, raw, &co, &err), &err);
    report(&w, "convert");
    check(gnd_split_new(&s, g, &so, &err), &err);
    files(raw);
    train(g, s, "auto", NULL);
    train(g, s, "gcn", "10");
    train(g, s, "gnd-slp", "10");
    suggest(g);
    compare(g);
    gnd_split_free(s);
    gnd_graph_free(g);
    gnd_graph_free(raw);
    return 0;
}
