/* SPDX-License-Identifier: MIT
 * keep.c - sparse, dense or not kept, by sizes and the memory budget. */
#include "keep.h"

#include "cost.h"

/* x y, at most INT64_MAX; x, y >= 0. */
static int64_t times(int64_t x, int64_t y)
{
    int64_t xy;

    return __builtin_mul_overflow(x, y, &xy) ? INT64_MAX : xy;
}

int64_t gnd_keep_bytes(gnd_keep how, const gnd_keep_sizes *s)
{
    switch (how) {
    case GND_KEEP_SPARSE:
        return times(s->nnz, SPARSE_ENTRY);
    case GND_KEEP_DENSE:
        return times(times(s->rows, s->cols), VALUE);
    default:
        return 0;
    }
}

int64_t gnd_keep_entries_bytes(int64_t nnz)
{
    return times(nnz, SPARSE_ENTRY);
}

int64_t gnd_keep_full_rows_bytes(int64_t n_row, int64_t n_col)
{
    return times(times(n_row, n_col), SPARSE_ENTRY);
}

/* ---- powers ---- */

gnd_keep gnd_keep_power_guess(const gnd_keep_sizes *s, const gnd_budget *b)
{
    const int64_t dense = times(s->rows, s->cols), left = gnd_budget_left(b) / VALUE;

    if (s->nnz_b > dense / POWER_FILL)
        return GND_KEEP_DENSE;
    /* Rows of A share columns, but rarely more than POWER_FILL on average. */
    return dense > left && s->work / POWER_FILL > left ? GND_KEEP_NONE : GND_KEEP_SPARSE;
}

gnd_keep gnd_keep_power_choose(const gnd_keep_sizes *s, const gnd_budget *b)
{
    const int64_t left = gnd_budget_left(b);

    if (s->nnz <= times(s->rows, s->cols) / POWER_FILL && s->nnz <= left / SPARSE_ENTRY)
        return GND_KEEP_SPARSE;
    return gnd_keep_bytes(GND_KEEP_DENSE, s) <= left ? GND_KEEP_DENSE : GND_KEEP_NONE;
}

bool gnd_keep_power_rows(const gnd_keep_sizes *s, int64_t hops, const gnd_budget *b)
{
    const int64_t bytes = times(hops, gnd_keep_bytes(GND_KEEP_DENSE, s));

    return bytes <= gnd_budget_left(b) && s->cols <= times(TYPICAL_EPOCHS, s->width);
}

/* ---- the first layer ---- */

/* Values that may be kept; cost is counted in dense values, of which a sparse entry takes
 * FIRST_FILL, in time and in memory. */
static int64_t first_most(const gnd_budget *b)
{
    const int64_t left = gnd_budget_left(b) / VALUE;

    return left < FIRST_WORDS ? left : FIRST_WORDS;
}

/* Cost of X W and then A (X W), per column of W: what storing A X saves. An entry costs less than
 * FIRST_FILL if fewer bytes are read. */
static int64_t separate_cost(const gnd_keep_sizes *s)
{
    return FIRST_FILL * s->nnz_a + s->nnz_b +
           s->nnz_b * (FIRST_FILL - 1) * s->bytes_b / SPARSE_ENTRY;
}

bool gnd_keep_first_worth_counting(const gnd_keep_sizes *s, const gnd_budget *b)
{
    return s->work / FIRST_PASSES <= separate_cost(s) * s->width && s->rows < FIRST_WORDS &&
           s->cols > 0 && first_most(b) > 0;
}

gnd_keep gnd_keep_first_choose(const gnd_keep_sizes *s, const gnd_budget *b)
{
    const int64_t dense = times(s->rows, s->cols), sparse = FIRST_FILL * s->nnz;
    const int64_t cost = dense < sparse ? dense : sparse;

    if (cost >= separate_cost(s) || s->work / FIRST_PASSES > (separate_cost(s) - cost) * s->width ||
        cost > first_most(b))
        return GND_KEEP_NONE;
    return cost == dense ? GND_KEEP_DENSE : GND_KEEP_SPARSE;
}

/* ---- rows of a series ---- */

bool gnd_keep_series_rows(const gnd_series_sizes *s, const gnd_budget *b)
{
    const double rows = (double)s->n_row, n = (double)s->n_node, C = (double)s->n_class;
    const double series = (double)s->n_term * (double)(s->nnz + s->n_node);
    const double passes = PI_PATIENCES * (double)s->patience;

    if (rows * n * VALUE > (double)gnd_budget_left(b))
        return false;
    return PI_UNIT * rows * series + passes * PI_DENSE * rows * n * C < passes * series * C;
}
