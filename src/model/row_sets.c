/* SPDX-License-Identifier: MIT
 * held.c - rows that passes ask for again and again: which of them a pass is asked for. */
#include "model.h"

const gnd_held *gnd_held_asked(const gnd_inputs *in, const gnd_tape *t)
{
    for (int k = 0; k < GND_HELD_SETS; k++)
        if (t->request && in->held[k].row == t->request && in->held[k].n == t->n_request)
            return &in->held[k];
    return NULL;
}

/* Where each row asked for stands among those held; NULL if one does not, or memory is short. */
static const int32_t *rows_find(gnd_tape *t, const gnd_held *h)
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

gnd_var gnd_held_part(const gnd_inputs *in, gnd_tape *t)
{
    const gnd_held *h = gnd_held_asked(in, t), *train = &in->held[GND_TRAIN_ROWS];
    const int32_t *at;

    if (h && h->part.n_row > 0)
        return gnd_sparse(t, &h->part);
    if (h || !t->training || !t->request || train->part.n_row == 0)
        return (gnd_var){-1};
    at = rows_find(t, train); /* a batch */
    return at ? gnd_rows(t, gnd_sparse(t, &train->part), at, t->n_request) : (gnd_var){-1};
}
