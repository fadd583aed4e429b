/* SPDX-License-Identifier: MIT
 * fuzz_edgelist.c - edge lists, gzip included. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&gnd_format_edgelist, ".csv", data, size);
}
