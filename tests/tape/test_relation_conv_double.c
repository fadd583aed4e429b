/* SPDX-License-Identifier: MIT
 * Relations on rows that every pass requests, where the rows read are kept from pass to
 * pass: values and gradients are those of passes that keep nothing. */
#include "check.h"

#include "base/rng.h"
#include "tape/ops.h"

enum { N = 40, K = 3, D = 5, H = 4, MANY = 30 };

static gnd_csr made(int64_t cols, double density, uint32_t stream)
{
    gnd_error err = {0};
    int64_t p = 0;
    gnd_csr a;

    CHECK_OK(gnd_csr_init(&a, N, cols, N * cols, true, &err));
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < cols; j++)
            if (gnd_rng_uniform(2, stream, (uint64_t)(i * cols + j)) < density) {
                a.col[p] = (int32_t)j;
                a.val[p++] = (gnd_real)gnd_rng_uniform(3, stream, (uint64_t)(i * cols + j));
            }
        a.ptr[i + 1] = p;
    }
    return a;
}

/* Values to out, gradients of the mean of their squares to grad. */
static void pass(gnd_tape *t, const gnd_operators *a, const gnd_csr *x, gnd_real *w, gnd_real *grad,
                 gnd_real *out, const int32_t *rows, int64_t n, bool again)
{
    gnd_error err = {0};
    gnd_row_list to = {rows, n}, read;
    gnd_var y;

    gnd_tape_reset(t, true, 0);
    if (again)
        gnd_tape_request_again(t, rows, n);
    else
        gnd_tape_request(t, rows, n);
    memset(grad, 0, K * D * H * sizeof *grad);
    to = gnd_rows_read(t, a, to);
    read = gnd_rows_read(t, a, to);
    y = gnd_relation_conv(t, a, to, gnd_rows(t, gnd_sparse(t, x), read.row, read.n),
                          gnd_parameter(t, w, grad, K * D, H));
    gnd_tape_backward(t, gnd_mean_square(t, y, 1));
    CHECK_OK(gnd_tape_check(t, &err));
    assert_true(gnd_tape_node(t, y)->rows <= N);
    memcpy(out, gnd_tape_node(t, y)->v, (size_t)(gnd_tape_node(t, y)->rows * K * H) * sizeof *out);
}

static void kept_and_made(void **state)
{
    /* few pairs; most of them */
    static const double density[] = {0.02, 0.2};
    int32_t rows[MANY];

    (void)state;
    for (int32_t i = 0; i < MANY; i++)
        rows[i] = (i * 7 + 2) % N;
    for (int c = 0; c < LENGTH(density); c++) {
        gnd_csr op[K] = {made(N, density[c], 1), made(N, density[c], 2), made(N, density[c], 3)};
        gnd_csr x = made(D, 0.5, 9);
        const gnd_csr *const list[K] = {&op[0], &op[1], &op[2]};
        const gnd_operators a = {list, K};
        gnd_real w[K * D * H], grad[2][K * D * H], out[2][N * K * H] = {{0}};
        gnd_tape *t[2] = {NULL, NULL};
        gnd_error err = {0};

        CHECK_OK(gnd_tape_new(&t[0], NULL, &err));
        CHECK_OK(gnd_tape_new(&t[1], NULL, &err));
        for (uint32_t epoch = 0; epoch < 6; epoch++) {
            const int64_t n = epoch % 2 ? MANY : 3; /* two lists in turn */

            for (int64_t i = 0; i < K * D * H; i++)
                w[i] = (gnd_real)(gnd_rng_uniform(8, epoch, (uint64_t)i) - 0.5);
            for (int k = 0; k < 2; k++)
                pass(t[k], &a, &x, w, grad[k], out[k], rows, n, k == 1);
            for (int64_t i = 0; i < K * D * H; i++)
                CHECK_CLOSE(grad[0][i], grad[1][i], 1e-15);
            for (int64_t i = 0; i < N * K * H; i++)
                CHECK_CLOSE(out[0][i], out[1][i], 1e-15);
        }
        gnd_tape_free(t[0]);
        gnd_tape_free(t[1]);
        gnd_csr_fini(&x);
        for (int k = 0; k < K; k++)
            gnd_csr_fini(&op[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_and_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
