/* SPDX-License-Identifier: MIT
 * predictions.c - write predictions as CSV: id, label and probability of every vertex. Label and
 * probability of a vertex without a class are empty; labels.c reads the file as labels. The
 * probabilities of all classes are columns p_CLASS, if they are requested. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

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

/* A prediction as rows of text, in the original order of the vertices. */
typedef struct {
    const gnd_prediction *p;
    const gnd_graph *g;
    const gnd_model *m;
    const gnd_prediction_columns *columns;
    int32_t *vertex; /* [n] in this order; NULL: in that of the graph */
    int64_t at;      /* the next of them */
    gnd_text_rows rows;
} lines;

enum { ROWS = 4096 }; /* of the text that a process sends at once */

static void write_line(FILE *f, const lines *l, int64_t i)
{
    char buf[32];

    gnd_csv_write(f, gnd_graph_id(l->g, i, buf));
    write_vertex(l->p, i, l->m, f, l->columns);
}

static int64_t line_vertex(const lines *l, int64_t k)
{
    return l->vertex ? l->vertex[k] : k;
}

/* The next rows of this process. */
static gnd_status lines_next(gnd_text_rows *out, void *user, gnd_error *err)
{
    lines *l = user;
    const gnd_part *part = l->g->part;
    size_t len = 0;
    int64_t before = 0;
    FILE *f;
    bool failed;

    free(l->rows.text);
    l->rows.text = NULL;
    l->rows.n = 0;
    f = open_memstream(&l->rows.text, &len);
    for (; f && l->at < l->g->n_node && l->rows.n < ROWS; l->at++) {
        const int64_t i = line_vertex(l, l->at);

        if (i < part->begin || i >= part->end)
            continue;
        write_line(f, l, i);
        fflush(f); /* sets len */
        l->rows.number[l->rows.n] = l->g->original ? l->g->original[i] : part->global[i];
        l->rows.len[l->rows.n++] = (int32_t)((int64_t)len - before);
        before = (int64_t)len;
    }
    failed = !f || ferror(f);
    failed = (f && fclose(f) != 0) || failed;
    l->rows.bytes = before;
    *out = l->rows;
    return failed ? gnd_fail(err, GND_ERR_NOMEM, "no memory for predictions") : GND_OK;
}

/* The rows of all processes, by process 0. */
static gnd_status write_parts(FILE *f, lines *l, gnd_error *err)
{
    gnd_part *part = l->g->part;
    gnd_status st = GND_OK;

    l->rows.number = gnd_alloc(ROWS, sizeof *l->rows.number);
    l->rows.len = gnd_alloc(ROWS, sizeof *l->rows.len);
    if (!l->rows.number || !l->rows.len)
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for predictions");
    GND_TRY(part->calls->agree(part, st, err));
    part->calls->merge(part, f, &(gnd_text_source){lines_next, l});
    GND_TRY(part->calls->agree(part, gnd_part_check(part, err), err));
out:
    free(l->rows.text);
    gnd_free(l->rows.number);
    gnd_free(l->rows.len);
    return st;
}

gnd_status gnd_prediction_write_columns(const gnd_prediction *p, const gnd_graph *g,
                                        const gnd_model *m, FILE *f,
                                        const gnd_prediction_columns *c, gnd_error *err)
{
    gnd_prediction_columns columns;
    const bool writes = !g->part || g->part->rank == 0;
    lines l = {.p = p, .g = g, .m = m, .columns = &columns};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&columns, sizeof columns, c, "gnd_prediction_columns", err));
    if (gnd_prediction_n(p) != g->n_node)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "the prediction has %lld vertices, but %s has %lld",
                         (long long)gnd_prediction_n(p), g->name, (long long)g->n_node));
    if (writes) {
        fputs("id,label,probability", f);
        if (columns.probabilities)
            GND_TRY(write_head(m, f, err));
        fputc('\n', f);
    }
    GND_TRY(gnd_graph_original_order(&l.vertex, g, err));
    if (g->part)
        GND_TRY(write_parts(f, &l, err));
    for (int64_t k = 0; !g->part && k < g->n_node; k++)
        write_line(f, &l, line_vertex(&l, k));
    if (writes && ferror(f))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "cannot write the predictions"));
out:
    gnd_free(l.vertex);
    return st;
}

/* The status of all processes that hold the graph. */
static gnd_status all_of(const gnd_graph *g, gnd_status st, gnd_error *err)
{
    return g->part ? g->part->calls->agree(g->part, st, err) : st;
}

gnd_status gnd_prediction_save_columns(const gnd_prediction *p, const gnd_graph *g,
                                       const gnd_model *m, const char *path,
                                       const gnd_prediction_columns *c, gnd_error *err)
{
    const bool writes = !g->part || g->part->rank == 0;
    gnd_outfile o = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    if (writes)
        st = gnd_outfile_open(&o, path, err);
    GND_TRY(all_of(g, st, err));
    GND_TRY(all_of(g, gnd_prediction_write_columns(p, g, m, o.f, c, err), err));
    if (writes)
        st = gnd_outfile_commit(&o, err);
    GND_TRY(all_of(g, st, err));
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
