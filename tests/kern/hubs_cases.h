/* SPDX-License-Identifier: MIT
 * hubs_cases.h - operators of small graphs whose order of degree takes each of its forms. */
#ifndef GND_TESTS_HUBS_CASES_H
#define GND_TESTS_HUBS_CASES_H

#include "base/alloc.h"
#include "graph/operator.h"
#include "kern/hubs.h"
#include "random_graph.h"

enum { HUBS_N = 61, HUBS_RANGE = 16 };

typedef struct {
    const char *name;
    bool undirected, weighted;
    gnd_operator_kind kind;
    bool own_adjoint; /* the adjoint is not D a D^-1, or that is not seen */
} hubs_case;

static const hubs_case hubs_cases[] = {
    {"random walk", true, false, GND_OP_W, false},
    {"random walk, vertices without links", true, false, GND_OP_DINVA, false},
    {"symmetric", true, true, GND_OP_S, false},
    {"random walk, weighted", true, true, GND_OP_W, true},
    {"random walk, directed", false, true, GND_OP_W, true},
};

/* A tenth of the vertices has most of the entries; the last three have none. */
static inline void hubs_operator(gnd_operator *op, const hubs_case *c)
{
    gnd_csr raw = {0}, adj = {0};
    gnd_error err = {0};

    random_matrix(&raw, HUBS_N, HUBS_N, 4, 7);
    for (int64_t i = 0; i < HUBS_N; i++) /* few columns, and so many entries of each as a row */
        for (int64_t p = raw.ptr[i]; p < raw.ptr[i + 1]; p++)
            if (i >= HUBS_N - 3 || raw.col[p] >= HUBS_N - 3)
                raw.val[p] = 0;
            else if (!c->weighted)
                raw.val[p] = 1;
    {
        int32_t *row = calloc((size_t)gnd_csr_nnz(&raw), sizeof *row);
        gnd_triplets t = {.n_row = HUBS_N, .n_col = HUBS_N, .row = row};
        int64_t n = 0;

        for (int64_t i = 0; i < HUBS_N; i++)
            for (int64_t p = raw.ptr[i]; p < raw.ptr[i + 1]; p++)
                if (raw.val[p] != 0) {
                    row[n] = (int32_t)i;
                    raw.col[n] = i % 3 ? raw.col[p] % 6 : raw.col[p];
                    raw.val[n++] = raw.val[p];
                }
        t.nnz = n;
        t.col = raw.col;
        t.val = c->weighted ? raw.val : NULL;
        CHECK_OK(gnd_csr_from_triplets(&adj, &t, GND_DUP_MAX, NULL, &err));
        free(row);
    }
    gnd_csr_fini(&raw);
    if (c->undirected) {
        CHECK_OK(gnd_csr_symmetrise(&raw, &adj, &err));
        gnd_csr_fini(&adj);
        adj = raw;
    }
    CHECK_OK(gnd_csr_drop_loops(&raw, &adj, NULL, &err));
    gnd_csr_fini(&adj);
    CHECK_OK(gnd_operator_init(op, c->kind, &raw, &err));
    if (op->a.borrowed) { /* the adjacency matrix is not kept */
        gnd_csr a, at;

        CHECK_OK(gnd_csr_copy(&a, &op->a, &err));
        CHECK_OK(gnd_csr_copy(&at, &op->at, &err));
        at.borrowed = GND_CSR_PTR | GND_CSR_COL;
        gnd_free(at.ptr);
        gnd_free(at.col);
        at.ptr = a.ptr;
        at.col = a.col;
        gnd_operator_fini(op);
        *op = (gnd_operator){.a = a, .at = at};
    }
    gnd_csr_fini(&raw);
}

static inline gnd_hubs *hubs_of_operator(const gnd_operator *op, gnd_pool *pool)
{
    gnd_hubs *h = NULL;
    gnd_error err = {0};

    CHECK_OK(
        gnd_hubs_new(&h, &op->a, &op->at, &(gnd_hubs_limits){HUBS_RANGE, INT64_MAX}, pool, &err));
    assert_non_null(h);
    return h;
}

#endif
