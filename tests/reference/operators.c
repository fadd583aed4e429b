/* SPDX-License-Identifier: MIT
 * operators.c - sparse operators, their products, graph reduction and feature normalisation. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/eigen_top.h"
#include "graph/norm.h"
#include "kern/kern.h"
#include "operator_names.h"

static const struct {
    const char *name;
    gnd_feat_norm how;
} features[] = {
    {"X_l1", GND_FEAT_ROW_L1},
    {"X_l2", GND_FEAT_ROW_L2},
    {"X_bin_l2", GND_FEAT_BINARY_L2},
};

/* M Y by every kernel table, and M^T Y both by the stored adjoint and by scattering. */
static void products(verdict *r, const char *name, const gnd_operator *op, const gnd_real *y,
                     int64_t f)
{
    const int64_t n = op->a.n_row;
    char buf[96];
    const gnd_kern *k;
    gnd_real *out = room(n * f, sizeof *out);

    for (int i = 0; (k = gnd_kern_at(i)); i++) {
        k->spmm(out, &op->a, y, f, 0, NULL, 0, n);
        check_real(r, dotted(buf, name, "Y"), out, n, f);
        k->spmm(out, &op->at, y, f, 0, NULL, 0, n);
        check_real(r, dotted(buf, name, "TY"), out, n, f);
        memset(out, 0, (size_t)(n * f) * sizeof *out);
        k->spmm_t(out, &op->a, y, f, 0, n);
        check_real(r, buf, out, n, f);
    }
    free(out);
}

/* Row sums of A + I, which W must have divided by: W_ii = (A_ii + 1) / g_i. */
static void row_sums(verdict *r, const gnd_csr *w, const gnd_csr *adj)
{
    double *g = room(w->n_row, sizeof *g);

    for (int64_t i = 0; i < w->n_row; i++) {
        const int64_t loop = gnd_csr_find(adj, i, (int32_t)i), p = gnd_csr_find(w, i, (int32_t)i);
        const double a = loop < 0 ? 1 : 1 + (double)gnd_csr_val(adj, loop);

        g[i] = p < 0 ? NAN : a / (double)gnd_csr_val(w, p);
    }
    check_double(r, "g", g, 1, w->n_row);
    free(g);
}

static void all_operators(verdict *r, const gnd_graph *g)
{
    const int64_t n = g->n_node;
    int64_t rows = 0, f = 0;
    const double *probe = golden_real(r->f, "Y", &rows, &f);
    gnd_real *y;
    gnd_error err = {0};

    probe = need_real(r, "Y", n, -1);
    if (!probe)
        return;
    y = room(n * f, sizeof *y);
    for (int64_t i = 0; i < n * f; i++)
        y[i] = (gnd_real)probe[i];
    for (size_t i = 0; i < sizeof operator_names / sizeof operator_names[0]; i++) {
        gnd_operator op = {0};

        if (!ref_ok(r, gnd_operator_init(&op, operator_names[i].kind, &g->adj, &err), &err))
            break;
        check_sparse(r, operator_names[i].name, &op.a);
        products(r, operator_names[i].name, &op, y, f);
        if (operator_names[i].kind == GND_OP_W)
            row_sums(r, &op.a, &g->adj);
        gnd_operator_fini(&op);
    }
    free(y);
}

static void lambda(verdict *r, const gnd_graph *g)
{
    gnd_csr sym = {0};
    gnd_operator ln = {0};
    gnd_error err = {0};
    double largest = 0;

    if (ref_ok(r, gnd_csr_symmetrise(&sym, &g->adj, &err), &err) &&
        ref_ok(r, gnd_operator_init(&ln, GND_OP_LN, &sym, &err), &err) &&
        ref_ok(r, gnd_lambda_max(&largest, &ln.a, ln.shared, &err), &err))
        check_scalar(r, "lambda_symmetrised", largest);
    gnd_operator_fini(&ln);
    gnd_csr_fini(&sym);
}

/* Components, and the graph of mode std: old ids kept, and the arcs between them. */
static void reduction(verdict *r, const gnd_graph *g)
{
    int32_t *comp = room(g->n_node, sizeof *comp), *arc = NULL;
    gnd_graph *std = NULL;
    gnd_error err = {0};

    if (gnd_components(comp, &g->adj) < 0)
        ref_fail(r, "std.component: the library is out of memory");
    else
        check_list(r, "std.component", comp, g->n_node);
    if (ref_ok(r, gnd_graph_convert(&std, g, GND_GRAPH_STD, &err), &err)) {
        const int64_t nnz = gnd_csr_nnz(&std->adj);

        for (int64_t i = 0; i < std->n_node; i++)
            comp[i] = std->old ? std->old[i] : (int32_t)i;
        check_list(r, "std.keep", comp, std->n_node);
        arc = room(2 * nnz, sizeof *arc);
        for (int64_t i = 0; i < std->n_node; i++)
            for (int64_t p = std->adj.ptr[i]; p < std->adj.ptr[i + 1]; p++) {
                arc[2 * p] = (int32_t)i;
                arc[2 * p + 1] = std->adj.col[p];
            }
        check_list(r, "std.A", arc, 2 * nnz);
    }
    gnd_graph_free(std);
    free(arc);
    free(comp);
}

void ref_operators(verdict *r)
{
    gnd_graph *g = ref_graph(r);
    gnd_error err = {0};

    if (!g)
        return;
    all_operators(r, g);
    lambda(r, g);
    reduction(r, g);
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        gnd_csr x = {0};

        if (ref_ok(r, gnd_feat_normalise(&x, &g->feat, features[i].how, &err), &err))
            check_sparse(r, features[i].name, &x);
        gnd_csr_fini(&x);
    }
    gnd_graph_free(g);
}
