/* SPDX-License-Identifier: MIT
 * drop_matmul.c - y = M(x) w, M dropout of the stored entries of x.  x: sparse [n, k], w: [k, f],
 * y: [n, f].
 *
 *     dw = M(x)^T dy
 *
 * y has the same bits as a product after a dropout, but M(x) is never stored as a whole: a run
 * of rows is packed, multiplied by w (or dy) while it is in cache, and overwritten by the next
 * run. The backward pass packs the rows again and is 5 to 15 % slower than with a stored M(x):
 * use it if memory for M(x) is short. dw of a large x is summed in other blocks of rows, since
 * their number depends on all entries and not on the kept ones. */
#include <string.h>

#include "base/bits.h"
#include "tape/op.h"

enum { WORD = 64, ENTRIES = 2048, ROWS = 256 };

/* The kept entries of a run of rows. */
typedef struct {
    int64_t ptr[ROWS + 1];
    int64_t before[ENTRIES / WORD + 1]; /* number of kept entries before each word */
    uint64_t keep[ENTRIES / WORD];
    int32_t col[ENTRIES];
    gnd_real val[ENTRIES];
} run;

typedef struct {
    const gnd_csr *x;
    gnd_drop_law law;
    gnd_real scale; /* 1 / (1 - p) */
} drop_arg;

typedef struct {
    const gnd_kern *kern;
    const drop_arg *d;
    const gnd_real *w;
    gnd_real *y; /* backward: dy */
    int64_t f;
} job;

/* The number of rows, from row on, that fit into a run; 0: the first row is too long. */
static int64_t rows_that_fit(const gnd_csr *x, int64_t row, int64_t end)
{
    int64_t n = 0;

    while (row + n < end && n < ROWS && x->ptr[row + n + 1] - x->ptr[row] <= ENTRIES)
        n++;
    return n;
}

/* Packs the kept ones of the entries from .. to - 1 of x, at most ENTRIES. */
static void run_pack(run *r, const job *j, int64_t from, int64_t to)
{
    const gnd_csr *x = j->d->x;
    const int64_t words = (to - from + WORD - 1) / WORD;

    r->before[0] = 0;
    for (int64_t w = 0; w < words; w++) {
        const int64_t p = from + w * WORD;

        r->keep[w] = j->kern->kept(&j->d->law, p, to - p < WORD ? to - p : WORD);
        r->before[w + 1] = r->before[w] + gnd_popcount(r->keep[w]);
    }
    j->kern->pack(r->col, r->val, x->col + from, x->val ? x->val + from : NULL, j->d->scale,
                  r->keep, to - from);
}

/* Rows row .. row + n - 1 of M(x). If n is 0: entries p .. p + ENTRIES - 1 of that one row. */
static gnd_csr run_take(run *r, const job *j, int64_t row, int64_t n, int64_t p)
{
    const gnd_csr *x = j->d->x;
    const int64_t from = n ? x->ptr[row] : p, end = x->ptr[row + (n ? n : 1)];
    const int64_t to = n || end - p <= ENTRIES ? end : p + ENTRIES;

    run_pack(r, j, from, to);
    r->ptr[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t last = x->ptr[row + i + 1] - from, w = last / WORD;
        const uint64_t below = (UINT64_C(1) << (last % WORD)) - 1;

        r->ptr[i + 1] = r->before[w] + (below ? gnd_popcount(r->keep[w] & below) : 0);
    }
    if (n == 0)
        r->ptr[1] = r->before[(to - from + WORD - 1) / WORD];
    return (gnd_csr){
        .n_row = n ? n : 1, .n_col = x->n_col, .ptr = r->ptr, .col = r->col, .val = r->val};
}

static void forward_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_csr *x = j->d->x;
    run r;

    for (int64_t row = begin; row < end;) {
        const int64_t n = rows_that_fit(x, row, end);
        gnd_real *y = j->y + row * j->f;

        if (n > 0) {
            const gnd_csr rows = run_take(&r, j, row, n, 0);

            j->kern->spmm(y, &rows, j->w, j->f, 0, NULL, 0, n);
            row += n;
            continue;
        }
        memset(y, 0, (size_t)j->f * sizeof *y);
        for (int64_t p = x->ptr[row]; p < x->ptr[row + 1]; p += ENTRIES) {
            const gnd_csr piece = run_take(&r, j, row, 0, p);

            j->kern->spmm(y, &piece, j->w, j->f, 1, y, 0, 1);
        }
        row++;
    }
}

static void dw_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;
    const gnd_csr *x = j->d->x;
    run r;

    for (int64_t row = begin; row < end;) {
        const int64_t n = rows_that_fit(x, row, end);
        const gnd_real *dy = j->y + row * j->f;

        if (n > 0) {
            const gnd_csr rows = run_take(&r, j, row, n, 0);

            j->kern->spmm_t(dw, &rows, dy, j->f, 0, n);
            row += n;
            continue;
        }
        for (int64_t p = x->ptr[row]; p < x->ptr[row + 1]; p += ENTRIES) {
            const gnd_csr piece = run_take(&r, j, row, 0, p);

            j->kern->spmm_t(dw, &piece, dy, j->f, 0, 1);
        }
        row++;
    }
}

static void drop_matmul_forward(gnd_tape *t, gnd_node *y)
{
    const drop_arg *d = y->arg;
    const int64_t cost = gnd_csr_nnz(d->x) * y->cols;

    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, forward_rows,
                     &(job){t->kern, d, gnd_tape_node(t, y->in[0])->v, y->v, y->cols});
}

static void drop_matmul_backward(gnd_tape *t, gnd_node *y)
{
    const drop_arg *d = y->arg;
    gnd_node *w = gnd_tape_node(t, y->in[0]);

    gnd_sum_rows(t, w->g,
                 &(gnd_row_sum){
                     .fn = dw_rows,
                     .arg = &(job){t->kern, d, NULL, y->g, y->cols},
                     .rows = y->rows,
                     .size = gnd_node_size(w),
                     .cost = gnd_csr_nnz(d->x) * y->cols,
                 });
}

const gnd_op gnd_op_drop_matmul = {
    .name = "drop_matmul",
    .forward = drop_matmul_forward,
    .backward = drop_matmul_backward,
};

gnd_var gnd_drop_matmul(gnd_tape *t, gnd_var x, double p, const char *place, gnd_var w)
{
    const gnd_node *xn = gnd_tape_ok(t) ? gnd_tape_node(t, x) : NULL, *wn;
    drop_arg *d;
    gnd_var y;

    /* Use the separate ops if x is dense, a part of the rows or given masks are used, or nothing
     * is dropped. */
    if (!xn || !xn->sp || xn->row || t->part || t->mask || !t->training || !(p > 0 && p < 1))
        return gnd_matmul(t, gnd_dropout(t, x, p, place), w);
    if (!gnd_check_dense(t, "drop_matmul", w))
        return GND_NONE;
    wn = gnd_tape_node(t, w);
    if (xn->cols != wn->rows)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "drop_matmul: [%lld,%lld] x [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)wn->rows,
                             (long long)wn->cols);
    d = gnd_tape_alloc(t, 1, sizeof *d);
    if (!d)
        return GND_NONE;
    *d =
        (drop_arg){.x = xn->sp, .law = gnd_mask_law(t, p, place), .scale = (gnd_real)(1 / (1 - p))};
    y = gnd_tape_record(t, &gnd_op_drop_matmul, 1, &w, (gnd_shape){xn->rows, wn->cols}, d);
    if (gnd_tape_ok(t)) /* y has rows of x, not of w */
        gnd_tape_node(t, y)->row = NULL;
    return y;
}
