/* SPDX-License-Identifier: MIT
 * test_limit.c - no input takes more than max_input bytes, whatever it unpacks to, and the error
 * says how to raise the limit. */
#include "io/limit.h"
#include "npz_make.h"
#include "textfiles.h"

enum { LIMIT = 100000 };

static const gnd_load_opts small = {.size = sizeof small, .max_input = LIMIT};
static const gnd_load_opts enough = {.size = sizeof enough, .max_input = 10 * LIMIT};

/* 300,000 bytes of edges, of which gzip makes a few hundred. */
static char *edges_text(void)
{
    char *s = malloc(3 * LIMIT + 1);

    assert_non_null(s);
    for (int i = 0; i < 3 * LIMIT / 4; i++)
        memcpy(s + 4 * i, "0 1\n", 5);
    return s;
}

static void check_over_limit(const char *path, const char *message)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_FAILS(gnd_load(&g, path, &small, &err), GND_ERR_FORMAT, message);
    assert_non_null(strstr(err.msg, "raise the limit with --max-input 196K if you trust the file"));
    assert_null(g);
    CHECK_OK(gnd_load(&g, path, &enough, &err));
    gnd_graph_free(g);
}

static void texts(void **state)
{
    char *s = edges_text();
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    check_over_limit(put_gz("edges.csv.gz", s), "edges.csv.gz: unpacks to more than 97.7 kB");
    check_over_limit(put("edges.csv", s), "edges.csv: has more than 97.7 kB");
    /* Exactly as much as allowed is allowed. */
    s[LIMIT] = '\0';
    CHECK_OK(gnd_load(&g, put_gz("exact.csv.gz", s), &small, &err));
    gnd_graph_free(g);
    CHECK_OK(gnd_load(&g, put("exact.csv", s), &small, &err));
    gnd_graph_free(g);
    memcpy(s + LIMIT, "\n", 2);
    CHECK_FAILS(gnd_load(&g, put_gz("over.csv.gz", s), &small, &err), GND_ERR_FORMAT,
                "unpacks to more than");
    CHECK_FAILS(gnd_load(&g, put("over.csv", s), &small, &err), GND_ERR_FORMAT, "has more than");
    free(s);
}

/* Features and labels are inputs too. */
static void other_files(void **state)
{
    char x[128], l[128];
    const gnd_load_opts opts[] = {{.size = sizeof *opts, .max_input = LIMIT, .features = x},
                                  {.size = sizeof *opts, .max_input = LIMIT, .labels = l},
                                  {.size = sizeof *opts, .max_input = LIMIT, .train_labels = l}};
    char *s = edges_text();
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    snprintf(x, sizeof x, "%s", put_gz("x.csv.gz", s));
    snprintf(l, sizeof l, "%s", put_gz("l.csv.gz", s));
    put("e.csv", "0,1\n");
    for (int k = 0; k < 3; k++)
        CHECK_FAILS(gnd_load(&g, temp_path("e.csv"), &opts[k], &err), GND_ERR_FORMAT,
                    k == 0 ? "x.csv.gz: unpacks to more than" : "l.csv.gz: unpacks to more than");
    free(s);
}

static void archives(void **state)
{
    gnd_graph *big = NULL, *g = NULL;
    const gnd_make_opts o = {
        .size = sizeof o, .n_node = 30000, .n_edge = 60000, .n_class = 2, .inside = 50, .seed = 1};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_make(&big, &o, &err));
    CHECK_OK(gnd_graph_save(big, temp_path("big.npz"), "npz", &err));
    CHECK_FAILS(gnd_load(&g, temp_path("big.npz"), &small, &err), GND_ERR_FORMAT,
                "unpacks to more than 97.7 kB");
    CHECK_OK(gnd_load(&g, temp_path("big.npz"), &enough, &err));
    gnd_graph_free(g);
    gnd_graph_free(big);
}

static void limits(void **state)
{
    gnd_graph *g = NULL;
    gnd_load_opts o = {.size = sizeof o, .max_input = -1};
    gnd_error err;

    (void)state;
    assert_true(gnd_limit_get(0) > 1 << 20);
    assert_true(gnd_limit_get(5) == 5);
    CHECK_FAILS(gnd_load(&g, "karate", &o, &err), GND_ERR_ARG, "max_input is -1");
    CHECK_FAILS(gnd_limit_fail("f", "has", INT64_C(12) << 30, &err), GND_ERR_FORMAT,
                "f: has more than 12 GB; raise the limit with --max-input 26G if");
    CHECK_FAILS(gnd_limit_fail("f", "has", 10, &err), GND_ERR_FORMAT, "--max-input 22 if");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(other_files),
        cmocka_unit_test(archives),
        cmocka_unit_test(limits),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
