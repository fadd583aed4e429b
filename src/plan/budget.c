/* SPDX-License-Identifier: MIT
 * budget.c - the memory budget of a training run. */
#include "budget.h"

#include "base/status.h"
#include "cost.h"

gnd_budget gnd_budget_of(int64_t memory, int64_t nnz)
{
    const int64_t operators = nnz < INT64_MAX / OPERATOR_ENTRY ? nnz * OPERATOR_ENTRY : INT64_MAX;

    if (memory != 0)
        return (gnd_budget){.total = memory > 0 ? memory : 0};
    return (gnd_budget){.total = operators > GND_MEMORY_DEFAULT ? operators : GND_MEMORY_DEFAULT};
}

bool gnd_budget_take(gnd_budget *b, int64_t bytes)
{
    if (bytes > gnd_budget_left(b))
        return false;
    b->spent += bytes;
    return true;
}

void gnd_budget_spend(gnd_budget *b, int64_t bytes)
{
    const int64_t left = gnd_budget_left(b);

    b->spent += bytes < left ? bytes : left;
}
