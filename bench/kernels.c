/* SPDX-License-Identifier: MIT
 * kernels.c - the kernels beside the machine's limits and beside other libraries, on one thread.
 *
 *     kernels [--huge]
 *
 * Limits: a STREAM-like triad, and the sum of rows picked at random from a matrix as large as the
 * one a product reads. Times are CPU time, the best of several. Every result is checked against the
 * reference kernel, bit for bit if it is ours. --huge: nothing but a graph of 124 M entries, at
 * width 16 (needs 6 GB and some minutes). */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/kern.h"
#include "peer.h"

enum { LEAST_RUNS = 3, MOST_RUNS = 2000 };

static int n_wrong;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of the fastest run in some 0.4 s of them. */
static double best_of(void (*fn)(void *), void *arg)
{
    double best = INFINITY, all = 0;

    for (int i = 0; i < LEAST_RUNS || (all < 0.4 && i < MOST_RUNS); i++) {
        const double start = now();
        double t;

        fn(arg);
        t = now() - start;
        all += t;
        best = t < best ? t : best;
    }
    return best;
}

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "kernels: no memory\n");
        exit(1);
    }
    return p;
}

static float *numbers(int64_t n, uint64_t key)
{
    float *p = need(gnd_alloc(n, sizeof *p));

    for (int64_t i = 0; i < n; i++)
        p[i] = (float)(gnd_hash_at(key, (uint64_t)i) >> 40) * 0x1p-24f - 0.5f;
    return p;
}

static void wrong(const char *what)
{
    n_wrong++;
    printf("WRONG: %s differs from the reference\n", what);
}

/* tol 0: the same bits. */
static void check(const char *what, const float *got, const float *expected, int64_t n, double tol)
{
    for (int64_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - (double)expected[i]) <= tol)) {
            wrong(what);
            return;
        }
}

/* ---- limits of the machine ------------------------------------------------------------------ */

typedef struct {
    float *a, *b, *c;
    int64_t n;
} triad_job;

static void triad(void *arg)
{
    const triad_job *j = arg;
    float *restrict a = j->a;
    const float *restrict b = j->b, *restrict c = j->c;

    for (int64_t i = 0; i < j->n; i++)
        a[i] = b[i] + 3 * c[i];
}

static void measure_triad(void)
{
    triad_job j = {.n = 16 << 20};

    j.a = numbers(j.n, 1);
    j.b = numbers(j.n, 2);
    j.c = numbers(j.n, 3);
    printf("triad a = b + 3 c, 3 x 64 MB: %.1f GB/s\n",
           12 * (double)j.n / best_of(triad, &j) * 1e-9);
    gnd_free(j.a);
    gnd_free(j.b);
    gnd_free(j.c);
}

typedef float quad __attribute__((vector_size(16)));

typedef struct {
    const float *x;
    const int32_t *pick;
    int64_t n, f; /* f a multiple of 16 */
    bool ahead;   /* ask for rows AHEAD picks ahead */
    float sum;
} gather_job;

enum { AHEAD = 64 };

/* Sums without an order that would make one addition wait for another. */
static void gather(void *arg)
{
    gather_job *j = arg;
    quad acc[4] = {{0}};

    for (int64_t p = 0; p < j->n; p++) {
        const float *x = j->x + j->pick[p] * j->f;

        if (j->ahead)
            for (int64_t c = 0; c < j->f; c += 16)
                __builtin_prefetch(j->x + j->pick[p + AHEAD] * j->f + c, 0, 2);
        for (int64_t c = 0; c < j->f; c += 16)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++) {
                quad q;

                memcpy(&q, x + c + 4 * v, sizeof q);
                acc[v] += q;
            }
    }
    acc[0] += acc[1] + (acc[2] + acc[3]);
    j->sum = acc[0][0] + acc[0][1] + acc[0][2] + acc[0][3];
}

/* Seconds for one row, picked at random. */
typedef struct {
    double plain, ahead; /* without and with prefetch */
} gather_limits;

static gather_limits gather_limit(const float *x, int64_t n, int64_t f)
{
    gather_job j = {.x = x, .n = 1 << 22, .f = f};
    int32_t *pick = need(gnd_alloc(j.n + AHEAD, sizeof *pick));
    gather_limits t;

    for (int64_t p = 0; p < j.n + AHEAD; p++)
        pick[p] = (int32_t)((gnd_hash_at(9, (uint64_t)p) >> 32) * (uint64_t)n >> 32);
    j.pick = pick;
    t.plain = best_of(gather, &j) / (double)j.n;
    j.ahead = true;
    t.ahead = best_of(gather, &j) / (double)j.n;
    gnd_free(pick);
    return t;
}

/* ---- a graph times a dense matrix ----------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    const gnd_csr *a;
    const float *x;
    float *y;
    int64_t f;
} spmm_job;

static void run_spmm(void *arg)
{
    const spmm_job *j = arg;

    j->kern->spmm(j->y, j->a, j->x, j->f, 0, NULL, 0, j->a->n_row);
}

static void run_spmm_t(void *arg)
{
    const spmm_job *j = arg;

    j->kern->spmm_t(j->y, j->a, j->x, j->f, 0, j->a->n_row);
}

static void run_peer(void *arg)
{
    if (!peer_spmm_run(arg))
        wrong("GraphBLAS: an error, so its result");
}

/* Every row of a small graph, 20,000 of a large one. */
static void check_spmm(const char *what, const spmm_job *j, const float *y, double tol)
{
    const int64_t n = j->a->n_row, step = n / 20000 + 1, f = j->f;
    float *row = need(gnd_alloc(n * f, sizeof *row));

    for (int64_t i = 0; i < n; i += step) {
        gnd_kern_ref.spmm(row, j->a, j->x, f, 0, NULL, i, i + 1);
        check(what, y + i * f, row + i * f, f, tol);
        if (n_wrong)
            break;
    }
    gnd_free(row);
}

/* Its time, or 0 if it is missing. Sums of up to some 100,000 numbers below 1/2 are compared. */
static double time_peer(const spmm_job *j, const synth_graph *g)
{
    peer_spmm *p = peer_spmm_new(g, j->a->val, j->x, j->f);
    float *y;
    double t;

    if (!p)
        return 0;
    y = need(gnd_alloc(g->n * j->f, sizeof *y));
    run_peer(p);
    if (peer_spmm_result(p, y))
        check_spmm("GraphBLAS", j, y, 2e-2);
    else
        wrong("GraphBLAS: an error, so its result");
    gnd_free(y);
    t = best_of(run_peer, p);
    peer_spmm_free(p);
    return t;
}

static void measure_width(const synth_graph *g, const gnd_csr *stored, int64_t f)
{
    float *x = numbers(g->n * f, 5), *y = need(gnd_alloc(g->n * f, sizeof *y));
    const gather_limits limit = gather_limit(x, g->n, f);
    const double bytes = (double)(4 * f + 4), nnz = (double)g->nnz;

    for (int implicit = 0; implicit < 2; implicit++) {
        gnd_csr a = *stored;
        spmm_job j = {.kern = gnd_kern_get(), .a = &a, .x = x, .y = y, .f = f};
        double t, peer;

        a.val = implicit ? NULL : stored->val;
        t = best_of(run_spmm, &j);
        check_spmm("spmm", &j, y, 0);
        peer = time_peer(&j, g);
        printf("| %lld, %lld | %lld | %s | %.4g | %.1f | %.1f | %.0f %% | %.1f | %.0f %% |",
               (long long)g->n, (long long)g->nnz, (long long)f, implicit ? "implicit" : "stored",
               t * 1e3, bytes * nnz / t * 1e-9, bytes / limit.plain * 1e-9,
               100 * limit.plain * nnz / t, bytes / limit.ahead * 1e-9,
               100 * limit.ahead * nnz / t);
        if (peer > 0)
            printf(" %.4g | %.2f |\n", peer * 1e3, peer / t);
        else
            printf(" - | - |\n");
        fflush(stdout);
    }
    gnd_free(x);
    gnd_free(y);
}

/* Width 16, and 64 as well. */
static void measure_graph(int64_t n, int64_t nnz, bool wide)
{
    synth_graph g;
    gnd_csr a = {0};

    need(synth_make(&g, n, nnz, 1) ? &g : NULL);
    need(gnd_csr_init(&a, g.n, g.n, g.nnz, true, NULL) == GND_OK ? &a : NULL);
    memcpy(a.ptr, g.ptr, (size_t)(g.n + 1) * sizeof *a.ptr);
    memcpy(a.col, g.col, (size_t)g.nnz * sizeof *a.col);
    for (int64_t i = 0; i < g.n; i++)
        for (int64_t p = a.ptr[i]; p < a.ptr[i + 1]; p++)
            a.val[p] = 1 / (float)(a.ptr[i + 1] - a.ptr[i]);
    measure_width(&g, &a, 16);
    if (wide)
        measure_width(&g, &a, 64);
    gnd_csr_fini(&a);
    synth_fini(&g);
}

/* ---- sparse features ------------------------------------------------------------------------ */

static void measure_features(int64_t n, int64_t d, int64_t nnz, int64_t f)
{
    gnd_csr x = {0};
    float *theta = numbers(d * f, 5), *z = numbers(n * f, 6), *dt = need(gnd_alloc(d * f, 4));
    float *ref = need(gnd_alloc(d * f, 4));
    spmm_job j = {.kern = gnd_kern_get(), .a = &x, .x = theta, .y = z, .f = f};
    double forward, back;

    need(gnd_csr_init(&x, n, d, nnz, true, NULL) == GND_OK ? &x : NULL);
    for (int64_t i = 0; i <= n; i++)
        x.ptr[i] = nnz * i / n;
    for (int64_t i = 0; i < n; i++) /* ascending: each from its own stretch of the columns */
        for (int64_t p = x.ptr[i], m = x.ptr[i + 1] - p, k = 0; k < m; k++)
            x.col[p + k] = (int32_t)(k * d / m + (int64_t)(gnd_hash_at(3, (uint64_t)(p + k)) %
                                                           (uint64_t)(d / m + 1)) %
                                                     (d / m > 0 ? d / m : 1));
    for (int64_t p = 0; p < nnz; p++)
        x.val[p] = 0.25f;
    forward = best_of(run_spmm, &j);
    check_spmm("X Theta", &j, z, 0);
    j.x = z;
    j.y = dt;
    run_spmm_t(&j);
    gnd_kern_ref.spmm_t(ref, &x, z, f, 0, n);
    check("X^T D", dt, ref, d * f, 0);
    back = best_of(run_spmm_t, &j);
    printf("| %lld x %lld, %lld | %lld | %.4g | %.1f | %.4g | %.1f |\n", (long long)n, (long long)d,
           (long long)nnz, (long long)f, forward * 1e3,
           2 * (double)nnz * (double)f / forward * 1e-9, back * 1e3,
           2 * (double)nnz * (double)f / back * 1e-9);
    gnd_csr_fini(&x);
    gnd_free(theta);
    gnd_free(z);
    gnd_free(dt);
    gnd_free(ref);
}

/* ---- dense products ------------------------------------------------------------------------- */

typedef struct {
    const gnd_kern *kern;
    float *x, *w, *y;
    int64_t n, k, f;
} gemm_job;

static void run_gemm(void *arg)
{
    const gemm_job *j = arg;

    j->kern->gemm(j->y, j->x, j->w, j->k, j->f, 0, j->n);
}

static void run_gemm_t(void *arg)
{
    const gemm_job *j = arg;

    memset(j->w, 0, (size_t)(j->k * j->f) * sizeof *j->w);
    j->kern->gemm_t(j->w, j->x, j->y, j->k, j->f, 0, j->n);
}

static void run_blas(void *arg)
{
    const gemm_job *j = arg;

    peer_gemm(j->y, j->x, j->w, j->n, j->k, j->f);
}

static void run_blas_t(void *arg)
{
    const gemm_job *j = arg;

    peer_gemm_t(j->w, j->x, j->y, j->n, j->k, j->f);
}

static void measure_gemm(int64_t n, int64_t k, int64_t f, bool back)
{
    gemm_job j = {.kern = gnd_kern_get(), .n = n, .k = k, .f = f};
    const int64_t size = back ? k * f : n * f;
    const double work = 2 * (double)n * (double)k * (double)f * 1e-9;
    float *out, *ref = need(gnd_alloc(size, sizeof *ref));
    double t, peer;

    j.x = numbers(n * k, 1);
    j.w = numbers(k * f, 2);
    j.y = numbers(n * f, 3);
    out = back ? j.w : j.y;
    if (back)
        gnd_kern_ref.gemm_t(ref, j.x, j.y, k, f, 0, n);
    else
        gnd_kern_ref.gemm(ref, j.x, j.w, k, f, 0, n);
    t = best_of(back ? run_gemm_t : run_gemm, &j);
    check("gemm", out, ref, size, 0);
    printf("| %lld x %lld x %lld %s | %.4g | %.1f |", (long long)n, (long long)k, (long long)f,
           back ? "transposed" : "", t * 1e3, work / t);
    if (peer_has_blas()) {
        peer = best_of(back ? run_blas_t : run_blas, &j);
        check("OpenBLAS", out, ref, size, 1e-2);
        printf(" %.4g | %.2f |\n", peer * 1e3, peer / t);
    } else
        printf(" - | - |\n");
    gnd_free(j.x);
    gnd_free(j.w);
    gnd_free(j.y);
    gnd_free(ref);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void all_graphs(bool huge)
{
    printf("\n| graph n, entries | width | values | ms | GB/s | random gather GB/s | share | "
           "with prefetch GB/s | share | GraphBLAS ms | times |\n"
           "|--|--|--|--|--|--|--|--|--|--|--|\n");
    if (huge) {
        measure_graph(2400000, 124000000, false);
        return;
    }
    measure_graph(2708, 13264, true);
    measure_graph(19717, 112000, true);
    measure_graph(13752, 490000, true);
    measure_graph(1000000, 20300000, true);
}

static void all_features(void)
{
    static const int64_t shape[][3] = {
        {2708, 1433, 49216}, {19717, 500, 988031}, {13752, 767, 4795000}};
    static const int64_t width[] = {7, 10, 16, 32, 64, 120};

    printf("\n| X: n x d, entries | width | X Theta ms | GF/s | X^T D ms | GF/s |\n"
           "|--|--|--|--|--|--|\n");
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++)
        for (size_t w = 0; w < sizeof width / sizeof width[0]; w++)
            measure_features(shape[s][0], shape[s][1], shape[s][2], width[w]);
}

static void all_dense(void)
{
    static const int64_t shape[][3] = {
        {10000, 64, 3}, {10000, 64, 7}, {10000, 64, 16}, {10000, 64, 64}, {500, 1433, 16}};

    printf("\n| product n x k x f | ms | GF/s | OpenBLAS ms | times |\n|--|--|--|--|--|\n");
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++) {
        measure_gemm(shape[s][0], shape[s][1], shape[s][2], false);
        measure_gemm(shape[s][0], shape[s][1], shape[s][2], true);
    }
}

int main(int argc, char **argv)
{
    const bool huge = argc == 2 && strcmp(argv[1], "--huge") == 0;

    if (argc > 1 && !huge) {
        fprintf(stderr, "usage: kernels [--huge]\n");
        return 2;
    }
    printf("kernels: %s\n", gnd_kern_get()->name);
    if (!peer_has_graphblas())
        printf("no GraphBLAS: its column is skipped (libgraphblas-dev)\n");
    if (!peer_has_blas())
        printf("no OpenBLAS: its column is skipped (libopenblas-dev)\n");
    measure_triad();
    all_graphs(huge);
    if (!huge) {
        all_features();
        all_dense();
    }
    return n_wrong ? 1 : 0;
}
