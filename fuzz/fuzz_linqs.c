/* SPDX-License-Identifier: MIT
 * fuzz_linqs.c - .content and .cites. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[128], content[128], cites[128];

    fuzz_path(path, "");
    fuzz_path(content, ".content");
    fuzz_path(cites, ".cites");
    return fuzz_pair(&gnd_format_linqs, path, content, cites, data, size);
}
