/* SPDX-License-Identifier: MIT
 * Products in order of degree against those of the operator and of its adjoint, on one thread and
 * on three; bytes; short memory. */
#include "mallocfail.h"

#include "hubs_cases.h"
#include "kern/kern.h"
#include "pools.h"

enum { F = 5 };

static void fill(gnd_real *v, uint32_t stream)
{
    for (int64_t i = 0; i < HUBS_N * F; i++)
        v[i] = (gnd_real)(random_at(stream, i) - 0.5);
}

/* y = 0.5 z + (a or at) (x), by way of the order. */
static void product(gnd_real *y, const gnd_hubs *h, gnd_hubs_way way, const gnd_real *x,
                    const gnd_real *z, gnd_pool *pool)
{
    gnd_real px[HUBS_N * F], pz[HUBS_N * F], py[HUBS_N * F];

    gnd_hubs_enter(px, h, way, x, F, pool);
    gnd_hubs_enter(pz, h, way, z, F, pool);
    gnd_hubs_times(py, h, way, &(gnd_hubs_product){px, F, (gnd_real)0.5, pz}, pool);
    gnd_hubs_leave(y, h, way, py, F, true, pool);
}

static void check_case(const hubs_case *c, gnd_pool *pool)
{
    gnd_real x[HUBS_N * F], z[HUBS_N * F], want[HUBS_N * F], y[HUBS_N * F], again[HUBS_N * F];
    gnd_operator op;
    gnd_hubs *h;

    hubs_operator(&op, c);
    h = hubs_of_operator(&op, NULL);
    assert_int_equal(h->at != NULL, c->own_adjoint);
    assert_int_equal(h->n_range, (HUBS_N + HUBS_RANGE - 1) / HUBS_RANGE);
    for (int64_t r = 1; r < HUBS_N; r++) {
        const int32_t u = h->order[r - 1], v = h->order[r];

        assert_int_equal(h->place[v], r);
        if (!c->own_adjoint)
            assert_true(op.a.ptr[u + 1] - op.a.ptr[u] >= op.a.ptr[v + 1] - op.a.ptr[v]);
    }
    fill(x, 30);
    fill(z, 31);
    for (int back = 0; back < 2; back++) {
        gnd_kern_ref.spmm(want, back ? &op.at : &op.a, x, F, (gnd_real)0.5, z, 0, HUBS_N);
        memset(y, 0, sizeof y);
        product(y, h, back ? GND_HUBS_BACK : GND_HUBS_THERE, x, z, NULL);
        for (int64_t i = 0; i < HUBS_N * F; i++)
            if (fabs((double)(y[i] - want[i])) > 2e-6)
                fail_msg("%s, %s: %g; expected %g", c->name, back ? "back" : "there", (double)y[i],
                         (double)want[i]);
        memset(again, 0, sizeof again);
        product(again, h, back ? GND_HUBS_BACK : GND_HUBS_THERE, x, z, pool);
        assert_memory_equal(y, again, sizeof y);
    }
    gnd_hubs_free(h);
    gnd_operator_fini(&op);
}

static void products_agree(void **state)
{
    gnd_pool *pool = eager_pool(3);

    (void)state;
    for (int k = 0; k < LENGTH(hubs_cases); k++)
        check_case(&hubs_cases[k], pool);
    gnd_pool_free(pool);
}

static void within_its_bytes(void **state)
{
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < LENGTH(hubs_cases); k++) {
        gnd_hubs_limits l = {.range = HUBS_RANGE, .bytes = 0};
        gnd_operator op;
        gnd_hubs *h;
        int64_t bytes;

        hubs_operator(&op, &hubs_cases[k]);
        h = hubs_of_operator(&op, NULL);
        bytes = h->bytes;
        gnd_hubs_free(h);
        for (l.bytes = 0; l.bytes < bytes; l.bytes += 1 + l.bytes / 3) {
            CHECK_OK(gnd_hubs_new(&h, &op.a, &op.at, &l, NULL, &err));
            assert_null(h);
        }
        l.bytes = bytes;
        NOMEM_WALK(gnd_hubs_new(&h, &op.a, &op.at, &l, NULL, &err), assert_null(h));
        assert_non_null(h);
        assert_int_equal(h->bytes, bytes);
        gnd_hubs_free(h);
        gnd_operator_fini(&op);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree),
        cmocka_unit_test(within_its_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
