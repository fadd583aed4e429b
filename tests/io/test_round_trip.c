/* SPDX-License-Identifier: MIT
 * test_round_trip.c - what is written as CSV reads back the same, whatever ids and classes contain:
 * a saved graph, and predictions that become the next labels. */
#include "fixture.h"
#include "textfiles.h"

static const char *const names[] = {
    "plain",  "a,b",     "say \"x\"",  "\"",       "two\nlines", "cr\r\nlf",          " lead",
    "trail ", "\ttab\t", "#tag",       "%percent", "unknown",    "\xc3\xa9t\xc3\xa9", "-2",
    "id",     "end\r",   "\"\"\n\"\"", "source",   "a#b",
};

enum { N = sizeof names / sizeof names[0] };

/* Two rings; ids and class names from the list above, two vertices without links. */
static gnd_graph *graph_make(const char *first, const char *second)
{
    gnd_graph *g = fixture_two_rings((N - 1) / 2 - 1, N - 2 * ((N - 1) / 2 - 1));

    assert_int_equal(g->n_node, N);
    g->ids = gnd_names_new();
    for (int i = 0; i < N; i++)
        assert_int_equal(gnd_names_add(g->ids, names[i], strlen(names[i])), i);
    gnd_names_free(g->cls);
    g->cls = gnd_names_new();
    gnd_names_add(g->cls, first, strlen(first));
    gnd_names_add(g->cls, second, strlen(second));
    return g;
}

static const char *label_of(const gnd_graph *g, int64_t i)
{
    const char *name = gnd_graph_class_name(g, g->label[i]);

    return name ? name : "(none)";
}

static void same_names(const gnd_graph *g, const gnd_graph *h)
{
    char a[32], b[32];

    assert_int_equal(g->n_node, h->n_node);
    for (int64_t i = 0; i < g->n_node; i++) {
        assert_string_equal(gnd_graph_id(g, i, a), gnd_graph_id(h, i, b));
        assert_string_equal(label_of(g, i), label_of(h, i));
    }
    assert_int_equal(gnd_csr_nnz(&g->adj), gnd_csr_nnz(&h->adj));
}

static void graph_saved(void **state)
{
    gnd_error err;

    (void)state;
    for (int c = 0; c < N; c++) {
        gnd_graph *g = graph_make(names[c], names[(c + 1) % N]), *h = NULL;

        CHECK_OK(gnd_graph_save(g, temp_path("saved"), "csv", &err));
        CHECK_OK(gnd_load(&h, temp_path("saved"), NULL, &err));
        same_names(g, h);
        assert_int_equal(g->n_feat, h->n_feat);
        gnd_graph_free(g);
        gnd_graph_free(h);
    }
}

/* Predictions of all vertices, as labels of a graph that has none. The vertices that no label
 * reaches have an empty label. A class may be named "unknown". */
static void predictions_as_labels(void **state)
{
    gnd_error err;

    (void)state;
    for (int c = 0; c < N; c++) {
        gnd_graph *g = graph_make(names[c], names[(c + 1) % N]);
        const gnd_split_opts o = {.size = sizeof o, .kind = GND_SPLIT_ALL};
        const gnd_prediction_columns all = {.size = sizeof all, .probabilities = c % 2 == 0};
        gnd_split *s = NULL;
        gnd_config *config = NULL;
        gnd_model *m = NULL;
        gnd_prediction *p = NULL;

        CHECK_OK(gnd_split_new(&s, g, &o, &err));
        CHECK_OK(gnd_config_new(&config, "ls", &err));
        CHECK_OK(gnd_label(&p, &m, NULL, g, s, config, NULL, &err));
        CHECK_OK(gnd_prediction_save_columns(p, g, m, temp_path("labels.csv"), &all, &err));
        memset(g->label, 0xff, (size_t)g->n_node * sizeof *g->label); /* -1 */
        CHECK_OK(gnd_labels_load(g, temp_path("labels.csv"), NULL, &err));
        assert_int_equal(g->n_node, N);
        for (int64_t i = 0; i < N; i++) {
            const int32_t cls = gnd_prediction_label(p, i);

            assert_string_equal(label_of(g, i), cls < 0 ? "(none)" : gnd_model_class_name(m, cls));
        }
        assert_int_equal(g->label[N - 1], -1);
        gnd_prediction_free(p);
        gnd_model_free(m);
        gnd_config_free(config);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

/* "unknown" is a class where a user says so. */
static void unknown_of_users(void **state)
{
    static const char *const file[] = {"a,unknown\nb,x\n", "id,label\na,unknown\nb,x\n",
                                       "id,label,why\na,unknown,\nb,x,\n",
                                       "id,label,probability\na,unknown,0.5\nb,x,\n"};
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < sizeof file / sizeof file[0]; k++) {
        gnd_graph *g = NULL;

        CHECK_OK(gnd_format_edgelist.read(&g, put("e", "source,target\na,b\n"), NULL, &err));
        CHECK_OK(gnd_labels_load(g, put("l", file[k]), NULL, &err));
        assert_string_equal(label_of(g, 0), "unknown");
        assert_string_equal(label_of(g, 1), "x");
        gnd_graph_free(g);
    }
}

/* Versions before 0.2 wrote "unknown" for a vertex without a label; a note says how it was read. */
static void unknown_of_old_files(void **state)
{
    const char *file = "id,label,probability\na,unknown,\nb,x,1\nc,,\n";
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_format_edgelist.read(&g, put("e", "a,b\nb,c\n"), NULL, &err));
    CHECK_OK(gnd_labels_load(g, put("l", file), NULL, &err));
    assert_int_equal(g->label[0], -1);
    assert_string_equal(label_of(g, 1), "x");
    assert_int_equal(g->label[2], -1);
    assert_int_equal(g->notes.n, 1);
    assert_string_equal(gnd_graph_note(g, 0)->code, "unknown_without_probability");
    assert_non_null(strstr(gnd_graph_note(g, 0)->text, ": 1 line has 'unknown'"));
    gnd_graph_free(g);
}

/* Lines are counted as an editor does, also behind a field of several lines. */
static void lines_are_counted(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_format_edgelist.read(&g, put("e.csv", "\"a\n\nb\",c\nd\n"), NULL, &err),
                GND_ERR_FORMAT, "e.csv:4: ");
    CHECK_FAILS(gnd_format_edgelist.read(&g, put("e.csv", "a,c\n\"a\n\nb,c\nd,e\n"), NULL, &err),
                GND_ERR_FORMAT, "e.csv:2: a quote is not closed");
    CHECK_FAILS(gnd_format_edgelist.read(&g, put("e.csv", "\"a\nb\"c,d\n"), NULL, &err),
                GND_ERR_FORMAT, "text follows a closing quote");
    CHECK_OK(gnd_format_edgelist.read(&g, put("e.csv", "source,target\n\"a\r\nb\",\"c\r\"\r\nd,e"),
                                      NULL, &err));
    assert_int_equal(g->n_node, 4);
    assert_string_equal(gnd_names_get(g->ids, 0), "a\r\nb");
    assert_string_equal(gnd_names_get(g->ids, 1), "c\r");
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_saved),       cmocka_unit_test(predictions_as_labels),
        cmocka_unit_test(unknown_of_users),  cmocka_unit_test(unknown_of_old_files),
        cmocka_unit_test(lines_are_counted),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
