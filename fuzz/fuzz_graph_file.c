/* SPDX-License-Identifier: MIT
 * fuzz_graph_file.c - any bytes as a safetensors graph. The first bytes are a length that seldom
 * fits, so it is also replaced by one that does. */
#define _GNU_SOURCE
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end;
    uint8_t *fit;

    fuzz_format(&gnd_format_safetensors, ".safetensors", data, size);
    if (size < 9)
        return 0;
    end = memrchr(data + 8, '}', size - 8);
    if (!end)
        return 0;
    fit = malloc(size);
    if (!fit)
        abort();
    memcpy(fit, data, size);
    for (int i = 0; i < 8; i++)
        fit[i] = (uint8_t)((uint64_t)(end - data - 7) >> (8 * i));
    fuzz_format(&gnd_format_safetensors, ".safetensors", fit, size);
    free(fit);
    return 0;
}
