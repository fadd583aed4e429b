/* SPDX-License-Identifier: MIT
 * test_npz.c - npz files: what they mean in every layout, and what happens when they lie. */
#include <sys/stat.h>

#include "npz_make.h"
#include "temp.h"

#include "io/io.h"
#include "io/npz.h"

/* A graph of 3 vertices: 0 -> 1 (weight 2), 0 -> 2, 2 -> 2; two features; labels 1, none, 0. */
static const float adj_data[] = {2, 1, 1}, attr_data[] = {1, 0.5f, -3};
static const int32_t adj_indices[] = {1, 2, 2}, adj_indptr[] = {0, 2, 2, 3};
static const int32_t attr_indices[] = {0, 1, 1}, attr_indptr[] = {0, 2, 2, 3};
static const int64_t adj_shape[] = {3, 3}, attr_shape[] = {3, 2}, labels[] = {1, -7, 0};
static const uint32_t class_names[] = {'k', 'o', 'c', 0xe4, 0x4e2d, 0x1f600};
static const uint32_t node_names[] = {'a', '\n', 'b', 'b', 'c', 0};

#define M(name, descr, shape, data, n)                                                             \
    {                                                                                              \
        name, descr, shape, data, n, NULL, 0                                                       \
    }
#define A(array, descr, shape) M(#array, descr, shape, array, sizeof array)

enum {
    ADJ_DATA,
    ADJ_INDICES,
    ADJ_INDPTR,
    ADJ_SHAPE,
    ATTR_DATA,
    ATTR_INDICES,
    ATTR_INDPTR,
    ATTR_SHAPE,
    LABELS,
    CLASS_NAMES,
    NODE_NAMES,
    N_MEMBER
};

static const made whole[N_MEMBER + 1] = {
    [ADJ_DATA] = A(adj_data, "<f4", "(3,)"),       [ADJ_INDICES] = A(adj_indices, "<i4", "(3,)"),
    [ADJ_INDPTR] = A(adj_indptr, "<i4", "(4,)"),   [ADJ_SHAPE] = A(adj_shape, "<i8", "(2,)"),
    [ATTR_DATA] = A(attr_data, "<f4", "(3,)"),     [ATTR_INDICES] = A(attr_indices, "<i4", "(3,)"),
    [ATTR_INDPTR] = A(attr_indptr, "<i4", "(4,)"), [ATTR_SHAPE] = A(attr_shape, "<i8", "(2L,)"),
    [LABELS] = A(labels, "<i8", "(3,)"),           [CLASS_NAMES] = A(class_names, "<U3", "(2,)"),
    [NODE_NAMES] = A(node_names, "<U2", "(3,)"),
};

static bytes file;

static const char *write_npz(const made *m)
{
    make_npz(&file, m);
    return temp_file("g.npz", file.b, file.n);
}

static gnd_graph *load_made(const made *m)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, write_npz(m), NULL, &err));
    return g;
}

/* The adjacency and features are those above. */
static void check_adj(const gnd_graph *g)
{
    assert_int_equal(g->n_node, 3);
    assert_int_equal(gnd_csr_nnz(&g->adj), 3);
    assert_memory_equal(g->adj.col, adj_indices, sizeof adj_indices);
    for (int i = 0; i < 4; i++)
        assert_int_equal(g->adj.ptr[i], adj_indptr[i]);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(gnd_csr_val(&g->adj, i), adj_data[i], 0);
}

static void check_feat(const gnd_graph *g)
{
    assert_int_equal(g->n_feat, 2);
    assert_int_equal(gnd_csr_nnz(&g->feat), 3);
    assert_memory_equal(g->feat.col, attr_indices, sizeof attr_indices);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(g->feat.val[i], attr_data[i], 0);
}

static void check_whole(const gnd_graph *g)
{
    int64_t size[2] = {-1, -1};
    char buf[32];

    check_adj(g);
    check_feat(g);
    assert_int_equal(gnd_graph_label(g, 0), 1);
    assert_int_equal(gnd_graph_label(g, 1), -1);
    assert_int_equal(gnd_graph_label(g, 2), 0);
    assert_int_equal(g->n_class, 2);
    gnd_graph_class_sizes(size, g);
    assert_int_equal(size[0], 1);
    assert_int_equal(size[1], 1);
    assert_string_equal(gnd_graph_class_name(g, 0), "koc");
    assert_string_equal(gnd_graph_class_name(g, 1), "\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80");
    assert_string_equal(gnd_graph_id(g, 0, buf), "a"); /* line ends behind names go */
    assert_string_equal(gnd_graph_id(g, 1, buf), "bb");
    assert_string_equal(gnd_graph_id(g, 2, buf), "c");
}

static void test_whole(void **state)
{
    gnd_graph *g = load_made(whole);

    (void)state;
    check_whole(g);
    assert_string_equal(gnd_graph_name(g), "g");
    assert_int_equal(gnd_graph_n_note(g), 0);
    gnd_graph_free(g);
}

static void test_dotted_layout(void **state)
{
    static const char *const name[] = {
        "adj_matrix.data",  "adj_matrix.indices",  "adj_matrix.indptr",  "adj_matrix.shape",
        "attr_matrix.data", "attr_matrix.indices", "attr_matrix.indptr", "attr_matrix.shape"};
    made m[N_MEMBER + 1];
    gnd_graph *g;

    (void)state;
    memcpy(m, whole, sizeof m);
    for (int k = 0; k < 8; k++)
        m[k].name = name[k];
    g = load_made(m);
    check_whole(g);
    gnd_graph_free(g);
}

/* scipy's save_npz, in the three formats that are read: the same graph from each. */
static void test_scipy(void **state)
{
    static const int32_t row[] = {2, 0, 0}, col[] = {2, 1, 2};
    static const int32_t c_ptr[] = {0, 0, 1, 3}, c_ind[] = {0, 0, 2};
    static const double coo_data[] = {1, 2, 1};
    const made csr[] = {
        M("indices", "<i4", "(3,)", adj_indices, 12), M("indptr", "<i4", "(4,)", adj_indptr, 16),
        M("format", "|S3", "()", "csr", 3),           M("shape", "<i8", "(2,)", adj_shape, 16),
        M("data", "<f4", "(3,)", adj_data, 12),       {0}};
    const made csc[] = {
        M("indices", "<i4", "(3,)", c_ind, 12), M("indptr", "<i4", "(4,)", c_ptr, 16),
        M("format", "|S3", "()", "csc", 3),     M("shape", "<i8", "(2,)", adj_shape, 16),
        M("data", "<f4", "(3,)", adj_data, 12), {0}};
    const made coo[] = {
        M("row", "<i4", "(3,)", row, 12),       M("col", "<i4", "(3,)", col, 12),
        M("format", "|S3", "()", "coo", 3),     M("shape", "<i8", "(2,)", adj_shape, 16),
        M("data", "<f8", "(3,)", coo_data, 24), {0}};
    const made *const all[] = {csr, csc, coo};

    (void)state;
    for (int k = 0; k < 3; k++) {
        gnd_graph *g = load_made(all[k]);

        check_adj(g);
        assert_int_equal(g->n_feat, 0);
        assert_int_equal(g->n_class, 0);
        gnd_graph_free(g);
    }
}

/* Dense arrays; the features by columns, in numpy's version 2, keys in another order. */
static void test_dense(void **state)
{
    static const unsigned char a[] = {0, 2, 1, 0, 0, 0, 0, 0, 1};
    static const double x[] = {1, 0, 0, 0.5, 0, -3};
    static const char dict[] = "{'shape': (3, 2), 'fortran_order': True, 'descr': '<f8'}";
    static bytes raw;
    made m[] = {
        M("adj_matrix", "|u1", "(3, 3)", a, sizeof a), M("features", "", "", raw.b, 0), {0}};
    gnd_graph *g;

    (void)state;
    put_raw(&raw, "\x93NUMPY\x02\x00", 8);
    put_int(&raw, (uint32_t)strlen(dict), 4);
    put_raw(&raw, dict, strlen(dict));
    put_raw(&raw, x, sizeof x);
    m[1].head = "";
    m[1].n = raw.n;
    g = load_made(m);
    check_adj(g);
    check_feat(g);
    gnd_graph_free(g);
}

/* The same labels in every type that holds them. */
static void test_types(void **state)
{
    static const struct {
        const char *descr;
        size_t n;
        const char *data;
    } t[] = {
        {"|b1", 3, "\1\0\1"},
        {"|i1", 3, "\1\377\0"},
        {"|u1", 3, "\1\2\0"},
        {"<i2", 6, "\1\0\377\377\0\0"},
        {">i2", 6, "\0\1\377\377\0\0"},
        {">u2", 6, "\0\1\0\2\0\0"},
        {">i4", 12, "\0\0\0\1\377\377\377\377\0\0\0\0"},
        {"<u4", 12, "\1\0\0\0\2\0\0\0\0\0\0\0"},
        {">i8", 24, "\0\0\0\0\0\0\0\1\377\377\377\377\377\377\377\377\0\0\0\0\0\0\0\0"},
        {"<u8", 24, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
        {"<f2", 6, "\0\x3c\0\xbc\0\0"},
        {">f4", 12, "\x3f\x80\0\0\xbf\x80\0\0\0\0\0\0"},
        {">f8", 24, "\x3f\xf0\0\0\0\0\0\0\xbf\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof t[0]; k++) {
        const char kind = t[k].descr[1];
        made m[N_MEMBER + 1];
        gnd_graph *g;

        memcpy(m, whole, sizeof m);
        m[LABELS].descr = t[k].descr;
        m[LABELS].data = t[k].data;
        m[LABELS].n = t[k].n;
        g = load_made(m);
        assert_int_equal(g->label[0], 1);
        assert_int_equal(g->label[1], kind == 'b' ? 0 : kind == 'u' ? 2 : -1);
        assert_int_equal(g->label[2], kind == 'b');
        gnd_graph_free(g);
    }
}

/* Rows out of order and an entry stated twice: sorted, added up, and said. */
static void test_untidy(void **state)
{
    static const int32_t col[] = {2, 1, 2, 2}, ptr[] = {0, 3, 3, 4};
    static const float val[] = {0.25f, 2, 0.75f, 1};
    made m[N_MEMBER + 1];
    gnd_graph *g;

    (void)state;
    memcpy(m, whole, sizeof m);
    m[ADJ_DATA] = (made)M("adj_data", "<f4", "(4,)", val, sizeof val);
    m[ADJ_INDICES] = (made)M("adj_indices", "<i4", "(4,)", col, sizeof col);
    m[ADJ_INDPTR] = (made)M("adj_indptr", "<i4", "(4,)", ptr, sizeof ptr);
    g = load_made(m);
    check_adj(g);
    assert_int_equal(gnd_graph_n_note(g), 1);
    assert_non_null(
        strstr(gnd_graph_note(g, 0)->text, "1 duplicate arc was added to the first one"));
    gnd_graph_free(g);
}

/* Names that cannot be used give numbers and a note; pickled members are named and left shut. */
static void test_notes(void **state)
{
    static const uint32_t twice[] = {'x', 'x', 'y'};
    made m[N_MEMBER + 2];
    gnd_graph *g;
    char buf[32];

    (void)state;
    memcpy(m, whole, sizeof whole);
    m[NODE_NAMES] = (made)M("node_names", "<U1", "(3,)", twice, sizeof twice);
    m[CLASS_NAMES] = (made)M("class_names", "|O", "(2,)", "cos\nsystem\n", 11);
    m[N_MEMBER] = (made)M("meta\ndata", "|O", "()", "cos\nsystem\n", 11);
    m[N_MEMBER + 1] = (made){0};
    g = load_made(m);
    assert_string_equal(gnd_graph_class_name(g, 1), "1");
    assert_string_equal(gnd_graph_id(g, 1, buf), "1");
    assert_int_equal(gnd_graph_n_note(g), 2);
    assert_non_null(strstr(gnd_graph_note(g, 0)->text, "a name occurs twice"));
    assert_non_null(strstr(gnd_graph_note(g, 1)->text,
                           "2 pickled arrays were not read: class_names, "
                           "meta?data"));
    gnd_graph_free(g);
}

/* ---- what lies ---- */

static const float nan_data[] = {2, NAN, 1}, neg_data[] = {2, -1, 1};
static const double huge_data[] = {2, 1e300, 1};
static const int32_t col_high[] = {1, 3, 2}, col_neg[] = {1, -2, 2};
static const int32_t ptr_falls[] = {0, 2, 1, 3}, ptr_short[] = {0, 1, 2, 2},
                     ptr_late[] = {1, 2, 2, 3};
static const int64_t wide_shape[] = {3, 4}, big_shape[] = {INT64_C(1) << 40, INT64_C(1) << 40},
                     neg_shape[] = {-3, 3}, none_shape[] = {0, 0}, row_shape[] = {2, 2},
                     high_label[] = {1, 70000, 0}, far_shape[] = {2000000000, 2000000000};
static const float half_label[] = {1, 0.5f, 0}, nan_label[] = {1, NAN, 0};
static const uint32_t bad_char[] = {'k', 'o', 'c', 0xd800, 'a', 0},
                      nul_char[] = {'k', 0, 'c', 'x', 0, 0};

#define BAD_ADJ(at, part, array, descr, shape)                                                     \
    at, M("adj_" part, descr, shape, array, sizeof array), GND_ERR_FORMAT
#define BAD_LABEL(array, descr, shape)                                                             \
    LABELS, M("labels", descr, shape, array, sizeof array), GND_ERR_FORMAT
#define BAD_HEAD(head) LABELS, {"labels", NULL, NULL, NULL, 0, head, 0}, GND_ERR_FORMAT

static const struct {
    int at;
    made m;
    gnd_status code;
    const char *text;
} lies[] = {
    {BAD_ADJ(ADJ_DATA, "data", nan_data, "<f4", "(3,)"), "adj_data: item 1 is not a finite"},
    {BAD_ADJ(ADJ_DATA, "data", huge_data, "<f8", "(3,)"), "item 1 is not a finite number"},
    {BAD_ADJ(ADJ_DATA, "data", neg_data, "<f4", "(3,)"), "negative weight -1"},
    {BAD_ADJ(ADJ_DATA, "data", adj_data, "<c8", "(3,)"), "its items are not numbers"},
    {BAD_ADJ(ADJ_DATA, "data", adj_data, "|O", "(3,)"), "pickled objects, which are never"},
    {BAD_ADJ(ADJ_DATA, "data", adj_data, "<f16", "(3,)"), "its items are not numbers"},
    {BAD_ADJ(ADJ_DATA, "data", adj_data, "4f", "(3,)"), "the header of the array is not valid"},
    {BAD_ADJ(ADJ_DATA, "data", adj_data, "<f4", "(3,1)"), "has 2 dimensions; expected 1"},
    {BAD_ADJ(ADJ_INDICES, "indices", adj_indices, "<i4", "(999999999999,)"), "states 99999999"},
    {BAD_ADJ(ADJ_INDICES, "indices", adj_indices, "<i4", "(4611686018427387905,)"), "states 461"},
    {BAD_ADJ(ADJ_INDICES, "indices", adj_indices, "<i4", "(99999999999999999999,)"),
     "the header of the array is not valid"},
    {BAD_ADJ(ADJ_INDICES, "indices", adj_indices, "<i4", "(-3,)"),
     "the header of the array is not valid"},
    {BAD_ADJ(ADJ_INDICES, "indices", adj_indices, "<i4", "(1,)"), "has more bytes than its 1"},
    {BAD_ADJ(ADJ_INDICES, "indices", col_high, "<i4", "(3,)"), "item 1 is 3; expected 0 to 2"},
    {BAD_ADJ(ADJ_INDICES, "indices", col_neg, "<i4", "(3,)"), "item 1 is -2; expected 0 to 2"},
    {BAD_ADJ(ADJ_INDPTR, "indptr", ptr_falls, "<i4", "(4,)"), "row 1 ends at entry 1, before"},
    {BAD_ADJ(ADJ_INDPTR, "indptr", ptr_short, "<i4", "(4,)"), "rows end at entry 2; expected 3"},
    {BAD_ADJ(ADJ_INDPTR, "indptr", ptr_late, "<i4", "(4,)"), "row 0 starts at entry 1"},
    {BAD_ADJ(ADJ_SHAPE, "shape", big_shape, "<i8", "(2,)"), "1099511627776 x 1099511627776"},
    {BAD_ADJ(ADJ_SHAPE, "shape", neg_shape, "<i8", "(2,)"), "-3 x 3"},
    {BAD_ADJ(ADJ_SHAPE, "shape", none_shape, "<i8", "(2,)"), "item 0 is 1; expected 0 to -1"},
    {BAD_ADJ(ADJ_SHAPE, "shape", adj_shape, "<i8", "(1,)"), "has 1 items; expected 2"},
    {BAD_ADJ(ADJ_SHAPE, "other", adj_shape, "<i8", "(2,)"), "has no array 'adj_shape'"},
    {ADJ_DATA, M("adj_data", "<f4", "(2,)", adj_data, 8), GND_ERR_SHAPE, "2 items for 3 indices"},
    {ADJ_INDPTR, M("adj_indptr", "<i4", "(3,)", adj_indptr, 12), GND_ERR_SHAPE,
     "3 items for 3 rows; expected 4"},
    {ADJ_SHAPE, M("adj_shape", "<i8", "(2,)", wide_shape, 16), GND_ERR_SHAPE,
     "3 x 4; expected a square one"},
    {ADJ_SHAPE, M("adj_shape", "<i8", "(2,)", far_shape, 16), GND_ERR_SHAPE,
     "4 items for 2000000000 rows"},
    {ATTR_SHAPE, M("attr_shape", "<i8", "(2,)", row_shape, 16), GND_ERR_SHAPE,
     "4 items for 2 rows; expected 3"},
    {LABELS, M("labels", "<i8", "(2,)", labels, 16), GND_ERR_SHAPE, "2 labels for 3 vertices"},
    {BAD_LABEL(high_label, "<i8", "(3,)"), "item 1 is 70000; expected"},
    {BAD_LABEL(half_label, "<f4", "(3,)"), "item 1 is not a whole number"},
    {BAD_LABEL(nan_label, "<f4", "(3,)"), "item 1 is not a whole number"},
    {BAD_LABEL(labels, "|O", "(3,)"), "labels: has pickled objects"},
    {BAD_HEAD("\x93NUMP"), "cut short"},
    {BAD_HEAD("not an array at all"), "is not a numpy array"},
    {BAD_HEAD("\x93NUMPY\x04\x01{}{}{}{}"), "array of version 4"},
    {BAD_HEAD("\x93NUMPY\x02\x01\xff\xff\xff\xff{}"), "a header of 4294967295 bytes"},
    {BAD_HEAD("\x93NUMPY\x01\x01\x02\x02{}"), "cut short"},
    {LABELS,
     {"labels", "<i8", "(3,)", labels, 24, NULL, 0x7fffffff},
     GND_ERR_FORMAT,
     "states 2147483647 bytes, more than its file can hold"},
    {CLASS_NAMES, M("class_names", "<U3", "(2,)", bad_char, sizeof bad_char), GND_ERR_FORMAT,
     "item 1 is not text"},
    {CLASS_NAMES, M("class_names", "<U3", "(2,)", nul_char, sizeof nul_char), GND_ERR_FORMAT,
     "item 0 is not text"},
};

static void test_lies(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
        made m[N_MEMBER + 1];
        gnd_graph *g = NULL;
        gnd_error err;

        memcpy(m, whole, sizeof m);
        m[lies[k].at] = lies[k].m;
        CHECK_FAILS(gnd_load(&g, write_npz(m), NULL, &err), lies[k].code, lies[k].text);
        assert_null(g);
    }
}

static void test_not_archives(void **state)
{
    static const float one[] = {1};
    const made no_graph[] = {M("x", "<f4", "(1,)", one, 4), {0}};
    gnd_graph *g = NULL;
    gnd_error err;
    gnd_csr a;
    int64_t n_merged;

    (void)state;
    CHECK_FAILS(gnd_load(&g, temp_file("t.npz", "", 0), NULL, &err), GND_ERR_FORMAT, "npz archive");
    CHECK_FAILS(gnd_load(&g, temp_file("t.npz", "PK\3\4garbage", 11), NULL, &err), GND_ERR_FORMAT,
                "npz archive");
    CHECK_FAILS(gnd_load(&g, write_npz(no_graph), NULL, &err), GND_ERR_FORMAT, "has no graph");
    CHECK_FAILS(gnd_npz_load_matrix(&a, &n_merged, write_npz(no_graph), 0, &err), GND_ERR_FORMAT,
                "has no matrix");
    CHECK_FAILS(gnd_npz_load_matrix(&a, &n_merged, temp_path("absent.npz"), 0, &err), GND_ERR_IO,
                "No such file");
    CHECK_FAILS(gnd_npz_load_matrix(&a, &n_merged, temp_dir, 0, &err), GND_ERR_IO, "is not a file");
    /* A changed byte of the items, whose sum the archive knows. */
    make_npz(&file, whole);
    for (size_t i = 0; i + 12 < file.n; i++)
        if (memcmp(file.b + i, attr_data, sizeof attr_data) == 0) {
            file.b[i + 1] ^= 1;
            break;
        }
    CHECK_FAILS(gnd_load(&g, temp_file("t.npz", file.b, file.n), NULL, &err), GND_ERR_FORMAT,
                "attr_data: the array is cut short or damaged");
}

/* Dimensions that no array backs: a coo of three entries that claims two thousand million
 * vertices. */
static void test_unbacked(void **state)
{
    static const int32_t row[] = {0, 0, 2};
    const made coo[] = {M("row", "<i4", "(3,)", row, 12),
                        M("col", "<i4", "(3,)", adj_indices, 12),
                        M("format", "<U3", "()", "c\0\0\0o\0\0\0o\0\0\0", 12),
                        M("shape", "<i8", "(2,)", far_shape, 16),
                        M("data", "<f4", "(3,)", adj_data, 12),
                        {0}};
    made bsr[6];
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_load(&g, write_npz(coo), NULL, &err), GND_ERR_FORMAT,
                "states 2000000000 rows or columns for 3 entries");
    memcpy(bsr, coo, sizeof bsr);
    bsr[2] = (made)M("format", "|S3", "()", "bsr", 3);
    CHECK_FAILS(gnd_load(&g, write_npz(bsr), NULL, &err), GND_ERR_FORMAT,
                "expected csr, csc or coo");
}

/* Load the n bytes; whether that failed, as it must with one sentence. */
static bool fails(const unsigned char *b, size_t n)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    const gnd_status st = gnd_load(&g, temp_file("b.npz", b, n), NULL, &err);

    if (st != GND_OK)
        assert_true(!g && err.msg[0] && !strchr(err.msg, '\n'));
    gnd_graph_free(g);
    return st != GND_OK;
}

/* Every prefix of a file, and every byte of it changed: an answer, never a crash. */
static void test_brute(void **state)
{
    static bytes good;
    size_t n_bad = 0;

    (void)state;
    make_npz(&good, whole);
    assert_false(fails(good.b, good.n));
    for (size_t n = 0; n < good.n; n++)
        assert_true(fails(good.b, n)); /* the directory stands at the end: none is whole */
    for (size_t i = 0; i < good.n; i++) {
        good.b[i] ^= (unsigned char)(1 + i % 255);
        n_bad += fails(good.b, good.n);
        good.b[i] ^= (unsigned char)(1 + i % 255);
    }
    assert_true(n_bad > good.n / 3);
}

/* ---- writing ---- */

static void test_save(void **state)
{
    gnd_graph *g = load_made(whole), *h = NULL;
    const char *first = temp_path("s1.npz"), *second = temp_path("s2.npz");
    size_t n1, n2;
    char *b1, *b2;
    gnd_error err;

    (void)state;
    /* An id that is not UTF-8 survives too. */
    gnd_names_free(g->ids);
    g->ids = gnd_names_new();
    assert_int_equal(gnd_names_add(g->ids, "a", 1), 0);
    assert_int_equal(gnd_names_add(g->ids, "bb", 2), 1);
    assert_int_equal(gnd_names_add(g->ids, "\xff\xc3", 2), 2);
    CHECK_OK(gnd_graph_save(g, first, "npz", &err));
    CHECK_OK(gnd_graph_save(g, second, "npz", &err));
    b1 = temp_slurp(first, &n1);
    b2 = temp_slurp(second, &n2);
    assert_int_equal(n1, n2);
    assert_memory_equal(b1, b2, n1);
    free(b1);
    free(b2);
    CHECK_OK(gnd_load(&h, first, NULL, &err));
    assert_string_equal(gnd_names_get(h->ids, 2), "\xff\xc3");
    check_adj(h);
    check_feat(h);
    assert_memory_equal(h->label, g->label, 3 * sizeof *h->label);
    assert_string_equal(gnd_graph_class_name(h, 1), gnd_graph_class_name(g, 1));
    CHECK_FAILS(gnd_graph_save(g, temp_path("no/such/x.npz"), "npz", &err), GND_ERR_IO,
                "cannot write");
    CHECK_FAILS(gnd_graph_save(g, first, "xml", &err), GND_ERR_ARG, "npz or csv");
    gnd_graph_free(g);
    gnd_graph_free(h);
}

static void test_load_matrix(void **state)
{
    static const double x[] = {0, 1.5, 0, 0, 0, -2};
    const made m[] = {
        M("ids", "<i8", "(2,)", adj_shape, 16), M("anything", "<f8", "(2, 3)", x, sizeof x), {0}};
    gnd_csr a;
    int64_t n_merged;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_npz_load_matrix(&a, &n_merged, write_npz(m), 0, &err));
    assert_int_equal(a.n_row, 2);
    assert_int_equal(a.n_col, 3);
    assert_int_equal(gnd_csr_nnz(&a), 2);
    assert_int_equal(a.col[0], 1);
    CHECK_CLOSE(a.val[1], -2, 0);
    gnd_csr_fini(&a);
    CHECK_OK(gnd_npz_load_matrix(&a, &n_merged, write_npz(whole), 0, &err)); /* attr_*, not adj_* */
    assert_int_equal(a.n_col, 2);
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),        cmocka_unit_test(test_dotted_layout),
        cmocka_unit_test(test_scipy),        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_types),        cmocka_unit_test(test_untidy),
        cmocka_unit_test(test_notes),        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_not_archives), cmocka_unit_test(test_unbacked),
        cmocka_unit_test(test_brute),        cmocka_unit_test(test_save),
        cmocka_unit_test(test_load_matrix),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
