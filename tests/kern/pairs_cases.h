/* SPDX-License-Identifier: MIT
 * pairs_cases.h - steps with pairs of every table against ref, bit for bit, ref against sums in
 * double, and the numbers that pairs hold. */
#ifndef GND_TESTS_PAIRS_CASES_H
#define GND_TESTS_PAIRS_CASES_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "kern/kern.h"
#include "kern/pair.h"

/* What rounding to a pair leaves of a number, and rounding of the sums below. */
#define PAIR_TOL (sizeof(gnd_real) == 4 ? 0x1p-8 : 0x1p-21)
#define SUM_TOL  (sizeof(gnd_real) == 4 ? 1e-4 : 1e-12)

static double uniform(uint32_t stream, int64_t i)
{
    return gnd_rng_uniform(7, stream, (uint64_t)i) * 2 - 1;
}

/* n rows of words of numbers below 1. */
static gnd_real *pairs_of(int64_t n, uint32_t stream)
{
    gnd_real *p = gnd_alloc(n * GND_PAIR_WORDS, sizeof *p);

    for (int64_t e = 0; e < n * GND_PAIR_WORDS; e++) {
        const GND_WORD word =
            gnd_pair_of((gnd_real)uniform(stream, 2 * e), (gnd_real)uniform(stream, 2 * e + 1));

        memcpy(p + e, &word, sizeof word);
    }
    return p;
}

/* Rows of up to `most` entries at random places; every third row is empty. */
static void links(gnd_csr *a, int64_t n, int64_t most, bool weights)
{
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(a, n, n, n * most, weights, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < most && i % 3 != 1; k++, p++) {
            a->col[p] = (int32_t)((uniform(1, i * most + k) + 1) / 2 * (double)n);
            if (weights)
                a->val[p] = (gnd_real)uniform(2, p);
        }
        a->ptr[i + 1] = p;
    }
}

static void check_ref(const gnd_real *y, const gnd_real *before, const gnd_pairs_step *s,
                      const gnd_csr *a)
{
    for (int64_t i = 0; i < a->n_row; i += a->n_row < 1000 ? 1 : 977)
        for (int64_t c = 0; c < GND_PAIR_COLUMNS; c++) {
            const double root = (double)s->root[i];
            double sum = 0;

            for (int64_t p = a->ptr[i]; p < a->ptr[i + 1] && s->x; p++)
                sum += (double)gnd_csr_val(a, p) *
                       (double)gnd_pair_at(s->x + a->col[p] * GND_PAIR_WORDS, c);
            sum *= (double)s->s * root * root;
            sum += (double)s->older * (double)gnd_pair_at(before + i * GND_PAIR_WORDS, c);
            if (s->z)
                sum += (double)s->c * root * (double)s->z[i * s->zs + c];
            CHECK_CLOSE(gnd_pair_at(y + i * GND_PAIR_WORDS, c), sum,
                        PAIR_TOL * fabs(sum) + SUM_TOL);
        }
}

/* Every table against ref, in two ranges of rows. terms: bits of x, the older y and z. */
static void step_case(int64_t n, int64_t most, bool weights, int terms)
{
    const int64_t zs = GND_PAIR_COLUMNS + 3, size = n * GND_PAIR_WORDS;
    gnd_real *x = pairs_of(n, 3), *before = pairs_of(n, 4), *ref = pairs_of(n, 4);
    gnd_real *z = gnd_alloc(n * zs, sizeof *z), *root = gnd_alloc(n, sizeof *root);
    gnd_csr a = {0};
    gnd_pairs_step s = {.root = root, .s = 2, .c = (gnd_real)0.3, .zs = zs};

    links(&a, n, most, weights);
    for (int64_t e = 0; e < n * zs; e++)
        z[e] = (gnd_real)uniform(5, e);
    for (int64_t i = 0; i < n; i++)
        root[i] = (gnd_real)(0.1 + fabs(uniform(6, i)));
    s.x = terms & 1 ? x : NULL;
    s.older = terms & 2 ? -1 : 0;
    s.z = terms & 4 ? z : NULL;
    s.y = ref;
    gnd_kern_ref.pairs_step(&s, &a, 0, n);
    check_ref(ref, before, &s, &a);
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = pairs_of(n, 4);

        s.y = y;
        gnd_kern_at(t)->pairs_step(&s, &a, 0, n / 2);
        gnd_kern_at(t)->pairs_step(&s, &a, n / 2, n);
        assert_memory_equal(y, ref, (size_t)size * sizeof *y);
        gnd_free(y);
    }
    gnd_csr_fini(&a);
    gnd_free(root);
    gnd_free(z);
    gnd_free(ref);
    gnd_free(before);
    gnd_free(x);
}

static void tables_agree(void **state)
{
    (void)state;
    for (int weights = 0; weights < 2; weights++) {
        for (int64_t n = 0; n < 40; n += 13)
            for (int terms = 0; terms < 8; terms++)
                step_case(n, 9, weights, terms);
        step_case(13000, 5, weights, 7);  /* rows are asked for from the L3 cache */
        step_case(400000, 2, weights, 3); /* and from memory */
    }
}

/* The error that pair.h states, for numbers of any size, and ties to even. */
static void numbers_of_pairs(void **state)
{
    const int top = sizeof(gnd_real) == 4 ? 120 : 1000;
    const double ulp = 2 * PAIR_TOL;

    (void)state;
    for (int e = -top; e < top; e += 7)
        for (int64_t i = 0; i < 500; i++) {
            const gnd_real x = (gnd_real)ldexp(1 + fabs(uniform(8, i)), e) * (i % 2 ? -1 : 1);
            const GND_WORD word = gnd_pair_of(x, -x);
            gnd_real row[GND_PAIR_WORDS] = {0};

            memcpy(row + 2, &word, sizeof word);
            CHECK_CLOSE(gnd_pair_at(row, 2) / x, 1, PAIR_TOL);
            assert_true(gnd_pair_at(row, 2 + GND_PAIR_WORDS) == -gnd_pair_at(row, 2));
        }
    assert_true(gnd_pair_of(0, 0) == 0);
    assert_true(gnd_pair_of((gnd_real)(1 + ulp / 2), 0) == gnd_pair_of(1, 0));
    assert_true(gnd_pair_of((gnd_real)(1 + 3 * ulp / 2), 0) ==
                gnd_pair_of((gnd_real)(1 + 2 * ulp), 0));
}

#define PAIRS_TESTS cmocka_unit_test(tables_agree), cmocka_unit_test(numbers_of_pairs)

#endif
