/* SPDX-License-Identifier: MIT
 * fuzz_graphml.c - GraphML files. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&gnd_format_graphml, ".graphml", data, size);
}
