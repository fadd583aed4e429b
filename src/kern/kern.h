/* SPDX-License-Identifier: MIT
 * kern.h - the table of kernels (inner loops); one table per instruction set.
 *
 * A kernel gets pointers and a range of output rows. It allocates nothing, cannot fail and uses
 * no threads. Variants vectorise over columns, keep the order of every sum, and do not fuse
 * multiply and add, so that all tables give the same bits as `ref`. */
#ifndef GND_KERN_KERN_H
#define GND_KERN_KERN_H

#include "csr.h"

enum { GND_DOT_LANES = 16, GND_POINT_LANES = 16 };

/* The distribution of dropout masks. Element e has a 32-bit number: the low (e even) or high
 * half of gnd_hash_at(key, e / 2). It is dropped if the number is below drop_below. */
typedef struct {
    uint64_t key;
    uint32_t drop_below;
} gnd_drop_law;

/* Groups of GND_GROUP rows, which ascend by their number of entries in each group. The entries of a
 * group are the first one of each row, then the second one of each row that has two, and so on. A
 * group of fewer rows starts with copies of its last row that have no entries: that row is written
 * again after them. */
enum { GND_GROUP = 4 };

typedef struct {
    const int32_t *row,
        *len;            /* [n, GND_GROUP] index of each row in the whole matrix, its entries */
    const int32_t *col;  /* of each entry, and GND_ENTRIES_AHEAD more that may be read */
    const gnd_real *val; /* of each entry; by_row: [n, GND_GROUP] of all entries of a row */
    int64_t n;
    bool by_row;
} gnd_grouped_rows;

enum { GND_ENTRIES_AHEAD = 16 };

/* Rows with the same number of entries, of which dropout keeps some: entry e of row i, which is
 * col[i len + e], val[i len + e], is kept if bit first[i] + e of a mask is 1. */
typedef struct {
    const int32_t *row;    /* [n] index of each row in the whole matrix */
    const int32_t *col;    /* [n len] */
    const gnd_real *val;   /* [n len] */
    const uint64_t *first; /* [n] */
    int64_t n, len;
} gnd_masked_rows;

/* Which entries of some rows of a matrix dropout keeps: entry e of row i if bit at[row[i]] + e of
 * the mask is 1. The word after the last may be read. */
typedef struct {
    const uint64_t *mask;
    const int64_t *at;
    const int32_t *row;
    gnd_real scale; /* of kept values */
} gnd_kept_entries;

/* n tiles of GND_TILE lanes and R = n_full + 2 n_pair rows: n_full rows of gnd_real, then n_pair of
 * words that hold two rows as halves (half.h). */
typedef struct {
    const gnd_real *p; /* [n, n_full + n_pair, GND_TILE] */
    int64_t n, n_full, n_pair;
} gnd_tiles;

enum { GND_TILE = 16, GND_TILES_SUM = 64 };

/* y = c z + a x with f columns that are part of wider matrices: a row of y and z starts ys values
 * after the one before, a row of x xs values. z NULL: without the first term. y must not overlap x;
 * y may be z.  x: m rows */
typedef struct {
    gnd_real *y;
    const gnd_real *x, *z;
    gnd_real c;
    int64_t m, f, ys, xs;
} gnd_columns_of;

/* t(v)[c] = a[c] v[c] + b[c] for rows v of f values, b NULL: a[c] v[c]. Row i of a list of rows is
 * row `row[i]` of the whole matrix, row NULL: row i. */
typedef struct {
    const gnd_real *a, *b; /* [f] */
    const int32_t *row;
    int64_t f;
} gnd_column_fit;

/* A step of Clenshaw's recurrence with rows of pairs (pair.h), in place:
 *
 *     y[i] <- s root[i]^2 sum_j a[i,j] x[j] + older y[i] + c root[i] z[i]
 *
 * y, x: [n, GND_PAIR_WORDS] words, which must not overlap; root: [n]; z: rows of GND_PAIR_COLUMNS
 * numbers that are zs apart. x or z NULL: without that term. older 0: y is not read. */
typedef struct {
    gnd_real *y;
    const gnd_real *x, *z, *root;
    gnd_real s, older, c;
    int64_t zs;
} gnd_pairs_step;

/* A step of Adam (optim.c): theta -= step m / (sqrt(v) scale + eps) with the new m and v; the
 * gradient is g + l2 theta. */
typedef struct {
    gnd_real step, scale, eps, l2;
} gnd_adam_step;

typedef struct {
    const char *name;
    /* y[i,:] = c z[i,:] + sum_j a[i,j] x[j,:],  r0 <= i < r1;  z NULL: without the first term.
     * a: [n, m]  x: [m, f]  y, z: [n, f]. y must not overlap x; y may be z. */
    void (*spmm)(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_real c,
                 const gnd_real *z, int64_t r0, int64_t r1);
    /* y[row[i],:] += sum_j a[i,j] x[j,:],  r0 <= i < r1, for an a that holds some rows, each
     * once. a: [n, m]  row: [n]  x: [m, f]. y must not overlap x. */
    void (*spmm_some)(gnd_real *y, const int32_t *row, const gnd_csr *a, const gnd_real *x,
                      int64_t f, int64_t r0, int64_t r1);
    /* spmm for columns of wider matrices. */
    void (*spmm_columns)(const gnd_columns_of *p, const gnd_csr *a, int64_t r0, int64_t r1);
    /* The same for the rows of g. */
    void (*spmm_grouped)(const gnd_columns_of *p, const gnd_grouped_rows *g);
    /* The same for rows with dropout, in matrices of f columns: p->ys and p->xs are not used. A
     * dropped entry adds +0, so that the sum is that of the kept entries, or +0 where that is -0.
     * mask: words; the one after the last may be read. */
    void (*spmm_masked)(const gnd_columns_of *p, const gnd_masked_rows *run, int64_t n_run,
                        const uint64_t *mask);
    /* y[i - r0,:] = sum_j a[i,j] x[j,:] in double,  r0 <= i < r1.  a: [n, m]  x: [m, f]  y: [r1 -
     * r0, f] */
    void (*sums)(double *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                 int64_t r0, int64_t r1);
    /* y += a^T x over rows r0 <= i < r1, by scattering:  y[j,:] += sum_i a[i,j] x[i,:].  x: [n,
     * f] y: [m, f] */
    void (*spmm_t)(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                   int64_t r0, int64_t r1);
    /* The same with the kept entries, whose values are times scale. */
    void (*spmm_t_kept)(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                        int64_t f, const gnd_kept_entries *kept, int64_t r0, int64_t r1);
    /* y_b = a x_b and y_b += a^T x_b for b < n, over rows r0 <= i < r1 as spmm and spmm_t. The
     * matrices x_b and y_b have f columns and start at x + b xs and y + b ys. */
    void (*spmm_blocks)(gnd_real *restrict y, int64_t ys, const gnd_csr *a,
                        const gnd_real *restrict x, int64_t xs, int64_t f, int64_t n, int64_t r0,
                        int64_t r1);
    void (*spmm_t_blocks)(gnd_real *restrict y, int64_t ys, const gnd_csr *a,
                          const gnd_real *restrict x, int64_t xs, int64_t f, int64_t n, int64_t r0,
                          int64_t r1);
    /* y[i,:] = sum_k x[i,k] w[k,:],  r0 <= i < r1.  x: [n, k]  w: [k, f]  y: [n, f] */
    void (*gemm)(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                 int64_t k, int64_t f, int64_t r0, int64_t r1);
    /* w += x^T y over rows r0 <= i < r1:  w[k,:] += sum_i x[i,k] y[i,:]. */
    void (*gemm_t)(gnd_real *restrict w, const gnd_real *restrict x, const gnd_real *restrict y,
                   int64_t k, int64_t f, int64_t r0, int64_t r1);
    /* y[i] += c x[i] */
    void (*axpy)(gnd_real *restrict y, gnd_real c, const gnd_real *restrict x, int64_t n);
    /* y[i] = s y[i] + c x[i] */
    void (*axpby)(gnd_real *restrict y, gnd_real s, gnd_real c, const gnd_real *restrict x,
                  int64_t n);
    /* y[i,:] = s[i] x[i,:], f values of n rows that are ys and xs values apart; s NULL: unscaled */
    void (*put)(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs, int64_t f,
                const gnd_real *s, int64_t n);
    /* y[i,:] += x[i,:], likewise */
    void (*put_add)(gnd_real *restrict y, int64_t ys, const gnd_real *restrict x, int64_t xs,
                    int64_t f, int64_t n);
    /* sum[c] += d, sum[f + c] += d^2 in double with d = x[i,c] - from[c], row by row.  x: [n, f] */
    void (*moments)(double *restrict sum, const gnd_real *restrict x, const gnd_real *restrict from,
                    int64_t f, int64_t n);
    /* y[i,:] = t(x[row i,:]), relu: and 0 where that is not above 0. fit_add: y[row i,:] +=
     * t(x[i,:]) for n rows. y must not overlap x. */
    void (*fit)(gnd_real *y, const gnd_real *x, const gnd_column_fit *t, bool relu, int64_t n);
    void (*fit_add)(gnd_real *y, const gnd_real *x, const gnd_column_fit *t, int64_t n);
    /* sum[c] += g[i,c], sum[f + c] += g[i,c] (t(x[row i,:])[c] - from[c]) in double, row by row.
     * over: [n, f], where it is not above 0, g is set to 0 before; NULL: nowhere.  g: [n, f] */
    void (*slopes)(double *restrict sum, gnd_real *restrict g, const gnd_real *restrict over,
                   const gnd_real *restrict x, const gnd_column_fit *t,
                   const gnd_real *restrict from, int64_t n);
    /* m = .9 m + .1 g, v = .999 v + .001 g^2, and the step */
    void (*adam)(gnd_real *restrict theta, gnd_real *restrict m, gnd_real *restrict v,
                 const gnd_real *restrict g, const gnd_adam_step *step, int64_t n);
    /* y[i] = tanh(w[i] x[i]);  w NULL: tanh(x[i]) */
    void (*tanh)(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                 int64_t n);
    /* Bit i: element first + i is kept, 0 <= i < n <= 64. The bits from n on are 0. */
    uint64_t (*kept)(const gnd_drop_law *law, int64_t first, int64_t n);
    /* Copies the entries of n whose bit is set, in order, with values times scale (val NULL:
     * scale). The bit of entry i is bit i % 64 of bits[i / 64]; bits from n on are 0. Writes
     * nothing after the last copied entry. */
    void (*pack)(int32_t *restrict col_out, gnd_real *restrict val_out, const int32_t *restrict col,
                 const gnd_real *restrict val, gnd_real scale, const uint64_t *restrict bits,
                 int64_t n);
    /* The same with columns of 16 bits; val NULL: no values are written. */
    void (*pack16)(uint16_t *restrict col_out, gnd_real *restrict val_out,
                   const uint16_t *restrict col, const gnd_real *restrict val, gnd_real scale,
                   const uint64_t *restrict bits, int64_t n);
    /* choose: y[i] = scale x[i] if its bit is set, else 0; y may be x. choose_add: y[i] += the
     * same. */
    void (*choose)(gnd_real *y, const gnd_real *x, gnd_real scale, const uint64_t *restrict bits,
                   int64_t n);
    void (*choose_add)(gnd_real *restrict y, const gnd_real *restrict x, gnd_real scale,
                       const uint64_t *restrict bits, int64_t n);
    /* sum_i x[i] y[i] in double: element i is added to lane i mod GND_DOT_LANES, then the lanes
     * are added in order */
    double (*dot)(const gnd_real *x, const gnd_real *y, int64_t n);
    /* With row r of tile t, b[t,r,:]:
     *     tiles_mix   y[t,:] = sum_r c_r b[t,r,:]      y: [n, GND_TILE]
     *     tiles_dots  out_r += sum_t <b[t,r,:], y[t,:]>, lane by lane over GND_TILES_SUM tiles,
     * then the lanes in double */
    void (*tiles_mix)(gnd_real *restrict y, const gnd_tiles *b, const gnd_real *restrict c);
    void (*tiles_dots)(double *restrict out, const gnd_tiles *b, const gnd_real *restrict y);
    /* A step for rows r0 <= i < r1.  a: [n, n] */
    void (*pairs_step)(const gnd_pairs_step *s, const gnd_csr *a, int64_t r0, int64_t r1);
    /* Squared distances y[i,c] = sum_j (x[i,j] - w[j,c])^2,  r0 <= i < r1.  x: [n, k]  w: [k, f]
     * y: [n, f]; f is a multiple of GND_POINT_LANES. */
    void (*distances)(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                      int64_t k, int64_t f, int64_t r0, int64_t r1);
    /* What m masses w_j at q_j add for N = GND_POINT_LANES points p in the plane, where
     * d = p - q_j and s = 1 / (1 + |d|^2):  sum[0,:] += w_j s^2 d_x,  sum[1,:] += w_j s^2 d_y,
     * sum[2,:] += w_j s.   sum: [3, N]  p: [2, N]  q: [m, 3] of x, y, w */
    void (*repel)(gnd_real *restrict sum, const gnd_real *restrict p, const gnd_real *restrict q,
                  int64_t m);
    /* force[i,:] = sum_j a[i,j] (y_i - y_j) / (1 + |y_i - y_j|^2),  r0 <= i < r1; entry e of a row
     * is added to lane e mod GND_POINT_LANES, then the lanes are added in order.  a: [n, n] with
     * values  y, force: [n, 2] */
    void (*attract)(gnd_real *restrict force, const gnd_csr *a, const gnd_real *restrict y,
                    int64_t r0, int64_t r1);
} gnd_kern;

extern const gnd_kern gnd_kern_ref;
/* The fastest table that this CPU supports, or the one that GND_KERN names. */
const gnd_kern *gnd_kern_get(void);
/* The i-th table that this CPU supports; NULL after the last. For tests. */
const gnd_kern *gnd_kern_at(int i);

#endif
