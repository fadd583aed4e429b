/* SPDX-License-Identifier: MIT
 * store_csv.c - export the runs of a store to a CSV file, and import them.
 *
 * If a run is in both with different figures (from another build), the store keeps its own, so
 * that no table mixes the two. */
#include "base/alloc.h"

#include <string.h>
#include <sys/stat.h>
#include "base/outfile.h"
#include "store_folder.h"
#include "store_priv.h"

gnd_status gnd_store_write(gnd_store *s, FILE *f, gnd_error *err)
{
    static const char doing[] = "read the training runs";
    bool more = true;
    gnd_status st;

    gnd_error_clear(err);
    gnd_row_print_header(f, false);
    for (;;) {
        gnd_row row;

        GND_TRY(gnd_store_step(s, SQL_ALL, &more, doing, err));
        if (!more)
            break;
        GND_TRY(gnd_row_read(&row, s->sql[SQL_ALL], s->path, err));
        gnd_row_print(f, &row, NULL);
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
    if (gnd_is_folder(path))
        return gnd_folder_export(s, path, err);
    if (is_same_file(path, s->path))
        return gnd_fail(err, GND_ERR_ARG, "%s: is the store itself; write to another file", path);
    GND_TRY(gnd_outfile_open(&o, path, err));
    GND_TRY(gnd_store_write(s, o.f, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}

/* A file that is being imported. */
typedef struct {
    gnd_text t;
    gnd_row_header header;
    gnd_configs configs; /* of rows that name theirs */
    char *buf;           /* texts of a row */
} import_file;

static void import_close(import_file *i)
{
    gnd_configs_fini(&i->configs);
    gnd_free(i->buf);
    gnd_text_close(&i->t);
}

static gnd_status import_open(import_file *i, const char *path, gnd_error *err)
{
    const char *line;
    size_t len;
    gnd_status st;

    GND_TRY(gnd_text_open_lines(&i->t, path, 0, err));
    i->buf = gnd_alloc((int64_t)i->t.size + GND_ROW_TEXT, 1);
    if (!i->buf)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    if (!gnd_text_data_line(&i->t, &line, &len))
        GND_TRY(
            gnd_fail(err, GND_ERR_FORMAT, "%s: is empty; expected exported training runs", path));
    GND_TRY(gnd_row_check_header(&i->header, &i->t, line, len, err));
    if (i->header.named)
        GND_TRY(gnd_folder_configs(&i->configs, path, err));
out:
    return st;
}

static gnd_status import_rows(gnd_store *s, import_file *i, int64_t *n_new, gnd_error *err)
{
    static const char doing[] = "add training runs";
    const char *line;
    size_t len;
    gnd_status st = GND_OK;

    while (gnd_text_data_line(&i->t, &line, &len)) {
        gnd_row row;

        GND_TRY(
            gnd_row_parse(&row, i->buf, &i->header, gnd_text_fields(&i->t, line, len, ','), err));
        if (i->header.named) {
            const char *name = row.settings;

            row.settings = gnd_configs_settings(&i->configs, name, row.method);
            if (!row.settings)
                GND_TRY(gnd_text_fail(&i->t, err,
                                      "config is '%.20s'; " GND_FOLDER_CONFIGS
                                      " beside this file has none of this name for %.60s",
                                      name, row.method));
        }
        if (gnd_row_bind(s->sql[SQL_PUT], &row) != SQLITE_OK)
            GND_TRY(gnd_store_fail(s, doing, err));
        GND_TRY(gnd_store_do(s, SQL_PUT, doing, err));
        *n_new += sqlite3_changes(s->db);
    }
out:
    return st;
}

gnd_status gnd_store_import_file(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err)
{
    import_file i = {0};
    gnd_status st;

    GND_TRY(import_open(&i, path, err));
    GND_TRY(import_rows(s, &i, n_new, err));
out:
    import_close(&i);
    return st;
}

gnd_status gnd_store_import(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err)
{
    static const char doing[] = "add training runs";
    int64_t n = 0;
    gnd_status st;

    gnd_error_clear(err);
    if (n_new)
        *n_new = 0;
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    GND_TRY(gnd_store_begin(s, doing, err));
    st = gnd_is_folder(path) ? gnd_folder_import(s, path, &n, err)
                             : gnd_store_import_file(s, path, &n, err);
    GND_TRY(gnd_store_end(s, st, doing, err));
    if (n_new)
        *n_new = n;
out:
    return st;
}
