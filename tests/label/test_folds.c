/* SPDX-License-Identifier: MIT
 * test_folds.c - labels held out in turn: each once, the only label of a class never. */
#include "label/folds.h"

#include "check.h"

enum { C = 5, N = 24 };

/* Classes of 10, 1, 0, 7 and 6 labels, mixed; points in no order. */
static gnd_labelled seeds_of(int32_t *point, int32_t *cls)
{
    static const int32_t order[N] = {0, 3, 0, 4, 0, 3, 1, 0, 3, 4, 0, 3,
                                     0, 4, 0, 3, 0, 4, 3, 0, 4, 3, 0, 4};

    for (int32_t k = 0; k < N; k++) {
        point[k] = (k * 11 + 5) % 101;
        cls[k] = order[k];
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = N, .n_class = C, .sharpness = 0.25};
}

/* in holds what out does not, in the order of all, with the sharpness of all. */
static void check_parts(const gnd_folds *f, const gnd_labelled *all)
{
    int64_t at = 0;

    for (int64_t e = 0; e < all->n; e++)
        if (!f->held_out[e]) {
            assert_true(at < f->train.n);
            assert_int_equal(f->train.point[at], all->point[e]);
            assert_int_equal(f->train.cls[at++], all->cls[e]);
        }
    assert_int_equal(at, f->train.n);
    assert_int_equal(f->train.n_class, all->n_class);
    CHECK_CLOSE(f->train.sharpness, all->sharpness, 0);
}

static void each_is_left_out_once(void **state)
{
    int32_t point[N], cls[N];
    const gnd_labelled all = seeds_of(point, cls);
    gnd_error err;

    (void)state;
    for (int64_t n = 2; n <= 12; n++) {
        int64_t left[N] = {0}, size[C] = {0};
        gnd_folds f = {0};

        CHECK_OK(gnd_folds_init(&f, &all, n, &err));
        assert_int_equal(f.n, n);
        for (int64_t e = 0; e < N; e++)
            size[cls[e]]++;
        for (int64_t k = 0; k < n; k++) {
            int64_t out[C] = {0};

            gnd_folds_take(&f, k);
            check_parts(&f, &all);
            for (int64_t e = 0; e < N; e++) {
                left[e] += f.held_out[e];
                out[cls[e]] += f.held_out[e];
            }
            for (int64_t c = 0; c < C; c++) { /* as even as can be, and never all of them */
                assert_true(out[c] < size[c] || size[c] == 0);
                assert_true(size[c] < 2 ||
                            (out[c] >= size[c] / n && out[c] <= (size[c] + n - 1) / n));
            }
        }
        for (int64_t e = 0; e < N; e++)
            assert_int_equal(left[e], size[cls[e]] > 1);
        gnd_folds_fini(&f);
        assert_true(!f.held_out && !f.position && !f.class_size && !f.point && !f.cls);
        gnd_folds_fini(&f);
    }
}

/* Folds may be taken in any order, and again. */
static void folds_do_not_depend_on_each_other(void **state)
{
    int32_t point[N], cls[N];
    const gnd_labelled all = seeds_of(point, cls);
    bool first[N];
    gnd_folds f = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_folds_init(&f, &all, 3, &err));
    gnd_folds_take(&f, 1);
    memcpy(first, f.held_out, sizeof first);
    gnd_folds_take(&f, 2);
    assert_memory_not_equal(first, f.held_out, sizeof first);
    gnd_folds_take(&f, 0);
    gnd_folds_take(&f, 1);
    assert_memory_equal(first, f.held_out, sizeof first);
    check_parts(&f, &all);
    gnd_folds_fini(&f);
}

static void one_label_a_class(void **state)
{
    const int32_t point[] = {7, 3, 9}, cls[] = {2, 0, 1};
    const gnd_labelled all = {.point = point, .cls = cls, .n = 3, .n_class = 3};
    const gnd_labelled none = {.n_class = 3};
    gnd_folds f = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_folds_init(&f, &all, 2, &err));
    for (int64_t k = 0; k < 2; k++) {
        gnd_folds_take(&f, k);
        assert_int_equal(f.train.n, 3);
        check_parts(&f, &all);
    }
    gnd_folds_fini(&f);
    CHECK_OK(gnd_folds_init(&f, &none, 2, &err));
    gnd_folds_take(&f, 0);
    assert_int_equal(f.train.n, 0);
    gnd_folds_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_left_out_once),
        cmocka_unit_test(folds_do_not_depend_on_each_other),
        cmocka_unit_test(one_label_a_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
