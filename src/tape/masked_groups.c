/* SPDX-License-Identifier: MIT
 * masked_groups.c - rows of equal length together, with the place of their entries in a mask. */
#include "masked_groups.h"

#include "kern/rows_by_length.h"

enum { WINDOW = GND_SORTED_ROWS }; /* those of y and z stay near */

struct gnd_masked_groups {
    gnd_masked_rows *run;
    int64_t *window; /* [n_window + 1] first run of each window */
    int64_t n_window, n_col, cost;
    int32_t *row, *col;
    gnd_real *val;
    uint64_t *first;
};

static const char kind = 0; /* its address is a part of the key */

static int64_t window_end(const gnd_csr *m, int64_t first)
{
    return first + WINDOW < m->n_row ? first + WINDOW : m->n_row;
}

/* Does row r of the list start a run? The list is that of a window from `first` on. */
static bool starts_run(const gnd_csr *m, const int32_t *row, int64_t r, int64_t first)
{
    return r == first || gnd_row_length(m, row[r]) != gnd_row_length(m, row[r - 1]);
}

/* Lists rows first..end-1 by length. Returns the number of runs. */
static int64_t window_sort(int32_t *row, const gnd_csr *m, int64_t first, int64_t end)
{
    int64_t n_run = 0;

    for (int64_t i = first; i < end; i++)
        row[i] = (int32_t)i;
    gnd_rows_by_length(row + first, end - first, m);
    for (int64_t i = first; i < end; i++)
        n_run += starts_run(m, row, i, first);
    return n_run;
}

/* Copies the listed rows first..end-1, a window. Returns the next entry. */
static int64_t window_fill(gnd_masked_groups *g, const gnd_masked *of, int64_t first, int64_t end,
                           int64_t p)
{
    const gnd_real scale = (gnd_real)(1 / (1 - of->p));
    int64_t n_run = g->window[g->n_window];

    for (int64_t i = first; i < end; i++) {
        const int64_t r = g->row[i], len = gnd_row_length(of->m, r), from = of->m->ptr[r];

        g->first[i] = (uint64_t)of->at[of->row ? of->row[r] : r];
        if (starts_run(of->m, g->row, i, first))
            g->run[n_run++] = (gnd_masked_rows){.row = g->row + i,
                                                .col = g->col + p,
                                                .val = g->val + p,
                                                .first = g->first + i,
                                                .len = len};
        g->run[n_run - 1].n++;
        for (int64_t e = 0; e < len; e++, p++) {
            g->col[p] = of->m->col[from + e];
            g->val[p] = gnd_csr_val(of->m, from + e) * scale;
        }
    }
    g->window[++g->n_window] = n_run;
    return p;
}

/* NULL after an error. */
static gnd_masked_groups *groups_new(gnd_tape *t, const gnd_masked *of)
{
    const int64_t n = of->m->n_row, nnz = gnd_csr_nnz(of->m);
    gnd_masked_groups *g = gnd_tape_store(t, 1, sizeof *g);
    int32_t *row = gnd_tape_store(t, n, sizeof *row);
    int64_t n_run = 0, p = 0;

    if (!gnd_tape_ok(t))
        return NULL;
    for (int64_t i = 0; i < n; i += WINDOW)
        n_run += window_sort(row, of->m, i, window_end(of->m, i));
    *g = (gnd_masked_groups){.row = row, .n_col = of->m->n_col, .cost = n + nnz};
    g->run = gnd_tape_store(t, n_run, sizeof *g->run);
    g->window = gnd_tape_store(t, (n + WINDOW - 1) / WINDOW + 1, sizeof *g->window);
    g->col = gnd_tape_store(t, nnz, sizeof *g->col);
    g->val = gnd_tape_store(t, nnz, sizeof *g->val);
    g->first = gnd_tape_store(t, n, sizeof *g->first);
    if (!gnd_tape_ok(t))
        return NULL;
    g->window[0] = 0;
    for (int64_t i = 0; i < n; i += WINDOW)
        p = window_fill(g, of, i, window_end(of->m, i), p);
    return g;
}

const gnd_masked_groups *gnd_masked_groups_get(gnd_tape *t, const gnd_masked *of)
{
    const gnd_kept_key key = {
        .kind = &kind, .of = of->m, .rows = of->row, .depth = (int64_t)(of->p * 0x1p62)};
    const gnd_product_sizes s = gnd_product_sizes_of(of->m, 1);
    gnd_masked_groups *g;

    if (!gnd_tape_ok(t) || !gnd_product_by_masks(&s))
        return NULL;
    g = gnd_tape_kept(t, &key);
    if (!g) {
        if (gnd_budget_take(&t->budget, gnd_product_masks_bytes(&s)))
            g = groups_new(t, of);
        else if ((g = gnd_tape_store(t, 1, sizeof *g))) /* no window: there is no memory */
            *g = (gnd_masked_groups){0};
        if (g)
            gnd_tape_keep(t, &key, g);
    }
    return g && g->n_window > 0 ? g : NULL;
}

typedef struct {
    const gnd_kern *kern;
    const gnd_masked_groups *g;
    const gnd_columns_of *columns;
    const uint64_t *mask;
} groups_job;

static void windows(int64_t begin, int64_t end, void *arg)
{
    const groups_job *j = arg;
    const int64_t first = j->g->window[begin];

    j->kern->spmm_masked(j->columns, j->g->run + first, j->g->window[end] - first, j->mask);
}

void gnd_masked_groups_spmm(gnd_tape *t, gnd_real *y, const gnd_masked_groups *g,
                            const gnd_product *p, const uint64_t *mask)
{
    const gnd_columns_of columns = gnd_columns_of_product(y, p, g->n_col);
    const int64_t cost = g->cost * p->f;

    gnd_parallel_for(t->pool, g->n_window, gnd_row_grain(g->n_window, cost), cost, windows,
                     &(groups_job){t->kern, g, &columns, mask});
}
