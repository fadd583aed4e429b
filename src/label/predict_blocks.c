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
#include "kern/exp.h"
#include "kern/kern.h"
#include "constants.h"
#include "predictors.h"

enum { ROWS = 256, EXP_COST = 40 };   /* EXP_COST: of exp, in multiplications */
static const double share_min = 1e-6; /* a smaller share of a class is 0: rows stay sparse */

typedef struct {
    const gnd_prepared *g;
    const gnd_labelled *s;
    gnd_real *Q;          /* [n, C], or the scores it is made of */
    gnd_real *AQ;         /* [n, C] */
    double *logO;         /* [C, C], transposed */
    gnd_real *log_narrow; /* [C, C] the same */
    double *O;            /* [C, C] */
    double *k;            /* [C] */
    double *load;         /* [C] O k */
    double *sum;          /* [blocks of ROWS vertices, C] scratch */
    double *near;         /* [C] scratch: classes among the neighbours of a vertex */
} blocks;

/* Q: the classes that PageRank gives. */
static void start(blocks *b, const int32_t *walked)
{
    const int64_t n = b->g->n, C = b->s->n_class;

    memset(b->Q, 0, (size_t)(n * C) * sizeof *b->Q);
    for (int64_t i = 0; i < n; i++)
        if (walked[i] >= 0)
            b->Q[i * C + walked[i]] = 1;
}

/* y += a x, both [C] */
static void add(double *restrict y, double a, const double *restrict x, int64_t C)
{
    for (int64_t c = 0; c < C; c++)
        y[c] += a * x[c];
}

/* O and the class degrees from Q. */
static void fit(blocks *b, gnd_pool *pool)
{
    const int64_t C = b->s->n_class;
    const gnd_row_range own = gnd_part_own(b->g->at.part, b->g->n);
    double links = 0, total = 0, least;

    gnd_labelled_set_rows(b->Q, b->s, 1);
    gnd_csr_times(b->AQ, &b->g->links, b->Q, C, pool);
    memset(b->k, 0, (size_t)C * sizeof *b->k);
    for (int64_t e = 0; e < C * C; e++)
        b->O[e] = b->g->at.part && b->g->at.part->rank > 0 ? 0 : BLOCK_PSEUDO_LINKS;
    for (int64_t i = own.begin; i < own.end; i++) {
        if (!(b->g->degree[i] > 0))
            continue;
        for (int64_t c = 0; c < C; c++)
            b->near[c] = (double)b->AQ[i * C + c];
        for (int64_t a = 0; a < C; a++) {
            const double q = (double)b->Q[i * C + a];

            if (!(q > 0))
                continue;
            b->k[a] += q * b->g->degree[i];
            add(b->O + a * C, q, b->near, C);
        }
    }
    gnd_part_sum(b->g->at.part, b->O, C * C);
    gnd_part_sum(b->g->at.part, b->k, C);
    for (int64_t e = 0; e < C * C; e++)
        links += b->O[e];
    for (int64_t i = own.begin; i < own.end; i++)
        total += b->g->degree[i];
    gnd_part_sum(b->g->at.part, &total, 1);
    least = total > 0 ? BLOCK_DENSITY_MIN * links / (total * total) : 1;
    memset(b->load, 0, (size_t)C * sizeof *b->load);
    for (int64_t a = 0; a < C; a++)
        for (int64_t c = 0; c < C; c++) {
            const double kk = b->k[a] * b->k[c];

            b->O[a * C + c] = fmax(kk > 0 ? b->O[a * C + c] / kk : 0, least);
            b->logO[c * C + a] = log(b->O[a * C + c]);
            b->load[a] += b->O[a * C + c] * b->k[c];
        }
    for (int64_t e = 0; e < C * C; e++)
        b->log_narrow[e] = (gnd_real)b->logO[e];
}

/* Q <- scores, from AQ. */
static void score_rows(int64_t begin, int64_t end, void *arg)
{
    const blocks *b = arg;
    const int64_t C = b->s->n_class;
    double *sum = b->sum + begin / ROWS * C;

    for (int64_t i = begin; i < end; i++) {
        for (int64_t a = 0; a < C; a++)
            sum[a] = -b->g->degree[i] * b->load[a];
        for (int64_t c = 0; c < C; c++)
            add(sum, (double)b->AQ[i * C + c], b->logO + c * C, C);
        for (int64_t a = 0; a < C; a++)
            b->Q[i * C + a] = (gnd_real)sum[a];
    }
}

/* The same in the precision of the scores, for large graphs. */
static void score_rows_fast(int64_t begin, int64_t end, void *arg)
{
    const blocks *b = arg;
    const int64_t C = b->s->n_class;

    gnd_kern_get()->gemm(b->Q, b->AQ, b->log_narrow, C, C, begin, end);
    for (int64_t i = begin; i < end; i++)
        for (int64_t a = 0; a < C; a++)
            b->Q[i * C + a] -= (gnd_real)(b->g->degree[i] * b->load[a]);
}

/* Q <- softmax of the scores in it. */
static void share_rows(int64_t begin, int64_t end, void *arg)
{
    const blocks *b = arg;
    const int64_t C = b->s->n_class;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = b->Q + i * C;
        const gnd_real top = row[gnd_argmax(row, C)];
        double sum = 0;

        for (int64_t c = 0; c < C; c++)
            sum += exp((double)(row[c] - top));
        for (int64_t c = 0; c < C; c++) {
            const double q = exp((double)(row[c] - top)) / sum;

            row[c] = q < share_min ? 0 : (gnd_real)q;
        }
    }
}

/* The same in the precision of the shares, for large graphs: e^x of many rows in one loop. */
static void share_rows_fast(int64_t begin, int64_t end, void *arg)
{
    const blocks *b = arg;
    const int64_t C = b->s->n_class;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = b->Q + i * C;
        const gnd_real top = row[gnd_argmax(row, C)];

        for (int64_t c = 0; c < C; c++)
            row[c] -= top;
    }
    for (int64_t e = begin * C; e < end * C; e++)
        b->Q[e] = gnd_exp_of(b->Q[e]);
    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = b->Q + i * C, sum = 0;

        for (int64_t c = 0; c < C; c++)
            sum += row[c];
        for (int64_t c = 0; c < C; c++)
            row[c] = row[c] < (gnd_real)share_min * sum ? 0 : row[c] / sum;
    }
}

gnd_status gnd_predict_blocks(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                              gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->n, C = s->n_class;
    const bool large = g->n_link >= LARGE_LINKS;
    double *room = gnd_alloc(2 * C * (C + 1), sizeof *room);
    int32_t *walked = s->walked ? NULL : gnd_alloc(n, sizeof *walked);
    blocks b = {.g = g, .s = s, .O = room, .Q = score};
    gnd_status st = GND_OK;

    b.AQ = gnd_alloc_raw(n * C, sizeof *b.AQ);
    b.sum = gnd_alloc((n / ROWS + 1) * C, sizeof *b.sum);
    b.near = gnd_alloc(C, sizeof *b.near);
    b.log_narrow = gnd_alloc(C * C, sizeof *b.log_narrow);
    if (!room || !b.log_narrow || (!s->walked && !walked) || !b.AQ || !b.sum || !b.near)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    b.logO = room + C * C;
    b.k = b.logO + C * C;
    b.load = b.k + C;
    if (!s->walked) {
        GND_TRY(gnd_predict_pagerank(score, g, s, pool, err));
        gnd_walked_classes(walked, score, n, C);
    }
    start(&b, s->walked ? s->walked : walked);
    for (int k = 0; k < BLOCK_ROUNDS; k++) {
        if (k > 0)
            gnd_parallel_for(pool, n, ROWS, n * C * EXP_COST, large ? share_rows_fast : share_rows,
                             &b);
        fit(&b, pool);
        GND_TRY(gnd_pool_check(pool, err));
        gnd_parallel_for(pool, n, ROWS, n * C * C, large ? score_rows_fast : score_rows, &b);
        gnd_scores_mask(score, n, s);
        GND_TRY(gnd_pool_check(pool, err));
    }
out:
    gnd_free(b.log_narrow);
    gnd_free(b.near);
    gnd_free(b.sum);
    gnd_free(b.AQ);
    gnd_free(walked);
    gnd_free(room);
    return st;
}
