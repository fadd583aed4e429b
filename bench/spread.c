/* SPDX-License-Identifier: MIT
 * spread.c - how long label spreading takes: from labels to a class for every vertex.
 *
 *     spread DATA LABELS_PER_CLASS REPEATS FILE
 *
 * Prints `who  form  data  labels  wall ms  cpu ms  test accuracy`, medians over REPEATS, one
 * thread, and writes the class of each vertex into FILE, a line each, for others to compare.
 * Written on gnd.h alone. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "gnd.h"
#include "stopwatch.h"

enum { N_VAL = 500, REPEATS_MAX = 1000 };

typedef struct {
    double wall[REPEATS_MAX], cpu[REPEATS_MAX];
    int n;
} record;

static gnd_status once(record *r, double *accuracy, const gnd_graph *g, const gnd_split *s,
                       const gnd_config *c, FILE *classes, gnd_error *err)
{
    const gnd_train_opts o = {.size = sizeof o, .seed = 1, .threads = 1};
    const double wall = now_ms(CLOCK_MONOTONIC), cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    gnd_model *m = NULL;
    gnd_prediction *p = NULL;
    gnd_metrics *k = NULL;
    gnd_status st = gnd_train(&m, NULL, g, s, c, &o, err);

    if (st == GND_OK)
        st = gnd_predict(&p, m, g, &o, err);
    r->wall[r->n] = now_ms(CLOCK_MONOTONIC) - wall;
    r->cpu[r->n++] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    for (int64_t i = 0; classes && p && i < gnd_prediction_n(p); i++)
        fprintf(classes, "%d\n", gnd_prediction_argmax(p, i));
    if (st == GND_OK)
        st = gnd_metrics_new(&k, p, g, gnd_split_test(s), gnd_split_n_test(s), err);
    if (st == GND_OK)
        *accuracy = gnd_metrics_accuracy(k);
    gnd_metrics_free(k);
    gnd_prediction_free(p);
    gnd_model_free(m);
    return st;
}

static gnd_status measure(char **argv, int repeats, FILE *classes, gnd_error *err)
{
    static record r;
    const gnd_split_opts so = {
        .size = sizeof so, .per_class = atoi(argv[2]), .n_val = N_VAL, .seed = 1};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    double accuracy = 0;
    gnd_status st = gnd_load(&raw, argv[1], NULL, err);

    if (st == GND_OK)
        st = gnd_graph_convert(&g, raw, GND_GRAPH_UND, err);
    if (st == GND_OK)
        st = gnd_split_new(&s, g, &so, err);
    if (st == GND_OK)
        st = gnd_config_new(&c, "ls", err);
    for (int i = 0; i < repeats && st == GND_OK; i++)
        st = once(&r, &accuracy, g, s, c, i == 0 ? classes : NULL, err);
    if (st == GND_OK)
        printf("gnd\tls\t%s\t%s\t%.6f\t%.6f\t%.4f\n", argv[1], argv[2], median(r.wall, r.n),
               median(r.cpu, r.n), accuracy);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
    gnd_graph_free(raw);
    return st;
}

int main(int argc, char **argv)
{
    gnd_error err = {0};
    const int repeats = argc == 5 ? atoi(argv[3]) : 0;
    FILE *classes;
    gnd_status st;

    if (repeats < 1 || repeats > REPEATS_MAX) {
        fprintf(stderr, "usage: spread DATA LABELS_PER_CLASS REPEATS FILE\n");
        return 2;
    }
    classes = fopen(argv[4], "w");
    if (!classes) {
        perror(argv[4]);
        return 1;
    }
    st = measure(argv, repeats, classes, &err);
    if (fclose(classes) != 0 && st == GND_OK) {
        perror(argv[4]);
        return 1;
    }
    if (st != GND_OK)
        fprintf(stderr, "%s\n", err.msg);
    return st != GND_OK;
}
