/* SPDX-License-Identifier: MIT
 * arrays.c - label a graph that is in memory: two groups of friends, and a label in each. Prints
 * vertex, class and probability. */
#include <gnd.h>
#include <math.h>

/* Friendships; each is listed once. */
static const int32_t source[] = {0, 0, 1, 1, 2, 4, 4, 5, 5, 6, 3};
static const int32_t target[] = {1, 2, 2, 3, 3, 5, 6, 6, 7, 7, 4};
/* The hours per week of sports and music, row by row. */
static const double hours[8][2] = {{5, 0}, {4, 1}, {6, 0}, {3, 2}, {0, 3}, {1, 6}, {0, 5}, {1, 4}};
/* Known classes; negative: none. */
static const int32_t known[8] = {0, -1, -1, -1, -1, -1, -1, 1};
static const char *const names[] = {"sports", "music"};

/* Called a few times per second; a program would show the share, and return 1 to stop. */
static int on_tick(const char *stage, double share, void *user)
{
    (void)user;
    if (!isnan(share))
        fprintf(stderr, "%s %.0f %%\n", stage, 100 * share);
    return 0;
}

int main(void)
{
    const gnd_edges_view edges = {.size = sizeof edges,
                                  .index_type = GND_I32,
                                  .n_node = 8,
                                  .n_edge = sizeof source / sizeof source[0],
                                  .source = source,
                                  .target = target};
    const gnd_dense_view features = {.size = sizeof features,
                                     .type = GND_F64,
                                     .n_row = 8,
                                     .n_col = 2,
                                     .row_stride = sizeof hours[0],
                                     .col_stride = sizeof hours[0][0],
                                     .data = hours};
    const gnd_split_opts all = {.size = sizeof all, .kind = GND_SPLIT_ALL};
    const gnd_train_opts opts = {.size = sizeof opts, .on_tick = on_tick};
    gnd_graph *raw = NULL, *graph = NULL;
    gnd_split *split = NULL;
    gnd_config *config = NULL;
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    const bool ok = gnd_graph_from_edges(&raw, &edges, &err) == GND_OK &&
                    gnd_graph_set_features_dense(raw, &features, &err) == GND_OK &&
                    gnd_graph_set_labels(raw, known, names, 2, &err) == GND_OK &&
                    gnd_graph_convert(&graph, raw, GND_GRAPH_UND, &err) == GND_OK &&
                    gnd_split_new(&split, graph, &all, &err) == GND_OK &&
                    gnd_config_new(&config, GND_METHOD_LABEL, &err) == GND_OK &&
                    gnd_label(&p, NULL, NULL, graph, split, config, &opts, &err) == GND_OK;
    if (!ok)
        fprintf(stderr, "%s\n", err.msg);
    for (int64_t i = 0; ok && i < gnd_prediction_n(p); i++) {
        const int32_t cls = gnd_prediction_labels(p)[i];
        const float *prob = gnd_prediction_probs(p, NULL) + 2 * i;

        printf("%d,%s,%.2f\n", (int)i, cls < 0 ? "unknown" : names[cls],
               (double)prob[cls < 0 ? 0 : cls]);
    }
    gnd_prediction_free(p);
    gnd_config_free(config);
    gnd_split_free(split);
    gnd_graph_free(graph);
    gnd_graph_free(raw);
    return ok ? 0 : 1;
}
