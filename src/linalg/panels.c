/* SPDX-License-Identifier: MIT
 * panels.c - Clenshaw's recurrence on panels of columns, or, to tell even from odd degrees, the
 * recurrence of the polynomials themselves:
 *
 *     T_0 = b,  T_1 = S b,  T_{k+1} = 2 S T_k - T_{k-1};   even = sum c_2j T_2j, odd: the others */
#include "panels.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

enum { ROWS = 256 };

gnd_status gnd_panels_init(gnd_panels *s, gnd_error *err)
{
    for (int i = 0; i < 3; i++)
        s->room[i] = gnd_alloc_raw(s->S ? s->n * s->width : 0, sizeof *s->room[i]);
    if (s->room[0] && s->room[1] && s->room[2])
        return GND_OK;
    gnd_panels_fini(s);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the coordinates of %lld vertices",
                    (long long)s->n);
}

void gnd_panels_fini(gnd_panels *s)
{
    for (int i = 0; i < 3; i++) {
        gnd_free(s->room[i]);
        s->room[i] = NULL;
    }
}

typedef struct {
    const gnd_panels *s;
    gnd_real *b, *panel;
    int64_t first; /* column of the panel */
} copy_job;

static void to_panel(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;
    const int64_t p = j->s->p, w = j->s->width;

    for (int64_t i = begin; i < end; i++)
        memcpy(j->panel + i * w, j->b + i * p + j->first, (size_t)w * sizeof *j->panel);
}

static void from_panel(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;
    const int64_t p = j->s->p, w = j->s->width;

    for (int64_t i = begin; i < end; i++)
        memcpy(j->b + i * p + j->first, j->panel + i * w, (size_t)w * sizeof *j->panel);
}

static void copy(const gnd_panels *s, gnd_real *b, gnd_real *panel, int64_t first,
                 void (*fn)(int64_t begin, int64_t end, void *arg))
{
    gnd_parallel_for(s->pool, s->n, ROWS, s->n * s->width, fn, &(copy_job){s, b, panel, first});
}

void gnd_panels_apply(const gnd_panels *s, gnd_real *b, const gnd_series *by)
{
    for (int64_t k = 0; k < s->p && s->S; k += s->width) {
        copy(s, b, s->room[0], k, to_panel);
        gnd_poly_apply(
            s->room[1], s->room[2],
            &(gnd_poly_product){s->S, NULL, by->basis, by->c, by->n, s->room[0], s->width}, s->kern,
            s->pool);
        copy(s, b, s->room[1], k, from_panel);
    }
}

typedef struct {
    const gnd_panels *s;
    gnd_real *next;        /* T_{k+1}, where T_{k-1} was */
    const gnd_real *T;     /* T_k */
    const gnd_real *older; /* T_{k-1}, or NULL */
    gnd_real *sum;         /* [n, p] from the first column of the panel on */
    gnd_real s_k, c;       /* 2, or 1 in the first step; coefficient of T_{k+1} */
} step_job;

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;
    const int64_t p = j->s->p, w = j->s->width;

    j->s->kern->spmm(j->next, j->s->S, j->T, w, -1 / j->s_k, j->older, begin, end);
    for (int64_t i = begin; i < end; i++) {
        gnd_real *restrict t = j->next + i * w;
        gnd_real *restrict sum = j->sum + i * p;

        for (int64_t k = 0; k < w; k++) {
            t[k] *= j->s_k;
            sum[k] += j->c * t[k];
        }
    }
}

/* b *= c in columns first .. first + width - 1; odd = 0 there. */
static void start(const gnd_panels *s, gnd_real *b, gnd_real *odd, int64_t first, gnd_real c)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t k = first; k < first + s->width; k++) {
            b[i * s->p + k] *= c;
            odd[i * s->p + k] = 0;
        }
}

void gnd_panels_split(const gnd_panels *s, gnd_real *b, gnd_real *odd, const gnd_series *by)
{
    const int64_t cost = (gnd_csr_nnz(s->S) + 2 * s->n) * s->width;

    assert(by->basis == GND_BASIS_CHEBYSHEV);
    for (int64_t first = 0; first < s->p; first += s->width) {
        copy(s, b, s->room[0], first, to_panel);
        start(s, b, odd, first, (gnd_real)by->c[0]);
        for (int64_t k = 1; k < by->n; k++) {
            step_job j = {.s = s,
                          .next = s->room[k % 2],
                          .T = s->room[(k + 1) % 2],
                          .older = k > 1 ? s->room[k % 2] : NULL,
                          .sum = (k % 2 ? odd : b) + first,
                          .s_k = k > 1 ? 2 : 1,
                          .c = (gnd_real)by->c[k]};

            gnd_rows_product(s->pool,
                             &(gnd_rows_of){.part = s->S->part,
                                            .y = j.next,
                                            .bytes = s->width * (int64_t)sizeof *j.next,
                                            .n = s->n,
                                            .grain = ROWS,
                                            .cost = cost},
                             step_rows, &j);
        }
    }
    gnd_part_fill(s->S->part, b, s->p * (int64_t)sizeof *b);
    gnd_part_fill(s->S->part, odd, s->p * (int64_t)sizeof *odd);
}
