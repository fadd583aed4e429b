/* SPDX-License-Identifier: MIT
 * edges_write.c - merge sorted arcs into the file of a graph. Row pointers, columns and weights are
 * written side by side; weights go to a temporary file until it is known whether all are 1. */

#include "base/alloc.h"
#include "base/tempfile.h"
#include "edges_convert.h"
#include "graph_file.h"
#include "names_write.h"

enum { SOME = 1 << 15 };

/* Buffers of what is written. */
typedef struct {
    uint64_t key[SOME];
    float weight[SOME];
    int64_t ptr[SOME];
    int32_t col[SOME];
    float val[SOME];
} buffers;

typedef struct {
    gnd_edges_read *r;
    gnd_tensor_writer *w;
    buffers *b;
    int64_t n_node;
    bool renumber;    /* vertices are the ranks of their numbers */
    int k_ptr, k_col; /* tensors */
    int64_t n_ptr;    /* row pointers in the buffer */
    int64_t row;      /* rows whose pointer is written, or in the buffer */
    int64_t n_arc, n_zero, n_unique;
    bool any_weight; /* a weight, also one of 0, is not 1 */
    gnd_tempfile weights;
} merging;

/* ---- ids ---- */

/* The ids, one after another: names, or the numbers that occur. */
typedef struct {
    const gnd_edges_read *r;
    int64_t number; /* of the last call */
    char buf[16];
} id_list;

/* As "%lld", which takes several times as long. v is 0 or more; returns a place in buf. */
static const char *number_text(char buf[16], int64_t v)
{
    char *p = buf + 15;

    *p = '\0';
    do {
        *--p = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    return p;
}

static const char *id_at(void *user, int64_t i)
{
    id_list *l = user;

    if (l->r->ids)
        return gnd_names_get(l->r->ids, i);
    l->number = gnd_vertex_bits_next(&l->r->seen, i == 0 ? 0 : l->number + 1);
    return number_text(l->buf, l->number);
}

/* ---- arcs ---- */

/* Rows up to `row` start at the next arc. */
static gnd_status rows_start(merging *m, int64_t row, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (; m->row <= row; m->row++) {
        m->b->ptr[m->n_ptr++] = m->n_arc;
        if (m->n_ptr == SOME) {
            GND_TRY(gnd_tensor_put(m->w, m->k_ptr, m->b->ptr, m->n_ptr, err));
            m->n_ptr = 0;
        }
    }
out:
    return st;
}

/* Column numbers of n arcs without weights. */
static gnd_status columns_get(merging *m, int64_t n, gnd_error *err)
{
    const gnd_vertex_bits *seen = &m->r->seen;
    const bool renumber = m->renumber;
    buffers *b = m->b;
    int64_t last = -1;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < n; i++) {
        const int32_t u = (int32_t)(b->key[i] >> 32), v = (int32_t)(b->key[i] & UINT32_MAX);

        if (u != last) {
            const int32_t row = renumber ? gnd_vertex_bits_rank(seen, u) : u;

            last = u;
            m->n_arc = m->n_unique + i;
            if (m->row <= row)
                GND_TRY(rows_start(m, row, err));
        }
        b->col[i] = renumber ? gnd_vertex_bits_rank(seen, v) : v;
    }
    m->n_arc = m->n_unique + n;
out:
    return st;
}

/* Write n arcs of the buffers. */
static gnd_status arcs_put(merging *m, int64_t n, bool weighted, gnd_error *err)
{
    const gnd_vertex_bits *seen = &m->r->seen;
    buffers *b = m->b;
    int64_t q = 0, last = -1;
    int32_t row = 0;
    gnd_status st = GND_OK;

    if (!weighted) {
        GND_TRY(columns_get(m, n, err));
        q = n;
    }
    for (int64_t i = 0; weighted && i < n; i++) {
        const int32_t u = (int32_t)(b->key[i] >> 32), v = (int32_t)(b->key[i] & UINT32_MAX);
        const float weight = b->weight[i];

        m->any_weight |= weight != 1;
        if (weight == 0) {
            m->n_zero++;
            continue;
        }
        if (u != last) {
            row = m->renumber ? gnd_vertex_bits_rank(seen, u) : u;
            last = u;
            if (m->row <= row)
                GND_TRY(rows_start(m, row, err));
        }
        b->col[q] = m->renumber ? gnd_vertex_bits_rank(seen, v) : v;
        b->val[q++] = weight;
        m->n_arc++;
    }
    m->n_unique += n;
    GND_TRY(gnd_tensor_put(m->w, m->k_col, b->col, q, err));
    if (weighted)
        GND_TRY(gnd_tempfile_append(&m->weights, b->val, q * (int64_t)sizeof *b->val, err));
out:
    return st;
}

static gnd_status arcs_merge(merging *m, bool weighted, gnd_error *err)
{
    const int64_t total = gnd_arc_sort_count(m->r->sort);
    int64_t n = 1;
    gnd_status st = GND_OK;

    GND_TRY(gnd_arc_sort_finish(m->r->sort, err));
    while (n > 0) {
        GND_TRY(gnd_arc_sort_next(m->r->sort, m->b->key, m->b->weight, SOME, &n, err));
        GND_TRY(arcs_put(m, n, weighted, err));
        gnd_pool_done(m->r->pool, (double)m->n_unique / ((double)total + 1));
        GND_TRY(gnd_pool_check(m->r->pool, err));
    }
    GND_TRY(rows_start(m, m->n_node, err));
    GND_TRY(gnd_tensor_put(m->w, m->k_ptr, m->b->ptr, m->n_ptr, err));
    gnd_tensor_cut(m->w, m->n_arc);
out:
    return st;
}

/* Copy the weights from the temporary file. */
static gnd_status weights_put(merging *m, gnd_error *err)
{
    const int k = gnd_tensor_add(m->w, GND_ADJ_VALUES, "F32", m->n_arc, 0);
    gnd_status st = GND_OK;

    for (int64_t at = 0; at < m->n_arc; at += SOME) {
        const int64_t n = m->n_arc - at < SOME ? m->n_arc - at : SOME;

        GND_TRY(gnd_tempfile_read(&m->weights, m->b->val, n * (int64_t)sizeof *m->b->val,
                                  at * (int64_t)sizeof *m->b->val, err));
        GND_TRY(gnd_tensor_put(m->w, k, m->b->val, n, err));
        GND_TRY(gnd_pool_check(m->r->pool, err));
    }
out:
    return st;
}

/* The vertices: stated, names, or the numbers that occur. */
static gnd_status count_vertices(merging *m, gnd_error *err)
{
    gnd_edges_read *r = m->r;

    if (r->ids) {
        m->n_node = gnd_names_count(r->ids);
    } else if (r->n_stated > 0) {
        m->n_node = r->n_stated;
    } else {
        m->n_node = gnd_vertex_bits_count(&r->seen);
        if (m->n_node < 0)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertex ids", r->text.path);
        m->renumber = m->n_node != (int64_t)r->max + 1;
    }
    return GND_OK;
}

gnd_status gnd_edges_write(gnd_edges_read *r, gnd_tensor_writer *w, int64_t *n_dup, int64_t *n_zero,
                           gnd_error *err)
{
    const bool weighted = r->rows.table.at[GND_ROLE_WEIGHT] >= 0;
    merging m = {.r = r, .w = w, .weights = GND_TEMPFILE_NONE};
    id_list list = {.r = r};
    gnd_name_list ids = {.at = id_at, .user = &list};
    int64_t id_size = 0;
    json_t *meta = NULL;
    gnd_status st;

    m.b = gnd_alloc_raw(1, sizeof *m.b);
    if (!m.b)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to convert it", r->text.path));
    GND_TRY(count_vertices(&m, err));
    if (weighted)
        GND_TRY(gnd_tempfile_open(&m.weights, r->folder, err));
    m.k_ptr = gnd_tensor_add(w, GND_ADJ_POINTERS, "I64", m.n_node + 1, 0);
    ids.n = m.n_node;
    if (r->ids || m.renumber)
        GND_TRY(gnd_name_offsets_put(w, GND_ID_OFFSETS, &ids, &id_size, err));
    m.k_col = gnd_tensor_add(w, GND_ADJ_INDICES, "I32", gnd_arc_sort_count(r->sort), 0);
    GND_TRY(arcs_merge(&m, weighted, err));
    if (m.any_weight)
        GND_TRY(weights_put(&m, err));
    if (r->ids || m.renumber)
        GND_TRY(gnd_name_bytes_put(w, GND_IDS, &ids, id_size, err));
    meta = gnd_graph_file_meta(0);
    if (!meta)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for the header", r->text.path));
    GND_TRY(gnd_tensor_writer_finish(w, meta, err));
    *n_dup = gnd_arc_sort_count(r->sort) - m.n_unique;
    *n_zero = m.n_zero;
out:
    json_decref(meta);
    gnd_tempfile_close(&m.weights);
    gnd_free(m.b);
    return st;
}
