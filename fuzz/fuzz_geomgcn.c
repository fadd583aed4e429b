/* SPDX-License-Identifier: MIT
 * fuzz_geomgcn.c - Geom-GCN nodes and edges. */
#include "fuzz_file.h"

#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[128], nodes[128], edges[128];

    fuzz_path(folder, "");
    fuzz_path(nodes, "/out1_node_feature_label.txt");
    fuzz_path(edges, "/out1_graph_edges.txt");
    mkdir(folder, 0777);
    fuzz_pair(&gnd_format_geomgcn, folder, nodes, edges, data, size);
    rmdir(folder);
    return 0;
}
