/* SPDX-License-Identifier: MIT
 * tiles_cases.h - the kernels of tiles of every table against ref, bit for bit, ref against sums in
 * double, and halves. */
#ifndef GND_TESTS_TILES_CASES_H
#define GND_TESTS_TILES_CASES_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "kern/half.h"
#include "kern/kern.h"

/* Rounding of a sum of up to 2100 products of numbers below 1. */
#define TOL (sizeof(gnd_real) == 4 ? 1e-4 : 1e-12)

static gnd_real *numbers(int64_t n, uint32_t stream)
{
    gnd_real *p = gnd_alloc(n, sizeof *p);

    for (int64_t i = 0; i < n; i++)
        p[i] = (gnd_real)(gnd_rng_uniform(7, stream, (uint64_t)i) * 2 - 1);
    return p;
}

/* n tiles of numbers below 1; value: [n, R, GND_TILE] what they hold. */
static gnd_real *tiles_of(double *value, int64_t n, int64_t n_full, int64_t n_pair)
{
    const int64_t rows = n_full + n_pair;
    gnd_real *p = numbers(n * rows * GND_TILE, 5), *lower = numbers(n * rows * GND_TILE, 6);

    for (int64_t i = 0; i < n * rows;
         i++, value += (i - 1) % rows < n_full ? GND_TILE : 2 * GND_TILE)
        for (int64_t l = 0; l < GND_TILE; l++) {
            gnd_real *x = p + i * GND_TILE + l;
            GND_WORD word;

            value[l] = (double)*x;
            if (i % rows < n_full)
                continue;
            word = gnd_half_pair(*x, lower[i * GND_TILE + l]);
            value[l] = (double)(gnd_half_small(word, false) * GND_HALF_UNIT);
            value[GND_TILE + l] = (double)(gnd_half_small(word, true) * GND_HALF_UNIT);
            memcpy(x, &word, sizeof word);
        }
    gnd_free(lower);
    return p;
}

static void tiles_case(int64_t n, int64_t n_full, int64_t n_pair)
{
    const int64_t R = n_full + 2 * n_pair, cells = n * GND_TILE;
    double *value = gnd_alloc(cells * R, sizeof *value), dot[200], out[200];
    gnd_real *c = numbers(R, 1), *x = numbers(cells, 2), *ref = numbers(cells, 3);
    gnd_real *p = tiles_of(value, n, n_full, n_pair);
    const gnd_tiles b = {p, n, n_full, n_pair};

    for (int64_t r = 0; r < R; r++)
        dot[r] = (double)r;
    gnd_kern_ref.tiles_mix(ref, &b, c);
    gnd_kern_ref.tiles_dots(dot, &b, x);
    for (int64_t i = 0; i < cells; i++) {
        double sum = 0;

        for (int64_t r = 0; r < R; r++)
            sum += (double)c[r] * value[(i / GND_TILE * R + r) * GND_TILE + i % GND_TILE];
        CHECK_CLOSE(ref[i], sum, TOL);
    }
    for (int64_t r = 0; r < R; r++) {
        double sum = (double)r;

        for (int64_t i = 0; i < cells; i++)
            sum += (double)x[i] * value[(i / GND_TILE * R + r) * GND_TILE + i % GND_TILE];
        CHECK_CLOSE(dot[r], sum, TOL);
    }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = numbers(cells, 4);

        for (int64_t r = 0; r < R; r++)
            out[r] = (double)r;
        gnd_kern_at(t)->tiles_mix(y, &b, c);
        gnd_kern_at(t)->tiles_dots(out, &b, x);
        assert_memory_equal(y, ref, (size_t)cells * sizeof *y);
        assert_memory_equal(out, dot, (size_t)R * sizeof *dot);
        gnd_free(y);
    }
    gnd_free(p);
    gnd_free(value);
    gnd_free(c);
    gnd_free(x);
    gnd_free(ref);
}

static void tiles_agree(void **state)
{
    static const int64_t shape[][2] = {{0, 0}, {1, 0}, {0, 1}, {8, 4}, {20, 0}, {3, 70}, {65, 2}};

    (void)state;
    for (int64_t s = 0; s < LENGTH(shape); s++)
        for (int64_t n = 0; n <= 130; n += n < 3 ? 1 : 61)
            tiles_case(n, shape[s][0], shape[s][1]);
}

/* The range and the error that half.h states. */
static void halves(void **state)
{
    (void)state;
    for (int e = -14; e < 16; e++)
        for (int i = 0; i < 5000; i++) {
            const double x = ldexp(1 + gnd_rng_uniform(7, 6, (uint64_t)i), e) * (i % 2 ? -1 : 1);

            if (fabs(x) < 65504) /* else it rounds to more than there is */
                CHECK_CLOSE(gnd_half_small(gnd_half_pair(0, (gnd_real)x), true) * GND_HALF_UNIT, x,
                            ldexp(fabs(x), -11) * (1 + 1e-6));
        }
    assert_int_equal(gnd_half_of(0), 0);
    assert_true(gnd_half_small(gnd_half_pair(-3, 0), true) == 0);
    assert_true(gnd_half_small(gnd_half_pair(-3, 9), false) * GND_HALF_UNIT == -3);
    assert_int_equal(gnd_half_of((gnd_real)-0x1p-16), 0);
    assert_int_equal(gnd_half_of((gnd_real)(1 + 0x1p-11)), gnd_half_of(1)); /* ties to even */
    assert_int_equal(gnd_half_of((gnd_real)(1 + 0x3p-11)), gnd_half_of((gnd_real)(1 + 0x1p-9)));
}

#define TILES_TESTS cmocka_unit_test(tiles_agree), cmocka_unit_test(halves)

#endif
