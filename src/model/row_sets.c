/* SPDX-License-Identifier: MIT
 * row_sets.c - finding the row set, and its prepared rows, that a pass requests. */
#include "model.h"

const gnd_row_set *gnd_row_set_requested(const gnd_inputs *in, const gnd_tape *t)
{
    for (int k = 0; k < GND_ROW_SETS; k++)
        if (t->request && in->rows[k].row == t->request && in->rows[k].n == t->n_request)
            return &in->rows[k];
    return NULL;
}

/* Index of each requested row in the set; NULL if one is missing or memory runs out. */
static const int32_t *rows_find(gnd_tape *t, const gnd_row_set *h)
{
    int32_t *at = gnd_tape_alloc(t, t->n_request, sizeof *at);

    for (int64_t i = 0; at && i < t->n_request; i++) {
        int64_t k = 0;

        while (k < h->n && h->row[k] != t->request[i])
            k++;
        if (k == h->n)
            return NULL;
        at[i] = (int32_t)k;
    }
    return at;
}

gnd_var gnd_row_set_part(const gnd_inputs *in, gnd_tape *t)
{
    const gnd_row_set *h = gnd_row_set_requested(in, t), *train = &in->rows[GND_TRAIN_ROWS];
    const int32_t *at;

    if (h && h->part.n_row > 0)
        return gnd_sparse(t, &h->part);
    if (h || !t->training || !t->request || train->part.n_row == 0)
        return (gnd_var){-1};
    at = rows_find(t, train); /* a batch */
    return at ? gnd_rows(t, gnd_sparse(t, &train->part), at, t->n_request) : (gnd_var){-1};
}
