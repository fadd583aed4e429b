/* SPDX-License-Identifier: MIT
 * test_tsne_nomem.c - layouts and silhouettes with 0, 1, 2, ... allowed allocations. */
#include "cloud.h"
#include "mallocfail.h"

static void walked(void **state)
{
    enum { N = 40 };
    float *x = cloud(N, 3, 2), y[2 * N];
    const gnd_point_rows rows = {x, N, 3};
    gnd_tsne_opts o = {.size = sizeof o, .early = 3, .iterations = 3, .threads = 1};
    int32_t label[N];
    double s;
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < N; i++)
        label[i] = (int32_t)(i % 2);
    NOMEM_WALK(gnd_tsne(y, NULL, &rows, &o, &err), (void)0);
    o.start = x;
    NOMEM_WALK(gnd_tsne(y, NULL, &rows, &o, &err), (void)0);
    NOMEM_WALK(gnd_silhouette(&s, &rows, label, 1, &err), assert_true(isnan(s)));
    gnd_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walked)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
