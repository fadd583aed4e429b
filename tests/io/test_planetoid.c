/* SPDX-License-Identifier: MIT
 * test_planetoid.c - the ind.NAME.* files: a small set made by hand, that set made wrong, the real
 * ones. */
#include "planetoid_make.h"

#include "io/io.h"

static gnd_status load_set(gnd_graph **out, gnd_error *err)
{
    return gnd_load(out, write_set(), NULL, err);
}

static void test_toy(void **state)
{
    static const int32_t col[] = {1, 3, 0, 2, 0, 5, 3}, label[] = {0, 1, 0, 0, -1, 1};
    static const int64_t ptr[] = {0, 2, 3, 4, 6, 6, 7}, x_ptr[] = {0, 1, 2, 4, 5, 5, 7};
    static const int32_t x_col[] = {0, 1, 0, 2, 1, 0, 2};
    static const float x_val[] = {1, 2, 4, 3, 7, 5, 6};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    make_set();
    CHECK_OK(load_set(&g, &err));
    assert_string_equal(gnd_graph_name(g), "toy");
    assert_int_equal(g->n_node, 6);
    assert_memory_equal(g->adj.ptr, ptr, sizeof ptr);
    assert_memory_equal(g->adj.col, col, sizeof col);
    assert_null(g->adj.val);
    assert_memory_equal(g->feat.ptr, x_ptr, sizeof x_ptr);
    assert_memory_equal(g->feat.col, x_col, sizeof x_col);
    for (int k = 0; k < 7; k++)
        CHECK_CLOSE(g->feat.val[k], x_val[k], 0);
    assert_memory_equal(g->label, label, sizeof label);
    assert_true(g->keep_all);
    assert_int_equal(g->n_fixed_train, 2);
    assert_int_equal(g->n_fixed_test, 2);
    assert_int_equal(g->fixed_test[0], 5);
    assert_int_equal(g->fixed_test[1], 3);
    assert_string_equal(gnd_graph_class_name(g, 1), "1");
    gnd_graph_free(g);
    /* Any of the eight files stands for all. */
    for (int k = 0; k < 8; k++) {
        char name[64];

        snprintf(name, sizeof name, "ind.toy.%s", part_name[k]);
        CHECK_OK(gnd_load(&g, temp_path(name), NULL, &err));
        assert_string_equal(gnd_graph_name(g), "toy");
        gnd_graph_free(g);
    }
}

#define S(s) s, sizeof s - 1
#define G    "\x80\2ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R("

static const struct {
    int at;
    const char *s;
    size_t n;
    gnd_status code;
    const char *text;
} wrong[] = {
    {X, S("cos\nsystem\n(S'touch pwned'\ntR."), GND_ERR_FORMAT,
     "ind.toy.x: byte 0: asks for os.system, which is not data; nothing was executed"},
    {GRAPH, S("(S'touch pwned'\nios\nsystem\n."), GND_ERR_FORMAT,
     "ind.toy.graph: byte 16: asks for"},
    {GRAPH, S(""), GND_ERR_FORMAT, "ends before its value"},
    {GRAPH, S("]."), GND_ERR_FORMAT, "is not a dictionary of neighbours"},
    {GRAPH, S("}."), GND_ERR_FORMAT, "has no vertices"},
    {GRAPH, S(G "K\0]K\1]K\2]K\3]K\4]K\5K\1u."), GND_ERR_FORMAT, "are not a list"},
    {GRAPH, S(G "K\0]K\1]K\2]K\3]K\4]K\5]K\6au."), GND_ERR_FORMAT,
     "a neighbour of vertex 5 is not"},
    {GRAPH, S(G "K\0]K\1]K\2]K\3]K\4]K\6]u."), GND_ERR_FORMAT, "one of them is not 0 to 5"},
    {GRAPH, S(G "K\0]K\1]K\2]K\3]K\4]K\4]u."), GND_ERR_FORMAT, "vertex 4 is listed twice"},
    {GRAPH, S(G "K\0]K\1]u."), GND_ERR_SHAPE, "rows of allx in graph: 3; expected 2"},
    {GRAPH,
     S(G "K\0]("
         "K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0K\0eq\0"
         "K\1h\0K\2h\0K\3h\0K\4h\0K\5h\0u."),
     GND_ERR_FORMAT, "lists more neighbours than it has bytes"},
    {X, S("]."), GND_ERR_FORMAT, "ind.toy.x: is not a csr_matrix"},
    {X, S("\x80\2cscipy.sparse.csr\ncsr_matrix\n)\x81}b."), GND_ERR_FORMAT, "has no shape"},
    {X, S("\x80\2cscipy.sparse.csr\ncsr_matrix\n)\x81}U\6_shapeK\1U\1x\x86sb."), GND_ERR_FORMAT,
     "the shape of the matrix is not valid"},
    {X, S("\x80\2cscipy.sparse.csr\ncsr_matrix\n)\x81}U\6_shapeK\1K\1\x86sb."), GND_ERR_FORMAT,
     "indptr is not an array"},
    {Y, S("K\1."), GND_ERR_FORMAT, "ind.toy.y: the content is not an array"},
    {INDEX, S("5\n2\n"), GND_ERR_FORMAT, "test.index:2: expected a vertex, 3 to 5"},
    {INDEX, S("5\n6\n"), GND_ERR_FORMAT, "test.index:2: expected a vertex, 3 to 5"},
    {INDEX, S("5\n5\n"), GND_ERR_FORMAT, "vertex 5 occurs twice"},
    {INDEX, S("5\nx\n"), GND_ERR_FORMAT, "test.index:2: expected a vertex"},
    {INDEX, S("5\n"), GND_ERR_SHAPE, "rows of tx for test.index: 2; expected 1"},
};

static void test_wrong(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        make_set();
        make_text(&part[wrong[k].at], wrong[k].s, wrong[k].n);
        CHECK_FAILS(load_set(&g, &err), wrong[k].code, wrong[k].text);
        assert_null(g);
    }
    assert_int_not_equal(access("pwned", F_OK), 0);
    assert_int_not_equal(access(temp_path("pwned"), F_OK), 0);
}

static void test_wrong_numbers(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    make_set();
    make_csr(&part[TX], 2, (int32_t[]){0, 2, 3}, (int32_t[]){0, 3, 1}, (float[]){5, 6, 7});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_FORMAT, "tx: index 1 is not within 0 to 2");
    make_csr(&part[TX], 2, (int32_t[]){0, 2, 3}, (int32_t[]){0, 1, 1}, (float[]){5, NAN, 7});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_FORMAT, "tx: value 1 is not a finite number");
    make_csr(&part[TX], 2, (int32_t[]){0, 4, 3}, (int32_t[]){0, 1, 1}, (float[]){5, 6, 7});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_FORMAT, "row 1 ends at entry 3, before it starts");
    make_set();
    make_onehot(&part[TY], 2, (int32_t[]){0, 1, 1, 1});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_FORMAT, "ty: row 1 is not one-hot");
    make_onehot(&part[TY], 2, (int32_t[]){0, 2, 1, 0});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_FORMAT, "ty: row 0 is not one-hot");
    make_onehot(&part[TY], 1, (int32_t[]){0, 1});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_SHAPE, "rows of ty for test.index: 1; expected 2");
    make_set();
    make_onehot(&part[Y], 1, (int32_t[]){0, 1});
    CHECK_FAILS(load_set(&g, &err), GND_ERR_SHAPE, "rows of y for x: 1; expected 2");
    make_set();
    CHECK_OK(load_set(&g, &err));
    gnd_graph_free(g);
    unlink(temp_path("ind.toy.ally"));
    CHECK_FAILS(gnd_load(&g, temp_path("ind.toy"), NULL, &err), GND_ERR_IO,
                "ind.toy.ally: No such");
}

/* Every prefix and every changed byte of each file: an answer, never a crash. */
static void test_brute(void **state)
{
    (void)state;
    make_set();
    for (int k = 0; k < 8; k++)
        write_part(k);
    for (int k = 0; k < 8; k++) {
        const size_t whole = part[k].n;

        for (size_t i = 0; i < 2 * whole; i++) {
            gnd_graph *g = NULL;
            gnd_error err = {0};
            unsigned char *b = &part[k].b[i % whole];
            const unsigned char old = *b;

            if (i < whole)
                part[k].n = i;
            else
                *b ^= (unsigned char)(1 + i % 255);
            write_part(k);
            if (gnd_load(&g, temp_path("ind.toy"), NULL, &err) != GND_OK)
                assert_true(!g && err.msg[0] && !strchr(err.msg, '\n'));
            gnd_graph_free(g);
            *b = old;
            part[k].n = whole;
        }
        write_part(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toy),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_brute),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
