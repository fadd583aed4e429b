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

#include "base/rng.h"

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

/* x_i . x_j, weighted. */
static double dot(const gnd_csr *x, const double *weight, int64_t i, int64_t j)
{
    double sum = 0;

    for (int64_t p = x->ptr[i], q = x->ptr[j]; p < x->ptr[i + 1] && q < x->ptr[j + 1];) {
        const int32_t a = x->col[p], b = x->col[q];

        if (a == b)
            sum += value_at(x, weight, p) * value_at(x, weight, q);
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

/* 0 where one of them has no features. */
static double cosine(const gnd_csr *x, const double *weight, int64_t i, int64_t j)
{
    const double size = norm_of(x, weight, i) * norm_of(x, weight, j);

    return size > 0 ? dot(x, weight, i, j) / size : 0;
}

gnd_edge_similarity gnd_feature_homophily(const gnd_csr *x, const double *weight,
                                          const gnd_csr *links)
{
    const int64_t nnz = gnd_csr_nnz(links),
                  m = nnz < GND_HOMOPHILY_PAIRS ? nnz : GND_HOMOPHILY_PAIRS;
    double linked = 0, sum = 0, squares = 0, spread;
    gnd_edge_similarity k = {0};

    for (int64_t s = 0; s < m; s++) {
        const int64_t link = s * nnz / m; /* integer arithmetic: if m = nnz, each link once */
        const int64_t a = (int64_t)(gnd_rng_uniform(1, 1, (uint64_t)s) * (double)nnz);
        const int64_t b = (int64_t)(gnd_rng_uniform(1, 2, (uint64_t)s) * (double)nnz);
        const double c = cosine(x, weight, row_of(links, a), row_of(links, b));

        linked += cosine(x, weight, row_of(links, link), links->col[link]);
        sum += c;
        squares += c * c;
    }
    if (m == 0)
        return k;
    spread = sqrt(fmax(0, squares / (double)m - sum / (double)m * (sum / (double)m)));
    if (spread <= spread_min)
        return k;
    k.effect = (linked - sum) / (double)m / spread;
    k.z_score = k.effect *
                sqrt((double)m / 4); /* links are stored twice, and both means have this variance */
    return k;
}
