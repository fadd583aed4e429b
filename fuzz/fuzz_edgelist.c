/* SPDX-License-Identifier: MIT
 * fuzz_edgelist.c - edge lists, gzip included. The first byte chooses the options. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gnd_load_opts o;

    if (size == 0)
        return 0;
    o = fuzz_table_opts(data[0]);
    return fuzz_format_with(&gnd_format_edgelist, ".csv", &o, data + 1, size - 1);
}
