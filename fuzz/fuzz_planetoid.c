/* SPDX-License-Identifier: MIT
 * fuzz_planetoid.c - any bytes as the eight ind.NAME.* files: each length is two bytes in front of
 * it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "io/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const part[] = {"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"};
    static char dir[] = "/dev/shm/gnd-fuzz-XXXXXX";
    static bool made;
    char path[128];
    gnd_graph *g = NULL;

    if (!made && !mkdtemp(dir))
        abort();
    made = true;
    for (int k = 0; k < 8; k++) {
        size_t len = n >= 2 ? (size_t)data[0] << 8 | data[1] : 0;
        FILE *f;

        data += n >= 2 ? 2 : n;
        n -= n >= 2 ? 2 : n;
        len = len < n ? len : n;
        snprintf(path, sizeof path, "%s/ind.f.%s", dir, part[k]);
        f = fopen(path, "wb");
        if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0)
            abort();
        data += len;
        n -= len;
    }
    snprintf(path, sizeof path, "%s/ind.f", dir);
    gnd_format_planetoid.read(&g, path, NULL, NULL);
    gnd_graph_free(g);
    return 0;
}
