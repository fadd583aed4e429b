/* SPDX-License-Identifier: MIT
 * suggest.c - are suggested labels worth more than random ones?
 *
 *     bench_suggest REPETITIONS DATA...
 *
 * Of each data set (graph std), 2 C vertices are labelled in all, C the number of classes, and
 * method auto labels the rest: vertices that gnd_suggest names with nothing known beforehand, and
 * vertices drawn evenly from those with a label. Prints the mean accuracy of both in percent. The
 * repetitions are seeds of the sample gnd_suggest judges by, and of the draw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gnd.h"

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

/* Test accuracy of auto when these vertices have labels. */
static double accuracy(const gnd_graph *g, const int32_t *train, int64_t n_train)
{
    const int64_t n = gnd_graph_n_node(g);
    const gnd_train_opts o = {.size = sizeof o, .threads = 1};
    unsigned char *used = calloc((size_t)n, 1);
    int32_t *test = calloc((size_t)n, sizeof *test);
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_result res = {.size = sizeof res};
    gnd_error err = {0};
    int64_t n_test = 0;

    if (!used || !test)
        exit(1);
    for (int64_t k = 0; k < n_train; k++)
        used[train[k]] = 1;
    for (int64_t i = 0; i < n; i++)
        if (!used[i] && gnd_graph_label(g, i) >= 0)
            test[n_test++] = (int32_t)i;
    need(gnd_split_from_lists(
             &s, g,
             &(gnd_split_lists){sizeof(gnd_split_lists), train, n_train, NULL, 0, test, n_test},
             &err),
         &err);
    need(gnd_config_new(&c, "auto", &err), &err);
    need(gnd_train(&m, &res, g, s, c, &o, &err), &err);
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
        const int32_t v = (int32_t)(next(&seed) % (uint64_t)gnd_graph_n_node(g));
        int64_t j = 0;

        while (j < i && out[j] != v)
            j++;
        if (j == i && gnd_graph_label(g, v) >= 0)
            out[i++] = v;
    }
}

/* The first k suggestions that have a label to reveal. */
static int64_t ask(int32_t *out, const gnd_graph *g, int64_t k, uint64_t seed)
{
    const gnd_suggest_opts o = {
        .size = sizeof o, .n = k + 10, .ignore = true, .seed = seed, .threads = 1};
    gnd_suggestions *s = NULL;
    gnd_error err = {0};
    int64_t n = 0;

    need(gnd_suggest(&s, g, &o, &err), &err);
    for (int64_t i = 0; i < gnd_suggestions_n(s) && n < k; i++) {
        const int64_t v = gnd_suggestions_get(s, i)->vertex;

        if (gnd_graph_label(g, v) >= 0)
            out[n++] = (int32_t)v;
    }
    gnd_suggestions_free(s);
    return n;
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
        gnd_graph *raw = NULL, *g = NULL;
        gnd_error err = {0};
        double by[2] = {0};
        int32_t *train;
        int64_t k;

        need(gnd_load(&raw, argv[d], NULL, &err), &err);
        need(gnd_graph_convert(&g, raw, GND_GRAPH_STD, &err), &err);
        k = 2 * gnd_graph_n_class(g);
        train = calloc((size_t)k, sizeof *train);
        if (!train)
            return 1;
        for (int r = 1; r <= reps; r++) {
            draw(train, g, k, (uint64_t)r);
            by[0] += accuracy(g, train, k) / reps;
            by[1] += accuracy(g, train, ask(train, g, k, (uint64_t)r)) / reps;
        }
        printf("| %s | %lld | %.1f | %.1f | %+.1f |\n", argv[d], (long long)k, by[0], by[1],
               by[1] - by[0]);
        fflush(stdout);
        gain += (by[1] - by[0]) / (argc - 2);
        free(train);
        gnd_graph_free(g);
        gnd_graph_free(raw);
    }
    printf("\nMean gain: %+.1f\n", gain);
    return 0;
}
