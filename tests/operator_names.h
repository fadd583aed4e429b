/* SPDX-License-Identifier: MIT
 * operator_names.h - what files of reference values call the operators. */
#ifndef GND_TESTS_OPERATOR_NAMES_H
#define GND_TESTS_OPERATOR_NAMES_H

#include "graph/operator.h"

static const struct {
    const char *name;
    gnd_operator_kind kind;
} operator_names[] = {
    {"W", GND_OP_W},
    {"S_plain", GND_OP_S},
    {"S_transposed", GND_OP_S_TRANSPOSED},
    {"S_symmetrised", GND_OP_S_SYMMETRISED},
    {"S_mixhop", GND_OP_S_MIXHOP},
    {"Ln_plain", GND_OP_LN},
    {"Ln_transposed", GND_OP_LN_TRANSPOSED},
    {"S0", GND_OP_S0},
    {"ADinv", GND_OP_ADINV},
    {"DinvA", GND_OP_DINVA},
    {"P_dcnn", GND_OP_P_DCNN},
};

#endif
