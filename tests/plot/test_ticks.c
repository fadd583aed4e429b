/* SPDX-License-Identifier: MIT
 * test_ticks.c - ranges of axes, and round values with short texts. */
#include "check.h"
#include "plot/ticks.h"

/* The labels of a range, separated by blanks; "." is a tick without label. */
static const char *labels(char buf[512], double low, double high, bool log, int want)
{
    const gnd_range r = {low, high, log};
    gnd_tick tick[GND_TICKS];
    const int64_t n = gnd_ticks_make(tick, &r, want);

    buf[0] = '\0';
    for (int64_t i = 0; i < n; i++) {
        assert_true(tick[i].at >= low - 1e-9 * fabs(low) && tick[i].at <= high * (1 + 1e-9));
        assert_true(i == 0 || tick[i].at > tick[i - 1].at);
        strcat(strcat(buf, i ? " " : ""), tick[i].text[0] ? tick[i].text : ".");
    }
    return buf;
}

static void linear(void **state)
{
    char buf[512];

    (void)state;
    assert_string_equal(labels(buf, 0, 1, false, 5), "0 0.2 0.4 0.6 0.8 1.0");
    assert_string_equal(labels(buf, 43.7, 84.2, false, 4), "60 80");
    assert_string_equal(labels(buf, 43.7, 84.2, false, 5), "50 60 70 80");
    assert_string_equal(labels(buf, -0.3, 0.3, false, 3), "-0.2 0 0.2");
    assert_string_equal(labels(buf, 0, 30, false, 3), "0 10 20 30");
    assert_string_equal(labels(buf, 0, 2e6, false, 2), "0 10^6 2\xc3\x97"
                                                       "10^6");
    assert_string_equal(labels(buf, 0, 3e-7, false, 3), "0 10^-7 2\xc3\x97"
                                                        "10^-7 3\xc3\x97"
                                                        "10^-7");
}

static void logarithmic(void **state)
{
    char buf[512];

    (void)state;
    assert_string_equal(labels(buf, 1, 20, true, 5), "1 2 . . 5 . . . . 10 20");
    assert_string_equal(labels(buf, 0.95, 150, true, 5),
                        "1 . . . . . . . . 10 . . . . . . . . 100");
    assert_string_equal(labels(buf, 1, 1e12, true, 4), "1 . . 1000 . . 10^6 . . 10^9 . . 10^12");
}

static void ranges(void **state)
{
    gnd_range r = gnd_range_make(10, 20, false);

    (void)state;
    CHECK_CLOSE(r.low, 9.6, 1e-12);
    CHECK_CLOSE(r.high, 20.4, 1e-12);
    CHECK_CLOSE(gnd_range_share(&r, 15), 0.5, 1e-12);
    r = gnd_range_make(1, 100, true);
    CHECK_CLOSE(gnd_range_share(&r, 10), 0.5, 1e-12);
    assert_true(r.low > 0 && r.low < 1 && r.high > 100);
    assert_true(isnan(gnd_range_share(&r, 0)));
    for (int log = 0; log < 2; log++) { /* nothing to show, and one value */
        r = gnd_range_make(INFINITY, -INFINITY, log);
        assert_true(r.low < r.high);
        r = gnd_range_make(3, 3, log);
        assert_true(r.low < 3 && 3 < r.high);
        r = gnd_range_make(0, 0, log);
        assert_true(r.low < r.high && (!log || r.low > 0));
    }
}

static void texts(void **state)
{
    char buf[GND_TICK_TEXT];

    (void)state;
    assert_string_equal(gnd_decimal_text(buf, 1.125, 2), "1.13");
    assert_string_equal(gnd_decimal_text(buf, -0.001, 2), "0.00");
    assert_string_equal(gnd_decimal_text(buf, -12.5, 1), "-12.5");
    assert_string_equal(gnd_decimal_text(buf, 7, 0), "7");
    gnd_tick_name(buf, 0.25);
    assert_string_equal(buf, "0.25");
    gnd_tick_name(buf, 100);
    assert_string_equal(buf, "100");
    gnd_tick_name(buf, 0);
    assert_string_equal(buf, "0");
    gnd_tick_name(buf, 2e7);
    assert_string_equal(buf, "2\xc3\x97"
                             "10^7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear),
        cmocka_unit_test(logarithmic),
        cmocka_unit_test(ranges),
        cmocka_unit_test(texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
