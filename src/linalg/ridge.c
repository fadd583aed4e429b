/* SPDX-License-Identifier: MIT
 * ridge.c - conjugate gradients (Hestenes and Stiefel, J. Res. NBS 49, 1952) for the coefficients
 * of the known rows, all classes at once, each with its own step lengths.
 *
 *     (Z_T Z_T^T + penalty I) coef = Y - 1 / C,   score = Z (Z_T^T coef)
 *     coef, residual, direction, product: [m, C],   m known rows;   weights: [d, C] */
#include "ridge.h"

#include "base/alloc.h"

enum {
    STEPS_MAX = 100, /* 10 to 40 are usual */
    PANEL = 16       /* columns of a kernel at a time: whole cache lines */
};

typedef struct {
    gnd_design z; /* Z_T */
    gnd_csr rows, rows_t;
    int32_t *here;   /* known rows that this process has; NULL: all processes have all */
    int64_t size, C; /* size: m C */
    gnd_real *coef, *residual, *direction, *product, *weights, *room;
    double *square;         /* [C] of the residual */
    double penalty, solved; /* solved: square up to which a class is solved */
    const gnd_ridge_opts *o;
} solver;

static void solver_fini(solver *v)
{
    gnd_csr_fini(&v->rows);
    gnd_csr_fini(&v->rows_t);
    gnd_free(v->coef);
    gnd_free(v->residual);
    gnd_free(v->direction);
    gnd_free(v->product);
    gnd_free(v->weights);
    gnd_free(v->room);
    gnd_free(v->square);
    gnd_free(v->here);
}

/* rows_t: [n, m] the transpose of the known rows, of an operator on a part of a graph. It is
 * symmetric, so own rows have the entries. */
static gnd_status known_columns(solver *v, const gnd_csr *a, const gnd_ridge_opts *o,
                                gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(a->part, a->n_row);
    int32_t *at = gnd_alloc(a->n_col, sizeof *at), *row = NULL, *col = NULL;
    gnd_real *val = NULL;
    int64_t nnz = 0, k = 0;
    gnd_status st = GND_OK;

    v->here = gnd_alloc(o->n, sizeof *v->here);
    if (!at || !v->here)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)o->n));
    for (int64_t i = 0; i < o->n; i++) {
        at[o->row[i]] = (int32_t)(i + 1);
        if (o->row[i] >= own.begin && o->row[i] < own.end)
            v->here[v->z.n_here++] = (int32_t)i;
    }
    for (int64_t q = 0; q < gnd_csr_nnz(a); q++)
        nnz += at[a->col[q]] > 0;
    row = gnd_alloc(nnz, sizeof *row);
    col = gnd_alloc(nnz, sizeof *col);
    val = gnd_alloc(nnz, sizeof *val);
    if (!row || !col || !val)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)o->n));
    for (int64_t i = own.begin; i < own.end; i++)
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++)
            if (at[a->col[q]] > 0) {
                row[k] = (int32_t)i;
                col[k] = at[a->col[q]] - 1;
                val[k++] = gnd_csr_val(a, q);
            }
    GND_TRY(gnd_csr_from_triplets(&v->rows_t, &(gnd_triplets){a->n_row, o->n, nnz, row, col, val},
                                  GND_DUP_SUM, NULL, err));
    v->rows_t.part = a->part;
    v->z.here = v->here;
out:
    gnd_free(val);
    gnd_free(col);
    gnd_free(row);
    gnd_free(at);
    return st;
}

/* Z_T, and room for products of C columns with it. */
static gnd_status rows_init(solver *v, const gnd_design *z, const gnd_ridge_opts *o, int64_t C,
                            gnd_error *err)
{
    gnd_status st = GND_OK;

    v->z = *z;
    v->weights = gnd_alloc_raw(gnd_design_columns(z) * C, sizeof *v->weights);
    v->room = gnd_alloc_raw(gnd_design_room(z, C), sizeof *v->room);
    if (!v->weights || !v->room)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)o->n));
    GND_TRY(gnd_csr_select(&v->rows, z->factor[0], (gnd_row_list){o->row, o->n}, NULL,
                           z->factor[0]->n_col, err));
    if (z->factor[0]->part)
        GND_TRY(known_columns(v, z->factor[0], o, err));
    else
        GND_TRY(gnd_csr_transpose(&v->rows_t, &v->rows, err));
    v->z.factor[0] = &v->rows;
    v->z.transposed[0] = &v->rows_t;
    v->z.vertex = o->row;
out:
    return st;
}

static gnd_status solver_init(solver *v, const gnd_ridge_opts *o, gnd_error *err)
{
    const int64_t C = o->n_class, size = o->n * C;

    *v = (solver){.size = size, .C = C, .penalty = o->penalty, .o = o};
    v->coef = gnd_alloc(size, sizeof *v->coef);
    v->residual = gnd_alloc(size, sizeof *v->residual);
    v->direction = gnd_alloc(size, sizeof *v->direction);
    v->product = gnd_alloc(size, sizeof *v->product);
    v->square = gnd_alloc(C, sizeof *v->square);
    if (!v->coef || !v->residual || !v->direction || !v->product || !v->square)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)o->n);
    for (int64_t e = 0; e < size; e++) {
        const double y = (o->cls[e / C] == e % C) - 1 / (double)C;

        v->residual[e] = v->direction[e] = (gnd_real)y;
        v->square[e % C] += y * y;
        v->solved += y * y / (double)C;
    }
    v->solved *= o->tol * o->tol;
    return GND_OK;
}

/* y: [n, C] = rows row[0 .. n - 1] of the kernel, or all (NULL), in its columns of known rows,
 * times w: [known, C]. */
static void kernel_times(gnd_real *y, const int32_t *row, int64_t n, const gnd_ridge_opts *o,
                         const gnd_real *w)
{
    const int64_t C = o->n_class;

    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++) {
            const gnd_real *k = o->kernel + (row ? row[i] : i) * o->n_kernel;
            double sum = 0;

            for (int64_t l = 0; l < o->n; l++)
                sum += (double)k[o->at[l]] * (double)w[l * C + c];
            y[i * C + c] = (gnd_real)sum;
        }
}

/* a . b of class c. */
static double dot(const solver *v, const gnd_real *a, const gnd_real *b, int64_t c)
{
    double sum = 0;

    for (int64_t e = c; e < v->size; e += v->C)
        sum += (double)a[e] * (double)b[e];
    return sum;
}

/* One step of every class that is not solved; false: all are. */
static bool step(solver *v, gnd_pool *pool)
{
    const int64_t C = v->C;
    bool more = false;

    if (v->o->kernel) {
        kernel_times(v->product, v->o->at, v->o->n, v->o, v->direction);
    } else {
        gnd_design_times_t(v->weights, &v->z, v->direction, C, v->room, pool);
        gnd_design_times(v->product, &v->z, v->weights, C, v->room, pool);
    }
    for (int64_t c = 0; c < C; c++) {
        const double before = v->square[c];
        double by;

        if (before <= v->solved)
            continue;
        gnd_pool_check(pool, NULL); /* gnd_ridge looks whether to stop */
        for (int64_t e = c; e < v->size; e += C)
            v->product[e] += (gnd_real)v->penalty * v->direction[e];
        by = before / dot(v, v->direction, v->product, c);
        for (int64_t e = c; e < v->size; e += C) {
            v->coef[e] += (gnd_real)by * v->direction[e];
            v->residual[e] -= (gnd_real)by * v->product[e];
        }
        v->square[c] = dot(v, v->residual, v->residual, c);
        for (int64_t e = c; e < v->size; e += C)
            v->direction[e] = v->residual[e] + (gnd_real)(v->square[c] / before) * v->direction[e];
        more = more || v->square[c] > v->solved;
    }
    return more;
}

static gnd_status solve(solver *v, gnd_pool *pool, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int k = 0; k < STEPS_MAX && step(v, pool); k++)
        GND_TRY(gnd_pool_check(pool, err));
out:
    return st;
}

gnd_status gnd_ridge(gnd_real *score, const gnd_design *z, const gnd_ridge_opts *o, gnd_pool *pool,
                     gnd_error *err)
{
    solver v;
    gnd_status st;

    GND_TRY(solver_init(&v, o, err));
    GND_TRY(rows_init(&v, z, o, o->n_class, err));
    GND_TRY(solve(&v, pool, err));
    gnd_design_times_t(v.weights, &v.z, v.coef, v.C, v.room, pool);
    gnd_design_times(score, z, v.weights, v.C, v.room, pool);
out:
    solver_fini(&v);
    return st;
}

gnd_status gnd_ridge_known(gnd_real *score, const gnd_ridge_opts *o, gnd_pool *pool, gnd_error *err)
{
    solver v;
    gnd_status st;

    GND_TRY(solver_init(&v, o, err));
    GND_TRY(solve(&v, pool, err));
    kernel_times(score, NULL, o->n_kernel, o, v.coef);
out:
    solver_fini(&v);
    return st;
}

gnd_status gnd_ridge_kernel(gnd_real *kernel, const gnd_design *z, const int32_t *row, int64_t n,
                            gnd_pool *pool, gnd_error *err)
{
    const gnd_ridge_opts of = {.row = row, .n = n};
    solver v = {0};
    gnd_real *unit = gnd_alloc(n * PANEL, sizeof *unit);
    gnd_real *column = gnd_alloc_raw(n * PANEL, sizeof *column);
    gnd_status st = GND_OK;

    if (!unit || !column)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)n));
    GND_TRY(rows_init(&v, z, &of, PANEL, err));
    for (int64_t first = 0; first < n; first += PANEL) {
        for (int64_t e = 0; e < n * PANEL; e++)
            unit[e] = e / PANEL == first + e % PANEL;
        gnd_design_times_t(v.weights, &v.z, unit, PANEL, v.room, pool);
        gnd_design_times(column, &v.z, v.weights, PANEL, v.room, pool);
        for (int64_t e = 0; e < n * PANEL; e++)
            if (first + e % PANEL < n)
                kernel[e / PANEL * n + first + e % PANEL] = column[e];
        GND_TRY(gnd_pool_check(pool, err));
    }
out:
    gnd_free(column);
    gnd_free(unit);
    solver_fini(&v);
    return st;
}
