/* SPDX-License-Identifier: MIT
 * relations.c - shared by the ops on several operators; see the header. */
#include "relations.h"

#include <string.h>

static const char list_kind[] = "rows read", lasting_kind[] = "lasting rows";

bool gnd_rows_last(const gnd_tape *t, const gnd_operators *a, gnd_row_list l)
{
    const gnd_kept_key key = {lasting_kind, a->op[0], l.row, l.n, 0};

    return l.row && (l.row == t->lasting || gnd_tape_kept(t, &key));
}

/* The marked rows, ascending. */
static gnd_row_list list_marked(int32_t *row, const unsigned char *read, int64_t n)
{
    int64_t count = 0;

    for (int32_t u = 0; u < n; u++)
        if (read[u])
            row[count++] = u;
    return (gnd_row_list){row, count};
}

gnd_row_list gnd_rows_read(gnd_tape *t, const gnd_operators *a, gnd_row_list to)
{
    const int64_t n = a->n > 0 ? a->op[0]->n_row : 0;
    const bool lasts = a->n > 0 && gnd_rows_last(t, a, to);
    const gnd_kept_key key = {list_kind, lasts ? a->op[0] : NULL, to.row, to.n, a->n};
    gnd_row_list *kept = lasts ? gnd_tape_kept(t, &key) : NULL, list;
    unsigned char *read;
    int32_t *row;

    if (kept)
        return *kept;
    if (!to.row)
        return (gnd_row_list){NULL, n};
    read = gnd_tape_alloc(t, n, 1);
    row = lasts ? gnd_tape_store(t, n, sizeof *row) : gnd_tape_alloc(t, n, sizeof *row);
    if (!read || !row)
        return (gnd_row_list){NULL, n};
    memset(read, 0, (size_t)n);
    for (int64_t k = 0; k < a->n; k++)
        for (int64_t i = 0; i < to.n; i++)
            for (int64_t p = a->op[k]->ptr[to.row[i]]; p < a->op[k]->ptr[to.row[i] + 1]; p++)
                read[a->op[k]->col[p]] = 1;
    list = list_marked(row, read, n);
    kept = lasts ? gnd_tape_store(t, 1, sizeof *kept) : NULL;
    if (kept) {
        *kept = list;
        gnd_tape_keep(t, &key, kept);
        gnd_tape_keep(t, &(gnd_kept_key){lasting_kind, a->op[0], row, list.n, 0}, kept);
    }
    return list;
}

bool gnd_relations_check(gnd_tape *t, const char *op, const gnd_operators *a,
                         const gnd_row_list *to, gnd_var x, gnd_var w)
{
    const gnd_node *xn, *wn;
    int64_t n;

    if (!gnd_check_dense(t, op, w))
        return false;
    xn = gnd_tape_node(t, x);
    wn = gnd_tape_node(t, w);
    n = a->n > 0 ? a->op[0]->n_row : 0;
    for (int64_t k = 0; k < a->n; k++)
        if (a->op[k]->n_row != n || a->op[k]->n_col != n)
            gnd_tape_fail(t, GND_ERR_SHAPE, "%s: operator %lld is [%lld,%lld]; expected %lld", op,
                          (long long)k, (long long)a->op[k]->n_row, (long long)a->op[k]->n_col,
                          (long long)n);
    if (a->n < 1 || wn->rows != a->n * xn->cols || (!xn->row && xn->rows != n))
        gnd_tape_fail(t, GND_ERR_SHAPE, "%s: %lld operators of %lld, x [%lld,%lld], w [%lld,%lld]",
                      op, (long long)a->n, (long long)n, (long long)xn->rows, (long long)xn->cols,
                      (long long)wn->rows, (long long)wn->cols);
    for (int64_t i = 0; gnd_tape_ok(t) && i < to->n; i++)
        if (gnd_row_at(to, i) < 0 || gnd_row_at(to, i) >= n)
            gnd_tape_fail(t, GND_ERR_SHAPE, "%s: row %lld of %lld", op,
                          (long long)gnd_row_at(to, i), (long long)n);
    return gnd_tape_ok(t);
}

int32_t *gnd_relations_places(gnd_tape *t, int64_t n, const gnd_node *x)
{
    int32_t *place = gnd_tape_alloc(t, n, sizeof *place);

    if (!place)
        return NULL;
    memset(place, 0xff, (size_t)n * sizeof *place);
    for (int32_t r = 0; r < x->rows; r++)
        place[x->row ? x->row[r] : r] = r;
    return place;
}

void gnd_relations_missing(gnd_tape *t, const char *op, int64_t row)
{
    gnd_tape_fail(t, GND_ERR_SHAPE, "%s: row %lld is read but is not in x", op, (long long)row);
}
