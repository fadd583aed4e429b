/* SPDX-License-Identifier: MIT
 * ticks.c - the range of an axis and its ticks.
 *
 * Steps are 1, 2 or 5 times a power of ten. Values are multiples of the step, not sums, and powers
 * of ten are exact, so the same data give the same texts on every machine. */
#include "ticks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLAIN_LOW = -4, PLAIN_HIGH = 5 }; /* powers of ten whose labels have no exponent */

/* 10^k, exact for 0 <= k <= 22. */
static double power_of_ten(int k)
{
    double v = 1;

    for (int i = 0; i < (k < 0 ? -k : k); i++)
        v *= 10;
    return k < 0 ? 1 / v : v;
}

/* The largest k with 10^k <= v, v > 0. */
static int decade_of(double v)
{
    int k = (int)floor(log10(v));

    while (power_of_ten(k) > v)
        k--;
    while (power_of_ten(k + 1) <= v)
        k++;
    return k;
}

const char *gnd_decimal_text(char *buf, double v, int decimals)
{
    const double scaled = round(fabs(v) * power_of_ten(decimals));
    const int64_t all = (int64_t)fmin(scaled, 9e18), unit = (int64_t)power_of_ten(decimals);
    const char *sign = v < 0 && all > 0 ? "-" : "";

    if (decimals == 0)
        snprintf(buf, GND_TICK_TEXT, "%s%" PRId64, sign, all);
    else
        snprintf(buf, GND_TICK_TEXT, "%s%" PRId64 ".%0*" PRId64, sign, all / unit, decimals,
                 all % unit);
    return buf;
}

gnd_range gnd_range_make(double low, double high, bool log)
{
    const double share = 0.04; /* of the data's extent, on each side */
    gnd_range r = {low, high, log};

    if (!(low <= high) || (log && !(low > 0)))
        return log ? (gnd_range){1, 10, true} : (gnd_range){0, 1, false};
    if (log) {
        const double factor = high > low ? pow(high / low, share) : 2;

        r.low = low / factor;
        r.high = high * factor;
    } else {
        const double more = high > low ? share * (high - low) : fmax(fabs(low) / 10, 0.5);

        r.low = low - more;
        r.high = high + more;
    }
    return r;
}

double gnd_range_share(const gnd_range *r, double v)
{
    if (r->log)
        return v > 0 ? log10(v / r->low) / log10(r->high / r->low) : NAN;
    return (v - r->low) / (r->high - r->low);
}

/* m * 10^k as a label, m a small integer. */
static void label_make(char *buf, int64_t m, int k)
{
    char digits[GND_TICK_TEXT];

    if (m == 0) {
        snprintf(buf, GND_TICK_TEXT, "0");
    } else if (k >= PLAIN_LOW && k < PLAIN_HIGH) {
        gnd_decimal_text(buf, (double)m * power_of_ten(k), k < 0 ? -k : 0);
    } else if (m == 1) {
        snprintf(buf, GND_TICK_TEXT, "10^%d", k);
    } else {
        gnd_decimal_text(digits, (double)m, 0);
        snprintf(buf, GND_TICK_TEXT,
                 "%.10s\xc3\x97"
                 "10^%d",
                 digits, k);
    }
}

static int64_t linear_ticks(gnd_tick *out, const gnd_range *r, int want)
{
    static const int nice[] = {1, 2, 5, 10};
    const double rough = (r->high - r->low) / want;
    const int k = decade_of(rough);
    int64_t n = 0, first, last;
    int pick = 0;

    while (pick < 3 && nice[pick] * power_of_ten(k) < rough * 0.999)
        pick++;
    first = (int64_t)ceil(r->low / (nice[pick] * power_of_ten(k)) - 1e-9);
    last = (int64_t)floor(r->high / (nice[pick] * power_of_ten(k)) + 1e-9);
    for (int64_t i = first; i <= last && n < GND_TICKS; i++) {
        out[n].at = (double)(i * nice[pick]) * power_of_ten(k);
        if (nice[pick] == 10)
            label_make(out[n].text, i, k + 1);
        else
            label_make(out[n].text, i * nice[pick], k);
        n++;
    }
    return n;
}

/* Ticks at every power of ten, and unless there are many of them at their multiples. */
static int64_t log_ticks(gnd_tick *out, const gnd_range *r, int want)
{
    const int from = decade_of(r->low), to = decade_of(r->high), decades = to - from;
    const int every = decades > want ? (decades + want - 1) / want : 1;
    const bool few = log10(r->high / r->low) < 1.8; /* 2 and 5 have labels too */
    int64_t n = 0;

    for (int k = from; k <= to; k++)
        for (int m = 1; m <= (decades <= 8 ? 9 : 1) && n < GND_TICKS; m++) {
            const double at = m * power_of_ten(k);

            if (at < r->low * (1 - 1e-9) || at > r->high * (1 + 1e-9))
                continue;
            out[n].at = at;
            out[n].text[0] = '\0';
            if ((m == 1 && k % every == 0) || (few && (m == 2 || m == 5)))
                label_make(out[n].text, m, k);
            n++;
        }
    return n;
}

int64_t gnd_ticks_make(gnd_tick *out, const gnd_range *r, int want)
{
    return r->log ? log_ticks(out, r, want) : linear_ticks(out, r, want);
}

void gnd_tick_name(char *buf, double v)
{
    char *end;

    if (v != 0 && (fabs(v) >= 1e6 || fabs(v) < 1e-4)) {
        const int k = decade_of(fabs(v));

        label_make(buf, (int64_t)round(v / power_of_ten(k)), k);
        return;
    }
    gnd_decimal_text(buf, v, 6);
    end = buf + strlen(buf);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
}
