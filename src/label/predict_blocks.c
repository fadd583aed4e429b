/* SPDX-License-Identifier: MIT
 * predict_blocks.c - a degree-corrected stochastic block model whose blocks are the classes. It
 * starts from the classes that PageRank gives and learns which classes are linked to which.
 *
 *     W = Q^T A Q + 0.01   k = Q^T d   O = W / (k k^T)
 *     score = A Q log O - d (O k)^T,   Q = softmax(score)         BLOCK_ROUNDS times
 *                                      shares below share_min are 0
 *     Q: [n, C] classes, labels fixed   A: [n, n] links   d: [n] degrees   W, O: [C, C]
 *
 * Karrer and Newman, Phys. Rev. E 83 (2011), arXiv:1008.3926. The start must be hard, 0 or 1: a
 * soft one collapses to a single class. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/argmax.h"
#include "kern/csr_product.h"
#include "constants.h"
#include "predictors.h"

enum { ROWS = 256, EXP_COST = 40 };   /* EXP_COST: of exp, in multiplications */
static const double share_min = 1e-6; /* a smaller share of a class is 0: rows stay sparse */

typedef struct {
    const gnd_prepared *g;
    const gnd_labelled *s;
    gnd_real *Q;  /* [n, C] */
    gnd_real *AQ; /* [n, C] */
    double *logO; /* [C, C], transposed */
    double *O;    /* [C, C] */
    double *k;    /* [C] */
    double *load; /* [C] O k */
    double *sum;  /* [blocks of ROWS vertices, C] scratch */
    int64_t *at;  /* [C] scratch: classes among the neighbours of a vertex */
} blocks;

/* Q: the class of highest score; a vertex that no label reaches has none. */
static void harden(blocks *b, const gnd_real *score)
{
    const int64_t n = b->g->n, C = b->s->n_class;

    memset(b->Q, 0, (size_t)(n * C) * sizeof *b->Q);
    for (int64_t i = 0; i < n; i++) {
        const gnd_real *row = score + i * C;
        const int64_t top = gnd_argmax(row, C);
        int64_t zeros = 0; /* log 1 for one class at most; all classes where no label reaches */

        for (int64_t c = 0; c < C; c++)
            zeros += row[c] == 0;
        if (zeros < 2)
            b->Q[i * C + top] = 1;
    }
}

/* O and the class degrees from Q. */
static void fit(blocks *b, gnd_pool *pool)
{
    const int64_t n = b->g->n, C = b->s->n_class;
    double links = 0, total = 0, least;

    gnd_labelled_set_rows(b->Q, b->s, 1);
    gnd_csr_times(b->AQ, &b->g->links, b->Q, C, pool);
    memset(b->k, 0, (size_t)C * sizeof *b->k);
    for (int64_t e = 0; e < C * C; e++)
        b->O[e] = BLOCK_PSEUDO_LINKS;
    for (int64_t i = 0; i < n; i++) {
        const gnd_real *row = b->AQ + i * C;
        int64_t m = 0;

        for (int64_t c = 0; c < C; c++)
            if (row[c] > 0)
                b->at[m++] = c;
        for (int64_t a = 0; a < C; a++) {
            const double q = (double)b->Q[i * C + a];

            if (!(q > 0))
                continue;
            b->k[a] += q * b->g->degree[i];
            for (int64_t t = 0; t < m; t++)
                b->O[a * C + b->at[t]] += q * (double)row[b->at[t]];
        }
    }
    for (int64_t e = 0; e < C * C; e++)
        links += b->O[e];
    for (int64_t i = 0; i < n; i++)
        total += b->g->degree[i];
    least = total > 0 ? BLOCK_DENSITY_MIN * links / (total * total) : 1;
    memset(b->load, 0, (size_t)C * sizeof *b->load);
    for (int64_t a = 0; a < C; a++)
        for (int64_t c = 0; c < C; c++) {
            const double kk = b->k[a] * b->k[c];

            b->O[a * C + c] = fmax(kk > 0 ? b->O[a * C + c] / kk : 0, least);
            b->logO[c * C + a] = log(b->O[a * C + c]);
            b->load[a] += b->O[a * C + c] * b->k[c];
        }
}

typedef struct {
    const blocks *b;
    gnd_real *score; /* [n, C] */
} assignment;

/* Scores from AQ. */
static void score_rows(int64_t begin, int64_t end, void *arg)
{
    const assignment *j = arg;
    const blocks *b = j->b;
    const int64_t C = b->s->n_class;
    double *sum = b->sum + begin / ROWS * C;

    for (int64_t i = begin; i < end; i++) {
        for (int64_t a = 0; a < C; a++)
            sum[a] = -b->g->degree[i] * b->load[a];
        for (int64_t c = 0; c < C; c++) {
            const double links = (double)b->AQ[i * C + c];

            for (int64_t a = 0; a < C && links > 0; a++)
                sum[a] += links * b->logO[c * C + a];
        }
        for (int64_t a = 0; a < C; a++)
            j->score[i * C + a] = (gnd_real)sum[a];
    }
}

/* Q from the scores. */
static void share_rows(int64_t begin, int64_t end, void *arg)
{
    const assignment *j = arg;
    const int64_t C = j->b->s->n_class;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *row = j->score + i * C;
        const gnd_real top = row[gnd_argmax(row, C)];
        double sum = 0;

        for (int64_t c = 0; c < C; c++)
            sum += exp((double)(row[c] - top));
        for (int64_t c = 0; c < C; c++) {
            const double q = exp((double)(row[c] - top)) / sum;

            j->b->Q[i * C + c] = q < share_min ? 0 : (gnd_real)q;
        }
    }
}

/* score from AQ, and Q from the score. */
static void assign(gnd_real *score, const blocks *b, gnd_pool *pool)
{
    const int64_t n = b->g->n, C = b->s->n_class;
    assignment j = {b, score};

    gnd_parallel_for(pool, n, ROWS, n * C * C, score_rows, &j);
    gnd_scores_mask(score, n, b->s);
    gnd_parallel_for(pool, n, ROWS, n * C * EXP_COST, share_rows, &j);
}

gnd_status gnd_predict_blocks(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                              gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->n, C = s->n_class;
    double *room = gnd_alloc(2 * C * (C + 1), sizeof *room);
    blocks b = {.g = g, .s = s, .O = room};
    gnd_status st = GND_OK;

    b.Q = gnd_alloc_raw(n * C, sizeof *b.Q);
    b.AQ = gnd_alloc_raw(n * C, sizeof *b.AQ);
    b.sum = gnd_alloc((n / ROWS + 1) * C, sizeof *b.sum);
    b.at = gnd_alloc(C, sizeof *b.at);
    if (!room || !b.Q || !b.AQ || !b.sum || !b.at)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    b.logO = room + C * C;
    b.k = b.logO + C * C;
    b.load = b.k + C;
    if (!s->walks)
        GND_TRY(gnd_predict_pagerank(score, g, s, pool, err));
    harden(&b, s->walks ? s->walks : score);
    for (int k = 0; k < BLOCK_ROUNDS; k++) {
        fit(&b, pool);
        GND_TRY(gnd_pool_check(pool, err));
        assign(score, &b, pool);
        GND_TRY(gnd_pool_check(pool, err));
    }
out:
    gnd_free(b.at);
    gnd_free(b.sum);
    gnd_free(b.AQ);
    gnd_free(b.Q);
    gnd_free(room);
    return st;
}
