/* SPDX-License-Identifier: MIT
 * epochs.c - how long an epoch takes: one training step and the validation pass after it.
 *
 *     epochs DATA GRAPH METHOD LABELS_PER_CLASS EPOCHS SPLITS THREADS [NAME=VALUE ...]
 *
 * Trains on splits 1..SPLITS for exactly EPOCHS epochs (no stopping rule, the last weights are
 * tested) and prints a line a split, between tabs:
 *
 *     who  form  method  data  labels  split  epochs  wall ms  cpu ms  accuracy  loss
 *
 * The milliseconds are medians over the epochs after the first, by the clocks of the callback.
 * Written on gnd.h alone. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "gnd.h"
#include "stopwatch.h"

enum { N_VAL = 500 };

typedef struct {
    double *wall, *cpu; /* [epochs] when each epoch ended, in ms */
    int64_t n;
    double loss; /* of the last training step */
} watch;

static int on_epoch(const gnd_epoch *e, void *user)
{
    watch *w = user;

    w->wall[w->n] = now_ms(CLOCK_MONOTONIC);
    w->cpu[w->n++] = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    w->loss = e->loss_train;
    return 0;
}

static gnd_status run(const gnd_graph *g, const gnd_config *c, char **argv, unsigned split,
                      gnd_error *err)
{
    const gnd_split_opts so = {
        .size = sizeof so, .per_class = atoi(argv[4]), .n_val = N_VAL, .seed = split};
    const size_t epochs = strtoul(argv[5], NULL, 10);
    watch w = {.wall = calloc(epochs, sizeof *w.wall), .cpu = calloc(epochs, sizeof *w.cpu)};
    const gnd_train_opts to = {.size = sizeof to,
                               .seed = split,
                               .threads = atoi(argv[7]),
                               .on_epoch = on_epoch,
                               .user = &w};
    gnd_split *s = NULL;
    gnd_model *m = NULL;
    gnd_result r = {.size = sizeof r};
    gnd_status st = w.wall && w.cpu ? gnd_split_new(&s, g, &so, err) : GND_ERR_NOMEM;

    if (st == GND_OK)
        st = gnd_train(&m, &r, g, s, c, &to, err);
    if (st == GND_OK) {
        printf("gnd\t%s\t%s\t%s\t%s\t%u\t%s\t%.6f\t%.6f\t%.4f\t%.6f\n", gnd_kernel_name(), argv[3],
               argv[1], argv[4], split, argv[5], median_step(w.wall, w.n - 1),
               median_step(w.cpu, w.n - 1), r.acc_test, w.loss);
        fflush(stdout);
    }
    gnd_model_free(m);
    gnd_split_free(s);
    free(w.wall);
    free(w.cpu);
    return st;
}

/* The method's defaults, without a stopping rule, and then what the command line says. */
static gnd_status settings(gnd_config **out, char **argv, gnd_error *err)
{
    gnd_status st = gnd_config_new(out, argv[3], err);

    if (st == GND_OK)
        st = gnd_config_set(*out, "epochs", argv[5], err);
    if (st == GND_OK)
        st = gnd_config_set(*out, "stop", "none", err);
    for (char **a = argv + 8; *a && st == GND_OK; a++) {
        char *value = strchr(*a, '=');

        if (value)
            *value++ = '\0';
        st = gnd_config_set(*out, *a, value ? value : "", err);
    }
    return st;
}

int main(int argc, char **argv)
{
    gnd_graph *raw = NULL, *g = NULL;
    gnd_config *c = NULL;
    gnd_error err = {0};
    gnd_graph_mode mode;
    gnd_status st;

    if (argc < 8 || atol(argv[5]) < 2 || atoi(argv[6]) < 1) {
        fprintf(stderr, "usage: epochs DATA GRAPH METHOD LABELS_PER_CLASS EPOCHS SPLITS THREADS "
                        "[NAME=VALUE ...]\nEPOCHS must be 2 or more\n");
        return 2;
    }
    st = gnd_graph_mode_parse(&mode, argv[2], &err);
    if (st == GND_OK)
        st = gnd_load(&raw, argv[1], NULL, &err);
    if (st == GND_OK)
        st = gnd_graph_convert(&g, raw, mode, &err);
    if (st == GND_OK)
        st = settings(&c, argv, &err);
    for (int s = 1; s <= atoi(argv[6]) && st == GND_OK; s++)
        st = run(g, c, argv, (unsigned)s, &err);
    if (st != GND_OK)
        fprintf(stderr, "%s\n", err.msg);
    gnd_config_free(c);
    gnd_graph_free(g);
    gnd_graph_free(raw);
    return st != GND_OK;
}
