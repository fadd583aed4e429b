/* SPDX-License-Identifier: MIT
 * mtx.c - read Matrix Market files (Boisvert, Pozo and Remington, NISTIR 5935) as a graph or as a
 * matrix.
 *
 * coordinate: lines `row column [value]`, counted from 1; array: all values, column by column. A
 * symmetric file states one triangle; both are read. Zeros are not stored. */
#include "mtx.h"

#include <string.h>

#include "base/str.h"
#include "io.h"
#include "text.h"
#include "coo.h"

static const char BANNER[] = "%%MatrixMarket";

typedef struct {
    gnd_text text;
    int64_t max_input;      /* bytes that the file may take, see limit.h */
    const gnd_load_opts *o; /* of a graph; NULL: max_input holds */
    bool array, pattern, symmetric;
    bool weights; /* values are weights of edges, which must not be negative */
    int64_t n_row, n_col, n_entry;
    int64_t n_zero;
    gnd_coo entry;
} mtx;

/* One word of the banner must be one of those that are read; the message names them. */
static gnd_status banner_word(int *out, const mtx *m, gnd_csv_field f, const char *what,
                              const char *const words[], gnd_error *err)
{
    char show[GND_SHOWN];

    for (*out = 0; words[*out]; ++*out)
        if (gnd_field_equals(f, words[*out]))
            return GND_OK;
    return gnd_text_fail(&m->text, err, "%s Matrix Market files are not read; expected %s",
                         gnd_field_show(show, f), what);
}

static gnd_status read_banner(mtx *m, gnd_error *err)
{
    static const char *const object[] = {"matrix", NULL};
    static const char *const layout[] = {"coordinate", "array", NULL};
    static const char *const field[] = {"real", "integer", "double", "pattern", NULL};
    static const char *const symmetry[] = {"general", "symmetric", NULL};
    gnd_csv_field f[5];
    const char *s;
    size_t len;
    int64_t n;
    int k;
    gnd_status st = GND_OK;

    if (!gnd_text_line(&m->text, &s, &len))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: is empty; expected %s", m->text.path, BANNER));
    GND_TRY(gnd_fields_split(gnd_text_fields(&m->text, s, len, ' '), f, 5, &n, err));
    if (n != 5 || !gnd_field_equals(f[0], BANNER))
        GND_TRY(gnd_text_fail(&m->text, err,
                              "expected '%s matrix coordinate|array real|integer|pattern "
                              "general|symmetric'",
                              BANNER));
    GND_TRY(banner_word(&k, m, f[1], "matrix", object, err));
    GND_TRY(banner_word(&k, m, f[2], "coordinate or array", layout, err));
    m->array = k == 1;
    GND_TRY(banner_word(&k, m, f[3], "real, integer or pattern", field, err));
    m->pattern = k == 3;
    GND_TRY(banner_word(&k, m, f[4], "general or symmetric", symmetry, err));
    m->symmetric = k == 1;
    if (m->array && m->pattern)
        GND_TRY(gnd_text_fail(&m->text, err, "an array of pattern has no values"));
out:
    return st;
}

/* Number of values that an array states; -1: overflow. */
static int64_t array_count(const mtx *m)
{
    int64_t n = m->n_row;

    if (m->symmetric)
        return n * (n + 1) / 2; /* n < 2^31 */
    return __builtin_mul_overflow(n, m->n_col, &n) ? -1 : n;
}

static gnd_status read_size(mtx *m, gnd_error *err)
{
    int64_t *const to[] = {&m->n_row, &m->n_col, &m->n_entry};
    const int64_t want = m->array ? 2 : 3;
    const gnd_text *t = &m->text;
    gnd_csv_field f[3];
    const char *s;
    size_t len;
    int64_t n;
    gnd_status st = GND_OK;

    if (!gnd_text_data_line(&m->text, &s, &len))
        return gnd_text_fail(t, err, "the file ends before its line of sizes");
    GND_TRY(gnd_fields_split(gnd_text_fields(&m->text, s, len, ' '), f, 3, &n, err));
    if (n != want)
        return gnd_text_fail(t, err, "expected %s; got %lld field%s",
                             m->array ? "rows and columns" : "rows, columns and entries",
                             (long long)n, n == 1 ? "" : "s");
    for (int64_t i = 0; i < n; i++) {
        char show[GND_SHOWN];

        if (!gnd_parse_int(to[i], f[i].s, f[i].len) || *to[i] < 0)
            return gnd_text_fail(t, err, "expected a count; got '%s'", gnd_field_show(show, f[i]));
    }
    if (m->n_row < 1 || m->n_col < 1 || m->n_row > GND_MAX_NODE || m->n_col > GND_MAX_FEAT)
        return gnd_text_fail(t, err, "a matrix of %lld x %lld; expected 1 to %d rows and columns",
                             (long long)m->n_row, (long long)m->n_col, GND_MAX_NODE);
    if (m->symmetric && m->n_row != m->n_col)
        return gnd_text_fail(t, err, "a symmetric matrix of %lld x %lld; expected a square one",
                             (long long)m->n_row, (long long)m->n_col);
    if (m->array)
        m->n_entry = array_count(m);
    /* An entry takes at least two bytes ("1\n"), an index pair four; the last line end may be
     * missing. */
    if (m->n_entry < 0 || (uint64_t)m->n_entry > (t->size + 1) / (m->array ? 2 : 4))
        return gnd_text_fail(t, err, "states more entries than a file of %zu bytes can hold",
                             t->size);
    if (!gnd_text_plausible(t, m->n_row) || !gnd_text_plausible(t, m->n_col))
        return gnd_text_fail(t, err,
                             "a matrix of %lld x %lld is more than a file of %zu bytes can "
                             "state",
                             (long long)m->n_row, (long long)m->n_col, t->size);
out:
    return st;
}

static gnd_status add_entry(mtx *m, int64_t i, int64_t j, double v, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (v == 0) {
        m->n_zero++;
        return GND_OK;
    }
    GND_TRY(gnd_coo_add(&m->entry, (int32_t)i, (int32_t)j, v, err));
    if (m->symmetric && i != j)
        GND_TRY(gnd_coo_add(&m->entry, (int32_t)j, (int32_t)i, v, err));
out:
    return st;
}

static gnd_status parse_value(double *out, const mtx *m, gnd_csv_field f, gnd_error *err)
{
    char show[GND_SHOWN], why[GND_NOT_REAL];

    if (!gnd_field_real(out, f))
        return gnd_text_fail(&m->text, err, "%s", gnd_field_not_real(why, f));
    if (m->weights && *out < 0)
        return gnd_text_fail(&m->text, err, "expected a weight that is not negative; got '%s'",
                             gnd_field_show(show, f));
    return GND_OK;
}

static gnd_status parse_index(int64_t *out, const mtx *m, gnd_csv_field f, const char *what,
                              int64_t n, gnd_error *err)
{
    char show[GND_SHOWN];

    if (!gnd_parse_int(out, f.s, f.len) || *out < 1 || *out > n)
        return gnd_text_fail(&m->text, err, "expected a %s from 1 to %lld; got '%s'", what,
                             (long long)n, gnd_field_show(show, f));
    --*out;
    return GND_OK;
}

static gnd_status entry_line(mtx *m, const char *s, size_t len, int64_t k, gnd_error *err)
{
    const int64_t want = m->pattern ? 2 : 3;
    gnd_csv_field f[3];
    double v = 1;
    int64_t n, i, j;
    gnd_status st = GND_OK;

    if (k >= m->n_entry)
        return gnd_text_fail(&m->text, err, "expected the end after %lld entries",
                             (long long)m->n_entry);
    GND_TRY(gnd_fields_split(gnd_text_fields(&m->text, s, len, ' '), f, 3, &n, err));
    if (n != want)
        return gnd_text_fail(&m->text, err, "expected %s; got %lld field%s",
                             m->pattern ? "row and column" : "row, column and value", (long long)n,
                             n == 1 ? "" : "s");
    GND_TRY(parse_index(&i, m, f[0], "row", m->n_row, err));
    GND_TRY(parse_index(&j, m, f[1], "column", m->n_col, err));
    if (!m->pattern)
        GND_TRY(parse_value(&v, m, f[2], err));
    GND_TRY(add_entry(m, i, j, v, err));
out:
    return st;
}

static gnd_status read_coordinate(mtx *m, gnd_error *err)
{
    int64_t k = 0;
    const char *s;
    size_t len;
    gnd_status st = GND_OK;

    for (; gnd_text_data_line(&m->text, &s, &len); k++)
        GND_TRY(entry_line(m, s, len, k, err));
    if (k < m->n_entry)
        GND_TRY(gnd_text_fail(&m->text, err, "the file ends after %lld of %lld entries",
                              (long long)k, (long long)m->n_entry));
out:
    return st;
}

static gnd_status read_array(mtx *m, gnd_error *err)
{
    int64_t k = 0, i = 0, j = 0;
    const char *s;
    size_t len;
    double v;
    gnd_status st = GND_OK;

    while (gnd_text_data_line(&m->text, &s, &len)) {
        gnd_fields c = gnd_text_fields(&m->text, s, len, ' ');
        gnd_csv_field f;

        for (; gnd_fields_next(&c, &f); k++) {
            if (k >= m->n_entry)
                GND_TRY(gnd_text_fail(&m->text, err, "expected the end after %lld values",
                                      (long long)m->n_entry));
            GND_TRY(parse_value(&v, m, f, err));
            GND_TRY(add_entry(m, i, j, v, err));
            if (++i == m->n_row)
                i = m->symmetric ? ++j : (j++, 0);
        }
        if (c.bad)
            GND_TRY(gnd_fields_fail(&c, err));
    }
    if (k < m->n_entry)
        GND_TRY(gnd_text_fail(&m->text, err, "the file ends after %lld of %lld values",
                              (long long)k, (long long)m->n_entry));
out:
    return st;
}

static gnd_status mtx_parse(gnd_csr *out, mtx *m, int64_t *n_merged, const char *path,
                            gnd_error *err)
{
    gnd_status st = GND_OK;

    GND_TRY(m->o ? gnd_text_open_watched(&m->text, path, m->o, err)
                 : gnd_text_open_lines(&m->text, path, m->max_input, err));
    GND_TRY(read_banner(m, err));
    GND_TRY(read_size(m, err));
    if (m->weights && m->n_row != m->n_col)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "%s:%lld: a matrix of %lld x %lld; expected a square one for a graph",
                         path, (long long)m->text.line, (long long)m->n_row, (long long)m->n_col));
    GND_TRY(m->array ? read_array(m, err) : read_coordinate(m, err));
    GND_TRY(gnd_load_check(m->o, err));
    GND_TRY(gnd_coo_to_csr(out, &m->entry, m->n_row, m->n_col, n_merged, err));
out:
    gnd_coo_fini(&m->entry);
    gnd_text_close(&m->text);
    return st;
}

gnd_status gnd_mtx_load_matrix(gnd_csr *out, int64_t *n_merged, const char *path, int64_t max_input,
                               gnd_error *err)
{
    mtx m = {.max_input = max_input};

    *out = (gnd_csr){0};
    if (n_merged)
        *n_merged = 0;
    return mtx_parse(out, &m, n_merged, path, err);
}

static gnd_status mtx_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                           gnd_error *err)
{
    mtx m = {.weights = true, .o = o};
    gnd_csr adj = {0};
    gnd_graph *g = NULL;
    char name[256];
    int64_t n_dup = 0;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(mtx_parse(&adj, &m, &n_dup, path, err));
    gnd_path_stem(name, sizeof name, path);
    GND_TRY(gnd_graph_new(&g, name, adj.n_row, err));
    g->adj = adj;
    adj = (gnd_csr){0};
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged (the largest weight stays)", path,
                              (long long)n_dup, n_dup == 1 ? " was" : "s were"));
    if (m.n_zero > 0 && !m.array)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "zero_weights", err,
                              "%s: %lld entr%s value 0 and %s no edge%s", path, (long long)m.n_zero,
                              m.n_zero == 1 ? "y has" : "ies have", m.n_zero == 1 ? "is" : "are",
                              m.n_zero == 1 ? "" : "s"));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(gnd_graph_check(g, path, err));
    *out = g;
    g = NULL;
out:
    gnd_csr_fini(&adj);
    gnd_graph_free(g);
    return st;
}

static bool mtx_sniff(const char *path, const char *head, size_t n_head)
{
    const size_t n = sizeof BANNER - 1;

    (void)path;
    return n_head >= n && gnd_field_equals((gnd_csv_field){.s = head, .len = n}, BANNER);
}

const gnd_format gnd_format_mtx = {
    .name = "mtx",
    .about = "Matrix Market: the adjacency matrix, coordinate or array (.mtx, .mtx.gz)",
    .sniff = mtx_sniff,
    .read = mtx_read,
};
