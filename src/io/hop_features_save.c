/* SPDX-License-Identifier: MIT
 * hop_features_save.c - write diffused features as an npz file: hop_0, hop_19, ..., labels,
 * class_names, node_names. */
#include <string.h>

#include "model/hop_features.h"
#include "npz_write.h"

gnd_status gnd_hop_features_save(const gnd_hop_features *h, const gnd_graph *g, const char *path,
                                 gnd_error *err)
{
    const int64_t n_byte = h->n * h->filters * (int64_t)sizeof *h->values;
    gnd_npz_writer w = {0};
    char name[32];
    void *data;
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_require(path, "path", err));
    if (g->n_node != h->n)
        GND_TRY(
            gnd_fail(err, GND_ERR_SHAPE,
                     "the features are of %lld vertices, the graph has %lld; expected the graph "
                     "that they were computed from",
                     (long long)h->n, (long long)g->n_node));
    GND_TRY(gnd_npz_writer_open(&w, path, err));
    for (int64_t i = 0; i < h->n_hop; i++) {
        snprintf(name, sizeof name, "hop_%d", h->hop[i]);
        GND_TRY(gnd_npz_writer_add(
            &data, &w, &(gnd_npz_array_spec){name, "f4", h->n, h->filters, 0, n_byte}, err));
        memcpy(data, gnd_hop_features_get(h, i), (size_t)n_byte);
    }
    GND_TRY(gnd_npz_writer_add_labels(&w, g, err));
    GND_TRY(gnd_npz_writer_commit(&w, err));
out:
    gnd_npz_writer_fini(&w);
    return st;
}
