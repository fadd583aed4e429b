/* SPDX-License-Identifier: MIT
 * edges_write.c - write sorted arcs to the file of a graph. Row pointers, columns and weights are
 * written side by side; weights go to a temporary file until it is known whether all are 1. */

#include "base/alloc.h"
#include "base/tempfile.h"
#include "edges_convert.h"
#include "graph_file.h"
#include "names_write.h"

enum { SOME = 1 << 15 };

/* What is written of a part of the arcs. */
typedef struct {
    const gnd_arc_part *arcs;
    int32_t *col;    /* [arcs->n] */
    int64_t n;       /* arcs that stay */
    int64_t n_row;   /* rows that have arcs: arcs->room has row << 32 | its first arc */
    int64_t n_zero;  /* arcs of weight 0, which are left out */
    bool any_weight; /* a weight, also one of 0, is not 1 */
} written;

typedef struct {
    gnd_edges_read *r;
    gnd_tensor_writer *w;
    int64_t *ptr; /* [SOME] row pointers to be written */
    int32_t *col; /* of all parts */
    written *part;
    int64_t n_node;
    bool weighted;
    bool renumber;    /* vertices are the ranks of their numbers */
    int k_ptr, k_col; /* tensors */
    int64_t n_ptr;    /* row pointers in the buffer */
    int64_t row;      /* rows whose pointer is written, or in the buffer */
    int64_t n_arc, n_zero, n_unique;
    bool any_weight;
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

/* Rows up to `row` start at arc p. */
static gnd_status rows_start(merging *m, int64_t row, int64_t p, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (; m->row <= row; m->row++) {
        m->ptr[m->n_ptr++] = p;
        if (m->n_ptr == SOME) {
            GND_TRY(gnd_tensor_put(m->w, m->k_ptr, m->ptr, m->n_ptr, err));
            m->n_ptr = 0;
        }
    }
out:
    return st;
}

/* Rows and columns of a part; arcs of weight 0 are left out. */
static void part_columns(const merging *m, written *p)
{
    const gnd_vertex_bits *seen = &m->r->seen;
    const gnd_arc_part *arcs = p->arcs;
    const bool renumber = m->renumber;
    int64_t q = 0, last = -1, n_row = 0;

    p->n_zero = 0;
    p->any_weight = false;
    for (int64_t i = 0; i < arcs->n; i++) {
        const int32_t u = (int32_t)(arcs->key[i] >> 32), v = (int32_t)(arcs->key[i] & UINT32_MAX);

        if (arcs->weight) {
            const float weight = arcs->weight[i];

            p->any_weight |= weight != 1;
            if (weight == 0) {
                p->n_zero++;
                continue;
            }
            arcs->weight[q] = weight;
        }
        if (u != last) {
            const int32_t row = renumber ? gnd_vertex_bits_rank(seen, u) : u;

            last = u;
            arcs->room[n_row++] = (uint64_t)row << 32 | (uint64_t)q;
        }
        p->col[q++] = renumber ? gnd_vertex_bits_rank(seen, v) : v;
    }
    p->n = q;
    p->n_row = n_row;
}

static void parts_columns(int64_t first, int64_t last, void *arg)
{
    merging *m = arg;

    for (int64_t k = first; k < last; k++)
        part_columns(m, &m->part[k]);
}

/* Write the arcs of a part. */
static gnd_status part_put(merging *m, const written *p, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < p->n_row; k++) {
        const uint64_t at = p->arcs->room[k];

        GND_TRY(rows_start(m, (int64_t)(at >> 32), m->n_arc + (int64_t)(at & UINT32_MAX), err));
    }
    GND_TRY(gnd_tensor_put(m->w, m->k_col, p->col, p->n, err));
    if (m->weighted)
        GND_TRY(gnd_tempfile_append(&m->weights, p->arcs->weight,
                                    p->n * (int64_t)sizeof *p->arcs->weight, err));
    m->n_arc += p->n;
    m->n_unique += p->arcs->n;
    m->n_zero += p->n_zero;
    m->any_weight |= p->any_weight;
out:
    return st;
}

static gnd_status arcs_merge(merging *m, gnd_error *err)
{
    const int64_t total = gnd_arc_sort_count(m->r->sort);
    const gnd_arc_part *parts;
    int n = 1;
    gnd_status st = GND_OK;

    while (n > 0) {
        int64_t n_arc = 0;

        GND_TRY(gnd_arc_sort_next(m->r->sort, &parts, &n, err));
        for (int k = 0; k < n; k++) {
            m->part[k] =
                (written){.arcs = &parts[k], .col = m->col + k * gnd_arc_sort_most(m->r->sort)};
            n_arc += parts[k].n;
        }
        gnd_parallel_for(m->r->pool, n, 1, 10 * n_arc, parts_columns, m);
        for (int k = 0; k < n; k++)
            GND_TRY(part_put(m, &m->part[k], err));
        gnd_pool_done(m->r->pool, (double)m->n_unique / ((double)total + 1));
        GND_TRY(gnd_pool_check(m->r->pool, err));
    }
    GND_TRY(rows_start(m, m->n_node, m->n_arc, err));
    GND_TRY(gnd_tensor_put(m->w, m->k_ptr, m->ptr, m->n_ptr, err));
    gnd_tensor_cut(m->w, m->n_arc);
out:
    return st;
}

static gnd_status buffers_new(merging *m, gnd_error *err)
{
    const int n_part = gnd_arc_sort_parts(m->r->sort);

    m->ptr = gnd_alloc_raw(SOME, sizeof *m->ptr);
    m->part = gnd_alloc(n_part, sizeof *m->part);
    m->col = gnd_alloc_raw(n_part * gnd_arc_sort_most(m->r->sort), sizeof *m->col);
    return m->ptr && m->part && m->col
               ? GND_OK
               : gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to convert it", m->r->text.path);
}

/* Copy the weights from the temporary file. */
static gnd_status weights_put(merging *m, gnd_error *err)
{
    const int k = gnd_tensor_add(m->w, GND_ADJ_VALUES, "F32", m->n_arc, 0);
    float *val = (float *)(void *)m->ptr; /* which are written */
    gnd_status st = GND_OK;

    for (int64_t at = 0; at < m->n_arc; at += SOME) {
        const int64_t n = m->n_arc - at < SOME ? m->n_arc - at : SOME;

        GND_TRY(gnd_tempfile_read(&m->weights, val, n * (int64_t)sizeof *val,
                                  at * (int64_t)sizeof *val, err));
        GND_TRY(gnd_tensor_put(m->w, k, val, n, err));
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
    merging m = {.r = r,
                 .w = w,
                 .weighted = r->rows.table.at[GND_ROLE_WEIGHT] >= 0,
                 .weights = GND_TEMPFILE_NONE};
    id_list list = {.r = r};
    gnd_name_list ids = {.at = id_at, .user = &list};
    int64_t id_size = 0;
    json_t *meta = NULL;
    gnd_status st;

    GND_TRY(gnd_arc_sort_finish(r->sort, err));
    GND_TRY(buffers_new(&m, err));
    GND_TRY(count_vertices(&m, err));
    if (m.weighted)
        GND_TRY(gnd_tempfile_open(&m.weights, r->folder, err));
    m.k_ptr = gnd_tensor_add(w, GND_ADJ_POINTERS, "I64", m.n_node + 1, 0);
    ids.n = m.n_node;
    if (r->ids || m.renumber)
        GND_TRY(gnd_name_offsets_put(w, GND_ID_OFFSETS, &ids, &id_size, err));
    m.k_col = gnd_tensor_add(w, GND_ADJ_INDICES, "I32", gnd_arc_sort_count(r->sort), 0);
    GND_TRY(arcs_merge(&m, err));
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
    gnd_free(m.ptr);
    gnd_free(m.col);
    gnd_free(m.part);
    return st;
}
