/* SPDX-License-Identifier: MIT
 * suggest.c - are suggested labels worth more than random ones?
 *
 *     bench_suggest REPETITIONS DATA...
 *
 * Of each data set (graph std), 2 C vertices are labelled in all, C the number of classes, and
 * method auto labels the rest. Prints the mean accuracy in percent and its standard deviation for
 * vertices drawn evenly from those with a label and for those that gnd_suggest names with nothing
 * known beforehand. A repetition is a draw, and for suggestions a random numbering of the vertices:
 * they do not depend on anything else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnd.h"
#include "graph/graph.h"

enum { RANDOM, SUGGESTED, WAYS };

static void need(gnd_status st, const gnd_error *err)
{
    if (st == GND_OK)
        return;
    fprintf(stderr, "bench_suggest: %s\n", err->msg);
    exit(1);
}

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Give the vertices random numbers as ids, which method auto and gnd_suggest go by. */
static void renumber(gnd_graph *g, uint64_t seed)
{
    const int64_t n = g->n_node;
    int32_t *id = calloc((size_t)n, sizeof *id);
    gnd_names *names = gnd_names_new();

    if (!id || !names)
        exit(1);
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = (int64_t)(next(&seed) % (uint64_t)(i + 1));

        id[i] = id[j];
        id[j] = (int32_t)i;
    }
    for (int64_t i = 0; i < n; i++) {
        char text[32];
        const int len = snprintf(text, sizeof text, "%d", id[i]);

        if (gnd_names_add(names, text, (size_t)len) != i)
            exit(1);
    }
    gnd_names_free(g->ids);
    g->ids = names;
    free(id);
}

/* Test accuracy of auto when these vertices have labels; of their class alone, if it is one. */
static double accuracy(const gnd_graph *g, const int32_t *train, int64_t n_train)
{
    const int64_t n = g->n_node;
    const gnd_train_opts o = {.size = sizeof o, .threads = 1};
    unsigned char *used = calloc((size_t)n, 1);
    int32_t *test = calloc((size_t)n, sizeof *test);
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_result res = {.size = sizeof res};
    gnd_error err = {0};
    int64_t n_test = 0;
    bool classes = false;

    if (!used || !test)
        exit(1);
    for (int64_t k = 0; k < n_train; k++) {
        used[train[k]] = 1;
        classes = classes || g->label[train[k]] != g->label[train[0]];
    }
    for (int64_t i = 0; i < n; i++)
        if (!used[i] && g->label[i] >= 0) {
            test[n_test++] = (int32_t)i;
            res.acc_test += g->label[i] == g->label[train[0]];
        }
    res.acc_test /= (double)n_test;
    if (classes) {
        need(gnd_split_from_lists(
                 &s, g,
                 &(gnd_split_lists){sizeof(gnd_split_lists), train, n_train, NULL, 0, test, n_test},
                 &err),
             &err);
        need(gnd_config_new(&c, "auto", &err), &err);
        need(gnd_train(&m, &res, g, s, c, &o, &err), &err);
    }
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_split_free(s);
    free(test);
    free(used);
    return 100 * res.acc_test;
}

/* k vertices with a label, none twice. */
static void draw(int32_t *out, const gnd_graph *g, int64_t k, uint64_t seed)
{
    for (int64_t i = 0; i < k;) {
        const int32_t v = (int32_t)(next(&seed) % (uint64_t)g->n_node);
        int64_t j = 0;

        while (j < i && out[j] != v)
            j++;
        if (j == i && g->label[v] >= 0)
            out[i++] = v;
    }
}

/* The first k vertices with a label that gnd_suggest names if no label is known. */
static void ask(int32_t *out, const gnd_graph *g, int64_t k)
{
    enum { SPARE = 10 }; /* for vertices without a label */
    const gnd_suggest_opts o = {.size = sizeof o, .n = k + SPARE, .ignore = true, .threads = 1};
    gnd_suggestions *s = NULL;
    gnd_error err = {0};
    int64_t n = 0;

    need(gnd_suggest(&s, g, &o, &err), &err);
    for (int64_t i = 0; i < gnd_suggestions_n(s) && n < k; i++) {
        const int64_t v = gnd_suggestions_get(s, i)->vertex;

        if (g->label[v] >= 0)
            out[n++] = (int32_t)v;
    }
    gnd_suggestions_free(s);
    if (n < k)
        exit(1); /* too few labels to reveal */
}

/* Mean accuracy of each way and its standard deviation over repetitions. Returns the labels. */
static int64_t measure(double mean[WAYS], double deviation[WAYS], const char *data, int reps)
{
    gnd_graph *raw = NULL, *g = NULL;
    gnd_error err = {0};
    double square[WAYS] = {0};
    int32_t *train;
    int64_t k;

    need(gnd_load(&raw, data, NULL, &err), &err);
    need(gnd_graph_convert(&g, raw, GND_GRAPH_STD, &err), &err);
    k = 2 * g->n_class;
    train = calloc((size_t)k, sizeof *train);
    if (!train)
        exit(1);
    memset(mean, 0, WAYS * sizeof *mean);
    for (int r = 1; r <= reps; r++) {
        renumber(g, (uint64_t)r);
        for (int way = 0; way < WAYS; way++) {
            double x;

            if (way == RANDOM)
                draw(train, g, k, (uint64_t)r);
            else
                ask(train, g, k);
            x = accuracy(g, train, k);
            mean[way] += x / reps;
            square[way] += x * x / reps;
        }
    }
    for (int way = 0; way < WAYS; way++)
        deviation[way] = sqrt(fmax(0, square[way] - mean[way] * mean[way]));
    free(train);
    gnd_graph_free(g);
    gnd_graph_free(raw);
    return k;
}

int main(int argc, char **argv)
{
    const int reps = argc > 2 ? atoi(argv[1]) : 0;
    double gain = 0;

    if (reps < 1) {
        fprintf(stderr, "usage: bench_suggest REPETITIONS DATA...\n");
        return 2;
    }
    printf("| data | labels | random | suggested | gain |\n|--|--|--|--|--|\n");
    for (int d = 2; d < argc; d++) {
        double mean[WAYS], dev[WAYS];
        const int64_t k = measure(mean, dev, argv[d], reps);

        printf("| %s | %lld | %.1f ± %.1f | %.1f ± %.1f | %+.1f |\n", argv[d], (long long)k,
               mean[RANDOM], dev[RANDOM], mean[SUGGESTED], dev[SUGGESTED],
               mean[SUGGESTED] - mean[RANDOM]);
        fflush(stdout);
        gain += (mean[SUGGESTED] - mean[RANDOM]) / (argc - 2);
    }
    printf("\nMean gain: %+.1f\n", gain);
    return 0;
}
