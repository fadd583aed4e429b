/* SPDX-License-Identifier: MIT
 * test_feature_cells.c - features from numbers, categories and missing values. */
#include "textfiles.h"

#include "io/categories.h"
#include "io/feature_cells.h"

static gnd_csv_field field(const char *s)
{
    return (gnd_csv_field){s, strlen(s)};
}

/* Two columns: numbers and text; row 2 has neither. */
static gnd_status make(gnd_csr *out, gnd_missing missing, const int32_t *place, gnd_notes *notes,
                       gnd_error *err)
{
    static const char *const color[] = {"red", "blue", NULL, "red"};
    gnd_cells c = {0};
    gnd_status st;

    *out = (gnd_csr){0};
    GND_TRY(gnd_cells_init(&c, 2, err));
    c.column[1].is_text = true;
    c.column[1].name = field("color");
    for (int32_t i = 0; i < 4; i++) {
        if (!color[i]) {
            GND_TRY(gnd_cells_missing(&c, i, 0, err));
            GND_TRY(gnd_cells_missing(&c, i, 1, err));
            continue;
        }
        GND_TRY(gnd_cells_number(&c, i, 0, 2.0 * i, err));
        GND_TRY(gnd_cells_text(&c, i, 1, field(color[i]), err));
    }
    GND_TRY(gnd_cells_features(out, &c, 4, place, missing, "f", notes, err));
out:
    gnd_cells_fini(&c);
    return st;
}

static double at(const gnd_csr *x, int64_t i, int32_t j)
{
    const int64_t p = gnd_csr_find(x, i, j);

    return p < 0 ? 0 : (double)gnd_csr_val(x, p);
}

static void test_features(void **state)
{
    static const int32_t place[] = {3, 2, 1, 0};
    gnd_csr x;
    gnd_notes notes = {0};
    gnd_error err = {0};

    (void)state;
    CHECK_OK(make(&x, GND_MISSING_ZERO, NULL, &notes, &err));
    assert_int_equal(x.n_col, 3); /* the number, blue, red */
    assert_true(at(&x, 1, 0) == 2 && at(&x, 3, 0) == 6 && at(&x, 2, 0) == 0);
    assert_true(at(&x, 0, 2) == 1 && at(&x, 1, 1) == 1 && at(&x, 3, 2) == 1 && at(&x, 0, 1) == 0);
    assert_int_equal(notes.n, 3);
    assert_string_equal(notes.list[0].code, "text_column_categories");
    assert_string_equal(notes.list[1].code, "missing_values");
    assert_non_null(
        strstr(notes.list[2].text, "1 missing value in 1 column of text is no category"));
    gnd_csr_fini(&x);
    CHECK_OK(make(&x, GND_MISSING_MEAN, place, NULL, &err));
    CHECK_CLOSE(at(&x, 1, 0), (double)(gnd_real)(8.0 / 3), 0); /* row 2 is at 1 */
    assert_true(at(&x, 0, 0) == 6 && at(&x, 1, 1) == 0 && at(&x, 1, 2) == 0);
    gnd_csr_fini(&x);
    gnd_notes_fini(&notes);
}

/* Too many texts are no categories; nor are texts that hardly repeat. */
static void test_limits(void **state)
{
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 3; k++) {
        const int n = k == 0 ? GND_CATEGORY_MAX : GND_CATEGORY_MAX + 1;
        const int rows = k == 2 ? 300 : 2 * n;
        gnd_cells c;
        gnd_csr x;
        char buf[16];

        CHECK_OK(gnd_cells_init(&c, 2, &err));
        c.column[0].is_text = true;
        for (int32_t i = 0; i < rows; i++) {
            snprintf(buf, sizeof buf, "%d", k == 2 ? i % 200 : i % n);
            CHECK_OK(gnd_cells_text(&c, i, 0, field(buf), &err));
        }
        CHECK_OK(gnd_cells_number(&c, 0, 1, 5, &err));
        CHECK_OK(gnd_cells_features(&x, &c, rows, NULL, GND_MISSING_ZERO, "f", NULL, &err));
        assert_int_equal(x.n_col, k == 0 ? GND_CATEGORY_MAX + 1 : 1);
        assert_true(at(&x, 0, (int32_t)x.n_col - 1) == 5);
        gnd_csr_fini(&x);
        gnd_cells_fini(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
