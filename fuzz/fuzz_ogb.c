/* SPDX-License-Identifier: MIT
 * fuzz_ogb.c - features and labels of an Open Graph Benchmark set of three vertices; the first byte
 * is the width of the edges' part. */
#include "fuzz_file.h"

#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[128], nodes[128], edges[128], feat[128], label[128];
    const size_t n = size > 0 && data[0] < size ? data[0] : 0;

    fuzz_path(folder, "");
    fuzz_path(nodes, "/num-node-list.csv");
    fuzz_path(edges, "/edge.csv");
    fuzz_path(feat, "/node-feat.csv");
    fuzz_path(label, "/node-label.csv");
    mkdir(folder, 0777);
    fuzz_put(nodes, (const uint8_t *)"3\n", 2);
    fuzz_put(edges, data + (size > 0), n > 0 ? n - 1 : 0);
    fuzz_pair(&gnd_format_ogb, folder, feat, label, data + n, size - n);
    unlink(edges);
    unlink(nodes);
    rmdir(folder);
    return 0;
}
