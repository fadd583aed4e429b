/* SPDX-License-Identifier: MIT
 * budget.h - bytes that may be spent on what makes passes faster.
 *
 * One budget is made for a training run before anything is prepared for it. A function that keeps a
 * matrix only to be faster takes the bytes from it. */
#ifndef GND_PLAN_BUDGET_H
#define GND_PLAN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t total, spent; /* bytes */
} gnd_budget;

/* memory: as in gnd_train_opts, bytes; below 0: nothing; 0: the default for an operator with nnz
 * entries. */
gnd_budget gnd_budget_of(int64_t memory, int64_t nnz);

static inline int64_t gnd_budget_left(const gnd_budget *b)
{
    return b->spent < b->total ? b->total - b->spent : 0;
}

/* Takes the bytes, or nothing and says false if they are not left. */
bool gnd_budget_take(gnd_budget *b, int64_t bytes);
/* Takes the bytes, or all that is left. */
void gnd_budget_spend(gnd_budget *b, int64_t bytes);

#endif
