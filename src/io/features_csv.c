/* SPDX-License-Identifier: MIT
 * features_csv.c - read features for the vertices of a graph from a table: a column of ids, and
 * columns of numbers or text.
 *
 * A column has numbers until a field says otherwise. Only then all columns are looked at in the
 * whole file, and it is read again. A column that has more numbers than text is a column of numbers
 * with a mistake in it. */
#include "features_csv.h"

#include <string.h>

#include "base/alloc.h"
#include "io.h"
#include "add_vertices.h"
#include "csv_sample.h"
#include "csv_table.h"
#include "feature_cells.h"

typedef struct {
    gnd_text *text;
    gnd_csv_table table;
    gnd_text_place begin; /* of the first row with data */
    gnd_id_map map;
    gnd_cells cells;
    int32_t *column; /* [table.width] the column of the cells; -1: it has no features */
    int64_t *line;   /* [cap], by number in the id map: line that has its features; 0: none */
    int64_t cap, n_column, n_row;
    gnd_missing missing;
    bool know_types; /* the types of all columns are known */
} features;

static gnd_status reserve(features *x, gnd_error *err)
{
    const int64_t n = gnd_id_map_count(&x->map), cap = n + n / 2;
    int64_t *line;

    if (n <= x->cap)
        return GND_OK;
    line = gnd_realloc(x->line, cap, sizeof *line);
    if (!line)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for features", x->text->path);
    memset(line + x->cap, 0, (size_t)(cap - x->cap) * sizeof *line);
    x->line = line;
    x->cap = cap;
    return GND_OK;
}

static gnd_status id_get(int32_t *v, features *x, gnd_error *err)
{
    const gnd_csv_field id = gnd_csv_table_get(&x->table, GND_ROLE_ID);
    char show[GND_SHOWN];
    gnd_status st = GND_OK;

    if (id.len == 0)
        return gnd_text_fail(x->text, err, "the id of the vertex is empty");
    GND_TRY(gnd_id_map_find(v, &x->map, id, err));
    GND_TRY(reserve(x, err));
    if (x->line[*v] != 0)
        return gnd_text_fail(x->text, err, "vertex '%s' already has features (line %lld)",
                             gnd_field_show(show, id), (long long)x->line[*v]);
    x->line[*v] = x->text->line;
    x->n_row++;
out:
    return st;
}

static gnd_status missing_cell(features *x, int32_t row, int64_t k, gnd_error *err)
{
    char show[GND_SHOWN];

    if (x->missing == GND_MISSING_ERROR)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s:%lld:%lld: the value is missing ('%s'); --missing zero or --missing "
                        "mean replaces such values",
                        x->text->path, (long long)x->text->line, (long long)k + 1,
                        gnd_field_show(show, x->table.field[k]));
    return gnd_cells_missing(&x->cells, row, x->column[k], err);
}

static gnd_status bad_number(const features *x, int64_t k, gnd_error *err)
{
    char why[GND_NOT_REAL];

    return gnd_fail(err, GND_ERR_FORMAT, "%s:%lld:%lld: %s", x->text->path,
                    (long long)x->text->line, (long long)k + 1,
                    gnd_field_not_real(why, x->table.field[k]));
}

/* Is it a number that is too large, or one with separators such as 1,234.5? Then it is not a
 * category. */
static bool is_number_like(gnd_csv_field f)
{
    const size_t sign = f.len > 0 && (f.s[0] == '-' || f.s[0] == '+');
    double value;

    for (size_t i = sign; i < f.len; i++)
        if ((f.s[i] < '0' || f.s[i] > '9') && f.s[i] != ',' && f.s[i] != '.')
            return gnd_parse_real(&value, f.s, f.len);
    return gnd_parse_real(&value, f.s, f.len) || memchr(f.s, ',', f.len);
}

/* Read the present row. *look: a field is text, and the types are not known. */
static gnd_status row_read(features *x, bool *look, gnd_error *err)
{
    int32_t v = 0;
    double value;
    gnd_status st = GND_OK;

    GND_TRY(id_get(&v, x, err));
    for (int64_t k = 0; k < x->table.width; k++) {
        const gnd_csv_field f = x->table.field[k];
        const int32_t to = x->column[k];

        if (to < 0)
            continue;
        if (gnd_field_decimal(&value, f, x->table.decimal) && !x->cells.column[to].is_text) {
            GND_TRY(gnd_cells_number(&x->cells, v, to, value, err));
        } else if (gnd_field_is_missing(f)) {
            GND_TRY(missing_cell(x, v, k, err));
        } else if (x->cells.column[to].is_text) {
            GND_TRY(gnd_cells_text(&x->cells, v, to, f, err));
        } else if (x->know_types || is_number_like(f)) {
            GND_TRY(bad_number(x, k, err));
        } else {
            *look = true;
            break;
        }
    }
out:
    return st;
}

/* Find the columns of text in the whole file. */
static gnd_status types_find(features *x, gnd_error *err)
{
    int64_t *n_text = gnd_alloc(x->table.width, 2 * sizeof *n_text);
    int64_t *n_number = n_text ? n_text + x->table.width : NULL;
    double value;
    bool more = true;
    gnd_status st = GND_OK;

    if (!n_text)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for columns", x->text->path);
    gnd_text_seek(x->text, x->begin);
    for (;;) {
        GND_TRY(gnd_csv_table_next(&x->table, &more, err));
        if (!more)
            break;
        for (int64_t k = 0; k < x->table.width; k++) {
            const gnd_csv_field f = x->table.field[k];

            if (x->column[k] < 0 || gnd_field_is_missing(f))
                continue;
            if (gnd_field_decimal(&value, f, x->table.decimal))
                n_number[k]++;
            else
                n_text[k]++;
        }
    }
    for (int64_t k = 0; k < x->table.width; k++)
        if (x->column[k] >= 0)
            x->cells.column[x->column[k]].is_text = n_text[k] > n_number[k];
    x->know_types = true;
out:
    gnd_free(n_text);
    return st;
}

/* Start with no rows. */
static gnd_status rows_reset(features *x, const gnd_graph *g, gnd_error *err)
{
    bool *is_text = gnd_alloc(x->n_column, sizeof *is_text);
    gnd_status st = GND_OK;

    if (!is_text)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for columns", x->text->path);
    for (int64_t k = 0; x->know_types && k < x->n_column; k++)
        is_text[k] = x->cells.column[k].is_text;
    gnd_cells_fini(&x->cells);
    gnd_id_map_fini(&x->map);
    gnd_free(x->line);
    x->line = NULL;
    x->cap = x->n_row = 0;
    GND_TRY(gnd_cells_init(&x->cells, x->n_column, err));
    GND_TRY(gnd_id_map_init(&x->map, g, err));
    for (int64_t k = 0; k < x->table.width; k++)
        if (x->column[k] >= 0) {
            gnd_cell_column *to = &x->cells.column[x->column[k]];

            to->is_text = is_text[x->column[k]];
            if (x->table.header != GND_NO_HEADER)
                to->name = x->table.name[k];
        }
    gnd_text_seek(x->text, x->begin);
out:
    gnd_free(is_text);
    return st;
}

/* Read all rows; *look as in row_read. */
static gnd_status rows_read(features *x, const gnd_graph *g, bool *look, gnd_error *err)
{
    bool more = true;
    gnd_status st = GND_OK;

    *look = false;
    GND_TRY(rows_reset(x, g, err));
    while (!*look) {
        GND_TRY(gnd_csv_table_next(&x->table, &more, err));
        if (!more)
            break;
        GND_TRY(row_read(x, look, err));
    }
out:
    return st;
}

static gnd_status columns_choose(features *x, gnd_error *err)
{
    x->column = gnd_alloc(x->table.width, sizeof *x->column);
    if (!x->column)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for columns", x->text->path);
    for (int64_t k = 0; k < x->table.width; k++)
        x->column[k] = gnd_csv_table_is_free(&x->table, k) ? (int32_t)x->n_column++ : -1;
    if (x->n_column == 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: has no column of features besides id and label",
                        x->text->path);
    return GND_OK;
}

static gnd_status add_notes(gnd_graph *g, const features *x, gnd_error *err)
{
    const long long n_new = (long long)gnd_names_count(x->map.fresh);
    const long long n_bare = (long long)(gnd_id_map_count(&x->map) - x->n_row);
    const char *path = x->text->path;
    gnd_status st = GND_OK;

    if (n_new > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "vertices_added", err,
                              "%s: %lld vert%s no edges; added as isolated vert%s", path, n_new,
                              n_new == 1 ? "ex has" : "ices have", n_new == 1 ? "ex" : "ices"));
    if (n_bare > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "vertices_without_features", err,
                              "%s: %lld vert%s no row here; their features are 0", path, n_bare,
                              n_bare == 1 ? "ex has" : "ices have"));
out:
    return st;
}

static bool has_vertex(const void *g, gnd_csv_field id)
{
    return gnd_id_find(g, id) >= 0;
}

gnd_status gnd_features_read_table(gnd_graph *g, gnd_text *t, const gnd_load_opts *o,
                                   gnd_error *err)
{
    features x = {.text = t, .missing = o->missing};
    const gnd_csv_ids ids = {has_vertex, g};
    gnd_addition grown = {0};
    gnd_csr feat = {0};
    bool look = false;
    gnd_status st = GND_OK;

    GND_TRY(gnd_csv_table_start(&x.table, t, GND_CSV_FEATURES, o, &ids, err));
    x.begin = gnd_text_tell(t);
    if (x.table.width > 0) {
        GND_TRY(columns_choose(&x, err));
        GND_TRY(rows_read(&x, g, &look, err));
    }
    if (look) {
        GND_TRY(types_find(&x, err));
        GND_TRY(rows_read(&x, g, &look, err));
    }
    if (x.n_row == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no features", t->path));
    GND_TRY(gnd_addition_init(&grown, &x.map, err));
    GND_TRY(gnd_csv_table_notes(&x.table, g, err));
    GND_TRY(gnd_cells_features(&feat, &x.cells, grown.n_node, grown.place, x.missing, t->path,
                               &g->notes, err));
    GND_TRY(add_notes(g, &x, err));
    GND_TRY(gnd_graph_replace_features(g, &feat, err));
    gnd_graph_add_vertices(g, &grown);
out:
    gnd_csr_fini(&feat);
    gnd_addition_fini(&grown);
    gnd_cells_fini(&x.cells);
    gnd_id_map_fini(&x.map);
    gnd_free(x.line);
    gnd_free(x.column);
    gnd_csv_table_fini(&x.table);
    return st;
}
