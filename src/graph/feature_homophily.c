/* SPDX-License-Identifier: MIT
 * feature_homophily.c - cosines of the ends of links, and of ends of different links.
 *
 *     effect = (mean_{links} x_i . x_j  -  mean_{pairs} x_i . x_j) / std_{pairs} x_i . x_j
 *     x_i: [d] features of vertex i, normalised
 *
 * Pairs are ends of links drawn independently. A vertex with many links is in both means as often,
 * so random links have effect 0 whatever the degrees. */
#include "feature_homophily.h"

#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"

enum { BATCH = 4096 }; /* pairs whose features are exchanged at once */

static const double spread_min = 1e-9; /* of cosines; below it all features are equal */

/* The row that entry q is in. */
static int64_t row_of(const gnd_csr *a, int64_t q)
{
    int64_t low = 0, high = a->n_row;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (a->ptr[middle] <= q)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double value_at(const gnd_csr *x, const double *weight, int64_t q)
{
    return (double)gnd_csr_val(x, q) * (weight ? weight[x->col[q]] : 1);
}

/* Row i of x times row j of y, weighted. */
static double dot(const gnd_csr *x, int64_t i, const gnd_csr *y, int64_t j, const double *weight)
{
    double sum = 0;

    for (int64_t p = x->ptr[i], q = y->ptr[j]; p < x->ptr[i + 1] && q < y->ptr[j + 1];) {
        const int32_t a = x->col[p], b = y->col[q];

        if (a == b)
            sum += value_at(x, weight, p) * value_at(y, weight, q);
        p += a <= b;
        q += b <= a;
    }
    return sum;
}

static double norm_of(const gnd_csr *x, const double *weight, int64_t i)
{
    double sum = 0;

    for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
        sum += value_at(x, weight, p) * value_at(x, weight, p);
    return sqrt(sum);
}

/* 0 where one of them has no features. size: the product of the norms. */
static double cosine(const gnd_csr *x, int64_t i, const gnd_csr *y, int64_t j, const double *weight,
                     double size)
{
    return size > 0 ? dot(x, i, y, j, weight) / size : 0;
}

/* Entries of links are numbered through all processes. */
typedef struct {
    const gnd_csr *x, *links;
    const double *weight;
    int64_t nnz, first; /* entries of all processes, those before this one's */
    int64_t m;          /* pairs */
    double *norm;       /* [n] of the rows of x */
} pairs;

/* The row of entry e; -1: another process has it. */
static int64_t end_of(const pairs *p, int64_t e)
{
    const int64_t q = e - p->first;

    return q >= 0 && q < gnd_csr_nnz(p->links) ? row_of(p->links, q) : -1;
}

/* One of the two ends of random pair s. */
static int64_t drawn_end(const pairs *p, uint32_t end, int64_t s)
{
    return end_of(p, (int64_t)(gnd_rng_uniform(1, end, (uint64_t)s) * (double)p->nnz));
}

static gnd_status pairs_init(pairs *p, gnd_error *err)
{
    gnd_part *part = p->links->part;
    int64_t *count = gnd_alloc(part ? part->size : 1, sizeof *count);

    p->norm = gnd_alloc(p->x->n_row, sizeof *p->norm);
    if (!count || !p->norm) {
        gnd_free(count);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for pairs of vertices");
    }
    for (int64_t i = 0; i < p->x->n_row; i++)
        p->norm[i] = norm_of(p->x, p->weight, i);
    count[part ? part->rank : 0] = gnd_csr_nnz(p->links);
    gnd_part_counts(part, count, part ? part->size : 1);
    for (int64_t r = 0; r < (part ? part->size : 1); r++) {
        p->first += part && r < part->rank ? count[r] : 0;
        p->nnz += count[r];
    }
    p->m = p->nnz < GND_HOMOPHILY_PAIRS ? p->nnz : GND_HOMOPHILY_PAIRS;
    gnd_free(count);
    return GND_OK;
}

/* out: [n, d] the features of the second ends of the random pairs from s on, in all processes. */
static gnd_status drawn_rows(gnd_csr *out, const pairs *p, int64_t s, int64_t n, gnd_error *err)
{
    int64_t *len = gnd_alloc(n, sizeof *len), nnz = 0, k = 0;
    int32_t *mine = NULL; /* entries of out that this process has */
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    if (!len)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for pairs of vertices"));
    for (int64_t t = 0; t < n; t++) {
        const int64_t i = drawn_end(p, 2, s + t);

        len[t] = i < 0 ? 0 : p->x->ptr[i + 1] - p->x->ptr[i];
    }
    gnd_part_counts(p->links->part, len, n);
    for (int64_t t = 0; t < n; t++)
        nnz += len[t];
    GND_TRY(gnd_csr_init(out, n, p->x->n_col, nnz, true, err));
    mine = gnd_alloc(nnz, sizeof *mine);
    if (!mine)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for pairs of vertices"));
    for (int64_t t = 0; t < n; t++) {
        const int64_t i = drawn_end(p, 2, s + t);

        for (int64_t e = 0; e < len[t] && i >= 0; e++) {
            out->col[out->ptr[t] + e] = p->x->col[p->x->ptr[i] + e];
            out->val[out->ptr[t] + e] = gnd_csr_val(p->x, p->x->ptr[i] + e);
            mine[k++] = (int32_t)(out->ptr[t] + e);
        }
        out->ptr[t + 1] = out->ptr[t] + len[t];
    }
    gnd_part_share(p->links->part, out->col, sizeof *out->col, mine, k);
    gnd_part_share(p->links->part, out->val, sizeof *out->val, mine, k);
out:
    gnd_free(mine);
    gnd_free(len);
    return st;
}

/* Add the cosines of a batch of n links and pairs from s on: those whose first end is here. */
static gnd_status add_cosines(double *linked, double *sum, double *squares, const pairs *p,
                              int64_t s, int64_t n, gnd_error *err)
{
    gnd_csr second = {0};
    gnd_status st;

    GND_TRY(drawn_rows(&second, p, s, n, err));
    for (int64_t t = 0; t < n; t++) {
        const int64_t link = (s + t) * p->nnz / p->m; /* if m = nnz, each link once */
        const int64_t a = end_of(p, link), b = drawn_end(p, 1, s + t);
        const int64_t to = a < 0 ? -1 : p->links->col[link - p->first];
        const double c = b < 0 ? 0
                               : cosine(p->x, b, &second, t, p->weight,
                                        p->norm[b] * norm_of(&second, p->weight, t));

        if (a >= 0)
            *linked += cosine(p->x, a, p->x, to, p->weight, p->norm[a] * p->norm[to]);
        *sum += c;
        *squares += c * c;
    }
out:
    gnd_csr_fini(&second);
    return st;
}

gnd_status gnd_feature_homophily(gnd_edge_similarity *out, const gnd_csr *x, const double *weight,
                                 const gnd_csr *links, gnd_error *err)
{
    pairs p = {.x = x, .links = links, .weight = weight};
    double of[3] = {0}, mean, spread; /* sums: links, pairs, their squares */
    gnd_status st;

    *out = (gnd_edge_similarity){0};
    GND_TRY(pairs_init(&p, err));
    for (int64_t s = 0; s < p.m; s += BATCH)
        GND_TRY(add_cosines(&of[0], &of[1], &of[2], &p, s, p.m - s < BATCH ? p.m - s : BATCH, err));
    gnd_part_sum(links->part, of, 3);
    if (p.m == 0)
        goto out;
    mean = of[1] / (double)p.m;
    spread = sqrt(fmax(0, of[2] / (double)p.m - mean * mean));
    if (spread <= spread_min)
        goto out;
    out->effect = (of[0] - of[1]) / (double)p.m / spread;
    out->z_score =
        out->effect *
        sqrt((double)p.m / 4); /* links are stored twice, and both means have this variance */
out:
    gnd_free(p.norm);
    return st;
}
