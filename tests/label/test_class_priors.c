/* SPDX-License-Identifier: MIT
 * test_class_priors.c - statistics of class probabilities: cases with known answers. */
#include "label/class_priors.h"

#include "base/rng.h"

#include "check.h"

static void surest_is_the_first(void **state)
{
    const gnd_real row[] = {0.1f, 0.4f, 0.4f, 0.1f};

    (void)state;
    assert_int_equal(gnd_argmax(row, 4), 1);
    assert_int_equal(gnd_argmax(row, 1), 0);
}

/* A row a letter: the share of its class is the largest. */
static void rows_of(gnd_real *p, const char *classes, int64_t n_class)
{
    for (int64_t i = 0; classes[i]; i++)
        for (int64_t c = 0; c < n_class; c++)
            p[i * n_class + c] = c == classes[i] - 'a' ? 0.5f : 0.5f / (gnd_real)n_class;
}

/* Letters of p and q, those where skip has an x left out. */
static double same_class_and(double *error, const char *p, const char *q, const char *skip,
                             int64_t n_class)
{
    enum { N = 16, C = 4 };
    gnd_real x[N * C], y[N * C];
    unsigned char out[N] = {0};
    double mass[2 * C];
    gnd_kappa got;

    rows_of(x, p, n_class);
    rows_of(y, q, n_class);
    for (int64_t i = 0; skip[i]; i++)
        out[i] = skip[i] == 'x';
    got = gnd_class_kappa(x, y, (int64_t)strlen(p), n_class, out, mass);
    *error = got.error;
    return got.value;
}

static double same_class(const char *p, const char *q, const char *skip, int64_t n_class)
{
    double error;

    return same_class_and(&error, p, q, skip, n_class);
}

/* Pairs of classes drawn by chance agree beyond chance by their standard error, on average. */
static void same_class_by_chance(void **state)
{
    enum { TRIES = 4000, ROWS = 12 };
    double error, sum = 0, squares = 0, errors = 0;

    (void)state;
    for (int64_t t = 0; t < TRIES; t++) {
        char p[ROWS + 1] = {0}, q[ROWS + 1] = {0};
        double k;

        for (int64_t i = 0; i < ROWS; i++) {
            p[i] = gnd_rng_uniform(1, 1, (uint64_t)(t * ROWS + i)) < 0.5 ? 'a' : 'b';
            q[i] = gnd_rng_uniform(1, 2, (uint64_t)(t * ROWS + i)) < 0.5 ? 'a' : 'b';
        }
        k = same_class_and(&error, p, q, "", 2);
        sum += k / TRIES;
        squares += k * k / TRIES;
        errors += error * error / TRIES;
    }
    CHECK_CLOSE(sum, 0, 0.02);
    CHECK_CLOSE(sqrt(squares), sqrt(errors), 0.1 * sqrt(errors));
}

/* Votes for the argmax of each row. */
static void agreement_of_votes(void **state)
{
    const gnd_real p[] = {0.2f, 0.8f, 0.6f, 0.4f}, vote[] = {0.75f, 0.25f, 0.5f, 0.5f};

    (void)state;
    CHECK_CLOSE(gnd_agreement(vote, p, 2, 2), (0.25 + 0.5) / 2, 1e-7);
}

/* Cohen's kappa of tables with known answers. */
static void same_class_beyond_chance(void **state)
{
    (void)state;
    CHECK_CLOSE(same_class("abcabbca", "abcabbca", "", 3), 1, 1e-12);
    CHECK_CLOSE(same_class("aabb", "abab", "", 2), 0, 1e-12); /* half, and chance gives half */
    CHECK_CLOSE(same_class("abab", "baba", "", 2), -1, 1e-12);
    /* 0.7 agree; shares .6 .2 .2 and .4 .5 .1, so chance gives .36 */
    CHECK_CLOSE(same_class("aaaabbcaac", "aaaabbcbbb", "", 3), (0.7 - 0.36) / 0.64, 1e-12);
    /* rows that are skipped count neither as the same nor for chance */
    CHECK_CLOSE(same_class("abcabc", "abcbca", "...xxx", 3), 1, 1e-12);
    CHECK_CLOSE(same_class("ababaaaa", "babaaaaa", "....xxxx", 2), -1, 1e-12);
    CHECK_CLOSE(same_class("abc", "abc", "xxx", 3), 0, 0);
    CHECK_CLOSE(same_class("", "", "", 3), 0, 0);
    CHECK_CLOSE(same_class("bbbb", "bbbb", "", 3), 0, 0); /* no other was to be expected */
    CHECK_CLOSE(same_class("aaaa", "bbbb", "", 3), 0, 0);
    CHECK_CLOSE(same_class("aaaa", "aaaa", "", 1), 0, 0);
}

/* A path of four, classes a a b b: of six arcs four join like, and chance gives half; alternating,
 * none does; all alike, or without links, there is nothing to tell. */
static void homophily_of_a_path(void **state)
{
    int64_t ptr[] = {0, 1, 3, 5, 6};
    int32_t col[] = {1, 0, 2, 1, 3, 2};
    const gnd_csr path = {.n_row = 4, .n_col = 4, .ptr = ptr, .col = col};
    const gnd_real blocks[] = {1, 0, 1, 0, 0, 1, 0, 1}, turns[] = {1, 0, 0, 1, 1, 0, 0, 1};
    const gnd_real same[] = {1, 0, 1, 0, 1, 0, 1, 0},
                   half[] = {.5f, .5f, .5f, .5f, .5f, .5f, .5f, .5f};
    double mass[2];

    (void)state;
    CHECK_CLOSE(gnd_homophily(blocks, 2, &path, mass), (4.0 / 6 - 0.5) / 0.5, 1e-12);
    CHECK_CLOSE(gnd_homophily(turns, 2, &path, mass), -1, 1e-12);
    CHECK_CLOSE(gnd_homophily(same, 2, &path, mass), 0, 0);
    CHECK_CLOSE(gnd_homophily(half, 2, &path, mass), 0, 1e-12);
    memset(ptr, 0, sizeof ptr);
    CHECK_CLOSE(gnd_homophily(blocks, 2, &path, mass), 0, 0);
}

/* Means of the columns become the known ones, certain rows stay, rows sum to 1, and a class that
 * nobody has stays without. */
static void shares_are_matched(void **state)
{
    gnd_real p[] = {1, 0, 0, .6f, .4f, 0, .7f, .3f, 0, .9f, .1f, 0};
    gnd_real known[] = {.5f, .5f, .001f};
    double mass[3], mean[3] = {0};

    (void)state;
    gnd_match_priors(p, 4, 3, known, mass);
    for (int64_t i = 0; i < 4; i++) {
        CHECK_CLOSE((double)p[3 * i] + (double)p[3 * i + 1], 1, 1e-6);
        assert_true(p[3 * i + 2] == 0);
        for (int64_t c = 0; c < 3; c++)
            mean[c] += (double)p[3 * i + c] / 4;
    }
    assert_true(p[0] == 1);
    CHECK_CLOSE(mean[0], 0.5, 1e-3);
    CHECK_CLOSE(mean[1], 0.5, 1e-3);
}

/* ---- link prediction ---- */

/* Links of a ring of n vertices, k steps apart, both ways; every of-th of them. */
static gnd_csr ring_links(int64_t n, int64_t k, int64_t of)
{
    gnd_csr out;
    gnd_error err;
    int64_t to = 0;

    CHECK_OK(gnd_csr_init(&out, n, n, 2 * n, false, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            if ((j == (i + k) % n && i % of == 0) || (i == (j + k) % n && j % of == 0))
                out.col[to++] = (int32_t)j;
        out.ptr[i + 1] = to;
    }
    return out;
}

/* Every seventh link of a ring, k steps long, is held out; vertex i is of class i % n_class, or of
 * a random class. */
static double link_prediction(double *error, int64_t k, int64_t n_class, bool chance)
{
    enum { N = 840, C = 3 };
    gnd_csr all = ring_links(N, k, 1), left = ring_links(N, k, 7);
    int32_t cls[N];
    double room[C * (C + 1)], out;

    for (int64_t i = 0; i < N; i++)
        cls[i] = (int32_t)(chance ? gnd_rng_uniform(5, 1, (uint64_t)i) * (double)n_class
                                  : (double)(i % n_class));
    out = gnd_link_prediction(cls, n_class, &all, &left, room, error);
    gnd_csr_fini(&left);
    gnd_csr_fini(&all);
    return out;
}

/* Links are predicted whether they join the same class or different ones. */
static void links_predicted(void **state)
{
    double error;

    (void)state;
    CHECK_CLOSE(link_prediction(&error, 2, 2, false), 1, 1e-6); /* like */
    CHECK_CLOSE(error, 1 / sqrt(120), 1e-9);
    CHECK_CLOSE(link_prediction(&error, 1, 2, false), 1, 1e-6); /* unlike */
    CHECK_CLOSE(link_prediction(&error, 3, 3, false), sqrt(2),
                1e-2); /* one pair in three is right */
    assert_true(fabs(link_prediction(&error, 7, 3, true)) < 3 * error);
    CHECK_CLOSE(link_prediction(&error, 7, 1, true), 0, 1e-9); /* one class predicts nothing */
}

/* Where all are held out there are no others to learn from; where none is, none is predicted. */
static void nothing_to_predict(void **state)
{
    enum { N = 60 };
    gnd_csr all = ring_links(N, 2, 1), none = ring_links(N, 2, 1);
    double room[2 * 3], error;
    int32_t cls[N];

    (void)state;
    memset(none.ptr, 0, (N + 1) * sizeof *none.ptr);
    for (int32_t i = 0; i < N; i++)
        cls[i] = i % 2;
    CHECK_CLOSE(gnd_link_prediction(cls, 2, &all, &all, room, &error), 0, 1e-9);
    CHECK_CLOSE(gnd_link_prediction(cls, 2, &all, &none, room, &error), 0, 1e-9);
    CHECK_CLOSE(error, 0, 1e-9);
    gnd_csr_fini(&none);
    gnd_csr_fini(&all);
}

/* Heavy links inside a class and as many light ones across: counting links without weights is at
 * chance. */
static void links_predicted_by_weight(void **state)
{
    enum { N = 420 };
    gnd_csr all, left;
    double room[2 * 3], error;
    int32_t cls[N];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&all, N, N, 4 * N, true, &err));
    for (int64_t i = 0, to = 0; i < N; i++) {
        cls[i] = (int32_t)(i % 2);
        for (int64_t j = 0; j < N; j++) {
            const int64_t k = (j - i + N) % N; /* 2 apart: inside; 1 apart: across */

            if (k == 1 || k == 2 || k == N - 1 || k == N - 2) {
                all.col[to] = (int32_t)j;
                all.val[to++] = k == 2 || k == N - 2 ? 1 : 0.01f;
            }
        }
        all.ptr[i + 1] = to;
    }
    CHECK_OK(gnd_csr_copy(&left, &all, &err));
    for (int64_t i = 0, to = 0; i < N; i++) { /* of the first third all are left out */
        for (int64_t q = all.ptr[i]; q < all.ptr[i + 1]; q++)
            if (i < N / 3 && all.col[q] < N / 3) {
                left.col[to] = all.col[q];
                left.val[to++] = all.val[q];
            }
        left.ptr[i + 1] = to;
    }
    assert_true(gnd_link_prediction(cls, 2, &all, &left, room, &error) > 0.9);
    gnd_csr_fini(&left);
    gnd_csr_fini(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_predicted),           cmocka_unit_test(nothing_to_predict),
        cmocka_unit_test(links_predicted_by_weight), cmocka_unit_test(surest_is_the_first),
        cmocka_unit_test(same_class_beyond_chance),  cmocka_unit_test(same_class_by_chance),
        cmocka_unit_test(agreement_of_votes),        cmocka_unit_test(homophily_of_a_path),
        cmocka_unit_test(shares_are_matched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
