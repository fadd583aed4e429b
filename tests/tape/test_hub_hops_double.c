/* SPDX-License-Identifier: MIT
 * Hops, diffusions and rows of A^k X with an operator in order of degree: values and gradients are
 * those without it, whether z may be overwritten or not, and from hop 0 or a later one. */
#include "../kern/hubs_cases.h"
#include "graph/powers.h"
#include "tape/ops.h"

enum { F = 3, K = 5, ROWS = 4, Z = HUBS_N * F, MAX = Z + 2 * K + ROWS * F * K };

/* EVALUATED: SUM without gradients, of which no hop is kept. */
enum how { WHOLE, SUM, SINGLE, EVALUATED };

static void fill(gnd_real *v, int64_t n, uint32_t stream)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = (gnd_real)(random_at(stream, i) - 0.5);
}

/* Values, then the gradients of alpha and z. */
static void pass(gnd_real *out, const gnd_operator *op, enum how how, int64_t first, bool spend)
{
    static const int32_t row[ROWS] = {3, 60, 3, 17}; /* one twice, one without links */
    gnd_real z0[Z], alpha0[K], dz[Z] = {0}, dalpha[K] = {0};
    const gnd_row_hops h = {&op->a, &op->at, row, ROWS, first, spend};
    gnd_error err = {0};
    gnd_tape *t = NULL;
    gnd_var x, z, alpha, y;

    fill(z0, Z, 40);
    fill(alpha0, K, 41);
    memset(out, 0, MAX * sizeof *out);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, how != EVALUATED, 0);
    alpha = gnd_parameter(t, alpha0, dalpha, 1, K);
    x = gnd_parameter(t, z0, dz, HUBS_N, F);
    z = gnd_add(t, x, x); /* its value may be overwritten */
    y = how == WHOLE    ? gnd_rows(t, gnd_diffuse(t, &op->a, &op->at, alpha, z, first), row, ROWS)
        : how == SINGLE ? gnd_hop_rows(t, &h, z, K)
                        : gnd_diffuse_rows(t, &h, alpha, z);
    if (how != EVALUATED)
        gnd_tape_backward(t, gnd_mean_square(t, y, 1));
    CHECK_OK(gnd_tape_check(t, &err));
    memcpy(out, gnd_tape_node(t, y)->v,
           (size_t)(gnd_tape_node(t, y)->rows * gnd_tape_node(t, y)->cols) * sizeof *out);
    memcpy(out + ROWS * F * K, dalpha, sizeof dalpha);
    memcpy(out + ROWS * F * K + K, dz, sizeof dz);
    gnd_tape_free(t);
}

static void same_hops(void **state)
{
    gnd_real plain[MAX], placed[MAX];

    (void)state;
    for (int k = 0; k < LENGTH(hubs_cases); k++) {
        gnd_operator op;

        hubs_operator(&op, &hubs_cases[k]);
        for (int how = WHOLE; how <= EVALUATED; how++)
            for (int64_t first = 0; first < 3; first++)
                for (int spend = 0; spend < 2; spend++) {
                    double far = 0;

                    pass(plain, &op, (enum how)how, first, spend);
                    op.a.hubs = op.hubs = hubs_of_operator(&op, NULL);
                    pass(placed, &op, (enum how)how, first, spend);
                    gnd_hubs_free(op.hubs);
                    op.a.hubs = op.hubs = NULL;
                    for (int64_t i = 0; i < MAX; i++)
                        far = fmax(far, fabs((double)(plain[i] - placed[i])));
                    if (far > 1e-13 || memcmp(plain, placed, sizeof plain) == 0)
                        fail_msg("%s, way %d, first %lld, spend %d: apart by %g",
                                 hubs_cases[k].name, how, (long long)first, spend, far);
                }
        gnd_operator_fini(&op);
    }
}

enum { WORDS = 40 }; /* two panels */

/* to: [hops, ROWS, WORDS] */
static void row_take(void *to, int64_t hop, int64_t i, int64_t c0, const gnd_real *v, int64_t n)
{
    memcpy((gnd_real *)to + (hop * ROWS + i) * WORDS + c0, v, (size_t)n * sizeof *v);
}

static void same_rows_of_features(void **state)
{
    static const int32_t row[ROWS] = {3, 60, 3, 17};
    const gnd_row_list rows = {row, ROWS};
    gnd_error err = {0};
    gnd_csr x;

    (void)state;
    random_matrix(&x, HUBS_N, WORDS, 3, 50);
    for (int k = 0; k < LENGTH(hubs_cases); k++) {
        gnd_operator op;

        hubs_operator(&op, &hubs_cases[k]);
        for (int64_t first = 0; first < 3; first++) {
            const gnd_powers_of of = {.a = &op.a, .x = &x, .first = first, .last = K};
            gnd_real plain[(K + 1) * ROWS * WORDS] = {0}, placed[(K + 1) * ROWS * WORDS] = {0};
            double far = 0;

            CHECK_OK(gnd_powers_dense_rows(row_take, plain, &of, rows, NULL, &err));
            op.a.hubs = op.hubs = hubs_of_operator(&op, NULL);
            CHECK_OK(gnd_powers_dense_rows(row_take, placed, &of, rows, NULL, &err));
            gnd_hubs_free(op.hubs);
            op.a.hubs = op.hubs = NULL;
            for (int64_t i = 0; i < (K + 1) * ROWS * WORDS; i++)
                far = fmax(far, fabs((double)(plain[i] - placed[i])));
            assert_true(far < 1e-13 && memcmp(plain, placed, sizeof plain) != 0);
        }
        gnd_operator_fini(&op);
    }
    gnd_csr_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_hops),
        cmocka_unit_test(same_rows_of_features),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
