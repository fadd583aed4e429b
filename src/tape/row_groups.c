/* SPDX-License-Identifier: MIT
 * row_groups.c - rows of equal length together: how they are ordered, and products with them. */
#include "row_groups.h"

#include <string.h>

enum {
    WINDOW = 512, /* rows: those of y and z stay in the L1 cache */
    LONG = 64     /* rows of so many entries and more are runs of their own */
};

struct gnd_row_groups {
    gnd_equal_rows *run;
    int64_t *window; /* [n_window + 1] first run of each window */
    int64_t *level;  /* [n_level + 1] first window of the rows of each number of steps */
    int64_t *cost;   /* [n_level] rows and entries up to this level */
    int64_t n_level, n_window, n_col;
};

static const char kind = 0; /* its address is the key of the stored groups */

/* The rows of m in the order of their steps, then of their index. */
typedef struct {
    const gnd_csr *m;
    int32_t *order; /* [n] */
    int64_t *level; /* [n_level + 1] where the rows of each number of steps start */
    int64_t n_level, n, nnz;
} arrangement;

static int64_t length(const gnd_csr *m, int64_t i)
{
    return m->ptr[i + 1] - m->ptr[i];
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Breadth-first search; lists the rows in the order of their steps. */
static void levels_find(arrangement *r, unsigned char *seen, const gnd_csr *a, gnd_row_list rows,
                        int64_t depth)
{
    for (int64_t i = 0; i < rows.n; i++) {
        const int32_t v = rows.row ? rows.row[i] : (int32_t)i;

        if (!seen[v])
            r->order[r->n++] = v;
        seen[v] = 1;
    }
    r->level[0] = 0;
    r->level[++r->n_level] = r->n;
    while (r->n_level <= depth && r->n > r->level[r->n_level - 1]) {
        for (int64_t i = r->level[r->n_level - 1]; i < r->level[r->n_level]; i++)
            for (int64_t p = a->ptr[r->order[i]]; p < a->ptr[r->order[i] + 1]; p++)
                if (!seen[a->col[p]]) {
                    seen[a->col[p]] = 1;
                    r->order[r->n++] = a->col[p];
                }
        r->level[++r->n_level] = r->n;
    }
}

/* Orders the rows of each number of steps by their index, so that y and z are read in order.
 * step: [n_row] */
static void levels_sort(arrangement *r, int32_t *step, int64_t *next)
{
    for (int64_t i = 0; i < r->m->n_row; i++)
        step[i] = -1;
    for (int64_t d = 0; d < r->n_level; d++) {
        next[d] = r->level[d];
        for (int64_t i = r->level[d]; i < r->level[d + 1]; i++)
            step[r->order[i]] = (int32_t)d;
    }
    for (int64_t i = 0; i < r->m->n_row; i++)
        if (step[i] >= 0)
            r->order[next[step[i]]++] = (int32_t)i;
}

/* Orders rows first..end-1 by length. Returns the number of runs. */
static int64_t window_sort(arrangement *r, int64_t first, int64_t end)
{
    int64_t start[LONG + 2] = {0}, n_run = 0;
    int32_t sorted[WINDOW];

    for (int64_t i = first; i < end; i++) {
        const int64_t len = length(r->m, r->order[i]);

        start[(len < LONG ? len : LONG) + 1]++;
    }
    for (int64_t len = 0; len < LONG; len++)
        n_run += start[len + 1] > 0;
    n_run += start[LONG + 1];
    for (int64_t len = 0; len <= LONG; len++)
        start[len + 1] += start[len];
    for (int64_t i = first; i < end; i++) {
        const int64_t len = length(r->m, r->order[i]);

        sorted[start[len < LONG ? len : LONG]++] = r->order[i];
        r->nnz += len;
    }
    memcpy(r->order + first, sorted, (size_t)(end - first) * sizeof *sorted);
    return n_run;
}

/* false after an error. */
static bool arrange(gnd_tape *t, arrangement *r, const gnd_csr *a, gnd_row_list rows, int64_t depth)
{
    const int64_t n = a->n_row, levels = (depth < n ? depth : n) + 3;
    unsigned char *seen = gnd_tape_alloc(t, n, 1);
    int32_t *step = gnd_tape_alloc(t, n, sizeof *step);
    int64_t *next = gnd_tape_alloc(t, levels, sizeof *next);

    r->order = gnd_tape_store(t, n, sizeof *r->order);
    r->level = gnd_tape_alloc(t, levels, sizeof *r->level);
    if (!gnd_tape_ok(t))
        return false;
    memset(seen, 0, (size_t)n);
    levels_find(r, seen, a, rows, depth);
    levels_sort(r, step, next);
    return true;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* The rows first..end-1, a window, as runs. Returns the next entry. */
static int64_t window_fill(gnd_row_groups *g, const arrangement *r, int64_t first, int64_t end,
                           int64_t p, int32_t *col, gnd_real *val)
{
    int64_t *n_run = &g->window[g->n_window + 1];

    *n_run = g->window[g->n_window];
    for (int64_t i = first; i < end; i++) {
        const int64_t from = r->m->ptr[r->order[i]], len = length(r->m, r->order[i]);

        if (i == first || len != g->run[*n_run - 1].len || len >= LONG)
            g->run[(*n_run)++] = (gnd_equal_rows){
                .row = r->order + i, .col = col + p, .val = val + p, .n = 1, .len = len};
        else
            g->run[*n_run - 1].n++;
        for (int64_t e = 0; e < len; e++, p++) {
            col[p] = r->m->col[from + e];
            val[p] = gnd_csr_val(r->m, from + e);
        }
    }
    g->n_window++;
    return p;
}

/* Windows of each level in turn. NULL after an error. */
static gnd_row_groups *groups_fill(gnd_tape *t, arrangement *r)
{
    gnd_row_groups *g = gnd_tape_store(t, 1, sizeof *g);
    int64_t n_run = 0, n_window = 0, p = 0;
    int32_t *col;
    gnd_real *val;

    for (int64_t d = 0; d < r->n_level; d++)
        for (int64_t i = r->level[d]; i < r->level[d + 1]; i += WINDOW, n_window++)
            n_run += window_sort(r, i, i + WINDOW < r->level[d + 1] ? i + WINDOW : r->level[d + 1]);
    if (!g)
        return NULL;
    *g = (gnd_row_groups){.n_level = r->n_level, .n_col = r->m->n_col};
    g->run = gnd_tape_store(t, n_run, sizeof *g->run);
    g->window = gnd_tape_store(t, n_window + 1, sizeof *g->window);
    g->level = gnd_tape_store(t, r->n_level + 1, sizeof *g->level);
    g->cost = gnd_tape_store(t, r->n_level, sizeof *g->cost);
    col = gnd_tape_store(t, r->nnz + GND_ENTRIES_AHEAD, sizeof *col);
    val = gnd_tape_store(t, r->nnz, sizeof *val);
    if (!gnd_tape_ok(t))
        return NULL;
    g->window[0] = 0;
    for (int64_t d = 0; d < r->n_level; d++) {
        g->level[d] = g->n_window;
        for (int64_t i = r->level[d]; i < r->level[d + 1]; i += WINDOW)
            p = window_fill(g, r, i, i + WINDOW < r->level[d + 1] ? i + WINDOW : r->level[d + 1], p,
                            col, val);
        g->cost[d] = r->level[d + 1] + p;
    }
    g->level[r->n_level] = g->n_window;
    memset(col + p, 0, GND_ENTRIES_AHEAD * sizeof *col);
    return g;
}

const gnd_row_groups *gnd_row_groups_get(gnd_tape *t, const gnd_csr *m, const gnd_csr *a,
                                         gnd_row_list rows, int64_t depth)
{
    const gnd_kept_key key = {&kind, m, rows.row, rows.n, depth};
    const gnd_product_sizes s = gnd_product_sizes_of(m, 1);
    gnd_row_groups *g;

    if (!gnd_tape_ok(t) || !gnd_product_by_groups(&s))
        return NULL;
    g = gnd_tape_kept(t, &key);
    if (!g) {
        arrangement r = {.m = m};

        if (!gnd_budget_take(&t->budget, gnd_product_groups_bytes(&s))) {
            g = gnd_tape_store(t, 1, sizeof *g); /* no level: there is no memory for groups */
            if (g)
                *g = (gnd_row_groups){0};
        } else
            g = arrange(t, &r, a, rows, depth) ? groups_fill(t, &r) : NULL;
        if (g)
            gnd_tape_keep(t, &key, g);
    }
    return g && g->n_level > 0 ? g : NULL;
}

/* ---- products ------------------------------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    const gnd_row_groups *g;
    gnd_real *y;
    const gnd_product *p;
} groups_job;

static void windows(int64_t begin, int64_t end, void *arg)
{
    const groups_job *j = arg;
    const gnd_product *p = j->p;
    const gnd_columns_of columns = gnd_columns_of_product(j->y, p, j->g->n_col);

    for (int64_t w = begin; w < end; w++) {
        const int64_t first = j->g->window[w], row = w * WINDOW;

        j->kern->spmm_equal(&columns, j->g->run + first, j->g->window[w + 1] - first);
        if (p->then)
            p->then(row, row + WINDOW < j->g->n_col ? row + WINDOW : j->g->n_col, p->arg);
    }
}

void gnd_row_groups_spmm(gnd_tape *t, gnd_real *y, const gnd_row_groups *g, const gnd_product *p,
                         int64_t steps)
{
    const int64_t last = steps < g->n_level ? steps : g->n_level - 1;
    const int64_t n = g->level[last + 1], cost = g->cost[last] * p->f;

    gnd_parallel_for(t->pool, n, gnd_row_grain(n, cost), cost, windows,
                     &(groups_job){t->kern, g, y, p});
}

bool gnd_spmm_groups(gnd_tape *t, gnd_real *y, const gnd_product *p)
{
    const gnd_row_groups *g =
        gnd_row_groups_get(t, p->a, p->a, (gnd_row_list){NULL, p->a->n_row}, 0);

    if (g)
        gnd_row_groups_spmm(t, y, g, p, 0);
    return g != NULL;
}
