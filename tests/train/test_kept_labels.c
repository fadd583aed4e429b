/* SPDX-License-Identifier: MIT
 * test_kept_labels.c - models that remember labels: the same answers from disk, on a graph that has
 * grown or is told in another order, and no trust in what a file claims of them. */
#include <unistd.h>

#include "fixture.h"
#include "model/model.h"

static char folder[] = "/tmp/gnd-kept-XXXXXX";
static char path[64], broken[64];

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/m.safetensors", folder);
    snprintf(broken, sizeof broken, "%s/broken", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    unlink(broken);
    return rmdir(folder);
}

/* ---- graphs ---- */

/* Two paths, "a" - "b" - "c" - "d" and "w" - "x" - "y" - "z", whose first two vertices have
 * labels. */
static const int32_t paths[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2},
                                   {4, 5}, {5, 4}, {5, 6}, {6, 5}, {6, 7}, {7, 6}};
static const int32_t path_label[] = {0, 0, -1, -1, 1, 1, -1, -1};

static gnd_graph *named(gnd_graph *g, const char *names)
{
    g->ids = gnd_names_new();
    for (int64_t v = 0; v < g->n_node; v++)
        assert_int_equal(gnd_names_add(g->ids, names + v, 1), v);
    return g;
}

static gnd_graph *two_paths(void)
{
    return named(fixture_graph(8, paths, LENGTH(paths), NULL, 0, 0, path_label, 2), "abcdwxyz");
}

/* Numbers from the far end, "e" beyond "d", and a pair that nothing links to the rest. None of the
 * file's labels. */
static gnd_graph *grown(void)
{
    static const int32_t label[11] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    int32_t link[LENGTH(paths) + 4][2] = {{7 - 3, 8}, {8, 7 - 3}, {9, 10}, {10, 9}};

    for (int64_t p = 0; p < LENGTH(paths); p++) {
        link[4 + p][0] = 7 - paths[p][0];
        link[4 + p][1] = 7 - paths[p][1];
    }
    return named(fixture_graph(11, (const int32_t(*)[2])link, LENGTH(link), NULL, 0, 0, label, 2),
                 "zyxwdcbaepq");
}

static gnd_model *train(const gnd_graph *g, const char *method)
{
    const gnd_split_opts all = {.size = sizeof all, .kind = GND_SPLIT_ALL};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_split_new(&s, g, &all, &err));
    CHECK_OK(gnd_config_new(&c, method, &err));
    CHECK_OK(gnd_train(&m, NULL, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

/* Methods whose answers rest on labels or vertices they remember, not on features. */
static const char *const methods[] = {"ls", "wvgn", "cs"};

/* ---- disk and growth ---- */

static void same_bits_from_disk(void **state)
{
    gnd_graph *g = two_paths(), *more = grown();

    (void)state;
    for (int64_t i = 0; i < LENGTH(methods); i++) {
        gnd_error err = {0};
        gnd_model *m = train(g, methods[i]), *back = NULL;

        CHECK_OK(gnd_model_save(m, path, &err));
        CHECK_OK(gnd_model_load(&back, path, &err));
        assert_int_equal(back->kept != NULL, m->config.method->keeps_labels);
        for (int64_t k = 0; m->kept && k < gnd_names_count(m->kept); k++) {
            assert_string_equal(gnd_names_get(back->kept, k), gnd_names_get(m->kept, k));
            assert_int_equal(back->kept_cls[k], m->kept_cls[k]);
        }
        for (int other = 0; other < 2; other++) {
            const gnd_graph *on = other ? more : g;
            gnd_prediction *p = NULL, *q = NULL;

            CHECK_OK(gnd_predict(&p, m, on, NULL, &err));
            CHECK_OK(gnd_predict(&q, back, on, NULL, &err));
            for (int64_t v = 0; v < on->n_node; v++) {
                assert_memory_equal(gnd_prediction_prob(p, v), gnd_prediction_prob(q, v),
                                    2 * sizeof(float));
                assert_int_equal(gnd_prediction_label(p, v), gnd_prediction_label(q, v));
            }
            gnd_prediction_free(p);
            gnd_prediction_free(q);
        }
        gnd_model_free(back);
        gnd_model_free(m);
    }
    gnd_graph_free(more);
    gnd_graph_free(g);
}

/* Vertices are found by name; a new one takes the class of its path, one that no label reaches
 * none. */
static void names_and_newcomers(void **state)
{
    static const int32_t want[] = {1, 1, 1, 1, 0, 0, 0, 0, 0, -1, -1};
    gnd_graph *g = two_paths(), *more = grown();

    (void)state;
    for (int64_t i = 0; i < 2; i++) { /* cs asks a base that knows nothing of a vertex first */
        gnd_error err = {0};
        gnd_model *m = train(g, methods[i]);
        gnd_prediction *p = NULL;

        CHECK_OK(gnd_predict(&p, m, more, NULL, &err));
        for (int64_t v = 0; v < LENGTH(want); v++)
            if (gnd_prediction_label(p, v) != want[v])
                fail_msg("%s: vertex %s is of class %d, not %d", methods[i],
                         gnd_names_get(more->ids, v), gnd_prediction_label(p, v), want[v]);
        gnd_prediction_free(p);
        gnd_model_free(m);
    }
    gnd_graph_free(more);
    gnd_graph_free(g);
}

/* Vertices that a label reached once, on a graph without it: label spreading has nothing to say. */
static void labels_that_have_left(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {2, 3}, {3, 2}};
    static const int32_t label[] = {-1, -1, -1, -1};
    gnd_graph *g = two_paths();
    gnd_graph *rest =
        named(fixture_graph(4, link, LENGTH(link), NULL, 0, 0, label, 2), "cdxy"); /* x: class 1 */
    gnd_model *m = train(g, "ls");
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_predict(&p, m, rest, NULL, &err));
    assert_int_equal(gnd_prediction_label(p, 0), -1);
    assert_int_equal(gnd_prediction_label(p, 1), -1);
    assert_int_equal(gnd_prediction_label(p, 2), 1);
    assert_int_equal(gnd_prediction_label(p, 3), 1);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(rest);
    gnd_graph_free(g);
}

/* ---- files that lie ---- */

static char *slurp(size_t *n)
{
    enum { MOST = 1 << 20 };
    FILE *f = fopen(path, "rb");
    char *data = malloc(MOST);

    assert_true(f && data);
    *n = fread(data, 1, MOST, f);
    fclose(f);
    return data;
}

static void spit(const char *data, size_t n)
{
    FILE *f;

    unlink(broken);
    f = fopen(broken, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    fclose(f);
}

static char *find(char *data, size_t n, const char *what)
{
    for (size_t i = 0; i + strlen(what) <= n; i++)
        if (memcmp(data + i, what, strlen(what)) == 0)
            return data + i;
    fail_msg("'%s' is not in the file", what);
    return NULL;
}

static void lies_about_labels(void **state)
{
    static const struct {
        const char *from, *to, *says;
        gnd_status code;
    } lie[] = {
        {"\"labelled\"", "\"labellex\"", "no 'labelled'", GND_ERR_FORMAT},
        {"\"labelled_as\"", "\"labelled_at\"", "no 'labelled_as'", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[0,0,1,2]", "no class of the model", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[0,0,1,9]", "no class of the model", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[0,-1,01]", "'labelled_as' in its header is broken", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[0,0,1.1]", "one class", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[0,0,1 ]]", "'labelled_as' in its header is broken", GND_ERR_FORMAT},
        {"[0,0,1,1]", "{       }", "'labelled_as' in its header is broken", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[       ]", "one class", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[0,0,1,{}", "'labelled_as' in its header is broken", GND_ERR_FORMAT},
        {"[0,0,1,1]", "[-1,0, 1]", "one class", GND_ERR_FORMAT},
        {"[\\\"a\\\",\\\"b\\\",", "[\\\"a\\\",\\\"a\\\",", "item 1 of 'labelled' is not a new name",
         GND_ERR_FORMAT},
        {"[\\\"a\\\",\\\"b\\\",", "[\\\"a\\\",12345,", "item 1 of 'labelled' is not a new name",
         GND_ERR_FORMAT},
        {"\"identity\"", "\"given   \"", "features", GND_ERR_FORMAT},
        {"\"identity\"", "\"identitx\"", "features", GND_ERR_FORMAT},
        {"[\\\"a\\\",\\\"b\\\",", "[           ,", "'labelled' in its header is broken",
         GND_ERR_FORMAT},
    };
    gnd_graph *g = two_paths();
    gnd_model *m = train(g, "ls"), *back = NULL;
    gnd_error err = {0};

    (void)state;
    gnd_names_free(m->ids); /* the columns' names read the same; only the labels' are at stake */
    m->ids = NULL;
    CHECK_OK(gnd_model_save(m, path, &err));
    for (int64_t i = 0; i < LENGTH(lie); i++) {
        size_t n;
        char *data = slurp(&n);

        assert_int_equal(strlen(lie[i].from), strlen(lie[i].to));
        memcpy(find(data, n, lie[i].from), lie[i].to, strlen(lie[i].to));
        spit(data, n);
        free(data);
        CHECK_FAILS(gnd_model_load(&back, broken, &err), lie[i].code, lie[i].says);
        assert_non_null(strstr(err.msg, "broken")); /* the file is named */
        assert_null(back);
    }
    gnd_model_free(m);
    gnd_graph_free(g);
}

/* One bit at a time: refused, or a model that answers. */
static void flipped_bits(void **state)
{
    gnd_graph *g = two_paths();
    gnd_model *m = train(g, "ls");
    gnd_error err = {0};
    size_t n;
    char *data;

    (void)state;
    CHECK_OK(gnd_model_save(m, path, &err));
    data = slurp(&n);
    for (size_t k = 0; k < n; k++) {
        gnd_prediction *p = NULL;
        gnd_model *back = NULL;
        const char old = data[k];

        data[k] = (char)(old ^ (1 << k % 8));
        spit(data, n);
        if (gnd_model_load(&back, broken, &err) == GND_OK && back->mode == g->mode)
            gnd_predict(&p, back, g, NULL, &err);
        gnd_prediction_free(p);
        gnd_model_free(back);
        data[k] = old;
    }
    free(data);
    gnd_model_free(m);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_from_disk),   cmocka_unit_test(names_and_newcomers),
        cmocka_unit_test(labels_that_have_left), cmocka_unit_test(lies_about_labels),
        cmocka_unit_test(flipped_bits),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
