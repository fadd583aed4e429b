/* SPDX-License-Identifier: MIT
 * test_direction.c - which arcs of a directed graph each method reads: gnd_config_direction against
 * the operator that the method prepares, or against its logits, for every choice of the setting
 * "operator". */
#include "random_graph.h"

#include "model/model.h"

enum { N = 40, D = 7, C = 3 };

typedef struct {
    gnd_model *m;
    gnd_inputs in;
} work;

static void begin(work *w, const gnd_config *c, const gnd_graph *g)
{
    gnd_error err = {0};

    *w = (work){0};
    CHECK_OK(gnd_model_new(&w->m, g, c, 1, &err));
    CHECK_OK(gnd_inputs_init(&w->in, w->m, g, NULL, &err));
}

static void end(work *w)
{
    gnd_inputs_fini(&w->in);
    gnd_model_free(w->m);
}

static bool has(const gnd_csr *a, int64_t i, int64_t j)
{
    const int64_t p = gnd_csr_find(a, i, (int32_t)j);

    return p >= 0 && gnd_csr_val(a, p) != 0;
}

/* The operator has (u, v) of each arc u -> v without v -> u, or (v, u), or both. */
static void check_operator(const gnd_csr *op, const gnd_graph *g, const char *direction,
                           const char *what)
{
    const bool both = strcmp(direction, "undirected") == 0;
    const bool ahead = both || strcmp(direction, "directed arcs") == 0;
    const bool back = both || strcmp(direction, "reversed arcs") == 0;
    int64_t n = 0;

    for (int64_t u = 0; u < g->n_node; u++)
        for (int64_t p = g->adj.ptr[u]; p < g->adj.ptr[u + 1]; p++) {
            const int64_t v = g->adj.col[p];

            if (has(&g->adj, v, u))
                continue;
            if (has(op, u, v) != ahead || has(op, v, u) != back)
                fail_msg("%s: not %s at the arc %lld -> %lld", what, direction, (long long)u,
                         (long long)v);
            n++;
        }
    assert_true(n > N);
}

/* The largest difference between the logits on two graphs, at the same weights. */
static double difference(const gnd_config *c, const gnd_graph *a, const gnd_graph *b)
{
    const gnd_graph *g[] = {a, b};
    double worst = 0, first[N * C] = {0};
    gnd_error err = {0};

    for (int k = 0; k < 2; k++) {
        gnd_tape *t = NULL;
        gnd_var logits;
        work w;

        begin(&w, c, g[k]);
        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        logits = w.m->config.method->forward(w.m, &w.in, t);
        CHECK_OK(gnd_tape_check(t, &err));
        for (int64_t i = 0; i < N * C; i++) {
            const double v = (double)gnd_tape_node(t, logits)->v[i];

            worst = k ? fmax(worst, fabs(v - first[i])) : 0;
            first[i] = v;
        }
        gnd_tape_free(t);
        end(&w);
    }
    return worst;
}

static void check_direction(const gnd_config *c, const gnd_graph *g, const char *what)
{
    const char *direction = gnd_config_direction(c);
    const gnd_method *m = c->method;
    gnd_graph *other = NULL;
    gnd_error err = {0};
    work w;

    begin(&w, c, g);
    if (strcmp(direction, "no arcs") == 0) {
        assert_null(w.in.op.a.ptr);
        CHECK_OK(gnd_graph_convert(&other, g, GND_GRAPH_UND, &err));
        CHECK_CLOSE(difference(c, g, other), 0, 0);
    } else if (w.in.op.a.ptr && strcmp(m->name, "gdc") != 0) {
        check_operator(&w.in.op.a, g, direction, what);
    } else if (m->forward) { /* its links are not those of an operator of the graph */
        CHECK_OK(gnd_graph_convert(&other, g, GND_GRAPH_UND, &err));
        if ((difference(c, g, other) == 0) != (strcmp(direction, "undirected") == 0))
            fail_msg("%s: the logits are not those of %s", what, direction);
    }
    gnd_graph_free(other);
    end(&w);
}

/* A graph without self-loops, which some methods count and others drop. */
static gnd_graph *directed_graph(void)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_csr links = {0};
    gnd_error err = {0};

    CHECK_OK(gnd_csr_drop_loops(&links, &g->adj, NULL, &err));
    gnd_csr_fini(&g->adj);
    g->adj = links;
    return g;
}

static const gnd_hparam *operator_setting(const gnd_method *m)
{
    for (const gnd_hparam *h = m->hparams; h->name; h++)
        if (strcmp(h->name, "operator") == 0)
            return h;
    return NULL;
}

static void every_method(void **state)
{
    gnd_graph *g = directed_graph();
    gnd_error err = {0};

    (void)state;
    for (int i = 0; gnd_method_at(i); i++) {
        const gnd_method *m = gnd_method_at(i);
        const gnd_hparam *h = operator_setting(m);
        const char *choice = h ? h->choices : "";
        gnd_config *c = NULL;
        char what[64];

        CHECK_OK(gnd_config_new(&c, m->name, &err));
        check_direction(c, g, m->name);
        while (*choice) {
            const size_t n = strcspn(choice, "|");

            snprintf(what, sizeof what, "%.*s", (int)n, choice);
            CHECK_OK(gnd_config_set(c, "operator", what, &err));
            snprintf(what, sizeof what, "%s operator=%.*s", m->name, (int)n, choice);
            check_direction(c, g, what);
            choice += n + (choice[n] == '|');
        }
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

/* What the methods of the comparison read by default, as docs/models.md and the tables say. */
static void defaults(void **state)
{
    static const char *const expected[][2] = {{"gnd-slp", "directed arcs"},
                                              {"gcn", "reversed arcs"},
                                              {"geomgcn", "undirected"},
                                              {"chebynet", "reversed arcs"},
                                              {"jknet", "directed arcs"},
                                              {"sgc", "undirected"},
                                              {"ppnp", "directed arcs"},
                                              {"ppnp-hk", "directed arcs"},
                                              {"ngcn", "undirected"},
                                              {"mixhop", "undirected"},
                                              {"dcnn", "undirected"},
                                              {"lanczosnet", "directed arcs"},
                                              {"lr", "no arcs"},
                                              {"auto", "undirected"}};
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < LENGTH(expected); i++) {
        gnd_config *c = NULL;

        CHECK_OK(gnd_config_new(&c, expected[i][0], &err));
        assert_string_equal(gnd_config_direction(c), expected[i][1]);
        gnd_config_free(c);
    }
}

/* On an undirected graph plain, transposed and symmetrised are the same numbers. */
static void same_if_undirected(void **state)
{
    static const char *const methods[] = {"gcn",  "ngcn",       "mixhop",
                                          "dcnn", "lanczosnet", "chebynet"};
    static const char *const choices[] = {"plain", "transposed", "symmetrised"};
    gnd_graph *g = directed_graph(), *both = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_convert(&both, g, GND_GRAPH_UND, &err));
    for (int64_t i = 0; i < LENGTH(methods); i++) {
        work w[LENGTH(choices)];

        for (int64_t k = 0; k < LENGTH(choices); k++) {
            gnd_config *c = NULL;

            CHECK_OK(gnd_config_new(&c, methods[i], &err));
            CHECK_OK(gnd_config_set(c, "operator", choices[k], &err));
            begin(&w[k], c, both);
            assert_int_equal(gnd_csr_nnz(&w[k].in.op.a), gnd_csr_nnz(&w[0].in.op.a));
            assert_memory_equal(w[k].in.op.a.val, w[0].in.op.a.val,
                                (size_t)gnd_csr_nnz(&w[0].in.op.a) * sizeof(gnd_real));
            gnd_config_free(c);
        }
        for (int64_t k = 0; k < LENGTH(choices); k++)
            end(&w[k]);
    }
    gnd_graph_free(both);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method),
        cmocka_unit_test(defaults),
        cmocka_unit_test(same_if_undirected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
