/* SPDX-License-Identifier: MIT
 * test_hop_tiles.c - hops in tiles, with a number of cells that is not whole tiles. */
#include "kern/hop_tiles.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"

enum { CELLS = 101, K = 5, PIECE = 7 };

static gnd_real value(int64_t k, int64_t i)
{
    return (gnd_real)(gnd_rng_uniform(3, (uint32_t)k, (uint64_t)i) - 0.5);
}

static void sums_over_hops(void **state)
{
    gnd_real alpha[K] = {1, -2, (gnd_real)0.5, 0, 3}, a[K], y[CELLS + 1], x[CELLS], got[K] = {1};
    gnd_hop_tiles s;
    double dot[K], part[K];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_hop_tiles_init(&s, CELLS, K, &err));
    for (int64_t k = 0; k < K; k++)
        for (int64_t i = 0; i < CELLS; i += PIECE) {
            gnd_real v[PIECE];

            for (int64_t p = 0; p < PIECE; p++)
                v[p] = value(k, i + p);
            gnd_hop_tiles_put(&s, k, i, v, i + PIECE < CELLS ? PIECE : CELLS - i);
        }
    gnd_hop_tiles_weights(a, &s, alpha);
    y[CELLS] = 42;
    for (int64_t i = 0; i < CELLS; i += 2 * GND_TILE)
        gnd_hop_tiles_mix(y + i, &s, a, i, i + 2 * GND_TILE < CELLS ? i + 2 * GND_TILE : CELLS);
    assert_true(y[CELLS] == 42);
    for (int64_t i = 0; i < CELLS; i++) {
        double sum = 0;

        for (int64_t k = 0; k < K; k++)
            sum += (double)alpha[k] * (double)value(k, i);
        CHECK_CLOSE(y[i], sum, 1e-6);
        x[i] = value(9, i);
    }
    gnd_hop_tiles_dots(dot, &s, x, 0, 3 * GND_TILE);
    gnd_hop_tiles_dots(part, &s, x + 3 * GND_TILE, 3 * GND_TILE, CELLS);
    for (int64_t k = 0; k < K; k++)
        dot[k] += part[k];
    gnd_hop_tiles_unweigh(got, &s, dot);
    for (int64_t k = 0; k < K; k++) {
        double sum = k == 0; /* it is added to */

        for (int64_t i = 0; i < CELLS; i++)
            sum += (double)value(k, i) * (double)x[i];
        CHECK_CLOSE(got[k], sum, 1e-5);
    }
    gnd_hop_tiles_fini(&s);
}

static void too_many(void **state)
{
    gnd_hop_tiles s;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_hop_tiles_init(&s, INT64_MAX / 64, 100, &err), GND_ERR_NOMEM, "no memory");
    assert_null(s.tile);
    CHECK_OK(gnd_hop_tiles_init(&s, 0, 3, &err));
    gnd_hop_tiles_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_hops),
        cmocka_unit_test(too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
