/* SPDX-License-Identifier: MIT
 * field.c - see the header. */
#include "field.h"

#include <string.h>

#include "op.h"

/* Rows of a level, and where each row of the whole stands among them (-1: nowhere). */
typedef struct {
    const int32_t *row;
    int64_t n;
    int32_t *place; /* [rows of the whole] */
} level;

/* The rows that those of `above` read, in the order they are met; NULL if they are half of all, or
 * more. */
static const int32_t *rows_below(gnd_tape *t, const gnd_csr *a, const level *above, int64_t *n)
{
    const int64_t most = a->n_row / 2;
    int32_t *row = gnd_tape_alloc(t, most, sizeof *row);

    *n = 0;
    for (int64_t i = 0; row && i < above->n; i++)
        for (int64_t p = a->ptr[above->row[i]]; p < a->ptr[above->row[i] + 1]; p++) {
            const int32_t j = a->col[p];

            if (above->place[j] >= 0)
                continue;
            if (*n == most) {
                for (int64_t k = 0; k < most; k++)
                    above->place[row[k]] = -1;
                return NULL;
            }
            above->place[j] = (int32_t)*n;
            row[(*n)++] = j;
        }
    return row;
}

/* Rows of a with their columns renumbered by place, if that is not NULL. Columns then do not
 * ascend: products do not ask for it. */
static gnd_var rows_between(gnd_tape *t, const gnd_csr *a, const int32_t *row, int64_t n,
                            const int32_t *place, int64_t n_col)
{
    const gnd_var part = gnd_rows(t, gnd_sparse(t, a), row, n);
    gnd_csr *sub;

    if (!gnd_tape_ok(t) || !place)
        return part;
    sub = (gnd_csr *)gnd_tape_node(t, part)->sp; /* gnd_rows has just made it, for nobody else */
    for (int64_t p = 0; p < sub->ptr[sub->n_row]; p++)
        sub->col[p] = place[sub->col[p]];
    sub->n_col = n_col;
    gnd_tape_node(t, part)->cols = n_col;
    gnd_tape_node(t, part)->whole = NULL;
    return part;
}

void gnd_field_init(gnd_field *f, gnd_tape *t, const gnd_csr *a, const gnd_csr *at, int64_t depth)
{
    level at_hand = {.row = t->want, .n = t->n_want};

    *f = (gnd_field){.a = a, .at = at};
    for (int64_t l = 0; l < GND_FIELD_MAX; l++)
        f->op[l] = GND_NONE;
    if (!t->want || !gnd_tape_ok(t))
        return;
    at_hand.place = gnd_tape_alloc(t, a->n_row, sizeof *at_hand.place);
    if (!at_hand.place)
        return;
    memset(at_hand.place, 0xff, (size_t)a->n_row * sizeof *at_hand.place);
    for (int64_t l = depth - 1; l >= 0 && at_hand.row; l--) {
        int64_t n = 0;
        const int32_t *below = rows_below(t, a, &at_hand, &n);

        f->op[l] = rows_between(t, a, at_hand.row, at_hand.n, below ? at_hand.place : NULL, n);
        for (int64_t k = 0; below && k < n; k++)
            at_hand.place[below[k]] = -1;
        at_hand.row = below;
        at_hand.n = n;
    }
    f->row = at_hand.row;
    f->n_row = at_hand.n;
}

gnd_var gnd_field_rows(gnd_tape *t, const gnd_field *f, gnd_var x)
{
    return f->row ? gnd_rows(t, x, f->row, f->n_row) : x;
}

gnd_var gnd_field_spmm(gnd_tape *t, const gnd_field *f, int64_t l, gnd_var z)
{
    return f->op[l].i < 0 ? gnd_spmm(t, f->a, f->at, z) : gnd_matmul(t, f->op[l], z);
}
