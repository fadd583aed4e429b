/* SPDX-License-Identifier: MIT
 * kern_masked.h - spmm_masked and spmm_t_kept with vectors: part of kern_vec.h.
 *
 * All entries of a row are multiplied and the products of the dropped ones are masked: with short
 * rows this takes less time than the wrong prediction of how many entries are kept. */

typedef struct {
    const gnd_columns_of *p;
    const uint64_t *mask;
    int64_t c0, w;
} masked_job;

/* masks[b][e]: a vector of ones if bit e of b is set, else of zeros. */
enum {
    MASKED = 4,
    WORD = 56 /* a multiple of MASKED; bits_from gives at least 57 bits */
};
#if VEC_BYTES == 16
#define LANES(x)                                                                                   \
    {                                                                                              \
        x, x, x, x                                                                                 \
    }
#elif VEC_BYTES == 32
#define LANES(x)                                                                                   \
    {                                                                                              \
        x, x, x, x, x, x, x, x                                                                     \
    }
#else
#define LANES(x)                                                                                   \
    {                                                                                              \
        x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x                                             \
    }
#endif
#define BITS(b)                                                                                    \
    {                                                                                              \
        LANES(-((b)&1)), LANES(-((b) >> 1 & 1)), LANES(-((b) >> 2 & 1)), LANES(-((b) >> 3 & 1))    \
    }
#define BITS4(b) BITS(b), BITS((b) + 1), BITS((b) + 2), BITS((b) + 3)
static const int32_t masks[1 << MASKED][MASKED][VEC_BYTES / 4]
    __attribute__((aligned(VEC_BYTES))) = {BITS4(0), BITS4(4), BITS4(8), BITS4(12)};
#undef BITS4
#undef BITS
#undef LANES

/* The bits from position q on, at least 57 of them. */
INLINE uint64_t bits_from(const uint64_t *bits, uint64_t q)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;

    memcpy(&word, (const char *)bits + q / 8, sizeof word);
    return word >> q % 8;
#else
    return bits[q / 64] >> q % 64 | bits[q / 64 + 1] << 1 << (63 - q % 64);
#endif
}

/* x if bit e < MASKED of the word is set, else +0. */
INLINE vec masked(vec x, uint64_t word, const int e)
{
    vec_lane m;

    memcpy(&m, masks[word % (1 << MASKED)][e], sizeof m);
    return (vec)((vec_lane)x & m);
}

/* Entries to add to a row. The lowest bit of the word is that of the first. */
typedef struct {
    const gnd_real *x, *val;
    const int32_t *col;
    int64_t f, w;
    uint64_t word;
} some_entries;

/* Adds n entries and passes them. */
INLINE void entries_add(vec *sum, some_entries *s, const int n, const int nv)
{
    unrolled_for (int e = 0; e < n; e++) {
        const gnd_real *x = nv > 1 ? made(s->x + s->col[e] * s->f) : s->x + (int64_t)s->col[e] * L;

        unrolled_for (int v = 0; v < nv; v++)
            sum[v] += masked(s->val[e] * part(x, v, nv, s->w), s->word >> e / MASKED * MASKED,
                             e % MASKED);
    }
    s->col += n;
    s->val += n;
    s->word >>= n;
}

/* Adds the entries of a row, whose bits start at position `bit`. few: their number as a constant;
 * 0: any. */
INLINE void row_add(vec *sum, some_entries *s, int64_t len, const uint64_t *mask, uint64_t bit,
                    const int nv, const int few)
{
    s->word = bits_from(mask, bit);
    if (few) {
        entries_add(sum, s, few, nv);
        return;
    }
    for (; len > WORD; len -= WORD) {
        for (int e = 0; e < WORD; e += MASKED)
            entries_add(sum, s, MASKED, nv);
        bit += WORD;
        s->word = bits_from(mask, bit);
    }
    for (; len >= MASKED; len -= MASKED)
        entries_add(sum, s, MASKED, nv);
    if (len == 3)
        entries_add(sum, s, 3, nv);
    else if (len == 2)
        entries_add(sum, s, 2, nv);
    else if (len == 1)
        entries_add(sum, s, 1, nv);
}

INLINE void masked_run(const masked_job *j, const gnd_masked_rows *run, const int nv, const int few)
{
    const int64_t w = j->w, f = nv > 1 ? j->p->f : L, n = run->n, len = run->len;
    const gnd_real *z = j->p->z ? j->p->z + j->c0 : NULL, c = j->p->c;
    some_entries s = {.x = made(j->p->x + j->c0), .val = run->val, .col = run->col, .f = f, .w = w};
    gnd_real *y = j->p->y + j->c0;
    const uint64_t *mask = j->mask, *first = run->first;
    const int32_t *row = run->row;

    for (int64_t i = 0; i < n; i++) {
        const int64_t place = row[i] * f;
        vec sum[4];

        unrolled_for (int v = 0; v < nv; v++)
            sum[v] = z ? c * part(z + place, v, nv, w) : (vec){0};
        row_add(sum, &s, len, mask, first[i], nv, few);
        unrolled_for (int v = 0; v < nv; v++)
            set_part(y + place, v, nv, w, sum[v]);
    }
}

/* Rows of one vector. The most frequent lengths are constants. */
static void masked_narrow(const masked_job *j, const gnd_masked_rows *run, int64_t n_run)
{
    for (int64_t r = 0; r < n_run; r++)
        switch (run[r].len) {
        case 1:
            masked_run(j, run + r, 1, 1);
            break;
        case 2:
            masked_run(j, run + r, 1, 2);
            break;
        case 3:
            masked_run(j, run + r, 1, 3);
            break;
        case 4:
            masked_run(j, run + r, 1, 4);
            break;
        case 5:
            masked_run(j, run + r, 1, 5);
            break;
        case 6:
            masked_run(j, run + r, 1, 6);
            break;
        default:
            masked_run(j, run + r, 1, 0);
        }
}

INLINE void masked_wide(const masked_job *j, const gnd_masked_rows *run, int64_t n_run,
                        const int nv)
{
    for (int64_t r = 0; r < n_run; r++)
        masked_run(j, run + r, nv, 0);
}

static void spmm_masked(const gnd_columns_of *p, const gnd_masked_rows *run, int64_t n_run,
                        const uint64_t *mask)
{
    masked_job j = {.p = p, .mask = mask, .w = p->f};

    if (p->f < L || FITS_NARROWER(p->f)) {
        NARROWER.spmm_masked(p, run, n_run, mask);
        return;
    }
    if (p->f == L) {
        masked_narrow(&j, run, n_run);
        return;
    }
    for (; j.c0 < p->f; j.c0 += j.w) {
        j.w = tile_width(p->f - j.c0, 4 * L);
        if (j.w <= 2 * L) /* both vectors may be the same */
            masked_wide(&j, run, n_run, 2);
        else if (j.w <= 3 * L)
            masked_wide(&j, run, n_run, 3);
        else
            masked_wide(&j, run, n_run, 4);
    }
}

/* ---- y += M(a)^T x --------------------------------------------------------------------------- */

typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x;
    const gnd_kept_entries *kept;
    int64_t f, c0, w;
} kept_job;

/* The kept ones of n <= WORD entries from e on of row i. */
INLINE uint64_t kept_of_row(const gnd_kept_entries *k, int64_t i, int64_t e, int64_t n)
{
    return bits_from(k->mask, (uint64_t)(k->at[k->row[i]] + e)) & (~UINT64_C(0) >> (64 - n));
}

/* y += a x for an entry of `col`. As in spmm_t, all loads of y come before the stores. */
INLINE void kept_add(const kept_job *j, int64_t p, const vec *x, const int nv)
{
    const gnd_real a = gnd_csr_val(j->a, p) * j->kept->scale;
    gnd_real *y = j->y + j->a->col[p] * j->f + j->c0;
    vec sum[4];

    unrolled_for (int v = 0; v < nv; v++)
        sum[v] = part(y, v, nv, j->w) + a * x[v];
    unrolled_for (int v = 0; v < nv; v++)
        set_part(y, v, nv, j->w, sum[v]);
}

INLINE void kept_rows(const kept_job *j, int64_t r0, int64_t r1, const int nv)
{
    for (int64_t i = r0; i < r1; i++) {
        const int64_t from = j->a->ptr[i], len = j->a->ptr[i + 1] - from;
        vec x[4];

        unrolled_for (int v = 0; v < nv; v++)
            x[v] = part(j->x + i * j->f + j->c0, v, nv, j->w);
        for (int64_t e = 0; e < len; e += WORD) {
            uint64_t left = kept_of_row(j->kept, i, e, len - e < WORD ? len - e : WORD);

            for (; left; left &= left - 1)
                kept_add(j, from + e + __builtin_ctzll(left), x, nv);
        }
    }
}

static void spmm_t_kept(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                        int64_t f, const gnd_kept_entries *kept, int64_t r0, int64_t r1)
{
    kept_job j = {.y = y, .a = a, .x = x, .kept = kept, .f = f};

    if (f < L) {
        NARROWER.spmm_t_kept(y, a, x, f, kept, r0, r1);
        return;
    }
    for (; j.c0 < f; j.c0 += j.w) {
        j.w = tile_width(f - j.c0, 4 * L);
        if (j.w <= L)
            kept_rows(&j, r0, r1, 1);
        else if (j.w <= 2 * L)
            kept_rows(&j, r0, r1, 2);
        else if (j.w <= 3 * L)
            kept_rows(&j, r0, r1, 3);
        else
            kept_rows(&j, r0, r1, 4);
    }
}
