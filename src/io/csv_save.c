/* SPDX-License-Identifier: MIT
 * csv_save.c - write a graph as a folder of text files: edges.csv, features.csv or features.mtx,
 * labels.csv.
 *
 * Reading them gives the same graph: comments at the top of edges.csv state the vertices and their
 * order (see edgelist.c). Wide or sparse features are written to a Matrix Market file, with rows
 * in that order. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/outfile.h"
#include "base/str.h"
#include "io.h"

/* Digits that read back to the same gnd_real. */
enum { DIGITS = sizeof(gnd_real) == 4 ? 9 : 17 };

typedef struct {
    FILE *f; /* write errors are found by gnd_outfile_commit */
    const gnd_graph *g;
    gnd_pool *pool;
    double written, all; /* fields, about: for the callback */
} output;

typedef gnd_status writer(output *o, gnd_error *err);

enum { CHECK_FIELDS = 1 << 10 };

/* A row of n fields is written. */
static gnd_status row_done(output *o, int64_t n, gnd_error *err)
{
    const double before = floor(o->written / CHECK_FIELDS);

    o->written += (double)n;
    if (floor(o->written / CHECK_FIELDS) == before)
        return GND_OK;
    gnd_pool_done(o->pool, o->written / o->all);
    return gnd_pool_check(o->pool, err);
}

static void put_id(FILE *f, const gnd_graph *g, int64_t i)
{
    char buf[32];

    gnd_csv_write(f, gnd_graph_id(g, i, buf));
}

static gnd_status write_edges(output *o, gnd_error *err)
{
    const gnd_graph *g = o->g;
    FILE *f = o->f;
    const gnd_csr *a = &g->adj;
    char buf[GND_REAL_TEXT];
    gnd_status st = GND_OK;

    if (!g->ids && !g->old) {
        fprintf(f, "# gnd vertices %lld\n", (long long)g->n_node);
    } else {
        for (int64_t i = 0; i < g->n_node; i++) {
            fputs("# gnd vertex ", f);
            put_id(f, g, i);
            putc('\n', f);
            GND_TRY(row_done(o, 1, err));
        }
    }
    fputs(a->val ? "source,target,weight\n" : "source,target\n", f);
    for (int64_t i = 0; i < g->n_node; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            put_id(f, g, i);
            putc(',', f);
            put_id(f, g, a->col[p]);
            if (a->val)
                fprintf(f, ",%s", gnd_real_text(buf, (double)a->val[p], DIGITS));
            putc('\n', f);
        }
        GND_TRY(row_done(o, 2 * (a->ptr[i + 1] - a->ptr[i]), err));
    }
out:
    return st;
}

static gnd_status write_features_csv(output *o, gnd_error *err)
{
    const gnd_graph *g = o->g;
    FILE *f = o->f;
    const gnd_csr *x = &g->feat;
    char buf[GND_REAL_TEXT];
    gnd_status st = GND_OK;

    fputs("id", f);
    for (int64_t j = 0; j < g->n_feat; j++)
        fprintf(f, ",f%lld", (long long)j);
    putc('\n', f);
    for (int64_t i = 0; i < g->n_node; i++) {
        int64_t p = x->ptr[i];

        put_id(f, g, i);
        for (int64_t j = 0; j < g->n_feat; j++) {
            const bool here = p < x->ptr[i + 1] && x->col[p] == j;

            if (here)
                fprintf(f, ",%s", gnd_real_text(buf, (double)gnd_csr_val(x, p++), DIGITS));
            else
                fputs(",0", f);
        }
        putc('\n', f);
        GND_TRY(row_done(o, g->n_feat, err));
    }
out:
    return st;
}

static gnd_status write_features_mtx(output *o, gnd_error *err)
{
    const gnd_graph *g = o->g;
    FILE *f = o->f;
    const gnd_csr *x = &g->feat;
    char buf[GND_REAL_TEXT];
    gnd_status st = GND_OK;

    fprintf(f, "%%%%MatrixMarket matrix coordinate %s general\n", x->val ? "real" : "pattern");
    fprintf(f, "%lld %lld %lld\n", (long long)g->n_node, (long long)g->n_feat,
            (long long)gnd_csr_nnz(x));
    for (int64_t i = 0; i < g->n_node; i++) {
        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++) {
            fprintf(f, "%lld %lld", (long long)i + 1, (long long)x->col[p] + 1);
            if (x->val)
                fprintf(f, " %s", gnd_real_text(buf, (double)x->val[p], DIGITS));
            putc('\n', f);
        }
        GND_TRY(row_done(o, 2 * (x->ptr[i + 1] - x->ptr[i]), err));
    }
out:
    return st;
}

static gnd_status write_labels(output *o, gnd_error *err)
{
    const gnd_graph *g = o->g;
    FILE *f = o->f;
    gnd_status st = GND_OK;

    fputs("id,label\n", f);
    for (int64_t i = 0; i < g->n_node; i++) {
        if (g->label[i] < 0)
            continue;
        put_id(f, g, i);
        putc(',', f);
        gnd_csv_write(f, gnd_graph_class_name(g, g->label[i]));
        putc('\n', f);
        GND_TRY(row_done(o, 2, err));
    }
out:
    return st;
}

static char *path_in(const char *folder, const char *name)
{
    char *s = gnd_alloc((int64_t)(strlen(folder) + strlen(name) + 2), 1);

    if (s)
        sprintf(s, "%s/%s", folder, name);
    return s;
}

/* Write folder/name. write NULL: remove the file that an earlier save may have written there. */
static gnd_status save_file(output *to, const char *folder, const char *name, writer *write,
                            gnd_error *err)
{
    gnd_outfile o = {0};
    char *path = path_in(folder, name);
    gnd_status st = GND_OK;

    if (!path)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", folder);
    if (!write) {
        if (unlink(path) != 0 && errno != ENOENT)
            GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: cannot remove: %s", path, strerror(errno)));
        goto out;
    }
    GND_TRY(gnd_outfile_open(&o, path, err));
    to->f = o.f;
    GND_TRY(write(to, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    gnd_free(path);
    return st;
}

/* After a failure, remove a folder that was created here, with the files written to it. */
static void folder_remove(const char *folder)
{
    static const char *const name[] = {"edges.csv", "features.mtx", "features.csv", "labels.csv"};

    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
        char *path = path_in(folder, name[k]);

        if (path)
            unlink(path);
        gnd_free(path);
    }
    rmdir(folder);
}

/* Fields of all files, about. */
static double fields_of(const gnd_graph *g, bool as_mtx)
{
    const double n = (double)g->n_node, n_feat = (double)g->n_feat;

    return n + 2 * (double)gnd_csr_nnz(&g->adj) +
           (as_mtx ? 2 * (double)gnd_csr_nnz(&g->feat) : n * n_feat) + 2 * n;
}

gnd_status gnd_csv_save(const gnd_graph *g, const char *folder, gnd_pool *pool, gnd_error *err)
{
    const bool has_feat = g->n_feat > 0;
    const bool as_mtx =
        has_feat && (g->n_feat > 256 ||
                     (double)gnd_csr_nnz(&g->feat) < 0.2 * (double)g->n_node * (double)g->n_feat);
    output o = {.g = g, .pool = pool, .all = fields_of(g, as_mtx)};
    bool has_label = false, made;
    struct stat sb;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < g->n_node; i++)
        has_label |= g->label[i] >= 0;
    made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST)
        GND_TRY(
            gnd_fail(err, GND_ERR_IO, "%s: cannot create the folder: %s", folder, strerror(errno)));
    if (stat(folder, &sb) != 0 || !S_ISDIR(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is not a folder", folder));
    GND_TRY(save_file(&o, folder, "edges.csv", write_edges, err));
    GND_TRY(save_file(&o, folder, "features.mtx", as_mtx ? write_features_mtx : NULL, err));
    GND_TRY(save_file(&o, folder, "features.csv", has_feat && !as_mtx ? write_features_csv : NULL,
                      err));
    GND_TRY(save_file(&o, folder, "labels.csv", has_label ? write_labels : NULL, err));
out:
    if (st != GND_OK && made)
        folder_remove(folder);
    return st;
}
