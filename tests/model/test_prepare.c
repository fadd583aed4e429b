/* SPDX-License-Identifier: MIT
 * test_prepare.c - what methods make of a graph before they train, where no reference value looks:
 * features and vertices that are their own, Ritz pairs, eigenvalues, embeddings. */
#include "fixture.h"
#include "random_graph.h"

#include "model/methods/geomgcn.h"
#include "model/methods/lanczosnet.h"

enum { N = 60, D = 9, C = 3 };

typedef struct {
    gnd_config *c;
    gnd_model *m;
    gnd_inputs in;
} work;

/* settings: up to two pairs of name and value. */
static void begin(work *w, const gnd_graph *g, const char *method, const char *const *settings)
{
    gnd_error err = {0};

    *w = (work){0};
    CHECK_OK(gnd_config_new(&w->c, method, &err));
    for (; settings && settings[0]; settings += 2)
        CHECK_OK(gnd_config_set(w->c, settings[0], settings[1], &err));
    CHECK_OK(gnd_model_new(&w->m, g, w->c, 1, &err));
    CHECK_OK(gnd_inputs_init(&w->in, w->m, g, NULL, &err));
}

static void end(work *w)
{
    gnd_inputs_fini(&w->in);
    gnd_model_free(w->m);
    gnd_config_free(w->c);
}

/* Row i holds a single 1, at i. */
static void check_identity(const char *name, const gnd_csr *x)
{
    bool is = x->n_row == N && x->n_col == N && gnd_csr_nnz(x) == N;

    for (int64_t i = 0; is && i < N; i++)
        is = x->ptr[i] == i && x->col[i] == i && gnd_csr_val(x, i) == 1;
    if (!is)
        fail_msg("%s: vertices are not their own features", name);
}

static void no_features(void **state)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_error err = {0};

    (void)state;
    gnd_csr_fini(&g->feat);
    g->n_feat = 0;
    CHECK_OK(gnd_graph_check(g, "bare", &err));
    for (int i = 0; gnd_method_at(i); i++) {
        work w;

        begin(&w, g, gnd_method_at(i)->name, NULL);
        check_identity(w.c->method->name, &w.in.x);
        end(&w);
    }
    gnd_graph_free(g);
}

/* Rows of sum 1, ones, or as they came. */
static void features(void **state)
{
    gnd_graph *g = random_graph(N, D, C);

    (void)state;
    for (int i = 0; gnd_method_at(i); i++) {
        const gnd_method *m = gnd_method_at(i);
        work w;

        begin(&w, g, m->name, NULL);
        if (m->no_features)
            check_identity(m->name, &w.in.x);
        for (int64_t v = 0; v < N && !m->no_features; v++) {
            double sum = 0;

            for (int64_t p = g->feat.ptr[v]; p < g->feat.ptr[v + 1]; p++) {
                assert_int_equal(w.in.x.col[p], g->feat.col[p]);
                sum += (double)gnd_csr_val(&w.in.x, p);
                if (m->features == GND_FEAT_BINARY)
                    CHECK_CLOSE(gnd_csr_val(&w.in.x, p), 1, 0);
                if (m->features == GND_FEAT_RAW)
                    CHECK_CLOSE(gnd_csr_val(&w.in.x, p), gnd_csr_val(&g->feat, p), 0);
            }
            if (m->features == GND_FEAT_ROW_L1)
                CHECK_CLOSE(sum, 1, 1e-5);
        }
        end(&w);
    }
    gnd_graph_free(g);
}

/* ---- LanczosNet ---- */

/* V^T S V is diagonal, with the values whose powers are kept; V^T V = I. */
static void check_ritz(const gnd_ritz *r, const gnd_csr *S)
{
    const int64_t n = S->n_row, k = r->k;

    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++) {
            double one = 0, value = 0;

            for (int64_t i = 0; i < n; i++) {
                one += (double)r->V[i * k + a] * (double)r->V[i * k + b];
                for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
                    value += (double)r->V[i * k + a] * (double)gnd_csr_val(S, p) *
                             (double)r->V[S->col[p] * k + b];
            }
            CHECK_CLOSE(one, a == b, 1e-5);
            if (a != b)
                CHECK_CLOSE(value, 0, 1e-5);
            for (int s = 0; s < GND_LANCZOS_LONG && a == b; s++)
                CHECK_CLOSE(r->power[a * GND_LANCZOS_LONG + s], pow(value, 10 * (s + 1)), 1e-4);
        }
}

/* A directed graph has no Ritz pairs of its own: those of links both ways are taken. */
static void ritz_pairs(void **state)
{
    static const char *const top[] = {"pairs", "top", NULL};
    gnd_graph *g = random_graph(N, D, C);
    gnd_operator both = {0};
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_operator_init(&both, GND_OP_S_SYMMETRISED, &g->adj, &err));
    for (int i = 0; i < 2; i++) {
        work w;

        begin(&w, g, "lanczosnet", i ? top : NULL);
        assert_int_equal(((gnd_ritz *)w.in.own)->k, 20);
        check_ritz(w.in.own, &both.a);
        end(&w);
    }
    gnd_operator_fini(&both);
    gnd_graph_free(g);
}

/* Rings of 5, 7 and 9 vertices. */
static gnd_graph *three_rings(void)
{
    enum { M = 21 };
    static const int32_t first[] = {0, 5, 12, M};
    int32_t link[2 * M][2], feat[M][2], label[M];
    int64_t k = 0;

    for (int r = 0; r < 3; r++)
        for (int32_t v = first[r]; v < first[r + 1]; v++) {
            const int32_t next = v + 1 < first[r + 1] ? v + 1 : first[r];

            link[k][0] = v, link[k++][1] = next;
            link[k][0] = next, link[k++][1] = v;
            feat[v][0] = v, feat[v][1] = r;
            label[v] = r;
        }
    return fixture_graph(M, (const int32_t(*)[2])link, k, (const int32_t(*)[2])feat, M, 3, label,
                         3);
}

/* Three components: three eigenvectors of 1. Lanczos sees one vector of each value, from a start of
 * chance: on rings the constant vector would be the only one it ever finds. */
static void lanczos_or_top(void **state)
{
    static const char *const three[] = {"steps", "3", "pairs", "top", NULL};
    gnd_graph *g = three_rings();

    (void)state;
    for (int top = 0; top < 2; top++) {
        const gnd_ritz *r;
        int ones = 0;
        work w;

        begin(&w, g, "lanczosnet", top ? three : (const char *const[]){"steps", "3", NULL});
        r = w.in.own;
        assert_int_equal(r->k, 3);
        check_ritz(r, &w.in.op.a);
        for (int j = 0; j < 3; j++)
            ones += (double)r->power[j * GND_LANCZOS_LONG] > 0.9999;
        if (top ? ones != 3 : ones > 1)
            fail_msg("%d of 3 values are 1 with pairs=%s", ones, top ? "top" : "lanczos");
        end(&w);
    }
    gnd_graph_free(g);
}

/* ---- ChebyNet ---- */

/* Four vertices, all linked: the largest eigenvalue of the Laplacian is 4/3, and what goes to 1 is
 * that one, not 2. */
static void largest_eigenvalue(void **state)
{
    enum { M = 4 };
    static const int32_t feat[M][2] = {{0, 0}, {1, 1}, {2, 0}, {3, 1}}, label[M] = {0, 1, 0, 1};
    int32_t link[M * (M - 1)][2];
    int64_t k = 0;
    gnd_graph *g;
    work w;

    (void)state;
    for (int32_t i = 0; i < M; i++)
        for (int32_t j = 0; j < M; j++)
            if (i != j)
                link[k][0] = i, link[k++][1] = j;
    g = fixture_graph(M, (const int32_t(*)[2])link, k, feat, M, 2, label, 2);
    begin(&w, g, "chebynet", NULL);
    assert_int_equal(gnd_csr_nnz(&w.in.op.a), M * M);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            CHECK_CLOSE(w.in.op.a.val[i * M + j], i == j ? 0.5 : -0.5, 1e-6);
    end(&w);
    gnd_graph_free(g);
}

/* ---- Geom-GCN ---- */

static void embeddings(void **state)
{
    static const char *const name[] = {"isomap", "poincare", "struc2vec"};
    gnd_graph *g = random_graph(N, D, C);
    gnd_error err = {0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *const settings[] = {"embedding", name[i], NULL};
        const gnd_geomgcn *own;
        gnd_relations r;
        work w;

        begin(&w, g, "geomgcn", settings);
        own = w.in.own;
        CHECK_OK(gnd_relations_init(&r, &g->adj, (gnd_embedding)i, gnd_hash_name("geomgcn"), NULL,
                                    &err));
        CHECK_CLOSE(own->relations.rho, r.rho, 0);
        for (int k = 0; k < GND_DIVISIONS; k++)
            assert_int_equal(gnd_csr_nnz(own->op[k]), gnd_csr_nnz(&r.op[k].a));
        gnd_relations_fini(&r);
        end(&w);
    }
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_features),        cmocka_unit_test(features),
        cmocka_unit_test(ritz_pairs),         cmocka_unit_test(lanczos_or_top),
        cmocka_unit_test(largest_eigenvalue), cmocka_unit_test(embeddings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
