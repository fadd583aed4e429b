/* SPDX-License-Identifier: MIT
 * tsne.c - time t-SNE of W^k X Theta; bench_tsne DATA HOPS FILTERS THREADS PREFIX.
 *
 * Writes PREFIX.x, the points as rows of float, and PREFIX.gnd, the layout, for
 * bench/peers/tsne.py. Prints `gnd  data  n  d  wall s  cpu s  kl` between tabs. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gnd.h"
#include "stopwatch.h"

static int failed(const gnd_error *err)
{
    fprintf(stderr, "bench_tsne: %s\n", err->msg);
    return 1;
}

static int write_rows(const char *prefix, const char *end, const float *v, int64_t n)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s.%s", prefix, end);
    f = fopen(path, "wb");
    if (!f || fwrite(v, sizeof *v, (size_t)n, f) != (size_t)n || fclose(f) != 0) {
        fprintf(stderr, "bench_tsne: cannot write %s\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const int32_t hop = argc > 2 ? atoi(argv[2]) : 19;
    gnd_hop_features_opts ho = {.size = sizeof ho, .hops = &hop, .n_hop = 1, .seed = 1};
    gnd_tsne_opts to = {.size = sizeof to, .seed = 1};
    gnd_tsne_result res = {.size = sizeof res};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_hop_features *h = NULL;
    gnd_error err = {0};
    gnd_point_rows x;
    double wall, cpu;
    float *layout;

    if (argc != 6) {
        fprintf(stderr, "usage: bench_tsne DATA HOPS FILTERS THREADS PREFIX\n");
        return 2;
    }
    ho.filters = atoi(argv[3]);
    to.threads = atoi(argv[4]);
    if (gnd_load(&raw, argv[1], NULL, &err) || gnd_graph_convert(&g, raw, GND_GRAPH_UND, &err) ||
        gnd_hop_features_new(&h, g, &ho, &err))
        return failed(&err);
    x = (gnd_point_rows){gnd_hop_features_get(h, 0), gnd_hop_features_n_node(h), ho.filters};
    layout = malloc((size_t)x.n * 2 * sizeof *layout);
    if (!layout)
        return 1;
    wall = now_ms(CLOCK_MONOTONIC);
    cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    if (gnd_tsne(layout, &res, &x, &to, &err))
        return failed(&err);
    printf("gnd\t%s\t%lld\t%lld\t%.3f\t%.3f\t%.4f\n", argv[1], (long long)x.n, (long long)x.d,
           (now_ms(CLOCK_MONOTONIC) - wall) / 1e3, (now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e3,
           res.kl);
    return write_rows(argv[5], "x", x.x, x.n * x.d) + write_rows(argv[5], "gnd", layout, 2 * x.n);
}
