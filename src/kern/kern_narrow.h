/* SPDX-License-Identifier: MIT
 * kern_narrow.h - products with matrices whose columns have 16 bits: part of kern_vec.h.
 *
 * Features have few columns, and often one value per row. With 2 bytes instead of 8 per entry they
 * are read from memory in a quarter of the time, and leave the first-level cache to x. x is small,
 * so that rows of it are not asked for in advance. */

enum { NARROW_ONES, NARROW_ROW, NARROW_EACH }; /* the values: 1, those of rows, or their own */
enum { NARROW_LONG = 32 };                     /* entries of a long row */

/* sum += a_ip x_j for an entry p of row i. */
INLINE void narrow_add(vec *sum, const spmm_job *j, int64_t p, gnd_real row, const int nv,
                       const int how)
{
    const gnd_real *xj = made(j->x + j->c0 + j->a->col16[p] * j->xs);
    const gnd_real a = how == NARROW_EACH ? j->a->val[p] : row;

    unrolled_for (int v = 0; v < nv; v++)
        sum[v] += how == NARROW_ONES ? part(xj, v, nv, j->w) : a * part(xj, v, nv, j->w);
}

/* Rows i and, if two, i + 1 side by side: the additions to a row wait for each other. */
INLINE void narrow_rows(const spmm_job *j, int64_t i, const int n, const int nv, const int how)
{
    const int64_t *ptr = j->a->ptr + i;
    int64_t both = n == 2 ? ptr[1] - ptr[0] : 0;
    gnd_real row[2] = {0};
    vec sum[2][NV];

    if (n == 2 && both > ptr[2] - ptr[1])
        both = ptr[2] - ptr[1];
    unrolled_for (int r = 0; r < n; r++) {
        if (how == NARROW_ROW)
            row[r] = j->a->row_val[i + r];
        unrolled_for (int v = 0; v < nv; v++)
            sum[r][v] = j->z ? j->c * part(j->z + (i + r) * j->ys + j->c0, v, nv, j->w) : (vec){0};
    }
    for (int64_t p = 0; p < both; p++) {
        narrow_add(sum[0], j, ptr[0] + p, row[0], nv, how);
        narrow_add(sum[1], j, ptr[1] + p, row[1], nv, how);
    }
    unrolled_for (int r = 0; r < n; r++) {
        for (int64_t p = ptr[r] + both; p < ptr[r + 1]; p++)
            narrow_add(sum[r], j, p, row[r], nv, how);
        unrolled_for (int v = 0; v < nv; v++)
            set_part(j->y + (i + r) * j->ys + j->c0, v, nv, j->w, sum[r][v]);
    }
}

/* Two rows at a time if they are long: the end of a loop that is not predicted costs more than the
 * additions of short rows. */
INLINE void narrow_vec(const spmm_job *j, const int nv, const int how)
{
    const bool by_two =
        2 * nv <= NV && j->a->ptr[j->r1] - j->a->ptr[j->r0] >= NARROW_LONG * (j->r1 - j->r0);
    int64_t i = j->r0;

    for (; by_two && i + 2 <= j->r1; i += 2)
        narrow_rows(j, i, 2, nv, how);
    for (; i < j->r1; i++)
        narrow_rows(j, i, 1, nv, how);
}

/* y += a^T x as spmm_t_vec. Values of rows multiply the row of x once. */
INLINE void narrow_t_vec(const spmm_job *j, const int nv, const int how)
{
    const int64_t f = j->f, w = j->w;

    for (int64_t i = j->r0; i < j->r1; i++) {
        vec row[NV], sum[NV];

        unrolled_for (int v = 0; v < nv; v++) {
            row[v] = part(j->x + i * f + j->c0, v, nv, w);
            if (how == NARROW_ROW)
                row[v] = j->a->row_val[i] * row[v];
        }
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            gnd_real *yj = j->y + j->a->col16[p] * f + j->c0;

            unrolled_for (int v = 0; v < nv; v++)
                sum[v] = part(yj, v, nv, w) + (how == NARROW_EACH ? j->a->val[p] * row[v] : row[v]);
            unrolled_for (int v = 0; v < nv; v++)
                set_part(yj, v, nv, w, sum[v]);
        }
    }
}

INLINE void narrow_tile(const spmm_job *j, const int nv, const int how, const bool turned)
{
    if (turned)
        narrow_t_vec(j, nv, how);
    else
        narrow_vec(j, nv, how);
}

INLINE void narrow_by_width(const spmm_job *j, const int how, const bool turned)
{
    switch ((j->w + L - 1) / L) {
    case 1:
        narrow_tile(j, 1, how, turned);
        break;
    case 2:
        narrow_tile(j, 2, how, turned);
        break;
    case 3:
        narrow_tile(j, 3, how, turned);
        break;
    case 4:
        narrow_tile(j, 4, how, turned);
        break;
    case 5:
        narrow_tile(j, 5, how, turned);
        break;
    case 6:
        narrow_tile(j, 6, how, turned);
        break;
    case 7:
        narrow_tile(j, 7, how, turned);
        break;
    default:
        narrow_tile(j, 8, how, turned);
    }
}

INLINE void narrow_by_value(const spmm_job *j, const bool turned)
{
    if (j->a->val)
        narrow_by_width(j, NARROW_EACH, turned);
    else if (j->a->row_val)
        narrow_by_width(j, NARROW_ROW, turned);
    else
        narrow_by_width(j, NARROW_ONES, turned);
}

static void narrow_width(const spmm_job *j)
{
    narrow_by_value(j, false);
}

static void narrow_t_width(const spmm_job *j)
{
    narrow_by_value(j, true);
}
