/* SPDX-License-Identifier: MIT
 * label.c - label a graph from C. README.md and gnd.h show the same text.
 *
 *     cc label.c $(pkg-config --cflags --libs gnd) -o label && ./label karate */
#include <gnd.h>

int main(int argc, char **argv)
{
    const gnd_split_opts opts = {.size = sizeof opts, .per_class = 2, .seed = 1};
    gnd_graph *graph = NULL;
    gnd_split *split = NULL;
    gnd_config *config = NULL;
    gnd_model *model = NULL;
    gnd_prediction *p = NULL;
    gnd_error err = {0};
    char id[32];

    const bool ok = gnd_load(&graph, argc > 1 ? argv[1] : "karate", NULL, &err) == GND_OK &&
                    gnd_split_new(&split, graph, &opts, &err) == GND_OK &&
                    gnd_config_new(&config, "auto", &err) == GND_OK &&
                    gnd_label(&p, &model, NULL, graph, split, config, NULL, &err) == GND_OK;
    if (!ok)
        fprintf(stderr, "%s\n", err.msg);
    for (int64_t i = 0; ok && i < gnd_prediction_n(p); i++) {
        const int32_t cls = gnd_prediction_label(p, i);
        const char *name = cls < 0 ? "" : gnd_model_class_name(model, cls);

        printf("%s,%s\n", gnd_graph_id(graph, i, id), name);
    }
    gnd_prediction_free(p);
    gnd_model_free(model);
    gnd_config_free(config);
    gnd_split_free(split);
    gnd_graph_free(graph);
    return ok ? 0 : 1;
}
