/* SPDX-License-Identifier: MIT
 * receptive_field.c - computes the levels of a receptive field; see the header. */
#include "receptive_field.h"

#include <string.h>

#include "list_order.h"
#include "plan/plan.h"

/* State while a field is computed. Levels are nested, so all lists are the first rows of one list,
 * and all operators between lists are the first rows of one matrix. */
typedef struct {
    gnd_tape *t;
    void *(*alloc)(gnd_tape *t, int64_t n, size_t size);
    const gnd_csr *a;
    int32_t *place; /* [n] index of each row in the list, -1: not in it */
    int32_t *row;   /* [most] the list */
    int64_t n, most;
} maker;

/* Appends row j to the list unless it is there. Returns false if the list is full. */
static bool add(maker *m, int32_t j)
{
    if (m->place[j] >= 0)
        return true;
    if (m->n == m->most)
        return false;
    m->place[j] = (int32_t)m->n;
    m->row[m->n++] = j;
    return true;
}

/* Appends the rows that the listed rows from `from` on read, in the order of first use. Returns
 * false, with the list as before, if there are nearly as many as all rows. */
static bool add_read(maker *m, int64_t from)
{
    const gnd_csr *a = m->a;
    const int64_t n = m->n;
    bool fits = true;

    for (int64_t i = from; fits && i < n; i++)
        for (int64_t p = a->ptr[m->row[i]]; fits && p < a->ptr[m->row[i] + 1]; p++)
            fits = add(m, a->col[p]);
    while (!fits && m->n > n)
        m->place[m->row[--m->n]] = -1;
    return fits;
}

/* The rows of a. place: columns are renumbered by it; they are then not in ascending order, which
 * products do not require. NULL: they are not. */
static gnd_csr rows_of(const maker *m, gnd_row_list rows, const int32_t *place)
{
    const gnd_csr *a = m->a;
    gnd_csr y = {.n_row = rows.n};
    int64_t nnz = 0, q = 0;

    for (int64_t i = 0; i < rows.n; i++)
        nnz += a->ptr[rows.row[i] + 1] - a->ptr[rows.row[i]];
    y.ptr = m->alloc(m->t, rows.n + 1, sizeof *y.ptr);
    y.col = m->alloc(m->t, nnz, sizeof *y.col);
    y.val = a->val ? m->alloc(m->t, nnz, sizeof *y.val) : NULL;
    if (!gnd_tape_ok(m->t))
        return y;
    y.ptr[0] = 0;
    for (int64_t i = 0; i < rows.n; i++) {
        for (int64_t p = a->ptr[rows.row[i]]; p < a->ptr[rows.row[i] + 1]; p++, q++) {
            y.col[q] = place ? place[a->col[p]] : a->col[p];
            if (a->val)
                y.val[q] = a->val[p];
        }
        y.ptr[i + 1] = q;
    }
    return y;
}

/* Operator l with the first rows of y. */
static void op_set(gnd_receptive_field *f, const maker *m, int64_t l, const gnd_csr *y)
{
    gnd_csr *op = m->alloc(m->t, 1, sizeof *op);

    if (!op)
        return;
    *op = *y;
    op->n_row = f->level[l + 1].n;
    op->n_col = f->level[l].n;
    f->op[l] = op;
}

/* The operators; lowest: the lowest level that does not hold all rows. The top level may list a row
 * twice; its operator is then a matrix of its own. */
static void ops_make(gnd_receptive_field *f, const maker *m, int64_t lowest, bool twice)
{
    const int64_t top = f->depth - 1;
    gnd_csr y;

    if (lowest > 0) {
        y = rows_of(m, f->level[lowest], NULL);
        op_set(f, m, lowest - 1, &y);
    }
    if (lowest < top || (lowest == top && !twice)) {
        y = rows_of(m, f->level[lowest + 1], m->place);
        for (int64_t l = lowest; l <= top - twice; l++)
            op_set(f, m, l, &y);
    }
    if (lowest <= top && twice) {
        y = rows_of(m, f->level[f->depth], m->place);
        op_set(f, m, top, &y);
    }
}

/* The list of all levels but the top, and the number of rows of each. Returns the lowest level that
 * does not hold all rows; depth + 1: none. */
static int64_t levels_make(gnd_receptive_field *f, maker *m)
{
    const gnd_tape *t = m->t;
    int64_t l = f->depth, from = 0;
    bool fits = true;

    for (int64_t i = 0; fits && i < t->n_request; i++)
        fits = add(m, t->request[i]);
    if (!fits)
        return l + 1;
    for (; l > 0; l--) {
        const int64_t n = m->n;

        if (!add_read(m, from))
            break;
        from = n;
        f->level[l - 1].n = m->n;
    }
    return l;
}

/* Copies the list for the levels, and sets the index of the requested rows in it. */
static void lists_set(gnd_receptive_field *f, const maker *m, int64_t lowest)
{
    const gnd_tape *t = m->t;
    int32_t *row = m->alloc(m->t, m->n, sizeof *row),
            *at_request = m->alloc(m->t, t->n_request, sizeof *at_request);

    if (!row || !at_request)
        return;
    memcpy(row, m->row, (size_t)m->n * sizeof *row);
    for (int64_t i = 0; i < t->n_request; i++)
        at_request[i] = m->place[t->request[i]]; /* the same at every level */
    for (int64_t l = lowest; l < f->depth; l++)
        f->level[l].row = row;
    f->at_request = at_request;
}

static void field_make(gnd_receptive_field *f, gnd_tape *t)
{
    maker m = {.t = t,
               .alloc = f->lasts ? gnd_tape_store : gnd_tape_alloc,
               .a = f->a,
               .most = gnd_plan_level_most(f->a->n_row)};
    int64_t lowest, distinct;

    m.place = gnd_tape_alloc(t, f->a->n_row, sizeof *m.place);
    m.row = gnd_tape_alloc(t, m.most, sizeof *m.row);
    if (!gnd_tape_ok(t))
        return;
    memset(m.place, 0xff, (size_t)f->a->n_row * sizeof *m.place);
    lowest = levels_make(f, &m);
    if (lowest > f->depth)
        return;
    f->level[f->depth] = (gnd_row_list){t->request, t->n_request};
    lists_set(f, &m, lowest);
    for (distinct = 0; distinct < t->n_request && f->at_request; distinct++)
        if (f->at_request[distinct] != distinct)
            break;
    if (gnd_tape_ok(t))
        ops_make(f, &m, lowest, distinct < t->n_request);
}

static bool request_is_valid(gnd_tape *t, int64_t n)
{
    for (int64_t i = 0; i < t->n_request; i++)
        if (t->request[i] < 0 || t->request[i] >= n) {
            gnd_tape_fail(t, GND_ERR_SHAPE, "receptive field: row %d of %lld", t->request[i],
                          (long long)n);
            return false;
        }
    return true;
}

void gnd_receptive_init(gnd_receptive_field *f, gnd_tape *t, const gnd_csr *a, const gnd_csr *at,
                        int64_t depth)
{
    static const char kind[] = "field";
    const bool lasts = t->request && t->request == t->lasting;
    const gnd_kept_key key = {kind, a, t->request, t->n_request, depth};
    const gnd_receptive_field *old = lasts ? gnd_tape_kept(t, &key) : NULL;
    gnd_receptive_field *kept;

    if (old) {
        *f = *old;
        return;
    }
    *f = (gnd_receptive_field){.a = a, .at = at, .depth = depth, .lasts = lasts};
    for (int64_t l = 0; l <= depth; l++)
        f->level[l].n = a->n_row;
    /* Rows of copies are empty, and processes must compute the same levels. */
    f->order = gnd_list_order_get(t, a, at, depth);
    if (!t->request || a->part || !gnd_tape_ok(t) || !request_is_valid(t, a->n_row))
        return;
    field_make(f, t);
    kept = lasts ? gnd_tape_store(t, 1, sizeof *kept) : NULL;
    if (!kept || !gnd_tape_ok(t))
        return;
    *kept = *f;
    gnd_tape_keep(t, &key, kept);
}

gnd_var gnd_receptive_rows(gnd_tape *t, const gnd_receptive_field *f, gnd_var x)
{
    const gnd_row_list low = f->level[0];

    if (!low.row)
        return x;
    return f->lasts ? gnd_rows_lasting(t, x, low.row, low.n) : gnd_rows(t, x, low.row, low.n);
}

gnd_var gnd_receptive_spmm(gnd_tape *t, const gnd_receptive_field *f, int64_t l, gnd_var z)
{
    gnd_var y;

    if (!f->op[l]) {
        y = gnd_spmm(t, f->a, f->order && l >= f->order->lowest - 1 ? &f->order->at : f->at, z);
        return f->a->part && l == f->depth - 1 ? gnd_requested(t, y) : y;
    }
    y = gnd_matmul(t, gnd_sparse(t, f->op[l]), z);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = f->level[l + 1].row;
    return y;
}

/* 0, 1, .. n - 1: a level starts with the rows of the level above it. */
static const int32_t *first_rows(gnd_tape *t, int64_t n)
{
    int32_t *row = gnd_tape_alloc(t, n, sizeof *row);

    for (int64_t i = 0; row && i < n; i++)
        row[i] = (int32_t)i;
    return row;
}

gnd_var gnd_receptive_part(gnd_tape *t, const gnd_receptive_field *f, int64_t l, gnd_var z,
                           int64_t to)
{
    const gnd_row_list from = f->level[l], part = f->level[to];
    gnd_var y;

    if (l == to || !part.row || !gnd_tape_ok(t))
        return z;
    if (!from.row)
        return gnd_rows(t, z, part.row, part.n);
    y = gnd_rows(t, z, to == f->depth ? f->at_request : first_rows(t, part.n), part.n);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = part.row;
    return y;
}
