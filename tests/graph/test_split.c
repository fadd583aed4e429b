/* SPDX-License-Identifier: MIT
 * test_split.c - splits against reference values, known draws, and every complaint. */
#include "base/mt19937.h"
#include "graph/split.h"
#include "make.h"
#include "reference_file.h"

static void check_list(const golden *f, const char *name, const int32_t *got, int64_t n)
{
    int64_t rows = 0, cols = 0;
    const int64_t *want = golden_int(f, name, &rows, &cols);

    assert_non_null(want);
    if (n != rows * cols)
        fail_msg("%s has %lld vertices; expected %lld", name, (long long)n,
                 (long long)(rows * cols));
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(got[i], want[i]);
}

static gnd_split_opts paper(int32_t per_class, int64_t n_val, uint32_t seed)
{
    return (gnd_split_opts){
        .size = sizeof(gnd_split_opts), .per_class = per_class, .n_val = n_val, .seed = seed};
}

static void golden_split(void **state)
{
    golden *f = reference_file(*state);

    if (!f)
        skip();
    const int64_t n = reference_int(f, "n");
    const int64_t *y = golden_int(f, "labels", NULL, NULL);
    int32_t *label = malloc((size_t)n * sizeof *label);
    gnd_error err;

    assert_non_null(y);
    for (int64_t i = 0; i < n; i++)
        label[i] = (int32_t)y[i];
    for (int authors = 0; authors < 2; authors++) {
        gnd_split *s = NULL;
        int64_t next = -1;

        gnd_split_opts o = paper((int32_t)reference_int(f, "q"), reference_int(f, "nval"),
                                 (uint32_t)reference_int(f, "seed"));

        o.score_unlabelled = authors;
        CHECK_OK(gnd_split_shuffled(
            &s, &next, &(gnd_split_labels){label, n, (int32_t)reference_int(f, "C")}, &o, &err));
        assert_int_equal(next, reference_int(f, "next"));
        check_list(f, "train", s->train, s->n_train);
        check_list(f, authors ? "val" : "val_clean", s->val, s->n_val);
        check_list(f, authors ? "test" : "test_clean", s->test, s->n_test);
        gnd_split_free(s);
    }
    free(label);
    golden_free(f);
}

static void golden_shuffles(void **state)
{
    golden *f = reference_file("shuffles.txt");

    (void)state;
    if (!f)
        skip();
    int64_t n_case = 0, n_first = 0;
    const int64_t *cases = golden_int(f, "cases", &n_case, NULL), *first;
    gnd_mt19937 r;

    assert_true(cases && n_case > 0);
    for (int64_t k = 0; k < n_case; k++) {
        const int64_t n = cases[2 * k];
        int32_t *perm = malloc((size_t)n * sizeof *perm);
        char name[64];

        for (int64_t i = 0; i < n; i++)
            perm[i] = (int32_t)i;
        gnd_mt19937_seed(&r, (uint32_t)cases[2 * k + 1]);
        gnd_mt19937_shuffle(&r, perm, n);
        snprintf(name, sizeof name, "perm_%lld_%lld", (long long)n, (long long)cases[2 * k + 1]);
        check_list(f, name, perm, n);
        free(perm);
    }
    int64_t rows = 0;

    first = golden_int(f, "mt_5489_first", &rows, &n_first);
    assert_non_null(first);
    gnd_mt19937_seed(&r, 5489);
    for (int64_t k = 0; k < rows * n_first; k++)
        assert_int_equal(gnd_mt19937_next(&r), first[k]);
    golden_free(f);
}

enum { N = 12 };
/* Class a: 0 3 6 9, b: 1 4 7 10, c: 2 5; 8 and 11 have none. */
static const int32_t labels[N] = {0, 1, 2, 0, 1, 2, 0, 1, -1, 0, 1, -1};

static gnd_graph *sample(void)
{
    return make_graph(N, NULL, 0, false, 3, labels);
}

/* Every vertex at most once; train balanced; as many in all as promised. */
static void check_partition(const gnd_split *s, int64_t total, int32_t per_class)
{
    int seen[N] = {0}, count[3] = {0};

    for (int64_t k = 0; k < gnd_split_n_train(s); k++) {
        seen[gnd_split_train(s)[k]]++;
        count[labels[gnd_split_train(s)[k]]]++;
    }
    for (int64_t k = 0; k < gnd_split_n_val(s); k++)
        seen[gnd_split_val(s)[k]]++;
    for (int64_t k = 0; k < gnd_split_n_test(s); k++)
        seen[gnd_split_test(s)[k]]++;
    for (int i = 0; i < N; i++) {
        assert_in_range(seen[i], 0, 1);
        total -= seen[i];
    }
    assert_int_equal(total, 0);
    for (int c = 0; c < 3; c++)
        assert_int_equal(count[c], per_class);
}

/* Without validation every labelled vertex trains or is tested, dropped draws included. */
static void no_validation_tests_all_the_rest(void **state)
{
    gnd_graph *g = sample();
    gnd_error err;

    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        gnd_split_opts o = paper(2, 0, seed);
        gnd_split *s = NULL;

        CHECK_OK(gnd_split_new(&s, g, &o, &err));
        check_partition(s, N - 2, 2);
        assert_int_equal(gnd_split_n_val(s), 0);
        assert_int_equal(gnd_split_n_test(s), 4);
        gnd_split_free(s);
        o.score_unlabelled = true;
        CHECK_OK(gnd_split_new(&s, g, &o, &err));
        check_partition(s, N, 2);
        assert_int_equal(gnd_split_n_test(s), 6);
        gnd_split_free(s);
    }
    gnd_graph_free(g);
}

/* With validation the public split is the authors' protocol, vertex by vertex. */
static void paper_is_the_protocol(void **state)
{
    enum { M = 10 * N };
    int32_t y[M];
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (int i = 0; i < M; i++)
        y[i] = labels[i % N];
    g = make_graph(M, NULL, 0, false, 3, y);
    for (uint32_t seed = 1; seed <= 50; seed++) {
        gnd_split_opts o = paper(4, 30, seed);
        gnd_split *s = NULL, *t = NULL;
        int64_t next;

        o.score_unlabelled = seed % 2;
        CHECK_OK(gnd_split_new(&s, g, &o, &err));
        CHECK_OK(gnd_split_shuffled(&t, &next, &(gnd_split_labels){y, M, 3}, &o, &err));
        assert_int_equal(s->n_train, 12);
        assert_int_equal(s->n_val, t->n_val);
        assert_int_equal(s->n_test, t->n_test);
        assert_memory_equal(s->train, t->train, 12 * sizeof *s->train);
        assert_memory_equal(s->val, t->val, (size_t)s->n_val * sizeof *s->val);
        assert_memory_equal(s->test, t->test, (size_t)s->n_test * sizeof *s->test);
        gnd_split_free(s);
        gnd_split_free(t);
    }
    gnd_graph_free(g);
}

/* The honest split trains on whom the paper's split trains on, validates nobody, tests every other
 * label, and does not care for the options it has no use for. */
static void honest_tests_every_other_label(void **state)
{
    enum { M = 10 * N };
    int32_t y[M];
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (int i = 0; i < M; i++)
        y[i] = labels[i % N];
    g = make_graph(M, NULL, 0, false, 3, y);
    for (uint32_t seed = 1; seed <= 50; seed++) {
        gnd_split_opts o = paper(4, 30, seed);
        gnd_split *s = NULL, *t = NULL;
        int seen[M] = {0};

        o.score_unlabelled = seed % 2;
        CHECK_OK(gnd_split_new(&t, g, &o, &err));
        o.kind = GND_SPLIT_HONEST;
        o.n_val = seed % 3 ? 0 : 1000; /* more than there are */
        CHECK_OK(gnd_split_new(&s, g, &o, &err));
        assert_int_equal(s->n_train, 12);
        assert_memory_equal(s->train, t->train, 12 * sizeof *s->train);
        assert_int_equal(s->n_val, 0);
        assert_int_equal(s->n_test, 100 - 12); /* 20 of the 120 have no label */
        assert_false(s->score_unlabelled);
        for (int64_t k = 0; k < s->n_train; k++)
            seen[s->train[k]]++;
        for (int64_t k = 0; k < s->n_test; k++)
            seen[s->test[k]]++;
        for (int i = 0; i < M; i++)
            assert_int_equal(seen[i], y[i] >= 0);
        gnd_split_free(s);
        gnd_split_free(t);
    }
    gnd_graph_free(g);
    g = make_graph(4, NULL, 0, false, 2, (const int32_t[]){0, 0, 1, 1});
    {
        gnd_split_opts o = paper(2, 0, 1);
        gnd_split *s = (gnd_split *)(uintptr_t)1;

        o.kind = GND_SPLIT_HONEST;
        CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                    "2 labels per class leave no labelled vertex of made to test");
        assert_null(s);
        o.per_class = 3;
        CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "3 per class were requested");
    }
    gnd_graph_free(g);
}

/* The value the message names works and leaves a test vertex; one more does not. */
static void largest_validation_is_named(void **state)
{
    gnd_graph *g = sample();
    gnd_error err;

    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        gnd_split_opts o = paper(1, 500, seed);
        gnd_split *s = NULL;
        const char *at;
        int64_t most = 0;

        o.score_unlabelled = seed % 2;
        CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                    "500 validation vertices were requested, but ");
        assert_null(s);
        at = strstr(err.msg, "--validation ");
        assert_non_null(at);
        most = strtoll(at + strlen("--validation "), NULL, 10);
        o.n_val = most;
        CHECK_OK(gnd_split_new(&s, g, &o, &err));
        assert_true(gnd_split_n_test(s) >= 1);
        gnd_split_free(s);
        o.n_val = most + 1;
        CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "requested, but ");
        assert_null(s);
    }
    gnd_graph_free(g);
}

static void complaints(void **state)
{
    gnd_graph *g = sample(), *bare = make_graph(3, NULL, 0, false, 0, NULL);
    gnd_split *s = NULL;
    gnd_split_opts o = paper(5, 0, 1);
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                "class 'a' has 4 labelled vertices; 5 per class were requested");
    o = paper(3, 0, 1);
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                "class 'c' has 2 labelled vertices; 3 per class were requested");
    g->label[2] = -1;
    o = paper(2, 0, 1);
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                "class 'c' has 1 labelled vertex; 2 per class were requested");
    g->label[2] = 2;
    o = paper(0, 0, 1);
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "0 labels per class were requested");
    o = paper(1, -1, 1);
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "-1 validation vertices");
    o = paper(1, 0, 1);
    o.size = 0;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "gnd_split_opts: its size field is 0");
    o = paper(1, 0, 1);
    o.kind = (gnd_split_kind)9;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "kind 9");
    o = paper(1, 0, 1);
    CHECK_FAILS(gnd_split_new(&s, bare, &o, &err), GND_ERR_ARG, "no vertex of made has a label");
    o.kind = GND_SPLIT_ALL;
    CHECK_FAILS(gnd_split_new(&s, bare, &o, &err), GND_ERR_ARG, "no vertex of made has a label");
    o.kind = GND_SPLIT_PLANETOID;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "made has no fixed split");
    assert_null(s);
    gnd_graph_free(bare);
    gnd_graph_free(g);
}

/* Seed 1 shuffles ten as 2 9 6 4 0 3 1 7 8 5; with class = (vertex is 2), next = 2. */
static void exact_messages(void **state)
{
    const int32_t y[10] = {0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    gnd_graph *g = make_graph(10, NULL, 0, false, 2, y);
    gnd_split_opts o = paper(1, 8, 1);
    gnd_split *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "");
    assert_string_equal(err.msg, "8 validation vertices were requested, but only 7 are possible "
                                 "with 1 label per class (split seed 1): use --validation 7 or "
                                 "less, or 0 for none");
    for (int i = 0; i < 10; i++) /* only what trains, and vertex 6, has a label */
        g->label[i] = i == 2 ? 1 : i == 9 || i == 6 ? 0 : -1;
    o.n_val = 1;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "");
    assert_string_equal(err.msg, "1 validation vertex was requested, but none is possible with 1 "
                                 "label per class (split seed 1): use --validation 0 for none");
    g->label[4] = 0;
    o.n_val = 2;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG, "but only 1 is possible");
    o.n_val = 1;
    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    assert_int_equal(gnd_split_val(s)[0], 6);
    assert_int_equal(gnd_split_n_test(s), 1);
    assert_int_equal(gnd_split_test(s)[0], 4);
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void all_labelled_train(void **state)
{
    gnd_graph *g = sample();
    gnd_split_opts o = {.size = sizeof o, .kind = GND_SPLIT_ALL};
    gnd_split *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    assert_int_equal(gnd_split_n_train(s), 10);
    assert_int_equal(gnd_split_n_val(s) + gnd_split_n_test(s), 0);
    assert_int_equal(gnd_split_train(s)[8], 9);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* 4 train, 500 validate, 3 are tested; one vertex of either is unlabelled. */
static void planetoid(void **state)
{
    enum { M = 520 };
    static const int32_t test[] = {515, 510, 519};
    gnd_graph *g = make_graph(M, NULL, 0, false, 2, NULL);
    gnd_split_opts o = {.size = sizeof o, .kind = GND_SPLIT_PLANETOID};
    gnd_split *s = NULL;
    gnd_error err;

    (void)state;
    for (int i = 0; i < M; i++)
        g->label[i] = i == 10 || i == 510 ? -1 : i % 2;
    g->n_fixed_train = 4;
    g->fixed_test = malloc(sizeof test);
    memcpy(g->fixed_test, test, sizeof test);
    g->n_fixed_test = 3;
    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    assert_int_equal(s->n_train, 4);
    assert_int_equal(s->n_val, 499);
    assert_int_equal(s->val[5], 9);
    assert_int_equal(s->val[6], 11);
    assert_int_equal(s->val[498], 503);
    assert_int_equal(s->n_test, 2);
    assert_int_equal(s->test[1], 519);
    gnd_split_free(s);
    o.score_unlabelled = true;
    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    assert_int_equal(s->n_val, 500);
    assert_int_equal(s->n_test, 3);
    assert_memory_equal(s->test, test, sizeof test);
    gnd_split_free(s);
    g->label[3] = -1; /* a label file without the fixed split's vertices */
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                "vertex 3 is in the training list but has no label");
    g->label[3] = 0;
    g->fixed_test[1] = 3;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_ARG,
                "vertex 3 is in the training list and in the test list");
    g->n_fixed_train = 21;
    CHECK_FAILS(gnd_split_new(&s, g, &o, &err), GND_ERR_SHAPE, "21 training and 500 validation");
    assert_null(s);
    gnd_graph_free(g);
}

static void lists(void **state)
{
    const int32_t a[] = {3, 0}, b[] = {8}, c[] = {11, 5, 1}, twice[] = {4, 4}, far[] = {12};
    gnd_graph *g = sample();
    gnd_split *s = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), a, 2, b, 1, c, 3}, &err));
    assert_int_equal(gnd_split_n_train(s), 2);
    assert_memory_equal(gnd_split_train(s), a, sizeof a);
    assert_memory_equal(gnd_split_val(s), b, sizeof b);
    assert_memory_equal(gnd_split_test(s), c, sizeof c);
    gnd_split_free(s);
    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), a, 2, NULL, 0, NULL, 7}, &err));
    assert_int_equal(gnd_split_n_val(s) + gnd_split_n_test(s), 0);
    gnd_split_free(s);
    s = (gnd_split *)&err; /* each failure must reset it */
    CHECK_FAILS(gnd_split_from_lists(
                    &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), a, 2, far, 1, c, 3}, &err),
                GND_ERR_ARG, "the validation list holds vertex 12; expected 0 to 11");
    assert_null(s);
    CHECK_FAILS(gnd_split_from_lists(&s, g,
                                     &(gnd_split_lists){sizeof(gnd_split_lists),
                                                        (const int32_t[]){-1}, 1, b, 1, c, 3},
                                     &err),
                GND_ERR_ARG, "the training list holds vertex -1");
    CHECK_FAILS(gnd_split_from_lists(
                    &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), a, 2, b, 1, twice, 2}, &err),
                GND_ERR_ARG, "vertex 4 is in the test list twice");
    CHECK_FAILS(gnd_split_from_lists(
                    &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), a, 2, c, 3, c, 3}, &err),
                GND_ERR_ARG, "vertex 11 is in the validation list and in the test list");
    CHECK_FAILS(
        gnd_split_from_lists(
            &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), b, 1, NULL, 0, NULL, 0}, &err),
        GND_ERR_ARG, "vertex 8 is in the training list but has no label");
    CHECK_FAILS(gnd_split_from_lists(
                    &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), a, -2, b, 1, c, 3}, &err),
                GND_ERR_ARG, "negative");
    gnd_graph_free(g);
}

int main(void)
{
    static char a[] = "split_a.txt", b[] = "split_b.txt", c[] = "split_c.txt", d[] = "split_d.txt",
                e[] = "split_e.txt";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(golden_split, a),
        cmocka_unit_test_prestate(golden_split, b),
        cmocka_unit_test_prestate(golden_split, c),
        cmocka_unit_test_prestate(golden_split, d),
        cmocka_unit_test_prestate(golden_split, e),
        cmocka_unit_test(golden_shuffles),
        cmocka_unit_test(no_validation_tests_all_the_rest),
        cmocka_unit_test(paper_is_the_protocol),
        cmocka_unit_test(honest_tests_every_other_label),
        cmocka_unit_test(largest_validation_is_named),
        cmocka_unit_test(complaints),
        cmocka_unit_test(exact_messages),
        cmocka_unit_test(all_labelled_train),
        cmocka_unit_test(planetoid),
        cmocka_unit_test(lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
