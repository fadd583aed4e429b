/* SPDX-License-Identifier: MIT
 * test_arrays.c - graphs and features from arrays: every type, borrowed and copied, strides, and
 * what is refused. */
#include "check.h"
#include "graph/graph.h"

/* An array of small whole numbers in some type. */
typedef union {
    int32_t i32[16];
    int64_t i64[16];
    float f32[16];
    double f64[16];
    uint8_t u8[16];
} items;

static const void *as(items *to, gnd_scalar type, const int *v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        switch (type) {
        case GND_I32:
            to->i32[i] = v[i];
            break;
        case GND_I64:
            to->i64[i] = v[i];
            break;
        case GND_F32:
            to->f32[i] = (float)v[i];
            break;
        case GND_F64:
            to->f64[i] = v[i];
            break;
        case GND_U8:
            to->u8[i] = (uint8_t)v[i];
            break;
        }
    return to;
}

/* 0 -> 1, 2; 1 -> 0; 2 -> 2; 3 alone */
static const int ptr[] = {0, 2, 3, 4, 4}, col[] = {1, 2, 0, 2}, val[] = {3, 1, 2, 5};
static const int one[] = {1, 1, 1, 1};

static void check_sample(const gnd_csr_view *a, const int *w)
{
    assert_int_equal(a->n_row, 4);
    assert_int_equal(a->n_col, 4);
    assert_int_equal(a->ptr_type, GND_I64);
    assert_int_equal(a->col_type, GND_I32);
    assert_int_equal(a->val_type, GND_F32);
    for (int i = 0; i < 5; i++)
        assert_int_equal(((const int64_t *)a->ptr)[i], ptr[i]);
    for (int p = 0; p < 4; p++) {
        assert_int_equal(((const int32_t *)a->col)[p], col[p]);
        CHECK_CLOSE(a->val ? ((const float *)a->val)[p] : 1, w[p], 0);
    }
}

static gnd_csr_view sample(gnd_scalar ptr_type, const void *p, gnd_scalar col_type, const void *c,
                           gnd_scalar val_type, const void *v)
{
    return (gnd_csr_view){.size = sizeof(gnd_csr_view),
                          .ptr_type = ptr_type,
                          .col_type = col_type,
                          .val_type = val_type,
                          .n_row = 4,
                          .n_col = 4,
                          .ptr = p,
                          .col = c,
                          .val = v};
}

static gnd_csr_view view_of(const gnd_graph *g)
{
    gnd_csr_view a = {.size = sizeof a};
    gnd_error err;

    CHECK_OK(gnd_graph_adjacency(&a, g, &err));
    return a;
}

static void csr_of_every_type(void **state)
{
    static const gnd_scalar index[] = {GND_I32, GND_I64};
    static const gnd_scalar value[] = {GND_I32, GND_I64, GND_F32, GND_F64, GND_U8};
    items p, c, v;
    gnd_error err;

    (void)state;
    for (int k = 0; k < 2 * 2 * 6 * 2; k++) {
        const gnd_scalar pt = index[k % 2], ct = index[k / 2 % 2], vt = value[k / 4 % 6 % 5];
        const bool borrow = k / 24, with_val = k / 4 % 6 < 5;
        const gnd_csr_view in = sample(pt, as(&p, pt, ptr, 5), ct, as(&c, ct, col, 4), vt,
                                       with_val ? as(&v, vt, val, 4) : NULL);
        gnd_graph *g = NULL;
        gnd_csr_view a;

        CHECK_OK(gnd_graph_from_csr(&g, &in, borrow, &err));
        a = view_of(g);
        check_sample(&a, with_val ? val : one);
        assert_int_equal(a.ptr == in.ptr, borrow && pt == GND_I64);
        assert_int_equal(a.col == in.col, borrow && ct == GND_I32);
        assert_int_equal(a.val != NULL, with_val);
        if (with_val)
            assert_int_equal(a.val == in.val, borrow && vt == GND_F32);
        assert_int_equal(gnd_graph_n_note(g), 0);
        assert_int_equal(gnd_graph_mode_get(g), GND_GRAPH_RAW);
        assert_string_equal(gnd_graph_name(g), "graph");
        gnd_graph_free(g);
    }
}

/* Weights that are all 1 are not kept, and their array is neither freed nor changed. */
static void borrowed_ones(void **state)
{
    static const float ones[] = {1, 1, 1, 1};
    items p, c;
    const gnd_csr_view in =
        sample(GND_I64, as(&p, GND_I64, ptr, 5), GND_I32, as(&c, GND_I32, col, 4), GND_F32, ones);
    gnd_graph *g = NULL, *u = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_from_csr(&g, &in, true, &err));
    assert_null(view_of(g).val);
    CHECK_OK(gnd_graph_convert(&u, g, GND_GRAPH_RAW, &err));
    gnd_graph_free(g);
    assert_ptr_equal(view_of(u).col, in.col);
    gnd_graph_free(u);
}

/* Unsorted rows, duplicates and zeros: the caller's arrays stay as they are. */
static void repaired(void **state)
{
    static const int64_t p[] = {0, 4, 5, 6};
    static const int32_t c[] = {2, 1, 2, 0, 1, 0};
    static const float v[] = {1, 2, 4, 8, 0, 1};
    static const int32_t sorted_c[] = {0, 1, 2, 0};
    static const float sums[] = {8, 2, 5, 1}, counts[] = {1, 1, 2, 1, 1};

    (void)state;
    for (int k = 0; k < 4; k++) {
        const bool borrow = k % 2, with_val = k / 2;
        const gnd_csr_view in = {.size = sizeof in,
                                 .ptr_type = GND_I64,
                                 .col_type = GND_I32,
                                 .val_type = GND_F32,
                                 .n_row = 3,
                                 .n_col = 3,
                                 .ptr = p,
                                 .col = c,
                                 .val = with_val ? v : NULL};
        gnd_graph *g = NULL;
        gnd_error err;
        gnd_csr_view a;

        CHECK_OK(gnd_graph_from_csr(&g, &in, borrow, &err));
        a = view_of(g);
        assert_int_equal(((const int64_t *)a.ptr)[3], with_val ? 4 : 5);
        for (int q = 0; with_val && q < 4; q++) {
            assert_int_equal(((const int32_t *)a.col)[q], sorted_c[q]);
            CHECK_CLOSE(((const float *)a.val)[q], sums[q], 0);
        }
        for (int q = 0; !with_val && q < 5; q++) /* without values every entry counts 1 */
            CHECK_CLOSE(((const float *)a.val)[q], counts[q], 0);
        assert_int_equal(gnd_graph_n_note(g), with_val ? 2 : 1);
        assert_string_equal(gnd_graph_note(g, 0)->code, "duplicate_edges");
        if (with_val)
            assert_string_equal(gnd_graph_note(g, 1)->code, "zero_weights");
        gnd_graph_free(g);
    }
}

/* An array that is not aligned is copied. */
static void not_aligned(void **state)
{
    char buf[64];
    items p, v;
    const int32_t c[] = {1, 2, 0, 2};
    gnd_csr_view in = sample(GND_I64, as(&p, GND_I64, ptr, 5), GND_I32, buf + 1, GND_F32,
                             as(&v, GND_F32, val, 4));
    gnd_graph *g = NULL;
    gnd_error err;
    gnd_csr_view a;

    (void)state;
    memcpy(buf + 1, c, sizeof c);
    CHECK_OK(gnd_graph_from_csr(&g, &in, true, &err));
    a = view_of(g);
    assert_ptr_not_equal(a.col, in.col);
    assert_ptr_equal(a.val, in.val);
    check_sample(&a, val);
    gnd_graph_free(g);
}

static void bad_csr(void **state)
{
    static const int64_t p[] = {0, 2, 3, 4, 4}, down[] = {0, 3, 2, 4, 4},
                         from_1[] = {1, 2, 3, 4, 4}, below[] = {0, 2, 3, 4, -4};
    static const int32_t c[] = {1, 2, 0, 2}, wide[] = {1, 4, 0, 2}, low[] = {1, 2, -1, 2};
    static const int64_t huge[] = {1, 2, INT64_C(1) << 40, 2};
    static const float v[] = {3, 1, 2, 5}, neg[] = {3, -1, 2, 5}, nan_[] = {3, 1, NAN, 5};
    static const double big[] = {3, 1e300, 2, 5};
    const gnd_csr_view good = {.size = sizeof good,
                               .ptr_type = GND_I64,
                               .col_type = GND_I32,
                               .val_type = GND_F32,
                               .n_row = 4,
                               .n_col = 4,
                               .ptr = p,
                               .col = c,
                               .val = v};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
#define BAD(code, text, ...)                                                                       \
    do {                                                                                           \
        for (int borrow = 0; borrow < 2; borrow++) {                                               \
            gnd_csr_view in = good;                                                                \
            __VA_ARGS__;                                                                           \
            CHECK_FAILS(gnd_graph_from_csr(&g, &in, borrow, &err), code, text);                    \
            assert_null(g);                                                                        \
        }                                                                                          \
    } while (0)
    BAD(GND_ERR_FORMAT, "adjacency matrix: row 1 ends at entry 2, before it starts", in.ptr = down);
    BAD(GND_ERR_FORMAT, "adjacency matrix: row 0 starts at entry 1", in.ptr = from_1);
    BAD(GND_ERR_FORMAT, "adjacency matrix: row 3 ends at entry -4", in.ptr = below);
    BAD(GND_ERR_FORMAT, "row 0 of the adjacency matrix has column 4; expected 0 to 3",
        in.col = wide);
    BAD(GND_ERR_FORMAT, "row 1 of the adjacency matrix has column -1; expected 0 to 3",
        in.col = low);
    BAD(GND_ERR_FORMAT, "row 1 of the adjacency matrix has column 1099511627776", in.col = huge,
        in.col_type = GND_I64);
    BAD(GND_ERR_FORMAT, "the link from vertex 0 to 2 has the negative weight -1", in.val = neg);
    BAD(GND_ERR_FORMAT, "row 1, column 0 of the adjacency matrix is nan; expected a finite number",
        in.val = nan_);
    BAD(GND_ERR_FORMAT,
        "row 0, column 2 of the adjacency matrix is 1e+300; expected a finite "
        "number up to 3.4e38",
        in.val = big, in.val_type = GND_F64);
    BAD(GND_ERR_SHAPE, "the adjacency matrix is 4 x 5; expected a square one", in.n_col = 5);
    BAD(GND_ERR_FORMAT, "the graph has no vertices", in.n_row = in.n_col = 0);
    BAD(GND_ERR_ARG, "adjacency matrix is -1 x 4", in.n_row = -1);
    BAD(GND_ERR_ARG, "adjacency matrix is 9223372036854775807 x 4", in.n_row = INT64_MAX);
    BAD(GND_ERR_ARG, "expected 0 to 2147483646", in.n_col = (int64_t)INT32_MAX + 1);
    BAD(GND_ERR_ARG, "the array ptr of the adjacency matrix is NULL", in.ptr = NULL);
    BAD(GND_ERR_ARG, "the array col of the adjacency matrix is NULL", in.col = NULL);
    BAD(GND_ERR_ARG, "must be of type GND_I32 or GND_I64", in.ptr_type = GND_F64);
    BAD(GND_ERR_ARG, "must be of type GND_I32 or GND_I64", in.col_type = GND_U8);
    BAD(GND_ERR_ARG, "val of the adjacency matrix has an unknown type 9",
        in.val_type = (gnd_scalar)9);
    BAD(GND_ERR_ARG, "gnd_csr_view: its size field is 0", in.size = 0);
#undef BAD
    CHECK_FAILS(gnd_graph_from_csr(&g, NULL, false, &err), GND_ERR_ARG, "is NULL");
}

static gnd_edges_view arcs(const int32_t *source, const int32_t *target, int64_t n)
{
    return (gnd_edges_view){.size = sizeof(gnd_edges_view),
                            .index_type = GND_I32,
                            .n_edge = n,
                            .source = source,
                            .target = target};
}

static void edges_of_every_type(void **state)
{
    static const int s[] = {2, 0, 1, 0, 0}, t[] = {2, 2, 0, 1, 1}, w[] = {5, 1, 2, 1, 2};
    static const int once[] = {2, 1, 1, 1}, sums[] = {3, 1, 2, 5};
    static const gnd_scalar value[] = {GND_I32, GND_I64, GND_F32, GND_F64, GND_U8};
    items is, it, iw;
    gnd_error err;

    (void)state;
    for (int k = 0; k < 2 * 6; k++) {
        const gnd_scalar type = k % 2 ? GND_I64 : GND_I32;
        const bool weighted = k / 2 < 5;
        gnd_edges_view in = {.size = sizeof in,
                             .index_type = type,
                             .weight_type = value[k / 2 % 5],
                             .n_node = 4,
                             .n_edge = 5,
                             .source = as(&is, type, s, 5),
                             .target = as(&it, type, t, 5)};
        gnd_graph *g = NULL;
        gnd_csr_view a;

        in.weight = weighted ? as(&iw, in.weight_type, w, 5) : NULL;
        CHECK_OK(gnd_graph_from_edges(&g, &in, &err));
        a = view_of(g);
        check_sample(&a, weighted ? sums : once);
        assert_int_equal(gnd_graph_n_note(g), 1);
        assert_string_equal(gnd_graph_note(g, 0)->text,
                            "1 duplicate arc was added to the first one");
        gnd_graph_free(g);
        in.n_node = 0;
        CHECK_OK(gnd_graph_from_edges(&g, &in, &err));
        assert_int_equal(gnd_graph_n_node(g), 3);
        gnd_graph_free(g);
    }
}

static void bad_edges(void **state)
{
    static const int32_t s[] = {0, 1}, t[] = {1, 2}, low[] = {0, -1}, ids[] = {5, 50000000};
    static const int64_t huge[] = {0, INT64_MAX};
    static const float nan_[] = {1, NAN}, neg[] = {1, -2};
    gnd_edges_view in = arcs(s, t, 2);
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    in.n_node = 2;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_FORMAT,
                "target 1 is 2; expected 0 to 1");
    in = arcs(low, t, 2);
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_FORMAT, "source 1 is -1; expected 0");
    in = arcs(ids, t, 2);
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG,
                "the largest index is 50000000, in a list of 2 arcs; number the vertices from 0");
    in = arcs(s, NULL, 2);
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "target of the list of arcs");
    in = arcs(s, t, -1);
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "n_edge is -1");
    in = arcs(s, t, INT64_MAX);
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "n_edge is 9223372036854775807");
    in = arcs(s, t, 0);
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_FORMAT, "the graph has no vertices");
    in.n_node = INT32_MAX;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "n_node is 2147483647");
    in = arcs((const int32_t *)huge, (const int32_t *)huge, 2);
    in.index_type = GND_I64;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "the largest index is 92233720");
    in.n_node = 5;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_FORMAT, "source 1 is 92233720");
    in.index_type = GND_U8;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "GND_I32 or GND_I64");
    in = arcs(s, t, 2);
    in.weight_type = GND_F32;
    in.weight = nan_;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_FORMAT, "weight 1 is nan");
    in.weight = neg;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_FORMAT, "negative weight -2");
    in.weight_type = (gnd_scalar)-1;
    CHECK_FAILS(gnd_graph_from_edges(&g, &in, &err), GND_ERR_ARG, "unknown type -1");
    assert_null(g);
}

/* Vertices without arcs are allowed, and so is a graph without any arc. */
static void no_arcs(void **state)
{
    gnd_edges_view in = arcs(NULL, NULL, 0);
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    in.n_node = 3;
    CHECK_OK(gnd_graph_from_edges(&g, &in, &err));
    assert_int_equal(gnd_graph_n_node(g), 3);
    assert_int_equal(((const int64_t *)view_of(g).ptr)[3], 0);
    gnd_graph_free(g);
}

static gnd_graph *three(void)
{
    static const int32_t s[] = {0, 1}, t[] = {1, 2};
    const gnd_edges_view in = arcs(s, t, 2);
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_graph_from_edges(&g, &in, &err));
    return g;
}

static gnd_csr_view features_of(const gnd_graph *g)
{
    gnd_csr_view x = {.size = sizeof x};
    gnd_error err;

    CHECK_OK(gnd_graph_features(&x, g, &err));
    return x;
}

/* x, [3, 2], as the graph stores it. */
static void check_features(const gnd_graph *g, const double x[3][2])
{
    const gnd_csr_view v = features_of(g);

    assert_int_equal(v.n_row, 3);
    assert_int_equal(v.n_col, 2);
    for (int i = 0; i < 3; i++) {
        int64_t p = ((const int64_t *)v.ptr)[i];

        for (int j = 0; j < 2; j++) {
            if (x[i][j] == 0)
                continue;
            assert_int_equal(((const int32_t *)v.col)[p], j);
            CHECK_CLOSE(v.val ? ((const float *)v.val)[p] : 1, x[i][j], 0);
            p++;
        }
        assert_int_equal(p, ((const int64_t *)v.ptr)[i + 1]);
    }
}

static void dense_of_every_type(void **state)
{
    static const int by_row[] = {1, 0, 2, 3, 0, 4}, by_col[] = {1, 2, 0, 0, 3, 4};
    static const double want[3][2] = {{1, 0}, {2, 3}, {0, 4}};
    static const double turned[3][2] = {{4, 0}, {3, 2}, {0, 1}};
    static const gnd_scalar type[] = {GND_I32, GND_I64, GND_F32, GND_F64, GND_U8};
    static const int64_t bytes[] = {4, 8, 4, 8, 1};
    gnd_graph *g = three();
    gnd_error err;
    items x;

    (void)state;
    for (int k = 0; k < 5; k++) {
        const int64_t b = bytes[k];
        gnd_dense_view v = {.size = sizeof v, .type = type[k], .n_row = 3, .n_col = 2};

        v.data = as(&x, type[k], by_row, 6);
        v.row_stride = 2 * b, v.col_stride = b;
        CHECK_OK(gnd_graph_set_features_dense(g, &v, &err));
        check_features(g, want);
        /* both axes backwards */
        v.data = (const char *)v.data + 5 * b;
        v.row_stride = -2 * b, v.col_stride = -b;
        CHECK_OK(gnd_graph_set_features_dense(g, &v, &err));
        check_features(g, turned);
        v.data = as(&x, type[k], by_col, 6);
        v.row_stride = b, v.col_stride = 3 * b;
        CHECK_OK(gnd_graph_set_features_dense(g, &v, &err));
        check_features(g, want);
    }
    assert_int_equal(gnd_graph_n_note(g), 0);
    CHECK_OK(gnd_graph_set_features_dense(g, NULL, &err));
    assert_int_equal(features_of(g).n_col, 0);
    gnd_graph_free(g);
}

static void bad_dense(void **state)
{
    static const float x[] = {1, 2, 3, 4, 5, NAN};
    static const double want[3][2] = {{1, 2}, {3, 4}, {5, 0}};
    gnd_dense_view v = {.size = sizeof v,
                        .type = GND_F32,
                        .n_row = 3,
                        .n_col = 2,
                        .row_stride = 8,
                        .col_stride = 4,
                        .data = (const float[]){1, 2, 3, 4, 5, 0}};
    gnd_graph *g = three();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_set_features_dense(g, &v, &err));
    v.data = x;
    CHECK_FAILS(gnd_graph_set_features_dense(g, &v, &err), GND_ERR_FORMAT,
                "row 2, column 1 of the feature matrix is nan");
    v.n_row = 2;
    CHECK_FAILS(gnd_graph_set_features_dense(g, &v, &err), GND_ERR_SHAPE,
                "features of 2 vertices in a graph of 3");
    v.n_row = 3, v.n_col = -1;
    CHECK_FAILS(gnd_graph_set_features_dense(g, &v, &err), GND_ERR_ARG, "is 3 x -1");
    v.n_col = INT64_MAX / 2;
    CHECK_FAILS(gnd_graph_set_features_dense(g, &v, &err), GND_ERR_ARG, "feature matrix is 3 x");
    v.n_col = 2, v.data = NULL;
    CHECK_FAILS(gnd_graph_set_features_dense(g, &v, &err), GND_ERR_ARG, "is NULL");
    v.type = (gnd_scalar)5;
    CHECK_FAILS(gnd_graph_set_features_dense(g, &v, &err), GND_ERR_ARG, "unknown type 5");
    check_features(g, want); /* as they were */
    gnd_graph_free(g);
}

static void sparse_features(void **state)
{
    static const int64_t p[] = {0, 1, 3, 4};
    static const int32_t c[] = {0, 0, 1, 1}, twice[] = {0, 1, 1, 1};
    static const float v[] = {1, 2, 3, 4};
    static const double want[3][2] = {{1, 0}, {2, 3}, {0, 4}},
                        sums[3][2] = {{1, 0}, {0, 5}, {0, 4}};
    gnd_csr_view x = {.size = sizeof x,
                      .ptr_type = GND_I64,
                      .col_type = GND_I32,
                      .val_type = GND_F32,
                      .n_row = 3,
                      .n_col = 2,
                      .ptr = p,
                      .col = c,
                      .val = v};
    gnd_graph *g = three(), *u = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_set_features_csr(g, &x, true, &err));
    check_features(g, want);
    CHECK_OK(gnd_graph_convert(&u, g, GND_GRAPH_UND, &err));
    assert_ptr_equal(features_of(u).ptr, p);
    assert_ptr_equal(features_of(u).col, c);
    assert_ptr_equal(features_of(u).val, v);
    x.col = twice;
    CHECK_OK(gnd_graph_set_features_csr(g, &x, true, &err));
    check_features(g, sums);
    check_features(u, want);
    assert_int_equal(gnd_graph_n_note(g), 1);
    assert_string_equal(gnd_graph_note(g, 0)->code, "duplicate_entries");
    CHECK_OK(gnd_graph_set_features_csr(g, &x, false, &err));
    assert_int_equal(gnd_graph_n_note(g), 1); /* the note of the present features only */
    x.n_row = 2;
    CHECK_FAILS(gnd_graph_set_features_csr(g, &x, true, &err), GND_ERR_SHAPE,
                "features of 2 vertices in a graph of 3");
    x.n_row = 3, x.n_col = 1, x.col = c;
    CHECK_FAILS(gnd_graph_set_features_csr(g, &x, true, &err), GND_ERR_FORMAT,
                "row 1 of the feature matrix has column 1; expected 0 to 0");
    check_features(g, sums);
    CHECK_OK(gnd_graph_set_features_csr(g, NULL, false, &err));
    assert_int_equal(features_of(g).n_row, 0);
    assert_null(features_of(g).ptr);
    assert_int_equal(gnd_graph_n_note(g), 0);
    gnd_graph_free(g);
    gnd_graph_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(csr_of_every_type),
                                       cmocka_unit_test(borrowed_ones),
                                       cmocka_unit_test(repaired),
                                       cmocka_unit_test(not_aligned),
                                       cmocka_unit_test(bad_csr),
                                       cmocka_unit_test(edges_of_every_type),
                                       cmocka_unit_test(bad_edges),
                                       cmocka_unit_test(no_arcs),
                                       cmocka_unit_test(dense_of_every_type),
                                       cmocka_unit_test(bad_dense),
                                       cmocka_unit_test(sparse_features)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
