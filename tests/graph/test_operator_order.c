/* SPDX-License-Identifier: MIT
 * test_operator_order.c - when an operator gets an order of degree: products large enough, room in
 * the budget, and a graph that is in no good order already. */
#include "check.h"
#include "graph/operator.h"
#include "kern/hubs.h"
#include "random_graph.h"

enum { N = 1200, WIDTH = 4096 };

/* Links between vertices that are at most `reach` apart. */
static void make(gnd_operator *op, int64_t reach)
{
    gnd_csr adj = {0}, both = {0};
    gnd_error err = {0};

    random_matrix(&adj, N, N, 40, 9);
    for (int64_t i = 0; i < N; i++)
        for (int64_t p = adj.ptr[i]; p < adj.ptr[i + 1]; p++)
            if (reach < N)
                adj.col[p] = (int32_t)((i + 1 + p - adj.ptr[i]) % N);
    {
        int32_t *row = calloc((size_t)gnd_csr_nnz(&adj), sizeof *row);
        gnd_triplets t = {N, N, gnd_csr_nnz(&adj), row, adj.col, NULL};

        for (int64_t i = 0; i < N; i++)
            for (int64_t p = adj.ptr[i]; p < adj.ptr[i + 1]; p++)
                row[p] = (int32_t)i;
        CHECK_OK(gnd_csr_from_triplets(&both, &t, GND_DUP_MAX, NULL, &err));
        free(row);
    }
    gnd_csr_fini(&adj);
    CHECK_OK(gnd_csr_symmetrise(&adj, &both, &err));
    gnd_csr_fini(&both);
    CHECK_OK(gnd_operator_init(op, GND_OP_S, &adj, &err));
    if (op->a.borrowed) {
        gnd_csr own;

        CHECK_OK(gnd_csr_copy(&own, &op->a, &err));
        gnd_operator_fini(op);
        *op = (gnd_operator){.a = own, .at = own, .shared = true};
        op->at.borrowed = GND_CSR_ARRAYS;
    }
    gnd_csr_fini(&adj);
}

static void order(void **state)
{
    gnd_budget b = {.total = INT64_C(1) << 30}, none = {.total = 1000};
    gnd_operator op = {0};
    gnd_error err = {0};
    const gnd_hubs *made;

    (void)state;
    make(&op, N);
    CHECK_OK(gnd_operator_order(&op, 16, &b, NULL, &err)); /* x is small */
    assert_null(op.a.hubs);
    CHECK_OK(gnd_operator_order(&op, WIDTH, &none, NULL, &err)); /* there is no room */
    assert_null(op.a.hubs);
    assert_int_equal(gnd_budget_left(&none), 1000);
    CHECK_OK(gnd_operator_order(&op, WIDTH, &b, NULL, &err));
    made = op.a.hubs;
    assert_non_null(made);
    assert_int_equal(gnd_budget_left(&b), b.total - made->bytes);
    CHECK_OK(gnd_operator_order(&op, WIDTH, &b, NULL, &err)); /* once */
    assert_ptr_equal(op.a.hubs, made);
    assert_int_equal(gnd_budget_left(&b), b.total - made->bytes);
    gnd_operator_fini(&op);
}

static void near_already(void **state)
{
    gnd_budget b = {.total = INT64_C(1) << 30};
    gnd_operator op = {0};
    gnd_error err = {0};

    (void)state;
    make(&op, 40);
    CHECK_OK(gnd_operator_order(&op, WIDTH, &b, NULL, &err));
    assert_null(op.a.hubs);
    gnd_operator_fini(&op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),
        cmocka_unit_test(near_already),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
