/* SPDX-License-Identifier: MIT
 * hop_basis.c - Gram matrix of the hops, its eigenvectors, and tiles of the new basis. */
#include "hop_basis.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/half.h"
#include "sym_eigen.h"

/* |B_r| up to which it is left out, and stored as halves: their relative error is 2^-11, so both
 * add about 1e-6 of a hop's norm, spread over all cells. */
static const double RANK_CUT = 0x1p-20, HALF_CUT = 0x1p-7;

enum { MOST_HOPS = 256, GATHERED = 8192, PARTS = 64, SAVED_EIGHTHS = 7 };
typedef struct {
    gnd_hop_tiles *s;
    const gnd_kern *kern;
    double *gram;         /* [PARTS, K, K] */
    const gnd_real *turn; /* [R, K] from hops to B, halves scaled */
    int64_t run;          /* tiles that are gathered at once */
    int64_t n_full, n_pair;
} job;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* out: [K, n GND_TILE], the hops of n tiles. */
static void gather(gnd_real *out, const gnd_hop_tiles *s, int64_t first, int64_t n)
{
    const gnd_real *tile = s->tile + first * s->K * GND_TILE;

    for (int64_t t = 0; t < n; t++)
        for (int64_t k = 0; k < s->K; k++, tile += GND_TILE)
            memcpy(out + (k * n + t) * GND_TILE, tile, GND_TILE * sizeof *tile);
}

/* ---- Gram matrix ---------------------------------------------------------------------------- */

static void gram_parts(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t K = j->s->K, n_tile = gnd_hop_tiles_count(j->s);
    gnd_real hop[GATHERED];

    for (int64_t part = begin; part < end; part++) {
        const int64_t last = (part + 1) * n_tile / PARTS;
        double *g = j->gram + part * K * K;

        for (int64_t t = part * n_tile / PARTS; t < last; t += j->run) {
            const int64_t n = least(j->run, last - t), len = n * GND_TILE;

            gather(hop, j->s, t, n);
            for (int64_t k = 0; k < K; k++)
                for (int64_t l = 0; l <= k; l++)
                    g[k * K + l] += j->kern->dot(hop + k * len, hop + l * len, len);
        }
    }
}

/* The Gram matrix of hops of norm 1 in gram[0 .. K^2 - 1], their norms in norm: [K]. false: a norm
 * is not finite, or all are 0. */
static bool gram_scale(const job *j, double *norm)
{
    const int64_t K = j->s->K;
    double *g = j->gram, sum = 0;

    for (int64_t part = 1; part < PARTS; part++)
        for (int64_t i = 0; i < K * K; i++)
            g[i] += g[part * K * K + i];
    for (int64_t k = 0; k < K; k++)
        sum += norm[k] = sqrt(g[k * K + k]);
    for (int64_t k = 0; k < K; k++)
        for (int64_t l = 0; l <= k; l++)
            g[k * K + l] = g[l * K + k] =
                norm[k] > 0 && norm[l] > 0 ? g[k * K + l] / norm[k] / norm[l] : 0;
    return isfinite(sum) && sum > 0;
}

/* ---- basis ---------------------------------------------------------------------------------- */

/* How many B are kept, and how: by their norms, sqrt(value). false: too many. */
static bool sizes_choose(job *j, const double *value)
{
    const int64_t K = j->s->K;
    int64_t R = 0;

    while (R < K && sqrt(fmax(value[R], 0)) > RANK_CUT)
        R++;
    while (j->n_full < R && sqrt(value[j->n_full]) > HALF_CUT)
        j->n_full++;
    j->n_full += (R - j->n_full) % 2;
    j->n_pair = (R - j->n_full) / 2;
    return j->n_full + j->n_pair <= K * SAVED_EIGHTHS / 8;
}

/* c: [K, R] and turn: [R, K] from eigenvectors v: [K, K]. B that are stored as halves are scaled so
 * that their norm, and so each value, is at most 2^15. */
static void maps_make(double *c, gnd_real *turn, const job *j, const double *v, const double *value,
                      const double *norm)
{
    const int64_t K = j->s->K, R = j->n_full + 2 * j->n_pair;

    for (int64_t r = 0; r < R; r++) {
        int e = 0;
        double scale;

        if (r >= j->n_full)
            frexp(sqrt(value[r]), &e);
        scale = r >= j->n_full ? ldexp(1, 15 - e) : 1;
        for (int64_t k = 0; k < K; k++) {
            c[k * R + r] = norm[k] * v[k * K + r] / scale;
            turn[r * K + k] = norm[k] > 0 ? (gnd_real)(v[k * K + r] * scale / norm[k]) : 0;
        }
    }
}

/* ---- tiles ---------------------------------------------------------------------------------- */

/* Writes the new tiles of each run of tiles where the run starts. */
static void runs_turn(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t K = j->s->K, R = j->n_full + 2 * j->n_pair, n_tile = gnd_hop_tiles_count(j->s);
    gnd_real hop[GATHERED], made[GATHERED];

    for (int64_t i = begin; i < end; i++) {
        const int64_t n = least(j->run, n_tile - i * j->run), len = n * GND_TILE;
        gnd_real *to = j->s->tile + i * j->run * K * GND_TILE;

        gather(hop, j->s, i * j->run, n);
        j->kern->gemm(made, j->turn, hop, K, len, 0, R);
        for (int64_t t = 0; t < n; t++) {
            const gnd_real *from = made + t * GND_TILE;

            for (int64_t r = 0; r < j->n_full; r++, to += GND_TILE, from += len)
                memcpy(to, from, GND_TILE * sizeof *to);
            for (int64_t r = 0; r < j->n_pair; r++, to += GND_TILE, from += 2 * len)
                for (int64_t l = 0; l < GND_TILE; l++) {
                    const GND_WORD word = gnd_half_pair(from[l], from[len + l]);

                    memcpy(to + l, &word, sizeof word);
                }
        }
    }
}

static void tiles_turn(job *j, gnd_pool *pool)
{
    gnd_hop_tiles *s = j->s;
    const int64_t K = s->K, R = j->n_full + 2 * j->n_pair, n_tile = gnd_hop_tiles_count(s);
    const int64_t n_run = (n_tile + j->run - 1) / j->run;
    const int64_t before = K * GND_TILE, now = (j->n_full + j->n_pair) * GND_TILE;
    gnd_real *less;

    gnd_parallel_for(pool, n_run, 1, n_tile * GND_TILE * K * R, runs_turn, j);
    for (int64_t i = 1; i < n_run; i++)
        memmove(s->tile + i * j->run * now, s->tile + i * j->run * before,
                (size_t)(least(j->run, n_tile - i * j->run) * now) * sizeof *s->tile);
    less = gnd_realloc(s->tile, n_tile * now, sizeof *less);
    s->tile = less ? less : s->tile;
    s->n_full = j->n_full;
    s->n_pair = j->n_pair;
}

gnd_status gnd_hop_basis_find(gnd_hop_tiles *s, gnd_pool *pool, gnd_error *err)
{
    const int64_t K = s->K, n_tile = gnd_hop_tiles_count(s);
    double *value = NULL, *vector = NULL, *norm = NULL, *c = NULL;
    gnd_real *turn = NULL;
    gnd_status st = GND_OK;
    job j = {.s = s, .kern = gnd_kern_get(), .run = GATHERED / GND_TILE / (K > 0 ? K : 1)};

    if (sizeof(gnd_real) != sizeof(float) || K < 2 || K > MOST_HOPS || n_tile == 0)
        return GND_OK;
    j.gram = gnd_alloc(PARTS * K * K, sizeof *j.gram);
    value = gnd_alloc(K, sizeof *value);
    vector = gnd_alloc(K * K, sizeof *vector);
    norm = gnd_alloc(K, sizeof *norm);
    c = gnd_alloc(K * K, sizeof *c);
    turn = gnd_alloc(K * K, sizeof *turn);
    if (!j.gram || !value || !vector || !norm || !c || !turn)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a basis of %lld hops", (long long)K));
    gnd_parallel_for(pool, PARTS, 1, s->n_cell * K * K / 2, gram_parts, &j);
    if (!gram_scale(&j, norm))
        goto out;
    GND_TRY(gnd_small_eigen(value, vector, j.gram, K, err));
    if (!sizes_choose(&j, value))
        goto out;
    maps_make(c, turn, &j, vector, value, norm);
    j.turn = turn;
    tiles_turn(&j, pool);
    gnd_free(s->c);
    s->c = c;
    c = NULL;
out:
    gnd_free(j.gram);
    gnd_free(value);
    gnd_free(vector);
    gnd_free(norm);
    gnd_free(c);
    gnd_free(turn);
    return st;
}
