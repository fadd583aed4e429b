/* SPDX-License-Identifier: MIT
 * results_csv.c - read figures of comparisons; columns are found by their names. */
#include "results_csv.h"

#include <math.h>

#include "base/alloc.h"
#include "io/text.h"

enum { MAX_COLUMNS = 64 };

enum { DATASET, GRAPH, METHOD, RULE, VARIANT, N_NAME };
enum { PER_CLASS = N_NAME, SPLITS, MEAN, STD, LOW, HIGH, PUBLISHED, N_COLUMN };
static const char *const columns[N_COLUMN] = {
    [DATASET] = "dataset", [GRAPH] = "graph",     [METHOD] = "method",
    [RULE] = "rule",       [VARIANT] = "variant", [PER_CLASS] = "labels_per_class",
    [SPLITS] = "splits",   [MEAN] = "mean",       [STD] = "std",
    [LOW] = "low",         [HIGH] = "high",       [PUBLISHED] = "published"};

static gnd_status split_line(gnd_csv_field *f, int64_t *n, gnd_text *t, const char *s, size_t len,
                             gnd_error *err)
{
    const gnd_status st = gnd_fields_split(gnd_text_fields(t, s, len, ','), f, MAX_COLUMNS, n, err);

    if (st == GND_OK && *n > MAX_COLUMNS)
        return gnd_text_fail(t, err,
                             "%lld columns; expected the output of `gnd compare --format csv`",
                             (long long)*n);
    return st;
}

/* at[c]: the place of column c in a line of *n fields. */
static gnd_status heading_read(int64_t at[N_COLUMN], int64_t *n, gnd_text *t, gnd_error *err)
{
    gnd_csv_field f[MAX_COLUMNS];
    const char *s;
    size_t len;
    gnd_status st = GND_OK;

    if (!gnd_text_line(t, &s, &len))
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: is empty; expected the output of `gnd compare --format csv`", t->path);
    GND_TRY(split_line(f, n, t, s, len, err));
    for (int c = 0; c < N_COLUMN; c++) {
        for (at[c] = 0; at[c] < *n && !gnd_field_equals(f[at[c]], columns[c]);)
            at[c]++;
        if (at[c] == *n)
            GND_TRY(gnd_text_fail(t, err,
                                  "there is no column %s; expected the output of `gnd compare "
                                  "--format csv`",
                                  columns[c]));
    }
out:
    return st;
}

/* Empty and "N/A" are NAN. */
static gnd_status number_read(double *out, gnd_csv_field f, int column, const gnd_text *t,
                              gnd_error *err)
{
    char show[GND_SHOWN];

    *out = NAN;
    if (f.len == 0 || (column == PUBLISHED && gnd_field_equals(f, "N/A")) || gnd_field_real(out, f))
        return GND_OK;
    return gnd_text_fail(t, err, "column %s: expected a number, got '%s'", columns[column],
                         gnd_field_show(show, f));
}

static gnd_status row_read(gnd_result_rows *r, const gnd_csv_field *f, const int64_t at[N_COLUMN],
                           const gnd_text *t, gnd_error *err)
{
    gnd_result_row row;
    int64_t *const name[] = {&row.dataset, &row.graph, &row.method, &row.rule, &row.variant};
    double *const number[] = {&row.per_class, &row.splits, &row.mean,     &row.std,
                              &row.low,       &row.high,   &row.published};
    gnd_status st = GND_OK;

    for (int c = 0; c < N_NAME; c++) {
        *name[c] = gnd_names_add(r->names, f[at[c]].s, f[at[c]].len);
        if (*name[c] < 0)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", t->path);
    }
    for (int c = N_NAME; c < N_COLUMN; c++)
        GND_TRY(number_read(number[c - N_NAME], f[at[c]], c, t, err));
    if (isnan(row.mean)) /* no training run has finished */
        return GND_OK;
    if (isnan(row.per_class) || isnan(row.splits))
        GND_TRY(gnd_text_fail(t, err, "a row with a mean needs labels_per_class and splits"));
    if (r->n == r->room) {
        const int64_t room = 2 * r->room + 64;
        gnd_result_row *more = gnd_realloc(r->row, room, sizeof *more);

        if (!more)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", t->path);
        r->row = more;
        r->room = room;
    }
    r->row[r->n++] = row;
out:
    return st;
}

gnd_status gnd_result_rows_read(gnd_result_rows *r, const char *path, int64_t max_input,
                                gnd_error *err)
{
    gnd_csv_field f[MAX_COLUMNS];
    gnd_text t = {0};
    int64_t at[N_COLUMN], n_heading, n;
    const char *s;
    size_t len;
    gnd_status st = GND_OK;

    if (!r->names)
        r->names = gnd_names_new();
    if (!r->names)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    GND_TRY(gnd_text_open_lines(&t, path, max_input, err));
    GND_TRY(heading_read(at, &n_heading, &t, err));
    while (gnd_text_line(&t, &s, &len)) {
        GND_TRY(split_line(f, &n, &t, s, len, err));
        if (n != n_heading)
            GND_TRY(gnd_text_fail(&t, err, "%lld fields; the heading has %lld", (long long)n,
                                  (long long)n_heading));
        GND_TRY(row_read(r, f, at, &t, err));
    }
out:
    gnd_text_close(&t);
    return st;
}

void gnd_result_rows_fini(gnd_result_rows *r)
{
    gnd_free(r->row);
    gnd_names_free(r->names);
    *r = (gnd_result_rows){0};
}
