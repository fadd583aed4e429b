/* SPDX-License-Identifier: MIT
 * Series with an operator in order of degree are those without it, in both bases and with any
 * number of threads. */
#include "../kern/hubs_cases.h"
#include "linalg/series.h"
#include "pools.h"

enum { F = 3, Z = HUBS_N * F };

static void compare(gnd_operator *op, const gnd_series *s)
{
    gnd_real x[Z], plain[Z], placed[Z], again[Z];
    gnd_pool *pool = eager_pool(3);
    gnd_hubs *h = hubs_of_operator(op, NULL);
    gnd_error err = {0};

    for (int64_t i = 0; i < Z; i++)
        x[i] = (gnd_real)(random_at(5, i) - 0.5);
    CHECK_OK(gnd_series_apply(plain, &(gnd_series_product){&op->a, s, x, F}, NULL, &err));
    op->a.hubs = h;
    CHECK_OK(gnd_series_apply(placed, &(gnd_series_product){&op->a, s, x, F}, NULL, &err));
    CHECK_OK(gnd_series_apply(again, &(gnd_series_product){&op->a, s, x, F}, pool, &err));
    gnd_pool_free(pool);
    op->a.hubs = NULL;
    gnd_hubs_free(h);
    for (int64_t i = 0; i < Z; i++)
        CHECK_CLOSE(placed[i], plain[i], 1e-13);
    assert_memory_equal(placed, again, sizeof placed);
}

static void bases(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof hubs_cases / sizeof *hubs_cases; c++) {
        gnd_operator op = {0};
        gnd_series s = {0};
        gnd_error err = {0};

        hubs_operator(&op, &hubs_cases[c]);
        CHECK_OK(gnd_series_pagerank(&s, 0.1, false, 1e-6, &err));
        compare(&op, &s);
        gnd_series_fini(&s);
        if (hubs_cases[c].kind == GND_OP_S) {
            CHECK_OK(gnd_series_pagerank(&s, 0.1, true, 1e-6, &err));
            compare(&op, &s);
            gnd_series_fini(&s);
        }
        gnd_operator_fini(&op);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bases)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
