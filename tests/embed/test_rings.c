/* SPDX-License-Identifier: MIT
 * test_rings.c - rings against hop distances, warping against the whole table. */
#include "embed/rings.h"

#include "base/alloc.h"
#include "embed/hop_distances.h"
#include "links.h"

/* Each ring of u holds every vertex at that hop once, by degree. */
static void check_rings(const gnd_csr *adj, gnd_pool *pool)
{
    const int64_t n = adj->n_row;
    gnd_csr links;
    gnd_rings r;
    uint8_t *hops;
    double far;
    gnd_error err;

    CHECK_OK(gnd_links_init(&links, adj, &err));
    CHECK_OK(gnd_hop_distances(&hops, &far, &links, NULL, &err));
    CHECK_OK(gnd_rings_init(&r, &links, pool, &err));
    for (int64_t u = 0; u < n; u++)
        for (int k = 0; k < GND_RINGS; k++) {
            const gnd_degree_run *run = r.run + r.ptr[u * GND_RINGS + k];
            const int64_t length = gnd_ring_length(&r, u, k);
            double left = 0;

            for (int64_t v = 0; v < n; v++)
                left += hops[u * n + v] == k;
            for (int64_t p = 0; p < length; p++) {
                int64_t count = 0;

                for (int64_t v = 0; v < n; v++) {
                    const int64_t d = links.ptr[v + 1] - links.ptr[v];

                    count += hops[u * n + v] == k && (d ? (double)d : 0.5) == (double)run[p].degree;
                }
                CHECK_CLOSE(run[p].count, count, 0);
                assert_true(p == 0 || run[p].degree > run[p - 1].degree);
                left -= (double)run[p].count;
            }
            CHECK_CLOSE(left, 0, 0);
        }
    gnd_rings_fini(&r);
    gnd_free(hops);
    gnd_csr_fini(&links);
}

static void rings(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 6; k++) {
        gnd_pool *pool = eager_pool(1 + (int)k % 3);
        gnd_csr a = make_chance(40 + 60 * k, 100 + 80 * k, k);

        check_rings(&a, pool);
        gnd_csr_fini(&a);
        gnd_pool_free(pool);
    }
}

/* ---- warping ---- */

enum { LONG = 120 };

/* Two vertices, with a ring of runs each: degrees grow by chance. */
static gnd_rings made_rings(int64_t la, int64_t lb, uint32_t stream)
{
    gnd_rings r = {.n = 2, .longest = LONG};
    float degree = 1;

    r.ptr = gnd_alloc(2 * GND_RINGS + 1, sizeof *r.ptr);
    r.run = gnd_alloc(la + lb, sizeof *r.run);
    for (int64_t i = 0; i < la + lb; i++) {
        if (i == la)
            degree = 1;
        degree += (float)floor(1 + 6 * gnd_rng_uniform(9, stream, (uint64_t)(2 * i)));
        r.run[i] = (gnd_degree_run){
            degree, 1 / degree,
            (float)floor(1 + 9 * gnd_rng_uniform(9, stream, (uint64_t)(2 * i + 1)))};
    }
    for (int k = 1; k <= 2 * GND_RINGS; k++)
        r.ptr[k] = k <= GND_RINGS ? la : la + lb; /* ring 0 has all */
    return r;
}

static double whole_table(const gnd_rings *r, int64_t la, int64_t lb)
{
    static double t[LONG][LONG];

    for (int64_t i = 0; i < la; i++)
        for (int64_t j = 0; j < lb; j++) {
            const gnd_degree_run a = r->run[i], b = r->run[la + j];
            const double ratio = fmax(a.degree, b.degree) / fmin(a.degree, b.degree);
            double best = i + j ? INFINITY : 0;

            if (i > 0)
                best = fmin(best, t[i - 1][j]);
            if (j > 0)
                best = fmin(best, t[i][j - 1]);
            if (i > 0 && j > 0)
                best = fmin(best, t[i - 1][j - 1]);
            t[i][j] = best + (ratio - 1) * fmax(a.count, b.count);
        }
    return t[la - 1][lb - 1];
}

static void warping(void **state)
{
    float scratch[2 * LONG];

    (void)state;
    for (uint32_t k = 0; k < 300; k++) {
        const int64_t most = k < 150 ? 20 : LONG;
        const int64_t la = 1 + (int64_t)(gnd_rng_uniform(1, 1, k) * (double)most) % most;
        const int64_t lb = 1 + (int64_t)(gnd_rng_uniform(1, 2, k) * (double)most) % most;
        gnd_rings r = made_rings(la, lb, k);
        const double want = whole_table(&r, la, lb);
        const double got = gnd_ring_distance(&r, 0, 1, 0, scratch);

        if (la * lb <= 400)
            CHECK_CLOSE(got, want, 1e-5 * (1 + want));
        else /* the band may miss the best way, by little */
            assert_true(got >= want * (1 - 1e-5) && got <= 1.02 * want + 1e-5);
        CHECK_CLOSE(gnd_ring_distance(&r, 0, 0, 0, scratch), 0, 0);
        gnd_rings_fini(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rings), cmocka_unit_test(warping)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
