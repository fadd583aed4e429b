/* SPDX-License-Identifier: MIT
 * receptive_field.c - computes the levels of a receptive field; see the header. */
#include "receptive_field.h"

#include <string.h>

#include "op.h"
#include "plan/plan.h"

/* State while a field is computed: the allocator, and the index of each row in the current level
 * (-1: not in it). */
typedef struct {
    gnd_tape *t;
    void *(*alloc)(gnd_tape *t, int64_t n, size_t size);
    const gnd_csr *a;
    int32_t *place; /* [n] */
} maker;

/* Appends row j to the list unless it is there. Returns false if the list is full. */
static bool add(int32_t *place, int32_t *row, int64_t *n, int64_t most, int32_t j)
{
    if (place[j] >= 0)
        return true;
    if (*n == most)
        return false;
    place[j] = (int32_t)*n;
    row[(*n)++] = j;
    return true;
}

/* The rows of `above`, then the rows that they read, in the order of first use; sets their
 * places. All rows, without places, if there are nearly as many. */
static gnd_row_list level_below(const maker *m, gnd_row_list above)
{
    const gnd_csr *a = m->a;
    const int64_t most = gnd_plan_level_most(a->n_row);
    int32_t *row = gnd_tape_alloc(m->t, most, sizeof *row), *own;
    int64_t n = 0;
    bool fits = row != NULL;

    for (int64_t i = 0; fits && i < above.n; i++)
        fits = add(m->place, row, &n, most, above.row[i]);
    for (int64_t i = 0; fits && i < above.n; i++)
        for (int64_t p = a->ptr[above.row[i]]; fits && p < a->ptr[above.row[i] + 1]; p++)
            fits = add(m->place, row, &n, most, a->col[p]);
    own = fits ? m->alloc(m->t, n, sizeof *own) : NULL;
    if (own) {
        memcpy(own, row, (size_t)n * sizeof *own);
        return (gnd_row_list){own, n};
    }
    for (int64_t k = 0; row && k < n; k++)
        m->place[row[k]] = -1;
    return (gnd_row_list){NULL, a->n_row};
}

/* The rows `above` of a. If `below` does not hold all rows, columns are renumbered by place;
 * they are then not in ascending order, which products do not require. */
static const gnd_csr *rows_between(const maker *m, gnd_row_list above, gnd_row_list below)
{
    const gnd_csr *a = m->a;
    gnd_csr *y = m->alloc(m->t, 1, sizeof *y);
    int64_t nnz = 0, q = 0;

    if (!y)
        return NULL;
    for (int64_t i = 0; i < above.n; i++)
        nnz += a->ptr[above.row[i] + 1] - a->ptr[above.row[i]];
    *y = (gnd_csr){.n_row = above.n, .n_col = below.n};
    y->ptr = m->alloc(m->t, above.n + 1, sizeof *y->ptr);
    y->col = m->alloc(m->t, nnz, sizeof *y->col);
    y->val = a->val ? m->alloc(m->t, nnz, sizeof *y->val) : NULL;
    if (!gnd_tape_ok(m->t))
        return NULL;
    y->ptr[0] = 0;
    for (int64_t i = 0; i < above.n; i++) {
        for (int64_t p = a->ptr[above.row[i]]; p < a->ptr[above.row[i] + 1]; p++, q++) {
            y->col[q] = below.row ? m->place[a->col[p]] : a->col[p];
            if (a->val)
                y->val[q] = a->val[p];
        }
        y->ptr[i + 1] = q;
    }
    return y;
}

static void field_make(gnd_receptive_field *f, gnd_tape *t)
{
    maker m = {.t = t, .alloc = f->lasts ? gnd_tape_store : gnd_tape_alloc, .a = f->a};
    gnd_row_list at_hand = f->level[f->depth];
    int32_t *at_request = m.alloc(t, t->n_request, sizeof *at_request);

    m.place = gnd_tape_alloc(t, f->a->n_row, sizeof *m.place);
    if (!at_request || !m.place)
        return;
    memset(m.place, 0xff, (size_t)f->a->n_row * sizeof *m.place);
    for (int64_t l = f->depth - 1; l >= 0 && at_hand.row && gnd_tape_ok(t); l--) {
        const gnd_row_list below = level_below(&m, at_hand);

        f->op[l] = rows_between(&m, at_hand, below);
        if (!below.row)
            break;
        for (int64_t i = 0; i < t->n_request; i++)
            at_request[i] = m.place[t->request[i]]; /* the same at every level */
        for (int64_t k = 0; k < below.n; k++)
            m.place[below.row[k]] = -1;
        f->level[l] = at_hand = below;
    }
    f->at_request = at_request;
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
    if (!t->request || !gnd_tape_ok(t) || !request_is_valid(t, a->n_row))
        return;
    f->level[depth] = (gnd_row_list){t->request, t->n_request};
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

    if (!f->op[l])
        return gnd_spmm(t, f->a, f->at, z);
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
