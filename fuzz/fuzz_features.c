/* SPDX-License-Identifier: MIT
 * fuzz_features.c - features as CSV, Matrix Market and svmlight. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_load(gnd_features_load, data, size);
}
