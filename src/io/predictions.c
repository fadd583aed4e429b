/* SPDX-License-Identifier: MIT
 * predictions.c - write predictions as CSV: id, label and probability of every vertex. Label and
 * probability of a vertex without a class are empty; labels.c reads the file as labels. The
 * probabilities of all classes are columns p_CLASS, if they are requested. */
#include "base/alloc.h"
#include "base/opts.h"
#include "base/outfile.h"
#include "base/str.h"
#include "io.h"

/* ",p_CLASS" for each class. */
static gnd_status write_head(const gnd_model *m, FILE *f, gnd_error *err)
{
    for (int32_t c = 0; c < gnd_model_n_class(m); c++) {
        char *name = gnd_text_make("p_%s", gnd_model_class_name(m, c));

        if (!name)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for the names of the columns");
        fputc(',', f);
        gnd_csv_write(f, name);
        gnd_free(name);
    }
    return GND_OK;
}

static void write_real(FILE *f, double v)
{
    char buf[GND_REAL_TEXT];

    fprintf(f, ",%s", gnd_real_text(buf, v, 6));
}

/* The fields of vertex i after its id. */
static void write_vertex(const gnd_prediction *p, int64_t i, const gnd_model *m, FILE *f,
                         const gnd_prediction_columns *columns)
{
    const int32_t c = gnd_prediction_label(p, i);
    const float *prob = gnd_prediction_prob(p, i);

    fputc(',', f);
    if (c < 0) {
        fputc(',', f);
    } else {
        gnd_csv_write(f, gnd_model_class_name(m, c));
        write_real(f, (double)prob[c]);
    }
    for (int32_t k = 0; columns->probabilities && k < gnd_model_n_class(m); k++)
        write_real(f, (double)prob[k]);
    fputc('\n', f);
}

gnd_status gnd_prediction_write_columns(const gnd_prediction *p, const gnd_graph *g,
                                        const gnd_model *m, FILE *f,
                                        const gnd_prediction_columns *c, gnd_error *err)
{
    gnd_prediction_columns columns;
    char buf[32];
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&columns, sizeof columns, c, "gnd_prediction_columns", err));
    if (gnd_prediction_n(p) != g->n_node)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "the prediction has %lld vertices, but %s has %lld",
                         (long long)gnd_prediction_n(p), g->name, (long long)g->n_node));
    fputs("id,label,probability", f);
    if (columns.probabilities)
        GND_TRY(write_head(m, f, err));
    fputc('\n', f);
    for (int64_t i = 0; i < gnd_prediction_n(p); i++) {
        gnd_csv_write(f, gnd_graph_id(g, i, buf));
        write_vertex(p, i, m, f, &columns);
    }
    if (ferror(f))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "cannot write the predictions"));
out:
    return st;
}

gnd_status gnd_prediction_save_columns(const gnd_prediction *p, const gnd_graph *g,
                                       const gnd_model *m, const char *path,
                                       const gnd_prediction_columns *c, gnd_error *err)
{
    gnd_outfile o = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    GND_TRY(gnd_outfile_open(&o, path, err));
    GND_TRY(gnd_prediction_write_columns(p, g, m, o.f, c, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}

gnd_status gnd_prediction_write(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                                FILE *f, gnd_error *err)
{
    return gnd_prediction_write_columns(p, g, m, f, NULL, err);
}

gnd_status gnd_prediction_save(const gnd_prediction *p, const gnd_graph *g, const gnd_model *m,
                               const char *path, gnd_error *err)
{
    return gnd_prediction_save_columns(p, g, m, path, NULL, err);
}
