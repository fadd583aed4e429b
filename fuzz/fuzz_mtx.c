/* SPDX-License-Identifier: MIT
 * fuzz_mtx.c - Matrix Market files as graphs. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&gnd_format_mtx, ".mtx", data, size);
}
