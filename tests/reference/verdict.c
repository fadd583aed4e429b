/* SPDX-License-Identifier: MIT
 * verdict.c - fields of a reference file, asked for and compared. */
#include "reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double tolerance(void)
{
    return sizeof(gnd_real) == sizeof(double) ? 1e-10 : 2e-5;
}

void ref_fail(verdict *r, const char *fmt, ...)
{
    va_list ap;

    r->n_fail++;
    if (isinf(r->worst))
        return; /* what came first is the cause of what follows */
    r->worst = INFINITY;
    va_start(ap, fmt);
    vsnprintf(r->text, sizeof r->text, fmt, ap);
    va_end(ap);
}

void ref_skip(verdict *r, const char *fmt, ...)
{
    va_list ap;

    r->skipped = true;
    va_start(ap, fmt);
    vsnprintf(r->text, sizeof r->text, fmt, ap);
    va_end(ap);
}

bool ref_ok(verdict *r, gnd_status st, const gnd_error *err)
{
    if (st != GND_OK)
        ref_fail(r, "the library says: %s", err->msg);
    return st == GND_OK;
}

const char *dotted(char buf[96], const char *a, const char *b)
{
    snprintf(buf, 96, "%s.%s", a, b);
    return buf;
}

/* ---- fields that must be there ---- */

const char *need_text(verdict *r, const char *name)
{
    const char *t = golden_text(r->f, name);

    if (!t)
        ref_fail(r, "%s: this text is missing", name);
    return t;
}

bool need_scalar(verdict *r, const char *name, double *out)
{
    *out = 0;
    if (golden_scalar(r->f, name, out))
        return true;
    ref_fail(r, "%s: this scalar is missing", name);
    return false;
}

bool need_whole(verdict *r, const char *name, int64_t *out, int64_t max)
{
    double x;

    *out = 0;
    if (!need_scalar(r, name, &x))
        return false;
    if (!(x >= 0 && x <= (double)max && x == floor(x))) {
        ref_fail(r, "%s: %g is not a whole number of 0..%" PRId64, name, x, max);
        return false;
    }
    *out = (int64_t)x;
    return true;
}

static bool shape_ok(verdict *r, const char *name, const void *found, int64_t rows, int64_t cols,
                     int64_t want_rows, int64_t want_cols)
{
    if (!found) {
        ref_fail(r, "%s: this field is missing", name);
        return false;
    }
    if ((want_rows >= 0 && rows != want_rows) || (want_cols >= 0 && cols != want_cols)) {
        ref_fail(r,
                 "%s: expected %" PRId64 " x %" PRId64 " numbers, the file has %" PRId64
                 " x %" PRId64,
                 name, want_rows, want_cols, rows, cols);
        return false;
    }
    return true;
}

const int64_t *need_int(verdict *r, const char *name, int64_t rows, int64_t cols)
{
    int64_t n = 0, m = 0;
    const int64_t *v = golden_int(r->f, name, &n, &m);

    return shape_ok(r, name, v, n, m, rows, cols) ? v : NULL;
}

const double *need_real(verdict *r, const char *name, int64_t rows, int64_t cols)
{
    int64_t n = 0, m = 0;
    const double *v = golden_real(r->f, name, &n, &m);

    return shape_ok(r, name, v, n, m, rows, cols) ? v : NULL;
}

void *room(int64_t n, size_t size)
{
    void *p = calloc(n > 0 ? (size_t)n : 1, size);

    if (!p) {
        fprintf(stderr, "reference: no memory\n");
        exit(2);
    }
    return p;
}

int32_t *need_list(verdict *r, const char *name, int64_t *n, int64_t min, int64_t max)
{
    int64_t rows = 0, cols = 0;
    const int64_t *v = golden_int(r->f, name, &rows, &cols);
    int32_t *list;

    *n = 0;
    if (!shape_ok(r, name, v, rows, cols, -1, -1))
        return NULL;
    list = room(rows * cols, sizeof *list);
    for (int64_t i = 0; i < rows * cols; i++) {
        if (v[i] < min || v[i] > max) {
            ref_fail(r, "%s: %" PRId64 " is out of %" PRId64 "..%" PRId64, name, v[i], min, max);
            free(list);
            return NULL;
        }
        list[i] = (int32_t)v[i];
    }
    *n = rows * cols;
    return list;
}

double *need_sparse(verdict *r, const char *name, int64_t n, int64_t m)
{
    char buf[96];
    int64_t nnz = 0, two = 0;
    const int64_t *ij = golden_int(r->f, dotted(buf, name, "ij"), &nnz, &two);
    const double *v;
    double *a;

    if (!shape_ok(r, buf, ij, nnz, two, -1, 2))
        return NULL;
    v = need_real(r, dotted(buf, name, "v"), nnz, 1);
    if (!v)
        return NULL;
    a = room(n * m, sizeof *a);
    for (int64_t p = 0; p < nnz; p++) {
        const int64_t i = ij[2 * p], j = ij[2 * p + 1];

        if (i < 0 || i >= n || j < 0 || j >= m) {
            ref_fail(r, "%s.ij: (%" PRId64 ", %" PRId64 ") is outside %" PRId64 " x %" PRId64, name,
                     i, j, n, m);
            free(a);
            return NULL;
        }
        a[i * m + j] += v[p];
    }
    return a;
}

/* ---- comparisons ---- */

void check_values(verdict *r, const char *name, const double *want, const double *got, int64_t rows,
                  int64_t cols)
{
    double scale = 1, worst = -1, limit;
    int64_t at = 0;

    r->n_field++;
    for (int64_t i = 0; i < rows * cols; i++)
        scale = fmax(scale, fabs(want[i]));
    limit = tolerance() * scale;
    for (int64_t i = 0; i < rows * cols; i++) {
        double d = fabs(want[i] - got[i]);

        if (!(d < INFINITY)) /* NaN, or one of them infinite */
            d = INFINITY;
        if (d > worst) {
            worst = d;
            at = i;
        }
    }
    if (worst <= limit && isfinite(limit))
        return;
    r->n_fail++;
    if (worst / limit <= r->worst)
        return;
    r->worst = fmin(worst / limit, 1e300); /* finite: a missing field says more */
    snprintf(r->text, sizeof r->text,
             "%s: expected %.17g got %.17g at row %" PRId64 ", column %" PRId64
             " (difference %.3g, limit %.3g)",
             name, want[at], got[at], at / cols, at % cols, worst, limit);
}

void check_scalar(verdict *r, const char *name, double got)
{
    double want;

    if (need_scalar(r, name, &want))
        check_values(r, name, &want, &got, 1, 1);
}

void check_double(verdict *r, const char *name, const double *got, int64_t rows, int64_t cols)
{
    const double *want = need_real(r, name, rows, cols);

    if (want)
        check_values(r, name, want, got, rows, cols);
}

void check_real(verdict *r, const char *name, const gnd_real *got, int64_t rows, int64_t cols)
{
    const double *want = need_real(r, name, rows, cols);
    double *wide;

    if (!want)
        return;
    wide = room(rows * cols, sizeof *wide);
    for (int64_t i = 0; i < rows * cols; i++)
        wide[i] = (double)got[i];
    check_values(r, name, want, wide, rows, cols);
    free(wide);
}

/* Integers differ or they do not: any difference counts more than one of rounding. */
static void integers_differ(verdict *r, const char *name, int64_t want, int64_t got, int64_t at)
{
    const double d = fabs((double)want - (double)got);

    r->n_fail++;
    if (r->worst >= 1e299)
        return;
    r->worst = 1e299;
    snprintf(r->text, sizeof r->text,
             "%s: expected %" PRId64 " got %" PRId64 " at entry %" PRId64
             " (difference %g, limit 0)",
             name, want, got, at, d);
}

void check_list(verdict *r, const char *name, const int32_t *got, int64_t n)
{
    int64_t rows = 0, cols = 0;
    const int64_t *want = golden_int(r->f, name, &rows, &cols);

    if (!shape_ok(r, name, want, rows, cols, -1, -1))
        return;
    r->n_field++;
    if (rows * cols != n) {
        ref_fail(r, "%s: expected %" PRId64 " integers got %" PRId64, name, rows * cols, n);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        if (want[i] != got[i]) {
            integers_differ(r, name, want[i], got[i], i);
            return;
        }
}

void check_whole(verdict *r, const char *name, int64_t got)
{
    int64_t want;

    if (!need_whole(r, name, &want, INT64_C(1) << 53))
        return;
    r->n_field++;
    if (want != got)
        integers_differ(r, name, want, got, 0);
}

void check_sparse(verdict *r, const char *name, const gnd_csr *got)
{
    const int64_t n = got->n_row, m = got->n_col;
    double *want = need_sparse(r, name, n, m), *dense;

    if (!want)
        return;
    dense = room(n * m, sizeof *dense);
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = got->ptr[i]; p < got->ptr[i + 1]; p++)
            dense[i * m + got->col[p]] = (double)gnd_csr_val(got, p);
    check_values(r, name, want, dense, n, m);
    free(dense);
    free(want);
}
