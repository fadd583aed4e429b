/* SPDX-License-Identifier: MIT
 * lda.c - moments of weighted points, block by block, and one Cholesky factor; lda.h has the
 * formula. Z: [n, r], weights and probabilities: [n, C]. */
#include "lda.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "linalg/sym_eigen.h"
#include "kern/exp.h"
#include "kern/kern.h"

enum { BLOCK = 256, PARTS_MAX = 16, ROWS = 512 };
/* Numerical guards: smallest variance of a class in any direction, smallest pivot. */
static const double WIDTH_MIN = 1e-9, PIVOT_MIN = 1e-12;

/* ---- probabilities ---- */

typedef struct {
    const gnd_kern *kern;
    gnd_real *prob;
    const gnd_points *z;
    const gnd_real *b, *bias;
    int64_t C;
    double scale;
} discriminate_job;

static void discriminate_rows(int64_t begin, int64_t end, void *arg)
{
    const discriminate_job *d = arg;
    const gnd_real scale = (gnd_real)d->scale;

    d->kern->gemm(d->prob, d->z->z, d->b, d->z->r, d->C, begin, end);
    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = d->prob + i * d->C, top = -(gnd_real)INFINITY;

        for (int64_t c = 0; c < d->C; c++) {
            row[c] = scale * (row[c] + (d->bias ? d->bias[c] : 0));
            top = row[c] > top ? row[c] : top;
        }
        for (int64_t c = 0; c < d->C; c++)
            row[c] -= top;
    }
    for (int64_t e = begin * d->C; e < end * d->C; e++)
        d->prob[e] = gnd_exp_of(d->prob[e]);
    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = d->prob + i * d->C, sum = 0;

        for (int64_t c = 0; c < d->C; c++)
            sum += row[c];
        for (int64_t c = 0; c < d->C; c++)
            row[c] /= sum;
    }
}

void gnd_discriminate(gnd_real *prob, const gnd_points *z, const gnd_discriminant *d,
                      gnd_pool *pool)
{
    enum { SOFTMAX_COST = 20 }; /* per class, in multiplications */
    discriminate_job job = {gnd_kern_get(), prob, z, d->b, d->bias, d->n_class, d->scale};

    gnd_parallel_for(pool, z->n, ROWS, z->n * d->n_class * (z->r + SOFTMAX_COST), discriminate_rows,
                     &job);
}

/* ---- moments ---- */

/* Sums over a part of the points, in double: sum w z z^T, [r, r], then sum w_c z, [C, r], then w_c,
 * [C]. */
typedef struct {
    const gnd_kern *kern;
    const gnd_points *z;
    const gnd_real *weight;
    int64_t C, size, rows; /* doubles per part, points per part */
    gnd_row_range own;     /* points of this process */
    double *sum;           /* [parts, size] */
    gnd_real *room;        /* [parts, room_size] */
    int64_t room_size;
} moments;

/* Points of a block that have weight: their coordinates, the same times their weight, and their
 * weights. Returns how many. */
static int64_t pack(const moments *m, gnd_real *z, gnd_real *wz, gnd_real *w, int64_t begin,
                    int64_t end)
{
    const int64_t r = m->z->r, C = m->C;
    int64_t n = 0;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *from = m->z->z + i * r, *wi = m->weight + i * C;
        gnd_real sum = 0;

        for (int64_t c = 0; c < C; c++)
            sum += wi[c];
        if (!(sum > 0))
            continue;
        memcpy(z + n * r, from, (size_t)r * sizeof *z);
        memcpy(w + n * C, wi, (size_t)C * sizeof *w);
        for (int64_t k = 0; k < r; k++)
            wz[n * r + k] = sum * from[k];
        n++;
    }
    return n;
}

static void moments_part(int64_t part, const moments *m)
{
    const int64_t r = m->z->r, C = m->C, begin = m->own.begin + part * m->rows;
    const int64_t end = begin + m->rows < m->own.end ? begin + m->rows : m->own.end;
    gnd_real *g = m->room + part * m->room_size, *mean = g + r * r, *z = mean + C * r;
    gnd_real *wz = z + BLOCK * r, *w = wz + BLOCK * r;
    double *sum = m->sum + part * m->size;

    for (int64_t i = begin; i < end; i += BLOCK) {
        const int64_t k = pack(m, z, wz, w, i, i + BLOCK < end ? i + BLOCK : end);

        if (k == 0)
            continue;
        memset(g, 0, (size_t)(r * r + C * r) * sizeof *g);
        m->kern->gemm_t(g, z, wz, r, r, 0, k);
        m->kern->gemm_t(mean, w, z, C, r, 0, k);
        for (int64_t e = 0; e < r * r + C * r; e++)
            sum[e] += (double)g[e];
        for (int64_t e = 0; e < k * C; e++)
            sum[r * r + C * r + e % C] += (double)w[e];
    }
}

static void moments_parts(int64_t begin, int64_t end, void *arg)
{
    for (int64_t part = begin; part < end; part++)
        moments_part(part, arg);
}

/* out: [r r + C r + C], all points. */
static gnd_status moments_of(double **out, const gnd_points *z, const gnd_real *weight, int64_t C,
                             gnd_pool *pool, gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(z->at.part, z->n);
    const int64_t r = z->r, n = own.end - own.begin, blocks = (n + BLOCK - 1) / BLOCK;
    const int64_t parts = blocks < PARTS_MAX ? (blocks > 0 ? blocks : 1) : PARTS_MAX;
    moments m = {.kern = gnd_kern_get(), .z = z, .weight = weight, .C = C, .own = own};
    gnd_status st = GND_OK;

    m.size = r * r + C * r + C;
    m.rows = (blocks + parts - 1) / parts * BLOCK;
    m.room_size = r * r + C * r + BLOCK * (2 * r + C);
    m.sum = gnd_alloc(parts * m.size, sizeof *m.sum);
    m.room = gnd_alloc_raw(parts * m.room_size, sizeof *m.room);
    if (!m.sum || !m.room)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the moments of %lld classes",
                         (long long)C));
    gnd_parallel_for(pool, parts, 1, n * r * (r + C), moments_parts, &m);
    for (int64_t part = 1; part < parts; part++)
        for (int64_t e = 0; e < m.size; e++)
            m.sum[e] += m.sum[part * m.size + e];
    gnd_part_sum(z->at.part, m.sum, m.size);
    *out = m.sum;
    m.sum = NULL;
out:
    gnd_free(m.sum);
    gnd_free(m.room);
    return st;
}

/* ---- discriminants ---- */

/* b: [r, C] and bias: [C] from the moments, which are overwritten. */
static void solve(gnd_real *b, gnd_real *bias, double *sum, int64_t r, int64_t C, double shrink)
{
    double *S = sum, *mean = sum + r * r, *mass = mean + C * r;
    double total = 0, trace = 0;

    for (int64_t c = 0; c < C; c++) {
        total += mass[c];
        for (int64_t k = 0; k < r; k++)
            mean[c * r + k] = mass[c] > 0 ? mean[c * r + k] / mass[c] : 0;
        for (int64_t k = 0; k < r; k++)
            for (int64_t l = 0; l < r; l++)
                S[k * r + l] -= mass[c] * mean[c * r + k] * mean[c * r + l];
    }
    for (int64_t k = 0; k < r; k++) {
        S[k * r + k] = fmax(S[k * r + k], 0);
        trace += S[k * r + k] / total;
    }
    for (int64_t e = 0; e < r * r; e++)
        S[e] *= (1 - shrink) / total;
    for (int64_t k = 0; k < r; k++) /* WIDTH_MIN: points that coincide have no variance */
        S[k * r + k] += fmax(shrink * trace / (double)r, WIDTH_MIN);
    gnd_cholesky(S, r, PIVOT_MIN);
    for (int64_t c = 0; c < C; c++) {
        double half = 0;

        /* b_c . m_c = |L^-1 m_c|^2 */
        gnd_solve_lower(mean + c * r, S, r, 1);
        for (int64_t k = 0; k < r; k++)
            half += mean[c * r + k] * mean[c * r + k] / 2;
        gnd_solve_lower_t(mean + c * r, S, r, 1);
        for (int64_t k = 0; k < r; k++)
            b[k * C + c] = (gnd_real)mean[c * r + k];
        bias[c] = mass[c] > 0 ? (gnd_real)-half : -(gnd_real)INFINITY;
    }
}

gnd_status gnd_lda(gnd_real *prob, const gnd_points *z, const gnd_real *weight,
                   const gnd_lda_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t C = o->n_class;
    gnd_real *b = gnd_alloc((z->r + 1) * C, sizeof *b);
    double *sum = NULL;
    gnd_status st;

    if (!b)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)C));
    GND_TRY(moments_of(&sum, z, weight, C, pool, err));
    solve(b, b + z->r * C, sum, z->r, C, o->shrink);
    gnd_discriminate(prob, z, &(gnd_discriminant){b, b + z->r * C, C, o->scale}, pool);
    if (o->keep)
        memcpy(o->keep, b, (size_t)((z->r + 1) * C) * sizeof *b);
out:
    gnd_free(sum);
    gnd_free(b);
    return st;
}
