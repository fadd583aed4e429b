/* SPDX-License-Identifier: MIT
 * test_hop_distances.c - searches by words against the plainest search there is. */
#include "embed/hop_distances.h"

#include "base/alloc.h"
#include "links.h"

/* Distances by relaxing every link until nothing changes; -1: no path. */
static void plain_hops(int32_t *d, const gnd_csr *a, int64_t source)
{
    bool changed = true;

    for (int64_t i = 0; i < a->n_row; i++)
        d[i] = i == source ? 0 : -1;
    while (changed) {
        changed = false;
        for (int64_t i = 0; i < a->n_row; i++)
            for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
                for (int turn = 0; turn < 2; turn++) {
                    const int64_t u = turn ? a->col[p] : i, v = turn ? i : a->col[p];

                    if (d[u] >= 0 && (d[v] < 0 || d[v] > d[u] + 1)) {
                        d[v] = d[u] + 1;
                        changed = true;
                    }
                }
    }
}

static void check_all(const gnd_csr *adj, gnd_pool *pool)
{
    const int64_t n = adj->n_row;
    int32_t *d = calloc((size_t)n + 1, sizeof *d), largest = 0;
    gnd_csr links;
    uint8_t *hops;
    double far;
    gnd_error err;

    CHECK_OK(gnd_links_init(&links, adj, &err));
    CHECK_OK(gnd_hop_distances(&hops, &far, &links, pool, &err));
    for (int64_t s = 0; s < n; s++) {
        plain_hops(d, adj, s);
        for (int64_t v = 0; v < n; v++) {
            const int32_t want = d[v] < 0 ? GND_HOP_NONE : d[v] > 254 ? 254 : d[v];

            if (hops[s * n + v] != want)
                fail_msg("%lld to %lld: %d, expected %d", (long long)s, (long long)v,
                         hops[s * n + v], want);
            largest = d[v] > largest ? d[v] : largest;
        }
    }
    CHECK_CLOSE(far, 1.5 * (largest > 254 ? 254 : largest), 0);
    gnd_free(hops);
    gnd_csr_fini(&links);
    free(d);
}

static void agrees(void **state)
{
    const int64_t sizes[] = {1, 2, 63, 64, 65, 150, 200};

    (void)state;
    for (size_t k = 0; k < LENGTH(sizes); k++)
        for (int threads = 1; threads <= 7; threads += 3) {
            gnd_pool *pool = eager_pool(threads);
            gnd_csr a = make_chance(sizes[k], sizes[k] * 5 / 4, (uint32_t)k);

            check_all(&a, pool);
            gnd_csr_fini(&a);
            gnd_pool_free(pool);
        }
}

static void long_path_saturates(void **state)
{
    gnd_csr a = make_path(300);

    (void)state;
    check_all(&a, NULL);
    gnd_csr_fini(&a);
}

static void nothing(void **state)
{
    gnd_csr a = make_empty(0);

    (void)state;
    check_all(&a, NULL);
    gnd_csr_fini(&a);
    a = make_empty(70);
    check_all(&a, NULL);
    gnd_csr_fini(&a);
}

static void links_of(void **state)
{
    link_list l = {.n = 0};
    gnd_csr a, links;
    gnd_error err;

    (void)state;
    add_link(&l, 0, 1);
    add_link(&l, 1, 0);
    add_link(&l, 2, 2);
    add_link(&l, 2, 0);
    a = make_links(3, &l);
    CHECK_OK(gnd_links_init(&links, &a, &err));
    assert_int_equal(gnd_csr_nnz(&links), 4);
    assert_null(links.val);
    assert_true(gnd_csr_find(&links, 0, 2) >= 0 && gnd_csr_find(&links, 2, 0) >= 0);
    assert_true(gnd_csr_find(&links, 2, 2) < 0);
    gnd_csr_fini(&links);
    a.n_col = 4;
    CHECK_FAILS(gnd_links_init(&links, &a, &err), GND_ERR_SHAPE, "3 x 4");
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees),
        cmocka_unit_test(long_path_saturates),
        cmocka_unit_test(nothing),
        cmocka_unit_test(links_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
