/* SPDX-License-Identifier: MIT
 * kern_sums.h - the kernel sums of kern_vec.h, which includes this file: products whose sums stay
 * in vectors of doubles. */
enum { ND = 8 }; /* vectors of a tile */

/* Columns c .. c + w - 1 of row i, by nv vectors; the last one ends at column w. */
INLINE void sums_tile(double *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                      int64_t i, int64_t c, int64_t w, int nv)
{
    vec_double sum[ND] = {{0}};

    for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
        const gnd_real *from = made(x + a->col[p] * f + c);
        const double v = (double)gnd_csr_val(a, p);

        unrolled_for (int k = 0; k < nv; k++)
            sum[k] += v * load_double(from + (k < nv - 1 ? k * LD : w - LD));
    }
    unrolled_for (int k = 0; k < nv; k++)
        memcpy(y + c + (k < nv - 1 ? k * LD : w - LD), &sum[k], sizeof sum[k]);
}

/* The same with a constant number of vectors. */
static void sums_columns(double *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                         int64_t f, int64_t i, int64_t c, int64_t w)
{
    switch ((w + LD - 1) / LD) {
    case 1:
        sums_tile(y, a, x, f, i, c, w, 1);
        break;
    case 2:
        sums_tile(y, a, x, f, i, c, w, 2);
        break;
    case 3:
        sums_tile(y, a, x, f, i, c, w, 3);
        break;
    case 4:
        sums_tile(y, a, x, f, i, c, w, 4);
        break;
    case 5:
        sums_tile(y, a, x, f, i, c, w, 5);
        break;
    case 6:
        sums_tile(y, a, x, f, i, c, w, 6);
        break;
    case 7:
        sums_tile(y, a, x, f, i, c, w, 7);
        break;
    default:
        sums_tile(y, a, x, f, i, c, w, ND);
    }
}

static void sums(double *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                 int64_t r0, int64_t r1)
{
    if (f < LD) {
        NARROWER.sums(y, a, x, f, r0, r1);
        return;
    }
    for (int64_t i = r0; i < r1; i++, y += f)
        for (int64_t c = 0; c < f;) {
            const int64_t left = f - c, most = ND * LD;
            const int64_t w = left <= most ? left : left < most + LD ? most - LD : most;

            sums_columns(y, a, x, f, i, c, w);
            c += w;
        }
}
