/* SPDX-License-Identifier: MIT
 * kern_equal.h - spmm_equal with vectors: part of kern_vec.h. */

typedef struct {
    gnd_real *y;
    const gnd_equal_rows *run;
    const gnd_real *x, *z;
    gnd_real c;
    int64_t n_run, ys, xs, w;
} equal_job;

INLINE void equal_entry(vec *sum, const gnd_real *x, gnd_real a, const int nv, int64_t w)
{
    const gnd_real *xj = made(x);

    unrolled_for (int v = 0; v < nv; v++)
        sum[v] += a * part(xj, v, nv, w);
}

/* One run of rows. few: the number of their entries as a constant; 0: any. */
INLINE void equal_run(const equal_job *j, const gnd_equal_rows *run, const int nv, const bool ahead,
                      const int few)
{
    const gnd_real *x = made(j->x), *z = j->z, *val = run->val;
    const int32_t *col = run->col, *row = run->row;
    const int64_t ys = j->ys, xs = j->xs, w = j->w, n = run->n, len = few ? few : run->len;
    const gnd_real c = j->c;

    for (int64_t i = 0; i < n; i++, col += len, val += len) {
        gnd_real *y = j->y + row[i] * ys;
        vec sum[4];

        unrolled_for (int v = 0; v < nv; v++)
            sum[v] = z ? c * part(z + row[i] * ys, v, nv, w) : (vec){0};
        unrolled_for (int e = 0; e < few; e++)
            equal_entry(sum, x + col[e] * xs, val[e], nv, w);
        for (int64_t e = 0; !few && e < len; e++) {
            if (ahead)
                ask_for(x + col[e + GND_ENTRIES_AHEAD] * xs, nv, AHEAD_NEAR);
            equal_entry(sum, x + col[e] * xs, val[e], nv, w);
        }
        unrolled_for (int v = 0; v < nv; v++)
            set_part(y, v, nv, w, sum[v]);
    }
}

/* The inner loop has the same length for all rows of a run, so that its end is predicted. The most
 * frequent lengths are constants: 1.1 times as fast. */
INLINE void equal_vec(const equal_job *j, const int nv, const bool ahead)
{
    for (const gnd_equal_rows *run = j->run; run < j->run + j->n_run; run++)
        switch (nv > 2 || ahead ? 0 : run->len) {
        case 2:
            equal_run(j, run, nv, false, 2);
            break;
        case 3:
            equal_run(j, run, nv, false, 3);
            break;
        case 4:
            equal_run(j, run, nv, false, 4);
            break;
        default:
            equal_run(j, run, nv, ahead, 0);
        }
}

INLINE void equal_tile(const equal_job *j, const bool ahead)
{
    switch ((j->w + L - 1) / L) {
    case 1:
        equal_vec(j, 1, ahead);
        break;
    case 2:
        equal_vec(j, 2, ahead);
        break;
    case 3:
        equal_vec(j, 3, ahead);
        break;
    default:
        equal_vec(j, 4, ahead);
    }
}

static void spmm_equal(const gnd_columns_of *p, const gnd_equal_rows *run, int64_t n_run)
{
    const bool ahead = (size_t)(p->m * p->f) * sizeof *p->x >= NEAR_FROM;
    equal_job j = {.run = run, .n_run = n_run, .ys = p->ys, .xs = p->xs, .c = p->c};

    if (p->f < L || FITS_NARROWER(p->f)) {
        NARROWER.spmm_equal(p, run, n_run);
        return;
    }
    for (int64_t c0 = 0; c0 < p->f; c0 += j.w) {
        j.w = tile_width(p->f - c0, 4 * L);
        j.y = p->y + c0;
        j.x = p->x + c0;
        j.z = p->z ? p->z + c0 : NULL;
        if (ahead)
            equal_tile(&j, true);
        else
            equal_tile(&j, false);
    }
}
