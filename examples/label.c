/* SPDX-License-Identifier: MIT
 * label.c - the whole of gnd in one screen: load, split, label.
 *
 *     cc label.c $(pkg-config --cflags --libs gnd) -o label && ./label karate
 */
#include <gnd.h>

int main(int argc, char **argv)
{
    gnd_graph *g = NULL;
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_prediction *p = NULL;
    gnd_error err = {0};
    const gnd_split_opts two = {.size = sizeof two, .per_class = 2, .seed = 1};
    char id[32];

    const bool ok = gnd_load(&g, argc > 1 ? argv[1] : "karate", NULL, &err) == GND_OK &&
                    gnd_split_new(&s, g, &two, &err) == GND_OK &&
                    gnd_config_new(&c, "auto", &err) == GND_OK &&
                    gnd_label(&p, &m, NULL, g, s, c, NULL, &err) == GND_OK;
    if (!ok)
        fprintf(stderr, "%s\n", err.msg);
    for (int64_t i = 0; ok && i < gnd_prediction_n(p); i++) {
        const int32_t label = gnd_prediction_label(p, i);

        printf("%s,%s\n", gnd_graph_id(g, i, id),
               label < 0 ? "unknown" : gnd_model_class_name(m, label));
    }
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
    return ok ? 0 : 1;
}
