/* SPDX-License-Identifier: MIT
 * test_numbers.c - sets of numbers, and rows by number, in one process and in a part. */
#include "kern/numbers.h"

#include <string.h>

#include "base/alloc.h"
#include "check.h"
#include "kern/csr.h"

/* Members of a set by rank, against a list. */
static void members_by_rank(void **state)
{
    enum { MOST = 1000 };
    int32_t list[MOST];
    int64_t n = 0;
    gnd_vertex_bits b = {0};

    (void)state;
    assert_true(gnd_vertex_bits_reserve(&b, MOST - 1));
    for (int32_t v = 0; v < MOST; v++)
        if (v % 7 == 3 || (v > 300 && v < 420) || v == MOST - 1) {
            gnd_vertex_bits_add(&b, v);
            list[n++] = v;
        }
    assert_int_equal(gnd_vertex_bits_count(&b), n);
    for (int64_t k = 0; k < n; k++) {
        assert_int_equal(gnd_vertex_bits_at(&b, k), list[k]);
        assert_int_equal(gnd_vertex_bits_rank(&b, list[k]), k);
    }
    gnd_vertex_bits_fini(&b);
}

/* A process with vertices 2 .. 5 of eight and copies of 0 and 7, whose other process is played. */
enum { LOCAL = 6, BEGIN = 1, END = 5 };

static void sum_counts(gnd_part *p, int64_t *v, int64_t n)
{
    (void)p, (void)n;
    v[0] |= 1 << 7 | 1 << 6; /* the other process has marked vertices 6 and 7 */
}

static void share(gnd_part *p, void *x, int64_t bytes, const int32_t *at, int64_t n)
{
    double *row = x;

    (void)p;
    assert_int_equal(bytes, sizeof *row);
    assert_int_equal(n, 2);
    assert_true(at[0] == 0 && at[1] == 1);
    row[2] = 70; /* the row of vertex 7 */
}

static const gnd_part_calls calls = {.sum_counts = sum_counts, .share = share};

static void numbers_of_a_part(void **state)
{
    static const int32_t global[LOCAL] = {0, 2, 3, 4, 5, 7};
    gnd_part part = {.calls = &calls,
                     .size = 2,
                     .n_global = 8,
                     .n_local = LOCAL,
                     .begin = BEGIN,
                     .end = END,
                     .global = global};
    const gnd_numbers at = {.part = &part};
    const unsigned char mark[LOCAL] = {1, 1, 0, 0, 1, 0}; /* marks of copies do not count */
    const double x[LOCAL] = {-1, 20, 30, 40, 50, -1};
    double rows[3] = {0};
    gnd_vertex_bits b;
    int64_t count;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_numbers_marked(&b, &count, &at, mark, LOCAL, &err));
    assert_int_equal(count, 4);
    assert_int_equal(gnd_vertex_bits_at(&b, 0), 2);
    assert_int_equal(gnd_vertex_bits_at(&b, 1), 5);
    assert_int_equal(gnd_vertex_bits_at(&b, 3), 7);
    gnd_vertex_bits_fini(&b);
    CHECK_OK(gnd_numbers_rows(rows, &at, (int32_t[]){2, 5, 7}, 3, x, LOCAL, sizeof *x, &err));
    assert_true(rows[0] == 20 && rows[1] == 50 && rows[2] == 70);
}

/* Vertices that are stored in another order than their numbers. */
static void numbers_of_another_order(void **state)
{
    static const int32_t number[] = {3, 0, 2, 1};
    const gnd_numbers at = {.number = number};
    const double x[] = {30, 0, 20, 10};
    double rows[2];
    int32_t row[2];
    gnd_error err;

    (void)state;
    gnd_numbers_find(row, &at, (int32_t[]){1, 3}, 2, 4);
    assert_true(row[0] == 3 && row[1] == 0);
    CHECK_OK(gnd_numbers_rows(rows, &at, (int32_t[]){1, 3}, 2, x, 4, sizeof *x, &err));
    assert_true(rows[0] == 10 && rows[1] == 30);
    CHECK_OK(
        gnd_numbers_rows(rows, &(gnd_numbers){0}, (int32_t[]){1, 3}, 2, x, 4, sizeof *x, &err));
    assert_true(rows[0] == 0 && rows[1] == 10);
}

/* More numbers than leading bits are told apart by: i has number 7 i mod MANY. */
static void many_numbers(void **state)
{
    enum { MANY = 20011, WANTED = MANY / 3 };
    static int32_t number[MANY], list[WANTED], row[WANTED];
    const gnd_numbers at = {.number = number};

    (void)state;
    for (int32_t i = 0; i < MANY; i++)
        number[i] = 7 * i % MANY;
    for (int32_t k = 0; k < WANTED; k++)
        list[k] = 3 * k + 1;
    gnd_numbers_find(row, &at, list, WANTED, MANY);
    for (int32_t k = 0; k < WANTED; k++)
        assert_int_equal(number[row[k]], list[k]);
}

/* Most numbers are beyond the last of a short list. */
static void numbers_beyond_a_list(void **state)
{
    enum { MANY = 20011 };
    static int32_t number[MANY];
    const gnd_numbers at = {.number = number};
    int32_t row[2] = {0};

    (void)state;
    for (int32_t i = 0; i < MANY; i++)
        number[i] = MANY - 1 - i;
    gnd_numbers_find(row, &at, (int32_t[]){2, 7}, 2, MANY);
    assert_true(row[0] == MANY - 3 && row[1] == MANY - 8);
    /* 4096 numbers are told apart; this is one more */
    gnd_numbers_find(row, &at, (int32_t[]){4095, 4096}, 2, MANY);
    assert_true(row[0] == MANY - 4096 && row[1] == MANY - 4097);
    gnd_numbers_find(row, &at, NULL, 0, MANY);
}

static void own_rows_of_a_matrix(void **state)
{
    gnd_part part = {.size = 2, .n_local = 4, .begin = 1, .end = 3};
    int64_t ptr[] = {0, 2, 3, 5, 6};
    int32_t col[] = {0, 1, 2, 0, 2, 1};
    gnd_real val[] = {1, 2, 3, 4, 5, 6};
    const gnd_csr a = {
        .n_row = 4, .n_col = 3, .ptr = ptr, .col = col, .val = val, .borrowed = GND_CSR_ARRAYS};
    gnd_csr own;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_own_rows(&own, &a, &part, &err));
    assert_memory_equal(own.ptr, ((int64_t[]){0, 0, 1, 3, 3}), 5 * sizeof *ptr);
    assert_true(own.col == col + 2 && own.val == val + 2 && own.n_col == 3);
    gnd_csr_fini(&own);
    CHECK_OK(gnd_csr_own_rows(&own, &a, NULL, &err));
    assert_true(own.ptr == ptr && own.val == val);
    gnd_csr_fini(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_by_rank),          cmocka_unit_test(numbers_of_a_part),
        cmocka_unit_test(numbers_of_another_order), cmocka_unit_test(many_numbers),
        cmocka_unit_test(numbers_beyond_a_list),    cmocka_unit_test(own_rows_of_a_matrix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
