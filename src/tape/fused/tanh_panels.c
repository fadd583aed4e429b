/* SPDX-License-Identifier: MIT
 * tanh_panels.c - z_i = sum_k tanh(w_k (.) (a^k x)_i) u_k for many rows i.  a: [n, n], x: sparse
 * [n, d], w_k: [1, d], u_k: [d, f], z: [n_request, f].
 *
 * A panel of columns of x is multiplied by a, and what it contributes is added to z. Two matrices
 * of n rows and a panel's columns are stored, whatever d is. */
#include <string.h>

#include "kern/csr_product.h"
#include "tape/op.h"

/* PANEL: columns, always as many, so that results do not depend on the budget; ROWS: rows whose
 * tanh is computed at a time. */
enum { PANEL = 16, ROWS = 64 };

typedef struct {
    const gnd_kern *kern;
    const int32_t *request;
    const gnd_real *y, *w, *u; /* columns of a^k x, and what belongs to them of w_k and u_k */
    gnd_real *z;
    int64_t width, f;
    gnd_real *part; /* [n_request, f] */
} job;

static void add_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    gnd_real tanh[ROWS * PANEL];

    for (int64_t i = begin; i < end; i += ROWS) {
        const int64_t n = end - i < ROWS ? end - i : ROWS;

        for (int64_t r = 0; r < n; r++)
            j->kern->tanh(tanh + r * j->width,
                          j->y + (j->request ? j->request[i + r] : i + r) * j->width, j->w,
                          j->width);
        j->kern->gemm(j->part + i * j->f, tanh, j->u, j->width, j->f, 0, n);
        j->kern->axpy(j->z + i * j->f, 1, j->part + i * j->f, n * j->f);
    }
}

void gnd_tanh_panels(gnd_tape *t, gnd_real *z, const gnd_row_maker *y, const gnd_real *w,
                     const gnd_real *u, int64_t f)
{
    const int64_t n = y->rows, d = y->x->n_col;
    const int64_t n_z = t->request ? t->n_request : n;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    int64_t *at = gnd_tape_alloc(t, n, sizeof *at);
    gnd_real *turn[2] = {gnd_tape_alloc(t, n * PANEL, sizeof *turn[0]),
                         gnd_tape_alloc(t, n * PANEL, sizeof *turn[1])};
    job j = {.kern = t->kern, .request = t->request, .z = z, .f = f};

    j.part = gnd_tape_alloc(t, n_z * f, sizeof *j.part);
    if (!gnd_tape_ok(t))
        return;
    memset(z, 0, (size_t)(n_z * f) * sizeof *z);
    memcpy(at, y->x->ptr, (size_t)n * sizeof *at);
    for (int64_t c0 = 0; c0 < d && !gnd_pool_stopped(t->pool); c0 += PANEL) {
        j.width = d - c0 < PANEL ? d - c0 : PANEL;
        gnd_csr_panel(turn[0], y->x, at, c0, j.width);
        for (int64_t k = 0; k < y->cols / d; k++) {
            if (k > 0)
                gnd_spmm_all(t, turn[k % 2],
                             &(gnd_product){.a = y->a, .x = turn[(k - 1) % 2], .f = j.width});
            j.y = turn[k % 2];
            j.w = w + k * d + c0;
            j.u = u + (k * d + c0) * f;
            gnd_parallel_for(t->pool, n_z, ROWS, n_z * j.width * (f + 16), add_rows, &j);
        }
    }
    gnd_arena_release(&t->arena, mark);
}
