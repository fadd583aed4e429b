/* SPDX-License-Identifier: MIT
 * predictions.c - write predictions as CSV: id, label and probability of every vertex. Label and
 * probability of a vertex without a class are empty; labels.c reads the file as labels. */
#include "base/outfile.h"
#include "base/str.h"
#include "io.h"

gnd_status gnd_prediction_write(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                                FILE *f, gnd_error *err)
{
    char buf[32], real[GND_REAL_TEXT];

    gnd_error_clear(err);
    if (gnd_prediction_n(p) != g->n_node)
        return gnd_fail(err, GND_ERR_SHAPE, "the prediction has %lld vertices, but %s has %lld",
                        (long long)gnd_prediction_n(p), g->name, (long long)g->n_node);
    fputs("id,label,probability\n", f);
    for (int64_t i = 0; i < gnd_prediction_n(p); i++) {
        const int32_t c = gnd_prediction_label(p, i);

        gnd_csv_write(f, gnd_graph_id(g, i, buf));
        fputc(',', f);
        if (c < 0) {
            fputs(",\n", f);
            continue;
        }
        gnd_csv_write(f, gnd_model_class_name(m, c));
        fprintf(f, ",%s\n", gnd_real_text(real, (double)gnd_prediction_prob(p, i)[c], 6));
    }
    return ferror(f) ? gnd_fail(err, GND_ERR_IO, "cannot write the predictions") : GND_OK;
}

gnd_status gnd_prediction_save(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                               const char *path, gnd_error *err)
{
    gnd_outfile o = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    GND_TRY(gnd_outfile_open(&o, path, err));
    GND_TRY(gnd_prediction_write(p, g, m, o.f, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}
