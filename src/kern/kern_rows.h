/* SPDX-License-Identifier: MIT
 * kern_rows.h - put, put_add, moments, fit, fit_add and slopes with vectors: part of kern_vec.h. */

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

/* The last vector of a row is added before others that it overlaps are stored. */
static void put_add(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs,
                    int64_t f, int64_t n)
{
    if (f < L) {
        gnd_kern_ref.put_add(y, ys, x, xs, f, n);
        return;
    }
    for (int64_t i = 0; i < n; i++, x += xs, y += ys) {
        const vec last = load(y + f - L) + load(x + f - L);

        for (int64_t c = 0; c + L < f; c += L)
            store(y + c, load(y + c) + load(x + c));
        store(y + f - L, last);
    }
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
            d = doubles(some - first);
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

/* ---- a factor and a shift for each column ---- */

typedef struct {
    gnd_real *y;
    const gnd_real *x;
    const gnd_column_fit *t;
    int64_t c0, w, n;
} fit_job;

enum { FIT_SET, FIT_RELU, FIT_ADD };

/* w columns from c0 on. Their factors and shifts stay in registers; all loads of a row come before
 * its stores, so that columns in two vectors are added once. */
INLINE void fit_vec(const fit_job *j, const int nv, const int how, const bool shifts)
{
    const int32_t *row = j->t->row;
    const int64_t f = j->t->f, w = j->w;
    vec a[4], b[4] = {{0}}, out[4];

    unrolled_for (int v = 0; v < nv; v++) {
        a[v] = part(j->t->a + j->c0, v, nv, w);
        if (shifts)
            b[v] = part(j->t->b + j->c0, v, nv, w);
    }
    for (int64_t i = 0; i < j->n; i++) {
        const int64_t listed = (row ? row[i] : i) * f + j->c0, here = i * f + j->c0;
        const gnd_real *x = made(j->x + (how == FIT_ADD ? here : listed));
        gnd_real *y = j->y + (how == FIT_ADD ? listed : here);

        unrolled_for (int v = 0; v < nv; v++) {
            out[v] = a[v] * part(x, v, nv, w);
            if (shifts)
                out[v] += b[v];
            if (how == FIT_RELU)
                out[v] = (vec)((vec_lane)out[v] & (out[v] > 0));
            if (how == FIT_ADD)
                out[v] += part(y, v, nv, w);
        }
        unrolled_for (int v = 0; v < nv; v++)
            set_part(y, v, nv, w, out[v]);
    }
}

INLINE void fit_tile(const fit_job *j, const int how, const bool shifts)
{
    if (j->w <= L)
        fit_vec(j, 1, how, shifts);
    else if (j->w <= 2 * L)
        fit_vec(j, 2, how, shifts);
    else if (j->w <= 3 * L)
        fit_vec(j, 3, how, shifts);
    else
        fit_vec(j, 4, how, shifts);
}

static void fit(gnd_real *y, const gnd_real *x, const gnd_column_fit *t, bool relu, int64_t n)
{
    fit_job j = {.y = y, .x = x, .t = t, .n = n};

    if (t->f < L) {
        gnd_kern_ref.fit(y, x, t, relu, n);
        return;
    }
    for (; j.c0 < t->f; j.c0 += j.w) {
        j.w = tile_width(t->f - j.c0, 4 * L);
        if (relu && t->b)
            fit_tile(&j, FIT_RELU, true);
        else if (relu)
            fit_tile(&j, FIT_RELU, false);
        else if (t->b)
            fit_tile(&j, FIT_SET, true);
        else
            fit_tile(&j, FIT_SET, false);
    }
}

static void fit_add(gnd_real *y, const gnd_real *x, const gnd_column_fit *t, int64_t n)
{
    fit_job j = {.y = y, .x = x, .t = t, .n = n};

    if (t->f < L) {
        gnd_kern_ref.fit_add(y, x, t, n);
        return;
    }
    for (; j.c0 < t->f; j.c0 += j.w) {
        j.w = tile_width(t->f - j.c0, 4 * L);
        if (t->b)
            fit_tile(&j, FIT_ADD, true);
        else
            fit_tile(&j, FIT_ADD, false);
    }
}

typedef struct {
    double *sum;
    gnd_real *g;
    const gnd_real *over, *x, *from;
    const gnd_column_fit *t;
    int64_t c0, w, n;
} slopes_job;

INLINE vec_short load_short(const gnd_real *p)
{
    vec_short v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* As moments_vec. */
INLINE void slopes_vec(const slopes_job *j, const int nv, const bool over, const bool shifts)
{
    typedef __typeof__((vec_short){0} < (vec_short){0}) lane;
    const int64_t f = j->t->f, c0 = j->c0;
    const int32_t *row = j->t->row;
    int64_t at[4];
    vec_double s[4], q[4];

    unrolled_for (int v = 0; v < nv; v++) {
        at[v] = c0 + (v < nv - 1 ? (int64_t)v * LD : j->w - LD);
        memcpy(&s[v], j->sum + at[v], sizeof *s);
        memcpy(&q[v], j->sum + f + at[v], sizeof *q);
    }
    for (int64_t i = 0; i < j->n; i++) {
        const gnd_real *x = made(j->x + (row ? row[i] : i) * f);

        unrolled_for (int v = 0; v < nv; v++) {
            gnd_real *g = j->g + i * f + at[v];
            vec_short t = load_short(j->t->a + at[v]) * load_short(x + at[v]), some = load_short(g);
            vec_double d;

            if (shifts)
                t += load_short(j->t->b + at[v]);
            if (over) {
                const lane above = load_short(j->over + i * f + at[v]) > 0;

                some = (vec_short)((lane)some & above);
                memcpy(g, &some, sizeof some);
            }
            d = doubles(some);
            s[v] += d;
            q[v] += d * doubles(t - load_short(j->from + at[v]));
        }
    }
    unrolled_for (int v = 0; v < nv; v++) {
        memcpy(j->sum + at[v], &s[v], sizeof *s);
        memcpy(j->sum + f + at[v], &q[v], sizeof *q);
    }
}

INLINE void slopes_tile(const slopes_job *j, const bool over, const bool shifts)
{
    if (j->w <= LD)
        slopes_vec(j, 1, over, shifts);
    else if (j->w <= 2 * LD)
        slopes_vec(j, 2, over, shifts);
    else if (j->w <= 3 * LD)
        slopes_vec(j, 3, over, shifts);
    else
        slopes_vec(j, 4, over, shifts);
}

static void slopes(double *restrict sum, gnd_real *restrict g, const gnd_real *restrict over,
                   const gnd_real *restrict x, const gnd_column_fit *t,
                   const gnd_real *restrict from, int64_t n)
{
    slopes_job j = {.sum = sum, .g = g, .over = over, .x = x, .from = from, .t = t, .n = n};

    if (t->f < LD) {
        gnd_kern_ref.slopes(sum, g, over, x, t, from, n);
        return;
    }
    for (int64_t left; j.c0 < t->f; j.c0 += j.w) {
        left = t->f - j.c0;
        j.w = left <= 4 * LD ? left : left < 5 * LD ? 3 * LD : 4 * LD; /* no rest below LD */
        if (over && t->b)
            slopes_tile(&j, true, true);
        else if (over)
            slopes_tile(&j, true, false);
        else if (t->b)
            slopes_tile(&j, false, true);
        else
            slopes_tile(&j, false, false);
    }
}
