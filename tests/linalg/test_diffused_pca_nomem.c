/* SPDX-License-Identifier: MIT
 * test_diffused_pca_nomem.c - coordinates and discriminants with 0, 1, 2, ... allowed
 * allocations. */
#include "linalg/diffused_pca.h"

#include "graph/graph.h"
#include "graph/operator.h"
#include "linalg/lda.h"
#include "mallocfail.h"
#include "random_graph.h"

enum { N = 40, D = 12, C = 3 };

static void check_empty(const gnd_points *p)
{
    assert_true(p->n == 0 && p->r == 0 && !p->z && !p->value);
}

/* Outputs are empty after a failure; then what is made of the points. */
static void points(void **state)
{
    static const int32_t which[] = {0, 5, 7};
    gnd_graph *g = random_graph(N, D, C), *und = NULL;
    gnd_csr xt = {0};
    gnd_operator S = {0};
    gnd_points z, own, made;
    gnd_real weight[N * C], prob[N * C];
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_convert(&und, g, GND_GRAPH_UND, &err));
    CHECK_OK(gnd_csr_transpose(&xt, &g->feat, &err));
    CHECK_OK(gnd_operator_init(&S, GND_OP_S, &und->adj, &err));
    for (int64_t e = 0; e < N * C; e++)
        weight[e] = (gnd_real)(e / C % C == e % C);
    for (int diffuse = 0; diffuse < 2; diffuse++) {
        const gnd_pca_opts o = {.x = &g->feat,
                                .xt = &xt,
                                .n_feature = xt.n_row,
                                .S = diffuse ? &S.a : NULL,
                                .teleport = 0.3,
                                .odd_weight = 1,
                                .tol = 0.01,
                                .tol_pass = 0.1,
                                .rank = 4,
                                .passes = 1,
                                .seed = 1};

        NOMEM_WALK(gnd_diffused_pca(&z, &own, &o, NULL, &err), {
            check_empty(&z);
            check_empty(&own);
        });
        NOMEM_WALK(gnd_points_shape(&made, &z, 2, 1.5, NULL, &err), check_empty(&made));
        gnd_points_fini(&made);
        NOMEM_WALK(gnd_points_subset(&made, &z, which, LENGTH(which), &err), check_empty(&made));
        gnd_points_fini(&made);
        NOMEM_WALK(gnd_lda(prob, &z, weight, &(gnd_lda_opts){C, 0.5, 1, NULL}, NULL, &err),
                   (void)0);
        gnd_points_fini(&z);
        gnd_points_fini(&own);
    }
    gnd_operator_fini(&S);
    gnd_csr_fini(&xt);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
