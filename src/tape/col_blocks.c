/* SPDX-License-Identifier: MIT
 * col_blocks.c - y = c z + A x for an x larger than a cache, in ranges of columns of A that fit.
 * A: [m, n], x: [n, f], y, z: [m, f].
 *
 * plan/product.h decides when it is used; the copy of A is charged to the memory budget. Each
 * range of columns is copied into a matrix of its own, so that a product reads it in order. A
 * row is summed in the order of its columns, so the result has the same bits as an undivided
 * product. From the second range on, a part holds only the rows with entries in it: in a graph
 * of 2.4 million rows with 54 entries each on average, more than half of the rows have none in a
 * range of 12 MB. That product takes 0.4 s at a width of 16, against 0.56 s with all rows in
 * every range (of 8 MB) and 0.85 s undivided (one core of an EPYC with 32 MB of L3 cache). */
#include "op.h"

typedef struct {
    gnd_csr a;    /* the entries of the range */
    int32_t *row; /* index of each row in A; NULL: the part holds all rows */
} part;

typedef struct {
    part *part;
    int64_t n; /* 0: not enough memory in the budget */
} blocks;

static const char kind = 0; /* its address is the key of the stored blocks */

/* Counts the rows and entries of each range. Only part[k].a.n_col is set so far, to the number
 * of entries. Returns the bytes needed. */
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

/* Allocates the counted rows and entries. n_row then counts the rows filled so far. */
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

/* Copies the entries of row i from p on with column < end as the next row of a part. Returns the
 * index of the first entry not copied. */
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

/* NULL after an error. */
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
        b->n = 0; /* memory of the store is not released before the tape is */
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

/* NULL: not faster, or not enough memory in the budget. */
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
    first.then = NULL;
    gnd_spmm_all(t, y, &first);
    for (int64_t k = 1; k < b->n; k++) {
        const gnd_csr *of = &b->part[k].a;
        const int64_t cost = (gnd_csr_nnz(of) + of->n_row) * p->f;

        gnd_parallel_for(t->pool, of->n_row, gnd_row_grain(of->n_row, cost), cost, part_piece,
                         &(part_job){t->kern, y, &b->part[k], p->x, p->f});
    }
    if (p->then)
        gnd_parallel_for(t->pool, p->a->n_row, gnd_row_grain(p->a->n_row, p->a->n_row * p->f),
                         p->a->n_row * p->f, p->then, p->arg);
    return true;
}

void gnd_spmm_operator(gnd_tape *t, gnd_real *y, const gnd_product *p)
{
    if (p->a->part || (!gnd_spmm_blocks(t, y, p) && !gnd_spmm_groups(t, y, p)))
        gnd_spmm_all(t, y, p);
}
