/* SPDX-License-Identifier: MIT
 * kern_rows.h - put and moments with vectors: part of kern_vec.h. */

INLINE void put_rows(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs,
                     int64_t f, const gnd_real *s, int64_t n, const bool scaled)
{
    for (int64_t i = 0; i < n; i++, x += xs, y += ys) {
        const gnd_real a = scaled ? s[i] : 1;
        int64_t c = 0;

        for (; c + L <= f; c += L) { /* hidden, or it becomes a call of memmove for each row */
            const vec v = load(made(x + c));

            store(y + c, scaled ? a * v : v);
        }
        if (c < f && f >= L)
            store(y + f - L, scaled ? a * load(x + f - L) : load(x + f - L));
        for (; f < L && c < f; c++)
            y[c] = scaled ? a * x[c] : *made(x + c);
    }
}

static void put(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs, int64_t f,
                const gnd_real *s, int64_t n)
{
    if (s)
        put_rows(y, ys, x, xs, f, s, n, true);
    else
        put_rows(y, ys, x, xs, f, s, n, false);
}

/* The sums of w columns stay in registers, in nv vectors of which the last may overlap the one
 * before. */
INLINE void moments_vec(double *restrict sum, const gnd_real *restrict x,
                        const gnd_real *restrict from, int64_t f, int64_t w, int64_t n,
                        const int nv)
{
    int64_t at[4];
    vec_double s[4], q[4];

    unrolled_for (int v = 0; v < nv; v++) {
        at[v] = v < nv - 1 ? (int64_t)v * LD : w - LD;
        memcpy(&s[v], sum + at[v], sizeof *s);
        memcpy(&q[v], sum + f + at[v], sizeof *q);
    }
    for (int64_t i = 0; i < n; i++)
        unrolled_for (int v = 0; v < nv; v++) {
            vec_short some, first;
            vec_double d;

            memcpy(&some, x + i * f + at[v], sizeof some);
            memcpy(&first, from + at[v], sizeof first);
            d = __builtin_convertvector(some - first, vec_double);
            s[v] += d;
            q[v] += d * d;
        }
    unrolled_for (int v = 0; v < nv; v++) {
        memcpy(sum + at[v], &s[v], sizeof *s);
        memcpy(sum + f + at[v], &q[v], sizeof *q);
    }
}

static void moments(double *restrict sum, const gnd_real *restrict x, const gnd_real *restrict from,
                    int64_t f, int64_t n)
{
    for (int64_t c = 0, w; f >= LD && c < f; c += w) {
        const int64_t left = f - c;

        w = left <= 4 * LD ? left : left < 5 * LD ? 3 * LD : 4 * LD; /* no rest below LD */
        if (w <= LD)
            moments_vec(sum + c, x + c, from + c, f, w, n, 1);
        else if (w <= 2 * LD)
            moments_vec(sum + c, x + c, from + c, f, w, n, 2);
        else if (w <= 3 * LD)
            moments_vec(sum + c, x + c, from + c, f, w, n, 3);
        else
            moments_vec(sum + c, x + c, from + c, f, w, n, 4);
    }
    for (int64_t c = 0; f < LD && c < f; c++)
        for (int64_t i = 0; i < n; i++) {
            const double d = (double)(x[i * f + c] - from[c]);

            sum[c] += d;
            sum[f + c] += d * d;
        }
}
