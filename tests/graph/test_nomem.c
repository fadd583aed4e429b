/* SPDX-License-Identifier: MIT
 * test_nomem.c - each call on graphs with 0, 1, 2, ... allowed allocations. */
#include "graph/norm.h"
#include "graph/operator.h"
#include "graph/roles.h"
#include "graph/split.h"
#include "make.h"
#include "mallocfail.h"

static const arc arcs[] = {{0, 1, 2}, {1, 0, 3}, {1, 2, 4}, {2, 2, 9}, {4, 3, 1}};
static const int32_t labels[] = {0, 1, -1, 1, 0, 1};

/* Directed, weighted, with a loop, ids and features: every branch of a conversion is taken. */
static gnd_graph *sample(void)
{
    static const char *const names[] = {"u", "v", "w", "x", "y", "z"};
    gnd_graph *g = make_graph(6, arcs, LENGTH(arcs), true, 2, labels);
    const arc x[] = {{0, 0, 1}, {1, 1, 2}, {2, 0, 3}, {4, 1, 4}};

    g->n_feat = 2;
    g->feat = make_csr(6, 2, x, LENGTH(x), true);
    g->ids = gnd_names_new();
    for (int i = 0; i < 6; i++)
        gnd_names_add(g->ids, names[i], 1);
    return g;
}

static void spectrum(void **state)
{
    static const int64_t power[] = {1, 3};
    const gnd_spectrum_opts o = {.size = sizeof o, .power = power, .n_power = 2};
    gnd_graph *g = sample(), *und = NULL;
    gnd_spectrum *s = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_convert(&und, g, GND_GRAPH_UND, &err));
    NOMEM_WALK(gnd_spectrum_new(&s, und, &o, &err), assert_null(s));
    gnd_spectrum_free(s);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

static void convert(void **state)
{
    gnd_graph *g = sample(), *c = NULL;
    gnd_error err;

    (void)state;
    for (int m = GND_GRAPH_RAW; m <= GND_GRAPH_STD; m++) {
        c = g;
        NOMEM_WALK(gnd_graph_convert(&c, g, (gnd_graph_mode)m, &err), assert_null(c));
        assert_non_null(c);
        gnd_graph_free(c);
    }
    gnd_graph_free(g);
}

static void info(void **state)
{
    gnd_graph *g = sample();
    gnd_graph_info o = {.size = sizeof o};
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_graph_info_get(&o, g, &err), assert_int_equal(o.n_node, 0));
    assert_int_equal(o.n_node, 6);
    gnd_graph_free(g);
}

static void splits(void **state)
{
    enum { M = 520 };
    gnd_graph *g = sample(), *big = make_graph(M, NULL, 0, false, 1, NULL);
    gnd_split_opts o = {.size = sizeof o, .per_class = 1, .seed = 1};
    gnd_split *s = NULL;
    const int32_t one[] = {0}, two[] = {1};
    gnd_error err;

    (void)state;
    for (int i = 0; i < M; i++)
        big->label[i] = 0;
    big->n_fixed_train = 1;
    big->fixed_test = calloc(1, sizeof *big->fixed_test);
    big->fixed_test[0] = M - 1;
    big->n_fixed_test = 1;
    NOMEM_WALK(gnd_split_new(&s, g, &o, &err), assert_null(s));
    gnd_split_free(s);
    o.kind = GND_SPLIT_ALL;
    NOMEM_WALK(gnd_split_new(&s, g, &o, &err), assert_null(s));
    gnd_split_free(s);
    o.kind = GND_SPLIT_PLANETOID;
    NOMEM_WALK(gnd_split_new(&s, big, &o, &err), assert_null(s));
    gnd_split_free(s);
    NOMEM_WALK(
        gnd_split_from_lists(
            &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), one, 1, two, 1, NULL, 0}, &err),
        assert_null(s));
    gnd_split_free(s);
    gnd_graph_free(big);
    gnd_graph_free(g);
}

static void operators(void **state)
{
    gnd_graph *g = sample();
    gnd_operator op;
    gnd_csr out;
    gnd_error err;

    (void)state;
    for (int k = GND_OP_W; k <= GND_OP_P_DCNN; k++) {
        NOMEM_WALK(gnd_operator_init(&op, (gnd_operator_kind)k, &g->adj, &err),
                   assert_true(!op.a.ptr && !op.at.ptr));
        gnd_operator_fini(&op);
    }
    for (int k = GND_FEAT_RAW; k <= GND_FEAT_BINARY_L2; k++) {
        if (k == GND_FEAT_RAW || k == GND_FEAT_BINARY)
            continue; /* nothing is allocated */
        NOMEM_WALK(gnd_feat_normalise(&out, &g->feat, (gnd_feat_norm)k, &err),
                   assert_null(out.ptr));
        gnd_csr_fini(&out);
    }
    gnd_graph_free(g);
}

static void components(void **state)
{
    gnd_graph *g = sample();
    int32_t keep[6];
    int64_t n_keep;
    gnd_csr out;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_largest_component(keep, &n_keep, &g->adj, &err), assert_int_equal(n_keep, 0));
    NOMEM_WALK(gnd_csr_symmetrise(&out, &g->adj, &err), assert_null(out.ptr));
    gnd_csr_fini(&out);
    NOMEM_WALK(gnd_csr_drop_loops(&out, &g->adj, NULL, &err), assert_null(out.ptr));
    gnd_csr_fini(&out);
    gnd_graph_free(g);
}

static void roles(void **state)
{
    gnd_graph *g = sample(), *und = NULL;
    gnd_real out[6 * GND_ROLES];
    int32_t core[6];
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_convert(&und, g, GND_GRAPH_UND, &err));
    NOMEM_WALK(gnd_core_numbers(core, &und->adj, &err), (void)0);
    NOMEM_WALK(gnd_roles(out, &und->adj, NULL, &err), (void)0);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

static void making(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_graph_new(&g, "made", 3, &err), assert_null(g));
    NOMEM_WALK(gnd_notes_add(&g->notes, GND_NOTE, "files_read", &err, "said %d", 1),
               assert_int_equal(g->notes.n, 0));
    assert_string_equal(gnd_graph_note(g, 0)->text, "said 1");
    gnd_graph_free(g);
    g = sample();
    NOMEM_WALK(gnd_graph_sort_classes(g, &err), assert_memory_equal(g->label, labels, 24));
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convert), cmocka_unit_test(spectrum),  cmocka_unit_test(info),
        cmocka_unit_test(splits),  cmocka_unit_test(operators), cmocka_unit_test(components),
        cmocka_unit_test(roles),   cmocka_unit_test(making),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
