/* SPDX-License-Identifier: MIT
 * test_tsne.c - layouts: quality, threads, small and degenerate inputs, wrong arguments. */
#include "cloud.h"

static gnd_tsne_opts quick(void)
{
    return (gnd_tsne_opts){
        .size = sizeof(gnd_tsne_opts), .early = 100, .iterations = 150, .seed = 1, .threads = 1};
}

static double layout_of(float *y, const float *x, int64_t n, int64_t d, const gnd_tsne_opts *o)
{
    gnd_tsne_result res = {.size = sizeof res};
    gnd_error err;
    double mean[2] = {0};

    CHECK_OK(gnd_tsne(y, &res, &(gnd_point_rows){x, n, d}, o, &err));
    assert_true(isfinite(res.kl) && res.perplexity >= 1);
    for (int64_t i = 0; i < 2 * n; i++) {
        assert_true(isfinite(y[i]));
        mean[i & 1] += (double)y[i] / (double)n;
    }
    CHECK_CLOSE(fabs(mean[0]) + fabs(mean[1]), 0, 1e-3);
    return res.kl;
}

/* Share of the points whose nearest point in the layout is of their group. */
static double same_group(const float *y, int64_t n, int64_t n_group)
{
    int64_t same = 0;

    for (int64_t i = 0; i < n; i++) {
        double best = INFINITY;
        int64_t nearest = -1;

        for (int64_t j = 0; j < n; j++) {
            const double d =
                hypot((double)(y[2 * i] - y[2 * j]), (double)(y[2 * i + 1] - y[2 * j + 1]));

            if (j != i && d < best) {
                best = d;
                nearest = j;
            }
        }
        same += nearest % n_group == i % n_group;
    }
    return (double)same / (double)n;
}

/* Groups are kept apart, by the tree (1200 points) and by all pairs (300 points). */
static void separates(void **state)
{
    static const int64_t sizes[] = {300, 1200};

    (void)state;
    for (int64_t s = 0; s < LENGTH(sizes); s++) {
        const int64_t n = sizes[s];
        float *x = cloud(n, 10, 4), *y = gnd_alloc(2 * n, sizeof *y);
        const gnd_tsne_opts o = quick();

        layout_of(y, x, n, 10, &o);
        assert_true(same_group(y, n, 4) == 1);
        gnd_free(x);
        gnd_free(y);
    }
}

/* More iterations, from the same start, give a smaller divergence; the tree is as good as all
 * pairs. */
static void descends(void **state)
{
    enum { N = 1100 };
    static const int32_t steps[] = {-1, 50, 150, 400};
    float *x = cloud(N, 10, 4), *y = gnd_alloc(2 * N, sizeof *y);
    gnd_tsne_opts o = quick();
    double before = INFINITY, exact;

    (void)state;
    for (int64_t s = 0; s < LENGTH(steps); s++) {
        double kl;

        o.iterations = steps[s];
        kl = layout_of(y, x, N, 10, &o);
        assert_true(kl < before);
        before = kl;
    }
    o.theta = -1;
    exact = layout_of(y, x, N, 10, &o);
    CHECK_CLOSE(before, exact, 0.02 * exact);
    gnd_free(x);
    gnd_free(y);
}

/* The divergence by its definition: two points are each other's only neighbour, and whatever the
 * layout P = Q; three points on a line by hand in test_affinities.c. */
static void two_points(void **state)
{
    const float x[] = {1, 2, 3, 5};
    const gnd_tsne_opts o = quick();
    float y[4];

    (void)state;
    CHECK_CLOSE(layout_of(y, x, 2, 2, &o), 0, 1e-6);
}

static void threads_agree(void **state)
{
    static const int64_t sizes[] = {200, 1500};

    (void)state;
    setenv("GND_PARALLEL_MIN", "0", 1);
    for (int64_t s = 0; s < LENGTH(sizes); s++) {
        const int64_t n = sizes[s];
        float *x = cloud(n, 5, 3), *y = gnd_alloc(2 * n, sizeof *y),
              *again = gnd_alloc(2 * n, sizeof *again);
        gnd_tsne_opts o = quick();
        double kl;

        o.early = 20;
        o.iterations = 20;
        kl = layout_of(y, x, n, 5, &o);
        for (o.threads = 2; o.threads <= 7; o.threads += 5) {
            assert_true(layout_of(again, x, n, 5, &o) == kl);
            assert_memory_equal(y, again, (size_t)(2 * n) * sizeof *y);
        }
        gnd_free(x);
        gnd_free(y);
        gnd_free(again);
    }
    unsetenv("GND_PARALLEL_MIN");
}

/* One to five points, distinct and coinciding; points that all coincide; duplicates. */
static void degenerate(void **state)
{
    enum { N = 1050 };
    float *x = gnd_alloc(N * 3, sizeof *x), *y = gnd_alloc(2 * N, sizeof *y);
    gnd_tsne_opts o = quick();

    (void)state;
    for (int64_t n = 1; n <= 5; n++)
        for (int equal = 0; equal < 2; equal++)
            for (int64_t d = 1; d <= 3; d++) {
                for (int64_t i = 0; i < n * d; i++)
                    x[i] = equal ? 7 : (float)(i * i % 5);
                layout_of(y, x, n, d, &o);
            }
    for (int64_t i = 0; i < N * 3; i++)
        x[i] = 7;
    layout_of(y, x, N, 3, &o);
    for (int64_t i = 0; i < N; i++) /* three places, 350 points each */
        x[3 * i] = (float)(i % 3);
    layout_of(y, x, N, 3, &o);
    assert_true(same_group(y, N, 3) == 1);
    for (int64_t i = 0; i < N * 3; i++) /* squares overflow, and vanish */
        x[i] = (float)(i % 7) * (i % 2 ? 3e37f : -3e37f);
    layout_of(y, x, N, 3, &o);
    for (int64_t i = 0; i < N * 3; i++)
        x[i] = (float)(i % 7) * 1e-38f;
    layout_of(y, x, N, 3, &o);
    gnd_free(x);
    gnd_free(y);
}

/* A start decides where groups are: swapping its sides swaps the layout's. */
static void starts_from(void **state)
{
    enum { N = 120 };
    float *x = cloud(N, 6, 2), start[2 * N], y[2 * N];
    gnd_tsne_opts o = quick();

    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        double mean = 0;

        for (int64_t i = 0; i < N; i++) {
            start[2 * i] = (float)(i % 2 ? side : -side);
            start[2 * i + 1] = 0;
        }
        o.start = start;
        layout_of(y, x, N, 6, &o);
        for (int64_t i = 1; i < N; i += 2)
            mean += (double)y[2 * i];
        assert_true(mean * side > 0);
    }
    gnd_free(x);
}

static int stop_at(const gnd_tsne_progress *p, void *user)
{
    assert_int_equal(p->total, 250);
    assert_int_equal(p->n_layout, 1);
    return p->done == *(int *)user;
}

static void refused(void **state)
{
    float x[] = {1, 2, 3, 4, 5, 6}, y[6];
    const gnd_point_rows rows = {x, 3, 2};
    gnd_tsne_opts o = quick();
    gnd_tsne_result unset = {0};
    int last = 17;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_tsne(y, NULL, &(gnd_point_rows){x, 0, 2}, NULL, &err), GND_ERR_ARG, "0 points");
    CHECK_FAILS(gnd_tsne(y, NULL, &(gnd_point_rows){x, 3, 0}, NULL, &err), GND_ERR_ARG, "number");
    CHECK_FAILS(gnd_tsne(y, NULL, &(gnd_point_rows){NULL, 3, 2}, NULL, &err), GND_ERR_ARG, "point");
    CHECK_FAILS(gnd_tsne(y, &unset, &rows, NULL, &err), GND_ERR_ARG, "gnd_tsne_result");
    o.perplexity = 0.5;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, &o, &err), GND_ERR_ARG, "perplexity 0.5");
    o.perplexity = (double)NAN;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, &o, &err), GND_ERR_ARG, "perplexity");
    o = quick();
    o.exaggeration = -1;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, &o, &err), GND_ERR_ARG, "exaggeration -1");
    o = quick();
    o.theta = 2;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, &o, &err), GND_ERR_ARG, "angle 2");
    o = quick();
    o.on_iteration = stop_at;
    o.user = &last;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, &o, &err), GND_ERR_STOPPED, "iteration 17 of 250");
    x[3] = NAN;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, NULL, &err), GND_ERR_ARG, "number 1 of point 1");
    x[3] = -INFINITY;
    CHECK_FAILS(gnd_tsne(y, NULL, &rows, NULL, &err), GND_ERR_ARG, "not finite");
    o = quick();
    o.start = x;
    CHECK_FAILS(gnd_tsne(y, NULL, &(gnd_point_rows){y, 3, 2}, &o, &err), GND_ERR_ARG, "start");
}

/* An older header has fewer fields; the perplexity is lowered to (n - 1) / 3. */
static void defaults(void **state)
{
    enum { N = 31 };
    float *x = cloud(N, 3, 2), y[2 * N];
    const uint32_t small = sizeof small;
    gnd_tsne_result res = {.size = sizeof res};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_tsne(y, &res, &(gnd_point_rows){x, N, 3}, (const gnd_tsne_opts *)&small, &err));
    CHECK_CLOSE(res.perplexity, 10, 1e-12);
    assert_int_equal(res.iterations, 750);
    CHECK_OK(gnd_tsne(y, NULL, &(gnd_point_rows){x, N, 3}, NULL, &err));
    gnd_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separates),  cmocka_unit_test(descends),
        cmocka_unit_test(two_points), cmocka_unit_test(threads_agree),
        cmocka_unit_test(degenerate), cmocka_unit_test(starts_from),
        cmocka_unit_test(refused),    cmocka_unit_test(defaults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
