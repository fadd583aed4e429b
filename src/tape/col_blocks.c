/* SPDX-License-Identifier: MIT
 * col_blocks.c - y = c z + A x for an operator whose x does not fit into a cache: by ranges of
 * columns that do. plan/product.h decides when, and the copy of A comes out of the memory budget.
 *
 * A is copied range by range, each a matrix of its own, so that a product reads it in order. A row
 * is summed in the order of its columns as before, only stored to y between two ranges, and gets
 * the same bits. From the second range on a part holds only the rows that have entries in it:
 * degrees are skewed, and of 2.4 million rows with 54 entries each on average more than half have
 * none in a range of 12 MB. At a width of 16 that product takes 0.4 seconds, with all rows in every
 * range (of 8 MB) 0.56, undivided 0.85 (one core of an EPYC with 32 MB of third cache).
 */
#include "op.h"

typedef struct {
    gnd_csr a;    /* the entries of a range */
    int32_t *row; /* which row each of its rows is; NULL: they are all there */
} part;

typedef struct {
    part *part;
    int64_t n; /* 0: there was no memory to spend on them */
} blocks;

static const char kind = 0; /* its address names what is kept */

/* Rows and entries of each range, which part[k].a is to have room for: n_row, ptr and col are not
 * there yet, n_col is the number of entries. Returns their bytes. */
static int64_t parts_count(part *out, int64_t n, const gnd_csr *a, int64_t range)
{
    int64_t bytes = 0;

    for (int64_t i = 0; i < a->n_row; i++) {
        int64_t p = a->ptr[i];

        while (p < a->ptr[i + 1]) { /* columns ascend */
            const int64_t k = a->col[p] / range, first = p;

            while (p < a->ptr[i + 1] && a->col[p] < (k + 1) * range)
                p++;
            out[k].a.n_row++;
            out[k].a.n_col += p - first;
        }
    }
    out[0].a.n_row = a->n_row;
    for (int64_t k = 0; k < n; k++)
        bytes += (out[k].a.n_row + 1) * (int64_t)sizeof *a->ptr +
                 (k > 0 ? out[k].a.n_row : 0) * (int64_t)sizeof *out[k].row +
                 out[k].a.n_col * (int64_t)(sizeof *a->col + (a->val ? sizeof *a->val : 0));
    return bytes;
}

/* Room for what was counted; n_row is then how many rows were filled in. */
static bool parts_new(gnd_tape *t, blocks *b, const gnd_csr *a)
{
    for (int64_t k = 0; k < b->n; k++) {
        gnd_csr *c = &b->part[k].a;

        c->ptr = gnd_tape_store(t, c->n_row + 1, sizeof *c->ptr);
        c->col = gnd_tape_store(t, c->n_col, sizeof *c->col);
        c->val = a->val ? gnd_tape_store(t, c->n_col, sizeof *c->val) : NULL;
        b->part[k].row = k > 0 ? gnd_tape_store(t, c->n_row, sizeof *b->part[k].row) : NULL;
        if (!gnd_tape_ok(t))
            return false;
        c->ptr[0] = 0;
        c->n_row = 0;
        c->n_col = a->n_col;
    }
    return true;
}

/* The entries p.. of row i below column `end` become the next row of a part; where they end. */
static int64_t row_copy(part *to, const gnd_csr *a, int64_t i, int64_t p, int64_t end)
{
    gnd_csr *c = &to->a;
    int64_t q = c->ptr[c->n_row];

    for (; p < a->ptr[i + 1] && a->col[p] < end; p++, q++) {
        c->col[q] = a->col[p];
        if (c->val)
            c->val[q] = a->val[p];
    }
    if (to->row)
        to->row[c->n_row] = (int32_t)i;
    c->ptr[++c->n_row] = q;
    return p;
}

/* NULL after the sticky error. */
static const blocks *blocks_make(gnd_tape *t, const gnd_csr *a, int64_t range)
{
    blocks *b = gnd_tape_store(t, 1, sizeof *b);
    int64_t bytes;

    if (!b)
        return NULL;
    b->n = (a->n_col + range - 1) / range;
    b->part = gnd_tape_store(t, b->n, sizeof *b->part);
    if (!b->part)
        return NULL;
    for (int64_t k = 0; k < b->n; k++)
        b->part[k] = (part){0};
    bytes = parts_count(b->part, b->n, a, range);
    if (!gnd_budget_take(&t->budget, bytes)) {
        b->n = 0; /* nothing is ever given back */
        return b;
    }
    if (!parts_new(t, b, a))
        return NULL;
    for (int64_t i = 0; i < a->n_row; i++) {
        int64_t p = row_copy(&b->part[0], a, i, a->ptr[i], range);

        while (p < a->ptr[i + 1]) {
            const int64_t k = a->col[p] / range;

            p = row_copy(&b->part[k], a, i, p, (k + 1) * range);
        }
    }
    return b;
}

/* NULL: they do not pay, or there is no memory to spend on them. */
static const blocks *blocks_get(gnd_tape *t, const gnd_csr *a, int64_t f)
{
    gnd_kept_key key = {.kind = &kind, .of = a};
    const gnd_product_sizes s = gnd_product_sizes_of(a, f);
    const blocks *b;

    if (!gnd_tape_ok(t) || !gnd_product_by_ranges(&s))
        return NULL;
    key.depth = gnd_product_range(&s);
    b = gnd_tape_kept(t, &key);
    if (!b) {
        b = blocks_make(t, a, key.depth);
        if (b)
            gnd_tape_keep(t, &key, (void *)b);
    }
    return b && b->n > 0 ? b : NULL;
}

typedef struct {
    const gnd_kern *kern;
    gnd_real *y;
    const part *of;
    const gnd_real *x;
    int64_t f;
} part_job;

static void part_piece(int64_t begin, int64_t end, void *arg)
{
    const part_job *j = arg;

    j->kern->spmm_some(j->y, j->of->row, &j->of->a, j->x, j->f, begin, end);
}

bool gnd_spmm_blocks(gnd_tape *t, gnd_real *y, const gnd_product *p)
{
    const blocks *b = blocks_get(t, p->a, p->f);
    gnd_product first = *p;

    if (!b)
        return false;
    first.a = &b->part[0].a;
    gnd_spmm_all(t, y, &first);
    for (int64_t k = 1; k < b->n; k++) {
        const gnd_csr *of = &b->part[k].a;
        const int64_t cost = (gnd_csr_nnz(of) + of->n_row) * p->f;

        gnd_parallel_for(t->pool, of->n_row, gnd_row_grain(of->n_row, cost), cost, part_piece,
                         &(part_job){t->kern, y, &b->part[k], p->x, p->f});
    }
    return true;
}

void gnd_spmm_operator(gnd_tape *t, gnd_real *y, const gnd_product *p)
{
    if (!gnd_spmm_blocks(t, y, p))
        gnd_spmm_all(t, y, p);
}
