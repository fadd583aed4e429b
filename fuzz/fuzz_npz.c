/* SPDX-License-Identifier: MIT
 * fuzz_npz.c - any bytes as an npz graph, and as an npz matrix. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/io.h"
#include "io/npz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const int fd = memfd_create("npz", 0);
    char path[64];
    gnd_graph *g = NULL;
    gnd_csr a = {0};
    int64_t n_merged;

    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (gnd_format_npz.read(&g, path, NULL, NULL) == GND_OK && gnd_graph_check(g, path, NULL) != 0)
        abort();
    gnd_graph_free(g);
    gnd_npz_load_matrix(&a, &n_merged, path, 0, NULL);
    gnd_csr_fini(&a);
    close(fd);
    return 0;
}
