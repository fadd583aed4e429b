/* SPDX-License-Identifier: MIT
 * relate.c - see the header. */
#include "relate.h"

#include <string.h>

gnd_row_list gnd_rows_read(gnd_tape *t, const gnd_operators *a, gnd_row_list to)
{
    const int64_t n = a->n > 0 ? a->op[0]->n_row : 0;
    unsigned char *read;
    int32_t *row;
    int64_t count = 0;

    if (!to.row)
        return (gnd_row_list){NULL, n};
    read = gnd_tape_alloc(t, n, 1);
    row = gnd_tape_alloc(t, n, sizeof *row);
    if (!read || !row)
        return (gnd_row_list){NULL, n};
    memset(read, 0, (size_t)n);
    for (int64_t k = 0; k < a->n; k++)
        for (int64_t i = 0; i < to.n; i++)
            for (int64_t p = a->op[k]->ptr[to.row[i]]; p < a->op[k]->ptr[to.row[i] + 1]; p++)
                read[a->op[k]->col[p]] = 1;
    for (int32_t u = 0; u < n; u++)
        if (read[u])
            row[count++] = u;
    return (gnd_row_list){row, count};
}

bool gnd_relate_check(gnd_tape *t, const char *op, const gnd_operators *a, const gnd_row_list *to,
                      gnd_var x, gnd_var w)
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

int32_t *gnd_relate_places(gnd_tape *t, int64_t n, const gnd_node *x)
{
    int32_t *place = gnd_tape_alloc(t, n, sizeof *place);

    if (!place)
        return NULL;
    memset(place, 0xff, (size_t)n * sizeof *place);
    for (int32_t r = 0; r < x->rows; r++)
        place[x->row ? x->row[r] : r] = r;
    return place;
}

void gnd_relate_missing(gnd_tape *t, const char *op, int64_t row)
{
    gnd_tape_fail(t, GND_ERR_SHAPE, "%s: row %lld is read, and is not there", op, (long long)row);
}
