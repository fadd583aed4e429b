/* SPDX-License-Identifier: MIT
 * hop_tiles.c - hops of the same cells in tiles. */
#include "hop_tiles.h"

#include <string.h>

#include "base/alloc.h"

gnd_status gnd_hop_tiles_init(gnd_hop_tiles *s, int64_t n_cell, int64_t K, gnd_error *err)
{
    int64_t values;

    *s = (gnd_hop_tiles){.n_cell = n_cell, .K = K, .n_full = K};
    if (__builtin_mul_overflow(gnd_hop_tiles_count(s), K * GND_TILE, &values))
        values = -1;
    s->tile = gnd_alloc(values, sizeof *s->tile);
    if (s->tile)
        return GND_OK;
    *s = (gnd_hop_tiles){0};
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld hops of %lld values", (long long)K,
                    (long long)n_cell);
}

void gnd_hop_tiles_fini(gnd_hop_tiles *s)
{
    gnd_free(s->c);
    gnd_free(s->tile);
    *s = (gnd_hop_tiles){0};
}

void gnd_hop_tiles_put(gnd_hop_tiles *s, int64_t k, int64_t first, const gnd_real *from, int64_t n)
{
    while (n > 0) {
        const int64_t at = first % GND_TILE, m = GND_TILE - at < n ? GND_TILE - at : n;

        memcpy(s->tile + (first / GND_TILE * s->K + k) * GND_TILE + at, from,
               (size_t)m * sizeof *from);
        first += m;
        from += m;
        n -= m;
    }
}

void gnd_hop_tiles_weights(gnd_real *a, const gnd_hop_tiles *s, const gnd_real *alpha)
{
    const int64_t R = gnd_hop_tiles_rank(s);

    for (int64_t r = 0; r < R; r++) {
        double sum = s->c ? 0 : (double)alpha[r];

        for (int64_t k = 0; s->c && k < s->K; k++)
            sum += (double)alpha[k] * s->c[k * R + r];
        a[r] = (gnd_real)sum;
    }
}

void gnd_hop_tiles_unweigh(gnd_real *dalpha, const gnd_hop_tiles *s, const double *dot)
{
    const int64_t R = gnd_hop_tiles_rank(s);

    for (int64_t k = 0; k < s->K; k++) {
        double sum = s->c ? 0 : dot[k];

        for (int64_t r = 0; s->c && r < R; r++)
            sum += s->c[k * R + r] * dot[r];
        dalpha[k] += (gnd_real)sum;
    }
}

static gnd_tiles tiles_from(const gnd_hop_tiles *s, int64_t cell, int64_t n)
{
    return (gnd_tiles){.p = s->tile + cell / GND_TILE * gnd_hop_tiles_size(s),
                       .n = n,
                       .n_full = s->n_full,
                       .n_pair = s->n_pair};
}

void gnd_hop_tiles_mix(gnd_real *y, const gnd_hop_tiles *s, const gnd_real *a, int64_t begin,
                       int64_t end)
{
    const int64_t n = (end - begin) / GND_TILE, rest = (end - begin) % GND_TILE;
    const gnd_kern *kern = gnd_kern_get();
    gnd_tiles t = tiles_from(s, begin, n);
    gnd_real last[GND_TILE];

    kern->tiles_mix(y, &t, a);
    if (rest) {
        t = tiles_from(s, begin + n * GND_TILE, 1);
        kern->tiles_mix(last, &t, a);
        memcpy(y + n * GND_TILE, last, (size_t)rest * sizeof *y);
    }
}

void gnd_hop_tiles_dots(double *dot, const gnd_hop_tiles *s, const gnd_real *y, int64_t begin,
                        int64_t end)
{
    const int64_t n = (end - begin) / GND_TILE, rest = (end - begin) % GND_TILE;
    const gnd_kern *kern = gnd_kern_get();
    gnd_tiles t = tiles_from(s, begin, n);
    gnd_real last[GND_TILE] = {0};

    memset(dot, 0, (size_t)gnd_hop_tiles_rank(s) * sizeof *dot);
    kern->tiles_dots(dot, &t, y);
    if (rest) {
        t = tiles_from(s, begin + n * GND_TILE, 1);
        memcpy(last, y + n * GND_TILE, (size_t)rest * sizeof *y);
        kern->tiles_dots(dot, &t, last);
    }
}
