/* SPDX-License-Identifier: MIT
 * kern_dense.h - gemm and gemm_t with vectors: part of kern_vec.h. */

/* out[r,:] (+)= sum_i s[r sr + i si] m[i,:],  0 <= i < n, for nr rows and w columns from c0.
 * Both dense products have this form: r is a row of x in gemm, a column of x in gemm_t. */
typedef struct {
    gnd_real *out;
    const gnd_real *s, *m;
    int64_t f, c0, w, n, sr, si;
    bool add;
} dense_job;

INLINE void dense_vec(const dense_job *d, const int nr, const int nv)
{
    const int64_t f = d->f, w = d->w, n = d->n, sr = d->sr, si = d->si;
    const gnd_real *m = d->m + d->c0, *s = d->s;
    gnd_real *out = d->out + d->c0;
    vec acc[MAX_ROWS][4];

    unrolled_for (int r = 0; r < nr; r++)
        unrolled_for (int v = 0; v < nv; v++)
            acc[r][v] = d->add ? part(out + r * f, v, nv, w) : (vec){0};
    for (int64_t i = 0; i < n; i++)
        unrolled_for (int v = 0; v < nv; v++) {
            const vec b = part(m + i * f, v, nv, w);

            unrolled_for (int r = 0; r < nr; r++)
                acc[r][v] += s[r * sr + i * si] * b;
        }
    unrolled_for (int r = 0; r < nr; r++)
        unrolled_for (int v = 0; v < nv; v++)
            set_part(out + r * f, v, nv, w, acc[r][v]);
}

/* nr rows, all columns. MAX_ROWS times 2 independent sums hide the latency of additions. */
INLINE void dense_rows(dense_job *d, const int nr)
{
    for (d->c0 = 0; d->c0 < d->f; d->c0 += d->w) {
        d->w = tile_width(d->f - d->c0, NV_DENSE * L);
        if (d->w <= L)
            dense_vec(d, nr, 1);
        else if (d->w <= 2 * L)
            dense_vec(d, nr, 2);
        else if (d->w <= 3 * L)
            dense_vec(d, nr, 3);
        else
            dense_vec(d, nr, 4);
    }
}

static void gemm(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                 int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    dense_job d = {.m = w, .f = f, .n = k, .sr = k, .si = 1};

    if (f < L) {
        NARROWER.gemm(y, x, w, k, f, r0, r1);
        return;
    }
    for (int64_t i = r0; i < r1; i += MAX_ROWS) {
        d.out = y + i * f;
        d.s = x + i * k;
        if (i + MAX_ROWS <= r1) {
            dense_rows(&d, MAX_ROWS);
            continue;
        }
        for (int64_t r = i; r < r1; r++, d.out += f, d.s += k)
            dense_rows(&d, 1);
    }
}

/* Rows of x and y are processed in blocks that stay in cache for all columns of x. */
enum { BLOCK = 256 };

/* ---- w += x^T y with y narrower than a vector: each lane is a row of w ---- */

typedef struct {
    gnd_real *w;           /* from row j and column c on */
    const gnd_real *x, *y; /* from column j, from column c on */
    int64_t k, f, n, skip; /* the first `skip` rows of w are done */
} turned_job;

enum { TURNED_COLUMNS = 4 };

/* nv L rows of w, nc columns. */
INLINE void turned_vec(const turned_job *d, const int nv, const int nc)
{
    const int64_t k = d->k, f = d->f, n = d->n;
    gnd_real lane[TURNED_COLUMNS][NV_DENSE * L];
    vec sum[TURNED_COLUMNS][NV_DENSE];

    for (int l = 0; l < nv * L; l++)
        for (int c = 0; c < nc; c++)
            lane[c][l] = d->w[l * f + c];
    memcpy(sum, lane, sizeof sum);
    for (int64_t i = 0; i < n; i++)
        unrolled_for (int v = 0; v < nv; v++) {
            const vec x = load(d->x + i * k + v * L);

            unrolled_for (int c = 0; c < nc; c++)
                sum[c][v] += d->y[i * f + c] * x;
        }
    memcpy(lane, sum, sizeof sum);
    for (int64_t l = d->skip; l < nv * L; l++)
        for (int c = 0; c < nc; c++)
            d->w[l * f + c] = lane[c][l];
}

INLINE void turned_rows(turned_job *d, const int nv)
{
    int64_t left = d->f;

    for (; left >= TURNED_COLUMNS; left -= TURNED_COLUMNS) {
        turned_vec(d, nv, TURNED_COLUMNS);
        d->w += TURNED_COLUMNS;
        d->y += TURNED_COLUMNS;
    }
    if (left == 3)
        turned_vec(d, nv, 3);
    else if (left == 2)
        turned_vec(d, nv, 2);
    else if (left == 1)
        turned_vec(d, nv, 1);
}

/* n rows of x and y; k is at least L. */
static void gemm_t_turned(gnd_real *restrict w, const gnd_real *restrict x,
                          const gnd_real *restrict y, int64_t k, int64_t f, int64_t n)
{
    int64_t j = 0;

    for (; j + NV_DENSE * L <= k; j += NV_DENSE * L)
        turned_rows(&(turned_job){w + j * f, x + j, y, k, f, n, 0}, NV_DENSE);
    for (; j + L <= k; j += L)
        turned_rows(&(turned_job){w + j * f, x + j, y, k, f, n, 0}, 1);
    if (j < k)
        turned_rows(&(turned_job){w + (k - L) * f, x + k - L, y, k, f, n, j - (k - L)}, 1);
}

static void gemm_t(gnd_real *restrict w, const gnd_real *restrict x, const gnd_real *restrict y,
                   int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    dense_job d = {.f = f, .sr = 1, .si = k, .add = true};

    if (f < L && k < L) {
        NARROWER.gemm_t(w, x, y, k, f, r0, r1);
        return;
    }
    for (int64_t i = r0; i < r1; i += BLOCK) {
        d.n = r1 - i < BLOCK ? r1 - i : BLOCK;
        if (f < L) {
            gemm_t_turned(w, x + i * k, y + i * f, k, f, d.n);
            continue;
        }
        d.m = y + i * f;
        for (int64_t j = 0; j < k; j += MAX_ROWS) {
            d.out = w + j * f;
            d.s = x + i * k + j;
            if (j + MAX_ROWS <= k) {
                dense_rows(&d, MAX_ROWS);
                continue;
            }
            for (int64_t r = j; r < k; r++, d.out += f, d.s++)
                dense_rows(&d, 1);
        }
    }
}
