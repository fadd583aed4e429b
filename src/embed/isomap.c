/* SPDX-License-Identifier: MIT
 * isomap.c - Isomap on a graph: classical multidimensional scaling of hop distances.
 *
 *     B = -1/2 J (D . D) J,  J = I - 1 1^T / n,     z_k = sqrt(lambda_k) v_k,   k = 1, 2
 *     D: [n, n] hop distances; pairs without a path have 1.5 times the largest finite distance
 *
 * Tenenbaum, de Silva and Langford, Science 290 (2000). B is never stored: D is stored as bytes.
 * Each eigenpair comes from a separate Lanczos iteration (linalg/leading_pair.h), orthogonal to
 * the constant vector (this is J) and to the pairs found before. One iteration finds only one
 * vector of a repeated eigenvalue, and symmetric graphs have repeated eigenvalues. */
#include "isomap.h"

#include <math.h>

#include "base/alloc.h"
#include "graph/graph.h"
#include "linalg/leading_pair.h"
#include "hop_distances.h"

enum { LANES = 8, ROWS = 64 };
static const uint64_t start_seed = 14; /* RNG seed of the Lanczos start vectors */

typedef struct {
    int64_t n;
    uint8_t *hops; /* [n, n]; 0 if there is no path: such pairs are added per component */
    double far2;   /* squared distance of pairs without a path */
    int32_t *comp; /* [n] */
    int64_t n_comp;
    double *sum;      /* [n_comp] sum of x over each component */
    const double *x;  /* [n] */
    double *y;        /* [n] */
    double *basis[3]; /* 1 / sqrt(n) and the vectors found: the iteration is orthogonal to them */
    int n_basis;
    double scale; /* largest eigenvalue, 0 until it is known */
    gnd_pool *pool;
} scaling;

/* sum_j h_j^2 x_j; element j is added to lane j mod LANES, then the lanes are added in order. */
static double square_dot(const uint8_t *h, const double *x, int64_t n)
{
    double lane[LANES] = {0}, s = 0;
    int64_t j = 0;

    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++) {
            const int32_t d = h[j + k];

            lane[k] += (double)(d * d) * x[j + k];
        }
    for (; j < n; j++)
        lane[j % LANES] += (double)(h[j] * h[j]) * x[j];
    for (int k = 0; k < LANES; k++)
        s += lane[k];
    return s;
}

static void product_rows(int64_t begin, int64_t end, void *arg)
{
    const scaling *s = arg;
    double all = 0;

    for (int64_t c = 0; c < s->n_comp; c++)
        all += s->sum[c];
    for (int64_t i = begin; i < end; i++)
        s->y[i] = -0.5 * (square_dot(s->hops + i * s->n, s->x, s->n) +
                          s->far2 * (all - s->sum[s->comp[i]]));
}

/* y = -1/2 (D . D) x */
static void product(double *y, const double *x, void *arg)
{
    scaling *s = arg;

    for (int64_t c = 0; c < s->n_comp; c++)
        s->sum[c] = 0;
    for (int64_t i = 0; i < s->n; i++)
        s->sum[s->comp[i]] += x[i];
    s->x = x;
    s->y = y;
    gnd_parallel_for(s->pool, s->n, ROWS, s->n * s->n, product_rows, s);
}

/* ---- coordinates ---- */

/* Writes column c of z. Negative eigenvalues and those as small as rounding errors give zeros. */
static void write_column(double *z, int c, double value, const double *v, const scaling *s)
{
    const double length = value > GND_LEADING_TOLERANCE * s->scale ? sqrt(value) : 0;
    double largest = 0, sign = 1;

    for (int64_t i = 0; i < s->n; i++)
        largest = fmax(largest, fabs(v[i]));
    for (int64_t i = 0; i < s->n; i++)
        if (fabs(v[i]) >= (1 - 1e-8) * largest) { /* equal up to rounding */
            sign = v[i] < 0 ? -1 : 1;
            break;
        }
    for (int64_t i = 0; i < s->n; i++)
        z[2 * i + c] = length > 0 ? sign * length * v[i] : 0;
}

static gnd_status scaling_init(scaling *s, const gnd_csr *links, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = links->n_row;
    double far;
    gnd_status st;

    *s = (scaling){.n = n, .pool = pool};
    GND_TRY(gnd_hop_distances(&s->hops, &far, links, pool, err));
    s->far2 = far * far;
    s->comp = gnd_alloc(n, sizeof *s->comp);
    s->n_comp = s->comp ? gnd_components(s->comp, links) : -1;
    s->sum = s->n_comp < 0 ? NULL : gnd_alloc(s->n_comp, sizeof *s->sum);
    for (int b = 0; b < 3; b++)
        s->basis[b] = gnd_alloc(n, sizeof *s->basis[b]);
    if (!s->sum || !s->basis[0] || !s->basis[1] || !s->basis[2])
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the scaling of %lld vertices",
                         (long long)n));
    for (int64_t i = 0; i < n; i++)
        s->basis[0][i] = 1 / sqrt((double)n);
    s->n_basis = 1;
    if (s->n_comp > 1)
        for (int64_t p = 0; p < n * n; p++)
            s->hops[p] = s->hops[p] == GND_HOP_NONE ? 0 : s->hops[p];
out:
    return st;
}

static void scaling_fini(scaling *s)
{
    for (int b = 0; b < 3; b++)
        gnd_free(s->basis[b]);
    gnd_free(s->sum);
    gnd_free(s->comp);
    gnd_free(s->hops);
}

gnd_status gnd_isomap(double *z, double *eigenvalue, const gnd_csr *adj, gnd_pool *pool,
                      gnd_error *err)
{
    const int64_t n = adj->n_row;
    scaling s = {0};
    gnd_csr links = {0};
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < 2 * n; i++)
        z[i] = 0;
    if (eigenvalue)
        eigenvalue[0] = eigenvalue[1] = 0;
    if (n > GND_ISOMAP_MAX)
        GND_TRY(
            gnd_fail(err, GND_ERR_ARG,
                     "Isomap stores the distances of all pairs: %lld vertices; expected at most %d",
                     (long long)n, GND_ISOMAP_MAX));
    GND_TRY(gnd_links_init(&links, adj, err));
    GND_TRY(scaling_init(&s, &links, pool, err));
    for (int c = 0; c < 2 && c + 1 < n; c++) {
        double value;

        GND_TRY(gnd_leading_pair(&value, s.basis[c + 1],
                                 &(gnd_leading){.n = n,
                                                .product = product,
                                                .arg = &s,
                                                .lock = s.basis,
                                                .n_lock = s.n_basis,
                                                .scale = s.scale,
                                                .seed = start_seed},
                                 err));
        s.scale = fmax(s.scale, value);
        s.n_basis++;
        if (eigenvalue)
            eigenvalue[c] = value;
        write_column(z, c, value, s.basis[c + 1], &s);
    }
out:
    scaling_fini(&s);
    gnd_csr_fini(&links);
    return st;
}
