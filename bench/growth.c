/* SPDX-License-Identifier: MIT
 * growth.c - what a graph of any size costs: loading it, an epoch of gnd-slp, memory.
 *
 *     growth FILE EPOCHS [THREADS]
 *
 * Prints, between tabs: entries of the adjacency, vertices, entries of the features, seconds to
 * load, MB after loading, wall ms and cpu ms an epoch (medians after the first), MB at most,
 * training loss of the first and of the last epoch. Written on gnd.h alone. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/resource.h>

#include "gnd.h"
#include "stopwatch.h"

enum { EPOCHS_MAX = 1000, PER_CLASS = 5, N_VAL = 500 };

typedef struct {
    double wall[EPOCHS_MAX], cpu[EPOCHS_MAX];
    int64_t n, most;
    double first, last; /* loss */
} watch;

static int on_epoch(const gnd_epoch *e, void *user)
{
    watch *w = user;

    w->wall[w->n] = now_ms(CLOCK_MONOTONIC);
    w->cpu[w->n++] = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    if (e->epoch == 0)
        w->first = e->loss_train;
    w->last = e->loss_train;
    return w->n >= w->most; /* a run with this many epochs would choose other plans */
}

static double peak_mb(void)
{
    struct rusage r;

    getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_maxrss / 1024;
}

static gnd_status train(watch *w, const gnd_graph *g, int threads, gnd_error *err)
{
    const gnd_split_opts so = {
        .size = sizeof so, .per_class = PER_CLASS, .n_val = N_VAL, .seed = 1};
    const gnd_train_opts to = {
        .size = sizeof to, .seed = 1, .threads = threads, .on_epoch = on_epoch, .user = w};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_status st = gnd_split_new(&s, g, &so, err);

    if (st == GND_OK)
        st = gnd_config_new(&c, "gnd-slp", err);
    if (st == GND_OK)
        st = gnd_config_set(c, "stop", "none", err);
    if (st == GND_OK)
        st = gnd_train(&m, NULL, g, s, c, &to, err);
    if (st == GND_ERR_STOPPED && w->n == w->most)
        st = GND_OK;
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_split_free(s);
    return st;
}

int main(int argc, char **argv)
{
    static watch w;
    const int epochs = argc > 2 ? atoi(argv[2]) : 0;
    const double start = now_ms(CLOCK_MONOTONIC);
    double load, load_mb;
    gnd_graph *g = NULL;
    gnd_graph_info info = {.size = sizeof info};
    gnd_error err = {0};
    gnd_status st;

    if (argc < 3 || argc > 4 || epochs < 2 || epochs > EPOCHS_MAX) {
        fprintf(stderr, "usage: growth FILE EPOCHS [THREADS]\nEPOCHS must be 2..%d\n", EPOCHS_MAX);
        return 2;
    }
    w.most = epochs;
    st = gnd_load(&g, argv[1], NULL, &err);
    load = (now_ms(CLOCK_MONOTONIC) - start) / 1e3;
    load_mb = peak_mb();
    if (st == GND_OK)
        st = train(&w, g, argc > 3 ? atoi(argv[3]) : 1, &err);
    if (st == GND_OK)
        st = gnd_graph_info_get(&info, g, &err);
    if (st == GND_OK)
        printf("%lld\t%lld\t%lld\t%.2f\t%.0f\t%.3f\t%.3f\t%.0f\t%.4f\t%.4f\n",
               (long long)info.n_arc, (long long)info.n_node, (long long)info.n_feat_entry, load,
               load_mb, median_step(w.wall, w.n - 1), median_step(w.cpu, w.n - 1), peak_mb(),
               w.first, w.last);
    else
        fprintf(stderr, "%s\n", err.msg);
    gnd_graph_free(g);
    return st != GND_OK;
}
