/* SPDX-License-Identifier: MIT
 * test_walk_solve_nomem.c - walks and their equation with 0, 1, 2, ... allowed allocations. */
#include "graph/make.h"
#include "linalg/walk_solve.h"
#include "mallocfail.h"

static void walk(void **state)
{
    static const arc arcs[] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}};
    gnd_csr links = make_csr(4, 4, arcs, 6, true);
    gnd_real f[8] = {1};
    gnd_walk *w;
    gnd_error err = {0};

    (void)state;
    NOMEM_WALK(gnd_walk_new(&w, &links, NULL, NULL, &err), assert_null(w));
    NOMEM_WALK(
        (f[0] = 1,
         gnd_walk_solve(f, 2, NULL, w, &(gnd_walk_equation){.a = 0.5, .error = 1e-2}, NULL, &err)),
        (void)0);
    assert_true(f[0] > 0.5 && f[6] > 0 && f[1] == 0);
    gnd_walk_free(w);
    gnd_csr_fini(&links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walk)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
