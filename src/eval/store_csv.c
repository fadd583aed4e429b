/* SPDX-License-Identifier: MIT
 * store_csv.c - export the runs of a store to a CSV file, and import them.
 *
 * If a run is in both with different figures (from another build), the store keeps its own, so
 * that no table mixes the two. */
#include "base/alloc.h"

#include <sys/stat.h>
#include "base/outfile.h"
#include "store_priv.h"

gnd_status gnd_store_write(gnd_store *s, FILE *f, gnd_error *err)
{
    static const char doing[] = "read the training runs";
    bool more = true;
    gnd_status st;

    gnd_error_clear(err);
    gnd_row_print_header(f);
    for (;;) {
        gnd_row row;

        GND_TRY(gnd_store_step(s, SQL_ALL, &more, doing, err));
        if (!more)
            break;
        GND_TRY(gnd_row_read(&row, s->sql[SQL_ALL], s->path, err));
        gnd_row_print(f, &row);
    }
out:
    if (st != GND_OK)
        sqlite3_reset(s->sql[SQL_ALL]);
    return st;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

gnd_status gnd_store_export(gnd_store *s, const char *path, gnd_error *err)
{
    gnd_outfile o = {0};
    gnd_status st;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    if (is_same_file(path, s->path))
        return gnd_fail(err, GND_ERR_ARG, "%s: is the store itself; write to another file", path);
    GND_TRY(gnd_outfile_open(&o, path, err));
    GND_TRY(gnd_store_write(s, o.f, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}

static gnd_status import_rows(gnd_store *s, gnd_text *t, char *buf, int64_t *n_new, gnd_error *err)
{
    static const char doing[] = "add training runs";
    const char *line;
    size_t len;
    int64_t n_column = 0;
    gnd_status st = GND_OK;

    if (!gnd_text_data_line(t, &line, &len))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: is empty; expected exported training runs",
                         t->path));
    GND_TRY(gnd_row_check_header(&n_column, t, line, len, err));
    while (gnd_text_data_line(t, &line, &len)) {
        gnd_row row;

        GND_TRY(gnd_row_parse(&row, buf, n_column, gnd_text_fields(t, line, len, ','), err));
        if (gnd_row_bind(s->sql[SQL_PUT], &row) != SQLITE_OK)
            GND_TRY(gnd_store_fail(s, doing, err));
        GND_TRY(gnd_store_do(s, SQL_PUT, doing, err));
        *n_new += sqlite3_changes(s->db);
    }
out:
    return st;
}

gnd_status gnd_store_import(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err)
{
    static const char doing[] = "add training runs";
    gnd_text t = {0};
    char *buf = NULL;
    int64_t n = 0;
    gnd_status st;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    if (n_new)
        *n_new = 0;
    GND_TRY(gnd_text_open_lines(&t, path, 0, err));
    buf = gnd_alloc((int64_t)t.size + GND_ROW_TEXT, 1);
    if (!buf)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    GND_TRY(gnd_store_begin(s, doing, err));
    st = import_rows(s, &t, buf, &n, err);
    GND_TRY(gnd_store_end(s, st, doing, err));
    if (n_new)
        *n_new = n;
out:
    gnd_free(buf);
    gnd_text_close(&t);
    return st;
}
