/* SPDX-License-Identifier: MIT
 * test_lda_double.c - discriminants against their formulas, computed one by one. */
#include "linalg/lda.h"

#include "blobs.h"
#include "graph/dense.h"

/* As lda.h states it, with an inverse by Gauss and Jordan. */
static double *plain_lda(const gnd_points *z, const gnd_real *w, int64_t C, double shrink,
                         double scale)
{
    const int64_t n = z->n, r = z->r;
    double *m = dense_new(C, r), *mass = dense_new(C, 1), *S = dense_new(r, r), *inv;
    double *prob = dense_new(n, C), total = 0, trace = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++) {
            mass[c] += (double)w[i * C + c];
            for (int64_t k = 0; k < r; k++)
                m[c * r + k] += (double)w[i * C + c] * (double)z->z[i * r + k];
        }
    for (int64_t c = 0; c < C; c++) {
        total += mass[c];
        for (int64_t k = 0; k < r && mass[c] > 0; k++)
            m[c * r + k] /= mass[c];
    }
    /* Within classes: the same as sum w z z^T - sum w_c m_c m_c^T, but never negative. */
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            for (int64_t e = 0; e < r * r; e++)
                S[e] += (double)w[i * C + c] / total *
                        ((double)z->z[i * r + e / r] - m[c * r + e / r]) *
                        ((double)z->z[i * r + e % r] - m[c * r + e % r]);
    for (int64_t k = 0; k < r; k++)
        trace += S[k * r + k];
    for (int64_t e = 0; e < r * r; e++)
        S[e] = (1 - shrink) * S[e] + (e % (r + 1) == 0 ? shrink * trace / (double)r : 0);
    inv = dense_inverse(S, r);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;

        for (int64_t c = 0; c < C; c++) {
            double s = 0;

            for (int64_t e = 0; e < r * r; e++)
                s += ((double)z->z[i * r + e / r] - m[c * r + e / r] / 2) * inv[e] *
                     m[c * r + e % r];
            prob[i * C + c] = mass[c] > 0 ? exp(scale * s) : 0;
            sum += prob[i * C + c];
        }
        for (int64_t c = 0; c < C; c++)
            prob[i * C + c] /= sum;
    }
    free(inv);
    free(S);
    free(mass);
    free(m);
    return prob;
}

static void fill(gnd_real *w, int64_t n, int64_t C, int kind)
{
    for (int64_t e = 0; e < n * C; e++) {
        const double u = gnd_rng_uniform(5, (uint32_t)kind, (uint64_t)e);

        w[e] = (gnd_real)u;
        if (kind == 1) /* most points have no weight */
            w[e] = e / C % 7 == 0 ? (gnd_real)u : 0;
        if (kind == 2) /* known for certain */
            w[e] = e / C % C == e % C;
        if (kind == 3 && e % C == 1) /* a class without weight */
            w[e] = 0;
    }
}

static void as_the_formula(void **state)
{
    static const struct {
        int64_t n, r, C;
        double shrink, scale;
    } t[] = {{50, 3, 2, 0.5, 1},   {50, 3, 2, 0.1, 0.3}, {300, 8, 5, 0.5, 2},
             {600, 17, 7, 1, 0.2}, {5000, 6, 4, 0.5, 1}, {257, 4, 3, 0.01, 0.5}};
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++)
        for (int kind = 0; kind < 4; kind++) {
            const int64_t n = t[k].n, C = t[k].C;
            gnd_points z = blobs_new(n, t[k].r, C, 0.8);
            gnd_real *w = calloc((size_t)(n * C), sizeof *w);
            gnd_real *prob = calloc((size_t)(n * C), sizeof *prob);
            double *want;

            fill(w, n, C, kind);
            want = plain_lda(&z, w, C, t[k].shrink, t[k].scale);
            CHECK_OK(gnd_lda(prob, &z, w, &(gnd_lda_opts){C, t[k].shrink, t[k].scale, NULL}, NULL,
                             &err));
            for (int64_t e = 0; e < n * C; e++) {
                CHECK_CLOSE(prob[e], want[e], 1e-9);
                if (kind == 3 && e % C == 1)
                    assert_true(prob[e] == 0);
            }
            /* prob may be weight */
            CHECK_OK(
                gnd_lda(w, &z, w, &(gnd_lda_opts){C, t[k].shrink, t[k].scale, NULL}, NULL, &err));
            assert_memory_equal(w, prob, (size_t)(n * C) * sizeof *w);
            free(want);
            free(prob);
            free(w);
            free(z.z);
        }
}

/* Points of each class coincide: no covariance at all, but classes are separated. */
static void clouds_without_width(void **state)
{
    gnd_points z = blobs_new(30, 3, 3, 0);
    gnd_real w[90], prob[90];
    gnd_error err;

    (void)state;
    fill(w, 30, 3, 2);
    CHECK_OK(gnd_lda(prob, &z, w, &(gnd_lda_opts){3, 0.5, 1, NULL}, NULL, &err));
    for (int64_t e = 0; e < 90; e++)
        CHECK_CLOSE(prob[e], e / 3 % 3 == e % 3, 1e-6);
    free(z.z);
}

static void discriminate(void **state)
{
    enum { N = 1100, R = 5, C = 3 };
    gnd_points z = blobs_new(N, R, C, 0.9);
    gnd_real b[R * C], bias[C] = {0.3, -(gnd_real)INFINITY, -2}, prob[N * C];

    (void)state;
    for (int64_t e = 0; e < R * C; e++)
        b[e] = (gnd_real)blob_number(9, e);
    for (int with = 0; with < 2; with++) {
        gnd_discriminate(prob, &z, &(gnd_discriminant){b, with ? bias : NULL, C, 3}, NULL);
        for (int64_t i = 0; i < N; i++) {
            double want[C], sum = 0;

            for (int64_t c = 0; c < C; c++) {
                double s = with ? (double)bias[c] : 0;

                for (int64_t k = 0; k < R; k++)
                    s += (double)z.z[i * R + k] * (double)b[k * C + c];
                sum += want[c] = exp(3 * s);
            }
            for (int64_t c = 0; c < C; c++)
                CHECK_CLOSE(prob[i * C + c], want[c] / sum, 1e-13);
        }
    }
    free(z.z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_formula),
        cmocka_unit_test(clouds_without_width),
        cmocka_unit_test(discriminate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
