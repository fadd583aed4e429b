/* SPDX-License-Identifier: MIT
 * restart.c - a random walk with restarts and dropout of links.
 *
 *     z_0 = z,  z_k = (1 - a) M_k(A) z_{k-1} + a z,  y = z_K              A: [n, n], z, y: [n, f]
 *
 * Forward by Horner:  h_0 = c_K z,  h_k = M_k(A) h_{k-1} + c_{K-k} z,  y = h_K,
 *                     c_j = a (1 - a)^j for j < K,  c_K = (1 - a)^K
 * Backward:           g_K = dy,  g_{k-1} = M_k(A)^T g_k,  dz = sum_k c_{K-k} g_k
 *
 * M_k is inverted dropout of the stored entries with a new mask in each step: the mask is a
 * function of (seed, epoch, place, step, position of the entry). Only the requested rows are
 * computed, and in each step only the rows that the next step reads (receptive_field.h), in both
 * directions. A training pass stores the masks as bits, since the transpose visits the entries in
 * another order; one of several processes has only its own links, and computes them again. If rows
 * are short, dropped links are multiplied and masked (masked_groups.h). Else the kept links of a
 * step are never stored as a whole: a run of rows is packed, multiplied while it is in the cache,
 * and overwritten by the next run. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "tape/list_order.h"
#include "tape/masked_groups.h"
#include "tape/receptive_field.h"
#include "tape/turned.h"

typedef struct {
    gnd_receptive_field field; /* depth 0: all rows in every step */
    const gnd_csr *a, *at;
    int64_t steps;
    double *c; /* [steps + 1] */
    bool drops;
    double p;
    uint64_t key, drop_below;    /* drop_below: threshold for 32-bit numbers */
    gnd_real scale;              /* 1 / (1 - p) */
    uint64_t **bits;             /* [steps + 1] masks of all entries, and a word more */
    const gnd_turned *turned;    /* NULL: no step is on all rows */
    int64_t before;              /* entries of A in the processes before this one */
    const gnd_list_order *order; /* on a part of a graph; NULL: none */
} restart_arg;

/* ---- masks ---- */

static const uint64_t half = UINT64_C(1) << 31;

/* The n <= 64 bits from position e on of an array of words. */
static uint64_t bits_at(const uint64_t *bits, int64_t e, int64_t n)
{
    const int64_t shift = e % 64;
    uint64_t word = bits[e / 64] >> shift;

    if (shift + n > 64)
        word |= bits[e / 64 + 1] << (64 - shift);
    return word & (~UINT64_C(0) >> (64 - n));
}

/* The mask of entries e .. e + n - 1 of A, 1 <= n <= 64; 1: kept. At p = 1/2 a hash gives 64 bits,
 * else two. */
static uint64_t keep_bits(const gnd_kern *kern, uint64_t key, uint64_t below, int64_t e, int64_t n)
{
    const uint64_t w = (uint64_t)e / 64;
    uint64_t word[2] = {0};

    if (below != half)
        return kern->kept(&(gnd_drop_law){key, (uint32_t)below}, e, n);
    word[0] = gnd_hash_at(key, w);
    if (e % 64 + n > 64)
        word[1] = gnd_hash_at(key, w + 1);
    return bits_at(word, e % 64, n);
}

typedef struct {
    const gnd_kern *kern;
    uint64_t *bits, key, below;
} bits_job;

static void bits_piece(int64_t begin, int64_t end, void *arg)
{
    const bits_job *j = arg;

    for (int64_t w = begin; w < end; w++)
        j->bits[w] = keep_bits(j->kern, j->key, j->below, w * 64, 64);
}

/* ---- steps ---- */

typedef struct {
    const gnd_kern *kern;
    const restart_arg *o;
    const gnd_csr *m;     /* the operator of the step, or the whole transpose */
    const int32_t *row;   /* index in the whole matrix of the rows of m; NULL: m has all rows */
    const uint64_t *bits; /* mask of all entries of A, in the order of the transpose if m is that;
                             NULL without dropout and on a part */
    const gnd_turned *turned; /* on a part: set if m is the transpose, else NULL */
    const int64_t *from_at;   /* the entry of the transpose that each of m is; NULL: the same */
    const gnd_masked_groups *groups; /* of m; NULL: kept entries are packed */
    uint64_t key;
    int64_t f;
    const gnd_real *from, *z; /* z NULL: no such term */
    gnd_real *to;
    gnd_real c;
} step_job;

enum { CHUNK = 1024, ROWS = 256 }; /* entries and rows of a run: they stay in the L1 cache */

typedef struct {
    uint64_t keep[CHUNK / 64];
    int64_t before[CHUNK / 64 + 1]; /* kept entries before each word */
} chunk;

/* Masks of entries from .. from + n - 1 of own rows, in one of several processes: it has no bits of
 * the entries of others, which the transpose needs. */
static void mask_part(chunk *c, const step_job *j, int64_t from, int64_t n)
{
    const restart_arg *o = j->o;

    for (int64_t p = 0; p < n; p += 64) {
        const int64_t first = from + p, m = n - p < 64 ? n - p : 64;
        uint64_t word = 0;

        for (int64_t k = first; j->turned && k < first + m; k++) {
            const int64_t e = j->turned->wide[j->from_at ? j->from_at[k] : k];

            word |= keep_bits(j->kern, j->key, o->drop_below, e, 1) << (k - first);
        }
        if (!j->turned)
            word = keep_bits(j->kern, j->key, o->drop_below, o->before + first, m);
        c->keep[p / 64] = word;
    }
}

/* Masks of entries from .. from + n - 1 of a step on all rows. */
static void mask_whole(chunk *c, const step_job *j, int64_t from, int64_t n)
{
    for (int64_t p = 0; p < n; p += 64)
        c->keep[p / 64] = bits_at(j->bits, from + p, n - p < 64 ? n - p : 64);
}

/* The same for a step on some rows; the entries of a row are contiguous in A. *row: the row of
 * entry `from`, then that of the last entry. */
static void mask_narrow(chunk *c, const step_job *j, int64_t from, int64_t n, int64_t *row)
{
    const int64_t *ptr = j->m->ptr;

    memset(c->keep, 0, sizeof c->keep);
    for (int64_t p = 0; p < n;) {
        int64_t m = n - p < 64 ? n - p : 64;
        uint64_t bits;

        while (ptr[*row + 1] <= from + p)
            ++*row;
        if (ptr[*row + 1] - from - p < m)
            m = ptr[*row + 1] - from - p;
        bits = bits_at(j->bits, j->o->a->ptr[j->row[*row]] + from + p - ptr[*row], m);
        c->keep[p / 64] |= bits << p % 64;
        if (p % 64 + m > 64)
            c->keep[p / 64 + 1] |= bits >> (64 - p % 64);
        p += m;
    }
}

/* The kept ones of the first e entries. */
static int64_t kept_before(const chunk *c, int64_t e)
{
    const uint64_t below = (UINT64_C(1) << e % 64) - 1;

    return c->before[e / 64] + (below ? gnd_popcount(c->keep[e / 64] & below) : 0);
}

/* The kept entries of n rows from `row` on, or of a part of a row that is longer than a chunk. */
typedef struct {
    int64_t row, n;
    bool again;         /* a further part of the row of the run before */
    int64_t next, rest; /* row and entry where the next run starts */
    int64_t ptr[ROWS + 1];
    int32_t col[CHUNK];
    gnd_real val[CHUNK];
    chunk c;
} run;

/* Packs entries from .. to - 1 of the rows of the run. */
static void run_pack(run *r, const step_job *j, int64_t from, int64_t to)
{
    const gnd_csr *m = j->m;
    const int64_t n = to - from;
    int64_t row = r->row;
    chunk *c = &r->c;

    if (j->row)
        mask_narrow(c, j, from, n, &row);
    else if (j->o->a->part)
        mask_part(c, j, from, n);
    else
        mask_whole(c, j, from, n);
    c->before[0] = 0;
    for (int64_t w = 0; 64 * w < n; w++)
        c->before[w + 1] = c->before[w] + gnd_popcount(c->keep[w]);
    j->kern->pack(r->col, r->val, m->col + from, m->val ? m->val + from : NULL, j->o->scale,
                  c->keep, n);
    r->ptr[0] = 0;
    for (int64_t i = 0; i < r->n; i++) {
        const int64_t end = m->ptr[r->row + i + 1];

        r->ptr[i + 1] = kept_before(c, (end < to ? end : to) - from);
    }
}

/* The next run of rows before `end`; false: there is none. */
static bool run_next(run *r, const step_job *j, int64_t end)
{
    const int64_t *ptr = j->m->ptr, from = r->rest;
    int64_t n = 0, to;

    r->row = r->next;
    if (r->row >= end)
        return false;
    r->again = from > ptr[r->row];
    while (!r->again && r->row + n < end && n < ROWS && ptr[r->row + n + 1] - from <= CHUNK)
        n++;
    r->n = n ? n : 1;
    to = ptr[r->row + r->n];
    if (to - from > CHUNK)
        to = from + CHUNK;
    run_pack(r, j, from, to);
    r->next = to == ptr[r->row + r->n] ? r->row + r->n : r->row;
    r->rest = to;
    return true;
}

static gnd_csr run_matrix(run *r, const step_job *j)
{
    return (gnd_csr){
        .n_row = r->n, .n_col = j->m->n_col, .ptr = r->ptr, .col = r->col, .val = r->val};
}

static void gather_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;
    run r;

    if (!j->o->drops) {
        j->kern->spmm(j->to, j->m, j->from, j->f, j->c, j->z, begin, end);
        return;
    }
    r.next = begin;
    r.rest = j->m->ptr[begin];
    while (run_next(&r, j, end)) {
        const gnd_csr kept = run_matrix(&r, j);
        gnd_real *to = j->to + r.row * j->f;

        if (r.again)
            j->kern->spmm(to, &kept, j->from, j->f, 1, to, 0, r.n);
        else
            j->kern->spmm(to, &kept, j->from, j->f, j->c, j->z ? j->z + r.row * j->f : NULL, 0,
                          r.n);
    }
}

static void scatter_rows(gnd_real *out, int64_t begin, int64_t end, const void *arg)
{
    const step_job *j = arg;

    if (j->o->drops)
        j->kern->spmm_t_kept(out, j->m, j->from, j->f,
                             &(gnd_kept_entries){j->bits, j->o->a->ptr, j->row, j->o->scale}, begin,
                             end);
    else
        j->kern->spmm_t(out, j->m, j->from, j->f, begin, end);
}

/* Step k >= 1 of either direction; the caller sets its input and output. */
static step_job step_new(gnd_tape *t, const restart_arg *o, int64_t k, int64_t f)
{
    step_job j = {.kern = t->kern, .o = o, .m = o->a, .bits = o->bits[k], .f = f};

    if (o->field.depth && o->field.op[k - 1]) {
        j.m = o->field.op[k - 1];
        j.row = o->field.level[k].row;
    }
    j.key = gnd_mix64(o->key + (uint64_t)k);
    return j;
}

/* The rows of level l, or all rows. */
static gnd_row_list level_of(const restart_arg *o, int64_t l)
{
    return o->field.depth ? o->field.level[l] : (gnd_row_list){NULL, o->a->n_row};
}

/* Masks of the steps on all rows, which are the first ones, in the order of the transpose, by
 * number of the step. NULL: none, or after an error. */
static uint64_t **masks_turn(gnd_tape *t, const restart_arg *o)
{
    uint64_t **to;
    int64_t n = 0;

    if (!o->drops || !o->turned || o->a->part)
        return NULL;
    to = gnd_tape_alloc(t, o->steps + 1, sizeof *to);
    while (n < o->steps && !level_of(o, n + 1).row)
        n++;
    if (to)
        gnd_turned_masks(t, to + 1, o->bits + 1, n, o->turned, gnd_csr_nnz(o->a));
    return gnd_tape_ok(t) ? to : NULL;
}

static void gather(gnd_tape *t, step_job *j)
{
    const int64_t n = j->m->n_row, cost = (gnd_csr_nnz(j->m) + n) * (j->f + 8);
    const gnd_product p = {.a = j->m, .x = j->from, .f = j->f, .c = j->c, .z = j->z};

    if (j->groups) {
        gnd_masked_groups_spmm(t, j->to, j->groups, &p, j->bits);
        return;
    }
    if (!j->o->drops && !j->m->part && (!j->row || j->o->field.lasts) &&
        gnd_spmm_groups(t, j->to, &p))
        return;
    gnd_rows_product(t->pool,
                     &(gnd_rows_of){.part = j->m->part,
                                    .y = j->to,
                                    .bytes = j->f * (int64_t)sizeof *j->to,
                                    .n = n,
                                    .grain = gnd_row_grain(n, cost),
                                    .cost = cost},
                     gather_rows, j);
}

/* Masked groups of the operator of step k, or of the transpose of a; NULL: kept entries are packed.
 * f: columns */
static const gnd_masked_groups *groups_of(gnd_tape *t, const restart_arg *o, int64_t k, int64_t f,
                                          bool back)
{
    const gnd_row_list rows = level_of(o, k);
    gnd_masked of = {.m = back ? o->at : o->a, .p = o->p};

    if (!o->drops || o->a->part || f < GND_MASKED_COLUMNS || (rows.row && !o->field.lasts))
        return NULL;
    of.at = of.m->ptr;
    if (rows.row) {
        of.m = o->field.op[k - 1];
        of.row = rows.row;
    }
    return gnd_masked_groups_get(t, &of);
}

/* Columns of the matrices of the steps. Rows of 3 or 5 to 7 values are padded to whole vectors: a
 * step takes less time, and each column has the same bits. */
static int64_t padded(int64_t f)
{
    return f == 3 ? 4 : f > 4 && f < 8 ? 8 : f;
}

/* to[i,:] = from[row[i],:] with zeros after it;  from: [, f]  to: [n, w], f <= w */
static void rows_pad(gnd_real *to, int64_t w, const gnd_real *from, gnd_row_list rows, int64_t f)
{
    for (int64_t i = 0; i < rows.n; i++, to += w) {
        memcpy(to, from + (rows.row ? rows.row[i] : i) * f, (size_t)f * sizeof *to);
        for (int64_t c = f; c < w; c++)
            to[c] = 0;
    }
}

/* The first f columns of from: [n, w]. */
static void rows_unpad(gnd_real *to, int64_t f, const gnd_real *from, int64_t n, int64_t w)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * f, from + i * w, (size_t)f * sizeof *to);
}

/* Rows of z with padding; z itself if it is the same. */
static const gnd_real *rows_of(gnd_tape *t, const gnd_real *z, gnd_row_list rows, int64_t f)
{
    const int64_t w = padded(f);
    gnd_real *out;

    if (!rows.row && w == f)
        return z;
    out = gnd_tape_alloc(t, rows.n * w, sizeof *out);
    if (out)
        rows_pad(out, w, z, rows, f);
    return out;
}

static void restart_forward(gnd_tape *t, gnd_node *y)
{
    const restart_arg *o = y->arg;
    const int64_t K = o->steps, f = y->cols, w = padded(f), size = level_of(o, 0).n * w;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const gnd_real *z = gnd_tape_node(t, y->in[0])->v,
                   *low = NULL; /* low: z at the lowest level without all rows */
    gnd_real *turn[2] = {gnd_tape_alloc(t, size, sizeof **turn),
                         gnd_tape_alloc(t, size, sizeof **turn)};
    const gnd_real *from = rows_of(t, z, level_of(o, 0), f); /* all rows if any level has all */

    if (!gnd_tape_ok(t))
        return;
    memset(turn[0], 0, (size_t)size * sizeof *from);
    gnd_add_scaled(t, turn[0], (gnd_real)o->c[K], from, size);
    for (int64_t k = 1; k <= K && gnd_tape_ok(t); k++) {
        const gnd_row_list rows = level_of(o, k);
        step_job j = step_new(t, o, k, w);

        j.groups = groups_of(t, o, k, w, false);

        if (rows.row &&
            (!low ||
             k == K)) /* except for the top level, a level starts with the rows of the one above */
            low = rows_of(t, z, rows, f);
        if (j.bits)
            gnd_for_elements(t, (gnd_csr_nnz(o->a) + 63) / 64 + 1, 64, bits_piece,
                             &(bits_job){t->kern, o->bits[k], j.key, o->drop_below});
        j.from = turn[(k - 1) % 2];
        j.to = k == K && w == f ? y->v : turn[k % 2];
        j.z = rows.row ? low : from;
        j.c = (gnd_real)o->c[K - k];
        if (gnd_tape_ok(t))
            gather(t, &j);
    }
    if (gnd_tape_ok(t) && w != f)
        rows_unpad(y->v, f, turn[K % 2], y->rows, w);
    gnd_arena_release(&t->arena, mark);
}

/* dz += c g for the rows of a level;  dz, g: w columns */
static void add_level(gnd_tape *t, gnd_real *dz, double c, const gnd_real *g, gnd_row_list rows,
                      int64_t w)
{
    if (!rows.row)
        gnd_add_scaled(t, dz, (gnd_real)c, g, rows.n * w);
    for (int64_t i = 0; rows.row && i < rows.n; i++)
        t->kern->axpy(dz + rows.row[i] * w, (gnd_real)c, g + i * w, w);
}

static void restart_backward(gnd_tape *t, gnd_node *y)
{
    const restart_arg *o = y->arg;
    const gnd_row_list all = {.n = o->a->n_row};
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const int64_t K = o->steps, f = y->cols, w = padded(f), size = level_of(o, 0).n * w;
    gnd_real *turn[2] = {gnd_tape_alloc(t, size, sizeof **turn),
                         gnd_tape_alloc(t, size, sizeof **turn)};
    gnd_node *in = gnd_tape_node(t, y->in[0]);
    gnd_real *dz = w == f ? in->g : gnd_tape_alloc(t, all.n * w, sizeof *dz);
    const gnd_real *g = rows_of(t, y->g, (gnd_row_list){.n = y->rows}, f);
    uint64_t *const *masks = masks_turn(t, o);

    if (gnd_tape_ok(t) && w != f)
        rows_pad(dz, w, in->g, all, f);
    for (int64_t k = K; k >= 1 && gnd_tape_ok(t); k--) {
        step_job j = step_new(t, o, k, w);
        const int64_t below = level_of(o, k - 1).n * w;

        add_level(t, dz, o->c[K - k], g, level_of(o, k), w);
        j.from = g;
        j.to = turn[k % 2];
        if (j.row) {
            memset(j.to, 0, (size_t)below * sizeof *j.to);
            gnd_sum_rows(t, j.to,
                         &(gnd_row_sum){.fn = scatter_rows,
                                        .arg = &j,
                                        .rows = j.m->n_row,
                                        .size = below,
                                        .cost = gnd_csr_nnz(j.m) * (f + 8)});
        } else {
            const bool listed = o->order && k >= o->order->lowest;

            j.m = listed ? &o->order->at : o->at;
            j.turned = o->turned;
            j.bits = masks ? masks[k] : NULL;
            j.groups = listed ? NULL : groups_of(t, o, k, w, true);
            j.from_at = listed ? o->order->from : NULL;
            gather(t, &j);
        }
        g = j.to;
    }
    if (gnd_tape_ok(t))
        add_level(t, dz, o->c[K], g, level_of(o, 0), w);
    if (gnd_tape_ok(t) && w != f)
        rows_unpad(in->g, f, dz, all.n, w);
    gnd_arena_release(&t->arena, mark);
}

const gnd_op gnd_op_restart = {
    .name = "restart",
    .forward = restart_forward,
    .backward = restart_backward,
};

/* Sets the fields for dropout. */
static void drops_init(restart_arg *o, gnd_tape *t, double p, const char *place)
{
    const int64_t words = (gnd_csr_nnz(o->a) + 63) / 64 + 1;

    o->drops = true;
    o->p = p;
    o->key = gnd_mask_key(t, place);
    o->drop_below = (uint64_t)(p * 0x1p32);
    o->scale = (gnd_real)(1 / (1 - p));
    if (o->a->part) {
        o->before = gnd_part_before(o->a->part, gnd_csr_nnz(o->a));
        o->turned = gnd_turned_part(t, o->a, o->before);
        return;
    }
    for (int64_t k = 1; k <= o->steps && gnd_tape_ok(t); k++)
        o->bits[k] = gnd_tape_alloc(t, words, sizeof **o->bits);
    if (gnd_tape_ok(t) && !level_of(o, 1).row) /* the first step is on all rows if any is */
        o->turned = gnd_turned_get(t, o->a, o->at);
}

static restart_arg *arg_new(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, int64_t steps,
                            double restart)
{
    restart_arg *o = gnd_tape_alloc(t, 1, sizeof *o);

    if (!o)
        return NULL;
    *o = (restart_arg){.a = a, .at = at, .steps = steps};
    o->c = gnd_tape_alloc(t, steps + 1, sizeof *o->c);
    o->bits = gnd_tape_alloc(t, steps + 1, sizeof *o->bits);
    if (!gnd_tape_ok(t))
        return NULL;
    for (int64_t k = 0; k <= steps; k++) {
        o->c[k] = (k < steps ? restart : 1) * pow(1 - restart, (double)k);
        o->bits[k] = NULL;
    }
    if (t->request && !a->part && steps > 0 &&
        steps <= GND_RECEPTIVE_MAX) /* longer walks reach every row */
        gnd_receptive_init(&o->field, t, a, at, steps);
    if (steps > 0 && steps <= GND_RECEPTIVE_MAX)
        o->order = gnd_list_order_get(t, a, at, steps);
    return gnd_tape_ok(t) ? o : NULL;
}

gnd_var gnd_restart(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z,
                    const gnd_restart_walk *w)
{
    const gnd_row_list all = {.n = a->n_row};
    const int64_t steps = w->steps;
    restart_arg *o;
    gnd_row_list rows;
    gnd_var y;

    if (!gnd_operator_arg_new(t, "restart", a, at, z, steps))
        return GND_NONE;
    if (!(w->p >= 0 && w->p < 1))
        return gnd_tape_fail(t, GND_ERR_ARG, "restart %s: a rate of %g; expected 0 <= p < 1",
                             w->place, w->p);
    if (steps == 0)
        return gnd_requested(t, z);
    o = arg_new(t, a, at, steps, w->restart);
    if (!o)
        return GND_NONE;
    if (t->training && !t->mask && w->p > 0)
        drops_init(o, t, w->p, w->place);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    rows = o->field.depth ? o->field.level[steps] : all;
    y = gnd_tape_record(t, &gnd_op_restart, 1, &z, (gnd_shape){rows.n, gnd_tape_node(t, z)->cols},
                        o);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    gnd_tape_node(t, y)->row = rows.row;
    return gnd_requested(t, y);
}
