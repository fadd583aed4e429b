/* SPDX-License-Identifier: MIT
 * dropout.c - inverted dropout: y_e = x_e / (1 - p) with probability 1 - p, else 0.
 *
 * The mask is a function of (seed, epoch, place, element) or given by the caller. A sparse
 * matrix yields a new matrix with the kept entries only, so that later products skip the others.
 * The mask has one bit per element and is computed once per pass: reading the bits in the
 * backward pass is faster than computing them again. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "tape/op.h"

enum { WORD = 64 };

/* Data for the backward pass. */
typedef struct {
    const uint64_t *keep; /* [n / 64, rounded up] bit e % 64 of word e / 64: element e is kept */
    gnd_real scale;       /* 1 / (1 - p) */
} dropout_arg;

/* How the mask is computed. */
typedef struct {
    const gnd_kern *kern;
    uint64_t *keep;
    gnd_drop_law law;
    const unsigned char *given; /* the caller's mask, one byte per element; NULL: use the law */
    int64_t n;
} mask_job;

uint64_t gnd_mask_key(const gnd_tape *t, const char *place)
{
    const uint64_t key = gnd_mix64(t->seed ^ UINT64_C(0x6a09e667f3bcc909));

    return gnd_mix64(gnd_mix64(key + (uint64_t)t->epoch) ^ gnd_hash_name(place));
}

gnd_drop_law gnd_mask_law(const gnd_tape *t, double p, const char *place)
{
    return (gnd_drop_law){.key = gnd_mask_key(t, place), .drop_below = (uint32_t)(p * 0x1p32)};
}

static const gnd_mask *mask_given(const gnd_tape *t, const char *place)
{
    for (int32_t i = 0; i < t->n_mask; i++)
        if (strcmp(t->mask[i].place, place) == 0)
            return &t->mask[i];
    return NULL;
}

/* Bits of elements first..first+n-1, n <= 64. */
static uint64_t mask_bits(const mask_job *j, int64_t first, int64_t n)
{
    uint64_t bits = 0;

    if (!j->given)
        return j->kern->kept(&j->law, first, n);
    for (int64_t i = 0; i < n; i++)
        bits |= (uint64_t)(j->given[first + i] != 0) << i;
    return bits;
}

static int64_t words_of(int64_t n)
{
    return (n + WORD - 1) / WORD;
}

static void mask_words(int64_t begin, int64_t end, void *arg)
{
    const mask_job *j = arg;

    for (int64_t w = begin; w < end; w++)
        j->keep[w] = mask_bits(j, w * WORD, j->n - w * WORD < WORD ? j->n - w * WORD : WORD);
}

/* The mask of rows of a matrix: each element or stored entry has the bit of its number in the
 * matrix of the whole graph. */
typedef struct {
    const mask_job *mask;
    const gnd_node *x;
    const gnd_part *part;
} rows_job;

/* The row of element e. */
static int64_t row_of(const gnd_node *x, int64_t e)
{
    int64_t low = 0, high = x->rows - 1;

    if (!x->sp)
        return e / x->cols;
    while (low < high) { /* the last row that starts at or before e; empty rows come before it */
        const int64_t middle = low + (high - low + 1) / 2;

        if (x->sp->ptr[middle] <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Where row i starts here, and in the whole matrix. */
static int64_t row_start(const gnd_node *x, int64_t i)
{
    return x->sp ? x->sp->ptr[i] : i * x->cols;
}

static int64_t row_start_whole(const rows_job *j, int64_t i)
{
    const gnd_node *x = j->x;
    const int64_t row = x->row ? x->row[i] : i;

    if (x->sp)
        return gnd_csr_start(x->row ? x->whole : x->sp, row);
    return (j->part ? j->part->global[row] : row) * x->cols;
}

static void mask_words_of_rows(int64_t begin, int64_t end, void *arg)
{
    const rows_job *j = arg;
    const mask_job *m = j->mask;
    int64_t row = row_of(j->x, begin * WORD);

    for (int64_t w = begin; w < end; w++) {
        const int64_t first = w * WORD, n = m->n - first < WORD ? m->n - first : WORD;

        m->keep[w] = 0;
        for (int64_t i = 0; i < n;) {
            int64_t len;

            while (row_start(j->x, row + 1) <= first + i)
                row++;
            len = row_start(j->x, row + 1) - first - i;
            len = len < n - i ? len : n - i;
            m->keep[w] |=
                mask_bits(m, row_start_whole(j, row) + first + i - row_start(j->x, row), len) << i;
            i += len;
        }
    }
}

/* Checks the number of elements of a given mask: exact, but for dense rows a minimum, since the
 * size of the whole matrix is unknown. */
static bool mask_fits(gnd_tape *t, const gnd_node *x, int64_t n, const gnd_mask *given)
{
    if (x->row && !x->sp) {
        for (int64_t i = 0; i < x->rows; i++)
            if ((x->row[i] + 1) * x->cols > given->n) {
                gnd_tape_fail(t, GND_ERR_SHAPE, "dropout %s: the given mask has %lld elements",
                              given->place, (long long)given->n);
                return false;
            }
        return true;
    }
    if (x->row)
        n = gnd_csr_nnz(x->whole);
    if (given->n == n)
        return true;
    gnd_tape_fail(t, GND_ERR_SHAPE, "dropout %s: the given mask has %lld elements, not %lld",
                  given->place, (long long)given->n, (long long)n);
    return false;
}

/* The mask of x, NULL after an error. */
static const uint64_t *mask_make(gnd_tape *t, const gnd_node *x, double p, const char *place,
                                 const gnd_mask *given)
{
    mask_job j = {.kern = t->kern,
                  .law = gnd_mask_law(t, p, place),
                  .given = given ? given->keep : NULL,
                  .n = x->sp ? gnd_csr_nnz(x->sp) : gnd_node_size(x)};
    bool by_rows;

    if (given && !mask_fits(t, x, j.n, given))
        return NULL;
    j.keep = gnd_tape_alloc(t, words_of(j.n), sizeof *j.keep);
    if (!j.keep)
        return NULL;
    by_rows = x->row || t->part;
    gnd_parallel_for(t->pool, words_of(j.n), gnd_grain_limit(GND_ELEM_GRAIN / WORD, words_of(j.n)),
                     j.n * 2, by_rows ? mask_words_of_rows : mask_words,
                     by_rows ? (void *)&(rows_job){&j, x, t->part} : (void *)&j);
    return j.keep;
}

/* ---- dense ---------------------------------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    const dropout_arg *d;
    const gnd_real *x;
    gnd_real *out;
    int64_t n;
} dense_job;

/* begin and end count words of the mask. */
static void value_piece(int64_t begin, int64_t end, void *arg)
{
    const dense_job *j = arg;
    const int64_t e = begin * WORD, n = (end * WORD < j->n ? end * WORD : j->n) - e;

    j->kern->choose(j->out + e, j->x + e, j->d->scale, j->d->keep + begin, n);
}

static void grad_piece(int64_t begin, int64_t end, void *arg)
{
    const dense_job *j = arg;
    const int64_t e = begin * WORD, n = (end * WORD < j->n ? end * WORD : j->n) - e;

    j->kern->choose_add(j->out + e, j->x + e, j->d->scale, j->d->keep + begin, n);
}

static void for_words(gnd_tape *t, void (*fn)(int64_t begin, int64_t end, void *arg), dense_job *j)
{
    const int64_t words = words_of(j->n);

    gnd_parallel_for(t->pool, words, gnd_grain_limit(GND_ELEM_GRAIN / WORD, words), j->n, fn, j);
}

static void dropout_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_real *x = gnd_tape_node(t, y->in[0])->v;

    for_words(t, value_piece, &(dense_job){t->kern, y->arg, x, y->v, gnd_node_size(y)});
}

static void dropout_backward(gnd_tape *t, gnd_node *y)
{
    gnd_real *dx = gnd_tape_node(t, y->in[0])->g;

    for_words(t, grad_piece, &(dense_job){t->kern, y->arg, y->g, dx, gnd_node_size(y)});
}

const gnd_op gnd_op_dropout = {
    .name = "dropout",
    .forward = dropout_forward,
    .backward = dropout_backward,
};

static void over_piece(int64_t begin, int64_t end, void *arg)
{
    const dense_job *j = arg;
    const int64_t e = begin * WORD, n = (end * WORD < j->n ? end * WORD : j->n) - e;

    j->kern->choose(j->out + e, j->out + e, j->d->scale, j->d->keep + begin, n);
}

static void over_forward(gnd_tape *t, gnd_node *y)
{
    for_words(t, over_piece, &(dense_job){t->kern, y->arg, NULL, y->v, gnd_node_size(y)});
}

static void over_backward(gnd_tape *t, gnd_node *y)
{
    for_words(t, over_piece, &(dense_job){t->kern, y->arg, NULL, y->g, gnd_node_size(y)});
}

const gnd_op gnd_op_dropout_over = {
    .name = "dropout_over",
    .forward = over_forward,
    .backward = over_backward,
};

/* ---- sparse --------------------------------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    const gnd_csr *x;
    gnd_csr *y;
    const dropout_arg *d;
    int64_t *before; /* [words + 1] number of kept entries before each word of the mask */
} sparse_job;

static void pack_words(int64_t begin, int64_t end, void *arg)
{
    const sparse_job *j = arg;
    const int64_t p = begin * WORD, nnz = gnd_csr_nnz(j->x);
    const int64_t n = (end * WORD < nnz ? end * WORD : nnz) - p, q = j->before[begin];

    if (j->x->col16)
        j->kern->pack16(j->y->col16 + q, j->y->val ? j->y->val + q : NULL, j->x->col16 + p,
                        j->x->val ? j->x->val + p : NULL, j->d->scale, j->d->keep + begin, n);
    else
        j->kern->pack(j->y->col + q, j->y->val + q, j->x->col + p, j->x->val ? j->x->val + p : NULL,
                      j->d->scale, j->d->keep + begin, n);
}

static void scale_rows(int64_t begin, int64_t end, void *arg)
{
    const sparse_job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->y->row_val[i] = j->x->row_val ? j->x->row_val[i] * j->d->scale : j->d->scale;
}

/* Row pointers: the number of kept entries before the end of each row. */
static void end_rows(int64_t begin, int64_t end, void *arg)
{
    const sparse_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const int64_t p = j->x->ptr[i + 1], w = p / WORD;
        const uint64_t below = (UINT64_C(1) << (p % WORD)) - 1;

        j->y->ptr[i + 1] = j->before[w] + (below ? gnd_popcount(j->d->keep[w] & below) : 0);
    }
}

int64_t gnd_kept_room(int64_t nnz, double p)
{
    const int64_t usual =
        (int64_t)((double)nnz * (1 - p) + 8 * sqrt((double)nnz * p * (1 - p))) + 1;

    return usual < nnz ? usual : nnz;
}

int64_t *gnd_kept_before(gnd_tape *t, const uint64_t *keep, int64_t nnz)
{
    const int64_t words = words_of(nnz);
    int64_t *before = gnd_tape_alloc(t, words + 1, sizeof *before);

    if (!before)
        return NULL;
    before[0] = 0;
    for (int64_t w = 0; w < words; w++)
        before[w + 1] = before[w] + gnd_popcount(keep[w]);
    return before;
}

void gnd_kept_pack(gnd_tape *t, gnd_csr *y, const gnd_csr *x, const uint64_t *keep, gnd_real scale,
                   int64_t *before)
{
    const dropout_arg d = {.keep = keep, .scale = scale};
    sparse_job j = {.kern = t->kern, .x = x, .y = y, .d = &d, .before = before};
    const int64_t nnz = gnd_csr_nnz(x), words = words_of(nnz);

    y->ptr[0] = 0;
    gnd_parallel_for(t->pool, words, gnd_grain_limit(GND_ELEM_GRAIN / WORD, words), nnz * 2,
                     pack_words, &j);
    gnd_for_elements(t, x->n_row, 2, end_rows, &j);
    if (y->row_val)
        gnd_for_elements(t, x->n_row, 1, scale_rows, &j);
}

int64_t gnd_kept_bytes(const gnd_csr *x, int64_t room)
{
    const int64_t value = (int64_t)sizeof *x->val;
    int64_t bytes = (x->n_row + 1) * (int64_t)sizeof *x->ptr;

    bytes += room * (int64_t)(x->col16 ? sizeof *x->col16 : sizeof *x->col);
    return bytes + (x->col16 && !x->val ? x->n_row : room) * value;
}

void gnd_kept_arrays(gnd_tape *t, gnd_csr *y, const gnd_csr *x, int64_t room,
                     void *(*alloc)(gnd_tape *t, int64_t n, size_t size))
{
    *y = (gnd_csr){.n_row = x->n_row, .n_col = x->n_col};
    y->ptr = alloc(t, x->n_row + 1, sizeof *y->ptr);
    if (x->col16)
        y->col16 = alloc(t, room, sizeof *y->col16);
    else
        y->col = alloc(t, room, sizeof *y->col);
    if (x->col16 && !x->val)
        y->row_val = alloc(t, x->n_row, sizeof *y->row_val);
    else
        y->val = alloc(t, room, sizeof *y->val);
}

static gnd_var dropout_sparse(gnd_tape *t, const gnd_csr *x, const dropout_arg *d, double p)
{
    const int64_t nnz = gnd_csr_nnz(x);
    gnd_csr *y = gnd_tape_alloc(t, 1, sizeof *y);
    int64_t *before = gnd_kept_before(t, d->keep, nnz);
    gnd_var out;
    int64_t room;

    if (!y || !before)
        return GND_NONE;
    room = gnd_kept_room(nnz, p);
    room = before[words_of(nnz)] > room ? before[words_of(nnz)] : room;
    gnd_kept_arrays(t, y, x, room, gnd_tape_alloc);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    gnd_kept_pack(t, y, x, d->keep, d->scale, before);
    out = gnd_sparse(t, y);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, out)->room = room;
    return out;
}

const uint64_t *gnd_keep_mask(gnd_tape *t, gnd_var x, double p, const char *place, gnd_real *scale)
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

/* The mask and scale of a place; NULL if nothing is dropped or after an error. */
static const dropout_arg *dropout_new(gnd_tape *t, gnd_var x, double p, const char *place)
{
    gnd_real scale = 1;
    const uint64_t *keep = gnd_keep_mask(t, x, p, place, &scale);
    dropout_arg *d = keep ? gnd_tape_alloc(t, 1, sizeof *d) : NULL;

    if (d)
        *d = (dropout_arg){.keep = keep, .scale = scale};
    return d;
}

gnd_var gnd_dropout(gnd_tape *t, gnd_var x, double p, const char *place)
{
    const dropout_arg *d = dropout_new(t, x, p, place);
    const gnd_node *xn;

    if (!d)
        return gnd_tape_ok(t) ? x : GND_NONE;
    xn = gnd_tape_node(t, x);
    if (xn->sp) {
        const int32_t *row = xn->row;
        const gnd_var y = dropout_sparse(t, xn->sp, d, 1 - 1 / (double)d->scale);

        if (gnd_tape_ok(t)) /* the rows are known; the index of an entry in the whole matrix is not,
                               so whole is NULL */
            gnd_tape_node(t, y)->row = row;
        return y;
    }
    return gnd_tape_record(t, &gnd_op_dropout, 1, &x, (gnd_shape){xn->rows, xn->cols}, d);
}

gnd_var gnd_dropout_over(gnd_tape *t, gnd_var x, double p, const char *place)
{
    const dropout_arg *d;

    if (!gnd_check_dense(t, "dropout_over", x))
        return GND_NONE;
    d = dropout_new(t, x, p, place);
    if (!d)
        return gnd_tape_ok(t) ? x : GND_NONE;
    return gnd_tape_record_over(t, &gnd_op_dropout_over, 1, &x, d);
}
