/* SPDX-License-Identifier: MIT
 * drop_ahead.c - the mask of the next training pass, and the entries that it drops. */
#include "drop_ahead.h"

#include "base/bits.h"
#include "base/rng.h"
#include "narrow.h"

enum { WORD = 64 };

static const char kind = 0; /* its address is a part of the key */

/* A new slot, with epoch -1. all is NULL if there is no memory in the budget; NULL after an error.
 */
static gnd_ahead *ahead_new(gnd_tape *t, const gnd_csr *x, double p, int64_t width)
{
    gnd_ahead *a = gnd_tape_store(t, 1, sizeof *a);
    const int64_t room = gnd_kept_room(gnd_csr_nnz(x), p);
    const int64_t size = x->n_row * width;
    const int64_t bytes = size * (int64_t)sizeof *a->y + gnd_kept_bytes(x, room);

    if (!a)
        return NULL;
    *a = (gnd_ahead){.room = room, .epoch = -1};
    if (!gnd_budget_take(&t->budget, bytes))
        return a;
    a->all = x;
    gnd_kept_arrays(t, &a->x, x, room, gnd_tape_store);
    a->y = gnd_tape_store(t, size, sizeof *a->y);
    return gnd_tape_ok(t) ? a : NULL;
}

typedef struct {
    const gnd_kern *kern;
    uint64_t *keep;
    gnd_drop_law law;
    int64_t n;
} mask_job;

static void mask_words(int64_t begin, int64_t end, void *arg)
{
    const mask_job *j = arg;

    for (int64_t w = begin; w < end; w++)
        j->keep[w] =
            j->kern->kept(&j->law, w * WORD, j->n - w * WORD < WORD ? j->n - w * WORD : WORD);
}

/* Draws the mask of the next training pass and copies the kept entries. */
static void ahead_fill(gnd_tape *t, gnd_ahead *a, double p, const char *place)
{
    const int64_t nnz = gnd_csr_nnz(a->all), words = (nnz + WORD - 1) / WORD, now = t->epoch;
    uint64_t *keep = gnd_tape_alloc(t, words + 1, sizeof *keep); /* one more may be read */
    int64_t *before;

    if (!keep)
        return;
    keep[words] = 0;
    t->epoch = t->next;
    gnd_parallel_for(t->pool, words, gnd_grain_limit(GND_ELEM_GRAIN / WORD, words), nnz * 2,
                     mask_words, &(mask_job){t->kern, keep, gnd_mask_law(t, p, place), nnz});
    t->epoch = now;
    before = gnd_kept_before(t, keep, nnz);
    if (!before || before[words] > a->room)
        return;
    a->scale = (gnd_real)(1 / (1 - p));
    gnd_kept_pack(t, &a->x, a->all, keep, a->scale, before);
    a->keep = keep;
    a->epoch = t->next;
}

gnd_ahead *gnd_ahead_get(gnd_tape *t, gnd_var x, double p, const char *place, int64_t width)
{
    const gnd_node *xn = gnd_tape_ok(t) ? gnd_tape_node(t, x) : NULL;
    gnd_kept_key key = {.kind = &kind, .n = width};
    gnd_product_sizes sizes;
    gnd_ahead *a;

    if (!xn || !xn->sp || !xn->lasts || xn->row || t->part || t->mask || !(p > 0 && p < 1) ||
        (!t->training && t->next < 0))
        return NULL;
    sizes = gnd_product_sizes_of(xn->sp, 1);
    if (!gnd_product_ahead(&sizes))
        return NULL;
    key.of = xn->sp;
    key.depth = (int64_t)gnd_hash_name(place);
    a = gnd_tape_kept(t, &key);
    if (t->training)
        return a && a->all && a->epoch == t->epoch ? a : NULL;
    if (!a) {
        const gnd_csr *narrow = gnd_narrow_get(t, xn, width);

        a = ahead_new(t, narrow ? narrow : key.of, p, width);
        if (a)
            gnd_tape_keep(t, &key, a);
    }
    if (!a || !a->all || !gnd_tape_ok(t))
        return NULL;
    a->epoch = -1;
    ahead_fill(t, a, p, place);
    return a->epoch >= 0 && gnd_tape_ok(t) ? a : NULL;
}

/* The entries from e on that a word of the mask drops, n <= 64. */
static uint64_t dropped_at(const uint64_t *keep, int64_t e, int64_t n)
{
    const int64_t shift = e % WORD;
    uint64_t word = keep[e / WORD] >> shift;

    if (shift + n > WORD)
        word |= keep[e / WORD + 1] << (WORD - shift);
    return ~word & (~UINT64_C(0) >> (WORD - n));
}

/* Copies the dropped ones of the entries from p on. */
static void rest_pack(gnd_rest *r, const gnd_kern *kern, const gnd_csr *x, int64_t p, int64_t n,
                      const uint64_t *drop)
{
    const gnd_real *val = x->val ? x->val + p : NULL;

    if (x->col16)
        kern->pack16(r->col16, r->val, x->col16 + p, val, 1, drop, n);
    else
        kern->pack(r->col, r->val, x->col + p, val, 1, drop, n);
}

bool gnd_rest_next(gnd_rest *r, const gnd_kern *kern, const gnd_ahead *a, int64_t end)
{
    const int64_t row = r->row + r->x.n_row, *ptr = a->all->ptr;
    const int64_t most = end - row < GND_REST_ROWS ? end - row : GND_REST_ROWS;
    uint64_t drop[GND_REST_ENTRIES / WORD];
    int64_t n = 0, total;

    if (row >= end)
        return false;
    r->row = row;
    while (n < most && ptr[row + n + 1] - ptr[row] <= GND_REST_ENTRIES)
        n++;
    r->kept = gnd_csr_slice(&a->x, row, n ? n : 1);
    r->whole = n == 0;
    if (n == 0) {
        r->x = gnd_csr_slice(a->all, row, 1);
        return true;
    }
    total = ptr[row + n] - ptr[row];
    for (int64_t e = 0; e < total; e += WORD)
        drop[e / WORD] = dropped_at(a->keep, ptr[row] + e, total - e < WORD ? total - e : WORD);
    rest_pack(r, kern, a->all, ptr[row], total, drop);
    for (int64_t i = 0; i <= n; i++) /* entries so far without the kept ones */
        r->ptr[i] = ptr[row + i] - ptr[row] - (a->x.ptr[row + i] - a->x.ptr[row]);
    r->x = gnd_csr_slice(a->all, row, n);
    r->x.ptr = r->ptr;
    if (r->x.col16)
        r->x.col16 = r->col16;
    else
        r->x.col = r->col;
    if (r->x.val || !r->x.col16)
        r->x.val = r->val;
    return true;
}
