/* SPDX-License-Identifier: MIT
 * grouped_cases.h - the kernel on groups of rows against rows one by one: part of kern_cases.h. */

/* GROUPED_ROWS rows of 0, 1, 2, .. entries, which are not in the order of their length. */
enum { GROUPED_ROWS = 71 };

static void rows_of_each_length(gnd_csr *a, int64_t n_col, bool by_row)
{
    const int64_t nnz = GROUPED_ROWS * (GROUPED_ROWS - 1) / 2;
    gnd_real *val = numbers(nnz, 3);
    gnd_error err = {0};
    int64_t p = 0;

    assert_int_equal(gnd_csr_init(a, GROUPED_ROWS, n_col, nnz, true, &err), GND_OK);
    for (int64_t i = 0; i < GROUPED_ROWS; i++) {
        for (int64_t e = 0; e < i * 29 % GROUPED_ROWS; e++, p++) {
            a->col[p] = (int32_t)(gnd_hash_at(4, (uint64_t)p) % (uint64_t)n_col);
            a->val[p] = by_row ? val[i] : val[p];
        }
        a->ptr[i + 1] = p;
    }
    gnd_free(val);
}

/* Rows of a in groups; w: which of them, n rows of ascending length. */
typedef struct {
    int32_t row[GROUPED_ROWS + GND_GROUP], len[GROUPED_ROWS + GND_GROUP];
    int32_t col[GROUPED_ROWS * GROUPED_ROWS + GND_ENTRIES_AHEAD];
    gnd_real val[GROUPED_ROWS * GROUPED_ROWS];
} grouped;

static gnd_grouped_rows groups_of(grouped *g, const gnd_csr *a, const int32_t *w, int64_t n,
                                  bool by_row)
{
    const int64_t n_group = (n + GND_GROUP - 1) / GND_GROUP, n_copy = n_group * GND_GROUP - n;
    int64_t n_col = 0, n_val = 0;

    for (int64_t i = 0; i < n_group * GND_GROUP; i++) { /* the last group is the one not full */
        const bool copy = i >= n - n % GND_GROUP && i < n - n % GND_GROUP + n_copy;

        g->row[i] = copy ? w[n - 1] : w[i < n - n % GND_GROUP ? i : i - n_copy];
        g->len[i] = copy ? 0 : (int32_t)(a->ptr[g->row[i] + 1] - a->ptr[g->row[i]]);
        if (by_row)
            g->val[n_val++] = g->len[i] > 0 ? a->val[a->ptr[g->row[i]]] : 0;
    }
    for (int64_t i = 0; i < n_group * GND_GROUP; i += GND_GROUP)
        for (int64_t e = 0; e < g->len[i + GND_GROUP - 1]; e++)
            for (int64_t r = i; r < i + GND_GROUP; r++)
                if (e < g->len[r]) {
                    g->col[n_col++] = a->col[a->ptr[g->row[r]] + e];
                    if (!by_row)
                        g->val[n_val++] = a->val[a->ptr[g->row[r]] + e];
                }
    memset(g->col + n_col, 0, GND_ENTRIES_AHEAD * sizeof *g->col);
    return (gnd_grouped_rows){g->row, g->len, g->col, g->val, n_group, by_row};
}

/* y = c z + a x by each table, windows of 1, 2, .. 9 rows in turn, against ref row by row. z NULL
 * or y. */
static void grouped_case(const gnd_csr *a, int64_t f, bool with_z, bool by_row)
{
    const int64_t ys = f + 3, xs = f + 5;
    gnd_real *x = numbers(a->n_col * xs, 1), *y0 = numbers(GROUPED_ROWS * ys, 2);
    gnd_real *ref = copy(y0, GROUPED_ROWS * ys), *y = copy(y0, GROUPED_ROWS * ys);
    grouped *g = gnd_alloc(1, sizeof *g);
    int32_t row[GROUPED_ROWS];
    gnd_columns_of p = {ref, x, with_z ? ref : NULL, (gnd_real)0.7, a->n_col, f, ys, xs};

    for (int64_t i = 0; i < GROUPED_ROWS; i++)
        row[a->ptr[i + 1] - a->ptr[i]] = (int32_t)i;
    gnd_kern_ref.spmm_columns(&p, a, 0, GROUPED_ROWS);
    p.y = y;
    p.z = with_z ? y : NULL;
    for (int t = 0; gnd_kern_at(t); t++) {
        memcpy(y, y0, (size_t)(GROUPED_ROWS * ys) * sizeof *y);
        for (int64_t i = 0, n = 1; i < GROUPED_ROWS; i += n, n = n % 9 + 1) {
            const int64_t left = GROUPED_ROWS - i;
            const gnd_grouped_rows w = groups_of(g, a, row + i, n < left ? n : left, by_row);

            gnd_kern_at(t)->spmm_grouped(&p, &w);
        }
        check_bits(y, ref, GROUPED_ROWS * ys, "spmm_grouped", f);
    }
    gnd_free(g);
    gnd_free(x);
    gnd_free(y0);
    gnd_free(ref);
    gnd_free(y);
}

static void spmm_grouped_agrees(void **state)
{
    (void)state;
    for (int by_row = 0; by_row < 2; by_row++) {
        gnd_csr near, far;

        rows_of_each_length(&near, 17, by_row);
        rows_of_each_length(&far, 30000, by_row); /* rows of x are prefetched */
        for (int with_z = 0; with_z < 2; with_z++) {
            for (int64_t f = 1; f <= 80; f++)
                grouped_case(&near, f, with_z, by_row);
            grouped_case(&far, 16, with_z, by_row);
            grouped_case(&far, 40, with_z, by_row);
        }
        gnd_csr_fini(&near);
        gnd_csr_fini(&far);
    }
}
