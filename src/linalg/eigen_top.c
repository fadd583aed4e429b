/* SPDX-License-Identifier: MIT
 * eigen_top.c - eigenpairs of largest |value|, with their multiplicities, by Lanczos with locking.
 * A: [n, n] symmetric.
 *
 * A Krylov basis finds one vector of each distinct eigenvalue. Converged vectors are locked. The
 * next basis starts from a random vector orthogonal to all locked ones, and finds a further
 * vector of a repeated eigenvalue (for example, one per component of the graph). The search ends
 * if the best pair of a new basis has converged and is not among the k best. A basis that is
 * full before it has converged is restarted from the sum of its needed vectors. */
#include "eigen_top.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "lanczos.h"
#include "tridiag.h"

/* Longer bases need fewer restarts. A basis takes up to 256 MB, but has at least 100 vectors. */
enum { BASIS_MAX = 600, BASIS_MIN = 100, BASIS_SIZE = 1 << 25, FIRST_LOOK = 24, RUNS_MAX = 1000 };
static const double lambda_error = 1e-10;
static const double invariant = 1e-12; /* residual norm, relative to |A|, that is rounding error */

typedef struct {
    gnd_krylov w;
    int64_t k, n_lock;
    double *lock, *lambda;  /* [k, n], [k]: the best so far, by decreasing |lambda| */
    double *theta, *b;      /* [cap], [cap, cap]: the eigenpairs of T */
    double *start, *vector; /* [n] */
    int64_t *rank;          /* [cap]: indices of theta by decreasing |theta| */
    double tol, scale;
} search;

static gnd_status search_init(search *s, const gnd_csr *a, int64_t k, gnd_error *err)
{
    const int64_t n = a->n_row, fit = BASIS_SIZE / (n > 0 ? n : 1);
    const int64_t room = (fit > BASIS_MAX ? BASIS_MAX : fit < BASIS_MIN ? BASIS_MIN : fit) + 2 * k;
    const int64_t cap = n < room ? n : room;
    gnd_status st;

    s->k = k;
    s->lock = gnd_alloc(k * n, sizeof *s->lock);
    GND_TRY(gnd_krylov_init(&s->w, a, cap, s->lock, k, err));
    s->w.n_lock = 0;
    s->w.passes = 1;
    s->lambda = gnd_alloc(k, sizeof *s->lambda);
    s->theta = gnd_alloc(cap, sizeof *s->theta);
    s->b = gnd_alloc(cap * cap, sizeof *s->b);
    s->start = gnd_alloc(n, sizeof *s->start);
    s->vector = gnd_alloc(n, sizeof *s->vector);
    s->rank = gnd_alloc(cap, sizeof *s->rank);
    if (!s->lock || !s->lambda || !s->theta || !s->b || !s->start || !s->vector || !s->rank)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld eigenvectors", (long long)k));
out:
    return st;
}

static void search_fini(search *s)
{
    gnd_krylov_fini(&s->w);
    gnd_free(s->lock);
    gnd_free(s->lambda);
    gnd_free(s->theta);
    gnd_free(s->b);
    gnd_free(s->start);
    gnd_free(s->vector);
    gnd_free(s->rank);
}

/* Computes theta, b and rank of the current basis. */
static gnd_status look(search *s, gnd_error *err)
{
    const int64_t m = s->w.m;
    const gnd_status st = gnd_tridiag_eigen(s->theta, s->b, s->w.diag, s->w.off, m, err);
    int64_t low = 0, high = m - 1;

    for (int64_t i = 0; st == GND_OK && i < m;
         i++) /* theta ascends: the largest |theta| are at the ends */
        s->rank[i] = fabs(s->theta[low]) > fabs(s->theta[high]) ? low++ : high--;
    if (st == GND_OK)
        s->scale = fmax(s->scale, fabs(s->theta[s->rank[0]]));
    return st;
}

/* The number of converged vectors in the basis, counted from the best until the first that is
 * not. */
static int64_t converged(const search *s)
{
    const int64_t m = s->w.m;
    int64_t p = 0;

    while (p < m && s->w.off[m - 1] * fabs(s->b[(m - 1) * m + s->rank[p]]) <= s->tol * s->scale)
        p++;
    return p;
}

/* The number of vectors in the basis, from the best on, that are among the k best of both lists. */
static int64_t count_needed(const search *s)
{
    int64_t needed = 0;

    for (int64_t better = 0; needed < s->w.m; needed++) {
        const double theta = fabs(s->theta[s->rank[needed]]);

        while (better < s->n_lock &&
               fabs(s->lambda[better]) >=
                   theta - s->tol * s->scale) /* equal: the locked one suffices */
            better++;
        if (better + needed >= s->k)
            break;
    }
    return needed;
}

/* Writes the i-th best vector of the basis to s->vector. */
static void ritz_vector(search *s, int64_t i)
{
    const int64_t m = s->w.m, n = s->w.n;

    memset(s->vector, 0, (size_t)n * sizeof *s->vector);
    for (int64_t j = 0; j < m; j++) {
        const double c = s->b[j * m + s->rank[i]], *q = s->w.q + j * n;

        for (int64_t e = 0; e < n; e++)
            s->vector[e] += c * q[e];
    }
}

/* Inserts the i-th best vector of the basis into the locked list, which holds at most k. */
static void lock_one(search *s, int64_t i)
{
    const double theta = s->theta[s->rank[i]];
    const int64_t n = s->w.n;
    int64_t at = s->n_lock < s->k ? s->n_lock++ : s->k - 1;

    ritz_vector(s, i);
    for (; at > 0 && fabs(s->lambda[at - 1]) < fabs(theta); at--) {
        s->lambda[at] = s->lambda[at - 1];
        memcpy(s->lock + at * n, s->lock + (at - 1) * n, (size_t)n * sizeof *s->lock);
    }
    s->lambda[at] = theta;
    memcpy(s->lock + at * n, s->vector, (size_t)n * sizeof *s->lock);
}

/* Adds a vector to the basis. Returns true if there is none: the residual is rounding error. */
static bool grow(search *s)
{
    const double left = gnd_krylov_step(&s->w);

    s->scale = fmax(s->scale, fmax(left, fabs(s->w.diag[s->w.m - 1]))); /* both are at most |A| */
    return left <= invariant * s->scale;
}

/* Locks the first p vectors, and writes the sum of the other needed ones to s->start. */
static void settle(search *s, int64_t p, int64_t needed)
{
    for (int64_t i = 0; i < p; i++)
        lock_one(s, i);
    memset(s->start, 0, (size_t)s->w.n * sizeof *s->start);
    for (int64_t i = p; i < needed; i++) {
        ritz_vector(s, i);
        for (int64_t e = 0; e < s->w.n; e++)
            s->start[e] += s->vector[e];
    }
}

/* One basis from s->start. *again, in: the start is not random and may be orthogonal to some
 * eigenvectors; out: s->start is the next start. *done: the list is complete. */
static gnd_status run_basis(search *s, bool *done, bool *again, gnd_error *err)
{
    const int64_t limit = s->w.n - s->n_lock < s->w.cap ? s->w.n - s->n_lock : s->w.cap;
    const bool fresh = !*again;
    bool full = false;
    gnd_status st = GND_OK;

    *again = false;
    s->w.n_lock = s->n_lock;
    if (limit < 1 || !gnd_krylov_start(&s->w, s->start)) {
        *done = fresh;
        return GND_OK;
    }
    for (int64_t next = FIRST_LOOK; !full; next += next / 2) {
        int64_t p, needed;

        while (!full && s->w.m < next)
            full = grow(s) || s->w.m == limit;
        GND_TRY(look(s, err));
        p = converged(s);
        needed = count_needed(s);
        if (p > 0 && needed == 0) {
            *done = fresh;
            break;
        }
        if (p > 0 && p >= needed)
            full = true; /* the needed vectors have converged */
        if (full) {
            *again = p == 0;
            settle(s, p < needed ? p : needed, needed > 0 ? needed : 1);
        }
    }
out:
    return st;
}

gnd_status gnd_eigen_top(double *value, double *vector, const gnd_csr *a, const gnd_eigen_want *w,
                         gnd_error *err)
{
    const int64_t n = a->n_row, k = w->k;
    search s = {.tol = w->tol > 0 ? w->tol : 1e-8};
    bool done = false, again = false;
    gnd_status st;

    if (k < 1 || k > n)
        return gnd_fail(err, GND_ERR_ARG, "%lld eigenvectors of %lld vertices", (long long)k,
                        (long long)n);
    GND_TRY(search_init(&s, a, k, err));
    for (uint32_t run = 0; !done; run++) {
        if (run == RUNS_MAX)
            GND_TRY(gnd_fail(err, GND_ERR_DIVERGED, "%lld eigenvectors did not converge",
                             (long long)k));
        for (int64_t i = 0; !again && i < n; i++)
            s.start[i] = gnd_rng_uniform(w->seed, run, (uint64_t)i) - 0.5;
        GND_TRY(run_basis(&s, &done, &again, err));
    }
    for (int64_t j = 0; j < k; j++) {
        value[j] = s.lambda[j];
        for (int64_t i = 0; i < n; i++)
            vector[i * k + j] = s.lock[j * n + i];
    }
out:
    search_fini(&s);
    return st;
}

/* The error bound of a Ritz value by Kato and Temple: residual^2 / gap, at most the residual. */
static double ritz_error(const search *s)
{
    const int64_t m = s->w.m, top = s->rank[0];
    const double residual = s->w.off[m - 1] * fabs(s->b[(m - 1) * m + top]);
    const double gap = m > 1 ? fabs(s->theta[top]) - fabs(s->theta[s->rank[1]]) : 1;

    return gap > residual ? residual * residual / gap : residual;
}

/* One basis from s->start. *done: its largest value is accurate enough; if not, s->start is the
 * next start. */
static gnd_status run_lambda(search *s, bool *done, gnd_error *err)
{
    bool full = !gnd_krylov_start(&s->w, s->start);
    gnd_status st = GND_OK;

    for (int64_t next = FIRST_LOOK; !full && !*done; next += next / 2) {
        while (!full && s->w.m < next)
            full = grow(s) || s->w.m == s->w.cap;
        GND_TRY(look(s, err));
        *done = ritz_error(s) <= lambda_error;
    }
    if (!*done && s->w.m > 0) {
        ritz_vector(s, 0);
        memcpy(s->start, s->vector, (size_t)s->w.n * sizeof *s->start);
    }
out:
    return st;
}

gnd_status gnd_lambda_max(double *out, const gnd_csr *ln, bool symmetric, gnd_error *err)
{
    const int64_t n = ln->n_row;
    search s = {0};
    bool done = false;
    gnd_status st;

    *out = 2;
    if (!symmetric || n == 0)
        return GND_OK;
    GND_TRY(search_init(&s, ln, 1, err));
    for (int64_t i = 0; i < n; i++)
        s.start[i] = gnd_rng_uniform(1, 0, (uint64_t)i) - 0.5;
    for (int run = 0; !done; run++) {
        if (run == RUNS_MAX)
            GND_TRY(
                gnd_fail(err, GND_ERR_DIVERGED, "the spectrum of a Laplacian did not converge"));
        GND_TRY(run_lambda(&s, &done, err));
    }
    *out = s.theta[s.rank[0]];
out:
    search_fini(&s);
    return st;
}
