/* SPDX-License-Identifier: MIT
 * ops.c - the table of all ops. */
#include "op.h"

static const gnd_op *const table[] = {
#define X(name) &gnd_op_##name,
#include "ops.def"
#undef X
};

const gnd_op *gnd_op_at(int i)
{
    return i >= 0 && i < (int)(sizeof table / sizeof table[0]) ? table[i] : NULL;
}
