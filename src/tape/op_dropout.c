/* SPDX-License-Identifier: MIT
 * op_dropout.c - inverted dropout: an element is kept with probability 1 - p and divided by it,
 * else 0.
 *
 * Which ones are kept is a function of (seed, epoch, place, element), or given from outside. A
 * sparse matrix gives a new one that holds the kept entries only, so later products skip the
 * others. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "op.h"

/* What backward needs, and how the mask is made. */
typedef struct {
    const unsigned char *keep; /* [n] */
    gnd_real scale;            /* 1 / (1 - p) */
} dropout_arg;

/* The law of a mask. */
typedef struct {
    uint64_t key, drop_below; /* of 32-bit numbers */
} mask_law;

typedef struct {
    unsigned char *keep;
    mask_law law;
} mask_job;

/* One hash serves elements 2i and 2i + 1. */
static void mask_pairs(int64_t begin, int64_t end, void *arg)
{
    const mask_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const uint64_t h = gnd_hash_at(j->law.key, (uint64_t)i);

        j->keep[2 * i] = (h & UINT32_MAX) >= j->law.drop_below;
        j->keep[2 * i + 1] = (h >> 32) >= j->law.drop_below;
    }
}

/* The same for a single element. */
static bool mask_at(const mask_law *law, int64_t element)
{
    const uint64_t h = gnd_hash_at(law->key, (uint64_t)element / 2);

    return (element % 2 ? h >> 32 : h & UINT32_MAX) >= law->drop_below;
}

uint64_t gnd_mask_key(const gnd_tape *t, const char *place)
{
    const uint64_t key = gnd_mix64(t->seed ^ UINT64_C(0x6a09e667f3bcc909));

    return gnd_mix64(gnd_mix64(key + (uint64_t)t->epoch) ^ gnd_hash_name(place));
}

static const gnd_mask *mask_given(const gnd_tape *t, const char *place)
{
    for (int32_t i = 0; i < t->n_mask; i++)
        if (strcmp(t->mask[i].place, place) == 0)
            return &t->mask[i];
    return NULL;
}

/* Elements of the rows that x holds, each by its place in the whole matrix. */
static const unsigned char *mask_rows(gnd_tape *t, const gnd_node *x, const mask_law *law,
                                      const gnd_mask *given)
{
    unsigned char *keep = gnd_tape_alloc(t, gnd_node_size(x), 1);

    for (int64_t i = 0; keep && i < x->rows; i++)
        for (int64_t c = 0; c < x->cols; c++) {
            const int64_t e = x->row[i] * x->cols + c;

            if (given && e >= given->n) {
                gnd_tape_fail(t, GND_ERR_SHAPE, "dropout %s: the mask given has %lld elements",
                              given->place, (long long)given->n);
                return NULL;
            }
            keep[i * x->cols + c] = given ? given->keep[e] : mask_at(law, e);
        }
    return keep;
}

/* Stored entries of the rows that a sparse x holds, each by its place in the whole matrix. */
static const unsigned char *mask_entries(gnd_tape *t, const gnd_node *x, const mask_law *law,
                                         const gnd_mask *given)
{
    unsigned char *keep = gnd_tape_alloc(t, gnd_csr_nnz(x->sp), 1);

    if (given && given->n != gnd_csr_nnz(x->whole)) {
        gnd_tape_fail(t, GND_ERR_SHAPE, "dropout %s: the mask given has %lld elements, not %lld",
                      given->place, (long long)given->n, (long long)gnd_csr_nnz(x->whole));
        return NULL;
    }
    for (int64_t i = 0; keep && i < x->rows; i++) {
        const int64_t first = x->whole->ptr[x->row[i]] - x->sp->ptr[i];

        for (int64_t p = x->sp->ptr[i]; p < x->sp->ptr[i + 1]; p++)
            keep[p] = given ? given->keep[first + p] : mask_at(law, first + p);
    }
    return keep;
}

/* The keep mask of n elements, NULL after an error. */
static const unsigned char *mask_all(gnd_tape *t, int64_t n, const mask_law *law,
                                     const gnd_mask *given)
{
    mask_job j = {.law = *law};

    if (given && given->n == n)
        return given->keep;
    if (given) {
        gnd_tape_fail(t, GND_ERR_SHAPE, "dropout %s: the mask given has %lld elements, not %lld",
                      given->place, (long long)given->n, (long long)n);
        return NULL;
    }
    j.keep = gnd_tape_alloc(t, n + 1, 1); /* pairs: one more if n is odd */
    if (j.keep)
        gnd_for_elements(t, (n + 1) / 2, 4, mask_pairs, &j);
    return j.keep;
}

static const unsigned char *mask_make(gnd_tape *t, const gnd_node *x, double p, const char *place,
                                      const gnd_mask *given)
{
    const mask_law law = {.key = gnd_mask_key(t, place), .drop_below = (uint64_t)(p * 0x1p32)};

    if (x->row)
        return x->sp ? mask_entries(t, x, &law, given) : mask_rows(t, x, &law, given);
    return mask_all(t, x->sp ? gnd_csr_nnz(x->sp) : gnd_node_size(x), &law, given);
}

/* ---- dense ---------------------------------------------------------------------------------- */

typedef struct {
    const dropout_arg *d;
    const gnd_real *x;
    gnd_real *out;
} dense_job;

/* The product is formed before it is chosen: masks are noise to a branch predictor. */
static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const dense_job *j = arg;
    const unsigned char *restrict keep = j->d->keep;
    const gnd_real *restrict x = j->x, scale = j->d->scale;
    gnd_real *restrict out = j->out;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real scaled = x[i] * scale;

        out[i] = keep[i] ? scaled : 0;
    }
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const dense_job *j = arg;
    const unsigned char *restrict keep = j->d->keep;
    const gnd_real *restrict x = j->x, scale = j->d->scale;
    gnd_real *restrict out = j->out;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real scaled = x[i] * scale;

        out[i] += keep[i] ? scaled : 0;
    }
}

static void dropout_forward(gnd_tape *t, gnd_node *y)
{
    gnd_for_elements(t, gnd_node_size(y), 1, value_piece,
                     &(dense_job){y->arg, gnd_tape_node(t, y->in[0])->v, y->v});
}

static void dropout_backward(gnd_tape *t, gnd_node *y)
{
    gnd_for_elements(t, gnd_node_size(y), 1, grad_piece,
                     &(dense_job){y->arg, y->g, gnd_tape_node(t, y->in[0])->g});
}

const gnd_op gnd_op_dropout = {
    .name = "dropout",
    .forward = dropout_forward,
    .backward = dropout_backward,
};

/* ---- sparse --------------------------------------------------------------------------------- */

/* Blocks of rows, counted first, so that each is packed where it belongs. */
enum { BLOCK_NNZ = 65536 };

typedef struct {
    const gnd_csr *x;
    gnd_csr *y;
    const dropout_arg *d;
    int64_t n_block;
    int64_t *first; /* [n_block + 1] where the entries of a block begin in y */
} sparse_job;

static int64_t block_row(const sparse_job *j, int64_t b)
{
    return j->x->n_row * b / j->n_block;
}

static void count_piece(int64_t begin, int64_t end, void *arg)
{
    const sparse_job *j = arg;

    for (int64_t b = begin; b < end; b++) {
        const int64_t p1 = j->x->ptr[block_row(j, b + 1)];
        int64_t n = 0;

        for (int64_t p = j->x->ptr[block_row(j, b)]; p < p1; p++)
            n += j->d->keep[p] != 0;
        j->first[b + 1] = n;
    }
}

static void pack_block(const sparse_job *j, int64_t b)
{
    const gnd_csr *x = j->x, *y = j->y;
    const int64_t end = j->first[b + 1];
    int64_t q = j->first[b];

    for (int64_t i = block_row(j, b); i < block_row(j, b + 1); i++) {
        /* Past the last one kept there is another block's. */
        for (int64_t p = x->ptr[i]; q < end && p < x->ptr[i + 1]; p++) {
            y->col[q] = x->col[p]; /* overwritten if dropped: no branch on noise */
            y->val[q] = gnd_csr_val(x, p) * j->d->scale;
            q += j->d->keep[p] != 0;
        }
        y->ptr[i + 1] = q;
    }
}

static void pack_piece(int64_t begin, int64_t end, void *arg)
{
    for (int64_t b = begin; b < end; b++)
        pack_block(arg, b);
}

/* Room for the kept entries that is the same in every epoch, all but surely: eight deviations more
 * than their mean. */
static int64_t room_for(int64_t n_kept, int64_t nnz, double p)
{
    const int64_t usual =
        (int64_t)((double)nnz * (1 - p) + 8 * sqrt((double)nnz * p * (1 - p))) + 1;

    return n_kept > usual ? n_kept : usual < nnz ? usual : nnz;
}

static gnd_var dropout_sparse(gnd_tape *t, const gnd_csr *x, const dropout_arg *d, double p)
{
    const int64_t nnz = gnd_csr_nnz(x);
    gnd_csr *y = gnd_tape_alloc(t, 1, sizeof *y);
    sparse_job j = {.x = x, .y = y, .d = d, .n_block = nnz / BLOCK_NNZ + 1};
    gnd_var out;
    int64_t room;

    j.first = gnd_tape_alloc(t, j.n_block + 1, sizeof *j.first);
    if (!y || !j.first)
        return GND_NONE;
    j.first[0] = 0;
    gnd_parallel_for(t->pool, j.n_block, 1, nnz, count_piece, &j);
    for (int64_t b = 0; b < j.n_block; b++)
        j.first[b + 1] += j.first[b];
    room = room_for(j.first[j.n_block], nnz, p);
    *y = (gnd_csr){.n_row = x->n_row, .n_col = x->n_col};
    y->ptr = gnd_tape_alloc(t, x->n_row + 1, sizeof *y->ptr);
    y->col = gnd_tape_alloc(t, room, sizeof *y->col);
    y->val = gnd_tape_alloc(t, room, sizeof *y->val);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    y->ptr[0] = 0;
    gnd_parallel_for(t->pool, j.n_block, 1, nnz * 2, pack_piece, &j);
    out = gnd_sparse(t, y);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, out)->room = room;
    return out;
}

const unsigned char *gnd_keep_mask(gnd_tape *t, gnd_var x, double p, const char *place,
                                   gnd_real *scale)
{
    const gnd_mask *given = mask_given(t, place);

    if (!gnd_tape_ok(t))
        return NULL;
    if (t->mask)
        p = given ? given->p : 0;
    if (!(p >= 0 && p < 1))
        gnd_tape_fail(t, GND_ERR_ARG, "dropout %s: a rate of %g; expected 0 <= p < 1", place, p);
    if (!t->training || p == 0 || !gnd_tape_ok(t))
        return NULL;
    *scale = (gnd_real)(1 / (1 - p));
    return mask_make(t, gnd_tape_node(t, x), p, place, given);
}

gnd_var gnd_dropout(gnd_tape *t, gnd_var x, double p, const char *place)
{
    gnd_real scale = 1;
    const unsigned char *keep = gnd_keep_mask(t, x, p, place, &scale);
    const gnd_node *xn;
    dropout_arg *d;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    if (!keep)
        return x;
    xn = gnd_tape_node(t, x);
    d = gnd_tape_alloc(t, 1, sizeof *d);
    if (!d)
        return GND_NONE;
    *d = (dropout_arg){.keep = keep, .scale = scale};
    if (xn->sp) {
        const int32_t *row = xn->row;
        const gnd_var y = dropout_sparse(t, xn->sp, d, 1 - 1 / (double)scale);

        if (gnd_tape_ok(t)) /* which rows are there; entries have lost their place, so no whole */
            gnd_tape_node(t, y)->row = row;
        return y;
    }
    return gnd_tape_record(t, &gnd_op_dropout, 1, &x, xn->rows, xn->cols, d);
}
