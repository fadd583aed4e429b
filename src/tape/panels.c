/* SPDX-License-Identifier: MIT
 * panels.c - y = A^k x or y += A^k x in panels of PANEL columns of x, copied to rows of whole cache
 * lines.  A: [n, n], x, y: [n, f]. plan/product.h decides when it is used.
 *
 * If x is larger than a cache, a row of 30 floats spans up to three cache lines, and rows of 64
 * evict lines that the next vertex needs: with 36 entries per row and 13,752 vertices, a product
 * takes 1.41 ms at 30 columns, 0.83 at 32 and 2.76 at 64 (one core of an EPYC). All k products
 * of a panel are computed before the next panel starts. */
#include <string.h>

#include "op.h"

enum { PANEL = GND_PANEL, LINE = 64 }; /* LINE: bytes per cache line */

bool gnd_panels_pay(const gnd_csr *a, int64_t f)
{
    const gnd_product_sizes s = gnd_product_sizes_of(a, f);

    /* Processes might choose differently, and would exchange panels of different widths. */
    return !a->part && gnd_product_by_panels(&s);
}

typedef struct {
    gnd_real *panel; /* [n, PANEL] */
    const gnd_real *x;
    gnd_real *y;
    int64_t f, first, w; /* columns first .. first + w - 1 of f */
    bool add;
} copy_job;

static void fill_rows(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *to = j->panel + i * PANEL;

        memcpy(to, j->x + i * j->f + j->first, (size_t)j->w * sizeof *to);
        for (int64_t c = j->w; c < PANEL; c++)
            to[c] = 0;
    }
}

static void empty_rows(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *restrict from = j->panel + i * PANEL;
        gnd_real *restrict to = j->y + i * j->f + j->first;

        if (!j->add)
            memcpy(to, from, (size_t)j->w * sizeof *to);
        for (int64_t c = 0; j->add && c < j->w; c++)
            to[c] += from[c];
    }
}

/* n rows of PANEL values, aligned to a cache line; NULL after an error. */
static gnd_real *panel_new(gnd_tape *t, int64_t n)
{
    char *p = gnd_tape_alloc(t, n * PANEL * (int64_t)sizeof(gnd_real) + LINE, 1);

    return p ? (gnd_real *)(p + (LINE - (uintptr_t)p % LINE) % LINE) : NULL;
}

void gnd_panels_power(gnd_tape *t, gnd_real *y, const gnd_product *p, int64_t k, bool add)
{
    const int64_t f = p->f, n = p->a->n_row, cost = n * PANEL, grain = gnd_row_grain(n, cost);
    gnd_real *now = panel_new(t, n), *next = panel_new(t, n);

    if (!now || !next)
        return;
    for (int64_t first = 0; first < f; first += PANEL) {
        copy_job j = {.panel = now, .x = p->x, .y = y, .f = f, .first = first, .add = add};

        j.w = f - first < PANEL ? f - first : PANEL;
        gnd_parallel_for(t->pool, n, grain, cost, fill_rows, &j);
        for (int64_t i = 0; i < k; i++) {
            gnd_real *was = now;

            gnd_spmm_all(t, next, &(gnd_product){.a = p->a, .x = now, .f = PANEL});
            now = next;
            next = was;
        }
        j.panel = now;
        gnd_parallel_for(t->pool, n, grain, cost, empty_rows, &j);
    }
}
