/* SPDX-License-Identifier: MIT
 * row_groups.c - rows of similar length together: how they are ordered, and products with them. */
#include "row_groups.h"

#include <string.h>

#include "kern/rows_by_length.h"

enum { WINDOW = 512 }; /* rows: those of y and z stay in the L1 cache */

struct gnd_row_groups {
    gnd_grouped_rows *window;
    int64_t *level; /* [n_level + 1] first window of the rows of each number of steps */
    int64_t *cost;  /* [n_level] rows and entries up to this level */
    int64_t n_level, n_col;
};

static const char kind = 0; /* its address is the key of the stored groups */

/* The rows of m in the order of their steps, then of their index. */
typedef struct {
    const gnd_csr *m;
    int32_t *order; /* [n] */
    int64_t *level; /* [n_level + 1] where the rows of each number of steps start */
    int64_t n_level, n;
} arrangement;

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

/* Has each row one value, bit by bit, for all of its entries? */
static bool by_row(const arrangement *r)
{
    for (int64_t i = 0; r->m->val && i < r->n; i++)
        for (int64_t p = r->m->ptr[r->order[i]] + 1; p < r->m->ptr[r->order[i] + 1]; p++)
            if (memcmp(&r->m->val[p], &r->m->val[p - 1], sizeof *r->m->val) != 0)
                return false;
    return true;
}

/* false after an error. */
static bool arrange(gnd_tape *t, arrangement *r, const gnd_csr *a, gnd_row_list rows, int64_t depth)
{
    const int64_t n = a->n_row, levels = (depth < n ? depth : n) + 3;
    unsigned char *seen = gnd_tape_alloc(t, n, 1);
    int32_t *step = gnd_tape_alloc(t, n, sizeof *step);
    int64_t *next = gnd_tape_alloc(t, levels, sizeof *next);

    r->order = gnd_tape_alloc(t, n, sizeof *r->order);
    r->level = gnd_tape_alloc(t, levels, sizeof *r->level);
    if (!gnd_tape_ok(t))
        return false;
    memset(seen, 0, (size_t)n);
    levels_find(r, seen, a, rows, depth);
    levels_sort(r, step, next);
    return true;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* Where the next group goes. */
typedef struct {
    int32_t *row, *len, *col;
    gnd_real *val;
} place;

/* The n rows, of ascending length, as a group: GND_GROUP rows or fewer. */
static void group_fill(place *to, const gnd_csr *m, const int32_t *row, int64_t n, bool by_row)
{
    int64_t e = 0;

    for (int64_t r = 0; r < GND_GROUP; r++) {
        const int64_t i = r - (GND_GROUP - n);

        to->row[r] = row[i < 0 ? n - 1 : i];
        to->len[r] = i < 0 ? 0 : (int32_t)gnd_row_length(m, row[i]);
        if (by_row)
            *to->val++ = to->len[r] > 0 ? gnd_csr_val(m, m->ptr[row[i]]) : 0;
    }
    for (int64_t s = 0; s < GND_GROUP; s++) /* rows s, s + 1, .. have entries left */
        for (; e < to->len[s]; e++)
            for (int64_t r = s; r < GND_GROUP; r++) {
                const int64_t p = m->ptr[to->row[r]] + e;

                *to->col++ = m->col[p];
                if (!by_row)
                    *to->val++ = gnd_csr_val(m, p);
            }
    to->row += GND_GROUP;
    to->len += GND_GROUP;
}

/* The n rows of a window. */
static gnd_grouped_rows window_fill(place *to, const gnd_csr *m, int32_t *row, int64_t n,
                                    bool by_row)
{
    const gnd_grouped_rows w = {.row = to->row,
                                .len = to->len,
                                .col = to->col,
                                .val = to->val,
                                .n = (n + GND_GROUP - 1) / GND_GROUP,
                                .by_row = by_row};

    gnd_rows_by_length(row, n, m);
    for (int64_t i = 0; i < n; i += GND_GROUP)
        group_fill(to, m, row + i, n - i < GND_GROUP ? n - i : GND_GROUP, by_row);
    return w;
}

/* Windows of each level in turn. NULL after an error. */
static gnd_row_groups *groups_fill(gnd_tape *t, const arrangement *r)
{
    gnd_row_groups *g = gnd_tape_store(t, 1, sizeof *g);
    const bool one_value = by_row(r);
    int64_t n_window = 0, n_row = 0, nnz = 0;
    const int32_t *first;
    place to;

    for (int64_t i = 0; i < r->n; i++)
        nnz += gnd_row_length(r->m, r->order[i]);
    for (int64_t d = 0; d < r->n_level; d++) {
        const int64_t n = r->level[d + 1] - r->level[d];

        n_window += (n + WINDOW - 1) / WINDOW;
        n_row += (n + GND_GROUP - 1) / GND_GROUP * GND_GROUP;
    }
    if (!g)
        return NULL;
    *g = (gnd_row_groups){.n_level = r->n_level, .n_col = r->m->n_col};
    g->window = gnd_tape_store(t, n_window, sizeof *g->window);
    g->level = gnd_tape_store(t, r->n_level + 1, sizeof *g->level);
    g->cost = gnd_tape_store(t, r->n_level, sizeof *g->cost);
    to.row = gnd_tape_store(t, n_row, sizeof *to.row);
    to.len = gnd_tape_store(t, n_row, sizeof *to.len);
    to.col = gnd_tape_store(t, nnz + GND_ENTRIES_AHEAD, sizeof *to.col);
    to.val = gnd_tape_store(t, one_value ? n_row : nnz, sizeof *to.val);
    if (!gnd_tape_ok(t))
        return NULL;
    first = to.col;
    n_window = 0;
    for (int64_t d = 0; d < r->n_level; d++) {
        g->level[d] = n_window;
        for (int64_t i = r->level[d]; i < r->level[d + 1]; i += WINDOW) {
            const int64_t left = r->level[d + 1] - i;

            g->window[n_window++] =
                window_fill(&to, r->m, r->order + i, left < WINDOW ? left : WINDOW, one_value);
        }
        g->cost[d] = r->level[d + 1] + (to.col - first);
    }
    g->level[r->n_level] = n_window;
    memset(to.col, 0, GND_ENTRIES_AHEAD * sizeof *to.col);
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
        const int64_t row = w * WINDOW;

        j->kern->spmm_grouped(&columns, &j->g->window[w]);
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
