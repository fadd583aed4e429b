/* SPDX-License-Identifier: MIT
 * components.c - weakly connected components by breadth-first search; see the header. */
#include "components.h"

#include "base/alloc.h"

/* Appends the new vertices in row i of a to the queue, as members of component c. Returns the
 * end of the queue. */
static int64_t visit(int32_t *comp, int32_t *queue, int64_t tail, const gnd_csr *a, int32_t i,
                     int32_t c)
{
    for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
        const int32_t j = a->col[p];

        if (comp[j] < 0) {
            comp[j] = c;
            queue[tail++] = j;
        }
    }
    return tail;
}

int64_t gnd_components(int32_t *comp, const gnd_csr *adj)
{
    const int64_t n = adj->n_row;
    const gnd_csr pattern = {
        .n_row = n, .n_col = n, .ptr = adj->ptr, .col = adj->col}; /* weights are not needed */
    gnd_csr back = {0};
    int32_t *queue = gnd_alloc(n, sizeof *queue);
    int64_t count = -1;

    if (!queue || gnd_csr_transpose_or_borrow(&back, &pattern, NULL) != GND_OK)
        goto out;
    for (int64_t i = 0; i < n; i++)
        comp[i] = -1;
    count = 0;
    for (int64_t start = 0; start < n; start++) {
        int64_t head = 0, tail = 0;

        if (comp[start] >= 0)
            continue;
        comp[start] = (int32_t)count;
        queue[tail++] = (int32_t)start;
        while (head < tail) {
            const int32_t i = queue[head++];

            tail = visit(comp, queue, tail, adj, i, (int32_t)count);
            if (!back.borrowed)
                tail = visit(comp, queue, tail, &back, i, (int32_t)count);
        }
        count++;
    }
out:
    gnd_csr_fini(&back);
    gnd_free(queue);
    return count;
}

gnd_status gnd_largest_component(int32_t *keep, int64_t *n_keep, const gnd_csr *adj, gnd_error *err)
{
    const int64_t n = adj->n_row;
    int32_t *comp = gnd_alloc(n, sizeof *comp);
    int32_t *size = gnd_alloc(n, sizeof *size);
    int64_t best = 0, count = -1;
    gnd_status st = GND_OK;

    *n_keep = 0;
    if (comp && size)
        count = gnd_components(comp, adj);
    if (count < 0)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %lld vertices",
                         (long long)n));
    for (int64_t i = 0; i < n; i++)
        size[comp[i]]++;
    /* Components are numbered by their smallest vertex, so the first of equal size is chosen. */
    for (int64_t c = 1; c < count; c++)
        if (size[c] > size[best])
            best = c;
    for (int64_t i = 0; i < n; i++)
        if (comp[i] == best)
            keep[(*n_keep)++] = (int32_t)i;
out:
    gnd_free(size);
    gnd_free(comp);
    return st;
}
