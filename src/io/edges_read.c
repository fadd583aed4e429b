/* SPDX-License-Identifier: MIT
 * edges_read.c - read a text file of edges of any size into a sorter, within a limit of memory.
 *
 * Rows of numbers are read in parallel, in pieces of whole lines. A quoted field may contain a line
 * end, so from the first quote on rows are read one after another, and so are rows with ids that
 * are not numbers, which are numbered in the order of their first occurrence. Rows, vertices and
 * errors are those of edgelist.c. */
#include <string.h>

#include "base/alloc.h"
#include "edges_convert.h"

enum {
    PIECE_MIN = 1 << 16, /* bytes of text */
    PIECE_MAX = 1 << 22,
    ROW_MIN = 4,     /* bytes of the shortest row: "1 2\n" */
    SOME = 1 << 14,  /* arcs that are passed to the sorter at once */
    FORGET = 1 << 22 /* bytes of text after which memory is given back */
};

/* Shares of the memory, besides the half for arcs: 1 / 4, 1 / 8 and 1 / 16. The rest is for the
 * program. */
enum { SHARE_IDS = 4, SHARE_PIECE = 8, SHARE_TEXT = 16 };

typedef enum { PIECE_DONE, PIECE_NAMES, PIECE_QUOTE, PIECE_BAD } piece_state;

/* A part of the text, and the arcs in it. */
typedef struct {
    gnd_text text;
    gnd_edge_rows rows;
    uint64_t *key;
    float *val;
    int64_t n, cap;
    int32_t max;
    piece_state state;
} piece;

typedef struct {
    gnd_edges_read *r;
    piece *v;
    int64_t n, size; /* pieces of a batch, bytes of a piece */
} batch;

static gnd_status no_memory(const gnd_edges_read *r, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to convert it", r->text.path);
}

static int64_t megabytes(double bytes)
{
    return (int64_t)(bytes / (1 << 20)) + 1;
}

/* ---- ids ---- */

/* Make room for numbers up to r->max. */
static gnd_status numbers_reserve(gnd_edges_read *r, gnd_error *err)
{
    const int64_t most = (int64_t)r->max + r->max / 4, bytes = gnd_vertex_bits_bytes(r->max);

    if (bytes > r->memory / SHARE_IDS)
        return gnd_fail(err, GND_ERR_NOMEM,
                        "%s: ids up to %d take %lld MB of memory while it is converted; allow "
                        "%lld MB or more for it (--memory)",
                        r->text.path, r->max, (long long)megabytes((double)bytes),
                        (long long)megabytes((double)bytes * SHARE_IDS));
    if (!gnd_vertex_bits_reserve(&r->seen, most) && !gnd_vertex_bits_reserve(&r->seen, r->max))
        return no_memory(r, err);
    return GND_OK;
}

/* Names cannot be written to disk while rows are read: each must be found again. */
static gnd_status names_check(const gnd_edges_read *r, gnd_error *err)
{
    const double bytes = (double)gnd_names_bytes(r->ids);
    const double share = (double)r->text.next / (double)r->text.size;

    if (bytes <= (double)r->memory / SHARE_IDS)
        return GND_OK;
    return gnd_fail(err, GND_ERR_NOMEM,
                    "%s: its ids are not numbers, so all must be in memory; %lld of them take %lld "
                    "MB after %.0f %% of the file; allow %lld MB or more (--memory)",
                    r->text.path, (long long)gnd_names_count(r->ids), (long long)megabytes(bytes),
                    100 * share, (long long)megabytes(bytes * SHARE_IDS / share));
}

/* ---- pieces ---- */

static void piece_add(piece *p, int32_t u, int32_t v, double weight)
{
    p->key[p->n] = gnd_arc_key(u, v);
    if (p->val)
        p->val[p->n] = (float)weight;
    p->n++;
}

/* Fail if there is a NUL byte from the place of t on. */
static gnd_status nul_check(const gnd_text *t, gnd_error *err)
{
    const char *nul = NULL;
    long long line = (long long)t->line + 1;

    for (size_t at = t->next; at < t->size && !nul; at += FORGET) {
        const size_t n = t->size - at < FORGET ? t->size - at : FORGET;

        nul = memchr(t->data + at, '\0', n);
        if (t->map)
            gnd_mapping_forget(t->map, (int64_t)at, (int64_t)(at + n));
    }
    if (!nul)
        return GND_OK;
    for (const char *p = t->data + t->next; p < nul; p++)
        line += *p == '\n';
    return gnd_fail(err, GND_ERR_FORMAT, "%s:%lld: has a NUL byte; expected text", t->path, line);
}

/* The rows from here on are not two numbers each: is there a quote or a NUL byte? */
static gnd_status piece_check(piece *p, gnd_error *err)
{
    const gnd_text *t = &p->text;

    if (memchr(t->data + t->next, '"', t->size - t->next))
        p->state = PIECE_QUOTE;
    return p->state == PIECE_QUOTE ? GND_OK : nul_check(t, err);
}

/* Read the rows of a piece; in parallel with err NULL, once more with err for the message. */
static gnd_status piece_read(piece *p, int64_t n_stated, gnd_error *err)
{
    bool more, checked = false;
    gnd_status st = GND_OK;

    p->state = PIECE_DONE;
    for (;;) {
        gnd_edge_row row;

        p->n += gnd_edge_rows_numbers(&p->rows, p->key + p->n, p->cap - p->n, &p->max, n_stated);
        if (!checked)
            GND_TRY(piece_check(p, err));
        checked = true;
        if (p->state == PIECE_QUOTE)
            return GND_OK;
        GND_TRY(gnd_edge_rows_next(&p->rows, &row, &more, err));
        if (!more)
            break;
        if (!row.numbers) {
            p->state = PIECE_NAMES;
            return GND_OK;
        }
        GND_TRY(gnd_edge_row_stated(&p->rows, &row, n_stated, err));
        piece_add(p, row.u, row.v, row.weight);
        if (row.both && row.u != row.v)
            piece_add(p, row.v, row.u, row.weight);
        p->max = row.u > p->max ? row.u : p->max;
        p->max = row.v > p->max ? row.v : p->max;
    }
out:
    p->state = st == GND_OK ? PIECE_DONE : PIECE_BAD;
    return st;
}

static void pieces_read(int64_t first, int64_t last, void *arg)
{
    batch *b = arg;

    for (int64_t k = first; k < last; k++)
        piece_read(&b->v[k], b->r->n_stated, NULL);
}

static void pieces_mark(int64_t first, int64_t last, void *arg)
{
    batch *b = arg;

    for (int64_t k = first; k < last; k++)
        for (int64_t i = 0; i < b->v[k].n; i++) {
            gnd_vertex_bits_add(&b->r->seen, (int32_t)(b->v[k].key[i] >> 32));
            gnd_vertex_bits_add(&b->r->seen, (int32_t)(b->v[k].key[i] & UINT32_MAX));
        }
}

/* Cut a piece off the text: bytes next .. *end - 1, whole lines. false: there is none, or it is too
 * long. */
static bool piece_cut(piece *p, const gnd_edges_read *r, size_t next, int64_t size, size_t *end)
{
    const gnd_text *t = &r->text;
    gnd_csv_field *field = p->rows.table.field; /* scratch of the piece, kept */
    const int64_t cap = p->rows.table.cap;

    *end = t->size - next > (size_t)size ? next + (size_t)size : t->size;
    if (*end < t->size) {
        const char *line = memchr(t->data + *end, '\n', t->size - *end);

        *end = line ? (size_t)(line + 1 - t->data) : t->size;
    }
    if (next >= t->size || (int64_t)(*end - next) / ROW_MIN + 1 > p->cap)
        return false;
    p->text = (gnd_text){.data = t->data, .size = *end, .next = next, .path = t->path};
    p->rows = r->rows;
    p->rows.text = p->rows.table.text = &p->text;
    p->rows.table.field = field;
    p->rows.table.cap = cap;
    p->rows.n_both = p->rows.n_time = 0;
    p->rows.n_row = 1; /* the first row of the file was read before */
    p->n = 0;
    p->max = 0;
    return true;
}

/* Take over what the pieces before the first quote have; *n: how many, on entry that there are.
 * *names: an id is not a number. */
static gnd_status batch_take(batch *b, int64_t *n, bool *names, gnd_error *err)
{
    gnd_edges_read *r = b->r;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < *n; k++) {
        piece *p = &b->v[k];
        const size_t begin = r->text.next;

        if (p->state == PIECE_BAD) { /* again, for the message with the number of its line */
            size_t end;

            piece_cut(p, r, begin, b->size, &end);
            p->text.line = r->text.line;
            GND_TRY(piece_read(p, r->n_stated, err));
        }
        if (p->state == PIECE_NAMES) {
            *names = true;
            return GND_OK;
        }
        if (p->state == PIECE_QUOTE)
            *n = k;
        if (k == *n)
            break;
        r->text.next = p->text.size;
        r->text.line += p->text.line;
        r->text.n_tag += p->text.n_tag;
        r->rows.n_both += p->rows.n_both;
        r->rows.n_time += p->rows.n_time;
        r->rows.n_row += p->rows.n_row - 1;
        r->max = p->max > r->max ? p->max : r->max;
    }
    if (r->n_stated == 0) {
        GND_TRY(numbers_reserve(r, err));
        gnd_parallel_for(r->pool, *n, 1, INT64_MAX, pieces_mark, b);
    }
    for (int64_t k = 0; k < *n; k++)
        GND_TRY(gnd_arc_sort_add(r->sort, b->v[k].key, b->v[k].val, b->v[k].n, err));
out:
    return st;
}

static gnd_status tick(gnd_edges_read *r, gnd_error *err)
{
    gnd_pool_done(r->pool, (double)r->text.next / ((double)r->text.size + 1));
    return gnd_pool_check(r->pool, err);
}

static gnd_status batch_init(batch *b, gnd_edges_read *r, gnd_error *err)
{
    const int threads = gnd_pool_threads(r->pool) > 1 ? gnd_pool_threads(r->pool) : 1;
    const int64_t each = sizeof(uint64_t) + sizeof(float);
    const bool weighted = r->rows.table.at[GND_ROLE_WEIGHT] >= 0;
    int64_t cap;

    b->r = r;
    b->n = 2 * threads;
    b->size = r->memory / SHARE_PIECE / b->n * ROW_MIN / each;
    b->size = b->size < PIECE_MIN ? PIECE_MIN : b->size > PIECE_MAX ? PIECE_MAX : b->size;
    cap = b->size / ROW_MIN * 9 / 8; /* a piece ends after the line that is longer */
    b->v = gnd_alloc(b->n, sizeof *b->v);
    for (int64_t k = 0; b->v && k < b->n; k++) {
        b->v[k].cap = cap;
        b->v[k].key = gnd_alloc_raw(cap, sizeof *b->v[k].key);
        b->v[k].val = weighted ? gnd_alloc_raw(cap, sizeof *b->v[k].val) : NULL;
        if (!b->v[k].key || (weighted && !b->v[k].val))
            return no_memory(r, err);
    }
    return b->v ? GND_OK : no_memory(r, err);
}

static void batch_fini(batch *b)
{
    for (int64_t k = 0; b->v && k < b->n; k++) {
        gnd_free(b->v[k].key);
        gnd_free(b->v[k].val);
        gnd_free(b->v[k].rows.table.field);
    }
    gnd_free(b->v);
}

/* Read pieces up to the end, the first quote, or (*names) an id that is not a number. */
static gnd_status read_pieces(gnd_edges_read *r, bool *names, gnd_error *err)
{
    batch b = {0};
    bool more = true;
    gnd_status st = GND_OK;

    GND_TRY(batch_init(&b, r, err));
    while (more && !*names) {
        size_t next = r->text.next, end = next;
        int64_t n = 0, cut;

        for (; n < b.n && piece_cut(&b.v[n], r, next, b.size, &end); n++)
            next = end;
        cut = n;
        gnd_parallel_for(r->pool, n, 1, INT64_MAX, pieces_read, &b);
        end = r->text.next;
        GND_TRY(batch_take(&b, &n, names, err));
        more = n == b.n && n == cut;
        gnd_mapping_forget(r->text.map, (int64_t)end, (int64_t)r->text.next);
        GND_TRY(tick(r, err));
    }
out:
    batch_fini(&b);
    return st;
}

/* ---- row by row ---- */

typedef struct {
    uint64_t key[SOME];
    float val[SOME];
    int64_t n;
} arcs;

static gnd_status arcs_pass(gnd_edges_read *r, arcs *a, gnd_error *err)
{
    const gnd_status st = gnd_arc_sort_add(r->sort, a->key, a->val, a->n, err);

    a->n = 0;
    return st;
}

static void arc_add(gnd_edges_read *r, arcs *a, int32_t u, int32_t v, double weight)
{
    const bool is_first = gnd_arc_sort_count(r->sort) == 0 && a->n == 0;

    if (is_first) {
        r->first[0] = u;
        r->first[1] = v;
    } else if (!r->again) {
        r->again = u == r->first[0] || u == r->first[1] || v == r->first[0] || v == r->first[1];
    }
    a->key[a->n] = gnd_arc_key(u, v);
    a->val[a->n++] = (float)weight;
}

static gnd_status row_add(gnd_edges_read *r, arcs *a, const gnd_edge_row *row, gnd_error *err)
{
    int32_t u = row->u, v = row->v;
    gnd_status st = GND_OK;

    if (r->ids) {
        GND_TRY(gnd_edge_name(&u, r->ids, row->source, &r->text, err));
        GND_TRY(gnd_edge_name(&v, r->ids, row->target, &r->text, err));
    } else {
        GND_TRY(gnd_edge_row_stated(&r->rows, row, r->n_stated, err));
        r->max = u > r->max ? u : r->max;
        r->max = v > r->max ? v : r->max;
        if (r->n_stated == 0) {
            GND_TRY(numbers_reserve(r, err));
            gnd_vertex_bits_add(&r->seen, u);
            gnd_vertex_bits_add(&r->seen, v);
        }
    }
    arc_add(r, a, u, v, row->weight);
    if (row->both && u != v)
        arc_add(r, a, v, u, row->weight);
    if (a->n + 2 > SOME)
        GND_TRY(arcs_pass(r, a, err));
out:
    return st;
}

/* Read `most` rows, or up to the end or (*names) an id that is not a number. */
static gnd_status read_rows(gnd_edges_read *r, int64_t most, bool *names, gnd_error *err)
{
    arcs *a = gnd_alloc_raw(1, sizeof *a);
    gnd_edge_row row;
    gnd_status st = GND_OK;

    if (!a)
        return no_memory(r, err);
    a->n = 0;
    if (r->rows.n_row > 0)
        r->text.kept = r->text.next; /* pieces were read, which have no quotes */
    for (int64_t k = 0; k < most; k++) {
        bool more;

        GND_TRY(gnd_edge_rows_next(&r->rows, &row, &more, err));
        if (!more)
            break;
        if (!r->ids && !row.numbers) {
            *names = true;
            break;
        }
        GND_TRY(row_add(r, a, &row, err));
        if (k % SOME == SOME - 1) {
            if (r->ids)
                GND_TRY(names_check(r, err));
            GND_TRY(tick(r, err));
        }
        if (k == 0) /* the first row of the file may be shown in a message at the end */
            r->text.kept = r->text.next;
        gnd_text_forget(&r->text);
    }
    GND_TRY(arcs_pass(r, a, err));
out:
    gnd_free(a);
    return st;
}

/* ---- the file ---- */

static gnd_status sort_new(gnd_edges_read *r, gnd_error *err)
{
    gnd_arc_sort_free(r->sort);
    r->sort = NULL;
    return gnd_arc_sort_new(&r->sort, r->sort_memory, r->rows.table.at[GND_ROLE_WEIGHT] >= 0,
                            r->folder, r->text.path, r->pool, err);
}

/* Read again from the first row: ids are text. Numbers before are text too, in the order of their
 * first occurrence, which the sorter does not keep. */
static gnd_status restart(gnd_edges_read *r, gnd_text_place start, gnd_error *err)
{
    gnd_status st;

    r->ids = gnd_names_new();
    if (!r->ids)
        return no_memory(r, err);
    gnd_vertex_bits_fini(&r->seen);
    gnd_text_seek(&r->text, start);
    r->rows.n_both = r->rows.n_time = r->rows.n_row = 0;
    r->again = false;
    GND_TRY(sort_new(r, err));
out:
    return st;
}

/* If the first row may be a header, do its ids occur in other rows? */
static gnd_status check_first(const gnd_edges_read *r, gnd_error *err)
{
    const int64_t n = r->n_id_stated;
    const bool again = !r->rows.table.doubtful || r->again || r->first[0] == r->first[1] ||
                       r->first[0] < n || r->first[1] < n;
    gnd_status st;

    GND_TRY(gnd_edge_header_check(&r->rows, r->ids, err));
    if (!again)
        GND_TRY(gnd_edge_first_doubt(&r->rows, err));
out:
    return st;
}

gnd_status gnd_edges_read_all(gnd_edges_read *r, const char *path, gnd_error *err)
{
    gnd_text_place start;
    bool names = false;
    gnd_status st;

    GND_TRY(gnd_text_map(&r->text, path, r->folder, r->o, err));
    r->text.most = r->memory / SHARE_TEXT;
    if (!(r->o && r->o->format))
        GND_TRY(gnd_edges_check_foreign(&r->text, err));
    GND_TRY(gnd_edge_comments(&r->ids, &r->n_stated, &r->text, err));
    r->n_id_stated = gnd_names_count(r->ids);
    GND_TRY(gnd_edge_rows_start(&r->rows, &r->text, r->o, err));
    start = gnd_text_tell(&r->text);
    GND_TRY(sort_new(r, err));
    if (!r->ids) {
        GND_TRY(read_rows(r, 1, &names, err)); /* it decides whether there is a column of types */
        if (!names)
            GND_TRY(read_pieces(r, &names, err));
        if (!names) {
            GND_TRY(nul_check(&r->text, err));
            GND_TRY(read_rows(r, INT64_MAX, &names, err));
        }
        if (names)
            GND_TRY(restart(r, start, err));
    }
    if (r->ids) {
        GND_TRY(nul_check(&r->text, err));
        GND_TRY(read_rows(r, INT64_MAX, &names, err));
        GND_TRY(names_check(r, err));
    }
    if (gnd_arc_sort_count(r->sort) == 0 && r->n_stated == 0 && !r->ids)
        GND_TRY(gnd_edges_none(&r->text, err));
    GND_TRY(check_first(r, err));
    GND_TRY(gnd_edges_check_stated(&r->text, r->ids, r->n_stated, err));
out:
    return st;
}

void gnd_edges_read_sorted(gnd_edges_read *r)
{
    gnd_arc_sort_free(r->sort);
    r->sort = NULL;
    gnd_vertex_bits_fini(&r->seen);
}

void gnd_edges_read_fini(gnd_edges_read *r)
{
    gnd_edges_read_sorted(r);
    gnd_names_free(r->ids);
    gnd_edge_rows_fini(&r->rows);
    gnd_text_close(&r->text);
}
