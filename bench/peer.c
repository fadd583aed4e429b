/* SPDX-License-Identifier: MIT
 * peer.c - GraphBLAS and OpenBLAS behind peer.h. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

#ifdef BENCH_GRAPHBLAS

#include <GraphBLAS.h>

struct peer_spmm {
    GrB_Matrix a, b, c;
    GrB_Semiring ring;
    int64_t n, f;
};

bool peer_has_graphblas(void)
{
    static bool started;

    if (!started)
        started = GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS &&
                  GxB_Global_Option_set(GxB_NTHREADS, 1) == GrB_SUCCESS;
    return started;
}

/* GraphBLAS keeps the arrays that it is given. */
static bool import_sparse(GrB_Matrix *a, const synth_graph *g, const float *val)
{
    const size_t np = (size_t)g->n + 1, nz = (size_t)g->nnz;
    GrB_Index *ptr = malloc(np * sizeof *ptr), *col = malloc(nz * sizeof *col);
    const size_t nv = val ? nz : 1;
    float *v = malloc(nv * sizeof *v);
    void *values = v;

    if (!ptr || !col || !v) {
        free(ptr);
        free(col);
        free(v);
        return false;
    }
    for (size_t i = 0; i < np; i++)
        ptr[i] = (GrB_Index)g->ptr[i];
    for (size_t p = 0; p < nz; p++)
        col[p] = (GrB_Index)g->col[p];
    v[0] = 1;
    if (val)
        memcpy(v, val, nz * sizeof *v);
    return GxB_Matrix_import_CSR(a, GrB_FP32, (GrB_Index)g->n, (GrB_Index)g->n, &ptr, &col, &values,
                                 np * sizeof *ptr, nz * sizeof *col, nv * sizeof *v, !val, false,
                                 NULL) == GrB_SUCCESS;
}

/* x NULL: zeros. */
static bool import_full(GrB_Matrix *b, const float *x, int64_t n, int64_t f)
{
    const size_t bytes = (size_t)(n * f) * sizeof *x;
    float *copy = calloc(1, bytes);
    void *values = copy;

    if (!copy)
        return false;
    if (x)
        memcpy(copy, x, bytes);
    return GxB_Matrix_import_FullR(b, GrB_FP32, (GrB_Index)n, (GrB_Index)f, &values, bytes, false,
                                   NULL) == GrB_SUCCESS;
}

peer_spmm *peer_spmm_new(const synth_graph *g, const float *val, const float *x, int64_t f)
{
    peer_spmm *p = calloc(1, sizeof *p);

    if (!p || !peer_has_graphblas())
        goto out;
    p->n = g->n;
    p->f = f;
    p->ring = val ? GrB_PLUS_TIMES_SEMIRING_FP32 : GxB_PLUS_SECOND_FP32;
    if (import_sparse(&p->a, g, val) && import_full(&p->b, x, g->n, f) &&
        import_full(&p->c, NULL, g->n, f))
        return p;
out:
    peer_spmm_free(p);
    return NULL;
}

bool peer_spmm_run(peer_spmm *p)
{
    return GrB_mxm(p->c, NULL, GrB_PLUS_FP32, p->ring, p->a, p->b, NULL) == GrB_SUCCESS &&
           GrB_wait(p->c, GrB_MATERIALIZE) == GrB_SUCCESS;
}

bool peer_spmm_result(peer_spmm *p, float *y)
{
    GrB_Matrix copy = NULL;
    void *values = NULL;
    GrB_Index rows, cols, bytes;
    bool iso, ok;

    ok = GrB_Matrix_dup(&copy, p->c) == GrB_SUCCESS &&
         GxB_Matrix_export_FullR(&copy, &(GrB_Type){NULL}, &rows, &cols, &values, &bytes, &iso,
                                 NULL) == GrB_SUCCESS &&
         !iso;
    if (ok)
        memcpy(y, values, (size_t)(p->n * p->f) * sizeof *y);
    free(values);
    GrB_free(&copy);
    return ok;
}

void peer_spmm_free(peer_spmm *p)
{
    if (!p)
        return;
    GrB_free(&p->a);
    GrB_free(&p->b);
    GrB_free(&p->c);
    free(p);
}

#else

bool peer_has_graphblas(void)
{
    return false;
}

peer_spmm *peer_spmm_new(const synth_graph *g, const float *val, const float *x, int64_t f)
{
    (void)g, (void)val, (void)x, (void)f;
    return NULL;
}

bool peer_spmm_run(peer_spmm *p)
{
    (void)p;
    return false;
}

bool peer_spmm_result(peer_spmm *p, float *y)
{
    (void)p, (void)y;
    return false;
}

void peer_spmm_free(peer_spmm *p)
{
    (void)p;
}

#endif

#ifdef BENCH_OPENBLAS

#include <cblas.h>

bool peer_has_blas(void)
{
    openblas_set_num_threads(1);
    return true;
}

void peer_gemm(float *y, const float *x, const float *w, int64_t n, int64_t k, int64_t f)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)f, (int)k, 1, x, (int)k, w,
                (int)f, 0, y, (int)f);
}

void peer_gemm_t(float *w, const float *x, const float *y, int64_t n, int64_t k, int64_t f)
{
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)k, (int)f, (int)n, 1, x, (int)k, y,
                (int)f, 0, w, (int)f);
}

#else

bool peer_has_blas(void)
{
    return false;
}

void peer_gemm(float *y, const float *x, const float *w, int64_t n, int64_t k, int64_t f)
{
    (void)y, (void)x, (void)w, (void)n, (void)k, (void)f;
}

void peer_gemm_t(float *w, const float *x, const float *y, int64_t n, int64_t k, int64_t f)
{
    (void)w, (void)x, (void)y, (void)n, (void)k, (void)f;
}

#endif
