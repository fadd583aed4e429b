/* SPDX-License-Identifier: MIT
 * own_rows.c - share the vertices of a file out to processes, and take the rows of one. The file
 * may be hostile: its pointers are checked before they are used. */
#include "own_rows.h"

#include "base/alloc.h"

/* Cut the vertices between blocks of gnd_vertex_sum, by rows and entries before them. The pointers
 * may be invalid; cuts never go back. */
static void cuts_by_entries(int64_t *cut, int32_t size, const gnd_csr *a, int64_t nnz)
{
    const int64_t n = a->n_row, rows = gnd_vertex_block(n), n_block = (n + rows - 1) / rows;
    int64_t b = 0;

    cut[0] = 0;
    for (int32_t r = 1; r <= size; r++) {
        const double wanted = (double)(n + nnz) * (double)r / (double)size;

        while (b < n_block && (r == size || (double)(b * rows) + (double)a->ptr[b * rows] < wanted))
            b++;
        cut[r] = b * rows < n ? b * rows : n;
    }
}

/* Between the parts of the file, rounded to blocks, if it has one for each process. They may be
 * invalid, too. */
static bool cuts_by_parts(int64_t *cut, int32_t size, const gnd_graph_rows *r)
{
    const int64_t n = r->adj.n_row, rows = gnd_vertex_block(n);

    if (r->n_part != size)
        return false;
    for (int32_t k = 1; k < size; k++) {
        const int64_t start = r->part_start[k];
        const int64_t at = start < 0 || start > n ? -1 : (start + rows / 2) / rows * rows;

        if (at < cut[k - 1] || at > n)
            return false;
        cut[k] = at;
    }
    cut[size] = n;
    return true;
}

void gnd_rows_cut(int64_t *cut, int32_t size, const gnd_graph_rows *r, int64_t nnz)
{
    if (!cuts_by_parts(cut, size, r))
        cuts_by_entries(cut, size, &r->adj, nnz);
}

static gnd_status weights_check(const gnd_csr *own, int64_t first, gnd_error *err)
{
    for (int64_t i = 0; own->val && i < own->n_row; i++)
        for (int64_t p = own->ptr[i]; p < own->ptr[i + 1]; p++)
            if (!(own->val[p] > 0))
                return gnd_fail(err, GND_ERR_FORMAT,
                                "the link from vertex %lld to %d has the weight %g; expected more "
                                "than 0",
                                (long long)(first + i), own->col[p], (double)own->val[p]);
    return GND_OK;
}

gnd_status gnd_rows_take(gnd_csr *own, const gnd_csr *a, int64_t nnz, const gnd_owners *o,
                         gnd_error *err)
{
    const int64_t first = o->cut[o->rank], end = o->cut[o->rank + 1], n = end - first;
    const int64_t *ptr = a->ptr + first;
    gnd_status st = GND_OK;

    *own = (gnd_csr){.n_row = n, .n_col = a->n_col, .borrowed = GND_CSR_COL | GND_CSR_VAL};
    own->ptr = gnd_alloc(n + 1, sizeof *own->ptr);
    if (!own->ptr)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows", (long long)n));
    if ((first == 0 && ptr[0] != 0) || ptr[0] < 0 || ptr[n] > nnz ||
        (end == a->n_row && ptr[n] != nnz))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "rows %lld to %lld have the entries %lld to %lld; the file has %lld",
                         (long long)first, (long long)end, (long long)ptr[0], (long long)ptr[n],
                         (long long)nnz));
    for (int64_t i = 0; i < n; i++) {
        if (ptr[i + 1] < ptr[i])
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "row %lld ends before it starts",
                             (long long)(first + i)));
        own->ptr[i + 1] = ptr[i + 1] - ptr[0];
    }
    own->col = a->col + ptr[0];
    own->val = a->val ? a->val + ptr[0] : NULL;
    GND_TRY(gnd_csr_check(own, "adjacency", err));
    GND_TRY(weights_check(own, first, err));
out:
    return st;
}
