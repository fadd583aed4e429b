/* SPDX-License-Identifier: MIT
 * hop_weights.c - write hop weights as CSV: a line per vertex, a column per hop. */
#include "base/outfile.h"
#include "base/str.h"
#include "io.h"

static void lines_write(const gnd_hop_weights *w, const gnd_graph *g, FILE *f)
{
    char buf[32], real[GND_REAL_TEXT];

    fputs("id", f);
    for (int64_t k = 0; k < gnd_hop_weights_n_hop(w); k++)
        fprintf(f, ",hop_%lld", (long long)(gnd_hop_weights_first(w) + k));
    fputc('\n', f);
    for (int64_t i = 0; i < gnd_hop_weights_n(w); i++) {
        gnd_csv_write(f, gnd_graph_id(g, i, buf));
        for (int64_t k = 0; k < gnd_hop_weights_n_hop(w); k++)
            fprintf(f, ",%s", gnd_real_text(real, (double)gnd_hop_weights_get(w, i)[k], 6));
        fputc('\n', f);
    }
}

gnd_status gnd_hop_weights_save(const gnd_hop_weights *w, const gnd_graph *g, const char *path,
                                gnd_error *err)
{
    gnd_outfile o = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    if (gnd_hop_weights_n(w) != g->n_node)
        return gnd_fail(err, GND_ERR_SHAPE, "the hop weights are of %lld vertices, %s has %lld",
                        (long long)gnd_hop_weights_n(w), g->name, (long long)g->n_node);
    GND_TRY(gnd_outfile_open(&o, path, err));
    lines_write(w, g, o.f);
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}
