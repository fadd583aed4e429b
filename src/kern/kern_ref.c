/* SPDX-License-Identifier: MIT
 * kern_ref.c - the kernels as plain loops: the reference that every table must match bit for
 * bit. */
#include <string.h>

#include "base/rng.h"
#include "adam.h"
#include "half.h"
#include "kern_tables.h"
#include "pair.h"
#include "tanh.h"

static void spmm_columns(const gnd_columns_of *p, const gnd_csr *a, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++) {
        gnd_real *yi = p->y + i * p->ys;

        for (int64_t k = 0; k < p->f; k++)
            yi[k] = p->z ? p->c * p->z[i * p->ys + k] : 0;
        for (int64_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            const gnd_real v = gnd_csr_val_at(a, i, e);
            const gnd_real *xj = p->x + gnd_csr_col_at(a, e) * p->xs;

            for (int64_t k = 0; k < p->f; k++)
                yi[k] += v * xj[k];
        }
    }
}

static void spmm(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_real c,
                 const gnd_real *z, int64_t r0, int64_t r1)
{
    spmm_columns(&(gnd_columns_of){y, x, z, c, a->n_col, f, f, f}, a, r0, r1);
}

static void spmm_some(gnd_real *y, const int32_t *row, const gnd_csr *a, const gnd_real *x,
                      int64_t f, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const gnd_real v = gnd_csr_val(a, p);

            for (int64_t k = 0; k < f; k++)
                y[row[i] * f + k] += v * x[a->col[p] * f + k];
        }
}

/* Column k of a group, whose entries start at `p`. */
static void group_column(const gnd_columns_of *of, const gnd_grouped_rows *g, int64_t first,
                         int64_t p, int64_t k)
{
    const int32_t *row = g->row + first, *len = g->len + first;
    gnd_real sum[GND_GROUP];
    int64_t e = 0;

    for (int r = 0; r < GND_GROUP; r++)
        sum[r] = of->z ? of->c * of->z[row[r] * of->ys + k] : 0;
    for (int s = 0; s < GND_GROUP; s++) /* rows s, s + 1, .. have entries left */
        for (; e < len[s]; e++)
            for (int r = s; r < GND_GROUP; r++, p++)
                sum[r] +=
                    (g->by_row ? g->val[first + r] : g->val[p]) * of->x[g->col[p] * of->xs + k];
    for (int r = 0; r < GND_GROUP; r++)
        of->y[row[r] * of->ys + k] = sum[r];
}

static void spmm_grouped(const gnd_columns_of *of, const gnd_grouped_rows *g)
{
    int64_t p = 0;

    for (int64_t first = 0; first < g->n * GND_GROUP; first += GND_GROUP) {
        for (int64_t k = 0; k < of->f; k++)
            group_column(of, g, first, p, k);
        for (int r = 0; r < GND_GROUP; r++)
            p += g->len[first + r];
    }
}

/* Row i of a run. */
static void masked_row(const gnd_columns_of *p, const gnd_masked_rows *run, int64_t i,
                       const uint64_t *mask)
{
    const int64_t f = p->f, place = run->row[i] * f;

    for (int64_t k = 0; k < f; k++)
        p->y[place + k] = p->z ? p->c * p->z[place + k] : 0;
    for (int64_t e = 0; e < run->len; e++) {
        const uint64_t bit = run->first[i] + (uint64_t)e;
        const bool kept = mask[bit / 64] >> bit % 64 & 1;
        const gnd_real v = run->val[i * run->len + e];
        const gnd_real *xj = p->x + run->col[i * run->len + e] * f;

        for (int64_t k = 0; k < f; k++)
            p->y[place + k] += kept ? v * xj[k] : 0;
    }
}

static void spmm_masked(const gnd_columns_of *p, const gnd_masked_rows *run, int64_t n_run,
                        const uint64_t *mask)
{
    for (int64_t r = 0; r < n_run; r++)
        for (int64_t i = 0; i < run[r].n; i++)
            masked_row(p, run + r, i, mask);
}

static void spmm_t(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                   int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const gnd_real v = gnd_csr_val_at(a, i, p);
            gnd_real *yj = y + gnd_csr_col_at(a, p) * f;

            for (int64_t k = 0; k < f; k++)
                yj[k] += v * x[i * f + k];
        }
}

static void spmm_t_kept(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                        int64_t f, const gnd_kept_entries *kept, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int64_t bit = kept->at[kept->row[i]] + p - a->ptr[i];
            const gnd_real v = gnd_csr_val(a, p) * kept->scale;
            gnd_real *yj = y + a->col[p] * f;

            for (int64_t k = 0; k < f && (kept->mask[bit / 64] >> bit % 64 & 1); k++)
                yj[k] += v * x[i * f + k];
        }
}

static void spmm_blocks(gnd_real *restrict y, int64_t ys, const gnd_csr *a,
                        const gnd_real *restrict x, int64_t xs, int64_t f, int64_t n, int64_t r0,
                        int64_t r1)
{
    for (int64_t b = 0; b < n; b++)
        spmm(y + b * ys, a, x + b * xs, f, 0, NULL, r0, r1);
}

static void spmm_t_blocks(gnd_real *restrict y, int64_t ys, const gnd_csr *a,
                          const gnd_real *restrict x, int64_t xs, int64_t f, int64_t n, int64_t r0,
                          int64_t r1)
{
    for (int64_t b = 0; b < n; b++)
        spmm_t(y + b * ys, a, x + b * xs, f, r0, r1);
}

static void gemm(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                 int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++) {
        for (int64_t c = 0; c < f; c++)
            y[i * f + c] = 0;
        for (int64_t j = 0; j < k; j++)
            for (int64_t c = 0; c < f; c++)
                y[i * f + c] += x[i * k + j] * w[j * f + c];
    }
}

static void gemm_t(gnd_real *restrict w, const gnd_real *restrict x, const gnd_real *restrict y,
                   int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++)
        for (int64_t j = 0; j < k; j++)
            for (int64_t c = 0; c < f; c++)
                w[j * f + c] += x[i * k + j] * y[i * f + c];
}

static void axpy(gnd_real *restrict y, gnd_real c, const gnd_real *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += c * x[i];
}

static void axpby(gnd_real *restrict y, gnd_real s, gnd_real c, const gnd_real *restrict x,
                  int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = s * y[i] + c * x[i];
}

static void put(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs, int64_t f,
                const gnd_real *s, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++)
            y[i * ys + c] = s ? s[i] * x[i * xs + c] : x[i * xs + c];
}

static void put_add(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs,
                    int64_t f, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++)
            y[i * ys + c] += x[i * xs + c];
}

static void moments(double *restrict sum, const gnd_real *restrict x, const gnd_real *restrict from,
                    int64_t f, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f; c++) {
            const double d = (double)(x[i * f + c] - from[c]);

            sum[c] += d;
            sum[f + c] += d * d;
        }
}

static gnd_real fit_of(const gnd_column_fit *t, const gnd_real *x, int64_t c)
{
    return t->b ? t->a[c] * x[c] + t->b[c] : t->a[c] * x[c];
}

static void fit(gnd_real *y, const gnd_real *x, const gnd_column_fit *t, bool relu, int64_t n)
{
    for (int64_t i = 0; i < n; i++, y += t->f)
        for (int64_t c = 0; c < t->f; c++) {
            const gnd_real v = fit_of(t, x + (t->row ? t->row[i] : i) * t->f, c);

            y[c] = v > 0 || !relu ? v : 0;
        }
}

static void fit_add(gnd_real *y, const gnd_real *x, const gnd_column_fit *t, int64_t n)
{
    for (int64_t i = 0; i < n; i++, x += t->f)
        for (int64_t c = 0; c < t->f; c++)
            y[(t->row ? t->row[i] : i) * t->f + c] += fit_of(t, x, c);
}

static void slopes(double *restrict sum, gnd_real *restrict g, const gnd_real *restrict over,
                   const gnd_real *restrict x, const gnd_column_fit *t,
                   const gnd_real *restrict from, int64_t n)
{
    const int64_t f = t->f;

    for (int64_t i = 0; i < n; i++, g += f)
        for (int64_t c = 0; c < f; c++) {
            if (over && !(over[i * f + c] > 0))
                g[c] = 0;
            sum[c] += (double)g[c];
            sum[f + c] +=
                (double)g[c] * (double)(fit_of(t, x + (t->row ? t->row[i] : i) * f, c) - from[c]);
        }
}

static void tanh_all(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                     int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = gnd_tanh_of(w ? w[i] * x[i] : x[i]);
}

static uint64_t kept(const gnd_drop_law *law, int64_t first, int64_t n)
{
    uint64_t bits = 0;

    for (int64_t i = 0; i < n; i++) {
        const uint64_t h = gnd_hash_at(law->key, (uint64_t)(first + i) / 2);

        bits |= (uint64_t)((uint32_t)((first + i) % 2 ? h >> 32 : h) >= law->drop_below) << i;
    }
    return bits;
}

static bool is_set(const uint64_t *bits, int64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void pack(int32_t *restrict col_out, gnd_real *restrict val_out, const int32_t *restrict col,
                 const gnd_real *restrict val, gnd_real scale, const uint64_t *restrict bits,
                 int64_t n)
{
    int64_t q = 0;

    for (int64_t i = 0; i < n; i++)
        if (is_set(bits, i)) {
            col_out[q] = col[i];
            val_out[q++] = val ? val[i] * scale : scale;
        }
}

static void pack16(uint16_t *restrict col_out, gnd_real *restrict val_out,
                   const uint16_t *restrict col, const gnd_real *restrict val, gnd_real scale,
                   const uint64_t *restrict bits, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (is_set(bits, i)) {
            *col_out++ = col[i];
            if (val)
                *val_out++ = val[i] * scale;
        }
}

static void choose(gnd_real *y, const gnd_real *x, gnd_real scale, const uint64_t *restrict bits,
                   int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = is_set(bits, i) ? x[i] * scale : 0;
}

static void choose_add(gnd_real *restrict y, const gnd_real *restrict x, gnd_real scale,
                       const uint64_t *restrict bits, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += is_set(bits, i) ? x[i] * scale : 0;
}

static double dot(const gnd_real *x, const gnd_real *y, int64_t n)
{
    double lane[GND_DOT_LANES] = {0}, sum = 0;

    for (int64_t i = 0; i < n; i++)
        lane[i % GND_DOT_LANES] += (double)x[i] * (double)y[i];
    for (int l = 0; l < GND_DOT_LANES; l++)
        sum += lane[l];
    return sum;
}

/* Lane l of row r of tile t; a half is smaller by GND_HALF_UNIT. */
static gnd_real tile_value(const gnd_tiles *b, int64_t t, int64_t r, int64_t l)
{
    const gnd_real *tile = b->p + t * (b->n_full + b->n_pair) * GND_TILE;
    GND_WORD word;

    if (r < b->n_full)
        return tile[r * GND_TILE + l];
    r -= b->n_full;
    memcpy(&word, tile + (b->n_full + r / 2) * GND_TILE + l, sizeof word);
    return gnd_half_small(word, r % 2);
}

static void pairs_step(const gnd_pairs_step *s, const gnd_csr *a, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++) {
        gnd_real *y = s->y + i * GND_PAIR_WORDS, row[GND_PAIR_COLUMNS];
        const gnd_real by = s->s * (s->root[i] * s->root[i]), with = s->c * s->root[i];

        for (int64_t c = 0; c < GND_PAIR_COLUMNS; c++) {
            gnd_real sum = 0;

            for (int64_t p = a->ptr[i]; s->x && p < a->ptr[i + 1]; p++)
                sum +=
                    gnd_csr_val(a, p) * gnd_pair_at(s->x + (int64_t)a->col[p] * GND_PAIR_WORDS, c);
            sum *= by;
            if (s->older != 0)
                sum += s->older * gnd_pair_at(y, c);
            if (s->z)
                sum += with * s->z[i * s->zs + c];
            row[c] = sum;
        }
        for (int64_t c = 0; c < GND_PAIR_WORDS; c++) {
            const GND_WORD word = gnd_pair_of(row[c], row[c + GND_PAIR_WORDS]);

            memcpy(y + c, &word, sizeof word);
        }
    }
}

static void tiles_mix(gnd_real *restrict y, const gnd_tiles *b, const gnd_real *restrict c)
{
    for (int64_t t = 0; t < b->n; t++)
        for (int64_t l = 0; l < GND_TILE; l++) {
            gnd_real sum = 0;

            for (int64_t r = 0; r < b->n_full + 2 * b->n_pair; r++)
                sum += (r < b->n_full ? c[r] : c[r] * GND_HALF_UNIT) * tile_value(b, t, r, l);
            y[t * GND_TILE + l] = sum;
        }
}

/* Products with halves are scaled by the root of the unit at first, so that neither y nor a product
 * leaves the range of a gnd_real. */
static void tiles_dots(double *restrict out, const gnd_tiles *b, const gnd_real *restrict y)
{
    for (int64_t t0 = 0; t0 < b->n; t0 += GND_TILES_SUM)
        for (int64_t r = 0; r < b->n_full + 2 * b->n_pair; r++) {
            const gnd_real scale = r < b->n_full ? 1 : GND_HALF_ROOT;
            gnd_real lane[GND_TILE] = {0};

            for (int64_t t = t0; t < b->n && t < t0 + GND_TILES_SUM; t++)
                for (int64_t l = 0; l < GND_TILE; l++)
                    lane[l] += scale * y[t * GND_TILE + l] * tile_value(b, t, r, l);
            out[r] += (double)scale * gnd_lanes_sum(lane);
        }
}

static void distances(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                      int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < f; c++) {
            gnd_real sum = 0;

            for (int64_t j = 0; j < k; j++) {
                const gnd_real d = w[j * f + c] - x[i * k + j];

                sum += d * d;
            }
            y[i * f + c] = sum;
        }
}

static void repel(gnd_real *restrict sum, const gnd_real *restrict p, const gnd_real *restrict q,
                  int64_t m)
{
    enum { N = GND_POINT_LANES };

    for (int64_t j = 0; j < m; j++)
        for (int l = 0; l < N; l++) {
            const gnd_real dx = p[l] - q[3 * j], dy = p[N + l] - q[3 * j + 1];
            const gnd_real s = 1 / (1 + (dx * dx + dy * dy)), t = q[3 * j + 2] * s, u = t * s;

            sum[l] += u * dx;
            sum[N + l] += u * dy;
            sum[2 * N + l] += t;
        }
}

static void attract(gnd_real *restrict force, const gnd_csr *a, const gnd_real *restrict y,
                    int64_t r0, int64_t r1)
{
    enum { N = GND_POINT_LANES };

    for (int64_t i = r0; i < r1; i++) {
        gnd_real lane[2][N] = {{0}}, sum[2] = {0};

        for (int64_t e = a->ptr[i], l = 0; e < a->ptr[i + 1]; e++, l = (l + 1) % N)
            gnd_attract_one(&lane[0][l], &lane[1][l], a, y, i, e);
        for (int l = 0; l < N; l++) {
            sum[0] += lane[0][l];
            sum[1] += lane[1][l];
        }
        force[2 * i] = sum[0];
        force[2 * i + 1] = sum[1];
    }
}

const gnd_kern gnd_kern_ref = {
    .name = "ref",
    .spmm = spmm,
    .spmm_some = spmm_some,
    .spmm_columns = spmm_columns,
    .spmm_grouped = spmm_grouped,
    .spmm_masked = spmm_masked,
    .spmm_t = spmm_t,
    .spmm_t_kept = spmm_t_kept,
    .spmm_blocks = spmm_blocks,
    .spmm_t_blocks = spmm_t_blocks,
    .gemm = gemm,
    .gemm_t = gemm_t,
    .sums = gnd_sums_plain,
    .axpy = axpy,
    .axpby = axpby,
    .put = put,
    .put_add = put_add,
    .moments = moments,
    .fit = fit,
    .fit_add = fit_add,
    .slopes = slopes,
    .adam = gnd_adam_all,
    .tanh = tanh_all,
    .kept = kept,
    .pack = pack,
    .pack16 = pack16,
    .choose = choose,
    .choose_add = choose_add,
    .dot = dot,
    .pairs_step = pairs_step,
    .tiles_mix = tiles_mix,
    .tiles_dots = tiles_dots,
    .distances = distances,
    .repel = repel,
    .attract = attract,
};
