/* SPDX-License-Identifier: MIT
 * feature_cells.c - make features from cells that have numbers, text or nothing. */
#include "feature_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "io.h"
#include "categories.h"

gnd_status gnd_cells_init(gnd_cells *c, int64_t n_column, gnd_error *err)
{
    *c = (gnd_cells){.n_column = n_column};
    c->column = gnd_alloc(n_column, sizeof *c->column);
    return c->column ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for columns of features");
}

void gnd_cells_fini(gnd_cells *c)
{
    for (int64_t k = 0; c->column && k < c->n_column; k++) {
        gnd_names_free(c->column[k].category);
        gnd_free(c->column[k].sorted);
    }
    gnd_free(c->column);
    gnd_coo_fini(&c->cell);
    gnd_coo_fini(&c->missing);
    *c = (gnd_cells){0};
}

gnd_status gnd_cells_number(gnd_cells *c, int32_t row, int32_t column, double value, gnd_error *err)
{
    c->column[column].n_value++;
    c->column[column].sum += value;
    return value == 0 ? GND_OK : gnd_coo_add(&c->cell, row, column, value, err);
}

gnd_status gnd_cells_text(gnd_cells *c, int32_t row, int32_t column, gnd_csv_field text,
                          gnd_error *err)
{
    gnd_cell_column *col = &c->column[column];
    int64_t category;

    col->n_value++;
    if (col->left_out)
        return GND_OK;
    if (!col->category)
        col->category = gnd_names_new();
    category = col->category ? gnd_names_add(col->category, text.s, text.len) : -1;
    if (category < 0)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for categories");
    col->left_out = category >= GND_CATEGORY_MAX;
    return gnd_coo_add(&c->cell, row, column, (double)category, err);
}

gnd_status gnd_cells_missing(gnd_cells *c, int32_t row, int32_t column, gnd_error *err)
{
    c->column[column].n_missing++;
    return gnd_coo_add(&c->missing, row, column, 1, err);
}

/* ---- features ---- */

static const char *column_show(char buf[GND_SHOWN + 2], const gnd_cells *c, int64_t k)
{
    char show[GND_SHOWN];

    if (c->column[k].name.len == 0)
        snprintf(buf, GND_SHOWN + 2, "feature %lld", (long long)k + 1);
    else
        snprintf(buf, GND_SHOWN + 2, "'%s'", gnd_field_show(show, c->column[k].name));
    return buf;
}

typedef struct {
    const char *name;
    int32_t number;
} category;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const category *)a)->name, ((const category *)b)->name);
}

/* Sort the categories of a column of text. */
static gnd_status sort_categories(gnd_cell_column *col, gnd_error *err)
{
    const int64_t n = gnd_names_count(col->category);
    category list[GND_CATEGORY_MAX];

    col->sorted = gnd_alloc(n, sizeof *col->sorted);
    if (!col->sorted)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for categories");
    for (int64_t i = 0; i < n; i++)
        list[i] = (category){gnd_names_get(col->category, i), (int32_t)i};
    qsort(list, (size_t)n, sizeof *list, by_name);
    for (int64_t i = 0; i < n; i++)
        col->sorted[list[i].number] = (int32_t)i;
    return GND_OK;
}

/* Number the features; returns how many there are. */
static int64_t number_features(gnd_cells *c)
{
    int64_t n = 0;

    for (int64_t k = 0; k < c->n_column; k++) {
        gnd_cell_column *col = &c->column[k];

        col->begin = n;
        if (!col->is_text) {
            n++;
            continue;
        }
        col->left_out |=
            !col->category || !gnd_is_category(col->n_value, gnd_names_count(col->category));
        if (!col->left_out)
            n += gnd_names_count(col->category);
    }
    return n;
}

static gnd_status note_columns(const gnd_cells *c, const char *path, gnd_notes *notes,
                               gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < c->n_column; k++) {
        const gnd_cell_column *col = &c->column[k];
        const long long n = col->category ? (long long)gnd_names_count(col->category) : 0;
        char buf[GND_SHOWN + 2];

        if (!col->is_text)
            continue;
        column_show(buf, c, k);
        if (col->left_out)
            GND_TRY(gnd_notes_add(notes, GND_NOTE, "text_column_left_out", err,
                                  "%s: %s is not used: its texts differ in most rows, or there are "
                                  "more than %d",
                                  path, buf, GND_CATEGORY_MAX));
        else
            GND_TRY(gnd_notes_add(notes, GND_NOTE, "text_column_categories", err,
                                  "%s: %s has text, with %lld different value%s; each is a feature "
                                  "that is 0 or 1",
                                  path, buf, n, n == 1 ? "" : "s"));
    }
out:
    return st;
}

static gnd_status note_missing(const gnd_cells *c, gnd_missing missing, const char *path,
                               gnd_notes *notes, gnd_error *err)
{
    long long n[2] = {0}, n_column[2] = {0}; /* of numbers, of text */
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < c->n_column; k++)
        if (!c->column[k].left_out && c->column[k].n_missing > 0) {
            n[c->column[k].is_text] += (long long)c->column[k].n_missing;
            n_column[c->column[k].is_text]++;
        }
    for (int text = 0; text < 2; text++)
        if (n[text] > 0)
            GND_TRY(gnd_notes_add(notes, GND_NOTE, "missing_values", err,
                                  "%s: %lld missing value%s in %lld column%s of %s %s %s", path,
                                  n[text], n[text] == 1 ? "" : "s", n_column[text],
                                  n_column[text] == 1 ? "" : "s", text ? "text" : "numbers",
                                  n[text] == 1 ? "is" : "are",
                                  text                          ? "no category"
                                  : missing == GND_MISSING_MEAN ? "set to the mean of the column"
                                                                : "set to 0"));
out:
    return st;
}

/* Add the features of all cells of c to x. */
static gnd_status cells_put(gnd_coo *x, gnd_cells *c, const int32_t *place, gnd_missing missing,
                            gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < c->n_column; k++)
        if (c->column[k].is_text && !c->column[k].left_out)
            GND_TRY(sort_categories(&c->column[k], err));
    for (int64_t p = 0; p < c->cell.n; p++) {
        const gnd_cell_column *col = &c->column[c->cell.col[p]];
        const int32_t row = place ? place[c->cell.row[p]] : c->cell.row[p];
        const double value = c->cell.val ? (double)c->cell.val[p] : 1;
        const int64_t at = col->begin + (col->sorted ? col->sorted[(int64_t)value] : 0);

        if (!col->left_out)
            GND_TRY(gnd_coo_add(x, row, (int32_t)at, col->is_text ? 1 : value, err));
    }
    for (int64_t p = 0; missing == GND_MISSING_MEAN && p < c->missing.n; p++) {
        const gnd_cell_column *col = &c->column[c->missing.col[p]];
        const int32_t row = place ? place[c->missing.row[p]] : c->missing.row[p];

        if (!col->is_text && col->n_value > 0 && col->sum != 0)
            GND_TRY(gnd_coo_add(x, row, (int32_t)col->begin, col->sum / (double)col->n_value, err));
    }
out:
    return st;
}

gnd_status gnd_cells_features(gnd_csr *out, gnd_cells *c, int64_t n_row, const int32_t *place,
                              gnd_missing missing, const char *path, gnd_notes *notes,
                              gnd_error *err)
{
    const int64_t n_feat = number_features(c);
    gnd_coo x = {0};
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    if (n_feat > GND_MAX_FEAT)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has too many columns", path));
    if (n_feat == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: has no features: the texts of every column differ in most rows, or "
                         "there are more than %d",
                         path, GND_CATEGORY_MAX));
    GND_TRY(cells_put(&x, c, place, missing, err));
    GND_TRY(gnd_coo_to_csr(out, &x, n_row, n_feat, NULL, err));
    GND_TRY(note_columns(c, path, notes, err));
    GND_TRY(note_missing(c, missing, path, notes, err));
out:
    gnd_coo_fini(&x);
    return st;
}
