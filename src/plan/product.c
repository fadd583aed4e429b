/* SPDX-License-Identifier: MIT
 * product.c - when products with an operator are made in parts. */
#include "product.h"

#include "cost.h"

static bool is_dense_enough(const gnd_product_sizes *s)
{
    return s->nnz / ENTRIES_A_ROW > s->n_row;
}

bool gnd_product_by_ranges(const gnd_product_sizes *s)
{
    return s->n_col > RANGES_FROM / (s->width * s->value) && is_dense_enough(s);
}

int64_t gnd_product_range(const gnd_product_sizes *s)
{
    const int64_t most = RANGE_BYTES / (s->width * s->value);
    const int64_t n = most > 1 ? (s->n_col + most - 1) / most : s->n_col;

    return (s->n_col + n - 1) / n;
}

int64_t gnd_product_hub_range(const gnd_product_sizes *s)
{
    const int64_t most = HUB_RANGE_BYTES / (s->width * s->value);

    return most > 1 ? most : 1;
}

bool gnd_product_by_hubs(const gnd_product_sizes *s)
{
    const int64_t ranges = s->n_col / gnd_product_hub_range(s) + 1;

    return s->n_col > HUBS_FROM / (s->width * s->value) && is_dense_enough(s) &&
           s->nnz / (HUB_ENTRIES * ranges) >= s->n_row;
}

int64_t gnd_product_near(const gnd_product_sizes *s)
{
    return NEAR_BYTES / (s->width * s->value);
}

bool gnd_product_by_panels(const gnd_product_sizes *s)
{
    const int64_t last = s->width % GND_PANEL == 0 ? GND_PANEL : s->width % GND_PANEL;

    return s->width != GND_PANEL && last >= PANEL_LEAST &&
           s->n_col > PANELS_FROM / (s->width * s->value) && is_dense_enough(s);
}

bool gnd_product_short(const gnd_product_sizes *s)
{
    return s->nnz <= s->n_row * SHORT_UP_TO;
}

bool gnd_product_by_groups(const gnd_product_sizes *s)
{
    return gnd_product_short(s) || (s->nnz <= s->n_row * GROUPS_UP_TO && s->nnz <= GROUP_ENTRIES);
}

bool gnd_product_ahead(const gnd_product_sizes *s)
{
    return s->nnz / AHEAD_FROM >= s->n_row;
}

bool gnd_product_narrow(const gnd_product_sizes *s)
{
    return s->n_col <= UINT16_MAX + 1 && s->nnz * s->width >= NARROW_FROM;
}

bool gnd_product_by_masks(const gnd_product_sizes *s)
{
    return s->n_row >= MASKED_ROWS && s->nnz <= s->n_row * MASKED_UP_TO;
}

int64_t gnd_product_masks_bytes(const gnd_product_sizes *s)
{
    return s->nnz * SPARSE_ENTRY + s->n_row * MASKED_ROW;
}

int64_t gnd_product_groups_bytes(const gnd_product_sizes *s)
{
    return s->nnz * SPARSE_ENTRY + s->n_row * GROUP_ROW;
}
