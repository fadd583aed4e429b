/* SPDX-License-Identifier: MIT
 * test_load.c - graphs by name and by path: where they are looked for, who wins, what is said. */
#include <sys/stat.h>

#include "npz_make.h"
#include "temp.h"

#include "io/io.h"

#define DATA GND_SHARED_DIR "/data"

/* A path graph of n <= 9 vertices as an npz file. */
static void write_path(const char *name, int n)
{
    static bytes file;
    int32_t ptr[10], col[9];
    float val[9];
    const int64_t shape[2] = {n, n};
    char s_ptr[16], s_nnz[16];

    for (int i = 0; i < n; i++) {
        ptr[i] = i;
        col[i] = i + 1;
        val[i] = 1;
    }
    ptr[n] = n - 1;
    snprintf(s_ptr, sizeof s_ptr, "(%d,)", n + 1);
    snprintf(s_nnz, sizeof s_nnz, "(%d,)", n - 1);
    make_npz(&file, (const made[]){
                        {"adj_data", "<f4", s_nnz, val, 4 * (size_t)(n - 1), NULL, 0},
                        {"adj_indices", "<i4", s_nnz, col, 4 * (size_t)(n - 1), NULL, 0},
                        {"adj_indptr", "<i4", s_ptr, ptr, 4 * (size_t)(n + 1), NULL, 0},
                        {"adj_shape", "<i8", "(2,)", shape, 16, NULL, 0},
                        {0},
                    });
    temp_file(name, file.b, file.n);
}

/* Load by name and give the number of vertices. */
static int64_t load_n(const char *name, const gnd_load_opts *o)
{
    gnd_graph *g = NULL;
    gnd_error err;
    int64_t n;

    CHECK_OK(gnd_load(&g, name, o, &err));
    n = gnd_graph_n_node(g);
    gnd_graph_free(g);
    return n;
}

/* data_dir before $GND_DATA before the cache before ./data; directly or in a subfolder. */
static void test_order(void **state)
{
    static const char *const dir[] = {"given",     "env",  "env/npz",   "cache",
                                      "cache/gnd", "data", "data/extra"};
    char given[256], path[512];
    gnd_load_opts o = {.size = sizeof o, .data_dir = given};
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < sizeof dir / sizeof dir[0]; k++)
        assert_int_equal(mkdir(temp_path(dir[k]), 0777), 0);
    write_path("given/cora_ml.npz", 3);
    write_path("env/npz/cora_ml.npz", 4);
    write_path("cache/gnd/cora_ml.npz", 5);
    write_path("data/extra/cora_ml.npz", 6);
    write_path("cora_ml", 7);
    write_path("own.npz", 8);
    write_path("given/amazon_electronics_photo.npz", 9);
    snprintf(given, sizeof given, "%s", temp_path("given"));
    assert_int_equal(chdir(temp_dir), 0);
    setenv("GND_DATA", temp_path("env"), 1);
    setenv("XDG_CACHE_HOME", temp_path("cache"), 1);
    assert_int_equal(load_n("cora_ml", &o), 3);
    assert_int_equal(load_n("amazon_photo", &o), 9);
    assert_int_equal(load_n("cora_ml", NULL), 4);
    unsetenv("GND_DATA");
    assert_int_equal(load_n("cora_ml", NULL), 5);
    setenv("XDG_CACHE_HOME", temp_path("nowhere"), 1);
    assert_int_equal(load_n("cora_ml", NULL), 6);
    /* A path is a path; a file here wins over a name that is not a data set's. */
    assert_int_equal(load_n("./cora_ml", NULL), 7);
    assert_int_equal(load_n("own.npz", NULL), 8);
    CHECK_OK(gnd_dataset_find(path, sizeof path, "cora_ml", given, &err));
    assert_non_null(strstr(path, "given/cora_ml.npz"));
    CHECK_FAILS(gnd_dataset_find(path, sizeof path, "pubmed", given, &err), GND_ERR_IO,
                "the files of this data set were not found; `gnd data get pubmed` downloads them "
                "(searched ");
    assert_non_null(strstr(err.msg, "given"));
    assert_non_null(strstr(err.msg, "./data"));
    assert_int_equal(chdir(GND_SOURCE_DIR), 0);
}

static void test_refusals(void **state)
{
    gnd_graph *g = NULL;
    gnd_load_opts o = {.size = sizeof o};
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_load(&g, "citese", NULL, &err), GND_ERR_IO, "did you mean 'citeseer'?");
    CHECK_FAILS(gnd_load(&g, "coar", NULL, &err), GND_ERR_IO, "did you mean 'cora'?");
    CHECK_FAILS(gnd_load(&g, "amazon_foto", NULL, &err), GND_ERR_IO,
                "did you mean 'amazon_photo'?");
    CHECK_FAILS(gnd_load(&g, "zzzzzz", NULL, &err), GND_ERR_IO,
                "no such file or data set (searched");
    CHECK_FAILS(gnd_load(&g, "no/such/file.csv", NULL, &err), GND_ERR_IO, "no such file or folder");
    CHECK_FAILS(gnd_load(&g, "", NULL, &err), GND_ERR_ARG, "0 bytes");
    CHECK_FAILS(gnd_load(&g, NULL, NULL, &err), GND_ERR_ARG, "the name of the data set is NULL");
    o.format = "gml";
    CHECK_FAILS(gnd_load(&g, "karate", &o, &err), GND_ERR_ARG,
                "'gml' is not a format; expected one of planetoid, npz");
    o = (gnd_load_opts){0};
    CHECK_FAILS(gnd_load(&g, "karate", &o, &err), GND_ERR_ARG, "its size field is 0");
    assert_null(g);
}

/* A folder as gnd_graph_save writes it; the user's own labels and features win over those
 * inside. */
static void test_folder(void **state)
{
    static const char edges[] = "source,target\na,b\nb,c\n", labels[] = "id,label\na,x\nb,y\nc,x\n",
                      features[] = "a,1,0\nb,0,2\nc,3,0\n", own[] = "a,p\nb,q\nc,r\n";
    gnd_load_opts o = {.size = sizeof o};
    char own_path[256];
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    assert_int_equal(mkdir(temp_path("club"), 0777), 0);
    temp_file("club/edges.csv", edges, sizeof edges - 1);
    temp_file("club/labels.csv", labels, sizeof labels - 1);
    temp_file("club/features.csv", features, sizeof features - 1);
    snprintf(own_path, sizeof own_path, "%s", temp_file("own.csv", own, sizeof own - 1));
    CHECK_OK(gnd_load(&g, temp_path("club/"), NULL, &err));
    assert_string_equal(gnd_graph_name(g), "club");
    assert_int_equal(g->n_node, 3);
    assert_int_equal(g->n_feat, 2);
    assert_int_equal(g->n_class, 2);
    gnd_graph_free(g);
    o.labels = own_path;
    CHECK_OK(gnd_load(&g, temp_path("club"), &o, &err));
    assert_int_equal(g->n_class, 3);
    assert_string_equal(gnd_graph_class_name(g, g->label[1]), "q");
    gnd_graph_free(g);
    o.labels = "/no/such/labels.csv";
    CHECK_FAILS(gnd_load(&g, temp_path("club"), &o, &err), GND_ERR_IO, "/no/such/labels.csv");
    assert_null(g);
}

/* csv and npz, written and read again, give the same graph. */
static void test_round_trip(void **state)
{
    static const char *const format[] = {"npz", "csv"};
    gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SOURCE_DIR "/data"};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_load(&g, "karate", &o, &err));
    assert_int_equal(g->n_node, 34);
    for (int k = 0; k < 2; k++) {
        gnd_graph *h = NULL;
        const char *path = temp_path(k == 0 ? "k.npz" : "k");

        CHECK_OK(gnd_graph_save(g, path, format[k], &err));
        CHECK_OK(gnd_load(&h, path, NULL, &err));
        assert_int_equal(h->n_node, g->n_node);
        assert_int_equal(gnd_csr_nnz(&h->adj), gnd_csr_nnz(&g->adj));
        assert_memory_equal(h->adj.col, g->adj.col, (size_t)gnd_csr_nnz(&g->adj) * 4);
        assert_memory_equal(h->label, g->label, (size_t)g->n_node * 4);
        for (int64_t i = 0; i < g->n_node; i++) {
            char a[32], b[32];

            assert_string_equal(gnd_graph_id(g, i, a), gnd_graph_id(h, i, b));
        }
        assert_string_equal(gnd_graph_class_name(h, 0), gnd_graph_class_name(g, 0));
        gnd_graph_free(h);
    }
    gnd_graph_free(g);
}

/* Lists that the command line walks. */
static void test_lists(void **state)
{
    int n = 0;

    (void)state;
    while (gnd_dataset_name(n)) {
        assert_true(strlen(gnd_dataset_about(n)) > 10);
        n++;
    }
    assert_int_equal(n, 8);
    assert_null(gnd_dataset_about(n));
    assert_string_equal(gnd_format_name(1), "npz");
    assert_true(strlen(gnd_format_about(0)) > 10);
    assert_null(gnd_format_name(100));
    assert_null(gnd_format_name(-1));
}

/* Sums over all entries that a swapped row, column or value would change; counted with scipy. */
static void test_sums(void **state)
{
    static const struct {
        const char *name;
        int64_t adj, feat; /* sum of (i + 1) (j + 1) over entries */
        double value;      /* sum of (i + j + 1) v over entries of the features */
        int64_t label;     /* sum of (i + 1) (label + 1) */
    } want[] = {
        {"cora", 18140701830, 52537512582, 105270767, 14182160},
        {"citeseer", 24432420399, 317817808020, 366175959, 20390810},
        {"pubmed", 8447828131965, 1825247637390, 390446483.44489759, 425433144},
        {"cora_ml", 18864327683, 331220574943, 53095786.411182754, 17024738},
        {"amazon_photo", 2100616648813, 2820188540215, 8295779972, 133983454},
        {"amazon_computers", 13458487423737, 9781869344680, 26723288720, 488628464},
        {"facebook_pages", 43249991257194, 12071808268998, 4601827050, 571388713},
        {"dblp", 4948414296108, 663549544319, 373334355.90875232, 347531094},
        {"acm", 69831592360, 198940448150, 501416464, 11113733},
        {"chameleon_filtered", 3743934784, 5251793011, 15960776, 1142747},
        {"actor", 754275954374, 56583772119, 170553004, 96908059},
        {"wisconsin", 13231824, 2589363207, 22932692, 93488},
        {"texas", 3911620, 1130051672, 13949020, 59670},
    };
    gnd_load_opts o = {.size = sizeof o, .data_dir = DATA};

    (void)state;
    NEEDS_SHARED(DATA);
    for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
        gnd_graph *g = NULL;
        gnd_error err;
        int64_t adj = 0, feat = 0, label = 0;
        double value = 0;

        CHECK_OK(gnd_load(&g, want[k].name, &o, &err));
        for (int64_t i = 0; i < g->n_node; i++) {
            for (int64_t p = g->adj.ptr[i]; p < g->adj.ptr[i + 1]; p++)
                adj += (i + 1) * (g->adj.col[p] + 1);
            for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++) {
                feat += (i + 1) * (g->feat.col[p] + 1);
                value += (double)(i + g->feat.col[p] + 1) * (double)gnd_csr_val(&g->feat, p);
            }
            label += (i + 1) * (g->label[i] + 1);
        }
        assert_string_equal(gnd_graph_name(g), want[k].name);
        assert_int_equal(adj, want[k].adj);
        assert_int_equal(feat, want[k].feat);
        CHECK_CLOSE(value, want[k].value, 1e-9 * want[k].value);
        assert_int_equal(label, want[k].label);
        gnd_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_folder), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_lists),  cmocka_unit_test(test_sums),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
