/* SPDX-License-Identifier: MIT
 * categories.h - texts as features: one binary feature for each different text of a column. */
#ifndef GND_IO_CATEGORIES_H
#define GND_IO_CATEGORIES_H

#include <stdbool.h>
#include <stdint.h>

/* A column with more different texts than this is not one of categories. */
enum { GND_CATEGORY_MAX = 256 };

/* Are these texts categories? n_value: rows that have a text; n_distinct: different texts. Texts
 * that differ in nearly every row are names. */
static inline bool gnd_is_category(int64_t n_value, int64_t n_distinct)
{
    return n_distinct >= 1 && n_distinct <= GND_CATEGORY_MAX && 2 * n_distinct <= n_value + 2;
}

#endif
