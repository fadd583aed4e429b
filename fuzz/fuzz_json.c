/* SPDX-License-Identifier: MIT
 * fuzz_json.c - JSON graphs. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&gnd_format_json, ".json", data, size);
}
