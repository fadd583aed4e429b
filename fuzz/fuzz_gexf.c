/* SPDX-License-Identifier: MIT
 * fuzz_gexf.c - GEXF files. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&gnd_format_gexf, ".gexf", data, size);
}
