/* SPDX-License-Identifier: MIT
 * test_diffused_pca_double.c - coordinates against the dense definition of the features they come
 * from.
 *
 * With at least as many columns as there are features a PCA spans all of them, so that nothing
 * is left to chance: cosines of the rows must be those of the matrix F, formed here entry by
 * entry. */
#include "linalg/diffused_pca.h"

#include "base/rng.h"
#include "check.h"
#include "graph/dense.h"
#include "graph/graph.h"
#include "graph/make.h"
#include "graph/operator.h"
#include "linalg/sym_eigen.h"
#include "embed/links.h"

enum { N = 60, D = 30 };

typedef struct {
    gnd_csr x, xt, links;
    gnd_operator S, S0;           /* with loops, and without */
    double degree[N], degree0[N]; /* of each */
    double weight[D];
} world;

static double number(uint32_t stream, int64_t i)
{
    return gnd_rng_uniform(31, stream, (uint64_t)i);
}

static void world_init(world *w)
{
    int32_t row[N * 5], col[N * 5];
    gnd_real val[N * 5];
    gnd_csr once = make_chance(N, 150, 5), both = {0};
    gnd_error err = {0};

    *w = (world){0};
    for (int64_t p = 0; p < N * 5; p++) {
        row[p] = (int32_t)(p / 5);
        col[p] = (int32_t)(number(1, p) * D);
        val[p] = (gnd_real)(0.5 + number(2, p));
    }
    CHECK_OK(gnd_csr_from_triplets(&w->x, &(gnd_triplets){N, D, N * 5, row, col, val}, GND_DUP_SUM,
                                   NULL, &err));
    CHECK_OK(gnd_csr_transpose(&w->xt, &w->x, &err));
    CHECK_OK(gnd_csr_symmetrise(&both, &once, &err));
    CHECK_OK(gnd_csr_drop_loops(&w->links, &both, NULL, &err));
    CHECK_OK(gnd_operator_init(&w->S, GND_OP_S, &w->links, &err));
    CHECK_OK(gnd_operator_init(&w->S0, GND_OP_S0, &w->links, &err));
    for (int64_t i = 0; i < N; i++) {
        w->degree0[i] = (double)(w->links.ptr[i + 1] - w->links.ptr[i]);
        w->degree[i] = 1 + w->degree0[i];
    }
    for (int64_t j = 0; j < D; j++)
        w->weight[j] = 0.3 + number(3, j);
    gnd_csr_fini(&both);
    gnd_csr_fini(&once);
}

static void world_fini(world *w)
{
    gnd_csr_fini(&w->x);
    gnd_csr_fini(&w->xt);
    gnd_csr_fini(&w->links);
    gnd_operator_fini(&w->S);
    gnd_operator_fini(&w->S0);
}

static gnd_pca_opts opts_of(const world *w)
{
    return (gnd_pca_opts){.x = &w->x,
                          .xt = &w->xt,
                          .n_feature = w->xt.n_row,
                          .weight = w->weight,
                          .S = &w->S.a,
                          .degree = w->degree,
                          .teleport = 0.5,
                          .odd_weight = 1,
                          .tol = 1e-14,
                          .tol_pass = 1e-3,
                          .rank = 32,
                          .passes = 1,
                          .seed = 9};
}

/* p(S): [N, N], hops of odd number times odd, from PageRank of S and of -S. */
static double *diffusion_of(const gnd_csr *S, double teleport, double odd)
{
    double *p = dense_pagerank(S, teleport), *other;
    gnd_csr minus;
    gnd_error err = {0};

    CHECK_OK(gnd_csr_copy(&minus, S, &err));
    for (int64_t q = 0; q < gnd_csr_nnz(S); q++)
        minus.val[q] = -minus.val[q];
    other = dense_pagerank(&minus, teleport);
    for (int64_t e = 0; e < N * N; e++)
        p[e] = (1 + odd) / 2 * p[e] + (1 - odd) / 2 * other[e];
    gnd_csr_fini(&minus);
    free(other);
    return p;
}

/* Rows of length 1 of F: [N, D], as the header defines it but for D^-1/2, which leaves their
 * directions. */
static double *rows_of(const gnd_pca_opts *o, double teleport)
{
    double *x = dense_of(o->x), *p = o->S ? diffusion_of(o->S, teleport, o->odd_weight) : NULL;
    const int64_t d = o->x->n_col;
    double *f = dense_new(N, d), mu[N] = {0}, total = 0;
    const double one =
        p ? (1 + o->odd_weight) / 2 + (1 - o->odd_weight) / 2 * teleport / (2 - teleport) : 1;

    for (int64_t i = 0; i < N; i++) {
        double sum = 0;

        for (int64_t j = 0; j < d; j++) {
            x[i * d + j] *= o->weight ? o->weight[j] : 1;
            sum += x[i * d + j] * x[i * d + j];
        }
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] /= sqrt(sum);
        total += o->degree ? o->degree[i] : 1;
    }
    /* S leaves sqrt(d) sqrt(d)^T / sum d alone: of X' stays p(1) sqrt(d) mu^T. */
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < d; j++)
            mu[j] += sqrt(o->degree ? o->degree[i] : 1) * x[i * d + j] / total;
    for (int64_t i = 0; i < N; i++) {
        const double root = sqrt(o->degree ? o->degree[i] : 1);
        double sum = 0;

        for (int64_t j = 0; j < d; j++) {
            double s = p ? 0 : x[i * d + j];

            for (int64_t k = 0; k < N && p; k++)
                s += p[i * N + k] * x[k * d + j];
            f[i * d + j] = s - one * root * mu[j];
            sum += f[i * d + j] * f[i * d + j];
        }
        assert_true(sum > 1e-6);
        for (int64_t j = 0; j < d; j++)
            f[i * d + j] /= sqrt(sum);
    }
    free(p);
    free(x);
    return f;
}

/* Cosines of all pairs of rows agree. */
static void check_cosines(const gnd_points *z, const double *f, int64_t cols, double tol)
{
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = 0; k < N; k++) {
            double s = 0, t = 0;

            for (int64_t j = 0; j < z->r; j++)
                s += (double)z->z[i * z->r + j] * (double)z->z[k * z->r + j];
            for (int64_t j = 0; j < cols; j++)
                t += f[i * cols + j] * f[k * cols + j];
            CHECK_CLOSE(s, t, tol);
        }
}

/* Sums of squares: the eigenvalues of f^T f; vectors of them into turn. */
static void check_values(double *turn, const gnd_points *z, const double *f)
{
    double gram[D * D] = {0}, value[D];
    gnd_error err;

    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            for (int64_t k = 0; k < D; k++)
                gram[j * D + k] += f[i * D + j] * f[i * D + k];
    CHECK_OK(gnd_small_eigen(value, turn, gram, D, &err));
    for (int64_t j = 0; j < z->r; j++)
        CHECK_CLOSE(z->value[j], value[j], 1e-9);
}

static void whole_space(void **state)
{
    world w;
    gnd_error err;
    double turn[D * D];

    (void)state;
    world_init(&w);
    for (int kind = 0; kind < 8; kind++) {
        gnd_pca_opts o = opts_of(&w);
        gnd_points z = {0}, own = {0};
        gnd_pca_opts alone;
        double *f, *f_own;

        if (kind == 1)
            o.weight = NULL;
        if (kind == 2) { /* nothing diffuses */
            o.S = NULL;
            o.degree = NULL;
        }
        if (kind == 3)
            o.S = NULL; /* as for raw features */
        if (kind >= 4)  /* neighbours are opposites, or paths of even length alone count */
            o.odd_weight = kind % 2 ? 0 : -1;
        if (kind >= 6) {
            o.S = &w.S0.a;
            o.degree = w.degree0;
        }
        CHECK_OK(gnd_diffused_pca(&z, &own, &o, NULL, &err));
        f = rows_of(&o, o.teleport);
        alone = o;
        alone.S = NULL;
        alone.degree = NULL;
        f_own = rows_of(&alone, 1);
        assert_int_equal(z.n, N);
        assert_int_equal(z.r, D);
        check_cosines(&z, f, D, 1e-9);
        check_values(turn, &z, f);
        assert_int_equal(own.r, D);
        check_cosines(&own, f_own, D, 1e-9);
        gnd_points_fini(&z);
        gnd_points_fini(&own);
        free(f);
        free(f_own);
    }
    world_fini(&w);
}

/* Both of a search for directions: as the definition says, where they span the whole space. Two
 * more vertices at the end have no links, and are at 0. */
static void both_parities(void **state)
{
    enum { MORE = N + 2 };
    world w;
    gnd_csr units = {0}, S;
    double degree[MORE] = {0};
    int64_t ptr[MORE + 1];
    gnd_points z[2] = {{0}};
    gnd_error err = {0};

    (void)state;
    world_init(&w);
    memcpy(degree, w.degree0, sizeof w.degree0);
    memcpy(ptr, w.links.ptr, (N + 1) * sizeof *ptr);
    ptr[N + 1] = ptr[N + 2] = ptr[N];
    S = w.links;
    S.n_row = S.n_col = MORE;
    S.ptr = ptr;
    CHECK_OK(gnd_csr_init(&units, MORE, MORE, N, false, &err));
    for (int64_t i = 0; i < MORE; i++) {
        units.ptr[i + 1] = i < N ? i + 1 : N;
        if (i < N)
            units.col[i] = (int32_t)i;
    }
    for (int panels = 0; panels < 2; panels++) {
        gnd_pca_opts o = opts_of(&w);

        o.x = o.xt = &units;
        o.n_feature = 0;
        o.weight = NULL;
        o.S = &S;
        o.degree = degree;
        o.rank = N;
        o.odd_weight = 0;
        o.quick = true;
        o.by_panels = panels;
        CHECK_OK(gnd_links_pca(&z[0], &z[1], &o, NULL, &err));
        for (int even = 0; even < 2; even++) {
            double *f;
            gnd_csr known = units;
            gnd_pca_opts alone = o;

            known.n_row = known.n_col = N;
            alone.x = &known;
            alone.S = &w.S0.a;
            alone.odd_weight = even ? 0 : 1;
            f = rows_of(&alone, o.teleport);
            assert_int_equal(z[even].n, MORE);
            assert_true(gnd_points_is_zero(&z[even], N) && gnd_points_is_zero(&z[even], N + 1));
            check_cosines(&z[even], f, N, 1e-6);
            free(f);
            gnd_points_fini(&z[even]);
        }
    }
    gnd_csr_fini(&units);
    world_fini(&w);
}

/* A matrix with more rows, and columns, that are empty. */
static gnd_csr widened(const gnd_csr *a, int64_t n_row, int64_t n_col)
{
    gnd_csr out = {0};
    gnd_error err = {0};

    CHECK_OK(gnd_csr_init(&out, n_row, n_col, gnd_csr_nnz(a), a->val != NULL, &err));
    for (int64_t i = 0; i < n_row; i++)
        out.ptr[i + 1] = a->ptr[i < a->n_row ? i + 1 : a->n_row];
    memcpy(out.col, a->col, (size_t)gnd_csr_nnz(a) * sizeof *a->col);
    if (a->val)
        memcpy(out.val, a->val, (size_t)gnd_csr_nnz(a) * sizeof *a->val);
    return out;
}

/* Vertices that no feature reaches, alone or linked to each other, lie in the middle and leave the
 * others where they are. */
static void silent_vertices(void **state)
{
    enum { MORE = 7 };
    static const arc pair[] = {{N, N + 1, 1}, {N + 1, N, 1}};
    double degree[N + MORE];
    world w;
    gnd_error err;

    (void)state;
    world_init(&w);
    for (int diffuse = 0; diffuse < 2; diffuse++) {
        gnd_csr x = widened(&w.x, N + MORE, D), xt = {0}, links;
        arc all[2 + 1024];
        int64_t n_arc = 0;
        gnd_pca_opts o = opts_of(&w);
        gnd_points z = {0};
        gnd_operator S = {0};
        double *f = rows_of(&(gnd_pca_opts){.x = &w.x,
                                            .weight = w.weight,
                                            .S = diffuse ? &w.S.a : NULL,
                                            .degree = w.degree,
                                            .odd_weight = 1},
                            o.teleport);

        assert_true(gnd_csr_nnz(&w.links) <= 1024);
        memcpy(all, pair, sizeof pair);
        for (n_arc = 2; n_arc < 2 + gnd_csr_nnz(&w.links); n_arc++) {
            all[n_arc] = (arc){0, w.links.col[n_arc - 2], 1};
            while (w.links.ptr[all[n_arc].i + 1] <= n_arc - 2)
                all[n_arc].i++;
        }
        links = make_csr(N + MORE, N + MORE, all, n_arc, false);
        CHECK_OK(gnd_operator_init(&S, GND_OP_S, &links, &err));
        CHECK_OK(gnd_csr_transpose(&xt, &x, &err));
        for (int64_t i = 0; i < N + MORE; i++)
            degree[i] = 1 + (double)(links.ptr[i + 1] - links.ptr[i]);
        o.x = &x;
        o.xt = &xt;
        o.S = diffuse ? &S.a : NULL;
        o.degree = degree;
        CHECK_OK(gnd_diffused_pca(&z, NULL, &o, NULL, &err));
        assert_int_equal(z.n, N + MORE);
        check_cosines(&z, f, D, 1e-9);
        for (int64_t e = N * z.r; e < (N + MORE) * z.r; e++)
            assert_true(z.z[e] == 0);
        gnd_points_fini(&z);
        gnd_operator_fini(&S);
        gnd_csr_fini(&links);
        gnd_csr_fini(&xt);
        gnd_csr_fini(&x);
        free(f);
    }
    world_fini(&w);
}

/* Fewer coordinates than features: the leading directions, rows of length 1 again. */
static void leading_directions(void **state)
{
    enum { R = 6 };
    world w;
    gnd_error err;
    double turn[D * D], cut[N * R];

    (void)state;
    world_init(&w);
    for (int teleport = 0; teleport < 2; teleport++) {
        gnd_pca_opts o = opts_of(&w);
        gnd_points z = {0};
        double *f;

        o.rank = R; /* and 26 columns more, as many as there are features */
        o.passes = 2;
        o.teleport = teleport ? 0.3 : 0.5;
        CHECK_OK(gnd_diffused_pca(&z, NULL, &o, NULL, &err));
        f = rows_of(&o, o.teleport);
        assert_int_equal(z.r, R);
        check_values(turn, &z, f);
        for (int64_t i = 0; i < N; i++) {
            double sum = 0;

            for (int64_t k = 0; k < R; k++) {
                cut[i * R + k] = 0;
                for (int64_t j = 0; j < D; j++)
                    cut[i * R + k] += f[i * D + j] * turn[j * D + k];
                sum += cut[i * R + k] * cut[i * R + k];
            }
            for (int64_t k = 0; k < R; k++)
                cut[i * R + k] /= sqrt(sum);
        }
        check_cosines(&z, cut, R, 1e-7);
        free(f);
        gnd_points_fini(&z);
    }
    world_fini(&w);
}

/* 1 / |Z^T Z / n|^2 of the coordinates themselves, and powers of them. */
static void shapes(void **state)
{
    static const double powers[] = {1, 0.5, 1.5, 0};
    world w;
    gnd_pca_opts o;
    gnd_points p = {0};
    gnd_error err;

    (void)state;
    world_init(&w);
    o = opts_of(&w);
    CHECK_OK(gnd_diffused_pca(&p, NULL, &o, NULL, &err));
    for (int t = 0; t < 4; t++)
        for (int64_t r = 1; r <= 40; r += 13) {
            const int64_t cols = r < D ? r : D;
            gnd_points z = {0};
            double gram[D * D] = {0}, spread = 0;

            CHECK_OK(gnd_points_shape(&z, &p, r, powers[t], NULL, &err));
            assert_int_equal(z.r, cols);
            for (int64_t i = 0; i < N; i++) {
                double want[D], sum = 0;

                for (int64_t k = 0; k < cols; k++) {
                    want[k] = (double)p.z[i * D + k] * pow(p.value[k], (powers[t] - 1) / 2);
                    sum += want[k] * want[k];
                }
                for (int64_t k = 0; k < cols; k++)
                    CHECK_CLOSE(z.z[i * cols + k], want[k] / sqrt(sum), 1e-12);
                for (int64_t e = 0; e < cols * cols; e++)
                    gram[e] += (double)z.z[i * cols + e / cols] * (double)z.z[i * cols + e % cols];
            }
            for (int64_t e = 0; e < cols * cols; e++)
                spread += gram[e] / N * gram[e] / N;
            CHECK_CLOSE(z.spread, 1 / spread, 1e-9);
            for (int64_t k = 1; k < cols; k++)
                CHECK_CLOSE(z.value[k] / z.value[0], pow(p.value[k] / p.value[0], powers[t]),
                            1e-12);
            gnd_points_fini(&z);
        }
    gnd_points_fini(&p);
    world_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_space),     cmocka_unit_test(both_parities),
        cmocka_unit_test(silent_vertices), cmocka_unit_test(leading_directions),
        cmocka_unit_test(shapes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
