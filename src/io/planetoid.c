/* SPDX-License-Identifier: MIT
 * planetoid.c - the ind.NAME.* files of Cora, Citeseer and Pubmed.
 *
 *     allx, ally   features and one-hot labels of vertices 0 .. a-1
 *     x, y         the first of them, which train
 *     tx, ty       row k belongs to vertex test.index[k]
 *     graph        {vertex: [neighbours]}, every vertex a key
 *
 * Vertices from a on that test.index does not name (Citeseer has 15) have neither features nor
 * label. The graph is made undirected and simple; loops stay. Yang, Cohen and Salakhutdinov, ICML
 * 2016, arXiv:1603.08861; assembled as in Kipf and Welling, ICLR 2017. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "io.h"
#include "pickle.h"
#include "sparse.h"
#include "text.h"

static const char *const part_name[] = {"x",    "y",    "tx",    "ty",
                                        "allx", "ally", "graph", "test.index"};

enum { PATH_SIZE = 4096, CLASS_MAX = 65536 };

/* ---- paths ---- */

/* Length of path without .x, .test.index ...: "dir/ind.cora"; 0 if it is not such a path. */
static size_t stem_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const size_t n = strlen(path);

    if (strncmp(base, "ind.", 4) != 0 || !base[4])
        return 0;
    for (size_t k = 0; k < sizeof part_name / sizeof part_name[0]; k++) {
        const size_t m = strlen(part_name[k]);

        if (strlen(base) > 5 + m && path[n - m - 1] == '.' &&
            strcmp(path + n - m, part_name[k]) == 0)
            return n - m - 1;
    }
    return n;
}

static gnd_status part_path(char buf[PATH_SIZE], const char *path, const char *part, gnd_error *err)
{
    const size_t n = stem_length(path);

    if (n == 0)
        return gnd_fail(err, GND_ERR_ARG, "%s: expected a path like dir/ind.cora", path);
    if (n + strlen(part) + 2 > PATH_SIZE)
        return gnd_fail(err, GND_ERR_ARG, "a path of %zu bytes is too long", n);
    snprintf(buf, PATH_SIZE, "%.*s.%s", (int)n, path, part);
    return GND_OK;
}

static bool planetoid_sniff(const char *path, const char *head, size_t n_head)
{
    char graph[PATH_SIZE];

    (void)head;
    (void)n_head;
    return part_path(graph, path, "graph", NULL) == GND_OK && access(graph, F_OK) == 0;
}

/* ---- one file ---- */

/* The eight files: the common part of their names, and the size limit (limit.h). */
typedef struct {
    const char *path;
    int64_t max_input;
} files;

/* An open pickle. */
typedef struct {
    char path[PATH_SIZE];
    gnd_pickle *p;
} part;

static gnd_status part_open(part *f, const files *at, const char *name, gnd_error *err)
{
    gnd_status st;

    f->p = NULL;
    GND_TRY(part_path(f->path, at->path, name, err));
    GND_TRY(gnd_pickle_load(&f->p, f->path, at->max_input, err));
out:
    return st;
}

static void part_close(part *f)
{
    gnd_pickle_free(f->p);
    f->p = NULL;
}

/* The array with content that value v (-1: none) is. */
static gnd_status array_get(const gnd_pk_array **out, const part *f, int32_t v, int32_t n_dim,
                            const char *what, gnd_error *err)
{
    *out = NULL;
    if (v < 0 || gnd_pickle_kind(f->p, v) != GND_PK_ARRAY)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: %s is not an array", f->path, what);
    *out = gnd_pickle_array(f->p, v);
    if (!(*out)->raw || (*out)->n_dim != n_dim)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: %s is not an array of %d dimensions", f->path,
                        what, n_dim);
    return GND_OK;
}

/* The shape in the state of a csr_matrix. */
static gnd_status shape_get(int64_t dim[2], const part *f, int32_t dict, gnd_error *err)
{
    const int32_t shape = gnd_pickle_find(f->p, dict, "_shape");

    if (shape < 0 || gnd_pickle_kind(f->p, shape) != GND_PK_TUPLE ||
        gnd_pickle_count(f->p, shape) != 2)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: the matrix has no shape", f->path);
    for (int32_t k = 0, c = gnd_pickle_first(f->p, shape); k < 2;
         k++, c = gnd_pickle_next(f->p, c)) {
        const int32_t v = gnd_pickle_item(f->p, c);

        dim[k] = gnd_pickle_kind(f->p, v) == GND_PK_INT ? gnd_pickle_int(f->p, v) : -1;
        if (dim[k] < 0 || dim[k] > GND_MAX_FEAT)
            return gnd_fail(err, GND_ERR_FORMAT, "%s: the shape of the matrix is not valid",
                            f->path);
    }
    return GND_OK;
}

/* Fill compressed rows, whose sizes are right, from the three arrays. */
static gnd_status csr_fill(gnd_csr *out, const part *f, const gnd_pk_array *ptr,
                           const gnd_pk_array *col, const gnd_pk_array *val, gnd_error *err)
{
    int64_t bad;
    gnd_status st = GND_OK;

    if (gnd_npy_type_int64(out->ptr, ptr->raw, ptr->n_item, ptr->type) != ptr->n_item)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: indptr does not consist of integers", f->path));
    GND_TRY(gnd_sparse_check_ptr(out->ptr, out->n_row, col->n_item, f->path, err));
    bad =
        gnd_npy_type_int32(out->col, col->raw, col->n_item, col->type, 0, (int32_t)out->n_col - 1);
    if (bad != col->n_item)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: index %lld is not within 0 to %lld", f->path,
                         (long long)bad, (long long)out->n_col - 1));
    bad = gnd_npy_type_reals(out->val, val->raw, val->n_item, val->type);
    if (bad != val->n_item)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: value %lld is not a finite number", f->path,
                         (long long)bad));
out:
    return st;
}

/* Convert a csr_matrix to compressed rows. */
static gnd_status csr_get(gnd_csr *out, const part *f, gnd_error *err)
{
    const int32_t root = gnd_pickle_root(f->p);
    const gnd_pk_array *ptr, *col, *val;
    int64_t dim[2], n_merged;
    int32_t dict;
    gnd_status st;

    *out = (gnd_csr){0};
    if (gnd_pickle_kind(f->p, root) != GND_PK_CSR || gnd_pickle_count(f->p, root) != 1)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: is not a csr_matrix", f->path);
    dict = gnd_pickle_item(f->p, gnd_pickle_first(f->p, root));
    GND_TRY(shape_get(dim, f, dict, err));
    GND_TRY(array_get(&ptr, f, gnd_pickle_find(f->p, dict, "indptr"), 1, "indptr", err));
    GND_TRY(array_get(&col, f, gnd_pickle_find(f->p, dict, "indices"), 1, "indices", err));
    GND_TRY(array_get(&val, f, gnd_pickle_find(f->p, dict, "data"), 1, "data", err));
    if (ptr->n_item != dim[0] + 1 || col->n_item != val->n_item)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "%s: %lld row starts, %lld indices and %lld values for %lld rows", f->path,
                         (long long)ptr->n_item, (long long)col->n_item, (long long)val->n_item,
                         (long long)dim[0]));
    GND_TRY(gnd_csr_init(out, dim[0], dim[1], col->n_item, true, err));
    GND_TRY(csr_fill(out, f, ptr, col, val, err));
    GND_TRY(gnd_sparse_tidy(out, &n_merged, err));
out:
    if (st != GND_OK)
        gnd_csr_fini(out);
    return st;
}

static gnd_status matrix_load(gnd_csr *out, const files *at, const char *name, gnd_error *err)
{
    part *f = gnd_alloc(1, sizeof *f);
    gnd_status st;

    *out = (gnd_csr){0};
    if (!f)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", at->path);
    GND_TRY(part_open(f, at, name, err));
    GND_TRY(csr_get(out, f, err));
out:
    part_close(f);
    gnd_free(f);
    return st;
}

/* One-hot rows as class numbers. A row of zeros has no class. */
typedef struct {
    int32_t *label;
    int64_t n;
    int64_t n_class;
} onehot;

static gnd_status onehot_get(onehot *out, const part *f, gnd_error *err)
{
    const gnd_pk_array *a;
    gnd_real *row = NULL;
    gnd_status st;

    GND_TRY(array_get(&a, f, gnd_pickle_root(f->p), 2, "the content", err));
    out->n = a->dim[0];
    out->n_class = a->dim[1];
    /* Without columns the array has no bytes, so its number of rows is not confirmed by the
     * file. */
    if (out->n > GND_MAX_NODE || out->n_class < 1 || out->n_class > CLASS_MAX)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: labels of %lld vertices in %lld classes",
                         f->path, (long long)out->n, (long long)out->n_class));
    out->label = gnd_alloc(out->n, sizeof *out->label);
    row = gnd_alloc(a->n_item, sizeof *row);
    if (!out->label || !row)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", f->path));
    if (gnd_npy_type_reals(row, a->raw, a->n_item, a->type) != a->n_item)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: a label is not a finite number", f->path));
    for (int64_t i = 0; i < out->n; i++) {
        out->label[i] = -1;
        for (int64_t c = 0; c < out->n_class; c++) {
            const gnd_real v = row[a->fortran ? c * out->n + i : i * out->n_class + c];

            if (v == 0)
                continue;
            if (v != 1 || out->label[i] >= 0)
                GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                                 "%s: row %lld is not one-hot: expected a single 1", f->path,
                                 (long long)i));
            out->label[i] = (int32_t)c;
        }
    }
out:
    gnd_free(row);
    return st;
}

static gnd_status labels_load(onehot *out, const files *at, const char *name, gnd_error *err)
{
    part *f = gnd_alloc(1, sizeof *f);
    gnd_status st;

    *out = (onehot){0};
    if (!f)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", at->path);
    GND_TRY(part_open(f, at, name, err));
    GND_TRY(onehot_get(out, f, err));
out:
    if (st != GND_OK) {
        gnd_free(out->label);
        *out = (onehot){0};
    }
    part_close(f);
    gnd_free(f);
    return st;
}

/* ---- graph ---- */

typedef struct {
    int32_t *row, *col; /* both directions of every listed link, loops once */
    int64_t n, n_listed;
} arcs;

/* Vertex number of value v, -1 if it is not an integer in 0 .. n-1. */
static int32_t vertex_get(const gnd_pickle *p, int32_t v, int64_t n)
{
    const int64_t i = gnd_pickle_kind(p, v) == GND_PK_INT ? gnd_pickle_int(p, v) : -1;

    return i >= 0 && i < n ? (int32_t)i : -1;
}

/* Number of arcs in the lists. Many keys may share one list, so the sum is limited to what the file
 * could list separately. */
static gnd_status lists_count(int64_t *n_listed, const part *f, gnd_error *err)
{
    const int32_t root = gnd_pickle_root(f->p);

    *n_listed = 0;
    for (int32_t c = gnd_pickle_first(f->p, root); c >= 0; c = gnd_pickle_next(f->p, c)) {
        c = gnd_pickle_next(f->p, c);
        if (gnd_pickle_kind(f->p, gnd_pickle_item(f->p, c)) != GND_PK_LIST)
            return gnd_fail(err, GND_ERR_FORMAT, "%s: the neighbours of a vertex are not a list",
                            f->path);
        *n_listed += gnd_pickle_count(f->p, gnd_pickle_item(f->p, c));
        if (*n_listed > gnd_pickle_size(f->p))
            return gnd_fail(err, GND_ERR_FORMAT, "%s: lists more neighbours than it has bytes",
                            f->path);
    }
    return GND_OK;
}

static gnd_status list_add(arcs *a, const part *f, int32_t i, int32_t list, int64_t n,
                           gnd_error *err)
{
    for (int32_t c = gnd_pickle_first(f->p, list); c >= 0; c = gnd_pickle_next(f->p, c)) {
        const int32_t j = vertex_get(f->p, gnd_pickle_item(f->p, c), n);

        if (j < 0)
            return gnd_fail(err, GND_ERR_FORMAT,
                            "%s: a neighbour of vertex %d is not a vertex; expected 0 to %lld",
                            f->path, i, (long long)n - 1);
        a->row[a->n] = i;
        a->col[a->n++] = j;
        if (i != j) {
            a->row[a->n] = j;
            a->col[a->n++] = i;
        }
    }
    return GND_OK;
}

/* The dictionary {vertex: neighbours} of n vertices, each of which is a key once. */
static gnd_status arcs_get(arcs *a, const part *f, int64_t n, gnd_error *err)
{
    const int32_t root = gnd_pickle_root(f->p);
    bool *seen = gnd_alloc(n, sizeof *seen);
    gnd_status st = GND_OK;

    GND_TRY(lists_count(&a->n_listed, f, err));
    a->row = gnd_alloc(2 * a->n_listed, sizeof *a->row);
    a->col = gnd_alloc(2 * a->n_listed, sizeof *a->col);
    if (!seen || !a->row || !a->col)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld links", f->path,
                         (long long)a->n_listed));
    for (int32_t c = gnd_pickle_first(f->p, root); c >= 0; c = gnd_pickle_next(f->p, c)) {
        const int32_t i = vertex_get(f->p, gnd_pickle_item(f->p, c), n);

        if (i < 0)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: lists %lld vertices, and one of them is not 0 to %lld", f->path,
                             (long long)n, (long long)n - 1));
        if (seen[i])
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: vertex %d is listed twice", f->path, i));
        seen[i] = true;
        c = gnd_pickle_next(f->p, c);
        GND_TRY(list_add(a, f, i, gnd_pickle_item(f->p, c), n, err));
    }
out:
    gnd_free(seen);
    return st;
}

static gnd_status graph_load(gnd_graph **out, const files *at, gnd_error *err)
{
    part *f = gnd_alloc(1, sizeof *f);
    arcs a = {0};
    gnd_graph *g = NULL;
    int64_t n, n_loop = 0, n_merged;
    gnd_status st;

    if (!f)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", at->path);
    GND_TRY(part_open(f, at, "graph", err));
    if (gnd_pickle_kind(f->p, gnd_pickle_root(f->p)) != GND_PK_DICT)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: is not a dictionary of neighbours", f->path));
    n = gnd_pickle_count(f->p, gnd_pickle_root(f->p)) / 2;
    if (n == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: the graph has no vertices", f->path));
    GND_TRY(arcs_get(&a, f, n, err));
    part_close(f);
    GND_TRY(gnd_graph_new(&g, "planetoid", n, err));
    GND_TRY(gnd_csr_from_triplets(&g->adj, &(gnd_triplets){n, n, a.n, a.row, a.col, NULL},
                                  GND_DUP_MAX, NULL, err));
    for (int64_t i = 0; i < n; i++)
        n_loop += gnd_csr_find(&g->adj, i, (int32_t)i) >= 0;
    /* If every link were listed once at each of its ends, and every loop once, there would be nnz
     * entries. */
    n_merged = a.n_listed - gnd_csr_nnz(&g->adj);
    if (n_merged > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%lld duplicate neighbour entries merged", (long long)n_merged));
    if (n_loop > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "self_loops", err,
                              "%lld vertices have a self-loop", (long long)n_loop));
    *out = g;
    g = NULL;
out:
    gnd_free(a.row);
    gnd_free(a.col);
    gnd_graph_free(g);
    part_close(f);
    gnd_free(f);
    return st;
}

/* test.index: one vertex per line, each in a .. n-1 and distinct. Sets g->fixed_test. */
static gnd_status test_load(gnd_graph *g, const files *at, int64_t a, gnd_error *err)
{
    char name[PATH_SIZE];
    gnd_text t = {0};
    const char *s;
    size_t len;
    bool *seen = gnd_alloc(g->n_node, sizeof *seen);
    int64_t v;
    gnd_status st;

    GND_TRY(part_path(name, at->path, "test.index", err));
    GND_TRY(gnd_text_open(&t, name, at->max_input, err));
    g->fixed_test = gnd_alloc(g->n_node, sizeof *g->fixed_test);
    if (!seen || !g->fixed_test)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", name));
    while (gnd_text_line(&t, &s, &len)) {
        while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == '\t'))
            len--;
        if (len == 0)
            continue;
        if (!gnd_parse_int(&v, s, len) || v < a || v >= g->n_node)
            GND_TRY(gnd_text_fail(&t, err, "expected a vertex, %lld to %lld", (long long)a,
                                  (long long)g->n_node - 1));
        if (seen[v])
            GND_TRY(gnd_text_fail(&t, err, "vertex %lld occurs twice", (long long)v));
        seen[v] = true;
        g->fixed_test[g->n_fixed_test++] = (int32_t)v;
    }
out:
    gnd_free(seen);
    gnd_text_close(&t);
    return st;
}

/* ---- assembly ---- */

/* Rows 0 .. a-1 from allx, the others from tx by g->fixed_test; rows of vertices that test.index
 * does not name stay empty. */
static gnd_status feat_join(gnd_graph *g, const gnd_csr *allx, const gnd_csr *tx, gnd_error *err)
{
    const int64_t nnz = gnd_csr_nnz(allx) + gnd_csr_nnz(tx);
    gnd_csr *x = &g->feat;
    gnd_status st = gnd_csr_init(x, g->n_node, allx->n_col, nnz, true, err);

    if (st != GND_OK)
        return st;
    g->n_feat = x->n_col;
    for (int64_t i = 0; i < allx->n_row; i++)
        x->ptr[i + 1] = allx->ptr[i + 1] - allx->ptr[i];
    for (int64_t k = 0; k < tx->n_row; k++)
        x->ptr[g->fixed_test[k] + 1] = tx->ptr[k + 1] - tx->ptr[k];
    for (int64_t i = 0; i < g->n_node; i++)
        x->ptr[i + 1] += x->ptr[i];
    memcpy(x->col, allx->col, (size_t)gnd_csr_nnz(allx) * sizeof *x->col);
    memcpy(x->val, allx->val, (size_t)gnd_csr_nnz(allx) * sizeof *x->val);
    for (int64_t k = 0; k < tx->n_row; k++) {
        const int64_t from = tx->ptr[k], n = tx->ptr[k + 1] - from;
        const int64_t to = x->ptr[g->fixed_test[k]];

        memcpy(x->col + to, tx->col + from, (size_t)n * sizeof *x->col);
        memcpy(x->val + to, tx->val + from, (size_t)n * sizeof *x->val);
    }
    gnd_csr_drop_ones(x);
    return GND_OK;
}

static gnd_status shape_fail(const char *path, const char *what, int64_t got, int64_t want,
                             gnd_error *err)
{
    return gnd_fail(err, GND_ERR_SHAPE, "%.*s: %s: %lld; expected %lld", (int)stem_length(path),
                    path, what, (long long)got, (long long)want);
}

/* *n_all: rows of allx. */
static gnd_status features_add(gnd_graph *g, int64_t *n_all, const files *at, gnd_error *err)
{
    gnd_csr x = {0}, tx = {0}, allx = {0};
    gnd_status st;

    GND_TRY(matrix_load(&x, at, "x", err));
    GND_TRY(matrix_load(&tx, at, "tx", err));
    GND_TRY(matrix_load(&allx, at, "allx", err));
    if (allx.n_row > g->n_node)
        GND_TRY(shape_fail(at->path, "rows of allx in graph", allx.n_row, g->n_node, err));
    if (x.n_col != allx.n_col)
        GND_TRY(shape_fail(at->path, "columns of x and allx", x.n_col, allx.n_col, err));
    if (tx.n_col != allx.n_col)
        GND_TRY(shape_fail(at->path, "columns of tx and allx", tx.n_col, allx.n_col, err));
    if (x.n_row > allx.n_row)
        GND_TRY(shape_fail(at->path, "rows of x in allx", x.n_row, allx.n_row, err));
    GND_TRY(test_load(g, at, allx.n_row, err));
    if (tx.n_row != g->n_fixed_test)
        GND_TRY(shape_fail(at->path, "rows of tx for test.index", tx.n_row, g->n_fixed_test, err));
    g->n_fixed_train = x.n_row;
    *n_all = allx.n_row;
    GND_TRY(feat_join(g, &allx, &tx, err));
    if (g->n_node > allx.n_row + tx.n_row)
        GND_TRY(gnd_notes_add(
            &g->notes, GND_NOTE, "missing_vertices", err,
            "%lld vertices have no features and no label, since test.index does not list them",
            (long long)(g->n_node - allx.n_row - tx.n_row)));
out:
    gnd_csr_fini(&x);
    gnd_csr_fini(&tx);
    gnd_csr_fini(&allx);
    return st;
}

/* n_all: rows of allx. */
static gnd_status labels_add(gnd_graph *g, const files *at, int64_t n_all, gnd_error *err)
{
    onehot y = {0}, ty = {0}, ally = {0};
    gnd_status st;

    GND_TRY(labels_load(&y, at, "y", err));
    GND_TRY(labels_load(&ty, at, "ty", err));
    GND_TRY(labels_load(&ally, at, "ally", err));
    if (y.n != g->n_fixed_train)
        GND_TRY(shape_fail(at->path, "rows of y for x", y.n, g->n_fixed_train, err));
    if (ty.n != g->n_fixed_test)
        GND_TRY(shape_fail(at->path, "rows of ty for test.index", ty.n, g->n_fixed_test, err));
    if (ally.n != n_all)
        GND_TRY(shape_fail(at->path, "rows of ally for allx", ally.n, n_all, err));
    if (y.n_class != ally.n_class || ty.n_class != ally.n_class)
        GND_TRY(shape_fail(at->path, "classes of y, ty and ally",
                           y.n_class != ally.n_class ? y.n_class : ty.n_class, ally.n_class, err));
    memcpy(g->label, ally.label, (size_t)ally.n * sizeof *g->label);
    for (int64_t k = 0; k < ty.n; k++)
        g->label[g->fixed_test[k]] = ty.label[k];
    for (int64_t c = 0; c < ally.n_class; c++) {
        char buf[16];
        int32_t number;
        const int len = snprintf(buf, sizeof buf, "%lld", (long long)c);

        GND_TRY(gnd_graph_class_of(&number, g, buf, (size_t)len, err));
    }
out:
    gnd_free(y.label);
    gnd_free(ty.label);
    gnd_free(ally.label);
    return st;
}

static gnd_status planetoid_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                                 gnd_error *err)
{
    const files at = {.path = path, .max_input = o ? o->max_input : 0};
    gnd_graph *g = NULL;
    int64_t n_all = 0;
    gnd_status st;

    *out = NULL;
    GND_TRY(graph_load(&g, &at, err));
    g->keep_all = true;
    GND_TRY(features_add(g, &n_all, &at, err));
    GND_TRY(labels_add(g, &at, n_all, err));
    GND_TRY(gnd_graph_check(g, path, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    return st;
}

static bool planetoid_part(char *buf, size_t size, const char *path, int i)
{
    const int n_part = (int)(sizeof part_name / sizeof part_name[0]);
    char file[PATH_SIZE];

    if (i >= n_part || part_path(file, path, part_name[i], NULL) != GND_OK || strlen(file) >= size)
        return false;
    strcpy(buf, file);
    return true;
}

const gnd_format gnd_format_planetoid = {
    .name = "planetoid",
    .about = "the eight ind.NAME.* files of Cora, Citeseer and Pubmed; nothing in them is executed",
    .sniff = planetoid_sniff,
    .read = planetoid_read,
    .part = planetoid_part,
};
