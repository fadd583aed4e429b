/* SPDX-License-Identifier: MIT
 * test_graph_file.c - graphs in safetensors files: what is written reads back the same, arrays are
 * borrowed from the mapped file, and no file makes the reader look outside of it. */
#include "fixture.h"
#include "same_graph.h"
#include "textfiles.h"

#include "io/graph_file.h"

/* Ids, classes, weights, features, and a vertex without any of them. */
static gnd_graph *rich_graph(void)
{
    const gnd_load_opts o = {
        .size = sizeof o,
        .features = put("x.csv", "a,1,0.5\nb,2,0\nc,0,1\n"),
        .labels = put("l.csv", "a,red\nb,blue\nzoe,\n"),
    };
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, put("e.csv", "a,b,2\nb,c,0.5\nc,c,1\n"), &o, &err));
    return g;
}

static gnd_graph *round_trip(const gnd_graph *g)
{
    const gnd_load_opts o = {.size = sizeof o, .verify = true};
    gnd_graph *h = NULL;
    gnd_error err;

    CHECK_OK(gnd_graph_save(g, temp_path("g.safetensors"), "safetensors", &err));
    CHECK_OK(gnd_load(&h, temp_path("g.safetensors"), &o, &err));
    same_graph(g, h);
    return h;
}

static void reads_back(void **state)
{
    gnd_graph *g = rich_graph(), *h = round_trip(g);

    (void)state;
    assert_int_equal(h->adj.borrowed, GND_CSR_ARRAYS);
    assert_int_equal(h->feat.borrowed, GND_CSR_ARRAYS);
    assert_int_equal((uintptr_t)h->adj.ptr % 64, 0);
    gnd_graph_free(h);
    gnd_graph_free(g);
    g = fixture_two_rings(5, 2); /* no ids, no weights */
    g->in_train_file = gnd_alloc(g->n_node, 1);
    g->in_train_file[3] = 1;
    h = round_trip(g);
    assert_null(h->adj.val);
    gnd_graph_free(h);
    g->keep_all = true;
    g->n_fixed_train = 3;
    g->n_fixed_test = 2;
    g->fixed_test = gnd_alloc(2, sizeof *g->fixed_test);
    g->fixed_test[0] = 7;
    h = round_trip(g);
    gnd_graph_free(h);
    gnd_graph_free(g);
}

static void without_edges(void **state)
{
    gnd_graph *g = NULL, *h;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_load(&g, put("e.csv", "# gnd vertices 3\n"), NULL, &err));
    h = round_trip(g);
    gnd_graph_free(h);
    gnd_graph_free(g);
}

/* Names longer than what is written at once, and more of them. */
static void many_names(void **state)
{
    gnd_graph *g = fixture_two_rings(9000, 1), *h;
    static char name[20000];

    (void)state;
    g->ids = gnd_names_new();
    memset(name, 'x', sizeof name);
    for (int64_t i = 0; i < g->n_node; i++) {
        const int len = snprintf(name, 32, "vertex %lld", (long long)i);

        name[len] = 'x';
        assert_int_equal(gnd_names_add(g->ids, name, i == 77 ? sizeof name : (size_t)len), i);
    }
    h = round_trip(g);
    gnd_graph_free(h);
    gnd_graph_free(g);
}

/* A graph of a mode, and labels of vertices that the file does not have, use the mapped arrays
 * after the first graph is gone and the file too. */
static void outlives_the_file(void **state)
{
    gnd_graph *g = rich_graph(), *h = NULL, *und = NULL;
    gnd_error err;
    gnd_load_opts o = {.size = sizeof o};

    (void)state;
    CHECK_OK(gnd_graph_save(g, temp_path("g.safetensors"), "safetensors", &err));
    o.labels = put("more.csv", "a,red\nb,blue\nnew,red\n");
    CHECK_OK(gnd_load(&h, temp_path("g.safetensors"), &o, &err));
    assert_int_equal(h->n_node, g->n_node + 1);
    unlink(temp_path("g.safetensors"));
    CHECK_OK(gnd_graph_convert(&und, h, GND_GRAPH_UND, &err));
    gnd_graph_free(h);
    CHECK_OK(gnd_graph_check(und, NULL, &err));
    assert_memory_equal(und->feat.val, g->feat.val, (size_t)gnd_csr_nnz(&g->feat) * sizeof(float));
    gnd_graph_free(und);
    gnd_graph_free(g);
}

/* ---- files that lie ---- */

/* Three vertices: 0 -> 1, 1 -> 2. Data: pointers at 0, indices at 32, labels at 40, classes
 * (offsets at 56, which is aligned) at 80. */
static const struct {
    int64_t ptr[4];
    int32_t col[2], label[4];
    int64_t class_at[3];
    char classes[8];
} good = {{0, 1, 2, 2}, {1, 2}, {0, 1, -1, 0}, {0, 3, 7}, "redblue"};

/* A tensor, or the metadata, in the header. */
#define T(name, dtype, shape, at)                                                                  \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" at "]}"
#define META_WITH(key, value)                                                                      \
    "\"__metadata__\":{\"format\":\"gnd-graph-1\",\"" key "\":\"" value "\"}"
#define META    "\"__metadata__\":{\"format\":\"gnd-graph-1\"}"
#define PTR     T("adjacency.pointers_to_1", "I64", "4", "0,32")
#define COL     T("adjacency.indices_1", "I32", "2", "32,40")
#define LABELS  T("labels", "I32", "3", "40,52")
#define OFFSETS T("classes.offsets", "I64", "3", "56,80")
#define CLASSES T("classes", "U8", "7", "80,87")
#define ALL     META "," PTR "," COL "," LABELS "," OFFSETS "," CLASSES

static const char *file_make(const char *tensors, const void *data)
{
    static char bytes[4096];
    char head[2048];
    size_t n = (size_t)snprintf(head, sizeof head, "{%s}", tensors);

    while ((8 + n) % 64 != 0)
        head[n++] = ' ';
    memset(bytes, 0, 8);
    bytes[0] = (char)(n & 0xff);
    bytes[1] = (char)(n >> 8);
    memcpy(bytes + 8, head, n);
    memcpy(bytes + 8 + n, data, sizeof good);
    return temp_file("made.safetensors", bytes, 8 + n + sizeof good);
}

static void refused(const char *tensors, const void *data, gnd_status code, const char *says)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_FAILS(gnd_load(&g, file_make(tensors, data), NULL, &err), code, says);
    assert_non_null(strstr(err.msg, "made.safetensors: "));
    assert_null(g);
}

static const struct {
    const char *tensors;
    gnd_status code;
    const char *says;
} lie[] = {
    {"", GND_ERR_FORMAT, "'format' in its header is ''; expected 'gnd-graph-1'"},
    {"\"__metadata__\":{\"format\":\"gnd-graph-2\"}", GND_ERR_FORMAT,
     "its format is 'gnd-graph-2'; this gnd reads 'gnd-graph-1'"},
    {"\"__metadata__\":{\"format\":\"gnd-model-1\"}", GND_ERR_FORMAT,
     "is a model, not a graph; gnd predict uses it"},
    {META ",", GND_ERR_FORMAT, "its header is not JSON"},
    {META, GND_ERR_FORMAT, "it has no tensor 'adjacency.pointers_to_1'"},
    {META "," PTR, GND_ERR_FORMAT, "it has no tensor 'adjacency.indices_1'"},
    {META "," T("adjacency.pointers_to_1", "I32", "4", "0,16") "," COL, GND_ERR_FORMAT,
     "is of type I32; expected I64"},
    {META "," T("adjacency.pointers_to_1", "I64", "4", "0,3200") "," COL, GND_ERR_FORMAT,
     "'adjacency.pointers_to_1' is outside the file"},
    {META "," T("adjacency.pointers_to_1", "I64", "4", "-32,0") "," COL, GND_ERR_FORMAT,
     "is outside the file"},
    {META "," T("adjacency.pointers_to_1", "I64", "2305843009213693953", "0,8") "," COL,
     GND_ERR_FORMAT, "is larger than its place"},
    {META "," T("adjacency.pointers_to_1", "I64", "3", "0,32") "," COL, GND_ERR_FORMAT,
     "does not fill its place"},
    {META "," T("adjacency.pointers_to_1", "I64", "2,2", "0,32") "," COL, GND_ERR_SHAPE,
     "has two dimensions; expected one"},
    {META "," T("adjacency.pointers_to_1", "I64", "1,2,2", "0,32") "," COL, GND_ERR_FORMAT,
     "no shape of one or two dimensions"},
    {META "," T("adjacency.pointers_to_1", "I64", "4", "4,36") "," COL, GND_ERR_FORMAT,
     "no multiple of 8 bytes"},
    {META "," T("adjacency.pointers_to_1", "I64", "1", "0,8") "," COL, GND_ERR_FORMAT,
     "has 1 items; expected 2 to"},
    {META "," PTR "," T("adjacency.indices_1", "I32", "1", "32,36"), GND_ERR_FORMAT,
     "adjacency.pointers_to_1: rows end at entry 2; expected 1"},
    {META "," PTR "," COL "," T("adjacency.values", "F32", "3", "40,52"), GND_ERR_SHAPE,
     "'adjacency.values' has 3 items; expected 2"},
    {META "," PTR "," COL "," T("adjacency.values", "F16", "2", "40,44"), GND_ERR_FORMAT,
     "is of type F16; expected F32"},
    {META "," PTR "," COL "," T("adjacency.values", "F32", "2", "52,60"), GND_ERR_FORMAT,
     "2 arcs are of weight 0"},
    {META "," PTR "," COL "," LABELS "," CLASSES, GND_ERR_FORMAT, "no tensor 'classes.offsets'"},
    {META "," PTR "," COL "," OFFSETS "," CLASSES, GND_ERR_FORMAT, "no tensor 'labels'"},
    {META "," PTR "," COL "," LABELS "," OFFSETS "," T("classes", "U8", "8", "80,88"),
     GND_ERR_FORMAT, "'classes.offsets' does not cover 'classes'"},
    {META "," PTR "," COL "," LABELS "," T("classes.offsets", "I64", "0", "56,56") "," CLASSES,
     GND_ERR_FORMAT, "'classes.offsets' does not cover 'classes'"},
    {META "," PTR "," COL
          "," T("ids.offsets", "I64", "3", "56,80") "," T("ids", "U8", "7", "80,87"),
     GND_ERR_SHAPE, "'ids.offsets' has 3 items; expected 4"},
    {META_WITH("feature_columns", "-4") "," PTR "," COL, GND_ERR_FORMAT,
     "'feature_columns' in its header is '-4'; expected 0 to"},
    {META_WITH("feature_columns", "2") "," PTR "," COL, GND_ERR_FORMAT,
     "it has no tensor 'features.values'"},
    {META_WITH("feature_columns", "2") "," PTR "," COL
                                       "," T("features.values", "F32", "2,3", "40,64"),
     GND_ERR_SHAPE, "is 2 x 3; expected 3 x 2"},
    {META_WITH("planetoid.train", "4") "," PTR "," COL, GND_ERR_FORMAT,
     "'planetoid.train' in its header is '4'; expected 0 to 3"},
    {META_WITH("planetoid.train", "1") "," PTR "," COL "," T("planetoid.test", "I32", "3", "40,52"),
     GND_ERR_FORMAT, "item 2 of 'planetoid.test' is -1; expected 0 to 2"},
};

static void headers_that_lie(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lie / sizeof lie[0]; i++)
        refused(lie[i].tensors, &good, lie[i].code, lie[i].says);
}

/* Indices that would be read outside of an array. */
static void data_that_lie(void **state)
{
    unsigned char data[sizeof good];
#define LIE(member, value, says)                                                                   \
    do {                                                                                           \
        memcpy(data, &good, sizeof good);                                                          \
        memcpy(data + ((const char *)&good.member - (const char *)&good), &(int64_t){value},       \
               sizeof good.member);                                                                \
        refused(ALL, data, GND_ERR_FORMAT, says);                                                  \
    } while (0)

    (void)state;
    LIE(ptr[0], -1, "row 0 starts at entry -1");
    LIE(ptr[1], INT64_MAX / 2, "row 1 ends at entry 2, before it starts");
    LIE(ptr[3], 3, "rows end at entry 3; expected 2");
    LIE(ptr[3], INT64_MIN, "before it starts");
    LIE(col[0], 3, "has column 3; expected 0 to 2");
    LIE(col[1], -1, "has column -1; expected 0 to 2");
    LIE(label[1], 2, "vertex 1 has class 2");
    LIE(label[1], -2, "vertex 1 has class -2");
    LIE(class_at[1], 8, "item 0 of 'classes' is not a name");
    LIE(class_at[1], 0, "item 0 of 'classes' is not a name");
    LIE(class_at[1], -5, "item 0 of 'classes' is not a name");
    LIE(classes[1], 0, "item 0 of 'classes' is not a name");
#undef LIE
    memcpy(data, &good, sizeof good);
    memcpy(data + 80, "redred", 6);
    memcpy(data + 72, &(int64_t){6}, 8);
    refused(META "," PTR "," COL "," LABELS "," OFFSETS "," T("classes", "U8", "6", "80,86"), data,
            GND_ERR_FORMAT, "items 0 and 1 of 'classes' are the same");
}

static void files_of_any_length(void **state)
{
    const char *path = file_make(ALL, &good);
    gnd_graph *g = NULL;
    gnd_error err;
    size_t n;
    char *bytes = temp_slurp(path, &n);

    (void)state;
    CHECK_OK(gnd_load(&g, path, NULL, &err));
    assert_int_equal(g->n_class, 2);
    gnd_graph_free(g);
    for (size_t cut = 0; cut + 1 < n; cut++) { /* the last byte belongs to no tensor */
        g = NULL;
        if (gnd_load(&g, temp_file("cut.safetensors", bytes, cut), NULL, &err) == GND_OK)
            fail_msg("a file of %zu of %zu bytes was read", cut, n);
        assert_null(g);
    }
    bytes[6] = 1; /* a header of 2^48 bytes */
    CHECK_FAILS(gnd_load(&g, temp_file("long.safetensors", bytes, n), NULL, &err), GND_ERR_FORMAT,
                "its header is longer than the file");
    free(bytes);
}

/* Types of other writers: dense features and values in double. */
static void other_writers(void **state)
{
    static const struct {
        int64_t ptr[4];
        double val[2];
        int32_t col[2];
        float x[6];
    } file = {{0, 1, 2, 2}, {0.5, 2}, {1, 2}, {0, 1, 0, 0, 2, 0}};
    unsigned char data[sizeof good] = {0};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    assert_true(sizeof file <= sizeof data);
    memcpy(data, &file, sizeof file);
    CHECK_OK(gnd_load(
        &g,
        file_make(META_WITH("feature_columns", "2") "," PTR "," T(
                      "adjacency.values", "F64", "2",
                      "32,48") "," T("adjacency.indices_1", "I32", "2",
                                     "48,56") "," T("features.values", "F32", "3,2", "56,80"),
                  data),
        NULL, &err));
    assert_float_equal(g->adj.val[0], 0.5, 0);
    assert_int_equal(gnd_csr_nnz(&g->feat), 2);
    assert_int_equal(g->feat.col[0], 1);
    assert_float_equal(g->feat.val[1], 2, 0);
    gnd_graph_free(g);
}

static void damage_is_found(void **state)
{
    const gnd_load_opts o = {.size = sizeof o, .verify = true};
    gnd_graph *g = rich_graph(), *h = NULL;
    gnd_error err;
    size_t n;
    char *bytes;

    (void)state;
    CHECK_OK(gnd_graph_save(g, temp_path("d.safetensors"), "safetensors", &err));
    bytes = temp_slurp(temp_path("d.safetensors"), &n);
    bytes[n - 1] ^= 1; /* the last letter of an id */
    CHECK_OK(gnd_load(&h, temp_file("d.safetensors", bytes, n), NULL, &err));
    gnd_graph_free(h);
    CHECK_FAILS(gnd_load(&h, temp_path("d.safetensors"), &o, &err), GND_ERR_FORMAT,
                "the file is damaged");
    CHECK_FAILS(gnd_load(&h, put("e.csv", "a,b\n"), &o, &err), GND_ERR_ARG,
                "format edgelist has no checksum to verify");
    CHECK_FAILS(gnd_load(&h, file_make(ALL, &good), &o, &err), GND_ERR_FORMAT,
                "its header has no 'checksum'");
    CHECK_FAILS(gnd_graph_save(g, "/dev/null", "safetensors", &err), GND_ERR_IO,
                "safetensors needs the name of a file");
    CHECK_FAILS(gnd_graph_save(g, "/dev/full", "safetensors", &err), GND_ERR_IO,
                "safetensors needs the name of a file");
    free(bytes);
    gnd_graph_free(g);
}

/* The content tells the format too. */
static void by_content(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;
    size_t n;
    char *bytes = temp_slurp(file_make(ALL, &good), &n);

    (void)state;
    CHECK_OK(gnd_load(&g, temp_file("graph.bin", bytes, n), NULL, &err));
    assert_int_equal(g->n_node, 3);
    gnd_graph_free(g);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),          cmocka_unit_test(without_edges),
        cmocka_unit_test(many_names),          cmocka_unit_test(outlives_the_file),
        cmocka_unit_test(headers_that_lie),    cmocka_unit_test(data_that_lie),
        cmocka_unit_test(files_of_any_length), cmocka_unit_test(other_writers),
        cmocka_unit_test(damage_is_found),     cmocka_unit_test(by_content),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
