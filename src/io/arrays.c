/* SPDX-License-Identifier: MIT
 * arrays.c - graphs and features from arrays in memory: CSR, lists of arcs, dense matrices with
 * strides. Arrays in the library's own form can be borrowed; all others are copied. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "build_graph.h"
#include "io.h"
#include "scalars.h"
#include "sparse.h"

/* Without a number of vertices, an index may exceed this many times the indices in the list, but
 * always FEW_VERTICES: larger ones are more likely to be ids. */
enum { SPARSE_INDICES = 20, FEW_VERTICES = 1000000 };

static bool is_index(gnd_scalar type)
{
    return type == GND_I32 || type == GND_I64;
}

static gnd_status is_null(const char *what, const char *array, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_ARG, "the array %s of the %s is NULL", array, what);
}

static gnd_status no_memory(const char *what, int64_t n, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld entries of the %s", (long long)n, what);
}

static gnd_status sizes_check(int64_t n_row, int64_t n_col, const char *what, gnd_error *err)
{
    if (n_row < 0 || n_col < 0 || n_row > GND_MAX_NODE || n_col > GND_MAX_FEAT)
        return gnd_fail(err, GND_ERR_ARG,
                        "the %s is %lld x %lld; expected 0 to %d rows and columns", what,
                        (long long)n_row, (long long)n_col, GND_MAX_FEAT);
    return GND_OK;
}

static gnd_status csr_view_check(const gnd_csr_view *v, const char *what, gnd_error *err)
{
    if (!is_index(v->ptr_type) || !is_index(v->col_type))
        return gnd_fail(err, GND_ERR_ARG,
                        "the arrays ptr and col of the %s must be of type GND_I32 or GND_I64",
                        what);
    if (v->val && !gnd_scalar_size(v->val_type))
        return gnd_fail(err, GND_ERR_ARG, "the array val of the %s has an unknown type %d", what,
                        (int)v->val_type);
    return v->ptr ? sizes_check(v->n_row, v->n_col, what, err) : is_null(what, "ptr", err);
}

/* The row of entry p. */
static int64_t row_of(const gnd_csr *a, int64_t p)
{
    int64_t lo = 0, hi = a->n_row - 1;

    while (lo < hi) {
        const int64_t mid = lo + (hi - lo) / 2;

        if (a->ptr[mid + 1] <= p)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Can the array be used in place? It must be aligned as C requires. */
static bool usable(const void *data, gnd_scalar type, gnd_scalar wanted, bool borrow)
{
    return borrow && type == wanted && (uintptr_t)data % gnd_scalar_size(type) == 0;
}

static gnd_status take_ptr(gnd_csr *a, const gnd_csr_view *v, const char *what, bool borrow,
                           gnd_error *err)
{
    if (usable(v->ptr, v->ptr_type, GND_I64, borrow)) {
        a->ptr = (int64_t *)(uintptr_t)v->ptr;
        a->borrowed |= GND_CSR_PTR;
    } else {
        a->ptr = gnd_alloc_raw(v->n_row + 1, sizeof *a->ptr);
        if (!a->ptr)
            return no_memory(what, v->n_row, err);
        gnd_scalars_int64(a->ptr, v->ptr, v->ptr_type, v->n_row + 1);
    }
    return gnd_sparse_check_ptr(a->ptr, v->n_row, a->ptr[v->n_row], what, err);
}

static gnd_status take_col(gnd_csr *a, const gnd_csr_view *v, const char *what, bool borrow,
                           gnd_error *err)
{
    const int64_t nnz = a->ptr[a->n_row];
    int64_t bad = 0;

    if (nnz > 0 && !v->col)
        return is_null(what, "col", err);
    if (nnz > 0 && usable(v->col, v->col_type, GND_I32, borrow)) {
        a->col = (int32_t *)(uintptr_t)v->col;
        a->borrowed |= GND_CSR_COL;
        while (bad < nnz && a->col[bad] >= 0 && a->col[bad] < v->n_col)
            bad++;
    } else {
        a->col = gnd_alloc_raw(nnz, sizeof *a->col);
        if (!a->col)
            return no_memory(what, nnz, err);
        bad = gnd_scalars_int32(a->col, v->col, v->col_type, nnz, v->n_col);
    }
    if (bad < nnz)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "row %lld of the %s has column %.0f; expected 0 to %lld",
                        (long long)row_of(a, bad), what, gnd_scalar_get(v->col, v->col_type, bad),
                        (long long)v->n_col - 1);
    return GND_OK;
}

static gnd_status not_finite(int64_t row, int64_t col, double value, const char *what,
                             gnd_error *err)
{
    return gnd_fail(
        err, GND_ERR_FORMAT, "row %lld, column %lld of the %s is %g; expected a finite number%s",
        (long long)row, (long long)col, what, value, isfinite(value) ? " up to 3.4e38" : "");
}

static gnd_status take_val(gnd_csr *a, const gnd_csr_view *v, const char *what, bool borrow,
                           gnd_error *err)
{
    const int64_t nnz = a->ptr[a->n_row];
    int64_t bad = 0;

    if (!v->val || nnz == 0)
        return GND_OK;
    if (usable(v->val, v->val_type, gnd_scalar_real(), borrow)) {
        a->val = (gnd_real *)(uintptr_t)v->val;
        a->borrowed |= GND_CSR_VAL;
        while (bad < nnz && isfinite(a->val[bad]))
            bad++;
    } else {
        a->val = gnd_alloc_raw(nnz, sizeof *a->val);
        if (!a->val)
            return no_memory(what, nnz, err);
        bad = gnd_scalars_real(a->val, v->val, v->val_type, nnz,
                               (int64_t)gnd_scalar_size(v->val_type));
    }
    return bad == nnz ? GND_OK
                      : not_finite(row_of(a, bad), a->col[bad],
                                   gnd_scalar_get(v->val, v->val_type, bad), what, err);
}

static bool is_sorted(const gnd_csr *a)
{
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i] + 1; p < a->ptr[i + 1]; p++)
            if (a->col[p] <= a->col[p - 1])
                return false;
    return true;
}

static bool has_zero(const gnd_csr *a)
{
    for (int64_t p = 0; a->val && p < gnd_csr_nnz(a); p++)
        if (a->val[p] == 0)
            return true;
    return false;
}

/* Make a copy that can be changed, with values, in place of arrays that are borrowed. */
static gnd_status make_own(gnd_csr *a, const char *what, gnd_error *err)
{
    gnd_csr copy;
    gnd_status st = GND_OK;

    if (a->borrowed) {
        GND_TRY(gnd_csr_copy(&copy, a, err));
        gnd_csr_fini(a);
        *a = copy;
    }
    if (!a->val) {
        a->val = gnd_alloc_raw(gnd_csr_nnz(a), sizeof *a->val);
        if (!a->val)
            GND_TRY(no_memory(what, gnd_csr_nnz(a), err));
        for (int64_t p = 0; p < gnd_csr_nnz(a); p++)
            a->val[p] = 1;
    }
out:
    return st;
}

/* A matrix from a caller's arrays, sorted, duplicates added up. drop_zeros: it will be changed if
 * it has a zero. *out can be freed also after a failure. */
static gnd_status csr_take(gnd_csr *out, int64_t *n_merged, const gnd_csr_view *v, const char *what,
                           bool borrow, bool drop_zeros, gnd_error *err)
{
    gnd_status st;

    *out = (gnd_csr){.n_row = v->n_row, .n_col = v->n_col};
    *n_merged = 0;
    GND_TRY(csr_view_check(v, what, err));
    GND_TRY(take_ptr(out, v, what, borrow, err));
    GND_TRY(take_col(out, v, what, borrow, err));
    GND_TRY(take_val(out, v, what, borrow, err));
    if (!is_sorted(out)) {
        GND_TRY(make_own(out, what, err));
        GND_TRY(gnd_sparse_tidy(out, n_merged, err));
    } else if (drop_zeros && has_zero(out)) {
        GND_TRY(make_own(out, what, err));
    }
out:
    return st;
}

gnd_status gnd_graph_from_csr(gnd_graph **out, const gnd_csr_view *adj, bool borrow, gnd_error *err)
{
    gnd_csr_view v;
    gnd_csr a = {0};
    gnd_graph *g = NULL;
    int64_t n_merged;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&v, sizeof v, adj, "gnd_csr_view", err));
    GND_TRY(csr_take(&a, &n_merged, &v, "adjacency matrix", borrow, true, err));
    GND_TRY(gnd_graph_of_matrix(&g, "graph", &a, n_merged, err));
    GND_TRY(gnd_graph_check(g, NULL, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_csr_fini(&a);
    return st;
}

/* The vertices of a list of arcs that does not say how many there are. */
static gnd_status count_vertices(gnd_edges_view *v, gnd_error *err)
{
    const void *const list[] = {v->source, v->target};
    int64_t most = -1;

    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < v->n_edge; i++) {
            int64_t at;

            gnd_scalars_int64(&at, (const char *)list[k] + i * (v->index_type == GND_I64 ? 8 : 4),
                              v->index_type, 1);
            most = at > most ? at : most;
        }
    }
    if (most >= FEW_VERTICES && most / SPARSE_INDICES > 2 * v->n_edge)
        return gnd_fail(err, GND_ERR_ARG,
                        "the largest index is %lld, in a list of %lld arc%s; number the vertices "
                        "from 0, or set n_node if there are so many",
                        (long long)most, (long long)v->n_edge, v->n_edge == 1 ? "" : "s");
    v->n_node = most < GND_MAX_NODE ? most + 1 : GND_MAX_NODE;
    return GND_OK;
}

static gnd_status edges_view_check(gnd_edges_view *v, gnd_error *err)
{
    if (!is_index(v->index_type))
        return gnd_fail(err, GND_ERR_ARG,
                        "the arrays source and target must be of type GND_I32 or GND_I64");
    if (v->weight && !gnd_scalar_size(v->weight_type))
        return gnd_fail(err, GND_ERR_ARG, "the array weight has an unknown type %d",
                        (int)v->weight_type);
    if (v->n_node < 0 || v->n_node > GND_MAX_NODE)
        return gnd_fail(err, GND_ERR_ARG, "n_node is %lld; expected 0 to %d", (long long)v->n_node,
                        GND_MAX_NODE);
    if (v->n_edge < 0 || v->n_edge > INT64_MAX / 16)
        return gnd_fail(err, GND_ERR_ARG, "n_edge is %lld; expected 0 or more",
                        (long long)v->n_edge);
    if (v->n_edge > 0 && (!v->source || !v->target))
        return is_null("list of arcs", v->source ? "target" : "source", err);
    return v->n_node == 0 ? count_vertices(v, err) : GND_OK;
}

static gnd_status take_indices(int32_t *to, const gnd_edges_view *v, const void *from,
                               const char *name, gnd_error *err)
{
    const int64_t bad = gnd_scalars_int32(to, from, v->index_type, v->n_edge, v->n_node);

    if (bad == v->n_edge)
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT, "%s %lld is %.0f; expected 0 to %lld", name,
                    (long long)bad, gnd_scalar_get(from, v->index_type, bad),
                    (long long)v->n_node - 1);
}

static gnd_status take_weights(gnd_real *to, const gnd_edges_view *v, gnd_error *err)
{
    int64_t bad;

    if (!v->weight) {
        for (int64_t i = 0; i < v->n_edge; i++)
            to[i] = 1;
        return GND_OK;
    }
    bad = gnd_scalars_real(to, v->weight, v->weight_type, v->n_edge,
                           (int64_t)gnd_scalar_size(v->weight_type));
    if (bad == v->n_edge)
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT, "weight %lld is %g; expected a finite number",
                    (long long)bad, gnd_scalar_get(v->weight, v->weight_type, bad));
}

gnd_status gnd_graph_from_edges(gnd_graph **out, const gnd_edges_view *edges, gnd_error *err)
{
    gnd_edges_view v;
    int32_t *row = NULL, *col = NULL;
    gnd_real *val = NULL;
    gnd_csr a = {0};
    gnd_graph *g = NULL;
    int64_t n_merged;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&v, sizeof v, edges, "gnd_edges_view", err));
    GND_TRY(edges_view_check(&v, err));
    row = gnd_alloc_raw(v.n_edge, sizeof *row);
    col = gnd_alloc_raw(v.n_edge, sizeof *col);
    val = gnd_alloc_raw(v.n_edge, sizeof *val);
    if (!row || !col || !val)
        GND_TRY(no_memory("adjacency matrix", v.n_edge, err));
    GND_TRY(take_indices(row, &v, v.source, "source", err));
    GND_TRY(take_indices(col, &v, v.target, "target", err));
    GND_TRY(take_weights(val, &v, err));
    GND_TRY(gnd_csr_from_triplets(&a, &(gnd_triplets){v.n_node, v.n_node, v.n_edge, row, col, val},
                                  GND_DUP_SUM, &n_merged, err));
    GND_TRY(gnd_graph_of_matrix(&g, "graph", &a, n_merged, err));
    GND_TRY(gnd_graph_check(g, NULL, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_csr_fini(&a);
    gnd_free(val);
    gnd_free(col);
    gnd_free(row);
    return st;
}

gnd_status gnd_graph_set_features_csr(gnd_graph *g, const gnd_csr_view *x, bool borrow,
                                      gnd_error *err)
{
    gnd_csr_view v;
    gnd_csr feat = {0};
    int64_t n_merged = 0;
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&v, sizeof v, x, "gnd_csr_view", err));
    if (x)
        GND_TRY(csr_take(&feat, &n_merged, &v, "feature matrix", borrow, false, err));
    GND_TRY(gnd_graph_take_features(g, x ? &feat : NULL, n_merged, err));
out:
    gnd_csr_fini(&feat);
    return st;
}

/* The non-zeros of a dense matrix. Two passes: count, then store. */
static gnd_status dense_take(gnd_csr *out, const gnd_dense_view *v, gnd_error *err)
{
    gnd_real *row = gnd_alloc_raw(v->n_col, sizeof *row);
    int64_t nnz = 0;
    gnd_status st = GND_OK;

    if (!row)
        GND_TRY(no_memory("feature matrix", v->n_col, err));
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            GND_TRY(gnd_csr_init(out, v->n_row, v->n_col, nnz, true, err));
        nnz = 0;
        for (int64_t i = 0; i < v->n_row; i++) {
            const char *p = (const char *)v->data + i * v->row_stride;
            const int64_t bad = gnd_scalars_real(row, p, v->type, v->n_col, v->col_stride);

            if (bad < v->n_col)
                GND_TRY(not_finite(i, bad, gnd_scalar_get(p + bad * v->col_stride, v->type, 0),
                                   "feature matrix", err));
            for (int64_t j = 0; j < v->n_col; j++) {
                if (row[j] == 0)
                    continue;
                if (pass == 1) {
                    out->col[nnz] = (int32_t)j;
                    out->val[nnz] = row[j];
                }
                nnz++;
            }
            if (pass == 1)
                out->ptr[i + 1] = nnz;
        }
    }
out:
    gnd_free(row);
    return st;
}

gnd_status gnd_graph_set_features_dense(gnd_graph *g, const gnd_dense_view *x, gnd_error *err)
{
    gnd_dense_view v;
    gnd_csr feat = {0};
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&v, sizeof v, x, "gnd_dense_view", err));
    if (x && !gnd_scalar_size(v.type))
        GND_TRY(
            gnd_fail(err, GND_ERR_ARG, "the feature matrix has an unknown type %d", (int)v.type));
    GND_TRY(sizes_check(v.n_row, v.n_col, "feature matrix", err));
    if (x && v.n_row > 0 && v.n_col > 0 && !v.data)
        GND_TRY(is_null("feature matrix", "data", err));
    if (x)
        GND_TRY(gnd_graph_features_fit(g, v.n_row, err));
    if (x)
        GND_TRY(dense_take(&feat, &v, err));
    GND_TRY(gnd_graph_take_features(g, x ? &feat : NULL, 0, err));
out:
    gnd_csr_fini(&feat);
    return st;
}
