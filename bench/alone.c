/* SPDX-License-Identifier: MIT
 * alone.c - how long to train when nothing says when to stop.
 *
 *     alone METHOD LABELS_PER_CLASS SPLITS EPOCHS DATA...
 *
 * Trains each data set for a fixed number of epochs and prints the mean accuracy, over
 * splits 1..SPLITS, on the 500 validation vertices of each split at twenty points on the way. No
 * test label is looked at. Written on gnd.h alone. */
#include <stdlib.h>
#include <string.h>

#include "gnd.h"

enum { POINTS = 20 };

typedef struct {
    long epochs;
    double sum[POINTS]; /* of validation accuracy at each point */
} curve;

static int on_epoch(const gnd_epoch *e, void *user)
{
    curve *c = user;
    const long step = c->epochs / POINTS;

    if ((e->epoch + 1) % step == 0)
        c->sum[(e->epoch + 1) / step - 1] += e->acc_val;
    return 0;
}

static gnd_status run(curve *c, const gnd_graph *g, const gnd_config *config, int per_class,
                      unsigned split, gnd_error *err)
{
    const gnd_split_opts so = {
        .size = sizeof so, .per_class = per_class, .n_val = 500, .seed = split};
    const gnd_train_opts to = {
        .size = sizeof to, .seed = split, .threads = 1, .on_epoch = on_epoch, .user = c};
    gnd_split *s = NULL;
    gnd_model *m = NULL;
    gnd_status st = gnd_split_new(&s, g, &so, err);

    if (st == GND_OK)
        st = gnd_train(&m, NULL, g, s, config, &to, err);
    gnd_model_free(m);
    gnd_split_free(s);
    return st;
}

static gnd_status measure(const char *data, const char *method, int per_class, int splits,
                          const char *epochs, gnd_error *err)
{
    gnd_graph *raw = NULL, *g = NULL;
    gnd_config *config = NULL;
    curve c = {.epochs = strtol(epochs, NULL, 10)};
    gnd_status st = gnd_load(&raw, data, NULL, err);

    if (st == GND_OK)
        st = gnd_graph_convert(&g, raw, GND_GRAPH_UND, err);
    if (st == GND_OK)
        st = gnd_config_new(&config, method, err);
    if (st == GND_OK)
        st = gnd_config_set(config, "epochs", epochs, err);
    if (st == GND_OK)
        st = gnd_config_set(config, "stop", "none", err);
    for (int s = 1; s <= splits && st == GND_OK; s++)
        st = run(&c, g, config, per_class, (unsigned)s, err);
    if (st == GND_OK) {
        printf("| %s | %d |", data, per_class);
        for (int k = 0; k < POINTS; k++)
            printf(" %.1f |", 100 * c.sum[k] / splits);
        printf("\n");
        fflush(stdout);
    }
    gnd_config_free(config);
    gnd_graph_free(g);
    gnd_graph_free(raw);
    return st;
}

int main(int argc, char **argv)
{
    gnd_error err = {0};
    long epochs;

    if (argc < 6 || (epochs = strtol(argv[4], NULL, 10)) < POINTS || epochs % POINTS) {
        fprintf(stderr,
                "usage: alone METHOD LABELS_PER_CLASS SPLITS EPOCHS DATA...\n"
                "EPOCHS must be a multiple of %d\n",
                POINTS);
        return 2;
    }
    printf("| data set | labels a class |");
    for (int k = 1; k <= POINTS; k++)
        printf(" %ld |", k * epochs / POINTS);
    printf("\n");
    for (int i = 5; i < argc; i++)
        if (measure(argv[i], argv[1], atoi(argv[2]), atoi(argv[3]), argv[4], &err) != GND_OK) {
            fprintf(stderr, "%s\n", err.msg);
            return 1;
        }
    return 0;
}
