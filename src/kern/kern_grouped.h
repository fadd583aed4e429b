/* SPDX-License-Identifier: MIT
 * kern_grouped.h - spmm_grouped with vectors: part of kern_vec.h.
 *
 * The rows of a group are summed side by side: an addition does not wait for the one before it,
 * and the rows share one loop, whose end is predicted because most groups have rows of one
 * length. */

enum { NV_GROUP = 3 }; /* vectors per tile: the sums of a group fit in 16 registers */

typedef struct {
    gnd_real *y;
    const gnd_real *x, *z;
    gnd_real c;
    int64_t ys, xs, w;
} grouped_job;

INLINE void add_entry(vec *sum, const gnd_real *xj, gnd_real a, const int nv, int64_t w)
{
    unrolled_for (int v = 0; v < nv; v++)
        sum[v] += a * part(xj, v, nv, w);
}

INLINE void grouped_vec(const grouped_job *j, const gnd_grouped_rows *g, const int nv,
                        const bool by_row, const bool ahead)
{
    const gnd_real *x = made(j->x), *z = j->z, *val = g->val;
    const int32_t *col = g->col, *row = g->row, *len = g->len, *end = row + g->n * GND_GROUP;
    const int64_t ys = j->ys, xs = j->xs, w = j->w;
    const gnd_real c = j->c;
    gnd_real *const y = j->y;

    for (; row < end; row += GND_GROUP, len += GND_GROUP) {
        vec sum[GND_GROUP][NV_GROUP];
        int64_t e = 0;

        unrolled_for (int r = 0; r < GND_GROUP; r++)
            unrolled_for (int v = 0; v < nv; v++)
                sum[r][v] = z ? c * part(z + row[r] * ys, v, nv, w) : (vec){0};
        unrolled_for (int r = 0; r < GND_GROUP; r++) /* rows r, r + 1, .. have entries left */
            for (; e < len[r]; e++, col += GND_GROUP - r, val += by_row ? 0 : GND_GROUP - r)
                unrolled_for (int k = 0; k < GND_GROUP; k++) {
                    if (k < r)
                        continue;
                    if (ahead)
                        ask_for(x + col[k - r + GND_ENTRIES_AHEAD] * xs, nv, AHEAD_NEAR);
                    add_entry(sum[k], row_at(x, col[k - r] * xs, nv), val[by_row ? k : k - r], nv,
                              w);
                }
        val += by_row ? GND_GROUP : 0;
        unrolled_for (int r = 0; r < GND_GROUP; r++)
            unrolled_for (int v = 0; v < nv; v++)
                set_part(y + row[r] * ys, v, nv, w, sum[r][v]);
    }
}

INLINE void grouped_width(const grouped_job *j, const gnd_grouped_rows *g, const bool by_row,
                          const bool ahead)
{
    if (j->w <= L)
        grouped_vec(j, g, 1, by_row, ahead);
    else if (j->w <= 2 * L)
        grouped_vec(j, g, 2, by_row, ahead);
    else
        grouped_vec(j, g, 3, by_row, ahead);
}

static void spmm_grouped(const gnd_columns_of *p, const gnd_grouped_rows *g)
{
    const bool ahead = (size_t)(p->m * p->f) * sizeof *p->x >= NEAR_FROM;
    grouped_job j = {.ys = p->ys, .xs = p->xs, .c = p->c};

    if (p->f < L || FITS_NARROWER(p->f)) {
        NARROWER.spmm_grouped(p, g);
        return;
    }
    for (int64_t c0 = 0; c0 < p->f; c0 += j.w) {
        j.w = tile_width(p->f - c0, NV_GROUP * L);
        j.y = p->y + c0;
        j.x = p->x + c0;
        j.z = p->z ? p->z + c0 : NULL;
        if (g->by_row && ahead)
            grouped_width(&j, g, true, true);
        else if (g->by_row)
            grouped_width(&j, g, true, false);
        else if (ahead)
            grouped_width(&j, g, false, true);
        else
            grouped_width(&j, g, false, false);
    }
}
