/* SPDX-License-Identifier: MIT
 * kern_blocks.h - spmm_blocks and spmm_t_blocks with vectors: part of kern_vec.h.
 *
 * The columns of several matrices in one pass over a. A row of f values is f / L vectors, so that
 * each vector belongs to one matrix. */

typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x;
    int64_t ys, xs; /* values from a matrix to the next */
    int64_t r0, r1;
} blocks_job;

/* Vector v of row i, if a row has `each` vectors. */
INLINE int64_t block_at(int v, int64_t stride, int64_t i, const int each)
{
    return v / each * stride + i * each * L + v % each * L;
}

INLINE int64_t block_col(const gnd_csr *a, int64_t p, const bool col16)
{
    return col16 ? a->col16[p] : a->col[p];
}

INLINE void blocks_vec(const blocks_job *j, const int nv, const int each, const bool col16,
                       const int how, const int ahead)
{
    const gnd_real *val = j->a->val, *x = j->x;
    const int64_t *ptr = j->a->ptr, xs = j->xs;

    for (int64_t i = j->r0; i < j->r1; i++) {
        const gnd_real row = how == NARROW_ROW ? j->a->row_val[i] : 1;
        vec sum[NV];

        unrolled_for (int v = 0; v < nv; v++)
            sum[v] = (vec){0};
        for (int64_t p = ptr[i]; p < ptr[i + 1]; p++) {
            const int64_t col = block_col(j->a, p, col16);
            const gnd_real a = how == NARROW_EACH ? val[p] : row;

            if (ahead)
                unrolled_for (int v = 0; v < nv; v += each)
                    ask_for(x + block_at(v, xs, block_col(j->a, p + ahead, col16), each), each,
                            ahead);
            unrolled_for (int v = 0; v < nv; v++) {
                const vec b = load(x + block_at(v, xs, col, each));

                sum[v] += how == NARROW_ONES ? b : a * b;
            }
        }
        unrolled_for (int v = 0; v < nv; v++)
            store(j->y + block_at(v, j->ys, i, each), sum[v]);
    }
}

INLINE void blocks_t_vec(const blocks_job *j, const int nv, const int each, const bool col16,
                         const int how)
{
    for (int64_t i = j->r0; i < j->r1; i++) {
        const gnd_real s = how == NARROW_ROW ? j->a->row_val[i] : 1;
        vec row[NV];

        unrolled_for (int v = 0; v < nv; v++) {
            row[v] = load(j->x + block_at(v, j->xs, i, each));
            if (how == NARROW_ROW)
                row[v] = s * row[v];
        }
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            const int64_t col = block_col(j->a, p, col16);

            unrolled_for (int v = 0; v < nv; v++) {
                gnd_real *y = j->y + block_at(v, j->ys, col, each);

                store(y, load(y) + (how == NARROW_EACH ? j->a->val[p] * row[v] : row[v]));
            }
        }
    }
}

INLINE void blocks_ahead(const blocks_job *j, const int nv, const int each, const int ahead)
{
    if (j->a->val)
        blocks_vec(j, nv, each, false, NARROW_EACH, ahead);
    else
        blocks_vec(j, nv, each, false, NARROW_ONES, ahead);
}

/* n matrices with rows of `each` vectors. */
INLINE void blocks_some(const blocks_job *j, const int n, const int each)
{
    const size_t bytes = (size_t)(j->a->n_col * n * each) * VEC_BYTES;
    const int ahead = bytes < NEAR_FROM ? 0 : bytes < FAR_FROM ? AHEAD_NEAR : AHEAD_FAR;
    const spmm_job all = {.a = j->a, .r0 = j->r0, .r1 = j->r1};
    blocks_job first = *j, rest = *j;

    if (j->a->col16) {
        if (j->a->val)
            blocks_vec(j, n * each, each, true, NARROW_EACH, 0);
        else if (j->a->row_val)
            blocks_vec(j, n * each, each, true, NARROW_ROW, 0);
        else
            blocks_vec(j, n * each, each, true, NARROW_ONES, 0);
        return;
    }
    first.r1 = rest.r0 = ahead ? rows_before(&all, ahead) : j->r0;
    if (ahead == AHEAD_NEAR)
        blocks_ahead(&first, n * each, each, AHEAD_NEAR);
    else if (ahead)
        blocks_ahead(&first, n * each, each, AHEAD_FAR);
    blocks_ahead(&rest, n * each, each, 0);
}

INLINE void blocks_t_some(const blocks_job *j, const int n, const int each)
{
    const bool col16 = j->a->col16;

    if (col16 && j->a->val)
        blocks_t_vec(j, n * each, each, true, NARROW_EACH);
    else if (col16 && j->a->row_val)
        blocks_t_vec(j, n * each, each, true, NARROW_ROW);
    else if (col16)
        blocks_t_vec(j, n * each, each, true, NARROW_ONES);
    else if (j->a->val)
        blocks_t_vec(j, n * each, each, false, NARROW_EACH);
    else
        blocks_t_vec(j, n * each, each, false, NARROW_ONES);
}

/* Rows of 16 floats are EACH vectors. BLOCKS such matrices are summed at once, others one by one.
 */
enum { EACH = 16 / L, BLOCKS = NV / EACH < 4 ? NV / EACH : 4 };

static void spmm_blocks(gnd_real *restrict y, int64_t ys, const gnd_csr *a,
                        const gnd_real *restrict x, int64_t xs, int64_t f, int64_t n, int64_t r0,
                        int64_t r1)
{
    for (int64_t b = 0; b < n;) {
        const blocks_job j = {y + b * ys, a, x + b * xs, ys, xs, r0, r1};

        if (f == EACH * L && n - b >= BLOCKS) {
            blocks_some(&j, BLOCKS, EACH);
            b += BLOCKS;
        } else {
            spmm(j.y, a, j.x, f, 0, NULL, r0, r1);
            b++;
        }
    }
}

static void spmm_t_blocks(gnd_real *restrict y, int64_t ys, const gnd_csr *a,
                          const gnd_real *restrict x, int64_t xs, int64_t f, int64_t n, int64_t r0,
                          int64_t r1)
{
    for (int64_t b = 0; b < n;) {
        const blocks_job j = {y + b * ys, a, x + b * xs, ys, xs, r0, r1};

        if (f == EACH * L && n - b >= BLOCKS) {
            blocks_t_some(&j, BLOCKS, EACH);
            b += BLOCKS;
        } else {
            spmm_t(j.y, a, j.x, f, r0, r1);
            b++;
        }
    }
}
