/* SPDX-License-Identifier: MIT
 * walk_solve.c - iterative refinement by passes of conjugate gradients.
 *
 *     H = D^-1/2 F:  (I - a P) H = Q,   P = D^-1 A,   Q = (1 - a) D^-1/2 Y
 *     R = Q - (I - a P) H,   H <- H + (I - a P)^-1 R
 *
 * The rows of P sum to 1, so that the largest |R| / (1 - a) bounds the error of all H, and with it
 * the error of F relative to row i of F by d_i. Values are gnd_real. A pass solves for R to what
 * rounding leaves of it; then its part of R is subtracted, with sums in double. So R is known as
 * exactly as the entries of H are small: far from all labels they are smaller than the rounding
 * error near them. */
#include "walk_solve.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "four.h"
#include "walk_gradients.h"

enum { GRAIN = 256, PIECE_COST = 32768, PIECES_MIN = 8, PASSES_MAX = 8 };

/* A pass aims at this share of the error, because the least row is not known exactly. It is trusted
 * without another look at R if that row is known to NEAR, and R falls by at most 1 / SURE of what
 * rounding allows. */
static const double MARGIN = 0.8, NEAR = 0.1, SURE = 16;
/* Times the bound of the error before a pass. */
static const double UNSURE = 4;

typedef struct {
    gnd_walk_work g;
    gnd_real *H;     /* [rows, width], in the memory of F */
    double *least;   /* [pieces of rows] minus the least of the largest |H| of rows */
    gnd_real unsure; /* a smaller value of H may be mostly error */
} work;

/* ---- refinement ---- */

/* H += x. The sum is rounded. Where H was mostly error, a later pass may take most of it back, but
 * not its rounding: there x becomes what was added. */
static void add_rows(int64_t begin, int64_t end, void *arg)
{
    const work *s = arg;
    const gnd_walk_work *g = &s->g;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *x = g->x + gnd_walk_place(g->w, i) * g->f, *H = s->H + i * g->width;

        for (int64_t l = 0; l < g->width; l++) {
            const gnd_real before = H[l];

            H[l] += x[l];
            if (H[l] <= s->unsure && H[l] >= -s->unsure)
                x[l] = H[l] - before;
        }
    }
}

/* y = row i of A times four columns of x, and of the next four if both. */
static inline __attribute__((always_inline)) void row_sums(four_double y[2], const gnd_csr *a,
                                                           int64_t i, const gnd_real *x, int64_t f,
                                                           const bool both)
{
    four_double sum[2] = {{0}};

    for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
        const gnd_real *from = x + a->col[p] * f;
        const double v = (double)gnd_csr_val(a, p);

        sum[0] += v * wide(*(four *)from);
        if (both)
            sum[1] += v * wide(*(four *)(from + LANES));
    }
    y[0] = sum[0];
    y[1] = sum[1];
}

/* R -= (I - a P) x in one row. Returns its largest |value|. */
static double residual_row(const gnd_walk_work *g, int64_t i)
{
    const gnd_real *own = g->x + gnd_walk_place(g->w, i) * g->f;
    const double step = g->a / g->w->degree[i];
    four most = {0};

    for (int64_t c = 0; c < g->f; c += 2 * LANES) {
        const int n = c + LANES < g->f ? 2 : 1;
        four_double sum[2];

        if (n == 2)
            row_sums(sum, &g->w->a, i, g->x + c, g->f, true);
        else
            row_sums(sum, &g->w->a, i, g->x + c, g->f, false);
        for (int k = 0; k < n; k++) {
            four *R = (four *)(g->R + i * g->f + c) + k;
            const four_double x = wide(((four *)(own + c))[k]);

            *R = __builtin_convertvector(wide(*R) - (x - step * sum[k]), four);
            most = size_most(most, *R);
        }
    }
    return largest_of(most);
}

/* R -= (I - a P) x, its largest |value|, and the least of the largest |H| of rows. A row without
 * values in H and R is not reached; one without values in H alone is not reached yet. */
static void residual_rows(int64_t begin, int64_t end, void *arg)
{
    const work *s = arg;
    const gnd_walk_work *g = &s->g;
    double most = 0, least = INFINITY;

    for (int64_t i = begin; i < end; i++) {
        const double rest = residual_row(g, i);
        double top = 0;

        for (int64_t l = 0; l < g->width; l++) {
            const double size = fabs((double)s->H[i * g->width + l]);

            top = size > top ? size : top;
        }
        most = rest > most ? rest : most;
        if ((top > 0 || rest > 0) && top < least)
            least = top;
    }
    g->most[begin / g->grain] = most;
    s->least[begin / g->grain] = -least;
}

typedef struct {
    double most;  /* largest |R| */
    double least; /* the least of the largest |H| of the rows that are reached */
} progress;

static int64_t n_piece(const gnd_walk_work *g)
{
    return (g->w->a.n_row + g->grain - 1) / g->grain;
}

/* Adds the result of a pass to H; look: and finds R. */
static void add(work *s, progress *at, bool look)
{
    const gnd_walk_work *g = &s->g;
    const int64_t rows = g->w->a.n_row;
    double least = -INFINITY;

    s->unsure = (gnd_real)(UNSURE * at->most / (1 - g->a));
    gnd_parallel_for(g->pool, rows, g->grain, rows * g->f, add_rows, s);
    if (!look)
        return;
    gnd_walk_exchange(g);
    gnd_parallel_for(g->pool, rows, g->grain, gnd_walk_cost(g, 0, rows), residual_rows, s);
    at->most = gnd_walk_largest(g, g->most, n_piece(g));
    for (int64_t k = 0; k < n_piece(g); k++)
        least = fmax(least, s->least[k]);
    at->least = -gnd_part_max(g->w->part, least);
}

/* ---- the state between two passes ---- */

enum { SAVED = 3 };
static void saved_list(gnd_saved_array a[SAVED], const work *s, progress *at)
{
    const gnd_walk_work *g = &s->g;
    const int64_t rows = g->w->a.n_row;

    a[0] = (gnd_saved_array){"progress", at, sizeof *at, false};
    a[1] = (gnd_saved_array){"sum", s->H, rows * g->width * (int64_t)sizeof *s->H, true};
    a[2] = (gnd_saved_array){"residual", g->R, rows * g->f * (int64_t)sizeof *g->R, true};
}

/* *pass: the next one; 0: nothing was saved. */
static gnd_status state_load(int64_t *pass, progress *at, const work *s, const gnd_walk_equation *e,
                             gnd_error *err)
{
    gnd_saved_array a[SAVED];
    progress got = *at;
    gnd_status st;

    saved_list(a, s, &got);
    st = gnd_checkpoint_load(pass, e->saved, e->stage, a, SAVED, err);
    if (st != GND_OK || *pass < 0)
        *pass = 0;
    else
        *at = got;
    return st;
}

static gnd_status state_save(int64_t pass, progress *at, const work *s, const gnd_walk_equation *e,
                             gnd_error *err)
{
    gnd_saved_array a[SAVED];

    if (!gnd_checkpoint_due(e->saved))
        return GND_OK;
    saved_list(a, s, at);
    return gnd_checkpoint_save(e->saved, e->stage, pass, a, SAVED, err);
}

static double bound_of(const work *s, const progress *at)
{
    return at->most > 0 ? at->most / (1 - s->g.a) / at->least : 0;
}

static gnd_status refine(work *s, double *bound, const gnd_walk_equation *e, gnd_error *err)
{
    /* Values of a pass are up to |R| / (1 - a), and are rounded. */
    const double drop = fmax(8, 3 / (1 - e->a)) * GND_WALK_EPSILON;
    progress at = {.most = INFINITY};
    int64_t pass;
    gnd_status st;

    GND_TRY(state_load(&pass, &at, s, e, err));
    *bound = pass > 0 ? bound_of(s, &at) : INFINITY;
    for (; pass < PASSES_MAX && e->error < *bound; pass++) {
        const double aim = MARGIN * e->error * (1 - e->a) * at.least;
        bool sure = *bound <= NEAR && aim >= SURE * drop * at.most;
        double most;

        GND_TRY(gnd_walk_correct(&most, &s->g, aim, drop, err));
        sure = sure && most <= aim;
        add(s, &at, !sure);
        if (sure) {
            *bound = e->error;
            break;
        }
        *bound = bound_of(s, &at);
        if (*bound > e->error)
            GND_TRY(state_save(pass + 1, &at, s, e, err));
    }
out:
    return st;
}

/* ---- from and to vertices ---- */

static void enter_rows(int64_t begin, int64_t end, void *arg)
{
    const work *s = arg;
    const gnd_walk_work *g = &s->g;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *from = s->H + g->w->order[gnd_walk_place(g->w, i)] * g->width;
        const double c = (1 - g->a) / sqrt(g->w->degree[i]);

        for (int64_t l = 0; l < g->f; l++)
            g->R[i * g->f + l] = l < g->width ? (gnd_real)(c * (double)from[l]) : 0;
    }
}

/* From H, which is now in R. */
static void leave_rows(int64_t begin, int64_t end, void *arg)
{
    const work *s = arg;
    const gnd_walk_work *g = &s->g;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *to = s->H + g->w->order[gnd_walk_place(g->w, i)] * g->width;
        const double c = sqrt(g->w->degree[i]);

        for (int64_t l = 0; l < g->width; l++)
            to[l] = (gnd_real)(c * (double)g->R[i * g->width + l]);
    }
}

static void work_fini(work *s)
{
    gnd_free(s->g.most);
    gnd_free(s->g.step);
    gnd_free(s->g.stage);
    gnd_free(s->g.r);
    gnd_free(s->g.R);
    gnd_free(s->g.x);
}

static bool work_init(work *s)
{
    gnd_walk_work *g = &s->g;
    const gnd_walk *w = g->w;
    const int64_t rows = w->a.n_row, f = g->f;
    const double pieces = fmax((double)gnd_walk_cost(g, 0, rows) / PIECE_COST, PIECES_MIN);

    g->grain = (int64_t)((double)rows / pieces) + 1;
    g->x = gnd_alloc(w->n * f, sizeof *g->x);
    g->R = gnd_alloc_raw(rows * f, sizeof *g->R);
    g->r = gnd_alloc_raw(3 * w->kept * f, sizeof *g->r);
    g->stage = w->part ? gnd_alloc_raw(w->n * g->width, sizeof *g->stage) : NULL;
    g->step = gnd_alloc(3 * f, sizeof *g->step);
    g->most = gnd_alloc(2 * (n_piece(g) + w->n_block), sizeof *g->most);
    if (!g->x || !g->R || !g->r || (w->part && !g->stage) || !g->step || !g->most)
        return false;
    g->y = g->r + w->kept * f;
    g->h = g->y + w->kept * f;
    g->turn = g->step + f;
    g->sum = g->turn + f;
    s->least = g->most + n_piece(g) + w->n_block;
    return true;
}

gnd_status gnd_walk_solve(gnd_real *f, int64_t width, double *bound, const gnd_walk *w,
                          const gnd_walk_equation *e, gnd_pool *pool, gnd_error *err)
{
    const int64_t rows = w->a.n_row;
    work s = {.H = f,
              .g = {.w = w,
                    .kern = gnd_kern_get(),
                    .pool = pool,
                    .a = e->a,
                    .width = width,
                    /* whole vectors are faster than three columns */
                    .f = (width + LANES - 1) / LANES * LANES}};
    double reached = 0;
    gnd_status st = GND_OK;

    if (!work_init(&s))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to spread %lld columns over %lld vertices",
                         (long long)width, (long long)w->n));
    gnd_parallel_for(pool, rows, GRAIN, rows * width, enter_rows, &s);
    memset(s.H, 0, (size_t)(rows * width) * sizeof *s.H);
    GND_TRY(refine(&s, &reached, e, err));
    memcpy(s.g.R, s.H, (size_t)(rows * width) * sizeof *s.H);
    gnd_parallel_for(pool, rows, GRAIN, rows * width, leave_rows, &s);
    gnd_part_fill(w->part, f, width * (int64_t)sizeof *f);
    if (bound)
        *bound = reached;
out:
    work_fini(&s);
    return st;
}
