/* SPDX-License-Identifier: MIT
 * test_part.c - products, sums and choices over the vertices of several processes, with processes
 * that are played by this one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kern/csr.h"
#include "kern/part.h"
#include "pools.h"

/* ---- one process ---- */

typedef struct {
    const double *v;
} column;

static void add_rows(double *sum, int64_t begin, int64_t end, void *arg)
{
    const column *c = arg;

    for (int64_t i = begin; i < end; i++) {
        sum[0] += c->v[i];
        sum[1] += 1;
    }
}

static double *values_new(int64_t n)
{
    double *v = calloc((size_t)n + 1, sizeof *v);

    assert_non_null(v);
    for (int64_t i = 0; i < n; i++)
        v[i] = sin((double)i) * exp((double)(i % 40) - 20);
    return v;
}

static void sums_have_the_same_bits_on_any_pool(void **state)
{
    static const int64_t sizes[] = {0, 1, 15, 16, 17, 5000, 70000};
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        double *v = values_new(sizes[k]), want[2], got[2];
        column c = {v};
        const gnd_vertex_terms t = {NULL, sizes[k], 2, add_rows, &c};

        CHECK_OK(gnd_vertex_sum(want, &t, NULL, &err));
        assert_true(want[1] == (double)sizes[k]);
        for (int threads = 1; threads < 5; threads++) {
            gnd_pool *pool = eager_pool(threads);

            CHECK_OK(gnd_vertex_sum(got, &t, pool, &err));
            assert_memory_equal(got, want, sizeof want);
            gnd_pool_free(pool);
        }
        free(v);
    }
}

static int descending(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a < b) - (a > b);
}

static void select_finds_the_kth_largest(void **state)
{
    enum { N = 1000 };
    uint64_t key[N], sorted[N], x = 88172645463325252u;

    (void)state;
    for (int i = 0; i < N; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        key[i] = i % 7 ? x : key[i / 2]; /* some are equal */
    }
    memcpy(sorted, key, sizeof key);
    qsort(sorted, N, sizeof *sorted, descending);
    for (int k = 1; k <= N; k += 37)
        assert_true(gnd_part_select(NULL, key, N, k) == sorted[k - 1]);
}

/* ---- several processes ---- */

/* A process whose vertices 2 .. 5 of 8 are its own; the others are copies. */
enum { LOCAL = 8, BEGIN = 2, END = 6 };

typedef struct {
    gnd_part part;
    char trace[64];  /* what was called: digits are rows */
    double first[2]; /* sums of the process before this one */
} played;

static played *of(gnd_part *p)
{
    return (played *)p;
}

static void note(played *p, char c)
{
    const size_t n = strlen(p->trace);

    assert_true(n + 1 < sizeof p->trace);
    p->trace[n] = c;
}

static void fill_begin(gnd_part *p, void *x, int64_t bytes)
{
    (void)x, (void)bytes;
    note(of(p), '<');
}

static void fill_end(gnd_part *p, void *x, int64_t bytes)
{
    char *row = x;

    for (int64_t i = 0; i < LOCAL; i++)
        if (i < BEGIN || i >= END)
            memset(row + i * bytes, 0, (size_t)bytes);
    note(of(p), '>');
}

static void collect(gnd_part *p, double *all, const double *mine, int64_t n, int64_t size)
{
    memcpy(all, of(p)->first, (size_t)size * sizeof *all); /* the other process has one block */
    memcpy(all + size, mine, (size_t)(n * size) * sizeof *all);
}

static void sum_counts(gnd_part *p, int64_t *v, int64_t n)
{
    (void)p;
    for (int64_t i = 0; i < n; i++)
        v[i] *= 2; /* the other process has the same */
}

static const gnd_part_calls calls = {
    .fill_begin = fill_begin, .fill_end = fill_end, .collect = collect, .sum_counts = sum_counts};

static played play(const gnd_row_range *piece, int64_t n_piece, int64_t n_early)
{
    return (played){.part = {.calls = &calls,
                             .size = 2,
                             .n_global = 32,
                             .n_local = LOCAL,
                             .begin = BEGIN,
                             .end = END,
                             .piece = piece,
                             .n_piece = n_piece,
                             .n_early = n_early}};
}

static void trace_rows(int64_t begin, int64_t end, void *arg)
{
    for (int64_t i = begin; i < end; i++)
        note(arg, (char)('0' + i));
}

static void product_sends_before_it_computes_the_rest(void **state)
{
    static const gnd_row_range piece[] = {{2, 3}, {5, 6}, {3, 5}};
    played p = play(piece, 3, 2);
    double y[LOCAL] = {7, 7, 7, 7, 7, 7, 7, 7};

    (void)state;
    gnd_rows_product(NULL, &(gnd_rows_of){&p.part, y, sizeof *y, LOCAL, 1, 1}, trace_rows, &p);
    assert_string_equal(p.trace, "25<34>");
    assert_true(y[0] == 0 && y[BEGIN] == 7 && y[END - 1] == 7 && y[END] == 0);
}

static void sums_are_of_own_rows_and_other_processes(void **state)
{
    played p = play(NULL, 0, 0);
    double v[LOCAL] = {1000, 1000, 1, 2, 4, 8, 1000, 1000}, got[2];
    column c = {v};
    gnd_error err;

    (void)state;
    p.first[0] = 16;
    p.first[1] = 16;
    CHECK_OK(gnd_vertex_sum(got, &(gnd_vertex_terms){&p.part, LOCAL, 2, add_rows, &c}, NULL, &err));
    assert_true(got[0] == 31 && got[1] == 20);
}

static void counts_are_of_all(void **state)
{
    played p = play(NULL, 0, 0);
    gnd_csr a = {.n_row = 1, .n_col = 1, .ptr = (int64_t[]){0, 3}, .part = &p.part};

    (void)state;
    assert_int_equal(gnd_csr_nnz_total(&a), 6);
    assert_int_equal(gnd_part_total(&p.part, LOCAL), 32);
    assert_int_equal(gnd_part_total(NULL, LOCAL), LOCAL);
    assert_int_equal(gnd_part_own(&p.part, LOCAL).end, END);
}

static void a_failure_is_kept(void **state)
{
    played p = play(NULL, 0, 0);
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_part_check(&p.part, &err));
    CHECK_OK(gnd_part_check(NULL, &err));
    p.part.failed = true;
    assert_int_equal(gnd_part_check(&p.part, &err), GND_ERR_IO);
    assert_non_null(strstr(err.msg, "the other processes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_have_the_same_bits_on_any_pool),
        cmocka_unit_test(select_finds_the_kth_largest),
        cmocka_unit_test(product_sends_before_it_computes_the_rest),
        cmocka_unit_test(sums_are_of_own_rows_and_other_processes),
        cmocka_unit_test(counts_are_of_all),
        cmocka_unit_test(a_failure_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
