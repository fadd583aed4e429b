/* SPDX-License-Identifier: MIT
 * isomap.c - Isomap on a graph: classical scaling of hop distances.
 *
 *     B = -1/2 J (D . D) J,  J = I - 1 1^T / n,     z_k = sqrt(lambda_k) v_k,   k = 1, 2
 *     D: [n, n] hop distances; pairs without a path are 1.5 times the largest finite one apart
 *
 * Tenenbaum, de Silva and Langford, Science 290 (2000). B is never formed: D stays as bytes, and
 * each eigenpair comes from a Lanczos iteration with full reorthogonalisation, in the complement of
 * the constant vector (which is J) and of the pairs found before. A second iteration for the second
 * pair, instead of the runner-up of the first: one start vector sees but one vector of a repeated
 * eigenvalue, and graphs with symmetries have those. */
#include "isomap.h"

#include <float.h>
#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "graph/graph.h"
#include "linalg/tridiag.h"
#include "hop_distances.h"

enum { LANES = 8, ROWS = 64, CHECK_EVERY = 5, MAX_STEPS = 1000, FIRST_ROOM = 32 };
static const double tolerance = 1e-12; /* residual, relative to the largest eigenvalue */
static const uint64_t start_seed = 14;

typedef struct {
    int64_t n;
    uint8_t *hops; /* [n, n]; 0 where there is no path: such pairs come in by component */
    double far2;   /* square of the distance of those */
    int32_t *comp; /* [n] */
    int64_t n_comp;
    double *sum;      /* [n_comp] of x over each component */
    const double *x;  /* [n] */
    double *y;        /* [n] */
    double *basis[3]; /* 1 / sqrt(n), and the vectors found: the iteration stays orthogonal */
    int n_basis;
    double scale; /* largest eigenvalue once it is known, else 0 */
    gnd_pool *pool;
} scaling;

/* sum_j h_j^2 x_j; element j goes to lane j mod LANES, then the lanes in order. */
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
static void product(scaling *s, double *y, const double *x)
{
    for (int64_t c = 0; c < s->n_comp; c++)
        s->sum[c] = 0;
    for (int64_t i = 0; i < s->n; i++)
        s->sum[s->comp[i]] += x[i];
    s->x = x;
    s->y = y;
    gnd_parallel_for(s->pool, s->n, ROWS, s->n * s->n, product_rows, s);
}

static double dot(const double *x, const double *y, int64_t n)
{
    double s = 0;

    for (int64_t i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

/* x -= (q . x) q */
static void project_out(double *x, const double *q, int64_t n)
{
    const double c = dot(q, x, n);

    for (int64_t i = 0; i < n; i++)
        x[i] -= c * q[i];
}

/* ---- one eigenpair ---- */

typedef struct {
    double *q;           /* [room, n] */
    double *diag, *off;  /* [room] */
    double *value, *vec; /* of the tridiagonal matrix: [room], [room, room] */
    int64_t room;
} krylov;

static void krylov_fini(krylov *k)
{
    gnd_free(k->q);
    gnd_free(k->diag);
    gnd_free(k->off);
    gnd_free(k->value);
    gnd_free(k->vec);
}

static bool grow(double **p, int64_t n)
{
    double *more = gnd_realloc(*p, n, sizeof **p);

    if (more)
        *p = more;
    return more != NULL;
}

static gnd_status krylov_grow(krylov *k, int64_t n, gnd_error *err)
{
    const int64_t size = k->room ? 2 * k->room : FIRST_ROOM;

    if (!grow(&k->q, size * n) || !grow(&k->diag, size) || !grow(&k->off, size) ||
        !grow(&k->value, size) || !grow(&k->vec, size * size))
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vectors of %lld vertices",
                        (long long)size, (long long)n);
    k->room = size;
    return GND_OK;
}

/* x orthogonal to everything so far; twice, since once leaves rounding errors. Returns its norm. */
static double orthogonalise(double *x, const scaling *s, const krylov *k, int64_t steps)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < s->n_basis; b++)
            project_out(x, s->basis[b], s->n);
        for (int64_t j = 0; j < steps; j++)
            project_out(x, k->q + j * s->n, s->n);
    }
    return sqrt(dot(x, x, s->n));
}

static void start_vector(double *x, const scaling *s, const krylov *k)
{
    double norm;

    for (int64_t i = 0; i < s->n; i++)
        x[i] = gnd_rng_uniform(start_seed, (uint32_t)s->n_basis, (uint64_t)i) - 0.5;
    norm = orthogonalise(x, s, k, 0);
    for (int64_t i = 0; i < s->n; i++)
        x[i] = norm > 0 ? x[i] / norm : 0;
}

/* Step j: q_j is there; makes diag[j], off[j] and, if there is another dimension, q_{j+1}. Returns
 * whether there is. */
static bool lanczos_step(scaling *s, krylov *k, double *w, int64_t j, double *scale)
{
    const int64_t n = s->n;

    product(s, w, k->q + j * n);
    k->diag[j] = dot(w, k->q + j * n, n);
    k->off[j] = orthogonalise(w, s, k, j + 1);
    *scale = fmax(*scale, fmax(fabs(k->diag[j]), k->off[j]));
    if (j + 1 + s->n_basis >= n || k->off[j] <= 1e-14 * *scale)
        return false;
    for (int64_t i = 0; i < n; i++)
        k->q[(j + 1) * n + i] = w[i] / k->off[j];
    return true;
}

/* The largest eigenvalue in the complement of s->basis, and its vector of norm 1. */
static gnd_status leading_pair(double *value, double *vector, scaling *s, krylov *k, gnd_error *err)
{
    const int64_t n = s->n;
    double scale = s->scale;
    gnd_status st = GND_OK;

    if (k->room == 0)
        GND_TRY(krylov_grow(k, n, err));
    start_vector(k->q, s, k);
    for (int64_t j = 0;; j++) {
        bool more;

        if (j + 2 > k->room)
            GND_TRY(krylov_grow(k, n, err));
        more = lanczos_step(s, k, vector, j, &scale);
        if (more && j % CHECK_EVERY != CHECK_EVERY - 1)
            continue;
        GND_TRY(gnd_tridiag_eigen(k->value, k->vec, k->diag, k->off, j + 1, err));
        /* The residual of the pair is what the last step left over times the last component. */
        if (more &&
            k->off[j] * fabs(k->vec[j * (j + 1) + j]) > tolerance * fmax(s->scale, k->value[j])) {
            if (j + 1 >= MAX_STEPS)
                GND_TRY(gnd_fail(err, GND_ERR_DIVERGED,
                                 "the eigenvectors of %lld hop distances did not settle",
                                 (long long)n));
            continue;
        }
        *value = k->value[j];
        for (int64_t i = 0; i < n; i++)
            vector[i] = 0;
        for (int64_t l = 0; l <= j; l++)
            for (int64_t i = 0; i < n; i++)
                vector[i] += k->vec[l * (j + 1) + j] * k->q[l * n + i];
        break;
    }
out:
    return st;
}

/* ---- coordinates ---- */

/* Column c of z. Eigenvalues of the size of rounding errors, and negative ones, give no extent. */
static void write_column(double *z, int c, double value, const double *v, const scaling *s)
{
    const double length = value > tolerance * s->scale ? sqrt(value) : 0;
    double largest = 0, sign = 1;

    for (int64_t i = 0; i < s->n; i++)
        largest = fmax(largest, fabs(v[i]));
    for (int64_t i = 0; i < s->n; i++)
        if (fabs(v[i]) >= (1 - 1e-8) * largest) { /* mirrored vertices agree but for rounding */
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
    krylov k = {0};
    gnd_csr links = {0};
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < 2 * n; i++)
        z[i] = 0;
    if (eigenvalue)
        eigenvalue[0] = eigenvalue[1] = 0;
    if (n > GND_ISOMAP_MAX)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "Isomap keeps the distances of all pairs: %lld vertices are more than %d",
                         (long long)n, GND_ISOMAP_MAX));
    GND_TRY(gnd_links_init(&links, adj, err));
    GND_TRY(scaling_init(&s, &links, pool, err));
    for (int c = 0; c < 2 && c + 1 < n; c++) {
        double value;

        GND_TRY(leading_pair(&value, s.basis[c + 1], &s, &k, err));
        s.scale = fmax(s.scale, value);
        s.n_basis++;
        if (eigenvalue)
            eigenvalue[c] = value;
        write_column(z, c, value, s.basis[c + 1], &s);
    }
out:
    krylov_fini(&k);
    scaling_fini(&s);
    gnd_csr_fini(&links);
    return st;
}
