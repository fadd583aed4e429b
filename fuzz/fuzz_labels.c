/* SPDX-License-Identifier: MIT
 * fuzz_labels.c - labels of vertices. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_load(gnd_labels_load, data, size);
}
